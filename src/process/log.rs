//! The log: `tracing` events as lines on stderr. Callers leave out everything secret.
//!
//! A line is time (UTC, RFC 3339), level, text. Under systemd, whose journal has its own clock, it is `<N>` and the
//! text, where N is the priority of syslog(3).
//!
//! A command answers with one sentence of its own, so its process logs only what went as it should; warnings and errors
//! are for a server's log.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal};

use chrono::{SecondsFormat, Utc};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::filter::{FilterFn, filter_fn};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config;

/// Logs what a server does, up to this level.
pub fn init_for_server(most_verbose: Level) {
    init(filter_fn(move |event| is_ours(event) && *event.level() <= most_verbose));
}

/// Logs what a command at the shell does beside its answer.
pub fn init_for_command() {
    init(filter_fn(|event| is_ours(event) && *event.level() == Level::INFO));
}

/// The mark by which the journal knows a line as an error; empty where nothing reads it.
#[must_use]
pub fn error_mark() -> &'static str {
    if is_for_journal() { "<3>" } else { "" }
}

fn is_for_journal() -> bool {
    config::journal_reads_stderr() && !io::stderr().is_terminal()
}

/// The events of libraries may hold what a request holds: headers, cookies, addresses.
fn is_ours(event: &Metadata<'_>) -> bool {
    event.target().starts_with(env!("CARGO_CRATE_NAME"))
}

fn init<F>(filter: FilterFn<F>)
where
    F: Fn(&Metadata<'_>) -> bool + Send + Sync + 'static,
{
    let line = Line {
        for_journal: is_for_journal(),
    };
    let lines = tracing_subscriber::fmt::layer()
        .event_format(line)
        .with_writer(io::stderr)
        .log_internal_errors(false);
    // Only a second call in one process fails; the first one stays in force.
    let _ = tracing_subscriber::registry().with(filter).with(lines).try_init();
}

/// How an event is written.
struct Line {
    for_journal: bool,
}

impl<S, N> FormatEvent<S, N> for Line
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut line: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut text = String::new();
        context.format_fields(Writer::new(&mut text), event)?;
        let text = one_line(&text);
        let level = *event.metadata().level();
        if self.for_journal {
            writeln!(line, "<{}>{text}", priority(level))
        } else {
            let now = Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true);
            writeln!(line, "{now} {level:<5} {text}")
        }
    }
}

/// The priority of syslog(3).
fn priority(level: Level) -> u8 {
    match level {
        Level::ERROR => 3,
        Level::WARN => 4,
        Level::INFO => 6,
        Level::DEBUG | Level::TRACE => 7,
    }
}

/// Control characters in a value would forge lines or colours.
fn one_line(text: &str) -> Cow<'_, str> {
    match text.contains(char::is_control) {
        true => text.replace(char::is_control, " ").into(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_value_can_not_forge_a_second_line() {
        assert_eq!(super::one_line("a\r\nERROR b\u{1b}[31m"), "a  ERROR b [31m");
    }
}
