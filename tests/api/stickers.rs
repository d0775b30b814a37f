//! Stickers: the code on an item leads its owner to it, and finders to the owner's contact line.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER, keys};
use crate::harness::process::run;
use crate::harness::{PASSWORD, Pilot, Server, temporary_directory, text};

const FOREIGN: &str = "Dieser Aufkleber gehört zu einem anderen Konto.";
const UNKNOWN: &str = "Diesen Aufkleber gibt es nicht, oder er wurde durch einen neuen ersetzt.";

fn save(pilot: &Pilot, item: &str, more: &[(&str, &str)]) -> Value {
    let fields = [&[("dpfId", item)][..], more].concat();
    pilot.post("SaveSticker", &fields).expect_status(200).json()
}

fn code(sticker: &Value) -> String {
    sticker["code"].as_str().unwrap().to_owned()
}

fn scan(pilot: &Pilot, code: &str) -> Answer {
    pilot.post("GetSticker", &[("code", code)])
}

fn labels(pilot: &Pilot, items: &[&str]) -> Answer {
    pilot.post("GetLabels", &[("equipment", &items.join(";"))])
}

/// Decodes a QR code, drawn with `PIXELS` pixels per module and a margin of `EDGE` modules.
fn read(qr: &Value) -> String {
    const PIXELS: usize = 4;
    const EDGE: usize = 4;
    let rows: Vec<&str> = qr.as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    let side = (rows.len() + 2 * EDGE) * PIXELS;
    let is_dark = |x: usize, y: usize| {
        let module = |at: usize| (at / PIXELS).checked_sub(EDGE);
        let (Some(column), Some(row)) = (module(x), module(y)) else {
            return false;
        };
        rows.get(row)
            .is_some_and(|row| row.as_bytes().get(column) == Some(&b'1'))
    };
    let mut read =
        rqrr::PreparedImage::prepare_from_greyscale(side, side, |x, y| if is_dark(x, y) { 0 } else { u8::MAX });
    let codes = read.detect_grids();
    assert_eq!(codes.len(), 1, "one code in the picture");
    let (meta, text) = codes[0].decode().unwrap();
    // Level Q in the format's two bits: a quarter may be worn off.
    assert_eq!(meta.ecc_level, 3);
    text
}

#[test]
fn a_sticker_stays_the_same_and_leads_its_owner_to_the_item() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    let [copter, battery] = [anna.item(COPTER, "Falke"), anna.item(BATTERY, "Akku 1")];
    assert_eq!(anna.equipment(&copter)["sticker"], "");
    let sticker = save(&anna, &copter, &[]);
    assert_eq!(keys(&sticker), ["code", "number"]);
    assert_eq!(save(&anna, &copter, &[]), sticker);
    let other = save(&anna, &battery, &[]);
    assert_ne!(code(&other), code(&sticker));
    let text = code(&sticker);
    assert!(
        text.len() == 8
            && text
                .chars()
                .all(|letter| letter.is_ascii_digit() || letter.is_ascii_uppercase())
    );
    assert_eq!(anna.equipment(&copter)["sticker"], text.as_str());
    let found = scan(&anna, &text).expect_status(200).json();
    assert_eq!(found, anna.equipment(&copter));
    assert_eq!(scan(&anna, &text.to_lowercase()).expect_status(200).json(), found);
    let all = anna.get("/app/api/GetAllEquipments").expect_status(200).json();
    assert_eq!(all["copters"][0]["sticker"], text.as_str());
}

#[test]
fn an_item_without_a_number_gets_the_least_that_is_free() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    let number = |item: &str| save(&anna, item, &[])["number"].clone();
    let numbered = anna.item_with(&json!({"type": BATTERY, "name": "Akku 2", "number": 2}));
    let [one, three] = ["Akku 1", "Akku 3"].map(|name| anna.item(BATTERY, name));
    assert_eq!(number(&one), 1);
    assert_eq!(number(&three), 3);
    assert_eq!(number(&numbered), 2);
    assert_eq!(anna.equipment(&three)["number"], 3);
    // Each pilot's numbers begin at one.
    let ben = server.pilot("Ben");
    assert_eq!(save(&ben, &ben.item(COPTER, "Milan"), &[])["number"], 1);
}

#[test]
fn a_sticker_that_was_replaced_leads_nowhere() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    let copter = anna.item(COPTER, "Falke");
    let lost = save(&anna, &copter, &[]);
    let renewal = [("renew", "true"), ("requestId", "0198b6f0-5555-7000-8000-00000000000a")];
    let new = save(&anna, &copter, &renewal);
    assert_ne!(code(&new), code(&lost));
    assert_eq!(new["number"], lost["number"]);
    scan(&anna, &code(&lost)).expect_refusal(403, UNKNOWN);
    scan(&anna, &code(&new)).expect_status(200);
    // A repeated renewal has no second effect.
    assert_eq!(save(&anna, &copter, &renewal), new);
    for wrong in ["00000000", "zu kurz", "ÄÄÄÄÄÄÄÄ"] {
        scan(&anna, wrong).expect_refusal(403, UNKNOWN);
    }
}

#[test]
fn guessing_codes_of_stickers_has_to_wait_and_own_stickers_do_not_count() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let copter = anna.item(COPTER, "Falke");
    let own = code(&save(&anna, &copter, &[]));
    for _ in 0..40 {
        scan(&anna, &own).expect_status(200);
    }
    for _ in 0..30 {
        scan(&anna, "7K3M9QXT").expect_refusal(403, UNKNOWN);
    }
    scan(&anna, "7K3M9QXT").expect_status(429);
    scan(&anna, &own).expect_status(429);
    scan(&ben, "7K3M9QXT").expect_status(403);
}

#[test]
fn whoever_finds_the_gear_of_someone_else_learns_how_to_reach_them_and_nothing_more() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let copter = anna.item(COPTER, "Falke");
    let code = code(&save(&anna, &copter, &[]));
    scan(&ben, &code).expect_refusal(403, FOREIGN);
    server
        .stranger()
        .post("GetSticker", &[("code", &code)])
        .expect_not_logged_in();
    let contact = |text: &str| anna.post("SaveContact", &[("text", text)]);
    contact("  Anna, 0170 1234567 ").expect_status(200);
    assert_eq!(
        anna.post("GetDetailedUser", &[]).json()["contact"],
        "Anna, 0170 1234567"
    );
    scan(&ben, &code).expect_refusal(403, &format!("{FOREIGN} Kontakt: Anna, 0170 1234567."));
    contact(&"x".repeat(61)).expect_refusal(400, "Der Text darf höchstens 60 Zeichen lang sein.");
    contact("").expect_status(200);
    scan(&ben, &code).expect_refusal(403, FOREIGN);
    ben.post("SaveSticker", &[("dpfId", &copter)]).expect_no_access();
    labels(&ben, &[&copter]).expect_no_access();
}

#[test]
fn each_label_has_a_code_that_a_camera_reads_as_the_way_to_its_item() {
    let server = Server::start_with(&[("FLUGLOG_PUBLIC_URL", "http://fluglog.example.org:8080")]);
    let anna = server.pilot("Anna");
    let items: Vec<_> = (1..=5)
        .map(|number| anna.item(BATTERY, &format!("Akku {number}")))
        .collect();
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    labels(&anna, &items).expect_no_access();
    let codes: Vec<_> = items.iter().map(|item| code(&save(&anna, item, &[]))).collect();
    assert_eq!(codes.iter().collect::<HashSet<_>>().len(), items.len());
    let answer = labels(&anna, &items).expect_status(200).json();
    for (at, label) in answer.as_array().unwrap().iter().enumerate() {
        assert_eq!(keys(label), ["dpfId", "link", "name", "number", "qr"]);
        assert_eq!(label["dpfId"], items[at]);
        assert_eq!(label["number"], at + 1);
        assert_eq!(
            label["link"],
            format!("http://fluglog.example.org:8080/app/s/{}", codes[at])
        );
        assert_eq!(label["link"], read(&label["qr"]));
    }
    let many = vec![items[0]; 201];
    labels(&anna, &many).expect_refusal(400, "Auf einmal sind höchstens 200 Aufkleber möglich.");
}

#[test]
fn stickers_come_back_from_a_backup_and_the_check_finds_nothing_wrong() {
    let server = Server::start();
    let anna = server.pilot("Anna");
    let copter = anna.item(COPTER, "Falke");
    let code = code(&save(&anna, &copter, &[]));
    anna.post("SaveContact", &[("text", "0170 1234567")]).expect_status(200);
    let place = server.directory().to_owned();
    let backups = temporary_directory();
    let archive = backups.path().join("fluglog.tar");
    assert_eq!(
        run(["backup", "--data-dir", text(&place), "--output", text(&archive)]).code,
        0
    );
    let restored = temporary_directory();
    let restored = restored.path().join("data");
    assert_eq!(run(["restore", "--data-dir", text(&restored), text(&archive)]).code, 0);
    for place in [&place, &restored] {
        assert_eq!(run(["check", "--data-dir", text(place)]).code, 0);
    }
    let server = Server::start_in(&restored);
    let anna = server.stranger();
    anna.log_in("Anna@example.org", PASSWORD).expect_status(202);
    assert_eq!(scan(&anna, &code).expect_status(200).json()["name"], "Falke");
    assert_eq!(anna.post("GetDetailedUser", &[]).json()["contact"], "0170 1234567");
}
