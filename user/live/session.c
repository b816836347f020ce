// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/progress.h"
#include "live/pins.h"
#include "live/programs.h"
#include "live/session.h"

#define DEFAULT_BUFFER (32u << 20)
#define MAX_PROGRAMS 64

struct fw_session {
	struct framewait_bpf *skel;
	uint32_t rungs;
	struct fw_shapes shapes;
	struct bpf_link *links[MAX_PROGRAMS];
	int n_links;
	int num_cpus;
	int *ring_fds;
	struct ring_buffer *rings;
	int (*fn)(void *ctx, const struct fw_rec *r);
	void *fn_ctx;
	int fn_err;
	struct bpf_link *snapshot, *checkpoint;
	char *pin;
	char *cpus; /* the map's values, as read last */
};

static char log_tail[1024];

/* libbpf says more than its errno does: keep the end of it for whoever reports the failure. */
static int keep_log(enum libbpf_print_level level, const char *fmt, va_list args)
{
	size_t len;
	char line[512];

	if (fw_verbose) {
		va_list copy;

		va_copy(copy, args);
		fw_progress_clear();
		vfprintf(stderr, fmt, copy);
		va_end(copy);
	}
	if (level == LIBBPF_DEBUG)
		return 0;
	vsnprintf(line, sizeof(line), fmt, args);
	len = strlen(line);
	if (strlen(log_tail) + len >= sizeof(log_tail))
		log_tail[0] = '\0';
	snprintf(log_tail + strlen(log_tail), sizeof(log_tail) - strlen(log_tail), "%s", line);
	return 0;
}

uint64_t fw_boot_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + ts.tv_nsec;
}

static void set_conf(struct framewait_bpf *skel, const struct fw_session_opts *o,
		     const struct fw_shapes *shapes, uint32_t rungs)
{
	struct fw_conf *c = (struct fw_conf *)&skel->rodata->conf;

	c->all = o->targets->all;
	c->by_wanted = true;
	c->by_glob = o->targets->n_globs > 0;
	c->irqs = rungs >> FW_RUNG_IRQ & 1;
	c->fences_all = o->fences_all;
#if defined(__aarch64__)
	c->count_in_thread_info = true;
#endif
	c->self = getpid();
	c->wchan_min_ns = o->wchan_min_ns;
	memcpy(c->globs, o->targets->globs, sizeof(c->globs));
}

/* One attempt to load the programs of @want. Return: 0 and s->skel, or a negative errno. */
static int try_load(struct fw_session *s, const struct fw_session_opts *o, const struct btf *btf,
		    uint32_t want)
{
	struct framewait_bpf *skel = framewait_bpf__open();
	int err, ring;

	if (!skel)
		return -errno;
	s->rungs = fw_programs_choose(skel, btf, &s->shapes, want);
	set_conf(skel, o, &s->shapes, s->rungs);
	bpf_map__set_max_entries(skel->maps.rings, s->num_cpus);
	/* Only the type counts; the size in the object would be wrong where pages are larger. */
	ring = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, sysconf(_SC_PAGESIZE), NULL);
	err = ring < 0 ? -errno : bpf_map__set_inner_map_fd(skel->maps.rings, ring);
	log_tail[0] = '\0';
	if (!err)
		err = framewait_bpf__load(skel);
	if (ring >= 0)
		close(ring);
	if (err)
		framewait_bpf__destroy(skel);
	else
		s->skel = skel;
	return err;
}

static int load_failed(int err)
{
	char *end = strchr(log_tail, '\n');

	if (end)
		*end = '\0';
	if (err == -EPERM)
		return fw_fail(EPERM,
			       "not allowed to load BPF programs: CAP_BPF and CAP_PERFMON are "
			       "needed (root; on Android: adb root on a userdebug build, or a "
			       "permissive su domain)");
	return fw_fail(err, "the scheduler programs do not load here: %s (%s)", strerror(-err),
		       log_tail[0] ? log_tail : "libbpf said nothing");
}

/*
 * All at once as a rule. When that fails, one of the optional ones may be the reason: find out
 * which ones load beside the required.
 */
static int load(struct fw_session *s, const struct fw_session_opts *o, const struct btf *btf)
{
	uint32_t need = 1u << FW_RUNG_SCHED, want = o->want ? o->want | need : ~0u, works = need;
	int err = try_load(s, o, btf, want);

	if (!err || err == -EPERM)
		return err ? load_failed(err) : 0;
	for (int r = FW_RUNG_TASK_ITER; r < FW_RUNG_COUNT; r++) {
		if (!(want >> r & 1) || try_load(s, o, btf, need | 1u << r))
			continue;
		works |= 1u << r;
		framewait_bpf__destroy(s->skel);
		s->skel = NULL;
	}
	err = try_load(s, o, btf, works);
	return err ? load_failed(err) : 0;
}

static uint32_t pow2_at_most(uint64_t n)
{
	uint32_t p = 4096;

	while ((uint64_t)p * 2 <= n && p < 1u << 30)
		p *= 2;
	return p;
}

/* A sample of the ring: one record, or a batch of them. */
static int on_sample(void *ctx, void *data, size_t size)
{
	struct fw_session *s = ctx;
	size_t at = 0;

	while (!s->fn_err && size - at >= sizeof(struct fw_rec)) {
		const struct fw_rec *r = (const void *)((const char *)data + at);

		if (r->size < sizeof(*r) || r->size > size - at)
			break;
		s->fn_err = s->fn(s->fn_ctx, r);
		at += r->size;
	}
	return s->fn_err;
}

static int make_rings(struct fw_session *s, uint64_t buffer)
{
	uint32_t size = pow2_at_most((buffer ? buffer : DEFAULT_BUFFER) / s->num_cpus);
	int outer = bpf_map__fd(s->skel->maps.rings), err;

	if (size < (uint32_t)sysconf(_SC_PAGESIZE))
		size = sysconf(_SC_PAGESIZE);
	s->ring_fds = fw_calloc(s->num_cpus, sizeof(int));
	for (int cpu = 0; cpu < s->num_cpus; cpu++)
		s->ring_fds[cpu] = -1;
	for (int cpu = 0; cpu < s->num_cpus; cpu++) {
		int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, size, NULL);
		uint32_t key = cpu;

		if (fd < 0)
			return fw_fail(errno, "ring of %u bytes for cpu %d: %s", size, cpu,
				       strerror(errno));
		s->ring_fds[cpu] = fd;
		if (bpf_map_update_elem(outer, &key, &fd, BPF_ANY))
			return fw_fail(errno, "ring of cpu %d: %s", cpu, strerror(errno));
		if (!s->rings) {
			s->rings = ring_buffer__new(fd, on_sample, s, NULL);
			err = s->rings ? 0 : -errno;
		} else {
			err = ring_buffer__add(s->rings, fd, on_sample, s);
		}
		if (err)
			return fw_fail(err, "mapping the ring of cpu %d: %s", cpu, strerror(-err));
	}
	return 0;
}

/* Ends before beginnings: a begin that is seen must never be without its end. */
static bool ends_something(const char *name)
{
	return !strcmp(name, "fw_irq_exit") || !strcmp(name, "fw_softirq_out") ||
	       !strcmp(name, "fw_timer_out") || !strcmp(name, "fw_call_out");
}

static int attach_program(struct fw_session *s, struct bpf_program *p)
{
	const char *name = bpf_program__name(p);
	enum fw_rung rung = fw_program_rung(name);
	struct bpf_link *link = bpf_program__attach(p);

	if (!link && rung == FW_RUNG_SCHED)
		return fw_fail(errno, "attaching %s to %s: %s", name, bpf_program__section_name(p),
			       strerror(errno));
	if (!link)
		s->rungs &= ~(1u << rung);
	else if (!strcmp(name, "fw_snapshot"))
		s->snapshot = link;
	else if (!strcmp(name, "fw_checkpoint"))
		s->checkpoint = link;
	else
		s->links[s->n_links++] = link;
	return 0;
}

static int attach(struct fw_session *s)
{
	struct bpf_program *p;
	int err;

	for (int ends = 1; ends >= 0; ends--) {
		bpf_object__for_each_program(p, s->skel->obj)
		{
			if (!bpf_program__autoload(p) ||
			    ends_something(bpf_program__name(p)) != ends ||
			    !strcmp(bpf_program__section_name(p), "syscall") ||
			    !strncmp(bpf_program__name(p), "fw_flush", strlen("fw_flush")))
				continue;
			err = attach_program(s, p);
			if (err)
				return err;
		}
	}
	return 0;
}

static int want(struct fw_session *s, uint64_t key)
{
	uint32_t one = 1;

	if (bpf_map_update_elem(bpf_map__fd(s->skel->maps.wanted), &key, &one, BPF_ANY))
		return fw_fail(errno, "too many targets: %s", strerror(errno));
	return 0;
}

static int start(struct fw_session *s, const struct fw_session_opts *o)
{
	int err = make_rings(s, o->buffer);

	for (size_t i = 0; !err && i < o->targets->n_ids; i++)
		err = want(s, o->targets->ids[i]);
	if (!err && o->pin) {
		err = fw_pins_make(s->skel, o->pin);
		if (!err)
			s->pin = fw_strdup(o->pin);
	}
	if (!err)
		err = attach(s);
	return err ? err : fw_session_snapshot(s);
}

int fw_session_open(const struct fw_session_opts *opts, struct fw_session **out)
{
	struct fw_session *s = fw_zalloc(sizeof(*s));
	struct btf *btf;
	int err;

	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	libbpf_set_print(keep_log);
	s->num_cpus = libbpf_num_possible_cpus();
	btf = btf__load_vmlinux_btf();
	if (!btf) {
		err = fw_fail(errno,
			      "no BTF of the kernel (/sys/kernel/btf/vmlinux): %s; a kernel "
			      "with CONFIG_DEBUG_INFO_BTF is needed",
			      strerror(errno));
		goto out;
	}
	err = fw_shapes_read(btf, &s->shapes);
	if (!err)
		err = load(s, opts, btf);
	btf__free(btf);
	if (!err)
		err = start(s, opts);
out:
	if (err) {
		fw_session_close(s);
		return err;
	}
	*out = s;
	return 0;
}

void fw_session_detach(struct fw_session *s)
{
	for (int i = 0; i < s->n_links; i++)
		bpf_link__destroy(s->links[i]);
	s->n_links = 0;
}

void fw_session_close(struct fw_session *s)
{
	if (!s)
		return;
	fw_session_detach(s);
	bpf_link__destroy(s->snapshot);
	bpf_link__destroy(s->checkpoint);
	if (s->pin)
		fw_pins_remove(s->pin);
	free(s->pin);
	free(s->cpus);
	ring_buffer__free(s->rings);
	for (int cpu = 0; s->ring_fds && cpu < s->num_cpus; cpu++) {
		if (s->ring_fds[cpu] >= 0)
			close(s->ring_fds[cpu]);
	}
	free(s->ring_fds);
	framewait_bpf__destroy(s->skel);
	free(s);
}

uint32_t fw_session_rungs(const struct fw_session *s)
{
	return s->rungs;
}

const char *fw_session_blocked_shape(const struct fw_session *s)
{
	static const char *const shapes[] = { NULL, "(task)", "(task, function)" };

	return s->shapes.blocked_args <= 2 ? shapes[s->shapes.blocked_args] : NULL;
}

int fw_session_consume(struct fw_session *s, int (*fn)(void *ctx, const struct fw_rec *r),
		       void *ctx)
{
	int n;

	s->fn = fn;
	s->fn_ctx = ctx;
	s->fn_err = 0;
	n = ring_buffer__consume(s->rings);
	return s->fn_err ? s->fn_err : n;
}

/* Reading an iterator runs its program once for each task of the system; it prints nothing. */
static int run_iter(struct bpf_link *link)
{
	char buf[64];
	int fd, err = 0;

	if (!link)
		return 0;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0)
		return fw_fail(errno, "task iterator: %s", strerror(errno));
	while ((err = read(fd, buf, sizeof(buf))) > 0)
		;
	if (err < 0)
		err = errno == EINTR ? 0 : fw_fail(errno, "task iterator: %s", strerror(errno));
	close(fd);
	return err;
}

int fw_session_snapshot(struct fw_session *s)
{
	return run_iter(s->snapshot);
}

int fw_session_checkpoint(struct fw_session *s)
{
	return run_iter(s->checkpoint);
}

bool fw_session_symbol(struct fw_session *s, uint64_t addr, char *name, size_t size)
{
	struct {
		uint64_t addr;
		char name[128];
	} ctx = { .addr = addr };
	/* A syscall program's answer comes back in ctx_in; ctx_out is refused. */
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &ctx, .ctx_size_in = sizeof(ctx));
	char *module;

	if (!(s->rungs >> FW_RUNG_SYMBOLS & 1))
		return false;
	if (bpf_prog_test_run_opts(bpf_program__fd(s->skel->progs.fw_symbol), &opts))
		return false;
	ctx.name[sizeof(ctx.name) - 1] = '\0';
	module = strstr(ctx.name, " [");
	if (module)
		*module = '\0';
	/* An address that no symbol covers is printed as a number. */
	if (!ctx.name[0] || !strncmp(ctx.name, "0x", 2))
		return false;
	snprintf(name, size, "%s", ctx.name);
	return true;
}

int fw_session_num_cpus(const struct fw_session *s)
{
	return s->num_cpus;
}

/* struct fw_cpu of bpf/framewait.bpf.h begins with the counters; the rest is the programs' own. */
int fw_session_health(struct fw_session *s, struct fw_cpu_health *h)
{
	size_t each = bpf_map__value_size(s->skel->maps.cpus);
	uint32_t zero = 0;

	if (!s->cpus)
		s->cpus = fw_calloc(s->num_cpus, each);
	if (bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.cpus), &zero, s->cpus))
		return fw_fail(errno, "map cpus: %s", strerror(errno));
	for (int cpu = 0; cpu < s->num_cpus; cpu++)
		memcpy(&h[cpu], s->cpus + cpu * each, sizeof(*h));
	if (s->pin)
		bpf_map_update_elem(bpf_map__fd(s->skel->maps.health), &zero, h, BPF_ANY);
	return 0;
}

int fw_session_flush(struct fw_session *s)
{
	LIBBPF_OPTS(bpf_test_run_opts, here, .flags = BPF_F_TEST_RUN_ON_CPU);
	int on = bpf_program__fd(s->skel->progs.fw_flush);
	int off = bpf_program__fd(s->skel->progs.fw_flush_off);

	for (int cpu = 0; cpu < s->num_cpus; cpu++) {
		uint64_t arg = cpu;
		LIBBPF_OPTS(bpf_test_run_opts, there, .ctx_in = &arg, .ctx_size_in = sizeof(arg));

		here.cpu = cpu;
		if (!bpf_prog_test_run_opts(on, &here) ||
		    (errno == ENXIO && !bpf_prog_test_run_opts(off, &there)))
			continue;
		return fw_fail(errno, "emptying the batch of cpu %d: %s", cpu, strerror(errno));
	}
	return 0;
}

bool fw_session_next_cost(struct fw_session *s, size_t *pos, struct fw_prog_cost *out)
{
	struct bpf_program *p;
	size_t i = 0;

	bpf_object__for_each_program(p, s->skel->obj)
	{
		struct bpf_prog_info info = { 0 };
		uint32_t len = sizeof(info);

		if (i++ < *pos || !bpf_program__autoload(p))
			continue;
		if (bpf_obj_get_info_by_fd(bpf_program__fd(p), &info, &len))
			continue;
		*pos = i;
		*out = (struct fw_prog_cost){ bpf_program__name(p), info.run_cnt, info.run_time_ns,
					      info.recursion_misses };
		return true;
	}
	return false;
}
