//! Registrations under a clock that a test moves.

use super::*;
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_store::Store;

const ANNA: &str = "anna@example.org";

fn app() -> (tempfile::TempDir, App) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), true).unwrap();
    let config = Config::default();
    let app = App {
        clock: Clock::fixed(1_800_000_000, config.time_zone),
        ..App::new(config, store)
    };
    (directory, app)
}

fn browser() -> Browser {
    Browser {
        address: std::net::Ipv4Addr::LOCALHOST.into(),
        session: None,
        token: None,
        devices: Vec::new(),
        is_near: true,
        name: None,
        remember: false,
    }
}

/// Returns the code that is mailed for a registration.
fn code_of(app: &App, token: &str) -> Option<String> {
    let mail = compose(app, digest_key(&digest(token)), ANNA).unwrap()?;
    let code = mail
        .text
        .lines()
        .find(|line| line.len() == CODE_DIGITS && line.parse::<u32>().is_ok());
    Some(code.expect("a code on a line of its own").to_owned())
}

fn begun(app: &App) -> (String, String) {
    let token = begin(app, ANNA, "Anna", None, &browser()).unwrap();
    let code = code_of(app, &token).unwrap();
    (token, code)
}

/// Returns another code.
fn other_than(code: &str) -> &'static str {
    if code == "123456" { "654321" } else { "123456" }
}

#[test]
fn a_code_makes_a_user_once() {
    let (_directory, app) = app();
    let (token, code) = begun(&app);
    let spaced = format!(" {} {} ", &code[..3], &code[3..]);
    let login = finish(&app, Some(&token), &spaced, &browser()).unwrap();
    assert_eq!(login.user.nickname, "Anna");
    let again = finish(&app, Some(&token), &code, &browser());
    assert_eq!(again.err(), Some(Error::Gone(text::CODE_GONE)));
}

#[test]
fn five_wrong_codes_end_a_registration() {
    let (_directory, app) = app();
    let (token, code) = begun(&app);
    for _ in 0..5 {
        let wrong = finish(&app, Some(&token), other_than(&code), &browser());
        assert_eq!(wrong.err(), Some(Error::invalid("code", text::CODE_WRONG)));
    }
    let right = finish(&app, Some(&token), &code, &browser());
    assert_eq!(right.err(), Some(Error::Gone(text::CODE_GONE)));
}

#[test]
fn a_code_is_good_for_half_an_hour() {
    let (_directory, app) = app();
    let (token, code) = begun(&app);
    app.clock.advance(VALID_SECONDS);
    let late = finish(&app, Some(&token), &code, &browser());
    assert_eq!(late.err(), Some(Error::Gone(text::CODE_GONE)));
    assert_eq!(code_of(&app, &token), None, "no mail for what is over");

    let (token, code) = begun(&app);
    app.clock.advance(VALID_SECONDS - 1);
    finish(&app, Some(&token), &code, &browser()).unwrap();
}

#[test]
fn a_code_is_good_only_in_its_browser() {
    let (_directory, app) = app();
    let (stranger_s, _) = begun(&app);
    let (victim_s, code) = begun(&app);
    for token in [None, Some("x"), Some(stranger_s.as_str())] {
        assert!(finish(&app, token, &code, &browser()).is_err());
    }
    finish(&app, Some(&victim_s), &code, &browser()).unwrap();
}

#[test]
fn within_a_minute_the_first_code_stays_good_and_later_a_new_request_kills_it() {
    let (_directory, app) = app();
    let (token, _) = begun(&app);
    let again = begin(&app, "ANNA@example.org", "Änne", Some(&token), &browser()).unwrap();
    assert_eq!(again, token);
    app.clock.advance(mail_queue::ONE_MAIL_IN_SECONDS);
    let code = code_of(&app, &token).unwrap();
    let later = begin(&app, ANNA, "Änne", Some(&token), &browser()).unwrap();
    assert_ne!(later, token);
    assert!(finish(&app, Some(&token), &code, &browser()).is_err());
    let code = code_of(&app, &later).unwrap();
    assert_eq!(
        finish(&app, Some(&later), &code, &browser()).unwrap().user.nickname,
        "Änne"
    );
}

#[test]
fn an_address_that_was_taken_in_between_stays_with_its_user() {
    let (_directory, app) = app();
    let (token, code) = begun(&app);
    crate::administration::add_user(&app, ANNA, "Andere", None, false).unwrap();
    let late = finish(&app, Some(&token), &code, &browser());
    assert_eq!(late.err(), Some(Error::Conflict(text::EMAIL_TAKEN)));
    let taken = begin(&app, ANNA, "Anna", None, &browser());
    assert_eq!(taken, Err(Error::Conflict(text::EMAIL_TAKEN)));
}

#[test]
fn before_its_mail_was_written_no_code_is_right() {
    let (_directory, app) = app();
    let token = begin(&app, ANNA, "Anna", None, &browser()).unwrap();
    let early = finish(&app, Some(&token), "000000", &browser());
    assert_eq!(early.err(), Some(Error::invalid("code", text::CODE_WRONG)));
}

#[test]
fn the_code_is_stored_as_argon2id() {
    let (_directory, app) = app();
    let (token, code) = begun(&app);
    let key = digest_key(&digest(&token));
    let stored = app
        .store
        .read(|data| data.get::<RegistrationRecord>(key))
        .unwrap()
        .unwrap();
    let hash = stored.code.unwrap();
    assert!(hash.starts_with("$argon2id$") && !hash.contains(&code), "{hash}");
}
