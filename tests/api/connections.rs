//! Slow clients, too many clients, and the shutdown.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::harness::client::FORM;
use crate::harness::raw::Connection;
use crate::harness::{Server, wait};

/// Long enough to distinguish silence from an answer on a busy machine.
const A_WHILE: Duration = Duration::from_millis(500);

fn health(server: &Server) -> String {
    format!("GET /app/health HTTP/1.1\r\nHost: {}\r\n\r\n", server.address())
}

/// The header of a login whose body of 100 bytes follows; the server asks for it with 100 Continue.
fn login_header(server: &Server) -> String {
    format!(
        "POST /app/api/Login HTTP/1.1\r\nHost: {}\r\nContent-Type: {FORM}\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n",
        server.address()
    )
}

/// A login that the server has begun to read.
fn half_a_login(server: &Server) -> Connection {
    let mut connection = Connection::open(server.address());
    connection.send(login_header(server));
    assert_eq!(connection.answer().map(|answer| answer.status), Some(100));
    connection.send("email=anna%40example.org");
    connection
}

#[test]
fn a_header_that_stays_half_sent_closes_the_connection() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__HEADER_SECONDS", "0.3")]);
    let mut connection = Connection::open(server.address());
    connection.send("GET /app/health HTTP/1.1\r\nHost: ");
    connection.expect_close();
}

#[test]
fn a_header_that_trickles_in_closes_the_connection() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__HEADER_SECONDS", "1")]);
    let mut connection = Connection::open(server.address());
    let begin = Instant::now();
    connection.send("GET /app/health HTTP/1.1\r\n");
    // One letter every 20 ms, each well within the limit.
    while connection.try_to_send(b"x") && begin.elapsed() < wait::PATIENCE {
        connection.is_silent_for(Duration::from_millis(20));
    }
    assert!(begin.elapsed() < wait::PATIENCE, "the server was patient for ever");
}

#[test]
fn a_second_header_on_the_same_connection_is_timed_as_well() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__HEADER_SECONDS", "0.3")]);
    let mut connection = Connection::open(server.address());
    connection.send(health(&server));
    assert_eq!(connection.answer().map(|answer| answer.status), Some(200));
    connection.send("GET /app/health HTTP/1.1\r\nHost: ");
    connection.expect_close();
}

#[test]
fn a_connection_between_two_requests_may_idle_longer_than_a_header_takes() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__HEADER_SECONDS", "0.2")]);
    let mut connection = Connection::open(server.address());
    for _ in 0..2 {
        connection.send(health(&server));
        assert_eq!(connection.answer().map(|answer| answer.status), Some(200));
        assert!(connection.is_silent_for(A_WHILE), "closed while it idled");
    }
}

#[test]
fn an_idle_connection_is_closed_in_the_end() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__IDLE_SECONDS", "0.3")]);
    let mut used = Connection::open(server.address());
    let mut unused = Connection::open(server.address());
    used.send(health(&server));
    assert_eq!(used.answer().map(|answer| answer.status), Some(200));
    used.expect_close();
    unused.expect_close();
}

#[test]
fn a_body_that_stalls_closes_the_connection() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__BODY_SECONDS", "0.3")]);
    half_a_login(&server).expect_close();
}

#[test]
fn a_body_that_only_comes_slowly_is_taken() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__BODY_SECONDS", "2")]);
    server.add_user("anna@example.org", "Anna", crate::harness::PASSWORD);
    let mut connection = half_a_login(&server);
    let rest = format!("&password={}&x=", crate::harness::PASSWORD);
    let padding = 100 - "email=anna%40example.org".len() - rest.len();
    for part in [rest.as_str(), &"x".repeat(padding - 1), "x"] {
        // Three pauses that together are longer than the limit for one.
        assert!(
            connection.is_silent_for(Duration::from_millis(700)),
            "closed or answered too early"
        );
        connection.send(part);
    }
    assert_eq!(connection.answer().map(|answer| answer.status), Some(202));
}

#[test]
fn slow_clients_keep_nobody_else_waiting() {
    let server = Server::start();
    let _slow: Vec<_> = (0..40).map(|_| half_a_login(&server)).collect();
    let begin = Instant::now();
    server.stranger().get("/app/health").expect_status(200);
    assert!(begin.elapsed() < Duration::from_secs(5));
}

#[test]
fn one_connection_too_many_waits_and_is_served_when_another_ends() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__CONNECTIONS", "2")]);
    let mut busy: Vec<_> = (0..2).map(|_| Connection::open(server.address())).collect();
    for connection in &mut busy {
        connection.send(health(&server));
        assert_eq!(connection.answer().map(|answer| answer.status), Some(200));
    }
    let mut waiting = Connection::open(server.address());
    waiting.send(health(&server));
    assert!(waiting.is_silent_for(A_WHILE), "served beyond the limit, or dropped");
    busy.pop();
    assert_eq!(waiting.answer().map(|answer| answer.status), Some(200));
}

#[test]
fn a_crowd_waits_as_well() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__CONNECTIONS", "1")]);
    let taken = Connection::open(server.address());
    let open =
        || TcpStream::connect_timeout(&server.address(), wait::PATIENCE / 4).expect("nobody is left at the door");
    let crowd: Vec<_> = (0..400).map(|_| open()).collect();
    let mut last = Connection::open(server.address());
    last.send(health(&server));
    drop((taken, crowd));
    assert_eq!(last.answer().map(|answer| answer.status), Some(200));
}

#[test]
fn a_request_that_runs_when_the_end_is_asked_for_is_answered() {
    let mut server = Server::start();
    let mut connection = half_a_login(&server);
    server.ask_to_end();
    wait::until("no new connections", || TcpStream::connect(server.address()).err());
    connection.send("x".repeat(100 - "email=anna%40example.org".len()));
    let answer = connection.answer().expect("an answer");
    assert_eq!(answer.status, 200, "a login by mail begins");
    answer.check_promises("POST", "/app/api/Login");
    assert_eq!(server.wait_for_end().code(), Some(0));
}

#[test]
fn the_end_waits_for_no_idle_connection() {
    let mut server = Server::start();
    let mut idle = Connection::open(server.address());
    idle.send(health(&server));
    assert_eq!(idle.answer().map(|answer| answer.status), Some(200));
    let _unused = Connection::open(server.address());
    let begin = Instant::now();
    server.ask_to_end();
    assert_eq!(server.wait_for_end().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[test]
fn clients_that_stall_delay_the_end_no_longer_than_is_set() {
    let mut server = Server::start_with(&[("FLUGLOG_LIMITS__DRAIN_SECONDS", "0.5")]);
    let _stalled = half_a_login(&server);
    let mut half_a_header = Connection::open(server.address());
    half_a_header.send("GET /app/hea");
    let begin = Instant::now();
    server.ask_to_end();
    assert_eq!(server.wait_for_end().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[test]
fn an_interrupt_from_the_keyboard_is_an_orderly_end_too() {
    let mut server = Server::start();
    server.interrupt();
    assert_eq!(server.wait_for_end().code(), Some(0));
}
