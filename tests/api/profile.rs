//! The profile: names and a photo.

use serde_json::{Value, json};

use crate::harness::calls::keys;
use crate::harness::pictures::{self, SECRET};
use crate::harness::{Pilot, Server};

#[track_caller]
fn save(pilot: &Pilot, fields: &[(&str, &str)], photo: Option<&[u8]>) -> Value {
    let files: Vec<_> = photo.iter().map(|photo| ("photo", "ich.jpg", *photo)).collect();
    pilot.upload("SaveProfile", fields, &files).expect_status(201).json()
}

fn profile(pilot: &Pilot) -> Value {
    pilot.post_empty("GetDetailedUser").expect_status(200).json()
}

#[test]
fn names_are_saved_cleared_and_left_alone() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let user = save(&anna, &[("firstname", " Anna "), ("lastname", "Luft")], None);
    assert_eq!(keys(&user), ["account", "nickname", "openFlight", "photo"]);
    let mut shown = user.clone();
    shown["remembered"] = false.into();
    assert_eq!(shown, anna.check_session().expect_status(200).json());
    let saved = profile(&anna);
    assert_eq!(
        (&saved["firstname"], &saved["lastname"]),
        (&json!("Anna"), &json!("Luft"))
    );
    save(&anna, &[("firstname", "")], None);
    let saved = profile(&anna);
    assert_eq!((&saved["firstname"], &saved["lastname"]), (&json!(""), &json!("Luft")));
    for (name, value) in [("firstname", "a\nb"), ("lastname", &*"ü".repeat(201))] {
        let refused = anna.upload("SaveProfile", &[(name, value)], &[]).expect_status(400);
        assert_eq!(refused.header("x-field"), Some(name));
    }
    assert_eq!(profile(&anna), saved);
}

#[test]
fn a_photo_is_shown_upright_small_and_without_where_it_was_taken() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    assert_eq!(profile(&anna)["photo"], "");
    let user = save(&anna, &[], Some(&pictures::photo(1200, 800, 6)));
    let path = user["photo"].as_str().unwrap();
    assert_eq!(profile(&anna)["photo"], path);
    assert_eq!(anna.check_session().json()["photo"], path);
    let photo = anna.get(path).expect_status(200);
    assert_eq!(photo.header("content-type"), Some("image/jpeg"));
    assert_eq!(photo.header("cross-origin-resource-policy"), Some("same-origin"));
    assert!(!photo.text().contains(SECRET) && !photo.text().contains("Exif"));
    let picture = image::load_from_memory(&photo.body).unwrap().into_rgb8();
    assert_eq!(picture.dimensions(), (320, 480));
    // The red corner moved from left to right.
    assert!(picture.get_pixel(310, 10).0[0] > 150 && picture.get_pixel(10, 10).0[0] < 100);
}

#[test]
fn a_new_photo_has_a_new_address_and_the_old_one_is_gone() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let first = save(&anna, &[], Some(&pictures::jpeg(50, 50)))["photo"]
        .as_str()
        .unwrap()
        .to_owned();
    let second = save(&anna, &[], Some(&pictures::png(50, 50)))["photo"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_ne!(first, second);
    anna.get(&first).expect_no_access();
    anna.get(&second).expect_status(200);
    assert_eq!(server.blobs().len(), 1);
    save(&anna, &[("firstname", "Anna")], None);
    anna.get(&second).expect_status(200);
    let both = save(&anna, &[("removePhoto", "true")], Some(&pictures::jpeg(50, 50)));
    assert_ne!(both["photo"], "");
    assert_eq!(save(&anna, &[("removePhoto", "true")], None)["photo"], "");
    assert_eq!((profile(&anna)["photo"].as_str(), server.blobs().len()), (Some(""), 0));
}

#[test]
fn a_file_that_is_no_photo_is_refused_and_nothing_is_changed() {
    let server = Server::start();
    let anna = server.pilot("anna");
    save(&anna, &[("firstname", "Anna")], Some(&pictures::jpeg(50, 50)));
    let (before, blobs) = (profile(&anna), server.blobs());
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
    for (content, status) in [(&svg[..], 415), (b"hallo", 415), (&pictures::jpeg(50, 50)[..200], 400)] {
        let answer = anna.upload("SaveProfile", &[("firstname", "Ben")], &[("photo", "a.jpg", content)]);
        answer.expect_status(status);
    }
    let two = [("photo", "a.jpg", svg.as_slice()), ("photo", "b.jpg", svg.as_slice())];
    anna.upload("SaveProfile", &[], &two).expect_status(400);
    anna.post("SaveProfile", &[("firstname", "Ben")]).expect_status(415);
    assert_eq!((profile(&anna), server.blobs()), (before, blobs));
}

#[test]
fn nobody_else_sees_the_photo() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let path = save(&anna, &[], Some(&pictures::jpeg(50, 50)))["photo"]
        .as_str()
        .unwrap()
        .to_owned();
    ben.get(&path).expect_no_access();
    server.stranger().get(&path).expect_not_logged_in();
    let uuid = path.split('=').nth(1).unwrap();
    for pilot in [&anna, &ben] {
        pilot.image(uuid).expect_no_access();
        pilot.preview(uuid).expect_no_access();
        pilot.download(uuid).expect_no_access();
    }
    anna.get("/app/api/GetPhoto").expect_status(400);
    anna.get("/app/api/GetPhoto?uuid=x").expect_no_access();
    server
        .stranger()
        .upload("SaveProfile", &[("firstname", "a")], &[])
        .expect_not_logged_in();
    assert_eq!(profile(&ben)["photo"], "");
}
