//! How much moves with an item.

use super::*;
use crate::equipment::battery_profile::Profile;
use crate::equipment::model::{Details, Kind};
use crate::logs::model::{LogEntries, StoredLog};
use crate::packs::records::charging::details::ChargerFigures;
use crate::packs::records::charging::model::StoredCharging;
use crate::packs::records::readings::model::StoredReading;
use fluglog_accounts::{administration, guard};
use fluglog_base::id::{LogId, ReadingId};
use fluglog_base::time::WallTime;
use fluglog_config::Config;
use fluglog_store::Store;

fn charging(minute: i64) -> StoredCharging {
    let start = WallTime::from_minutes_clamped(29_000_000 + minute);
    StoredCharging {
        id: ChargingId::fresh(),
        start,
        end: Some(start),
        from_voltage: None,
        to_voltage: None,
        from_cell_voltage: None,
        to_cell_voltage: None,
        charged: Some(700.0),
        flight: None,
        figures: ChargerFigures::default(),
    }
}

#[test]
fn an_item_moves_with_ten_thousand_records_and_with_more_nothing_changes() {
    let directory = tempfile::tempdir().unwrap();
    let config = Config {
        data_dir: directory.path().to_owned(),
        ..Config::default()
    };
    let app = App::new(config, Store::open(directory.path(), true).unwrap());
    administration::add_user(&app, "anna@example.org", "Anna", None, false).unwrap();
    let viewer = app
        .store
        .read(|data| guard::named_by_admin(data, "anna@example.org"))
        .unwrap();
    let (anna, club) = (OwnerId::from(viewer.user()), OwnerId::from_key(9));
    let packs = app.store.write(move |writer| {
        let access = Access::own(&viewer);
        let battery = || {
            equipment::add_foreign(
                writer,
                &access,
                Kind::Battery,
                Details::default(),
                Profile::default(),
                None,
            )
        };
        let full = battery()?;
        for number in 0..5000 {
            charging::add_foreign(writer, &access, full, &charging(number))?;
            let time = WallTime::from_minutes_clamped(29_000_000 + number);
            readings::add_foreign(writer, &access, full, &StoredReading::new(ReadingId::fresh(), time))?;
        }
        Ok(full)
    });
    let full = packs.unwrap();
    let owner_of = |item| {
        let owners = app.store.read(|data| {
            Ok((
                equipment::is_there(data, anna, item)?,
                equipment::is_there(data, club, item)?,
            ))
        });
        owners.unwrap()
    };
    let moved = |from, to| {
        app.store
            .write(move |writer| move_with_history(writer, from, to, full, true))
    };
    assert_eq!((moved(anna, club), owner_of(full)), (Ok(()), (false, true)));
    let one_more = app.store.write(move |writer| {
        let log = StoredLog {
            id: LogId::fresh(),
            subject: Subject::Equipment(full),
            entries: LogEntries {
                time: WallTime::from_minutes_clamped(29_000_000),
                info: "geprüft".to_owned(),
            },
            created: 0,
            document: None,
        };
        logs::add_foreign(writer, &Access::without_login(club), log, None)
    });
    assert_eq!(one_more, Ok(true));
    let rows = || {
        app.store
            .read(|data| history_of(data, &Access::without_login(club), full))
    };
    let before = rows();
    assert_eq!(before, Ok((0, 10_001)));
    assert_eq!(moved(club, anna), Err(Error::Conflict(text::MOVED_TOO_MUCH)));
    assert_eq!((rows(), owner_of(full)), (before, (false, true)));
}
