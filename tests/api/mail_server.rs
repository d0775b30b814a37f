//! Mails through a mail server in the test: the queue, its retries, and that failures don't delay answers.

use std::time::{Duration, Instant};

use crate::harness::mail::{Behaviour, MailServer};
use crate::harness::{Output, PASSWORD, Server, run_with_input, temporary_directory, text, wait};

const ANNA: &str = "anna@example.org";
/// Seconds after which a mail server that says nothing is given up.
const TIMEOUT_SECONDS: &str = "2";
/// The largest timeout that can be set; no answer takes as long on the busiest machine.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(25);

/// The settings of a mail server with another value of this one.
fn settings_with(mail_server: &MailServer, name: &'static str, value: &str) -> Vec<(&'static str, String)> {
    let mut settings = mail_server.settings();
    settings.retain(|(other, _)| *other != name);
    settings.push((name, value.to_owned()));
    settings
}

fn mail_outbox(server: &Server) -> Output {
    run_with_input(["mail", "outbox", "--data-dir", text(server.directory())], b"")
}

/// Waits until an attempt has failed, and returns its error.
fn failure(server: &Server) -> String {
    wait::until("a failed try", || {
        let shown = mail_outbox(server).stdout;
        shown.contains("Versuch").then_some(shown)
    })
}

#[test]
fn a_mail_goes_to_the_mail_server_and_lies_nowhere_else() {
    let mail_server = MailServer::start(Behaviour::Takes);
    let server = Server::start_mailing_to(&mail_server);
    server.stranger().register(ANNA, "Anna").expect_status(200);
    let mail = mail_server.wait_for(1).remove(0);
    assert_eq!(mail.to, ANNA);
    assert!(mail.raw.contains("From: Fluglog <fluglog@example.org>"), "{}", mail.raw);
    assert_eq!(mail.code().len(), 6);
    assert!(server.outbox().is_empty());
    wait::until("an empty queue", || {
        mail_outbox(&server).stdout.contains("ist leer").then_some(())
    });
}

#[test]
fn the_mailed_link_and_code_work() {
    let mail_server = MailServer::start(Behaviour::Takes);
    let server = Server::start_mailing_to(&mail_server);
    let pilot = server.stranger();
    pilot.register(ANNA, "Anna").expect_status(200);
    pilot.verify(&mail_server.wait_for(1)[0].code()).expect_status(201);
    let desktop = server.stranger();
    let number = desktop.ask_for_login(ANNA);
    let token = mail_server.wait_for(2)[1].token();
    server.stranger().confirm_login(&token, &number).expect_status(200);
    desktop.check_login_token(ANNA).expect_status(202);
}

#[test]
fn no_trouble_of_the_mail_server_delays_an_answer_or_loses_a_mail() {
    let troubles = [
        (Behaviour::Silent, "antwortet nicht"),
        (Behaviour::Refuses, "550 5.7.1 hier nicht"),
        (Behaviour::Busy, "421 4.3.2 gerade keine Zeit"),
        (Behaviour::HangsUp, "127.0.0.1"),
        (Behaviour::Slow, "antwortet nicht"),
        (Behaviour::Endless, "nimmt kein Ende"),
        (Behaviour::EndlessLine, "nimmt kein Ende"),
    ];
    std::thread::scope(|scope| {
        for (behaviour, word) in troubles {
            scope.spawn(move || expect_no_harm(behaviour, word));
        }
    });
}

/// Requests two mails during a failure, checks that it is reported, and that the mails arrive once it is over.
fn expect_no_harm(behaviour: Behaviour, word: &str) {
    let mail_server = MailServer::start(behaviour);
    let timeout = match behaviour {
        Behaviour::Silent | Behaviour::Slow => TIMEOUT_SECONDS,
        _ => "25",
    };
    let settings = settings_with(&mail_server, "FLUGLOG_SMTP__TIMEOUT_SECONDS", timeout);
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let server = Server::start_with(&settings);
    server.add_user(ANNA, "Anna", PASSWORD);
    let pilot = server.stranger();
    pilot.ask_for_login(ANNA);
    server.stranger().register("ben@example.org", "Ben").expect_status(200);
    let shown = failure(&server);
    assert!(shown.contains(word), "{behaviour:?}: {shown}");
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);

    mail_server.set_behaviour(Behaviour::Takes);
    wait::until("both mails", || {
        let mails = mail_server.mails();
        let is_there = |address: &str| mails.iter().any(|mail| mail.to == address);
        (is_there(ANNA) && is_there("ben@example.org")).then_some(())
    });
    assert!(server.stop().success(), "{behaviour:?}");
}

#[test]
fn no_answer_waits_for_a_mail_server_that_says_nothing_or_comes_too_slowly() {
    for behaviour in [Behaviour::Silent, Behaviour::Slow] {
        let mail_server = MailServer::start(behaviour);
        let server = Server::start_mailing_to(&mail_server);
        server.add_user(ANNA, "Anna", PASSWORD);
        let begun = Instant::now();
        server.stranger().ask_for_login(ANNA);
        server.stranger().register("ben@example.org", "Ben").expect_status(200);
        assert!(
            begun.elapsed() < LONGEST_TIMEOUT,
            "{behaviour:?}: {:?}",
            begun.elapsed()
        );
    }
}

#[test]
fn a_mail_that_waits_survives_a_restart() {
    let mail_server = MailServer::start(Behaviour::Busy);
    let settings = mail_server.settings();
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let place = temporary_directory();
    let first = Server::start_in_with(place.path(), &settings);
    let pilot = first.stranger();
    pilot.register(ANNA, "Anna").expect_status(200);
    failure(&first);
    let cookie = pilot.cookie("registration").unwrap();
    assert!(first.stop().success());
    mail_server.set_behaviour(Behaviour::Takes);
    assert!(mail_server.mails().is_empty());

    let second = Server::start_in_with(place.path(), &settings);
    let code = mail_server.wait_for(1)[0].code();
    let pilot = second.stranger();
    pilot.plant_cookie("registration", &cookie);
    pilot.verify(&code).expect_status(201);
}

#[test]
fn a_further_try_sends_the_same_code() {
    let mail_server = MailServer::start(Behaviour::Refuses);
    let server = Server::start_mailing_to(&mail_server);
    let pilot = server.stranger();
    pilot.register(ANNA, "Anna").expect_status(200);
    failure(&server);
    mail_server.set_behaviour(Behaviour::Takes);
    pilot.verify(&mail_server.wait_for(1)[0].code()).expect_status(201);
    assert_eq!(mail_server.mails().len(), 1);
    assert!(mail_server.connections() >= 2);
}

#[test]
fn a_mail_that_the_mail_server_took_but_did_not_confirm_is_sent_again_with_the_same_code() {
    let mail_server = MailServer::start(Behaviour::TakesUnconfirmed);
    let server = Server::start_mailing_to(&mail_server);
    let pilot = server.stranger();
    pilot.register(ANNA, "Anna").expect_status(200);
    let first = mail_server.wait_for(1)[0].code();
    mail_server.set_behaviour(Behaviour::Takes);
    for mail in mail_server.wait_for(2) {
        assert_eq!(mail.code(), first);
    }
    pilot.verify(&first).expect_status(201);
}

#[test]
fn a_cap_on_mails_holds_for_the_whole_server_and_leaves_room_for_logins_and_for_other_addresses() {
    let mail_server = MailServer::start(Behaviour::Takes);
    let mut settings = mail_server.settings();
    settings.push(("FLUGLOG_LIMITS__MAILS_PER_HOUR", "8".to_owned()));
    settings.push(("FLUGLOG_TRUSTED_PROXIES", "127.0.0.0/8".to_owned()));
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let server = Server::start_with(&settings);
    server.add_user(ANNA, "Anna", PASSWORD);
    let register_from = |address: &str, number: usize| {
        let email = format!("pilot-{number}@example.org");
        let browser = server.stranger();
        let question = browser.ask("POST", "/app/api/RegistrationAndVerification");
        let fields = [("email", email.as_str()), ("nickname", "Pilot")];
        question.header("X-Forwarded-For", address).form(&fields).send()
    };
    // A quarter of the codes for one address.
    for number in 0..2 {
        register_from("203.0.113.1", number).expect_status(200);
    }
    let refused = register_from("203.0.113.1", 2).expect_status(429);
    assert!(refused.header("retry-after").is_some());
    // Half of them for new registrations.
    for number in 3..7 {
        register_from(&format!("203.0.{number}.1"), number).expect_status(200);
    }
    mail_server.wait_for(4);
    server.stranger().ask_for_login(ANNA);
    let mails = mail_server.wait_for(5);
    assert_eq!(mails.iter().filter(|mail| mail.to == ANNA).count(), 1);
    wait::until("two codes that wait", || {
        let shown = mail_outbox(&server).stdout;
        (shown.matches("wartet seit").count() == 2 && !shown.contains(ANNA)).then_some(())
    });
    assert_eq!(mail_server.mails().len(), 5);
}

#[test]
fn two_networks_that_ask_for_all_codes_leave_one_for_a_third() {
    let mail_server = MailServer::start(Behaviour::Takes);
    let mut settings = mail_server.settings();
    settings.push(("FLUGLOG_LIMITS__MAILS_PER_HOUR", "20".to_owned()));
    settings.push(("FLUGLOG_TRUSTED_PROXIES", "127.0.0.0/8".to_owned()));
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let server = Server::start_with(&settings);
    let register_from = |address: &str, email: &str| {
        let browser = server.stranger();
        let question = browser.ask("POST", "/app/api/RegistrationAndVerification");
        let question = question.header("X-Forwarded-For", address);
        question.form(&[("email", email), ("nickname", "Pilot")]).send().status
    };
    for network in ["198.51.100", "203.0.113"] {
        // Each network has a quarter; with their neighbours they would exceed all codes.
        for number in 0..12 {
            let email = format!("{network}.{number}@example.org");
            let address = format!("{network}.{}", number / 5);
            assert_eq!(register_from(&address, &email), 200);
        }
    }
    assert_eq!(register_from("192.0.2.1", ANNA), 200);
    wait::until("the code of the third", || {
        let mails = mail_server.mails();
        mails.iter().any(|mail| mail.to == ANNA).then_some(())
    });
}

#[test]
fn an_unreachable_mail_server_delays_no_answer() {
    let mail_server = MailServer::start(Behaviour::Takes);
    let mut settings = settings_with(&mail_server, "FLUGLOG_SMTP__PORT", "1");
    settings.retain(|(name, _)| *name != "FLUGLOG_SMTP__RETRY_SECONDS");
    // The test doesn't wait as long.
    settings.push(("FLUGLOG_SMTP__RETRY_SECONDS", "300".to_owned()));
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let server = Server::start_with(&settings);
    server.stranger().register(ANNA, "Anna").expect_status(200);
    assert!(failure(&server).contains("keine Verbindung"));
}

#[test]
fn a_mail_server_without_a_public_address_is_warned_of() {
    let mail_server = MailServer::start(Behaviour::Takes);
    let mut settings = mail_server.settings();
    settings.retain(|(name, _)| *name != "FLUGLOG_PUBLIC_URL");
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let server = Server::start_with(&settings);
    server.log_with("public_url");
    assert!(!Server::start().log().contains("public_url"));
}
