use super::*;
use fluglog_accounts::{administration, guard};
use fluglog_base::id::{Blob, BlobId, FlightId};
use fluglog_base::time::WallTime;
use fluglog_config::Config;
use fluglog_mail::outbox;
use fluglog_store::{Store, schema};
use fluglog_topics::documents::{self, NewFile};
use fluglog_topics::equipment;
use fluglog_topics::equipment::battery_profile::Profile;
use fluglog_topics::equipment::model::{Details, Kind, Use};
use fluglog_topics::flights::model::{Configuration, Entries};
use fluglog_topics::flights::{self, NewFlight};
use fluglog_topics::packs::{self, readings};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::time::SystemTime;

fn app_of_anna() -> (tempfile::TempDir, App) {
    let directory = tempfile::tempdir().unwrap();
    folder::mark(directory.path()).unwrap();
    std::fs::create_dir(directory.path().join(outbox::FOLDER_NAME)).unwrap();
    let config = Config {
        data_dir: directory.path().to_owned(),
        ..Config::default()
    };
    let app = App::new(config, Store::open(directory.path(), true).unwrap());
    administration::add_user(&app, "anna@example.org", "Anna", None, false).unwrap();
    (directory, app)
}

#[test]
fn a_check_reads_every_table() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), true).unwrap();
    let findings = store.examine(|data| Ok(survey(data))).unwrap();
    let mut read: Vec<_> = findings.tables().collect();
    let mut all: Vec<_> = schema::ALL.iter().map(|table| table.name()).collect();
    read.sort_unstable();
    all.sort_unstable();
    assert_eq!(read, all);
    assert_eq!((findings.damages().len(), findings.orphans().count()), (0, 0));
}

#[test]
fn a_file_that_no_record_names_goes_after_a_day() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join(FOLDER_NAME);
    folder::mark(directory.path()).unwrap();
    let config = Config {
        data_dir: directory.path().to_owned(),
        ..Config::default()
    };
    let app = App::new(config, Store::open(directory.path(), true).unwrap());
    let hour = Duration::from_secs(60 * 60);
    let [young, old] = [23, 25].map(|hours| {
        let place = folder.join(BlobId::fresh().to_string());
        std::fs::write(&place, "Rest").unwrap();
        let file = std::fs::File::options().write(true).open(&place).unwrap();
        file.set_modified(SystemTime::now() - hour * hours).unwrap();
        place
    });
    assert_eq!(remove_old_orphans(&app).unwrap(), 1);
    assert_eq!((young.exists(), old.exists()), (true, false));
}

#[test]
fn flights_with_several_batteries_of_an_earlier_version_are_whole_once_their_shares_are_filled_in() {
    let (_directory, app) = app_of_anna();
    let damages = || check(&app, false).unwrap().damage.len();
    let start = WallTime::from_minutes_clamped(29_000_000);
    let items = app.store.write(move |writer| {
        let viewer = guard::named_by_admin(writer, "anna@example.org")?;
        let access = guard::Access::own(&viewer);
        let add = |kind| equipment::add_foreign(writer, &access, kind, Details::default(), Profile::default(), None);
        let items = [Kind::Copter, Kind::Battery, Kind::Battery].map(|kind| add(kind).unwrap());
        let new = NewFlight {
            id: FlightId::fresh(),
            configuration: Configuration::of(items[0], items[1..].to_vec())?,
        };
        let mut entries = Entries::starting(start);
        entries.fields.consumed_capacity = Some(1600.0);
        flights::add_foreign(writer, &viewer, &new, entries, &HashMap::new())?;
        Ok((viewer, items, new.id))
    });
    let (viewer, items, flight) = items.unwrap();
    assert_eq!(damages(), 0);

    // The state that 1.4.0 left behind.
    app.store
        .write(move |writer| {
            let used = Use {
                flight,
                start,
                minutes: None,
                start_voltage: None,
                end_voltage: None,
                consumed: None,
                shared: None,
                open: false,
            };
            for item in items {
                equipment::rewrite_use(writer, viewer.user().into(), item, &used)?;
            }
            let access = guard::Access::own(&viewer);
            for battery in &items[1..] {
                // The packs' health is derived from these readings.
                readings::add_from_file(writer, &access, *battery, (flight, start, 15.0))?;
                readings::remove_from_file(writer, &access, *battery, flight)?;
            }
            let reviews: [&dyn Rows; 2] = [&schema::FLIGHT_REVIEWS, &schema::FLIGHT_SHARES];
            let user = viewer.user().key();
            let mut all = reviews.iter();
            all.try_for_each(|table| table.remove_of(writer, user, usize::MAX).map(drop))
        })
        .unwrap();
    let charged = || {
        let access = guard::Access::own(&viewer);
        let battery = app.store.read(|data| packs::find(data, &access, items[1]));
        battery.unwrap().health.aging.charged
    };
    assert_eq!((damages() > 0, charged()), (true, 0));
    app.store.write(registry::complete).unwrap();
    assert_eq!((damages(), charged()), (0, 800_000));
}

#[test]
fn a_document_of_a_log_that_no_log_names_is_an_orphan_with_its_file() {
    let (directory, app) = app_of_anna();
    let id = BlobId::fresh();
    let place = directory.path().join(FOLDER_NAME).join(id.to_string());
    std::fs::write(&place, "Karte").unwrap();
    let file = NewFile {
        name: "karte.txt".to_owned(),
        bytes: 5,
        blob: Blob {
            id,
            sha256: Sha256::digest("Karte").into(),
        },
    };
    app.store
        .write(move |writer| {
            let viewer = guard::named_by_admin(writer, "anna@example.org")?;
            documents::attach(writer, &guard::Access::own(&viewer), file.clone(), 0).map(drop)
        })
        .unwrap();

    let orphans = check(&app, false).unwrap().orphans;
    let of_no_log = |orphan: &Finding| orphan.wrong == FindingKind::DocumentOfNoLog;
    assert!(orphans.iter().any(of_no_log), "{orphans:?}");
    let repaired = check(&app, true).unwrap();
    assert_eq!((repaired.damage.len(), repaired.remaining_orphans()), (0, 0));
    assert!(!place.exists());
    assert!(check(&app, false).unwrap().orphans.is_empty());
}
