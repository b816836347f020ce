# SPDX-License-Identifier: GPL-2.0-or-later
# A real headless Chromium through chromedriver (WebDriver): pages, clicks, keys, the console.
package Framewait::Browser;
use strict;
use warnings;
use Exporter 'import';
use File::Temp ();
use HTTP::Tiny;
use IO::Socket::INET;
use JSON::PP;
use MIME::Base64 ();

our @EXPORT = qw(find_browser);

my $json = JSON::PP->new->utf8->allow_nonref;
my %key = (Left => "\x{E012}", Right => "\x{E014}", End => "\x{E010}", Home => "\x{E011}", Tab => "\x{E004}",
	Enter => "\x{E007}");

# What is missing for a browser, or nothing.
sub find_browser {
	return grep { system "command -v $_ >/dev/null 2>&1" } qw(chromium chromedriver);
}

sub new {
	my ($class, %options) = @_;
	my $self = bless { http => HTTP::Tiny->new(timeout => 300), profile => File::Temp->newdir, owner => $$ }, $class;
	my $probe = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1) or die "socket: $!";
	my $port = $probe->sockport;
	close $probe;
	$self->{pid} = fork() // die "fork: $!";
	if (!$self->{pid}) {
		open STDOUT, '>', '/dev/null';
		open STDERR, '>', '/dev/null';
		exec 'chromedriver', "--port=$port" or exit 127;
	}
	$self->{base} = "http://127.0.0.1:$port";
	for (1 .. 600) {
		last if $self->{http}->get("$self->{base}/status")->{success};
		select undef, undef, undef, 0.1;
	}
	my @flags = (qw(--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
		--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars),
		"--user-data-dir=$self->{profile}", '--window-size=' . ($options{size} // '1400,1000'), @{ $options{flags} // [] });
	my $made = $self->call(POST => '/session', { capabilities => { alwaysMatch => {
		'goog:chromeOptions' => { args => \@flags },
		'goog:loggingPrefs' => { browser => 'ALL' },
		timeouts => { script => 300_000, pageLoad => 300_000 },
	} } });
	$self->{session} = "/session/$made->{sessionId}";
	return $self;
}

sub DESTROY {
	my ($self) = @_;
	return if $self->{owner} != $$;
	local ($?, $@);
	eval { $self->call(DELETE => $self->{session}) } if $self->{session};
	if ($self->{pid}) {
		kill TERM => $self->{pid};
		waitpid $self->{pid}, 0;
	}
}

sub call {
	my ($self, $method, $path, $body) = @_;
	my $answer = $self->{http}->request($method, $self->{base} . $path,
		$method eq 'POST' ? { content => $json->encode($body // {}), headers => { 'content-type' => 'application/json' } } : {});
	my $value = eval { $json->decode($answer->{content})->{value} };
	die "$method $path: " . (ref $value eq 'HASH' ? $value->{message} : $answer->{content}) . "\n" if !$answer->{success};
	return $value;
}

sub open {
	my ($self, $path) = @_;
	$self->call(POST => "$self->{session}/url", { url => "file://$path" });
	return;
}

# The value of a script that returns one.
sub run {
	my ($self, $script, @args) = @_;
	return $self->call(POST => "$self->{session}/execute/sync", { script => $script, args => \@args });
}

sub find {
	my ($self, $css) = @_;
	my $found = $self->call(POST => "$self->{session}/element", { using => 'css selector', value => $css });
	return (values %$found)[0];
}

sub click {
	my ($self, $css) = @_;
	return $self->call(POST => "$self->{session}/element/" . $self->find($css) . '/click');
}

sub type {
	my ($self, $css, $text) = @_;
	return $self->call(POST => "$self->{session}/element/" . $self->find($css) . '/value', { text => $text });
}

# Keys to whatever has the focus: names as above, or characters.
sub press {
	my ($self, @keys) = @_;
	my @actions = map { my $k = $key{$_} // $_; ({ type => 'keyDown', value => $k }, { type => 'keyUp', value => $k }) } @keys;
	return $self->call(POST => "$self->{session}/actions", { actions => [{ type => 'key', id => 'keyboard', actions => \@actions }] });
}

# The mouse at points of an element, in pixels from its middle: pressed at the first, let go at the last.
sub drag {
	my ($self, $css, @points) = @_;
	my $origin = { 'element-6066-11e4-a52e-4f735466cecf' => $self->find($css) };
	my @moves = map { +{ type => 'pointerMove', duration => 0, origin => $origin, x => int $_->[0], y => int $_->[1] } } @points;
	my $first = shift @moves;
	return $self->call(POST => "$self->{session}/actions", { actions => [{ type => 'pointer', id => 'mouse',
		parameters => { pointerType => 'mouse' },
		actions => [$first, { type => 'pointerDown', button => 0 }, @moves, { type => 'pointerUp', button => 0 }] }] });
}

# What the console said since the last call.
sub console {
	my ($self) = @_;
	return map { "$_->{level}: $_->{message}" } @{ $self->call(POST => "$self->{session}/se/log", { type => 'browser' }) };
}

sub screenshot {
	my ($self) = @_;
	return MIME::Base64::decode_base64($self->call(GET => "$self->{session}/screenshot"));
}

sub pdf {
	my ($self) = @_;
	return MIME::Base64::decode_base64($self->call(POST => "$self->{session}/print", { background => JSON::PP::true }));
}

1;
