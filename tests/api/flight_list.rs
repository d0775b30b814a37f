//! The list of flights: its order, its rows, its pages.

use serde_json::{Value, json};

use crate::harness::calls::{BATTERY, COPTER, id_in, keys};
use crate::harness::{Pilot, Server, pictures};

const ROW: &[&str] = &[
    "copter",
    "distance",
    "dpfId",
    "equipments",
    "firstImage",
    "flightTime",
    "location",
    "maxDistance",
    "maximumAltitude",
    "maximumDistance",
    "open",
    "path",
    "payloads",
    "speed",
    "startLatitude",
    "startLongitude",
    "startTime",
    "weight",
];

#[test]
fn the_list_shows_the_newest_start_first_with_the_fields_of_the_table() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    assert!(pilot.post_empty("GetFlights").expect_status(204).body.is_empty());
    let copter = pilot.item(COPTER, "Falke");
    let starts = [
        "02.01.2026 10:00",
        "31.12.2025 23:59",
        "15.06.2026 08:30",
        "02.01.2026 09:59",
    ];
    let ids = starts.map(|start| {
        pilot.fly(
            &copter,
            &[],
            &json!({"startTime": start, "location": start, "startLatitude": 53.5, "startLongitude": 9.9, "speed": 40}),
        )
    });

    let rows = pilot.flights();
    assert!(rows.iter().all(|row| keys(row) == ROW), "{rows:?}");
    assert_eq!(ids_of(&rows), [&ids[2], &ids[0], &ids[3], &ids[1]]);
    assert_eq!(rows[0]["path"], json!([]));
    let newest = pilot.flight(&ids[2]);
    assert!(
        ROW.iter()
            .filter(|field| **field != "path")
            .all(|field| rows[0][field] == newest[field]),
        "{} {newest}",
        rows[0]
    );

    pilot
        .save_flight(&json!({"dpfId": ids[1], "startTime": "01.07.2026 12:00"}))
        .expect_status(200);
    assert_eq!(
        ids_of(&pilot.flights()),
        [&ids[1], &ids[2], &ids[0], &ids[3]],
        "the order follows an edit"
    );
}

#[test]
fn the_list_comes_in_pages_that_together_are_the_whole_list() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let copter = pilot.item(COPTER, "Falke");
    for number in 0..7 {
        // Three flights start in the same minute.
        let start = format!("01.05.2026 10:{:02}", if number < 3 { 0 } else { number });
        pilot.fly(&copter, &[], &json!({"startTime": start}));
    }
    let all = ids_of_owned(&pilot.flights());
    assert_eq!(all.len(), 7);
    for limit in ["1", "2", "3", "7", "500"] {
        assert_eq!(all_pages(&pilot, limit), all, "pages of {limit}");
    }
    assert_eq!(ids_of_owned(&pilot.flights_page(&[("before", &all[2])])), all[3..]);
    assert!(pilot.flights_page(&[("before", &all[6]), ("limit", "2")]).is_empty());

    // In the other direction: the nearest later flights, and the flights in between.
    assert_eq!(
        ids_of_owned(&pilot.flights_page(&[("after", &all[3]), ("limit", "1")])),
        all[2..3]
    );
    assert_eq!(ids_of_owned(&pilot.flights_page(&[("after", &all[3])])), all[..3]);
    assert!(pilot.flights_page(&[("after", &all[0])]).is_empty());
    let between = [("after", &*all[5]), ("before", &*all[1]), ("limit", "2")];
    assert_eq!(ids_of_owned(&pilot.flights_page(&between)), all[2..4]);
    assert!(
        pilot
            .flights_page(&[("after", &all[1]), ("before", &all[5])])
            .is_empty()
    );
}

#[test]
fn the_list_of_an_item_has_the_flights_that_it_was_on_also_page_by_page() {
    let server = Server::shared();
    let (pilot, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let (falke, milan) = (pilot.item(COPTER, "Falke"), pilot.item(COPTER, "Milan"));
    let battery = pilot.item(BATTERY, "Akku");
    let with_battery: Vec<_> = [
        "01.05.2026 10:00",
        "01.05.2026 10:00",
        "03.05.2026 10:00",
        "04.05.2026 10:00",
    ]
    .iter()
    .enumerate()
    .map(|(number, start)| {
        let copter = if number == 1 { &milan } else { &falke };
        pilot.fly(copter, &[&battery], &json!({"startTime": start}))
    })
    .collect();
    pilot.fly(&falke, &[], &json!({"startTime": "02.05.2026 10:00"}));
    let of = |item: &str, page: &[(&str, &str)]| {
        ids_of_owned(&pilot.flights_page(&[&[("equipment", item)][..], page].concat()))
    };

    let all = of(&battery, &[]);
    assert_eq!(all.len(), 4);
    assert_eq!(all[..2], [with_battery[3].clone(), with_battery[2].clone()]);
    assert_eq!(of(&battery, &[("limit", "3")]), all[..3]);
    assert_eq!(of(&battery, &[("before", &all[2])]), all[3..]);
    assert_eq!(of(&battery, &[("after", &all[2]), ("limit", "1")]), all[1..2]);
    assert_eq!(of(&milan, &[]), [with_battery[1].clone()]);
    assert_eq!(of(&falke, &[]).len(), 4);
    assert!(of(&pilot.item(COPTER, "Neu"), &[]).is_empty());
    ben.post("GetFlights", &[("equipment", &battery)]).expect_status(403);
}

#[test]
fn a_long_list_goes_out_in_pieces_and_packed_and_is_the_same_as_its_page() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let copter = pilot.item(COPTER, "Falke");
    // 20 kB per flight.
    let payloads: Vec<_> = (0..50).map(|_| json!({"name": "ä".repeat(200), "weight": 1})).collect();
    let config = json!({"copter": copter, "equipments": [], "payloads": payloads}).to_string();
    for minute in 0..60 {
        let flight = json!({"startTime": format!("01.05.2025 10:{minute:02}"), "flightTime": 5}).to_string();
        let fields = [("config", config.as_str()), ("flight", &flight)];
        pilot.post("AddFlight", &fields).expect_status(201);
    }
    let page = pilot.post("GetFlights", &[("limit", "500")]).expect_status(200);
    assert_eq!(page.header("content-length"), None, "nobody knows it while it is made");
    let short = pilot.post("GetFlights", &[("limit", "1")]).expect_status(200);
    assert!(short.header("content-length").is_some());

    let all = pilot.post_empty("GetFlights").expect_status(200);
    assert_eq!(all.header("content-length"), None);
    assert!(all.body == page.body);
    for fields in [&[][..], &[("limit", "500")]] {
        let asked = pilot.ask("POST", "/app/api/GetFlights");
        let packed = asked
            .header("Accept-Encoding", "gzip")
            .form(fields)
            .send()
            .expect_status(200);
        assert_eq!(packed.header("content-encoding"), Some("gzip"));
        assert!(packed.body.len() * 10 < all.body.len());
        assert!(*packed.unpacked() == all.body);
    }
}

fn all_pages(pilot: &Pilot, limit: &str) -> Vec<String> {
    let mut ids = ids_of_owned(&pilot.flights_page(&[("limit", limit)]));
    loop {
        let last = ids.last().unwrap().clone();
        let page = pilot.flights_page(&[("limit", limit), ("before", &last)]);
        if page.is_empty() {
            return ids;
        }
        assert!(page.len().to_string().len() <= limit.len());
        ids.extend(ids_of_owned(&page));
    }
}

fn ids_of(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["dpfId"].as_str().unwrap()).collect()
}

fn ids_of_owned(rows: &[Value]) -> Vec<String> {
    rows.iter().map(id_in).collect()
}

#[test]
fn a_row_names_the_first_image_of_its_flight() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let copter = pilot.item(COPTER, "Falke");
    let [plain, pictured] =
        ["01.05.2026 10:00", "02.05.2026 10:00"].map(|start| pilot.fly(&copter, &[], &json!({"startTime": start})));
    let image: &[u8] = &pictures::jpeg(8, 8);
    let images = pilot.add_images(&pictured, &[image, image]);
    let first_images = || -> Vec<_> {
        let rows = pilot.flights();
        assert_eq!(ids_of(&rows), [&pictured, &plain]);
        rows.iter().map(|row| row["firstImage"].clone()).collect()
    };
    assert_eq!(first_images(), [json!(images[0]), json!(null)]);
    assert_eq!(pilot.flights_page(&[("limit", "1")])[0]["firstImage"], json!(images[0]));
    let image = [("uuid", images[0].as_str()), ("flight", &pictured)];
    pilot.post("DeleteImage", &image).expect_status(200);
    assert_eq!(first_images(), [json!(images[1]), json!(null)]);
}
