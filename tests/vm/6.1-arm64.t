#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
use strict;
use warnings;
use Framewait::VM;

vm_test('6.1-arm64', ['device', 'fuzz:10', 'module', 'record:module', 'record:alone', 'others:targets', 'others:all',
	'fences:module', 'fences:alone', 'stream', 'blocked', 'stress:10']);
