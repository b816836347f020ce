#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The module, and the programs beside it, under lockdep, KASAN and kmemleak: what they say is a complaint of the
# kernel, which all.sh takes for a failure.
use strict;
use warnings;
use Framewait::VM;

$ENV{VM_MEMORY} = 2048;
$ENV{VM_SECONDS} = 3000;
vm_test('6.12-debug', ['debug', 'device', 'fuzz:20', 'module', 'record:module', 'others:targets', 'blocked',
	'stress:200', 'leaks']);
