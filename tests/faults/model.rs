//! Two pilots make random changes concurrently; every answer is compared with a model in memory.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::harness::calls::{COPTER, id_in};
use crate::harness::{Pilot, Server};

const STEPS: usize = 250;
/// Flight times are whole numbers, so that hours are exact.
const MINUTES: [u32; 4] = [3, 6, 12, 30];

/// Xorshift64 (Marsaglia 2003).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 20) % limit as u64).unwrap()
    }

    fn pick<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        (!all.is_empty()).then(|| &all[self.below(all.len())])
    }
}

struct Copter {
    name: String,
    is_retired: bool,
}

struct Flight {
    copter: String,
    minutes: Option<u32>,
    is_open: bool,
}

/// The expected data of a pilot.
#[derive(Default)]
struct Model {
    copters: BTreeMap<String, Copter>,
    flights: BTreeMap<String, Flight>,
}

impl Model {
    fn open(&self) -> Option<&String> {
        self.flights.iter().find(|(_, flight)| flight.is_open).map(|(id, _)| id)
    }

    fn step(&mut self, pilot: &Pilot, chance: &mut Chance, name: &str) {
        let copters: Vec<_> = self.copters.keys().cloned().collect();
        let flights: Vec<_> = self.flights.keys().cloned().collect();
        let (copter, flight) = (chance.pick(&copters), chance.pick(&flights));
        match (chance.below(8), copter, flight) {
            (0, ..) | (_, None, _) => {
                let copter = Copter {
                    name: name.to_owned(),
                    is_retired: false,
                };
                self.copters.insert(pilot.item(COPTER, name), copter);
            }
            (1, Some(id), _) => {
                let equipment = json!({"dpfId": id, "type": COPTER, "name": name});
                pilot.save_edit_equipment(&equipment).expect_status(200);
                self.copters.get_mut(id).unwrap().name = name.to_owned();
            }
            (2, Some(id), _) => self.retire_or_take_back(pilot, id),
            (3 | 4, Some(id), _) => self.take_off(pilot, id),
            (5, _, Some(id)) => self.change_time(pilot, id, MINUTES[chance.below(MINUTES.len())]),
            (6, ..) => self.finish(pilot, flight),
            (_, _, Some(id)) if chance.below(3) == 0 => {
                pilot.delete_flight(id).expect_status(200);
                self.flights.remove(id);
            }
            _ => {}
        }
    }

    fn retire_or_take_back(&mut self, pilot: &Pilot, id: &str) {
        let flies = self
            .flights
            .values()
            .any(|flight| flight.is_open && flight.copter == id);
        let copter = self.copters.get_mut(id).unwrap();
        if copter.is_retired {
            pilot.activate(id).expect_status(200);
            copter.is_retired = false;
        } else if flies {
            pilot.deactivate(id, "verloren").expect_status(409);
        } else {
            pilot.deactivate(id, "verloren").expect_status(200);
            copter.is_retired = true;
        }
    }

    fn take_off(&mut self, pilot: &Pilot, copter: &str) {
        let answer = pilot.create_flight(&json!({"copter": copter, "equipments": [], "payloads": []}));
        if self.copters[copter].is_retired {
            drop(answer.expect_status(400));
        } else if self.open().is_some() {
            drop(answer.expect_status(409));
        } else {
            let flight = Flight {
                copter: copter.to_owned(),
                minutes: None,
                is_open: true,
            };
            self.flights.insert(answer.expect_status(200).text(), flight);
        }
    }

    fn change_time(&mut self, pilot: &Pilot, id: &str, minutes: u32) {
        pilot
            .save_flight(&json!({"dpfId": id, "flightTime": minutes}))
            .expect_status(200);
        self.flights.get_mut(id).unwrap().minutes = Some(minutes);
    }

    /// Finishes the open flight; without one, checks that finishing a finished one is refused.
    fn finish(&mut self, pilot: &Pilot, other: Option<&String>) {
        if let Some(id) = self.open().cloned() {
            pilot.finish_flight(&json!({"dpfId": id})).expect_status(200);
            self.flights.get_mut(&id).unwrap().is_open = false;
        } else if let Some(id) = other {
            pilot.finish_flight(&json!({"dpfId": id})).expect_status(409);
        }
    }

    /// Fails unless the server's answers equal the model.
    fn compare(&self, pilot: &Pilot) {
        let shown = |deactivated| pilot.equipments(COPTER, deactivated);
        let items: BTreeMap<_, _> = [shown(false), shown(true)]
            .concat()
            .iter()
            .map(|item| (id_in(item), item.clone()))
            .collect();
        assert_eq!(items.len(), self.copters.len());
        for (id, copter) in &self.copters {
            let item = &items[id];
            assert_eq!(item["name"], *copter.name);
            assert_eq!(item["deactivateTime"] != "", copter.is_retired);
            let own = self.flights.values().filter(|flight| flight.copter == *id);
            let minutes: u32 = own.filter_map(|flight| flight.minutes).sum();
            let hours = (f64::from(minutes) / 60.0 * 100.0).round() / 100.0;
            assert_eq!(item["usageTime"].as_f64(), Some(hours), "{item}");
        }
        let rows: BTreeMap<_, _> = pilot.flights().iter().map(|row| (id_in(row), row.clone())).collect();
        assert_eq!(rows.len(), self.flights.len());
        for (id, flight) in &self.flights {
            assert_eq!(rows[id]["open"], flight.is_open);
            assert_eq!(rows[id]["copter"]["dpfId"], *flight.copter);
            assert_eq!(rows[id]["flightTime"].as_f64(), flight.minutes.map(f64::from));
        }
        let open = self.open().map_or(Value::Null, |id| json!(id));
        assert_eq!(pilot.open_flight(), open);
        let finished = self.flights.values().filter(|flight| !flight.is_open).count();
        assert_eq!(pilot.statistics()["totalFlightCount"], finished.to_string());
    }
}

#[test]
fn random_changes_of_two_pilots_at_once_match_a_model() {
    let server = Server::start();
    let pilots = [server.pilot("Anna"), server.pilot("Ben")];
    std::thread::scope(|scope| {
        for (number, pilot) in pilots.iter().enumerate() {
            scope.spawn(move || {
                let mut chance = Chance(0x2545_F491_4F6C_DD1D + number as u64);
                let mut model = Model::default();
                for step in 0..STEPS {
                    model.step(pilot, &mut chance, &format!("Copter {number}-{step}"));
                    if step % 10 == 0 {
                        model.compare(pilot);
                    }
                }
                model.compare(pilot);
            });
        }
    });
}
