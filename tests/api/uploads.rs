//! Limits of uploads, and that aborted ones leave nothing behind.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use crate::harness::calls::COPTER;
use crate::harness::files::{MAX_BYTES, MULTIPART, file_head, multipart};
use crate::harness::raw::Connection;
use crate::harness::{Pilot, Server, pictures, wait};

const TOO_LARGE: &str = "Die Datei überschreitet die 50-MB-Grenze und wurde nicht hinzugefügt";
/// Memory for a buffer, a part of a file and a connection; far less than a file.
const MAX_MEMORY_BYTES: u64 = 24 * 1024 * 1024;

/// The head of a request with files, up to its body.
fn head(server: &Server, pilot: &Pilot, call: &str, length: &str) -> Vec<u8> {
    format!(
        "POST /app/api/{call} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Type: {MULTIPART}\r\n{length}\r\n\r\n",
        server.address(),
        pilot.cookie_header()
    )
    .into_bytes()
}

fn blobs_are(server: &Server, count: usize) {
    wait::until("nothing unfinished is left", || {
        (server.blobs().len() == count).then_some(())
    });
}

#[test]
fn fifty_megabytes_are_taken_without_memory_and_one_byte_more_is_not() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let small = anna.document("a.txt", b"a");
    anna.download(&small).expect_status(200);
    let before = server.most_memory_bytes();
    let content = vec![7; MAX_BYTES + 1];
    let id = anna.document("grenze.bin", &content[..MAX_BYTES]);
    assert_eq!(anna.documents()[0]["size"], "50 MB");
    let file = anna.download(&id).expect_status(200);
    assert!(file.body == content[..MAX_BYTES], "another content came back");
    let grown = server.most_memory_bytes() - before;
    assert!(grown < MAX_MEMORY_BYTES, "memory grew by {grown} bytes");

    let mut connection = Connection::open(server.address());
    let body = multipart(&[], &[("file", "a.bin", &content)]);
    let length = format!("Content-Length: {}", body.len());
    connection.send(head(&server, &anna, "UploadUserDocument", &length));
    connection.try_to_send(&body);
    let refused = connection.answer().expect("an answer");
    refused.expect_refusal(413, TOO_LARGE);
    blobs_are(&server, 2);
    assert_eq!(anna.documents().len(), 2);
}

#[test]
fn a_body_with_too_large_a_content_length_is_refused_at_once() {
    let server = Server::start();
    let anna = server.pilot("anna");
    for call in ["UploadUserDocument", "SaveEquipmentLog", "EditLog", "SaveProfile"] {
        let mut connection = Connection::open(server.address());
        connection.send(head(&server, &anna, call, "Content-Length: 60000000"));
        connection.answer().expect("an answer").expect_refusal(413, TOO_LARGE);
    }
    let mut connection = Connection::open(server.address());
    connection.send(head(&server, &anna, "UploadImageForFlight", "Content-Length: 60000000"));
    let sentence = "Gesamtgröße der Bilder darf 50MB nicht überschreiten.";
    connection.answer().expect("an answer").expect_refusal(413, sentence);
}

#[test]
fn images_may_be_fifty_megabytes_together() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let flight = anna.take_off(&anna.item(COPTER, "Falke"));
    let picture = pictures::jpeg(30, 20);
    // Bytes after the end of a picture count for the limit but aren't kept.
    let padded = |length: usize| {
        let mut content = picture.clone();
        content.resize(length, 0);
        content
    };
    let half = MAX_BYTES / 2;
    let uuids = anna.add_images(&flight, &[&padded(half), &padded(half)]);
    assert!(anna.image(&uuids[0]).expect_status(200).body.len() <= picture.len());
    let mut connection = Connection::open(server.address());
    let (one, other) = (padded(half), padded(half + 1));
    let body = multipart(&[("flight", &flight)], &[("files", "a", &one), ("files", "b", &other)]);
    let length = format!("Content-Length: {}", body.len());
    connection.send(head(&server, &anna, "UploadImageForFlight", &length));
    connection.try_to_send(&body);
    let sentence = "Gesamtgröße der Bilder darf 50MB nicht überschreiten.";
    connection.answer().expect("an answer").expect_refusal(413, sentence);
    blobs_are(&server, 4);
}

#[test]
fn a_chunked_body_has_the_same_limits() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let chunked = |body: &[u8]| {
        let mut connection = Connection::open(server.address());
        connection.send(head(&server, &anna, "UploadUserDocument", "Transfer-Encoding: chunked"));
        for chunk in body.chunks(1 << 20) {
            let framed = [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat();
            if !connection.try_to_send(&framed) {
                break;
            }
        }
        connection.try_to_send(b"0\r\n\r\n");
        connection.answer().expect("an answer")
    };
    chunked(&multipart(&[], &[("file", "a.bin", &[7; 3_000_000])])).expect_status(201);
    chunked(&multipart(&[], &[("file", "a.bin", &vec![7; MAX_BYTES + 1])])).expect_refusal(413, TOO_LARGE);
    // Files in unknown fields count as well, though none is kept.
    chunked(&multipart(&[], &[("egal", "a.bin", &vec![7; MAX_BYTES + 3_000_000])])).expect_refusal(413, TOO_LARGE);
    blobs_are(&server, 1);
}

#[test]
fn of_an_upload_that_breaks_off_nothing_is_left() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let flight = anna.take_off(&anna.item(COPTER, "Falke"));
    let before = anna.everything();
    let picture = pictures::jpeg(400, 300);
    for (call, body) in [
        (
            "UploadUserDocument",
            multipart(&[("description", "a")], &[("file", "a.bin", &[7; 400_000])]),
        ),
        (
            "UploadImageForFlight",
            multipart(
                &[("flight", &flight)],
                &[("files", "a.jpg", &picture), ("files", "b.jpg", &picture)],
            ),
        ),
        (
            "SaveFlightLog",
            multipart(
                &[("dpfId", &flight), ("info", "a"), ("time", "01.03.2026 09:05")],
                &[("file", "a", b"a")],
            ),
        ),
    ] {
        for sent in [body.len() / 3, body.len() - 30, body.len() - 6] {
            // The client disconnects.
            let mut stream = TcpStream::connect(server.address()).unwrap();
            stream
                .write_all(&head(&server, &anna, call, &format!("Content-Length: {}", body.len())))
                .unwrap();
            stream.write_all(&body[..sent]).unwrap();
            drop(stream);
            // The body is shorter than its Content-Length.
            let mut connection = Connection::open(server.address());
            connection.send(head(&server, &anna, call, &format!("Content-Length: {sent}")));
            connection.send(&body[..sent]);
            connection.answer().expect("an answer").expect_status(400);
        }
        blobs_are(&server, 0);
    }
    assert_eq!(anna.everything(), before);
}

#[test]
fn a_body_that_stalls_is_given_up() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__BODY_SECONDS", "0.3")]);
    let anna = server.pilot("anna");
    let mut connection = Connection::open(server.address());
    connection.send(head(&server, &anna, "UploadUserDocument", "Content-Length: 9000"));
    connection.send(file_head("file", "a.bin"));
    connection.send([7; 500]);
    connection.answer().expect("an answer").expect_status(400);
    blobs_are(&server, 0);
}

#[test]
fn a_stopping_server_leaves_no_half_of_an_upload() {
    let mut server = Server::start_with(&[("FLUGLOG_LIMITS__DRAIN_SECONDS", "0.2")]);
    let anna = server.pilot("anna");
    let kept = anna.document("a.txt", b"a");
    let mut connection = Connection::open(server.address());
    connection.send(head(&server, &anna, "UploadUserDocument", "Content-Length: 900000"));
    connection.send(file_head("file", "a.bin"));
    connection.send(vec![7; 400_000]);
    wait::until("the upload has begun", || (server.blobs().len() == 2).then_some(()));
    server.ask_to_end();
    assert!(server.wait_for_end().success());
    assert_eq!(server.blobs().len(), 1, "{kept}");
}

#[test]
fn a_stranger_s_files_are_not_even_read() {
    let server = Server::start();
    let mut connection = Connection::open(server.address());
    connection.send(head(
        &server,
        &server.stranger(),
        "UploadUserDocument",
        "Content-Length: 900000",
    ));
    connection.answer().expect("an answer").expect_not_logged_in();
    blobs_are(&server, 0);
}

#[test]
fn on_a_nearly_full_disk_uploads_are_refused_and_the_rest_goes_on() {
    let place = crate::harness::temporary_directory();
    let server = Server::start_in(place.path());
    let anna = server.pilot("anna");
    let document = anna.document("a.txt", b"a");
    drop(server);
    std::fs::write(
        place.path().join("fluglog.toml"),
        "[limits]\nfree_megabytes = 1000000000\n",
    )
    .unwrap();
    let server = Server::start_in(place.path());
    let anna = server.stranger();
    anna.log_in("anna@example.org", crate::harness::PASSWORD)
        .expect_status(202);
    let sentence = "Auf dem Server ist zu wenig Speicherplatz frei. Bitte wenden Sie sich an den Betreiber.";
    let copter = anna.item(COPTER, "Falke");
    let flight = anna.take_off(&copter);
    let picture = pictures::jpeg(30, 20);
    for (call, fields, field) in [
        ("UploadUserDocument", vec![], "file"),
        ("UploadImageForFlight", vec![("flight", flight.as_str())], "files"),
        ("SaveProfile", vec![], "photo"),
        (
            "SaveFlightLog",
            vec![("dpfId", flight.as_str()), ("info", "a"), ("time", "01.03.2026 09:05")],
            "file",
        ),
    ] {
        anna.upload(call, &fields, &[(field, "a.jpg", &picture)])
            .expect_refusal(503, sentence);
        // Without a file, and with the empty file of a form without a choice.
        if ["SaveProfile", "SaveFlightLog"].contains(&call) {
            anna.upload(call, &fields, &[]).expect_status(201);
            anna.upload(call, &fields, &[(field, "", b"")]).expect_status(201);
        }
    }
    anna.download(&document).expect_status(200);
    anna.get("/app/health").expect_status(200);
    assert_eq!(server.blobs().len(), 1);
}

#[test]
fn bodies_that_no_browser_sends_are_refused_at_once() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let send = |kind: &str, body: &[u8]| {
        let question = anna.ask("POST", "/app/api/UploadUserDocument").body(kind, body);
        question.send().status
    };
    let good = multipart(&[], &[("file", "a.txt", b"a")]);
    let part = |head: &str| format!("------Grenze\r\n{head}\r\n\r\na\r\n------Grenze--\r\n").into_bytes();
    let many: Vec<_> = (0..10_000).map(|_| ("egal", "a")).collect();
    let headers: String = (0..33).map(|number| format!("X-{number}: a\r\n")).collect();
    for (kind, body, status) in [
        ("multipart/form-data", good.clone(), 400),
        ("multipart/form-data; boundary=", good.clone(), 400),
        ("multipart/form-data; boundary=other", good.clone(), 400),
        ("multipart/mixed; boundary=----Grenze", good.clone(), 415),
        ("text/plain", good.clone(), 415),
        ("application/x-www-form-urlencoded", b"file=a".to_vec(), 415),
        (MULTIPART, b"hallo".to_vec(), 400),
        (MULTIPART, multipart(&many, &[]), 400),
        (
            MULTIPART,
            multipart(&[("description", "a"), ("description", "b")], &[("file", "a", b"a")]),
            400,
        ),
        (
            MULTIPART,
            part("Content-Disposition: form-data; name=\"description\"\r\nX: \u{0}"),
            400,
        ),
        (MULTIPART, part("Content-Disposition: form-data"), 400),
        (
            MULTIPART,
            part(&format!("{headers}Content-Disposition: form-data; name=\"file\"")),
            400,
        ),
        (
            MULTIPART,
            multipart(&[("description", &"a".repeat(2_000_000))], &[]),
            413,
        ),
        (
            MULTIPART,
            [b"------Grenze\r\nX-Long: ".to_vec(), vec![b'a'; 3_000_000]].concat(),
            400,
        ),
        (MULTIPART, vec![b'a'; 3_000_000], 400),
    ] {
        let before = server.processor_time();
        let shown = String::from_utf8_lossy(&body[..body.len().min(80)]).into_owned();
        if body.len() > 1_500_000 {
            // The server answers before the body ends.
            let mut connection = Connection::open(server.address());
            connection.send(head(
                &server,
                &anna,
                "UploadUserDocument",
                &format!("Content-Length: {}", body.len()),
            ));
            connection.try_to_send(&body);
            assert_eq!(connection.answer().expect("an answer").status, status, "{kind} {shown}");
        } else {
            assert_eq!(send(kind, &body), status, "{kind} {shown}");
        }
        let taken = server.processor_time() - before;
        assert!(taken < Duration::from_secs(2), "{kind} {shown}: {taken:?}");
    }
    assert_eq!((anna.documents().len(), server.blobs().len()), (0, 0));
    assert_eq!(send(MULTIPART, &good), 201);
}

#[test]
fn a_body_of_another_call_or_another_script_is_refused() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let not_text =
        b"------Grenze\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\n\xff\r\n------Grenze--\r\n";
    let upload = anna
        .ask("POST", "/app/api/UploadUserDocument")
        .body(MULTIPART, not_text);
    upload.send().expect_status(400);
    let files = multipart(&[("email", "anna@example.org")], &[("file", "a.txt", b"a")]);
    for call in ["Login", "GetUserDocuments", "DeleteUserDocument"] {
        let answer = anna
            .ask("POST", &format!("/app/api/{call}"))
            .body(MULTIPART, &files)
            .send();
        answer.expect_status(415);
    }
    assert_eq!(server.blobs(), Vec::<String>::new());
}

#[test]
fn parts_of_one_byte_and_in_any_order_are_understood() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let body = multipart(
        &[("description", "b")],
        &[("file", "a.txt", b"--\r\n------Grenz\r\nx\r\n")],
    );
    let mut connection = Connection::open(server.address());
    connection.send(head(&server, &anna, "UploadUserDocument", "Transfer-Encoding: chunked"));
    for byte in &body {
        connection.send([b"1\r\n".as_slice(), &[*byte], b"\r\n"].concat());
    }
    connection.send(b"0\r\n\r\n");
    let document = connection.answer().expect("an answer").expect_status(201).json();
    assert_eq!(document["description"], "b");
    let id = document["dpfId"].as_str().unwrap();
    assert_eq!(anna.download(id).text(), "--\r\n------Grenz\r\nx\r\n");
    // The file comes before the field that names its flight.
    let flight = anna.take_off(&anna.item(COPTER, "Falke"));
    let mut files = multipart(&[], &[("files", "a.jpg", &pictures::jpeg(30, 20))]);
    files.truncate(files.len() - b"------Grenze--\r\n".len());
    let body = [files, multipart(&[("flight", &flight)], &[])].concat();
    let question = anna.ask("POST", "/app/api/UploadImageForFlight").body(MULTIPART, &body);
    question.send().expect_status(201);
}
