//! Shared by the tables of wrong input: values that are wrong in any field, and the check of refusals.

use std::cell::RefCell;

use serde_json::Value;

use crate::harness::answer::Answer;
use crate::harness::{Pilot, Server};

/// JSON texts that aren't accepted as numbers.
pub const NO_NUMBERS: [&str; 25] = [
    r#""1.5.2""#,
    r#""1,5,2""#,
    r#""1.000,5""#,
    r#""-1""#,
    r#""+1""#,
    r#""1e9""#,
    r#""1E2""#,
    r#""NaN""#,
    r#""inf""#,
    r#""1234567890""#,
    r#""0x10""#,
    r#""1 000""#,
    r#""1_000""#,
    r#""zwölf""#,
    r#""٣""#,
    r#""12g""#,
    r#"".""#,
    r#"",""#,
    "-1",
    "-0.5",
    "1e9",
    "1234567890",
    "true",
    "[]",
    "{}",
];
/// JSON texts that are accepted as numbers, or as empty.
pub const NUMBERS: [(&str, Option<f64>); 11] = [
    (r#""1,5""#, Some(1.5)),
    (r#""1.5""#, Some(1.5)),
    ("1.5", Some(1.5)),
    (r#""007""#, Some(7.0)),
    (r#""0""#, Some(0.0)),
    ("0", Some(0.0)),
    (r#""123456789""#, Some(123_456_789.0)),
    ("123456789", Some(123_456_789.0)),
    (r#""123456789,25""#, Some(123_456_789.25)),
    (r#""""#, None),
    ("null", None),
];
pub const NO_TEXTS: [&str; 6] = ["[]", "{}", r#"["Falke"]"#, "5", "1.5", "true"];
pub const CONTROL: [&str; 6] = [r"\u0000", r"\u0007", r"\u001b", r"\u007f", r"\u0085", r"\u0001"];

/// Anna, and her data before any refusal. Her data are compared when she does something else, and at the end: reading
/// them after each refusal would take longer than all refusals.
pub struct World {
    _server: Server,
    pilot: Pilot,
    pub before: Value,
    /// The refused calls since the last comparison.
    refused: RefCell<Vec<String>>,
}

impl World {
    /// Anna with the objects that `prepare` makes.
    pub fn with<T>(prepare: impl FnOnce(&Pilot) -> T) -> (Self, T) {
        let server = Server::start();
        let pilot = server.pilot("Anna");
        let made = prepare(&pilot);
        let before = pilot.everything();
        (
            Self {
                _server: server,
                pilot,
                before,
                refused: RefCell::default(),
            },
            made,
        )
    }

    /// Fails if a refused call has changed something.
    #[track_caller]
    pub fn pilot(&self) -> &Pilot {
        self.expect_unchanged();
        &self.pilot
    }

    #[track_caller]
    fn expect_unchanged(&self) {
        let refused = self.refused.take();
        assert!(
            refused.is_empty() || self.pilot.everything() == self.before,
            "one of these calls changed something: {refused:?}"
        );
    }

    /// Fails unless the call is refused with 400 because of this field. That nothing has changed is checked later.
    #[track_caller]
    pub fn refuses(&self, call: &str, fields: &[(&str, &str)], field: &str) -> Answer {
        let answer = self.refuses_somehow(call, fields);
        assert_eq!(answer.header("x-field"), Some(field), "{call} {}", shown(fields));
        answer
    }

    #[track_caller]
    pub fn refuses_somehow(&self, call: &str, fields: &[(&str, &str)]) -> Answer {
        let answer = self.pilot.post(call, fields);
        assert_eq!(answer.status, 400, "{call} {}: {}", shown(fields), answer.text());
        self.refused.borrow_mut().push(format!("{call} {}", shown(fields)));
        answer
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.expect_unchanged();
        }
    }
}

fn shown(fields: &[(&str, &str)]) -> String {
    let short = |value: &str| value.chars().take(120).collect::<String>();
    fields
        .iter()
        .map(|(name, value)| format!("{name}={}", short(value)))
        .collect::<Vec<_>>()
        .join("&")
}

/// The object as JSON text with `field` set to this JSON text, which may be invalid.
pub fn with_raw(object: &Value, field: &str, raw: &str) -> String {
    let mut object = object.clone();
    object.as_object_mut().expect("an object").remove(field);
    let text = object.to_string();
    let rest = text.strip_suffix('}').unwrap_or_default();
    let comma = if rest == "{" { "" } else { "," };
    format!("{rest}{comma}\"{field}\":{raw}}}")
}

pub fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}
