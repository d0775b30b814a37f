//! Every call about a space or its equipment by everybody: strangers, each role, a former member, a member of another
//! space, and the operator. Calls come from the running program's document; a new one fails until it is listed here, or
//! among those of no space in `matrix.rs`.

use serde_json::json;

use super::matrix::{self, Call};
use super::spaces::{club, invite, join, member, remove, set_role};
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::{Pilot, Server};

const NO_RIGHT: &str = "Dafür fehlt Ihnen das Recht.";
const NO_MEMBER: &str = "Sie sind nicht mehr Mitglied dieses Bereichs.";

/// The roles, by the rights that they have.
const ROLES: [(&str, u8); 4] = [("reader", 1), ("member", 2), ("keeper", 3), ("manager", 4)];

/// The calls that change and delete entries about equipment, in an order in which each succeeds.
const OF_ENTRIES: [&str; 5] = [
    "SaveCharging",
    "EditBatteryReading",
    "DeleteBatteryReading",
    "EditLog",
    "DeleteLog",
];

/// The least role for each call about a space or its equipment, in an order in which each succeeds. Entries are others'.
const CALLS: &[(&str, u8)] = &[
    ("GetMembers", 1),
    ("GetStorageUsage", 1),
    ("GetEquipment", 1),
    ("GetEquipments", 1),
    ("GetEquipmentLogs", 1),
    ("GetChargings", 1),
    ("GetBatteryPassport", 1),
    ("GetSharedUses", 1),
    ("GetMovePreview", 1),
    ("GetMaintenance", 1),
    ("GetPriorFlights", 1),
    ("GetJobRuns", 1),
    ("DownloadDocument", 1),
    ("GetDocument", 1),
    ("GetInvitations", 4),
    ("GetExportSize", 4),
    ("GetExport", 4),
    ("QuickCharge", 2),
    ("QuickStore", 2),
    ("SaveCharging", 2),
    ("SaveBatteryReading", 2),
    ("SaveEquipmentLog", 2),
    ("AddFlight", 2),
    ("SnoozeBattery", 3),
    ("SaveSticker", 3),
    ("SaveBatteryProfile", 3),
    ("SavePriorFlights", 3),
    ("SaveEditEquipment", 3),
    ("SaveNewEquipment", 3),
    ("SaveBatterySet", 3),
    ("DeleteBatterySet", 3),
    ("EditBatteryReading", 3),
    ("DeleteBatteryReading", 3),
    ("EditLog", 3),
    ("DeleteLog", 3),
    ("SaveJob", 3),
    ("PauseJob", 3),
    ("PutOffJob", 3),
    ("SkipJob", 3),
    ("CompleteJob", 3),
    ("DeleteJobRun", 3),
    ("DeleteJob", 3),
    ("DeactivateEquipment", 3),
    ("ActivateEquipment", 3),
    ("FreeEquipment", 3),
    ("SaveSpace", 4),
    ("SaveMember", 4),
    ("SaveInvitation", 4),
    ("DeleteInvitation", 4),
    ("MoveEquipment", 4),
    ("CreateFlight", 2),
    ("RemoveMember", 4),
    // Refused to the last who manages, and to all while there are members.
    ("DissolveSpace", 4),
    ("LeaveSpace", 1),
    ("GetLabels", 1),
    ("GetLogbookPreview", 1),
];

/// Ids of a club and its equipment.
pub(super) struct Theirs {
    space: String,
    copter: String,
    retired: String,
    battery: String,
    second: String,
    third: String,
    set: String,
    reading: String,
    log: String,
    document: String,
    member: String,
    invitation: String,
    jobs: [String; 4],
}

#[track_caller]
fn shared_item(manager: &Pilot, space: &str, kind: u8, name: &str) -> String {
    let item = json!({"type": kind, "name": name}).to_string();
    let fields = [("equipment", item.as_str()), ("space", space)];
    id_in(&manager.post("SaveNewEquipment", &fields).expect_status(200).json())
}

/// Adds equipment and what is recorded of it to a club.
pub(super) fn things(manager: &Pilot, space: &str, member: &str) -> Theirs {
    let add = |kind, name| shared_item(manager, space, kind, name);
    let (copter, retired) = (add(COPTER, "Falke"), add(COPTER, "Wrack"));
    manager.deactivate(&retired, "verloren").expect_status(200);
    let [battery, second, third, fourth] = ["Akku 1", "Akku 2", "Akku 3", "Akku 4"].map(|name| add(BATTERY, name));
    let members = [third.as_str(), &fourth].join(";");
    let set = manager.post("SaveBatterySet", &[("name", "Lang"), ("members", &members)]);
    let log = [
        ("dpfId", copter.as_str()),
        ("info", "Propeller"),
        ("time", "01.03.2026 09:05"),
    ];
    let log = manager.upload("SaveEquipmentLog", &log, &[("file", "beleg.pdf", b"%PDF-1.4")]);
    let log = log.expect_status(201).json();
    let invitation = manager.post("SaveInvitation", &[("space", space)]).expect_status(201);
    Theirs {
        reading: manager.reading(&battery, &[("voltage", "15,2"), ("time", "08.05.2026 17:00")]),
        set: id_in(&set.expect_status(200).json()),
        document: id_in(&log["documentObj"]),
        log: id_in(&log),
        jobs: matrix::jobs_of(manager, &copter),
        invitation: id_in(&invitation.json()),
        space: space.to_owned(),
        member: member.to_owned(),
        copter,
        retired,
        battery,
        second,
        third,
    }
}

/// A valid request.
fn sent(call: &str, its: &Theirs) -> Vec<(&'static str, String)> {
    let space = ("space", its.space.clone());
    let battery = ("battery", its.battery.clone());
    let id = |id: &String| vec![("dpfId", id.clone())];
    let with = |first: Vec<(&'static str, String)>, more: &[(&'static str, &str)]| {
        let more = more.iter().map(|(name, value)| (*name, (*value).to_owned()));
        first.into_iter().chain(more).collect()
    };
    let log = [("info", "b"), ("time", "01.03.2026 09:05")];
    let config = json!({"copter": its.copter, "equipments": [], "payloads": []}).to_string();
    let edited = |item: serde_json::Value| vec![("equipment", item.to_string())];
    match call {
        "GetMaintenance" | "GetJobRuns" | "SaveJob" | "PauseJob" | "PutOffJob" | "SkipJob" | "CompleteJob"
        | "DeleteJobRun" | "DeleteJob" => sent_about_jobs(call, its),
        "GetMembers" | "GetStorageUsage" | "GetInvitations" | "GetExportSize" | "GetExport" | "SaveInvitation"
        | "DissolveSpace" | "LeaveSpace" => {
            vec![space]
        }
        "GetEquipments" => with(vec![space], &[("type", "0"), ("deactivated", "false")]),
        "SaveSpace" => with(vec![space], &[("name", "MFC Falke")]),
        "SaveMember" => with(vec![space, ("member", its.member.clone())], &[("role", "1")]),
        "RemoveMember" => vec![space, ("member", its.member.clone())],
        "DeleteInvitation" => vec![space, ("dpfId", its.invitation.clone())],
        "GetEquipment" | "GetEquipmentLogs" | "SaveSticker" | "FreeEquipment" => id(&its.copter),
        "GetBatteryPassport" | "GetSharedUses" | "GetMovePreview" => id(&its.battery),
        "MoveEquipment" => id(&its.second),
        "GetPriorFlights" => id(&its.copter),
        "SavePriorFlights" => with(id(&its.copter), &[("prior", r#"{"flights": 900}"#)]),
        "SnoozeBattery" => with(id(&its.battery), &[("days", "3")]),
        "GetLabels" | "GetLogbookPreview" => vec![("equipment", its.copter.clone())],
        "DownloadDocument" | "GetDocument" => id(&its.document),
        "GetChargings" => vec![battery],
        "QuickCharge" | "QuickStore" => with(vec![("battery", its.third.clone())], &[("voltage", "14,8")]),
        "SaveCharging" => with(
            vec![battery],
            &[("chargeStartTime", "10.05.2026 18:00"), ("fromVoltage", "14,8")],
        ),
        "SaveBatteryReading" => with(vec![battery], &[("voltage", "15,1"), ("time", "09.05.2026 17:00")]),
        "SaveBatteryProfile" => with(vec![battery], &[("profile", r#"{"cells": 4}"#)]),
        "SaveEditEquipment" => edited(json!({"dpfId": its.copter, "name": "Milan", "profile": {}})),
        "SaveNewEquipment" => with(vec![space], &[("equipment", r#"{"type": 0, "name": "Neu"}"#)]),
        "SaveBatterySet" => {
            let members = [its.battery.as_str(), &its.second].join(";");
            with(vec![("members", members)], &[("name", "Kurz")])
        }
        "DeleteBatterySet" => vec![("set", its.set.clone())],
        "EditBatteryReading" => with(vec![battery, ("dpfId", its.reading.clone())], &[("temperature", "18")]),
        "DeleteBatteryReading" => vec![battery, ("dpfId", its.reading.clone())],
        "SaveEquipmentLog" => with(id(&its.copter), &log),
        "EditLog" => with(id(&its.log), &log),
        "DeleteLog" => id(&its.log),
        "DeactivateEquipment" => with(id(&its.copter), &[("info", "verkauft")]),
        "ActivateEquipment" => id(&its.retired),
        "AddFlight" => with(
            vec![("config", config)],
            &[("flight", r#"{"startTime": "01.03.2026 09:05"}"#)],
        ),
        "CreateFlight" => with(vec![("config", config)], &[("flight", "{}")]),
        other => panic!("{other} has no request"),
    }
}

fn sent_about_jobs(call: &str, its: &Theirs) -> Vec<(&'static str, String)> {
    let [job, doomed, done, run] = &its.jobs;
    let (job, more): (_, &[(&'static str, &str)]) = match call {
        "SaveJob" => (job, &[("job", r#"{"title": "Propeller", "flights": 20}"#)]),
        "PauseJob" => (job, &[("on", "true")]),
        "PutOffJob" => (job, &[("flights", "5")]),
        "CompleteJob" => (job, &[("again", "true")]),
        "DeleteJobRun" => (done, &[("run", run)]),
        "DeleteJob" => (doomed, &[]),
        "GetMaintenance" => return vec![("dpfId", its.copter.clone())],
        _ => (job, &[]),
    };
    let more = more.iter().map(|(name, value)| (*name, (*value).to_owned()));
    [("dpfId", its.copter.clone()), ("jobId", job.clone())]
        .into_iter()
        .chain(more)
        .collect()
}

pub(super) fn ask(pilot: &Pilot, call: &Call, its: &Theirs) -> crate::harness::answer::Answer {
    let fields = sent(&call.name, its).into_iter();
    let sent = matrix::Sent {
        fields: fields.map(|(name, value)| (name.to_owned(), value)).collect(),
        files: vec![],
    };
    matrix::question(pilot, call, &sent).send()
}

/// The calls about spaces, in the order of [`CALLS`], with the least role of each.
pub(super) fn calls(server: &Server) -> Vec<(Call, u8)> {
    let mut all = matrix::calls(server);
    let forgotten = all.iter().filter(|call| {
        let is_known =
            CALLS.iter().any(|(name, _)| *name == call.name) || matrix::OF_NO_SPACE.contains(&call.name.as_str());
        call.role() == "pilot" && !is_known
    });
    let forgotten: Vec<_> = forgotten.map(|call| call.name.as_str()).collect();
    assert!(forgotten.is_empty(), "whose are {forgotten:?}?");
    let listed = CALLS.iter().map(|(name, least)| {
        let at = all.iter().position(|call| call.name == *name);
        (all.swap_remove(at.unwrap_or_else(|| panic!("no call {name}"))), *least)
    });
    listed.collect()
}

#[test]
fn every_call_about_a_space_refuses_whoever_lacks_the_right_and_changes_nothing() {
    let server = Server::start();
    let (operator, founder) = (server.pilot("operator"), server.pilot("founder"));
    let space = club(&founder);
    let other = club(&server.pilot("other"));
    let pilots = ROLES.map(|(name, role)| {
        let pilot = server.pilot(name);
        join(&founder, &space, &pilot, role);
        (pilot, role)
    });
    let (former, neighbour) = (server.pilot("former"), server.pilot("neighbour"));
    join(&founder, &space, &former, 4);
    remove(&founder, &space, &member(&founder, &space, "former")).expect_status(200);
    let other_founder = server.stranger();
    other_founder
        .log_in("other@example.org", crate::harness::PASSWORD)
        .expect_status(202);
    join(&other_founder, &other, &neighbour, 4);
    let its = things(&founder, &space, &member(&founder, &space, "reader"));
    let before = founder.everything();
    for (call, least) in calls(&server) {
        let name = &call.name;
        ask(&server.stranger(), &call, &its).expect_not_logged_in();
        for (pilot, who) in [(&operator, "operator"), (&neighbour, "neighbour")] {
            let answer = ask(pilot, &call, &its);
            assert_eq!(
                (answer.status, answer.text().as_str()),
                (403, "Darauf haben Sie keinen Zugriff."),
                "{name} {who}"
            );
        }
        let answer = ask(&former, &call, &its);
        assert_eq!(
            (answer.status, answer.text().as_str()),
            (403, NO_MEMBER),
            "{name} of a former member"
        );
        for (pilot, role) in pilots.iter().filter(|(_, role)| *role < least) {
            let answer = ask(pilot, &call, &its);
            assert_eq!(
                (answer.status, answer.text().as_str()),
                (403, NO_RIGHT),
                "{name} of role {role}"
            );
        }
    }
    assert_eq!(founder.everything(), before);
}

#[test]
fn every_call_about_a_space_serves_each_role_that_has_the_right() {
    let server = Server::start();
    let founder = server.pilot("founder");
    for (role_name, role) in ROLES {
        let space = club(&founder);
        let (pilot, victim) = (server.pilot(role_name), server.pilot(&format!("victim-{role_name}")));
        join(&founder, &space, &pilot, role);
        join(&founder, &space, &victim, 2);
        let its = things(
            &founder,
            &space,
            &member(&founder, &space, &format!("victim-{role_name}")),
        );
        for (call, _) in calls(&server).iter().filter(|(_, least)| *least <= role) {
            let answer = ask(&pilot, call, &its);
            let expected = match call.name.as_str() {
                "DissolveSpace" => 409,
                _ => 200,
            };
            let is_expected = answer.status == expected || (expected == 200 && answer.status == 201);
            assert!(
                is_expected,
                "{} of {role_name}: {} {}",
                call.name,
                answer.status,
                answer.text()
            );
            if ["DeactivateEquipment", "CreateFlight"].contains(&call.name.as_str()) {
                put_back(&pilot, &founder, &its, &call.name, &answer.text());
            }
            if call.name == "LeaveSpace" {
                break;
            }
        }
    }
}

/// Entries of one pilot about a club's equipment.
struct Entries {
    charging: String,
    reading: String,
    log: String,
}

impl Entries {
    #[track_caller]
    fn by(pilot: &Pilot, its: &Theirs) -> Entries {
        let charging = [
            ("chargeStartTime", "02.03.2026 10:00"),
            ("chargeEndTime", "02.03.2026 11:00"),
            ("fromVoltage", "14,8"),
            ("toVoltage", "16,8"),
            ("charged", "9000"),
        ];
        let log = [
            ("dpfId", its.copter.as_str()),
            ("info", "Beule"),
            ("time", "02.03.2026 09:05"),
        ];
        let log = pilot.upload("SaveEquipmentLog", &log, &[]).expect_status(201);
        let charging = pilot.save_charging(&its.battery, &charging).expect_status(200);
        Entries {
            charging: id_in(&charging.json()),
            reading: pilot.reading(&its.battery, &[("voltage", "15,2")]),
            log: id_in(&log.json()),
        }
    }

    fn change(&self, pilot: &Pilot, call: &str, its: &Theirs) -> (u16, String) {
        let battery = ("battery", its.battery.as_str());
        let answer = match call {
            "SaveCharging" => pilot.post(call, &[battery, ("dpfId", &self.charging), ("charged", "900")]),
            "EditLog" => {
                let log = [
                    ("dpfId", self.log.as_str()),
                    ("info", "Delle"),
                    ("time", "02.03.2026 09:05"),
                ];
                pilot.upload(call, &log, &[])
            }
            "DeleteLog" => pilot.post(call, &[("dpfId", &self.log)]),
            _ => pilot.post(call, &[battery, ("dpfId", &self.reading), ("voltage", "15,1")]),
        };
        (answer.status, answer.text())
    }
}

#[test]
fn a_member_changes_the_own_entries_about_equipment_and_who_maintains_it_those_of_all() {
    let server = Server::start();
    let (founder, other) = (server.pilot("founder"), server.pilot("other"));
    let space = club(&founder);
    join(&founder, &space, &other, 2);
    let its = things(&founder, &space, &member(&founder, &space, "other"));
    for (name, role) in ROLES {
        let pilot = server.pilot(name);
        join(&founder, &space, &pilot, 2);
        let [own, last] = [0, 1].map(|_| Entries::by(&pilot, &its));
        let others = Entries::by(&other, &its);
        let id = member(&founder, &space, name);
        set_role(&founder, &space, &id, role).expect_status(200);
        for call in OF_ENTRIES {
            for (entries, least, whose) in [(&own, 2, "own"), (&others, 3, "others'")] {
                let (status, text) = entries.change(&pilot, call, &its);
                match role < least {
                    true => assert_eq!((status, text.as_str()), (403, NO_RIGHT), "{call} of {name}: {whose}"),
                    false => assert_eq!(status, 200, "{call} of {name}: {whose}: {text}"),
                }
            }
        }
        remove(&founder, &space, &id).expect_status(200);
        for call in OF_ENTRIES {
            let (status, text) = last.change(&pilot, call, &its);
            assert_eq!((status, text.as_str()), (403, NO_MEMBER), "{call} of a former {name}");
        }
    }
}

/// Undoes what later calls would stumble over.
pub(super) fn put_back(pilot: &Pilot, founder: &Pilot, its: &Theirs, call: &str, answer: &str) {
    match call {
        "DeactivateEquipment" => drop(founder.activate(&its.copter).expect_status(200)),
        _ => drop(pilot.delete_flight(answer).expect_status(200)),
    }
}

#[test]
fn a_role_lowered_between_form_and_save_is_refused_in_words() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let space = club(&anna);
    join(&anna, &space, &ben, 3);
    let copter = shared_item(&anna, &space, COPTER, "Falke");
    ben.equipment(&copter);
    let id = member(&anna, &space, "ben");
    let lowered = [("space", space.as_str()), ("member", &id), ("role", "2")];
    anna.post("SaveMember", &lowered).expect_status(200);
    let edited = json!({"dpfId": copter, "name": "Milan"});
    ben.save_edit_equipment(&edited).expect_refusal(403, NO_RIGHT);
    remove(&anna, &space, &id).expect_status(200);
    ben.save_edit_equipment(&edited).expect_refusal(403, NO_MEMBER);
    assert_eq!(anna.equipment(&copter)["name"], "Falke");
}

#[test]
fn a_member_removed_while_saving_saves_wholly_or_not_at_all() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let space = club(&anna);
    for round in 0..5 {
        let name = format!("ben{round}");
        let ben = server.pilot(&name);
        let token = invite(&anna, &space, &[("role", "3")]);
        ben.post("AcceptSpaceInvitation", &[("token", &token)])
            .expect_status(200);
        let copter = shared_item(&anna, &space, COPTER, "Falke");
        let id = member(&anna, &space, &name);
        let edited = json!({"dpfId": copter, "name": "Milan"});
        let (saved, removed) = std::thread::scope(|scope| {
            let saved = scope.spawn(|| ben.save_edit_equipment(&edited));
            let removed = scope.spawn(|| remove(&anna, &space, &id).status);
            (saved.join().unwrap(), removed.join().unwrap())
        });
        assert_eq!(removed, 200);
        let now = anna.equipment(&copter)["name"].clone();
        match saved.status {
            200 => assert_eq!(now, "Milan"),
            _ => {
                saved.expect_refusal(403, NO_MEMBER);
                assert_eq!(now, "Falke");
            }
        }
    }
}
