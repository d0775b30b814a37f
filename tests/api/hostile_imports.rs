//! Malicious flight files: each is refused in time, the server survives, and nothing is kept.

use std::fs;
use std::time::Duration;

use serde_json::json;

use crate::api::imports::zipped;
use crate::harness::calls::COPTER;
use crate::harness::{Pilot, Server};

const MEGABYTE: usize = 1024 * 1024;
/// Limit of the server's processor time for refusing a file.
const MAX_PROCESSOR_TIME: Duration = Duration::from_secs(5);
/// Memory limit for a file of any size.
const MAX_MEMORY: u64 = 32 * 1024 * 1024;
/// Size limit for all but the large files.
const LARGE: usize = 3 * MEGABYTE;

fn repeated(head: &str, piece: &str, bytes: usize) -> Vec<u8> {
    let mut content = head.as_bytes().to_vec();
    while content.len() < bytes {
        content.extend_from_slice(piece.as_bytes());
    }
    content
}

fn repeated_bytes(head: &[u8], piece: &[u8]) -> Vec<u8> {
    let mut content = head.to_vec();
    while content.len() < LARGE {
        content.extend_from_slice(piece);
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

/// An ArduPilot log that defines every message type with this format.
fn dataflash(length: u8, format: &str) -> Vec<u8> {
    let mut content = Vec::new();
    for kind in [128, 0].into_iter().chain(1..128).chain(129..=255) {
        let length = if kind == 128 { 89 } else { length };
        content.extend_from_slice(&[0xa3, 0x95, 128, kind, length]);
        content.extend_from_slice(format!("GPS\0{format:\0<16}{:\0<64}", "TimeUS,Status,Lat,Lng").as_bytes());
    }
    content
}

/// A PX4 log with these messages.
fn ulog(messages: &[(u8, &[u8])]) -> Vec<u8> {
    let mut content = b"ULog\x01\x12\x35\x01\0\0\0\0\0\0\0\0".to_vec();
    for (kind, text) in messages {
        content.extend_from_slice(&u16::try_from(text.len()).unwrap().to_le_bytes());
        content.push(*kind);
        content.extend_from_slice(text);
    }
    content
}

/// Formats nested by tens: more fields than can be counted.
fn nested() -> Vec<u8> {
    let formats: Vec<String> = (0..30)
        .map(|level| format!("l{level}:{}", format!("l{} x;", level + 1).repeat(10)))
        .chain(["vehicle_status:l0 x;uint64_t timestamp;uint8_t arming_state;".to_owned()])
        .collect();
    let mut messages: Vec<(u8, &[u8])> = formats.iter().map(|format| (b'F', format.as_bytes())).collect();
    messages.push((b'A', b"\0\x01\0vehicle_status"));
    messages.push((b'D', b"\x01\0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
    ulog(&messages)
}

const BLACKBOX: &str = "H Product:Blackbox flight data recorder by Nicholas Sherlock\nH Data version:2\n";

/// A blackbox log with `fields` fields per frame.
fn blackbox(fields: usize) -> String {
    let all = |value: &str| vec![value; fields].join(",");
    let (names, ones) = (all("time"), all("1"));
    format!(
        "{BLACKBOX}H I interval:-1\nH P interval:1/0\nH Field I name:{names}\nH Field I predictor:{ones}\n\
         H Field I encoding:{ones}\n"
    )
}

/// A ZIP with a member of `bytes` zeros.
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

/// An Excel file whose member of this name has as many MB of one piece.
fn workbook(name: &str, piece: &[u8], megabytes: usize) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("xl/workbook.xml", options).unwrap();
    archive.write_all(b"<workbook/>").unwrap();
    archive.start_file(name, options).unwrap();
    let pieces = piece.repeat(MEGABYTE / piece.len());
    for _ in 0..megabytes {
        archive.write_all(&pieces).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// An archive of equal spreadsheets.
fn packed(workbook: &[u8], count: usize) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for number in 0..count {
        archive
            .start_file(format!("{number}.xlsx"), zip::write::SimpleFileOptions::default())
            .unwrap();
        archive.write_all(workbook).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A LibreOffice file with a billion equal rows of a billion equal cells.
fn repeated_cells() -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        (
            "content.xml",
            "<a><table name=\"A\"><table-row number-rows-repeated=\"999999999\"><table-cell value=\"1\" \
             number-columns-repeated=\"999999999\"/></table-row></table></a>",
        ),
    ] {
        archive
            .start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        archive.write_all(content.as_bytes()).unwrap();
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
                "{\"type\":\"FeatureCollection\",\"features\":[{\"geometry\":{\"type\":\"LineString\",\
                 \"coordinates\":[[9,52]",
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

/// Lists of spreadsheet programs.
fn hostile_workbooks() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        (
            "texte.xlsx",
            workbook("xl/sharedStrings.xml", b"<si><t>text</t></si>", 100),
        ),
        ("leere.xlsx", workbook("xl/sharedStrings.xml", b"<si/>", 4)),
        (
            "zellen.xlsx",
            workbook("xl/worksheets/sheet1.xml", b"<row><c><v>1</v></c></row>", 40),
        ),
        (
            "zeilen.xlsx",
            workbook("xl/worksheets/sheet1.xml", b"<row r=\"7\"/>", 90),
        ),
        ("zellen.ods", repeated_cells()),
        (
            "zellen.zip",
            packed(
                &workbook("xl/worksheets/sheet1.xml", b"<row><c><v>1</v></c></row>", 40),
                5,
            ),
        ),
        ("wiederholt.zip", packed(&repeated_cells(), 5)),
    ]
}

/// Logs of flight controllers and ground stations.
fn hostile_logs() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("laenge.BIN", repeated_bytes(&dataflash(0, "QBLL"), &[0xa3, 0x95, 7, 0])),
        ("nichts.BIN", repeated_bytes(&dataflash(3, ""), &[0xa3, 0x95, 7])),
        (
            "fremd.BIN",
            repeated_bytes(&dataflash(255, "????"), &[0xa3, 0x95, 7, 0]),
        ),
        ("marken.BIN", repeated_bytes(&[0xa3, 0x95, 128], &[0xa3])),
        (
            "marken.tlog",
            repeated_bytes(&fs::read("tests/fixtures/flights/flug.tlog").unwrap()[..60], &[0xfe]),
        ),
        (
            "ende.ulg",
            ulog(&[(b'F', b"vehicle_status:float[4000000000] a;"), (b'D', b"\0")])[..50].to_vec(),
        ),
        ("leer.ulg", repeated_bytes(&ulog(&[]), &[0, 0, b'D'])),
        (
            "formate.ulg",
            repeated_bytes(
                &ulog(&[]),
                &[ulog(&[(b'F', &[b'a'; 60_000])])[16..].to_vec(), vec![b'?']].concat(),
            ),
        ),
        ("tief.ulg", nested()),
        ("felder.bbl", blackbox(60_000).into_bytes()),
        ("bilder.bbl", repeated(&blackbox(250), "I\u{1}\u{2}\u{3}", MEGABYTE)),
        ("zeilen.bbl", repeated(BLACKBOX, "H a:b\n", LARGE)),
        ("zeile.bbl", repeated(BLACKBOX, "H aaaaaaaaaaaaa", LARGE)),
        ("viele.bbl", repeated("", BLACKBOX, MEGABYTE)),
    ]
}

fn is_alive(pilot: &Pilot) {
    pilot.check_session().expect_status(200);
}

#[test]
fn no_hostile_file_hurts() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let blobs = || server.blobs().len();
    for (name, content) in hostile().into_iter().chain(hostile_workbooks()).chain(hostile_logs()) {
        server.forget_most_memory();
        let idle = server.memory_bytes();
        let before = server.processor_time();
        let answer = anna.upload("UploadImport", &[], &[("files", name, &content)]);
        let taken = server.processor_time() - before;
        assert!(taken < MAX_PROCESSOR_TIME, "{name} took {taken:?}");
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
        assert!(most < idle + MAX_MEMORY, "{name}: from {idle} to {most} bytes");
    }
    assert!(!server.log().contains("panic"));
}

#[test]
fn what_has_no_flights_is_refused_by_its_name() {
    let anna = Server::shared().pilot("anna");
    let encrypted = "Diese Datei ist verschlüsselt. Bitte die TXT-Datei aus der App nehmen.";
    let image = "Das ist ein Bild oder Video, keine Flugdatei.";
    let avif = "Das ist ein Bild im Format AVIF, keine Flugdatei.";
    let drone = |at: usize, mark: &[u8]| [&vec![7; at], mark, &[9; 400][..]].concat();
    for (name, content, sentence) in [
        ("FLY042.DAT", drone(16, b"BUILD 2016"), encrypted),
        ("flug.bin", drone(242, b"DJI_LOG_V3"), encrypted),
        ("DJI_0007.DAT", drone(0, b"\x8a\x01\0\xf3"), encrypted),
        ("fc_log.log", drone(0, b"\x8a\x01\0\xf3"), encrypted),
        (
            "LOG00001.TXT",
            b"H Product:Blackbox flight data recorder by Nicholas Sherlock\nH Blackbox version:1\nH Data version:1\n\
                H I interval:32\n"
                .to_vec(),
            "Dieses Blackbox-Protokoll ist zu alt: Fluglog liest Datenversion 2, die es seit 2015 gibt.",
        ),
        (
            "LiPo[Storage].txt",
            b"$1;1;0;1;0;0;23773;22761;0;380\n".to_vec(),
            "Das ist das Protokoll eines Ladegeräts, keine Flugdatei.",
        ),
        ("bild.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), image),
        ("DJI_0001.MP4", b"\0\0\0\x20ftypisom\0\0\0\0".to_vec(), image),
        ("alt.MOV", b"\0\0\0\x08wide\0\0\0\0mdat".to_vec(), image),
        (
            "bild.avif",
            b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B\0\0\0\xebmeta".to_vec(),
            avif,
        ),
        ("foto.jpg", b"\0\0\0\x1cftypmif1\0\0\0\0mif1avif".to_vec(), avif),
        ("foto.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec(), image),
        ("film.mkv", b"\x1aE\xdf\xa3\x01\0\0\0".to_vec(), image),
        (
            "brief.pdf",
            b"%PDF-1.7\n\0".to_vec(),
            "PDF-Dateien liest Fluglog nicht: bitte die Liste als CSV oder Excel-Datei speichern.",
        ),
        ("leer.csv", Vec::new(), "Diese Datei ist leer."),
        ("leer.txt", b"\xef\xbb\xbf \r\n".to_vec(), "Diese Datei ist leer."),
    ] {
        let answer = anna.upload("UploadImport", &[], &[("files", name, &content)]);
        answer.expect_refusal(415, sentence);
    }
}

#[test]
fn an_archive_whose_members_share_bytes_is_refused() {
    let anna = Server::shared().pilot("anna");
    let mut archive = zipped(&["Litchi.csv", "zwei.gpx"]);
    anna.upload("UploadImport", &[], &[("files", "zwei.zip", &archive)])
        .expect_status(201);
    let second = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    // The offset of the second member's content now equals the first one's.
    archive[second + 42..second + 46].fill(0);
    anna.upload("UploadImport", &[], &[("files", "eins.zip", &archive)])
        .expect_refusal(415, "Die Datei ist beschädigt.");
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
    assert!(most < idle + MAX_MEMORY, "from {idle} to {most} bytes");
    let many: Vec<_> = (0..21).map(|_| ("files", "a.csv", &b"a"[..])).collect();
    anna.upload("UploadImport", &[], &many)
        .expect_refusal(400, "Höchstens 20 Dateien auf einmal.");
}
