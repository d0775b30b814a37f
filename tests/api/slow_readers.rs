//! A client that requests much and reads nothing: its connection is closed, over http and https, and its slot becomes
//! free.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{ClientConnection, StreamOwned};

use crate::harness::calls::COPTER;
use crate::harness::certificates::Authority;
use crate::harness::client::FORM;
use crate::harness::raw::{Connection, connect_with_small_buffer};
use crate::harness::{Pilot, Server, temporary_directory, wait};

/// More than a connection's buffers hold.
const LARGE_BYTES: usize = 40_000_000;
/// One connection at a time, with a short timeout, and a line for each answer.
const SETTINGS: [(&str, &str); 3] = [
    ("FLUGLOG_LOG_LEVEL", "debug"),
    ("FLUGLOG_LIMITS__CONNECTIONS", "1"),
    ("FLUGLOG_LIMITS__BODY_SECONDS", "0.5"),
];

/// Makes a data directory with a large document, and returns its id and a session.
fn prepare(directory: &Path) -> (String, String) {
    let server = Server::start_in(directory);
    let anna = server.pilot("Anna");
    let document = anna.document("film.mp4", &vec![7; LARGE_BYTES]);
    let session = anna.cookie("session").expect("a session");
    assert!(server.stop().success());
    (document, session)
}

fn question(server: &Server, (document, session): &(String, String), cookie: &str) -> String {
    let body = format!("dpfId={document}");
    format!(
        "POST /app/api/DownloadDocument HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}={session}\r\n\
         Content-Type: {FORM}\r\nContent-Length: {}\r\n\r\n{body}",
        server.address(),
        body.len()
    )
}

#[test]
fn a_client_that_reads_no_answer_makes_room_for_others() {
    let place = temporary_directory();
    let prepared = prepare(place.path());
    let server = Server::start_in_with(place.path(), &SETTINGS);
    let mut lazy = TcpStream::connect(server.address()).unwrap();
    lazy.write_all(question(&server, &prepared, "session").as_bytes())
        .unwrap();
    server.stranger().get("/app/health").expect_status(200);
    server.log_with("POST /app/api/DownloadDocument 200");
}

#[test]
fn a_client_that_reads_slowly_and_steadily_gets_its_answer() {
    let place = temporary_directory();
    let prepared = prepare(place.path());
    let server = Server::start_in_with(place.path(), &[("FLUGLOG_LIMITS__BODY_SECONDS", "2")]);
    // On a busy machine the test itself may have been too slow.
    wait::until("an answer that was read without a pause", || {
        let mut slow = connect_with_small_buffer(server.address());
        slow.write_all(question(&server, &prepared, "session").as_bytes())
            .unwrap();
        let (bytes, pause) = read_slowly(&mut slow);
        assert!(
            bytes == LARGE_BYTES || pause > Duration::from_millis(500),
            "ended after {bytes} bytes"
        );
        (bytes == LARGE_BYTES).then_some(())
    });
}

/// Reads an answer, at first far more than 1 kB per second; returns the number of its bytes that were there, and the
/// longest pause.
fn read_slowly(slow: &mut TcpStream) -> (usize, Duration) {
    let mut piece = vec![0; 15_000];
    let (mut bytes, mut pause) = (0, Duration::ZERO);
    for number in 0.. {
        let begun = Instant::now();
        if number < 80 {
            std::thread::sleep(Duration::from_millis(100));
        }
        pause = pause.max(begun.elapsed());
        let read = slow.read(&mut piece).unwrap_or(0);
        bytes += read;
        if read == 0 || bytes >= LARGE_BYTES {
            break;
        }
        if number == 80 {
            piece.resize(1 << 20, 0);
        }
    }
    (bytes.min(LARGE_BYTES), pause)
}

#[test]
fn a_client_that_reads_no_encrypted_answer_makes_room_for_others() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let directory = place.path().join("data");
    let prepared = prepare(&directory);
    let files = authority.pair().write(place.path());
    let server = Server::start_over_https_in(&directory, &files, &SETTINGS);
    let name = ServerName::try_from("localhost").unwrap();
    let greeting = ClientConnection::new(authority.client(&[&TLS13]), name).unwrap();
    let mut lazy = StreamOwned::new(greeting, TcpStream::connect(server.address()).unwrap());
    lazy.write_all(question(&server, &prepared, "__Host-session").as_bytes())
        .unwrap();
    lazy.flush().unwrap();
    Pilot::trusting(&server.origin(), &authority.pem())
        .get("/app/health")
        .expect_status(200);
    server.log_with("POST /app/api/DownloadDocument 200");
}

#[test]
fn a_crowd_that_asks_for_everything_and_takes_nothing_is_bounded_and_others_go_on() {
    let server = Server::start();
    let anna = server.pilot("Anna");
    let copter = anna.item(COPTER, "Falke");
    let payloads: Vec<_> = (0..50).map(|_| json!({"name": "ä".repeat(200), "weight": 1})).collect();
    let config = json!({"copter": copter, "equipments": [], "payloads": payloads}).to_string();
    let flight = json!({"startTime": "01.05.2025 10:00", "flightTime": 5}).to_string();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let tab = anna.another_tab();
            let (config, flight) = (&config, &flight);
            scope.spawn(move || {
                for _ in 0..25 {
                    tab.post("AddFlight", &[("config", config), ("flight", flight)])
                        .expect_status(201);
                }
            });
        }
    });
    assert!(anna.post_empty("GetFlights").body.len() > 4_000_000);
    let session = anna.cookie("session").unwrap();
    let mut canary = Connection::open(server.address());
    let mut slowest_answer = || {
        let (begun, mut slowest) = (Instant::now(), Duration::ZERO);
        while begun.elapsed() < Duration::from_secs(3) {
            let asked = Instant::now();
            canary.send(format!(
                "GET /app/health HTTP/1.1\r\nHost: {}\r\n\r\n",
                server.address()
            ));
            assert_eq!(canary.answer().map(|answer| answer.status), Some(200));
            slowest = slowest.max(asked.elapsed());
        }
        slowest
    };
    // On a busy machine an answer takes long without a crowd, too.
    let alone = slowest_answer().max(Duration::from_millis(50));
    let _crowd: Vec<_> = (0..400)
        .map(|number| {
            let from = format!("127.0.1.{}", 1 + number / 50);
            let mut connection = Connection::open_from(&from, server.address());
            connection.send(format!(
                "POST /app/api/GetFlights HTTP/1.1\r\nHost: {}\r\nCookie: session={session}\r\n\
                 Content-Length: 0\r\n\r\n",
                server.address()
            ));
            connection
        })
        .collect();
    let slowest = slowest_answer();
    assert!(slowest < 20 * alone, "{slowest:?}, alone {alone:?}");
    let ben = server.pilot("Ben");
    assert_eq!(ben.flights(), Vec::<serde_json::Value>::new());
    let most = server.most_memory_bytes();
    assert!(most < 256_000_000, "{most} bytes of memory");
}
