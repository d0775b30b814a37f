//! The pages besides the calls: the app, its assets, the legal texts, the health check.

use std::fs;
use std::io::Read as _;

use crate::harness::answer::Answer;
use crate::harness::{Pilot, Server, raw, temporary_directory};

/// The path of a script or style on the start page.
fn asset(pilot: &Pilot, kind: &str) -> String {
    let page = pilot.get("/app/").expect_status(200).text();
    page.split('"')
        .find(|part| part.starts_with("/app/assets/") && part.ends_with(kind))
        .unwrap_or_else(|| panic!("no {kind} in {page}"))
        .to_owned()
}

#[track_caller]
fn expect_page(answer: Answer) {
    let answer = answer.expect_status(200);
    assert_eq!(
        answer.header("content-type"),
        Some("text/html; charset=utf-8"),
        "{}",
        answer.asked
    );
    assert_eq!(answer.header("cache-control"), Some("no-cache"), "{}", answer.asked);
    assert!(
        answer.text().to_lowercase().starts_with("<!doctype html>"),
        "{}",
        answer.text()
    );
}

#[test]
fn the_root_leads_to_the_app() {
    let server = Server::start();
    let answer = server.stranger().get("/");
    assert!([301, 302, 303, 307, 308].contains(&answer.status), "{}", answer.status);
    assert_eq!(answer.header("location"), Some("/app/"));
}

#[test]
fn the_line_on_stdout_names_the_address_of_the_app() {
    let server = Server::start();
    assert!(
        server.greeting().ends_with(&format!("{}/app/", server.origin())),
        "{}",
        server.greeting()
    );
    assert_ne!(server.address().port(), 0);
    expect_page(server.stranger().get("/app/"));
}

#[test]
fn every_route_of_the_app_answers_the_start_page() {
    let server = Server::start();
    let pilot = server.stranger();
    for path in [
        "/app/",
        "/app/login",
        "/app/home",
        "/app/flights/0190-abc/finish",
        "/app/equipments/1/editor",
        "/app/impressum",
        "/app/no/such/route",
        "/app/legal/unknown.txt",
        "/app/health/",
        "/app/index.html",
        "/app/login?next=%2Fapp%2Fhome",
        "/app/b%C3%A4r",
        "/app/a.b.c",
    ] {
        expect_page(pilot.get(path));
    }
}

#[test]
fn no_path_reads_the_data_directory() {
    let server = Server::start();
    server.add_user("anna@example.org", "Anna", crate::harness::PASSWORD);
    for path in [
        "/app/fluglog.redb",
        "/app/../fluglog.redb",
        "/app/%2e%2e/fluglog.redb",
        "/app/..%2ffluglog.redb",
        "/app/blobs/x",
        "/app/assets/../../fluglog.redb",
        "/app/assets/%2e%2e/%2e%2e/fluglog.toml",
        "/app/legal/../fluglog.toml",
        "/app/legal/..%2f..%2ffluglog.toml",
        "/app//etc/passwd",
        "/../../etc/passwd",
        "/fluglog.redb",
        "/app/a%00b",
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address());
        let answer = raw::exchange(server.address(), request).expect("an answer");
        let is_page = answer.status == 200 && answer.header("content-type") == Some("text/html; charset=utf-8");
        assert!(
            is_page || [301, 302, 307, 308, 400, 404].contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        assert!(!answer.text().contains("root:"), "{path}");
    }
}

/// The files that the service worker caches, read from its script.
fn kept_files(worker: &str) -> Vec<&str> {
    let paths = worker.split('"').filter(|part| part.starts_with("/app/"));
    paths.collect()
}

#[test]
fn the_worker_of_the_browser_keeps_files_that_are_there_and_is_asked_for_at_each_visit() {
    let server = Server::start();
    let pilot = server.stranger();
    let worker = pilot.get("/app/sw.js").expect_status(200);
    assert_eq!(worker.header("cache-control"), Some("no-cache"));
    assert_eq!(worker.header("content-type"), Some("text/javascript; charset=utf-8"));
    let policy = worker.header("content-security-policy").unwrap_or_default();
    assert!(policy.contains("worker-src 'self'"), "{policy}");
    let text = worker.text();
    let files = kept_files(&text);
    assert!(files.contains(&"/app/index.html"), "{files:?}");
    assert!(files.contains(&asset(&pilot, ".js").as_str()), "{files:?}");
    for file in files.iter().filter(|file| file.contains('.')) {
        pilot.get(file).expect_status(200);
    }
}

#[test]
fn with_offline_false_the_worker_removes_itself() {
    let server = Server::start_with(&[("FLUGLOG_OFFLINE", "false")]);
    let worker = server.stranger().get("/app/sw.js").expect_status(200);
    assert_eq!(worker.header("cache-control"), Some("no-cache"));
    let text = worker.text();
    assert!(kept_files(&text).is_empty(), "{text}");
    assert!(text.contains("unregister()"), "{text}");
}

#[test]
fn the_app_can_be_installed_with_icons_of_both_shapes_and_shortcuts_to_its_screens() {
    let server = Server::start();
    let pilot = server.stranger();
    let answer = pilot.get("/app/manifest.webmanifest").expect_status(200);
    assert_eq!(answer.header("content-type"), Some("application/manifest+json"));
    let manifest = answer.json();
    assert_eq!(manifest["scope"], "/app/");
    let icons = manifest["icons"].as_array().expect("icons");
    for (size, purpose) in [("192x192", None), ("512x512", None), ("512x512", Some("maskable"))] {
        let found = icons
            .iter()
            .find(|icon| icon["sizes"] == size && icon["purpose"].as_str() == purpose)
            .unwrap_or_else(|| panic!("no icon {size} {purpose:?}"));
        pilot.get(found["src"].as_str().unwrap()).expect_status(200);
    }
    for shortcut in manifest["shortcuts"].as_array().expect("shortcuts") {
        expect_page(pilot.get(shortcut["url"].as_str().unwrap()));
    }
}

#[test]
fn every_kind_of_file_with_flights_can_be_shared_to_the_app() {
    let server = Server::start();
    let manifest = server.stranger().get("/app/manifest.webmanifest").json();
    let accepted = manifest["share_target"]["params"]["files"][0]["accept"].to_string();
    for entry in fs::read_dir("tests/fixtures/flights").expect("the files with flights") {
        let path = entry.expect("an entry").path();
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        // The table of the fixtures' expected content.
        if extension != "tsv" {
            assert!(accepted.contains(&format!("\".{extension}\"")), "{extension}");
        }
    }
}

#[test]
fn assets_are_kept_for_a_year_and_never_replaced_by_the_page() {
    let server = Server::start();
    let pilot = server.stranger();
    for (kind, content_type) in [(".js", "text/javascript"), (".css", "text/css")] {
        let answer = pilot.get(&asset(&pilot, kind)).expect_status(200);
        assert_eq!(
            answer.header("cache-control"),
            Some("public, max-age=31536000, immutable")
        );
        assert!(
            answer
                .header("content-type")
                .is_some_and(|have| have.starts_with(content_type)),
            "{kind}"
        );
        assert!(answer.header("etag").is_some(), "{kind}");
    }
    for missing in [
        "/app/assets/x",
        "/app/assets/",
        "/app/assets/index-00000000.js",
        "/app/assets/../x",
    ] {
        let answer = pilot.get(missing);
        if !missing.contains("..") {
            answer.expect_status(404);
        }
    }
}

#[test]
fn assets_come_compressed_when_the_browser_can_read_that() {
    let server = Server::start();
    let pilot = server.stranger();
    let path = asset(&pilot, ".js");
    let plain = pilot.get(&path).expect_status(200);
    assert_eq!(plain.header("content-encoding"), None);
    for (accepted, encoding) in [
        ("br", "br"),
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("gzip, deflate", "gzip"),
    ] {
        let answer = pilot
            .ask("GET", &path)
            .header("Accept-Encoding", accepted)
            .send()
            .expect_status(200);
        assert_eq!(answer.header("content-encoding"), Some(encoding), "{accepted}");
        assert!(answer.body.len() < plain.body.len(), "{accepted}");
        let varies = answer
            .header("vary")
            .is_some_and(|by| by.eq_ignore_ascii_case("accept-encoding"));
        assert!(varies, "a cache must not mix them up");
    }
    for refused in ["identity", "br;q=0", "gzip;q=0, br;q=0"] {
        let answer = pilot
            .ask("GET", &path)
            .header("Accept-Encoding", refused)
            .send()
            .expect_status(200);
        assert_eq!(answer.header("content-encoding"), None, "{refused}");
        assert_eq!(answer.body, plain.body, "{refused}");
    }
    let packed = pilot.ask("GET", &path).header("Accept-Encoding", "gzip").send();
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(packed.body.as_slice())
        .read_to_end(&mut unpacked)
        .expect("gzip");
    assert!(unpacked == plain.body, "each client gets the same file");
}

#[test]
fn an_asset_that_the_browser_has_is_not_sent_again() {
    let server = Server::start();
    let pilot = server.stranger();
    let path = asset(&pilot, ".js");
    let tag = pilot.get(&path).header("etag").expect("an ETag").to_owned();
    for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}")] {
        let again = pilot
            .ask("GET", &path)
            .header("If-None-Match", &known)
            .send()
            .expect_status(304);
        assert!(again.body.is_empty());
    }
    pilot
        .ask("GET", &path)
        .header("If-None-Match", "\"other\"")
        .send()
        .expect_status(200);
}

#[test]
fn the_health_check_says_ok() {
    let server = Server::start();
    assert_eq!(server.stranger().get("/app/health").expect_status(200).text(), "ok");
}

#[test]
fn legal_texts_come_with_the_program() {
    let server = Server::start();
    for name in ["impressum", "dataprivacy"] {
        let answer = server
            .stranger()
            .get(&format!("/app/legal/{name}.txt"))
            .expect_status(200);
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        assert!(answer.text().trim().len() > 20, "{name}: {}", answer.text());
    }
}

#[test]
fn legal_texts_in_the_data_directory_replace_those_of_the_program() {
    let owned = temporary_directory();
    let first = Server::start_in(owned.path());
    let privacy = first.stranger().get("/app/legal/dataprivacy.txt").text();
    assert!(first.stop().success());

    std::fs::create_dir(owned.path().join("legal")).unwrap();
    std::fs::write(
        owned.path().join("legal/impressum.txt"),
        "# Impressum\n\nModellflugverein Aßling",
    )
    .unwrap();
    let second = Server::start_in(owned.path());
    let read = |name: &str| {
        second
            .stranger()
            .get(&format!("/app/legal/{name}.txt"))
            .expect_status(200)
            .text()
    };
    assert_eq!(read("impressum"), "# Impressum\n\nModellflugverein Aßling");
    assert_eq!(read("dataprivacy"), privacy);
}

#[test]
fn outside_the_app_there_is_nothing() {
    let server = Server::start();
    for path in ["/favicon.ico", "/login", "/api/Login", "/application", "/.env"] {
        server.stranger().get(path).expect_status(404);
    }
}

#[test]
fn with_an_https_address_of_its_own_the_server_insists_on_https() {
    let server = Server::start_configured("public_url = \"https://fluglog.example.org\"\n");
    let request = format!("GET /app/health HTTP/1.1\r\nHost: {}\r\n\r\n", server.address());
    let answer = raw::exchange(server.address(), request).expect("an answer");
    let insists = answer.header("strict-transport-security").unwrap_or_default();
    assert!(insists.contains("max-age="), "{insists:?}");
}
