//! The status of the program: readable, as JSON, and as a container's health check.

use std::os::unix::net::UnixListener;
use std::path::Path;

use serde_json::Value;

use crate::cli::init::init;
use crate::harness::certificates::Authority;
use crate::harness::mail::{Behaviour, MailServer};
use crate::harness::process::{finish, run};
use crate::harness::{Output, PASSWORD, Server, program, run_with_input, temporary_directory, text, wait};

fn status(directory: &Path, flags: &[&str]) -> Output {
    run_with_input(["status", "--data-dir", text(directory)].iter().chain(flags), b"")
}

fn json(done: &Output) -> Value {
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

#[test]
fn a_running_server_reports_its_status() {
    let server = Server::start_with(&[("FLUGLOG_TIME_ZONE", "Europe/Vienna")]);
    server.pilot("Anna");
    server.stranger().register("ben@example.org", "Ben").expect_status(200);
    server.nth_mail("ben@example.org", 1);
    let archive = server.directory().with_file_name("archiv.tar");
    let backup = [
        "backup",
        "--output",
        text(&archive),
        "--data-dir",
        text(server.directory()),
    ];
    assert_eq!(run_with_input(backup, b"").code, 0);
    let done = status(server.directory(), &["--json"]);
    assert_eq!(done.code, 0, "{done:?}");
    let told = json(&done);
    let address = server.address().to_string();
    for (key, value) in [
        ("version", Value::from(env!("CARGO_PKG_VERSION"))),
        ("schema", Value::from(4)),
        ("running", Value::from(true)),
        ("url", Value::from(format!("http://{address}/app/"))),
        ("addresses", Value::from(vec![address.clone()])),
        ("https", Value::from(false)),
        ("users", Value::from(1)),
        ("mailServer", Value::Null),
        ("mailsInOutbox", Value::from(1)),
        ("timeZone", Value::from("Europe/Vienna")),
        ("problems", Value::from(Vec::<Value>::new())),
    ] {
        assert_eq!(told[key], value, "{key}: {told}");
    }
    let for_people = status(server.directory(), &[]).stdout;
    assert!(for_people.contains("outbox (1 Mail, "), "{for_people}");
    for counted in ["databaseBytes", "outboxBytes", "freeBytes"] {
        assert!(
            told[counted].as_u64().is_some_and(|bytes| bytes > 0),
            "{counted}: {told}"
        );
    }
    assert!(
        told["uptimeSeconds"].as_u64().is_some_and(|seconds| seconds < 600),
        "{told}"
    );

    let backup = &told["lastBackup"];
    assert!(
        backup["target"]
            .as_str()
            .is_some_and(|target| target.ends_with("archiv.tar")),
        "{told}"
    );
    assert!(
        backup["bytes"].as_u64() == std::fs::metadata(&archive).map(|file| file.len()).ok()
            && backup["failure"].is_null()
    );
    let shown = status(server.directory(), &[]);
    assert_eq!(shown.code, 0, "{shown:?}");
    for part in [
        env!("CARGO_PKG_VERSION"),
        "läuft seit",
        &address,
        "Schema 4",
        "Europe/Vienna",
        text(server.directory()),
    ] {
        assert!(shown.stdout.contains(part), "{part:?} is missing: {}", shown.stdout);
    }
}

#[test]
fn without_a_server_the_status_is_the_same_but_no_success() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    let server = Server::start_in(place.path());
    server.add_user("anna@example.org", "Anna", PASSWORD);
    let running = json(&status(place.path(), &["--json"]));
    assert!(server.stop().success());
    let stopped = status(place.path(), &["--json"]);
    assert_eq!(stopped.code, 1);
    assert!(stopped.stderr.contains("fluglog serve"), "{stopped:?}");
    let stopped = json(&stopped);
    for (key, value) in running.as_object().unwrap() {
        match key.as_str() {
            "running" => assert_eq!(stopped[key], false),
            "uptimeSeconds" | "url" => assert_eq!(stopped[key], Value::Null),
            "addresses" => assert_eq!(stopped[key], Value::from(Vec::<Value>::new())),
            "freeBytes" | "clock" | "databaseBytes" | "databaseFreeBytes" => assert!(!stopped[key].is_null()),
            _ => assert_eq!(&stopped[key], value, "{key}"),
        }
    }
    let shown = status(place.path(), &[]);
    assert!(shown.code == 1 && shown.stdout.contains("läuft nicht"), "{shown:?}");
}

#[test]
fn a_directory_without_data_and_one_with_a_hanging_server_differ() {
    let place = temporary_directory();
    let missing = place.path().join("missing");
    status(&missing, &[]).expect_refusal(78, &[text(&missing)]);

    assert_eq!(init(place.path()).code, 0);
    // The socket accepts connections but never answers.
    let _hanging = UnixListener::bind(place.path().join("fluglog.sock")).unwrap();
    status(place.path(), &[]).expect_refusal(69, &[text(place.path())]);
}

#[test]
fn each_problem_ends_with_the_command_that_helps() {
    let mail_server = MailServer::start(Behaviour::Refuses);
    let mut settings = mail_server.settings();
    settings.retain(|(name, _)| *name != "FLUGLOG_PUBLIC_URL");
    settings.push(("FLUGLOG_LIMITS__FREE_MEGABYTES", "1000000000".to_owned()));
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let server = Server::start_with(&settings);
    server
        .stranger()
        .register("anna@example.org", "Anna")
        .expect_status(200);
    let configuration = server.directory().join("fluglog.toml");
    wait::until("every problem", || {
        let shown = status(server.directory(), &[]).stdout;
        let commands = [
            "du -xh --max-depth=3 / | sort -h | tail",
            "fluglog mail outbox",
            &format!("sudoedit {}", text(&configuration)),
            "fluglog user add --email ADRESSE --nickname NAME --password-stdin",
        ];
        commands
            .iter()
            .all(|command| shown.lines().any(|line| line.ends_with(command)))
            .then_some(())
    });
    let told = json(&status(server.directory(), &["--json"]));
    assert_eq!(
        (&told["mailsWaiting"], &told["lastBackup"]),
        (&Value::from(1), &Value::Null)
    );
    assert_eq!(told["problems"].as_array().map(Vec::len), Some(4), "{told}");
    assert!(
        told["mailServer"]
            .as_str()
            .is_some_and(|server| server.starts_with("127.0.0.1:"))
    );
}

#[test]
fn the_status_shows_https_by_certificate_and_by_public_address() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let own = Server::start_over_https(&authority.pair().write(place.path()), &[]);
    let mut command = program();
    command.args(["status", "--json", "--data-dir", text(own.directory())]);
    let told = json(&finish(command, b""));
    assert_eq!(
        (&told["https"], told["url"].as_str()),
        (&Value::from(true), own.greeting().split_whitespace().last())
    );
    let proxied = Server::start_with(&[("FLUGLOG_PUBLIC_URL", "https://fluglog.example.org")]);
    assert_eq!(json(&status(proxied.directory(), &["--json"]))["https"], true);
}

#[test]
fn a_certificate_that_ends_soon_is_a_problem_until_a_new_one_is_read() {
    let (authority, place) = (Authority::new(), temporary_directory());
    let server = Server::start_over_https(&authority.pair_until(2026).write(place.path()), &[]);
    let complaint = "sudo systemctl reload fluglog";
    let shown = status(server.directory(), &[]).stdout;
    assert!(shown.contains("01.01.2026") && shown.contains(complaint), "{shown}");
    authority.pair_until(2060).write(place.path());
    server.reload();
    let ends = || json(&status(server.directory(), &["--json"]))["certificateEnds"].clone();
    wait::until("the new certificate", || (ends() == "01.01.2060 01:00").then_some(()));
    assert!(!status(server.directory(), &[]).stdout.contains(complaint));
}

#[test]
fn as_soon_as_there_is_something_to_lose_a_missing_backup_is_a_problem() {
    let server = Server::start();
    let complains = || {
        status(server.directory(), &[])
            .stdout
            .contains("Es gibt noch keine Sicherung. Die erste macht: fluglog backup")
    };
    assert!(!complains());
    server.add_user("anna@example.org", "Anna", PASSWORD);
    assert!(complains());
}

#[test]
fn a_backup_that_a_wrong_setting_stops_is_a_failed_one() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    server.add_user("anna@example.org", "Anna", PASSWORD);
    std::fs::write(directory.join("fluglog.toml"), "listn = \"0.0.0.0:8080\"\n").unwrap();
    let target = place.path().join("sicherungen");
    let arguments = ["backup", "--data-dir", text(&directory), "--output", text(&target)];
    run(arguments).expect_refusal(78, &["listn", "listen"]);
    std::fs::remove_file(directory.join("fluglog.toml")).unwrap();
    let shown = json(&status(&directory, &["--json"]));
    let failure = shown["lastBackup"]["failure"].as_str().expect("a failure");
    assert!(failure.contains("listn"), "{shown}");
    assert_eq!(shown["lastBackup"]["target"], text(&target));
    let problems = shown["problems"].to_string();
    assert!(problems.contains("misslungen"), "{problems}");

    // A configuration file outside of the data directory is read, too.
    let settings = place.path().join("settings.toml");
    let content = format!("data_dir = {:?}\nlistn = 1\n", text(&directory));
    std::fs::write(&settings, content).unwrap();
    let elsewhere = place.path().join("anderswo");
    run(["backup", "--config", text(&settings), "--output", text(&elsewhere)]).expect_refusal(78, &["listn"]);
    let shown = json(&status(&directory, &["--json"]));
    assert_eq!(shown["lastBackup"]["target"], text(&elsewhere));
}

#[test]
fn settings_that_changed_since_the_start_are_named_without_their_values() {
    let place = temporary_directory();
    init(place.path());
    let file = place.path().join("fluglog.toml");
    let write = |text: &str| std::fs::write(&file, text).unwrap();
    write("log_level = \"warn\"\n");
    let server = Server::start_in_with(place.path(), &[("FLUGLOG_TIME_ZONE", "UTC")]);
    let told = || {
        let (programs, people) = (status(place.path(), &["--json"]), status(place.path(), &[]).stdout);
        (json(&programs)["changedSettings"].clone(), people)
    };
    let (names, text) = told();
    assert_eq!(names, serde_json::json!([]));
    assert!(!text.contains("Seit dem Start"), "{text}");

    // Flags and variables take precedence over changes of the file.
    write(
        "log_level = \"info\"\ntime_zone = \"Asia/Tokyo\"\nlisten = [\"127.0.0.1:1\"]\n\
         [smtp]\nhost = \"mail.example.org\"\nuser = \"a@example.org\"\npassword = \"geheim-123\"\n",
    );
    let (names, text) = told();
    assert_eq!(
        names,
        serde_json::json!(["log_level", "smtp.host", "smtp.user", "smtp.password"])
    );
    let line = "Seit dem Start geändert: log_level, smtp.host, smtp.user, smtp.password. Es gilt nach: sudo systemctl \
        restart fluglog";
    assert!(text.contains(line), "{text}");
    assert!(!text.contains("geheim"), "{text}");
    write("log_levle = 1\n");
    let answered = run(["status", "--data-dir", crate::harness::text(place.path())]);
    assert_eq!(answered.code, 78, "the command itself doesn't read it: {answered:?}");
    assert!(server.stop().success());
}
