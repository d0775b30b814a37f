//! Expiry of imports, and profiles that are created later.

use std::fs;

use super::*;
use fluglog_accounts::administration;
use fluglog_accounts::guard;
use fluglog_base::id::FlightId;
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_store::Store;
use fluglog_store::blobs;

const ANNA: &str = "anna@example.org";
const DAY_SECONDS: i64 = 24 * 60 * 60;
const TABLE: &str = "Datum;Uhrzeit;Dauer;Copter\n17.05.2026;10:20;3,5;Spatz\n";

struct Place {
    directory: tempfile::TempDir,
    app: App,
}

impl Place {
    fn with_anna() -> Place {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join(blobs::folder::FOLDER_NAME)).unwrap();
        let config = Config {
            data_dir: directory.path().to_owned(),
            ..Config::default()
        };
        let mut app = App::new(config, Store::open(directory.path(), true).unwrap());
        app.clock = Clock::fixed(1_800_000_000, app.config.time_zone);
        administration::add_user(&app, ANNA, "Anna", None, false).unwrap();
        Place { directory, app }
    }

    fn anna(&self) -> Viewer {
        self.app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap()
    }

    fn operation(&self) -> Operation {
        Operation::not_idempotent(self.anna())
    }

    fn import(&self) -> ImportId {
        let mut content = self.app.blobs.begin().unwrap();
        content.write(TABLE.as_bytes()).unwrap();
        let name = "Heft.csv".to_owned();
        let import = upload(&self.app, self.operation(), vec![Upload { name, content }]).unwrap();
        ImportId::parse(&import.dpf_id.unwrap()).unwrap()
    }

    fn files(&self) -> usize {
        let folder = self.directory.path().join(blobs::folder::FOLDER_NAME);
        fs::read_dir(folder).unwrap().count()
    }
}

#[test]
fn an_import_can_be_accepted_for_a_week_and_says_so_for_another() {
    let place = Place::with_anna();
    let app = &place.app;
    let id = place.import();
    let choices = r#"[{"key": "0-0", "action": "skip"}]"#;
    let expired = || Error::Conflict(text::IMPORT_EXPIRED);
    app.clock.advance(7 * DAY_SECONDS);
    forget_old(app).unwrap();
    assert_eq!((list(app, &place.anna()).unwrap().len(), place.files()), (1, 1));
    assert_eq!(get(app, &place.anna(), id).unwrap().proposals.len(), 1);

    // Before and after the server has cleaned up.
    app.clock.advance(1);
    for _ in 0..2 {
        assert!(list(app, &place.anna()).unwrap().is_empty());
        assert_eq!(get(app, &place.anna(), id).unwrap_err(), expired());
        let accepted = accept(app, place.operation(), id, choices);
        assert_eq!(accepted.unwrap_err(), expired());
        forget_old(app).unwrap();
        assert_eq!(place.files(), 0);
    }
    // An expired import doesn't count against the limit of open ones.
    let open: Vec<_> = (0..MAX_OPEN).map(|_| place.import()).collect();
    assert_eq!(open.len(), MAX_OPEN);
    app.clock.advance(7 * DAY_SECONDS);
    forget_old(app).unwrap();
    assert_eq!(get(app, &place.anna(), id).unwrap_err(), Error::NotFound);
}

#[test]
fn the_answer_of_an_accepted_import_is_known_for_two_weeks() {
    let place = Place::with_anna();
    let app = &place.app;
    let id = place.import();
    let choices = r#"[{"key": "0-0", "action": "skip"}]"#;
    accept(app, place.operation(), id, choices).unwrap();
    app.clock.advance(14 * DAY_SECONDS);
    forget_old(app).unwrap();
    assert_eq!(accept(app, place.operation(), id, choices).unwrap().skipped, 1);
    app.clock.advance(1);
    forget_old(app).unwrap();
    let gone = accept(app, place.operation(), id, choices);
    assert_eq!(gone.unwrap_err(), Error::NotFound);
}

#[test]
fn a_flight_that_was_taken_over_before_there_were_profiles_gets_its_own_of_the_file_that_is_kept() {
    let place = Place::with_anna();
    let (app, anna) = (&place.app, place.anna());
    let file = || {
        let mut content = app.blobs.begin().unwrap();
        content
            .write(
                &fs::read(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/../../tests/fixtures/flights/Litchi.csv"
                ))
                .unwrap(),
            )
            .unwrap();
        content
    };
    let name = || "Litchi.csv".to_owned();
    let uploaded = Upload {
        name: name(),
        content: file(),
    };
    let import = upload(app, place.operation(), vec![uploaded]).unwrap();
    let id = ImportId::parse(&import.dpf_id.unwrap()).unwrap();
    let copter = app.store.write(move |writer| {
        let details = crate::equipment::model::Details {
            name: "Adler".to_owned(),
            ..Default::default()
        };
        let kind = crate::equipment::model::Kind::Copter;
        crate::equipment::add_foreign(
            writer,
            &guard::Access::own(&anna),
            kind,
            details,
            crate::equipment::battery_profile::Profile::default(),
            None,
        )
    });
    let choices = format!(
        r#"[{{"key": "0-0", "action": "create", "copter": "{}"}}]"#,
        copter.unwrap()
    );
    let created = accept(app, place.operation(), id, &choices).unwrap().created;
    let flight = FlightId::parse(&created[0]).unwrap();
    let kept = || app.store.read(|data| origin::profile(data, &anna, flight)).unwrap();
    let of_acceptance = kept();
    assert!(of_acceptance.seconds.len() > 100, "{of_acceptance:?}");

    app.store
        .write(move |writer| origin::put_profile(writer, &anna, flight, &Default::default()))
        .unwrap();
    assert!(profile(app, &anna, flight).unwrap().seconds.is_empty());
    let document = fluglog_base::id::DocumentId::fresh();
    crate::documents::add(app, place.operation(), document, name(), file(), String::new()).unwrap();
    let shown = profile(app, &anna, flight).unwrap();
    assert_eq!(shown.seconds.len(), of_acceptance.seconds.len());
    app.store.write(|_| Ok(())).unwrap();
    assert_eq!(kept(), of_acceptance);
}
