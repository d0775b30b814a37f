//! The end of a share.

use std::fs;

use super::*;
use fluglog_accounts::administration;
use fluglog_accounts::guard;
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_store::Store;
use fluglog_store::blobs;

const ANNA: &str = "anna@example.org";
const HOUR_SECONDS: i64 = 60 * 60;

#[test]
fn a_share_ends_after_an_hour_and_never_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join(blobs::folder::FOLDER_NAME)).unwrap();
    let config = Config {
        data_dir: directory.path().to_owned(),
        ..Config::default()
    };
    let mut app = App::new(config, Store::open(directory.path(), true).unwrap());
    app.clock = Clock::fixed(1_800_000_000, app.config.time_zone);
    administration::add_user(&app, ANNA, "Anna", None, false).unwrap();
    let anna = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
    let operation = || Operation::not_idempotent(anna);
    let content = app.blobs.begin().unwrap();
    let document = add(
        &app,
        operation(),
        DocumentId::fresh(),
        "a.txt".to_owned(),
        content,
        String::new(),
    )
    .unwrap();
    let share = share(&app, operation(), document.id, "http://localhost").unwrap();
    let ended = Some(Error::Gone(text::SHARE_ENDED));

    app.clock.advance(HOUR_SECONDS - 1);
    assert_eq!(shared(&app, &share.token).unwrap().id, document.id);
    app.clock.advance(1);
    assert_eq!(shared(&app, &share.token).err(), ended);
    // Writes are done in order: after this one the share's end is stored, even if the clock is set back.
    app.store.write(|_| Ok(())).unwrap();
    app.clock.advance(-HOUR_SECONDS);
    assert_eq!(shared(&app, &share.token).err(), ended);
    // Nor does an expired share stay in the database until somebody asks for it.
    let other = super::share(&app, operation(), document.id, "http://localhost").unwrap();
    app.clock.advance(2 * HOUR_SECONDS);
    let now = app.clock.unix_seconds();
    app.store.write(move |writer| forget_ended_shares(writer, now)).unwrap();
    let left = app.store.read(|data| data.scan::<ShareRecord>(..)).unwrap();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(shared(&app, &other.token).err(), ended);
}
