//! HTTP that no correct client sends: two lengths, broken chunks, endless bodies.

use std::time::{Duration, Instant};

use crate::harness::Server;
use crate::harness::answer::Answer;
use crate::harness::calls::COPTER;
use crate::harness::client::FORM;
use crate::harness::raw::{Connection, exchange};
use crate::harness::wait::PATIENCE;

#[test]
fn requests_that_could_be_read_in_two_ways_are_refused() {
    let server = Server::start();
    let smuggled = "GET /app/api/GetAllEquipments HTTP/1.1\r\nHost: x\r\n\r\n";
    for headers in [
        &["Content-Length: 5", "Content-Length: 6"][..],
        &["Content-Length: 5, 6"],
        &["Content-Length: -1"],
        &["Content-Length: +5"],
        &["Content-Length: 0x5"],
        &["Transfer-Encoding: chunked, identity"],
        &["Content-Length : 5", " folded: x"],
    ] {
        let bytes = request(&server, "POST /app/api/Logout", headers, smuggled);
        let mut connection = Connection::open(server.address());
        connection.send(&bytes);
        if let Some(answer) = connection.answer() {
            assert!((400..500).contains(&answer.status), "{headers:?}: {}", answer.status);
        }
        assert!(connection.answer().is_none(), "{headers:?}: two answers to one request");
    }
    expect_alive(&server);
}

#[test]
fn of_two_lengths_the_chunks_count_and_nothing_is_left_over() {
    let server = Server::start();
    let headers = ["Content-Length: 3", "Transfer-Encoding: chunked"];
    let bytes = request(&server, "POST /app/api/Logout", &headers, "0\r\n\r\n");
    let mut connection = Connection::open(server.address());
    connection.send(&bytes);
    let answer = connection.answer().expect("an answer");
    assert!([200, 400].contains(&answer.status), "{}", answer.status);
    expect_alive(&server);
}

#[test]
fn malformed_requests_are_refused_and_the_next_one_works() {
    let server = Server::start();
    let host = server.address();
    for bytes in [
        "\r\n\r\n\r\n".to_owned(),
        "nonsense\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        format!("GET /app/ HTTP/9.9\r\nHost: {host}\r\n\r\n"),
        format!("GET /app/ä HTTP/1.1\r\nHost: {host}\r\nBad Header: x\r\n\r\n"),
        format!(
            "GET /app/ HTTP/1.1\r\nHost: {host}\r\nCookie: {}\r\n\r\n",
            "x".repeat(500_000)
        ),
        format!(
            "GET /app/ HTTP/1.1\r\nHost: {host}\r\n{}\r\n",
            "X-Many: x\r\n".repeat(5_000)
        ),
        format!("GET /app/{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "x".repeat(200_000)),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
        "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}".repeat(40),
    ] {
        let start: String = bytes.chars().take(40).collect();
        let answer = exchange(server.address(), format!("{bytes}\r\n\r\n"));
        let refused = answer
            .as_ref()
            .is_none_or(|answer| (400..500).contains(&answer.status) || answer.status == 505);
        assert!(refused, "{start:?}: {:?}", answer.as_ref().map(|answer| answer.status));
        if let Some(answer) = answer {
            assert_eq!(
                answer.text(),
                "Die Anfrage ist unvollständig oder beschädigt.",
                "{start:?}"
            );
            answer.check_promises("GET", "/app/");
        }
    }
    expect_alive(&server);
}

#[test]
fn a_broken_chunk_stores_nothing() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let cookie = format!("Cookie: {}", pilot.cookie_header());
    let kind = format!("Content-Type: {FORM}");
    let headers = ["Transfer-Encoding: chunked", cookie.as_str(), kind.as_str()];
    let fields = "equipment=%7B%22type%22%3A0%2C%22name%22%3A%22Falke%22%7D";
    for rest in ["zz\r\n", "-1\r\n", "FFFFFFFFFFFFFFFFF\r\n"] {
        let body = format!("{:x}\r\n{fields}\r\n{rest}", fields.len());
        let answer = exchange(
            server.address(),
            request(&server, "POST /app/api/SaveNewEquipment", &headers, &body),
        );
        assert!(
            answer.is_none_or(|answer| (400..500).contains(&answer.status)),
            "{rest:?}"
        );
    }
    assert!(pilot.equipments(COPTER, false).is_empty());
}

#[test]
fn a_body_that_is_cut_off_stores_nothing() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let fields = "equipment=%7B%22type%22%3A0%2C%22name%22%3A%22Falke%22%7D";
    let cookie = format!("Cookie: {}", pilot.cookie_header());
    let kind = format!("Content-Type: {FORM}");
    let length = format!("Content-Length: {}", fields.len() + 1);
    let headers = [cookie.as_str(), kind.as_str(), length.as_str()];
    let mut connection = Connection::open(server.address());
    connection.send(request(&server, "POST /app/api/SaveNewEquipment", &headers, fields));
    assert!(
        connection.is_silent_for(Duration::from_millis(100)),
        "one byte is missing"
    );
    drop(connection);
    assert!(pilot.equipments(COPTER, false).is_empty());
}

#[test]
fn two_requests_on_one_connection_get_two_answers_in_order() {
    let server = Server::start();
    let first = request(&server, "GET /app/health", &[], "");
    let second = request(&server, "POST /app/api/GetStatistics", &["Content-Length: 0"], "");
    let mut connection = Connection::open(server.address());
    connection.send(format!("{first}{second}"));
    assert_eq!(connection.answer().map(|answer| answer.status), Some(200));
    assert_eq!(connection.answer().map(|answer| answer.status), Some(401));
}

#[test]
fn a_request_names_exactly_one_host() {
    let server = Server::start();
    let host = format!("Host: {}\r\n", server.address());
    for (hosts, status) in [("", 400), (host.as_str(), 200), (host.repeat(2).as_str(), 400)] {
        let answer = exchange(
            server.address(),
            format!("GET /app/health HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n"),
        );
        let answer = answer.expect("an answer");
        assert_eq!(answer.status, status, "{hosts:?}");
        answer.check_promises("GET", "/app/health");
    }
}

#[test]
fn of_an_endless_method_the_log_has_the_beginning() {
    let server = Server::start();
    let method = "X".repeat(20_000);
    exchange(
        server.address(),
        format!("{method} /app/health HTTP/1.1\r\nHost: x\r\n\r\n"),
    );
    server.log_with("/app/health 405");
    assert!(
        server.log().contains(&format!(" {} /app/health", "X".repeat(16))),
        "{}",
        server.log()
    );
}

#[test]
fn http_1_0_without_a_host_is_answered() {
    let server = Server::start();
    for (request, status) in [
        ("GET /app/health HTTP/1.0\r\n\r\n", 200),
        ("POST /app/api/GetStatistics HTTP/1.0\r\n\r\n", 401),
        (
            "POST /app/api/Logout HTTP/1.0\r\nOrigin: http://evil.example\r\n\r\n",
            403,
        ),
    ] {
        let answer = exchange(server.address(), request).map(|answer| answer.status);
        assert_eq!(answer, Some(status), "{request}");
    }
}

#[test]
fn answers_to_requests_by_hand_keep_the_same_promises() {
    let server = Server::start();
    for (first, status) in [
        ("OPTIONS *", &[400, 404, 405][..]),
        ("TRACE /app/api/Login", &[405]),
        ("GET http://evil.example/app/health", &[200]),
        ("CONNECT evil.example:443", &[400, 404, 405]),
        ("GET http://evil.example", &[302, 303, 307, 308, 400, 404]),
        ("GET *", &[400, 404, 405]),
        ("BREW /app/api/Login", &[405]),
        ("get /app/health", &[405]),
    ] {
        let answer = exchange(server.address(), request(&server, first, &[], ""));
        let answer = answer.unwrap_or_else(|| panic!("{first}: closed without an answer"));
        assert!(status.contains(&answer.status), "{first}: {}", answer.status);
        answer.check_promises(first.split(' ').next().unwrap_or_default(), "");
    }
}

#[test]
fn a_body_that_is_too_large_is_refused_before_it_is_sent() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let cookie = format!("Cookie: {}", pilot.cookie_header());
    let kind = format!("Content-Type: {FORM}");
    let mut connection = Connection::open(server.address());
    let headers = ["Content-Length: 104857600", cookie.as_str(), kind.as_str()];
    connection.send(request(&server, "POST /app/api/SaveNewEquipment", &headers, ""));
    expect_error(connection.answer(), 413);
    connection.expect_close();
    expect_alive(&server);
}

#[test]
fn a_client_that_sends_all_of_a_body_that_is_too_large_reads_the_refusal() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let cookie = format!("Cookie: {}", pilot.cookie_header());
    let kind = format!("Content-Type: {FORM}");
    for announced in ["Content-Length: 104857600", "Transfer-Encoding: chunked"] {
        let mut connection = Connection::open(server.address());
        let headers = [announced, cookie.as_str(), kind.as_str()];
        connection.send(request(&server, "POST /app/api/SaveNewEquipment", &headers, ""));
        let chunk = match announced.starts_with("Content-Length") {
            true => "x".repeat(0x10000),
            false => format!("10000\r\n{}\r\n", "x".repeat(0x10000)),
        };
        for _ in 0..1600 {
            connection.send(&chunk);
        }
        expect_error(connection.answer(), 413);
        connection.expect_close();
    }
    expect_alive(&server);
}

#[test]
fn a_body_without_an_end_is_cut_off() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__BODY_SECONDS", "0.5")]);
    let pilot = server.pilot("Anna");
    let cookie = format!("Cookie: {}", pilot.cookie_header());
    let kind = format!("Content-Type: {FORM}");
    let mut connection = Connection::open(server.address());
    let headers = ["Transfer-Encoding: chunked", cookie.as_str(), kind.as_str()];
    connection.send(request(&server, "POST /app/api/SaveNewEquipment", &headers, ""));
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let begun = Instant::now();
    while connection.try_to_send(chunk.as_bytes()) {
        assert!(begun.elapsed() < PATIENCE, "read for {PATIENCE:?}");
    }
    assert!(begun.elapsed() < PATIENCE, "neither read nor cut off for {PATIENCE:?}");
    // The answer may be lost, as the client was still sending when it was cut off.
    if let Some(answer) = connection.answer() {
        assert_eq!(answer.status, 413, "{}", answer.text());
    }
    expect_alive(&server);
}

/// A hand-written request with these headers and this body.
fn request(server: &Server, first: &str, headers: &[&str], body: &str) -> String {
    let host = format!("Host: {}", server.address());
    let head = [&[host.as_str()], headers].concat().join("\r\n");
    format!("{first} HTTP/1.1\r\n{head}\r\n\r\n{body}")
}

#[track_caller]
fn expect_alive(server: &Server) {
    assert_eq!(server.stranger().get("/app/health").expect_status(200).text(), "ok");
}

#[track_caller]
fn expect_error(answer: Option<Answer>, status: u16) {
    let answer = answer.expect("an answer");
    assert_eq!(answer.status, status, "{}", answer.text());
    answer.check_promises("POST", "/app/api/");
}
