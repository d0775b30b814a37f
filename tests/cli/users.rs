//! Users on the command line, with and without a running server.

use std::io::Write;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::init::init;
use crate::harness::calls::{COPTER, keys};
use crate::harness::{
    Output, PASSWORD, Server, add_user, pictures, run_with_input, temporary_directory, text, try_to_add_user,
};

const ANNA: &str = "anna@example.org";

fn list(directory: &Path, flags: &[&str]) -> Output {
    let arguments = [&["user", "list", "--data-dir", text(directory)], flags].concat();
    let done = run_with_input(arguments, b"");
    assert_eq!(done.code, 0, "{done:?}");
    done
}

fn list_json(directory: &Path) -> Value {
    serde_json::from_str(&list(directory, &["--json"]).stdout).expect("JSON")
}

#[test]
fn a_user_that_was_added_logs_in() {
    let server = Server::start();
    server.add_user(ANNA, "Anna", PASSWORD);
    let user = server.stranger().log_in(ANNA, PASSWORD).expect_status(202).json();
    assert_eq!(user["nickname"], "Anna");
}

#[test]
fn a_user_that_was_added_without_a_server_logs_in_later() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    add_user(place.path(), ANNA, "Anna", PASSWORD);
    let server = Server::start_in(place.path());
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_user_without_a_password_can_t_log_in_with_one() {
    let server = Server::start();
    let directory = text(server.directory());
    let done = run_with_input(
        [
            "user",
            "add",
            "--data-dir",
            directory,
            "--email",
            ANNA,
            "--nickname",
            "Anna",
        ],
        b"",
    );
    assert_eq!(done.code, 0, "{done:?}");
    server.stranger().log_in(ANNA, PASSWORD).expect_status(401);
    server
        .stranger()
        .post("Login", &[("email", ANNA), ("password", " ")])
        .expect_status(401);
}

#[test]
fn a_password_has_at_least_8_characters() {
    let server = Server::start();
    for short in ["", "1234567", "ääääääa", "🚁🚁🚁🚁🚁🚁🚁"] {
        let done = try_to_add_user(server.directory(), ANNA, "Anna", short);
        done.expect_refusal(1, &["Das Passwort muss mindestens 8 Zeichen lang sein."]);
    }
    assert_eq!(list_json(server.directory()), json!([]));
    add_user(server.directory(), ANNA, "Anna", "🚁🚁🚁🚁🚁🚁🚁🚁");
}

#[test]
fn a_password_is_one_line_with_or_without_its_end() {
    let server = Server::start();
    let directory = text(server.directory());
    for (email, input) in [
        ("a@example.org", "Propeller-17"),
        ("b@example.org", "Propeller-17\r\n"),
        ("c@example.org", "Propeller-17\nmore\n"),
    ] {
        let arguments = [
            "user",
            "add",
            "--data-dir",
            directory,
            "--email",
            email,
            "--nickname",
            "Pilot",
            "--password-stdin",
        ];
        let done = run_with_input(arguments, input.as_bytes());
        if !input.contains("more") {
            assert_eq!(done.code, 0, "{done:?}");
            server.stranger().log_in(email, PASSWORD).expect_status(202);
        }
    }
    let arguments = [
        "user",
        "add",
        "--data-dir",
        directory,
        "--email",
        ANNA,
        "--nickname",
        "Anna",
        "--password-stdin",
    ];
    run_with_input(arguments, b"\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\n").expect_refusal(1, &[]);
}

#[test]
fn an_e_mail_belongs_to_one_user_however_it_is_written() {
    let server = Server::start();
    server.add_user("Anna@Example.org", "Anna", PASSWORD);
    for again in [ANNA, "Anna@Example.org", "ANNA@EXAMPLE.ORG"] {
        let done = try_to_add_user(server.directory(), again, "Zweite", PASSWORD);
        done.expect_refusal(1, &["bereits registriert"]);
    }
    assert_eq!(list_json(server.directory()).as_array().unwrap().len(), 1);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn an_address_that_is_none_is_refused() {
    let server = Server::start();
    let long = format!("{}@example.org", "a".repeat(200));
    for email in [
        "",
        "anna",
        "anna@",
        "@example.org",
        "anna @example.org",
        "anna@example.org,ben@example.org",
        "a@b@c",
        "anna@example.org\r\nBcc: x@example.org",
        "anna@exa mple.org",
        long.as_str(),
        " ",
    ] {
        let done = try_to_add_user(server.directory(), email, "Anna", PASSWORD);
        assert!([1, 2].contains(&done.code), "{email:?}: {done:?}");
        assert!(!done.stderr.is_empty(), "{email:?}");
    }
    assert_eq!(list_json(server.directory()), json!([]));
}

#[test]
fn a_nickname_is_one_line_of_text() {
    let server = Server::start();
    for nickname in ["", "  ", "a\nb", "a\u{7}", "x".repeat(201).as_str()] {
        let done = try_to_add_user(server.directory(), ANNA, nickname, PASSWORD);
        assert!([1, 2].contains(&done.code), "{nickname:?}: {done:?}");
    }
    assert_eq!(list_json(server.directory()), json!([]));
}

#[test]
fn the_list_says_who_may_log_in_and_when_they_last_did() {
    let server = Server::start();
    server.add_user("ben@example.org", "Ben", PASSWORD);
    server.add_user(ANNA, "Anna", PASSWORD);
    let users = list_json(server.directory());
    let users = users.as_array().unwrap();
    assert_eq!(users.len(), 2);
    for user in users {
        assert_eq!(
            keys(user),
            [
                "created",
                "disabled",
                "email",
                "lastLogin",
                "nickname",
                "operator",
                "quotaBytes",
                "usedBytes"
            ]
        );
        assert_eq!(user["disabled"], false);
        assert!(user["created"].as_str().is_some_and(|time| !time.is_empty()), "{user}");
        assert!(
            user["lastLogin"].is_null() || user["lastLogin"] == "",
            "nobody has logged in: {user}"
        );
    }
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
    let users = list_json(server.directory());
    let anna = users
        .as_array()
        .unwrap()
        .iter()
        .find(|user| user["email"] == ANNA)
        .unwrap();
    assert_eq!(anna["nickname"], "Anna");
    assert!(
        anna["lastLogin"].as_str().is_some_and(|time| !time.is_empty()),
        "{anna}"
    );
}

#[test]
fn lists_look_the_same_with_and_without_a_server() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    server.pilot("Anna");
    server.add_user("ben@example.org", "Bén 🚁", PASSWORD);
    let running = [list(place.path(), &[]), list(place.path(), &["--json"])].map(|done| done.stdout);
    assert!(server.stop().success());
    let stopped = [list(place.path(), &[]), list(place.path(), &["--json"])].map(|done| done.stdout);
    assert_eq!(running, stopped);
    assert!(
        running[0].contains("ben@example.org") && running[0].contains("Bén 🚁"),
        "{}",
        running[0]
    );
}

#[test]
fn refusals_read_the_same_with_and_without_a_server() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    server.add_user(ANNA, "Anna", PASSWORD);
    let tries = || {
        [
            try_to_add_user(place.path(), ANNA, "Anna", PASSWORD),
            try_to_add_user(place.path(), "ben@example.org", "Ben", "kurz"),
            try_to_add_user(place.path(), "ben@example.org", "Ben", &"x".repeat(201)),
            try_to_add_user(place.path(), "ben@example.org", " ", PASSWORD),
            try_to_add_user(place.path(), "ben@example.org", &"x".repeat(201), PASSWORD),
            try_to_add_user(place.path(), "ben@example.org", "a\nb", PASSWORD),
            try_to_add_user(place.path(), "unsinn", "Ben", PASSWORD),
        ]
        .map(|done| (done.code, done.stderr))
    };
    let running = tries();
    assert!(server.stop().success());
    assert_eq!(running, tries());
}

#[test]
fn without_a_database_there_are_no_users_to_list() {
    let place = temporary_directory();
    let missing = place.path().join("missing");
    let done = run_with_input(["user", "list", "--data-dir", text(&missing)], b"");
    assert!([1, 78].contains(&done.code), "{done:?}");
    done.expect_refusal(done.code, &[text(&missing)]);
    assert!(!missing.exists(), "a question makes no directory");
}

#[test]
fn a_refusal_repeats_the_address_and_shows_the_way_out() {
    let server = Server::start();
    server.add_user(ANNA, "Anna", PASSWORD);
    let directory = text(server.directory());
    try_to_add_user(server.directory(), ANNA, "Anna", PASSWORD).expect_refusal(1, &[ANNA, "fluglog user show"]);
    try_to_add_user(server.directory(), "un\nsinn", "Ben", PASSWORD)
        .expect_refusal(1, &["„unsinn“", "pilot@example.org"]);
    for command in ["show", "logout", "disable", "enable", "delete"] {
        let mut arguments = vec!["user", command, "niemand@example.org", "--data-dir", directory];
        arguments.extend((command == "delete").then_some("--yes"));
        run_with_input(arguments, b"").expect_refusal(1, &["niemand@example.org", "fluglog user list"]);
    }
}

#[test]
fn users_added_at_once_are_all_added() {
    let server = Server::start();
    std::thread::scope(|scope| {
        for number in 0..6 {
            let directory = server.directory();
            scope.spawn(move || add_user(directory, &format!("pilot{number}@example.org"), "Pilot", PASSWORD));
        }
    });
    assert_eq!(list_json(server.directory()).as_array().unwrap().len(), 6);
}

#[test]
fn a_data_directory_with_a_very_long_path_is_served_like_any_other() {
    let place = temporary_directory();
    let directory = place.path().join("verzeichnis-".repeat(12)).join("tief".repeat(20));
    let server = Server::start_in(&directory);
    server.pilot("Anna");
    let running = list(&directory, &["--json"]).stdout;
    assert!(server.stop().success());
    assert_eq!(list(&directory, &["--json"]).stdout, running);
}

#[test]
fn a_database_locked_by_a_process_that_doesn_t_answer_has_its_own_error() {
    let server = Server::start();
    let socket = socket_in(server.directory());
    std::fs::remove_file(socket).unwrap();
    let directory = text(server.directory());
    let done = run_with_input(["user", "list", "--data-dir", directory], b"");
    done.expect_refusal(69, &[directory]);
}

#[test]
fn a_command_whose_server_ends_just_now_does_its_work_itself() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    // A server that accepts the connection and ends.
    let ending = UnixListener::bind(place.path().join("fluglog.sock")).unwrap();
    let server = std::thread::spawn(move || drop(ending.accept()));
    add_user(place.path(), ANNA, "Anna", PASSWORD);
    server.join().unwrap();
    assert_eq!(list_json(place.path()).as_array().unwrap().len(), 1);
}

#[test]
fn a_server_that_ends_in_the_middle_of_an_answer_has_another_error_than_one_that_hangs() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    let ending = UnixListener::bind(place.path().join("fluglog.sock")).unwrap();
    let server = std::thread::spawn(move || {
        let (mut command, _) = ending.accept().unwrap();
        // A keep-alive line.
        command.write_all(b"\n").unwrap();
    });
    let done = run_with_input(["user", "list", "--data-dir", text(place.path())], b"");
    server.join().unwrap();
    done.expect_refusal(1, &[text(place.path()), "mitten in der Antwort"]);
}

fn socket_in(directory: &Path) -> PathBuf {
    let mut entries = std::fs::read_dir(directory).unwrap().map(Result::unwrap);
    let socket = entries.find(|entry| entry.file_type().unwrap().is_socket());
    socket.map(|entry| entry.path()).expect("a running server has a socket")
}

fn show(directory: &Path, flags: &[&str]) -> Output {
    let arguments = [&["user", "show", ANNA, "--data-dir", text(directory)], flags].concat();
    run_with_input(arguments, b"")
}

#[test]
fn one_user_is_shown_with_what_it_has() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let anna = server.pilot("anna");
    anna.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    let copter = anna.item(COPTER, "Falke");
    let flight = anna.take_off(&copter);
    anna.add_images(&flight, &[&pictures::jpeg(30, 20)]);
    anna.document("a.txt", &[7; 2000]);
    anna.proof("A2.jpg", &pictures::jpeg(30, 20), &json!({"kind": 1}));
    let user: Value = serde_json::from_str(&show(place.path(), &["--json"]).stdout).expect("JSON");
    let file_bytes: u64 = server
        .blobs()
        .iter()
        .map(|name| std::fs::metadata(place.path().join("blobs").join(name)).unwrap().len())
        .sum();
    let (created, last_login) = (&user["created"], &user["lastLogin"]);
    assert!(
        [created, last_login]
            .iter()
            .all(|time| time.as_str().is_some_and(|time| time.len() == 16))
    );
    let expected = json!({
        "email": ANNA, "nickname": "anna", "firstname": "", "lastname": "", "created": created, "lastLogin": last_login,
        "disabled": false, "operator": true, "hasPassword": true, "sessions": 1, "loginTokens": 1, "equipment": 1,
        "flights": 1, "logs": 0,
        "images": 1, "documents": 2, "proofs": 1, "jobs": 0, "fileBytes": file_bytes, "quotaBytes": 10_737_418_240_u64, "ownQuota": false,
    });
    assert_eq!(user, expected);

    let running = [show(place.path(), &[]), show(place.path(), &["--json"])].map(|done| done.stdout);
    assert!(server.stop().success());
    let stopped = [show(place.path(), &[]), show(place.path(), &["--json"])].map(|done| done.stdout);
    assert_eq!(running, stopped);
    for line in [
        "E-Mail              anna@example.org",
        "Passwort            gesetzt",
        "Flüge               1",
        "Nachweise           1",
        "Speicherplatz       höchstens 10 GB, wie eingestellt",
    ] {
        assert!(
            running[0].lines().any(|shown| shown == line),
            "{line:?} in\n{}",
            running[0]
        );
    }
}

#[test]
fn sessions_that_were_ended_are_not_counted() {
    let server = Server::start();
    server
        .pilot("anna")
        .post_empty("LogOutFromEveryDevice")
        .expect_status(200);
    let user: Value = serde_json::from_str(&show(server.directory(), &["--json"]).stdout).expect("JSON");
    assert_eq!((&user["sessions"], &user["loginTokens"]), (&json!(0), &json!(0)));
}

#[test]
fn an_unknown_user_is_not_shown() {
    let server = Server::start();
    show(server.directory(), &[]).expect_refusal(1, &[ANNA, "fluglog user list"]);
}

#[test]
fn an_operator_is_marked_in_the_list() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    add_user(place.path(), "clara@example.org", "Clara", PASSWORD);
    add_user(place.path(), "ben@example.org", "Ben", PASSWORD);
    let directory = text(place.path());
    let done = run_with_input(
        [
            "user",
            "add",
            "--operator",
            "--data-dir",
            directory,
            "--email",
            ANNA,
            "--nickname",
            "Anna",
        ],
        b"",
    );
    assert_eq!(done.code, 0, "{done:?}");
    let operators: Vec<_> = list_json(place.path())
        .as_array()
        .unwrap()
        .iter()
        .map(|user| user["operator"].clone())
        .collect();
    assert_eq!(operators, [true, false, true], "Clara is the first");
    let shown = list(place.path(), &[]).stdout;
    let lines: Vec<_> = shown.lines().map(|line| line.ends_with("  Betreiber")).collect();
    assert_eq!(lines, [true, false, true], "{shown}");
}

fn change(directory: &Path, email: &str, arguments: &[&str]) -> Output {
    let start = ["user", "change", email, "--data-dir", text(directory)];
    run_with_input([&start[..], arguments].concat(), b"")
}

fn operators(directory: &Path) -> Vec<String> {
    let users = list_json(directory);
    let users = users.as_array().unwrap().iter();
    users
        .filter(|user| user["operator"] == true)
        .map(|user| user["email"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_first_user_is_an_operator_and_one_stays() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    add_user(place.path(), ANNA, "Anna", PASSWORD);
    add_user(place.path(), "ben@example.org", "Ben", PASSWORD);
    assert_eq!(operators(place.path()), [ANNA]);

    let refused = change(place.path(), ANNA, &["--no-operator", "--nickname", "Änne"]);
    refused.expect_refusal(1, &[ANNA, "fluglog user change E-MAIL --operator"]);
    assert_eq!(list_json(place.path())[0]["nickname"], "Anna", "all of it or nothing");
    let done = change(place.path(), "ben@example.org", &["--operator"]);
    assert_eq!(done.stdout, "ben@example.org ist geändert: Betreiber.\n");
    let done = change(place.path(), ANNA, &["--no-operator"]);
    assert_eq!(done.stdout, "anna@example.org ist geändert: kein Betreiber.\n");
    assert_eq!(operators(place.path()), ["ben@example.org"]);
    let shown = run_with_input(
        ["user", "show", "ben@example.org", "--data-dir", text(place.path())],
        b"",
    );
    assert!(shown.stdout.contains("Betreiber           ja"), "{shown:?}");
    assert_eq!(change(place.path(), ANNA, &["--operator", "--no-operator"]).code, 2);

    // Nobody else can log in.
    let disabled = ["user", "disable", "ben@example.org", "--data-dir", text(place.path())];
    assert_eq!(run_with_input(disabled, b"").code, 0);
    let status = run_with_input(["status", "--data-dir", text(place.path())], b"");
    assert!(
        status.stdout.contains("fluglog user change E-MAIL --operator"),
        "{status:?}"
    );
}

#[test]
fn a_user_has_a_limit_of_room_of_its_own_until_that_is_taken_back() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    add_user(place.path(), ANNA, "Anna", PASSWORD);
    add_user(place.path(), "ben@example.org", "Ben", PASSWORD);
    let quotas = || [0, 1].map(|at| list_json(place.path())[at]["quotaBytes"].clone());
    let of_settings = 10_737_418_240_u64;
    for (quota, said, bytes, shown) in [
        (
            "2GB",
            "Platz höchstens 2 GB",
            json!(2_147_483_648_u64),
            "höchstens 2 GB",
        ),
        ("0", "Platz ohne Grenze", Value::Null, "ohne Grenze"),
        (
            "default",
            "Platz wie eingestellt",
            json!(of_settings),
            "höchstens 10 GB, wie eingestellt",
        ),
    ] {
        let done = change(place.path(), ANNA, &["--quota", quota]);
        assert_eq!(
            done.stdout,
            format!("anna@example.org ist geändert: {said}.\n"),
            "{done:?}"
        );
        assert_eq!(quotas(), [bytes, json!(of_settings)]);
        let line = format!("Speicherplatz       {shown}");
        let sheet = show(place.path(), &[]).stdout;
        assert!(sheet.lines().any(|one| one == line), "{line} in\n{sheet}");
    }
    change(place.path(), ANNA, &["--quota", "viel"]).expect_refusal(2, &["„viel“", "--quota"]);
    let refused = change(place.path(), ANNA, &["--quota", "1GB", "--no-operator"]);
    refused.expect_refusal(1, &[ANNA]);
    assert_eq!(
        quotas(),
        [json!(of_settings), json!(of_settings)],
        "all of it or nothing"
    );

    // A backup contains the quota.
    assert_eq!(change(place.path(), ANNA, &["--quota", "3 GB"]).code, 0);
    let (archive, restored) = (place.path().join("a.tar"), place.path().join("restored"));
    for arguments in [
        &["backup", "--data-dir", text(place.path()), "--output", text(&archive)][..],
        &["restore", "--data-dir", text(&restored), text(&archive)],
    ] {
        let done = run_with_input(arguments, b"");
        assert_eq!(done.code, 0, "{done:?}");
    }
    assert_eq!(list_json(&restored)[0]["quotaBytes"], 3_221_225_472_u64);
}
