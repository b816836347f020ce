/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of --format html, as scripts/report-page made it; empty where it could not. */
	.section .rodata
	.globl fw_page
	.globl fw_page_size
fw_page:
	.incbin FW_PAGE
page_end:
	.balign 8
fw_page_size:
	.8byte page_end - fw_page
	.section .note.GNU-stack, "", %progbits
