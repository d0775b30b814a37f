//! The metrics for monitoring, at an address of their own and only if the admin sets one.

use crate::harness::{PASSWORD, Server};

#[test]
fn a_monitor_reads_numbers_and_nothing_about_persons() {
    let mut server = Server::start_with(&[("FLUGLOG_METRICS_LISTEN", "127.0.0.1:0")]);
    let anna = server.pilot("Anna");
    anna.log_in("anna@example.org", "falsch-geraten").expect_status(401);
    anna.get("/app/flights/0198b6f0-1111-7000-8000-000000000000")
        .expect_status(200);
    let expected = [
        "fluglog_requests_total{call=\"Login\",status=\"202\"} 1",
        "fluglog_requests_total{call=\"Login\",status=\"401\"} 1",
        "fluglog_requests_total{call=\"page\",status=\"200\"} 1",
        "fluglog_request_seconds_count 3",
        "fluglog_users 1",
        "fluglog_mails_waiting 0",
        "fluglog_connections 1",
        "fluglog_requests_in_flight 0",
        "# TYPE fluglog_request_seconds histogram",
    ];
    let (status, text) = server.ask_monitor("GET /metrics");
    assert_eq!(status, 200);
    for line in expected {
        assert!(
            text.lines().any(|written| written == line),
            "{line} is missing:\n{text}"
        );
    }
    // Before the first backup.
    assert!(!text.contains("fluglog_last_backup"), "{text}");
    for counted in [
        "process_start_time_seconds ",
        "fluglog_database_bytes ",
        "fluglog_free_bytes ",
    ] {
        let value = text.lines().find_map(|line| line.strip_prefix(counted));
        assert!(
            value.is_some_and(|value| value.parse::<f64>().unwrap() > 0.0),
            "{counted}\n{text}"
        );
    }
    for private in ["example.org", "Anna", "0198b6f0", "127.0.0.1"] {
        assert!(!text.contains(private), "{private}:\n{text}");
    }
    assert_eq!(server.ask_monitor("GET /app/health").0, 404);
    assert_eq!(server.ask_monitor("POST /metrics").0, 404);
    server.ask_to_end();
    assert_eq!(server.wait_for_end().code(), Some(0));
}

#[test]
fn without_an_address_there_are_no_metrics() {
    let server = Server::start();
    server.add_user("anna@example.org", "Anna", PASSWORD);
    server.log_with("listening on");
    assert!(!server.log().contains("metrics"));
    let page = server.stranger().get("/metrics").expect_status(404);
    assert!(!page.text().contains("fluglog_"), "{}", page.text());
}
