//! The log: `tracing` events as lines on stderr. Callers must leave out secrets.
//!
//! A line is time (UTC, RFC 3339), level, text. Under systemd, whose journal adds the time, it is `<N>` and the text,
//! with the priority N of syslog(3).
//!
//! A command of the shell answers with one sentence of its own and logs nothing.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};

use chrono::{SecondsFormat, Utc};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Number of the newest lines kept for the operator, and most characters of each.
const MAX_KEPT: usize = 200;
const KEPT_CHARACTERS: usize = 400;

/// A kept line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Unix seconds.
    pub time: i64,
    pub text: String,
    pub is_error: bool,
}

/// Refusals, actions and errors, the oldest first. Not kept across restarts.
static KEPT: Mutex<VecDeque<LogLine>> = Mutex::new(VecDeque::new());

/// Returns the kept lines, the newest first.
#[must_use]
pub fn kept() -> Vec<LogLine> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.iter().rev().cloned().collect()
}

/// Logs the events of a server, up to this level. Errors are kept for the operator, as are events with the target
/// `kept`, the path of a module.
pub fn init_for_server(most_verbose: Level, kept: &'static str) {
    let filter = filter_fn(move |event| is_ours(event) && *event.level() <= most_verbose);
    let is_kept = filter_fn(move |event| is_ours(event) && (*event.level() == Level::ERROR || event.target() == kept));
    // Fails only on a second call in one process; the first one stays in force.
    let _ = tracing_subscriber::registry()
        .with(lines().with_filter(filter))
        .with(RecentLinesLayer.with_filter(is_kept))
        .try_init();
}

/// The mark by which the journal knows a line as an error; empty where nothing reads it.
#[must_use]
pub fn journal_error_prefix() -> &'static str {
    if is_for_journal() { "<3>" } else { "" }
}

fn is_for_journal() -> bool {
    fluglog_config::journal_reads_stderr() && !io::stderr().is_terminal()
}

/// Crates whose events are logged. Events of other libraries may contain parts of a request: headers, cookies.
const LOGGED: [&str; 2] = ["fluglog", "redb_file"];

fn is_ours(event: &Metadata<'_>) -> bool {
    LOGGED.iter().any(|name| event.target().starts_with(name))
}

fn lines<S>() -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    tracing_subscriber::fmt::layer()
        .event_format(LineFormat {
            for_journal: is_for_journal(),
        })
        .with_writer(io::stderr)
        .log_internal_errors(false)
}

/// A layer that keeps the text of each event.
struct RecentLinesLayer;

impl<S: Subscriber> Layer<S> for RecentLinesLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut text = Text::default();
        event.record(&mut text);
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == MAX_KEPT {
            kept.pop_front();
        }
        kept.push_back(LogLine {
            time: Utc::now().timestamp(),
            text: one_line(&text.0).chars().take(KEPT_CHARACTERS).collect(),
            is_error: *event.metadata().level() == Level::ERROR,
        });
    }
}

#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

/// The format of a line.
struct LineFormat {
    for_journal: bool,
}

impl<S, N> FormatEvent<S, N> for LineFormat
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

/// Returns the priority for syslog(3).
fn priority(level: Level) -> u8 {
    match level {
        Level::ERROR => 3,
        Level::WARN => 4,
        Level::INFO => 6,
        Level::DEBUG | Level::TRACE => 7,
    }
}

/// Replaces control characters, which could forge lines or colours.
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
