//! The demo pilot's papers: logs of equipment and flights, and documents.

use serde_json::{Value, json};

use super::hangar::Hangar;
use super::pilot::{DAYS, Pilot};
use super::views;
use super::year::Flown;
use fluglog_base::error::Result;
use fluglog_base::id::{DocumentId, EquipmentId, LogId};
use fluglog_base::input::Fields;
use fluglog_base::time::WallTime;
use fluglog_store::blobs::BlobWriter;
use fluglog_topics::documents::proofs::kinds::ProofKind;
use fluglog_topics::documents::proofs::model::ProofChanges;
use fluglog_topics::logs::model::LogEntries;
use fluglog_topics::{documents, flights, logs};
use fluglog_web::multipart::Upload;

/// A file and its name.
struct Paper {
    name: &'static str,
    content: &'static [u8],
}

impl Paper {
    fn file(name: &'static str, content: &'static [u8]) -> Paper {
        Paper { name, content }
    }

    fn text(name: &'static str, text: &'static str) -> Paper {
        Paper::file(name, text.as_bytes())
    }

    fn incoming(&self, pilot: &Pilot) -> Result<BlobWriter> {
        let mut file = pilot.app.blobs.begin()?;
        file.write(self.content)?;
        Ok(file)
    }
}

/// Adds all logs and documents and returns their numbers; documents attached to logs count as documents.
pub fn file(pilot: &Pilot, hangar: &Hangar, flown: &[Flown]) -> Result<(usize, usize)> {
    let of_items = item_logs(hangar);
    for (item, days_ago, info, paper) in &of_items {
        let (entries, upload) = log(pilot, pilot.time(*days_ago, 18 * 60 + 30), info, paper.as_ref())?;
        logs::add_to_item(&pilot.app, pilot.operation(), *item, LogId::fresh(), entries, upload)?;
    }
    let of_flights = flight_logs();
    let mut written = of_items.len();
    for (from_latest, info, paper) in &of_flights {
        let Some(flight) = flown.iter().rev().nth(*from_latest) else {
            continue;
        };
        let time = flight.start.plus_minutes(40).unwrap_or(flight.start);
        let (entries, upload) = log(pilot, time, info, paper.as_ref())?;
        flights::add_log(
            &pilot.app,
            pilot.operation(),
            flight.id,
            LogId::fresh(),
            entries,
            upload,
        )?;
        written += 1;
    }
    let store = store(pilot);
    for (days_ago, description, paper, proves) in &store {
        pilot.go_to(pilot.time(*days_ago, 20 * 60 + 15));
        let file = paper.incoming(pilot)?;
        let id = DocumentId::fresh();
        documents::add(
            &pilot.app,
            pilot.operation(),
            id,
            paper.name.to_owned(),
            file,
            description.clone(),
        )?;
        if let Some((entries, page)) = proves {
            let changes = ProofChanges::read(&Fields::from_json(&entries.to_string())?)?;
            documents::proofs::save(&pilot.app, pilot.operation(), id, changes)?;
            let page = Upload {
                name: page.name.to_owned(),
                content: page.incoming(pilot)?,
            };
            documents::proofs::save_pages(&pilot.app, pilot.operation(), id, &[page])?;
        }
    }
    Ok((written, store.len()))
}

fn log(pilot: &Pilot, time: WallTime, info: &str, paper: Option<&Paper>) -> Result<(LogEntries, Option<Upload>)> {
    pilot.go_to(time);
    let upload = paper
        .map(|paper| {
            Ok::<_, fluglog_base::error::Error>(Upload {
                name: paper.name.to_owned(),
                content: paper.incoming(pilot)?,
            })
        })
        .transpose()?;
    let info = info.to_owned();
    Ok((LogEntries { info, time }, upload))
}

/// Item, days ago, text, document.
fn item_logs(hangar: &Hangar) -> Vec<(EquipmentId, i64, &'static str, Option<Paper>)> {
    let racer = hangar.freestyle.copter;
    let film = hangar.film.copter;
    let far = hangar.far.copter;
    vec![
        (racer, 352, "Alle vier Propeller getauscht (HQ 5x4,3x3).", None),
        (
            racer,
            301,
            "Motor hinten links quietscht: Lager getauscht, läuft wieder ruhig.",
            None,
        ),
        (
            racer,
            214,
            "Betaflight 4.5 aufgespielt. Vorher alles gesichert, siehe Datei.",
            Some(Paper::text("Nazgul5 vor dem Update.txt", BETAFLIGHT)),
        ),
        (
            racer,
            147,
            "Arm vorne rechts nach Baumkontakt erneuert.",
            Some(Paper::file("Rechnung Ersatzteile.pdf", INVOICE)),
        ),
        (racer, 62, "Schrauben nachgezogen, Antenne neu befestigt.", None),
        (racer, 18, "Propeller getauscht, Kerben an zwei Blättern.", None),
        (film, 288, "Propellerschutz links geklebt.", None),
        (film, 120, "Gimbaldämpfer ersetzt, Bild zittert nicht mehr.", None),
        (film, 33, "Firmware des Videosenders aktualisiert.", None),
        (far, 326, "Erstflug! GPS findet nach 40 s genug Satelliten.", None),
        (far, 171, "Return to Home auf 60 m gestellt und getestet.", None),
        (far, 48, "Kompass neu kalibriert.", None),
        (
            hangar.freestyle.batteries[0].id,
            96,
            "Innenwiderstand gemessen: 9 bis 14 mΩ je Zelle, eine Zelle fällt ab.",
            Some(Paper::text("Innenwiderstand Akku 1.csv", RESISTANCE)),
        ),
        (
            hangar.freestyle.batteries[0].id,
            12,
            "Spürbar schwächer als im Frühjahr. Nur noch für ruhige Flüge.",
            None,
        ),
        (hangar.film.batteries[0].id, 240, "Balancerstecker erneuert.", None),
        (hangar.goggles, 205, "Firmware 01.00.0900 installiert.", None),
        (hangar.goggles, 77, "Gesichtspolster gewechselt.", None),
        (
            hangar.transmitter,
            131,
            "ELRS 3.5 auf Sender und alle Empfänger gespielt.",
            None,
        ),
        (hangar.transmitter, 40, "Rechter Knüppel neu kalibriert.", None),
    ]
}

/// Index of the flight counted from the latest, text, document.
fn flight_logs() -> Vec<(usize, &'static str, Option<Paper>)> {
    vec![
        (
            1,
            "Zwei Propeller mit kleinen Kerben, vor dem nächsten Flug tauschen.",
            None,
        ),
        (4, "Aufnahmen gesichert und an den Verein geschickt.", None),
        (
            13,
            "Aufstieg beim Platzwart angemeldet, Freigabe liegt bei.",
            Some(Paper::text("Freigabe Platzwart.txt", RELEASE)),
        ),
        (27, "Hart gelandet. Rahmen und Motoren geprüft: kein Schaden.", None),
        (
            52,
            "Bild kurz gestört, vermutlich zweiter Pilot auf demselben Kanal.",
            None,
        ),
        (80, "Landwirt gefragt: nach der Ernte dürfen wir das Feld nutzen.", None),
        (
            119,
            "Blackbox ausgewertet: D-Anteil um zwei Stufen gesenkt.",
            Some(Paper::text("Blackbox-Auswertung.txt", BLACKBOX)),
        ),
        (160, "Erster Flug im Horizontalmodus ohne Hilfe.", None),
        (188, "Propeller nach Überschlag getauscht.", None),
    ]
}

/// The entries of a proof, and the picture of its page.
type Proves = (Value, Paper);

/// Days ago, description, file, what it proves.
fn store(pilot: &Pilot) -> Vec<(i64, String, Paper, Option<Proves>)> {
    let insured_until = pilot.date(102 - DAYS);
    let trained_until = pilot.date(361 - 5 * DAYS);
    vec![
        (
            361,
            "EU-Kompetenznachweis A1/A3".to_owned(),
            Paper::file("Kompetenznachweis A1-A3.pdf", PROOF_OF_COMPETENCY),
            Some((
                json!({"kind": ProofKind::CompetencyA1A3, "until": trained_until}),
                Paper::file("seite-1.png", PAGES[0]),
            )),
        ),
        (
            360,
            "Zum Ausdrucken für alle Copter".to_owned(),
            Paper::text("e-ID.txt", "Betreiber: Luca Brandt\ne-ID: DEUbeispiel00000\n"),
            Some((
                json!({"kind": ProofKind::OperatorId, "number": "DEUbeispiel00000", "endless": true}),
                Paper::file("seite-1.png", PAGES[1]),
            )),
        ),
        (
            102,
            format!("Haftpflicht für Drohnen, gültig bis {insured_until}"),
            Paper::file("Versicherung.pdf", INSURANCE),
            Some((
                json!({"kind": ProofKind::Liability, "until": insured_until}),
                Paper::file("seite-1.png", PAGES[2]),
            )),
        ),
        (
            266,
            "Modellflugplatz Lüneburger Heide".to_owned(),
            Paper::text("Platzordnung.txt", PLACE_RULES),
            None,
        ),
        (
            224,
            "Vor jedem Flug durchgehen".to_owned(),
            Paper::text("Checkliste.txt", CHECKLIST),
            None,
        ),
        (
            88,
            "Überblick aus 100 m, Startplatz unten links".to_owned(),
            Paper::file("Elbwiesen von oben.jpg", views::RIVER[1]),
            None,
        ),
        (
            41,
            "Ladeplan fürs Vereinswochenende".to_owned(),
            Paper::text("Ladeplan.csv", CHARGING_PLAN),
            None,
        ),
    ]
}

const PROOF_OF_COMPETENCY: &[u8] = include_bytes!("../../embed/demo/proof-of-competency.pdf");
/// Pages of the proofs of competency, operator id and insurance.
const PAGES: [&[u8]; 3] = [
    include_bytes!("../../embed/demo/proof-of-competency.png"),
    include_bytes!("../../embed/demo/operator-id.png"),
    include_bytes!("../../embed/demo/insurance.png"),
];
const INSURANCE: &[u8] = include_bytes!("../../embed/demo/insurance.pdf");
const INVOICE: &[u8] = include_bytes!("../../embed/demo/invoice.pdf");
const RELEASE: &str = "Freigabe\n\nAufstieg bis 100 m über Grund ist freigegeben.\n\nDer Platzwart\n";
const PLACE_RULES: &str = "Platzordnung\n\n\
    1. Vor dem ersten Start in das Flugbuch eintragen.\n2. Höchstens 100 m über Grund.\n\
    3. Bewohnte Gebiete und Straßen nicht überfliegen.\n4. Bemannte Luftfahrzeuge haben immer Vorrang: sofort landen.\n\
    5. Akkus nur auf der Feuerschutzmatte laden.\n6. Zwischen 13 und 15 Uhr ist Mittagsruhe.\n";
const CHECKLIST: &str = "Checkliste vor dem Start\n\n\
    [ ] Wetter und Luftraum geprüft\n[ ] Propeller fest und ohne Kerben\n[ ] Akku voll und festgezurrt\n\
    [ ] Kamera läuft, Speicherkarte leer\n[ ] Kanal mit den anderen abgesprochen\n[ ] Failsafe getestet\n\
    [ ] Start- und Landeplatz frei\n";
const BETAFLIGHT: &str = "# diff all\n\n# version\n# Betaflight / STM32F7X2 4.4.3\n\nbatch start\n\n\
    feature GPS\nfeature TELEMETRY\nset gyro_lpf1_static_hz = 0\nset dyn_notch_count = 1\n\
    set motor_pwm_protocol = DSHOT600\nset vbat_min_cell_voltage = 330\n\
    set vbat_warning_cell_voltage = 350\nset osd_vbat_pos = 2433\n\nbatch end\nsave\n";
const BLACKBOX: &str = "Blackbox-Auswertung\n\nRollachse: leichtes Nachschwingen bei 62 Hz\nNickachse: sauber\n\
    Änderung: D Roll 42 -> 40, D Nick 46 -> 44\nErgebnis: Motoren nach dem Flug handwarm\n";
const RESISTANCE: &str = "Zelle;Innenwiderstand (mΩ);Spannung (V)\n\
    1;9,2;3,86\n2;9,6;3,86\n3;10,1;3,85\n4;9,4;3,86\n5;13,8;3,81\n6;9,9;3,86\n";
const CHARGING_PLAN: &str = "Uhrzeit;Ladegerät 1;Ladegerät 2\n09:00;Akku 1;Akku 4\n09:45;Akku 2;Akku 5\n\
    10:30;Akku 3;Langstrecke 1\n11:15;;Langstrecke 2\n";
