// SPDX-License-Identifier: GPL-2.0-or-later
/* config - defaults of options from files and the environment */
#include "cmd/config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "cmd/options.h"

#define MAX_BYTES (1 << 20) /* what is larger is no configuration */

static struct fw_config loaded;
static bool is_loaded;

static char *text_of(struct fw_str s)
{
	return fw_asprintf("%.*s", (int)s.len, s.p);
}

static void add(struct fw_config *c, enum fw_config_level level, char *key, char *value,
		char *origin)
{
	fw_grow(c->settings, c->n, c->cap);
	c->settings[c->n++] = (struct fw_setting){ level, key, value, origin };
}

static int parse_line(struct fw_config *c, enum fw_config_level level, const char *path,
		      unsigned int number, struct fw_str line, bool (*known)(const char *key))
{
	const char *eq = memchr(line.p, '=', line.len);
	struct fw_str name, value;
	char *key;

	if (memchr(line.p, 0, line.len))
		return fw_fail(EINVAL, "%s:%u: a NUL byte in a text file", path, number);
	name = fw_str_trim((struct fw_str){ line.p, eq ? (size_t)(eq - line.p) : 0 });
	if (!eq || !name.len)
		return fw_fail(EINVAL, "%s:%u: expected key = value", path, number);
	value = fw_str_trim((struct fw_str){ eq + 1, line.len - (size_t)(eq + 1 - line.p) });
	if (!value.len)
		return fw_fail(EINVAL, "%s:%u: %.*s has no value", path, number, FW_STR_ARG(name));
	key = text_of(name);
	if (!known(key)) {
		free(key);
		return fw_fail(EINVAL, "%s:%u: %.*s is no key; see framewait.conf(5)", path, number,
			       FW_STR_ARG(name));
	}
	add(c, level, key, text_of(value), fw_asprintf("%s:%u", path, number));
	return 0;
}

int fw_config_parse(struct fw_config *c, enum fw_config_level level, const char *path,
		    struct fw_str text, bool (*known)(const char *key))
{
	unsigned int number = 0;
	int err = 0;

	while (text.len && !err) {
		const char *end = memchr(text.p, '\n', text.len);
		size_t n = end ? (size_t)(end - text.p) : text.len;
		struct fw_str line = { text.p, n };

		if (line.len && line.p[line.len - 1] == '\r')
			line.len--;
		line = fw_str_trim(line);
		number++;
		if (line.len && *line.p != '#')
			err = parse_line(c, level, path, number, line, known);
		n += end != NULL;
		text = (struct fw_str){ text.p + n, text.len - n };
	}
	return err;
}

void fw_config_free(struct fw_config *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->settings[i].key);
		free(c->settings[i].value);
		free(c->settings[i].origin);
	}
	free(c->settings);
	*c = (struct fw_config){ 0 };
}

static bool known(const char *key)
{
	for (size_t i = 0; fw_command_at(i); i++) {
		const struct fw_option *o = fw_option_find(fw_command_at(i), key);

		if (o && o->config)
			return true;
	}
	return false;
}

static int read_text(int fd, const char *path, char **text, size_t *len)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st))
		return fw_fail(errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size > MAX_BYTES)
		return fw_fail(EINVAL, "%s: no configuration file: not a file of at most 1 MiB",
			       path);
	*text = fw_zalloc((size_t)st.st_size + 1);
	for (*len = 0; *len < (size_t)st.st_size; *len += (size_t)n) {
		n = read(fd, *text + *len, (size_t)st.st_size - *len);
		if (n < 0)
			return fw_fail(errno, "%s: %s", path, strerror(errno));
		if (!n)
			break;
	}
	return 0;
}

static int load_file(enum fw_config_level level, const char *path, bool must_exist)
{
	/* A pipe of that name must not stop the program. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *text = NULL;
	size_t len = 0;
	int err;

	if (fd < 0 && !must_exist && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0)
		return fw_fail(errno, "%s: %s", path, strerror(errno));
	err = read_text(fd, path, &text, &len);
	close(fd);
	if (!err)
		err = fw_config_parse(&loaded, level, path, (struct fw_str){ text, len }, known);
	free(text);
	return err;
}

static int load_user_file(void)
{
	const char *dir = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *path;
	int err;

	if (dir && *dir == '/')
		path = fw_asprintf("%s/framewait/config", dir);
	else if (home && *home == '/')
		path = fw_asprintf("%s/.config/framewait/config", home);
	else
		return 0;
	err = load_file(FW_CONFIG_USER, path, false);
	free(path);
	return err;
}

/* FRAMEWAIT_SLEEP_WCHAN for --sleep-wchan */
static void load_variable(const char *key)
{
	char *name = fw_asprintf("FRAMEWAIT_%s", key);
	const char *value;

	for (char *p = name; *p; p++)
		*p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
	for (size_t i = 0; i < loaded.n; i++) {
		if (!strcmp(loaded.settings[i].origin, name)) {
			free(name);
			return;
		}
	}
	value = getenv(name);
	if (value && *value)
		add(&loaded, FW_CONFIG_ENVIRONMENT, fw_strdup(key), fw_strdup(value), name);
	else
		free(name);
}

static void load_environment(void)
{
	for (size_t i = 0; fw_command_at(i); i++)
		for (const struct fw_option *o = fw_command_at(i)->options; !fw_option_last(o); o++)
			if (o->config)
				load_variable(o->name);
}

int fw_config_load(void)
{
	const char *file = getenv("FRAMEWAIT_CONFIG");
	int err = 0;

	if (is_loaded)
		return FW_EXIT_OK;
	is_loaded = true;
	if (file && *file) {
		err = load_file(FW_CONFIG_USER, file, true);
	} else if (!file) {
		err = load_file(FW_CONFIG_SYSTEM, FW_CONFIG_SYSTEM_FILE, false);
		if (!err)
			err = load_user_file();
	}
	if (err) {
		fw_failed(err);
		return FW_EXIT_USAGE;
	}
	load_environment();
	return FW_EXIT_OK;
}

const struct fw_config *fw_config(void)
{
	return &loaded;
}
