//! The access log: one line for each refusal and each end of access, in one format, which the fail2ban filter reads.

use crate::harness::calls::COPTER;
use crate::harness::{Output, PASSWORD, Pilot, Server, run_with_input, temporary_directory, text};

const ANNA: &str = "anna@example.org";
/// The fail2ban filter of the package.
const FILTER: &str = include_str!("../../packaging/fail2ban/filter.d/fluglog.conf");

/// Makes a call through a proxy that reports this client address; returns the status.
fn ask_from(pilot: &Pilot, address: &str, call: &str, fields: &[(&str, &str)]) -> u16 {
    let question = pilot.ask("POST", &format!("/app/api/{call}"));
    question.header("X-Forwarded-For", address).form(fields).send().status
}

fn admin(server: &Server, arguments: &[&str]) -> Output {
    let place = ["--data-dir", text(server.directory())];
    let done = run_with_input([arguments, &place].concat(), b"Windkanal-19\n");
    assert_eq!(done.code, 0, "{done:?}");
    done
}

/// Waits for the line `last`, then returns all lines of the access log, from `access` on.
fn lines(server: &Server, last: &str) -> Vec<String> {
    let log = server.log_with(last);
    let about = |line: &str| line.find("access ").map(|at| line[at..].to_owned());
    log.lines().filter_map(about).collect()
}

fn server_with_anna() -> (Server, Pilot) {
    let server = Server::start_with(&[
        ("FLUGLOG_TRUSTED_PROXIES", "127.0.0.0/8"),
        ("FLUGLOG_PUBLIC_URL", "http://fluglog.example.org"),
    ]);
    let anna = server.pilot("anna");
    (server, anna)
}

#[test]
fn a_refused_access_is_one_line_with_user_and_address_and_the_filter_finds_the_guesses() {
    let (server, anna) = server_with_anna();
    let foreign = anna.item(COPTER, "Falke");
    let ben = server.pilot("ben");
    let wrong = [("email", ANNA), ("password", "Rotorblatt-18")];
    assert_eq!(ask_from(&server.stranger(), "203.0.113.1", "Login", &wrong), 401);
    let nobody = [("email", "nobody@example.org"), ("password", PASSWORD)];
    assert_eq!(ask_from(&server.stranger(), "2001:db8::2", "Login", &nobody), 401);
    for _ in 0..5 {
        ask_from(&server.stranger(), "203.0.113.3", "Login", &wrong);
    }
    let stranger = server.stranger();
    stranger.register("carl@example.org", "Carl").expect_status(200);
    server.nth_mail("carl@example.org", 1);
    assert_eq!(
        ask_from(&stranger, "203.0.113.4", "Verification", &[("code", "nein")]),
        400
    );
    stranger.ask_for_login(ANNA);
    let token = server.nth_mail(ANNA, 1).token();
    let number = [("token", token.as_str()), ("number", "nein")];
    assert_eq!(ask_from(&stranger, "203.0.113.5", "ConfirmLogin", &number), 400);
    assert_eq!(
        ask_from(&ben, "203.0.113.6", "GetEquipment", &[("dpfId", &foreign)]),
        403
    );

    let lines = lines(&server, "client 203.0.113.6");
    let refused = |what: &str, address: &str| {
        let (begin, end) = (format!("access refused: {what}; user "), format!("; client {address}"));
        let found = lines
            .iter()
            .find(|line| line.starts_with(&begin) && line.ends_with(&end));
        let line = found.unwrap_or_else(|| panic!("no line of {what} from {address}: {lines:#?}"));
        line[begin.len()..line.len() - end.len()].to_owned()
    };
    let id = refused("wrong password", "203.0.113.1");
    assert_eq!(id.len(), 36, "{id}");
    assert_eq!(refused("wrong password", "2001:db8::2"), "unknown");
    assert_eq!(refused("too many tries", "203.0.113.3"), id);
    assert_eq!(refused("wrong code", "203.0.113.4"), "unknown");
    assert_eq!(refused("wrong number", "203.0.113.5"), id);
    assert_eq!(refused("no access", "203.0.113.6").len(), 36);

    let pattern = FILTER
        .lines()
        .find_map(|line| line.strip_prefix("failregex = "))
        .unwrap();
    let pattern = regex_lite::Regex::new(&pattern.replace("<HOST>", r"(\S+)")).unwrap();
    let log = server.log();
    let found: Vec<_> = log
        .lines()
        .filter_map(|line| pattern.captures(line))
        .map(|found| found[1].to_owned())
        .collect();
    let refused = lines.iter().filter(|line| line.starts_with("access refused"));
    assert_eq!(found.len(), refused.filter(|line| !line.contains("no access")).count());
    assert!(
        !found.contains(&"203.0.113.6".to_owned()),
        "nobody guesses whose an item is"
    );
    for address in [
        "203.0.113.1",
        "2001:db8::2",
        "203.0.113.3",
        "203.0.113.4",
        "203.0.113.5",
    ] {
        assert!(found.iter().any(|one| one == address), "{address}: {found:?}");
    }
    assert!(!log.contains(ANNA) && !log.contains("Rotorblatt"), "{log}");
}

#[test]
fn an_access_that_ends_is_one_line_with_user_and_address() {
    let (server, anna) = server_with_anna();
    let other = anna.log_in_elsewhere();
    ask_from(&anna, "203.0.113.1", "EndSession", &[("dpfId", &other)]);
    let passwords = [("password", "Windkanal-20"), ("repeatPassword", "Windkanal-20")];
    ask_from(&anna, "203.0.113.2", "SavePassword", &passwords);
    ask_from(&anna, "203.0.113.3", "Logout", &[]);
    ask_from(&server.stranger(), "203.0.113.9", "Logout", &[]);
    anna.log_in(ANNA, "Windkanal-20").expect_status(202);
    ask_from(&anna, "203.0.113.4", "LogOutFromEveryDevice", &[]);
    admin(&server, &["user", "set-password", ANNA, "--password-stdin"]);
    admin(&server, &["user", "logout", ANNA]);
    admin(&server, &["user", "disable", ANNA]);
    admin(&server, &["user", "delete", ANNA, "--yes"]);
    let mut lines = lines(&server, "access ended: deleted");
    lines.retain(|line| line.starts_with("access ended"));
    let told: Vec<_> = lines
        .iter()
        .map(|line| {
            let (what, rest) = line["access ended: ".len()..].split_once("; user ").unwrap();
            let (user, client) = rest.split_once("; client ").unwrap();
            assert_eq!(user.len(), 36, "{line}");
            (what, client)
        })
        .collect();
    assert_eq!(
        told,
        [
            ("one login", "203.0.113.1"),
            ("new password", "203.0.113.2"),
            ("logout", "203.0.113.3"),
            ("every login", "203.0.113.4"),
            ("new password", "shell"),
            ("every login", "shell"),
            ("disabled", "shell"),
            ("deleted", "shell"),
        ]
    );
}

/// Refusals and failures stand out: without `log_level`, the journal has no line of a request that succeeded.
#[test]
fn every_line_has_the_level_of_what_it_says() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    server.add_user(ANNA, "anna", PASSWORD);
    assert!(server.stop().success());
    let settings = [
        ("FLUGLOG_LOG_LEVEL", "debug"),
        ("FLUGLOG_LIMITS__RECORDS_FREE_MEGABYTES", "1000000000"),
    ];
    let server = Server::start_in_with(place.path(), &settings);
    let anna = server.stranger();
    anna.log_in(ANNA, PASSWORD).expect_status(202);
    let foreign = "0198b6f0-1111-7000-8000-000000000000";
    anna.post("GetEquipment", &[("dpfId", foreign)]).expect_status(403);
    anna.save_new_equipment(&serde_json::json!({"type": COPTER, "name": "Falke"}))
        .expect_status(503);
    anna.post_empty("LogOutFromEveryDevice").expect_status(200);
    server.stranger().log_in(ANNA, "Rotorblatt-18").expect_status(401);
    for line in [
        "DEBUG POST /app/api/Login 202 ",
        "INFO  login of ",
        "INFO  POST /app/api/GetEquipment 403 ",
        "WARN  access refused: no access; ",
        "WARN  POST /app/api/SaveNewEquipment 503 ",
        "INFO  access ended: every login; ",
        "WARN  access refused: wrong password; ",
        "INFO  POST /app/api/Login 401 ",
    ] {
        server.log_with(line);
    }
}
