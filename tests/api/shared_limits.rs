//! Much shared equipment: the most flights that move with an item, and how long a member waits for a large club's lists.

use std::ops::Range;
use std::thread;

use serde_json::json;

use crate::harness::calls::{BATTERY, COPTER};
use crate::harness::process::run;
use crate::harness::spaces::{CLUB, MEMBER, expect_clean};
use crate::harness::{PASSWORD, Pilot, Server, text};

/// A set of batteries moves together, and the flights with each of them count.
const SET: usize = 8;
const MOST_FLIGHTS: usize = 5000 / SET;
const TOO_MUCH: &str =
    "Dieses Equipment hat zu viele Flüge und Einträge. Nur der Betreiber kann es verschieben (fluglog equipment move).";

/// Adds flights with a copter and batteries, several at a time.
fn fly_often(pilot: &Pilot, copter: &str, packs: &[String], count: usize) {
    const AT_ONCE: usize = 25;
    let config = json!({"copter": copter, "equipments": packs}).to_string();
    let flight = json!({"startTime": "01.03.2026 10:00", "flightTime": "5"}).to_string();
    let tabs: Vec<_> = (0..AT_ONCE).map(|_| pilot.another_tab()).collect();
    thread::scope(|scope| {
        for tab in &tabs {
            scope.spawn(|| {
                for _ in 0..count / AT_ONCE {
                    tab.post("AddFlight", &[("config", &config), ("flight", &flight)])
                        .expect_status(201);
                }
            });
        }
    });
}

#[test]
fn an_item_moves_with_five_thousand_flights_and_with_more_only_by_the_operator() {
    let server = Server::start();
    let anna = server.pilot("Anna");
    let space = anna.make_space(CLUB, "MFC");
    let copter = anna.item(COPTER, "Falke");
    let packs: Vec<_> = (1..=SET)
        .map(|number| anna.item(BATTERY, &format!("Akku {number}")))
        .collect();
    anna.post("SaveBatterySet", &[("name", "Lang"), ("members", &packs.join(";"))])
        .expect_status(200);
    fly_often(&anna, &copter, &packs, MOST_FLIGHTS);
    let owner = |pack: &String| anna.equipment(pack)["space"]["name"].clone();
    anna.move_equipment(&packs[0], &space);
    assert!(packs.iter().all(|pack| owner(pack) == "MFC"));

    anna.fly(&copter, &[&packs[0]], &json!({"flightTime": "5"}));
    let hours = anna.equipment(&packs[0])["usageTime"].clone();
    anna.post("MoveEquipment", &[("dpfId", &packs[1]), ("space", "")])
        .expect_refusal(409, TOO_MUCH);
    assert!(packs.iter().all(|pack| owner(pack) == "MFC"));
    assert_eq!(anna.shared_uses(&packs[0]).len(), MOST_FLIGHTS + 1);
    expect_clean(server.directory());

    let to = ["--user", "Anna@example.org", "--data-dir", text(server.directory())];
    let moved = run([&["equipment", "move", packs[1].as_str()][..], &to].concat());
    assert_eq!(moved.code, 0, "{moved:?}");
    assert!(packs.iter().all(|pack| owner(pack).is_null()));
    assert_eq!(anna.equipment(&packs[0])["usageTime"], hours);
    expect_clean(server.directory());
}

/// Milliseconds of the processor in which the server answers a member's list of all equipment.
fn time_of_list(server: &Server, pilot: &Pilot, times: u32) -> f64 {
    pilot.all_equipments();
    let before = server.processor_time();
    for _ in 0..times {
        pilot.all_equipments();
    }
    (server.processor_time() - before).as_secs_f64() * 1000.0 / f64::from(times)
}

fn setting(name: &str, usual: usize) -> usize {
    std::env::var(name).map_or(usual, |value| value.parse().expect("a number"))
}

/// Adds items of all kinds to a pilot, or to a space.
fn add_items(pilot: &Pilot, space: Option<&str>, count: usize) {
    for number in 0..count {
        let (kind, name) = ([COPTER, BATTERY, 2, 3, 4][number % 5], format!("Teil {number}"));
        match space {
            Some(space) => pilot.item_of_space(space, kind, &name),
            None => pilot.item(kind, &name),
        };
    }
}

/// Makes members of a club, each with 20 items if `equipped`; returns the last one. One address may keep only some
/// connections, so each member's ends here.
fn add_members(server: &Server, manager: &Pilot, space: &str, numbers: Range<usize>, equipped: usize) -> Option<Pilot> {
    let mut last = None;
    let mut token = String::new();
    for (made, number) in numbers.enumerate() {
        if made % 50 == 0 {
            let fields = [("space", space), ("role", "2"), ("uses", "50")];
            let invitation = manager.post("SaveInvitation", &fields).expect_status(201).json();
            let link = invitation["link"].as_str().expect("a link");
            link.split('#').nth(1).expect("a token").clone_into(&mut token);
        }
        let member = server.stranger();
        let email = format!("m{number}@example.org");
        let account = [("email", email.as_str()), ("nickname", "Mitglied")];
        let login = [
            ("token", token.as_str()),
            ("password", PASSWORD),
            ("repeatPassword", PASSWORD),
        ];
        let fields = [&account[..], &login].concat();
        member.post("RegisterByInvitation", &fields).expect_status(201);
        if made < equipped {
            add_items(&member, None, 20);
        }
        last = Some(member);
    }
    last
}

/// `FLUGLOG_CLUB_MEMBERS=499 FLUGLOG_CLUB_EQUIPPED=499 FLUGLOG_CLUB_LISTS=200` measures a large club, each of whose
/// members has 20 items as well.
#[test]
fn a_member_waits_no_longer_for_all_equipment_in_a_large_club() {
    let server = Server::start();
    let anna = server.pilot("Anna");
    let space = anna.make_space(CLUB, "MFC");
    add_items(&anna, Some(&space), 20);
    let lists = u32::try_from(setting("FLUGLOG_CLUB_LISTS", 50)).expect("not so many");
    let first = add_members(&server, &anna, &space, 0..3, 0).expect("a member");
    add_items(&first, None, 20);
    let small = time_of_list(&server, &first, lists);
    let members = setting("FLUGLOG_CLUB_MEMBERS", 12);
    let equipped = setting("FLUGLOG_CLUB_EQUIPPED", 3);
    add_members(&server, &anna, &space, 3..members, equipped);
    let large = time_of_list(&server, &first, lists);
    eprintln!("3 and {members} members: {small:.2} and {large:.2} ms of the processor for 40 items");
    assert!(large < small * 1.5 + 1.0, "{small} and {large} ms");
}

#[test]
fn shared_packs_are_listed_about_as_fast_as_own_ones() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let space = anna.make_space(CLUB, "MFC");
    anna.take_in(&space, MEMBER, &ben, true);
    let olaf = server.pilot("Olaf");
    for number in 0..200 {
        anna.item_of_space(&space, BATTERY, &format!("Akku {number}"));
        olaf.item(BATTERY, &format!("Akku {number}"));
    }
    let lists = u32::try_from(setting("FLUGLOG_CLUB_LISTS", 20)).expect("not so many");
    let (own, shared) = (time_of_list(&server, &olaf, lists), time_of_list(&server, &ben, lists));
    eprintln!("200 own and 200 shared packs: {own:.2} and {shared:.2} ms of the processor");
    assert!(shared < own * 1.5 + 1.0, "{own} and {shared} ms");
}
