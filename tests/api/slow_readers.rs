//! A client that requests much and reads nothing: the connection is closed, over http and https, and its slot is free
//! again.

use std::io::Write;
use std::net::TcpStream;
use std::path::Path;

use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{ClientConnection, StreamOwned};

use crate::harness::certificates::Authority;
use crate::harness::client::FORM;
use crate::harness::{Pilot, Server, temporary_directory};

/// More than the buffers of a connection hold.
const LARGE_BYTES: usize = 40_000_000;
/// One connection at a time, with a short timeout.
const SETTINGS: [(&str, &str); 2] = [
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
        "POST /app/api/DownloadDocument HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}={session}\r\nContent-Type: {FORM}\r\nContent-Length: {}\r\n\r\n{body}",
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
    assert!(
        server.log().contains("POST /app/api/DownloadDocument 200"),
        "{}",
        server.log()
    );
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
    assert!(
        server.log().contains("POST /app/api/DownloadDocument 200"),
        "{}",
        server.log()
    );
}
