//! Stored passwords at a login, and the lifetime of a session.

use super::*;
use crate::base::config::Config;
use crate::base::time::{Clock, Zone};
use crate::store::Store;

const ANNA: &str = "anna@example.org";
const PASSWORD: &str = "Propeller-17";
/// Of that password, with 64 KiB and one pass.
const WEAK: &str = "$argon2id$v=19$m=64,t=1,p=1$c2VjaHplaG4gWmVpY2hlbg$t/V8r0vt6D1uw1/CeD96GMGMEy6Vn2GmE6Rv5AvgATw";

fn app_with_anna(directory: &tempfile::TempDir, hash: &str) -> App {
    let app = App::new(Config::default(), Store::open(directory.path(), true).unwrap());
    let email = Email::parse(ANNA).unwrap();
    let user = UserRecord {
        password: Some(hash.to_owned()),
        ..UserRecord::new(&email, "Anna".to_owned(), 0)
    };
    app.store
        .write(move |writer| table::insert(writer, UserId::fresh(), &email, &user))
        .unwrap();
    app
}

fn stored(app: &App) -> String {
    let email = Email::parse(ANNA).unwrap();
    let user = app.store.read(|data| table::by_email(data, &email)).unwrap();
    user.and_then(|(_, user)| user.password).unwrap()
}

fn browser() -> Browser {
    Browser {
        address: std::net::Ipv4Addr::LOCALHOST.into(),
        session: None,
        token: None,
        device: None,
        is_near: true,
        name: None,
    }
}

fn log_in(app: &App, password: &str) -> Result<Login> {
    login(app, ANNA, password, false, &browser())
}

#[test]
fn a_login_with_a_weakly_hashed_password_stores_a_strong_hash() {
    let directory = tempfile::tempdir().unwrap();
    let app = app_with_anna(&directory, WEAK);
    assert!(matches!(log_in(&app, "Rotorblatt-18"), Err(Error::LoginRefused)));
    assert_eq!(stored(&app), WEAK);
    let session = log_in(&app, PASSWORD).unwrap().session;
    let strong = stored(&app);
    assert!(strong.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{strong}");
    guard::viewer_of_session(&app, session.as_str()).unwrap();
    log_in(&app, PASSWORD).unwrap();
    assert_eq!(stored(&app), strong, "a strong hash stays");
}

#[test]
fn a_session_ends_after_a_day_without_use_and_each_use_renews_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut app = app_with_anna(&directory, WEAK);
    app.clock = Clock::fixed(1_800_000_000, app.config.time_zone);
    let session = log_in(&app, PASSWORD).unwrap().session;
    let day_seconds = 24 * 60 * 60;
    for _ in 0..3 {
        app.clock.advance(day_seconds);
        guard::viewer_of_session(&app, session.as_str()).unwrap();
        // Writes are done in order: behind this one the use is noted.
        app.store.write(|_| Ok(())).unwrap();
    }
    app.clock.advance(day_seconds + 1);
    let over = guard::viewer_of_session(&app, session.as_str());
    assert!(matches!(over, Err(Error::NotLoggedIn)));
}

#[test]
fn a_clock_that_was_set_back_ends_no_session() {
    let directory = tempfile::tempdir().unwrap();
    let mut app = app_with_anna(&directory, WEAK);
    app.clock = Clock::fixed(1_800_000_000, app.config.time_zone);
    let session = log_in(&app, PASSWORD).unwrap().session;
    app.clock = Clock::fixed(1_700_000_000, app.config.time_zone);
    guard::viewer_of_session(&app, session.as_str()).unwrap();
}

#[test]
fn a_login_that_was_good_before_a_new_password_opens_no_session_after_it() {
    let directory = tempfile::tempdir().unwrap();
    let app = app_with_anna(&directory, WEAK);
    let email = Email::parse(ANNA).unwrap();
    let (id, anna) = app.store.read(|data| table::by_email(data, &email)).unwrap().unwrap();
    administration::change_user(
        &app,
        ANNA,
        &administration::Change::Password("Rotorblatt-18".to_owned()),
    )
    .unwrap();
    let new = NewSession::prepare(&app, true, &browser()).unwrap();
    let late = open_session(&app, id, anna.generation, new, &browser(), "password");
    assert!(matches!(late, Err(Error::NotLoggedIn)));
}

#[test]
fn a_session_of_a_disabled_user_is_none_however_it_was_opened() {
    let directory = tempfile::tempdir().unwrap();
    let app = app_with_anna(&directory, WEAK);
    administration::change_user(&app, ANNA, &administration::Change::Disable).unwrap();
    let email = Email::parse(ANNA).unwrap();
    let (id, _) = app.store.read(|data| table::by_email(data, &email)).unwrap().unwrap();
    let new = NewSession::prepare(&app, false, &browser()).unwrap();
    let rows = new.rows.clone();
    let opened = app.store.write(move |writer| rows.write(writer, id)).unwrap();
    let session = new.login(opened).session;
    let viewer = guard::viewer_of_session(&app, session.as_str());
    assert!(matches!(viewer, Err(Error::NotLoggedIn)));
}

#[test]
fn a_lasting_login_says_when_it_was_last_used_also_when_its_session_is_over() {
    let directory = tempfile::tempdir().unwrap();
    let mut app = app_with_anna(&directory, WEAK);
    app.clock = Clock::fixed(1_800_000_000, app.config.time_zone);
    let token = login(&app, ANNA, PASSWORD, true, &browser()).unwrap().token.unwrap();
    let two_days_seconds = 2 * 24 * 60 * 60;
    app.clock.advance(two_days_seconds);
    login_with_token(&app, token.as_str(), &browser()).unwrap();
    let used = app.clock.wall_time_at(app.clock.unix_seconds()).to_string();
    app.clock.advance(two_days_seconds);
    let anna = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
    let logins = logins::list(&app, &anna, &browser()).unwrap();
    assert_eq!(logins.len(), 1);
    assert_eq!(logins[0].last_seen, used);
}

#[test]
fn a_session_that_a_wrong_clock_ended_stays_ended() {
    let directory = tempfile::tempdir().unwrap();
    let mut app = app_with_anna(&directory, WEAK);
    app.clock = Clock::fixed(1_800_000_000, Zone::UTC);
    let session = log_in(&app, PASSWORD).unwrap().session;
    app.clock.advance(400 * 24 * 60 * 60);
    let refused = || guard::viewer_of_session(&app, session.as_str()).map(|viewer| viewer.user());
    assert_eq!(refused(), Err(Error::NotLoggedIn));
    // Writes are done in order: behind this one the end is stored.
    app.store.write(|_| Ok(())).unwrap();
    app.clock.advance(-400 * 24 * 60 * 60);
    assert_eq!(refused(), Err(Error::NotLoggedIn));
}
