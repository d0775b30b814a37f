//! Problems of the server, reported to operators.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::mail::outbox;
use crate::harness::process::{finish, run};
use crate::harness::{PASSWORD, Server, add_user, program, run_with_input, temporary_directory, text, wait};

const ADMIN: &str = "betreiber@example.org";

/// A data directory with a pilot and a backup that failed because of wrong settings.
fn with_a_failed_backup(directory: &Path) {
    assert_eq!(run(["init", "--data-dir", text(directory)]).code, 0);
    add_user(directory, "anna@example.org", "Anna", PASSWORD);
    let mut backup = program();
    backup
        .args(["backup", "--data-dir", text(directory)])
        .env("FLUGLOG_LISTEN", "nirgends");
    assert_eq!(finish(backup, b"").code, 78);
}

fn mails_to_the_admin(directory: &Path) -> Vec<String> {
    let mails = outbox(directory).into_iter().filter(|mail| mail.to == ADMIN);
    mails.map(|mail| mail.text).collect()
}

fn waiting(directory: &Path) -> Vec<Value> {
    let shown = run(["mail", "outbox", "--json", "--data-dir", text(directory)]).stdout;
    let shown: Value = serde_json::from_str(&shown).unwrap();
    shown["waiting"].as_array().expect("a list").clone()
}

#[test]
fn a_problem_is_mailed_to_the_admin_once_a_day_and_stands_in_the_journal() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    with_a_failed_backup(&directory);
    let settings = [("FLUGLOG_ADMIN_MAIL", ADMIN)];
    let server = Server::start_in_with(&directory, &settings);
    let mail = wait::until("a mail to the admin", || mails_to_the_admin(&directory).pop());
    let problem = "Die letzte Sicherung (";
    assert!(mail.contains(problem) && mail.contains("fluglog backup"), "{mail}");
    assert!(mail.contains(&server.origin()), "{mail}");
    server.log_with(&format!("ERROR {problem}"));
    wait::until("the end of the sending", || {
        waiting(&directory).is_empty().then_some(())
    });
    assert!(server.stop().success());

    // A restart on the same day finds the problem again, without another mail.
    let server = Server::start_in_with(&directory, &settings);
    server.log_with(problem);
    assert!(waiting(&directory).is_empty());
    assert_eq!(mails_to_the_admin(&directory).len(), 1);
    assert!(server.stop().success());
}

#[test]
fn a_backup_that_its_check_finds_damaged_is_a_problem_until_a_check_finds_a_good_one() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    assert_eq!(run(["init", "--data-dir", text(&directory)]).code, 0);
    add_user(&directory, "anna@example.org", "Anna", PASSWORD);
    let folder = place.path().join("backups");
    std::fs::create_dir(&folder).unwrap();
    let damaged = folder.join("fluglog-20990101-000000.tar");
    std::fs::write(&damaged, "Rost").unwrap();
    let backup = ["backup", "--output", text(&folder), "--data-dir", text(&directory)];
    assert_eq!(run(backup).code, 0);
    let check = || run(["backup", "verify", text(&folder), "--data-dir", text(&directory)]);
    assert_eq!(check().code, 1);

    let settings = [("FLUGLOG_ADMIN_MAIL", ADMIN), ("FLUGLOG_METRICS_LISTEN", "127.0.0.1:0")];
    let server = Server::start_in_with(&directory, &settings);
    let mail = wait::until("a mail to the admin", || mails_to_the_admin(&directory).pop());
    let problem = "Die Prüfung der neuesten Sicherung (";
    assert!(
        mail.contains(problem) && mail.contains("fluglog backup verify"),
        "{mail}"
    );
    server.log_with(&format!("ERROR {problem}"));
    let figure = |value: u8| {
        let (_, text) = server.ask_monitor("GET /metrics");
        assert!(
            text.contains(&format!("fluglog_last_backup_check_failed {value}\n")),
            "{text}"
        );
        assert!(text.contains(&format!("fluglog_problems {value}\n")), "{text}");
    };
    figure(1);
    std::fs::remove_file(damaged).unwrap();
    assert_eq!(check().code, 0);
    figure(0);
    assert!(server.stop().success());
}

#[test]
fn only_those_who_run_the_server_are_shown_what_is_wrong_with_it() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    with_a_failed_backup(&directory);
    let server = Server::start_in(&directory);
    let add = [
        "user",
        "add",
        "--operator",
        "--email",
        ADMIN,
        "--nickname",
        "Otto",
        "--password-stdin",
        "--data-dir",
    ];
    let add = [&add[..], &[text(&directory)]].concat();
    assert_eq!(run_with_input(&add, format!("{PASSWORD}\n").as_bytes()).code, 0);
    let problems_of = |email: &str| {
        let pilot = server.stranger();
        pilot.log_in(email, PASSWORD).expect_status(202);
        pilot.post_empty("GetServerProblems").expect_status(200).json()
    };
    let change = [
        "user",
        "change",
        "anna@example.org",
        "--no-operator",
        "--data-dir",
        text(&directory),
    ];
    assert_eq!(run(change).code, 0);
    assert_eq!(problems_of("anna@example.org"), json!([]));
    let shown = problems_of(ADMIN);
    let command = shown[0]["command"].as_str().unwrap();
    assert!(command.starts_with("fluglog backup --output /"), "{shown}");
    let sentence = shown[0]["sentence"].as_str().unwrap();
    assert!(
        sentence.contains("ist misslungen. Der Wert „nirgends“ von FLUGLOG_LISTEN")
            && sentence.ends_with("Eine neue macht"),
        "{shown}"
    );

    let done = run(["backup", "--output", text(place.path()), "--data-dir", text(&directory)]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(problems_of(ADMIN), json!([]));
}
