// SPDX-License-Identifier: GPL-2.0-or-later
/* completion - the commands and options for the Tab key of a shell, from the tables of --help */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/help.h"
#include "cmd/options.h"
#include "frame/columns.h"
#include "output/format.h"
#include "table/side_tables.h"
#include "table/table.h"

static const struct fw_option options[] = { FW_OPTIONS_END };

static bool is(const char *values, const char *mark)
{
	return values && !strcmp(values, mark);
}

/* The words behind FW_VALUES_*, or the words themselves, each with a blank behind it. */
static void print_words(const char *values)
{
	if (!strncmp(values, FW_VALUES_FORMATS, strlen(FW_VALUES_FORMATS))) {
		for (const char *p = fw_format_names(); *p; p++)
			if (*p != ',')
				putchar(*p);
		printf("%s ", values + strlen(FW_VALUES_FORMATS));
	} else if (is(values, FW_VALUES_TABLES)) {
		for (int t = 0; t < FW_FRAME_TABLES; t++)
			printf("%s ", fw_frame_table(t)->name);
		for (int k = FW_SIDE_NONE + 1; fw_side_table(k); k++)
			printf("%s ", fw_side_table(k)->name);
		for (size_t i = 0; fw_table_at(i); i++)
			if (!fw_frame_table_find(fw_table_at(i)->name))
				printf("%s ", fw_table_at(i)->name);
	} else if (is(values, FW_VALUES_COMMANDS)) {
		for (size_t i = 0; fw_command_at(i); i++)
			printf("%s ", fw_command_at(i)->name);
	} else {
		printf("%s ", values);
	}
}

static void bash_values(const char *values)
{
	if (is(values, FW_VALUES_FILE)) {
		puts("COMPREPLY=($(compgen -f -- \"$cur\"))");
	} else if (is(values, FW_VALUES_DIR)) {
		puts("COMPREPLY=($(compgen -d -- \"$cur\"))");
	} else if (!values) {
		puts("COMPREPLY=()");
	} else {
		fputs("COMPREPLY=($(compgen -W '", stdout);
		print_words(values);
		puts("' -- \"$cur\"))");
	}
}

static void bash_command(const struct fw_command *cmd)
{
	const struct fw_option *o;

	printf("\t%s)\n\t\tcase $prev in\n", cmd->name);
	for (o = cmd->options; !fw_option_last(o); o++) {
		if (!o->name || !o->arg || *o->arg == '[')
			continue;
		printf("\t\t--%s", o->name);
		if (o->id <= 0x7f)
			printf("|-%c", o->id);
		fputs(") ", stdout);
		bash_values(o->values);
		puts("\t\t\treturn ;;");
	}
	fputs("\t\tesac\n\t\tif [[ $cur == -* ]]; then\n\t\t\tCOMPREPLY=($(compgen -W '", stdout);
	for (o = cmd->options; !fw_option_last(o); o++)
		if (o->name)
			printf("--%s ", o->name);
	fputs("' -- \"$cur\"))\n\t\telse\n\t\t\t", stdout);
	bash_values(cmd->words ? cmd->words : FW_VALUES_FILE);
	puts("\t\tfi ;;");
}

static void bash(void)
{
	puts("# bash completion of framewait; made by framewait completion bash\n"
	     "_framewait()\n"
	     "{\n"
	     "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	     "\tCOMPREPLY=()\n"
	     "\tif ((COMP_CWORD == 1)); then");
	fputs("\t\tCOMPREPLY=($(compgen -W '", stdout);
	print_words(FW_VALUES_COMMANDS);
	puts("--help --version' -- \"$cur\"))\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\tcase ${COMP_WORDS[1]} in");
	for (size_t i = 0; fw_command_at(i); i++)
		bash_command(fw_command_at(i));
	puts("\tesac\n"
	     "}\n"
	     "complete -o filenames -F _framewait framewait");
}

/* In a word of _arguments, in single quotes: ' : [ ] and \ have a meaning. */
static void zsh_text(const char *s)
{
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\'", stdout);
		else if (strchr(":[]\\", *s))
			putchar('\\');
		putchar(*s);
	}
}

static void zsh_values(const char *values)
{
	if (is(values, FW_VALUES_FILE)) {
		fputs("_files", stdout);
	} else if (is(values, FW_VALUES_DIR)) {
		fputs("_files -/", stdout);
	} else if (values && *values) {
		putchar('(');
		print_words(values);
		putchar(')');
	}
}

static void zsh_spec(const struct fw_option *o, bool is_short)
{
	bool optional = o->arg && *o->arg == '[';

	if (is_short)
		printf("\t\t\t'*-%c", o->id);
	else
		printf("\t\t\t'*--%s%s", o->name, optional ? "=-" : o->arg ? "=" : "");
	putchar('[');
	zsh_text(o->help);
	putchar(']');
	if (o->arg) {
		fputs(optional ? "::" : ":", stdout);
		zsh_text(o->name);
		putchar(':');
		zsh_values(o->values);
	}
	puts("' \\");
}

static void zsh_command(const struct fw_command *cmd)
{
	printf("\t%s)\n\t\t_arguments \\\n", cmd->name);
	for (const struct fw_option *o = cmd->options; !fw_option_last(o); o++) {
		if (o->name)
			zsh_spec(o, false);
		if (o->name && o->id <= 0x7f)
			zsh_spec(o, true);
	}
	fputs("\t\t\t'*:argument:", stdout);
	zsh_values(cmd->words ? cmd->words : FW_VALUES_FILE);
	puts("' ;;");
}

static void zsh(void)
{
	puts("#compdef framewait\n"
	     "# zsh completion of framewait; made by framewait completion zsh\n"
	     "_framewait()\n"
	     "{\n"
	     "\tif ((CURRENT == 2)); then\n"
	     "\t\tlocal -a commands=(");
	for (size_t i = 0; fw_command_at(i); i++) {
		printf("\t\t\t'%s:", fw_command_at(i)->name);
		zsh_text(fw_command_at(i)->what);
		puts("'");
	}
	puts("\t\t)\n"
	     "\t\t_describe command commands\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\tlocal command=${words[2]}\n"
	     "\tshift words\n"
	     "\t((CURRENT--))\n"
	     "\tcase $command in");
	for (size_t i = 0; fw_command_at(i); i++)
		zsh_command(fw_command_at(i));
	puts("\tesac\n"
	     "}\n"
	     "if [[ ${funcstack[1]} == _framewait ]]; then\n"
	     "\t_framewait \"$@\"\n"
	     "else\n"
	     "\tcompdef _framewait framewait\n"
	     "fi");
}

static int no_option(void *ctx, int id)
{
	return FW_EXIT_USAGE;
}

static int run(int argc, char **argv)
{
	int status;

	if (!fw_options(&fw_command_completion, argc, argv, no_option, NULL, &status))
		return status;
	if (argc - optind != 1)
		return fw_usage("completion", "name one shell: bash or zsh");
	if (!strcmp(argv[optind], "bash"))
		bash();
	else if (!strcmp(argv[optind], "zsh"))
		zsh();
	else
		return fw_usage("completion", "%s: no such shell; bash or zsh", argv[optind]);
	return fw_stdout_done();
}

const struct fw_command fw_command_completion = {
	.name = "completion",
	.args = "SHELL",
	.what = "what bash or zsh read to complete commands and options",
	.usage = "bash|zsh",
	.about = "Prints what bash or zsh read to complete commands and options. make install and "
		 "the Debian package put it where the shells look.",
	.options = options,
	.words = "bash zsh",
	.run = run,
	.examples = "  $ framewait completion bash\n"
		    "  $ framewait completion zsh\n",
};
