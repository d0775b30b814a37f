//! The cookies: their names, and how they are read and set. Knows no session.

use warp::http::HeaderMap;
use warp::http::header::COOKIE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// The login of this browser session.
    Session,
    /// The persistent login.
    Login,
    /// Identifies the browser to the pilots who have logged in with it.
    Device,
    /// A registration that waits for its code.
    Registration,
    /// A login by mail that waits for its confirmation.
    LoginRequest,
}

impl Name {
    /// The name on the wire. Over https browsers protect cookies with the `__Host-` prefix themselves (RFC 6265bis,
    /// section 4.1.3.2).
    const fn on(self, https: bool) -> &'static str {
        match (self, https) {
            (Name::Session, false) => "session",
            (Name::Session, true) => "__Host-session",
            (Name::Login, false) => "login",
            (Name::Login, true) => "__Host-login",
            (Name::Device, false) => "device",
            (Name::Device, true) => "__Host-device",
            (Name::Registration, false) => "registration",
            (Name::Registration, true) => "__Host-registration",
            (Name::LoginRequest, false) => "loginRequest",
            (Name::LoginRequest, true) => "__Host-loginRequest",
        }
    }
}

const fn secure(https: bool) -> &'static str {
    if https { "; Secure" } else { "" }
}

/// 100 years in seconds; browsers cap it at 400 days.
const PERSISTENT_SECONDS: u64 = 100 * 365 * 24 * 60 * 60;

/// 400 days.
const DEVICE_SECONDS: u64 = 400 * 24 * 60 * 60;

/// The cookies that a client sent.
#[derive(Debug, Default, Clone)]
pub struct Cookies {
    session: Option<String>,
    login: Option<String>,
    device: Option<String>,
    registration: Option<String>,
    login_request: Option<String>,
}

impl Cookies {
    /// Reads Fluglog's cookies from the header. A cookie that was sent twice counts as absent: one of the two was
    /// planted.
    #[must_use]
    pub fn from_headers(headers: &HeaderMap, https: bool) -> Cookies {
        let only = |name: Name| {
            let named = name.on(https);
            let mut values = headers
                .get_all(COOKIE)
                .iter()
                .filter_map(|header| header.to_str().ok())
                .flat_map(|header| header.split(';'))
                .filter_map(|pair| pair.trim().split_once('='))
                .filter(|(key, _)| *key == named)
                .map(|(_, value)| value);
            match (values.next(), values.next()) {
                (Some(value), None) if !value.is_empty() => Some(value.to_owned()),
                _ => None,
            }
        };
        Cookies {
            session: only(Name::Session),
            login: only(Name::Login),
            device: only(Name::Device),
            registration: only(Name::Registration),
            login_request: only(Name::LoginRequest),
        }
    }

    /// Returns the value of a cookie.
    #[must_use]
    pub fn get(&self, name: Name) -> Option<&str> {
        match name {
            Name::Session => self.session.as_deref(),
            Name::Login => self.login.as_deref(),
            Name::Device => self.device.as_deref(),
            Name::Registration => self.registration.as_deref(),
            Name::LoginRequest => self.login_request.as_deref(),
        }
    }
}

/// Returns the `Set-Cookie` header that sets a cookie, for the browser session or persistently.
#[must_use]
pub fn set(name: Name, value: &str, https: bool) -> String {
    let lifetime = match name {
        // The server forgets pending logins and registrations much sooner than a browser is closed.
        Name::Session | Name::Registration | Name::LoginRequest => String::new(),
        Name::Login => format!("; Max-Age={PERSISTENT_SECONDS}"),
        Name::Device => format!("; Max-Age={DEVICE_SECONDS}"),
    };
    format!(
        "{}={value}; Path=/; HttpOnly; SameSite=Strict{}{lifetime}",
        name.on(https),
        secure(https)
    )
}

/// Returns the `Set-Cookie` header that removes a cookie.
#[must_use]
pub fn remove(name: Name, https: bool) -> String {
    format!(
        "{}=; Path=/; HttpOnly; SameSite=Strict{}; Max-Age=0",
        name.on(https),
        secure(https)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &'static str) -> Cookies {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, warp::http::HeaderValue::from_static(header));
        Cookies::from_headers(&headers, false)
    }

    #[test]
    fn our_cookies_are_found_among_others() {
        let cookies = read("theme=dark; session=abc;login=def");
        assert_eq!(cookies.get(Name::Session), Some("abc"));
        assert_eq!(cookies.get(Name::Login), Some("def"));
    }

    #[test]
    fn a_cookie_that_was_sent_twice_counts_as_absent() {
        assert_eq!(read("session=abc; session=planted").get(Name::Session), None);
        assert_eq!(read("session=; session=planted").get(Name::Session), None);
    }
}
