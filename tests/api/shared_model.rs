//! Random steps of pilots who share equipment, compared with a model: hours are those of the flights, and a flight is
//! read by its pilot alone. `FLUGLOG_SHARED_STEPS` and `FLUGLOG_SHARED_SEED` make it longer, or another one.

use std::collections::BTreeMap;

use serde_json::json;

use crate::harness::calls::COPTER;
use crate::harness::spaces::{CLUB, MEMBER, expect_clean};
use crate::harness::{Pilot, Server};

const PILOTS: usize = 4;
const SPACES: usize = 2;
/// Anna manages the spaces.
const ANNA: usize = 0;
/// Everything is compared after so many steps.
const COMPARED_EVERY: usize = 25;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Pilot(usize),
    Space(usize),
}

struct Flown {
    pilot: usize,
    item: usize,
    minutes: u32,
    open: bool,
    /// Whether it still holds its item.
    marks: bool,
}

struct Model {
    pilots: Vec<Pilot>,
    spaces: Vec<String>,
    is_member: [[bool; PILOTS]; SPACES],
    /// Id and owner.
    items: Vec<(String, Owner)>,
    flights: BTreeMap<String, Flown>,
    random: u64,
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |value| value.parse().expect("a number"))
}

impl Model {
    fn new(server: &Server, seed: u64) -> Model {
        let pilots = ["Anna", "Ben", "Cara", "Dora"].map(|name| server.pilot(name));
        let spaces = ["MFC", "FSV"].map(|name| pilots[ANNA].make_space(CLUB, name));
        let mut is_member = [[false; PILOTS]; SPACES];
        is_member.iter_mut().for_each(|members| members[ANNA] = true);
        Model {
            pilots: pilots.into(),
            spaces: spaces.into(),
            is_member,
            items: Vec::new(),
            flights: BTreeMap::new(),
            random: seed,
        }
    }

    /// Returns a number below `most` (Knuth's linear congruential generator).
    fn below(&mut self, most: usize) -> usize {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.random >> 33).expect("31 bits") % most
    }

    fn may_use(&self, pilot: usize, item: usize) -> bool {
        match self.items[item].1 {
            Owner::Pilot(owner) => owner == pilot,
            Owner::Space(space) => self.is_member[space][pilot],
        }
    }

    fn open_flight_of(&self, pilot: usize) -> Option<String> {
        let mut flights = self.flights.iter();
        let open = flights.find(|(_, flown)| flown.pilot == pilot && flown.open);
        open.map(|(id, _)| id.clone())
    }

    fn is_marked(&self, item: usize) -> bool {
        self.flights.values().any(|flown| flown.item == item && flown.marks)
    }

    fn step(&mut self) {
        let pilot = self.below(PILOTS);
        match self.below(12) {
            0 => self.add_item(pilot),
            1 => self.join_or_leave(),
            2 | 3 => self.move_item(),
            4 | 5 => self.add_flight(pilot),
            6 | 7 => self.start(pilot),
            8 => self.finish(pilot),
            9 => self.edit(),
            10 => self.delete(),
            _ => self.free(),
        }
    }

    fn add_item(&mut self, pilot: usize) {
        let name = format!("Copter {}", self.items.len());
        if self.items.len() < 12 {
            let item = self.pilots[pilot].item(COPTER, &name);
            self.items.push((item, Owner::Pilot(pilot)));
        }
    }

    fn join_or_leave(&mut self) {
        let (space, pilot) = (self.below(SPACES), 1 + self.below(PILOTS - 1));
        let id = &self.spaces[space];
        if self.is_member[space][pilot] {
            self.pilots[pilot]
                .post("LeaveSpace", &[("space", id)])
                .expect_status(200);
        } else {
            self.pilots[ANNA].take_in(id, MEMBER, &self.pilots[pilot], true);
        }
        self.is_member[space][pilot] = !self.is_member[space][pilot];
    }

    /// Anna moves an item.
    fn move_item(&mut self) {
        if self.items.is_empty() {
            return;
        }
        let (item, to) = (self.below(self.items.len()), self.below(SPACES + 1));
        let (id, owner) = self.items[item].clone();
        let target = self.spaces.get(to).cloned().unwrap_or_default();
        let to = self.spaces.get(to).map_or(Owner::Pilot(ANNA), |_| Owner::Space(to));
        let answer = self.pilots[ANNA].post("MoveEquipment", &[("dpfId", &id), ("space", &target)]);
        let expected = match owner {
            Owner::Pilot(other) if other != ANNA => 403,
            _ if owner == to => 200,
            _ if self.is_marked(item) => 409,
            _ => 200,
        };
        if answer.expect_status(expected).status == 200 {
            self.items[item].1 = to;
        }
    }

    fn add_flight(&mut self, pilot: usize) {
        if self.items.is_empty() {
            return;
        }
        let (item, minutes) = (self.below(self.items.len()), 1 + self.below(30));
        let config = json!({"copter": self.items[item].0}).to_string();
        let day = 1 + self.below(28);
        let flight = json!({"startTime": format!("{day:02}.02.2026 10:00"), "flightTime": minutes}).to_string();
        let answer = self.pilots[pilot].post("AddFlight", &[("config", &config), ("flight", &flight)]);
        if !self.may_use(pilot, item) {
            answer.expect_status(403);
            return;
        }
        let id = answer.expect_status(201).json()["dpfId"]
            .as_str()
            .expect("an id")
            .to_owned();
        let flown = Flown {
            pilot,
            item,
            minutes: u32::try_from(minutes).expect("few minutes"),
            open: false,
            marks: false,
        };
        self.flights.insert(id, flown);
    }

    fn start(&mut self, pilot: usize) {
        if self.items.is_empty() {
            return;
        }
        let item = self.below(self.items.len());
        let answer = self.pilots[pilot].create_flight(&json!({"copter": self.items[item].0}));
        let is_free = self.open_flight_of(pilot).is_none() && !self.is_marked(item);
        match (self.may_use(pilot, item), is_free) {
            (false, _) => drop(answer.expect_status(403)),
            (true, false) => drop(answer.expect_status(409)),
            (true, true) => {
                let flown = Flown {
                    pilot,
                    item,
                    minutes: 0,
                    open: true,
                    marks: true,
                };
                self.flights.insert(answer.expect_status(200).text(), flown);
            }
        }
    }

    fn finish(&mut self, pilot: usize) {
        let Some(id) = self.open_flight_of(pilot) else {
            return;
        };
        let minutes = 1 + self.below(30);
        self.pilots[pilot]
            .finish_flight(&json!({"dpfId": id, "flightTime": minutes}))
            .expect_status(200);
        let flown = self.flights.get_mut(&id).expect("a flight");
        flown.minutes = u32::try_from(minutes).expect("few minutes");
        (flown.open, flown.marks) = (false, false);
    }

    fn any_flight(&mut self) -> Option<String> {
        let count = self.flights.len();
        (count > 0).then(|| {
            let at = self.below(count);
            self.flights.keys().nth(at).expect("a flight").clone()
        })
    }

    fn edit(&mut self) {
        let Some(id) = self.any_flight() else {
            return;
        };
        let minutes = 1 + self.below(30);
        let flown = self.flights.get_mut(&id).expect("a flight");
        self.pilots[flown.pilot]
            .save_flight(&json!({"dpfId": id, "flightTime": minutes}))
            .expect_status(200);
        flown.minutes = u32::try_from(minutes).expect("few minutes");
    }

    fn delete(&mut self) {
        let Some(id) = self.any_flight() else {
            return;
        };
        let flown = self.flights.remove(&id).expect("a flight");
        self.pilots[flown.pilot].delete_flight(&id).expect_status(200);
    }

    /// Anna frees an item.
    fn free(&mut self) {
        if self.items.is_empty() {
            return;
        }
        let item = self.below(self.items.len());
        let (id, owner) = self.items[item].clone();
        let answer = self.pilots[ANNA].post("FreeEquipment", &[("dpfId", &id)]);
        match owner {
            Owner::Pilot(other) if other != ANNA => drop(answer.expect_status(403)),
            _ => {
                answer.expect_status(200);
                let marking = self.flights.values_mut().filter(|flown| flown.item == item);
                marking.for_each(|flown| flown.marks = false);
            }
        }
    }

    fn compare(&self) {
        for (place, (id, owner)) in self.items.iter().enumerate() {
            let keeper = match owner {
                Owner::Pilot(pilot) => *pilot,
                Owner::Space(_) => ANNA,
            };
            let flights = self.flights.values().filter(|flown| flown.item == place);
            let minutes: u32 = flights.clone().map(|flown| flown.minutes).sum();
            let hours = (f64::from(minutes) / 60.0 * 100.0).round() / 100.0;
            assert_eq!(self.pilots[keeper].equipment(id)["usageTime"], hours, "{id}");
            assert_eq!(self.pilots[keeper].shared_uses(id).len(), flights.count());
            for (other, pilot) in self.pilots.iter().enumerate() {
                let status = pilot.post("GetEquipment", &[("dpfId", id)]).status;
                assert_eq!(status == 200, self.may_use(other, place), "{status}");
            }
        }
        for (id, flown) in &self.flights {
            assert_eq!(self.pilots[flown.pilot].flight(id)["open"], flown.open);
            let other = (flown.pilot + 1) % PILOTS;
            self.pilots[other].get_flight(id).expect_no_access();
        }
    }
}

#[test]
fn whatever_members_do_hours_follow_flights_and_flights_stay_private() {
    let server = Server::start();
    let seed = setting("FLUGLOG_SHARED_SEED", 7);
    let mut model = Model::new(&server, seed);
    for step in 1..=setting("FLUGLOG_SHARED_STEPS", 300) {
        model.step();
        if step.is_multiple_of(COMPARED_EVERY as u64) {
            model.compare();
        }
    }
    model.compare();
    expect_clean(server.directory());
}
