//! The links in mails: their addresses, and the effect of opening one.

use serde_json::json;

use crate::harness::{PASSWORD, Server, run_with_input, text};

const ANNA: &str = "anna@example.org";

fn server_with_anna(settings: &[(&str, &str)]) -> Server {
    let server = Server::start_with(settings);
    server.add_user(ANNA, "Anna", PASSWORD);
    server
}

/// The link in Anna's mail after a request with these headers.
fn link_for(server: &Server, headers: &[(&str, &str)]) -> String {
    let stranger = server.stranger();
    let mut question = stranger.ask("POST", "/app/api/Login");
    for (name, value) in headers {
        question = question.header(name, value);
    }
    question.form(&[("email", ANNA)]).send().expect_status(200);
    server.nth_mail(ANNA, 1).link()
}

#[test]
fn a_link_leads_to_the_address_that_the_browser_used_when_it_is_this_machine_s() {
    let server = server_with_anna(&[]);
    let link = link_for(&server, &[]);
    assert!(
        link.starts_with(&format!("{}/app/loginConfirmation#", server.origin())),
        "{link}"
    );
}

#[test]
fn a_foreign_host_chooses_no_link() {
    for headers in [
        &[("Host", "evil.example")][..],
        &[("Host", "evil.example:8080"), ("X-Forwarded-Host", "evil.example")],
        &[("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "https")],
        &[("Host", "localhost.evil.example")],
    ] {
        let server = server_with_anna(&[]);
        let link = link_for(&server, headers);
        assert!(!link.contains("evil"), "{headers:?}: {link}");
        assert!(
            link.starts_with(&format!("{}/app/", server.origin())),
            "{headers:?}: {link}"
        );
    }
}

#[test]
fn the_public_address_is_the_base_of_every_link() {
    let server = server_with_anna(&[("FLUGLOG_PUBLIC_URL", "http://fluglog.example.org")]);
    let link = {
        let stranger = server.stranger();
        stranger.ask_for_login(ANNA);
        server.nth_mail(ANNA, 1).link()
    };
    assert!(
        link.starts_with("http://fluglog.example.org/app/loginConfirmation#"),
        "{link}"
    );
}

#[test]
fn a_forwarded_host_chooses_no_link() {
    for headers in [
        &[("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "https")][..],
        &[("Host", "evil.example")],
        &[("X-Forwarded-Host", "localhost.evil.example")],
    ] {
        let server = server_with_anna(&[("FLUGLOG_TRUSTED_PROXIES", "127.0.0.1/32")]);
        let link = link_for(&server, headers);
        assert!(
            link.starts_with(&format!("{}/app/", server.origin())),
            "{headers:?}: {link}"
        );
    }
}

#[test]
fn a_proxy_without_a_public_address_is_warned_of_at_the_start_and_by_status() {
    let complaints = |settings: &[(&str, &str)]| {
        let server = Server::start_with(settings);
        let status = run_with_input(["status", "--data-dir", text(server.directory())], b"");
        [
            server.log().contains("set public_url"),
            status.stdout.contains("fehlt public_url"),
        ]
    };
    let trusted = ("FLUGLOG_TRUSTED_PROXIES", "127.0.0.1/32");
    assert_eq!(complaints(&[trusted]), [true, true]);
    let named = ("FLUGLOG_PUBLIC_URL", "https://fluglog.example.org");
    assert_eq!(complaints(&[trusted, named]), [false, false]);
}

#[test]
fn a_link_carries_at_least_128_bits_and_nothing_in_its_query() {
    let server = server_with_anna(&[]);
    let link = link_for(&server, &[]);
    let (address, token) = link.split_once('#').unwrap();
    assert!(token.len() >= 32 && !address.contains('?'), "{link}");
}

#[test]
fn opening_the_link_however_often_changes_nothing() {
    let server = server_with_anna(&[("FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS", "0.2")]);
    let pilot = server.stranger();
    let number = pilot.ask_for_login(ANNA);
    let token = server.nth_mail(ANNA, 1).token();
    let scanner = server.stranger();
    for _ in 0..7 {
        scanner.get("/app/loginConfirmation");
        scanner.ask("HEAD", "/app/loginConfirmation").send();
        scanner
            .ask("OPTIONS", "/app/loginConfirmation")
            .send()
            .expect_status(405);
        scanner.post("GetLoginRequest", &[("token", &token)]).expect_status(200);
        scanner
            .ask("GET", &format!("/app/api/ConfirmLogin?token={token}&number={number}"))
            .send()
            .expect_status(405);
    }
    pilot.check_login_token(ANNA).expect_status(204);
    scanner.confirm_login(&token, &number).expect_status(200);
    pilot.check_login_token(ANNA).expect_status(202);
}

#[test]
fn nothing_that_a_stranger_wrote_is_in_the_mail_or_on_the_page_of_its_link() {
    const CHROME: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 \
        Mobile Safari/537.36";
    let rogue = "Fluglog-Sicherheitspruefung. Ihre Zahl lautet: 42 <script>";
    let mixed = format!("{CHROME} {rogue}");
    for (agent, address, browser, from) in [
        (rogue, "127.0.0.1", "unbekannter Browser", "aus diesem Netz"),
        (rogue, "203.0.113.9", "unbekannter Browser", "von außerhalb"),
        (CHROME, "203.0.113.9", "Chrome auf Android", "von außerhalb"),
        (&mixed, "2001:db8::9", "Chrome auf Android", "von außerhalb"),
    ] {
        let server = server_with_anna(&[("FLUGLOG_TRUSTED_PROXIES", "127.0.0.1/32")]);
        link_for(&server, &[("User-Agent", agent), ("X-Forwarded-For", address)]);
        let mail = server.nth_mail(ANNA, 1);
        for part in [&mail.text, &mail.html] {
            assert!(part.contains(browser) && part.contains(from), "{part}");
            assert!(!part.contains("42 ") && !part.contains("Sicherheit"), "{part}");
        }
        let asked = server
            .stranger()
            .post("GetLoginRequest", &[("token", &mail.token())])
            .expect_status(200)
            .json();
        assert_eq!((&asked["browser"], &asked["from"]), (&json!(browser), &json!(from)));
    }
}

#[test]
fn behind_a_proxy_that_the_settings_do_not_name_nobody_counts_as_near() {
    let server = server_with_anna(&[]);
    link_for(&server, &[("X-Forwarded-For", "127.0.0.1")]);
    assert!(server.nth_mail(ANNA, 1).text.contains("von außerhalb"));
}

#[test]
fn a_mail_goes_to_the_address_as_its_pilot_wrote_it() {
    let server = server_with_anna(&[]);
    server.stranger().ask_for_login("ANNA@example.ORG");
    server.nth_mail(ANNA, 1);
}

#[test]
fn over_https_the_cookies_of_what_waits_are_guarded_too() {
    let server = server_with_anna(&[("FLUGLOG_TRUSTED_PROXIES", "127.0.0.1/32")]);
    let secure = |call: &str, fields: &[(&str, &str)], name: &str| {
        let stranger = server.stranger();
        let question = stranger.ask("POST", &format!("/app/api/{call}"));
        let answer = question.header("X-Forwarded-Proto", "https").form(fields).send();
        let cookie = answer.expect_status(200).cookie(name);
        assert!(
            cookie.has("Secure") && cookie.has("HttpOnly") && cookie.has("Path=/"),
            "{cookie:?}"
        );
    };
    secure("Login", &[("email", ANNA)], "__Host-loginRequest");
    let ben = [("email", "ben@example.org"), ("nickname", "Ben")];
    secure("RegistrationAndVerification", &ben, "__Host-registration");
}
