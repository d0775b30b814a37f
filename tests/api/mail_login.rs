//! Logging in by mail: a browser asks, its user confirms, and only that browser gets logged in.

use serde_json::json;

use crate::harness::calls::keys;
use crate::harness::{Output, PASSWORD, Pilot, Server, run_with_input, text, wait};

const ANNA: &str = "anna@example.org";
const LOGIN_GONE: &str = "Die Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.";
const COOKIE_NOT_KEPT: &str = "Ihr Browser hat das Cookie nicht gespeichert, das zu dieser Anmeldung gehört. Erlauben \
    Sie Cookies für diese Seite, und melden Sie sich noch einmal an.";
const LINK_GONE: &str = "Dieser Link ist abgelaufen oder wurde schon benutzt.";
const WRONG: &str = "Die Zahl stimmt nicht mit der überein, die der wartende Browser zeigt.";

/// A server with the user Anna and short waiting times.
fn server_with_anna() -> Server {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS", "0.2")]);
    server.add_user(ANNA, "Anna", PASSWORD);
    server
}

/// A browser that asked for a login, the number that it shows, and the token from Anna's mail.
fn asked(server: &Server) -> (Pilot, String, String) {
    let pilot = server.stranger();
    let number = pilot.ask_for_login(ANNA);
    let token = server.nth_mail(ANNA, 1).token();
    (pilot, number, token)
}

/// Another number.
fn other_than(number: &str) -> &'static str {
    if number == "11" { "22" } else { "11" }
}

fn admin(server: &Server, arguments: &[&str]) -> Output {
    let place = ["--data-dir", text(server.directory())];
    let done = run_with_input([arguments, &place].concat(), b"Neues-Passwort-1\n");
    assert_eq!(done.code, 0, "{done:?}");
    done
}

#[test]
fn a_confirmation_with_the_number_logs_in_the_asking_browser() {
    let server = server_with_anna();
    let pilot = server.stranger();
    let answer = pilot.post("Login", &[("email", ANNA)]).expect_status(200);
    assert_eq!(keys(&answer.json()), ["number"]);
    let number = answer.json()["number"].as_str().unwrap().to_owned();
    assert!(
        number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit()),
        "{number}"
    );
    let cookie = answer.cookie("loginRequest");
    assert!(
        cookie.has("HttpOnly") && cookie.has("SameSite=Strict") && cookie.has("Path=/"),
        "{cookie:?}"
    );

    assert!(pilot.check_login_token(ANNA).expect_status(204).body.is_empty());
    let mail = server.nth_mail(ANNA, 1);
    assert!(!mail.raw.contains(&cookie.value));
    let phone = server.stranger();
    let asked = phone
        .post("GetLoginRequest", &[("token", &mail.token())])
        .expect_status(200)
        .json();
    assert_eq!(keys(&asked), ["admin", "browser", "from", "time"]);
    phone.confirm_login(&mail.token(), &number).expect_status(200);
    assert!(
        phone.cookie("session").is_none(),
        "the one who opens the link isn't logged in"
    );

    let answer = pilot.check_login_token(ANNA).expect_status(202);
    let user = answer.json();
    assert_eq!(
        user,
        json!({"account": user["account"], "nickname": "Anna", "photo": "", "openFlight": null, "token": ""})
    );
    assert!(answer.cookie("loginRequest").is_removal());
    pilot.check_session().expect_status(200);
    pilot.forget_cookie("loginRequest");
    pilot.plant_cookie("loginRequest", &cookie.value);
    pilot.check_login_token(ANNA).expect_refusal(410, LOGIN_GONE);
}

#[test]
fn a_waiting_browser_that_kept_no_cookie_gets_an_error_and_no_further_mail() {
    let server = server_with_anna();
    let (pilot, number, _) = asked(&server);
    pilot.forget_cookie("loginRequest");
    let answer = pilot
        .post("CheckLoginToken", &[("email", ANNA), ("number", &number)])
        .expect_refusal(400, COOKIE_NOT_KEPT);
    assert!(answer.set_cookies().is_empty(), "no request was made");
}

#[test]
fn with_remember_me_the_login_stays() {
    let server = server_with_anna();
    let (pilot, number, token) = asked(&server);
    server.stranger().confirm_login(&token, &number).expect_status(200);
    let answer = pilot
        .post("CheckLoginToken", &[("email", ANNA), ("rememberMe", "true")])
        .expect_status(202);
    assert_eq!(answer.json()["token"], answer.cookie("login").value.as_str());
    pilot.forget_cookie("session");
    pilot.check_session().expect_status(200);
}

#[test]
fn a_browser_that_waits_learns_of_the_confirmation_at_once() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS", "15")]);
    server.add_user(ANNA, "Anna", PASSWORD);
    let (pilot, number, token) = asked(&server);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| pilot.check_login_token(ANNA));
        server.stranger().confirm_login(&token, &number).expect_status(200);
        waiting.join().unwrap().expect_status(202);
    });
}

#[test]
fn many_browsers_that_wait_hold_up_nobody_and_end_with_the_server() {
    let mut server = Server::start_with(&[
        ("FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS", "25"),
        ("FLUGLOG_LIMITS__CONNECTIONS_PER_ADDRESS", "100"),
        ("FLUGLOG_METRICS_LISTEN", "127.0.0.1:0"),
    ]);
    server.add_user(ANNA, "Anna", PASSWORD);
    let browsers: Vec<_> = (0..80).map(|_| server.stranger()).collect();
    for browser in &browsers {
        browser.ask_for_login(ANNA);
    }
    std::thread::scope(|scope| {
        let waiting: Vec<_> = browsers
            .iter()
            .map(|browser| scope.spawn(|| browser.check_login_token(ANNA)))
            .collect();
        // More than the number of blocking threads.
        wait::until("80 requests that wait", || {
            let (_, metrics) = server.ask_monitor("GET /metrics");
            metrics.contains("\nfluglog_requests_in_flight 80\n").then_some(())
        });
        let begun = std::time::Instant::now();
        server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
        server.ask_to_end();
        for one in waiting {
            one.join().unwrap().expect_status(204);
        }
        assert!(begun.elapsed().as_secs() < 20, "they waited to the end");
    });
    assert!(server.wait_for_end().success());
}

#[test]
fn known_and_unknown_addresses_are_answered_alike() {
    let server = server_with_anna();
    let known = server.stranger().post("Login", &[("email", ANNA)]).expect_status(200);
    let unknown = server
        .stranger()
        .post("Login", &[("email", "nobody@example.org")])
        .expect_status(200);
    assert_eq!(known.body.len(), unknown.body.len());
    let names = |answer: &crate::harness::answer::Answer| -> Vec<String> {
        answer.headers.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&known), names(&unknown));
    let stranger = server.stranger();
    stranger.ask_for_login("nobody@example.org");
    stranger.check_login_token("nobody@example.org").expect_status(204);
    server.nth_mail(ANNA, 1);
    assert_eq!(server.outbox().len(), 1, "nobody wasn't written to");
}

#[test]
fn a_disabled_user_gets_no_mail_and_the_answer_is_the_same() {
    let server = server_with_anna();
    admin(&server, &["user", "disable", ANNA]);
    let pilot = server.stranger();
    pilot.ask_for_login(ANNA);
    pilot.check_login_token(ANNA).expect_status(204);
    assert!(server.outbox().is_empty());
}

#[test]
fn a_hundred_requests_for_one_address_are_answered_alike_and_bring_one_mail() {
    let server = server_with_anna();
    let lengths: std::collections::BTreeSet<_> = (0..100)
        .map(|_| {
            server
                .stranger()
                .post("Login", &[("email", ANNA)])
                .expect_status(200)
                .body
                .len()
        })
        .collect();
    assert_eq!(lengths.len(), 1);
    server.nth_mail(ANNA, 1);
    assert_eq!(server.outbox().len(), 1);
}

#[test]
fn too_many_requests_for_a_login_have_to_wait() {
    let server = server_with_anna();
    let pilot = server.stranger();
    let refused = (0..250).find_map(|number| {
        let answer = pilot.post("Login", &[("email", &format!("guess-{number}@example.org"))]);
        (answer.status != 200).then_some(answer)
    });
    let refused = refused.expect("a limit").expect_status(429);
    assert!(refused.header("retry-after").is_some());
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_browser_that_asks_again_keeps_its_number_under_a_new_cookie() {
    let server = server_with_anna();
    let (pilot, number, token) = asked(&server);
    let old = pilot.another_tab();
    assert_eq!(pilot.ask_for_login("Anna@Example.org"), number);
    assert_ne!(pilot.cookie("loginRequest"), old.cookie("loginRequest"));
    server.stranger().confirm_login(&token, &number).expect_status(200);
    old.check_login_token(ANNA).expect_refusal(410, LOGIN_GONE);
    pilot.check_login_token(ANNA).expect_status(202);
}

#[test]
fn a_request_that_somebody_planted_logs_only_its_victim_in() {
    let server = server_with_anna();
    let (thief, _, _) = asked(&server);
    let victim = server.stranger();
    victim.plant_cookie("loginRequest", &thief.cookie("loginRequest").unwrap());
    let number = victim.ask_for_login(ANNA);
    let token = server.nth_mail(ANNA, 1).token();
    server.stranger().confirm_login(&token, &number).expect_status(200);
    thief.check_login_token(ANNA).expect_refusal(410, LOGIN_GONE);
    victim.check_login_token(ANNA).expect_status(202);
}

#[test]
fn requests_that_wait_for_one_address_have_different_numbers() {
    let server = server_with_anna();
    for email in [ANNA, "nobody@example.org"] {
        let numbers: std::collections::BTreeSet<_> = (0..60).map(|_| server.stranger().ask_for_login(email)).collect();
        assert_eq!(numbers.len(), 60, "{email}");
    }
}

#[test]
fn of_many_requests_from_one_address_five_are_mailed_and_no_later_one_takes_the_place_of_an_earlier() {
    let server = Server::start_with(&[("FLUGLOG_TRUSTED_PROXIES", "127.0.0.0/8")]);
    let ask_from = |address: &str, email: &str| {
        let stranger = server.stranger();
        let question = stranger
            .ask("POST", "/app/api/Login")
            .header("X-Forwarded-For", address);
        question.form(&[("email", email)]).send().expect_status(200);
    };
    let ben = "ben@example.org";
    for (email, name) in [(ANNA, "Anna"), (ben, "Ben")] {
        server.add_user(email, name, PASSWORD);
    }
    for number in 0..12 {
        ask_from("203.0.113.7", ANNA);
        // A household has all addresses of its IPv6 network.
        ask_from(&format!("2001:db8:1:2:{number:x}::1"), ben);
    }
    for email in [ANNA, ben] {
        server.nth_mail(email, 1);
    }
    let waiting = |email: &str| {
        let shown = admin_output(&server, &["mail", "outbox"]);
        let waiting = shown.lines().filter(|line| line.contains("wartet seit"));
        waiting.filter(|line| line.contains(email)).count()
    };
    wait::until("four mails each that wait for their turn", || {
        ([ANNA, ben].map(waiting) == [4, 4]).then_some(())
    });
    ask_from("2001:db8:1:3::1", ben);
    wait::until("that of another network", || (waiting(ben) == 5).then_some(()));
}

fn admin_output(server: &Server, arguments: &[&str]) -> String {
    admin(server, arguments).stdout
}

#[test]
fn a_login_check_without_a_request_begins_one() {
    let server = server_with_anna();
    let pilot = server.stranger();
    let answer = pilot.check_login_token(ANNA).expect_status(204);
    assert!(!answer.cookie("loginRequest").is_removal());
    let token = server.nth_mail(ANNA, 1).token();
    let number = pilot.ask_for_login(ANNA);
    server.stranger().confirm_login(&token, &number).expect_status(200);
    pilot.check_login_token(ANNA).expect_status(202);
}

#[test]
fn only_the_browser_that_asked_is_logged_in() {
    let server = server_with_anna();
    let (pilot, number, token) = asked(&server);
    let other = server.stranger();
    other.ask_for_login(ANNA);
    let made_up = server.stranger();
    made_up.plant_cookie("loginRequest", &token);
    server.stranger().confirm_login(&token, &number).expect_status(200);
    other.check_login_token(ANNA).expect_status(204);
    made_up.check_login_token(ANNA).expect_refusal(410, LOGIN_GONE);
    pilot
        .another_tab()
        .check_login_token("ben@example.org")
        .expect_refusal(410, LOGIN_GONE);
    pilot.check_login_token(ANNA).expect_status(202);
}

#[test]
fn asking_for_a_login_doesn_t_log_in() {
    let server = server_with_anna();
    let (pilot, _, token) = asked(&server);
    for call in [
        "GetDetailedUser",
        "GetFlights",
        "GetStatistics",
        "LogOutFromEveryDevice",
    ] {
        pilot.post_empty(call).expect_not_logged_in();
    }
    for secret in [token, pilot.cookie("loginRequest").unwrap()] {
        let thief = server.stranger();
        thief.plant_cookie("session", &secret);
        thief.plant_cookie("login", &secret);
        thief.check_session().expect_not_logged_in();
    }
}

#[test]
fn three_wrong_numbers_kill_the_request() {
    let server = server_with_anna();
    let (pilot, number, token) = asked(&server);
    let reader = server.stranger();
    reader
        .post("ConfirmLogin", &[("token", &token)])
        .expect_refusal(400, "Bitte geben Sie die Zahl ein, die der wartende Browser zeigt.");
    for _ in 0..3 {
        let answer = reader
            .confirm_login(&token, other_than(&number))
            .expect_refusal(400, WRONG);
        assert_eq!(answer.header("x-field"), Some("number"));
    }
    reader.confirm_login(&token, &number).expect_refusal(410, LINK_GONE);
    reader
        .post("GetLoginRequest", &[("token", &token)])
        .expect_refusal(410, LINK_GONE);
    pilot.check_login_token(ANNA).expect_refusal(410, LOGIN_GONE);
}

#[test]
fn numbers_guessed_at_once_count_as_many() {
    let server = server_with_anna();
    let (_, number, token) = asked(&server);
    let wrong = other_than(&number);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..20)
            .map(|_| scope.spawn(|| server.stranger().confirm_login(&token, wrong).status))
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(
        statuses.iter().filter(|status| **status == 400).count(),
        3,
        "{statuses:?}"
    );
    server.stranger().confirm_login(&token, &number).expect_status(410);
}

#[test]
fn a_login_is_confirmed_once_however_many_do_it_at_once() {
    let server = server_with_anna();
    let (pilot, number, token) = asked(&server);
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| server.stranger().confirm_login(&token, &number).status))
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 410, 410, 410, 410, 410]);
    let mut claims: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| pilot.another_tab().check_login_token(ANNA).status))
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    claims.sort_unstable();
    assert_eq!(claims, [202, 410, 410, 410]);
}

#[test]
fn a_number_of_another_request_confirms_nothing() {
    let server = server_with_anna();
    server.add_user("ben@example.org", "Ben", PASSWORD);
    let (_, number, token) = asked(&server);
    let ben = server.stranger();
    let his = std::iter::repeat_with(|| {
        ben.forget_cookie("loginRequest");
        ben.ask_for_login("ben@example.org")
    })
    .find(|his| *his != number)
    .unwrap();
    server.stranger().confirm_login(&token, &his).expect_refusal(400, WRONG);
}

#[test]
fn unknown_and_missing_tokens_are_answered_alike() {
    let server = Server::start();
    let pilot = server.stranger();
    for token in ["x", "ä", "../../etc", &"0".repeat(64)] {
        pilot
            .post("GetLoginRequest", &[("token", token)])
            .expect_refusal(410, LINK_GONE);
        pilot.confirm_login(token, "11").expect_refusal(410, LINK_GONE);
    }
    pilot.post_empty("GetLoginRequest").expect_status(400);
    pilot.post("ConfirmLogin", &[("number", "11")]).expect_status(400);
    pilot.post_empty("CheckLoginToken").expect_status(400);
    pilot.post("CheckLoginToken", &[("email", "anna")]).expect_status(400);
    pilot.post("Login", &[("email", "anna")]).expect_status(400);
}

#[test]
fn a_password_still_counts_beside_a_request() {
    let server = server_with_anna();
    let (pilot, ..) = asked(&server);
    pilot.log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn every_way_to_log_a_user_out_ends_the_waiting_login() {
    for command in [
        &["user", "set-password", ANNA, "--password-stdin"][..],
        &["user", "logout", ANNA],
        &["user", "disable", ANNA],
    ] {
        let server = server_with_anna();
        let (pilot, number, token) = asked(&server);
        server.stranger().confirm_login(&token, &number).expect_status(200);
        admin(&server, command);
        pilot.check_login_token(ANNA).expect_refusal(410, LOGIN_GONE);
        pilot.check_session().expect_not_logged_in();
    }
}

#[test]
fn a_hundred_wrong_passwords_leave_the_login_by_mail_open() {
    let server = server_with_anna();
    for _ in 0..30 {
        server.stranger().log_in(ANNA, "Rotorblatt-18");
    }
    let (pilot, number, token) = asked(&server);
    server.stranger().confirm_login(&token, &number).expect_status(200);
    pilot.check_login_token(ANNA).expect_status(202);
}

#[test]
fn a_request_outlives_the_server_that_took_it() {
    let owned = crate::harness::temporary_directory();
    let first = Server::start_in(owned.path());
    first.add_user(ANNA, "Anna", PASSWORD);
    let (pilot, number, token) = asked(&first);
    let cookie = pilot.cookie("loginRequest").unwrap();
    assert!(first.stop().success());
    let second = Server::start_in(owned.path());
    second.stranger().confirm_login(&token, &number).expect_status(200);
    let pilot = second.stranger();
    pilot.plant_cookie("loginRequest", &cookie);
    pilot.check_login_token(ANNA).expect_status(202);
}
