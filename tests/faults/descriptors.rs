//! Running out of file descriptors.

use std::net::TcpStream;

use crate::harness::calls::COPTER;
use crate::harness::{Server, temporary_directory, wait};

const FEW_DESCRIPTORS: &str = "ulimit -n 64; exec \"$@\"";
const CLIENTS: usize = 120;
/// Limit of log lines: repeating the same error would fill the disk.
const MAX_LOG_LINES: usize = 400;

#[test]
fn with_too_many_clients_for_its_descriptors_the_server_waits_and_recovers() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let pilot = server.pilot("Anna");
    let copter = pilot.item(COPTER, "Falke");
    let session = pilot.cookie("session").unwrap();
    server.stop();

    let server = Server::start_through(&["sh", "-c", FEW_DESCRIPTORS, "sh"], place.path());
    let pilot = server.stranger();
    pilot.plant_cookie("session", &session);
    // The kernel queues these connections whether or not the server accepts them.
    let crowd: Vec<_> = (0..CLIENTS)
        .filter_map(|_| TcpStream::connect(server.address()).ok())
        .collect();
    let taken = || std::fs::read_dir(format!("/proc/{}/fd", server.process_id())).map_or(0, Iterator::count);
    wait::until("all descriptors are in use", || (taken() >= 60).then_some(()));
    drop(crowd);
    wait::until("the server answers again", || {
        let answer = server.stranger().ask("GET", "/app/health").try_to_send();
        answer.filter(|answer| answer.status == 200)
    });
    assert_eq!(pilot.equipment(&copter)["name"], "Falke");
    pilot.item(COPTER, "Milan");
    let document = pilot.document("a.txt", b"inhalt");
    assert!(!document.is_empty());
    assert!(server.log().lines().count() < MAX_LOG_LINES, "{}", server.log());
    assert_eq!(server.stop().code(), Some(0));
}
