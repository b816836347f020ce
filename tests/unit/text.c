// SPDX-License-Identifier: GPL-2.0-or-later
/* ftrace text: columns of event lines, arguments, states, pages and tables of tasks. */
#include "input/text/text.h"

#include "tap.h"

static const char *text_of(struct fw_str s)
{
	static char buf[4][128];
	static int at;

	at = (at + 1) % 4;
	snprintf(buf[at], sizeof(buf[at]), "%.*s", FW_STR_ARG(s));
	return s.p ? buf[at] : NULL;
}

/*
 * Columns
 */
static void columns(void)
{
	static const struct {
		const char *line, *task;
		int32_t tid, tgid, cpu, flags;
		int64_t ts;
		const char *event, *args, *what;
	} lines[] = {
		{ "          <idle>-0     [001] 50260.663310: sched_wakeup: comm=a pid=1", "<idle>",
		  0, -1, 1, -1, 50260663310000, "sched_wakeup", "comm=a pid=1", "no flags" },
		{ "foo-12 [003] d.h2  12.000001: print: B|1|x", "foo", 12, -1, 3, 8, 12000001000,
		  "print", "B|1|x", "four flags" },
		{ "foo-12 [003] dNs2. 12.000001: 0: E", "foo", 12, -1, 3, 0x10, 12000001000, "0",
		  "E", "five flags" },
		{ "foo-12 [003] d.H2.1 12.000001: 0: E", "foo", 12, -1, 3, 0x18, 12000001000, "0",
		  "E", "six flags: migrate-disable" },
		{ "chrome-10830 ( 10830) [000] dNsa. 4213.033572: tracing_mark_write: E|10830",
		  "chrome", 10830, 10830, 0, 0x10, 4213033572000, "tracing_mark_write", "E|10830",
		  "TGID and a hexadecimal preempt count" },
		{ " com.example-123456  (-----) [000] .... 1031124.476312: 0: E", "com.example",
		  123456, -1, 0, 0, 1031124476312000, "0", "E", "TGID unknown" },
		{ "atrace-14446 (14446) [012] 1.5: x: ", "atrace", 14446, 14446, 12, -1, 1500000000,
		  "x", "", "TGID without flags" },
		{ "a b-c [1]-7 [002] .... 1.123456789: x: y", "a b-c [1]", 7, -1, 2, 0, 1123456789,
		  "x", "y", "blanks, dashes and brackets in a name; nanoseconds" },
		{ "(x) [3] -1-8 (    9) [002] .... 1.1234567899: x: [4] 5.6: z", "(x) [3] -1", 8, 9,
		  2, 0, 1123456789, "x", "[4] 5.6: z", "more than nanoseconds" },
		{ "--9 [000] .... 1.0: x:y", "-", 9, -1, 0, 0, 1000000000, "x", "y", "a dash" },
		{ "kworker/u16:1-77    (   77) [004] ....   316.196720: cpu_idle:     state=1",
		  "kworker/u16:1", 77, 77, 4, 0, 316196720000, "cpu_idle", "state=1",
		  "trace-cmd's blanks" },
		{ "a-1 [000] .... 1.0: do_idle <-cpu_startup", "a", 1, -1, 0, 0, 1000000000,
		  "function", "<-cpu_startup", "the function tracer" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct tx_head h;
		bool read = tx_head(fw_str(lines[i].line), &h);

		if (!ok(read, "%s", lines[i].what))
			continue;
		ok(h.tid == lines[i].tid && h.tgid == lines[i].tgid && h.cpu == lines[i].cpu &&
			   h.common_flags == lines[i].flags && h.ts == lines[i].ts,
		   "%s: %d %d %d %d %" PRId64, lines[i].what, h.tid, h.tgid, h.cpu, h.common_flags,
		   h.ts);
		is_str(text_of(h.task), lines[i].task, "%s: the task", lines[i].what);
		is_str(text_of(h.event), lines[i].event, "%s: the event", lines[i].what);
		is_str(text_of(h.args), lines[i].args, "%s: the arguments", lines[i].what);
	}
}

static void no_columns(void)
{
	static const char *const lines[] = {
		"",
		"# tracer: nop",
		"foo [001] 1.0: x: y",
		"foo-12 001 1.0: x: y",
		"foo-12 [001] 10: x: y",
		"foo-12 [001] .... 1.0 x: y",
		"foo-12 [001] .... 1.0: x",
		"foo-99999999999 [001] .... 1.0: x: y",
		"foo-12 [99999] .... 1.0: x: y",
		"foo-12 [001] .... 9999999999.0: x: y",
		"foo-12 [001] ......... 1.0: x: y",
		"foo-12 (x) [001] .... 1.0: x: y",
		"-12 [",
		"[1",
		"foo-12 [1]",
		"foo-12 [1] 1.:",
	};
	struct tx_head h;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ok(!tx_head(fw_str(lines[i]), &h), "no event: \"%s\"", lines[i]);
}

/*
 * Arguments
 */
static struct tx_how how;

static bool read_event(const char *name, const char *args, struct fw_event *ev)
{
	const struct tx_event *e = tx_event_find(fw_str(name));

	memset(ev, 0, sizeof(*ev));
	return e && tx_event_read(e, fw_str(args), &how, ev);
}

static void switches(void)
{
	struct fw_event ev;

	ok(read_event("sched_switch",
		      "prev_comm=a pid=1 b prev_pid=7 prev_prio=120 prev_state=R+ ==> "
		      "next_comm=x ==> y= next_pid=9 next_prio=-1",
		      &ev) &&
		   ev.sw.prev_tid == 7 && ev.sw.next_tid == 9 && ev.sw.prev_prio == 120 &&
		   ev.sw.next_prio == -1 && ev.sw.prev_state == 0x800,
	   "sched_switch");
	is_str(text_of(ev.sw.prev_comm), "a pid=1 b", "a name that looks like an argument");
	is_str(text_of(ev.sw.next_comm), "x ==> y=", "one that looks like the arrow");
	how.tp = true;
	read_event("sched_switch",
		   "prev_comm=a b prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=c d "
		   "next_pid=9 next_prio=1",
		   &ev);
	is_str(text_of(ev.sw.prev_comm), "a", "trace_processor ends a name at a blank");
	how.tp = false;
	ok(read_event("sched_switch", "a:b:7 [120] S ==> swapper/1:0 [120]", &ev) &&
		   ev.sw.prev_tid == 7 && ev.sw.next_tid == 0 && ev.sw.prev_state == 1,
	   "sched_switch as trace-cmd words it");
	is_str(text_of(ev.sw.prev_comm), "a:b", "its name may hold a colon");
	ok(read_event("sched_switch", "task foo:7 [120] (D) ==> bar:9 [100]", &ev) &&
		   ev.sw.prev_state == 2 && ev.sw.next_prio == 100,
	   "and as kernels before 3.0 did");
	ok(!read_event("sched_switch", "prev_comm=a prev_pid=7 prev_prio=1 prev_state=S", &ev),
	   "half a switch is none");
	ok(!read_event("sched_switch",
		       "prev_comm=a prev_pid=x prev_prio=1 prev_state=S ==> next_comm=b "
		       "next_pid=9 next_prio=1",
		       &ev),
	   "nor is one with a word for a pid");
}

static void wakes(void)
{
	struct fw_event ev;

	ok(read_event("sched_waking", "comm=a pid=2 pid=5 prio=97 target_cpu=003", &ev) &&
		   ev.type == FW_EV_SCHED_WAKING && ev.waking.tid == 5 && ev.waking.prio == 97 &&
		   ev.waking.target_cpu == 3,
	   "sched_waking");
	is_str(text_of(ev.waking.comm), "a pid=2", "the last pid is the kernel's");
	ok(read_event("sched_wakeup", "comm=a pid=5 prio=97 success=1 target_cpu=003", &ev) &&
		   ev.type == FW_EV_SCHED_WAKEUP,
	   "sched_wakeup with success");
	ok(read_event("sched_wakeup", "comm=a pid=5 prio=97 success=0 target_cpu=003", &ev) &&
		   ev.type == FW_EV_OTHER_FTRACE,
	   "one that woke nobody is no wake");
	ok(read_event("sched_wakeup_new", "sh:1642 [120] success=1 CPU:002", &ev) &&
		   ev.type == FW_EV_SCHED_WAKEUP_NEW && ev.waking.tid == 1642 &&
		   ev.waking.target_cpu == 2,
	   "sched_wakeup_new as trace-cmd words it");
}

static const char *blocked_in(const char *args)
{
	struct fw_event ev;

	return read_event("sched_blocked_reason", args, &ev) ? text_of(ev.blocked.function) : "-";
}

static void blocked(void)
{
	struct fw_event ev;

	ok(read_event("sched_blocked_reason", "pid=269 iowait=1 caller=f+0x1/0x2", &ev) &&
		   ev.blocked.tid == 269 && ev.blocked.io_wait && ev.blocked.has_io_wait,
	   "sched_blocked_reason");
	is_str(blocked_in("pid=1 iowait=0 caller=worker_thread+0x534/0x820"), "worker_thread",
	       "a symbol with its offset");
	is_str(blocked_in("pid=1 iowait=0 caller=f.cfi_jt+0x4/0x8 [mod]"), "f.cfi_jt",
	       "one of a module");
	is_str(blocked_in("pid=1 iowait=0 caller=[<ffffff8008>] do_wait+0x1/0x2"), "do_wait",
	       "an address, then the symbol");
	is_str(blocked_in("pid=1 iowait=0 caller=0xffffffc010"), NULL, "an address names nothing");
	is_str(blocked_in("pid=1 iowait=0 caller=ffffffc010108abc"), NULL, "without 0x neither");
	is_str(blocked_in("pid=1 iowait=0 caller=(null)"), NULL, "nor does nothing");
	is_str(blocked_in("pid=1 caller=f+0x1/0x2"), "-", "without iowait it is refused");
	how.tp = true;
	is_str(blocked_in("pid=1 iowait=0 caller=f+0x1/0x2 [m]"), "f+0x1/0x2",
	       "trace_processor keeps the offset");
	how.tp = false;
}

static void others(void)
{
	struct fw_event ev;

	ok(read_event("dma_fence_signaled", "driver=a b timeline=c=d context=7 seqno=42", &ev) &&
		   ev.fence.kind == FW_DMA_FENCE_SIGNALED && ev.fence.context == 7 &&
		   ev.fence.seqno == 42 && ev.fence.signal_ts == -1,
	   "dma_fence_signaled");
	is_str(text_of(ev.fence.timeline), "c=d", "its timeline");
	ok(read_event("fence_init", "driver=d timeline=t context=7 seqno=42", &ev) &&
		   ev.old_fence.kind == FW_DMA_FENCE_INIT && ev.old_fence.seqno == 42,
	   "fence_init");
	ok(read_event("sync_wait", "begin name=f state=1", &ev) && ev.sync.begin == 1 &&
		   ev.sync.status == 1,
	   "sync_wait");
	ok(read_event("sync_timeline", "name=a b value=3", &ev), "sync_timeline");
	ok(read_event("task_newtask", "pid=5 comm=a b clone_flags=3d0f00 oom_score_adj=-1000",
		      &ev) &&
		   ev.task.tid == 5 && ev.task.clone_flags == 0x3d0f00,
	   "task_newtask");
	is_str(text_of(ev.task.comm), "a b", "its name");
	ok(read_event("task_rename", "pid=5 oldcomm=a newcomm=b c oom_score_adj=0", &ev), "rename");
	is_str(text_of(ev.task.comm), "b c", "the new name");
	ok(read_event("irq_handler_exit", "irq=5 ret=handled", &ev) && ev.irq.ret == 1, "irq exit");
	ok(read_event("irq_handler_entry", "irq=5 name=a b", &ev) && ev.irq.vec == 5, "irq entry");
	ok(read_event("softirq_entry", "vec=7 [action=SCHED]", &ev) && ev.irq.vec == 7, "softirq");
	ok(read_event("cpu_frequency", "state=1200000 cpu_id=3", &ev) && ev.freq.unit == 3 &&
		   ev.freq.value == 1200000,
	   "cpu_frequency");
	ok(read_event("gpu_frequency", "gpu_id=1 frequency=305000", &ev) && ev.freq.unit == 1 &&
		   ev.freq.value == 305000,
	   "gpu_frequency");
	ok(read_event("gpu_frequency", "state=305000 gpu_id=1", &ev) && ev.freq.value == 305000,
	   "gpu_frequency of other kernels");
	ok(read_event("suspend_resume", "machine_suspend[3] begin", &ev) && ev.suspend.start &&
		   ev.suspend.val == 3,
	   "suspend_resume");
	ok(read_event("drm_sched_job_queue",
		      "dev=0000:01:00.0, fence=12:34, ring=gfx, job count:1, hw job count:2, "
		      "client_id:3",
		      &ev) &&
		   ev.drm.v617 && ev.drm.fence_context == 12 && ev.drm.fence_seqno == 34,
	   "drm_sched_job_queue");
	is_str(text_of(ev.drm.ring), "gfx", "its ring");
	ok(read_event("drm_sched_job",
		      "entity=000000001f0e1b8c, id=7, fence=00000000b2a9f7d0, ring=sdma0, job "
		      "count:0, hw job count:0",
		      &ev) &&
		   ev.drm.fence == 0xb2a9f7d0 && ev.drm.id == 7,
	   "drm_sched_job");
	ok(read_event("workqueue_execute_start", "work struct 0000: function f [m]", &ev),
	   "workqueue_execute_start");
	is_str(text_of(ev.kslice.name), "f", "its function");
	read_event("print", "tracing_mark_write: B|1|x", &ev);
	is_str(text_of(ev.mark.text), "B|1|x", "a mark without its writer");
	read_event("print", "0xffff0000s: B|1|x: y", &ev);
	is_str(text_of(ev.mark.text), "B|1|x: y", "or its writer's address");
	read_event("tracing_mark_write", "B|1|a: b", &ev);
	is_str(text_of(ev.mark.text), "B|1|a: b", "a colon of its own stays");
	ok(!tx_event_find(FW_STR("sched_switc")) && !tx_event_find(FW_STR("zz")), "other events");
}

static void states(void)
{
	static const struct {
		const char *text;
		int64_t bits;
	} letters[] = {
		{ "R", 0 },	{ "R+", 0x800 }, { "S", 1 },	  { "D", 2 },	    { "D|K", 0x82 },
		{ "I", 0x402 }, { "P", 0x200 },	 { "X", 0x10 },	  { "x", 0x40 },    { "t", 8 },
		{ "?", 0x100 }, { "", 0x100 },	 { "64", 0x200 }, { "256", 0x800 },
	};

	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		is_int(tx_prev_state(fw_str(letters[i].text), &how), letters[i].bits,
		       "state \"%s\"", letters[i].text);
	how = (struct tx_how){ .tp = true };
	is_int(tx_prev_state(FW_STR("64"), &how), 0xffff, "trace_processor knows no numbers");
	how = (struct tx_how){ .tp = false };
	tx_prev_state(FW_STR("64"), &how);
	tx_prev_state(FW_STR("4096"), &how);
	how.states = tx_states_guess(&how);
	is_int(how.states, TX_STATES_4_8, "4096 is preemption of 4.8 to 4.13");
	is_int(tx_prev_state(FW_STR("64"), &how), 0x40, "64 is then dead");
	how = (struct tx_how){ .tp = false };
	tx_prev_state(FW_STR("2048"), &how);
	is_int(tx_states_guess(&how), TX_STATES_4_4, "2048 is that of older ones");
	how = (struct tx_how){ .tp = false };
	tx_prev_state(FW_STR("128"), &how);
	is_int(tx_states_guess(&how), TX_STATES_4_14, "128 alone is idle, since 4.14");
	how = (struct tx_how){ .tp = false };
}

/*
 * Pages
 */
static const char *data_of(const char *const *lines, size_t n)
{
	static char buf[256];
	enum tx_place place = TX_PAGE;
	size_t len = 0;
	bool begins;

	for (size_t i = 0; i < n; i++) {
		struct fw_str s = fw_str(lines[i]);

		if (tx_page_line(&place, &s, &begins))
			len += (size_t)snprintf(buf + len, sizeof(buf) - len, "%.*s|",
						FW_STR_ARG(s));
	}
	buf[len] = '\0';
	return buf;
}

#define DATA(...)                                                                                  \
	data_of((const char *const[]){ __VA_ARGS__ },                                              \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void pages(void)
{
	ok(tx_is_page(FW_STR("\n<!DOCTYPE HTML>\n")) && tx_is_page(FW_STR("<html>")), "pages");
	ok(!tx_is_page(FW_STR("<idle>-0 [000] 1.0: x: y")) && !tx_is_page(FW_STR("")), "no pages");
	is_str(DATA("<script>", "a", "</script>", " <script class=\"trace-data\" type=\"x\">", "b",
		    "c", "  </script>", "d", "<script type='x' class='trace-data'>e", "f</script>"),
	       "b|c|e|f|", "two blocks of data");
	is_str(DATA("x(/<script class=\"trace-data\" type=\"x\">/)", "a"), "",
	       "the page's program is none");
	is_str(DATA("if(linuxPerfData){", "  var linuxPerfData = \"\\", "# tracer: nop\\n\\",
		    "a\\n\\", "b\\n\";", "  </script>"),
	       "# tracer: nop|a|b|", "the string of old pages");
	is_str(DATA("<script class=\"trace-data\">a</script>", "b"), "a|", "all on one line");
}

static void tables(void)
{
	struct tx_table t = { 0 };
	struct tx_task row;

	is_int(tx_table_line(&t, FW_STR("root 1 0"), &row), 0, "no row without a header");
	is_int(tx_table_line(&t, FW_STR("USER  PID PPID VSZ RSS WCHAN PC S NAME COMM "), &row), 0,
	       "a header");
	ok(tx_table_line(&t, FW_STR("root  7 2 0 0 0 0 S [kworker] [kworker]"), &row) == 1 &&
		   row.pid == 7 && row.ppid == 2 && row.tid == -1,
	   "a process");
	is_str(text_of(row.name), "[kworker]", "its name");
	is_int(tx_table_line(&t, FW_STR("root x 2 0 0 0 0 S a b"), &row), -1, "no pid");
	tx_table_line(&t, FW_STR("USER PID TID CMD"), &row);
	ok(tx_table_line(&t, FW_STR("u0 7 8 Binder:7 x "), &row) == 1 && row.pid == 7 &&
		   row.tid == 8 && row.ppid == -1,
	   "a thread");
	is_str(text_of(row.name), "Binder:7 x ", "its name, with blanks");
}

int main(void)
{
	columns();
	no_columns();
	switches();
	wakes();
	blocked();
	others();
	states();
	pages();
	tables();
	return done_testing();
}
