// SPDX-License-Identifier: GPL-2.0-or-later
/* options - from a command's table of options to getopt_long() */
#include "cmd/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/progress.h"
#include "cmd/config.h"
#include "cmd/help.h"

#define ORIGIN_LEN 256

/* What getopt_long() wants of a table. */
struct parser {
	const struct fw_command *cmd;
	struct option *longs;
	char *shorts;
	bool help, target;
};

const struct fw_option *fw_option_find(const struct fw_command *cmd, const char *name)
{
	for (const struct fw_option *o = cmd->options; !fw_option_last(o); o++)
		if (o->name && !strcmp(o->name, name))
			return o;
	return NULL;
}

static const struct fw_option *by_id(const struct fw_command *cmd, int id)
{
	for (const struct fw_option *o = cmd->options; !fw_option_last(o); o++)
		if (o->name && o->id == id)
			return o;
	return NULL;
}

static int argument(const struct fw_option *o)
{
	if (!o->arg)
		return no_argument;
	return *o->arg == '[' ? optional_argument : required_argument;
}

static void parser_init(struct parser *p, const struct fw_command *cmd)
{
	size_t n = 0, len = 0;

	*p = (struct parser){ .cmd = cmd };
	while (!fw_option_last(&cmd->options[n]))
		n++;
	p->longs = fw_calloc(n + 1, sizeof(*p->longs));
	p->shorts = fw_zalloc(3 * n + 3);
	if (cmd->stops)
		p->shorts[len++] = '+';
	p->shorts[len++] = ':';
	n = 0;
	for (const struct fw_option *o = cmd->options; !fw_option_last(o); o++) {
		if (!o->name)
			continue;
		p->longs[n++] = (struct option){ o->name, argument(o), NULL, o->id };
		if (o->id > 0x7f)
			continue;
		p->shorts[len++] = (char)o->id;
		for (int i = 0; i < argument(o); i++)
			p->shorts[len++] = ':';
	}
}

static void parser_free(struct parser *p)
{
	free(p->longs);
	free(p->shorts);
}

static bool is_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = words; p && *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (n == len && !memcmp(p, word, n))
			return true;
		p += n;
	}
	return false;
}

static int next_option(const struct parser *p, int argc, char **argv)
{
	int c = getopt_long(argc, argv, p->shorts, p->longs, NULL);
	const struct fw_option *o = c > 0 ? by_id(p->cmd, c) : NULL;

	if (o && argument(o) == optional_argument && !optarg && optind < argc &&
	    is_word(o->values, argv[optind]))
		optarg = argv[optind++];
	return c;
}

/* The options of all commands, and what must be known before the defaults are taken. */
static int scan(struct parser *p, int argc, char **argv)
{
	int c;

	optind = 0; /* GNU: begin anew */
	opterr = 0;
	while ((c = next_option(p, argc, argv)) != -1) {
		const struct fw_option *o = by_id(p->cmd, c);

		if (!o)
			return fw_usage_getopt(p->cmd->name, c, argv);
		if (c == 'h')
			p->help = true;
		else if (c == 'q')
			fw_quiet = true;
		else if (c == 'v')
			fw_verbose = true;
		if (o->config == FW_CONFIG_TARGET)
			p->target = true;
	}
	/* A command to be run is a target too. */
	if (p->cmd->stops && optind < argc)
		p->target = true;
	return FW_EXIT_OK;
}

static int apply_setting(const struct parser *p, const struct fw_setting *s,
			 int (*option)(void *ctx, int id), void *ctx)
{
	const struct fw_option *o = fw_option_find(p->cmd, s->key);
	char origin[ORIGIN_LEN];
	int status;

	if (!o || !o->config || (o->config == FW_CONFIG_TARGET && p->target))
		return FW_EXIT_OK;
	fw_log("%s: %s = %s", s->origin, s->key, s->value);
	snprintf(origin, sizeof(origin), "%s: ", s->origin);
	fw_usage_origin(origin);
	if (!o->arg && strcmp(s->value, "yes") && strcmp(s->value, "no")) {
		status = fw_usage(p->cmd->name, "%s %s: expected yes or no", s->key, s->value);
	} else if (!o->arg && !strcmp(s->value, "no")) {
		status = FW_EXIT_OK;
	} else {
		optarg = s->value;
		status = option(ctx, o->id);
	}
	fw_usage_origin("");
	return status;
}

static int apply_config(const struct parser *p, const struct fw_config *c,
			int (*option)(void *ctx, int id), void *ctx)
{
	enum fw_config_level targets = FW_CONFIG_SYSTEM;
	int status = FW_EXIT_OK;

	for (size_t i = 0; i < c->n; i++) {
		const struct fw_option *o = fw_option_find(p->cmd, c->settings[i].key);

		if (o && o->config == FW_CONFIG_TARGET)
			targets = FW_MAX(targets, c->settings[i].level);
	}
	for (size_t i = 0; i < c->n && !status; i++) {
		const struct fw_option *o = fw_option_find(p->cmd, c->settings[i].key);

		if (o && o->config == FW_CONFIG_TARGET && c->settings[i].level < targets)
			continue;
		status = apply_setting(p, &c->settings[i], option, ctx);
	}
	return status;
}

static int read_all(struct parser *p, int argc, char **argv, int (*option)(void *ctx, int id),
		    void *ctx)
{
	int c, status;

	status = apply_config(p, fw_config(), option, ctx);
	optind = 0;
	while (!status && (c = next_option(p, argc, argv)) != -1)
		if (c != 'q' && c != 'v')
			status = option(ctx, c);
	return status;
}

bool fw_options(const struct fw_command *cmd, int argc, char **argv,
		int (*option)(void *ctx, int id), void *ctx, int *status)
{
	struct parser p;

	parser_init(&p, cmd);
	*status = scan(&p, argc, argv);
	if (!*status && p.help) {
		*status = fw_help(cmd);
		parser_free(&p);
		return false;
	}
	if (!*status)
		*status = fw_config_load();
	if (!*status)
		*status = read_all(&p, argc, argv, option, ctx);
	parser_free(&p);
	return !*status;
}
