//! `logbook`: a pilot's book without a browser, with and without a running server.

use std::fs::{self, read};

use serde_json::json;

use crate::harness::calls::COPTER;
use crate::harness::pdf::{file_inside, page_count};
use crate::harness::process::{Output, run};
use crate::harness::{Server, temporary_directory, text};

const ANNA: &str = "anna@example.org";

#[test]
fn the_shell_writes_the_book_that_the_browser_downloads() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let falke = anna.item(COPTER, "Falke");
    for start in ["31.12.2025 09:05", "01.01.2026 09:05"] {
        anna.fly(&falke, &[], &json!({"startTime": start, "flightTime": 12.4}));
    }
    let place = temporary_directory();
    let output = place.path().join("buch.pdf");
    let logbook = |more: &[&str]| -> Output {
        let always = ["logbook", "--user", ANNA, "--data-dir", text(server.directory())];
        run(always.iter().chain(more))
    };
    let file = text(&output);
    let done = logbook(&["--output", file, "--year", "2026"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert_eq!(done.stdout, format!("{file}: 1 Flug.\n"));
    let book = read(&output).unwrap();
    assert_eq!(page_count(&book), 3);
    let table = place.path().join("buch.csv");
    let of_item = ["--item", "Falke", "--output", text(&table)];
    assert_eq!(logbook(&of_item).code, 0);
    let download = anna
        .get(&format!("/app/api/GetLogbook?equipment={falke}&csv=true"))
        .expect_status(200);
    assert!(read(&table).unwrap() == download.body);
    assert!(String::from_utf8_lossy(&file_inside(&book)).contains("01.01.2026"));

    let refusals = [
        (
            vec!["--output", file, "--year", "2019"],
            "Keine Flüge in diesem Zeitraum.",
        ),
        (
            vec!["--output", file, "--item", "Milan"],
            "Kein Equipment heißt „Milan“.",
        ),
    ];
    for (arguments, sentence) in refusals {
        let done = logbook(&arguments);
        assert!(done.code == 1 && done.stderr.contains(sentence), "{done:?}");
    }
    assert_eq!(logbook(&["--output", "buch.txt"]).code, 2);
    assert!(read(&output).unwrap() == book, "a refusal leaves the earlier book");
    let notes = place.path().join("notizen.pdf");
    fs::write(&notes, "keine PDF-Datei").unwrap();
    assert_eq!(logbook(&["--output", text(&notes)]).code, 1);
    assert_eq!(fs::read_to_string(&notes).unwrap(), "keine PDF-Datei");
}
