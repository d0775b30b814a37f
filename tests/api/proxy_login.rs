//! Logins that a proxy has made: its header counts from a trusted proxy alone, and for accounts that exist.

use crate::harness::answer::Answer;
use crate::harness::process::run;
use crate::harness::{PASSWORD, Pilot, Server, text};

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";
/// The tests' own address acts as the proxy's.
const SETTINGS: &str = "trusted_proxies = [\"127.0.0.1/32\"]\n[auth]\nheader = \"Remote-Email\"\n\
    logout_url = \"https://auth.example.org/logout\"\n";

fn server_with(settings: &str) -> Server {
    let server = Server::start_configured(settings);
    for (email, nickname) in [(ANNA, "Anna"), (BEN, "Ben")] {
        server.add_user(email, nickname, PASSWORD);
    }
    server
}

/// Opens Fluglog through the proxy, which sends a header for each of these addresses.
fn open_as(browser: &Pilot, emails: &[&str]) -> Answer {
    let asked = browser.ask("POST", "/app/api/CheckSession");
    let asked = emails
        .iter()
        .fold(asked, |asked, email| asked.header("Remote-Email", email));
    asked.form(&[]).send()
}

fn disable(server: &Server, email: &str) {
    let done = run(["user", "disable", "--data-dir", text(server.directory()), email]);
    assert_eq!(done.code, 0, "{done:?}");
}

fn address(browser: &Pilot) -> String {
    let shown = browser.post_empty("GetDetailedUser").expect_status(200).json();
    shown["email"].as_str().unwrap().to_owned()
}

#[test]
fn a_user_named_by_the_proxy_is_logged_in_and_learns_where_to_log_out() {
    let server = server_with(SETTINGS);
    let browser = server.stranger();
    let opened = open_as(&browser, &["Anna@Example.org"]).expect_status(200).json();
    assert_eq!(opened["nickname"], "Anna");
    assert_eq!(opened["logoutUrl"], "https://auth.example.org/logout");
    assert_eq!(address(&browser), ANNA);
    server.log_with("from 127.0.0.1 by proxy");

    let session = browser.cookie("session");
    open_as(&browser, &[ANNA]).expect_status(200);
    assert_eq!(browser.cookie("session"), session, "one login is enough");
    let without = browser.check_session().expect_status(200).json();
    assert_eq!(without.get("logoutUrl"), None);
}

#[test]
fn in_a_browser_of_another_pilot_the_proxy_s_word_counts() {
    let server = server_with(SETTINGS);
    let browser = server.stranger();
    browser.log_in_and_stay(BEN, PASSWORD).expect_status(202);
    open_as(&browser, &[ANNA]).expect_status(200);
    assert_eq!(address(&browser), ANNA);
    assert_eq!(browser.cookie("login"), None, "Ben stays nowhere logged in");
}

#[test]
fn whoever_made_the_account_with_a_foreign_address_is_out_once_its_pilot_comes_through_the_proxy() {
    let server = server_with(SETTINGS);
    let invited = run(["user", "invite", "--data-dir", text(server.directory())]).stdout;
    let (_, token) = invited.trim().rsplit_once('#').unwrap();
    let prepared = server.stranger();
    let fields = [("token", token), ("email", "carl@example.org"), ("nickname", "Carl")];
    let fields = [&fields[..], &[("password", PASSWORD)]].concat();
    prepared.post("AcceptInvitation", &fields).expect_status(201);
    open_as(&server.stranger(), &["carl@example.org"]).expect_status(200);
    prepared.check_session().expect_status(401);
    server
        .stranger()
        .log_in("carl@example.org", PASSWORD)
        .expect_status(401);
}

#[test]
fn a_header_of_somebody_else_and_one_that_is_not_set_count_for_nothing() {
    let elsewhere = SETTINGS.replace("127.0.0.1/32", "10.0.0.0/8");
    for settings in [elsewhere.as_str(), "trusted_proxies = [\"127.0.0.1/32\"]\n"] {
        let server = server_with(settings);
        open_as(&server.stranger(), &[ANNA]).expect_status(401);
    }
    let server = server_with(SETTINGS);
    for named in [
        &[][..],
        &[""],
        &["anna"],
        &[ANNA, ANNA],
        &["anna@example.org, ben@example.org"],
        &["carl@example.org"],
    ] {
        open_as(&server.stranger(), named).expect_status(401);
    }
    disable(&server, ANNA);
    open_as(&server.stranger(), &[ANNA]).expect_status(401);
    // An address without an account leaves Fluglog's own login in force.
    let browser = server.stranger();
    browser.log_in(BEN, PASSWORD).expect_status(202);
    open_as(&browser, &["carl@example.org"]).expect_status(200);
    assert_eq!(address(&browser), BEN);
}

#[test]
fn an_account_is_made_if_the_settings_say_so_but_never_the_first_one() {
    let settings = format!("{SETTINGS}create_accounts = true\n");
    let server = Server::start_configured(&settings);
    open_as(&server.stranger(), &["carl@example.org"]).expect_status(401);
    server.add_user(ANNA, "Anna", PASSWORD);
    let browser = server.stranger();
    let opened = open_as(&browser, &["carl@example.org"]).expect_status(200).json();
    assert_eq!(opened["nickname"], "carl");
    let admin = browser.post_empty("GetAdminState").expect_status(200).json();
    assert_eq!(admin["operator"], false, "{admin}");
    let again = server.stranger();
    open_as(&again, &["Carl@example.org"]).expect_status(200);
    assert_eq!(address(&again), "carl@example.org");
    disable(&server, "carl@example.org");
    open_as(&server.stranger(), &["carl@example.org"]).expect_status(401);
}
