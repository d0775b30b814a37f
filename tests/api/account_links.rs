//! Accounts without mail: invitations and links to set a password, passed on by the admin. Also the change of an
//! e-mail address, confirmed by a mail.

use crate::harness::calls::keys;
use crate::harness::{Output, PASSWORD, Pilot, Server, process::run, text};

const ANNA: &str = "anna@example.org";
const NEW: &str = "anna.luft@example.org";
const NEW_PASSWORD: &str = "Rotorblatt-18";

fn user(server: &Server, arguments: &[&str]) -> Output {
    run([&["user"], arguments, &["--data-dir", text(server.directory())]].concat())
}

/// The link in the last line of a command's output.
fn link(server: &Server, arguments: &[&str]) -> String {
    let done = user(server, arguments);
    assert_eq!(done.code, 0, "{done:?}");
    done.stdout.lines().last().expect("a link").to_owned()
}

fn token(link: &str) -> String {
    link.split_once('#').expect("a token").1.to_owned()
}

fn accept(pilot: &Pilot, token: &str, email: &str) -> crate::harness::answer::Answer {
    pilot.post(
        "AcceptInvitation",
        &[
            ("token", token),
            ("email", email),
            ("nickname", "Anna"),
            ("password", PASSWORD),
        ],
    )
}

#[test]
fn an_invitation_makes_one_account_although_registration_is_closed() {
    let server = Server::start_with(&[("FLUGLOG_REGISTRATION", "closed")]);
    let link = link(&server, &["invite", "--nickname", "Anna", "--valid", "3"]);
    assert!(
        link.starts_with(&format!("{}/app/invitation#", server.origin())),
        "{link}"
    );
    let token = token(&link);
    let invited = server
        .stranger()
        .post("GetInvitation", &[("token", &token)])
        .expect_status(200);
    assert_eq!(invited.json(), serde_json::json!({"nickname": "Anna"}));
    server.add_user("ben@example.org", "Ben", PASSWORD);
    let pilot = server.stranger();
    accept(&pilot, &token, "ben@example.org").expect_status(409);
    accept(&pilot, &token, "keine").expect_status(400);
    let made = accept(&pilot, &token, ANNA).expect_status(201);
    assert_eq!(keys(&made.json()), ["account", "nickname", "openFlight", "photo"]);
    pilot.check_session().expect_status(200);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
    accept(&server.stranger(), &token, NEW).expect_status(410);
    server
        .stranger()
        .post("GetInvitation", &[("token", &token)])
        .expect_status(410);
    server
        .stranger()
        .post("GetInvitation", &[("token", "unknown")])
        .expect_status(410);
}

#[test]
fn an_invitation_is_valid_for_days_and_its_nickname_one_that_somebody_can_have() {
    let server = Server::start();
    for wrong in [&["--valid", "0"][..], &["--valid", "91"], &["--valid", "x"]] {
        user(&server, &[&["invite"], wrong].concat()).expect_refusal(2, &["--valid"]);
    }
    user(&server, &["invite", "--nickname", &"x".repeat(51)]).expect_refusal(1, &["50"]);
    let link = link(&server, &["invite"]);
    let invited = server
        .stranger()
        .post("GetInvitation", &[("token", &token(&link))])
        .expect_status(200);
    assert_eq!(invited.json()["nickname"], "");
}

#[test]
fn a_reset_link_sets_a_password_once_ends_every_login_and_lifts_locks() {
    let server = Server::start();
    let elsewhere = server.pilot("anna");
    user(&server, &["reset", "wer@example.org"]).expect_refusal(1, &["wer@example.org"]);
    let first = token(&link(&server, &["reset", ANNA]));
    let second = token(&link(&server, &["reset", "--email", ANNA]));
    server
        .stranger()
        .post("GetPasswordReset", &[("token", &first)])
        .expect_status(410);
    let shown = server
        .stranger()
        .post("GetPasswordReset", &[("token", &second)])
        .expect_status(200);
    assert_eq!(shown.json(), serde_json::json!({"nickname": "anna", "email": ANNA}));
    for _ in 0..5 {
        server.stranger().log_in(ANNA, "falsch-falsch").expect_status(401);
    }
    server.stranger().log_in(ANNA, PASSWORD).expect_status(429);
    let reset = |password: &str, repeated: &str| {
        let pilot = server.stranger();
        let fields = [
            ("token", second.as_str()),
            ("password", password),
            ("repeatPassword", repeated),
        ];
        (pilot.post("ResetPassword", &fields), pilot)
    };
    reset("12345678", "12345678").0.expect_status(400);
    reset(NEW_PASSWORD, PASSWORD).0.expect_status(400);
    let (answer, pilot) = reset(NEW_PASSWORD, NEW_PASSWORD);
    answer.expect_status(201);
    pilot.check_session().expect_status(200);
    elsewhere.check_session().expect_status(401);
    server.stranger().log_in(ANNA, NEW_PASSWORD).expect_status(202);
    reset(NEW_PASSWORD, NEW_PASSWORD).0.expect_status(410);
    assert!(server.nth_mail(ANNA, 1).text.contains("Passwort"));

    let third = token(&link(&server, &["reset", ANNA]));
    assert_eq!(user(&server, &["disable", ANNA]).code, 0);
    // A disabled user couldn't use the link.
    user(&server, &["reset", ANNA]).expect_refusal(1, &[ANNA, "gesperrt", "user enable"]);
    server
        .stranger()
        .post("GetPasswordReset", &[("token", &third)])
        .expect_status(410);
}

#[test]
fn a_new_address_counts_once_it_is_confirmed_and_the_old_one_gets_a_mail() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    anna.post("ChangeEmail", &[("email", "ben@example.org")])
        .expect_status(409);
    anna.post("ChangeEmail", &[("email", "keine")]).expect_status(400);
    server
        .stranger()
        .post("ChangeEmail", &[("email", NEW)])
        .expect_status(401);
    anna.post("ChangeEmail", &[("email", NEW)]).expect_status(200);
    let mail = server.nth_mail(NEW, 1);
    assert!(
        mail.link().contains("/app/newAddress#") && !mail.text.contains("anna,"),
        "{}",
        mail.raw
    );
    // The link's page shows the address, whoever is logged in.
    let named = server
        .stranger()
        .post("GetNewAddress", &[("token", &token(&mail.link()))]);
    assert_eq!(named.expect_status(200).json(), serde_json::json!({"email": NEW}));
    server
        .stranger()
        .post("GetNewAddress", &[("token", "unknown")])
        .expect_status(410);
    let email = |pilot: &Pilot| pilot.post_empty("GetDetailedUser").expect_status(200).json()["email"].clone();
    assert_eq!(email(&anna), ANNA);
    let confirm = |pilot: &Pilot| pilot.post("ConfirmEmail", &[("token", &token(&mail.link()))]);
    server
        .stranger()
        .post("ConfirmEmail", &[("token", &token(&mail.link()))])
        .expect_status(401);
    confirm(&ben).expect_status(410);
    confirm(&anna).expect_status(200);
    assert_eq!(email(&anna), NEW);
    confirm(&anna).expect_status(410);
    server
        .stranger()
        .post("GetNewAddress", &[("token", &token(&mail.link()))])
        .expect_status(410);
    server.stranger().log_in(NEW, PASSWORD).expect_status(202);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(401);
    for (number, said) in [(1, "wartet eine Anfrage"), (2, "und diese nicht mehr")] {
        let told = server.nth_mail(ANNA, number);
        assert!(told.text.contains(NEW) && told.text.contains(said), "{}", told.raw);
    }
    let checked = run(["check", "--data-dir", text(server.directory())]);
    assert_eq!(checked.code, 0, "{checked:?}");
    // The old address can be used again.
    server.add_user(ANNA, "Andere", PASSWORD);
}

#[test]
fn a_link_to_another_address_ends_with_a_newer_one_a_new_password_and_a_logout_everywhere() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let asked = |pilot: &Pilot, email: &str| {
        pilot.post("ChangeEmail", &[("email", email)]).expect_status(200);
        token(&server.nth_mail(email, 1).link())
    };
    let confirm = |pilot: &Pilot, token: &str| pilot.post("ConfirmEmail", &[("token", token)]);

    let (first, second) = (asked(&anna, "a@example.org"), asked(&anna, "b@example.org"));
    confirm(&anna, &first).expect_status(410);
    anna.save_password("Ein anderes 7", "Ein anderes 7").expect_status(200);
    confirm(&anna, &second).expect_status(410);
    let third = asked(&anna, "c@example.org");
    anna.post_empty("LogOutFromEveryDevice").expect_status(200);
    let again = server.stranger();
    again.log_in(ANNA, "Ein anderes 7").expect_status(202);
    confirm(&again, &third).expect_status(410);
    confirm(&again, &asked(&again, NEW)).expect_status(200);
}

#[test]
fn a_pilot_asks_for_another_address_five_times_an_hour() {
    let server = Server::start();
    let anna = server.pilot("anna");
    for number in 0..5 {
        let email = format!("neu{number}@example.org");
        anna.post("ChangeEmail", &[("email", &email)]).expect_status(200);
    }
    anna.post("ChangeEmail", &[("email", NEW)]).expect_status(429);
}

#[test]
fn links_to_other_addresses_share_the_mails_of_a_network_and_leave_those_of_others() {
    let server = Server::start_with(&[
        ("FLUGLOG_LIMITS__MAILS_PER_HOUR", "8"),
        ("FLUGLOG_TRUSTED_PROXIES", "127.0.0.0/8"),
    ]);
    // Many accounts in one network.
    let pilots: Vec<_> = ["ben", "carl", "dora"].map(|name| server.pilot(name)).into();
    let ask = |pilot: &Pilot, number: usize, from: &str| {
        let email = format!("neu{number}@example.org");
        let question = pilot
            .ask("POST", "/app/api/ChangeEmail")
            .header("X-Forwarded-For", from);
        question.form(&[("email", &email)]).send().status
    };
    let asked: Vec<_> = (0..6)
        .map(|number| ask(&pilots[number % 3], number, "203.0.113.7"))
        .collect();
    assert_eq!(asked, [200, 200, 429, 429, 429, 429], "a quarter of the mails");
    assert_eq!(ask(&pilots[0], 7, "198.51.100.7"), 200);
    server.add_user(ANNA, "Anna", PASSWORD);
    server.stranger().ask_for_login(ANNA);
    server.nth_mail(ANNA, 1);
}

#[test]
fn a_pilot_changes_the_nickname_in_the_profile() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let saved = anna
        .upload("SaveProfile", &[("nickname", " Luftikus ")], &[])
        .expect_status(201)
        .json();
    assert_eq!(saved["nickname"], "Luftikus");
    anna.upload("SaveProfile", &[("firstname", "Anna")], &[])
        .expect_status(201);
    assert_eq!(anna.check_session().expect_status(200).json()["nickname"], "Luftikus");
    for wrong in ["", "x\ny", &"x".repeat(51)] {
        anna.upload("SaveProfile", &[("nickname", wrong)], &[])
            .expect_status(400);
    }
    assert_eq!(anna.check_session().expect_status(200).json()["nickname"], "Luftikus");
}

#[test]
fn the_admin_changes_address_and_nickname_of_a_user_who_stays_logged_in() {
    let server = Server::start();
    let anna = server.pilot("anna");
    server.add_user("ben@example.org", "Ben", PASSWORD);
    user(&server, &["change", ANNA]).expect_refusal(2, &["--email"]);
    user(&server, &["change", ANNA, "--email", "ben@example.org"]).expect_refusal(1, &["ben@example.org"]);
    user(&server, &["change", ANNA, "--email", "keine"]).expect_refusal(1, &["keine"]);
    user(&server, &["change", "wer@example.org", "--nickname", "X"]).expect_refusal(1, &["wer@example.org"]);
    let done = user(&server, &["change", ANNA, "--email", NEW, "--nickname", "Luftikus"]);
    assert_eq!(done.code, 0, "{done:?}");
    let now = anna.post_empty("GetDetailedUser").expect_status(200).json();
    assert_eq!(
        (now["email"].as_str(), now["nickname"].as_str()),
        (Some(NEW), Some("Luftikus"))
    );
    // Only the case of letters changes.
    let done = user(&server, &["change", NEW, "--email", "Anna.Luft@example.org"]);
    assert_eq!(done.code, 0, "{done:?}");
    server.stranger().log_in(NEW, PASSWORD).expect_status(202);
}
