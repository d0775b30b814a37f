//! Flight files that are made to hurt: each is refused in time, the server lives on, and nothing of it stays.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::calls::COPTER;
use crate::harness::{Pilot, Server};

const MEGABYTE: usize = 1024 * 1024;
/// A file is refused in this time.
const PATIENCE: Duration = Duration::from_secs(5);
/// What a file may cost in memory, of any size.
const MEMORY_MOST: u64 = 32 * 1024 * 1024;
/// The most of all files but the large ones.
const LARGE: usize = 3 * MEGABYTE;

fn repeated(head: &str, piece: &str, bytes: usize) -> Vec<u8> {
    let mut content = head.as_bytes().to_vec();
    while content.len() < bytes {
        content.extend_from_slice(piece.as_bytes());
    }
    content
}

fn entities() -> Vec<u8> {
    let mut text = "<?xml version=\"1.0\"?><!DOCTYPE gpx [<!ENTITY a \"aaaaaaaaaa\">".to_owned();
    for (name, before) in [
        ("b", "a"),
        ("c", "b"),
        ("d", "c"),
        ("e", "d"),
        ("f", "e"),
        ("g", "f"),
        ("h", "g"),
    ] {
        text.push_str(&format!("<!ENTITY {name} \"{}\">", format!("&{before};").repeat(10)));
    }
    text.push_str("]><gpx><trk><name>&h;</name></trk></gpx>");
    text.into_bytes()
}

fn dji(offset: u64, version: u8) -> Vec<u8> {
    let mut content = offset.to_le_bytes().to_vec();
    content.extend_from_slice(&[0, 1, version]);
    content.resize(400, 0);
    content
}

/// A ZIP whose one member unpacks to so many zeros.
fn bomb(bytes: usize) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive
        .start_file("../../flug.csv", zip::write::SimpleFileOptions::default())
        .unwrap();
    let zeros = vec![b'0'; MEGABYTE];
    archive.write_all(b"Date,Time,RxBt(V),Rud,Thr\n").unwrap();
    for _ in 0..bytes / MEGABYTE {
        archive.write_all(&zeros).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let edgetx = "Date,Time,RxBt(V),FM,GPS,GSpd(kmh),Alt(m),Sats,Rud,Thr\n";
    let nonsense = "2026-05-09,10:00:00.000,NaN,inf,999 999,1e308,-1e308,NaN,=cmd,inf\n";
    let wide = format!("Date,Time,RxBt(V){}\n", ",x".repeat(5000));
    vec![
        ("leer.csv", Vec::new()),
        ("kurz.txt", b"\0\x01".to_vec()),
        ("nur-kopf.csv", edgetx.as_bytes().to_vec()),
        ("zahlen.csv", repeated(edgetx, nonsense, MEGABYTE)),
        ("breit.csv", repeated(&wide, "1,2\n", MEGABYTE)),
        ("zeile.csv", repeated(edgetx, "aaaaaaaaaaaaaaaa", LARGE)),
        (
            "anfuehrung.csv",
            repeated("Datum;Text\n04.03.2025;\"", "aaaaaaaaaaaaaaaa", LARGE),
        ),
        (
            "airdata.csv",
            repeated(
                "time(millisecond),datetime(utc),latitude,ascent(feet)\n\"",
                "aaaa\n",
                LARGE,
            ),
        ),
        ("lacht.gpx", entities()),
        (
            "fremd.gpx",
            b"<!DOCTYPE gpx [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><gpx><trk><name>&x;</name></trk></gpx>"
                .to_vec(),
        ),
        ("tief.kml", repeated("<kml>", "<Folder>", LARGE)),
        ("text.gpx", repeated("<gpx><trk><name>", "aaaaaaaaaaaaaaaa", LARGE)),
        ("kommentar.gpx", repeated("<gpx><!--", "<<<<<<<<<<<<<<<<", LARGE)),
        ("attribut.gpx", repeated("<gpx a=\"", ">>>>>>>>>>>>>>>>", LARGE)),
        (
            "tief.json",
            repeated("{\"type\":\"FeatureCollection\",\"x\":", "[[[[[[[[[[[[[[[[", LARGE),
        ),
        (
            "text.json",
            repeated("{\"type\":\"FeatureCollection\",\"name\":\"", "aaaaaaaaaaaaaaaa", LARGE),
        ),
        (
            "punkte.geojson",
            repeated(
                "{\"type\":\"FeatureCollection\",\"features\":[{\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[9,52]",
                ",[9,52]",
                LARGE,
            ),
        ),
        ("weit.txt", dji(1 << 63, 6)),
        ("ende.txt", dji(u64::MAX, 14)),
        ("null.txt", dji(0, 14)),
        ("bombe.zip", bomb(120 * MEGABYTE)),
        (
            "falsch.zip",
            b"PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaPK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0"
                .to_vec(),
        ),
        ("bild.csv", b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec()),
    ]
}

fn is_alive(pilot: &Pilot) {
    pilot.check_session().expect_status(200);
}

#[test]
fn no_hostile_file_hurts() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let blobs = || fs::read_dir(server.directory().join("blobs")).unwrap().count();
    for (name, content) in hostile() {
        server.forget_most_memory();
        let idle = server.memory_bytes();
        let begun = Instant::now();
        let answer = anna.upload("UploadImport", &[], &[("files", name, &content)]);
        assert!(begun.elapsed() < PATIENCE, "{name} took {:?}", begun.elapsed());
        match answer.status {
            415 => {}
            201 => {
                let import = answer.json();
                let proposals = import["proposals"].as_array().unwrap();
                assert!(
                    proposals.iter().all(|proposal| proposal["ticked"] == false),
                    "{name}: {import}"
                );
                assert_ne!(
                    import["files"][0]["message"].as_str().unwrap().len() + proposals.len(),
                    0,
                    "{name}"
                );
                if let Some(id) = import["dpfId"].as_str() {
                    anna.post("DiscardImport", &[("dpfId", id)]).expect_status(200);
                }
            }
            other => panic!("{name}: {other} {}", answer.text()),
        }
        is_alive(&anna);
        assert_eq!(blobs(), 0, "{name} left something behind");
        let most = server.most_memory_bytes();
        assert!(most < idle + MEMORY_MOST, "{name}: from {idle} to {most} bytes");
    }
    assert!(!server.log().contains("panic"));
}

#[test]
fn a_large_log_costs_little_memory_and_too_many_files_are_refused() {
    let server = Server::start();
    let anna = server.pilot("anna");
    anna.item(COPTER, "Ganztag");
    let mut content = b"Date,Time,RxBt(V),Curr(A),Capa(mAh),GPS,GSpd(kmh),Alt(m),Sats,Rud,Thr\n".to_vec();
    for row in 0..60_000_u32 {
        let (second, tenth) = (row / 10, row % 10);
        let (hour, minute) = (second / 3600, second / 60 % 60);
        let north = f64::from(row % 2000) * 1e-6;
        let line = format!(
            "2026-05-09,{hour:02}:{minute:02}:{:02}.{tenth}00,16.1,12.0,{row},52.{:06} 9.000001,30.0,40,12,0,0\n",
            second % 60,
            (north * 1e6) as u32
        );
        content.extend_from_slice(line.as_bytes());
    }
    server.forget_most_memory();
    let idle = server.memory_bytes();
    let answer = anna
        .upload("UploadImport", &[], &[("files", "Ganztag.csv", &content)])
        .expect_status(201)
        .json();
    assert_eq!(answer["proposals"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(answer["proposals"][0]["flightTime"], json!(100.0));
    let most = server.most_memory_bytes();
    assert!(most < idle + MEMORY_MOST, "from {idle} to {most} bytes");
    let many: Vec<_> = (0..21).map(|_| ("files", "a.csv", &b"a"[..])).collect();
    anna.upload("UploadImport", &[], &many)
        .expect_refusal(400, "Höchstens 20 Dateien auf einmal.");
}
