//! Files as pilots have them: a radio's whole card, the clips of a video, a list in Excel or LibreOffice, and what
//! isn't read.

use std::fmt::Write as _;
use std::io::{Cursor, Write};

use serde_json::{Value, json};

use crate::api::imports::{discard, proposals, send};
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::{Pilot, Server};

fn zipped(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        archive
            .start_file(name.as_str(), zip::write::SimpleFileOptions::default())
            .unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn member(name: &str, content: impl AsRef<[u8]>) -> (String, Vec<u8>) {
    (name.to_owned(), content.as_ref().to_vec())
}

fn read(pilot: &Pilot, name: &str, content: &[u8]) -> Value {
    send(pilot, &[(name, content)]).expect_status(201).json()
}

#[test]
fn a_whole_card_as_a_zip_gives_its_logs_and_one_line_for_the_rest() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Hornisse");
    let mut log = "Date,Time,RxBt(V),Curr(A),Thr\n".to_owned();
    for second in 0..120 {
        writeln!(
            log,
            "2026-05-09,10:{:02}:{:02}.000,16.1,12.0,100",
            15 + second / 60,
            second % 60
        )
        .unwrap();
    }
    let mut card = vec![member("LOGS/Hornisse-2026-05-09-101500.csv", log)];
    card.extend((0..900).map(|number| member(&format!("SOUNDS/de/{number:04}.wav"), b"RIFF")));
    card.extend((0..60).map(|number| member(&format!("MODELS/model{number:02}.yml"), b"semver: 2.10\n")));
    card.push(member("README.txt", b"SD card of the radio\n"));
    card.push(member(
        "DCIM/FLY042.DAT",
        [&[7; 16][..], b"BUILD 2016", &[9; 400]].concat(),
    ));
    card.push(member("DCIM/0001.avif", b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B"));
    let found = read(&anna, "Karte.zip", &zipped(&card));
    let names: Vec<_> = found["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| &file["name"])
        .collect();
    assert_eq!(
        names,
        [
            "LOGS/Hornisse-2026-05-09-101500.csv",
            "SOUNDS/de/0000.wav und 960 weitere Dateien",
            "DCIM/FLY042.DAT",
            "DCIM/0001.avif"
        ]
    );
    assert_eq!(
        found["files"][3]["message"],
        "Das ist ein Bild im Format AVIF, keine Flugdatei."
    );
    assert_eq!(
        found["files"][1]["message"],
        "Diese Datei ist keine Flugdatei, die Fluglog kennt."
    );
    assert_eq!(proposals(&found).len(), 1);
    let proposal = &proposals(&found)[0];
    assert_eq!(
        (&proposal["copterName"], &proposal["copter"]),
        (&json!("Hornisse"), &json!(copter))
    );
    discard(&anna, &found);
}

/// The subtitles of a video from second `from` to `to` after 15:20:00.
fn clip(from: u32, to: u32) -> Vec<u8> {
    let cue = |second: u32| {
        let (cue, begin) = (second - from + 1, second - from);
        format!(
            "{cue}\n00:{:02}:{:02},000 --> 00:{:02}:{:02},900\n2026-05-09 15:{:02}:{:02}.000\n[latitude: 53.{:05}] \
             [longitude: 8.10000] [rel_alt: {}.0 abs_alt: 99.0]\n\n",
            begin / 60,
            begin % 60,
            begin / 60,
            begin % 60,
            20 + second / 60,
            second % 60,
            second * 10,
            second / 10
        )
    };
    (from..to).map(cue).collect::<String>().into_bytes()
}

#[test]
fn the_clips_of_a_long_video_are_one_flight_and_those_of_two_are_two() {
    let anna = Server::shared().pilot("anna");
    let clips = [clip(0, 150), clip(150, 300), clip(300, 420)];
    let files: Vec<_> = ["DJI_0003.SRT", "DJI_0001.SRT", "DJI_0002.SRT"]
        .into_iter()
        .zip([&clips[2], &clips[0], &clips[1]])
        .map(|(name, content)| (name, content.as_slice()))
        .collect();
    let found = send(&anna, &files).expect_status(201).json();
    assert_eq!(proposals(&found).len(), 1, "{found}");
    let flight = &proposals(&found)[0];
    assert_eq!(
        (&flight["startTime"], &flight["flightTime"]),
        (&json!("09.05.2026 15:20"), &json!(7.0))
    );
    assert_eq!((&flight["maximumAltitude"], &flight["file"]), (&json!(41.0), &json!(1)));
    let distance = flight["distance"].as_f64().unwrap();
    assert!((distance - 4.66).abs() < 0.03, "{distance}");
    assert_eq!(
        found["files"][0]["message"],
        "Fortsetzung von DJI_0001.SRT: zusammen ein Flug."
    );
    discard(&anna, &found);

    let apart = [
        ("DJI_0001.SRT", &clip(0, 150)[..]),
        ("DJI_0004.SRT", &clip(200, 300)[..]),
    ];
    let found = send(&anna, &apart).expect_status(201).json();
    assert_eq!(proposals(&found).len(), 2, "{found}");
    discard(&anna, &found);
}

/// A cell of an Excel sheet.
enum Cell {
    Text(&'static str),
    Number(f64),
    /// A number with one of the styles: 1 is a date, 2 a time, 3 `[mm]:ss`, 4 date and time.
    Styled(f64, u8),
    None,
}
use Cell::{None as Nothing, Number, Styled, Text};

/// An Excel file, in which texts are shared, and with as many empty rows that were formatted.
fn excel(sheets: &[(&str, &[&[Cell]])], empty: usize) -> Vec<u8> {
    const MAIN: &str = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let mut strings = Vec::new();
    let (mut list, mut links, mut members) = (String::new(), String::new(), Vec::new());
    for (index, (name, rows)) in (1..).zip(sheets) {
        let mut content = format!("<worksheet {MAIN}><sheetData>");
        for (row, cells) in (1..).zip(*rows) {
            write!(content, "<row r=\"{row}\">").unwrap();
            for (column, cell) in ('A'..).zip(*cells) {
                match cell {
                    Text(text) => {
                        strings.push(*text);
                        write!(
                            content,
                            "<c r=\"{column}{row}\" t=\"s\"><v>{}</v></c>",
                            strings.len() - 1
                        )
                    }
                    Number(value) => write!(content, "<c r=\"{column}{row}\"><v>{value}</v></c>"),
                    Styled(value, style) => write!(content, "<c r=\"{column}{row}\" s=\"{style}\"><v>{value}</v></c>"),
                    Nothing => write!(content, "<c r=\"{column}{row}\" s=\"1\"/>"),
                }
                .unwrap();
            }
            content.push_str("</row>");
        }
        for row in (rows.len() + 1..).take(empty) {
            write!(content, "<row r=\"{row}\" s=\"1\" customFormat=\"1\"/>").unwrap();
        }
        content.push_str("</sheetData></worksheet>");
        members.push(member(&format!("xl/worksheets/sheet{index}.xml"), content));
        write!(list, "<sheet name=\"{name}\" sheetId=\"{index}\" r:id=\"rId{index}\"/>").unwrap();
        write!(
            links,
            "<Relationship Id=\"rId{index}\" Type=\"{OFFICE}/worksheet\" Target=\"worksheets/sheet{index}.xml\"/>"
        )
        .unwrap();
    }
    let strings: String = strings.iter().map(|text| format!("<si><t>{text}</t></si>")).collect();
    let styles = format!(
        "<styleSheet {MAIN}><numFmts count=\"2\"><numFmt numFmtId=\"164\" formatCode=\"dd/mm/yyyy\"/><numFmt \
         numFmtId=\"165\" formatCode=\"[mm]:ss\"/></numFmts><cellXfs count=\"5\"><xf numFmtId=\"0\"/><xf \
         numFmtId=\"164\"/><xf numFmtId=\"20\"/><xf numFmtId=\"165\"/><xf numFmtId=\"22\"/></cellXfs></styleSheet>"
    );
    members.extend([
        member(
            "_rels/.rels",
            format!(
                "<Relationships xmlns=\"{PACKAGE}\"><Relationship Id=\"rId1\" Type=\"{OFFICE}/officeDocument\" \
                 Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        member(
            "xl/workbook.xml",
            format!("<workbook {MAIN} xmlns:r=\"{OFFICE}\"><sheets>{list}</sheets></workbook>"),
        ),
        member(
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships xmlns=\"{PACKAGE}\">{links}<Relationship Id=\"rId90\" Type=\"{OFFICE}/styles\" \
                 Target=\"styles.xml\"/><Relationship Id=\"rId91\" Type=\"{OFFICE}/sharedStrings\" \
                 Target=\"sharedStrings.xml\"/></Relationships>"
            ),
        ),
        member("xl/styles.xml", styles),
        member("xl/sharedStrings.xml", format!("<sst {MAIN}>{strings}</sst>")),
        member("docProps/app.xml", "<Properties/>"),
    ]);
    zipped(&members)
}

/// The days since 1900 of 9 May 2026.
const DAY: f64 = 46_151.0;

fn flights() -> Vec<Vec<Cell>> {
    let head = ["Datum", "Startzeit", "Dauer", "Strecke (km)", "Entfernung (m)", "Ort"];
    vec![
        head.into_iter().map(Text).collect(),
        vec![
            Styled(DAY, 1),
            Styled(14.0 / 24.0 + 5.0 / 1440.0, 2),
            Styled(7.5 / 1440.0, 3),
            Number(1.125),
            Number(1250.0),
            Text("Wiese; hinten"),
        ],
        vec![
            Styled(DAY + 1.0, 1),
            Styled(9.5 / 24.0, 2),
            Styled(12.0 / 1440.0, 3),
            Number(0.98),
            Nothing,
            Nothing,
        ],
    ]
}

#[track_caller]
fn expect_flights(found: &Value) {
    let values: Vec<_> = proposals(found)
        .iter()
        .map(|flight| {
            json!([
                flight["startTime"],
                flight["flightTime"],
                flight["distance"],
                flight["maximumDistance"],
                flight["location"],
                flight["ticked"]
            ])
        })
        .collect();
    let expected = [
        json!(["09.05.2026 14:05", 7.5, 1.13, 1250.0, "Wiese; hinten", true]),
        json!(["10.05.2026 09:30", 12.0, 0.98, null, "", true]),
    ];
    assert_eq!(values, expected, "{found}");
}

#[test]
fn a_list_in_excel_is_read_as_it_is_with_dates_and_times_as_excel_keeps_them() {
    let anna = Server::shared().pilot("anna");
    let flights = flights();
    let rows: Vec<&[Cell]> = flights.iter().map(Vec::as_slice).collect();
    for empty in [0, 1_000_000] {
        let found = read(&anna, "Flugbuch.xlsx", &excel(&[("Flüge", &rows)], empty));
        assert_eq!(found["files"][0]["name"], "Flugbuch.xlsx");
        assert_eq!(found["files"][0]["format"], "csv");
        expect_flights(&found);
        discard(&anna, &found);
    }
}

#[test]
fn of_several_sheets_each_is_offered_and_its_columns_can_be_chosen() {
    let anna = Server::shared().pilot("anna");
    let flights = flights();
    let rows: Vec<&[Cell]> = flights.iter().map(Vec::as_slice).collect();
    let packs: [&[Cell]; 3] = [
        &[Text("Akku"), Text("Gekauft")],
        &[Text("Blau"), Styled(DAY, 1)],
        &[Text("Rot"), Styled(DAY + 9.0, 1)],
    ];
    let notes: [&[Cell]; 1] = [&[Text("Nur ein Text")]];
    let book = excel(&[("Akkus", &packs), ("Flüge", &rows), ("Notizen", &notes)], 0);
    let found = read(&anna, "Flugbuch.xlsx", &book);
    let files = found["files"].as_array().unwrap();
    let names: Vec<_> = files.iter().map(|file| &file["name"]).collect();
    assert_eq!(
        names,
        ["Akkus: Flugbuch.xlsx", "Flüge: Flugbuch.xlsx", "Notizen: Flugbuch.xlsx"]
    );
    assert_eq!(files[0]["message"], "Bitte die Spalten prüfen.");
    expect_flights(&found);

    let mapping = json!({
        "columns": {"0": "date", "1": "startTime", "2": "flightTime", "5": "notes"}, "units": {}, "separator": ";",
        "decimal": ".", "dateOrder": "dmy"
    });
    let fields = [
        ("dpfId", &*id_in(&found)),
        ("file", "1"),
        ("mapping", &mapping.to_string()),
    ];
    let mapped = anna.post("MapImportColumns", &fields).expect_status(200).json();
    let flight = &proposals(&mapped)[0];
    assert_eq!(
        (&flight["startTime"], &flight["location"]),
        (&json!("09.05.2026 14:05"), &json!(""))
    );
    assert!(
        flight["notes"].as_str().unwrap().starts_with("Wiese; hinten"),
        "{flight}"
    );
    discard(&anna, &mapped);
}

#[test]
fn a_spreadsheet_in_an_archive_is_read_and_its_columns_can_be_chosen() {
    let anna = Server::shared().pilot("anna");
    let flights = flights();
    let rows: Vec<&[Cell]> = flights.iter().map(Vec::as_slice).collect();
    let packs: [&[Cell]; 2] = [&[Text("Akku"), Text("Gekauft")], &[Text("Blau"), Styled(DAY, 1)]];
    let archive = zipped(&[
        member("Bilder/0001.jpg", b"\xff\xd8\xff\xe0"),
        member("Listen/Flugbuch.xlsx", excel(&[("Flüge", &rows)], 0)),
        member("Listen/Alles.xlsx", excel(&[("Akkus", &packs), ("Flüge", &rows)], 0)),
    ]);
    let found = read(&anna, "Mein Flugbuch.zip", &archive);
    let files = found["files"].as_array().unwrap();
    let names: Vec<_> = files.iter().map(|file| &file["name"]).collect();
    assert_eq!(
        names,
        [
            "Bilder/0001.jpg",
            "Listen/Flugbuch.xlsx",
            "Akkus: Listen/Alles.xlsx",
            "Flüge: Listen/Alles.xlsx"
        ]
    );
    assert_eq!(files[2]["message"], "Bitte die Spalten prüfen.");
    assert_eq!(proposals(&found).len(), 4, "{found}");

    let mapping = json!({
        "columns": {"0": "date", "1": "startTime", "2": "flightTime", "5": "notes"}, "units": {}, "separator": ";",
        "decimal": ".", "dateOrder": "dmy"
    });
    let fields = [
        ("dpfId", &*id_in(&found)),
        ("file", "3"),
        ("mapping", &mapping.to_string()),
    ];
    let mapped = anna.post("MapImportColumns", &fields).expect_status(200).json();
    let flights: Vec<_> = proposals(&mapped)
        .iter()
        .map(|flight| (&flight["file"], &flight["startTime"], &flight["location"]))
        .collect();
    let (first, second) = (json!("09.05.2026 14:05"), json!("10.05.2026 09:30"));
    let (meadow, none) = (json!("Wiese; hinten"), json!(""));
    assert_eq!(
        flights,
        [
            (&json!(1), &first, &meadow),
            (&json!(3), &first, &none),
            (&json!(1), &second, &none),
            (&json!(3), &second, &none)
        ]
    );
    discard(&anna, &mapped);
}

#[test]
fn a_list_of_libre_office_is_read_with_its_repeated_cells_and_rows() {
    let anna = Server::shared().pilot("anna");
    let text = |text: &str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
    };
    let head: String = ["Datum", "Startzeit", "Dauer", "Strecke (km)", "Entfernung (m)", "Ort"]
        .map(text)
        .concat();
    let date = |day: u32| {
        format!(
            "<table:table-cell office:value-type=\"date\" office:date-value=\"2026-05-{day:02}\"><text:p>Samstag</text:p>\
             </table:table-cell>"
        )
    };
    let time = |value: &str| format!("<table:table-cell office:value-type=\"time\" office:time-value=\"{value}\"/>");
    let number = |value: f64| format!("<table:table-cell office:value-type=\"float\" office:value=\"{value}\"/>");
    let first = [
        date(9),
        time("PT14H05M00S"),
        time("PT00H07M30S"),
        number(1.125),
        number(1250.0),
        text("Wiese; hinten"),
    ];
    let second = [
        date(10),
        time("PT09H30M00S"),
        time("PT00H12M00S"),
        number(0.98),
        "<table:table-cell table:number-columns-repeated=\"16379\"/>".to_owned(),
    ];
    let content = format!(
        "<office:document-content xmlns:office=\"o\" xmlns:table=\"t\" xmlns:text=\"x\"><office:body>\
         <office:spreadsheet><table:table table:name=\"Flüge\"><table:table-row>{head}</table:table-row>\
         <table:table-row table:number-rows-repeated=\"3\"><table:table-cell/></table:table-row><table:table-row>{}\
         </table:table-row><table:table-row>{}</table:table-row><table:table-row \
         table:number-rows-repeated=\"1048570\"><table:table-cell table:number-columns-repeated=\"16384\"/>\
         </table:table-row></table:table></office:spreadsheet></office:body></office:document-content>",
        first.concat(),
        second.concat()
    );
    let book = zipped(&[
        member("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        member("content.xml", content),
    ]);
    let found = read(&anna, "Flugbuch.ods", &book);
    expect_flights(&found);
    discard(&anna, &found);
}

#[test]
fn a_list_names_the_packs_that_its_pilot_has_not_and_those_that_he_has_fly() {
    let anna = Server::shared().pilot("anna");
    let pack = anna.item(BATTERY, "Akku A-1");
    let list = "Datum;Uhrzeit;Wo geflogen;Akku Nr.\n03.03.2024;17:34;Garten;A2\n04.03.2024;13:58;;akku a 1 + A2\n\
                18.03.2024;15:40;;Akku A1\n";
    let found = read(&anna, "Fluege alt.csv", list.as_bytes());
    let named: Vec<_> = proposals(&found)
        .iter()
        .map(|flight| (&flight["location"], &flight["equipments"], &flight["unknownPacks"]))
        .collect();
    let (place, none, own) = (json!("Garten"), json!(""), json!([pack]));
    assert_eq!(
        named,
        [
            (&place, &json!([]), &json!(["A2"])),
            (&none, &own, &json!(["A2"])),
            (&none, &own, &json!([]))
        ]
    );
    discard(&anna, &found);
}

#[test]
fn what_is_not_read_is_called_by_its_name_with_the_way_out() {
    let anna = Server::shared().pilot("anna");
    let csv = "bitte als CSV speichern";
    let numbers = zipped(&[
        member("Index/Document.iwa", b"\0\x01"),
        member("preview.jpg", b"\xff\xd8\xff"),
    ]);
    let damaged = zipped(&[
        member("[Content_Types].xml", "<Types/>"),
        member("xl/workbook.xml", "<workbook/>"),
    ]);
    for (name, content, sentence) in [
        (
            "Flugbuch.xls",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0".to_vec(),
            csv,
        ),
        ("Flugbuch.numbers", numbers, csv),
        ("Flugbuch.xlsx", damaged, csv),
        (
            "Flugbuch.pdf",
            b"%PDF-1.7\n%\xe2\xe3\n".to_vec(),
            "PDF-Dateien liest Fluglog nicht",
        ),
        (
            "00000042.log",
            b"FMT, 128, 89, FMT, BBnNZ, Type,Length,Name\n".to_vec(),
            "bitte die .bin nehmen",
        ),
        (
            "anafi.gutma",
            br#"{"exchange": {"message": {"file": {"logging_type": "GUTMA_DX_JSON"}}}}"#.to_vec(),
            "GUTMA",
        ),
        (
            "runde.fit",
            b"\x0e\x20\x54\x08\x10\0\0\0.FIT\0\0".to_vec(),
            "FIT-Dateien",
        ),
    ] {
        let answer = send(&anna, &[(name, &content)]);
        assert_eq!(answer.status, 415, "{name}");
        assert!(answer.text().contains(sentence), "{name}: {}", answer.text());
    }
}
