//! A pilot of the soak: the confirmed data, and the one change whose answer may have been lost.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::answer::Answer;
use crate::harness::calls::{COPTER, id_in};
use crate::harness::client::RequestBuilder;
use crate::harness::files::texts;
use crate::harness::{PASSWORD, Pilot, Server, pictures};

/// Limits; data beyond them are deleted.
const MAX_FLIGHTS: usize = 12;
const MAX_DOCUMENTS: usize = 8;
const MAX_IMAGES: usize = 2;
/// Longest pause between two changes.
const THINKS_MILLISECONDS: usize = 400;

/// Xorshift64 (Marsaglia 2003).
pub struct Chance(u64);

impl Chance {
    pub fn new(number: usize) -> Chance {
        Chance(0x2545_F491_4F6C_DD1D + number as u64)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 20) % limit as u64).unwrap()
    }

    pub fn pick<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        (!all.is_empty()).then(|| &all[self.below(all.len())])
    }
}

/// A confirmed flight: its minutes, and the checksum of each image by id.
#[derive(Debug, Clone, Default, PartialEq)]
struct Flight {
    minutes: usize,
    images: BTreeMap<String, u32>,
}

/// A pilot's data, over all rounds.
pub struct Life {
    pub email: String,
    pub session: String,
    pub confirmed: usize,
    number: usize,
    copter: String,
    flights: BTreeMap<String, Flight>,
    /// Documents by id, with their names, from which their content is derived.
    documents: BTreeMap<String, String>,
    unknown: Option<Unknown>,
    chance: Chance,
    steps: usize,
}

/// A change whose answer was lost.
enum Unknown {
    /// A flight that was added, changed or deleted, or got an image.
    Flight(String),
    NewDocument(String),
    GoneDocument(String),
}

/// The content of a document is derived from its name.
fn content(name: &str) -> Vec<u8> {
    let (_, kilobytes) = name.rsplit_once('-').unwrap();
    let lines = 1024 * kilobytes.parse::<usize>().unwrap() / (name.len() + 1);
    format!("{name}\n").repeat(lines + 1).into_bytes()
}

impl Life {
    pub fn begin(server: &Server, number: usize) -> Life {
        let email = format!("pilot{number}@example.org");
        server.add_user(&email, &format!("Pilot {number}"), PASSWORD);
        let pilot = server.stranger();
        pilot.log_in(&email, PASSWORD).expect_status(202);
        Life {
            email,
            session: pilot.cookie("session").unwrap(),
            confirmed: 0,
            number,
            copter: pilot.item(COPTER, "Falke"),
            flights: BTreeMap::new(),
            documents: BTreeMap::new(),
            unknown: None,
            chance: Chance::new(number),
            steps: 0,
        }
    }

    pub fn log_on(&self, server: &Server) -> Pilot {
        let pilot = server.stranger();
        pilot.plant_cookie("session", &self.session);
        pilot
    }

    /// Makes changes until the round is over and an answer is lost.
    pub fn work(&mut self, pilot: &Pilot, is_over: &AtomicBool, answers: &Mutex<Vec<Duration>>) {
        while !is_over.load(Ordering::SeqCst) {
            let begun = Instant::now();
            if self.step(pilot).is_none() {
                assert!(is_over.load(Ordering::SeqCst), "no answer of a server that runs");
                return;
            }
            self.confirmed += 1;
            answers.lock().unwrap().push(begun.elapsed());
            let thinks = self.chance.below(THINKS_MILLISECONDS);
            std::thread::sleep(Duration::from_millis(thinks as u64));
        }
    }

    fn step(&mut self, pilot: &Pilot) -> Option<()> {
        self.steps += 1;
        let flights: Vec<_> = self.flights.keys().cloned().collect();
        let flight = self.chance.pick(&flights).cloned();
        match (self.chance.below(8), flight) {
            (0 | 1, _) | (_, None) => self.add_flight(pilot),
            (2, Some(id)) => self.change_flight(pilot, id),
            (3, Some(id)) => self.add_image(pilot, id),
            (4 | 5, _) => self.change_documents(pilot),
            (_, Some(id)) if flights.len() > MAX_FLIGHTS => self.delete_flight(pilot, id),
            (_, Some(id)) => {
                let shown = ask(pilot.ask("POST", "/app/api/GetFlight").form(&[("dpfId", &id)]), 200)?;
                assert_eq!(minutes_in(&shown.json()), self.flights[&id].minutes);
                Some(())
            }
        }
    }

    fn add_flight(&mut self, pilot: &Pilot) -> Option<()> {
        let id = uuid::Uuid::now_v7().to_string();
        let minutes = 1 + self.chance.below(30);
        let config = json!({"copter": self.copter, "equipments": [], "payloads": []}).to_string();
        let flight = json!({"startTime": "10.05.2026 18:05", "flightTime": minutes}).to_string();
        let fields = [("dpfId", id.as_str()), ("config", &config), ("flight", &flight)];
        self.unknown = Some(Unknown::Flight(id.clone()));
        ask(pilot.ask("POST", "/app/api/AddFlight").form(&fields), 201)?;
        let images = BTreeMap::new();
        self.flights.insert(id, Flight { minutes, images });
        self.unknown = None;
        Some(())
    }

    fn change_flight(&mut self, pilot: &Pilot, id: String) -> Option<()> {
        let minutes = 1 + self.chance.below(30);
        let flight = json!({"dpfId": id, "flightTime": minutes}).to_string();
        self.unknown = Some(Unknown::Flight(id.clone()));
        let fields = [("flight", flight.as_str()), ("endFlight", "false")];
        ask(pilot.ask("POST", "/app/api/SaveFlight").form(&fields), 200)?;
        self.flights.get_mut(&id).unwrap().minutes = minutes;
        self.unknown = None;
        Some(())
    }

    fn add_image(&mut self, pilot: &Pilot, id: String) -> Option<()> {
        if self.flights[&id].images.len() >= MAX_IMAGES {
            return self.delete_flight(pilot, id);
        }
        let side = 100 + u32::try_from(self.chance.below(800)).unwrap();
        let image = pictures::jpeg(side, side / 2);
        self.unknown = Some(Unknown::Flight(id.clone()));
        let question = pilot.upload_question(
            "UploadImageForFlight",
            &[("flight", &id)],
            &[("files", "a.jpg", &image)],
        );
        let uuids = texts(&ask(question, 201)?.json());
        let mut images = BTreeMap::new();
        for uuid in uuids {
            let shown = ask(pilot.ask("GET", &format!("/app/api/GetImage?uuid={uuid}")), 200)?;
            images.insert(uuid, crc32fast::hash(&shown.body));
        }
        let flight = self.flights.get_mut(&id).unwrap();
        for (uuid, sum) in &flight.images {
            assert_eq!(images.get(uuid), Some(sum), "an image that was confirmed");
        }
        assert_eq!(images.len(), flight.images.len() + 1);
        flight.images = images;
        self.unknown = None;
        Some(())
    }

    fn delete_flight(&mut self, pilot: &Pilot, id: String) -> Option<()> {
        self.unknown = Some(Unknown::Flight(id.clone()));
        ask(pilot.ask("POST", "/app/api/DeleteFlight").form(&[("dpfId", &id)]), 200)?;
        self.flights.remove(&id);
        self.unknown = None;
        Some(())
    }

    fn change_documents(&mut self, pilot: &Pilot) -> Option<()> {
        if self.documents.len() >= MAX_DOCUMENTS {
            let ids: Vec<_> = self.documents.keys().cloned().collect();
            let id = self.chance.pick(&ids).unwrap();
            self.unknown = Some(Unknown::GoneDocument(id.clone()));
            ask(
                pilot.ask("POST", "/app/api/DeleteUserDocument").form(&[("dpfId", id)]),
                200,
            )?;
            self.documents.remove(id);
        } else {
            let kilobytes = [1, 20, 300, 1500][self.chance.below(4)];
            let name = format!("{}-{}-{kilobytes}", self.number, self.steps);
            self.unknown = Some(Unknown::NewDocument(name.clone()));
            let question = pilot.upload_question("UploadUserDocument", &[], &[("file", &name, &content(&name))]);
            let id = id_in(&ask(question, 201)?.json());
            self.documents.insert(id, name);
        }
        self.unknown = None;
        Some(())
    }

    /// Finds out whether the change with the lost answer was made, then fails unless everything is as confirmed.
    pub fn settle(&mut self, server: &Server) {
        let pilot = self.log_on(server);
        let shown = Shown::to(&pilot);
        match self.unknown.take() {
            Some(Unknown::Flight(id)) => {
                let confirmed = self.flights.remove(&id);
                if let Some(found) = shown.flights.get(&id) {
                    let kept = confirmed.iter().flat_map(|flight| &flight.images);
                    for (uuid, sum) in kept {
                        assert_eq!(found.images.get(uuid), Some(sum), "an image that was confirmed");
                    }
                    self.flights.insert(id, found.clone());
                }
            }
            Some(Unknown::NewDocument(name)) => {
                let found = shown.documents.iter().find(|(_, other)| **other == name);
                self.documents
                    .extend(found.map(|(id, name)| (id.clone(), name.clone())));
            }
            Some(Unknown::GoneDocument(id)) if !shown.documents.contains_key(&id) => {
                self.documents.remove(&id);
            }
            _ => {}
        }
        assert_eq!(shown.flights, self.flights, "flights of {}", self.email);
        assert_eq!(shown.documents, self.documents, "documents of {}", self.email);
        let count = pilot.statistics()["totalFlightCount"].clone();
        assert_eq!(count, self.flights.len().to_string(), "statistics of {}", self.email);
        for (id, name) in &self.documents {
            assert!(pilot.download(id).expect_status(200).body == content(name), "{name}");
        }
    }
}

/// What the server shows to a pilot.
struct Shown {
    flights: BTreeMap<String, Flight>,
    documents: BTreeMap<String, String>,
}

impl Shown {
    fn to(pilot: &Pilot) -> Shown {
        let flight = |row: &Value| {
            let id = id_in(row);
            let flight = pilot.flight(&id);
            assert_eq!(flight["flightTime"], row["flightTime"]);
            let images = texts(&flight["images"]).into_iter().map(|uuid| {
                let image = pilot.image(&uuid).expect_status(200);
                (uuid, crc32fast::hash(&image.body))
            });
            let images = images.collect();
            let minutes = minutes_in(&flight);
            (id, Flight { minutes, images })
        };
        let document = |document: &Value| (id_in(document), document["name"].as_str().unwrap().to_owned());
        Shown {
            flights: pilot.flights().iter().map(flight).collect(),
            documents: pilot.documents().iter().map(document).collect(),
        }
    }
}

fn minutes_in(flight: &Value) -> usize {
    flight["flightTime"].as_f64().unwrap() as usize
}

/// Sends a request; `None` if its answer is lost. Fails on refusals: every request is valid.
fn ask(question: RequestBuilder<'_>, status: u16) -> Option<Answer> {
    Some(question.try_to_send()?.expect_status(status))
}
