//! The table of all fields of flights: written, and imported again.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::api::exported_flights::{accept, flights, ticked};
use crate::harness::calls::{BATTERY, COPTER, GOGGLES, TRANSMITTER};
use crate::harness::raw::connect_with_small_buffer;
use crate::harness::{Pilot, Server, wait};

fn table(pilot: &Pilot, query: &str) -> Vec<u8> {
    let answer = pilot.get(&format!("/app/api/GetLogbook?full=true{query}"));
    answer.expect_status(200).body
}

fn import(pilot: &Pilot, table: &[u8]) -> Value {
    let answer = pilot.upload("UploadImport", &[], &[("files", "Flüge.csv", table)]);
    answer.expect_status(201).json()
}

/// Texts that spreadsheets, separators, quotes and directions of writing could change.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        "Wiese",
        "=1+1",
        "'=1+1",
        "''=SUM(A1)",
        "'n Abend",
        "+49 40",
        "-5",
        "@x",
        "🚁👨\u{200D}👩\u{200D}👧 \u{202E}verkehrt\u{202C}",
        "مرحبا שלום 東京",
        "a;b;\"c\"",
        "\"",
        "1,5",
        "01.02.2026",
        "e\u{301}\u{FEFF}\u{2028}\u{85}",
    ]
    .map(str::to_owned)
    .into();
    texts.retain(|text| !text.contains('\u{85}'));
    texts.push("Donau-".repeat(33) + "ok");
    texts
}

/// What only texts of several lines may have.
const LINES: [&str; 5] = [
    "zwei\nZeilen;\n\n \"drei\"",
    "\n=1+1",
    "\t'=1",
    "  eingerückt\r\nund mehr",
    "a\rb",
];

/// Flies with every text in every field, without a number, with small and large ones, and with any items.
fn fly_strangely(anna: &Pilot) -> usize {
    let texts = texts();
    let lines: Vec<_> = texts.iter().map(String::as_str).chain(LINES).collect();
    let named = |kind: u8, step: usize| -> Vec<String> {
        let names = texts.iter().filter(|text| !text.is_empty()).step_by(step);
        let item = |name: &String| {
            let weight = (kind == COPTER || kind == BATTERY).then(|| json!(100.5 + name.len() as f64));
            let model = if name.len().is_multiple_of(2) {
                name.as_str()
            } else {
                ""
            };
            anna.item_with(&json!({"type": kind, "name": name, "model": model, "weight": weight}))
        };
        names.map(item).collect()
    };
    let (copters, packs) = (named(COPTER, 1), named(BATTERY, 2));
    let others = [named(GOGGLES, 7), named(TRANSMITTER, 7)].concat();
    for place in 0..lines.len() {
        let text = |step: usize| lines[(place + step) % lines.len()];
        let line = |step: usize| texts[(place + step) % texts.len()].as_str();
        let number = |step: usize| {
            let numbers = [
                json!(null),
                json!(0),
                json!(0.1),
                json!(7.5),
                json!(123_456.789),
                json!(999_999_999),
            ];
            numbers[(place + step) % numbers.len()].clone()
        };
        let items: Vec<&str> = [
            &packs[place % packs.len()],
            &others[place % others.len()],
            &packs[(place + 1) % packs.len()],
        ]
        .into_iter()
        .map(String::as_str)
        .take(place % 4)
        .collect();
        let payloads: Vec<_> = (0..place % 3)
            .map(|step| json!({"name": format!("x{:.199}", line(step)), "weight": 0.5 + step as f64}))
            .collect();
        let flight = anna.take_off_with(&copters[place % copters.len()], &items, &json!(payloads));
        let fields = json!({
            "dpfId": flight,
            "startTime": format!("{:02}.03.2026 {:02}:{:02}", place % 28 + 1, place % 24, place * 7 % 60),
            "location": line(1), "weatherConditions": text(2), "purpose": text(3), "notes": text(4),
            "flightTime": number(0), "distance": number(1), "maximumAltitude": number(2), "maximumDistance": number(3),
            "speed": number(4), "batteryStartVoltage": number(5), "batteryEndVoltage": number(0),
            "consumedCapacity": number(2), "flightMode": (place % 3).to_string(),
            "startLatitude": if place.is_multiple_of(2) { json!(-53.123_456) } else { json!(null) },
            "startLongitude": if place.is_multiple_of(2) { json!(10.5) } else { json!(null) },
            "endLatitude": if place.is_multiple_of(3) { json!(0.000_001) } else { json!(null) },
            "endLongitude": if place.is_multiple_of(3) { json!(-179.9) } else { json!(null) },
        });
        anna.finish_flight(&fields).expect_status(200);
    }
    lines.len()
}

#[test]
fn a_table_of_all_fields_comes_back_without_loss_and_only_once() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let count = fly_strangely(&anna);
    let open = anna.take_off(&anna.item(COPTER, "Unterwegs"));
    let written = table(&anna, "");
    assert!(written.starts_with("\u{FEFF}Fluglog 1;Startzeit;".as_bytes()));

    let found = import(&anna, &written);
    assert_eq!(found["files"][0]["format"], "fluglog");
    assert_eq!(ticked(&found), json!([]), "all are there");
    anna.delete_flight(&open).expect_status(200);

    let ben = server.pilot("ben");
    let found = import(&ben, &written);
    assert_eq!(
        (&found["omitted"], &found["files"][0]["message"]),
        (&json!([]), &json!(""))
    );
    let choices = ticked(&found);
    assert_eq!(choices.as_array().unwrap().len(), count);
    accept(&ben, &found, &choices).expect_status(200);
    assert_eq!(flights(&ben), flights(&anna));
    assert_eq!(ticked(&import(&ben, &written)), json!([]), "a second time");
    // From there it goes on: only the ids differ.
    let carla = server.pilot("carla");
    let found = import(&carla, &table(&ben, ""));
    accept(&carla, &found, &ticked(&found)).expect_status(200);
    assert_eq!(flights(&carla), flights(&anna));
}

#[test]
fn a_table_has_the_flights_of_its_days_and_item_and_its_rows_are_checked_like_forms() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let [falke, milan] = ["Falke", "Milan"].map(|name| anna.item(COPTER, name));
    for (copter, start) in [
        (&falke, "31.12.2024 23:59"),
        (&falke, "01.01.2025 00:00"),
        (&milan, "14.06.2025 14:05"),
        (&falke, "31.12.2025 23:59"),
    ] {
        anna.fly(copter, &[], &json!({"startTime": start, "flightTime": 5}));
    }
    let starts = |query: &str| -> Vec<String> {
        let text = String::from_utf8(table(&anna, query)).unwrap();
        let rows = text
            .lines()
            .skip(1)
            .map(|row| row.split(';').nth(1).unwrap().to_owned());
        rows.collect()
    };
    assert_eq!(
        starts("&from=01.01.2025&to=14.06.2025"),
        ["01.01.2025 00:00", "14.06.2025 14:05"]
    );
    let of_falke = format!("&from=01.01.2025&equipment={falke}");
    assert_eq!(starts(&of_falke), ["01.01.2025 00:00", "31.12.2025 23:59"]);
    let none = anna.get("/app/api/GetLogbook?full=true&from=01.01.2030");
    none.expect_refusal(400, "Keine Flüge in diesem Zeitraum.");
    let ben = server.pilot("ben");
    let foreign = ben.get(&format!("/app/api/GetLogbook?full=true&equipment={falke}"));
    foreign.expect_status(403);

    // As a spreadsheet program saves it elsewhere: commas, points, no mark, rows of another order and empty ones.
    let edited = String::from_utf8(table(&anna, "")).unwrap();
    let edited = edited
        .trim_start_matches('\u{FEFF}')
        .replace(';', ",")
        .replace("31.12.2024", "31.13.2024");
    let found = import(&ben, format!("{edited},,,\r\n").as_bytes());
    assert_eq!(ticked(&found).as_array().unwrap().len(), 3);
    assert_eq!(found["omitted"].as_array().unwrap().len(), 1, "{}", found["omitted"]);
}

#[test]
fn a_cell_of_very_many_names_is_refused_like_a_form_and_takes_little_memory() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let id = |number: usize| format!("00000000-0000-4000-8000-{number:012}");
    let most = "a\n".repeat(500_000);
    let ids = (100..160).map(id).collect::<Vec<_>>().join("\n");
    let weights = "1\n".repeat(60);
    let rows = [
        format!("\"{most}\";\"{ids}\";;"),
        format!(";;\"{most}\";\"{weights}\""),
        "Akku;00000000-0000-4000-8000-000000000100;Gimbal;1".to_owned(),
    ];
    let rows = rows.iter().enumerate().map(|(number, row)| {
        let id = id(number);
        format!("{id};01.05.2025 1{number}:00;Falke;{id};Batterie;{row}\r\n")
    });
    // A spreadsheet program may have put a title above.
    let table = "Meine Flüge\r\nFluglog 1;Startzeit;Copter;Copter Kennung;Equipment Art;Equipment;Equipment Kennung;\
        Nutzlast;Nutzlast Gewicht (g)\r\n"
        .to_owned();
    let found = import(&anna, (table + &rows.collect::<String>()).as_bytes());
    assert_eq!(found["files"][0]["message"], "");
    let reasons = found["omitted"].as_array().unwrap().iter();
    let reasons: Vec<_> = reasons.map(|part| part["reason"].as_str().unwrap()).collect();
    let expected = [
        "Für einen Flug können höchstens 50 Teile Equipment gewählt werden.",
        "Für einen Flug sind höchstens 50 Nutzlasten möglich.",
    ];
    assert_eq!(reasons, expected);
    assert_eq!(ticked(&found).as_array().unwrap().len(), 1);
    let most = server.most_memory_bytes();
    assert!(most < 256_000_000, "{most} bytes of memory");
}

/// Flies often, with long texts: the table is longer than a connection's buffers.
fn fly_much(pilot: &Pilot) {
    let copter = pilot.item(COPTER, "Falke");
    let payloads: Vec<_> = (0..50)
        .map(|_| json!({"name": "🚁".repeat(100), "weight": 1}))
        .collect();
    let config = json!({"copter": copter, "equipments": [], "payloads": payloads}).to_string();
    let flight = json!({"startTime": "01.05.2025 10:00", "flightTime": 5, "notes": "東".repeat(5000)}).to_string();
    for _ in 0..180 {
        let added = pilot.post("AddFlight", &[("config", &config), ("flight", &flight)]);
        added.expect_status(201);
    }
}

/// Begins a download of the table, of which only the status is read.
fn begin_download(server: &Server, pilot: &Pilot) -> TcpStream {
    let mut stream = connect_with_small_buffer(server.address());
    stream.set_read_timeout(Some(wait::PATIENCE)).unwrap();
    let question = format!(
        "GET /app/api/GetLogbook?full=true HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {}\r\n\r\n",
        server.address(),
        pilot.cookie_header()
    );
    stream.write_all(question.as_bytes()).unwrap();
    let mut first = [0; 15];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    stream
}

#[test]
fn tables_that_nobody_takes_hold_no_thread_and_end_with_their_session() {
    let server = Server::start_with(&[
        ("FLUGLOG_LIMITS__BODY_SECONDS", "600"),
        ("FLUGLOG_LIMITS__CONNECTIONS_PER_ADDRESS", "100"),
    ]);
    let anna = server.pilot("anna");
    fly_much(&anna);
    let length = table(&anna, "").len();
    // More than there are threads.
    let mut downloads: Vec<_> = (0..70).map(|_| begin_download(&server, &anna)).collect();
    let rest_of = |stream: &mut TcpStream| {
        let mut rest = Vec::new();
        // An interrupted download is incomplete.
        let _ = stream.read_to_end(&mut rest);
        rest.len()
    };
    assert!(rest_of(&mut downloads.pop().unwrap()) > length);
    anna.post_empty("Logout").expect_status(200);
    for mut download in downloads {
        assert!(rest_of(&mut download) < length);
    }
}
