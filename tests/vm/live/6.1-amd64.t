#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
use strict;
use warnings;
use Framewait::VM;

vm_test('6.1-amd64', [@live]);
