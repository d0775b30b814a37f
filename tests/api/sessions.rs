//! "Angemeldete Geräte": a pilot's sessions, and ending one of them.

use serde_json::{Value, json};

use crate::harness::calls::keys;
use crate::harness::{PASSWORD, Pilot, Server};

const PHONE: &str = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0";
const LAPTOP: &str =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

fn log_in_with(server: &Server, email: &str, agent: &str, remember: &str) -> Pilot {
    let browser = server.stranger();
    let fields = [("email", email), ("password", PASSWORD), ("rememberMe", remember)];
    let question = browser.ask("POST", "/app/api/Login").header("User-Agent", agent);
    question.form(&fields).send().expect_status(202);
    browser
}

fn sessions(pilot: &Pilot) -> Vec<Value> {
    let list = pilot.post_empty("GetSessions").expect_status(200).json();
    list.as_array().unwrap().clone()
}

fn id(session: &Value) -> &str {
    session["dpfId"].as_str().unwrap()
}

/// Anna on her phone, logged in persistently, and on a laptop.
fn two_of_anna(server: &Server) -> (Pilot, Pilot) {
    server.add_user("anna@example.org", "Anna", PASSWORD);
    let phone = log_in_with(server, "anna@example.org", PHONE, "true");
    (phone, log_in_with(server, "anna@example.org", LAPTOP, "false"))
}

#[test]
fn the_list_has_each_browser_once_and_this_one_first() {
    let server = Server::start();
    let (phone, laptop) = two_of_anna(&server);
    phone.forget_cookie("session");
    phone.check_session().expect_status(200);
    let list = sessions(&phone);
    assert_eq!(list.len(), 2, "{list:?}");
    assert_eq!(
        keys(&list[0]),
        ["browser", "current", "dpfId", "lastSeen", "remembered", "since"]
    );
    let told = |session: &Value| [&session["browser"], &session["current"], &session["remembered"]].map(Clone::clone);
    assert_eq!(told(&list[1]), [json!("Chrome auf Linux"), json!(false), json!(false)]);
    // The session opened by the token came from a browser without a user agent.
    assert_eq!(told(&list[0]), [json!("unbekannter Browser"), json!(true), json!(true)]);
    assert_eq!(id(&sessions(&laptop)[0]), id(&list[1]));
    for time in [&list[0]["since"], &list[0]["lastSeen"]] {
        crate::harness::clock::expect_now(time.as_str().unwrap(), crate::harness::clock::in_berlin);
    }
}

#[test]
fn an_ended_login_is_over_at_once_with_its_token() {
    let server = Server::start();
    let (phone, laptop) = two_of_anna(&server);
    let list = sessions(&laptop);
    let of_phone = id(&list[1]).to_owned();
    server
        .pilot("ben")
        .post("EndSession", &[("dpfId", &of_phone)])
        .expect_no_access();
    phone.post_empty("GetDetailedUser").expect_status(200);
    laptop.post("EndSession", &[("dpfId", &of_phone)]).expect_status(200);
    phone.post_empty("GetDetailedUser").expect_not_logged_in();
    phone.check_session().expect_not_logged_in();
    assert_eq!(sessions(&laptop).len(), 1);
    laptop.post("EndSession", &[("dpfId", &of_phone)]).expect_no_access();
    laptop.post("EndSession", &[("dpfId", id(&list[0]))]).expect_status(200);
    laptop.check_session().expect_not_logged_in();
}

#[test]
fn a_browser_that_logs_in_again_is_in_the_list_once() {
    let server = Server::start();
    let (phone, _) = two_of_anna(&server);
    for _ in 0..3 {
        phone.log_in_and_stay("anna@example.org", PASSWORD).expect_status(202);
    }
    assert_eq!(sessions(&phone).len(), 2);
}

/// Opens sessions one after another with a persistent login.
fn opened_by(server: &Server, token: &str, count: usize) -> Vec<Pilot> {
    let open = |_| {
        let browser = server.stranger();
        browser.plant_cookie("login", token);
        browser.check_session().expect_status(200);
        browser.forget_cookie("login");
        browser
    };
    (0..count).map(open).collect()
}

fn alive(browsers: &[Pilot]) -> usize {
    let status = |browser: &Pilot| browser.post_empty("GetDetailedUser").status;
    browsers.iter().filter(|browser| status(browser) == 200).count()
}

#[test]
fn a_persistent_login_opens_ten_sessions_and_a_pilot_has_fifty() {
    let server = Server::start();
    let (phone, laptop) = two_of_anna(&server);
    let token = phone.cookie("login").unwrap();
    let opened = opened_by(&server, &token, 30);
    // The phone may have one of the ten.
    assert!((9..=10).contains(&alive(&opened)));
    assert_eq!(alive(&opened[29..]), 1, "the newest");
    assert_eq!(alive(&[laptop]), 1, "that of another login");

    let mut opened = Vec::new();
    for _ in 0..6 {
        let other = log_in_with(&server, "anna@example.org", LAPTOP, "true");
        opened.extend(opened_by(&server, &other.cookie("login").unwrap(), 10));
    }
    assert_eq!(alive(&opened[59..]), 1, "the newest");
    let all = sessions(&opened[59]);
    assert!(all.len() <= 8, "each login is in the list once: {all:?}");
    let alive = alive(&opened);
    assert!((30..=50).contains(&alive), "{alive}");
}
