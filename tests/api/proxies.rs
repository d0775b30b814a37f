//! Forwarded headers (scheme, address and host) only count from a trusted proxy.

use crate::harness::answer::{Answer, SetCookie};
use crate::harness::{PASSWORD, Server};

const ANNA: &str = "anna@example.org";
/// The tests' own address acts as the proxy's.
const TRUSTING: &str = "trusted_proxies = [\"127.0.0.0/8\", \"10.0.0.0/8\"]\n";

fn server_with_anna(configuration: &str) -> Server {
    let server = Server::start_configured(configuration);
    server.add_user(ANNA, "Anna", PASSWORD);
    server
}

/// A login attempt with these forwarded headers.
fn log_in_from(server: &Server, way: &str, email: &str, password: &str) -> Answer {
    let fields = [("email", email), ("password", password)];
    let browser = server.stranger();
    browser
        .ask("POST", "/app/api/Login")
        .header("X-Forwarded-For", way)
        .form(&fields)
        .send()
}

/// Uses up all attempts of the address in these headers.
fn fail_twenty_times(server: &Server, way: impl Fn(u32) -> String) {
    for number in 0..20 {
        let email = format!("guess-{number}@example.org");
        log_in_from(server, &way(number), &email, PASSWORD).expect_status(401);
    }
}

#[test]
fn behind_a_trusted_proxy_with_https_the_cookies_are_secure() {
    let server = server_with_anna(TRUSTING);
    let login = |scheme: &str| {
        let fields = [("email", ANNA), ("password", PASSWORD), ("rememberMe", "true")];
        let question = server
            .stranger()
            .ask("POST", "/app/api/Login")
            .header("X-Forwarded-Proto", scheme)
            .form(&fields)
            .send();
        question.expect_status(202).set_cookies()
    };
    let names = |cookies: &[SetCookie]| {
        let mut names: Vec<_> = cookies.iter().map(|cookie| cookie.name.clone()).collect();
        names.sort();
        names
    };
    let (safe, plain) = (login("https"), login("http"));
    assert_eq!(names(&safe), ["__Host-device", "__Host-login", "__Host-session"]);
    assert!(
        safe.iter().all(|cookie| cookie.has("Secure") && cookie.has("Path=/")),
        "{safe:?}"
    );
    assert_eq!(names(&plain), ["device", "login", "session"]);
    assert!(plain.iter().all(|cookie| !cookie.has("Secure")), "{plain:?}");

    let session = safe.iter().find(|cookie| cookie.name == "__Host-session").unwrap();
    let check = |scheme: &str, name: &str| {
        let cookie = format!("{name}={}", session.value);
        let browser = server.stranger();
        browser
            .ask("POST", "/app/api/GetDetailedUser")
            .header("X-Forwarded-Proto", scheme)
            .header("Cookie", &cookie)
            .send()
    };
    check("https", "__Host-session").expect_status(200);
    check("https", "session").expect_not_logged_in();
}

#[test]
fn a_stranger_s_word_about_https_is_not_believed() {
    let server = server_with_anna("");
    let fields = [("email", ANNA), ("password", PASSWORD)];
    let answer = server
        .stranger()
        .ask("POST", "/app/api/Login")
        .header("X-Forwarded-Proto", "https")
        .form(&fields)
        .send();
    let cookie = answer.expect_status(202).cookie("session");
    assert!(!cookie.has("Secure"), "{cookie:?}");
}

#[test]
fn behind_a_trusted_proxy_each_client_has_tries_of_its_own() {
    let server = server_with_anna(TRUSTING);
    fail_twenty_times(&server, |_| "203.0.113.7".to_owned());
    log_in_from(&server, "203.0.113.7", ANNA, PASSWORD).expect_status(429);
    log_in_from(&server, "203.0.113.8", ANNA, PASSWORD).expect_status(202);
}

#[test]
fn the_nearest_hop_that_is_not_trusted_is_the_client() {
    let server = server_with_anna(TRUSTING);
    // Entries further left were written by the client itself.
    fail_twenty_times(&server, |number| format!("198.51.100.{number}, 203.0.113.7, 10.1.2.3"));
    log_in_from(&server, "192.0.2.1, 203.0.113.7", ANNA, PASSWORD).expect_status(429);
    log_in_from(&server, "203.0.113.7, 203.0.113.8", ANNA, PASSWORD).expect_status(202);
}

#[test]
fn the_addresses_of_one_ipv6_network_count_as_one() {
    let server = server_with_anna(TRUSTING);
    fail_twenty_times(&server, |number| format!("2001:db8:1:2:{number:x}::1"));
    log_in_from(&server, "2001:db8:1:2:ffff::1", ANNA, PASSWORD).expect_status(429);
    log_in_from(&server, "2001:db8:1:3::1", ANNA, PASSWORD).expect_status(202);
}

#[test]
fn nonsense_from_a_proxy_is_no_way_around_the_limit() {
    let server = server_with_anna(TRUSTING);
    let ways = [
        "",
        ",",
        "unknown",
        "x, y",
        "203.0.113.999",
        "\"[::1\"",
        "127.0.0.1",
        "10.1.2.3, 10.1.2.4",
    ];
    let tries: Vec<_> = (0..25)
        .map(|number| {
            log_in_from(
                &server,
                ways[number % ways.len()],
                &format!("guess-{number}@example.org"),
                PASSWORD,
            )
        })
        .collect();
    assert!(tries.iter().all(|answer| [401, 429].contains(&answer.status)));
    assert!(
        tries.iter().any(|answer| answer.status == 429),
        "25 tries from one proxy and no limit"
    );
}

#[test]
fn the_host_that_a_trusted_proxy_names_is_no_other_site() {
    let ask = |server: &Server, origin: &str| {
        let pilot = server.stranger();
        pilot.log_in(ANNA, PASSWORD).expect_status(202);
        let session = pilot.cookie("session").unwrap();
        server
            .stranger()
            .ask("POST", "/app/api/GetStatistics")
            .header("X-Forwarded-Proto", "https")
            .header("X-Forwarded-Host", "fluglog.example.org")
            .header("Cookie", &format!("session={session}; __Host-session={session}"))
            .header("Origin", origin)
            .send()
    };
    let (trusting, wary) = (server_with_anna(TRUSTING), server_with_anna(""));
    ask(&trusting, "https://fluglog.example.org").expect_status(200);
    ask(&trusting, "https://evil.example").expect_status(403);
    ask(&wary, "https://fluglog.example.org").expect_status(403);
}

#[test]
fn an_untrusted_proxy_is_logged_once() {
    let hints = |server: &Server| server.log().matches("set trusted_proxies = [\"127.0.0.1\"]").count();
    let wary = server_with_anna("");
    assert_eq!(hints(&wary), 0);
    for _ in 0..3 {
        log_in_from(&wary, "203.0.113.7", ANNA, PASSWORD).expect_status(202);
    }
    assert_eq!(hints(&wary), 1);
    let trusting = server_with_anna(TRUSTING);
    log_in_from(&trusting, "203.0.113.7", ANNA, PASSWORD).expect_status(202);
    assert_eq!(hints(&trusting), 0);
}

#[test]
fn a_page_over_https_is_kept_from_other_sites_windows() {
    let server = Server::start_configured(TRUSTING);
    let opener_policy = |scheme: &str| {
        let stranger = server.stranger();
        let question = stranger.ask("GET", "/app/").header("X-Forwarded-Proto", scheme);
        let answer = question.send().expect_status(200);
        answer.header("cross-origin-opener-policy").map(str::to_owned)
    };
    assert_eq!(opener_policy("https").as_deref(), Some("same-origin"));
    // Browsers ignore the header on plain http, and complain.
    assert_eq!(opener_policy("http"), None);
}
