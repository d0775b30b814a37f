//! What records of packs cost the writer, for whom everybody waits.

use super::records::charging::details::ChargerFigures;
use super::records::charging::model::StoredCharging;
use super::records::readings::model::StoredReading;
use super::records::sets::model::StoredSet;
use super::*;
use crate::equipment::battery_profile::Profile;
use crate::equipment::model::{Details, Kind, Use};
use fluglog_accounts::{administration, guard};
use fluglog_base::id::{ChargingId, ReadingId, SetId};
use fluglog_base::time::WallTime;
use fluglog_config::Config;
use fluglog_store::Store;
use fluglog_store::blobs::folder::FOLDER_NAME;

const ANNA: &str = "anna@example.org";

fn app() -> (tempfile::TempDir, App) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join(FOLDER_NAME)).unwrap();
    let config = Config {
        data_dir: directory.path().to_owned(),
        ..Config::default()
    };
    let app = App::new(config, Store::open(directory.path(), true).unwrap());
    administration::add_user(&app, ANNA, "Anna", None, false).unwrap();
    (directory, app)
}

fn time(minute: i64) -> WallTime {
    WallTime::from_minutes(29_000_000 + minute).unwrap()
}

fn battery(writer: &Writer<'_>, access: &Access) -> Result<EquipmentId> {
    let (details, profile) = (Details::default(), Profile::default());
    equipment::add_foreign(writer, access, Kind::Battery, details, profile, None)
}

fn charging(start: i64, charged: Option<f64>) -> StoredCharging {
    StoredCharging {
        id: ChargingId::fresh(),
        start: time(start),
        // All end in one minute, so that none of them is surely the last.
        end: Some(time(90_000)),
        from_voltage: Some(15.0),
        to_voltage: Some(16.8),
        from_cell_voltage: None,
        to_cell_voltage: None,
        charged,
        flight: None,
        figures: ChargerFigures::default(),
    }
}

/// Writes `count` records of each kind in one transaction, as an import does, and returns the rows that it took.
fn rows_of_an_import(count: u32) -> u64 {
    let (_directory, app) = app();
    let viewer = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
    let before = app.store.rows_of_writes();
    app.store
        .write(move |writer| {
            let access = Access::own(&viewer);
            let pack = battery(writer, &access)?;
            let mut memberships = sets::Memberships::read(writer, &access)?;
            for number in (0..i64::from(count)).rev() {
                let used = Use {
                    flight: FlightId::fresh(),
                    start: time(number),
                    minutes: Some(3.0),
                    start_voltage: Some(16.8),
                    end_voltage: Some(15.0),
                    consumed: Some(800.0),
                    shared: Some(800.0),
                    open: false,
                };
                use_item(writer, &viewer, &access, pack, &used)?;
                charging::add_foreign(writer, &access, pack, &charging(number, None))?;
                let reading = StoredReading::new(ReadingId::fresh(), time(number));
                readings::add_foreign(writer, &access, pack, &reading)?;
                let set = StoredSet {
                    members: vec![battery(writer, &access)?, battery(writer, &access)?],
                    ..StoredSet::unnamed(SetId::fresh())
                };
                sets::add_foreign(writer, &access, &mut memberships, &set)?;
            }
            Ok(())
        })
        .unwrap();
    app.store.rows_of_writes() - before
}

#[test]
fn an_import_of_twice_as_much_costs_the_writer_twice_as_much() {
    let (half, whole) = (rows_of_an_import(100), rows_of_an_import(200));
    assert!(whole * 10 <= half * 21, "{half} rows, then {whole}");
}

#[test]
fn a_pack_that_changed_often_in_one_write_is_as_if_each_change_were_one() {
    let (_directory, app) = app();
    let viewer = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
    let access = Access::own(&viewer);
    let all: Vec<_> = (0..30)
        .map(|number| charging(number * 40 % 70, (number % 3 > 0).then_some(700.0)))
        .collect();
    let together = all.clone();
    let packs = app.store.write(move |writer| {
        let access = Access::own(&viewer);
        let pack = battery(writer, &access)?;
        for charging in &together {
            charging::add_foreign(writer, &access, pack, charging)?;
        }
        Ok((pack, battery(writer, &access)?))
    });
    let (together, alone) = packs.unwrap();
    for charging in all {
        app.store
            .write(move |writer| charging::add_foreign(writer, &Access::own(&viewer), alone, &charging).map(drop))
            .unwrap();
    }
    let found = |id| app.store.read(|data| find(data, &access, id)).unwrap();
    let (one, other) = (found(together), found(alone));
    assert_eq!(one.health, other.health);
    assert_eq!(one.charging, other.charging);
    let mut findings = Findings::default();
    app.store.read(|data| check(data, &mut findings)).unwrap();
    assert_eq!((findings.damages().len(), findings.rebuilds().count()), (0, 0));
}

#[test]
fn a_battery_has_five_thousand_chargings_at_most() {
    let (_directory, app) = app();
    let viewer = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
    let added = app.store.write(move |writer| {
        let access = Access::own(&viewer);
        let pack = battery(writer, &access)?;
        let mut added = 0;
        for number in 0..5_010 {
            let one = charging(number, Some(700.0));
            added += usize::from(charging::add_foreign(writer, &access, pack, &one)?);
        }
        Ok((added, charging::is_full(writer, access.owner(), pack)?))
    });
    assert_eq!(added, Ok((5_000, true)));
}

#[test]
fn a_battery_has_twenty_thousand_flights_at_most_and_one_more_changes_nothing() {
    let (_directory, app) = app();
    let viewer = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
    let used = |number: u32| Use {
        flight: FlightId::from_key(u128::from(number) + 1),
        start: time(i64::from(number)),
        minutes: Some(3.0),
        start_voltage: Some(16.8),
        end_voltage: Some(15.0),
        consumed: Some(800.0),
        shared: None,
        open: false,
    };
    let pack = app.store.write(move |writer| {
        let access = Access::own(&viewer);
        let pack = battery(writer, &access)?;
        for number in 0..20_000 {
            use_item(writer, &viewer, &access, pack, &used(number))?;
        }
        Ok(pack)
    });
    let pack = pack.unwrap();
    let state = || {
        let access = Access::own(&viewer);
        let found = app.store.read(|data| find(data, &access, pack)).unwrap();
        let keys = app.store.read(|data| data.count(&schema::EQUIPMENT_USES));
        (found.item.totals.milliminutes, keys)
    };
    let before = state();
    assert_eq!(before, (20_000 * 3000, Ok(20_000)));
    let one_more = app
        .store
        .write(move |writer| use_item(writer, &viewer, &Access::own(&viewer), pack, &used(20_000)).map(drop));
    assert_eq!(one_more, Err(Error::Conflict(text::FLIGHTS_OF_PACK_TOO_MANY)));
    assert_eq!(state(), before);
    // An old flight can still be corrected.
    let corrected = Use {
        minutes: Some(4.0),
        ..used(0)
    };
    let again = app
        .store
        .write(move |writer| use_item(writer, &viewer, &Access::own(&viewer), pack, &corrected).map(drop));
    assert_eq!((again, state().0), (Ok(()), 20_000 * 3000 + 1000));
}
