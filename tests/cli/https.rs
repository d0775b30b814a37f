//! `fluglog https`: an own certificate authority, and https beside http at the same address.

use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;

use crate::harness::{Output, PASSWORD, Pilot, Server, run_with_input, temporary_directory, text};

fn https(directory: &Path, arguments: &[&str]) -> Output {
    let place = ["--data-dir", text(directory)];
    run_with_input(["https"].iter().chain(arguments).chain(&place), b"")
}

fn initialized(directory: &Path) {
    let done = run_with_input(["init", "--data-dir", text(directory)], b"");
    assert_eq!(done.code, 0, "{done:?}");
}

/// The authority's certificate that the server hands out, as PEM.
fn certificate(server: &Server) -> String {
    let answer = server.stranger().get("/app/fluglog-ca.crt").expect_status(200);
    assert_eq!(answer.header("content-type"), Some("application/x-x509-ca-cert"));
    let base64 = BASE64.encode(&answer.body);
    format!("-----BEGIN CERTIFICATE-----\n{base64}\n-----END CERTIFICATE-----\n")
}

#[test]
fn a_device_that_trusts_the_certificate_of_the_page_speaks_https_and_others_go_on_over_http() {
    let place = temporary_directory();
    initialized(place.path());
    let on = https(place.path(), &["on", "--name", "log.example.org"]);
    assert_eq!(on.code, 0, "{on:?}");
    assert!(
        on.stdout.contains("\nhttp://log.example.org:8080/app/zertifikat\n"),
        "{on:?}"
    );

    let server = Server::start_in(place.path());
    server.add_user("anna@example.org", "Anna", PASSWORD);
    let over_http = server.stranger();
    over_http
        .log_in("anna@example.org", PASSWORD)
        .expect_status(202)
        .cookie("session");
    over_http.post_empty("GetDetailedUser").expect_status(200);

    let origin = format!("https://localhost:{}", server.address().port());
    let over_https = Pilot::trusting(&origin, &certificate(&server));
    let login = over_https.log_in("anna@example.org", PASSWORD).expect_status(202);
    assert!(login.cookie("__Host-session").has("Secure"));
    over_https.post_empty("GetDetailedUser").expect_status(200);

    let shown = on
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("Fingerabdruck (SHA-256): "));
    let status = run_with_input(["status", "--data-dir", text(place.path())], b"");
    assert_eq!(status.code, 0, "{status:?}");
    assert!(status.stdout.contains(shown.unwrap()), "{status:?}");
    assert!(status.stdout.contains("ja, Zertifikat bis"), "{status:?}");
    let by_https = format!("\nAuch unter      https://{}/app/\n", server.address());
    assert!(status.stdout.contains(&by_https), "{status:?}");
}

#[test]
fn the_status_of_a_server_that_started_before_says_what_https_waits_for() {
    let server = Server::start();
    assert_eq!(https(server.directory(), &["on"]).code, 0);
    let status = run_with_input(["status", "--data-dir", text(server.directory())], b"");
    let waits = "\nhttps           erst nach: sudo systemctl restart fluglog\n";
    assert!(status.stdout.contains(waits), "{status:?}");
}

#[test]
fn the_same_authority_stays_until_it_is_switched_off() {
    let place = temporary_directory();
    initialized(place.path());
    let first = https(place.path(), &["on"]);
    assert_eq!(https(place.path(), &["on"]).stdout, first.stdout);
    let further = https(place.path(), &["on", "--name", "log.example.org"]);
    assert_eq!(further.code, 1);
    assert!(further.stderr.contains("fluglog https off"), "{further:?}");
    assert!(https(place.path(), &["off"]).stdout.contains("ist entfernt"));
    assert!(https(place.path(), &["off"]).stdout.contains("Es gibt keine"));
    let server = Server::start_in(place.path());
    server.stranger().get("/app/fluglog-ca.crt").expect_status(404);
}

#[test]
fn a_damaged_authority_is_named_with_the_way_to_a_new_one() {
    let place = temporary_directory();
    initialized(place.path());
    assert_eq!(https(place.path(), &["on"]).code, 0);
    std::fs::write(place.path().join("tls/authority.pem"), "nothing").unwrap();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--data-dir", text(place.path())];
    for done in [run_with_input(serve, b""), https(place.path(), &["on"])] {
        assert_eq!(done.code, 78, "{done:?}");
        assert!(
            done.stderr.contains("tls/authority.pem") && done.stderr.contains("fluglog https off"),
            "{done:?}"
        );
    }
    assert_eq!(https(place.path(), &["off"]).code, 0);
    assert_eq!(https(place.path(), &["on"]).code, 0);
}

#[test]
fn a_key_of_the_admin_s_own_is_not_replaced() {
    let place = temporary_directory();
    initialized(place.path());
    let key = place.path().join("tls/server.pem");
    let own = "-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----\n";
    std::fs::create_dir(place.path().join("tls")).unwrap();
    std::fs::write(&key, own).unwrap();
    https(place.path(), &["on"]).expect_refusal(78, &["tls/server.pem", "nicht von Fluglog"]);
    assert_eq!(std::fs::read_dir(place.path().join("tls")).unwrap().count(), 1);
    std::fs::rename(&key, place.path().join("tls/eigen.pem")).unwrap();
    assert_eq!(https(place.path(), &["on"]).code, 0);
    // As if the admin put the file back later.
    std::fs::write(&key, own).unwrap();
    https(place.path(), &["off"]).expect_refusal(78, &["tls/server.pem", "nicht von Fluglog"]);
    assert_eq!(std::fs::read_to_string(&key).unwrap(), own);
}

#[test]
fn names_of_whole_endings_and_public_addresses_are_refused_and_nothing_is_made() {
    let place = temporary_directory();
    initialized(place.path());
    for name in ["de", "9.9.9.9", "*.example.org"] {
        let done = https(place.path(), &["on", "--name", name]);
        assert_eq!(done.code, 1, "{name}");
        assert!(done.stderr.contains(&format!("„{name}“ geht nicht")), "{done:?}");
    }
    assert!(!place.path().join("tls").exists());
    let empty = temporary_directory();
    assert!(https(empty.path(), &["on"]).stderr.contains("fluglog init"));
}
