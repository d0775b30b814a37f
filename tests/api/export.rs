//! A pilot's export downloaded in the browser: equal to that of the command line.

use std::io::Cursor;

use serde_json::json;

use crate::harness::calls::COPTER;
use crate::harness::export::{exported, fill, json_in, members, noise, unstamped};
use crate::harness::raw::Connection;
use crate::harness::{Pilot, Server, wait};

const EXPORT: &str = "/app/api/GetExport";
/// More than a connection's buffers hold.
const LARGE_BYTES: usize = 20_000_000;
/// Memory that a download may add to the server's; far less than a file.
const MAX_MEMORY_BYTES: u64 = 16 * 1024 * 1024;
const ALREADY: &str =
    "Ihre Daten werden gerade schon heruntergeladen. Warten Sie bis zum Ende, oder brechen Sie es im Browser ab.";
const OTHERS: &str =
    "Gerade laden schon andere ihre Daten herunter. Bitte versuchen Sie es in einigen Minuten noch einmal.";

/// Begins a download that only proceeds while it is read.
pub(super) fn begin(server: &Server, pilot: &Pilot, path: &str) -> Connection {
    let mut connection = Connection::open_with_small_buffer(server.address());
    // In HTTP/1.0 the answer ends with the connection.
    connection.send(format!(
        "GET {path} HTTP/1.0\r\nHost: {}\r\nCookie: {}\r\n\r\n",
        server.address(),
        pilot.cookie_header()
    ));
    assert!(!connection.is_silent_for(wait::PATIENCE), "it has begun");
    connection
}

#[test]
fn a_pilot_downloads_the_archive_that_the_shell_writes() {
    let server = Server::start();
    let anna = server.pilot("anna");
    fill(&anna);
    server.pilot("ben").document("fremd.txt", b"FREMD");
    let answer = anna
        .ask("GET", EXPORT)
        .header("Accept-Encoding", "gzip, br")
        .send()
        .expect_status(200);
    let named = answer.header("content-disposition").unwrap();
    assert!(
        named.starts_with("attachment; filename=\"fluglog-anna-20") && named.contains(".zip\""),
        "{named}"
    );
    assert_eq!(answer.header("content-encoding"), None);
    assert!(answer.has_header("cross-origin-resource-policy", "same-origin"));
    let found = members(&answer.body);
    assert!(
        found
            .values()
            .all(|content| !content.windows(5).any(|part| part == b"FREMD"))
    );
    assert!(
        String::from_utf8_lossy(&found["LIESMICH.txt"]).starts_with("Fluglog-Export von anna (anna@example.org)\r\n")
    );
    let written = members(&exported(server.directory(), "anna@example.org"));
    assert_eq!(found.keys().collect::<Vec<_>>(), written.keys().collect::<Vec<_>>());
    assert!(unstamped(found) == unstamped(written));

    let size = anna.post_empty("GetExportSize").expect_status(200).json();
    let archive = answer.body.len() as f64;
    let bytes = size["bytes"].as_f64().unwrap();
    assert!(bytes > archive / 10.0 && bytes < archive * 10.0, "{bytes}, {archive}");

    let stranger = server.stranger();
    stranger.get(EXPORT).expect_not_logged_in();
    stranger.post_empty("GetExportSize").expect_not_logged_in();
    let log = server.log_with("access used: ");
    let lines: Vec<_> = log.lines().filter(|line| line.contains("access used: ")).collect();
    assert_eq!(lines.len(), 1, "{log}");
    assert!(
        lines[0].contains("access used: export of all data; user ") && lines[0].ends_with("; client 127.0.0.1"),
        "{lines:?}"
    );
}

#[test]
fn a_pilot_downloads_once_at_a_time_and_a_server_sends_four() {
    let server = Server::start();
    let [anna, ben, carl] = ["anna", "ben", "carl"].map(|name| server.pilot(name));
    let large = vec![7; LARGE_BYTES];
    let others = ["dora", "emil"].map(|name| server.pilot(name));
    for pilot in [&anna, &ben, &others[0], &others[1]] {
        pilot.document("film.mp4", &large);
    }
    let hers = begin(&server, &anna, EXPORT);
    anna.post_empty("GetExportSize").expect_refusal(409, ALREADY);
    anna.get(EXPORT).expect_refusal(409, ALREADY);
    carl.get(EXPORT).expect_status(200);
    let _theirs = [&ben, &others[0], &others[1]].map(|pilot| begin(&server, pilot, EXPORT));
    carl.post_empty("GetExportSize").expect_refusal(503, OTHERS);
    let refused = carl.get(EXPORT).expect_refusal(503, OTHERS);
    assert!(refused.header("retry-after").is_some());

    // She aborts her download.
    drop(hers);
    carl.get(EXPORT).expect_status(200);
    let again = anna.get(EXPORT).expect_status(200);
    assert_eq!(members(&again.body)["dokumente/film.mp4"].len(), LARGE_BYTES);
    server.log_with("was not taken to its end");
}

#[test]
fn a_file_that_is_damaged_or_deleted_meanwhile_is_named_and_the_rest_is_downloaded() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let mut blobs = Vec::new();
    let mut documents = Vec::new();
    // The newest is written first.
    for (name, content) in [
        ("geht.txt", b"geht".to_vec()),
        ("kaputt.txt", b"kaputt".to_vec()),
        ("film.mp4", vec![7; LARGE_BYTES]),
    ] {
        documents.push(anna.document(name, &content));
        let new = server.blobs().into_iter().find(|blob| !blobs.contains(blob)).unwrap();
        blobs.push(new);
    }
    std::fs::write(server.directory().join("blobs").join(&blobs[1]), "KAPUTT").unwrap();
    let mut download = begin(&server, &anna, EXPORT);
    anna.post("DeleteUserDocument", &[("dpfId", &documents[0])])
        .expect_status(200);
    assert!(!server.blobs().contains(&blobs[0]), "the room is free at once");
    let answer = download.answer().unwrap().expect_status(200);
    let found = members(&answer.body);
    let note = String::from_utf8(found["LIESMICH.txt"].clone()).unwrap();
    for name in ["geht.txt", "kaputt.txt"] {
        assert!(
            note.contains(&format!("dokumente/{name} fehlt oder ist beschädigt")),
            "{note}"
        );
    }
    assert_eq!(found["dokumente/film.mp4"].len(), LARGE_BYTES);
    assert_eq!(json_in(&found, "documents").as_array().unwrap().len(), 3);
}

#[test]
fn a_server_that_stops_does_not_wait_for_a_slow_download_and_the_rest_does_not_pass_for_whole() {
    let mut server = Server::start_with(&[("FLUGLOG_LIMITS__DRAIN_SECONDS", "0.1")]);
    let anna = server.pilot("anna");
    anna.document("film.mp4", &vec![7; LARGE_BYTES]);
    let mut download = begin(&server, &anna, EXPORT);
    server.ask_to_end();
    assert!(server.wait_for_end().success());
    let part = download.answer().expect("a head").body;
    assert!(zip::ZipArchive::new(Cursor::new(part)).is_err());
}

#[test]
fn without_files_an_export_is_small_and_another_fluglog_takes_the_flights_from_it() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let flight = fill(&anna);
    let archive = anna.get(&format!("{EXPORT}?withoutFiles=true")).expect_status(200).body;
    let found = members(&archive);
    let names: Vec<_> = found
        .keys()
        .filter(|name| !name.contains(".csv") && !name.contains(".json"))
        .collect();
    assert_eq!(names, ["LIESMICH.txt"]);
    let note = String::from_utf8_lossy(&found["LIESMICH.txt"]);
    assert!(
        note.contains("Ohne Bilder, Dokumente und Profilfoto") && !note.contains("beschädigt"),
        "{note}"
    );
    assert_eq!(json_in(&found, "flights")[0]["dpfId"], json!(flight));
    let import = server
        .pilot("ben")
        .upload("UploadImport", &[], &[("files", "a.zip", &archive)]);
    let import = import.expect_status(201).json();
    assert_eq!(import["proposals"].as_array().unwrap().len(), 1);
    anna.get(&format!("{EXPORT}?withoutFiles=vielleicht"))
        .expect_status(400);
}

#[test]
fn a_change_goes_on_while_a_slow_pilot_downloads() {
    let server = Server::start();
    let anna = server.pilot("anna");
    anna.document("film.mp4", &vec![7; LARGE_BYTES]);
    let mut download = begin(&server, &anna, EXPORT);
    anna.fly(&anna.item(COPTER, "Falke"), &[], &json!({"flightTime": 5}));
    let found = members(&download.answer().unwrap().body);
    assert_eq!(json_in(&found, "flights"), json!([]), "as it was at the start");
}

#[test]
fn a_large_download_costs_the_server_little_memory() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let content = noise(LARGE_BYTES);
    for number in 0..3 {
        anna.document(&format!("gross{number}.bin"), &content);
    }
    server.forget_most_memory();
    let before = server.memory_bytes();
    assert!(anna.get(EXPORT).expect_status(200).body.len() > 3 * LARGE_BYTES);
    let more = server.most_memory_bytes().saturating_sub(before);
    assert!(more < MAX_MEMORY_BYTES, "{more} bytes more");
}
