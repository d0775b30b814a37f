//! Prompts at the terminal. They go to stderr, so that stdout holds only the command's output.

use std::io::{self, BufRead, IsTerminal, Write};

use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};

use super::failure::Failure;

/// Whether stdin is a terminal.
pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal()
}

/// Asks for confirmation.
pub fn confirms(question: &str) -> bool {
    ask(question);
    read_line().is_ok_and(|answer| answer.trim() == "ja")
}

/// Reads a new password: hidden and twice at a terminal, otherwise one line of stdin.
///
/// # Errors
/// The two inputs differ, or aren't text.
pub fn new_password() -> Result<String, Failure> {
    if !is_interactive() {
        return read_line().map_err(|_| unreadable());
    }
    let typed = hidden("Neues Passwort: ").map_err(|_| unreadable())?;
    let repeated = hidden("Passwort wiederholen: ").map_err(|_| unreadable())?;
    if typed != repeated {
        return Err(Failure::new(
            Failure::REFUSED,
            "Die beiden Eingaben sind verschieden; es wurde nichts geändert.",
        ));
    }
    Ok(typed)
}

fn unreadable() -> Failure {
    Failure::new(
        Failure::REFUSED,
        "Das Passwort konnte nicht gelesen werden; geben Sie es als eine Zeile Text in die Standardeingabe.",
    )
}

/// Turns off the terminal's echo, except of line ends; restored on drop.
struct EchoOff(Termios);

impl EchoOff {
    fn begin() -> io::Result<EchoOff> {
        let before = tcgetattr(io::stdin())?;
        let mut silent = before.clone();
        silent.local_flags.remove(LocalFlags::ECHO);
        silent.local_flags.insert(LocalFlags::ECHONL);
        tcsetattr(io::stdin(), SetArg::TCSAFLUSH, &silent)?;
        Ok(EchoOff(before))
    }
}

impl Drop for EchoOff {
    fn drop(&mut self) {
        // Best effort: the terminal may be gone.
        let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &self.0);
    }
}

fn hidden(question: &str) -> io::Result<String> {
    let _silence = EchoOff::begin()?;
    ask(question);
    read_line()
}

fn ask(question: &str) {
    // Best effort: without stderr, nobody will answer either.
    let _ = io::stderr().write_all(question.as_bytes());
    let _ = io::stderr().flush();
}

/// Reads a line without its end. Blanks belong to a password.
fn read_line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let text = line.strip_suffix('\n').unwrap_or(&line);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}
