//! Registering, and the code in the mail.

use crate::harness::answer::SetCookie;
use crate::harness::calls::keys;
use crate::harness::{PASSWORD, Pilot, Server};

const ANNA: &str = "anna@example.org";
const TAKEN: &str = "Diese E-Mail-Adresse ist bereits registriert.";
const WRONG: &str = "Der Code ist falsch.";
const GONE: &str = "Der Code ist abgelaufen. Bitte registrieren Sie sich erneut.";

/// A browser that began registering Anna, and the code from her mail.
fn begun(server: &Server) -> (Pilot, String) {
    let pilot = server.stranger();
    pilot.register(ANNA, "Anna").expect_status(200);
    let code = server.nth_mail(ANNA, 1).code();
    (pilot, code)
}

/// Another code.
fn other_than(code: &str) -> &'static str {
    if code == "123456" { "654321" } else { "123456" }
}

#[test]
fn a_registration_mails_a_code_that_logs_in() {
    let server = Server::start();
    let pilot = server.stranger();
    let answer = pilot.register(" Anna@Example.org ", "Anna").expect_status(200);
    let cookie = answer.cookie("registration");
    assert!(
        cookie.has("HttpOnly") && cookie.has("SameSite=Strict") && cookie.has("Path=/"),
        "{cookie:?}"
    );
    assert!(cookie.value.len() >= 22, "at least 128 bits: {}", cookie.value);
    assert!(answer.body.is_empty());
    let mail = server.nth_mail("Anna@Example.org", 1);
    assert!(
        mail.text.contains("Guten Tag,") && mail.html.contains(&mail.code()),
        "{}",
        mail.raw
    );

    let answer = pilot.verify(&mail.code()).expect_status(201);
    assert_eq!(keys(&answer.json()), ["account", "nickname", "openFlight", "photo"]);
    assert_eq!(answer.json()["nickname"], "Anna");
    assert!(answer.cookie("registration").is_removal());
    assert!(answer.set_cookies().iter().all(|cookie| cookie.name != "login"));
    pilot.check_session().expect_status(200);
    let user = pilot.post_empty("GetDetailedUser").expect_status(200).json();
    assert_eq!(user["email"], "Anna@Example.org");
}

#[test]
fn who_registers_may_stay_logged_in() {
    let server = Server::start();
    let (pilot, code) = begun(&server);
    let fields = [("code", code.as_str()), ("rememberMe", "true")];
    let answer = pilot.post("Verification", &fields).expect_status(201);
    let cookie = answer.cookie("login");
    assert!(cookie.has("HttpOnly") && cookie.has("SameSite=Strict"), "{cookie:?}");
    pilot.forget_cookie("session");
    assert_eq!(pilot.check_session().expect_status(200).json()["remembered"], true);
}

#[test]
fn a_registered_pilot_has_no_password_yet_and_no_second_account() {
    let server = Server::start();
    let (pilot, code) = begun(&server);
    pilot.verify(&code).expect_status(201);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(401);
    server.stranger().log_in(ANNA, &code).expect_status(401);
    server
        .stranger()
        .register("ANNA@example.org", "Zweite")
        .expect_refusal(409, TAKEN);
    assert_eq!(server.outbox().len(), 1);
}

#[test]
fn an_address_or_nickname_that_is_none_is_refused_and_nobody_is_written_to() {
    let server = Server::start();
    let long = "x".repeat(201);
    let endless = format!("{}@example.org", "a".repeat(10_000));
    let refused = [
        (ANNA, "", "nickname"),
        (ANNA, "   ", "nickname"),
        (ANNA, long.as_str(), "nickname"),
        (ANNA, "a\nb", "nickname"),
        ("", "Anna", "email"),
        ("anna", "Anna", "email"),
        ("anna@example", "Anna", "email"),
        ("anna@example.org,ben@example.org", "Anna", "email"),
        ("anna@example.org\r\nBcc: ben@example.org", "Anna", "email"),
        ("<anna@example.org>", "Anna", "email"),
        ("anna@@example.org", "Anna", "email"),
        ("anna@exa mple.org", "Anna", "email"),
        ("anna@-example.org", "Anna", "email"),
        (endless.as_str(), "Anna", "email"),
    ];
    for (email, nickname, field) in refused {
        let answer = server.stranger().register(email, nickname).expect_status(400);
        assert_eq!(answer.header("x-field"), Some(field), "{email:?} {nickname:?}");
        assert!(answer.set_cookies().is_empty());
    }
    assert!(server.outbox().is_empty());
}

#[test]
fn five_wrong_codes_are_too_many_from_wherever_they_come() {
    let server = Server::start();
    let (pilot, code) = begun(&server);
    pilot.verify("").expect_refusal(400, "Bitte geben Sie den Code ein.");
    for _ in 0..5 {
        pilot.another_tab().verify(other_than(&code)).expect_refusal(400, WRONG);
    }
    pilot.verify(&code).expect_refusal(410, GONE);
    pilot.check_session().expect_not_logged_in();
}

#[test]
fn a_used_up_code_is_replaced_at_once_but_not_for_ever() {
    let server = Server::start();
    let pilot = server.stranger();
    for nth in 1..=4 {
        pilot.register(ANNA, "Anna").expect_status(200);
        let code = server.nth_mail(ANNA, nth).code();
        for _ in 0..5 {
            pilot.verify(other_than(&code)).expect_refusal(400, WRONG);
        }
        pilot.verify(&code).expect_refusal(410, GONE);
    }
    pilot.register(ANNA, "Anna").expect_status(200);
    // A mail sent later has arrived, so the fifth code was withheld.
    server.stranger().register("ben@example.org", "Ben").expect_status(200);
    server.nth_mail("ben@example.org", 1);
    assert_eq!(server.outbox().len(), 5);
}

#[test]
fn fifty_guesses_at_once_count_as_fifty() {
    let server = Server::start();
    let (pilot, code) = begun(&server);
    let wrong = other_than(&code);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..50)
            .map(|_| scope.spawn(|| pilot.another_tab().verify(wrong).status))
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let looked_at = statuses.iter().filter(|status| **status == 400).count();
    assert!(looked_at <= 5, "{statuses:?}");
    assert!(
        statuses.iter().all(|status| [400, 410, 503].contains(status)),
        "{statuses:?}"
    );
    pilot.verify(&code).expect_refusal(410, GONE);
}

#[test]
fn a_code_works_once() {
    let server = Server::start();
    let (pilot, code) = begun(&server);
    let tab = pilot.another_tab();
    pilot.verify(&code).expect_status(201);
    tab.verify(&code).expect_refusal(410, GONE);
    tab.check_session().expect_not_logged_in();
}

#[test]
fn a_code_used_twice_at_once_makes_one_user() {
    let server = Server::start();
    let (pilot, code) = begun(&server);
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| pilot.another_tab().verify(&code).status))
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses[0], 201, "{statuses:?}");
    assert!(
        statuses[1..].iter().all(|status| [409, 410].contains(status)),
        "{statuses:?}"
    );
}

#[test]
fn the_code_is_good_only_in_the_browser_that_registered() {
    let server = Server::start();
    let (victim, code) = begun(&server);
    let stranger = server.stranger();
    stranger.verify(&code).expect_refusal(410, GONE);
    stranger.register(ANNA, "Fremder").expect_status(200);
    stranger.verify(&code).expect_refusal(400, WRONG);
    stranger.check_session().expect_not_logged_in();
    victim.verify(&code).expect_status(201);
    assert_eq!(victim.check_session().json()["nickname"], "Anna");
    stranger.verify(&code).expect_status(400);
}

#[test]
fn an_address_that_an_admin_adds_in_between_stays_with_its_user() {
    let server = Server::start();
    let (pilot, code) = begun(&server);
    server.add_user(ANNA, "Echte", PASSWORD);
    pilot.verify(&code).expect_refusal(409, TAKEN);
    pilot.check_session().expect_not_logged_in();
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_hundred_registrations_of_one_address_are_answered_alike_and_bring_one_mail() {
    let server = Server::start();
    let pilot = server.stranger();
    for _ in 0..50 {
        let answer = pilot.register(ANNA, "Anna").expect_status(200);
        assert!(!answer.cookie("registration").is_removal());
    }
    for _ in 0..50 {
        server.stranger().register(ANNA, "Anna").expect_status(200);
    }
    let code = server.nth_mail(ANNA, 1).code();
    assert_eq!(server.outbox().len(), 1);
    pilot.verify(&code).expect_status(201);
}

#[test]
fn beginning_to_register_doesn_t_log_in() {
    let server = Server::start();
    let (pilot, _) = begun(&server);
    pilot.check_session().expect_not_logged_in();
    for call in [
        "GetDetailedUser",
        "GetFlights",
        "GetStatistics",
        "LogOutFromEveryDevice",
    ] {
        pilot.post_empty(call).expect_not_logged_in();
    }
    let cookie = pilot.cookie("registration").unwrap();
    pilot.plant_cookie("session", &cookie);
    pilot.check_session().expect_not_logged_in();
}

#[test]
fn a_session_planted_before_a_registration_is_not_adopted() {
    let server = Server::start();
    let (pilot, code) = begun(&server);
    pilot.plant_cookie("session", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    let answer = pilot.verify(&code).expect_status(201);
    assert_ne!(
        answer.cookie("session").value,
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    );
}

#[test]
fn a_closed_server_registers_nobody() {
    let server = Server::start_with(&[("FLUGLOG_REGISTRATION", "closed")]);
    let answer = server.stranger().register(ANNA, "Anna").expect_status(403);
    assert!(answer.text().contains("geschlossen"), "{}", answer.text());
    assert!(answer.set_cookies().iter().all(SetCookie::is_removal));
    server.stranger().register("", "").expect_status(403);
}

#[test]
fn the_mail_with_the_code_says_nothing_that_a_stranger_wrote() {
    let server = Server::start();
    for (at, nickname) in [
        "Gewinn https://evil.example",
        "WWW.evil.example",
        "evil.example",
        "\"><script>alert(1)</script>",
    ]
    .into_iter()
    .enumerate()
    {
        let email = format!("pilot-{at}@example.org");
        server.stranger().register(&email, nickname).expect_status(200);
        let mail = server.nth_mail(&email, 1);
        for part in [&mail.text, &mail.html] {
            assert!(!part.contains("evil") && !part.contains("alert"), "{part}");
        }
        assert_eq!(mail.code().len(), 6);
    }
}

#[test]
fn a_nickname_is_one_line_of_at_most_50_characters() {
    let server = Server::start();
    for wrong in [&"ä".repeat(51), "eins\u{2028}zwei", "eins\u{2029}zwei", "eins\nzwei"] {
        let answer = server.stranger().register(ANNA, wrong).expect_status(400);
        assert_eq!(answer.header("x-field"), Some("nickname"), "{wrong:?}");
    }
    server.stranger().register(ANNA, &"ä".repeat(50)).expect_status(200);
}

#[test]
fn a_registration_outlives_the_server_that_began_it() {
    let owned = crate::harness::temporary_directory();
    let first = Server::start_in(owned.path());
    let (pilot, code) = begun(&first);
    let cookie = pilot.cookie("registration").unwrap();
    assert!(first.stop().success());
    let second = Server::start_in(owned.path());
    let pilot = second.stranger();
    pilot.plant_cookie("registration", &cookie);
    pilot.verify(&code).expect_status(201);
}
