//! Questions to the user at the terminal. They go to stderr, so that stdout holds only the command's output.

use std::io::{self, BufRead, IsTerminal, Write};

use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};

use super::failure::Failure;

/// Whether somebody sits there.
pub fn is_interactive() -> bool {
    io::stdin().is_terminal()
}

/// Asks for a word of consent.
pub fn confirms(question: &str) -> bool {
    ask(question);
    read_line().is_ok_and(|answer| answer.trim() == "ja")
}

/// A new password: typed twice at a terminal, where it isn't shown, else one line of stdin.
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

/// A terminal that shows nothing of what is typed but the end of the line. Dropped, it is as before.
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
        // A terminal that is gone needs nothing.
        let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &self.0);
    }
}

fn hidden(question: &str) -> io::Result<String> {
    let _silence = EchoOff::begin()?;
    ask(question);
    read_line()
}

fn ask(question: &str) {
    // Nobody reads stderr: then nobody answers either.
    let _ = io::stderr().write_all(question.as_bytes());
    let _ = io::stderr().flush();
}

/// One line, without its end. Blanks belong to a password.
fn read_line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let text = line.strip_suffix('\n').unwrap_or(&line);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}
