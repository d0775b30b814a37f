//! A browser: sends requests, keeps cookies, doesn't follow redirects.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use percent_encoding::percent_encode_byte;
use ureq::Agent;
use ureq::http::Request;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use super::answer::{Answer, SetCookie};
use super::{document, wait};

/// More than any answer has.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

pub const FORM: &str = "application/x-www-form-urlencoded";

pub struct Pilot {
    origin: String,
    agent: Agent,
    cookies: Mutex<BTreeMap<String, String>>,
}

impl Pilot {
    pub fn new(origin: &str) -> Self {
        Self::with(origin, TlsConfig::default())
    }

    /// A browser that trusts only this authority (PEM).
    pub fn trusting(origin: &str, authority: &str) -> Self {
        let root = Certificate::from_pem(authority.as_bytes()).expect("a certificate");
        let roots = RootCerts::new_with_certs(&[root]);
        Self::with(origin, TlsConfig::builder().root_certs(roots).build())
    }

    fn with(origin: &str, tls: TlsConfig) -> Self {
        let agent = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .timeout_global(Some(wait::PATIENCE))
            .build()
            .new_agent();
        Self {
            origin: origin.to_owned(),
            agent,
            cookies: Mutex::default(),
        }
    }

    /// Another tab: a copy of the cookies, and a connection of its own.
    pub fn another_tab(&self) -> Self {
        let tab = Self::new(&self.origin);
        *tab.cookies() = self.cookies().clone();
        tab
    }

    /// A call with form fields, as the app sends it.
    #[track_caller]
    pub fn post(&self, call: &str, fields: &[(&str, &str)]) -> Answer {
        self.ask("POST", &format!("/app/api/{call}")).form(fields).send()
    }

    /// A call without fields and without a body.
    #[track_caller]
    pub fn post_empty(&self, call: &str) -> Answer {
        self.ask("POST", &format!("/app/api/{call}")).send()
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path).send()
    }

    pub fn ask(&self, method: &str, path: &str) -> RequestBuilder<'_> {
        RequestBuilder {
            pilot: self,
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: None,
        }
    }

    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies().get(name).cloned()
    }

    pub fn plant_cookie(&self, name: &str, value: &str) {
        self.cookies().insert(name.to_owned(), value.to_owned());
    }

    /// Removes a cookie, as closing the browser does for those without `Max-Age`.
    pub fn forget_cookie(&self, name: &str) {
        self.cookies().remove(name);
    }

    /// The value of the header `Cookie`.
    pub fn cookie_header(&self) -> String {
        let cookies = self.cookies();
        let pairs: Vec<_> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    fn cookies(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.cookies.lock().expect("nobody panics while holding cookies")
    }

    fn keep(&self, cookie: &SetCookie) {
        if cookie.is_removal() {
            self.forget_cookie(&cookie.name);
        } else {
            self.plant_cookie(&cookie.name, &cookie.value);
        }
    }
}

/// A request builder.
pub struct RequestBuilder<'a> {
    pilot: &'a Pilot,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl RequestBuilder<'_> {
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn form(self, fields: &[(&str, &str)]) -> Self {
        self.body(FORM, encode(fields).as_bytes())
    }

    pub fn body(self, kind: &str, body: &[u8]) -> Self {
        self.header("Content-Type", kind).body_without_kind(body)
    }

    pub fn body_without_kind(mut self, body: &[u8]) -> Self {
        self.body = Some(body.to_vec());
        self
    }

    /// Sends the request, checks what holds for every answer, and keeps its cookies.
    #[track_caller]
    pub fn send(self) -> Answer {
        let asked = format!("{} {}", self.method, self.path);
        self.exchange().unwrap_or_else(|error| panic!("{asked}: {error}"))
    }

    /// Like `send`, but returns `None` if the server ends before it has answered.
    #[track_caller]
    pub fn try_to_send(self) -> Option<Answer> {
        self.exchange().ok()
    }

    #[track_caller]
    fn exchange(self) -> Result<Answer, ureq::Error> {
        let url = format!("{}{}", self.pilot.origin, self.path);
        let mut request = Request::builder().method(self.method.as_str()).uri(url);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let cookies = self.pilot.cookie_header();
        if !cookies.is_empty() {
            request = request.header("Cookie", cookies);
        }
        let mut response = match self.body {
            Some(body) => self.pilot.agent.run(request.body(body)?),
            None => self.pilot.agent.run(request.body(())?),
        }?;
        let headers = response.headers().iter();
        let headers = headers
            .map(|(name, value)| (name.to_string(), lossy(value.as_bytes())))
            .collect();
        let body = response.body_mut().with_config().limit(MAX_BYTES).read_to_vec()?;
        let asked = format!("{} {}", self.method, self.path);
        let answer = Answer {
            asked,
            status: response.status().as_u16(),
            headers,
            body,
        };
        answer.check_promises(&self.method, &self.path);
        document::check(&self.method, &self.path, &answer);
        for cookie in answer.set_cookies() {
            self.pilot.keep(&cookie);
        }
        Ok(answer)
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Form encoding: everything but letters, digits and `-._*` as `%XX`, a space as `+`.
pub fn encode(fields: &[(&str, &str)]) -> String {
    let pairs: Vec<_> = fields
        .iter()
        .map(|(name, value)| format!("{}={}", encode_text(name), encode_text(value)))
        .collect();
    pairs.join("&")
}

fn encode_text(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'*' => {
                encoded.push(char::from(byte));
            }
            b' ' => encoded.push('+'),
            _ => encoded.push_str(percent_encode_byte(byte)),
        }
    }
    encoded
}
