# SPDX-License-Identifier: GPL-2.0-or-later
# The module, the static binaries, and what the VM tests put into their machines.
KDIR ?= /lib/modules/$(shell uname -r)/build
VM := $(BUILD)/vm
VM_KERNELS := 6.1-amd64 6.12-amd64 6.1-arm64
# In a root of its own, which takes chroot.
KMOD_KERNELS := $(VM_KERNELS) $(if $(filter 0,$(shell id -u)),7-amd64)
KMOD_SRCS := Kbuild Kconfig $(wildcard kmod/*) include/framewait/uapi.h
STATIC_LDLIBS := -lbpf -lelf -ltracefs -ltraceevent -lz -lzstd -ljansson $(SQLITE_LDLIBS) -lm -ldl

# framewait.ko for the kernel of KDIR, by default the running one
kmod:
	scripts/kmod-build $(KDIR) $(BUILD)/kmod/this W=1
	@echo "$(BUILD)/kmod/this/kmod/framewait.ko"

# For a device: one file, nothing beside it.
static: $(BUILD)/framewait-static

$(BUILD)/framewait-static: $(BUILD)/user/main.o $(BUILD)/libframewait.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) -static -s $(LDFLAGS) -o $@ $^ $(STATIC_LDLIBS)

ARM64_MAKE = $(MAKE) BUILD=$(BUILD)/arm64 CC=aarch64-linux-gnu-gcc CROSS_ROOT=$(abspath $(VM))/arm64-libs

arm64:
	scripts/install-deps build vm
	BUILD=$(BUILD) scripts/vm-kernels arm64-libs
	+$(ARM64_MAKE) static
	@stat -c '%n: %s bytes' $(BUILD)/arm64/framewait-static

$(BUILD)/tests/vm/%: tests/vm/%.c include/framewait/uapi.h tests/unit/tap.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(WARN) $(CFLAGS) $(CPPFLAGS) -static -pthread -o $@ $<

# The programs of the live tests, for a machine without libraries.
$(BUILD)/tests/vm/live/%: tests/live/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(WARN) $(CFLAGS) $(CPPFLAGS) $(LIVE_CPPFLAGS) -static -pthread $(LDFLAGS) -o $@ $< $(STATIC_LDLIBS)

VM_GUESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/vm/*.c)) \
	$(patsubst tests/live/%.c,$(BUILD)/tests/vm/live/%,$(wildcard tests/live/*.c))
vm-guests: $(BUILD)/framewait-static $(BUILD)/framesim-static $(VM_GUESTS)

# All of it, for the tests in tests/vm
vm-programs:
	BUILD=$(BUILD) scripts/vm-kernels
	$(MAKE) BUILD=$(BUILD) vm-guests $(KMOD_KERNELS:%=$(BUILD)/kmod/%/kmod/framewait.ko)
	+$(ARM64_MAKE) vm-guests

# Debian's headers of 7 lack what C=2 asks of a tree.
$(BUILD)/kmod/%/kmod/framewait.ko: $(KMOD_SRCS)
	@mkdir -p $(BUILD)/kmod
	$(call say,KMOD)
	$(Q)scripts/kmod-build $(VM)/$*/headers $(BUILD)/kmod/$* W=1 $(if $(filter 7-%,$*),,C=2) >$(BUILD)/kmod/$*.log 2>&1 || \
		{ cat $(BUILD)/kmod/$*.log; exit 1; }

.PHONY: kmod static arm64 vm-guests vm-programs
