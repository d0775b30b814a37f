//! The export of a pilot: complete and readable without Fluglog, with and without a running server.

use std::collections::BTreeMap;
use std::fs::{File, read};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::harness::export::{Members, export, fill, json_in, members, noise, unstamped};
use crate::harness::process::finish;
use crate::harness::{PASSWORD, Server, program, temporary_directory, text};

const ANNA: &str = "anna@example.org";
/// Memory that an export may add to a server's; far less than a file.
const MAX_MEMORY_BYTES: u64 = 24 * 1024 * 1024;

/// The rows of a table, without its heading.
fn rows(files: &Members, name: &str) -> Vec<Vec<String>> {
    let table = &files[&format!("tabellen/{name}.csv")];
    let table = table.strip_prefix(b"\xEF\xBB\xBF").expect("the mark of UTF-8");
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(table);
    reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect()
}

#[test]
fn an_export_has_everything_of_the_pilot_and_nothing_of_others() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let flight = fill(&anna);
    server.pilot("ben").document("fremd.txt", b"FREMD");
    let place = temporary_directory();
    let output = place.path().join("anna.zip");
    let done = export(server.directory(), ANNA, &output);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    let counted = "1 Flug, 2 Teile Equipment, 1 Log, ";
    assert!(done.stdout.contains(counted), "{done:?}");
    assert_eq!(std::fs::metadata(&output).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(
        std::fs::read_dir(place.path()).unwrap().count(),
        1,
        "nothing unfinished stays"
    );

    let files = members(&read(&output).unwrap());
    let names: Vec<_> = files
        .keys()
        .map(String::as_str)
        .filter(|name| !name.starts_with("tabellen/"))
        .collect();
    assert_eq!(
        names,
        [
            "LIESMICH.txt",
            "bilder/2026-03-01 09-05 Wiese_Süd.jpg",
            "bilder/2026-03-01 09-05 Wiese_Süd.png",
            "dokumente/Beleg (2).pdf",
            "dokumente/Beleg.pdf",
            "dokumente/_CON",
            "json/chargings.json",
            "json/documents.json",
            "json/equipment-aliases.json",
            "json/equipment.json",
            "json/feedback.json",
            "json/flight-sources.json",
            "json/flights.json",
            "json/jobs.json",
            "json/logs.json",
            "json/profile.json",
            "json/proofs.json",
            "json/readings.json",
            "json/sets.json",
            "profilfoto.jpg",
        ]
    );
    let image = anna.flight(&flight)["images"][0].as_str().unwrap().to_owned();
    assert_eq!(files["bilder/2026-03-01 09-05 Wiese_Süd.jpg"], anna.image(&image).body);
    let mut receipts = [&files["dokumente/Beleg.pdf"], &files["dokumente/Beleg (2).pdf"]];
    receipts.sort();
    assert_eq!(receipts, [&b"%PDF eins"[..], b"%PDF log"]);
    assert!(
        files
            .values()
            .all(|content| !content.windows(5).any(|part| part == b"FREMD"))
    );

    let mut expected = anna.flight(&flight);
    expected["imageFiles"] = json!([
        "bilder/2026-03-01 09-05 Wiese_Süd.jpg",
        "bilder/2026-03-01 09-05 Wiese_Süd.png"
    ]);
    expected["trackFile"] = json!("");
    expected["profileFile"] = json!("");
    assert_eq!(json_in(&files, "flights"), json!([expected]));
    assert_eq!(json_in(&files, "logs")[0]["flight"], flight.as_str());
    assert_eq!(json_in(&files, "profile")["photo"], "profilfoto.jpg");
    assert_eq!(json_in(&files, "chargings").as_array().unwrap().len(), 1);
}

#[test]
fn files_are_in_it_as_they_are_and_every_unpacker_knows_their_length_before_their_content() {
    let server = Server::start();
    let anna = server.pilot("anna");
    fill(&anna);
    anna.document("leer.txt", b"");
    let place = temporary_directory();
    let output = place.path().join("anna.zip");
    assert_eq!(export(server.directory(), ANNA, &output).code, 0);
    let files = members(&read(&output).unwrap());
    let mut archive = zip::ZipArchive::new(File::open(&output).unwrap()).unwrap();
    for at in 0..archive.len() {
        let member = archive.by_index_raw(at).unwrap();
        let is_ours = ["tabellen/", "json/", "LIESMICH"]
            .iter()
            .any(|start| member.name().unwrap().starts_with(start));
        let expected = match is_ours {
            true => zip::CompressionMethod::Deflated,
            false => zip::CompressionMethod::Stored,
        };
        assert_eq!(member.compression(), expected, "{}", member.name().unwrap());
        assert_eq!(member.unix_mode(), Some(0o100_600), "{}", member.name().unwrap());
    }
    // Reads from the first byte to the last, without the central directory.
    let mut stream = File::open(&output).unwrap();
    let mut read = BTreeMap::new();
    while let Some(mut member) = zip::read::read_zipfile_from_stream(&mut stream).unwrap() {
        let mut content = Vec::new();
        member.read_to_end(&mut content).unwrap();
        read.insert(member.name().unwrap().into_owned(), content);
    }
    assert!(read == files, "{:?}", read.keys());
}

#[test]
fn tables_open_in_german_spreadsheets_and_hold_no_formula() {
    let server = Server::start();
    fill(&server.pilot("anna"));
    let place = temporary_directory();
    let output = place.path().join("anna.zip");
    assert_eq!(export(server.directory(), ANNA, &output).code, 0);
    let files = members(&read(&output).unwrap());
    let flight = &rows(&files, "Flüge")[0];
    for cell in [
        "01.03.2026 09:05",
        "Wiese/Süd",
        "12,5",
        "-10,5",
        "'-1\nzwei",
        "'=HYPERLINK(\"x\")",
        "Akku; groß",
    ] {
        assert!(flight.iter().any(|found| found == cell), "{cell:?} in {flight:?}");
    }
    assert_eq!(rows(&files, "Equipment")[0][6], "249,5");
    assert_eq!(rows(&files, "Dokumente").len(), 3);
    let raw = String::from_utf8(files["tabellen/Profil.csv"].clone()).unwrap();
    assert!(
        raw.starts_with("\u{FEFF}E-Mail;Nickname;Vorname;Nachname;Kontakt;Angelegt\r\n"),
        "{raw:?}"
    );
}

#[test]
fn an_export_is_the_same_with_and_without_a_server_and_on_stdout() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    fill(&server.pilot("anna"));
    let output = place.path().join("anna.zip");
    let running = export(&directory, ANNA, &output);
    let with_server = members(&read(&output).unwrap());
    assert!(server.stop().success());
    let stopped = export(&directory, ANNA, &output);
    assert_eq!(running.stdout, stopped.stdout);
    let without_server = unstamped(members(&read(&output).unwrap()));
    assert!(unstamped(with_server) == without_server);

    let mut command = program();
    command.args([
        "export",
        "--user",
        ANNA,
        "--output",
        "-",
        "--data-dir",
        text(&directory),
    ]);
    let piped = place.path().join("piped.zip");
    let status = command.stdout(File::create(&piped).unwrap()).status().unwrap();
    assert!(status.success());
    assert!(unstamped(members(&read(&piped).unwrap())) == without_server);
}

#[test]
fn a_pilot_without_anything_is_exported_too() {
    let server = Server::start();
    server.add_user(ANNA, "Anna", PASSWORD);
    let place = temporary_directory();
    let output = place.path().join("anna.zip");
    assert_eq!(export(server.directory(), ANNA, &output).code, 0);
    let files = members(&read(&output).unwrap());
    assert_eq!(json_in(&files, "flights"), json!([]));
    assert_eq!(rows(&files, "Flüge"), Vec::<Vec<String>>::new());
}

#[test]
fn a_file_that_is_missing_or_damaged_is_named_and_the_rest_is_exported() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let mut blobs = Vec::new();
    for name in ["fehlt.txt", "kaputt.txt", "heil.txt"] {
        anna.document(name, name.as_bytes());
        let new = server.blobs().into_iter().find(|blob| !blobs.contains(blob)).unwrap();
        blobs.push(new);
    }
    let folder = server.directory().join("blobs");
    std::fs::remove_file(folder.join(&blobs[0])).unwrap();
    std::fs::write(folder.join(&blobs[1]), "KAPUTT.txt").unwrap();
    let place = temporary_directory();
    let output = place.path().join("anna.zip");
    let done = export(server.directory(), ANNA, &output);
    assert_eq!(done.code, 1, "{done:?}");
    let files = members(&read(&output).unwrap());
    let note = String::from_utf8(files["LIESMICH.txt"].clone()).unwrap();
    for name in ["dokumente/fehlt.txt", "dokumente/kaputt.txt"] {
        assert!(done.stderr.contains(name) && note.contains(name), "{done:?}\n{note}");
    }
    assert!(!done.stderr.contains("heil.txt"), "{done:?}");
    assert_eq!(files["dokumente/heil.txt"], b"heil.txt");
}

#[test]
fn an_export_that_is_refused_leaves_no_file() {
    let server = Server::start();
    let place = temporary_directory();
    let output = place.path().join("anna.zip");
    export(server.directory(), ANNA, &output).expect_refusal(1, &["ist kein Benutzer"]);
    server.add_user(ANNA, "Anna", PASSWORD);
    let nowhere = place.path().join("missing/anna.zip");
    export(server.directory(), ANNA, &nowhere).expect_refusal(1, &[text(&nowhere)]);
    let mut command = program();
    command.args([
        "export",
        "--user",
        ANNA,
        "--output",
        text(place.path()),
        "--data-dir",
        text(server.directory()),
    ]);
    finish(command, b"").expect_refusal(1, &[text(place.path())]);
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn an_export_that_nobody_takes_to_its_end_fails_with_one_sentence() {
    let server = Server::start();
    fill(&server.pilot("anna"));
    let directory = server.directory().to_owned();
    let refusal = || {
        let mut command = program();
        command.args([
            "export",
            "--user",
            ANNA,
            "--output",
            "-",
            "--data-dir",
            text(&directory),
        ]);
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let running = refusal();
    assert!(
        running.lines().count() == 1 && running.contains("in die Standardausgabe"),
        "{running}"
    );
    server.ask_to_end();
    let mut server = server;
    assert!(server.wait_for_end().success());
    assert_eq!(refusal(), running);
}

#[test]
fn a_large_export_costs_the_server_little_memory() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let content = noise(20_000_000);
    for number in 0..3 {
        anna.document(&format!("gross{number}.bin"), &content);
    }
    let before = server.most_memory_bytes();
    let place = temporary_directory();
    let output = place.path().join("anna.zip");
    assert_eq!(export(server.directory(), ANNA, &output).code, 0);
    let more = server.most_memory_bytes() - before;
    assert!(more < MAX_MEMORY_BYTES, "{more} bytes more");
    assert!(std::fs::metadata(&output).unwrap().len() > 60_000_000);
}
