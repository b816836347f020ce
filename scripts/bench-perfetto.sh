# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced: Perfetto's own recorder as a peer, with services and sockets of its own, where
# traced, traced_probes and perfetto are on PATH (Debian has them from forky on).
perfetto_pids=

# A row of a peer that does not run would show the noise of the machine.
has_perfetto() {
	local program
	for program in traced traced_probes perfetto; do
		"$program" --version >/dev/null 2>&1 || return 1
	done
}

# start_perfetto DIR: records scheduling into DIR/perfetto.pftrace
start_perfetto() {
	local dir=$1
	export PERFETTO_PRODUCER_SOCK_NAME=$dir/producer PERFETTO_CONSUMER_SOCK_NAME=$dir/consumer
	rm -f "$dir/perfetto.pftrace"
	traced >"$dir/traced" 2>&1 &
	perfetto_pids=$!
	sleep 0.3
	traced_probes >"$dir/probes" 2>&1 &
	perfetto_pids+=" $!"
	sleep 0.3
	perfetto --txt -c tests/bench/sched.pbtxt -o "$dir/perfetto.pftrace" >"$dir/perfetto" 2>&1 &
	perfetto_pids="$! $perfetto_pids"
	sleep 0.3
	kill -0 $perfetto_pids || { cat "$dir"/{perfetto,traced,probes} >&2; return 1; }
}

# The client first: it ends the recording; then the services.
stop_perfetto() {
	local pid
	for pid in $perfetto_pids; do
		kill -TERM "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
	perfetto_pids=
}
