//! The first account, made once through the link that the server prints while there is none.

use crate::harness::client::RequestBuilder;
use crate::harness::{PASSWORD, Pilot, Server, process::run, temporary_directory, text};

const ANNA: &str = "anna@example.org";

fn token(url: &str) -> String {
    url.split_once("/app/setup#").expect("a set-up address").1.to_owned()
}

fn create<'p>(pilot: &'p Pilot, token: &str, email: &str) -> RequestBuilder<'p> {
    pilot.ask("POST", "/app/api/CreateFirstAccount").form(&[
        ("token", token),
        ("email", email),
        ("nickname", "Anna"),
        ("password", PASSWORD),
    ])
}

/// Whether the server accepts a token before anything is typed.
fn is_good(server: &Server, token: &str) -> bool {
    let checked = server.stranger().post("CheckSetupLink", &[("token", token)]);
    assert!([200, 410].contains(&checked.status), "{}", checked.text());
    checked.status == 200
}

fn is_open(server: &Server) -> bool {
    let state = server
        .stranger()
        .get("/app/api/GetSetupState")
        .expect_status(200)
        .json();
    state["open"].as_bool().expect("a boolean")
}

#[test]
fn the_printed_address_makes_the_first_account_that_of_an_operator_and_logs_in() {
    let server = Server::start();
    let url = server.setup_url();
    assert!(url.starts_with(&format!("{}/app/setup#", server.origin())), "{url}");
    assert!(token(&url).len() >= 22, "at least 128 bits: {url}");
    assert!(is_open(&server));
    let status = run(["status", "--data-dir", text(server.directory())]).stdout;
    assert!(status.contains(&url), "{status}");
    assert!(is_good(&server, &token(&url)) && !is_good(&server, "unknown"));
    let pilot = server.stranger();
    let made = create(&pilot, &token(&url), ANNA).send().expect_status(201);
    assert_eq!(made.json()["nickname"], "Anna");
    let mut shown = made.json();
    shown["remembered"] = false.into();
    assert_eq!(pilot.check_session().expect_status(200).json(), shown);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
    assert!(!is_open(&server) && !is_good(&server, &token(&url)));
    let users = run(["user", "list", "--json", "--data-dir", text(server.directory())]).stdout;
    let users: serde_json::Value = serde_json::from_str(&users).unwrap();
    assert_eq!(users[0]["operator"], true, "{users}");
    let status = run(["status", "--data-dir", text(server.directory())]).stdout;
    assert!(!status.contains("/app/setup#"), "{status}");

    let again = create(&server.stranger(), &token(&url), "ben@example.org").send();
    assert!(
        again
            .expect_status(410)
            .text()
            .starts_with("Diese Adresse gilt nicht mehr.")
    );
    assert!(!server.log().contains(&token(&url)), "the token is in the log");
}

#[test]
fn of_many_who_use_the_address_at_once_one_gets_the_account() {
    let server = Server::start();
    let token = token(&server.setup_url());
    let made: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|number| {
                let (server, token) = (&server, &token);
                scope.spawn(move || {
                    let pilot = server.stranger();
                    create(&pilot, token, &format!("pilot{number}@example.org"))
                        .send()
                        .status
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(made.iter().filter(|status| **status == 201).count(), 1, "{made:?}");
    assert!(made.iter().all(|status| [201, 410, 503].contains(status)), "{made:?}");
}

#[test]
fn each_start_prints_another_address_and_none_once_there_is_an_account() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    let first = token(&server.setup_url());
    assert!(server.stop().success());
    let server = Server::start_in(&directory);
    let second = token(&server.setup_url());
    assert_ne!(first, second);
    assert!(!is_good(&server, &first) && is_good(&server, &second));
    create(&server.stranger(), &first, ANNA).send().expect_status(410);
    create(&server.stranger(), "", ANNA).send().expect_status(400);
    create(&server.stranger(), &second, "keine Adresse")
        .send()
        .expect_status(400);
    let weak = [
        ("token", second.as_str()),
        ("email", ANNA),
        ("nickname", "Anna"),
        ("password", "12345678"),
    ];
    server.stranger().post("CreateFirstAccount", &weak).expect_status(400);
    server.add_user(ANNA, "Anna", PASSWORD);
    create(&server.stranger(), &second, "ben@example.org")
        .send()
        .expect_status(410);
    assert!(server.stop().success());
    let server = Server::start_in(&directory);
    assert!(!is_open(&server));
    assert!(server.stop_and_read().iter().all(|line| !line.contains("setup")));
}

#[test]
fn whoever_registers_first_is_an_operator_and_nobody_after() {
    let server = Server::start();
    for (email, nickname) in [(ANNA, "Anna"), ("ben@example.org", "Ben")] {
        let pilot = server.stranger();
        pilot.register(email, nickname).expect_status(200);
        let code = server.nth_mail(email, 1).code();
        pilot.verify(&code).expect_status(201);
    }
    let users = run(["user", "list", "--json", "--data-dir", text(server.directory())]).stdout;
    let users: serde_json::Value = serde_json::from_str(&users).unwrap();
    assert_eq!([&users[0]["operator"], &users[1]["operator"]], [true, false], "{users}");
}
