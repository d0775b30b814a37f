//! Records in a wrong place, as a damaged page of the database shows them: nobody's data, and the check names each.

use std::fs;
use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, TableError, TableHandle, WriteTransaction};

use crate::check::{check, filled};
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::{PASSWORD, Pilot, Server};

const DATABASE: &str = "fluglog.redb";
const ANNA: &str = "Anna@example.org";
const INTERNAL: &str = "Auf dem Server ist ein Fehler aufgetreten. Bitte versuchen Sie es erneut.";

trait Key: for<'a> redb::Key<SelfType<'a> = Self> + Copy + 'static {}
impl<K: for<'a> redb::Key<SelfType<'a> = K> + Copy + 'static> Key for K {}

/// Lets the first two records of a table change places. Whether its keys are these, and it has two.
fn swap<K: Key>(writing: &WriteTransaction, name: &str) -> bool {
    let mut table = match writing.open_table(TableDefinition::<K, &[u8]>::new(name)) {
        Err(TableError::TableTypeMismatch { .. }) => return false,
        other => other.unwrap(),
    };
    let rows = table.iter().unwrap().take(2).map(Result::unwrap);
    let rows: Vec<_> = rows.map(|(key, value)| (key.value(), value.value().to_vec())).collect();
    let [(first, of_first), (second, of_second)] = &rows[..] else {
        return false;
    };
    table.insert(first, &of_second[..]).unwrap();
    table.insert(second, &of_first[..]).unwrap();
    true
}

/// Lets the first two records of a table change places, if it has two.
fn swap_in(directory: &Path, name: &str) -> bool {
    let database = Database::open(directory.join(DATABASE)).unwrap();
    let writing = database.begin_write().unwrap();
    let swapped = swap::<u128>(&writing, name)
        || swap::<(u128, u128)>(&writing, name)
        || swap::<(u128, u128, u128)>(&writing, name)
        || swap::<(u128, u128, u8)>(&writing, name)
        || swap::<(u128, u8, u128)>(&writing, name);
    writing.commit().unwrap();
    swapped
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
        if swap_in(&directory, &name) {
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
fn no_list_shows_records_that_changed_places() {
    let (_place, directory) = filled();
    let server = Server::start_in(&directory);
    let anna = logged_in(&server);
    let battery = id_in(&anna.equipments(BATTERY, false)[0]);
    let copter = id_in(&anna.equipments(COPTER, false)[0]);
    assert!(server.stop().success());
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    for (table, call, fields) in [
        ("flights", "GetFlights", &[][..]),
        ("equipment", "GetEquipments", &[("type", "0"), ("deactivated", "false")]),
        (
            "equipment_totals",
            "GetEquipments",
            &[("type", "0"), ("deactivated", "false")],
        ),
        ("chargings", "GetChargings", &[("battery", battery.as_str())]),
        (
            "charging_totals",
            "GetEquipments",
            &[("type", "1"), ("deactivated", "false")],
        ),
        ("documents", "GetUserDocuments", &[]),
        ("logs", "GetEquipmentLogs", &[("dpfId", copter.as_str())]),
    ] {
        assert!(swap_in(&directory, table), "{table} has two records");
        let server = Server::start_in(&directory);
        let anna = logged_in(&server);
        anna.post(call, fields).expect_refusal(500, INTERNAL);
        anna.post_empty("GetDetailedUser").expect_status(200);
        assert!(server.stop().success());
        fs::write(directory.join(DATABASE), &whole).unwrap();
    }
}

#[test]
fn a_record_under_a_key_that_nobody_gave_it_is_nobody_s() {
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
    // A session and a login that stays have the same fields.
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
