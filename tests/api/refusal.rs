//! Shared by the tables of wrong input: values that are wrong in any field, and the check of refusals.

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

/// Anna, and her data before any refusal.
pub struct World {
    _server: Server,
    pub pilot: Pilot,
    pub before: Value,
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
            },
            made,
        )
    }

    /// Fails unless the call is refused with 400 because of this field, and nothing has changed.
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
        assert!(
            self.pilot.everything() == self.before,
            "{call} {} changed something",
            shown(fields)
        );
        answer
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
