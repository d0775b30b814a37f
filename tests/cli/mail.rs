//! Mails on the command line: the test mail and its result, and the contents of the outbox.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::init::init;
use crate::harness::calls::keys;
use crate::harness::mail::{Behaviour, MailServer, outbox};
use crate::harness::process::finish;
use crate::harness::{Output, PASSWORD, Server, program, run_with_input, temporary_directory, text, wait};

const ANNA: &str = "anna@example.org";

fn mail(directory: &Path, arguments: &[&str]) -> Output {
    run_with_input([&["mail"], arguments, &["--data-dir", text(directory)]].concat(), b"")
}

fn mail_by(server: &MailServer, directory: &Path, arguments: &[&str]) -> Output {
    let mut command = program();
    command.args([&["mail"], arguments, &["--data-dir", text(directory)]].concat());
    command.envs(server.settings());
    // Seconds after which a mail server that says nothing is given up.
    command.env("FLUGLOG_SMTP__TIMEOUT_SECONDS", "5");
    finish(command, b"")
}

#[test]
fn without_a_mail_server_a_test_mail_lies_in_the_outbox() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    let done = mail(place.path(), &["test", ANNA]);
    assert_eq!(done.code, 1, "nothing was sent: {done:?}");
    assert!(done.stderr.contains("smtp.host"), "{done:?}");
    let path = done.stderr.split_whitespace().last().unwrap();
    assert!(path.ends_with(".eml") && Path::new(path).exists(), "{done:?}");
    assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    let mails = outbox(place.path());
    assert_eq!(mails.len(), 1);
    assert!(
        mails[0].to == ANNA && mails[0].subject.contains("Testmail"),
        "{mails:?}"
    );
}

#[test]
fn a_test_mail_shows_what_the_mail_server_says() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    let mail_server = MailServer::start(Behaviour::Takes);
    let done = mail_by(&mail_server, place.path(), &["test", ANNA]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("250 2.0.0 angenommen als 4711"), "{done:?}");
    assert_eq!(mail_server.wait_for(1)[0].to, ANNA);

    mail_server.set_behaviour(Behaviour::Refuses);
    mail_by(&mail_server, place.path(), &["test", ANNA]).expect_refusal(1, &["550 5.7.1 hier nicht", ANNA]);
    mail_server.set_behaviour(Behaviour::Silent);
    mail_by(&mail_server, place.path(), &["test", ANNA]).expect_refusal(1, &["antwortet nicht"]);
    mail_by(&mail_server, place.path(), &["test", "anna"]).expect_refusal(1, &["E-Mail-Adresse"]);
}

#[test]
fn a_running_server_sends_the_test_mail_itself() {
    let mail_server = MailServer::start(Behaviour::Takes);
    let server = Server::start_mailing_to(&mail_server);
    let done = mail(server.directory(), &["test", ANNA]);
    assert!(
        done.code == 0 && done.stdout.contains("250 2.0.0 angenommen als 4711"),
        "{done:?}"
    );
    mail_server.set_behaviour(Behaviour::Busy);
    mail(server.directory(), &["test", ANNA]).expect_refusal(1, &["421 4.3.2 gerade keine Zeit"]);
}

#[test]
fn the_outbox_is_shown_alike_with_and_without_a_server() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    assert!(mail(place.path(), &["outbox"]).stdout.contains("ist leer"));
    server.stranger().register(ANNA, "Anna").expect_status(200);
    let code = server.nth_mail(ANNA, 1).code();
    wait::until("the mail is out of the queue", || {
        (!mail(place.path(), &["outbox"]).stdout.contains("wartet seit")).then_some(())
    });
    let running = mail(place.path(), &["outbox"]);
    assert!(
        running.stdout.contains(&code) && running.stdout.contains(ANNA),
        "{running:?}"
    );
    // The log names the file's path.
    server.log_with(".eml");
    let for_programs = mail(place.path(), &["outbox", "--json"]);
    let mails: Value = serde_json::from_str(&for_programs.stdout).expect("JSON");
    assert_eq!(keys(&mails), ["outbox", "waiting"]);
    assert_eq!(keys(&mails["outbox"][0]), ["file", "subject", "text", "to"]);
    assert_eq!(mails["outbox"][0]["to"], ANNA);
    assert!(mails["outbox"][0]["text"].as_str().unwrap().contains(&code), "{mails}");
    let subject = mails["outbox"][0]["subject"].as_str().unwrap();
    assert!(!subject.contains("=?"), "{subject}");
    assert_eq!(mails["waiting"], json!([]));
    assert!(server.stop().success());
    assert_eq!(mail(place.path(), &["outbox", "--json"]).stdout, for_programs.stdout);
    assert_eq!(mail(place.path(), &["outbox"]).stdout, running.stdout);
    assert_eq!(mail(place.path(), &["outbox", "--all"]).stdout, running.stdout);
}

#[test]
fn an_unreachable_mail_server_is_a_german_error() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    let settings = "smtp.port = 1\nsmtp.encryption = \"tls\"\nsmtp.from = \"fluglog@example.org\"\n";
    for (host, why) in [("127.0.0.1", "niemand"), ("fluglog.invalid", "Namen")] {
        let text = format!("smtp.host = \"{host}\"\n{settings}");
        std::fs::write(place.path().join("fluglog.toml"), text).unwrap();
        let done = mail(place.path(), &["test", ANNA]);
        done.expect_refusal(1, &[ANNA, host, why]);
        assert!(!done.stderr.contains("error"), "{done:?}");
    }
}

#[test]
fn the_password_of_the_mail_server_is_shown_nowhere() {
    let place = temporary_directory();
    let file = place.path().join("secret");
    std::fs::write(&file, "Sehr-geheim-7\n").unwrap();
    let directory = place.path().join("data");
    let settings = [
        ("FLUGLOG_SMTP__HOST", "127.0.0.1"),
        ("FLUGLOG_SMTP__PORT", "1"),
        ("FLUGLOG_SMTP__USER", "fluglog@example.org"),
        ("FLUGLOG_SMTP__PASSWORD_FILE", text(&file)),
    ];
    let server = Server::start_in_with(&directory, &settings);
    server.add_user(ANNA, "Anna", PASSWORD);
    server.stranger().ask_for_login(ANNA);
    server.log_with("could not be sent");
    assert!(!server.log().contains("Sehr-geheim-7"));
    assert!(server.stop().success());
    for (path, content) in crate::cli::init::contents(&directory) {
        assert!(!content.windows(13).any(|part| part == b"Sehr-geheim-7"), "{path}");
    }
    let mut command = program();
    command.args(["user", "list", "--data-dir", text(&directory)]);
    command.envs(settings).env("FLUGLOG_SMTP__PASSWORD", "Doppelt-geheim-8");
    let done = finish(command, b"");
    done.expect_refusal(78, &["smtp.password"]);
    assert!(!done.stderr.contains("geheim-"), "{done:?}");
}

#[test]
fn a_mail_that_waits_says_since_when_and_why() {
    let mail_server = MailServer::start(Behaviour::Busy);
    let server = Server::start_mailing_to(&mail_server);
    server.stranger().register(ANNA, "Anna").expect_status(200);
    let waiting = wait::until("a failed attempt", || {
        let shown = mail(server.directory(), &["outbox", "--json"]);
        let mails: Value = serde_json::from_str(&shown.stdout).expect("JSON");
        (mails["waiting"][0]["attempts"] != 0).then(|| mails["waiting"][0].clone())
    });
    assert_eq!(keys(&waiting), ["attempts", "failure", "since", "to"]);
    assert_eq!(waiting["to"], ANNA);
    let (since, why) = (waiting["since"].as_str().unwrap(), waiting["failure"].as_str().unwrap());
    assert!(why.contains("421 4.3.2 gerade keine Zeit"), "{waiting}");
    let shown = mail(server.directory(), &["outbox"]).stdout;
    assert!(
        shown.contains(&format!("wartet seit {since}  an {ANNA}")) && shown.contains(why),
        "{shown}"
    );
}

#[test]
fn a_test_mail_goes_by_the_settings_as_they_are_now_and_says_when_the_server_has_others() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    let mail_server = MailServer::start(Behaviour::Takes);
    let settings = mail_server.settings();
    let settings: String = settings
        .iter()
        .map(|(name, value)| {
            let key = name.trim_start_matches("FLUGLOG_").to_lowercase().replace("__", ".");
            let value = if value.parse::<f64>().is_ok() {
                value.clone()
            } else {
                format!("{value:?}")
            };
            format!("{key} = {value}\n")
        })
        .collect();
    std::fs::write(directory.join("fluglog.toml"), settings).unwrap();
    let done = mail(&directory, &["test", ANNA]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("angenommen als 4711"), "{done:?}");
    assert!(done.stdout.contains("systemctl restart fluglog"), "{done:?}");
    assert_eq!(mail_server.wait_for(1)[0].to, ANNA);
    assert!(server.stop().success());
    let done = mail(&directory, &["test", ANNA]);
    assert!(done.code == 0 && !done.stdout.contains("restart"), "{done:?}");
}
