// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/boot_offset.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool fw_boot_offset_parse(const char *text, int64_t *offset)
{
	const char *clock = strstr(text, " clock 2:"), *at, *next;
	char *end;

	at = clock ? strstr(clock, ".offset:") : NULL;
	next = clock ? strstr(clock + 1, " clock ") : NULL;
	if (!at || (next && at > next))
		return false;
	at += strlen(".offset:");
	errno = 0;
	*offset = strtoll(at, &end, 10);
	return end != at && !errno && !strncmp(end, " nsecs", strlen(" nsecs"));
}

bool fw_boot_offset(int64_t *offset)
{
	char text[16384];
	size_t len = 0;
	ssize_t n = 1;
	int fd = open("/proc/timer_list", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	while (n > 0 && len < sizeof(text) - 1) {
		n = read(fd, text + len, sizeof(text) - 1 - len);
		if (n > 0)
			len += (size_t)n;
	}
	close(fd);
	text[len] = '\0';
	return fw_boot_offset_parse(text, offset);
}
