//! Proofs: a document with a kind and an end, its pages, what held on the day of a flight, and where they come along.

use serde_json::{Value, json};
use uuid::Uuid;

use fluglog_base::time::Date;

use crate::api::exported_flights::{accept, import, ticked};
use crate::harness::calls::{COPTER, id_in, keys};
use crate::harness::clock::{in_berlin, seconds_since_1970};
use crate::harness::export::{exported, members};
use crate::harness::{Pilot, Server, pictures, process::run, temporary_directory, text};

/// The number of an operator with its secret end.
const SECRET: &str = "FIN87astrdge12k8-xyz";
const PUBLIC: &str = "FIN87astrdge12k8";

/// The day `days` days after today in Berlin.
fn in_days(days: i32) -> String {
    let today = Date::parse(&in_berlin(seconds_since_1970())[..10]).unwrap();
    Date::from_days(today.days() + days).unwrap().to_string()
}

fn pages(proof: &Value) -> Vec<String> {
    let pages = proof["pages"].as_array().unwrap().iter();
    pages.map(|page| page.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_document_becomes_a_proof_and_an_ordinary_one_again() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let document = anna.document("A2.pdf", b"%PDF");
    let before = anna.documents();
    assert_eq!(anna.proofs(), Vec::<Value>::new());
    let session = || anna.check_session().expect_status(200).json();
    assert!(!keys(&session()).contains(&"hasProofs"));
    let until = in_days(39);
    let proof = anna.save_proof(&document, &json!({"kind": 1, "number": " DEU-RP-1 ", "until": until}));
    assert_eq!(
        proof,
        json!({
            "dpfId": document, "name": "A2.pdf", "description": "", "kind": 1, "kindName": "A2",
            "kindLongName": "EU-Fernpilotenzeugnis A2", "number": "DEU-RP-1", "since": "", "until": until,
            "endless": false, "remind": true, "light": "amber",
            "sentence": format!("Läuft ab am {until} (in 39 Tagen). Verlängern geht nur bis dahin."),
            "daysLeft": 39, "pages": [], "replaces": "", "replacedBy": "",
        })
    );
    assert_eq!(
        (anna.proofs(), &session()["hasProofs"]),
        (vec![proof.clone()], &json!(true))
    );
    assert_eq!(anna.documents(), before, "a document is answered as ever");
    let changed = anna.save_proof(&document, &json!({"number": null, "endless": true}));
    assert_eq!(
        (
            &changed["number"],
            &changed["until"],
            &changed["light"],
            &changed["daysLeft"]
        ),
        (&json!(""), &json!(""), &json!("green"), &Value::Null)
    );
    let one = [("dpfId", document.as_str())];
    assert_eq!(anna.post("DeleteProof", &one).expect_status(200).text(), "");
    anna.post("DeleteProof", &one).expect_no_access();
    assert_eq!((anna.proofs().len(), anna.documents()), (0, before));
}

#[test]
fn a_light_shows_whether_the_end_is_far_near_or_past() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let document = anna.document("Police.pdf", b"%PDF");
    for (days, light, sentence) in [
        (31, "green", format!("Läuft ab am {} (in 31 Tagen).", in_days(31))),
        (30, "amber", format!("Läuft ab am {} (in 30 Tagen).", in_days(30))),
        (1, "amber", format!("Läuft ab am {} (morgen).", in_days(1))),
        (0, "amber", "Läuft heute ab.".to_owned()),
        (-1, "red", "Seit 1 Tag abgelaufen.".to_owned()),
    ] {
        let proof = anna.save_proof(&document, &json!({"kind": 4, "until": in_days(days)}));
        assert_eq!(
            (&proof["light"], &proof["sentence"], &proof["daysLeft"]),
            (&json!(light), &json!(sentence), &json!(days))
        );
    }
}

#[test]
fn the_kinds_propose_an_end() {
    let server = Server::shared();
    let kinds = server
        .pilot("anna")
        .post_empty("GetProofKinds")
        .expect_status(200)
        .json();
    let kinds = kinds.as_array().unwrap();
    assert_eq!(kinds.len(), 8);
    assert_eq!(kinds[1]["steps"], json!([180, 90, 30, 14, 7, 0]));
    let proposed = |kind: usize| kinds[kind]["proposedUntil"].as_str().unwrap();
    assert!(proposed(5).starts_with("31.12."), "{}", proposed(5));
    assert_eq!((proposed(3), &kinds[3]["endless"]), ("", &json!(true)));
    assert_eq!(proposed(1)[..6], proposed(4)[..6]);
}

#[test]
fn a_document_comes_with_its_pages_in_one_request_and_once() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let request = Uuid::now_v7().to_string();
    let (first, second) = (pictures::jpeg(30, 20), pictures::png(40, 20));
    let add = |entries: &Value| {
        let entries = entries.to_string();
        let fields = [
            ("proof", &*entries),
            ("description", "Zeugnis"),
            ("requestId", &request),
        ];
        let files: [(&str, &str, &[u8]); 3] = [
            ("files", "A2.pdf", b"%PDF"),
            ("files", "1.jpg", &first),
            ("files", "2.png", &second),
        ];
        anna.upload("AddProof", &fields, &files)
    };
    // Refused, and nothing of it stays: the request may be corrected.
    add(&json!({"kind": 9})).expect_refusal(400, "Bitte wählen Sie aus, was für ein Nachweis es ist.");
    let both = json!({"kind": 1, "until": "01.01.2099", "endless": true});
    add(&both).expect_refusal(400, "Bitte entweder „gültig bis“ oder „ohne Ablauf“ angeben.");
    assert_eq!((anna.documents().len(), server.blobs().len()), (0, 0));
    let valid = json!({"kind": 1, "until": "01.01.2099"});
    let added = add(&valid).expect_status(201).json();
    assert_eq!(add(&valid).expect_status(201).json(), added);
    assert_eq!((anna.documents().len(), server.blobs().len()), (1, 3));
    assert_eq!(
        (anna.proofs(), &added["description"]),
        (vec![added.clone()], &json!("Zeugnis"))
    );
    assert_eq!(anna.download(&id_in(&added)).expect_status(200).body, b"%PDF");
    let pages = pages(&added);
    assert_eq!(pages.len(), 2);
    for (page, kind) in pages.iter().zip(["image/jpeg", "image/png"]) {
        let answer = anna.page(&id_in(&added), page).expect_status(200);
        assert_eq!(answer.header("content-type"), Some(kind));
        assert_eq!(
            answer.header("cache-control"),
            Some("private, max-age=31536000, immutable")
        );
    }
    anna.page(&id_in(&added), &Uuid::now_v7().to_string())
        .expect_no_access();
    server.pilot("ben").page(&id_in(&added), &pages[0]).expect_no_access();
}

#[test]
fn a_proof_is_added_once_under_its_id() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let id = Uuid::now_v7().to_string();
    let add = |content: &[u8]| {
        let fields = [("dpfId", id.as_str()), ("proof", r#"{"kind": 4}"#)];
        anna.upload("AddProof", &fields, &[("files", "a.jpg", content)])
    };
    let added = add(&pictures::jpeg(30, 20)).expect_status(201).json();
    assert_eq!(add(b"b").expect_status(201).json(), added);
    assert_eq!(
        (added["dpfId"].clone(), anna.documents().len(), server.blobs().len()),
        (json!(id), 1, 2)
    );
    let plain = anna.document("a.txt", b"a");
    let fields = [("dpfId", plain.as_str()), ("proof", r#"{"kind": 4}"#)];
    let refused = anna.upload("AddProof", &fields, &[("files", "a.jpg", b"a")]);
    refused.expect_refusal(409, "Diese Kennung ist schon vergeben.");
    anna.post("DeleteUserDocument", &[("dpfId", &id)]).expect_status(200);
    add(b"b").expect_status(403);
    assert_eq!(server.blobs().len(), 1);
}

#[test]
fn a_document_that_is_a_picture_is_its_own_page_without_its_metadata() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let proof = anna.proof("Foto.jpg", &pictures::photo(30, 20, 6), &json!({"kind": 2}));
    assert_eq!(pages(&proof).len(), 1);
    let page = anna.page(&id_in(&proof), &pages(&proof)[0]).expect_status(200);
    let secret = pictures::SECRET.as_bytes();
    assert!(!page.body.windows(secret.len()).any(|part| part == secret));
    let later = anna.document("Karte.png", &pictures::png(40, 20));
    assert_eq!(pages(&anna.save_proof(&later, &json!({"kind": 5}))).len(), 1);
    let text = anna.document("a.txt", b"a");
    assert_eq!(
        pages(&anna.save_proof(&text, &json!({"kind": 5}))),
        Vec::<String>::new()
    );
    assert_eq!(server.blobs().len(), 5);
}

#[test]
fn pages_are_replaced_all_at_once_and_nothing_stays_behind() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let proof = anna.proof("a.jpg", &pictures::jpeg(30, 20), &json!({"kind": 4}));
    let id = id_in(&proof);
    let save = |count: usize, content: &[u8]| {
        let files: Vec<(&str, &str, &[u8])> = (0..count).map(|_| ("files", "a.jpg", content)).collect();
        anna.upload("SaveProofPages", &[("dpfId", &id)], &files)
    };
    let replaced = save(4, &pictures::jpeg(20, 10)).expect_status(200).json();
    assert_eq!((pages(&replaced).len(), server.blobs().len()), (4, 5));
    anna.page(&id, &pages(&proof)[0]).expect_no_access();
    save(5, &pictures::jpeg(20, 10)).expect_refusal(400, "Ein Nachweis hat höchstens 4 Seiten.");
    save(2, b"no picture").expect_status(415);
    assert_eq!(anna.proofs(), [replaced]);
    assert_eq!(pages(&save(0, b"").expect_status(200).json()), Vec::<String>::new());
    assert_eq!(server.blobs().len(), 1);
    let plain = anna.document("b.pdf", b"%PDF");
    let of_plain = [("dpfId", plain.as_str())];
    anna.upload(
        "SaveProofPages",
        &of_plain,
        &[("files", "a.jpg", &pictures::jpeg(20, 10))],
    )
    .expect_no_access();
}

#[test]
fn a_deleted_proof_or_document_leaves_no_page_behind() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let add = || id_in(&anna.proof("a.jpg", &pictures::jpeg(30, 20), &json!({"kind": 4})));
    let (proof, document) = (add(), add());
    assert_eq!(server.blobs().len(), 4);
    anna.post("DeleteProof", &[("dpfId", &proof)]).expect_status(200);
    assert_eq!((server.blobs().len(), anna.documents().len()), (3, 2));
    anna.post("DeleteUserDocument", &[("dpfId", &document)])
        .expect_status(200);
    assert_eq!((server.blobs().len(), anna.proofs().len()), (1, 0));
    let checked = run(["check", "--data-dir", text(server.directory())]);
    assert_eq!(checked.code, 0, "{checked:?}");
}

#[test]
fn a_renewal_takes_the_place_of_the_old_one() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let [old, new, third] = ["alt.pdf", "neu.pdf", "drei.pdf"].map(|name| anna.document(name, b"%PDF"));
    anna.save_proof(&old, &json!({"kind": 1, "until": in_days(-3)}));
    let renewed = anna.save_proof(&new, &json!({"kind": 1, "until": in_days(1800), "replaces": old}));
    assert_eq!(renewed["replaces"], json!(old));
    let shown = |id: &str| anna.proofs().into_iter().find(|proof| id_in(proof) == id).unwrap();
    let before = shown(&old);
    assert_eq!(
        (&before["replacedBy"], &before["light"], &before["sentence"]),
        (&json!(new), &json!("grey"), &json!("Ersetzt."))
    );
    assert_eq!(id_in(anna.proofs().last().unwrap()), old, "what is replaced comes last");
    let save = |id: &str, entries: &Value| anna.ask_to_save_proof(id, entries);
    save(&third, &json!({"kind": 1, "replaces": old})).expect_refusal(409, "Dieser Nachweis ist schon ersetzt.");
    save(&old, &json!({"replaces": old})).expect_refusal(400, "Ein Nachweis kann sich nicht selbst ersetzen.");
    save(&old, &json!({"replaces": new})).expect_refusal(400, "Diese Nachweise würden sich gegenseitig ersetzen.");
    let plain = anna.document("a.txt", b"a");
    save(&third, &json!({"kind": 1, "replaces": plain})).expect_no_access();
    anna.save_proof(&third, &json!({"kind": 1, "replaces": new}));
    // Without the one in the middle the others follow each other.
    anna.post("DeleteProof", &[("dpfId", &new)]).expect_status(200);
    assert_eq!(
        (&shown(&third)["replaces"], &shown(&old)["replacedBy"]),
        (&json!(old), &json!(third))
    );
    anna.save_proof(&third, &json!({"replaces": ""}));
    assert_eq!(shown(&old)["light"], "red");
}

#[test]
fn the_secret_end_of_an_e_id_is_kept_nowhere() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let anna = server.pilot("anna");
    let hint = json!("Das geheime Ende der e-ID wurde nicht gespeichert.");
    let fields = [
        ("description", SECRET),
        ("proof", &*json!({"kind": 3, "number": SECRET}).to_string()),
    ];
    let name = format!("{SECRET}.pdf");
    let added = anna
        .upload("AddProof", &fields, &[("files", &name, b"%PDF")])
        .expect_status(201)
        .json();
    let shown = |proof: &Value| ["number", "description", "name", "hint"].map(|field| proof[field].clone());
    let named = json!(format!("{PUBLIC}.pdf"));
    assert_eq!(
        shown(&added),
        [json!(PUBLIC), json!(PUBLIC), named.clone(), hint.clone()]
    );
    assert_eq!(anna.proofs()[0]["hint"], Value::Null);

    let later = id_in(
        &anna
            .upload(
                "UploadUserDocument",
                &[("description", PUBLIC)],
                &[("file", &name, b"a")],
            )
            .json(),
    );
    let unfit = json!({"kind": 3, "number": "fin 87astrdge12k8 - xya"});
    let saved = anna.save_proof(&later, &unfit);
    let unfit = json!("Das geheime Ende der e-ID wurde nicht gespeichert.");
    assert_eq!(shown(&saved)[..3], [json!(PUBLIC), json!(PUBLIC), named]);
    assert!(
        saved["hint"].as_str().unwrap().starts_with(unfit.as_str().unwrap()),
        "{saved}"
    );
    let edited = anna.post("EditUserDocument", &[("dpfId", &later), ("description", SECRET)]);
    assert_eq!(edited.expect_status(200).json()["description"], PUBLIC);
    for number in ["DEU87", "12387astrdge12k8", "FIN87astrdge12k8-x"] {
        anna.ask_to_save_proof(&later, &json!({"number": number}))
            .expect_refusal(400, "Bitte die e-ID prüfen: drei Buchstaben und 13 Zeichen.");
    }

    let everything = json!([anna.everything(), anna.proofs()]).to_string();
    assert!(!everything.contains("12k8-xy"), "{everything}");
    let log = server.log();
    assert!(!log.contains("12k8-xy"), "{log}");
    for content in members(&exported(place.path(), "anna@example.org")).values() {
        assert!(!content.windows(7).any(|part| part == b"12k8-xy"));
    }
}

#[test]
fn a_flight_names_what_held_on_its_day_only_for_a_pilot_with_proofs() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let flight = anna.fly(&copter, &[], &json!({"startTime": "14.06.2024 10:00"}));
    let before = anna.flight(&flight);
    assert!(!keys(&before).contains(&"proofs"));
    let ids = ["1.pdf", "2.pdf", "3.pdf", "4.pdf"].map(|name| anna.document(name, b"%PDF"));
    let [first, second, third, policy] = ids.each_ref();
    anna.save_proof(first, &json!({"kind": 1, "until": "14.06.2024"}));
    anna.save_proof(second, &json!({"kind": 1, "until": "14.06.2029", "replaces": first}));
    anna.save_proof(third, &json!({"kind": 1, "until": "14.06.2034", "replaces": second}));
    anna.save_proof(policy, &json!({"kind": 4, "until": "13.06.2024"}));
    let line = |a2: &str, liability: &str| {
        json!([
            {"kind": 1, "kindName": "A2", "dpfId": a2},
            {"kind": 4, "kindName": "Haftpflicht", "dpfId": liability},
        ])
    };
    assert_eq!(anna.flight(&flight)["proofs"], line(first, ""));
    let moved = anna.save_flight(&json!({"dpfId": flight, "startTime": "15.06.2024 10:00"}));
    assert_eq!(moved.expect_status(200).json()["proofs"], line(second, ""));
    anna.save_proof(policy, &json!({"until": "01.01.2025"}));
    assert_eq!(anna.flight(&flight)["proofs"], line(second, policy));
    for id in &ids {
        anna.post("DeleteProof", &[("dpfId", id)]).expect_status(200);
    }
    anna.save_flight(&json!({"dpfId": flight, "startTime": "14.06.2024 10:00"}))
        .expect_status(200);
    assert_eq!(anna.flight(&flight), before);
}

#[test]
fn wrong_entries_are_refused_with_their_field() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let document = anna.document("a.pdf", b"%PDF");
    let long = "ü".repeat(201);
    for (entries, field) in [
        (json!({"number": "1"}), "kind"),
        (json!({"kind": 8}), "kind"),
        (json!({"kind": 1, "until": "30.02.2028"}), "until"),
        (json!({"kind": 1, "until": "01.01.2100"}), "until"),
        (json!({"kind": 1, "since": "2028"}), "since"),
        (
            json!({"kind": 1, "since": "02.01.2028", "until": "01.01.2028"}),
            "until",
        ),
        (json!({"kind": 1, "number": long}), "number"),
        (json!({"kind": 1, "endless": "ja"}), "endless"),
    ] {
        let refused = anna.ask_to_save_proof(&document, &entries).expect_status(400);
        assert_eq!(refused.header("x-field"), Some(field), "{entries}");
    }
    assert_eq!(anna.proofs().len(), 0);
    let log = [
        ("dpfId", &*anna.item(COPTER, "Falke")),
        ("info", "a"),
        ("time", "01.03.2026 09:05"),
    ];
    let log = anna.upload("SaveEquipmentLog", &log, &[("file", "a.pdf", b"%PDF")]);
    let attached = id_in(&log.expect_status(201).json()["documentObj"]);
    anna.ask_to_save_proof(&attached, &json!({"kind": 1}))
        .expect_no_access();
}

#[test]
fn a_pilot_has_at_most_a_hundred_proofs() {
    let server = Server::start();
    let anna = server.pilot("anna");
    for number in 0..100 {
        anna.proof(&format!("{number}.pdf"), b"%PDF", &json!({"kind": 7}));
    }
    let fields = [("proof", r#"{"kind": 7}"#)];
    anna.upload("AddProof", &fields, &[("files", "a.pdf", b"%PDF")])
        .expect_refusal(409, "Es gibt schon 100 Nachweise.");
    assert_eq!((anna.documents().len(), server.blobs().len()), (100, 100));
}

/// Adds an old A2 certificate, and the new one that replaces it and has two pages.
fn renewed(pilot: &Pilot) {
    let old = id_in(&pilot.proof(
        "alt.jpg",
        &pictures::jpeg(30, 20),
        &json!({"kind": 1, "until": "01.01.2025"}),
    ));
    let entries = json!({"kind": 1, "number": "DEU-1", "until": "01.01.2030", "replaces": old}).to_string();
    let (first, second) = (pictures::jpeg(30, 20), pictures::png(40, 20));
    let files: [(&str, &str, &[u8]); 3] = [
        ("files", "neu.pdf", b"%PDF"),
        ("files", "1.jpg", &first),
        ("files", "2.png", &second),
    ];
    pilot
        .upload("AddProof", &[("proof", &entries)], &files)
        .expect_status(201);
}

/// The proofs of a pilot, with the content of their pages instead of their ids.
fn with_content(pilot: &Pilot) -> Vec<Value> {
    let mut proofs = pilot.proofs();
    for proof in &mut proofs {
        let id = id_in(proof);
        let content = pages(proof)
            .iter()
            .map(|page| pilot.page(&id, page).expect_status(200).body)
            .collect::<Vec<_>>();
        proof["pages"] = json!(content);
    }
    proofs
}

#[test]
fn proofs_move_to_another_server_and_survive_a_restore() {
    let place = temporary_directory();
    let [directory, copy, archive] = ["data", "copy", "a.tar"].map(|name| place.path().join(name));
    let server = Server::start_in(&directory);
    let anna = server.pilot("anna");
    renewed(&anna);
    let hers = with_content(&anna);
    let export = exported(&directory, "anna@example.org");
    let files = members(&export);
    let paths: Vec<_> = files.keys().filter(|path| path.starts_with("nachweise/")).collect();
    assert_eq!(
        paths,
        [
            "nachweise/alt, Seite 1.jpg",
            "nachweise/neu, Seite 1.jpg",
            "nachweise/neu, Seite 2.png"
        ]
    );
    let listed: Value = serde_json::from_slice(&files["json/proofs.json"]).unwrap();
    assert_eq!(listed[0]["pageFiles"], json!([paths[1], paths[2]]));
    assert!(files.contains_key("tabellen/Nachweise.csv"));

    let other = Server::start();
    let ben = other.pilot("ben");
    let found = import(&ben, &export);
    let mut choices = ticked(&found);
    let key = &found["belongings"][0]["key"];
    choices
        .as_array_mut()
        .unwrap()
        .push(json!({"key": key, "action": "create"}));
    accept(&ben, &found, &choices).expect_status(200);
    assert_eq!(with_content(&ben), hers);
    assert_eq!(other.blobs().len(), 5, "no file is left behind");

    assert!(server.stop().success());
    let backup = run(["backup", "--data-dir", text(&directory), "--output", text(&archive)]);
    assert_eq!(backup.code, 0, "{backup:?}");
    let restored = run(["restore", "--data-dir", text(&copy), text(&archive)]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let checked = run(["check", "--data-dir", text(&copy)]);
    assert_eq!(checked.code, 0, "{checked:?}");
    let server = Server::start_in(&copy);
    let anna = server.stranger();
    anna.log_in("anna@example.org", crate::harness::PASSWORD)
        .expect_status(202);
    assert_eq!(with_content(&anna), hers);
}
