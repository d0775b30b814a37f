//! Records under a wrong key or missing, as after damage to a page of the database: no user gets them, and the check
//! reports each.

use std::fs;
use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, TableError, TableHandle, WriteTransaction};

use crate::cli::check::{check, filled, repair};
use crate::harness::calls::{BATTERY, id_in};
use crate::harness::{PASSWORD, Pilot, Server};

const DATABASE: &str = "fluglog.redb";
const ANNA: &str = "Anna@example.org";
const INTERNAL: &str = "Auf dem Server ist ein Fehler aufgetreten. Bitte versuchen Sie es erneut.";

trait Key: for<'a> redb::Key<SelfType<'a> = Self> + Copy + 'static {}
impl<K: for<'a> redb::Key<SelfType<'a> = K> + Copy + 'static> Key for K {}

#[derive(Clone, Copy)]
enum Damage {
    /// The first two records are swapped.
    Swap,
    /// The first record is missing.
    Lose,
}

/// Damages a table whose keys have this type. Returns false for other keys, or if there are too few records.
fn damage<K: Key>(writing: &WriteTransaction, name: &str, damage: Damage) -> bool {
    let mut table = match writing.open_table(TableDefinition::<K, &[u8]>::new(name)) {
        Err(TableError::TableTypeMismatch { .. }) => return false,
        other => other.unwrap(),
    };
    if let Damage::Lose = damage {
        return table.pop_first().unwrap().is_some();
    }
    let rows = table.iter().unwrap().take(2).map(Result::unwrap);
    let rows: Vec<_> = rows.map(|(key, value)| (key.value(), value.value().to_vec())).collect();
    let [(first, of_first), (second, of_second)] = &rows[..] else {
        return false;
    };
    table.insert(first, &of_second[..]).unwrap();
    table.insert(second, &of_first[..]).unwrap();
    true
}

/// Damages a table unless it is an index or has too few records.
fn damage_in(directory: &Path, name: &str, kind: Damage) -> bool {
    let database = Database::open(directory.join(DATABASE)).unwrap();
    let writing = database.begin_write().unwrap();
    let damaged = damage::<u128>(&writing, name, kind)
        || damage::<(u128, u128)>(&writing, name, kind)
        || damage::<(u128, u128, u128)>(&writing, name, kind)
        || damage::<(u128, u32, u128)>(&writing, name, kind)
        || damage::<(u128, u128, u32)>(&writing, name, kind)
        || damage::<(u128, u128, u8, u32, u128)>(&writing, name, kind)
        || damage::<(u128, u8, u128)>(&writing, name, kind)
        || damage::<(u128, u128, u8)>(&writing, name, kind);
    writing.commit().unwrap();
    damaged
}

fn tables(directory: &Path) -> Vec<String> {
    let database = Database::open(directory.join(DATABASE)).unwrap();
    let reading = database.begin_read().unwrap();
    reading
        .list_tables()
        .unwrap()
        .map(|table| table.name().to_owned())
        .collect()
}

#[test]
fn two_records_that_changed_places_are_named_in_every_table() {
    let (_place, directory) = filled();
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    let mut swapped = Vec::new();
    for name in tables(&directory) {
        if damage_in(&directory, &name, Damage::Swap) {
            let done = check(&directory);
            let named = done
                .stdout
                .lines()
                .filter(|line| line.starts_with(&format!("Schaden: {name} ")));
            let damaged = named.filter(|line| line.ends_with("der Eintrag ist beschädigt"));
            assert_eq!((done.code, damaged.count()), (1, 2), "{name}: {done:?}");
            fs::write(directory.join(DATABASE), &whole).unwrap();
            swapped.push(name);
        }
    }
    assert!(swapped.len() >= 15, "only {swapped:?} had two records");
}

#[test]
fn no_list_shows_records_that_changed_places_or_leaves_out_one_that_is_gone() {
    use Damage::{Lose, Swap};
    let (_place, directory) = filled();
    let server = Server::start_in(&directory);
    let anna = logged_in(&server);
    let battery = [("battery", &*id_in(&anna.equipments(BATTERY, false)[0]))];
    let flight = [("dpfId", &*id_in(&anna.flights()[1]))];
    assert!(server.stop().success());
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    for (kind, table, call, fields) in [
        (Swap, "flights", "GetFlights", &[][..]),
        (Lose, "flights", "GetFlights", &[]),
        (Swap, "flight_years", "GetStatistics", &[]),
        (Swap, "flight_years", "GetFlightMonths", &[]),
        (Swap, "flight_reviews", "GetReview", &[]),
        (Swap, "equipment", "GetAllEquipments", &[]),
        (Lose, "equipment", "GetAllEquipments", &[]),
        (Lose, "equipment", "GetFlights", &[]),
        (Swap, "equipment_totals", "GetAllEquipments", &[]),
        (Swap, "charging_totals", "GetAllEquipments", &[]),
        (Swap, "chargings", "GetChargings", &battery),
        (Lose, "chargings", "GetChargings", &battery),
        (Swap, "documents", "GetUserDocuments", &[]),
        (Swap, "logs", "GetFlightLogs", &flight),
        (Lose, "logs", "GetFlightLogs", &flight),
        (Swap, "images", "GetFlight", &flight),
        (Lose, "images", "GetFlight", &flight),
    ] {
        assert!(damage_in(&directory, table, kind), "{table} has records");
        let server = Server::start_in(&directory);
        let anna = logged_in(&server);
        let method = if call == "GetAllEquipments" { "GET" } else { "POST" };
        let question = anna.ask(method, &format!("/app/api/{call}"));
        let question = if fields.is_empty() {
            question
        } else {
            question.form(fields)
        };
        question.send().expect_refusal(500, INTERNAL);
        anna.post_empty("GetDetailedUser").expect_status(200);
        assert!(server.stop().success());
        fs::write(directory.join(DATABASE), &whole).unwrap();
    }
}

#[test]
fn a_record_under_a_wrong_key_belongs_to_nobody() {
    let (_place, directory) = filled();
    let database = Database::open(directory.join(DATABASE)).unwrap();
    let writing = database.begin_write().unwrap();
    let nobody = 7;
    {
        let mut flights = writing
            .open_table(TableDefinition::<(u128, u128), &[u8]>::new("flights"))
            .unwrap();
        let rows = flights.iter().unwrap().map(Result::unwrap);
        let rows: Vec<_> = rows.map(|(key, value)| (key.value(), value.value().to_vec())).collect();
        for ((owner, _), _) in [&rows[0], &rows[rows.len() - 1]] {
            flights.insert((*owner, nobody), &rows[0].1[..]).unwrap();
        }
    }
    // A session and a persistent login have the same fields.
    let sessions = TableDefinition::<(u128, u128), &[u8]>::new("sessions");
    let session = writing
        .open_table(sessions)
        .unwrap()
        .first()
        .unwrap()
        .unwrap()
        .1
        .value()
        .to_vec();
    let tokens = TableDefinition::<(u128, u128), &[u8]>::new("login_tokens");
    writing
        .open_table(tokens)
        .unwrap()
        .insert((7, 7), &session[..])
        .unwrap();
    writing.commit().unwrap();
    drop(database);

    let done = check(&directory);
    let damaged = done
        .stdout
        .lines()
        .filter(|line| line.ends_with("der Eintrag ist beschädigt"));
    assert_eq!((done.code, damaged.count()), (1, 3), "{done:?}");
    let server = Server::start_in(&directory);
    for email in [ANNA, "Ben@example.org"] {
        let pilot = server.stranger();
        pilot.log_in(email, PASSWORD).expect_status(202);
        let id = "00000000-0000-0000-0000-000000000007";
        pilot.get_flight(id).expect_refusal(500, INTERNAL);
        pilot.post_empty("GetFlights").expect_refusal(500, INTERNAL);
    }
}

fn logged_in(server: &Server) -> Pilot {
    let anna = server.stranger();
    anna.log_in(ANNA, PASSWORD).expect_status(202);
    anna
}

/// Removes the first row of an index or of a derived table.
fn lose(directory: &Path, name: &str) {
    fn first<K: Key, V: redb::Value + 'static>(writing: &WriteTransaction, name: &str) -> bool {
        match writing.open_table(TableDefinition::<K, V>::new(name)) {
            Err(TableError::TableTypeMismatch { .. }) => false,
            table => table.unwrap().pop_first().unwrap().is_some(),
        }
    }
    let database = Database::open(directory.join(DATABASE)).unwrap();
    let writing = database.begin_write().unwrap();
    let lost = first::<(u128, i64, u128), ()>(&writing, name)
        || first::<(u128, u128, i64, u128), ()>(&writing, name)
        || first::<(u128, u128, u8, i64, u128), ()>(&writing, name)
        || first::<(u128, u128), &[u8]>(&writing, name)
        || first::<(u128, u128, u128), &[u8]>(&writing, name)
        || first::<(u128, u32, u128), &[u8]>(&writing, name)
        || first::<(u128, u128, u32), &[u8]>(&writing, name)
        || first::<(u128, u128, u8, u32, u128), &[u8]>(&writing, name);
    assert!(lost, "{name} has rows");
    writing.commit().unwrap();
}

#[test]
fn a_repair_writes_anew_what_follows_from_records_and_says_so() {
    let (_place, directory) = filled();
    let whole = check(&directory).stdout;
    for name in [
        "flights_by_start",
        "logs_by_time",
        "equipment_uses_by_start",
        "equipment_uses",
        "equipment_totals",
        "flight_years",
        "flight_reviews",
        "flight_shares",
        "charging_totals",
        "users_by_email",
    ] {
        lose(&directory, name);
        let found = check(&directory);
        assert_eq!(found.code, 1, "{name}: {found:?}");
        assert!(
            found.stderr.contains("check --repair“ schreibt neu"),
            "{name}: {found:?}"
        );
        let repaired = repair(&directory);
        assert_eq!(
            (repaired.code, repaired.stderr.as_str()),
            (0, ""),
            "{name}: {repaired:?}"
        );
        assert!(repaired.stdout.contains("Repariert: "), "{name}: {repaired:?}");
        assert_eq!(check(&directory).stdout, whole, "{name}");
    }
    let server = Server::start_in(&directory);
    let anna = logged_in(&server);
    assert_eq!(anna.flights().len(), 2);
}

#[test]
fn a_repair_writes_nothing_anew_while_a_record_is_unreadable() {
    let (_place, directory) = filled();
    assert!(damage_in(&directory, "flights", Damage::Swap));
    lose(&directory, "equipment_totals");
    let done = repair(&directory);
    assert_eq!(done.code, 1, "{done:?}");
    assert!(!done.stdout.contains("Repariert: "), "{done:?}");
    assert!(done.stdout.contains("die Summen der Flüge fehlen"), "{done:?}");
}
