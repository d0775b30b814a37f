//! Sharing a document: the QR code opens it for anyone, until the share ends.

use base64::Engine as _;
use serde_json::Value;

use crate::harness::answer::Answer;
use crate::harness::calls::keys;
use crate::harness::process::run;
use crate::harness::{Pilot, Server, text};

fn share(pilot: &Pilot, document: &str) -> Value {
    pilot
        .post("ShareDocument", &[("dpfId", document)])
        .expect_status(200)
        .json()
}

/// The text in the QR code of a share.
fn read_code(share: &Value) -> String {
    let png = base64::engine::general_purpose::STANDARD
        .decode(share["img"].as_str().unwrap())
        .unwrap();
    let picture = image::load_from_memory_with_format(&png, image::ImageFormat::Png)
        .unwrap()
        .into_luma8();
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let mut read = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| {
        picture
            .get_pixel(u32::try_from(x).unwrap(), u32::try_from(y).unwrap())
            .0[0]
    });
    let codes = read.detect_grids();
    assert_eq!(codes.len(), 1, "one code in the picture");
    codes[0].decode().unwrap().1
}

fn token(share: &Value) -> &str {
    share["token"].as_str().unwrap()
}

fn path(share: &Value) -> String {
    format!("/app/api/SharedDocument?token={}", token(share))
}

const ENDED: &str = "Diese Freigabe ist beendet. Bitte lassen Sie sich einen neuen QR-Code zeigen.";

#[test]
fn the_code_gives_anyone_the_document_until_the_share_is_stopped() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let document = anna.document("Übersicht.pdf", b"inhalt");
    let share = share(&anna, &document);
    assert_eq!(keys(&share), ["img", "token"]);
    let url = read_code(&share);
    assert_eq!(url, format!("{}{}", server.origin(), path(&share)));
    let passer_by = server.stranger();
    for _ in 0..2 {
        let file = passer_by.get(&path(&share)).expect_status(200);
        assert_eq!(file.text(), "inhalt");
        assert!(file.header("content-disposition").unwrap().starts_with("attachment;"));
    }
    let stopped = anna
        .post("StopShareDocument", &[("token", token(&share))])
        .expect_status(200);
    assert_eq!(stopped.text(), "");
    // A connection opened before the stop gets the refusal, too.
    passer_by.get(&path(&share)).expect_refusal(410, ENDED);
    anna.post("StopShareDocument", &[("token", token(&share))])
        .expect_no_access();
}

/// Opens the address as browsers do.
fn open(pilot: &Pilot, path: &str) -> Answer {
    let accepted = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    pilot.ask("GET", path).header("Accept", accepted).send()
}

#[test]
fn a_browser_shows_a_page_with_the_document_to_open_and_to_download() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let script = b"<script>alert(1)</script>";
    for (name, kind) in [
        ("Handbuch.PDF", Some("application/pdf")),
        ("feld.png", Some("image/png")),
        ("notiz.txt", Some("text/plain; charset=utf-8")),
        ("seite.html", None),
        ("bild.svg", None),
        ("tabelle.xlsx", None),
    ] {
        let share = share(&anna, &anna.document(name, script));
        let passer_by = server.stranger();
        let page = open(&passer_by, &path(&share)).expect_status(200);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        let html = page.text();
        assert!(html.contains(&format!("<h1>{name}</h1>")), "{html}");
        assert!(html.contains("25 B"), "{html}");
        assert!(!html.contains("<script"), "{html}");
        assert_eq!(html.contains(" hidden>Öffnen"), kind.is_none(), "{name}");

        let shown = open(
            &passer_by,
            &format!("/app/api/GetSharedDocument?token={}", token(&share)),
        );
        match kind {
            Some(kind) => {
                let shown = shown.expect_status(200);
                assert_eq!(shown.header("content-type"), Some(kind), "{name}");
                assert!(shown.header("content-disposition").unwrap().starts_with("inline; "));
                let policy = shown.header("content-security-policy").unwrap();
                assert_eq!(policy.ends_with("; sandbox"), name != "Handbuch.PDF", "{policy}");
            }
            None => drop(shown.expect_status(415)),
        }
        let path = format!("/app/api/DownloadSharedDocument?token={}", token(&share));
        let file = open(&passer_by, &path).expect_status(200);
        assert_eq!(file.body, script);
        assert_eq!(file.header("content-type"), Some("application/octet-stream"));
        assert!(file.header("content-disposition").unwrap().starts_with("attachment;"));
    }
}

#[test]
fn no_name_of_a_document_becomes_markup_of_the_page() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let name = "\"><img src=x onerror=alert(1)>{{token}}.txt";
    let share = share(&anna, &anna.document(name, b"a"));
    let html = open(&server.stranger(), &path(&share)).expect_status(200).text();
    assert!(!html.contains("<img"), "{html}");
    assert!(
        html.contains("<h1>&quot;&gt;&lt;img src=x onerror=alert(1)&gt;{{token}}.txt</h1>"),
        "{html}"
    );
}

#[test]
fn an_ended_share_is_a_page_with_one_sentence() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let share = share(&anna, &anna.document("a.txt", b"a"));
    anna.post("StopShareDocument", &[("token", token(&share))])
        .expect_status(200);
    for call in ["SharedDocument", "GetSharedDocument", "DownloadSharedDocument"] {
        let path = format!("/app/api/{call}?token={}", token(&share));
        let page = open(&server.stranger(), &path).expect_status(410);
        assert!(page.text().contains(&format!("<h1>{ENDED}</h1>")), "{}", page.text());
        server.stranger().get(&path).expect_refusal(410, ENDED);
    }
}

#[test]
fn a_share_ends_with_its_document() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let document = anna.document("a.txt", b"a");
    let share = share(&anna, &document);
    anna.post("DeleteUserDocument", &[("dpfId", &document)])
        .expect_status(200);
    server.stranger().get(&path(&share)).expect_refusal(410, ENDED);
}

#[test]
fn a_share_ends_while_its_pilot_is_disabled() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let share = share(&anna, &anna.document("a.txt", b"a"));
    let passer_by = server.stranger();
    passer_by.get(&path(&share)).expect_status(200);
    for (command, status) in [("disable", 410), ("enable", 200)] {
        let place = text(server.directory());
        let done = run(["user", command, "anna@example.org", "--data-dir", place]);
        assert_eq!(done.code, 0, "{done:?}");
        passer_by.get(&path(&share)).expect_status(status);
    }
}

#[test]
fn nobody_else_stops_a_share_and_no_token_can_be_made_up() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let share = share(&anna, &anna.document("a.txt", b"a"));
    ben.post("StopShareDocument", &[("token", token(&share))])
        .expect_no_access();
    server
        .stranger()
        .post("StopShareDocument", &[("token", token(&share))])
        .expect_not_logged_in();
    anna.post("StopShareDocument", &[("token", "x")]).expect_no_access();
    let stranger = server.stranger();
    stranger.get(&path(&share)).expect_status(200);
    for made_up in ["x", "0", &token(&share)[1..], &token(&share).to_uppercase()] {
        stranger
            .get(&format!("/app/api/SharedDocument?token={made_up}"))
            .expect_refusal(410, ENDED);
    }
    stranger.get("/app/api/SharedDocument").expect_status(400);
    stranger.ask("HEAD", &path(&share)).send().expect_status(405);
}

#[test]
fn two_shares_of_one_document_end_each_for_itself() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let document = anna.document("a.txt", b"a");
    let (first, second) = (share(&anna, &document), share(&anna, &document));
    assert_ne!(token(&first), token(&second));
    anna.post("StopShareDocument", &[("token", token(&first))])
        .expect_status(200);
    server.stranger().get(&path(&first)).expect_status(410);
    server.stranger().get(&path(&second)).expect_status(200);
}

#[test]
fn the_code_leads_to_the_public_address_and_never_to_a_foreign_host() {
    let public = "http://fluglog.example.org";
    let server = Server::start_with(&[("FLUGLOG_PUBLIC_URL", public)]);
    let anna = server.pilot("anna");
    let code = read_code(&share(&anna, &anna.document("a.txt", b"a")));
    assert!(
        code.starts_with(&format!("{public}/app/api/SharedDocument?token=")),
        "{code}"
    );

    let server = Server::start();
    let anna = server.pilot("anna");
    let document = anna.document("a.txt", b"a");
    for (host, base) in [
        ("evil.example", server.origin()),
        ("evil.example:80", server.origin()),
        (
            &format!("localhost:{}", server.address().port()),
            format!("http://localhost:{}", server.address().port()),
        ),
    ] {
        let question = anna.ask("POST", "/app/api/ShareDocument").header("Host", host);
        let code = read_code(&question.form(&[("dpfId", &document)]).send().expect_status(200).json());
        assert!(code.starts_with(&format!("{base}/app/api/")), "{host}: {code}");
    }
}

#[test]
fn neither_the_log_nor_the_disk_holds_the_token() {
    let server = Server::start_with(&[("FLUGLOG_LOG_LEVEL", "debug")]);
    let anna = server.pilot("anna");
    let share = share(&anna, &anna.document("a.txt", b"a"));
    server.stranger().get(&path(&share)).expect_status(200);
    let log = server.log_with("GET /app/api/SharedDocument 200");
    assert!(!log.contains(token(&share)), "{log}");
    let database = std::fs::read(server.directory().join("fluglog.redb")).unwrap();
    let token = token(&share).as_bytes();
    assert!(!database.windows(token.len()).any(|window| window == token));
}

#[test]
fn the_list_that_has_the_links_of_shares_is_never_packed() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    for number in 0..10 {
        anna.document(&format!("{number}{}.txt", "x".repeat(100)), b"text");
    }
    let asked = anna
        .ask("POST", "/app/api/GetUserDocuments")
        .header("Accept-Encoding", "gzip");
    let list = asked.form(&[]).send().expect_status(200);
    assert!(list.body.len() > 2_000);
    assert_eq!(list.header("content-encoding"), None);
}
