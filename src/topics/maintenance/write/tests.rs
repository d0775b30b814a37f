//! Whatever is done to flights and jobs, the counts are those that the flights would give if they were added up anew.

use std::env;

use super::*;
use crate::equipment::battery_profile::Profile;
use crate::equipment::model::{Details, Kind, Use};
use crate::maintenance::flown;
use crate::packs;
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::{administration, guard};
use fluglog_base::id::FlightId;
use fluglog_base::input::Fields;
use fluglog_config::Config;
use fluglog_store::Store;
use fluglog_store::findings::Findings;

/// Steps of one run of the test; more by this variable.
const STEPS: u32 = 600;
const STEPS_VARIABLE: &str = "FLUGLOG_TEST_STEPS";
const DAYS: i64 = 300;
const MOST_FLIGHTS: usize = 40;

/// Numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    fn time(&mut self) -> WallTime {
        let days = usize::try_from(DAYS).unwrap();
        let minutes = self.below(days * 24 * 4) * 15;
        WallTime::from_minutes(29_000_000 + i64::try_from(minutes).unwrap()).unwrap()
    }

    fn flight(&mut self, flight: FlightId) -> Use {
        // 3.3 minutes are no whole number of thousandths in binary.
        let minutes = [None, Some(3.3), Some(12.0), Some(0.001)][self.below(4)];
        Use {
            flight,
            start: self.time(),
            minutes,
            start_voltage: None,
            end_voltage: None,
            consumed: None,
            shared: None,
            open: self.below(5) == 0,
        }
    }
}

struct World<'w> {
    writer: &'w Writer<'w>,
    viewer: Viewer,
    access: Access,
    dice: Dice,
    item: EquipmentId,
    flights: Vec<FlightId>,
    jobs: Vec<JobId>,
}

impl World<'_> {
    fn step(&mut self) {
        match self.dice.below(10) {
            0..3 if self.flights.len() < MOST_FLIGHTS => {
                let id = FlightId::fresh();
                self.flights.push(id);
                self.save_flight(id);
            }
            3 => self.with_flight(Self::save_flight),
            0..3 | 4 => self.with_flight(|world, id| {
                let before = packs::remove_use(world.writer, &world.viewer, &world.access, world.item, id).unwrap();
                flown(world.writer, &world.access, world.item, before.as_ref(), None).unwrap();
                world.flights.retain(|flight| *flight != id);
            }),
            5 if self.jobs.len() < 12 => self.add_job(),
            5 => self.with_job(|world, job| table::remove(world.writer, world.access.owner(), &job).unwrap()),
            6 => self.with_job(|world, job| world.run(job, RunKind::Done)),
            7 => self.with_job(|world, job| world.run(job, RunKind::Skipped)),
            _ => self.with_job(Self::take_back),
        }
        let owner = self.access.owner();
        self.jobs = table::jobs(self.writer, owner, Some(self.item))
            .unwrap()
            .iter()
            .map(|job| job.id)
            .collect();
        for job in table::jobs(self.writer, owner, None).unwrap() {
            let rebuilt = table::rebuilt(self.writer, owner, job.item, job.since).unwrap();
            assert_eq!(table::counted(self.writer, owner, &job).unwrap(), rebuilt);
        }
    }

    fn with_flight(&mut self, work: impl FnOnce(&mut Self, FlightId)) {
        if !self.flights.is_empty() {
            let flight = self.flights[self.dice.below(self.flights.len())];
            work(self, flight);
        }
    }

    fn with_job(&mut self, work: impl FnOnce(&mut Self, Job)) {
        if !self.jobs.is_empty() {
            let id = self.jobs[self.dice.below(self.jobs.len())];
            let job = table::find(self.writer, self.access.owner(), self.item, id).unwrap();
            work(self, job);
        }
    }

    /// Saves a flight as new, late, edited, finished or open again.
    fn save_flight(&mut self, id: FlightId) {
        let used = self.dice.flight(id);
        let (before, now) = packs::use_item(self.writer, &self.viewer, &self.access, self.item, &used).unwrap();
        flown(self.writer, &self.access, self.item, before.as_ref(), Some(&now)).unwrap();
    }

    fn add_job(&mut self) {
        let form = Fields::from_json(r#"{"title": "a", "hours": 5, "flights": 10, "days": 30}"#).unwrap();
        let changes = EntryChanges::read(&form).unwrap();
        let since = self.dice.time();
        let job = Job::new(JobId::fresh(), (self.item, Kind::Battery), &changes, since, 0).unwrap();
        table::put_counting(self.writer, self.access.owner(), &job).unwrap();
    }

    fn run(&mut self, mut job: Job, kind: RunKind) {
        let form = RunForm {
            time: self.dice.time(),
            info: String::new(),
            ticked: Vec::new(),
            cost: None,
            again: true,
        };
        // Refused before the last run.
        if let Ok(mut run) = begin_run(self.writer, &self.access, &job, &form, kind) {
            end_run(self.writer, &self.access, &mut job, &mut run).unwrap();
        }
    }

    fn take_back(&mut self, job: Job) {
        let owner = self.access.owner();
        if let Some(run) = table::last_run(self.writer, owner, &job).unwrap() {
            take_back(self.writer, &self.access, (job.item, job.id), run.id).unwrap();
            let job = table::find(self.writer, owner, job.item, job.id).unwrap();
            assert_eq!(job.turn(), run.before);
        }
    }
}

#[test]
fn the_counts_are_always_those_of_the_flights() {
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
    let steps = env::var(STEPS_VARIABLE).map_or(STEPS, |steps| steps.parse().unwrap());
    app.store
        .write(move |writer| {
            let access = Access::own(&viewer);
            let item = |kind| {
                equipment::add_foreign(writer, &access, kind, Details::default(), Profile::default(), None).unwrap()
            };
            let mut world = World {
                writer,
                viewer,
                access,
                dice: Dice(1),
                item: item(Kind::Battery),
                flights: Vec::new(),
                jobs: Vec::new(),
            };
            (0..steps).for_each(|_| world.step());
            assert!(!world.jobs.is_empty() && !world.flights.is_empty());
            Ok(())
        })
        .unwrap();
    let mut findings = Findings::default();
    app.store.examine(|data| table::check(data, &mut findings)).unwrap();
    assert_eq!(findings.damages(), []);
}
