//! Rules for all requests: method, content type, origin, encoding.

use crate::harness::calls::{COPTER, id_in};
use crate::harness::client::FORM;
use crate::harness::raw::Connection;
use crate::harness::{Pilot, Server, wait};

#[test]
fn an_unknown_call_is_404_and_a_wrong_method_405() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    for call in [
        "Nonsense",
        "login",
        "LOGIN",
        "Login/",
        "Login/x",
        "",
        "GetFlight%00",
        "..%2Fhealth",
    ] {
        pilot.post(call, &[("dpfId", "x")]).expect_status(404);
        pilot.get(&format!("/app/api/{call}")).expect_status(404);
    }
    for call in ["Login", "GetFlights", "GetStatistics"] {
        let answer = pilot.get(&format!("/app/api/{call}")).expect_status(405);
        assert_eq!(answer.header("allow"), Some("POST"));
    }
    let answer = pilot.post_empty("GetAllEquipments").expect_status(405);
    assert!(answer.header("allow").is_some_and(|allowed| allowed.contains("GET")));
}

#[test]
fn pages_are_only_read() {
    let server = Server::start();
    let pilot = server.stranger();
    for method in ["POST", "PUT", "DELETE", "TRACE", "PATCH"] {
        for path in ["/app/", "/app/home", "/app/health", "/app/legal/impressum.txt"] {
            pilot.ask(method, path).send().expect_status(405);
        }
    }
}

#[test]
fn a_body_needs_the_content_type_of_a_form() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let id = pilot.item(COPTER, "Falke");
    let fields = format!("dpfId={id}");
    let send = |kind: &str| {
        pilot
            .ask("POST", "/app/api/GetEquipment")
            .body(kind, fields.as_bytes())
            .send()
    };
    for kind in [
        "text/plain",
        "application/json",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencodedx",
        "x",
    ] {
        send(kind).expect_status(415);
    }
    pilot
        .ask("POST", "/app/api/GetEquipment")
        .body_without_kind(fields.as_bytes())
        .send()
        .expect_status(415);
    for kind in [
        FORM,
        "application/x-www-form-urlencoded;charset=UTF-8",
        "Application/X-WWW-Form-Urlencoded ; charset=utf-8",
    ] {
        assert_eq!(id_in(&send(kind).expect_status(200).json()), id);
    }
}

#[test]
fn a_call_without_fields_needs_no_body() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    for call in ["GetStatistics", "GetDetailedUser", "CheckSession"] {
        pilot.post_empty(call).expect_status(200);
        pilot.post(call, &[]).expect_status(200);
        pilot.post(call, &[("unknown", "field")]).expect_status(200);
    }
    pilot.post_empty("GetEquipment").expect_status(400);
    pilot
        .ask("POST", "/app/api/GetStatistics")
        .body("text/plain", b"x")
        .send()
        .expect_status(415);
}

#[test]
fn requests_from_other_sites_are_refused() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let before = pilot.everything();
    let save = |name: &str, value: &str| {
        let equipment = [("equipment", r#"{"type": 0, "name": "Falke"}"#)];
        pilot
            .ask("POST", "/app/api/SaveNewEquipment")
            .header(name, value)
            .form(&equipment)
            .send()
    };
    let next_door = format!("http://127.0.0.1:{}", server.address().port() ^ 1);
    let longer = format!("{}0", server.origin());
    for origin in [
        "http://evil.example",
        "null",
        &next_door,
        &longer,
        "http://localhost",
        "file://",
        "x",
        "http://127.0.0.1",
    ] {
        save("Origin", origin).expect_status(403);
    }
    for site in ["cross-site", "same-site"] {
        save("Sec-Fetch-Site", site).expect_status(403);
    }
    assert_eq!(pilot.everything(), before);

    save("Origin", &server.origin()).expect_status(200);
    for site in ["same-origin", "none"] {
        save("Sec-Fetch-Site", site).expect_status(200);
    }
}

#[test]
fn another_site_can_neither_log_in_nor_out() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let fields = [("email", "anna@example.org"), ("password", crate::harness::PASSWORD)];
    let login = server
        .stranger()
        .ask("POST", "/app/api/Login")
        .header("Origin", "http://evil.example")
        .form(&fields)
        .send();
    assert!(login.expect_status(403).set_cookies().is_empty());
    pilot
        .ask("POST", "/app/api/Logout")
        .header("Sec-Fetch-Site", "cross-site")
        .send()
        .expect_status(403);
    pilot.check_session().expect_status(200);
}

#[test]
fn another_site_does_not_learn_what_can_be_posted_to() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    for path in [
        "/app/api/GetStatistics",
        "/app/api/GetAllEquipments",
        "/app/api/Nonsense",
        "/app/",
        "/nowhere",
    ] {
        pilot
            .ask("POST", path)
            .header("Origin", "http://evil.example")
            .send()
            .expect_status(403);
    }
    pilot
        .ask("GET", "/app/")
        .header("Sec-Fetch-Site", "cross-site")
        .send()
        .expect_status(200);
}

#[test]
fn without_a_login_the_error_is_that_and_not_a_wrong_body() {
    let server = Server::start();
    let stranger = server.stranger();
    for (kind, body) in [
        ("application/json", &b"{}"[..]),
        (FORM, b"dpfId=%FF"),
        (FORM, &[b'x'; 2 * 1024 * 1024]),
    ] {
        for call in ["GetEquipment", "GetStatistics", "UploadUserDocument"] {
            stranger
                .ask("POST", &format!("/app/api/{call}"))
                .body(kind, body)
                .send()
                .expect_not_logged_in();
        }
    }
    stranger.get("/app/api/GetImage?uuid=%FF").expect_not_logged_in();
    let login = stranger.ask("POST", "/app/api/Login").body("application/json", b"{}");
    login.send().expect_status(415);
}

#[test]
fn before_a_login_forms_are_small_and_a_pilot_has_few_large_ones_at_a_time() {
    let server = Server::start();
    let stranger = server.stranger();
    let login = |bytes| {
        let body = [&b"email=a&password="[..], &vec![b'x'; bytes]].concat();
        stranger.ask("POST", "/app/api/Login").body(FORM, &body).send().status
    };
    assert_ne!(login(60_000), 413);
    assert_eq!(login(70_000), 413);

    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let large = format!("message={}", "x".repeat(100_000));
    let ask = |pilot: &Pilot| {
        let ask = pilot.ask("POST", "/app/api/SendFeedback");
        ask.body(FORM, large.as_bytes()).send().status
    };
    assert_eq!(ask(&anna), 400);
    let begin = || {
        let mut connection = Connection::open(server.address());
        connection.send(format!(
            "POST /app/api/SendFeedback HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Type: {FORM}\r\n\
             Content-Length: 1000000\r\n\r\n{large}",
            server.address(),
            anna.cookie_header()
        ));
        connection
    };
    let mut unfinished: Vec<_> = (0..4).map(|_| begin()).collect();
    // A form that asks whether there is room takes the place of an unfinished one, which then ends.
    wait::until("four large forms have begun", || {
        let is_full = ask(&anna) == 503;
        unfinished.push(begin());
        is_full.then_some(())
    });
    assert_eq!(ask(&ben), 400);
    drop(unfinished);
    wait::until("they have ended", || (ask(&anna) == 400).then_some(()));
}

#[test]
fn the_public_address_is_no_other_site() {
    let server = Server::start_configured("public_url = \"http://fluglog.example.org:8080\"\n");
    let pilot = server.pilot("Anna");
    let ask = |origin: &str| {
        pilot
            .ask("POST", "/app/api/GetStatistics")
            .header("Origin", origin)
            .send()
    };
    ask("http://fluglog.example.org:8080").expect_status(200);
    ask("http://fluglog.example.org").expect_status(403);
    ask("http://fluglog.example.org:8080.evil.example").expect_status(403);
}

#[test]
fn a_field_counts_only_once_and_only_in_the_body() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let ids = [pilot.item(COPTER, "Falke"), pilot.item(COPTER, "Milan")];
    for other in [&ids[0], &ids[1], ""] {
        pilot
            .post("GetEquipment", &[("dpfId", &ids[0]), ("dpfId", other)])
            .expect_status(400);
    }
    pilot
        .ask("POST", &format!("/app/api/GetEquipment?dpfId={}", ids[0]))
        .send()
        .expect_status(400);
}

#[test]
fn text_that_is_not_utf_8_is_refused() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let id = pilot.item(COPTER, "Falke");
    let before = pilot.everything();
    for reason in [
        &b"%FF"[..],
        b"%C3",
        b"%ED%A0%80",
        b"%C0%80",
        b"a\xFFb",
        b"%F8%88%80%80%80",
    ] {
        let body = [format!("dpfId={id}&info=").as_bytes(), reason].concat();
        pilot
            .ask("POST", "/app/api/DeactivateEquipment")
            .body(FORM, &body)
            .send()
            .expect_status(400);
    }
    assert_eq!(pilot.everything(), before);
}

#[test]
fn a_value_is_decoded_once() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    for name in [
        "1+1",
        "100%25",
        "a%2Bb",
        "%00",
        "ä&ö=ü",
        "„Falke“ 🚁",
        "<b>&amp;</b>",
        "C:\\Falke",
        "'; DROP TABLE--",
    ] {
        let id = pilot.item(COPTER, name);
        assert_eq!(pilot.equipment(&id)["name"], name);
    }
}

#[test]
fn the_longest_texts_of_a_flight_fit_into_one_request() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    let text = "🚁".repeat(10_000);
    let flight = serde_json::json!({
        "dpfId": id, "location": text, "weatherConditions": text, "purpose": text, "notes": text,
    });
    let saved = pilot.save_flight(&flight).expect_status(200).json();
    for field in ["location", "weatherConditions", "purpose", "notes"] {
        assert_eq!(saved[field], text.as_str(), "{field}");
    }
}

#[test]
fn no_answer_repeats_what_a_stranger_sent() {
    let server = Server::start();
    let pilot: Pilot = server.stranger();
    let marker = "x9y8z7";
    let answers = [
        pilot.get(&format!("/app/api/{marker}")),
        pilot.post(
            "Login",
            &[("email", &format!("{marker}@example.org")), ("password", marker)],
        ),
        pilot.post(marker, &[(marker, marker)]),
        pilot.get(&format!("/app/assets/{marker}")),
    ];
    for answer in answers {
        assert!(
            answer.status >= 400 && !answer.text().contains(marker),
            "{}",
            answer.text()
        );
    }
}

#[test]
fn a_request_is_one_line_of_the_log_without_queries_ids_and_addresses() {
    let server = Server::start_with(&[("FLUGLOG_LOG_LEVEL", "debug")]);
    let pilot = server.pilot("Anna");
    for path in [
        "/app/health?token=geheim",
        "/app/flights/0198b6f0-1111-7000-8000-000000000000?x=geheim",
        "/app/geheim@example.org",
        "/geheim",
    ] {
        pilot.get(path);
    }
    let expected = [
        "GET /app/health 200 ",
        "GET /app/flights/… 200 ",
        "GET /app/… 200 ",
        "GET /… 404 ",
        "POST /app/api/Login 202 ",
    ];
    wait::until("a line for each", || {
        let log = server.log();
        let once = |line: &&str| log.matches(*line).count() == 1;
        expected.iter().all(once).then_some(())
    });
    let log = server.log();
    assert!(
        log.lines()
            .filter(|line| line.contains("GET"))
            .all(|line| line.ends_with(" ms")),
        "{log}"
    );
    for private in ["geheim", "0198b6f0", "@example.org"] {
        assert!(!log.contains(private), "{private}: {log}");
    }
}
