//! Random steps of pilots who share equipment, compared with a model: hours are those of the flights, what is recorded
//! of an item goes where the item goes, and a flight is read by its pilot alone. `FLUGLOG_SHARED_STEPS` and
//! `FLUGLOG_SHARED_SEED` make it longer, or another one.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::spaces::{member, remove};
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::process::run;
use crate::harness::spaces::{CLUB, KEEPER, MANAGER, MEMBER, READER, expect_clean};
use crate::harness::{Pilot, Server, text};

const PILOTS: usize = 4;
const SPACES: usize = 2;
/// Anna manages the spaces.
const ANNA: usize = 0;
/// Everything is compared after so many steps, and the database is checked, which builds its totals anew.
const COMPARED_EVERY: u64 = 25;
const CHECKED_EVERY: u64 = 2500;
/// Maximum numbers of items and flights, so that a long run isn't slower at its end.
const MOST_ITEMS: usize = 16;
const MOST_FLIGHTS: usize = 60;
/// Logs and readings of one item.
const MOST_RECORDS: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Pilot(usize),
    Space(usize),
    /// The item's owner was deleted.
    Gone,
}

struct Item {
    id: String,
    kind: u8,
    owner: Owner,
    logs: Vec<Written>,
    readings: Vec<Written>,
}

/// A log or a reading.
struct Written {
    id: String,
    /// The member who wrote it about an item of a space; `None` if the account was deleted.
    author: Option<usize>,
}

struct Flown {
    /// `None`: the account was deleted; the item's owner keeps the use.
    pilot: Option<usize>,
    items: Vec<usize>,
    minutes: u32,
    open: bool,
    /// The items that it still holds.
    holds: Vec<usize>,
}

struct Model<'s> {
    server: &'s Server,
    pilots: Vec<Pilot>,
    names: Vec<String>,
    spaces: Vec<String>,
    /// The role of each pilot in each space, 0 without one.
    roles: [[u8; PILOTS]; SPACES],
    items: Vec<Item>,
    flights: BTreeMap<String, Flown>,
    random: u64,
    /// Accounts and spaces that were made.
    made: usize,
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |value| value.parse().expect("a number"))
}

impl<'s> Model<'s> {
    fn new(server: &'s Server, seed: u64) -> Model<'s> {
        let names: Vec<_> = ["Anna", "Ben", "Cara", "Dora"].map(str::to_owned).into();
        let pilots: Vec<_> = names.iter().map(|name| server.pilot(name)).collect();
        let spaces = ["MFC", "FSV"].map(|name| pilots[ANNA].make_space(CLUB, name));
        let mut roles = [[0; PILOTS]; SPACES];
        roles.iter_mut().for_each(|roles| roles[ANNA] = MANAGER);
        Model {
            server,
            pilots,
            names,
            spaces: spaces.into(),
            roles,
            items: Vec::new(),
            flights: BTreeMap::new(),
            random: seed,
            made: 0,
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

    /// The role that a pilot has towards an item; its owner may do everything.
    fn role(&self, pilot: usize, item: usize) -> u8 {
        match self.items[item].owner {
            Owner::Pilot(owner) if owner == pilot => MANAGER,
            Owner::Pilot(_) | Owner::Gone => 0,
            Owner::Space(space) => self.roles[space][pilot],
        }
    }

    fn open_flight_of(&self, pilot: usize) -> Option<String> {
        let mut flights = self.flights.iter();
        let open = flights.find(|(_, flown)| flown.pilot == Some(pilot) && flown.open);
        open.map(|(id, _)| id.clone())
    }

    fn is_held(&self, item: usize) -> bool {
        self.flights.values().any(|flown| flown.holds.contains(&item))
    }

    fn any_item(&mut self, kind: Option<u8>) -> Option<usize> {
        let there = (0..self.items.len()).filter(|at| {
            let item = &self.items[*at];
            item.owner != Owner::Gone && kind.is_none_or(|kind| item.kind == kind)
        });
        let there: Vec<_> = there.collect();
        (!there.is_empty()).then(|| there[self.below(there.len())])
    }

    /// A copter, with a battery or without.
    fn any_gear(&mut self) -> Option<Vec<usize>> {
        let mut gear = vec![self.any_item(Some(COPTER))?];
        if self.below(2) == 0 {
            gear.extend(self.any_item(Some(BATTERY)));
        }
        Some(gear)
    }

    fn config(&self, gear: &[usize]) -> Value {
        let ids: Vec<_> = gear.iter().map(|item| self.items[*item].id.as_str()).collect();
        json!({"copter": ids[0], "equipments": ids[1..]})
    }

    fn step(&mut self) {
        let pilot = self.below(PILOTS);
        match self.below(42) {
            0..=2 => self.add_item(pilot),
            3..=5 => self.join_or_leave(),
            6..=10 => self.move_item(),
            11..=15 => self.add_flight(pilot),
            16..=20 => self.start(pilot),
            21..=23 => self.finish(pilot),
            24..=26 => self.edit(),
            27..=29 => self.delete(),
            30 | 31 => self.free(),
            32..=35 => self.record(pilot),
            36..=39 => self.correct(pilot),
            40 => self.dissolve(),
            _ => self.rarely(),
        }
        if self.flights.len() > MOST_FLIGHTS {
            self.delete();
        }
    }

    fn rarely(&mut self) {
        match self.below(8) {
            0 => self.delete_account(),
            1 => self.empty_and_dissolve(),
            _ => self.change_role(),
        }
    }

    fn add_item(&mut self, pilot: usize) {
        let there = self.items.iter().filter(|item| item.owner != Owner::Gone).count();
        if there >= MOST_ITEMS {
            return;
        }
        let kind = [COPTER, BATTERY][self.below(2)];
        let name = format!("Teil {}", self.items.len());
        self.items.push(Item {
            id: self.pilots[pilot].item(kind, &name),
            kind,
            owner: Owner::Pilot(pilot),
            logs: Vec::new(),
            readings: Vec::new(),
        });
    }

    fn join_or_leave(&mut self) {
        let (space, pilot) = (self.below(SPACES), 1 + self.below(PILOTS - 1));
        match self.roles[space][pilot] {
            0 => {
                let role = [READER, MEMBER, MEMBER, MANAGER][self.below(4)];
                self.pilots[ANNA].take_in(&self.spaces[space], role, &self.pilots[pilot], true);
                self.roles[space][pilot] = role;
            }
            _ => self.end_membership(space, pilot),
        }
    }

    /// The pilot leaves, or Anna ends the membership.
    fn end_membership(&mut self, space: usize, pilot: usize) {
        let leaves = self.below(2) == 0;
        let id = &self.spaces[space];
        match leaves {
            true => self.pilots[pilot].post("LeaveSpace", &[("space", id)]),
            false => remove(
                &self.pilots[ANNA],
                id,
                &member(&self.pilots[ANNA], id, &self.names[pilot]),
            ),
        }
        .expect_status(200);
        self.roles[space][pilot] = 0;
    }

    fn change_role(&mut self) {
        let (space, pilot) = (self.below(SPACES), 1 + self.below(PILOTS - 1));
        let role = u8::try_from(1 + self.below(4)).expect("a role");
        if self.roles[space][pilot] == 0 {
            return;
        }
        let id = &self.spaces[space];
        let member = member(&self.pilots[ANNA], id, &self.names[pilot]);
        let fields = [("space", id.as_str()), ("member", &member), ("role", &role.to_string())];
        self.pilots[ANNA].post("SaveMember", &fields).expect_status(200);
        self.roles[space][pilot] = role;
    }

    /// Anna moves an item.
    fn move_item(&mut self) {
        let Some(item) = self.any_item(None) else {
            return;
        };
        let to = self.below(SPACES + 1);
        let target = self.spaces.get(to).cloned().unwrap_or_default();
        let to = self.spaces.get(to).map_or(Owner::Pilot(ANNA), |_| Owner::Space(to));
        let Item { id, owner, .. } = &self.items[item];
        let answer = self.pilots[ANNA].post("MoveEquipment", &[("dpfId", id), ("space", &target)]);
        let expected = match owner {
            Owner::Pilot(other) if *other != ANNA => 403,
            _ if *owner == to => 200,
            _ if self.is_held(item) => 409,
            _ => 200,
        };
        if answer.expect_status(expected).status == 200 {
            self.items[item].owner = to;
        }
    }

    fn add_flight(&mut self, pilot: usize) {
        let Some(gear) = self.any_gear() else {
            return;
        };
        let (day, minutes) = (1 + self.below(28), 1 + self.below(30));
        let flight = json!({"startTime": format!("{day:02}.02.2026 10:00"), "flightTime": minutes,
            "batteryStartVoltage": "16,8", "batteryEndVoltage": "14,8"});
        let fields = [
            ("config", self.config(&gear).to_string()),
            ("flight", flight.to_string()),
        ];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        let answer = self.pilots[pilot].post("AddFlight", &fields);
        if gear.iter().any(|item| self.role(pilot, *item) < MEMBER) {
            answer.expect_status(403);
            return;
        }
        let flown = Flown {
            pilot: Some(pilot),
            items: gear,
            minutes: u32::try_from(minutes).expect("few minutes"),
            open: false,
            holds: Vec::new(),
        };
        let made = answer.expect_status(201).json();
        let id = made["dpfId"].as_str().expect("an id");
        self.flights.insert(id.to_owned(), flown);
    }

    fn start(&mut self, pilot: usize) {
        let Some(gear) = self.any_gear() else {
            return;
        };
        let answer = self.pilots[pilot].create_flight(&self.config(&gear));
        let is_free = self.open_flight_of(pilot).is_none() && !gear.iter().any(|item| self.is_held(*item));
        let may = gear.iter().all(|item| self.role(pilot, *item) >= MEMBER);
        match (may, is_free) {
            (false, _) => drop(answer.expect_status(403)),
            (true, false) => drop(answer.expect_status(409)),
            (true, true) => {
                let flown = Flown {
                    pilot: Some(pilot),
                    items: gear.clone(),
                    minutes: 0,
                    open: true,
                    holds: gear,
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
        let fields = json!({"dpfId": id, "flightTime": minutes, "batteryEndVoltage": "15,2"});
        self.pilots[pilot].finish_flight(&fields).expect_status(200);
        let flown = self.flights.get_mut(&id).expect("a flight");
        flown.minutes = u32::try_from(minutes).expect("few minutes");
        flown.open = false;
        flown.holds.clear();
    }

    /// A flight whose pilot is there.
    fn any_flight(&mut self) -> Option<(String, usize)> {
        let flights = self.flights.iter();
        let there: Vec<_> = flights
            .filter_map(|(id, flown)| Some((id.clone(), flown.pilot?)))
            .collect();
        (!there.is_empty()).then(|| there[self.below(there.len())].clone())
    }

    fn edit(&mut self) {
        let Some((id, pilot)) = self.any_flight() else {
            return;
        };
        let minutes = 1 + self.below(30);
        self.pilots[pilot]
            .save_flight(&json!({"dpfId": id, "flightTime": minutes}))
            .expect_status(200);
        let flown = self.flights.get_mut(&id).expect("a flight");
        flown.minutes = u32::try_from(minutes).expect("few minutes");
    }

    fn delete(&mut self) {
        let Some((id, pilot)) = self.any_flight() else {
            return;
        };
        self.flights.remove(&id);
        self.pilots[pilot].delete_flight(&id).expect_status(200);
    }

    /// Anna frees an item.
    fn free(&mut self) {
        if let Some(item) = self.any_item(None) {
            self.free_item(item);
        }
    }

    fn free_item(&mut self, item: usize) {
        let Item { id, owner, .. } = &self.items[item];
        let answer = self.pilots[ANNA].post("FreeEquipment", &[("dpfId", id)]);
        match owner {
            Owner::Pilot(other) if *other != ANNA => drop(answer.expect_status(403)),
            _ => {
                answer.expect_status(200);
                let flights = self.flights.values_mut();
                flights.for_each(|flown| flown.holds.retain(|held| *held != item));
            }
        }
    }

    /// A member other than Anna, and an item of a space that the member may use.
    fn any_shared_item(&mut self) -> Option<(usize, usize)> {
        let mut there = Vec::new();
        for at in 0..self.items.len() {
            let is_shared = matches!(self.items[at].owner, Owner::Space(_));
            let members = (1..PILOTS).filter(|pilot| is_shared && self.role(*pilot, at) >= MEMBER);
            there.extend(members.map(|pilot| (pilot, at)));
        }
        (!there.is_empty()).then(|| there[self.below(there.len())])
    }

    /// A log with a document, or a reading of a battery.
    fn record(&mut self, pilot: usize) {
        let by_member = (self.below(2) == 0).then(|| self.any_shared_item()).flatten();
        let any = by_member.or_else(|| Some((pilot, self.any_item(None)?)));
        let Some((pilot, at)) = any else {
            return;
        };
        let may = self.role(pilot, at) >= MEMBER;
        let (is_log, item) = (self.below(2) == 0, &mut self.items[at]);
        let author = matches!(item.owner, Owner::Space(_)).then_some(pilot);
        let (id, who) = (item.id.as_str(), &self.pilots[pilot]);
        let (written, answer) = match is_log || item.kind == COPTER {
            true if item.logs.len() < MOST_RECORDS => {
                let log = [("dpfId", id), ("info", "Beule"), ("time", "01.03.2026 10:00")];
                (
                    &mut item.logs,
                    who.upload("SaveEquipmentLog", &log, &[("file", "a.txt", b"a")]),
                )
            }
            false if item.readings.len() < MOST_RECORDS => {
                let reading = [("battery", id), ("voltage", "15,2")];
                (&mut item.readings, who.post("SaveBatteryReading", &reading))
            }
            _ => return,
        };
        match may {
            true => {
                let id = id_in(&answer.expect_status(201).json());
                written.push(Written { id, author });
            }
            false => drop(answer.expect_status(403)),
        }
    }

    /// A log (`true`) or a reading of an item, by its place among these; if `by_others`, one by another member than Anna.
    fn any_written(&mut self, by_others: bool) -> Option<(usize, bool, usize)> {
        let mut there = Vec::new();
        for (at, item) in self.items.iter().enumerate() {
            for (is_log, written) in [(true, &item.logs), (false, &item.readings)] {
                let places = written.iter().enumerate().filter(|(_, entry)| {
                    item.owner != Owner::Gone && (!by_others || entry.author.is_some_and(|author| author != ANNA))
                });
                there.extend(places.map(|(place, _)| (at, is_log, place)));
            }
        }
        (!there.is_empty()).then(|| there[self.below(there.len())])
    }

    /// A pilot, often the author, edits or deletes a log or a reading.
    fn correct(&mut self, pilot: usize) {
        let (by_author, deletes) = (self.below(2) == 0, self.below(3) == 0);
        let Some((at, is_log, place)) = self.any_written(by_author) else {
            return;
        };
        let item = &self.items[at];
        let Written { id, author } = match is_log {
            true => &item.logs[place],
            false => &item.readings[place],
        };
        let pilot = author.filter(|_| by_author).unwrap_or(pilot);
        let role = self.role(pilot, at);
        let may = role >= KEEPER || (role >= MEMBER && *author == Some(pilot));
        let (who, entry, battery) = (
            &self.pilots[pilot],
            ("dpfId", id.as_str()),
            ("battery", item.id.as_str()),
        );
        let answer = match (is_log, deletes) {
            (true, true) => who.post("DeleteLog", &[entry]),
            (true, false) => who.upload(
                "EditLog",
                &[entry, ("info", "Delle"), ("time", "01.03.2026 10:00")],
                &[],
            ),
            (false, true) => who.post("DeleteBatteryReading", &[battery, entry]),
            (false, false) => who.post("EditBatteryReading", &[battery, entry, ("voltage", "15,1")]),
        };
        answer.expect_status(if may { 200 } else { 403 });
        if may && deletes {
            let item = &mut self.items[at];
            match is_log {
                true => item.logs.remove(place),
                false => item.readings.remove(place),
            };
        }
    }

    /// Anna tries to dissolve a space.
    fn dissolve(&mut self) {
        let space = self.below(SPACES);
        let is_alone = self.roles[space].iter().filter(|role| **role > 0).count() == 1;
        let has_items = self.items.iter().any(|item| item.owner == Owner::Space(space));
        let id = self.spaces[space].clone();
        let answer = self.pilots[ANNA].post("DissolveSpace", &[("space", &id)]);
        if !is_alone || has_items {
            answer.expect_status(409);
            return;
        }
        answer.expect_status(200);
        self.pilots[ANNA]
            .post("GetMembers", &[("space", &id)])
            .expect_no_access();
        self.made += 1;
        self.spaces[space] = self.pilots[ANNA].make_space(CLUB, &format!("Verein {}", self.made));
    }

    /// All others leave a space, Anna takes its items out of it and dissolves it.
    fn empty_and_dissolve(&mut self) {
        let space = self.below(SPACES);
        for pilot in 1..PILOTS {
            if self.roles[space][pilot] > 0 {
                self.end_membership(space, pilot);
            }
        }
        for item in 0..self.items.len() {
            if self.items[item].owner == Owner::Space(space) {
                self.free_item(item);
                self.pilots[ANNA].move_equipment(&self.items[item].id, "");
                self.items[item].owner = Owner::Pilot(ANNA);
            }
        }
        self.dissolve();
    }

    /// An account is deleted, and another pilot takes its place.
    fn delete_account(&mut self) {
        let pilot = 1 + self.below(PILOTS - 1);
        let email = format!("{}@example.org", self.names[pilot]);
        let directory = text(self.server.directory());
        let done = run(["user", "delete", &email, "--yes", "--data-dir", directory]);
        assert_eq!(done.code, 0, "{done:?}");
        let flights = self.flights.values_mut();
        for flown in flights.filter(|flown| flown.pilot == Some(pilot)) {
            (flown.pilot, flown.open) = (None, false);
            flown.holds.clear();
        }
        for item in &mut self.items {
            if item.owner == Owner::Pilot(pilot) {
                item.owner = Owner::Gone;
            }
            let written = item.logs.iter_mut().chain(&mut item.readings);
            for entry in written.filter(|entry| entry.author == Some(pilot)) {
                entry.author = None;
            }
        }
        self.roles.iter_mut().for_each(|roles| roles[pilot] = 0);
        self.made += 1;
        self.names[pilot] = format!("Pilot{}", self.made);
        self.pilots[pilot] = self.server.pilot(&self.names[pilot]);
    }

    fn compare(&self) {
        let items = self.items.iter().enumerate();
        for (place, item) in items.filter(|(_, item)| item.owner != Owner::Gone) {
            self.compare_item(place, item);
        }
        for (id, flown) in &self.flights {
            for (other, pilot) in self.pilots.iter().enumerate() {
                match flown.pilot == Some(other) {
                    true => assert_eq!(pilot.flight(id)["open"], flown.open),
                    false => drop(pilot.get_flight(id).expect_no_access()),
                }
            }
        }
    }

    fn compare_item(&self, place: usize, item: &Item) {
        let keeper = match item.owner {
            Owner::Pilot(pilot) => &self.pilots[pilot],
            Owner::Space(_) | Owner::Gone => &self.pilots[ANNA],
        };
        let id = item.id.as_str();
        let flights = self.flights.values().filter(|flown| flown.items.contains(&place));
        let minutes: u32 = flights.clone().map(|flown| flown.minutes).sum();
        let hours = (f64::from(minutes) / 60.0 * 100.0).round() / 100.0;
        assert_eq!(keeper.equipment(id)["usageTime"], hours, "{id}");
        let uses = flights.count();
        assert_eq!(keeper.shared_uses(id).len(), uses);
        let moves = keeper
            .post("GetMovePreview", &[("dpfId", id)])
            .expect_status(200)
            .json();
        let expected = json!({"items": 1, "uses": uses, "chargings": 0, "readings": item.readings.len(),
            "logs": item.logs.len(), "documents": item.logs.len()});
        assert_eq!(moves, expected, "{id}");
        for (other, pilot) in self.pilots.iter().enumerate() {
            let status = pilot.post("GetEquipment", &[("dpfId", id)]).status;
            assert_eq!(status == 200, self.role(other, place) >= READER, "{status}");
            if status == 200 {
                self.compare_logs(other, place);
            }
        }
    }

    /// The logs about an item, as one pilot sees them.
    fn compare_logs(&self, pilot: usize, place: usize) {
        let item = &self.items[place];
        let logs = self.pilots[pilot].post("GetEquipmentLogs", &[("dpfId", &item.id)]);
        let logs = logs.expect_status(200).json();
        let is_member = matches!(item.owner, Owner::Space(_)) && self.role(pilot, place) >= MEMBER;
        for log in logs["logs"].as_array().expect("a list") {
            let id = id_in(log);
            let written = item.logs.iter().find(|written| written.id == id).expect("a log");
            let mine = is_member && written.author == Some(pilot);
            assert_eq!(log.get("mine").is_some(), mine, "{id}");
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
        if step.is_multiple_of(COMPARED_EVERY) {
            model.compare();
        }
        if step.is_multiple_of(CHECKED_EVERY) {
            expect_clean(server.directory());
            eprintln!("{step} steps of seed {seed}");
        }
    }
    model.compare();
    expect_clean(server.directory());
}
