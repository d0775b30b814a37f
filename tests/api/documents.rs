//! Documents: a download equals the upload, only the owner has access, and a deleted file is gone from the disk.

use serde_json::json;

use crate::harness::calls::{COPTER, id_in, keys};
use crate::harness::clock::{expect_now, in_berlin};
use crate::harness::{Pilot, Server};

#[test]
fn a_document_comes_back_as_it_was_sent() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    assert_eq!(anna.documents(), Vec::<serde_json::Value>::new());
    let content: Vec<u8> = (0..1_468_006u32).map(|byte| (byte % 251) as u8).collect();
    let answer = anna.upload(
        "UploadUserDocument",
        &[("description", " Versicherung 2026 ")],
        &[("file", "Übersicht.pdf", &content)],
    );
    let document = answer.expect_status(201).json();
    assert_eq!(keys(&document), ["description", "dpfId", "name", "size", "uploadTime"]);
    assert_eq!(document["name"], "Übersicht.pdf");
    assert_eq!(document["size"], "1,4 MB");
    assert_eq!(document["description"], "Versicherung 2026");
    expect_now(document["uploadTime"].as_str().unwrap(), in_berlin);
    assert_eq!(json!(anna.documents()), json!([document]));

    let file = anna.download(&id_in(&document)).expect_status(200);
    assert!(file.body == content, "another content came back");
    for (name, value) in [
        (
            "content-disposition",
            "attachment; filename=\"_bersicht.pdf\"; filename*=UTF-8''%C3%9Cbersicht.pdf",
        ),
        ("content-type", "application/octet-stream"),
        ("content-length", "1468006"),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(file.header(name), Some(value));
    }
    assert!(file.header("content-security-policy").unwrap().ends_with("; sandbox"));
}

#[test]
fn the_newest_document_stands_first() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let ids: Vec<_> = (0..5)
        .map(|number| anna.document(&format!("{number}.txt"), b"a"))
        .collect();
    let listed: Vec<_> = anna.documents().iter().map(id_in).collect();
    assert_eq!(listed, ids.into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn a_description_can_be_changed_but_not_be_missing() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let id = anna.document("a.txt", b"a");
    let edit = |description| anna.post("EditUserDocument", &[("dpfId", &id), ("description", description)]);
    let changed = edit("Prüfbericht").expect_status(200).json();
    assert_eq!(json!(anna.documents()), json!([changed]));
    assert_eq!(changed["description"], "Prüfbericht");
    let long = "ü".repeat(201);
    for (description, sentence) in [
        ("", "Bitte geben Sie eine Beschreibung ein."),
        ("  ", "Bitte geben Sie eine Beschreibung ein."),
        ("a\nb", "Der Text enthält nicht erlaubte Steuerzeichen."),
        (&long, "Der Text darf höchstens 200 Zeichen lang sein."),
    ] {
        let refused = edit(description).expect_refusal(400, sentence);
        assert_eq!(refused.header("x-field"), Some("description"));
    }
    edit(&long[2..]).expect_status(200);
    anna.post("EditUserDocument", &[("description", "a")])
        .expect_status(400);
}

#[test]
fn a_deleted_document_leaves_nothing_behind() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let (kept, gone) = (anna.document("a.txt", b"a"), anna.document("b.txt", b"b"));
    assert_eq!(server.blobs().len(), 2);
    let deleted = anna.post("DeleteUserDocument", &[("dpfId", &gone)]).expect_status(200);
    assert_eq!(deleted.text(), "");
    assert_eq!(server.blobs().len(), 1);
    assert_eq!(anna.documents().iter().map(id_in).collect::<Vec<_>>(), [kept.as_str()]);
    anna.download(&gone).expect_no_access();
    anna.post("DeleteUserDocument", &[("dpfId", &gone)]).expect_no_access();
    anna.download(&kept).expect_status(200);
}

#[test]
fn any_file_name_stays_one_name_in_one_header() {
    let server = Server::start();
    let anna = server.pilot("anna");
    for (sent, name) in [
        ("../../etc/passwd", "passwd"),
        ("C:\\Fotos\\bild.jpg", "bild.jpg"),
        ("a\r\nSet-Cookie: session=x.txt", "a  Set-Cookie: session=x.txt"),
        ("\"><meta http-equiv=refresh>.html", "\"><meta http-equiv=refresh>.html"),
        ("rechnung\u{202e}fdp.exe", "rechnungfdp.exe"),
        ("CON", "CON"),
        ("..", ".."),
        (".bashrc", ".bashrc"),
        (" Bericht. ", " Bericht. "),
        (" ", "Datei"),
        ("日本 🙂.txt", "日本 🙂.txt"),
    ] {
        let id = anna.document(sent, b"inhalt");
        assert_eq!(anna.documents()[0]["name"], name, "{sent:?}");
        let file = anna.download(&id).expect_status(200);
        let dispositions: Vec<_> = file
            .headers
            .iter()
            .filter(|(header, _)| header.eq_ignore_ascii_case("content-disposition"))
            .collect();
        assert_eq!(dispositions.len(), 1);
        assert!(
            dispositions[0].1.starts_with("attachment; filename=\""),
            "{dispositions:?}"
        );
        assert!(file.set_cookies().is_empty());
        anna.post("DeleteUserDocument", &[("dpfId", &id)]).expect_status(200);
    }
    let long = format!("{}.pdf", "x".repeat(4096));
    anna.document(&long, b"a");
    let name = anna.documents()[0]["name"].as_str().unwrap().to_owned();
    assert_eq!(
        (name.len(), name.ends_with("x.pdf")),
        (255, true),
        "as a file system takes it"
    );
    assert!(server.blobs().iter().all(|blob| blob.len() == 36));
}

#[test]
fn html_and_svg_are_stored_and_only_ever_sent_as_attachment() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let content = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
    for name in ["a.svg", "a.html", "a.xml", "a.docx", "a.zip"] {
        let file = anna.download(&anna.document(name, content)).expect_status(200);
        assert_eq!(file.header("content-type"), Some("application/octet-stream"));
        assert!(file.header("content-disposition").unwrap().starts_with("attachment;"));
        assert_eq!(file.body, content);
    }
}

#[test]
fn an_empty_file_is_a_file_and_no_file_is_none() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let id = anna.document("leer.txt", b"");
    assert_eq!(anna.documents()[0]["size"], "0 B");
    assert_eq!(anna.download(&id).expect_status(200).body, b"");
    let nothing_chosen = anna.upload("UploadUserDocument", &[("description", "a")], &[("file", "", b"")]);
    let refused = nothing_chosen.expect_refusal(400, "Bitte wählen Sie eine Datei.");
    assert_eq!(refused.header("x-field"), Some("file"));
    anna.upload("UploadUserDocument", &[], &[]).expect_status(400);
    anna.post_empty("UploadUserDocument").expect_status(400);
    anna.upload("UploadUserDocument", &[], &[("file", "a", b"a"), ("file", "b", b"b")])
        .expect_refusal(400, "Es kann nur eine Datei auf einmal hochgeladen werden.");
    assert_eq!((anna.documents().len(), server.blobs().len()), (1, 1));
}

#[test]
fn documents_of_others_are_as_unknown_as_any() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let hers = anna.document("a.txt", b"geheim");
    let flight = anna.take_off(&anna.item(COPTER, "Falke"));
    let image = anna.add_images(&flight, &[&crate::harness::pictures::jpeg(20, 10)]);
    let before = anna.everything();
    let others = [
        hers.as_str(),
        "01a1f8c9-0a74-748d-b7c9-ccf9e51d34a8",
        "x",
        &image[0],
        &flight,
    ];
    let ask = |pilot: &Pilot, id: &str| {
        pilot.download(id).expect_no_access();
        pilot.post("DeleteUserDocument", &[("dpfId", id)]).expect_no_access();
        pilot
            .post("EditUserDocument", &[("dpfId", id), ("description", "a")])
            .expect_no_access();
        pilot.post("ShareDocument", &[("dpfId", id)]).expect_no_access();
    };
    for id in others {
        ask(&ben, id);
    }
    // Ids of other kinds don't work for their owner either.
    for id in &others[1..] {
        ask(&anna, id);
    }
    for call in [
        "DownloadDocument",
        "DeleteUserDocument",
        "EditUserDocument",
        "ShareDocument",
        "StopShareDocument",
    ] {
        anna.post(call, &[("description", "a")]).expect_status(400);
        server
            .stranger()
            .post(call, &[("dpfId", &hers), ("token", "x")])
            .expect_not_logged_in();
    }
    assert_eq!(ben.documents(), Vec::<serde_json::Value>::new());
    assert_eq!(anna.everything(), before);
    assert_eq!(anna.download(&hers).expect_status(200).text(), "geheim");
}

#[test]
fn a_window_shows_pdf_picture_and_text_as_what_they_are_named_and_runs_nothing() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let script = b"<script>alert(1)</script>";
    let ask = |pilot: &Pilot, id: &str| pilot.get(&format!("/app/api/GetDocument?dpfId={id}"));
    for (name, media_type, sandboxed) in [
        ("Handbuch.PDF", "application/pdf", false),
        ("feld.png", "image/png", true),
        ("notiz.txt", "text/plain; charset=utf-8", true),
        ("spur.gpx", "text/plain; charset=utf-8", true),
    ] {
        let id = anna.document(name, script);
        let answer = ask(&anna, &id).expect_status(200);
        assert_eq!(answer.header("content-type"), Some(media_type), "{name}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
        assert!(answer.header("content-disposition").unwrap().starts_with("inline; "));
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        assert!(!policy.contains("script"), "{policy}");
        assert_eq!(policy.ends_with("; sandbox"), sandboxed, "{policy}");
        assert_eq!(answer.body, script);
        ask(&ben, &id).expect_no_access();
        ask(&server.stranger(), &id).expect_not_logged_in();
    }
    let latin = anna.document("alt.csv", b"Ger\xe4t;M\xfcller");
    let answer = ask(&anna, &latin).expect_status(200);
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=windows-1252"));
    for name in ["seite.html", "zeichnung.svg", "firmware.hex", "ohne"] {
        let answer = ask(&anna, &anna.document(name, script)).expect_status(415);
        assert!(
            answer
                .text()
                .starts_with("Diese Datei kann der Browser nicht anzeigen.")
        );
    }
}

#[test]
fn a_range_header_gives_no_access_and_is_ignored() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let hers = anna.document("a.txt", b"geheim");
    let ask = |pilot: &Pilot| {
        pilot
            .ask("POST", "/app/api/DownloadDocument")
            .header("Range", "bytes=0-2")
            .form(&[("dpfId", &hers)])
            .send()
    };
    ask(&ben).expect_no_access();
    assert_eq!(ask(&anna).expect_status(200).text(), "geheim");
    anna.ask("HEAD", "/app/api/DownloadDocument").send().expect_status(405);
}

#[test]
fn a_blob_that_is_damaged_spoils_its_own_document_only() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let first = anna.document("a.txt", b"geheim");
    let blob = server.blobs().remove(0);
    let second = anna.document("b.txt", b"auch geheim");
    let path = server.directory().join("blobs").join(blob);
    std::fs::write(&path, b"kurz").unwrap();
    anna.download(&first).expect_status(500);
    std::fs::remove_file(&path).unwrap();
    anna.download(&first).expect_status(500);
    anna.download(&second).expect_status(200);
    assert_eq!(anna.documents().len(), 2);
    anna.post("DeleteUserDocument", &[("dpfId", &first)]).expect_status(200);
    assert_eq!(anna.documents(), [json!(anna.documents()[0])]);
}
