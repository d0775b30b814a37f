//! Slow clients, too many clients, and the shutdown.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::harness::client::FORM;
use crate::harness::raw::Connection;
use crate::harness::{Server, wait};

/// Long enough to distinguish silence from an answer on a busy machine.
const A_WHILE: Duration = Duration::from_millis(500);
/// Seconds of a limit that must not end while a test waits: more than [`wait::PATIENCE`].
const LONGER_THAN_TESTS: &str = "300";

fn health(server: &Server) -> String {
    format!("GET /app/health HTTP/1.1\r\nHost: {}\r\n\r\n", server.address())
}

/// The header of a login with a body of 100 bytes, which the server requests with 100 Continue.
fn login_header(server: &Server) -> String {
    format!(
        "POST /app/api/Login HTTP/1.1\r\nHost: {}\r\nContent-Type: {FORM}\r\nContent-Length: 100\r\n\
         Expect: 100-continue\r\n\r\n",
        server.address()
    )
}

/// A login whose header the server has read.
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
    // One byte every 20 ms, each well within the limit.
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
fn a_connection_that_asks_nothing_is_closed() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__HEADER_SECONDS", "0.3")]);
    Connection::open(server.address()).expect_close();
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
fn a_request_that_is_refused_before_its_body_was_read_leaves_the_connection_to_the_next() {
    let server = Server::start();
    let body = vec![b'x'; 1_000_000];
    for (path, status) in [
        ("/app/api/NoSuchCall", 404),
        ("/app/api/GetExport", 405),
        ("/app/", 405),
    ] {
        let mut connection = Connection::open(server.address());
        connection.send(format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: {FORM}\r\nContent-Length: {}\r\n\r\n",
            server.address(),
            body.len()
        ));
        assert!(connection.try_to_send(&body), "{path} took no body");
        assert_eq!(connection.answer().map(|answer| answer.status), Some(status), "{path}");
        connection.send(health(&server));
        assert_eq!(
            connection.answer().map(|answer| answer.status),
            Some(200),
            "after {path}"
        );
    }
}

#[test]
fn a_body_that_stalls_closes_the_connection() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__BODY_SECONDS", "0.3")]);
    half_a_login(&server).expect_close();
}

#[test]
fn a_form_that_trickles_in_closes_the_connection() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__BODY_SECONDS", "1")]);
    let mut connection = half_a_login(&server);
    // One byte every 50 ms: 100 would take 5 s.
    let sent = (0..100)
        .take_while(|_| connection.is_silent_for(Duration::from_millis(50)) && connection.try_to_send(b"x"))
        .count();
    assert!(sent < 60, "{sent} bytes");
    connection.expect_close();
}

#[test]
fn an_upload_slower_than_a_kilobyte_a_second_closes_the_connection() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__BODY_SECONDS", "1")]);
    let session = server.pilot("Anna").cookie("session").unwrap();
    // Sends at this rate, at most for this time; returns whether the connection was closed, and the longest pause.
    let upload = |bytes_a_second: u128, most: Duration| {
        let mut connection = Connection::open(server.address());
        connection.send(format!(
            "POST /app/api/UploadUserDocument HTTP/1.1\r\nHost: {}\r\nCookie: session={session}\r\n\
             Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n\
             --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n",
            server.address()
        ));
        let (begin, mut sent) = (Instant::now(), 0);
        let mut pause = Duration::ZERO;
        while begin.elapsed() < most {
            let before = Instant::now();
            if !connection.is_silent_for(Duration::from_millis(50)) {
                return (true, pause);
            }
            pause = pause.max(before.elapsed());
            let due = usize::try_from(begin.elapsed().as_millis() * bytes_a_second / 1000).unwrap();
            connection.try_to_send(&vec![b'x'; due - sent]);
            sent = due;
        }
        (false, pause)
    };
    assert!(upload(400, Duration::from_secs(20)).0, "400 bytes a second are enough");
    // On a busy machine the test itself may have been too slow.
    wait::until("4,000 bytes a second, without a pause", || {
        let (is_closed, pause) = upload(4_000, Duration::from_secs(4));
        assert!(
            !is_closed || pause > Duration::from_millis(300),
            "4,000 bytes a second aren't enough"
        );
        (!is_closed).then_some(())
    });
}

#[test]
fn a_body_that_only_comes_slowly_is_taken() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__BODY_SECONDS", "10")]);
    server.add_user("anna@example.org", "Anna", crate::harness::PASSWORD);
    let mut connection = half_a_login(&server);
    let rest = format!("&password={}&x=", crate::harness::PASSWORD);
    let padding = 100 - "email=anna%40example.org".len() - rest.len();
    for part in [rest.as_str(), &"x".repeat(padding - 1), "x"] {
        assert!(connection.is_silent_for(A_WHILE), "closed or answered too early");
        connection.send(part);
    }
    assert_eq!(connection.answer().map(|answer| answer.status), Some(202));
}

#[test]
fn slow_clients_keep_nobody_else_waiting() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__BODY_SECONDS", LONGER_THAN_TESTS)]);
    let _slow: Vec<_> = (0..40).map(|_| half_a_login(&server)).collect();
    server.stranger().get("/app/health").expect_status(200);
}

#[test]
fn one_connection_too_many_waits_and_is_served_when_another_ends() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__CONNECTIONS", "2")]);
    let mut busy: Vec<_> = (0..2).map(|_| half_a_login(&server)).collect();
    let mut waiting = Connection::open(server.address());
    waiting.send(health(&server));
    assert!(waiting.is_silent_for(A_WHILE), "served beyond the limit, or dropped");
    busy.pop();
    assert_eq!(waiting.answer().map(|answer| answer.status), Some(200));
}

#[test]
fn silent_unfinished_and_idle_connections_give_their_places_to_those_that_ask() {
    // No connection ends by timeout.
    let server = Server::start_with(&[
        ("FLUGLOG_LIMITS__CONNECTIONS", "12"),
        ("FLUGLOG_LIMITS__HEADER_SECONDS", "300"),
        ("FLUGLOG_LIMITS__IDLE_SECONDS", "300"),
    ]);
    let open = |host: usize| Connection::open_from(&format!("127.0.1.{host}"), server.address());
    let _silent: Vec<_> = (1..=4).map(open).collect();
    let _unfinished: Vec<_> = (1..=4)
        .map(|host| {
            let mut connection = open(host);
            connection.try_to_send(b"GET /app/health HTTP/1.1\r\nHost: ");
            connection
        })
        .collect();
    let mut asking: Vec<_> = (1..=40)
        .map(|host| {
            let mut connection = open(host);
            connection.send(health(&server));
            assert_eq!(connection.answer().map(|answer| answer.status), Some(200));
            connection
        })
        .collect();
    // The last connection is idle and still open.
    let last = asking.last_mut().unwrap();
    last.send(health(&server));
    assert_eq!(last.answer().map(|answer| answer.status), Some(200));
}

#[test]
fn one_address_leaves_places_to_others_however_many_connections_it_opens() {
    let server = Server::start_with(&[
        ("FLUGLOG_LIMITS__HEADER_SECONDS", LONGER_THAN_TESTS),
        ("FLUGLOG_LIMITS__IDLE_SECONDS", LONGER_THAN_TESTS),
    ]);
    let _silent: Vec<_> = (0..300).map(|_| Connection::open(server.address())).collect();
    let _slow: Vec<_> = (0..300)
        .map(|_| {
            let mut connection = Connection::open(server.address());
            connection.try_to_send(b"GET /app/health HTTP/1.1\r\nHost: ");
            connection
        })
        .collect();
    for neighbour in ["127.0.0.2", "127.0.0.3"] {
        let mut connection = Connection::open_from(neighbour, server.address());
        connection.send(health(&server));
        assert_eq!(connection.answer().map(|answer| answer.status), Some(200));
    }
}

#[test]
fn an_address_has_sixty_four_places_one_more_waits_and_far_too_many_are_refused() {
    let server = Server::start();
    let mut busy: Vec<_> = (0..64).map(|_| half_a_login(&server)).collect();
    let mut waiting = Connection::open(server.address());
    waiting.send(health(&server));
    assert!(waiting.is_silent_for(A_WHILE), "served beyond the limit, or dropped");
    let _crowd: Vec<_> = (0..63).map(|_| Connection::open(server.address())).collect();
    let refused = wait::until("one is too many", || {
        let mut connection = Connection::open(server.address());
        let refused = !connection.is_silent_for(Duration::from_millis(100));
        refused.then(|| connection.answer().expect("an answer"))
    });
    assert_eq!(refused.status, 503);
    refused.check_promises("GET", "/app/health");
    assert!(refused.text().contains("Bitte versuchen Sie es gleich noch einmal."));
    busy.pop();
    assert_eq!(waiting.answer().map(|answer| answer.status), Some(200));
}

#[test]
fn connections_that_come_to_rest_give_their_places_to_all_of_their_address_that_wait() {
    let server = Server::start_with(&[
        ("FLUGLOG_LIMITS__CONNECTIONS_PER_ADDRESS", "3"),
        ("FLUGLOG_LIMITS__IDLE_SECONDS", LONGER_THAN_TESTS),
    ]);
    let rest = format!("{:x<1$}", "&password=", 100 - "email=anna%40example.org".len());
    let mut busy: Vec<_> = (0..3).map(|_| half_a_login(&server)).collect();
    let mut waiting: Vec<_> = (0..3).map(|_| Connection::open(server.address())).collect();
    for connection in &mut waiting {
        connection.send(health(&server));
        assert!(connection.is_silent_for(A_WHILE), "served beyond the limit, or dropped");
    }
    for connection in &mut busy {
        connection.send(&rest);
        assert_eq!(connection.answer().map(|answer| answer.status), Some(401));
    }
    for connection in &mut waiting {
        assert_eq!(connection.answer().map(|answer| answer.status), Some(200));
    }
}

#[test]
fn a_connection_that_idles_gives_its_place_to_one_of_its_address_that_waits() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__CONNECTIONS_PER_ADDRESS", "3")]);
    let mut idle: Vec<_> = (0..3).map(|_| Connection::open(server.address())).collect();
    for connection in &mut idle {
        connection.send(health(&server));
        assert_eq!(connection.answer().map(|answer| answer.status), Some(200));
    }
    let mut next = Connection::open(server.address());
    next.send(health(&server));
    assert_eq!(next.answer().map(|answer| answer.status), Some(200));
    let still_open = idle.iter_mut().filter_map(|connection| {
        connection.try_to_send(health(&server).as_bytes());
        connection.answer()
    });
    assert_eq!(still_open.count(), 2);
}

#[test]
fn a_connection_whose_body_was_refused_gives_its_place_to_one_that_waits() {
    let server = Server::start_with(&[
        ("FLUGLOG_LIMITS__CONNECTIONS_PER_ADDRESS", "1"),
        ("FLUGLOG_LIMITS__BODY_SECONDS", LONGER_THAN_TESTS),
    ]);
    let mut refused = Connection::open(server.address());
    refused.send(login_header(&server).replace("Content-Length: 100", "Content-Length: 104857600"));
    assert_eq!(refused.answer().map(|answer| answer.status), Some(100));
    assert_eq!(refused.answer().map(|answer| answer.status), Some(413));
    let mut next = Connection::open(server.address());
    next.send(health(&server));
    assert_eq!(next.answer().map(|answer| answer.status), Some(200));
    drop(refused);
}

#[test]
fn behind_a_trusted_proxy_its_clients_are_counted() {
    let server = Server::start_configured("trusted_proxies = [\"127.0.0.1\"]\nlimits.connections_per_address = 2\n");
    let ask = |client: &str| {
        let mut connection = Connection::open(server.address());
        let header = login_header(&server).replace("\r\nExpect:", &format!("\r\nX-Forwarded-For: {client}\r\nExpect:"));
        connection.send(header);
        connection
    };
    let status = |connection: &mut Connection| connection.answer().map(|answer| answer.status);
    let mut slow: Vec<_> = ["2001:db8:1:2::1", "2001:db8:1:2::2"].map(ask).into();
    for connection in &mut slow {
        assert_eq!(status(connection), Some(100));
    }
    let mut refused = ask("2001:db8:1:2::3");
    let statuses = [status(&mut refused), status(&mut refused)];
    assert!(statuses.contains(&Some(503)), "{statuses:?}");
    assert_eq!(status(&mut ask("2001:db8:1:3::1")), Some(100));
    // A complete answer frees a slot.
    slow[0].send("x".repeat(100));
    assert_eq!(status(&mut slow[0]), Some(400));
    wait::until("a place is free", || {
        let mut next = ask("2001:db8:1:2::3");
        (status(&mut next) == Some(100) && next.is_silent_for(A_WHILE)).then_some(())
    });
}

#[test]
fn a_crowd_of_connections_waits_and_is_served() {
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
    let mut server = Server::start_with(&[
        ("FLUGLOG_LIMITS__DRAIN_SECONDS", "10"),
        ("FLUGLOG_LIMITS__HEADER_SECONDS", LONGER_THAN_TESTS),
        ("FLUGLOG_LIMITS__IDLE_SECONDS", LONGER_THAN_TESTS),
    ]);
    let mut idle = Connection::open(server.address());
    idle.send(health(&server));
    assert_eq!(idle.answer().map(|answer| answer.status), Some(200));
    let _unused = Connection::open(server.address());
    let begin = Instant::now();
    server.ask_to_end();
    assert_eq!(server.wait_for_end().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(9), "{:?}", begin.elapsed());
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
fn an_interrupt_from_the_keyboard_is_an_orderly_end() {
    let mut server = Server::start();
    server.interrupt();
    assert_eq!(server.wait_for_end().code(), Some(0));
}
