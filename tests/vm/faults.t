#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What only a machine of its own may suffer while it records; tests/live/faults.t has the rest.
use strict;
use warnings;
use Framewait::VM;

vm_test('6.12-amd64', [map { "faults:$_" } qw(cpus suspend clock module memory)]);
