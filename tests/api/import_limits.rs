//! The limits of imports, and what may happen between an import's upload and its end: nothing is lost, halved or
//! duplicated.

use std::io::{Cursor, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::api::imports::{accept, content, created, import, proposals, send, ticked};
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::files::{MULTIPART, file_head, multipart};
use crate::harness::raw::Connection;
use crate::harness::{Pilot, Server, temporary_directory, wait};

const MAX_FILE: usize = 104_857_600;
const MAX_UPLOAD: usize = 209_715_200;
const TOO_LARGE: &str = "Die Datei ist zu groß (höchstens 100 MB).";
const TOO_LARGE_TOGETHER: &str = "Die Dateien sind zusammen zu groß (höchstens 200 MB).";
const TOO_MUCH: &str = "Die Datei enthält zu viel, um sie auf einmal zu lesen.";
const UNKNOWN: &str = "Diese Datei ist keine Flugdatei, die Fluglog kennt.";
const EDGETX: &str = "Date,Time,RxBt(V),Curr(A),Capa(mAh),GPS,GSpd(kmh),Alt(m),Sats,Rud,Thr\n";

/// The head of an upload, up to its body.
fn head(server: &Server, pilot: &Pilot, length: usize) -> Vec<u8> {
    format!(
        "POST /app/api/UploadImport HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Type: {MULTIPART}\r\n\
         Content-Length: {length}\r\n\r\n",
        server.address(),
        pilot.cookie_header()
    )
    .into_bytes()
}

/// A radio's log of one day, ten rows per second.
fn log_of(day: &str, rows: u32) -> Vec<u8> {
    let mut content = EDGETX.as_bytes().to_vec();
    for row in 0..rows {
        let (second, tenth) = (row / 10, row % 10);
        let (hour, minute) = (second / 3600, second / 60 % 60);
        let line = format!(
            "{day},{hour:02}:{minute:02}:{:02}.{tenth}00,16.1,12.0,{row},52.{:06} 9.000001,30.0,40,12,0,0\n",
            second % 60,
            row % 2000
        );
        content.extend_from_slice(line.as_bytes());
    }
    content
}

/// A ZIP of members by their names.
fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        archive
            .start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn blobs_are(server: &Server, count: usize) {
    wait::until("nothing unfinished is left", || {
        (server.blobs().len() == count).then_some(())
    });
}

fn open_imports(pilot: &Pilot) -> Vec<Value> {
    let list = pilot.post_empty("GetImports").expect_status(200).json();
    list.as_array().unwrap().clone()
}

#[test]
fn what_is_too_large_is_refused_and_nothing_of_it_stays() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let mut connection = Connection::open(server.address());
    connection.send(head(&server, &anna, MAX_UPLOAD + 10_000_000));
    let refused = connection.answer().expect("an answer");
    refused.expect_refusal(413, TOO_LARGE_TOGETHER);

    let log = vec![b'a'; MAX_FILE + 1];
    let body = multipart(&[], &[("files", "Ganztag.csv", &log)]);
    let mut connection = Connection::open(server.address());
    connection.send(head(&server, &anna, body.len()));
    connection.try_to_send(&body);
    connection.answer().expect("an answer").expect_refusal(413, TOO_LARGE);
    blobs_are(&server, 0);
    assert_eq!(open_imports(&anna), Vec::<Value>::new());
}

#[test]
fn an_archive_has_at_most_200_members_and_none_in_another() {
    let anna = Server::shared().pilot("anna");
    let line = content("line.geojson");
    let names: Vec<_> = (0..201).map(|number| format!("{number}.txt")).collect();
    let many = |count: usize| {
        let mut members: Vec<_> = names.iter().map(|name| (name.as_str(), &b"nichts"[..])).collect();
        members.truncate(count - 1);
        members.push(("line.geojson", &line));
        zipped(&members)
    };
    send(&anna, &[("viele.zip", &many(201))]).expect_refusal(415, TOO_MUCH);
    let found = send(&anna, &[("viele.zip", &many(200))]).expect_status(201).json();
    assert_eq!(
        (found["files"].as_array().unwrap().len(), proposals(&found).len()),
        (2, 1)
    );

    let inner = zipped(&[("line.geojson", &line)]);
    send(&anna, &[("aussen.zip", &zipped(&[("innen.zip", &inner)]))]).expect_refusal(415, UNKNOWN);
    let both = zipped(&[("innen.zip", &inner), ("line.geojson", &line)]);
    let found = send(&anna, &[("aussen.zip", &both)]).expect_status(201).json();
    assert_eq!(
        (&found["files"][0]["message"], proposals(&found).len()),
        (&json!(UNKNOWN), 1)
    );
}

#[test]
fn of_very_many_flights_200_are_proposed_and_then_the_next_ones() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Spatz");
    let mut table = "Datum;Uhrzeit;Dauer;Copter\n".to_owned();
    for number in 0..260 {
        let (day, hour) = (number / 10 + 1, number % 10 + 8);
        table.push_str(&format!("{day:02}.05.2025;{hour:02}:00;{},5;Spatz\n", number % 40 + 1));
    }
    let found = send(&anna, &[("Heft.csv", table.as_bytes())]).expect_status(201).json();
    assert_eq!(
        found["files"][0]["message"],
        "Das sind 200 Flüge der Datei. 60 weitere kommen nach dem Übernehmen: mit „Nächster Teil“, oder wenn die Datei \
         noch einmal gewählt wird."
    );
    assert_eq!(found["files"][0]["surplus"], 60);
    let choices = ticked(&found, &copter);
    assert_eq!((proposals(&found).len(), choices.as_array().unwrap().len()), (200, 200));
    let answer = accept(&anna, &found, &choices).expect_status(200).json();
    assert_eq!((created(&answer).len(), anna.flights().len()), (200, 200));

    // A file before it doesn't reduce the number of new flights.
    let small = b"Datum;Uhrzeit;Dauer;Copter\n17.08.2025;10:20;3,5;Spatz\n";
    let both = [("klein.csv", &small[..]), ("Heft.csv", table.as_bytes())];
    let found = send(&anna, &both).expect_status(201).json();
    let file = &found["files"][1];
    assert_eq!((&file["message"], &file["surplus"]), (&json!(""), &json!(0)));
    let choices = ticked(&found, &copter);
    assert_eq!((proposals(&found).len(), choices.as_array().unwrap().len()), (200, 61));
    accept(&anna, &found, &choices).expect_status(200);
    assert_eq!(anna.flights().len(), 261);
    let found = send(&anna, &both).expect_status(201).json();
    assert_eq!((proposals(&found).len(), ticked(&found, &copter)), (200, json!([])));
}

#[test]
fn work_for_a_client_that_is_gone_ends_and_leaves_nothing() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let body = multipart(&[], &[("files", "Ganztag.csv", &log_of("2026-05-09", 400_000))]);
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(&head(&server, &anna, body.len())).unwrap();
    stream.write_all(&body).unwrap();
    wait::until("the file is looked through", || {
        (server.blobs().len() == 1).then_some(())
    });
    drop(stream);
    blobs_are(&server, 0);
    assert_eq!(open_imports(&anna), Vec::<Value>::new());
    // The slot is free again.
    assert_eq!(proposals(&import(&ben, &["Litchi.csv"])).len(), 1);
    blobs_are(&server, 1);
}

#[test]
fn a_killed_server_keeps_whole_imports_and_nothing_of_half_ones() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let anna = server.pilot("anna");
    let session = anna.cookie("session").unwrap();
    let copter = anna.item(COPTER, "Adler");
    let found = import(&anna, &["Litchi.csv", "zwei.gpx"]);
    let body = multipart(&[], &[("files", "Ganztag.csv", &log_of("2026-05-09", 10_000))]);
    let mut connection = Connection::open(server.address());
    connection.send(head(&server, &anna, body.len()));
    connection.send(&body[..body.len() / 2]);
    wait::until("the upload has begun", || (server.blobs().len() == 3).then_some(()));
    drop(server); // kill -9

    let again = |server: &Server| {
        let anna = server.stranger();
        anna.plant_cookie("session", &session);
        anna
    };
    let server = Server::start_in(place.path());
    let anna = again(&server);
    blobs_are(&server, 2);
    let fields = [("dpfId", &*id_in(&found))];
    assert_eq!(anna.post("GetImport", &fields).expect_status(200).json(), found);
    let choices = ticked(&found, &copter);
    let answer = accept(&anna, &found, &choices).expect_status(200).json();
    let flights = anna.flights();
    drop(server);

    let server = Server::start_in(place.path());
    let anna = again(&server);
    assert_eq!(accept(&anna, &found, &choices).expect_status(200).json(), answer);
    assert_eq!((anna.flights(), server.blobs().len()), (flights, 0));
}

#[test]
fn the_same_file_twice_at_once_gives_its_flights_once() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Testquad");
    let file = content("Testquad-2026-05-09.csv");
    let both = send(&anna, &[("eins.csv", &file), ("zwei.csv", &file)])
        .expect_status(201)
        .json();
    assert_eq!(
        (proposals(&both).len(), ticked(&both, &copter).as_array().unwrap().len()),
        (6, 2)
    );

    let imports: Vec<_> = std::thread::scope(|scope| {
        let tabs: Vec<_> = (0..4).map(|_| anna.another_tab()).collect();
        let sent: Vec<_> = tabs
            .into_iter()
            .map(|tab| scope.spawn(move || (import(&tab, &["Testquad-2026-05-09.csv"]), tab)))
            .collect();
        sent.into_iter().map(|sent| sent.join().unwrap()).collect()
    });
    std::thread::scope(|scope| {
        for (found, tab) in &imports {
            scope.spawn(|| accept(tab, found, &ticked(found, &copter)).expect_status(200));
        }
    });
    assert_eq!(anna.flights().len(), 2);
    // A pilot who ticks them still gets them.
    let every = proposals(&both)[..3].iter();
    let every = every.map(|proposal| json!({"key": proposal["key"], "action": "create", "copter": copter}));
    let answer = accept(&anna, &both, &Value::Array(every.collect()))
        .expect_status(200)
        .json();
    assert_eq!(answer["skipped"], 2, "taken over since this import came");
    assert_eq!(anna.flights().len(), 3);
}

#[test]
fn a_file_is_not_kept_twice_for_flights_that_came_meanwhile() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Testquad");
    let imports = [(); 2].map(|()| import(&anna, &["Testquad-2026-05-09.csv"]));
    for (found, skipped) in imports.iter().zip([0, 2]) {
        let mut choices = ticked(found, &copter);
        choices[0]["keepFile"] = json!(true);
        let answer = accept(&anna, found, &choices).expect_status(200).json();
        assert_eq!(answer["skipped"], skipped);
    }
    assert_eq!((anna.flights().len(), server.blobs().len()), (2, 1));
}

#[test]
fn what_changed_since_the_review_is_respected_or_refused_as_a_whole() {
    let anna = Server::shared().pilot("anna");
    let (copter, battery) = (anna.item(COPTER, "Adler"), anna.item(BATTERY, "Akku"));
    let typed = anna.fly(&copter, &[], &json!({"startTime": "17.07.2026 18:10", "flightTime": 3}));
    let open = anna.take_off(&copter);
    let found = import(&anna, &["Litchi.csv", "Airdata.csv"]);
    let key = |file: usize| {
        let mut of_file = proposals(&found).iter().filter(|proposal| proposal["file"] == file);
        of_file.next().unwrap()["key"].clone()
    };
    let create = json!({"key": key(1), "action": "create", "copter": copter, "equipments": [battery]});
    // The flight to be completed is deleted, and the open one finished by hand.
    anna.delete_flight(&typed).expect_status(200);
    anna.finish_flight(&json!({"dpfId": open})).expect_status(200);
    for (action, sentence) in [
        ("fill", "Dieser Flug hat keinen, der ergänzt werden könnte."),
        ("finish", "Es läuft kein Flug, der damit abgeschlossen werden könnte."),
    ] {
        let choices = json!([create, {"key": key(0), "action": action}]);
        accept(&anna, &found, &choices).expect_refusal(400, sentence);
        assert_eq!(anna.flights().len(), 1, "nothing of it");
    }
    // Items retired since were in use when the flight began.
    anna.deactivate(&copter, "verloren").expect_status(200);
    anna.deactivate(&battery, "gebläht").expect_status(200);
    let answer = accept(&anna, &found, &json!([create])).expect_status(200).json();
    let flight = anna.flight(&created(&answer)[0]);
    assert_eq!(
        (&flight["copter"]["dpfId"], &flight["equipments"][0]["dpfId"]),
        (&json!(copter), &json!(battery))
    );
}

/// A GPX track that begins at `start`.
fn track(start: &str) -> String {
    let (day, time) = start.split_once('T').unwrap();
    let points: String = (0..120)
        .map(|second| {
            let minute: u32 = time[3..5].parse().unwrap();
            let time = format!("{}:{:02}:{:02}Z", &time[..2], minute + second / 60, second % 60);
            let north = 52.0 + f64::from(second) * 1e-4;
            format!("<trkpt lat=\"{north:.6}\" lon=\"9.0\"><time>{day}T{time}</time></trkpt>")
        })
        .collect();
    format!("<gpx version=\"1.1\"><trk><trkseg>{points}</trkseg></trk></gpx>")
}

#[test]
fn files_that_are_unpacked_and_kept_count_in_the_quota_before_they_are_there() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_PILOT", "4 MB")]);
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Adler");
    let padding: String = (0..60_000).map(|number| format!("<!-- {number} -->\n")).collect();
    let members = [1, 2, 3, 4].map(|day| {
        let padded = track(&format!("2026-05-0{day}T10:00:00")).replace("</gpx>", &format!("{padding}</gpx>"));
        (format!("{day}.gpx"), padded)
    });
    let members = members
        .each_ref()
        .map(|(name, content)| (name.as_str(), content.as_bytes()));
    let archive = zipped(&members);
    assert!(archive.len() < 1_000_000);
    let found = send(&anna, &[("alle.zip", &archive)]).expect_status(201).json();
    let mut choices = ticked(&found, &copter);
    for choice in choices.as_array_mut().unwrap() {
        choice["keepFile"] = json!(true);
    }
    assert_eq!(choices.as_array().unwrap().len(), 4);
    let refused = accept(&anna, &found, &choices).expect_status(413);
    assert!(
        refused
            .text()
            .starts_with("Ihr Speicherplatz auf diesem Server ist aufgebraucht.")
    );
    blobs_are(&server, 1);
    assert!(anna.flights().is_empty());
    // Only two of the files fit.
    for choice in choices.as_array_mut().unwrap().iter_mut().skip(2) {
        choice["keepFile"] = json!(false);
    }
    accept(&anna, &found, &choices).expect_status(200);
    assert_eq!((anna.flights().len(), server.blobs().len()), (4, 2));
}

#[test]
fn times_that_no_flight_has_need_one_and_the_repeated_hour_has_two_flights() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Adler");
    for strange in ["1970-01-01T00:00", "2099-06-01T10:00", "0001-01-01T10:00"] {
        let found = send(&anna, &[("a.gpx", track(strange).as_bytes())])
            .expect_status(201)
            .json();
        for proposal in proposals(&found) {
            assert_eq!(
                (&proposal["startTime"], &proposal["ticked"]),
                (&json!(""), &json!(false)),
                "{strange}"
            );
        }
        let create = json!([{"key": "0-0", "action": "create", "copter": copter}]);
        accept(&anna, &found, &create).expect_refusal(400, "Bitte Startzeit ergänzen.");
        anna.post("DiscardImport", &[("dpfId", &id_in(&found))])
            .expect_status(200);
    }
    // On 2025-10-26, 02:30 occurs twice.
    let hours = ["2025-10-26T00:30", "2025-10-26T01:30"].map(track);
    let files = [("eins.gpx", hours[0].as_bytes()), ("zwei.gpx", hours[1].as_bytes())];
    let found = send(&anna, &files).expect_status(201).json();
    for proposal in proposals(&found) {
        assert_eq!(
            (&proposal["startTime"], &proposal["ticked"], &proposal["twin"]),
            (&json!("26.10.2025 02:30"), &json!(true), &Value::Null)
        );
    }
    accept(&anna, &found, &ticked(&found, &copter)).expect_status(200);
    assert_eq!(anna.flights().len(), 2);
    // Imported one after another, they are two flights as well, and each is recognized.
    for (name, file) in files {
        let again = [b"\n", file].concat();
        let found = send(&anna, &[(name, &again)]).expect_status(201).json();
        assert_eq!(
            (&proposals(&found)[0]["twin"]["kind"], &proposals(&found)[0]["ticked"]),
            (&json!("time"), &json!(false))
        );
    }
    // Nobody flew in the hour that is skipped in spring.
    let found = send(&anna, &[("luecke.csv", &log_at("2026-03-29", "02:30"))])
        .expect_status(201)
        .json();
    assert_eq!(
        (&proposals(&found)[0]["startTime"], &proposals(&found)[0]["ticked"]),
        (&json!(""), &json!(false))
    );
}

/// One minute of a radio's log.
fn log_at(day: &str, time: &str) -> Vec<u8> {
    let rows = (0..60).map(|second| format!("{day},{time}:{second:02}.000,16.1,12.0,{second},,30.0,40,12,0,0\n"));
    [EDGETX.to_owned(), rows.collect()].concat().into_bytes()
}

#[test]
fn an_upload_that_stalls_or_breaks_off_leaves_nothing() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__BODY_SECONDS", "0.3")]);
    let anna = server.pilot("anna");
    let mut connection = Connection::open(server.address());
    connection.send(head(&server, &anna, 9000));
    connection.send(file_head("files", "a.csv"));
    connection.send([b'a'; 500]);
    connection.answer().expect("an answer").expect_status(400);
    let body = multipart(&[], &[("files", "a.csv", &log_of("2026-05-09", 5000))]);
    for sent in [body.len() / 3, body.len() - 6] {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(&head(&server, &anna, body.len())).unwrap();
        stream.write_all(&body[..sent]).unwrap();
    }
    blobs_are(&server, 0);
    assert_eq!(open_imports(&anna), Vec::<Value>::new());
}
