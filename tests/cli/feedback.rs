//! Feedback on the command line, with and without a running server.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::calls::keys;
use crate::harness::{Server, run_with_input, temporary_directory, text};

fn list(directory: &Path, flags: &[&str]) -> String {
    let done = run_with_input(
        [&["feedback", "list", "--data-dir", text(directory)], flags].concat(),
        b"",
    );
    assert_eq!(done.code, 0, "{done:?}");
    done.stdout
}

#[test]
fn the_list_has_what_pilots_sent_with_and_without_a_server() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    assert_eq!(
        serde_json::from_str::<Value>(&list(place.path(), &["--json"])).unwrap(),
        json!([])
    );
    assert!(list(place.path(), &[]).contains("kein Feedback"));
    for (nickname, message, rate) in [
        ("anna", "Gut\n\u{85}so", "10"),
        ("anna", "Schön", "9"),
        ("ben", "Na ja", "3"),
    ] {
        let pilot = if nickname == "anna" && rate == "9" {
            let pilot = server.stranger();
            pilot
                .log_in("anna@example.org", crate::harness::PASSWORD)
                .expect_status(202);
            pilot
        } else {
            server.pilot(nickname)
        };
        let message = message.replace('\u{85}', "");
        let fields = [("version", "1.3.0"), ("message", message.as_str()), ("rate", rate)];
        pilot.post("SendFeedback", &fields).expect_status(201);
    }
    let running = [list(place.path(), &[]), list(place.path(), &["--json"])];
    let all: Value = serde_json::from_str(&running[1]).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 3);
    assert_eq!(
        keys(&all[0]),
        ["email", "message", "nickname", "rate", "time", "version"]
    );
    assert_eq!(all[0]["message"], "Gut\nso");
    assert_eq!(all[2]["email"], "ben@example.org");
    assert!(
        running[0].contains("10 von 10") && running[0].contains("    so\n"),
        "{}",
        running[0]
    );
    assert!(server.stop().success());
    assert_eq!([list(place.path(), &[]), list(place.path(), &["--json"])], running);
}
