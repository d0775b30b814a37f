//! Logging in and out, and the two cookies.

use crate::harness::answer::SetCookie;
use crate::harness::calls::keys;
use crate::harness::{PASSWORD, Pilot, Server};

const ANNA: &str = "anna@example.org";
const CHECKED_SESSION: &[&str] = &["account", "nickname", "openFlight", "photo", "remembered"];

/// A server with the user Anna, who isn't logged in.
fn server_with_anna() -> Server {
    let server = Server::start();
    server.add_user(ANNA, "Anna", PASSWORD);
    server
}

#[track_caller]
fn expect_ours(cookie: &SetCookie) {
    assert!(
        cookie.has("HttpOnly") && cookie.has("SameSite=Strict") && cookie.has("Path=/"),
        "{cookie:?}"
    );
    let domain = cookie
        .attributes
        .iter()
        .any(|attribute| attribute.to_lowercase().starts_with("domain"));
    assert!(!domain && !cookie.has("Secure"), "{cookie:?}");
}

#[test]
fn a_login_answers_with_the_session_user() {
    let server = server_with_anna();
    let answer = server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
    let user = answer.json();
    assert_eq!(keys(&user), ["account", "nickname", "openFlight", "photo", "token"]);
    assert_eq!(user["nickname"], "Anna");
    assert_eq!(user["photo"], "");
    assert!(user["openFlight"].is_null());
    assert_eq!(user["token"], "", "without rememberMe there is no token");
}

#[test]
fn a_login_sets_a_cookie_that_ends_with_the_browser() {
    let server = server_with_anna();
    let answer = server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
    let session = answer.cookie("session");
    expect_ours(&session);
    assert!(session.value.len() >= 22, "at least 128 bits: {}", session.value);
    let lasting = session.attributes.iter().any(|attribute| {
        let attribute = attribute.to_lowercase();
        attribute.starts_with("max-age") || attribute.starts_with("expires")
    });
    assert!(!lasting, "{session:?}");
    let names: Vec<_> = answer.set_cookies().into_iter().map(|cookie| cookie.name).collect();
    assert_eq!(names, ["session", "device"], "no login cookie without rememberMe");
}

#[test]
fn with_remember_me_the_token_is_kept_for_a_hundred_years() {
    let server = server_with_anna();
    let answer = server.stranger().log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    let login = answer.cookie("login");
    expect_ours(&login);
    assert_eq!(login.max_age(), Some(100 * 365 * 24 * 60 * 60));
    assert_eq!(answer.json()["token"], login.value.as_str());
    assert_ne!(login.value, answer.cookie("session").value);
}

#[test]
fn every_login_makes_a_new_session_and_adopts_no_planted_one() {
    let server = server_with_anna();
    let pilot = server.stranger();
    pilot.plant_cookie("session", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    pilot.check_session().expect_not_logged_in();
    pilot.log_in(ANNA, PASSWORD).expect_status(202);
    let first = pilot.cookie("session").unwrap();
    assert_ne!(first, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");

    pilot.log_in(ANNA, PASSWORD).expect_status(202);
    assert_ne!(pilot.cookie("session").unwrap(), first);
    let thief = server.stranger();
    thief.plant_cookie("session", &first);
    thief.check_session().expect_not_logged_in();
    pilot.check_session().expect_status(200);
}

#[test]
fn two_browsers_of_one_pilot_are_logged_in_independently() {
    let server = server_with_anna();
    let (phone, desktop) = (server.stranger(), server.stranger());
    phone.log_in(ANNA, PASSWORD).expect_status(202);
    desktop.log_in(ANNA, PASSWORD).expect_status(202);
    phone.post_empty("Logout").expect_status(200);
    phone.check_session().expect_not_logged_in();
    desktop.check_session().expect_status(200);
}

#[test]
fn the_session_check_answers_with_the_session_user() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let user = pilot.check_session().expect_status(200).json();
    assert_eq!(keys(&user), CHECKED_SESSION);
    assert_eq!(user["nickname"], "Anna");
    server.stranger().check_session().expect_not_logged_in();
}

#[test]
fn the_login_token_opens_a_new_session_from_field_or_cookie() {
    let server = server_with_anna();
    let pilot = server.stranger();
    pilot.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    let token = pilot.cookie("login").unwrap();

    // Closing the browser leaves only the persistent cookie.
    pilot.forget_cookie("session");
    let answer = pilot.check_session().expect_status(200);
    assert_eq!(keys(&answer.json()), CHECKED_SESSION);
    expect_ours(&answer.cookie("session"));
    let renewed = answer.cookie("login");
    expect_ours(&renewed);
    assert_eq!(
        renewed.max_age(),
        Some(100 * 365 * 24 * 60 * 60),
        "browsers cap it at 400 days"
    );
    pilot.post_empty("GetDetailedUser").expect_status(200);

    let script = server.stranger();
    let token = pilot.cookie("login").unwrap_or(token);
    script.post("CheckSession", &[("token", &token)]).expect_status(200);
    script.post_empty("GetDetailedUser").expect_status(200);
}

#[test]
fn a_session_check_says_whether_the_browser_stays_logged_in() {
    let server = server_with_anna();
    let (for_once, staying) = (server.stranger(), server.stranger());
    for_once.log_in(ANNA, PASSWORD).expect_status(202);
    staying.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    let remembered = |pilot: &Pilot| pilot.check_session().expect_status(200).json()["remembered"].clone();
    assert_eq!(remembered(&for_once), false);
    assert_eq!(remembered(&staying), true);
    staying.forget_cookie("session");
    assert_eq!(remembered(&staying), true);
    // An invalid token keeps nobody logged in.
    for_once.plant_cookie("login", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    assert_eq!(remembered(&for_once), false);
}

#[test]
fn a_session_check_with_both_cookies_renews_the_lasting_one() {
    let server = server_with_anna();
    let pilot = server.stranger();
    pilot.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    let renewed = pilot.check_session().expect_status(200).cookie("login");
    assert_eq!(renewed.max_age(), Some(100 * 365 * 24 * 60 * 60));
}

#[test]
fn an_unknown_token_opens_nothing() {
    let server = Server::start();
    let pilot = server.stranger();
    for token in ["x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "ä", "../../etc"] {
        let answer = pilot.post("CheckSession", &[("token", token)]).expect_not_logged_in();
        assert!(answer.set_cookies().iter().all(SetCookie::is_removal), "{token}");
    }
}

#[test]
fn a_session_token_is_no_login_token_and_the_other_way_round() {
    let server = server_with_anna();
    let pilot = server.stranger();
    pilot.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    let (session, login) = (pilot.cookie("session").unwrap(), pilot.cookie("login").unwrap());
    server
        .stranger()
        .post("CheckSession", &[("token", &session)])
        .expect_not_logged_in();
    let swapped = server.stranger();
    swapped.plant_cookie("session", &login);
    swapped.post_empty("GetDetailedUser").expect_not_logged_in();
}

#[test]
fn after_a_logout_neither_cookie_opens_anything() {
    let server = server_with_anna();
    let pilot = server.stranger();
    pilot.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    let thief = pilot.another_tab();
    let answer = pilot.post_empty("Logout").expect_status(200);
    assert!(answer.cookie("session").is_removal() && answer.cookie("login").is_removal());
    assert!(pilot.cookie("session").is_none() && pilot.cookie("login").is_none());
    thief.check_session().expect_not_logged_in();
    thief.post_empty("GetDetailedUser").expect_not_logged_in();
}

#[test]
fn a_logout_has_the_browser_forget_the_images_that_it_kept() {
    let server = Server::shared();
    for call in ["Logout", "LogOutFromEveryDevice"] {
        let answer = server.pilot("anna").post_empty(call).expect_status(200);
        assert_eq!(answer.header("clear-site-data"), Some("\"cache\""), "{call}");
    }
}

#[test]
fn a_logout_ends_the_token_that_it_is_sent() {
    let server = server_with_anna();
    let pilot = server.stranger();
    let token = pilot.log_in_and_stay(ANNA, PASSWORD).json()["token"]
        .as_str()
        .unwrap()
        .to_owned();
    pilot.forget_cookie("login");
    pilot.post("Logout", &[("token", &token)]).expect_status(200);
    server
        .stranger()
        .post("CheckSession", &[("token", &token)])
        .expect_not_logged_in();
}

#[test]
fn a_logout_that_is_sent_one_token_ends_the_one_of_the_cookie_too() {
    let server = server_with_anna();
    let pilot = server.stranger();
    let sent = pilot.log_in_and_stay(ANNA, PASSWORD).json()["token"].clone();
    pilot.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    let kept = pilot.cookie("login").unwrap();
    let sent = sent.as_str().unwrap();
    assert_ne!(sent, kept);
    pilot.post("Logout", &[("token", sent)]).expect_status(200);
    for token in [sent, &kept] {
        let answer = server.stranger().post("CheckSession", &[("token", token)]);
        answer.expect_not_logged_in();
    }
}

#[test]
fn a_logout_without_a_login_is_fine_too() {
    let server = Server::start();
    server.stranger().post_empty("Logout").expect_status(200);
    server
        .stranger()
        .post("Logout", &[("token", "unknown")])
        .expect_status(200);
}

#[test]
fn the_profile_shows_the_user_in_detail() {
    let server = Server::start();
    let user = server
        .pilot("anna")
        .post_empty("GetDetailedUser")
        .expect_status(200)
        .json();
    assert_eq!(
        keys(&user),
        ["contact", "email", "firstname", "lastname", "nickname", "photo"]
    );
    assert_eq!(user["email"], ANNA);
    assert_eq!(user["nickname"], "anna");
    for empty in ["contact", "firstname", "lastname", "photo"] {
        assert_eq!(user[empty], "", "{empty}");
    }
}

#[test]
fn an_e_mail_may_be_typed_in_capitals() {
    let server = server_with_anna();
    server
        .stranger()
        .log_in("ANNA@Example.ORG", PASSWORD)
        .expect_status(202);
}

#[test]
fn a_password_counts_exactly_as_typed() {
    let server = Server::start();
    let password = " pass wörd 🙂 ";
    server.add_user(ANNA, "Anna", password);
    server.stranger().log_in(ANNA, password).expect_status(202);
    for near in [password.trim(), " Pass wörd 🙂 ", " pass word 🙂 "] {
        server.stranger().log_in(ANNA, near).expect_status(401);
    }
}

#[test]
fn passwords_of_8_and_of_200_characters_are_taken() {
    let server = Server::start();
    for (email, password) in [("a@example.org", "ä".repeat(8)), ("b@example.org", "ß".repeat(200))] {
        server.add_user(email, "Pilot", &password);
        server.stranger().log_in(email, &password).expect_status(202);
    }
}

#[test]
fn without_a_password_nobody_is_logged_in() {
    let server = server_with_anna();
    let pilot = server.stranger();
    for fields in [&[("email", ANNA)][..], &[("email", ANNA), ("password", "")]] {
        let answer = pilot.post("Login", fields);
        assert_ne!(answer.status, 202);
        assert!(answer.status < 500, "{}", answer.text());
        assert!(pilot.cookie("session").is_none());
    }
}

#[test]
fn a_session_cookie_that_is_sent_twice_counts_as_none() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let session = pilot.cookie("session").unwrap();
    let twice = format!("session={session}; session={session}");
    let call = |cookie: &str| {
        server
            .stranger()
            .ask("POST", "/app/api/GetDetailedUser")
            .header("Cookie", cookie)
            .send()
    };
    call(&format!("session={session}")).expect_status(200);
    call(&format!("other=1; session={session}; more=2")).expect_status(200);
    call(&twice).expect_not_logged_in();
    call(&format!("session=; session={session}")).expect_not_logged_in();
    call(&format!("Session={session}")).expect_not_logged_in();
}

#[test]
fn a_pilot_stays_logged_in_while_the_server_is_started_anew() {
    let owned = crate::harness::temporary_directory();
    let first = Server::start_in(owned.path());
    let pilot = first.pilot("Anna");
    let session = pilot.cookie("session").unwrap();
    assert!(first.stop().success());

    let second = Server::start_in(owned.path());
    let pilot = second.stranger();
    pilot.plant_cookie("session", &session);
    pilot.check_session().expect_status(200);
}
