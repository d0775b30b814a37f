//! Lines for the admin, on stderr. Knows no request and no user; the caller leaves out everything secret.
//!
//! A line is time (UTC, RFC 3339), level, text. Under systemd, whose journal has its own clock, it is `<N>` and the text.
//!
//! A command at the shell says what is wrong in one sentence of its own: what went wrong on the way there is only for a server's log.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

static A_SERVERS: OnceLock<()> = OnceLock::new();

/// Something that went as it should.
pub fn info(line: impl Display) {
    write(6, "INFO ", &line);
}

/// Something an admin should look at one day.
pub fn warning(line: impl Display) {
    if is_a_servers() {
        write(4, "WARN ", &line);
    }
}

/// Something an admin should look at now.
pub fn error(line: impl Display) {
    if is_a_servers() {
        write(3, "ERROR", &line);
    }
}

/// This process is a server from now on.
pub fn begin_for_a_server() {
    // Only the first time matters.
    let _ = A_SERVERS.set(());
}

fn is_a_servers() -> bool {
    A_SERVERS.get().is_some()
}

fn write(priority: u8, level: &str, line: &dyn Display) {
    let line = one_line(&line.to_string());
    let mut stderr = std::io::stderr().lock();
    let written = if for_journal() {
        writeln!(stderr, "<{priority}>{line}")
    } else {
        let now = chrono::Utc::now().format("%Y-%m-%dT%H:%M:%SZ");
        writeln!(stderr, "{now} {level} {line}")
    };
    // Nobody reads stderr any more: there is no one left to tell.
    drop(written);
}

/// Control characters in a value would forge lines or colours.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect()
}

fn for_journal() -> bool {
    static FOR_JOURNAL: OnceLock<bool> = OnceLock::new();
    *FOR_JOURNAL.get_or_init(|| crate::base::config::journal_reads_stderr() && !std::io::stderr().is_terminal())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_value_can_not_forge_a_second_line() {
        assert_eq!(super::one_line("a\r\nERROR b\u{1b}[31m"), "a  ERROR b [31m");
    }
}
