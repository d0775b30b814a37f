//! The ends of access to an account: every cell of the table in packaging/docs/security.md, for the pilot concerned,
//! and that other pilots aren't affected.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::harness::client::FORM;
use crate::harness::process::run;
use crate::harness::raw::connect_with_small_buffer;
use crate::harness::{Output, PASSWORD, Pilot, Server, run_with_input, temporary_directory, text, wait};

const DOCUMENT: &str = include_str!("../../packaging/docs/security.md");
/// The beginning of the table's header.
const HEAD: &str = "| | password | sessions |";
/// More than a connection's buffers hold.
const LARGE_BYTES: usize = 8_000_000;
const SETTINGS: [(&str, &str); 2] = [
    ("FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS", "0.2"),
    ("FLUGLOG_LIMITS__BODY_SECONDS", "600"),
];
const NEW_PASSWORD: &str = "Rotorblatt-18";
const WRONG_PASSWORD: &str = "Windkanal-19";

/// The cells of a line, without the outer ones.
fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// The names of the columns, and the rows of the table.
fn table() -> (Vec<&'static str>, Vec<Vec<&'static str>>) {
    let mut lines = DOCUMENT.lines().skip_while(|line| !line.starts_with(HEAD));
    let head = cells(lines.next().expect("the table"));
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    (head, rows.map(cells).collect())
}

/// A pilot's browsers: the first two are logged in persistently; the third is known and waits for a login by mail.
const BROWSERS: usize = 3;

/// A pilot with everything that can end, in its state before.
struct Account {
    email: String,
    browsers: [Pilot; BROWSERS],
    before: [Pilot; BROWSERS],
    number: String,
    request: String,
    reset: String,
    address: String,
    invitation: String,
    share: String,
    document: String,
    access_token: String,
}

fn admin(server: &Server, arguments: &[&str], typed: &str) -> Output {
    let place = ["--data-dir", text(server.directory())];
    let done = run_with_input([arguments, &place].concat(), typed.as_bytes());
    assert_eq!(done.code, 0, "{done:?}");
    done
}

/// The token of the link in the last line of a command's output.
fn token(server: &Server, arguments: &[&str]) -> String {
    let done = admin(server, arguments, "");
    let link = done.stdout.lines().last().expect("a link");
    link.split_once('#').expect("a token").1.to_owned()
}

impl Account {
    /// Makes an account by invitation, or by the admin.
    fn new(server: &Server, name: &str, is_invited: bool) -> Account {
        let email = format!("{name}@example.org");
        if is_invited {
            let invitation = token(server, &["user", "invite"]);
            let fields = [("token", &*invitation), ("email", &email), ("nickname", name)];
            let fields = [&fields[..], &[("password", PASSWORD)]].concat();
            server.stranger().post("AcceptInvitation", &fields).expect_status(201);
        } else {
            server.add_user(&email, name, PASSWORD);
        }
        let browsers = [(); BROWSERS].map(|()| {
            let browser = server.stranger();
            browser.log_in_and_stay(&email, PASSWORD).expect_status(202);
            browser
        });
        browsers[2].post_empty("Logout").expect_status(200);
        let number = browsers[2].ask_for_login(&email);
        let request = server.nth_mail(&email, 1).token();
        let new = format!("new-{email}");
        browsers[0].post("ChangeEmail", &[("email", &new)]).expect_status(200);
        let shared = browsers[0].document("klein.txt", b"klein");
        let share = browsers[0].post("ShareDocument", &[("dpfId", &shared)]);
        Account {
            number,
            request,
            reset: token(server, &["user", "reset", &email]),
            address: server.nth_mail(&new, 1).token(),
            invitation: token(server, &["user", "invite"]),
            share: share.expect_status(200).json()["token"]
                .as_str()
                .expect("a token")
                .to_owned(),
            access_token: browsers[0].access_token("true"),
            document: browsers[0].document("gross.bin", &vec![7; LARGE_BYTES]),
            before: browsers.each_ref().map(Pilot::another_tab),
            browsers,
            email,
        }
    }

    /// Begins a download in each browser that is logged in.
    fn downloads(&self, server: &Server) -> Vec<TcpStream> {
        let begin = |browser: &Pilot| {
            let body = format!("dpfId={}", self.document);
            let question = format!(
                "POST /app/api/DownloadDocument HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {}\r\n\
                 Content-Type: {FORM}\r\nContent-Length: {}\r\n\r\n{body}",
                server.address(),
                browser.cookie_header(),
                body.len()
            );
            let mut stream = connect_with_small_buffer(server.address());
            stream.set_read_timeout(Some(wait::PATIENCE)).expect("a socket option");
            stream.write_all(question.as_bytes()).expect("the question is sent");
            let mut first = [0; 15];
            stream.read_exact(&mut first).expect("an answer");
            assert_eq!(&first, b"HTTP/1.1 200 OK");
            stream
        };
        self.browsers[..2].iter().map(begin).collect()
    }

    /// What still works, for each column of the table: per browser, or for the account.
    fn works(&self, server: &Server, downloads: Vec<TcpStream>, asker: Option<usize>) -> Vec<Vec<bool>> {
        let stranger = || server.stranger();
        let is_good = |status: u16| match status {
            200 | 202 | 204 => true,
            401 | 410 => false,
            other => panic!("{}: {other}", self.email),
        };
        // The asking browser is tested with its current cookies, the others with their earlier ones.
        let of_browsers = |works: &dyn Fn(&Pilot) -> bool| -> Vec<bool> {
            let browsers = self.browsers.iter().zip(&self.before).enumerate();
            let works = browsers.map(|(at, (now, before))| match asker == Some(at) {
                true => works(now) || works(before),
                false => works(before),
            });
            works.collect()
        };
        let sessions = of_browsers(&|browser| is_good(browser.post_empty("GetDetailedUser").status));
        let tokens = of_browsers(&|browser| {
            let reopened = stranger();
            match browser.cookie("login") {
                Some(login) => reopened.plant_cookie("login", &login),
                None => return false,
            }
            is_good(reopened.check_session().status)
        });
        let by_link = |call: &str, token: &str| vec![is_good(stranger().post(call, &[("token", token)]).status)];
        let waits = is_good(self.before[2].check_login_token(&self.email).status);
        let request = by_link("GetLoginRequest", &self.request);
        assert_eq!(request, [waits], "a login by mail and its link");
        let shared = stranger().get(&format!("/app/api/SharedDocument?token={}", self.share));
        let script = stranger().ask_with_token("GetDetailedUser", &self.access_token, &[]);
        let downloads = downloads.into_iter().map(|mut stream| {
            let mut rest = Vec::new();
            // An interrupted download is incomplete.
            let _ = stream.read_to_end(&mut rest);
            rest.len() > LARGE_BYTES
        });
        let downloads = downloads.collect();
        let password = vec![is_good(stranger().log_in(&self.email, PASSWORD).status)];
        for _ in 0..5 {
            stranger().log_in(&self.email, WRONG_PASSWORD);
        }
        // Only a known browser still has an attempt.
        let devices = of_browsers(&|browser| match browser.log_in(&self.email, WRONG_PASSWORD).status {
            401 => true,
            429 => false,
            other => panic!("{}: {other}", self.email),
        });
        vec![
            password,
            sessions[..2].to_vec(),
            tokens[..2].to_vec(),
            devices,
            request,
            by_link("GetPasswordReset", &self.reset),
            by_link("GetNewAddress", &self.address),
            by_link("GetInvitation", &self.invitation),
            vec![is_good(shared.status)],
            downloads,
            vec![is_good(script.status)],
        ]
    }
}

/// Whether access of a browser continues when the cell says what ends.
fn goes_on(cell: &str, browser: usize, (one, asker): (Option<usize>, Option<usize>)) -> bool {
    match cell {
        "–" => true,
        "its own" => one != Some(browser),
        "all others" => asker == Some(browser),
        "all" | "until `user enable`" => false,
        other => panic!("{other}"),
    }
}

/// The browser concerned, and the browser that asks.
type About = (Option<usize>, Option<usize>);

#[track_caller]
fn expect(name: &str, works: &[Vec<bool>], row: &[&str], about: About) {
    let (head, _) = table();
    for ((works, cell), column) in works.iter().zip(&row[1..]).zip(&head[1..]) {
        let expected: Vec<_> = (0..works.len()).map(|at| goes_on(cell, at, about)).collect();
        assert_eq!(works, &expected, "{name}: {column}");
    }
}

/// Performs an end of access, and checks every cell of its row.
#[track_caller]
fn check(name: &str, about: About, end: impl Fn(&Server, &Account)) {
    let (_, rows) = table();
    let row = rows
        .into_iter()
        .find(|row| row[0] == name)
        .expect("a line of the table");
    let server = Server::start_with(&SETTINGS);
    let anna = Account::new(&server, "anna", name.contains("invitation"));
    let ben = Account::new(&server, "ben", false);
    let (of_anna, of_ben) = (anna.downloads(&server), ben.downloads(&server));
    end(&server, &anna);
    expect(name, &anna.works(&server, of_anna, about.1), &row, about);
    let nothing = vec!["–"; row.len()];
    expect(
        "another pilot",
        &ben.works(&server, of_ben, None),
        &nothing,
        (None, None),
    );
    if row.contains(&"until `user enable`") {
        admin(&server, &["user", "enable", &anna.email], "");
        let enabled: Vec<_> = row
            .iter()
            .map(|cell| if cell.contains("enable") { "–" } else { *cell })
            .collect();
        let works = anna.works(&server, Vec::new(), None);
        expect(name, &works[..works.len() - 1], &enabled, (None, None));
    }
}

#[test]
fn every_line_of_the_table_is_tried() {
    let (head, rows) = table();
    assert_eq!(
        (head.len(), rows.len()),
        (12, 12),
        "a new line or column needs its test below"
    );
}

#[test]
fn a_logout_ends_what_the_table_says() {
    check("logging out", (Some(0), Some(0)), |_, anna| {
        anna.browsers[0].post_empty("Logout").expect_status(200);
    });
}

#[test]
fn the_end_of_one_login_ends_what_the_table_says() {
    check(
        "\"Abmelden\" beside one browser in the profile",
        (Some(1), Some(0)),
        |_, anna| {
            let list = anna.browsers[0].post_empty("GetSessions").expect_status(200).json();
            let mut list = list.as_array().expect("a list").iter();
            let other = list.find(|login| login["current"] == false).expect("another login");
            let id = other["dpfId"].as_str().expect("an id");
            anna.browsers[0].post("EndSession", &[("dpfId", id)]).expect_status(200);
        },
    );
}

#[test]
fn a_logout_everywhere_ends_what_the_table_says() {
    let name = "logging out everywhere, `user logout`";
    check(name, (None, None), |_, anna| {
        anna.browsers[0].post_empty("LogOutFromEveryDevice").expect_status(200);
    });
    check(name, (None, None), |server, anna| {
        admin(server, &["user", "logout", &anna.email], "");
    });
}

#[test]
fn a_new_password_ends_what_the_table_says() {
    check("a new password in the profile", (None, Some(0)), |_, anna| {
        let saved = anna.browsers[0].save_password(NEW_PASSWORD, NEW_PASSWORD);
        saved.expect_status(200);
    });
}

#[test]
fn a_new_password_by_a_link_ends_what_the_table_says() {
    check(
        "a new password by a link of `user reset`",
        (None, None),
        |server, anna| {
            let fields = [("token", &*anna.reset), ("password", NEW_PASSWORD)];
            let fields = [&fields[..], &[("repeatPassword", NEW_PASSWORD)]].concat();
            server.stranger().post("ResetPassword", &fields).expect_status(201);
        },
    );
}

#[test]
fn a_password_of_the_admin_ends_what_the_table_says() {
    check("`user set-password`", (None, None), |server, anna| {
        let command = ["user", "set-password", &anna.email, "--password-stdin"];
        admin(server, &command, &format!("{NEW_PASSWORD}\n"));
    });
}

#[test]
fn the_first_login_by_mail_ends_what_the_table_says_and_later_ones_end_nothing() {
    let log_in_by_mail = |server: &Server, email: &str, nth: usize| {
        let browser = server.stranger();
        let number = browser.ask_for_login(email);
        let token = server.nth_mail(email, nth).token();
        server.stranger().confirm_login(&token, &number).expect_status(200);
        browser.check_login_token(email).expect_status(202);
        browser
    };
    let name = "the first login by mail to an account of an invitation";
    check(name, (None, None), |server, anna| {
        // After the mails for the waiting login and about the other address.
        let owner = log_in_by_mail(server, &anna.email, 3);
        let told = server.nth_mail(&anna.email, 4);
        assert!(told.subject.contains("gilt nicht mehr"), "{}", told.raw);
        owner.save_password(NEW_PASSWORD, NEW_PASSWORD).expect_status(200);
        owner.check_session().expect_status(200);
    });
    let server = Server::start_with(&SETTINGS);
    let anna = server.pilot("anna");
    log_in_by_mail(&server, "anna@example.org", 1);
    anna.check_session().expect_status(200);
    server
        .stranger()
        .log_in("anna@example.org", PASSWORD)
        .expect_status(202);
}

#[test]
fn denying_a_login_ends_what_the_table_says() {
    check("\"Das war ich nicht\"", (Some(2), None), |server, anna| {
        let denied = server.stranger().post("DenyLogin", &[("token", &anna.request)]);
        denied.expect_status(200);
        server
            .stranger()
            .confirm_login(&anna.request, &anna.number)
            .expect_status(410);
    });
}

#[test]
fn another_address_ends_what_the_table_says() {
    let name = "a new e-mail address, `user change --email`";
    let server = Server::start_with(&SETTINGS);
    let (_, rows) = table();
    let row = rows
        .into_iter()
        .find(|row| row[0] == name)
        .expect("a line of the table");
    for (name, confirms) in [("anna", true), ("carla", false)] {
        let mut anna = Account::new(&server, name, false);
        let downloads = anna.downloads(&server);
        let new = format!("neu-{name}@example.org");
        if confirms {
            let confirmed = anna.browsers[0].post("ConfirmEmail", &[("token", &anna.address)]);
            confirmed.expect_status(200);
        } else {
            admin(&server, &["user", "change", &anna.email, "--email", &new], "");
        }
        let old = std::mem::replace(
            &mut anna.email,
            if confirms {
                format!("new-{name}@example.org")
            } else {
                new
            },
        );
        anna.before[2].check_login_token(&old).expect_status(410);
        expect(name, &anna.works(&server, downloads, None), &row, (None, None));
    }
}

#[test]
fn a_disabled_user_has_lost_what_the_table_says() {
    check("`user disable`", (None, None), |server, anna| {
        admin(server, &["user", "disable", &anna.email], "");
    });
}

#[test]
fn a_deleted_user_has_lost_what_the_table_says() {
    check("`user delete`", (None, None), |server, anna| {
        admin(server, &["user", "delete", &anna.email, "--yes"], "");
    });
}

#[test]
fn a_restored_archive_has_lost_what_the_table_says() {
    let (_, rows) = table();
    let row = rows
        .into_iter()
        .find(|row| row[0] == "`restore`")
        .expect("a line of the table");
    let place = temporary_directory();
    let (first, again) = (place.path().join("first"), place.path().join("again"));
    let server = Server::start_in_with(&first, &SETTINGS);
    let anna = Account::new(&server, "anna", false);
    let archive = place.path().join("a.tar");
    admin(&server, &["backup", "--output", text(&archive)], "");
    assert!(server.stop().success());
    let restored = run(["restore", "--data-dir", text(&again), text(&archive)]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let server = Server::start_in_with(&again, &SETTINGS);
    let moved = |browser: &Pilot| {
        let moved = server.stranger();
        for name in ["session", "login", "device", "loginRequest"] {
            if let Some(value) = browser.cookie(name) {
                moved.plant_cookie(name, &value);
            }
        }
        moved
    };
    let anna = Account {
        browsers: anna.before.each_ref().map(moved),
        before: anna.before.each_ref().map(moved),
        ..anna
    };
    // No download outlives its server.
    let works = anna.works(&server, Vec::new(), None);
    expect("restore", &works[..works.len() - 1], &row, (None, None));
}
