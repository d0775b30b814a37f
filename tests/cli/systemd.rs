//! What systemd is told (`Type=notify`, watchdog): when the server is ready, that it lives, what a long start does, and the end.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;

use crate::harness::{PASSWORD, Running, Server, add_user, program, temporary_directory, wait};

/// systemd's end of the conversation.
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
        let length = self.socket.recv(&mut buffer).expect("a message to systemd");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    }

    /// Everything up to the message that holds this line.
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
fn systemd_hears_of_the_start_of_life_and_of_the_end() {
    let place = temporary_directory();
    let manager = Manager::at(&place.path().join("notify"));
    let mut running = manager.start(&place.path().join("data"), "400000");
    let greeting = running.first_line();
    // Whoever has seen the line may rely on it: systemd knew before.
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
fn an_abstract_socket_as_containers_have_it_is_told_too() {
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
fn systemd_hears_of_a_repair_and_waits_for_it_and_a_clean_end_needs_none() {
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
