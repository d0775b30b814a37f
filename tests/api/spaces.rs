//! Households and clubs: members and their roles, invitations, and what becomes of a space.

use std::thread;

use serde_json::{Value, json};

use crate::harness::answer::Answer;
use crate::harness::calls::{id_in, keys};
use crate::harness::{PASSWORD, Pilot, Server};

const HOUSEHOLD: &str = "1";
const CLUB: &str = "2";
const READER: u8 = 1;
const MEMBER: u8 = 2;
const KEEPER: u8 = 3;
const MANAGER: u8 = 4;

const NO_RIGHT: &str = "Dafür fehlt Ihnen das Recht.";
const NO_MEMBER: &str = "Sie sind nicht mehr Mitglied dieses Bereichs.";
const GONE: &str = "Diese Einladung ist abgelaufen.";
const LAST_MANAGER: &str = "Mindestens eine Person muss die Verwaltung behalten.";

/// Makes a space; returns its id.
#[track_caller]
pub fn space(pilot: &Pilot, kind: &str, name: &str) -> String {
    let made = pilot.post("SaveSpace", &[("kind", kind), ("name", name)]);
    id_in(&made.expect_status(200).json())
}

#[track_caller]
pub fn club(pilot: &Pilot) -> String {
    space(pilot, CLUB, "MFC Falke")
}

/// Makes an invitation; returns its token.
#[track_caller]
pub fn invite(pilot: &Pilot, space: &str, fields: &[(&str, &str)]) -> String {
    let made = pilot.post("SaveInvitation", &[&[("space", space)][..], fields].concat());
    let link = made.expect_status(201).json();
    token_of(&link)
}

fn token_of(link: &Value) -> String {
    let link = link["link"].as_str().expect("a link");
    link.split_once('#').expect("a token").1.to_owned()
}

pub fn accept(pilot: &Pilot, token: &str) -> Answer {
    pilot.post("AcceptSpaceInvitation", &[("token", token)])
}

/// Makes a pilot a member with this role.
#[track_caller]
pub fn join(manager: &Pilot, space: &str, pilot: &Pilot, role: u8) {
    let token = invite(manager, space, &[("role", &role.to_string())]);
    accept(pilot, &token).expect_status(200);
}

#[track_caller]
fn spaces(pilot: &Pilot) -> Vec<Value> {
    let list = pilot.post_empty("GetSpaces").expect_status(200).json();
    list.as_array().expect("a list").clone()
}

#[track_caller]
pub fn members(pilot: &Pilot, space: &str) -> Vec<Value> {
    let list = pilot.post("GetMembers", &[("space", space)]).expect_status(200).json();
    list.as_array().expect("a list").clone()
}

/// The id of a member.
#[track_caller]
pub fn member(pilot: &Pilot, space: &str, name: &str) -> String {
    let members = members(pilot, space);
    id_in(members.iter().find(|member| member["name"] == name).expect("a member"))
}

#[track_caller]
pub fn set_role(pilot: &Pilot, space: &str, member: &str, role: u8) -> Answer {
    let role = role.to_string();
    pilot.post("SaveMember", &[("space", space), ("member", member), ("role", &role)])
}

pub fn remove(pilot: &Pilot, space: &str, member: &str) -> Answer {
    pilot.post("RemoveMember", &[("space", space), ("member", member)])
}

fn leave(pilot: &Pilot, space: &str) -> Answer {
    pilot.post("LeaveSpace", &[("space", space)])
}

fn dissolve(pilot: &Pilot, space: &str) -> Answer {
    pilot.post("DissolveSpace", &[("space", space)])
}

#[test]
fn a_pilot_in_no_space_sees_nothing_of_them() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let session = anna.check_session().expect_status(200).json();
    assert_eq!(
        keys(&session),
        ["account", "nickname", "openFlight", "photo", "remembered"]
    );
    assert!(spaces(&anna).is_empty());
}

#[test]
fn who_makes_a_space_manages_it_and_sees_it_in_the_session() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let id = "0198b6f0-1111-7000-8000-0000000000b1";
    let fields = [
        ("dpfId", id),
        ("kind", HOUSEHOLD),
        ("name", "Familie Luft"),
        ("contact", "0170 1"),
    ];
    let made = anna.post("SaveSpace", &fields).expect_status(200).json();
    assert_eq!(anna.post("SaveSpace", &fields).expect_status(200).json(), made);
    let created = made["created"].clone();
    assert_eq!(
        made,
        json!({"dpfId": id, "name": "Familie Luft", "kind": 1, "role": 4, "contact": "0170 1", "created": created,
            "members": 1, "items": 0, "nameShown": true})
    );
    assert_eq!(spaces(&anna), [made]);
    let session = anna.check_session().expect_status(200).json();
    assert_eq!(
        session["spaces"],
        json!([{"dpfId": id, "name": "Familie Luft", "kind": 1, "role": 4}])
    );
    let changed = anna
        .post("SaveSpace", &[("space", id), ("name", "Zuhause")])
        .expect_status(200)
        .json();
    assert_eq!(
        (&changed["name"], &changed["contact"]),
        (&json!("Zuhause"), &json!("0170 1"))
    );
    for wrong in [
        &[("kind", HOUSEHOLD)][..],
        &[("name", "Zuhause")],
        &[("kind", "3"), ("name", "Zuhause")],
        &[("space", id), ("name", "")],
        &[("space", id), ("name", "Z"), ("kind", "0")],
    ] {
        anna.post("SaveSpace", wrong).expect_status(400);
    }
    let ben = server.pilot("ben");
    ben.post("SaveSpace", &fields).expect_no_access();
    ben.post("SaveSpace", &[("space", id), ("name", "Meins")])
        .expect_no_access();
}

#[test]
fn an_invitation_says_what_it_is_for_and_makes_a_member() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let club = club(&anna);
    let made = anna.post(
        "SaveInvitation",
        &[("space", &club), ("role", "3"), ("days", "14"), ("uses", "2")],
    );
    let made = made.expect_status(201).json();
    assert!(
        made["link"]
            .as_str()
            .unwrap()
            .starts_with(&format!("{}/app/invite#", server.origin()))
    );
    assert!(made["img"].as_str().unwrap().starts_with("iVBOR"), "a PNG");
    let token = token_of(&made);
    let said = server.stranger().post("GetSpaceInvitation", &[("token", &token)]);
    let said = said.expect_status(200).json();
    let ends = made["ends"].clone();
    assert_eq!(
        said,
        json!({"name": "MFC Falke", "kind": 2, "role": 3, "by": "anna", "members": 1, "items": 0, "ends": ends,
            "space": null})
    );
    let joined = accept(&ben, &token).expect_status(200).json();
    assert_eq!((&joined["role"], &joined["members"]), (&json!(KEEPER), &json!(2)));
    assert_eq!(accept(&ben, &token).expect_status(200).json(), joined, "once more");
    let again = ben
        .post("GetSpaceInvitation", &[("token", &token)])
        .expect_status(200)
        .json();
    assert_eq!(again["space"], json!(club));
    let open = anna
        .post("GetInvitations", &[("space", &club)])
        .expect_status(200)
        .json();
    assert_eq!(
        (&open[0]["uses"], &open[0]["usesLeft"]),
        (&json!(2), &json!(1)),
        "one membership, one use"
    );
    assert_eq!(members(&anna, &club).len(), 2);
}

#[test]
fn an_invitation_can_be_used_as_often_as_it_says_until_it_ends_or_is_taken_back() {
    let server = Server::start();
    let (anna, ben, carl) = (server.pilot("anna"), server.pilot("ben"), server.pilot("carl"));
    let club = club(&anna);
    let once = invite(&anna, &club, &[]);
    accept(&ben, &once).expect_status(200);
    accept(&carl, &once).expect_refusal(410, GONE);
    server
        .stranger()
        .post("GetSpaceInvitation", &[("token", &once)])
        .expect_refusal(410, GONE);
    let open = |pilot: &Pilot| {
        pilot
            .post("GetInvitations", &[("space", &club)])
            .expect_status(200)
            .json()
    };
    assert_eq!(open(&anna), json!([]), "a used one isn't open");
    let taken_back = invite(&anna, &club, &[]);
    let id = id_in(&open(&anna)[0]);
    anna.post("DeleteInvitation", &[("space", &club), ("dpfId", &id)])
        .expect_status(200);
    accept(&carl, &taken_back).expect_refusal(410, GONE);
    for wrong in [
        ("days", "0"),
        ("days", "31"),
        ("uses", "0"),
        ("uses", "51"),
        ("role", "5"),
    ] {
        anna.post("SaveInvitation", &[("space", club.as_str()), wrong])
            .expect_status(400);
    }
    // Ben, a member, may not invite.
    ben.post("SaveInvitation", &[("space", &club)])
        .expect_refusal(403, NO_RIGHT);
    ben.post("GetInvitations", &[("space", &club)])
        .expect_refusal(403, NO_RIGHT);
}

#[test]
fn an_invitation_ends_when_who_made_it_manages_no_longer() {
    let server = Server::start();
    let [anna, ben, carl] = ["anna", "ben", "carl"].map(|name| server.pilot(name));
    let club = club(&anna);
    join(&anna, &club, &ben, MANAGER);
    let token = invite(&ben, &club, &[]);
    let id = member(&anna, &club, "ben");
    set_role(&anna, &club, &id, KEEPER).expect_status(200);
    set_role(&anna, &club, &id, MANAGER).expect_status(200);
    accept(&carl, &token).expect_refusal(410, GONE);
}

#[test]
fn wrong_invitations_can_be_tried_twenty_times() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let club = club(&anna);
    let token = invite(&anna, &club, &[("uses", "5")]);
    for _ in 0..20 {
        server
            .stranger()
            .post("GetSpaceInvitation", &[("token", "unknown")])
            .expect_refusal(410, GONE);
    }
    server
        .stranger()
        .post("GetSpaceInvitation", &[("token", &token)])
        .expect_status(429);
    accept(&ben, &token).expect_status(429);
}

#[test]
fn an_invitation_makes_an_account_although_registration_is_closed() {
    let server = Server::start_with(&[("FLUGLOG_REGISTRATION", "closed")]);
    let anna = server.pilot("anna");
    let club = club(&anna);
    let token = invite(&anna, &club, &[("uses", "2")]);
    let register = |email: &str, shown: &str| {
        let pilot = server.stranger();
        let fields = [
            ("token", token.as_str()),
            ("email", email),
            ("nickname", "Neu"),
            ("password", PASSWORD),
            ("nameShown", shown),
        ];
        (pilot.post("RegisterByInvitation", &fields), pilot)
    };
    register("anna@example.org", "true").0.expect_status(409);
    register("keine", "true").0.expect_status(400);
    let (made, neu) = register("neu@example.org", "false");
    let made = made.expect_status(201).json();
    assert_eq!(
        made["spaces"],
        json!([{"dpfId": club, "name": "MFC Falke", "kind": 2, "role": 2}])
    );
    neu.check_session().expect_status(200);
    assert_eq!(
        spaces(&neu)[0]["nameShown"],
        json!(false),
        "the choice is carried along"
    );
    register("noch@example.org", "true").0.expect_status(201);
    register("drei@example.org", "true").0.expect_refusal(410, GONE);
}

#[test]
fn members_are_named_as_they_decide_in_a_club_and_always_in_a_household() {
    let server = Server::start();
    let [anna, ben, carl] = ["anna", "ben", "carl"].map(|name| server.pilot(name));
    let club = club(&anna);
    let token = invite(&anna, &club, &[("uses", "2")]);
    ben.post("AcceptSpaceInvitation", &[("token", &token), ("nameShown", "false")])
        .expect_status(200);
    accept(&carl, &token).expect_status(200);
    let names = |pilot: &Pilot| {
        let members = members(pilot, &club);
        let names = members.iter().map(|member| member["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(&carl), ["anna", "carl", "ein Mitglied"]);
    assert_eq!(
        names(&anna),
        ["anna", "ben", "carl"],
        "who manages the members knows them"
    );
    assert_eq!(names(&ben), ["anna", "ben", "carl"]);
    let refused = "Ein Mitglied möchte nicht genannt werden. In einem Haushalt stehen alle Namen.";
    anna.post("SaveSpace", &[("space", &club), ("kind", HOUSEHOLD)])
        .expect_refusal(409, refused);
    let id = member(&ben, &club, "ben");
    let show = |pilot: &Pilot, shown: &str| {
        pilot.post("SaveMember", &[("space", &club), ("member", &id), ("nameShown", shown)])
    };
    show(&anna, "true").expect_refusal(403, NO_RIGHT);
    show(&ben, "true").expect_status(200);
    anna.post("SaveSpace", &[("space", &club), ("kind", HOUSEHOLD)])
        .expect_status(200);
    show(&ben, "false").expect_refusal(409, "In einem Haushalt stehen alle Namen.");
    let later = invite(&anna, &club, &[]);
    let dora = server.pilot("dora");
    let joined = dora.post("AcceptSpaceInvitation", &[("token", &later), ("nameShown", "false")]);
    let joined = joined.expect_status(200).json();
    assert_eq!((&joined["nameShown"], &joined["role"]), (&json!(true), &json!(MANAGER)));
}

#[test]
fn somebody_always_manages_a_space() {
    let server = Server::shared();
    let [anna, ben] = ["anna", "ben"].map(|name| server.pilot(name));
    let club = club(&anna);
    leave(&anna, &club).expect_refusal(409, "Sie sind das letzte Mitglied. Lösen Sie den Bereich auf.");
    join(&anna, &club, &ben, MEMBER);
    let [own, other] = ["anna", "ben"].map(|name| member(&anna, &club, &name_of(&anna, &club, name)));
    leave(&anna, &club).expect_refusal(409, LAST_MANAGER);
    remove(&anna, &club, &own).expect_refusal(409, LAST_MANAGER);
    set_role(&anna, &club, &own, READER).expect_refusal(409, LAST_MANAGER);
    dissolve(&anna, &club).expect_refusal(409, "Auflösen geht erst, wenn Sie das letzte Mitglied sind.");
    set_role(&anna, &club, &other, MANAGER).expect_status(200);
    leave(&anna, &club).expect_status(200);
    assert!(spaces(&anna).is_empty());
    dissolve(&ben, &club).expect_status(200);
    ben.post("GetMembers", &[("space", &club)]).expect_no_access();
    assert!(ben.check_session().expect_status(200).json()["spaces"].is_null());
}

/// The name of the member whose nickname begins so: the shared server adds a number.
#[track_caller]
fn name_of(pilot: &Pilot, space: &str, begin: &str) -> String {
    let members = members(pilot, space);
    let names = members.iter().map(|member| member["name"].as_str().unwrap().to_owned());
    names
        .into_iter()
        .find(|name| name.starts_with(begin))
        .expect("a member")
}

#[test]
fn a_former_member_reads_why_access_ended_and_joins_only_by_a_later_invitation() {
    let server = Server::start();
    let [anna, ben] = ["anna", "ben"].map(|name| server.pilot(name));
    let club = club(&anna);
    let token = invite(&anna, &club, &[("uses", "5")]);
    accept(&ben, &token).expect_status(200);
    let other = invite(&anna, &club, &[]);
    leave(&ben, &club).expect_status(200);
    ben.post("GetMembers", &[("space", &club)])
        .expect_refusal(403, NO_MEMBER);
    leave(&ben, &club).expect_refusal(403, NO_MEMBER);
    accept(&ben, &token).expect_refusal(410, GONE);
    accept(&ben, &other).expect_refusal(410, GONE);
    ben.post("GetSpaceInvitation", &[("token", &token)])
        .expect_refusal(410, GONE);
    let later = invite(&anna, &club, &[("role", "1")]);
    let back = accept(&ben, &later).expect_status(200).json();
    assert_eq!(back["role"], json!(READER));
    assert_eq!(members(&anna, &club).len(), 2);
}

#[test]
fn who_is_removed_can_t_come_back_by_a_link_for_several_not_even_as_somebody_else() {
    let server = Server::start();
    let [anna, ben, cara] = ["anna", "ben", "cara"].map(|name| server.pilot(name));
    let club = club(&anna);
    let for_all = invite(&anna, &club, &[("uses", "50")]);
    let for_one = invite(&anna, &club, &[]);
    accept(&ben, &for_all).expect_status(200);
    // Who leaves on his own takes no one's invitation along.
    accept(&cara, &for_all).expect_status(200);
    leave(&cara, &club).expect_status(200);
    let open = || anna.post("GetInvitations", &[("space", &club)]).json();
    assert_eq!(open().as_array().map(Vec::len), Some(2));
    remove(&anna, &club, &member(&anna, &club, "ben")).expect_status(200);
    let open = open();
    assert_eq!((open.as_array().map(Vec::len), &open[0]["uses"]), (Some(1), &json!(1)));
    accept(&ben, &for_all).expect_refusal(410, GONE);
    accept(&server.pilot("benjamin"), &for_all).expect_refusal(410, GONE);
    let account = [
        ("token", for_all.as_str()),
        ("email", "neu@example.org"),
        ("nickname", "neu"),
        ("password", crate::harness::PASSWORD),
    ];
    server
        .stranger()
        .post("RegisterByInvitation", &account)
        .expect_refusal(410, GONE);
    // The invitation for somebody else still holds, but not for him.
    accept(&ben, &for_one).expect_refusal(410, GONE);
    accept(&server.pilot("dora"), &for_one).expect_status(200);
}

#[test]
fn each_role_may_do_what_it_may_and_no_more() {
    let server = Server::start();
    let names = ["anna", "reader", "member", "keeper", "manager", "stranger"];
    let [anna, reader, user, keeper, manager, stranger] = names.map(|name| server.pilot(name));
    let club = club(&anna);
    for (pilot, role) in [
        (&reader, READER),
        (&user, MEMBER),
        (&keeper, KEEPER),
        (&manager, MANAGER),
    ] {
        join(&anna, &club, pilot, role);
    }
    let id = member(&anna, &club, "reader");
    let asked = |pilot: &Pilot| {
        [
            pilot.post("GetMembers", &[("space", &club)]),
            pilot.post("GetStorageUsage", &[("space", &club)]),
            pilot.post("SaveSpace", &[("space", &club), ("name", "MFC Falke")]),
            set_role(pilot, &club, &id, READER),
            pilot.post("SaveInvitation", &[("space", &club)]),
            pilot.post("GetInvitations", &[("space", &club)]),
        ]
        .map(|answer| answer.status)
    };
    for pilot in [&reader, &user, &keeper] {
        assert_eq!(asked(pilot), [200, 200, 403, 403, 403, 403]);
        remove(pilot, &club, &id).expect_refusal(403, NO_RIGHT);
        dissolve(pilot, &club).expect_refusal(403, NO_RIGHT);
    }
    assert_eq!(asked(&manager), [200, 200, 200, 200, 201, 200]);
    assert_eq!(asked(&stranger), [403; 6]);
    stranger.post("GetMembers", &[("space", &club)]).expect_no_access();
    remove(&manager, &club, &id).expect_status(200);
    set_role(&anna, &club, &id, MEMBER).expect_no_access();
    leave(&reader, &club).expect_refusal(403, NO_MEMBER);
}

#[test]
fn a_pilot_is_in_ten_spaces_at_most() {
    let server = Server::shared();
    let [anna, ben] = ["anna", "ben"].map(|name| server.pilot(name));
    for number in 0..10 {
        space(&anna, CLUB, &format!("Verein {number}"));
    }
    let refused = "Sie sind schon in 10 Bereichen.";
    let eleventh = [("kind", CLUB), ("name", "Verein 10")];
    anna.post("SaveSpace", &eleventh).expect_refusal(409, refused);
    let token = invite(&ben, &club(&ben), &[]);
    accept(&anna, &token).expect_refusal(409, refused);
}

#[test]
fn a_hundred_invitations_are_open_at_most() {
    let server = Server::shared();
    let [anna, ben] = ["anna", "ben"].map(|name| server.pilot(name));
    let club = club(&anna);
    let tokens: Vec<_> = (0..100).map(|_| invite(&anna, &club, &[])).collect();
    let one_more = || anna.post("SaveInvitation", &[("space", club.as_str())]);
    one_more().expect_refusal(409, "Es sind schon 100 Einladungen offen.");
    accept(&ben, &tokens[7]).expect_status(200);
    one_more().expect_status(201);
}

#[test]
fn two_who_take_the_last_use_of_an_invitation_at_once_are_one_member() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let club = club(&anna);
    for round in 0..5 {
        let token = invite(&anna, &club, &[]);
        let pilots = ["ben", "carl"].map(|name| server.pilot(&format!("{name}{round}")));
        let mut statuses = thread::scope(|scope| {
            let tries = pilots
                .each_ref()
                .map(|pilot| scope.spawn(|| accept(pilot, &token).status));
            tries.map(|answer| answer.join().unwrap())
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 410]);
    }
    assert_eq!(members(&anna, &club).len(), 6);
}

#[test]
fn one_who_accepts_twice_at_once_is_one_member() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let club = club(&anna);
    let token = invite(&anna, &club, &[]);
    let tabs = [ben.another_tab(), ben.another_tab()];
    let statuses = thread::scope(|scope| {
        let tries = tabs.each_ref().map(|tab| scope.spawn(|| accept(tab, &token).status));
        tries.map(|answer| answer.join().unwrap())
    });
    assert_eq!(statuses, [200, 200]);
    assert_eq!(members(&anna, &club).len(), 2);
}

#[test]
fn two_managers_who_leave_at_once_leave_one_behind() {
    let server = Server::start();
    let (anna, ben, carl) = (server.pilot("anna"), server.pilot("ben"), server.pilot("carl"));
    let club = club(&anna);
    join(&anna, &club, &ben, MANAGER);
    join(&anna, &club, &carl, MEMBER);
    let mut statuses = thread::scope(|scope| {
        let tries = [&anna, &ben].map(|pilot| scope.spawn(|| leave(pilot, &club).status));
        tries.map(|answer| answer.join().unwrap())
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(members(&carl, &club).len(), 2);
}

#[test]
fn a_request_that_is_sent_again_after_leaving_is_answered_with_the_reason() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let club = club(&anna);
    join(&anna, &club, &ben, MANAGER);
    let fields = [
        ("space", club.as_str()),
        ("name", "MFC Milan"),
        ("requestId", "0198b6f0-3333-7000-8000-0000000000c1"),
    ];
    let saved = ben.post("SaveSpace", &fields).expect_status(200).json();
    assert_eq!(ben.post("SaveSpace", &fields).expect_status(200).json(), saved);
    leave(&ben, &club).expect_status(200);
    ben.post("SaveSpace", &fields).expect_refusal(403, NO_MEMBER);
}
