//! Pilots' feedback.

use crate::harness::{Pilot, Server};

fn send(pilot: &Pilot, message: &str, rate: &str) -> crate::harness::answer::Answer {
    pilot.post(
        "SendFeedback",
        &[("version", "1.3.0"), ("message", message), ("rate", rate)],
    )
}

#[test]
fn feedback_is_taken_from_pilots_only() {
    let server = Server::start();
    assert!(
        send(&server.pilot("anna"), "Gut!", "10")
            .expect_status(201)
            .body
            .is_empty()
    );
    send(&server.stranger(), "Gut!", "10").expect_not_logged_in();
}

#[test]
fn a_message_has_content_and_a_rate_is_from_1_to_10() {
    let server = Server::start();
    let anna = server.pilot("anna");
    for rate in ["0", "11", "-1", "+5", "5,5", "NaN", "viel", ""] {
        let answer = send(&anna, "Gut", rate).expect_status(400);
        assert_eq!(answer.header("x-field"), Some("rate"), "{rate}");
    }
    for message in ["", "  ", "\n\n", "a\u{7}", &"x".repeat(10_001)] {
        let answer = send(&anna, message, "5").expect_status(400);
        assert_eq!(answer.header("x-field"), Some("message"), "{message}");
    }
    send(&anna, &"ü".repeat(10_000), "1").expect_status(201);
    send(&anna, "zwei\r\nZeilen", "5").expect_status(201);
    anna.post("SendFeedback", &[("message", "ohne Version"), ("rate", "5")])
        .expect_status(201);
}

#[test]
fn too_many_feedbacks_have_to_wait() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let statuses: Vec<_> = (0..25).map(|_| send(&anna, "noch eins", "5").status).collect();
    assert_eq!(
        statuses.iter().filter(|status| **status == 201).count(),
        20,
        "{statuses:?}"
    );
    assert_eq!(statuses.last(), Some(&429));
    send(&server.pilot("ben"), "mein erstes", "5").expect_status(201);
}
