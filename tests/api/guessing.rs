//! Answers to password guessing, and the waiting times.

use crate::harness::answer::Answer;
use crate::harness::{PASSWORD, Pilot, Server};

const ANNA: &str = "anna@example.org";

/// A server with the user Anna, who isn't logged in.
fn server_with_anna() -> Server {
    let server = Server::start();
    server.add_user(ANNA, "Anna", PASSWORD);
    server
}

#[test]
fn wrong_password_and_unknown_e_mail_are_answered_alike() {
    let server = server_with_anna();
    let wrong = server.stranger().log_in(ANNA, "Rotorblatt-18").expect_status(401);
    let unknown = server
        .stranger()
        .log_in("nobody@example.org", PASSWORD)
        .expect_status(401);
    assert_eq!(wrong.text(), unknown.text());
    let names = |answer: &Answer| -> Vec<String> { answer.headers.iter().map(|(name, _)| name.clone()).collect() };
    assert_eq!(names(&wrong), names(&unknown));
    assert!(wrong.set_cookies().is_empty());
}

#[test]
fn the_sixth_try_after_five_failures_for_one_e_mail_has_to_wait() {
    let server = server_with_anna();
    server.add_user("ben@example.org", "Ben", PASSWORD);
    let logged_in = server.stranger();
    logged_in.log_in(ANNA, PASSWORD).expect_status(202);
    for _ in 0..5 {
        server.stranger().log_in(ANNA, "Rotorblatt-18").expect_status(401);
    }
    expect_to_wait(&server.stranger(), ANNA, PASSWORD);
    expect_to_wait(&server.stranger(), "ANNA@example.org", PASSWORD);
    server.stranger().log_in("ben@example.org", PASSWORD).expect_status(202);
    logged_in.check_session().expect_status(200);
}

#[test]
fn the_log_has_logins_and_failures_with_the_network_address_and_without_the_e_mail_address() {
    let server = server_with_anna();
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
    for _ in 0..6 {
        server.stranger().log_in(ANNA, "Rotorblatt-18");
    }
    let log = server.log_with("access refused: too many tries; user ");
    let lines = |part: &str| log.lines().filter(|line| line.contains(part)).count();
    assert_eq!(lines("from 127.0.0.1 by password"), 1, "{log}");
    assert_eq!(lines("access refused: wrong password; user "), 5, "{log}");
    assert_eq!(lines("access refused: too many tries; user "), 1, "{log}");
    assert!(!log.contains(ANNA) && !log.contains("Rotorblatt"), "{log}");
}

#[test]
fn tries_for_an_unknown_e_mail_are_counted_alike() {
    let server = Server::start();
    for _ in 0..5 {
        server
            .stranger()
            .log_in("nobody@example.org", PASSWORD)
            .expect_status(401);
    }
    expect_to_wait(&server.stranger(), "nobody@example.org", PASSWORD);
}

#[test]
fn a_success_forgives_the_failures_before() {
    let server = server_with_anna();
    for _ in 0..2 {
        for _ in 0..4 {
            server.stranger().log_in(ANNA, "Rotorblatt-18").expect_status(401);
        }
        server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
    }
}

#[test]
fn after_twenty_failures_an_address_has_to_wait_whatever_it_says_of_itself() {
    let server = server_with_anna();
    let pilot = server.stranger();
    for number in 0..20 {
        let email = format!("guess-{number}@example.org");
        let elsewhere = format!("203.0.113.{number}");
        pilot
            .ask("POST", "/app/api/Login")
            .header("X-Forwarded-For", &elsewhere)
            .header("X-Real-IP", &elsewhere)
            .header("Forwarded", &format!("for={elsewhere}"))
            .form(&[("email", &email), ("password", PASSWORD)])
            .send()
            .expect_status(401);
    }
    expect_to_wait(&pilot, ANNA, PASSWORD);
    expect_to_wait(&pilot, "guess-21@example.org", PASSWORD);
}

#[test]
fn guesses_made_at_once_count_as_many() {
    let server = server_with_anna();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..12)
            .map(|_| scope.spawn(|| server.stranger().log_in(ANNA, "Rotorblatt-18").status))
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let tried = statuses.iter().filter(|status| **status == 401).count();
    assert!(tried <= 5, "{statuses:?}");
    assert!(
        statuses.iter().all(|status| [401, 429].contains(status)),
        "{statuses:?}"
    );
}

#[track_caller]
fn expect_to_wait(pilot: &Pilot, email: &str, password: &str) {
    let answer = pilot.log_in(email, password).expect_status(429);
    let seconds: u64 = answer
        .header("retry-after")
        .unwrap_or_default()
        .parse()
        .expect("seconds in Retry-After");
    assert!((1..=15 * 60).contains(&seconds), "{seconds}");
    assert!(pilot.cookie("session").is_none());
}
