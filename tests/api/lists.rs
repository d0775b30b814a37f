//! Long lists: their pages add up to the whole, and twenty clients that don't read long answers keep the server's
//! memory small.

use std::thread;

use serde_json::{Value, json};

use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::client::{FORM, encode};
use crate::harness::raw::Connection;
use crate::harness::{Pilot, Server, wait};

/// The items of a list; in the answer they are the field `name`, or, if that is empty, the whole answer.
fn items(pilot: &Pilot, call: &str, fields: &[(&str, &str)], name: &str) -> Vec<Value> {
    let mut answer = pilot.post(call, fields).expect_status(200).json();
    let items = if name.is_empty() {
        answer.take()
    } else {
        answer[name].take()
    };
    items.as_array().unwrap().clone()
}

/// All items, requested in pages of two.
fn by_pages(pilot: &Pilot, call: &str, fields: &[(&str, &str)], name: &str) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    loop {
        let last = all.last().map(id_in);
        let mut asked = [fields, &[("limit", "2")]].concat();
        asked.extend(last.as_deref().map(|last| ("before", last)));
        let page = items(pilot, call, &asked, name);
        if page.is_empty() {
            return all;
        }
        assert!(page.len() <= 2);
        all.extend(page);
    }
}

#[test]
fn page_by_page_a_list_is_the_same_as_at_once() {
    let anna = Server::shared().pilot("anna");
    let (copter, battery) = (anna.item(COPTER, "Falke"), anna.item(BATTERY, "Akku 1"));
    let flight = anna.fly(
        &copter,
        &[&battery],
        &json!({"flightTime": 5, "batteryStartVoltage": 16.8, "batteryEndVoltage": 14.2}),
    );
    for number in 0..5 {
        anna.document(&format!("{number}.txt"), b"Text");
        let time = format!("0{}.05.2026 18:00", 1 + number / 2);
        let start = [
            ("chargeStartTime", &*time),
            ("chargeEndTime", &*time),
            ("fromVoltage", "14,8"),
            ("toVoltage", "16,8"),
            ("charged", "900"),
        ];
        anna.save_charging(&battery, &start).expect_status(200);
        let log = [("info", "Propeller"), ("time", &*time)];
        anna.upload("SaveEquipmentLog", &[&[("dpfId", &*copter)], &log[..]].concat(), &[])
            .expect_status(201);
        anna.upload("SaveFlightLog", &[&[("dpfId", &*flight)], &log[..]].concat(), &[])
            .expect_status(201);
    }
    for name in ["Adler", "Habicht"] {
        anna.item(COPTER, name);
    }
    let stranger = Server::shared().pilot("ben").document("fremd.txt", b"Text");
    for (call, fields, name, count) in [
        ("GetEquipments", vec![("type", "0"), ("deactivated", "false")], "", 3),
        ("GetUserDocuments", vec![], "", 5),
        ("GetChargings", vec![("battery", &*battery)], "chargings", 6),
        ("GetEquipmentLogs", vec![("dpfId", &*copter)], "logs", 5),
        ("GetFlightLogs", vec![("dpfId", &*flight)], "logs", 5),
    ] {
        let whole = items(&anna, call, &fields, name);
        assert_eq!(whole.len(), count, "{call}");
        assert_eq!(by_pages(&anna, call, &fields, name), whole, "{call}");
        let after_a_stranger = [&fields[..], &[("before", &*stranger)]].concat();
        anna.post(call, &after_a_stranger).expect_no_access();
        let too_many = [&fields[..], &[("limit", "501")]].concat();
        anna.post(call, &too_many).expect_status(400);
    }
}

#[test]
fn nobody_who_takes_no_long_answer_fills_the_memory_and_others_go_on() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let info = "🛩".repeat(9_990);
    thread::scope(|scope| {
        for _ in 0..8 {
            let (tab, copter, info) = (anna.another_tab(), &copter, &info);
            scope.spawn(move || {
                for _ in 0..60 {
                    let fields = [("dpfId", &**copter), ("info", info), ("time", "01.05.2026 10:00")];
                    tab.upload("SaveEquipmentLog", &fields, &[]).expect_status(201);
                }
            });
        }
    });
    let all = anna.post("GetEquipmentLogs", &[("dpfId", &*copter)]);
    assert!(all.expect_status(200).body.len() > 19_000_000);
    // The export as well.
    assert!(anna.get("/app/api/GetExport").expect_status(200).body.len() > 100_000);
    let body = encode(&[("dpfId", &copter)]);
    let _readers: Vec<_> = (0..40)
        .map(|_| {
            let mut connection = Connection::open(server.address());
            connection.send(format!(
                "POST /app/api/GetEquipmentLogs HTTP/1.1\r\nHost: {}\r\nCookie: session={}\r\n\
                 Content-Type: {FORM}\r\nContent-Length: {}\r\n\r\n{body}",
                server.address(),
                anna.cookie("session").unwrap(),
                body.len()
            ));
            connection
        })
        .collect();
    let ben = server.pilot("ben");
    ben.item(COPTER, "Habicht");
    assert_eq!(ben.flights(), [Value::Null; 0]);
    let most = server.most_memory_bytes();
    assert!(most < 256_000_000, "{most} bytes of memory");
}

#[test]
fn lists_of_the_largest_hangar_fill_no_memory() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let long = |begin: String| begin + &"🛩".repeat(196);
    let item = |name: String| {
        let [model, manufacturer, seller] = ["Typ ", "von ", "bei "].map(|begin| long(begin.to_owned()));
        json!({
            "type": BATTERY, "name": long(name), "model": model, "manufacturer": manufacturer, "seller": seller,
            // Cells are looked for in every text until they are found.
            "batteryType": long("4S, ".to_owned()),
        })
    };
    thread::scope(|scope| {
        for tab in 0..8 {
            let (anna, item) = (anna.another_tab(), &item);
            scope.spawn(move || {
                for number in tab * 125..(tab + 1) * 125 {
                    anna.item_with(&item(format!("{number:03} ")));
                }
            });
        }
    });
    assert!(anna.get("/app/api/GetAllEquipments").expect_status(200).body.len() > 4_000_000);
    let mut readers: Vec<_> = (0..20)
        .map(|_| {
            let mut connection = Connection::open(server.address());
            connection.send(format!(
                "GET /app/api/GetAllEquipments HTTP/1.1\r\nHost: {}\r\nCookie: session={}\r\n\r\n",
                server.address(),
                anna.cookie("session").unwrap()
            ));
            connection
        })
        .collect();
    let ben = server.pilot("ben");
    ben.item(COPTER, "Habicht");
    assert_eq!(ben.flights(), [Value::Null; 0]);
    // Each answer has been begun.
    for reader in &mut readers {
        assert!(!reader.is_silent_for(wait::PATIENCE));
    }
    let most = server.most_memory_bytes();
    // A pilot has two answers at a time and the server four; twice as many items may be in memory.
    assert!(most < 140_000_000, "{most} bytes of memory");
}

/// Each idle thread keeps a megabyte of freed memory.
#[test]
fn the_threads_of_a_crowd_end_with_it() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let threads = || {
        let folder = format!("/proc/{}/task", server.process_id());
        std::fs::read_dir(folder).unwrap().count()
    };
    let most = thread::scope(|scope| {
        let crowd: Vec<_> = (0..40)
            .map(|_| {
                let tab = anna.another_tab();
                scope.spawn(move || (0..10).for_each(|_| drop(tab.item(COPTER, "Falke"))))
            })
            .collect();
        let mut most = 0;
        while !crowd.iter().all(thread::ScopedJoinHandle::is_finished) {
            most = most.max(threads());
        }
        most
    });
    let begun = std::time::Instant::now();
    wait::until("they have ended", || (threads() < most / 2).then_some(()));
    assert!(
        begun.elapsed() < std::time::Duration::from_secs(4),
        "{:?} of {most}",
        begun.elapsed()
    );
}
