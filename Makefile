# SPDX-License-Identifier: GPL-2.0-or-later
# make | check | demo | bench | fuzz | install; see README.md

CC ?= cc
BUILD ?= build
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
WARN := -std=c11 -Wall -Wextra -Werror -Wno-unused-parameter
CPPFLAGS += -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Iuser -Iinclude
LDLIBS := -lz -lzstd -ljansson -lm

SRCS := $(sort $(wildcard user/base/*.c user/input/*.c user/input/*/*.c user/model/*.c \
	user/frame/*.c user/table/*.c user/output/*.c user/cmd/*.c))
OBJS := $(SRCS:%.c=$(BUILD)/%.o)

all: $(BUILD)/framewait

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/libframewait.a: $(OBJS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/framewait: $(BUILD)/user/main.o $(BUILD)/libframewait.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

-include $(OBJS:.o=.d) $(BUILD)/user/main.d

clean:
	rm -rf $(BUILD)

.PHONY: all clean
