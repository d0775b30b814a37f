//! The images of a flight: up to five, rotated upright, without metadata, visible only to their owner.

use serde_json::{Value, json};

use crate::harness::calls::COPTER;
use crate::harness::files::texts;
use crate::harness::pictures::{self, SECRET};
use crate::harness::{Pilot, Server};

fn with_flight(pilot: Pilot) -> (Pilot, String) {
    let flight = pilot.take_off(&pilot.item(COPTER, "Falke"));
    (pilot, flight)
}

fn images(pilot: &Pilot, flight: &str) -> Vec<String> {
    texts(&pilot.flight(flight)["images"])
}

#[test]
fn images_of_every_kind_are_shown_with_a_small_one_each() {
    let server = Server::start();
    let (anna, flight) = with_flight(server.pilot("anna"));
    let drawn = pictures::drawn(1000, 600);
    let files = [
        (image::ImageFormat::Jpeg, "image/jpeg"),
        (image::ImageFormat::Png, "image/png"),
        (image::ImageFormat::WebP, "image/webp"),
        (image::ImageFormat::Gif, "image/gif"),
    ];
    let contents: Vec<_> = files
        .iter()
        .map(|(format, _)| pictures::encoded(&drawn, *format))
        .collect();
    let contents: Vec<_> = contents.iter().map(Vec::as_slice).collect();
    let uuids = anna.add_images(&flight, &contents);
    assert_eq!(uuids.len(), 4);
    assert_eq!(images(&anna, &flight), uuids);
    for ((uuid, sent), (_, kind)) in uuids.iter().zip(&contents).zip(&files) {
        let whole = anna.image(uuid).expect_status(200);
        assert_eq!(whole.header("content-type"), Some(*kind));
        assert_eq!(whole.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(whole.header("content-disposition"), None);
        let [shown, original] = [&whole.body[..], sent].map(|content| image::load_from_memory(content).unwrap());
        assert!(shown.into_rgb8() == original.into_rgb8(), "{kind}: other pixels");
        let preview = anna.preview(uuid).expect_status(200);
        assert_eq!(preview.header("content-type"), Some("image/jpeg"));
        let preview = image::load_from_memory(&preview.body).unwrap();
        assert_eq!((preview.width(), preview.height()), (480, 288));
    }
    assert_eq!(server.blobs().len(), 8);
}

#[test]
fn flights_whose_ids_are_neighbours_have_each_its_own_images() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let id = uuid::Uuid::now_v7().as_u128() & !0xF;
    let ids = [1, 2, 3].map(|digit| uuid::Uuid::from_u128(id | digit).to_string());
    let add = |pilot: &Pilot, id: &str| {
        let config = json!({"copter": pilot.item(COPTER, "Falke"), "equipments": []}).to_string();
        let flight = json!({"startTime": "05.03.2026 10:00"}).to_string();
        let fields = [("dpfId", id), ("config", &config), ("flight", &flight)];
        pilot.post("AddFlight", &fields).expect_status(201);
    };
    for id in &ids {
        add(&anna, id);
    }
    add(&ben, &ids[1]);
    let of = [0, 2].map(|place| anna.add_images(&ids[place], &[&pictures::jpeg(30, 20), &pictures::png(30, 20)]));
    let ben_s = ben.add_images(&ids[1], &[&pictures::jpeg(30, 20)]);
    let shown = |pilot: &Pilot| ids.clone().map(|id| images(pilot, &id));
    assert_eq!(shown(&anna), [of[0].clone(), vec![], of[1].clone()]);
    let firsts = |pilot: &Pilot| -> Vec<Value> {
        let mut rows = pilot.flights();
        rows.sort_by_key(|row| row["dpfId"].to_string());
        rows.into_iter().map(|row| row["firstImage"].clone()).collect()
    };
    assert_eq!(firsts(&anna), [json!(of[0][0]), Value::Null, json!(of[1][0])]);
    assert_eq!(
        (images(&ben, &ids[1]), firsts(&ben)),
        (ben_s.clone(), vec![json!(ben_s[0])])
    );
    // Deleting a flight only deletes its own images.
    anna.delete_flight(&ids[1]).expect_status(200);
    assert_eq!(
        (images(&anna, &ids[0]), images(&anna, &ids[2])),
        (of[0].clone(), of[1].clone())
    );
    anna.delete_flight(&ids[0]).expect_status(200);
    assert_eq!(
        (images(&anna, &ids[2]), images(&ben, &ids[1])),
        (of[1].clone(), ben_s.clone())
    );
    anna.image(&of[0][0]).expect_no_access();
    anna.image(&of[1][0]).expect_status(200);
    anna.image(&ben_s[0]).expect_no_access();
    ben.image(&ben_s[0]).expect_status(200);
}

#[test]
fn a_small_image_is_not_made_larger() {
    let server = Server::shared();
    let (anna, flight) = with_flight(server.pilot("anna"));
    let uuid = &anna.add_images(&flight, &[&pictures::jpeg(30, 20)])[0];
    let preview = image::load_from_memory(&anna.preview(uuid).expect_status(200).body).unwrap();
    assert_eq!((preview.width(), preview.height()), (30, 20));
}

#[test]
fn a_photo_is_shown_upright_and_without_its_position() {
    let server = Server::shared();
    let (anna, flight) = with_flight(server.pilot("anna"));
    for orientation in [1, 6] {
        let uuid = anna
            .add_images(&flight, &[&pictures::photo(200, 100, orientation)])
            .pop()
            .unwrap();
        for answer in [anna.image(&uuid), anna.preview(&uuid)] {
            let content = answer.expect_status(200);
            for hidden in [SECRET, "Exif", "adobe", "<html>", "<script>"] {
                assert!(!content.text().contains(hidden), "{hidden} in an image");
            }
            let picture = image::load_from_memory(&content.body).unwrap().into_rgb8();
            let (width, height) = picture.dimensions();
            assert_eq!((width, height), if orientation == 1 { (200, 100) } else { (100, 200) });
            let red_at = if orientation == 1 { 10 } else { width - 10 };
            assert!(picture.get_pixel(red_at, 10).0[0] > 150, "the corner is elsewhere");
        }
    }
}

#[test]
fn an_image_is_what_it_holds_and_not_what_it_is_called() {
    let server = Server::shared();
    let (anna, flight) = with_flight(server.pilot("anna"));
    let png = pictures::png(30, 20);
    let answer = anna.upload(
        "UploadImageForFlight",
        &[("flight", &flight)],
        &[("files", "bild.jpg", &png)],
    );
    let uuid = &texts(&answer.expect_status(201).json())[0];
    assert_eq!(anna.image(uuid).header("content-type"), Some("image/png"));
    let text = anna.upload(
        "UploadImageForFlight",
        &[("flight", &flight)],
        &[("files", "bild.png", b"hallo")],
    );
    text.expect_refusal(415, "Bitte wählen Sie Bilder im Format JPEG, PNG, WebP oder GIF.");
}

#[test]
fn one_bad_file_of_three_is_named_and_none_is_stored() {
    let server = Server::start();
    let (anna, flight) = with_flight(server.pilot("anna"));
    let good = pictures::jpeg(30, 20);
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
    for (bad, status) in [(&svg[..], 415), (heic, 415), (&good[..good.len() / 2], 400), (b"", 415)] {
        for place in 0..3 {
            let mut files = vec![("files", "gut.jpg", good.as_slice()); 2];
            files.insert(place, ("files", "schlecht.jpg", bad));
            let answer = anna
                .upload("UploadImageForFlight", &[("flight", &flight)], &files)
                .expect_status(status);
            assert!(answer.text().starts_with("Datei „schlecht.jpg“: "), "{}", answer.text());
            assert_eq!((images(&anna, &flight).len(), server.blobs().len()), (0, 0));
        }
    }
}

#[test]
fn a_sixth_image_of_a_flight_is_refused() {
    let server = Server::start();
    let (anna, flight) = with_flight(server.pilot("anna"));
    let picture = pictures::jpeg(30, 20);
    let sentence = "Maximal 5 Bilder erlaubt.";
    let six = vec![("files", "a.jpg", picture.as_slice()); 6];
    let fields = [("flight", flight.as_str())];
    let refused = anna
        .upload("UploadImageForFlight", &fields, &six)
        .expect_refusal(400, sentence);
    assert_eq!(refused.header("x-field"), Some("files"));
    assert_eq!(anna.add_images(&flight, &[picture.as_slice(); 4]).len(), 4);
    anna.upload("UploadImageForFlight", &fields, &six[..2])
        .expect_refusal(400, sentence);
    let five = anna.add_images(&flight, &[&picture]);
    assert_eq!(five.len(), 5);
    anna.upload("UploadImageForFlight", &fields, &six[..1])
        .expect_refusal(400, sentence);
    assert_eq!((images(&anna, &flight), server.blobs().len()), (five, 10));
}

#[test]
fn twenty_uploads_at_once_leave_five_images() {
    let server = Server::start();
    let (anna, flight) = with_flight(server.pilot("anna"));
    let picture = pictures::jpeg(30, 20);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..20)
            .map(|_| {
                let tab = anna.another_tab();
                let (flight, picture) = (&flight, &picture);
                scope.spawn(move || {
                    let files = [("files", "a.jpg", picture.as_slice())];
                    tab.upload("UploadImageForFlight", &[("flight", flight)], &files).status
                })
            })
            .collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert_eq!(
        statuses.iter().filter(|status| **status == 201).count(),
        5,
        "{statuses:?}"
    );
    assert_eq!(
        statuses.iter().filter(|status| **status == 400).count(),
        15,
        "{statuses:?}"
    );
    assert_eq!((images(&anna, &flight).len(), server.blobs().len()), (5, 10));
}

#[test]
fn a_deleted_image_leaves_the_others_in_their_order() {
    let server = Server::start();
    let (anna, flight) = with_flight(server.pilot("anna"));
    let picture = pictures::jpeg(30, 20);
    let uuids = anna.add_images(&flight, &[picture.as_slice(); 3]);
    let delete = |uuid: &str| anna.post("DeleteImage", &[("uuid", uuid), ("flight", &flight)]);
    let left = texts(&delete(&uuids[1]).expect_status(200).json());
    assert_eq!(left, [uuids[0].clone(), uuids[2].clone()]);
    assert_eq!((images(&anna, &flight), server.blobs().len()), (left, 4));
    delete(&uuids[1]).expect_no_access();
    anna.image(&uuids[1]).expect_no_access();
    let more = anna.add_images(&flight, &[&picture]);
    assert_eq!(more[..2], [uuids[0].clone(), uuids[2].clone()]);
    delete(&more[0]).expect_status(200);
    delete(&more[1]).expect_status(200);
    assert_eq!(delete(&more[2]).expect_status(200).json(), json!([]));
    assert_eq!(server.blobs(), Vec::<String>::new());
}

#[test]
fn images_of_others_are_as_unknown_as_any() {
    let server = Server::start();
    let ((anna, hers), (ben, his)) = (with_flight(server.pilot("anna")), with_flight(server.pilot("ben")));
    let picture = pictures::jpeg(30, 20);
    let uuid = anna.add_images(&hers, &[&picture]).remove(0);
    let other = anna.fly_another();
    let (before, blobs) = (anna.everything(), server.blobs());
    let files = [("files", "a.jpg", picture.as_slice())];
    for flight in [&hers, &uuid, "x"] {
        ben.upload("UploadImageForFlight", &[("flight", flight)], &files)
            .expect_no_access();
    }
    for (pilot, flight) in [(&ben, &his), (&ben, &hers), (&anna, &his), (&anna, &other)] {
        pilot
            .post("DeleteImage", &[("uuid", &uuid), ("flight", flight)])
            .expect_no_access();
    }
    for id in [uuid.as_str(), "x", "01a1f8c9-0a74-748d-b7c9-ccf9e51d34a8"] {
        ben.image(id).expect_no_access();
        ben.preview(id).expect_no_access();
        ben.get(&format!("/app/api/GetPhoto?uuid={id}")).expect_no_access();
    }
    let stranger = server.stranger();
    stranger.image(&uuid).expect_not_logged_in();
    stranger.preview(&uuid).expect_not_logged_in();
    stranger
        .upload("UploadImageForFlight", &[("flight", &hers)], &files)
        .expect_not_logged_in();
    for blob in &blobs {
        anna.image(blob).expect_no_access();
        anna.download(blob).expect_no_access();
    }
    assert_eq!((anna.everything(), server.blobs()), (before, blobs));
}

#[test]
fn missing_fields_are_named() {
    let server = Server::shared();
    let (anna, flight) = with_flight(server.pilot("anna"));
    let picture = pictures::jpeg(30, 20);
    let none = anna.upload("UploadImageForFlight", &[("flight", &flight)], &[]);
    let refused = none.expect_refusal(400, "Bitte wählen Sie mindestens ein Bild.");
    assert_eq!(refused.header("x-field"), Some("files"));
    let nowhere = anna.upload("UploadImageForFlight", &[], &[("files", "a.jpg", &picture)]);
    assert_eq!(nowhere.expect_status(400).header("x-field"), Some("flight"));
    let uuid = anna.add_images(&flight, &[&picture]).remove(0);
    anna.post("DeleteImage", &[("uuid", &uuid)]).expect_status(400);
    anna.post("DeleteImage", &[("flight", &flight)]).expect_status(400);
    for call in ["GetImage", "GetImagePreview"] {
        anna.get(&format!("/app/api/{call}")).expect_status(400);
        anna.get(&format!("/app/api/{call}?uuid={uuid}&uuid={uuid}"))
            .expect_status(400);
    }
    assert_eq!(images(&anna, &flight), [uuid]);
}

#[test]
fn a_new_flight_has_no_images_and_saving_it_changes_none() {
    let server = Server::shared();
    let (anna, flight) = with_flight(server.pilot("anna"));
    assert_eq!(anna.flight(&flight)["images"], json!([]));
    let uuids = anna.add_images(&flight, &[&pictures::jpeg(30, 20)]);
    let saved = anna
        .save_flight(&json!({"dpfId": flight, "images": [], "notes": "a"}))
        .expect_status(200)
        .json();
    assert_eq!(saved["images"], json!(uuids));
    assert_eq!(saved, anna.flight(&flight));
    assert_ne!(saved["images"], Value::Null);
}

impl Pilot {
    /// Finishes the open flight, then adds a finished one with a second copter.
    fn fly_another(&self) -> String {
        let open = self.open_flight();
        self.finish_flight(&json!({"dpfId": open})).expect_status(200);
        self.fly(&self.item(COPTER, "Milan"), &[], &json!({}))
    }
}
