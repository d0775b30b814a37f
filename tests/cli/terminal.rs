//! The program's prompts at a terminal.

use crate::harness::terminal::Terminal;
use crate::harness::{PASSWORD, Server, text};

const ANNA: &str = "anna@example.org";
const NEW: &str = "Rotorblatt-18";

#[test]
fn a_password_is_asked_for_twice_and_not_shown() {
    let server = Server::start();
    let directory = text(server.directory());
    let mut terminal = Terminal::run([
        "user",
        "add",
        "--email",
        ANNA,
        "--nickname",
        "Anna",
        "--password-stdin",
        "--data-dir",
        directory,
    ]);
    terminal.answer("Neues Passwort: ", PASSWORD);
    terminal.answer("Passwort wiederholen: ", PASSWORD);
    assert_eq!(terminal.wait(), 0, "{}", terminal.shown());
    assert!(!terminal.shown().contains(PASSWORD), "{}", terminal.shown());
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);

    let mut terminal = Terminal::run([
        "user",
        "set-password",
        ANNA,
        "--password-stdin",
        "--data-dir",
        directory,
    ]);
    terminal.answer("Neues Passwort: ", NEW);
    terminal.answer("Passwort wiederholen: ", NEW);
    assert_eq!(terminal.wait(), 0, "{}", terminal.shown());
    server.stranger().log_in(ANNA, NEW).expect_status(202);
}

#[test]
fn two_different_passwords_change_nothing() {
    let server = Server::start();
    server.add_user(ANNA, "Anna", PASSWORD);
    let directory = text(server.directory());
    let mut terminal = Terminal::run([
        "user",
        "set-password",
        ANNA,
        "--password-stdin",
        "--data-dir",
        directory,
    ]);
    terminal.answer("Neues Passwort: ", NEW);
    terminal.answer("Passwort wiederholen: ", "Rotorblatt-81");
    assert_eq!(terminal.wait(), 1);
    assert!(terminal.shown().contains("nichts geändert"), "{}", terminal.shown());
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
}

#[test]
fn a_deletion_happens_only_after_a_typed_yes() {
    let server = Server::start();
    server.add_user(ANNA, "Anna", PASSWORD);
    let directory = text(server.directory());
    for (word, code) in [("nein", 1), ("", 1), ("ja", 0)] {
        server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
        let mut terminal = Terminal::run(["user", "delete", ANNA, "--data-dir", directory]);
        terminal.answer("„ja“ eingeben: ", word);
        assert_eq!(terminal.wait(), code, "{}", terminal.shown());
    }
    server.stranger().log_in(ANNA, PASSWORD).expect_status(401);
}
