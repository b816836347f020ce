/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_TRACEDAT_TRACEDAT_H
#define FW_INPUT_TRACEDAT_TRACEDAT_H

#include "base/map.h"
#include "input/format.h"

/*
 * The reader of trace.dat, versions 6 and 7 (trace-cmd: trace-cmd.dat.v6.5.txt, trace-cmd.dat.v7.5.txt):
 * the container, the kernel's format files, the pages of its ring buffer. Why not by libtracecmd and
 * libtraceevent: see Documentation/design.rst.
 */
#define TD_CPUS_MAX 8192 /* of all buffers together */
#define TD_PAGES_MAX (64u << 20) /* bytes of pages in memory, one for each cpu */
#define TD_SECTION_MAX (64u << 20) /* of a compressed section, unpacked */
#define TD_CHUNK_MAX (4u << 20) /* of compressed trace data, unpacked */
#define TD_EVENTS_MAX 65536 /* the kernel numbers events with 16 bits */
#define TD_FORMAT_MAX (256u << 10) /* of one event's format file */
#define TD_FIELDS 8 /* of an event that framewait reads */
#define TD_TASKS_MAX (1u << 20)
#define TD_SYMBOLS_MAX (1u << 20)

/**
 * struct td_field - where a value stands in an event's record
 * @size: 0: the event has no such field, or one without end (print's text)
 * @loc: of a text or array elsewhere in the record: 1 from the record's start, 2 from this field's end
 */
struct td_field {
	uint16_t offset, size;
	uint8_t loc;
	bool has, is_signed;
};

/**
 * struct td_event - an event of the recording
 * @kind: index of what framewait knows; -1: nothing
 * @n: how many there are
 */
struct td_event {
	uint32_t name; /* in td->names, with its NUL */
	int16_t kind;
	struct td_field fields[TD_FIELDS];
	uint64_t n;
};

enum td_compression { TD_PLAIN, TD_ZLIB, TD_ZSTD, TD_UNKNOWN_COMPRESSION };

/**
 * struct td_stream - the pages of one CPU in one buffer
 * @page: the one at hand
 * @at, @len: of the event at hand; @next: behind it; @data_end: of the page's data
 * @stamp: running time as the kernel wrote it
 * @ts: of the event at hand, ns; @last: of the one before, INT64_MIN: none
 * @lost: the event at hand follows a loss that was not told yet
 */
struct td_stream {
	int32_t cpu;
	uint32_t page_size;
	uint64_t pos, end;
	uint8_t *page;
	uint64_t next_page;
	uint32_t at, len, next, data_end;
	uint64_t stamp;
	int64_t ts, last;
	bool lost, has_event;
};

struct td_task {
	int32_t tid, tgid; /* tgid -1: unknown */
	uint32_t name; /* in td->names; 0: unknown */
};

struct td_symbol {
	uint64_t addr;
	uint64_t pos; /* of the name */
};

/* A span of the source, unpacked. */
struct td_span {
	uint64_t pos, len;
};

struct td {
	struct fw_source *src;
	struct fw_health *health;
	struct fw_recording rec;
	struct fw_reader reader;
	struct fw_names *names;
	int version;
	bool big;
	uint32_t page_size;
	enum td_compression compression;
	char compressor[32];
	/* of header_page */
	uint32_t commit_size, data_offset;
	/* common fields, of every record */
	struct td_field type, flags, pid;
	struct td_event *events;
	uint32_t n_events, events_cap;
	struct fw_map by_id; /* event number to index + 1 */

	uint32_t n_cpus; /* as the file says */
	struct td_stream *streams;
	uint32_t n_streams, streams_cap;

	struct td_span kallsyms, cmdlines, tgids;
	uint32_t n_tgids; /* threads whose process is saved */
	struct td_task *tasks;
	uint32_t n_tasks, tasks_cap;
	struct fw_map task_of; /* tid to index + 1 */
	struct td_symbol *symbols;
	uint32_t n_symbols, symbols_cap;
	bool symbols_read;
	struct fw_map callers; /* address to name, of those looked up */

	/* time */
	char clock[32];
	bool use_clock; /* version 6: the clock follows the table of cpus */
	int64_t offset; /* ns to add to every time */
	uint32_t tsc_mult, tsc_shift;
	uint64_t tsc_offset;
	bool has_tsc;
	struct td_state {
		uint64_t bit;
		int64_t plain; /* the same before Linux 4.8 */
	} states[16];
	uint32_t n_states;
	uint64_t preempted; /* the bit of prev_state */

	bool indexing;
	char *details;
	/* delivering: heap of streams by time, and the tasks first */
	uint64_t wants;
	struct fw_interest *interest;
	uint32_t *heap, n_heap;
	uint32_t next_task;
	bool task_named;
	bool advance; /* the first stream of the heap was delivered */
	struct fw_event ev;
};

/**
 * struct td_cursor - reads the container's numbers and texts
 * @bad: something was beyond @end; all that is read from then on is 0
 */
struct td_cursor {
	struct td *t;
	uint64_t pos, end;
	bool bad;
};

uint64_t td_number(const struct td *t, const uint8_t *p, unsigned int size);

/* cursor.c */
const uint8_t *td_bytes(struct td_cursor *c, size_t len);
uint64_t td_u(struct td_cursor *c, unsigned int size);
/* Up to its NUL; cut at the room there is. Return: false where there is none. */
bool td_text(struct td_cursor *c, char *buf, size_t room);
/* A span of @len bytes, skipped over. */
struct td_span td_skip(struct td_cursor *c, uint64_t len);
static inline struct td_cursor td_cursor(struct td *t, struct td_span s)
{
	return (struct td_cursor){ .t = t, .pos = s.pos, .end = s.pos + s.len };
}

/* unpack.c */
/* A compressed section or the chunks of a cpu's data, unpacked; 0 or a negative errno. */
int td_unpack_section(struct td *t, struct td_span *s);
int td_unpack_chunks(struct td *t, struct td_span *s);

/* container.c: all that is not trace data */
int td_read_container(struct td *t);

/* formats.c */
void td_header_page(struct td *t, struct td_span s);
void td_format(struct td *t, struct td_span s);

/* options.c */
/* Options that say the same in both versions. */
void td_option(struct td *t, uint32_t id, struct td_span s);
void td_clock(struct td *t, struct td_span s);
int td_add_stream(struct td *t, int32_t cpu, struct td_span s, uint32_t page_size);
int td_check_streams(struct td *t);

/* tasks.c */
void td_read_tasks(struct td *t);
/* The function at an address; absent: not known. */
struct fw_str td_symbol(struct td *t, uint64_t addr);

/* pages.c */
/* Begin at the first page again. */
void td_stream_start(struct td_stream *s);
/* Return: 1 and the stream stands on its next event, 0 at the end, negative errno. */
int td_stream_next(struct td *t, struct td_stream *s);

/* decode.c */
int td_kind_find(struct fw_str name);
const char *const *td_kind_fields(int kind);
enum fw_event_type td_kind_type(int kind);
/* The event that a stream stands on, into td->ev. Return: false for a record that is too short. */
bool td_decode(struct td *t, const struct td_stream *s, const struct td_event *e);
/* The event of a record; NULL: of a number that no format has. */
struct td_event *td_event_of(struct td *t, const struct td_stream *s);

#endif
