//! Runs the real program on a new data directory and talks to it from outside.
//!
//! Knows only a user's interfaces: the command line, the line on stdout, files, and HTTP. Uses no code of the crate,
//! whose bugs could otherwise hide themselves.

pub mod answer;
pub mod calls;
pub mod certificates;
pub mod client;
pub mod clock;
pub mod document;
pub mod export;
pub mod files;
pub mod mail;
pub mod pdf;
pub mod pictures;
pub mod process;
pub mod raw;
pub mod spaces;
pub mod terminal;
pub mod wait;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use client::Pilot;
pub use process::{Output, Running, program, run_with_input};

/// The password of every pilot, unless a test sets another.
pub const PASSWORD: &str = "Propeller-17";

/// Number of lines of the server's log that a failed test shows.
const LOG_LINES_SHOWN: usize = 40;

/// A running server, stopped when dropped. Its data directory is removed as well, unless the test owns it.
pub struct Server {
    running: Running,
    directory: PathBuf,
    address: SocketAddr,
    /// The line on stdout, whose last word is the app's address.
    greeting: String,
    _owned: Option<tempfile::TempDir>,
}

/// A server shared by the tests of one program: all settings are defaults, and each pilot sees only its own data.
pub struct Shared(&'static Server);

impl Server {
    /// Starts on a data directory that doesn't exist yet, with default settings.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// The shared server, for tests that only need one pilot's data. Tests that read the log, files or mails, stop the
    /// server, or use up a limit start their own.
    pub fn shared() -> Shared {
        static SHARED: LazyLock<Server> = LazyLock::new(|| {
            let directory = temporary_directory().keep();
            let mut command = program();
            command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
            command.arg(directory.join("data"));
            let running = Running::start_until_we_end(&command, &directory);
            Server::listening(running, &directory.join("data"), None)
        });
        Shared(&SHARED)
    }

    /// Starts with settings from the environment, such as `[("FLUGLOG_TIME_ZONE", "UTC")]`.
    pub fn start_with(settings: &[(&str, &str)]) -> Self {
        let owned = temporary_directory();
        let directory = owned.path().join("data");
        Self::serve(&directory, &[], settings, Some(owned))
    }

    /// Starts with a certificate.
    pub fn start_over_https(files: &certificates::Files, settings: &[(&str, &str)]) -> Self {
        let owned = temporary_directory();
        let directory = owned.path().join("data");
        let mut server = Self::start_over_https_in(&directory, files, settings);
        server._owned = Some(owned);
        server
    }

    /// Like `start_over_https`, on a directory of the test.
    pub fn start_over_https_in(directory: &Path, files: &certificates::Files, settings: &[(&str, &str)]) -> Self {
        let flags = ["--tls-cert", text(&files.certificate), "--tls-key", text(&files.key)];
        Self::serve(directory, &flags, settings, None)
    }

    /// Starts with a configuration file of this content, outside of the data directory.
    pub fn start_configured(configuration: &str) -> Self {
        let owned = temporary_directory();
        let file = owned.path().join("settings.toml");
        std::fs::write(&file, configuration).expect("the configuration file is written");
        let directory = owned.path().join("data");
        Self::serve(&directory, &["--config", text(&file)], &[], Some(owned))
    }

    /// Like `start_in`, with settings from the environment.
    pub fn start_in_with(directory: &Path, settings: &[(&str, &str)]) -> Self {
        Self::serve(directory, &[], settings, None)
    }

    /// Starts with the settings of a mail server.
    pub fn start_mailing_to(mail_server: &mail::MailServer) -> Self {
        let settings = mail_server.settings();
        let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Self::start_with(&settings)
    }

    /// Waits for `count` mails to an address in the outbox, and returns the last.
    pub fn nth_mail(&self, to: &str, count: usize) -> mail::Mail {
        mail::nth_mail(&self.directory, to, count)
    }

    /// The mails in the outbox.
    pub fn outbox(&self) -> Vec<mail::Mail> {
        mail::outbox(&self.directory)
    }

    /// Starts on a directory of the test, for example a second time.
    pub fn start_in(directory: &Path) -> Self {
        Self::serve(directory, &[], &[], None)
    }

    /// Starts on a directory of the test through another program: `wrapper` is the command line before the program's
    /// path.
    pub fn start_through(wrapper: &[&str], directory: &Path) -> Self {
        let program = program();
        let mut command = Command::new(wrapper[0]);
        command.args(&wrapper[1..]).arg(program.get_program());
        for (name, _) in program.get_envs() {
            command.env_remove(name);
        }
        Self::serve_by(command, directory, &[], None)
    }

    fn serve(directory: &Path, flags: &[&str], settings: &[(&str, &str)], owned: Option<tempfile::TempDir>) -> Self {
        let mut command = program();
        command.envs(settings.iter().copied());
        Self::serve_by(command, directory, flags, owned)
    }

    fn serve_by(mut command: Command, directory: &Path, flags: &[&str], owned: Option<tempfile::TempDir>) -> Self {
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(directory)
            .args(flags);
        Self::listening(Running::start(command), directory, owned)
    }

    /// Waits for the line with the address.
    fn listening(running: Running, directory: &Path, owned: Option<tempfile::TempDir>) -> Self {
        let greeting = running.first_line();
        let address = address_in(&greeting);
        Self {
            running,
            directory: directory.to_owned(),
            address,
            greeting,
            _owned: owned,
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn origin(&self) -> String {
        let scheme = if self.greeting.contains("https://") {
            "https"
        } else {
            "http"
        };
        format!("{scheme}://{}", self.address)
    }

    /// Sends SIGHUP, as `systemctl reload` does.
    pub fn reload(&self) {
        self.running.signal("HUP");
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub fn greeting(&self) -> &str {
        &self.greeting
    }

    /// The link for the first account, printed below the greeting while there is no account.
    pub fn setup_url(&self) -> String {
        let lines = std::iter::repeat_with(|| self.running.next_line());
        lines
            .take(10)
            .find(|line| line.contains("/app/setup#"))
            .expect("an address for the first account")
    }

    /// The part of the log read so far.
    pub fn log(&self) -> String {
        self.running.stderr()
    }

    /// Waits until the log contains these words, and returns the log.
    pub fn log_with(&self, words: &str) -> String {
        wait::until(&format!("the log has {words:?}"), || {
            Some(self.log()).filter(|log| log.contains(words))
        })
    }

    /// Sends a request to the metrics address, which the log names; returns status and text.
    pub fn ask_monitor(&self, request_line: &str) -> (u16, String) {
        let log = self.log();
        let address = log
            .split("metrics at http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next());
        let address: SocketAddr = address
            .and_then(|address| address.parse().ok())
            .expect("an address for monitors in the log");
        let request = format!("{request_line} HTTP/1.1\r\nHost: monitor\r\nConnection: close\r\n\r\n");
        let answer = raw::exchange(address, request).expect("an answer");
        (answer.status, answer.text())
    }

    pub fn process_id(&self) -> u32 {
        self.running.id()
    }

    /// Sends SIGTERM, as systemd does, without waiting for the end.
    pub fn ask_to_end(&self) {
        self.running.terminate();
    }

    /// Lifts the limit on file sizes that a shell set with `ulimit -f`.
    pub fn lift_file_limit(&self) {
        let id = self.process_id().to_string();
        let lifted = Command::new("prlimit")
            .args(["--pid", &id, "--fsize=unlimited"])
            .status();
        assert!(lifted.is_ok_and(|status| status.success()), "prlimit");
    }

    /// Sends a signal by name, for example STOP to suspend and CONT to resume.
    pub fn signal(&self, name: &str) {
        self.running.signal(name);
    }

    /// Sends SIGINT, as Ctrl-C does.
    pub fn interrupt(&self) {
        self.running.signal("INT");
    }

    pub fn wait_for_end(&mut self) -> ExitStatus {
        self.running.wait()
    }

    /// Like `stop`; returns the rest of the output.
    pub fn stop_and_read(mut self) -> Vec<String> {
        self.ask_to_end();
        assert!(self.wait_for_end().success());
        self.running.further_lines()
    }

    pub fn stop(mut self) -> ExitStatus {
        self.ask_to_end();
        self.wait_for_end()
    }

    /// Adds a user from the command line while the server runs.
    pub fn add_user(&self, email: &str, nickname: &str, password: &str) {
        add_user(&self.directory, email, nickname, password);
    }

    /// A browser that isn't logged in.
    pub fn stranger(&self) -> Pilot {
        Pilot::new(&self.origin())
    }

    /// Adds a user `{nickname}@example.org`, logged in with a browser of its own.
    pub fn pilot(&self, nickname: &str) -> Pilot {
        self.pilot_at(&format!("{nickname}@example.org"), nickname)
    }

    fn pilot_at(&self, email: &str, nickname: &str) -> Pilot {
        self.add_user(email, nickname, PASSWORD);
        let pilot = self.stranger();
        pilot.log_in(email, PASSWORD).expect_status(202);
        pilot
    }

    /// Prints the end of the server's log after a failure.
    fn show_log(&self) {
        if std::thread::panicking() {
            let log = self.log();
            let lines: Vec<_> = log.lines().collect();
            let last = lines.len().saturating_sub(LOG_LINES_SHOWN);
            eprintln!("--- the end of the server's log ---\n{}\n---", lines[last..].join("\n"));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.show_log();
    }
}

impl Shared {
    /// Adds a user with a unique address, logged in with a browser of its own.
    pub fn pilot(&self, nickname: &str) -> Pilot {
        static PILOTS: AtomicUsize = AtomicUsize::new(0);
        let number = PILOTS.fetch_add(1, Ordering::Relaxed);
        self.0.pilot_at(&format!("{nickname}.{number}@example.org"), nickname)
    }

    /// A browser that isn't logged in.
    pub fn stranger(&self) -> Pilot {
        self.0.stranger()
    }

    pub fn origin(&self) -> String {
        self.0.origin()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.0.show_log();
    }
}

pub fn add_user(directory: &Path, email: &str, nickname: &str, password: &str) {
    let done = try_to_add_user(directory, email, nickname, password);
    assert_eq!(done.code, 0, "user add {email}: {}", done.stderr);
}

pub fn try_to_add_user(directory: &Path, email: &str, nickname: &str, password: &str) -> Output {
    let arguments = [
        "user",
        "add",
        "--data-dir",
        text(directory),
        "--email",
        email,
        "--nickname",
        nickname,
    ];
    run_with_input(
        arguments.into_iter().chain(["--password-stdin"]),
        format!("{password}\n").as_bytes(),
    )
}

pub fn temporary_directory() -> tempfile::TempDir {
    tempfile::Builder::new()
        .prefix("fluglog-")
        .tempdir()
        .expect("a temporary directory")
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("temporary paths are UTF-8")
}

/// Extracts the address: `Fluglog läuft: http://127.0.0.1:43211/app/` → `127.0.0.1:43211`.
fn address_in(greeting: &str) -> SocketAddr {
    let url = greeting.split_whitespace().last().unwrap_or_default();
    url.split_once("://")
        .and_then(|(_, rest)| rest.split('/').next())
        .and_then(|address| address.parse().ok())
        .unwrap_or_else(|| panic!("no address in the line on stdout: {greeting:?}"))
}
