//! Personal access tokens: what a script can do with one, and what it can't.

use crate::harness::{Pilot, Server, wait};

use super::matrix::calls;

const REQUEST: &str = "0198b6f0-3333-7000-8000-00000000000f";

fn names(pilot: &Pilot) -> Vec<String> {
    let tokens = pilot.post_empty("GetAccessTokens").expect_status(200).json();
    let tokens = tokens.as_array().unwrap().iter();
    tokens.map(|token| token["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_script_reads_with_one_token_and_writes_with_another() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let [reads, writes] = ["false", "true"].map(|may_write| anna.access_token(may_write));
    assert!(reads.starts_with("fluglog_"), "{reads}");
    let script = server.stranger();
    let new = [("equipment", r#"{"type": 0, "name": "Falke"}"#), ("requestId", REQUEST)];
    let refused = script.ask_with_token("SaveNewEquipment", &reads, &new);
    refused.expect_refusal(403, "Dieser Zugang darf nur lesen.");
    script
        .ask_with_token("SaveNewEquipment", &writes, &new)
        .expect_status(200);
    for token in [&reads, &writes] {
        let items = script
            .ask_with_token("GetEquipments", token, &[("type", "0"), ("deactivated", "false")])
            .expect_status(200);
        assert!(items.text().contains("Falke"));
    }

    let shown = wait::until("both uses are recorded", || {
        let shown = anna.post_empty("GetAccessTokens").expect_status(200).json();
        let tokens = shown.as_array().unwrap();
        assert_eq!(tokens.len(), 2);
        tokens
            .iter()
            .all(|token| token["lastUsed"].is_string())
            .then_some(shown)
    });
    assert!(!shown.to_string().contains("fluglog_"), "the text is shown once");
}

#[test]
fn no_token_decides_who_gets_in() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let token = anna.access_token("true");
    let script = server.stranger();
    let mut refused = 0;
    for call in calls(&server) {
        let is_for_pilots = !call.operation["security"].as_array().unwrap().is_empty();
        if is_for_pilots && !call.operation["security"].to_string().contains("accessToken") {
            let question = script.ask(&call.method, &format!("/app/api/{}", call.name));
            let answer = question.header("Authorization", &format!("Bearer {token}")).send();
            answer.expect_refusal(403, "Dafür ist eine Anmeldung im Browser nötig.");
            refused += 1;
        }
    }
    assert!(refused > 30, "{refused}: the admin's page and the calls about logins");
    anna.check_session().expect_status(200);
}

#[test]
fn a_token_that_is_wrong_ended_or_of_a_proxy_opens_nothing() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let token = anna.access_token("true");
    let script = server.stranger();
    for wrong in [
        &token[..token.len() - 1],
        "fluglog_",
        &format!("fluglog_{}", "ab".repeat(32)),
    ] {
        script.ask_with_token("GetFlights", wrong, &[]).expect_not_logged_in();
    }
    // The header of another program leaves the browser's own login alone.
    let asked = anna
        .ask("POST", "/app/api/GetDetailedUser")
        .header("Authorization", "Bearer eyJhbGciOi");
    asked.send().expect_status(200);
    // A wrong token isn't helped by a login.
    anna.ask_with_token("GetDetailedUser", "fluglog_ab", &[])
        .expect_not_logged_in();

    let list = anna.post_empty("GetAccessTokens").expect_status(200).json();
    let id = list[0]["dpfId"].as_str().unwrap();
    let ben = server.pilot("ben");
    ben.post("EndAccessToken", &[("dpfId", id)]).expect_no_access();
    anna.post("EndAccessToken", &[("dpfId", id)]).expect_status(200);
    script.ask_with_token("GetFlights", &token, &[]).expect_not_logged_in();
    anna.post("EndAccessToken", &[("dpfId", id)]).expect_no_access();
}

#[test]
fn a_token_needs_a_name_and_an_end_and_there_are_at_most_twenty() {
    let server = Server::start();
    let anna = server.pilot("anna");
    for (fields, sentence) in [
        (&[("days", "30")][..], "Eine Angabe fehlt."),
        (&[("name", "Skript")], "Ein Zugang gilt zwischen 1 und 366 Tagen."),
        (
            &[("name", "Skript"), ("days", "367")],
            "Ein Zugang gilt zwischen 1 und 366 Tagen.",
        ),
        (
            &[("name", "Skript"), ("days", "0")],
            "Ein Zugang gilt zwischen 1 und 366 Tagen.",
        ),
    ] {
        let answer = anna.post("CreateAccessToken", fields).expect_status(400);
        assert!(answer.text().contains(sentence), "{}", answer.text());
    }
    for _ in 0..20 {
        anna.access_token("false");
    }
    let one_more = anna.post("CreateAccessToken", &[("name", "Skript"), ("days", "1")]);
    one_more.expect_refusal(
        409,
        "Mehr als 20 Zugänge sind nicht möglich. Bitte beenden Sie zuerst einen anderen.",
    );
    assert_eq!(names(&anna).len(), 20);
}

#[test]
fn no_file_of_the_server_has_the_text_of_a_token() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let token = anna.access_token("true");
    server
        .stranger()
        .ask_with_token("GetFlights", &token, &[])
        .expect_status(204);
    let database = std::fs::read(server.directory().join("fluglog.redb")).unwrap();
    let secret = token.trim_start_matches("fluglog_").as_bytes();
    assert!(!database.windows(secret.len()).any(|window| window == secret));
    assert!(!server.log().contains(&token));
}
