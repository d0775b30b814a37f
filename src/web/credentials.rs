//! How a request says who sends it: the cookies of a browser, or the token of a script. Knows no session.

use warp::http::HeaderMap;
use warp::http::header::AUTHORIZATION;

use super::cookies::{Cookies, Name};

/// Begins each access token, so that tools which look for leaked secrets know it, and a token that a proxy sends for
/// its own login isn't taken for one.
pub const TOKEN_PREFIX: &str = "fluglog_";

/// What a client sent to be recognized.
#[derive(Debug, Default, Clone)]
pub struct Credentials {
    pub cookies: Cookies,
    /// From `Authorization: Bearer …` (RFC 6750, section 2.1). Then the cookies don't count.
    pub access_token: Option<String>,
}

impl Credentials {
    #[must_use]
    pub fn from_headers(headers: &HeaderMap, https: bool) -> Credentials {
        let authorization = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = authorization.and_then(|value| value.split_once(' '));
        let bearer = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let token = bearer
            .map(|(_, token)| token.trim())
            .filter(|token| token.starts_with(TOKEN_PREFIX));
        Credentials {
            cookies: Cookies::from_headers(headers, https),
            access_token: token.map(str::to_owned),
        }
    }

    /// Returns the value of a cookie.
    #[must_use]
    pub fn cookie(&self, name: Name) -> Option<&str> {
        self.cookies.get(name)
    }
}
