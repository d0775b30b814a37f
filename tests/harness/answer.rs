//! An answer of the server, and the checks that every answer has to pass.

use std::borrow::Cow;
use std::io::Read as _;

use flate2::read::GzDecoder;
use serde_json::Value;

use super::document;

/// Directives that the content security policy of every answer must contain.
const POLICY: [&str; 9] = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
];

/// Pilots' documents open in a tab of their own: their policy loads nothing and runs no script, but allows the styles
/// that browsers add when they show a file.
const DOCUMENTS: [&str; 2] = ["/app/api/GetDocument", "/app/api/GetSharedDocument"];
/// Shares, whose end a browser shows as a page.
const SHARES: [&str; 3] = [
    "/app/api/SharedDocument",
    "/app/api/GetSharedDocument",
    "/app/api/DownloadSharedDocument",
];
const POLICY_OF_A_DOCUMENT: [&str; 5] = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
];

/// The paths of files whose content never changes.
const PICTURES: [&str; 3] = ["/app/api/GetImage", "/app/api/GetPhoto", "/app/api/GetProofPage"];
/// English words that would reveal a message of a library, or a path, in an error.
const FOREIGN_WORDS: [&str; 27] = [
    "the",
    "is",
    "not",
    "invalid",
    "error",
    "bad",
    "method",
    "allowed",
    "missing",
    "field",
    "expected",
    "unexpected",
    "failed",
    "forbidden",
    "unauthorized",
    "found",
    "column",
    "line",
    "serde",
    "json",
    "redb",
    "warp",
    "hyper",
    "bincode",
    "panicked",
    "none",
    "some",
];

pub struct Answer {
    /// Method and path of the request, for failure messages.
    pub asked: String,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// A cookie as the server set it.
#[derive(Debug, Clone)]
pub struct SetCookie {
    pub name: String,
    pub value: String,
    /// `Path=/`, `HttpOnly`, … in the order sent.
    pub attributes: Vec<String>,
}

impl SetCookie {
    fn parse(header: &str) -> Self {
        let mut parts = header.split(';').map(str::trim);
        let (name, value) = parts.next().and_then(|pair| pair.split_once('=')).unwrap_or_default();
        Self {
            name: name.to_owned(),
            value: value.to_owned(),
            attributes: parts.map(str::to_owned).collect(),
        }
    }

    pub fn has(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|have| have.eq_ignore_ascii_case(attribute))
    }

    /// The value of `Max-Age`, if any.
    pub fn max_age(&self) -> Option<i64> {
        self.attributes.iter().find_map(|attribute| {
            let (name, value) = attribute.split_once('=')?;
            name.eq_ignore_ascii_case("Max-Age")
                .then(|| value.parse().ok())
                .flatten()
        })
    }

    pub fn is_removal(&self) -> bool {
        self.value.is_empty() || self.max_age().is_some_and(|seconds| seconds <= 0)
    }
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn has_header(&self, name: &str, value: &str) -> bool {
        self.header(name) == Some(value)
    }

    pub fn set_cookies(&self) -> Vec<SetCookie> {
        self.headers
            .iter()
            .filter(|(key, _)| key.eq_ignore_ascii_case("set-cookie"))
            .map(|(_, value)| SetCookie::parse(value))
            .collect()
    }

    #[track_caller]
    pub fn cookie(&self, name: &str) -> SetCookie {
        let cookies = self.set_cookies();
        cookies
            .iter()
            .find(|cookie| cookie.name == name)
            .unwrap_or_else(|| panic!("{}: no cookie {name} in {cookies:?}", self.asked))
            .clone()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{}: {error} in {:?}", self.asked, self.text()))
    }

    #[track_caller]
    pub fn expect_status(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}: {}", self.asked, self.text());
        self
    }

    /// Fails unless it is this error with exactly this sentence.
    #[track_caller]
    pub fn expect_refusal(self, status: u16, sentence: &str) -> Self {
        let answer = self.expect_status(status);
        assert_eq!(answer.text(), sentence, "{}", answer.asked);
        answer
    }

    #[track_caller]
    pub fn expect_not_logged_in(self) -> Self {
        self.expect_refusal(401, "Sie sind nicht angemeldet.")
    }

    /// The answer for an id that is unknown, malformed, someone else's or of the wrong kind.
    #[track_caller]
    pub fn expect_no_access(self) -> Self {
        self.expect_refusal(403, "Darauf haben Sie keinen Zugriff.")
    }

    /// Checks what holds for every answer.
    #[track_caller]
    /// The body, decompressed.
    pub fn unpacked(&self) -> Cow<'_, [u8]> {
        if self.header("content-encoding") != Some("gzip") {
            return Cow::Borrowed(&self.body);
        }
        let mut unpacked = Vec::new();
        GzDecoder::new(self.body.as_slice())
            .read_to_end(&mut unpacked)
            .expect("gzip");
        Cow::Owned(unpacked)
    }

    pub fn check_promises(&self, method: &str, path: &str) {
        self.check_headers(path);
        if self.status >= 400 {
            let is_page = self.has_header("content-type", "text/html; charset=utf-8");
            if !(is_page && SHARES.contains(&without_query(path))) {
                self.check_sentence(method);
            }
        }
    }

    #[track_caller]
    fn check_headers(&self, path: &str) {
        let asked = &self.asked;
        let policy = self.header("content-security-policy").unwrap_or_default();
        let is_document = DOCUMENTS.contains(&without_query(path)) && self.status == 200;
        let (parts, rest) = match is_document {
            true => (&POLICY_OF_A_DOCUMENT[..], policy.replace(POLICY_OF_A_DOCUMENT[1], "")),
            false => (&POLICY[..], policy.to_owned()),
        };
        for part in parts {
            assert!(
                policy.contains(part),
                "{asked}: {part} is missing in the policy {policy:?}"
            );
        }
        assert!(!rest.contains("unsafe-"), "{asked}: {policy}");
        assert!(!is_document || !policy.contains("script-src"), "{asked}: {policy}");
        for (name, value) in [
            ("x-fluglog", "1"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("x-frame-options", "DENY"),
        ] {
            assert_eq!(self.header(name), Some(value), "{asked}: {name}");
        }
        for (name, _) in &self.headers {
            let name = name.to_ascii_lowercase();
            assert!(
                name != "server" && name != "x-powered-by",
                "{asked} names its software: {name}"
            );
            assert!(
                !name.starts_with("access-control-"),
                "{asked} opens itself to other sites: {name}"
            );
            assert!(name != "strict-transport-security", "{asked}: {name} without https");
        }
        let kind = self.header("content-type").unwrap_or_default();
        if kind.starts_with("text/") {
            // A pilot's own text keeps its encoding.
            let is_old = is_document && kind.ends_with("charset=windows-1252");
            let is_ours = kind.to_ascii_lowercase().ends_with("charset=utf-8");
            assert!(is_ours || is_old, "{asked}: {kind}");
        }
        if path.starts_with("/app/api/") && (200..300).contains(&self.status) {
            let caching = self.header("cache-control").unwrap_or_default();
            let expected = if path == document::PATH {
                "no-cache"
            } else if PICTURES.iter().any(|call| path.starts_with(call)) {
                "private, max-age=31536000, immutable"
            } else {
                "no-store"
            };
            assert_eq!(caching, expected, "{asked}");
        }
    }

    /// Checks that an error is a German sentence.
    #[track_caller]
    fn check_sentence(&self, method: &str) {
        let asked = format!("{} {}", self.asked, self.status);
        let kind = self.header("content-type").unwrap_or_default();
        assert_eq!(kind, "text/plain; charset=utf-8", "{asked}");
        if method == "HEAD" {
            return;
        }
        let sentence = String::from_utf8(self.body.clone()).expect("an error is UTF-8");
        assert!(!sentence.trim().is_empty(), "{asked}: empty");
        assert_eq!(sentence.lines().count(), 1, "{asked}: {sentence}");
        assert!(sentence.chars().count() <= 200, "{asked}: {sentence}");
        assert!(
            sentence.chars().next().is_some_and(char::is_uppercase),
            "{asked}: {sentence}"
        );
        assert!(
            sentence.ends_with(['.', '!', '?']) || sentence == "Ungültige Eingabe",
            "{asked}: {sentence}"
        );
        assert!(
            !sentence.contains(['/', '\\', '{', '<', '`', '_']),
            "{asked}: {sentence}"
        );
        for word in sentence.to_lowercase().split(|letter: char| !letter.is_alphabetic()) {
            assert!(!FOREIGN_WORDS.contains(&word), "{asked}: {word:?} in {sentence:?}");
        }
    }
}

fn without_query(path: &str) -> &str {
    path.split('?').next().unwrap_or_default()
}
