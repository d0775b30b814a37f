//! Messages to systemd (`Type=notify`, watchdog): ready, keep-alive, extended start, stop.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::process::Command;

use command_fds::{CommandFdExt, FdMapping};

use crate::harness::{PASSWORD, Pilot, Running, Server, add_user, program, temporary_directory, wait};

/// systemd's end of the socket.
struct Manager {
    socket: UnixDatagram,
    name: String,
}

impl Manager {
    fn at(path: &Path) -> Self {
        let socket = UnixDatagram::bind(path).unwrap();
        Self::listening(socket, path.to_str().unwrap())
    }

    fn listening(socket: UnixDatagram, name: &str) -> Self {
        socket.set_read_timeout(Some(wait::PATIENCE)).unwrap();
        let name = name.to_owned();
        Self { socket, name }
    }

    fn start(&self, directory: &Path, watchdog_microseconds: &str) -> Running {
        let mut command = program();
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
        command.arg(directory).env("NOTIFY_SOCKET", &self.name);
        command.env("WATCHDOG_USEC", watchdog_microseconds);
        Running::start(command)
    }

    fn next(&self) -> String {
        let mut buffer = [0; 1024];
        let length = wait::uninterrupted(|| self.socket.recv(&mut buffer)).expect("a message to systemd");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    }

    /// All messages up to the one with this line.
    fn until(&self, line: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let message = self.next();
            let found = message.lines().any(|said| said == line);
            heard.push(message);
            if found {
                return heard;
            }
        }
    }
}

#[test]
fn systemd_is_notified_of_the_start_the_watchdog_and_the_end() {
    let place = temporary_directory();
    let manager = Manager::at(&place.path().join("notify"));
    let mut running = manager.start(&place.path().join("data"), "400000");
    let greeting = running.first_line();
    // When the line is printed, systemd has already been notified.
    manager.socket.set_nonblocking(true).unwrap();
    let ready = manager.next();
    manager.socket.set_nonblocking(false).unwrap();
    let url = greeting.split_whitespace().last().unwrap();
    assert_eq!(ready, format!("READY=1\nSTATUS={url}"));
    manager.until("WATCHDOG=1");
    manager.until("WATCHDOG=1");
    running.terminate();
    manager.until("STOPPING=1");
    assert_eq!(running.wait().code(), Some(0));
}

#[test]
fn an_abstract_socket_as_in_containers_is_notified_too() {
    let place = temporary_directory();
    let name = format!("fluglog-test-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let socket = UnixDatagram::bind_addr(&address).unwrap();
    let manager = Manager::listening(socket, &format!("@{name}"));
    let running = manager.start(place.path(), "0");
    running.first_line();
    manager.until("READY=1");
}

#[test]
fn a_watchdog_that_is_meant_for_another_process_is_not_fed() {
    let place = temporary_directory();
    let manager = Manager::at(&place.path().join("notify"));
    let mut command = program();
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    command
        .arg(place.path().join("data"))
        .env("NOTIFY_SOCKET", &manager.name);
    command.envs([("WATCHDOG_USEC", "1000"), ("WATCHDOG_PID", "1")]);
    let mut running = Running::start(command);
    running.first_line();
    running.terminate();
    assert_eq!(running.wait().code(), Some(0));
    let heard = manager.until("STOPPING=1");
    assert!(heard.iter().all(|message| message != "WATCHDOG=1"), "{heard:?}");
}

#[test]
fn systemd_waits_for_a_repair_and_a_clean_end_needs_none() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let manager = Manager::at(&place.path().join("notify"));
    let killed = Server::start_in(&directory);
    killed.add_user("anna@example.org", "Anna", PASSWORD);
    drop(killed); // kill -9

    let mut running = manager.start(&directory, "0");
    let heard = manager.until("READY=1");
    let repair = heard.first().unwrap();
    assert!(repair.starts_with("STATUS=Datenbank wird repariert, 0 %"), "{heard:?}");
    assert!(repair.contains("EXTEND_TIMEOUT_USEC=30000000"), "{heard:?}");
    running.first_line();
    assert!(running.stderr().contains("repaired"), "{}", running.stderr());
    add_user(&directory, "ben@example.org", "Ben", PASSWORD);
    running.terminate();
    assert_eq!(running.wait().code(), Some(0));
    manager.until("STOPPING=1");

    // Neither the server nor a command leaves work for the next start.
    add_user(&directory, "carla@example.org", "Carla", PASSWORD);
    let running = manager.start(&directory, "0");
    running.first_line();
    assert_eq!(manager.until("READY=1").len(), 1);
}

#[test]
fn a_port_that_systemd_opened_is_used_and_no_other() {
    let place = temporary_directory();
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = port.local_addr().unwrap();
    let mut running = start_with_descriptor(place.path(), port.into());
    let greeting = running.first_line();
    assert!(greeting.ends_with(&format!("http://{address}/app/")), "{greeting}");
    Pilot::new(&format!("http://{address}"))
        .get("/app/health")
        .expect_status(200);
    running.terminate();
    assert_eq!(running.wait().code(), Some(0));
}

#[test]
fn a_descriptor_that_is_no_port_is_refused() {
    let place = temporary_directory();
    let file = std::fs::File::create(place.path().join("file")).unwrap();
    let mut running = start_with_descriptor(&place.path().join("data"), file.into());
    assert_eq!(running.wait().code(), Some(78));
    wait::until("a sentence", || running.stderr().contains("ListenStream").then_some(()));
}

/// Starts a process like systemd's socket activation: the descriptor is number 3, for this process only.
fn start_with_descriptor(directory: &Path, descriptor: OwnedFd) -> Running {
    let shielded = program();
    let mut command = Command::new("sh");
    for (name, value) in shielded.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.args(["-c", r#"export LISTEN_PID=$$; exec "$0" "$@""#]);
    command.arg(shielded.get_program());
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(directory);
    command.env("LISTEN_FDS", "1");
    let mapping = FdMapping {
        parent_fd: descriptor,
        child_fd: 3,
    };
    command.fd_mappings(vec![mapping]).unwrap();
    Running::start(command)
}

#[test]
fn a_fatal_error_is_one_for_the_journal() {
    let place = temporary_directory();
    std::fs::write(place.path().join("fluglog.toml"), "listn = 1\n").unwrap();
    let file = std::fs::File::create(place.path().join("journal")).unwrap();
    let seen = file.metadata().unwrap();
    let mut command = program();
    command.args(["serve", "--data-dir"]).arg(place.path());
    command.env("JOURNAL_STREAM", format!("{}:{}", seen.dev(), seen.ino()));
    assert_eq!(command.stderr(file).status().unwrap().code(), Some(78));
    let said = std::fs::read_to_string(place.path().join("journal")).unwrap();
    assert!(said.starts_with("<3>fluglog: ") && said.contains("listn"), "{said}");
}
