//! „Angemeldete Geräte“: where a pilot is logged in, and the end of one of these logins.

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

/// Anna on her phone, where she stays logged in, and at a laptop.
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
    // The session that the token opened came from a browser that says nothing of itself.
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
