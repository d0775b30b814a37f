//! https with the server's own certificate: the connection, the cookies, clients without https, renewal, and bad files.

use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{ClientConnection, SupportedProtocolVersion};

use crate::harness::certificates::{Authority, Files};
use crate::harness::raw::{Connection, exchange};
use crate::harness::{Output, PASSWORD, Pilot, Server, run_with_input, temporary_directory, text, wait};

/// Long enough to distinguish silence from an answer on a busy machine.
const A_WHILE: Duration = Duration::from_millis(500);

fn browser(server: &Server, authority: &Authority) -> Pilot {
    Pilot::trusting(&server.origin(), &authority.pem())
}

/// Performs a TLS handshake and returns the connection.
fn greet(server: &Server, authority: &Authority, versions: &[&'static SupportedProtocolVersion]) -> ClientConnection {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let mut connection = ClientConnection::new(authority.client(versions), name).unwrap();
    while connection.is_handshaking() {
        connection.complete_io(&mut stream).expect("the server speaks TLS");
    }
    connection
}

fn shown_certificate(server: &Server, authority: &Authority) -> CertificateDer<'static> {
    let connection = greet(server, authority, &[&TLS13]);
    connection.peer_certificates().unwrap()[0].clone().into_owned()
}

fn serve(directory: &Path, flags: &[&str]) -> Output {
    let always = ["serve", "--listen", "127.0.0.1:0", "--data-dir", text(directory)];
    run_with_input(always.iter().chain(flags), b"")
}

#[test]
fn the_app_is_served_over_https_and_its_cookies_stay_there() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let server = Server::start_over_https(&authority.pair().write(place.path()), &[]);
    let url = server.greeting().split_whitespace().last().unwrap();
    assert_eq!(url, format!("https://{}/app/", server.address()));
    server.add_user("anna@example.org", "Anna", PASSWORD);
    let anna = browser(&server, &authority);
    let login = anna.log_in("anna@example.org", PASSWORD);
    let cookie = login.expect_status(202).cookie("__Host-session");
    assert!(cookie.has("Secure") && cookie.has("Path=/"), "{cookie:?}");
    anna.post_empty("GetDetailedUser").expect_status(200);
    let page = anna
        .ask("POST", "/app/api/GetDetailedUser")
        .header("Origin", &server.origin())
        .send();
    page.expect_status(200);
}

#[test]
fn both_versions_of_tls_are_spoken_and_only_http_1_over_them() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let server = Server::start_over_https(&authority.pair().write(place.path()), &[]);
    for version in [&TLS12, &TLS13] {
        let connection = greet(&server, &authority, &[version]);
        assert_eq!(connection.protocol_version(), Some(version.version));
        assert_eq!(connection.alpn_protocol(), Some(&b"http/1.1"[..]));
    }
}

#[test]
fn plain_http_is_redirected_to_https() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let server = Server::start_over_https(&authority.pair().write(place.path()), &[]);
    let ask = |request: &str| exchange(server.address(), request).expect("an answer in plain http");
    let page = ask(&format!(
        "GET /app/flights?x=1 HTTP/1.1\r\nHost: {}\r\n\r\n",
        server.address()
    ));
    assert_eq!(page.status, 307);
    let way = format!("{}/app/flights?x=1", server.origin());
    assert_eq!(page.header("location"), Some(way.as_str()));
    for lost in [
        format!(
            "POST /app/api/Login HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\n\r\n",
            server.address()
        ),
        "GET /app/ HTTP/1.1\r\nHost: evil.example/path\r\n\r\n".to_owned(),
        "GET /app/ HTTP/1.0\r\n\r\n".to_owned(),
    ] {
        let answer = ask(&lost);
        assert!(
            answer.status == 400 && answer.text().contains("https://"),
            "{lost}: {}",
            answer.text()
        );
    }
    browser(&server, &authority).get("/app/health").expect_status(200);
}

#[test]
fn a_client_without_a_handshake_is_closed_and_delays_neither_others_nor_the_end() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let files = authority.pair().write(place.path());
    let server = Server::start_over_https(&files, &[("FLUGLOG_LIMITS__HEADER_SECONDS", "0.3")]);
    let (mut silent, mut halfway) = (Connection::open(server.address()), Connection::open(server.address()));
    // The beginning of an unfinished TLS record.
    halfway.send([22, 3, 1, 2, 0, 1]);
    browser(&server, &authority).get("/app/health").expect_status(200);
    silent.expect_close();
    halfway.expect_close();

    // Ending takes less time, also on a busy machine.
    let mut patient = Server::start_over_https(&files, &[("FLUGLOG_LIMITS__DRAIN_SECONDS", "10")]);
    let _silent = Connection::open(patient.address());
    browser(&patient, &authority).get("/app/health").expect_status(200);
    let begun = Instant::now();
    patient.ask_to_end();
    assert_eq!(patient.wait_for_end().code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
}

#[test]
fn connections_are_counted_before_they_are_encrypted() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let files = authority.pair().write(place.path());
    let server = Server::start_over_https(&files, &[("FLUGLOG_LIMITS__CONNECTIONS", "1")]);
    let silent = Connection::open(server.address());
    let mut waiting = Connection::open(server.address());
    waiting.send(format!("GET /app/ HTTP/1.1\r\nHost: {}\r\n\r\n", server.address()));
    assert!(waiting.is_silent_for(A_WHILE), "served beyond the limit");
    drop(silent);
    assert_eq!(waiting.answer().map(|answer| answer.status), Some(307));
}

#[test]
fn a_renewed_certificate_is_read_on_sighup_and_a_bad_one_is_not_used() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let old = authority.pair();
    let files = old.write(place.path());
    let server = Server::start_over_https(&files, &[]);
    assert_eq!(shown_certificate(&server, &authority), old.der());

    let new = authority.pair();
    new.write(place.path());
    server.reload();
    wait::until("the new certificate", || {
        (shown_certificate(&server, &authority) == new.der()).then_some(())
    });

    for (file, content) in [(&files.key, old.key.as_str()), (&files.certificate, "kein Zertifikat")] {
        new.write(place.path());
        std::fs::write(file, content).unwrap();
        let complaints = || server.log().matches("the old one stays").count();
        let before = complaints();
        server.reload();
        wait::until("a complaint", || (complaints() > before).then_some(()));
        server.log_with(text(file));
        assert_eq!(shown_certificate(&server, &authority), new.der());
    }
}

#[test]
fn a_hangup_without_https_does_no_harm() {
    let mut server = Server::start();
    server.reload();
    server.stranger().get("/app/health").expect_status(200);
    server.ask_to_end();
    assert_eq!(server.wait_for_end().code(), Some(0));
}

#[test]
fn files_that_can_t_be_used_are_named_before_anything_is_made() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let directory = place.path().join("data");
    let Files { certificate, key } = authority.pair().write(place.path());
    let (nonsense, foreign) = (place.path().join("nonsense.pem"), place.path().join("foreign.pem"));
    std::fs::write(&nonsense, "weder noch").unwrap();
    std::fs::write(&foreign, authority.pair().key).unwrap();
    let missing = place.path().join("missing.pem");
    for (used_certificate, used_key, named) in [
        (&missing, &key, &missing),
        (&certificate, &missing, &missing),
        (&nonsense, &key, &nonsense),
        (&key, &certificate, &key),
        (&certificate, &nonsense, &nonsense),
        (&certificate, &foreign, &foreign),
        (&certificate, &directory, &directory),
    ] {
        let flags = ["--tls-cert", text(used_certificate), "--tls-key", text(used_key)];
        serve(&directory, &flags).expect_refusal(78, &[text(named)]);
    }
    serve(&directory, &["--tls-cert", text(&certificate)]).expect_refusal(78, &[text(&certificate), "--tls-key"]);
    serve(&directory, &["--tls-key", text(&key)]).expect_refusal(78, &[text(&key), "--tls-cert"]);
    assert!(!directory.exists());
}

#[test]
fn a_key_that_everybody_can_read_is_warned_of() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let files = authority.pair().write(place.path());
    for (mode, warned) in [(0o644, true), (0o640, false)] {
        std::fs::set_permissions(&files.key, PermissionsExt::from_mode(mode)).unwrap();
        let server = Server::start_over_https(&files, &[]);
        // The server listens after it has checked the certificate.
        server.log_with("listening on");
        assert_eq!(server.log().contains("chmod o-r"), warned, "{}", server.log());
    }
}
