//! The end of a share, and a proof whose document is lost.

use std::fs;
use std::path::Path;

use super::*;
use fluglog_accounts::administration;
use fluglog_accounts::guard;
use fluglog_base::input::Fields;
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_store::Store;
use fluglog_store::blobs;

const ANNA: &str = "anna@example.org";
const HOUR_SECONDS: i64 = 60 * 60;

/// A program with one pilot.
fn app_of_anna(directory: &Path) -> (App, Viewer) {
    fs::create_dir(directory.join(blobs::folder::FOLDER_NAME)).unwrap();
    let config = Config {
        data_dir: directory.to_owned(),
        ..Config::default()
    };
    let mut app = App::new(config, Store::open(directory, true).unwrap());
    app.clock = Clock::fixed(1_800_000_000, app.config.time_zone);
    administration::add_user(&app, ANNA, "Anna", None, false).unwrap();
    let anna = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
    (app, anna)
}

#[test]
fn a_proof_whose_document_is_lost_keeps_nobody_from_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let (app, anna) = app_of_anna(directory.path());
    let ids = [1, 2].map(DocumentId::from_key);
    for id in ids {
        let content = app.blobs.begin().unwrap();
        let operation = || Operation::not_idempotent(anna);
        add(&app, operation(), id, "a.txt".to_owned(), content, String::new()).unwrap();
        let changes = proofs::model::ProofChanges::read(&Fields::from_json(r#"{"kind": 4}"#).unwrap()).unwrap();
        proofs::save(&app, operation(), id, changes).unwrap();
    }
    let owner = OwnerId::from(anna.user());
    app.store
        .write(move |writer| table::remove(writer, owner, ids[0]))
        .unwrap();
    let left = proofs::list(&app, &anna).unwrap();
    assert_eq!(
        left.iter().map(|proof| &proof.dpf_id).collect::<Vec<_>>(),
        [&ids[1].to_string()]
    );
    let mut findings = Findings::default();
    app.store
        .read(|data| proofs::check_records(data, &mut findings))
        .unwrap();
    assert_eq!(findings.damages().len(), 1);
}

#[test]
fn a_share_ends_after_an_hour_and_never_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    let (app, anna) = app_of_anna(directory.path());
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
    // An expired share doesn't stay in the database until somebody asks for it.
    let other = super::share(&app, operation(), document.id, "http://localhost").unwrap();
    app.clock.advance(2 * HOUR_SECONDS);
    let now = app.clock.unix_seconds();
    forget_ended_shares(&app.store, now).unwrap();
    let left = app.store.read(|data| data.scan::<ShareRecord>(..)).unwrap();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(shared(&app, &other.token).err(), ended);
}
