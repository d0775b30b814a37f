//! The books of flights: what is said before one is made, and what is in its files.

use serde_json::{Value, json};

use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER};
use crate::harness::pdf::{file_inside, page_count};
use crate::harness::{Pilot, Server};

const EMPTY: &str = "Keine Flüge in diesem Zeitraum.";

fn preview(pilot: &Pilot, fields: &[(&str, &str)]) -> Value {
    pilot.post("GetLogbookPreview", fields).expect_status(200).json()
}

fn get(pilot: &Pilot, query: &str) -> Answer {
    pilot.get(&format!("/app/api/GetLogbook?{query}"))
}

/// The rows of a table, the headings first.
fn rows(table: &[u8]) -> Vec<Vec<String>> {
    let table = table.strip_prefix(b"\xEF\xBB\xBF").expect("the mark of UTF-8");
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b';')
        .has_headers(false)
        .from_reader(table);
    let rows = reader.records();
    rows.map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect()
}

/// One column of the rows.
fn column(rows: &[Vec<String>], name: &str) -> Vec<String> {
    let at = rows[0].iter().position(|heading| heading == name).unwrap();
    rows[1..].iter().map(|row| row[at].clone()).collect()
}

fn flight(start: &str, minutes: Option<f64>, location: &str) -> Value {
    json!({"startTime": start, "flightTime": minutes, "location": location})
}

#[test]
fn a_book_has_the_finished_flights_of_its_days_and_carries_over_those_before() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let falke = anna.item(COPTER, "Falke");
    for fields in [
        flight("31.12.2024 23:50", Some(20.5), "Silvesterwiese"),
        flight("01.01.2025 00:10", Some(7.4), "Wiese"),
        flight("14.06.2025 14:05", None, ""),
        flight("31.12.2025 23:55", Some(9.5), "Elbdeich"),
        flight("01.01.2026 00:00", Some(60.0), "Elbdeich"),
    ] {
        anna.fly(&falke, &[], &fields);
    }
    anna.take_off(&falke);

    let year = [("from", "01.01.2025"), ("to", "31.12.2025")];
    let said = preview(&anna, &year);
    assert_eq!(
        said,
        json!({
            "flights": 3, "pages": 3, "time": "17 min", "carriedFlights": 1, "carriedTime": "21 min",
            "withoutTime": 1, "withoutLocation": 1,
        })
    );

    let query = "from=01.01.2025&to=31.12.2025";
    let book = get(&anna, query).expect_status(200);
    assert_eq!(
        book.header("content-disposition").unwrap(),
        "attachment; filename=\"Flugbuch 2025 anna.pdf\"; filename*=UTF-8''Flugbuch%202025%20anna.pdf"
    );
    assert!(book.body.starts_with(b"%PDF-1.7"));
    assert_eq!(page_count(&book.body), 3);
    let table = get(&anna, &format!("{query}&csv=true")).expect_status(200).body;
    assert!(file_inside(&book.body) == table);
    let table = rows(&table);
    let columns = |name| column(&table, name);
    assert_eq!(columns("Nr."), ["2", "3", "4"]);
    assert_eq!(columns("Datum"), ["01.01.2025", "14.06.2025", "31.12.2025"]);
    assert_eq!(columns("Ende"), ["00:17", "–", "00:05 (+1)"]);
    assert_eq!(columns("Flugzeit (min)"), ["7,4", "", "9,5"]);
    assert_eq!(columns("Starts/Landungen"), ["1/1", "1/1", "1/1"]);

    let all = preview(&anna, &[]);
    assert_eq!((&all["flights"], &all["carriedFlights"]), (&json!(5), &json!(0)));
    assert_eq!(all["time"], "1 h 38 min");
}

#[test]
fn the_book_of_an_item_has_its_flights_and_between_them_its_logs() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let [falke, other] = ["Falke", "Milan"].map(|name| anna.item(COPTER, name));
    let pack = anna.item(BATTERY, "Akku 7");
    let voltages = json!({"startTime": "01.03.2026 09:05", "flightTime": 12, "batteryStartVoltage": 16.8,
        "batteryEndVoltage": 14.2, "consumedCapacity": 1100, "maximumAltitude": 40,
        "notes": "Ruhig\nAus Datei falke.csv (EdgeTX/OpenTX)."});
    let first = anna.fly(&falke, &[&pack], &voltages);
    anna.fly(&other, &[&pack], &flight("02.03.2026 09:05", Some(8.0), "Wiese"));
    let mut imported = flight("04.03.2026 09:05", Some(3.6), "Wiese");
    imported["notes"] = json!("Aus Datei falke.csv (EdgeTX/OpenTX).");
    anna.fly(&falke, &[], &imported);
    let log = |call: &str, of: &str, info: &str, time: &str| {
        let fields = [("dpfId", of), ("info", info), ("time", time)];
        anna.upload(call, &fields, &[]).expect_status(201);
    };
    log("SaveEquipmentLog", &falke, "Propeller getauscht", "03.03.2026 18:00");
    log("SaveFlightLog", &first, "Kompass neu kalibriert", "01.03.2026 09:30");

    let said = preview(&anna, &[("equipment", &falke)]);
    assert_eq!((&said["flights"], &said["time"]), (&json!(2), &json!("16 min")));
    let book = get(&anna, &format!("equipment={falke}")).expect_status(200);
    assert!(book.header("content-disposition").unwrap().contains("Falke.pdf"));
    let table = rows(&file_inside(&book.body));
    let columns = |name| column(&table, name);
    assert_eq!(columns("Nr."), ["1", "", "2"]);
    assert_eq!(columns("Laufend (h:mm)"), ["0:12", "", "0:16"]);
    assert_eq!(columns("Akkus"), ["Akku 7", "", ""]);
    assert_eq!(columns("Spannung ab/an (V)"), ["16,8/14,2", "", ""]);
    assert_eq!(
        columns("Vorkommnisse"),
        ["Kompass neu kalibriert · Ruhig", "Propeller getauscht", ""]
    );
    assert_eq!(preview(&anna, &[("equipment", &pack)])["flights"], 2);

    let ben = server.pilot("ben");
    ben.post("GetLogbookPreview", &[("equipment", &falke)])
        .expect_status(403);
    get(&ben, &format!("equipment={falke}")).expect_status(403);
    get(&ben, "").expect_refusal(400, EMPTY);
    ben.post_empty("GetLogbookPreview").expect_refusal(400, EMPTY);
    let turned = "from=02.01.2026&to=01.01.2026";
    get(&anna, turned).expect_refusal(400, "Das Ende des Zeitraums liegt vor seinem Anfang.");
    server.stranger().get("/app/api/GetLogbook").expect_not_logged_in();
}

#[test]
fn a_book_takes_every_text_and_cuts_none_without_a_mark() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let long = "Donaudampfschifffahrtsgesellschaft ".repeat(200);
    let texts = [
        "Wiese 🚁👨\u{200D}👩\u{200D}👧",
        "مرحبا שלום 東京",
        "\u{202E}verkehrt",
        "=1+1; \"so\"",
        "e\u{301} \u{E000} \u{FFFE}",
        "zwei\nZeilen",
        &long,
    ];
    for (minute, text) in texts.into_iter().enumerate() {
        let copter = anna.item(
            COPTER,
            text.lines().next().and_then(|line| line.get(..20)).unwrap_or("Falke"),
        );
        let (start, place) = (format!("01.03.2026 09:1{minute}"), text.replace('\n', " "));
        let fields = json!({"startTime": start, "location": place, "purpose": text, "notes": text, "flightTime": 5});
        anna.fly(&copter, &[], &fields);
    }
    let book = get(&anna, "").expect_status(200).body;
    let table = rows(&file_inside(&book));
    let notes = column(&table, "Vorkommnisse");
    assert_eq!(notes[0], "Wiese 🚁👨\u{200D}👩\u{200D}👧");
    assert_eq!(notes[3], "'=1+1; \"so\"");
    assert_eq!(notes[5], "zwei\nZeilen");
    assert!(
        notes[6].starts_with(&long[..490]) && notes[6].ends_with('…') && notes[6].len() < 520,
        "{}",
        notes[6]
    );
}
