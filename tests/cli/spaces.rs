//! Households and clubs at the shell, and what becomes of them when a member is deleted.

use std::fs;

use serde_json::{Value, json};

use crate::api::spaces::{club, join, members, space};
use crate::harness::calls::{COPTER, id_in};
use crate::harness::process::run;
use crate::harness::{Output, Pilot, Server, temporary_directory, text};

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";

fn command(server: &Server, arguments: &[&str]) -> Output {
    run([arguments, &["--data-dir", text(server.directory())]].concat())
}

#[track_caller]
fn json_of(server: &Server, arguments: &[&str]) -> Value {
    let done = command(server, &[arguments, &["--json"]].concat());
    assert_eq!(done.code, 0, "{done:?}");
    serde_json::from_str(&done.stdout).unwrap()
}

fn delete_user(server: &Server, email: &str) -> Output {
    command(server, &["user", "delete", email, "--yes"])
}

#[test]
fn the_admin_sees_of_a_space_who_is_in_it_and_how_much_it_has() {
    let server = Server::start();
    let empty = command(&server, &["space", "list"]);
    assert!(empty.stdout.contains("noch keinen Haushalt"), "{empty:?}");
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let id = club(&anna);
    join(&anna, &id, &ben, 3);
    let list = json_of(&server, &["space", "list"]);
    let shown = json_of(&server, &["space", "show", "MFC Falke"]);
    assert_eq!(list, json!([shown]));
    assert_eq!(json_of(&server, &["space", "show", &id]), shown);
    let members = shown["members"].as_array().unwrap();
    let members: Vec<_> = members
        .iter()
        .map(|member| (&member["email"], &member["role"]))
        .collect();
    assert_eq!(
        members,
        [(&json!(ANNA), &json!("manager")), (&json!(BEN), &json!("keeper"))]
    );
    assert_eq!(
        (&shown["id"], &shown["kind"], &shown["items"], &shown["managers"]),
        (&json!(id), &json!("club"), &json!(0), &json!([ANNA]))
    );
    let text = command(&server, &["space", "show", "MFC Falke"]).stdout;
    for part in [
        "Verein",
        "ben@example.org  ben  Gerätewart",
        "Verwaltung          anna@example.org",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let line = command(&server, &["space", "list"]).stdout;
    assert!(line.starts_with("MFC Falke  Verein  Mitglieder 2"), "{line}");
    let user = json_of(&server, &["user", "show", BEN]);
    assert_eq!(
        user["spaces"],
        json!([{"name": "MFC Falke", "items": 0, "whenDeleted": "stays"}])
    );
    assert!(
        command(&server, &["user", "show", BEN])
            .stdout
            .contains("Bereich             MFC Falke")
    );
}

#[test]
fn a_name_of_two_spaces_names_none() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let id = club(&anna);
    club(&anna);
    command(&server, &["space", "show", "MFC Falke"]).expect_refusal(1, &["MFC Falke", "Kennung"]);
    command(&server, &["space", "show", "Milan"]).expect_refusal(1, &["Milan", "fluglog space list"]);
    assert_eq!(json_of(&server, &["space", "show", &id])["id"], json!(id));
}

#[test]
fn an_item_is_moved_to_a_space_by_its_name() {
    let server = Server::start();
    let anna = server.pilot("anna");
    club(&anna);
    let copter = anna.item(COPTER, "Falke");
    command(&server, &["equipment", "move", &copter, "--space", "Milan"])
        .expect_refusal(1, &["„Milan“", "fluglog space list"]);
    let moved = json_of(&server, &["equipment", "move", &copter, "--space", "MFC Falke"]);
    assert_eq!(moved, json!({"name": "Falke", "to": "MFC Falke"}));
    assert_eq!(anna.equipment(&copter)["space"]["name"], "MFC Falke");
}

#[test]
fn a_member_gets_the_management_of_a_space_whose_manager_can_not_be_reached() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    server.pilot("cara");
    let id = club(&anna);
    join(&anna, &id, &ben, 1);
    let make = |space: &str, email: &str| command(&server, &["space", "manager", space, email]);
    make("MFC Falke", "cara@example.org").expect_refusal(1, &["cara@example.org", "MFC Falke", "nicht dabei"]);
    make("MFC Falke", "dora@example.org").expect_refusal(1, &["dora@example.org", "fluglog user list"]);
    make("Milan", BEN).expect_refusal(1, &["Milan", "fluglog space list"]);
    assert_eq!(json_of(&server, &["space", "show", &id])["managers"], json!([ANNA]));
    let done = make("MFC Falke", BEN);
    assert_eq!(
        done.stdout, "ben@example.org verwaltet jetzt „MFC Falke“.\n",
        "{done:?}"
    );
    let again = json_of(&server, &["space", "manager", &id, BEN]);
    assert_eq!(again, json!({"space": "MFC Falke", "manager": BEN}));
    assert_eq!(
        json_of(&server, &["space", "show", &id])["managers"],
        json!([ANNA, BEN])
    );
    assert_eq!(delete_user(&server, ANNA).code, 0);
    assert_eq!(members(&ben, &id).len(), 1);
    assert_eq!(command(&server, &["check"]).code, 0);
}

#[test]
fn a_deleted_space_is_gone_for_its_members() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let id = club(&anna);
    join(&anna, &id, &ben, 2);
    command(&server, &["space", "delete", &id]).expect_refusal(1, &["--yes"]);
    assert_eq!(members(&anna, &id).len(), 2);
    let done = json_of(&server, &["space", "delete", &id, "--yes"]);
    assert_eq!(done, json!({"deleted": "MFC Falke"}));
    for pilot in [&anna, &ben] {
        assert_eq!(pilot.post_empty("GetSpaces").expect_status(200).json(), json!([]));
        pilot.post("GetMembers", &[("space", &id)]).expect_no_access();
    }
    assert_eq!(command(&server, &["check"]).code, 0);
}

#[test]
fn the_only_one_who_manages_a_space_with_others_is_not_deleted() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let id = club(&anna);
    join(&anna, &id, &ben, 3);
    delete_user(&server, ANNA).expect_refusal(1, &["MFC Falke", "Verwaltung"]);
    assert_eq!(members(&ben, &id).len(), 2);
    assert_eq!(delete_user(&server, BEN).code, 0);
    let user = json_of(&server, &["user", "show", ANNA]);
    assert_eq!(user["spaces"][0]["whenDeleted"], "goes");
    assert_eq!(delete_user(&server, ANNA).code, 0);
    assert_eq!(json_of(&server, &["space", "list"]), json!([]));
    assert_eq!(command(&server, &["check"]).code, 0);
}

#[test]
fn spaces_come_back_from_a_backup_and_their_invitations_do_not() {
    let place = temporary_directory();
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let id = club(&anna);
    join(&anna, &id, &ben, 2);
    anna.post("SaveInvitation", &[("space", &id)]).expect_status(201);
    let archive = place.path().join("sicherung.tar");
    assert_eq!(command(&server, &["backup", "--output", text(&archive)]).code, 0);
    let again = place.path().join("again");
    let restored = run(["restore", "--data-dir", text(&again), text(&archive)]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let server = Server::start_in(&again);
    let anna = server.stranger();
    anna.log_in(ANNA, crate::harness::PASSWORD).expect_status(202);
    assert_eq!(members(&anna, &id).len(), 2);
    let open = anna.post("GetInvitations", &[("space", &id)]).expect_status(200).json();
    assert_eq!(open, json!([]));
}

/// Overwrites the pages of a stopped server's database that hold these bytes.
fn lose(database: &std::path::Path, sought: &[u8]) {
    let mut bytes = fs::read(database).unwrap();
    for page in bytes.chunks_mut(4096).skip(1) {
        if page.windows(sought.len()).any(|part| part == sought) {
            page.fill(0);
        }
    }
    fs::write(database, &bytes).unwrap();
}

#[test]
fn members_of_a_lost_space_get_a_club_in_its_place() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let id = space(&anna, "1", "Ein unverwechselbarer Haushalt");
    join(&anna, &id, &ben, 4);
    assert!(server.stop().success());
    lose(&directory.join("fluglog.redb"), b"Ein unverwechselbarer Haushalt");
    let archive = place.path().join("rettung.tar");
    let done = run(["recover", "--data-dir", text(&directory), "--output", text(&archive)]);
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stdout.contains("Geretteter Bereich 1"), "{done:?}");
    let again = place.path().join("again");
    let restored = run(["restore", "--data-dir", text(&again), text(&archive)]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let server = Server::start_in(&again);
    let anna = server.stranger();
    anna.log_in(ANNA, crate::harness::PASSWORD).expect_status(202);
    let spaces = anna.post_empty("GetSpaces").expect_status(200).json();
    assert_eq!(
        (
            id_in(&spaces[0]),
            &spaces[0]["name"],
            &spaces[0]["kind"],
            &spaces[0]["members"]
        ),
        (id, &json!("Geretteter Bereich 1"), &json!(2), &json!(2))
    );
    assert_eq!(command(&server, &["check"]).code, 0);
}

#[test]
fn the_admin_s_page_shows_names_counts_and_who_manages_and_what_becomes_of_a_space() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let id = club(&anna);
    join(&anna, &id, &ben, 4);
    anna.item(COPTER, "Falke");
    let ask = |pilot: &Pilot| pilot.post_empty("GetAdminSpaces");
    ask(&anna).expect_status(403);
    anna.post("ConfirmAdmin", &[("password", crate::harness::PASSWORD)])
        .expect_status(200);
    let spaces = ask(&anna).expect_status(200).json();
    assert_eq!(
        (
            &spaces[0]["name"],
            &spaces[0]["members"],
            &spaces[0]["items"],
            &spaces[0]["managers"]
        ),
        (&json!("MFC Falke"), &json!(2), &json!(0), &json!(["anna", "ben"]))
    );
    let of_ben = anna
        .post("GetSpacesOfAccount", &[("email", BEN)])
        .expect_status(200)
        .json();
    assert_eq!(
        of_ben,
        json!([{"name": "MFC Falke", "items": 0, "whenDeleted": "stays"}])
    );
    ask(&ben).expect_status(403);
}
