//! A browser that its pilot has used before: whatever strangers try with the pilot's address, it can log in.

use crate::harness::answer::Answer;
use crate::harness::{PASSWORD, Pilot, Server, run_with_input, text};

const ANNA: &str = "anna@example.org";
const WRONG: &str = "Rotorblatt-18";
/// The tests' own address acts as a proxy, which can set the client's address of each request.
const PROXY: (&str, &str) = ("FLUGLOG_TRUSTED_PROXIES", "127.0.0.0/8");
const SHORT_WAIT: (&str, &str) = ("FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS", "0.2");

fn server_with_anna() -> Server {
    let server = Server::start_with(&[PROXY, SHORT_WAIT]);
    server.add_user(ANNA, "Anna", PASSWORD);
    server
}

/// A browser that Anna has logged in and out with.
fn known(server: &Server) -> Pilot {
    let browser = server.stranger();
    browser.log_in(ANNA, PASSWORD).expect_status(202);
    browser.post_empty("Logout").expect_status(200);
    browser
}

fn ask_from(browser: &Pilot, address: &str, call: &str, fields: &[(&str, &str)]) -> Answer {
    let question = browser.ask("POST", &format!("/app/api/{call}"));
    question.header("X-Forwarded-For", address).form(fields).send()
}

#[test]
fn wrong_passwords_of_strangers_never_keep_a_known_browser_out() {
    let server = server_with_anna();
    let browser = known(&server);
    for _ in 0..25 {
        server.stranger().log_in(ANNA, WRONG);
    }
    server.stranger().log_in(ANNA, PASSWORD).expect_status(429);
    browser.log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_known_browser_has_as_many_tries_as_any_and_they_are_its_own() {
    let server = server_with_anna();
    let (browser, other) = (known(&server), known(&server));
    for _ in 0..5 {
        browser.log_in(ANNA, WRONG).expect_status(401);
    }
    browser.log_in(ANNA, PASSWORD).expect_status(429);
    other.log_in(ANNA, PASSWORD).expect_status(202);
    // A success resets the failures before.
    for _ in 0..2 {
        for _ in 0..4 {
            other.log_in(ANNA, WRONG).expect_status(401);
        }
        other.log_in(ANNA, PASSWORD).expect_status(202);
    }
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_browser_is_known_to_the_pilot_who_used_it_and_to_nobody_else() {
    let server = server_with_anna();
    server.add_user("ben@example.org", "Ben", PASSWORD);
    let browser = known(&server);
    for _ in 0..5 {
        server.stranger().log_in("ben@example.org", WRONG).expect_status(401);
    }
    browser.log_in("ben@example.org", PASSWORD).expect_status(429);
}

#[test]
fn a_browser_stays_known_to_each_of_its_pilots() {
    let server = server_with_anna();
    server.add_user("ben@example.org", "Ben", PASSWORD);
    let browser = known(&server);
    let anna_s = browser.cookie("device").unwrap();
    browser.log_in("ben@example.org", PASSWORD).expect_status(202);
    assert_ne!(
        browser.cookie("device").unwrap(),
        anna_s,
        "Ben doesn't know it: it may be planted"
    );
    for email in [ANNA, "ben@example.org"] {
        for _ in 0..5 {
            server.stranger().log_in(email, WRONG).expect_status(401);
        }
        browser.log_in(email, PASSWORD).expect_status(202);
    }
}

#[test]
fn a_cookie_that_somebody_copied_stays_its_owner_s_when_he_logs_in_with_it() {
    let server = server_with_anna();
    server.add_user("ben@example.org", "Ben", PASSWORD);
    let browser = known(&server);
    let copied = server.stranger();
    copied.plant_cookie("device", &browser.cookie("device").unwrap());
    copied.log_in("ben@example.org", PASSWORD).expect_status(202);
    for _ in 0..5 {
        server.stranger().log_in(ANNA, WRONG).expect_status(401);
    }
    browser.log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_planted_cookie_gives_whoever_planted_it_nothing_and_takes_nothing_from_others() {
    let server = server_with_anna();
    for (email, name) in [("ben@example.org", "Ben"), ("carl@example.org", "Carl")] {
        server.add_user(email, name, PASSWORD);
    }
    let carl_s = server.stranger();
    carl_s.log_in("carl@example.org", PASSWORD).expect_status(202);
    let mallory_s = known(&server);
    let planted = mallory_s.cookie("device").unwrap();
    let ben_s = server.stranger();
    ben_s.plant_cookie("device", &planted);
    ben_s.log_in("ben@example.org", PASSWORD).expect_status(202);
    assert_ne!(ben_s.cookie("device").unwrap(), planted);
    for email in ["ben@example.org", "carl@example.org"] {
        for _ in 0..5 {
            server.stranger().log_in(email, WRONG).expect_status(401);
        }
    }
    mallory_s.log_in("ben@example.org", PASSWORD).expect_status(429);
    ben_s.log_in("ben@example.org", PASSWORD).expect_status(202);
    carl_s.log_in("carl@example.org", PASSWORD).expect_status(202);
    // A made-up cookie is recorded for nobody.
    let made_up = server.stranger();
    made_up.plant_cookie("device", "made-up");
    made_up.log_in(ANNA, PASSWORD).expect_status(202);
    assert_ne!(made_up.cookie("device").as_deref(), Some("made-up"));
}

#[test]
fn the_cookie_of_a_browser_lasts_400_days_and_is_renewed_while_it_is_used() {
    let server = server_with_anna();
    let browser = server.stranger();
    let cookie = browser.log_in(ANNA, PASSWORD).expect_status(202).cookie("device");
    assert!(
        cookie.has("HttpOnly") && cookie.has("SameSite=Strict") && cookie.has("Path=/"),
        "{cookie:?}"
    );
    assert_eq!(cookie.max_age(), Some(400 * 24 * 60 * 60));
    assert!(cookie.value.len() >= 32, "at least 128 bits: {}", cookie.value);
    let again = browser.check_session().expect_status(200).cookie("device");
    assert_eq!(again.max_age(), cookie.max_age());
    assert_eq!(again.value, cookie.value);
    browser.plant_cookie("device", "made-up");
    let answer = browser.check_session().expect_status(200);
    assert!(answer.set_cookies().iter().all(|cookie| cookie.name != "device"));
}

#[test]
fn logging_out_everywhere_forgets_the_browsers() {
    for forget in [
        |anna: &Pilot, _: &Server| drop(anna.post_empty("LogOutFromEveryDevice").expect_status(200)),
        |_: &Pilot, server: &Server| {
            let place = ["user", "logout", ANNA, "--data-dir", text(server.directory())];
            assert_eq!(run_with_input(place, b"").code, 0);
        },
    ] {
        let server = server_with_anna();
        let browser = known(&server);
        let anna = server.stranger();
        anna.log_in(ANNA, PASSWORD).expect_status(202);
        forget(&anna, &server);
        for _ in 0..5 {
            server.stranger().log_in(ANNA, WRONG).expect_status(401);
        }
        browser.log_in(ANNA, PASSWORD).expect_status(429);
    }
}

#[test]
fn a_known_browser_gets_its_mail_at_once_however_many_strangers_ask() {
    let server = server_with_anna();
    let browser = known(&server);
    for number in 0..40 {
        let address = format!("203.0.113.{}", number % 8);
        ask_from(&server.stranger(), &address, "Login", &[("email", ANNA)]).expect_status(200);
    }
    server.nth_mail(ANNA, 1);
    let number = browser.ask_for_login(ANNA);
    let token = server.nth_mail(ANNA, 2).token();
    server.stranger().confirm_login(&token, &number).expect_status(200);
    browser.check_login_token(ANNA).expect_status(202);
}

#[test]
fn denying_a_login_ends_every_request_and_for_an_hour_only_known_browsers_can_ask() {
    let server = server_with_anna();
    let browser = known(&server);
    let strangers = [server.stranger(), server.stranger()];
    for stranger in &strangers {
        stranger.ask_for_login(ANNA);
    }
    let link = server.nth_mail(ANNA, 1).token();
    let reader = server.stranger();
    reader.post("DenyLogin", &[("token", &link)]).expect_status(200);
    for stranger in &strangers {
        stranger.check_login_token(ANNA).expect_status(410);
    }
    reader.post("DenyLogin", &[("token", &link)]).expect_status(410);
    reader.post("GetLoginRequest", &[("token", &link)]).expect_status(410);

    // The answer is the usual one, wherever the request comes from, but no mail is sent.
    let stranger = server.stranger();
    ask_from(&stranger, "203.0.113.9", "Login", &[("email", ANNA)]).expect_status(200);
    stranger.check_login_token(ANNA).expect_status(204);
    let number = browser.ask_for_login(ANNA);
    let token = server.nth_mail(ANNA, 2).token();
    server.stranger().confirm_login(&token, &number).expect_status(200);
    browser.check_login_token(ANNA).expect_status(202);
    let waiting = run_with_input(["mail", "outbox", "--data-dir", text(server.directory())], b"").stdout;
    assert!(!waiting.contains("wartet seit"), "{waiting}");
}

#[test]
fn a_new_password_of_the_admin_and_enabling_lift_what_keeps_a_pilot_out() {
    for (arguments, typed, password) in [
        (
            &["set-password", ANNA, "--password-stdin"][..],
            "Windkanal-19\n",
            "Windkanal-19",
        ),
        (&["enable", ANNA], "", PASSWORD),
    ] {
        let server = server_with_anna();
        let command = |arguments: &[&str], typed: &str| {
            let command = [arguments, &["--data-dir", text(server.directory())]].concat();
            let done = run_with_input(command, typed.as_bytes());
            assert_eq!(done.code, 0, "{done:?}");
            done.stdout
        };
        let waits_for_a_mail = || {
            server.stranger().ask_for_login(ANNA);
            command(&["mail", "outbox"], "").contains("wartet seit")
        };
        for _ in 0..5 {
            server.stranger().log_in(ANNA, WRONG).expect_status(401);
        }
        server.stranger().log_in(ANNA, PASSWORD).expect_status(429);
        server.stranger().ask_for_login(ANNA);
        let link = server.nth_mail(ANNA, 1).token();
        let reader = server.stranger();
        reader.post("DenyLogin", &[("token", &link)]).expect_status(200);
        assert!(!waits_for_a_mail());
        command(&[&["user"], arguments].concat(), typed);
        server.stranger().log_in(ANNA, password).expect_status(202);
        // A minute after the first mail.
        assert!(waits_for_a_mail());
    }
}
