//! The cost of saving in syncs and written bytes: memory cards are slow at both and wear out.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::faults::disk::{End, anna, prepared, serve_traced};
use crate::harness::calls::{BATTERY, COPTER, GOGGLES, id_in, with_id};
use crate::harness::client::{FORM, encode};
use crate::harness::raw::Connection;
use crate::harness::{Pilot, Server, temporary_directory};

const FLIGHTS: u32 = 200;
const SAVES: usize = 20;

/// Writes and syncs of the database file so far.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    syncs: usize,
    bytes: usize,
}

impl Cost {
    fn of(trace: &Path) -> Cost {
        let mut cost = Cost::default();
        for line in fs::read_to_string(trace).unwrap().lines() {
            if line.contains("sync(") {
                cost.syncs += 1;
            } else if line.contains("pwrite64(") {
                let written = line.rsplit(" = ").next().unwrap();
                cost.bytes += written.parse::<usize>().unwrap();
            }
        }
        cost
    }

    fn since(self, before: Cost) -> Cost {
        Cost {
            syncs: self.syncs - before.syncs,
            bytes: self.bytes - before.bytes,
        }
    }
}

/// Number of pages in `bytes`; the file's own header is smaller than a page.
const fn pages(bytes: usize) -> usize {
    bytes / 4096
}

/// Makes a pilot's many flights, each with three items; returns their ids.
fn flown(pilot: &Pilot) -> Vec<String> {
    let copter = pilot.item(COPTER, "Falke");
    let others = [pilot.item(BATTERY, "Akku"), pilot.item(GOGGLES, "Brille")];
    let config = json!({"copter": copter, "equipments": others, "payloads": []}).to_string();
    let add = |number: u32| {
        let flight = json!({
            "startTime": format!("{:02}.{:02}.2025 12:{:02}", number % 28 + 1, number % 12 + 1, number % 60),
            "flightTime": 5 + number % 9, "speed": 40 + number % 30, "batteryStartVoltage": 16.8,
            "batteryEndVoltage": 14.2,
            "location": "Modellflugplatz Musterstadt", "notes": "alles gut, ein wenig Wind in der zweiten Hälfte",
        });
        let fields = [("config", config.as_str()), ("flight", &flight.to_string())];
        let added = pilot.post("AddFlight", &fields).expect_status(201);
        id_in(&added.json())
    };
    (0..FLIGHTS).map(add).collect()
}

#[test]
fn a_save_syncs_once_and_writes_few_pages() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let session = prepared(&directory);
    let server = Server::start_in(&directory);
    let flights = flown(&anna(&server, &session));
    assert!(server.stop().success());

    let trace = place.path().join("trace");
    let server = serve_traced(&[], "pwrite64,fdatasync,fsync", &trace, &[], &directory);
    let pilot = anna(&server, &session);
    let cost_of = |name: &str, value: &dyn Fn(usize) -> String| {
        let before = Cost::of(&trace);
        for (number, flight) in flights.iter().take(SAVES).enumerate() {
            let request = format!("0198b6f0-{number:04}-7000-8000-{:012}", name.len());
            let changed = with_id(&json!({name: value(number)}), flight).to_string();
            pilot
                .post(
                    "SaveFlight",
                    &[("flight", &changed), ("endFlight", "false"), ("requestId", &request)],
                )
                .expect_status(200);
        }
        let cost = Cost::of(&trace).since(before);
        assert_eq!(cost.syncs, SAVES, "saving {name}");
        cost.bytes / SAVES
    };
    let note = cost_of("notes", &|number| format!("Nummer {number}"));
    let minutes = cost_of("flightTime", &|number| format!("{},5", 30 + number));
    // A leaf and a root of each changed tree, up to three leaves and a root of the list of tables, and redb's free pages.
    assert!(pages(note) <= 10, "a note writes {note} bytes");
    // A flight time also changes the sums of years, of items and of the review.
    assert!(pages(minutes) <= 19, "a flight time writes {minutes} bytes");
}

/// A call with this session as raw HTTP.
fn request(server: &Server, session: &str, call: &str, fields: &[(&str, &str)]) -> String {
    let (address, body) = (server.address(), encode(fields));
    format!(
        "POST /app/api/{call} HTTP/1.1\r\nHost: {address}\r\nCookie: session={session}\r\n\
         Content-Type: {FORM}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn a_hundred_who_save_at_once_share_a_few_syncs_and_nobody_who_reads_waits_for_one() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let session = prepared(&directory);
    let trace = place.path().join("trace");
    let slow = ["-e", "inject=fdatasync,fsync:delay_enter=500000"];
    let server = serve_traced(&[], "fdatasync,fsync", &trace, &slow, &directory);
    let pilot = anna(&server, &session);
    let battery = pilot.item(BATTERY, "Akku");
    let before = Cost::of(&trace);
    let (all, first_is_answered) = (Barrier::new(100), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for saver in 0..100 {
            let (server, session, all, first_is_answered) = (&server, &session, &all, &first_is_answered);
            scope.spawn(move || {
                // One address may only use a part of the connections.
                let address = format!("127.0.0.{}", 10 + saver / 20);
                let mut connection = Connection::open_from(&address, server.address());
                let equipment = json!({"type": BATTERY, "name": format!("{saver}")}).to_string();
                all.wait();
                connection.send(request(
                    server,
                    session,
                    "SaveNewEquipment",
                    &[("equipment", &equipment)],
                ));
                let _end = End(first_is_answered);
                connection.answer().expect("an answer").expect_status(200);
            });
        }
        let mut reader = Connection::open_from("127.0.0.2", server.address());
        let mut reads_meanwhile = 0;
        while !first_is_answered.load(Ordering::Relaxed) {
            reader.send(request(&server, &session, "GetEquipment", &[("dpfId", &battery)]));
            reader.answer().expect("an answer").expect_status(200);
            reads_meanwhile += 1;
        }
        assert!(
            reads_meanwhile >= 3,
            "only {reads_meanwhile} reads were answered during the first sync"
        );
    });
    let syncs = Cost::of(&trace).since(before).syncs;
    assert!(syncs <= 10, "{syncs} syncs for 100 saves");
    assert!(syncs > 0, "strace has seen none");
}
