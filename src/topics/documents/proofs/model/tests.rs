//! Lights, reminders and what held on a day.

use super::*;
use fluglog_base::id::BlobId;
use fluglog_base::input::Fields;

const A2_STEPS: [i16; 6] = [180, 90, 30, 14, 7, 0];
/// 01.01.2026 00:00 UTC.
const UPLOADED: i64 = 1_767_225_600;

fn day(text: &str) -> Date {
    Date::parse(text).unwrap()
}

fn later(from: Date, days: i32) -> Date {
    Date::from_days(from.days() + days).unwrap()
}

fn id(number: u128) -> DocumentId {
    DocumentId::from_key(number)
}

fn proof(number: u128, kind: ProofKind, until: &str) -> StoredProof {
    StoredProof {
        document: id(number),
        kind,
        number: String::new(),
        since: None,
        until: (!until.is_empty()).then(|| day(until)),
        endless: until.is_empty(),
        remind: true,
        replaces: None,
        pages: Vec::new(),
    }
}

fn with_documents(proofs: Vec<StoredProof>) -> Vec<(StoredProof, StoredDocument)> {
    let document = |id| StoredDocument {
        id,
        name: format!("{}.pdf", id.key()),
        bytes: 1,
        description: String::new(),
        uploaded: UPLOADED,
        blob: Blob {
            id: BlobId::from_key(1),
            sha256: [0; 32],
        },
        listed: true,
    };
    proofs
        .into_iter()
        .map(|proof| (proof.clone(), document(proof.document)))
        .collect()
}

/// Changes as a form has them.
fn changes(json: &str) -> ProofChanges {
    ProofChanges::read(&Fields::from_json(json).unwrap()).unwrap()
}

fn sentence_of(error: Result<(StoredProof, Cut)>) -> String {
    error.unwrap_err().sentence().to_owned()
}

#[test]
fn a_light_changes_at_the_first_reminder_and_after_the_last_day() {
    for kind in ProofKind::ALL {
        let first = i32::from(kind.rules().steps[0]);
        // Over a leap day, and over the end of a year.
        for until in ["29.02.2028", "01.03.2028", "31.12.2026", "01.01.2027"] {
            let proof = proof(1, kind, until);
            for (left, light) in [
                (first + 1, Light::Green),
                (first, Light::Amber),
                (1, Light::Amber),
                (0, Light::Amber),
                (-1, Light::Red),
                (-400, Light::Red),
            ] {
                let today = later(day(until), -left);
                assert_eq!(
                    (proof.light(today), proof.days_left(today)),
                    (light, Some(left)),
                    "{kind:?} {today}"
                );
            }
        }
    }
}

#[test]
fn every_day_of_a_leap_year_has_its_light_and_its_reminder() {
    let proof = proof(1, ProofKind::CertificateA2, "29.02.2028");
    for days in 0..=800 {
        let today = later(day("01.01.2027"), days);
        let left = proof.until.unwrap().days() - today.days();
        let light = match left {
            181.. => Light::Green,
            0..=180 => Light::Amber,
            ..=-1 => Light::Red,
        };
        let reached = A2_STEPS.into_iter().rfind(|step| left <= i32::from(*step));
        let reached = if left < 0 { Some(-1) } else { reached };
        assert_eq!(proof.light(today), light, "{today}");
        assert_eq!(proof.step(today).map(|step| step.days), reached, "{today}");
    }
}

#[test]
fn a_proof_without_an_end_is_green_and_one_that_says_nothing_grey() {
    let endless = proof(1, ProofKind::OperatorId, "");
    let unsaid = StoredProof {
        endless: false,
        ..endless.clone()
    };
    let today = day("28.11.2026");
    assert_eq!(
        (endless.light(today), endless.sentence(today)),
        (Light::Green, "Ohne Ablauf.".to_owned())
    );
    assert_eq!(unsaid.light(today), Light::Grey);
    assert_eq!(unsaid.sentence(today), "Kein Ablaufdatum eingetragen.");
    assert_eq!((endless.step(today), unsaid.step(today)), (None, None));
}

#[test]
fn a_sentence_names_the_end_of_a_proof() {
    let until = day("14.03.2027");
    let told = |kind, left: i32| proof(1, kind, "14.03.2027").sentence(later(until, -left));
    let of_policy = |left| told(ProofKind::Liability, left);
    assert_eq!(of_policy(730), "Läuft in 2 Jahren ab.");
    assert_eq!(of_policy(729), "Läuft ab am 14.03.2027 (in 729 Tagen).");
    assert_eq!(of_policy(400), "Läuft ab am 14.03.2027 (in 400 Tagen).");
    assert_eq!(of_policy(1), "Läuft ab am 14.03.2027 (morgen).");
    assert_eq!(of_policy(0), "Läuft heute ab.");
    assert_eq!(of_policy(-1), "Seit 1 Tag abgelaufen.");
    assert_eq!(of_policy(-3), "Seit 3 Tagen abgelaufen.");
    let a2 = |left| told(ProofKind::CertificateA2, left);
    assert_eq!(a2(181), "Läuft ab am 14.03.2027 (in 181 Tagen).");
    assert_eq!(
        a2(39),
        "Läuft ab am 14.03.2027 (in 39 Tagen). Verlängern geht nur bis dahin."
    );
    assert_eq!(a2(0), "Läuft heute ab. Verlängern geht nur bis dahin.");
    assert_eq!(a2(-1), "Seit 1 Tag abgelaufen.");
}

/// Returns the reminders that a pilot is told who is looked for only on these days.
fn told(until: &str, looked: impl Iterator<Item = Date>) -> Vec<i16> {
    let proofs = with_documents(vec![proof(1, ProofKind::CertificateA2, until)]);
    let (mut told, mut last) = (Vec::new(), None);
    for today in looked {
        let step = due(&proofs, today).first().map(|due| due.step);
        if step.is_some() && step != last {
            told.extend(step.map(|step| step.days));
            last = step;
        }
    }
    told
}

#[test]
fn a_mail_contains_each_reminder_once_even_after_a_week_without_checks() {
    let until = day("29.02.2028");
    let all = || (-200..30).map(|days| later(until, days));
    assert_eq!(told("29.02.2028", all()), [180, 90, 30, 14, 7, 0, -1]);
    let is_stopped = |today: &Date| (-95..-88).contains(&(today.days() - until.days()));
    assert_eq!(
        told("29.02.2028", all().filter(|today| !is_stopped(today))),
        [180, 90, 30, 14, 7, 0, -1]
    );
    // Two reminders fell into the week: only the later one is told.
    let is_stopped = |today: &Date| (-15..=-8).contains(&(today.days() - until.days()));
    assert_eq!(
        told("29.02.2028", all().filter(|today| !is_stopped(today))),
        [180, 90, 30, 7, 0, -1]
    );
}

#[test]
fn nobody_is_reminded_of_what_is_replaced_or_needless_or_unwanted() {
    let today = day("28.11.2026");
    let old = || proof(1, ProofKind::CertificateA2, "01.12.2026");
    let due_of = |proofs| {
        let due = due(&with_documents(proofs), today);
        due.into_iter()
            .map(|due| (due.document.key(), due.title))
            .collect::<Vec<_>>()
    };
    assert_eq!(due_of(vec![old()]), [(1, "A2".to_owned())]);
    let unwanted = StoredProof { remind: false, ..old() };
    let renewed = StoredProof {
        replaces: Some(id(1)),
        ..proof(2, ProofKind::Other, "")
    };
    let nothing: [(u128, String); 0] = [];
    assert_eq!(due_of(vec![unwanted]), nothing);
    assert_eq!(due_of(vec![old(), renewed]), nothing);
    assert_eq!(
        due_of(vec![old(), proof(2, ProofKind::CertificateA2, "01.12.2031")]),
        nothing
    );
    // Two memberships are two.
    let club = |number, until| proof(number, ProofKind::Membership, until);
    assert_eq!(
        due_of(vec![club(1, "31.12.2027"), club(2, "30.11.2026")]),
        [(2, "2.pdf".to_owned())]
    );
}

#[test]
fn the_gravest_comes_first() {
    let proofs = vec![
        proof(1, ProofKind::Liability, "05.12.2026"),
        proof(2, ProofKind::CertificateA2, "27.11.2026"),
        proof(3, ProofKind::CompetencyA1A3, "01.12.2026"),
    ];
    let proofs = with_documents(proofs);
    let due = due(&proofs, day("28.11.2026"));
    assert_eq!(due.iter().map(|due| due.document.key()).collect::<Vec<_>>(), [2, 3, 1]);
    let shown = Proof::all(&proofs, day("28.11.2026"));
    assert_eq!(
        shown.iter().map(|proof| proof.kind_name).collect::<Vec<_>>(),
        ["A2", "A1/A3", "Haftpflicht"]
    );
}

#[test]
fn a_form_sets_what_it_says_and_keeps_the_rest() {
    let (first, _) = changes(r#"{"kind": 1, "number": " Nr 7 ", "until": "14.03.2027"}"#)
        .applied(id(1), None)
        .unwrap();
    assert_eq!(
        (first.number.as_str(), first.until, first.endless, first.remind),
        ("Nr 7", Some(day("14.03.2027")), false, true)
    );
    let (endless, _) = changes(r#"{"endless": true}"#).applied(id(1), Some(&first)).unwrap();
    assert_eq!(
        (endless.number.as_str(), endless.until, endless.endless),
        ("Nr 7", None, true)
    );
    let (ended, _) = changes(r#"{"until": "01.01.2028", "number": ""}"#)
        .applied(id(1), Some(&endless))
        .unwrap();
    assert_eq!(
        (ended.number.as_str(), ended.until, ended.endless),
        ("", Some(day("01.01.2028")), false)
    );
}

#[test]
fn a_form_that_makes_no_sense_is_refused() {
    let refused = |json: &str| sentence_of(changes(json).applied(id(1), None));
    assert_eq!(refused(r#"{"number": "1"}"#), text::PROOF_KIND_MISSING);
    assert_eq!(
        refused(r#"{"kind": 1, "until": "01.01.2028", "endless": true}"#),
        text::PROOF_UNTIL_AND_ENDLESS
    );
    let before = r#"{"kind": 1, "since": "02.01.2028", "until": "01.01.2028"}"#;
    assert_eq!(refused(before), text::PROOF_ENDS_BEFORE_START);
    assert_eq!(
        refused(&format!(r#"{{"kind": 1, "replaces": "{}"}}"#, id(1))),
        text::PROOF_REPLACES_ITSELF
    );
    assert_eq!(refused(r#"{"kind": 3, "number": "DEU1"}"#), text::PROOF_NUMBER_NO_EID);
}

#[test]
fn proofs_replace_each_other_in_a_line() {
    let renewing = |number, replaced: u128| StoredProof {
        replaces: Some(id(replaced)),
        ..proof(number, ProofKind::Other, "")
    };
    let all = [proof(1, ProofKind::Other, ""), renewing(2, 1), renewing(3, 2)];
    assert_eq!(check_replaces(&renewing(4, 3), &all), Ok(()));
    assert_eq!(check_replaces(&renewing(3, 2), &all), Ok(()));
    assert_eq!(
        check_replaces(&renewing(4, 2), &all),
        Err(Error::Conflict(text::PROOF_REPLACED_ALREADY))
    );
    assert_eq!(check_replaces(&renewing(4, 9), &all), Err(Error::NotFound));
    assert!(matches!(
        check_replaces(&renewing(1, 3), &all),
        Err(Error::Invalid { .. })
    ));
}

#[test]
fn a_flight_knows_what_held_on_its_day_after_two_renewals() {
    use ProofKind::{CertificateA2, CompetencyA1A3, Knowledge, Liability, Membership, OperatorId, Other, Permit};
    let renewing = |number, until, replaced: u128| StoredProof {
        replaces: Some(id(replaced)),
        ..proof(number, CertificateA2, until)
    };
    let proofs = with_documents(vec![
        proof(1, CertificateA2, "29.02.2020"),
        renewing(2, "28.02.2025", 1),
        renewing(3, "27.02.2030", 2),
        proof(4, Liability, "31.12.2025"),
        proof(5, Membership, "31.12.2024"),
        proof(6, OperatorId, ""),
        proof(7, Other, ""),
        proof(8, Permit, "31.12.2026"),
        proof(9, Knowledge, ""),
        StoredProof {
            endless: false,
            ..proof(10, CompetencyA1A3, "")
        },
    ]);
    let held = |on: &str| {
        let held = held_on(&proofs, day(on)).into_iter();
        let shown = held.map(|proof| format!("{} {}", proof.kind_name, proof.dpf_id.trim_start_matches(['0', '-'])));
        shown.collect::<Vec<_>>().join(", ")
    };
    let none = "A1/A3 , A2 1, Kenntnisnachweis , e-ID , Haftpflicht , Mitgliedschaft ";
    assert_eq!(held("29.02.2020"), none);
    let second = "A1/A3 , A2 2, Kenntnisnachweis , e-ID , Haftpflicht , Mitgliedschaft ";
    assert_eq!(held("01.03.2020"), second);
    let later = "A1/A3 , A2 2, Kenntnisnachweis , e-ID , Haftpflicht , Mitgliedschaft 5";
    assert_eq!(held("01.01.2024"), later);
    let uploaded = "A1/A3 , A2 3, Kenntnisnachweis 9, e-ID 6, Haftpflicht , Mitgliedschaft , Erlaubnis 8";
    assert_eq!(held("01.01.2026"), uploaded);
    assert_eq!(held_on(&[], day("01.01.2026")), []);
}

#[test]
fn what_has_no_end_is_over_when_the_next_one_begins() {
    let old = StoredProof {
        since: Some(day("01.01.2020")),
        ..proof(1, ProofKind::Liability, "")
    };
    let new = StoredProof {
        since: Some(day("01.07.2026")),
        replaces: Some(id(1)),
        ..proof(2, ProofKind::Liability, "")
    };
    let proofs = with_documents(vec![old, new]);
    let held = |on: &str| held_on(&proofs, day(on))[0].dpf_id.clone();
    assert_eq!(held("31.12.2019"), "");
    assert_eq!(held("30.06.2026"), id(1).to_string());
    assert_eq!(held("01.07.2026"), id(2).to_string());
}
