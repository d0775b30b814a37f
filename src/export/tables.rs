//! The data of a pilot or a space as tables: columns and values of each topic.

use std::io::Write;

use super::everything::{Everything, Whole};
use super::files::Paths;
use fluglog_accounts::spaces::administration::SpaceDetails;
use fluglog_accounts::spaces::model::Right;
use fluglog_base::csv::write_table;
use fluglog_base::error::Result;
use fluglog_base::number::format_german;
use fluglog_base::time::Clock;
use fluglog_topics::documents::model::StoredDocument;
use fluglog_topics::documents::proofs::model::{Proof, replaced};
use fluglog_topics::equipment::battery_profile::Chemistry;
use fluglog_topics::equipment::model::Kind;
use fluglog_topics::flights::model::{FlightItem, FlightMode};
use fluglog_topics::logs::model::{StoredLog, Subject};
use fluglog_topics::maintenance::exchange::ExportedJob;
use fluglog_topics::maintenance::model::{Repeat, RunKind};
use fluglog_topics::packs::records::charging::model::StoredCharging;
use fluglog_topics::packs::records::readings::model::ReadingKind;
use fluglog_topics::packs::wire::Equipment;

/// Writes one table.
type WriteFn = fn(&Everything<'_>, &Paths, &Clock, &mut dyn Write) -> Result<()>;

/// Every table of a pilot, by its name.
pub const OF_PILOT: [(&str, WriteFn); 14] = [
    ("Profil.csv", profile),
    ("Equipment.csv", equipment),
    ("Ladevorgänge.csv", chargings),
    ("Messungen.csv", readings),
    ("Sätze.csv", sets),
    ("Wartung.csv", jobs),
    ("Wartung erledigt.csv", job_runs),
    ("Flüge.csv", flights),
    ("Logs.csv", logs),
    ("Dokumente.csv", documents),
    ("Nachweise.csv", proofs),
    ("Feedback.csv", feedback),
    ("Flüge aus Dateien.csv", sources),
    ("Namen in Dateien.csv", aliases),
];

/// Every table of a space.
pub const OF_SPACE: [(&str, WriteFn); 11] = [
    ("Bereich.csv", space),
    ("Mitglieder.csv", members),
    ("Equipment.csv", equipment),
    ("Benutzungen.csv", uses),
    ("Ladevorgänge.csv", chargings),
    ("Messungen.csv", readings),
    ("Sätze.csv", sets),
    ("Wartung.csv", jobs),
    ("Wartung erledigt.csv", job_runs),
    ("Logs.csv", logs),
    ("Dokumente.csv", documents),
];

fn space(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let Whole::Space(_, space) = &everything.of else {
        return Ok(());
    };
    let row = [
        space.name.as_str().into(),
        space_kind(space).into(),
        space.contact.as_str().into(),
        clock.wall_time_at(space.created).to_string().into(),
    ];
    write_table(out, ["Name", "Art", "Kontakt", "Angelegt"], [Ok(row)])
}

fn members(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let Whole::Space(_, space) = &everything.of else {
        return Ok(());
    };
    let rows = space.members.iter().map(|member| {
        [
            member.nickname.as_str().into(),
            Right::from_code(member.role).map(role).unwrap_or_default().into(),
            clock.wall_time_at(member.since).to_string().into(),
        ]
    });
    write_table(out, ["Name", "Rolle", "Seit"], rows.map(Ok))
}

const fn role(right: Right) -> &'static str {
    match right {
        Right::Read => "Leser",
        Right::Use => "Mitglied",
        Right::Maintain => "Gerätewart",
        Right::Manage => "Verwaltung",
    }
}

fn uses(everything: &Everything<'_>, _: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let rows = everything.uses().map(|named| {
        let named = named?;
        let used = named.used;
        Ok([
            everything.item_name(named.item).into(),
            used.start.to_string().into(),
            named.name.into(),
            used.minutes.into(),
            used.start_voltage.into(),
            used.end_voltage.into(),
            used.consumed.into(),
            (!used.open).into(),
        ])
    });
    let headings = [
        "Equipment",
        "Startzeit",
        "Wer",
        "Flugzeit (min)",
        "Startspannung (V)",
        "Endspannung (V)",
        "Verbrauch (mAh)",
        "Abgeschlossen",
    ];
    write_table(out, headings, rows)
}

fn profile(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let Whole::Pilot(user) = &everything.of else {
        return Ok(());
    };
    let row = [
        user.email.as_str().into(),
        user.nickname.as_str().into(),
        user.firstname.as_str().into(),
        user.lastname.as_str().into(),
        user.contact.as_str().into(),
        clock.wall_time_at(user.created).to_string().into(),
    ];
    write_table(
        out,
        ["E-Mail", "Nickname", "Vorname", "Nachname", "Kontakt", "Angelegt"],
        [Ok(row)],
    )
}

fn equipment(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let rows = everything.packs.iter().map(|pack| {
        let item = &pack.item;
        let shown = Equipment::new(pack.clone(), None, clock.now());
        [
            kind(item.kind).into(),
            shown.name.into(),
            shown.model.into(),
            shown.manufacturer.into(),
            shown.purchase_date.into(),
            shown.seller.into(),
            shown.weight.into(),
            shown.firmware_number.into(),
            shown.battery_type.into(),
            shown.capacity.into(),
            shown.current_charge.into(),
            f64::from(shown.charge_count).into(),
            shown.usage_time.into(),
            shown.last_flight.into(),
            shown.deactivate_time.into(),
            shown.deactivate_text.into(),
            shown.number.map(f64::from).into(),
            shown.set.map(|set| set.name).unwrap_or_default().into(),
            item.profile.chemistry.map(chemistry).unwrap_or_default().into(),
            item.profile.cells.map(f64::from).into(),
            item.profile.parallel.map(f64::from).into(),
            item.profile.c_rate.into(),
            item.profile.connector.as_str().into(),
            item.profile.serial.as_str().into(),
            item.profile.full_voltage.into(),
            item.profile.storage_voltage.into(),
            item.profile.full_days.map(f64::from).into(),
            shown.sticker.into(),
        ]
    });
    let headings = [
        "Art",
        "Name",
        "Modell",
        "Hersteller",
        "Kaufdatum",
        "Verkäufer",
        "Gewicht (g)",
        "Firmware",
        "Batterietyp",
        "Kapazität (mAh)",
        "Spannung (V)",
        "Ladungen",
        "Nutzung (h)",
        "Letzter Flug",
        "Ausgemustert",
        "Grund",
        "Nummer",
        "Satz",
        "Chemie",
        "Zellen",
        "Parallel",
        "C-Rate",
        "Stecker",
        "Seriennummer",
        "Zelle voll (V)",
        "Zelle gelagert (V)",
        "Höchstens voll (Tage)",
        "Aufkleber",
    ];
    write_table(out, headings, rows.map(Ok))
}

fn chargings(everything: &Everything<'_>, _: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let rows = everything.chargings.iter().flat_map(|(battery, chargings)| {
        chargings.iter().map(|charging| {
            [
                everything.item_name(*battery).into(),
                charging_kind(charging).into(),
                charging.start.to_string().into(),
                charging.end.map(|end| end.to_string()).unwrap_or_default().into(),
                charging.from_voltage.into(),
                charging.to_voltage.into(),
                charging.from_cell_voltage.into(),
                charging.to_cell_voltage.into(),
                charging.charged.into(),
                charging.figures.measured.into(),
                charging.figures.charger.as_str().into(),
            ]
        })
    });
    let headings = [
        "Batterie",
        "Art",
        "Beginn",
        "Ende",
        "Von (V)",
        "Bis (V)",
        "Zelle von (V)",
        "Zelle bis (V)",
        "Geladen (mAh)",
        "Gemessene Kapazität (mAh)",
        "Ladegerät",
    ];
    write_table(out, headings, rows.map(Ok))
}

fn readings(everything: &Everything<'_>, _: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let values = |values: &[f64]| joined_by(" ", values.iter().map(|value| format_german(*value, 3)));
    let rows = everything.readings.iter().flat_map(|(battery, readings)| {
        readings.iter().map(|reading| {
            [
                everything.item_name(*battery).into(),
                reading.time.to_string().into(),
                reading_kind(reading.kind).into(),
                reading.voltage.into(),
                values(&reading.cell_voltages).into(),
                values(&reading.resistances).into(),
                reading.temperature.into(),
                reading.charger.as_str().into(),
                reading.swollen.into(),
                reading.damaged.into(),
                reading.info.as_str().into(),
            ]
        })
    });
    let headings = [
        "Batterie",
        "Zeit",
        "Art",
        "Spannung (V)",
        "Zellen (V)",
        "Widerstand je Zelle (mΩ)",
        "Temperatur (°C)",
        "Ladegerät",
        "Aufgebläht",
        "Beschädigt",
        "Notiz",
    ];
    write_table(out, headings, rows.map(Ok))
}

fn sets(everything: &Everything<'_>, _: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let rows = everything.sets.iter().map(|set| {
        let members = set.members.iter().map(|member| everything.item_name(*member));
        [set.name.as_str().into(), joined(members).into()]
    });
    write_table(out, ["Satz", "Batterien"], rows.map(Ok))
}

fn jobs(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let number = |value: Option<u32>| value.map(f64::from);
    let text = |value: Option<String>| value.unwrap_or_default();
    let rows = everything.jobs.iter().map(|(job, runs)| {
        let shown = ExportedJob::new(job, runs, clock);
        [
            everything.item_name(job.item).into(),
            shown.title.into(),
            shown.steps.join("; ").into(),
            shown.hours.into(),
            number(shown.flights).into(),
            number(shown.cycles).into(),
            number(shown.days).into(),
            text(shown.turn.date).into(),
            job_repeat(job.entries.repeat).into(),
            shown.source.into(),
            shown.turn.since.into(),
            if job.paused { "ja" } else { "" }.into(),
            if job.archived { "ja" } else { "" }.into(),
        ]
    });
    let headings = [
        "Equipment",
        "Wartung",
        "Schritte",
        "Stunden",
        "Flüge",
        "Ladezyklen",
        "Tage",
        "Termin",
        "Wiederholung",
        "Quelle",
        "Zählt seit",
        "Pausiert",
        "Abgeschlossen",
    ];
    write_table(out, headings, rows.map(Ok))
}

const fn job_repeat(repeat: Repeat) -> &'static str {
    match repeat {
        Repeat::Done => "ab Erledigung",
        Repeat::Due => "fester Termin",
        Repeat::Once => "einmal",
    }
}

fn job_runs(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let rows = everything.jobs.iter().flat_map(|(job, runs)| {
        let shown = ExportedJob::new(job, runs, clock);
        runs.iter().zip(shown.runs).map(|(run, shown)| {
            let done = matches!(run.kind, RunKind::Done);
            [
                everything.item_name(job.item).into(),
                job.entries.title.as_str().into(),
                shown.time.into(),
                if done { "erledigt" } else { "übersprungen" }.into(),
                run.counted.hours().into(),
                f64::from(u32::try_from(run.counted.flights).unwrap_or_default()).into(),
                shown.steps.join("; ").into(),
                shown.info.into(),
                shown.cost.into(),
            ]
        })
    });
    let headings = [
        "Equipment",
        "Wartung",
        "Zeit",
        "Art",
        "Stunden",
        "Flüge",
        "Schritte",
        "Notiz",
        "Kosten (€)",
    ];
    write_table(out, headings, rows.map(Ok))
}

const fn reading_kind(kind: ReadingKind) -> &'static str {
    match kind {
        ReadingKind::Rest => "Ruhe",
        ReadingKind::Charged => "Nach Laden",
        ReadingKind::Landed => "Nach Flug",
        ReadingKind::Stored => "Lagerung",
    }
}

fn charging_kind(charging: &StoredCharging) -> &'static str {
    match (charging.flight, charging.end) {
        (Some(_), _) => "Flug",
        (None, None) => "Läuft noch",
        (None, Some(_)) if charging.is_discharge() => "Entladung",
        (None, Some(_)) => "Aufladung",
    }
}

fn flights(everything: &Everything<'_>, paths: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let rows = everything.flights()?.map(|flight| {
        let flight = flight?;
        let fields = &flight.fields;
        Ok([
            flight.start_time.as_str().into(),
            fields.location.as_str().into(),
            fields.start_latitude.into(),
            fields.start_longitude.into(),
            fields.end_latitude.into(),
            fields.end_longitude.into(),
            fields.minutes.into(),
            fields.maximum_altitude.into(),
            fields.distance.into(),
            fields.maximum_distance.into(),
            fields.speed.into(),
            fields.start_voltage.into(),
            fields.end_voltage.into(),
            fields.consumed_capacity.into(),
            mode(fields.mode).into(),
            fields.weather.as_str().into(),
            fields.purpose.as_str().into(),
            fields.notes.as_str().into(),
            flight.weight.into(),
            item(&flight.copter).into(),
            joined(flight.equipments.iter().map(item)).into(),
            joined(flight.payloads.iter().map(|payload| payload.name.clone())).into(),
            joined(flight.images.iter().map(|id| paths.of_image(id))).into(),
            (!flight.open).into(),
            flight.start_instant.unwrap_or_default().into(),
            flight.end_instant.unwrap_or_default().into(),
        ])
    });
    let headings = [
        "Startzeit",
        "Ort",
        "Start Breite",
        "Start Länge",
        "Ende Breite",
        "Ende Länge",
        "Flugzeit (min)",
        "Höhe (m)",
        "Strecke (km)",
        "Max. Entfernung (m)",
        "Max. Geschwindigkeit (km/h)",
        "Startspannung (V)",
        "Endspannung (V)",
        "Verbrauch (mAh)",
        "Flugmodus",
        "Wetter",
        "Zweck",
        "Notizen",
        "Startgewicht (g)",
        "Copter",
        "Equipment",
        "Nutzlast",
        "Bilder",
        "Abgeschlossen",
        "UTC ab",
        "UTC an",
    ];
    write_table(out, headings, rows)
}

fn logs(everything: &Everything<'_>, paths: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let rows = everything.logs().map(|log| {
        let log = log?;
        let document = log.document.map(|id| paths.of_document(id)).unwrap_or_default();
        Ok([
            log.entries.time.to_string().into(),
            subject(everything, &log).into(),
            log.entries.info.into(),
            document.into(),
            clock.wall_time_at(log.created).to_string().into(),
        ])
    });
    write_table(out, ["Zeit", "Zu", "Text", "Dokument", "Angelegt"], rows)
}

fn subject(everything: &Everything<'_>, log: &StoredLog) -> String {
    match log.subject {
        Subject::Equipment(id) => everything.item_name(id),
        Subject::Flight(id) => format!("Flug vom {}", everything.title(id).start),
    }
}

fn documents(everything: &Everything<'_>, paths: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let rows = everything.documents.iter().map(|document: &StoredDocument| {
        [
            clock.wall_time_at(document.uploaded).to_string().into(),
            document.name.as_str().into(),
            document.description.as_str().into(),
            (document.bytes as f64).into(),
            if document.listed { "Meine Dokumente" } else { "Log" }.into(),
            paths.of_document(document.id).into(),
        ]
    });
    let headings = [
        "Hochgeladen",
        "Name",
        "Beschreibung",
        "Größe (Bytes)",
        "Gehört zu",
        "Datei",
    ];
    write_table(out, headings, rows.map(Ok))
}

fn proofs(everything: &Everything<'_>, paths: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let replaced = replaced(&everything.proofs);
    let rows = everything.proofs.iter().map(|(proof, document)| {
        let shown = Proof::new(proof, document, replaced.get(&proof.document), clock.now().date());
        let pages: Vec<_> = proof.pages.iter().map(|page| paths.of_page(page.id)).collect();
        [
            shown.kind_long_name.into(),
            shown.number.into(),
            shown.since.into(),
            shown.until.into(),
            if shown.endless { "ja" } else { "" }.into(),
            if shown.replaced_by.is_empty() { "" } else { "ja" }.into(),
            shown.description.into(),
            paths.of_document(document.id).into(),
            pages.join("; ").into(),
        ]
    });
    let headings = [
        "Art",
        "Nummer",
        "Gültig ab",
        "Gültig bis",
        "Ohne Ablauf",
        "Ersetzt",
        "Beschreibung",
        "Datei",
        "Seiten",
    ];
    write_table(out, headings, rows.map(Ok))
}

fn feedback(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let rows = everything.feedback.iter().map(|listed| {
        [
            clock.wall_time_at(listed.sent).to_string().into(),
            f64::from(listed.feedback.rate).into(),
            listed.feedback.message.as_str().into(),
            listed.feedback.version.as_str().into(),
        ]
    });
    write_table(out, ["Gesendet", "Bewertung", "Nachricht", "Version"], rows.map(Ok))
}

fn sources(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let rows = everything.sources.iter().map(|(id, source)| {
        [
            everything.title(*id).start.as_str().into(),
            source.file.as_str().into(),
            source.format.as_str().into(),
            clock.wall_time_at(source.added).to_string().into(),
        ]
    });
    write_table(out, ["Startzeit", "Datei", "Format", "Übernommen"], rows.map(Ok))
}

fn aliases(everything: &Everything<'_>, _: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let aliases = everything.aliases.iter();
    let rows = aliases.map(|(text, item)| [text.as_str().into(), everything.item_name(*item).into()]);
    write_table(out, ["Name in Dateien", "Equipment"], rows.map(Ok))
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Copter => "Copter",
        Kind::Battery => "Batterie",
        Kind::Goggles => "Brille",
        Kind::Transmitter => "Sender",
        Kind::VideoCamera => "Videokamera",
    }
}

/// The kind of a space, for people.
pub(crate) fn space_kind(space: &SpaceDetails) -> &'static str {
    match space.is_household {
        true => "Haushalt",
        false => "Verein",
    }
}

const fn chemistry(chemistry: Chemistry) -> &'static str {
    match chemistry {
        Chemistry::Polymer => "LiPo",
        Chemistry::HighVoltage => "LiHV",
        Chemistry::Ion => "Li-Ion",
        Chemistry::Smart => "Smart-Akku",
        Chemistry::Other => "Andere",
    }
}

const fn mode(mode: FlightMode) -> &'static str {
    match mode {
        FlightMode::Angle => "Winkel",
        FlightMode::Horizontal => "Horizontal",
        FlightMode::Manual => "Manuell",
        FlightMode::Unknown => "",
    }
}

fn item(item: &FlightItem) -> String {
    item.name.clone()
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    joined_by(", ", texts)
}

fn joined_by(between: &str, texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(between)
}
