//! Runs the program in a pseudo-terminal of `script`.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use super::wait;

/// A program in a pseudo-terminal; it is killed, by its id, when it is dropped.
pub struct Terminal {
    child: Child,
    shown: Arc<Mutex<String>>,
}

impl Terminal {
    pub fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Self {
        let quoted: Vec<_> = arguments
            .into_iter()
            .map(|argument| format!("'{}'", argument.as_ref().to_string_lossy()))
            .collect();
        let line = format!("exec '{}' {}", env!("CARGO_BIN_EXE_fluglog"), quoted.join(" "));
        let mut child = Command::new("script")
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("script, from util-linux, makes a terminal");
        let shown = Arc::new(Mutex::new(String::new()));
        let mut screen = child.stdout.take().expect("a pipe");
        let seen = Arc::clone(&shown);
        std::thread::spawn(move || {
            let mut chunk = [0; 1024];
            while let Ok(length @ 1..) = screen.read(&mut chunk) {
                let text = String::from_utf8_lossy(&chunk[..length]);
                seen.lock().expect("no reader panics").push_str(&text);
            }
        });
        Self { child, shown }
    }

    /// Waits for a question, then answers it.
    #[track_caller]
    pub fn answer(&mut self, question: &str, line: &str) {
        wait::until(question, || self.shown().contains(question).then_some(()));
        let stdin = self.child.stdin.as_mut().expect("a pipe");
        stdin
            .write_all(format!("{line}\n").as_bytes())
            .expect("the program listens");
    }

    /// Everything printed so far.
    pub fn shown(&self) -> String {
        self.shown.lock().expect("no reader panics").clone()
    }

    /// Waits for the program to end, and returns its exit code.
    pub fn wait(&mut self) -> i32 {
        let child = &mut self.child;
        let status = wait::until("the program ends", || child.try_wait().expect("the child is ours"));
        status.code().unwrap_or(-1)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
