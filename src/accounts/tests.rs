//! Stored passwords at a login, and the lifetime of a session.

use super::*;
use fluglog_base::time::{Clock, Zone};
use fluglog_config::Config;
use fluglog_store::Store;
use fluglog_web::credentials::Credentials;
use warp::http::header::COOKIE;
use warp::http::{HeaderMap, HeaderValue};

const ANNA: &str = "anna@example.org";
const PASSWORD: &str = "Propeller-17";
const DAY_SECONDS: i64 = 24 * 60 * 60;
/// A hash of that password, with 64 KiB and one pass.
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
        devices: Vec::new(),
        is_near: true,
        name: None,
        remember: false,
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
    for _ in 0..3 {
        app.clock.advance(DAY_SECONDS);
        guard::viewer_of_session(&app, session.as_str()).unwrap();
        // Writes are done in order: after this one the use is stored.
        app.store.write(|_| Ok(())).unwrap();
    }
    app.clock.advance(DAY_SECONDS + 1);
    let over = guard::viewer_of_session(&app, session.as_str());
    assert!(matches!(over, Err(Error::NotLoggedIn)));
}

#[test]
fn the_use_of_a_session_is_written_down_every_quarter_of_an_hour_and_that_of_its_browser_once_a_day() {
    let directory = tempfile::tempdir().unwrap();
    let (app, anna) = app_at_a_fixed_time(&directory);
    let login = log_in(&app, PASSWORD).unwrap();
    let from = Browser {
        session: Some(login.session.digest()),
        devices: login.devices.clone(),
        ..browser()
    };
    let begun = app.clock.unix_seconds();
    let noted_after = |seconds: i64| {
        app.clock.advance(begun + seconds - app.clock.unix_seconds());
        find_session(&app, &from).unwrap();
        // Writes are done in order: after this one the use is stored.
        app.store.write(|_| Ok(())).unwrap();
        app.store
            .read(|data| {
                let session = data.get::<SessionRecord>(digest_key(&login.session.digest()))?;
                let device = table::device(data, anna, digest_key(&digest(&login.devices[0])))?;
                Ok((session.unwrap().last_seen - begun, device.unwrap().last_seen - begun))
            })
            .unwrap()
    };
    let quarter_seconds = 15 * 60;
    assert_eq!(noted_after(quarter_seconds - 1), (0, 0));
    assert_eq!(noted_after(quarter_seconds), (quarter_seconds, 0));
    assert_eq!(noted_after(DAY_SECONDS - 1), (DAY_SECONDS - 1, 0));
    assert_eq!(noted_after(DAY_SECONDS), (DAY_SECONDS - 1, DAY_SECONDS));
}

#[test]
fn of_fifty_sessions_one_that_is_used_stays_though_its_use_is_not_written_down_yet() {
    let directory = tempfile::tempdir().unwrap();
    let (app, _) = app_at_a_fixed_time(&directory);
    let [used, idle] = [(); 2].map(|()| log_in(&app, PASSWORD).unwrap().session);
    app.clock.advance(1);
    for _ in 2..50 {
        log_in(&app, PASSWORD).unwrap();
    }
    app.clock.advance(60);
    guard::viewer_of_session(&app, used.as_str()).unwrap();
    for _ in 0..2 {
        log_in(&app, PASSWORD).unwrap();
    }
    guard::viewer_of_session(&app, used.as_str()).unwrap();
    let over = guard::viewer_of_session(&app, idle.as_str());
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
    administration::change_user(
        &app,
        ANNA,
        &administration::Change::Disable {
            even_last_operator: true,
        },
    )
    .unwrap();
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
    // Writes are done in order: after this one the session's end is stored.
    app.store.write(|_| Ok(())).unwrap();
    app.clock.advance(-400 * 24 * 60 * 60);
    assert_eq!(refused(), Err(Error::NotLoggedIn));
}

fn app_at_a_fixed_time(directory: &tempfile::TempDir) -> (App, UserId) {
    let mut app = app_with_anna(directory, WEAK);
    app.clock = Clock::fixed(1_800_000_000, app.config.time_zone);
    let anna = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
    (app, anna.user())
}

#[test]
fn a_browser_is_known_until_400_days_after_it_was_last_used() {
    let directory = tempfile::tempdir().unwrap();
    let (app, anna) = app_at_a_fixed_time(&directory);
    let devices = log_in(&app, PASSWORD).unwrap().devices;
    let is_known = || {
        remove_expired(&app).unwrap();
        let shown = [digest(&devices[0])];
        app.store
            .read(|data| Ok(devices::known(data, anna, &shown)?.is_some()))
            .unwrap()
    };
    // A login counts as a use, and so does each day of a session.
    app.clock.advance(300 * DAY_SECONDS);
    let mut from = Browser {
        devices: devices.clone(),
        ..browser()
    };
    let again = login(&app, ANNA, PASSWORD, false, &from).unwrap();
    assert_eq!(again.devices, devices);
    app.clock.advance(400 * DAY_SECONDS);
    assert!(is_known());
    from.session = Some(login(&app, ANNA, PASSWORD, false, &from).unwrap().session.digest());
    for _ in 0..3 {
        app.clock.advance(DAY_SECONDS);
        assert!(find_session(&app, &from).unwrap().is_known_device);
        // Writes are done in order: after this one the use is stored.
        app.store.write(|_| Ok(())).unwrap();
    }
    app.clock.advance(400 * DAY_SECONDS);
    assert!(is_known());
    app.clock.advance(1);
    assert!(!is_known());
}

#[test]
fn of_a_user_s_browsers_the_fifty_that_were_seen_last_are_known() {
    let directory = tempfile::tempdir().unwrap();
    let (app, anna) = app_at_a_fixed_time(&directory);
    app.store
        .write(move |writer| {
            (0..52)
                .try_for_each(|number| devices::record_login(writer, anna, &[], (0, number), number as i64).map(drop))
        })
        .unwrap();
    let known = |number: u128| app.store.read(|data| table::device(data, anna, (0, number))).unwrap();
    let known: Vec<_> = (0..52).filter(|number| known(*number).is_some()).collect();
    assert_eq!(known, (2..52).collect::<Vec<_>>());
}

#[test]
fn what_is_over_is_removed_and_what_is_not_stays() {
    let directory = tempfile::tempdir().unwrap();
    let (app, _) = app_at_a_fixed_time(&directory);
    log_in(&app, PASSWORD).unwrap();
    registration::begin(&app, "ben@example.org", "Ben", None, &browser()).unwrap();
    links::reset(&app, ANNA).unwrap();
    let left = || {
        remove_expired(&app).unwrap();
        app.store
            .read(|data| {
                Ok([
                    data.scan::<SessionRecord>(..)?.len(),
                    data.scan::<registration::table::RegistrationRecord>(..)?.len(),
                    data.scan::<links::table::AccountLinkRecord>(..)?.len(),
                    data.scan::<table::DeviceRecord>(..)?.len(),
                ])
            })
            .unwrap()
    };
    assert_eq!(left(), [1, 1, 1, 1]);
    app.clock.advance(401 * DAY_SECONDS);
    assert_eq!(left(), [0, 0, 0, 0]);
}

#[test]
fn logins_are_listed_this_one_first_then_those_that_were_seen_last() {
    let directory = tempfile::tempdir().unwrap();
    let (app, _) = app_at_a_fixed_time(&directory);
    let hour_seconds = 60 * 60;
    let this = log_in(&app, PASSWORD).unwrap();
    app.clock.advance(hour_seconds);
    let stays = login(&app, ANNA, PASSWORD, true, &browser()).unwrap();
    app.clock.advance(hour_seconds);
    log_in(&app, PASSWORD).unwrap();
    app.clock.advance(hour_seconds);
    guard::viewer_of_session(&app, stays.session.as_str()).unwrap();
    app.store.write(|_| Ok(())).unwrap();
    let from = Browser {
        session: Some(this.session.digest()),
        ..browser()
    };
    let anna = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
    let begun = app.clock.unix_seconds() - 3 * hour_seconds;
    let hours: Vec<_> = (0..4)
        .map(|hours| app.clock.wall_time_at(begun + hours * hour_seconds).to_string())
        .collect();
    let listed: Vec<_> = logins::list(&app, &anna, &from)
        .unwrap()
        .into_iter()
        .map(|login| (login.current, login.since, login.last_seen))
        .collect();
    let expected = [(true, 0, 0), (false, 1, 3), (false, 2, 2)]
        .map(|(current, since, seen): (bool, usize, usize)| (current, hours[since].clone(), hours[seen].clone()));
    assert_eq!(listed, expected);
}

#[test]
fn what_was_begun_for_a_user_writes_nothing_once_the_user_is_deleted() {
    let directory = tempfile::tempdir().unwrap();
    let app = app_with_anna(&directory, WEAK);
    let anna = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
    let operation = Operation::not_idempotent(anna);
    app.store
        .write(move |writer| administration::forget_user(writer, &anna))
        .unwrap();
    let late = operation.write(&app.store, move |writer| {
        devices::record_login(writer, anna.user(), &[], (1, 1), 0)?;
        Ok(Outcome::new(Object::NONE, ()))
    });
    assert_eq!(late, Err(Error::NotLoggedIn));
    assert_eq!(app.store.read(|data| data.scan::<table::DeviceRecord>(..)).unwrap(), []);
}

#[test]
fn the_password_of_an_operator_counts_for_a_quarter_of_an_hour_and_for_one_session() {
    let directory = tempfile::tempdir().unwrap();
    let mut app = app_with_anna(&directory, WEAK);
    app.clock = Clock::fixed(1_800_000_000, app.config.time_zone);
    let [asked, other] = [(); 2].map(|()| {
        let session = log_in(&app, PASSWORD).unwrap().session;
        let cookie = HeaderValue::from_str(&format!("session={}", session.as_str())).unwrap();
        Credentials::from_headers(&HeaderMap::from_iter([(COOKIE, cookie)]), false)
    });
    // The first account is that of an operator.
    let operator = guard::operator(&app, &asked).unwrap();
    assert!(matches!(guard::admin(&app, &asked), Err(Error::ConfirmationRequired)));
    assert!(confirm_operator(&app, &operator, "Rotorblatt-18", &browser()).is_err());
    assert!(matches!(guard::admin(&app, &asked), Err(Error::ConfirmationRequired)));
    confirm_operator(&app, &operator, PASSWORD, &browser()).unwrap();
    assert!(matches!(guard::admin(&app, &other), Err(Error::ConfirmationRequired)));
    let quarter_seconds = 15 * 60;
    app.clock.advance(quarter_seconds - 1);
    guard::admin(&app, &asked).unwrap();
    app.clock.advance(1);
    assert!(matches!(guard::admin(&app, &asked), Err(Error::ConfirmationRequired)));
}
