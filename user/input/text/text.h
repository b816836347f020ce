/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_TEXT_TEXT_H
#define FW_INPUT_TEXT_TEXT_H

#include "base/map.h"
#include "base/sort.h"
#include "input/format.h"
#include "input/lines.h"

/*
 * The reader of ftrace text: what the kernel prints in "trace", atrace and systrace with it (plain,
 * zlib, a page), and trace-cmd report. One pass over the bytes: lines are found, their columns read,
 * and each goes with its columns into a sorter; the arguments become an event when it comes out.
 */
#define TX_CPUS 4096
#define TX_NAMES 1024 /* distinct event names that are counted apart */
#define TX_REFUSED 5 /* lines that are shown */
#define TX_REFUSED_MAX 160 /* bytes of each */

/*
 * page.c: which lines of a page are trace data
 */
enum tx_place { TX_PLAIN, TX_PAGE, TX_BLOCK, TX_SCRIPT };

/* Does text that begins so belong to a page? */
bool tx_is_page(struct fw_str first);
/**
 * tx_page_line() - go on by one line of a page
 * @line: becomes the part of it that is data
 * @begins: set when a block of data begins with this line
 * Return: whether the line is data.
 */
bool tx_page_line(enum tx_place *place, struct fw_str *line, bool *begins);

/*
 * line.c: the columns of an event line
 */
/**
 * struct tx_head - the columns
 * @tgid: -1: there is none, or dashes
 * @common_flags: TRACE_FLAG bits as far as they can be told; -1: there is no such column
 * @ts: ns, exact
 * @stamp: as written
 */
struct tx_head {
	struct fw_str task, stamp, event, args;
	int32_t tid, tgid, cpu, common_flags;
	int64_t ts;
};

bool tx_head(struct fw_str line, struct tx_head *h);
struct fw_str tx_trim(struct fw_str s);

/*
 * fields.c: key=value arguments
 */
enum tx_kind {
	TX_I32,
	TX_I64,
	TX_U64, /* decimal, or hexadecimal after 0x */
	TX_HEX, /* hexadecimal, 0x or not */
	TX_STR,
	TX_WORD, /* up to the first blank */
	TX_END,
};

/**
 * struct tx_field - where one argument goes
 * @need: without it the line says nothing
 */
struct tx_field {
	const char *key;
	uint8_t kind;
	bool need;
	uint16_t offset;
};

/**
 * tx_fields() - "key=value key=value", in the order of @fields, which TX_END ends
 *
 * Read from the end: a text of any bytes may stand before a number, so that the last "pid=" is the
 * kernel's. Return: false where a needed one is absent, or a number is none.
 */
bool tx_fields(struct fw_str args, const struct tx_field *fields, void *out);

/*
 * state.c: prev_state
 */
/* What prev_state is where it is a number. */
enum tx_states { TX_STATES_4_14, TX_STATES_4_8, TX_STATES_4_4 };

/**
 * struct tx_how - how arguments are to be read
 * @tp: as trace_processor reads them
 * @states: the layout of numbers in prev_state
 * @numbers: the bits of all such numbers, collected
 * @idle_number: one was a state that only 4.14 and later have
 */
struct tx_how {
	bool tp;
	enum tx_states states;
	uint64_t numbers;
	bool idle_number;
};

/* Letters or a number as the bits of Linux 4.4, which have room for every letter. */
int64_t tx_prev_state(struct fw_str s, struct tx_how *how);
/* The layout that the numbers of a recording are of. */
enum tx_states tx_states_guess(const struct tx_how *how);

/*
 * events.c, sched.c: the arguments of each event
 */
/**
 * struct tx_event - one event of the kernel
 * @sub: kind within the type, or letter of a piece of kernel work
 * @tp: trace_processor's importer of text reads it (systrace_line_parser.cc, v57.2)
 * @fields: of struct fw_event; NULL: none
 * @read: after the fields; NULL: nothing more
 */
struct tx_event {
	const char *name;
	uint16_t type; /* enum fw_event_type */
	uint8_t sub;
	bool tp;
	const struct tx_field *fields;
	bool (*read)(const struct tx_event *e, struct fw_str args, struct tx_how *how,
		     struct fw_event *ev);
};

/* NULL: framewait makes nothing of it. */
const struct tx_event *tx_event_find(struct fw_str name);
const struct tx_event *tx_event_at(uint32_t index);
uint32_t tx_event_index(const struct tx_event *e);
/**
 * tx_event_read() - arguments into an event; type and union of @ev are set
 * Return: false where they are not those of the event.
 */
bool tx_event_read(const struct tx_event *e, struct fw_str args, struct tx_how *how,
		   struct fw_event *ev);

#define TX_READER(name)                                                                            \
	bool name(const struct tx_event *e, struct fw_str args, struct tx_how *how,                \
		  struct fw_event *ev)
TX_READER(tx_read_switch);
TX_READER(tx_read_wake);
TX_READER(tx_read_blocked);
TX_READER(tx_read_newtask);
TX_READER(tx_read_rename);
TX_READER(tx_read_task);

/*
 * tasks.c: tables of processes and threads
 */
/**
 * struct tx_table - columns of the table at hand, by number; -1: it has none
 */
struct tx_table {
	int pid, ppid, tid, name, n;
};

struct tx_task {
	int64_t pid, ppid, tid; /* -1: not a column */
	struct fw_str name;
};

/* Return: 1 and *@out for a row, 0 for a header or another line that tells nothing, -1 refused. */
int tx_table_line(struct tx_table *t, struct fw_str line, struct tx_task *out);

/*
 * index.c: the pass
 */
enum tx_record_kind { TX_LINE, TX_PROCESS, TX_THREAD, TX_LOST };

/* The record of tx->sort; text follows: the name, or task, stamp and arguments of a line. */
struct tx_record {
	int64_t ts;
	int64_t since; /* lost */
	uint8_t kind;
	uint8_t weak; /* thread: the name is a guess */
	uint8_t unended; /* line: the last one, without its end */
	uint8_t unused;
	uint16_t event; /* line: index, TX_OTHER for none */
	int32_t cpu, tid, tgid; /* process: tid is the pid, tgid the parent */
	int32_t common_flags;
	uint32_t task, stamp, args; /* lengths */
	char text[];
};

#define TX_OTHER UINT16_MAX

/* What is known of a thread from the lines before. */
struct tx_seen {
	int32_t tid, tgid;
	uint32_t name; /* hash */
};

#define TX_SEEN 16384

struct tx_name {
	char name[48];
	uint64_t n;
};

struct tx_cpu {
	int64_t last; /* INT64_MIN: no event yet */
	uint64_t lost;
	bool gap;
};

struct tx {
	struct fw_source *src;
	struct fw_health *health;
	struct fw_recording rec;
	struct fw_sort *sort;
	struct fw_map by_name; /* hash of an event's name to its place in names */
	struct tx_name names[TX_NAMES]; /* the first one: all that have no place */
	uint32_t n_names;
	uint64_t events, bytes_events, task_rows, tgids, blocks, other_blocks;
	uint64_t lines, refused, tp_refused;
	char refused_text[TX_REFUSED * (TX_REFUSED_MAX + 64)];
	uint64_t marks_sync; /* trace_event_clock_sync */
	int64_t mono_less; /* trace time less CLOCK_MONOTONIC, by parent_ts */
	bool has_mono, zlib;
	enum tx_place place;
	enum { TX_EVENTS, TX_TASKS, TX_IGNORED } section;
	struct tx_table table;
	struct tx_how how;
	struct tx_seen *seen;
	struct tx_cpu *cpus;
	struct tx_record *scratch;
	char clock[96];
	uint64_t number; /* of the line at hand */
	bool unended;
	/* delivering */
	uint64_t wants;
	bool tp;
	struct fw_event ev;
};

int tx_index(struct tx *t);

/**
 * tx_inflate() - what follows the line "TRACE:" may be compressed: go on with what it holds
 * @crlf: that line ended in CR LF, as all of it then does
 * Return: 0, or a negative errno.
 */
int tx_inflate(struct tx *t, struct fw_lines *l, bool crlf);

#endif
