# SPDX-License-Identifier: GPL-2.0-or-later
# make | check | stress | endurance | demo | kmod | arm64 | bench | fuzz | install | deb | dist | format; see README.md
# SAN=1 builds with AddressSanitizer and UndefinedBehaviorSanitizer in a directory of its own.

ifdef SAN
BUILD ?= build/san
CFLAGS ?= -O1 -g
else
BUILD ?= build
endif
CC ?= cc
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
DOCDIR ?= $(PREFIX)/share/doc/framewait
INCLUDEDIR ?= $(PREFIX)/include
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
CFLAGS ?= -O2 -g
FUZZ_SECONDS ?= 20
JOBS ?= $(shell nproc)
SAN_CC ?= $(firstword $(foreach c,clang-19 clang-14 clang,$(shell command -v $(c))))

WARN := -std=c11 -Wall -Wextra -Werror -Wno-unused-parameter
CPPFLAGS += -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Iuser -Iinclude -Ibpf
LDLIBS := -lz -lzstd -ljansson -lm

# The programs that run in the kernel. clang 14 is the oldest that is tried.
BPF_CLANG ?= $(firstword $(foreach c,clang-19 clang-16 clang-14 clang,$(shell command -v $(c))))
BPFTOOL ?= $(firstword $(shell command -v bpftool) /usr/sbin/bpftool)
ARCH := $(shell $(CC) -dumpmachine | sed 's/^x86_64-.*/x86/; s/^aarch64-.*/arm64/')
BPF_CFLAGS := -target bpf -D__bpf__ -D__TARGET_ARCH_$(ARCH) -g -O2 -mcpu=v3 -Wall -Wextra -Werror \
	-Wno-unused-parameter -Ibpf -Iinclude
BPF_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard bpf/*.bpf.c)))
SKELETON := $(BUILD)/bpf/framewait.skel.h
# libbpf's interface still grows from version to version: the one it was built with stays with it.
LDLIBS += -Wl,-Bstatic -lbpf -Wl,-Bdynamic -lelf -ltracefs -ltraceevent
# SQLITE=no builds without --format sqlite; for another machine that is so anyway.
SQLITE ?= $(if $(CROSS_ROOT),no,yes)
ifeq ($(SQLITE),no)
CPPFLAGS += -DFW_NO_SQLITE
else
SQLITE_LDLIBS := -lsqlite3
LDLIBS += $(SQLITE_LDLIBS)
endif
LIVE_CPPFLAGS := -I$(BUILD)/bpf -I$(CROSS_ROOT)/usr/include/tracefs \
	-I$(CROSS_ROOT)/usr/include/traceevent
# For another machine: CROSS_ROOT has the headers and libraries for CC.
ifdef CROSS_ROOT
CROSS_TRIPLE := $(shell $(CC) -dumpmachine)
CPPFLAGS += -isystem $(CROSS_ROOT)/usr/include -isystem $(CROSS_ROOT)/usr/include/$(CROSS_TRIPLE)
LDFLAGS += -L$(CROSS_ROOT)/usr/lib/$(CROSS_TRIPLE) -L$(CROSS_ROOT)/lib/$(CROSS_TRIPLE)
endif
# By clang where there is one: the fuzz targets are linked from the same objects.
ifdef SAN
ifeq ($(origin CC),default)
CC := $(or $(SAN_CC),cc)
endif
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS += $(SANFLAGS) $(if $(findstring clang,$(CC)),-fsanitize=fuzzer-no-link)
LDFLAGS += $(SANFLAGS)
endif

SRCS := $(sort $(wildcard user/base/*.c user/input/*.c user/input/*/*.c user/live/*.c user/model/*.c \
	user/frame/*.c user/table/*.c user/metrics/*.c user/output/*.c user/cmd/*.c))
OBJS := $(SRCS:%.c=$(BUILD)/%.o) $(BUILD)/user/output/page.o
GEN_SRCS := $(sort $(wildcard tests/gen/*.c))
GEN_OBJS := $(GEN_SRCS:%.c=$(BUILD)/%.o)
UNIT_SRCS := $(sort $(wildcard tests/unit/*.c))
UNIT_TESTS := $(UNIT_SRCS:%.c=$(BUILD)/%.t)
FUZZ_SRCS := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZ_NAMES := $(FUZZ_SRCS:tests/fuzz/%.c=%)
# The same targets without libFuzzer: they run files, or cuts and flips of a file.
FUZZ_RUNS := $(FUZZ_NAMES:%=$(BUILD)/tests/fuzz/%.run)
TEST_LIBS := $(BUILD)/libharness.a $(BUILD)/libframewait.a
MAN1 := $(sort $(wildcard Documentation/*.1))
MAN5 := $(sort $(wildcard Documentation/*.5))

# V=1 shows the commands.
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-4s %s\n' $(1) $@)
export V

all: $(BUILD)/framewait

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(WARN) $(CFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/bpf/%.bpf.o: bpf/%.bpf.c $(wildcard bpf/*.h include/framewait/*.h)
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(BPF_CLANG) $(BPF_CFLAGS) -c -o $@ $<

$(SKELETON): $(BPF_OBJS)
	$(call say,SKEL)
	$(Q)$(BPFTOOL) gen object $(@D)/framewait.o $^
	$(Q)$(BPFTOOL) gen skeleton $(@D)/framewait.o name framewait_bpf > $@.tmp
	$(Q)mv $@.tmp $@

$(BUILD)/user/live/%.o: CPPFLAGS += $(LIVE_CPPFLAGS)
$(patsubst %.c,$(BUILD)/%.o,$(wildcard user/live/*.c)): | $(SKELETON)

# The reader's inner loops: counted in bytes, made for vector instructions.
$(BUILD)/user/input/perfetto/%.o: CFLAGS += -O3

# The page of --format html, with uPlot by npm. HTML=no builds without it, and so does a machine without npm.
HTML ?= $(if $(CROSS_ROOT),no,yes)
PAGE_PARTS := $(wildcard user/output/html/*)

$(BUILD)/page.html: scripts/report-page $(PAGE_PARTS)
	@mkdir -p $(@D)
	$(call say,PAGE)
	$(Q)HTML=$(HTML) scripts/report-page $(BUILD)/uplot $@

$(BUILD)/user/output/page.o: user/output/page.S $(BUILD)/page.html
	@mkdir -p $(@D)
	$(call say,AS)
	$(Q)$(CC) -c -DFW_PAGE='"$(BUILD)/page.html"' -o $@ $<

$(BUILD)/libframewait.a: $(OBJS)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

$(BUILD)/framewait: $(BUILD)/user/main.o $(BUILD)/libframewait.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# The generator shares no code with the reader: one mistake must not hide another.
$(BUILD)/framewait-gen: $(GEN_OBJS)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lz -lzstd -lm

$(BUILD)/tests/unit/%.t: $(BUILD)/tests/unit/%.o $(TEST_LIBS)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libharness.a: $(BUILD)/tests/fuzz/harness.o $(BUILD)/tests/fuzz/harness_rows.o
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

$(BUILD)/tests/fuzz/%.run: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/run.o $(TEST_LIBS)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

-include $(OBJS:.o=.d) $(GEN_OBJS:.o=.d) $(UNIT_SRCS:%.c=$(BUILD)/%.d) \
	$(FUZZ_SRCS:%.c=$(BUILD)/%.d) $(BUILD)/user/main.d $(BUILD)/tests/fuzz/run.d \
	$(BUILD)/tests/fuzz/harness.d $(BUILD)/tests/fuzz/harness_rows.d

$(BUILD)/tests/live/load: $(BUILD)/tests/live/load.o
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

$(BUILD)/tests/live/ftrace: $(BUILD)/tests/live/ftrace.o
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ltracefs -ltraceevent

$(BUILD)/tests/live/ftrace.o: CPPFLAGS += -I/usr/include/tracefs -I/usr/include/traceevent

# The workload of an app, SurfaceFlinger and a display; it writes with the generator's writers.
FRAMESIM_SRCS := $(sort $(wildcard tests/framesim/*.c)) \
	$(addprefix tests/gen/,out.c pw.c rec.c sf.c)
FRAMESIM_OBJS := $(FRAMESIM_SRCS:%.c=$(BUILD)/%.o)

$(BUILD)/framesim: $(FRAMESIM_OBJS)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lz -lzstd -lpthread

$(BUILD)/framesim-static: $(FRAMESIM_OBJS)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) -static -s $(LDFLAGS) -o $@ $^ -lz -lzstd -lpthread

-include $(FRAMESIM_OBJS:.o=.d)

LIVE_TESTS := $(BUILD)/tests/live/load $(BUILD)/tests/live/ftrace $(BUILD)/framesim

include scripts/vm.mk

# What the tests need, built but not run.
test-programs: all $(BUILD)/framewait-gen $(UNIT_TESTS) $(FUZZ_RUNS) $(BUILD)/tests/bench/measure \
	$(LIVE_TESTS) $(addprefix $(BUILD)/tests/bench/,parts parts.bpf.o)

check:
	BUILD=$(BUILD) scripts/install-deps build check vm
	$(MAKE) -j$(JOBS) BUILD=$(BUILD) test-programs
	$(MAKE) -j$(JOBS) BUILD=$(BUILD)/san SAN=1 test-programs fuzz-programs
	$(MAKE) -j$(JOBS) BUILD=$(BUILD) vm-programs
	BUILD=$(BUILD) scripts/run-tests

# Of check, the module's builds, and the kernels under qemu with the module, the tree's programs and the live
# tests inside.
check-vm:
	BUILD=$(BUILD) scripts/install-deps build check vm
	$(MAKE) -j$(JOBS) BUILD=$(BUILD) test-programs
	$(MAKE) -j$(JOBS) BUILD=$(BUILD) vm-programs
	BUILD=$(BUILD) scripts/run-tests tests/kmod/*.t tests/vm/*.t tests/vm/live/*.t

# The Debian packages, built, installed, used and removed in a clean chroot.
check-deb:
	BUILD=$(BUILD) scripts/install-deps build check deb
	$(MAKE) -j$(JOBS) BUILD=$(BUILD) test-programs
	BUILD=$(BUILD) scripts/run-tests tests/deb/*.t

# What make check does ten times in each VM, a thousand times in two of them, and under a kernel with lockdep,
# KASAN and kmemleak, which is built for it.
stress:
	BUILD=$(BUILD) scripts/install-deps build check vm stress
	BUILD=$(BUILD) scripts/vm-kernels 6.12-debug
	$(MAKE) -j$(JOBS) BUILD=$(BUILD) vm-programs $(BUILD)/kmod/6.12-debug/kmod/framewait.ko
	BUILD=$(BUILD) scripts/run-tests tests/stress/*.t

# A thousand recordings, a few at a time, and one of an hour under 100,000 switches a second.
endurance:
	BUILD=$(BUILD) scripts/install-deps build check
	$(MAKE) -j$(JOBS) BUILD=$(BUILD) all $(BUILD)/tests/live/load
	BUILD=$(BUILD) scripts/endurance

demo:
	scripts/install-deps build
	$(Q)$(MAKE) -j$(JOBS) BUILD=$(BUILD) all $(BUILD)/framesim
	$(Q)BUILD=$(BUILD) scripts/demo

bench:
	scripts/install-deps build bench
	$(MAKE) -j$(JOBS) BUILD=$(BUILD) all $(BUILD)/framewait-gen $(LIVE_TESTS) \
		$(addprefix $(BUILD)/tests/bench/,measure parts parts.bpf.o)
	BUILD=$(BUILD) scripts/bench
	BUILD=$(BUILD) scripts/bench-live
	BUILD=$(BUILD) scripts/bench-bytes

# Ten minutes of framesim at 120 Hz: memory flat, nothing lost, a row for every frame.
bench-frames:
	$(MAKE) -j$(JOBS) BUILD=$(BUILD) all $(BUILD)/framesim
	BUILD=$(BUILD) scripts/bench-frames

$(BUILD)/tests/bench/parts: $(BUILD)/tests/bench/parts.o
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -Wl,-Bstatic -lbpf -Wl,-Bdynamic -lelf -lz

$(BUILD)/tests/bench/%.bpf.o: tests/bench/%.bpf.c bpf/kernel_types.h
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(BPF_CLANG) $(BPF_CFLAGS) -c -o $@ $<

$(BUILD)/tests/bench/measure: $(BUILD)/tests/bench/measure.o
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

# What make check does for 20 seconds a target from the seeds alone, here at random on a corpus that stays.
fuzz:
	scripts/install-deps build check
	$(MAKE) -j$(JOBS) BUILD=$(BUILD) $(BUILD)/framewait-gen $(BUILD)/tests/unit/stream.t \
		$(BUILD)/tests/unit/planes.t
	$(MAKE) -j$(JOBS) BUILD=$(BUILD)/san SAN=1 fuzz-programs
	BUILD=$(BUILD) FUZZ_CORPUS=$(BUILD)/fuzz/corpus FUZZ_SECONDS=$(FUZZ_SECONDS) \
		scripts/run-tests tests/fuzz/fuzz.t

# libFuzzer is clang's.
fuzz-programs: $(if $(findstring clang,$(CC)),$(FUZZ_NAMES:%=$(BUILD)/%))

$(FUZZ_NAMES:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/tests/fuzz/%.o $(TEST_LIBS)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/framewait.bash $(BUILD)/_framewait: $(BUILD)/framewait
	$(call say,COMP)
	$(Q)$(BUILD)/framewait completion $(if $(filter %.bash,$@),bash,zsh) >$@.tmp
	$(Q)mv $@.tmp $@

install: all $(BUILD)/framewait.bash $(BUILD)/_framewait
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man5 \
		$(DESTDIR)$(BASHDIR) $(DESTDIR)$(ZSHDIR) $(DESTDIR)$(DOCDIR) \
		$(DESTDIR)$(INCLUDEDIR)/framewait
	install -m 755 $(BUILD)/framewait $(DESTDIR)$(BINDIR)/framewait
	install -m 644 $(MAN1) $(DESTDIR)$(MANDIR)/man1
	install -m 644 $(MAN5) $(DESTDIR)$(MANDIR)/man5
	install -m 644 $(BUILD)/framewait.bash $(DESTDIR)$(BASHDIR)/framewait
	install -m 644 $(BUILD)/_framewait $(DESTDIR)$(ZSHDIR)/_framewait
	install -m 644 $(wildcard Documentation/*.rst) $(DESTDIR)$(DOCDIR)
	install -m 644 $(wildcard include/framewait/*.h) $(DESTDIR)$(INCLUDEDIR)/framewait

# framewait and framewait-dkms, in BUILD/deb
deb:
	scripts/install-deps build deb
	$(Q)$(MAKE) -j$(JOBS) BUILD=$(BUILD) all
	BUILD=$(BUILD) scripts/deb

dist:
	@mkdir -p $(BUILD)
	git archive --format=tar.gz --prefix=framewait/ -o $(BUILD)/framewait.tar.gz HEAD

format:
	scripts/format

format-check:
	scripts/format --check

clean:
	rm -rf $(BUILD)

.PHONY: all check check-vm check-deb stress endurance test-programs demo bench bench-frames fuzz fuzz-programs install deb dist format format-check clean
.SECONDARY:
