//! A new password, and logging out everywhere.

use crate::harness::{PASSWORD, Pilot, Server, run_with_input, text};

const ANNA: &str = "anna@example.org";
const NEW: &str = " Neues pässwört 🙂 ";

/// Anna at home, logged in persistently, and on her phone.
fn two_of_anna(server: &Server) -> (Pilot, Pilot) {
    server.add_user(ANNA, "Anna", PASSWORD);
    let (home, phone) = (server.stranger(), server.stranger());
    home.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    phone.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    (home, phone)
}

/// Fails unless both of these cookies are refused.
#[track_caller]
fn expect_ended(pilot: &Pilot) {
    pilot.post_empty("GetDetailedUser").expect_not_logged_in();
    pilot.forget_cookie("session");
    pilot.check_session().expect_not_logged_in();
}

#[test]
fn a_registered_pilot_has_no_password_until_one_is_saved() {
    let server = Server::start();
    let pilot = server.stranger();
    pilot.register(ANNA, "Anna").expect_status(200);
    pilot.verify(&server.nth_mail(ANNA, 1).code()).expect_status(201);
    let ways = || pilot.post_empty("GetLoginWays").expect_status(200).json();
    assert_eq!(ways(), serde_json::json!({"hasPassword": false}));
    pilot.save_password(NEW, NEW).expect_status(200);
    assert_eq!(ways(), serde_json::json!({"hasPassword": true}));
    server.stranger().post_empty("GetLoginWays").expect_not_logged_in();
}

#[test]
fn a_new_password_ends_every_other_login_and_the_old_password() {
    let server = Server::start();
    let (home, phone) = two_of_anna(&server);
    let before = home.another_tab();
    assert!(home.save_password(NEW, NEW).expect_status(200).body.is_empty());
    home.check_session().expect_status(200);
    home.forget_cookie("session");
    home.check_session().expect_status(200);
    expect_ended(&phone);
    expect_ended(&before);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(401);
    server.stranger().log_in(ANNA, NEW).expect_status(202);
    server.stranger().log_in(ANNA, NEW.trim()).expect_status(401);
}

#[test]
fn a_browser_that_did_not_want_to_stay_gets_no_lasting_token() {
    let server = Server::start();
    let pilot = server.pilot("anna");
    let answer = pilot.save_password(NEW, NEW).expect_status(200);
    assert!(answer.cookie("login").is_removal());
    pilot.check_session().expect_status(200);
    pilot.forget_cookie("session");
    pilot.check_session().expect_not_logged_in();
}

#[test]
fn a_token_of_somebody_else_is_not_made_one_s_own() {
    let server = Server::start();
    let (home, _) = two_of_anna(&server);
    let ben = server.pilot("ben");
    ben.plant_cookie("login", &home.cookie("login").unwrap());
    ben.save_password(NEW, NEW).expect_status(200);
    assert!(ben.cookie("login").is_none());
    home.check_session().expect_status(200);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_password_that_is_none_is_refused_and_the_old_one_stays() {
    let server = Server::start();
    let pilot = server.pilot("anna");
    let long = "x".repeat(201);
    for (password, repeated, field) in [
        ("", "", "password"),
        ("", NEW, "password"),
        (NEW, "", "repeatPassword"),
        (NEW, NEW.trim(), "repeatPassword"),
        ("1234567", "1234567", "password"),
        (&long, &long, "password"),
        ("zwei\nZeilen", "zwei\nZeilen", "password"),
        ("achtmal\0", "achtmal\0", "password"),
    ] {
        let answer = pilot.save_password(password, repeated).expect_status(400);
        assert_eq!(answer.header("x-field"), Some(field), "{password:?}");
    }
    pilot
        .save_password(NEW, PASSWORD)
        .expect_refusal(400, "Die Passwörten stimmen nicht überein!");
    pilot
        .save_password("ääääääa", "ääääääa")
        .expect_refusal(400, "Das Passwort muss mindestens 8 Zeichen lang sein.");
    pilot.check_session().expect_status(200);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_password_that_is_tried_first_is_refused_and_said_why() {
    let server = Server::start();
    let pilot = server.pilot("anna");
    for (password, why) in [
        ("password", "häufigsten"),
        ("12345678", "häufigsten"),
        ("QWERTZUI", "häufigsten"),
        (ANNA, "E-Mail-Adresse"),
        ("Anna@Example.org", "E-Mail-Adresse"),
        ("anna-2026", "Nickname"),
    ] {
        let answer = pilot.save_password(password, password).expect_status(400);
        assert_eq!(answer.header("x-field"), Some("password"), "{password}");
        assert!(answer.text().contains(why), "{password}: {}", answer.text());
    }
    let directory = text(server.directory());
    for command in [
        &[
            "user",
            "set-password",
            ANNA,
            "--password-stdin",
            "--data-dir",
            directory,
        ][..],
        &[
            "user",
            "add",
            "--email",
            "ben@example.org",
            "--nickname",
            "Ben",
            "--password-stdin",
            "--data-dir",
            directory,
        ],
    ] {
        run_with_input(command.to_vec(), b"12345678\n").expect_refusal(1, &["häufigsten"]);
    }
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_mail_tells_of_every_new_password_when_and_from_where() {
    let server = Server::start_with(&[("FLUGLOG_TRUSTED_PROXIES", "127.0.0.0/8")]);
    let pilot = server.pilot("anna");
    let fields = [("password", NEW), ("repeatPassword", NEW)];
    let agent = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0";
    let question = pilot.ask("POST", "/app/api/SavePassword").header("User-Agent", agent);
    let question = question.header("X-Forwarded-For", "203.0.113.9").form(&fields);
    question.send().expect_status(200);
    let mail = server.nth_mail(ANNA, 1);
    let told = "mit Firefox auf Android, von außerhalb";
    assert!(mail.text.contains(told) && mail.html.contains(told), "{}", mail.text);
    assert!(
        mail.text.contains("wurde geändert, am ") && !mail.text.contains(NEW),
        "{}",
        mail.text
    );
    pilot.save_password(PASSWORD, PASSWORD).expect_status(200);
    let told = server.nth_mail(ANNA, 2).text;
    assert!(told.contains("mit einem unbekannten Browser, "), "{told}");
}

#[test]
fn a_mail_tells_of_a_password_that_the_admin_has_set() {
    let server = Server::start();
    server.add_user(ANNA, "Anna", PASSWORD);
    let command = ["user", "set-password", ANNA, "--password-stdin", "--data-dir"];
    let command = [&command[..], &[text(server.directory())]].concat();
    assert_eq!(run_with_input(command, b"Windkanal-19\n").code, 0);
    assert!(server.nth_mail(ANNA, 1).text.contains("vom Betreiber"));
}

#[test]
fn passwords_of_8_64_and_200_characters_are_taken() {
    let server = Server::start();
    let pilot = server.pilot("anna");
    for length in [8, 64, 200] {
        let password = "ß".repeat(length);
        pilot.save_password(&password, &password).expect_status(200);
        server.stranger().log_in(ANNA, &password).expect_status(202);
    }
}

#[test]
fn a_pilot_who_registered_gives_himself_a_password() {
    let server = Server::start();
    let pilot = server.stranger();
    pilot.register(ANNA, "Anna").expect_status(200);
    pilot.verify(&server.nth_mail(ANNA, 1).code()).expect_status(201);
    pilot.save_password(PASSWORD, PASSWORD).expect_status(200);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn one_pilot_s_many_new_passwords_keep_no_other_pilot_waiting() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let others = ["ben", "carl", "dora", "emil", "fritz"].map(|name| server.pilot(name));
    let begin = std::sync::Barrier::new(50);
    std::thread::scope(|scope| {
        for _ in 0..45 {
            let (tab, begin) = (anna.another_tab(), &begin);
            scope.spawn(move || {
                begin.wait();
                let status = tab.save_password(NEW, NEW).status;
                // Once one is saved, the others are logged out.
                assert!([200, 401, 503].contains(&status), "{status}");
            });
        }
        for other in &others {
            let begin = &begin;
            scope.spawn(move || {
                begin.wait();
                other.save_password(NEW, NEW).expect_status(200);
            });
        }
    });
    server.stranger().log_in("ben@example.org", NEW).expect_status(202);
}

#[test]
fn logging_out_everywhere_ends_this_login_too() {
    let server = Server::start();
    let (home, phone) = two_of_anna(&server);
    let ben = server.pilot("ben");
    let tab = home.another_tab();
    let answer = home.post_empty("LogOutFromEveryDevice").expect_status(200);
    assert!(answer.body.is_empty());
    assert!(answer.cookie("session").is_removal() && answer.cookie("login").is_removal());
    expect_ended(&tab);
    expect_ended(&phone);
    ben.check_session().expect_status(200);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_login_by_mail_that_waits_ends_with_the_others() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS", "0.2")]);
    let (home, _) = two_of_anna(&server);
    let waiting = server.stranger();
    let number = waiting.ask_for_login(ANNA);
    let token = server.nth_mail(ANNA, 1).token();
    server.stranger().confirm_login(&token, &number).expect_status(200);
    home.save_password(NEW, NEW).expect_status(200);
    waiting.check_login_token(ANNA).expect_status(410);
}
