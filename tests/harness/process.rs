//! Starting, reading and stopping the program as a shell or systemd would.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use super::wait;

/// The program, or the build that `FLUGLOG_BIN` names, without settings from the environment of the test run.
pub fn program() -> Command {
    let other_build = std::env::var_os("FLUGLOG_BIN");
    let mut command = Command::new(other_build.unwrap_or_else(|| env!("CARGO_BIN_EXE_fluglog").into()));
    for (name, _) in std::env::vars_os() {
        let foreign = [
            "FLUGLOG_",
            "NOTIFY_SOCKET",
            "WATCHDOG_",
            "CREDENTIALS_DIRECTORY",
            "LISTEN_",
        ];
        if foreign.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            command.env_remove(name);
        }
    }
    command
}

/// The result of a command that has ended.
#[derive(Debug)]
pub struct Output {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Output {
    /// Fails unless the command was refused with this exit code and one German sentence on stderr that contains each of
    /// `named`.
    #[track_caller]
    pub fn expect_refusal(&self, code: i32, named: &[&str]) {
        assert_eq!(self.code, code, "{self:?}");
        assert_eq!(self.stdout, "", "a refusal belongs on stderr");
        assert_eq!(self.stderr.trim().lines().count(), 1, "one sentence: {self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        for name in named {
            assert!(self.stderr.contains(name), "{name:?} is not named: {self:?}");
        }
    }
}

pub fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Output {
    run_with_input(arguments, b"")
}

pub fn run_with_input<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>, input: &[u8]) -> Output {
    let mut command = program();
    command.args(arguments);
    finish(command, input)
}

/// Runs a prepared command to its end.
pub fn finish(mut command: Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A command that needs no input may have ended before reading any.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    let output = child.wait_with_output().expect("the program's output is read");
    Output {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
    }
}

/// A running process; it is killed, by its id, when it is dropped.
pub struct Running {
    child: Child,
    lines: Mutex<Receiver<String>>,
    stderr: Arc<Mutex<String>>,
}

impl Running {
    pub fn start(command: Command) -> Self {
        Self::start_reading(command, Stdio::null())
    }

    /// Starts a process that ends together with this test program, whichever way that ends, and removes the directory:
    /// a shell in between waits for the end of its input, which only the test program holds open.
    pub fn start_until_we_end(command: &Command, directory: &Path) -> Self {
        let mut guard = Command::new("sh");
        let script = r#""$@" & cat >/dev/null; kill $!; wait $!; rm -rf "$0""#;
        guard.arg("-c").arg(script).arg(directory);
        guard.arg(command.get_program()).args(command.get_args());
        for (name, _) in command.get_envs() {
            guard.env_remove(name);
        }
        Self::start_reading(guard, Stdio::piped())
    }

    fn start_reading(mut command: Command, input: Stdio) -> Self {
        let mut child = command
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (sender, lines) = channel();
        let stdout = child.stdout.take().expect("stdout is a pipe");
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let stderr = Arc::new(Mutex::new(String::new()));
        let pipe = child.stderr.take().expect("stderr is a pipe");
        collect(pipe, Arc::clone(&stderr));
        Self {
            child,
            lines: Mutex::new(lines),
            stderr,
        }
    }

    /// The first line on stdout, printed once connections are accepted.
    pub fn first_line(&self) -> String {
        let lines = self.lines.lock().expect("no reader panics");
        lines
            .recv_timeout(wait::PATIENCE)
            .unwrap_or_else(|_| panic!("no line on stdout; stderr:\n{}", self.stderr()))
    }

    /// The next line on stdout.
    pub fn next_line(&self) -> String {
        self.first_line()
    }

    /// The rest of stdout; complete once the process has ended.
    pub fn further_lines(&self) -> Vec<String> {
        self.lines.lock().expect("no reader panics").iter().collect()
    }

    pub fn stderr(&self) -> String {
        self.stderr.lock().expect("no reader panics").clone()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn terminate(&self) {
        self.signal("TERM");
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.id().to_string()])
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -{name} {}", self.id());
    }

    pub fn wait(&mut self) -> ExitStatus {
        let child = &mut self.child;
        wait::until("the program ends", || child.try_wait().expect("the child is ours"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(mut pipe: impl Read + Send + 'static, into: Arc<Mutex<String>>) {
    std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(length @ 1..) = pipe.read(&mut chunk) {
            let text = String::from_utf8_lossy(&chunk[..length]);
            into.lock().expect("no reader panics").push_str(&text);
        }
    });
}
