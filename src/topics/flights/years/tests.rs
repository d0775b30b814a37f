//! Years, reviews and shares that always match the flights, whatever is done to those.

use std::fmt::Write as _;

use super::*;
use crate::equipment::battery_profile::ProfileChanges;
use crate::equipment::model::{Details, Kind};
use crate::equipment::{self, NewItem};
use crate::flights::model::{Configuration, EntryChanges, Instants, NewEntries};
use crate::flights::reviews::model::{GroupBy, ReviewFilter};
use crate::flights::{self, NewFlight, reviews};
use fluglog_accounts::operation::Operation;
use fluglog_accounts::{administration, guard};
use fluglog_app::App;
use fluglog_base::id::{EquipmentId, FlightId};
use fluglog_base::input::Fields;
use fluglog_config::Config;
use fluglog_store::Store;
use fluglog_store::record::decoded_by;
use fluglog_store::rows::Rows;

const ANNA: &str = "anna@example.org";
/// Operations of a normal run; `FLUGLOG_OPERATIONS`, set when the tests are built, asks for more.
const OPERATIONS: usize = 300;
const COMPARED_EVERY: usize = 25;
/// Few enough that flights are changed and deleted while they hold records.
const MAX_FLIGHTS: usize = 40;

struct Hangar {
    app: App,
    viewer: Viewer,
    copters: Vec<EquipmentId>,
    batteries: Vec<EquipmentId>,
    _directory: tempfile::TempDir,
}

impl Hangar {
    fn new() -> Hangar {
        let directory = tempfile::tempdir().unwrap();
        let config = Config {
            data_dir: directory.path().to_owned(),
            ..Config::default()
        };
        let app = App::new(config, Store::open(directory.path(), true).unwrap());
        administration::add_user(&app, ANNA, "Anna", None, false).unwrap();
        let viewer = app.store.read(|data| guard::named_by_admin(data, ANNA)).unwrap();
        let items = |kind| {
            let add = |_| {
                let operation = Operation::not_idempotent(viewer);
                let new = NewItem {
                    id: EquipmentId::fresh(),
                    kind,
                    space: None,
                    details: Details::default(),
                    profile: ProfileChanges::default(),
                };
                equipment::add(&app, operation, new).unwrap().1.id
            };
            (0..2).map(add).collect()
        };
        Hangar {
            copters: items(Kind::Copter),
            batteries: items(Kind::Battery),
            viewer,
            app,
            _directory: directory,
        }
    }

    fn operation(&self) -> Operation {
        Operation::not_idempotent(self.viewer)
    }

    fn configuration(&self, random: &mut fastrand::Rng) -> Configuration {
        let batteries = self.batteries.iter().filter(|_| random.bool()).copied().collect();
        let copter = *random.choice(&self.copters).unwrap();
        Configuration::of(copter, batteries).unwrap()
    }

    #[track_caller]
    fn expect_years_of_all_flights(&self) {
        let mut findings = Findings::default();
        self.app.store.read(|data| flights::check(data, &mut findings)).unwrap();
        assert_eq!(findings.damages(), []);
    }
}

/// Generates some fields of a flight, with few different values, so that several flights share a record, and an
/// occasional value with many decimals.
fn form(random: &mut fastrand::Rng) -> Fields {
    let year = random.u32(2023..2026);
    let mut form = format!(
        r#"{{"startTime": "{:02}.{:02}.{year} 1{}:00""#,
        random.u32(1..29),
        random.u32(1..13),
        random.u32(0..3)
    );
    for name in [
        "flightTime",
        "distance",
        "maximumDistance",
        "speed",
        "maximumAltitude",
        "consumedCapacity",
        "location",
    ] {
        let value = match random.u32(0..5) {
            0 => continue,
            1 => String::new(),
            2 => format!("{}", random.f64() * 3.0),
            _ => format!("{},{}", random.u32(0..4), random.u32(0..3)),
        };
        write!(form, r#", "{name}": "{value}""#).unwrap();
    }
    Fields::from_json(&(form + "}")).unwrap()
}

#[test]
fn years_are_what_the_flights_add_up_to_whatever_is_done() {
    let operations = option_env!("FLUGLOG_OPERATIONS").map_or(OPERATIONS, |count| count.parse().unwrap());
    let hangar = Hangar::new();
    let (app, random) = (&hangar.app, &mut fastrand::Rng::with_seed(operations as u64));
    let mut there: Vec<FlightId> = Vec::new();
    let mut open: Option<FlightId> = None;
    for operation in 0..operations {
        let add_one = there.len() < 3 || there.len() < MAX_FLIGHTS && random.u32(0..3) == 0;
        match random.u32(0..10) {
            0 if open.is_none() => {
                let new = NewFlight {
                    id: FlightId::fresh(),
                    configuration: hangar.configuration(random),
                };
                let entries = NewEntries::read_open(&Fields::from_json("{}").unwrap(), None, &app.clock);
                open = Some(flights::create(app, hangar.operation(), new, entries).unwrap());
            }
            1 if open.is_some() => {
                let id = open.take().unwrap();
                let changes = EntryChanges::read(&form(random)).unwrap();
                flights::save(app, hangar.operation(), id, changes, Some(Instants::default())).unwrap();
                there.push(id);
            }
            _ if add_one => {
                let new = NewFlight {
                    id: FlightId::fresh(),
                    configuration: hangar.configuration(random),
                };
                there.push(new.id);
                let fields = form(random);
                let entries = NewEntries::read_finished(&fields, Instants::default(), &app.clock);
                flights::add(app, hangar.operation(), new, entries).unwrap();
            }
            2..5 => {
                let id = there.swap_remove(random.usize(0..there.len()));
                flights::delete(app, hangar.operation(), id).unwrap();
            }
            _ => {
                let id = *random.choice(&there).unwrap();
                let changes = EntryChanges::read(&form(random)).unwrap();
                flights::save(app, hangar.operation(), id, changes, None).unwrap();
            }
        }
        if operation % COMPARED_EVERY == 0 {
            hangar.expect_years_of_all_flights();
        }
    }
    hangar.expect_years_of_all_flights();
    assert!(there.len() > 3);
    while let Some(id) = there.pop() {
        flights::delete(app, hangar.operation(), id).unwrap();
    }
    hangar.expect_years_of_all_flights();
    let keeps_nothing = |data: &Snapshot<'_>| {
        let kept = [
            data.count(&schema::FLIGHT_REVIEWS)?,
            data.count(&schema::FLIGHT_SHARES)?,
        ];
        Ok(kept == [0, 0] && data.count(&schema::FLIGHT_YEARS)? == 0)
    };
    assert!(open.is_some() || app.store.read(keeps_nothing).unwrap());
}

impl Hangar {
    fn add(&self, count: usize, random: &mut fastrand::Rng) {
        for _ in 0..count {
            let new = NewFlight {
                id: FlightId::fresh(),
                configuration: self.configuration(random),
            };
            let entries = NewEntries::read_finished(&form(random), Instants::default(), &self.app.clock);
            flights::add(&self.app, self.operation(), new, entries).unwrap();
        }
    }
}

#[test]
fn the_years_of_many_flights_are_as_few_records_as_those_of_few() {
    let hangar = Hangar::new();
    let random = &mut fastrand::Rng::with_seed(3);
    for count in [30, 120] {
        hangar.add(count, random);
        for item in [None, hangar.copters.first().copied()] {
            let read = || hangar.app.store.read(|data| of(data, &hangar.viewer, item)).map(drop);
            assert_eq!(decoded_by(|| read().unwrap()), 3, "one for each year");
            let of = item.map_or(ReviewFilter::All, ReviewFilter::Copter);
            let read = || hangar.app.store.read(|data| reviews::of(data, &hangar.viewer, of));
            assert_eq!(decoded_by(|| drop(read().unwrap())), 3, "one for each year");
        }
    }
}

#[test]
fn years_of_an_earlier_version_are_added_up_once() {
    let hangar = Hangar::new();
    let random = &mut fastrand::Rng::with_seed(1);
    hangar.add(20, random);
    let store = &hangar.app.store;
    let read = || store.read(|data| of(data, &hangar.viewer, None));
    let look_back = || store.read(|data| reviews::of(data, &hangar.viewer, ReviewFilter::All));
    let places =
        || store.read(|data| reviews::shares(data, &hangar.viewer, ReviewFilter::All, GroupBy::Place, 0..=u32::MAX));
    let kept = (read().unwrap(), look_back().unwrap(), places().unwrap());
    let user = hangar.viewer.user().key();
    let removed = store.write(move |writer| {
        let tables: [&dyn Rows; 3] = [&schema::FLIGHT_YEARS, &schema::FLIGHT_REVIEWS, &schema::FLIGHT_SHARES];
        tables
            .iter()
            .try_for_each(|table| table.remove_of(writer, user, usize::MAX).map(drop))
    });
    assert_eq!(removed, Ok(()));
    let says_so = |error| matches!(error, Some(Error::Internal(_)));
    assert!(says_so(read().err()), "nothing kept is not nothing flown");
    assert!(says_so(look_back().err()), "nothing kept is not nothing flown");

    store.write(fill).unwrap();
    store.write(reviews::fill).unwrap();
    assert_eq!((read().unwrap(), look_back().unwrap(), places().unwrap()), kept);
    hangar.expect_years_of_all_flights();
}
