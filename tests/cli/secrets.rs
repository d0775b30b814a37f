//! Passwords, tokens and session cookies appear neither on the disk nor in the log.

use std::path::Path;

use serde_json::json;

use crate::cli::init::contents;
use crate::harness::calls::COPTER;
use crate::harness::mail::{Behaviour, MailServer};
use crate::harness::{PASSWORD, Pilot, Server, temporary_directory};

const ANNA: &str = "anna@example.org";

/// Does one of everything that a pilot can do; returns all secrets involved.
fn use_everything(server: &Server) -> Vec<String> {
    let pilot = server.stranger();
    let wrong = "Falsches-Passwort-9";
    pilot.log_in(ANNA, wrong).expect_status(401);
    pilot.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    let mut secrets = vec![wrong.to_owned(), PASSWORD.to_owned()];
    remember(&pilot, &mut secrets);
    let copter = pilot.item(COPTER, "Falke");
    pilot.fly(&copter, &[], &json!({"flightTime": 5}));
    pilot.forget_cookie("session");
    pilot.check_session().expect_status(200);
    remember(&pilot, &mut secrets);
    let token = pilot.cookie("login").unwrap();
    pilot.get(&format!("/app/login?token={token}")).expect_status(200);
    pilot
        .get(&format!("/app/api/Nonsense?token={token}"))
        .expect_status(404);
    pilot.post("CheckSession", &[("token", &token)]).expect_status(200);
    remember(&pilot, &mut secrets);
    secrets
}

fn remember(pilot: &Pilot, secrets: &mut Vec<String>) {
    secrets.extend(
        ["session", "login", "device"]
            .iter()
            .filter_map(|name| pilot.cookie(name)),
    );
}

#[test]
fn no_secret_is_in_the_log_or_in_any_file() {
    let place = temporary_directory();
    let server = Server::start_in_with(place.path(), &[("FLUGLOG_LOG_LEVEL", "debug")]);
    server.add_user(ANNA, "Anna", PASSWORD);
    let secrets = use_everything(&server);
    assert!(secrets.len() >= 8, "{secrets:?}");
    let log = server.log();
    expect_none_in(&secrets, place.path());
    assert!(server.stop().success());
    expect_none_in(&secrets, place.path());
    for secret in &secrets {
        assert!(!log.contains(secret.as_str()), "{secret} is in the log:\n{log}");
    }
}

#[test]
fn no_code_link_or_cookie_of_a_mail_is_in_the_log_or_in_any_file() {
    let mail_server = MailServer::start(Behaviour::Busy);
    let settings = mail_server.settings();
    let mut settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    settings.push(("FLUGLOG_LOG_LEVEL", "debug"));
    let place = temporary_directory();
    let server = Server::start_in_with(place.path(), &settings);
    let pilot = server.stranger();
    pilot.register(ANNA, "Anna").expect_status(200);
    let mut secrets = vec![pilot.cookie("registration").unwrap()];
    // The secrets are looked for while the mail waits for a mail server, too.
    server.log_with("could not be sent");
    mail_server.set_behaviour(Behaviour::Takes);
    let code = mail_server.wait_for(1)[0].code();
    pilot.verify(&code).expect_status(201);
    secrets.push(code);

    let number = pilot.ask_for_login(ANNA);
    secrets.push(pilot.cookie("loginRequest").unwrap());
    let token = mail_server.wait_for(2)[1].token();
    server.stranger().confirm_login(&token, &number).expect_status(200);
    let answer = pilot.post("CheckLoginToken", &[("email", ANNA), ("rememberMe", "true")]);
    answer.expect_status(202);
    secrets.push(token);
    remember(&pilot, &mut secrets);
    let log = server.log();
    assert!(server.stop().success());
    expect_none_in(&secrets, place.path());
    for secret in &secrets {
        assert!(!log.contains(secret.as_str()), "{secret} is in the log:\n{log}");
    }
}

#[track_caller]
fn expect_none_in(secrets: &[String], directory: &Path) {
    for (file, content) in contents(directory) {
        for secret in secrets {
            let found = content.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} is in {file}");
        }
    }
}

#[test]
fn passwords_are_stored_as_argon2id() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    server.add_user(ANNA, "Anna", PASSWORD);
    assert!(server.stop().success());
    let database = std::fs::read(place.path().join("fluglog.redb")).unwrap();
    let text = String::from_utf8_lossy(&database);
    let hash = text
        .split("$argon2id$")
        .nth(1)
        .expect("an argon2id hash in the database");
    let parameters = hash.split('$').nth(1).unwrap_or_default();
    let value = |name: &str| {
        let part = parameters.split(',').find_map(|part| part.strip_prefix(name));
        part.and_then(|number| number.parse::<u32>().ok()).unwrap_or_default()
    };
    assert!(
        value("m=") >= 19_456 && value("t=") >= 2 && value("p=") >= 1,
        "{parameters}"
    );
}
