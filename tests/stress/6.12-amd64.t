#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A thousand times in one VM; RCU in a hurry, since the machine only waits for it.
use strict;
use warnings;
use Framewait::VM;

$ENV{VM_APPEND} = 'rcupdate.rcu_expedited=1';
vm_test('6.12-amd64', ['stress:1000']);
