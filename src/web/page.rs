//! Pages for people without the app: HTML with its style sheet inside and without a script. Knows no call.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use sha2::{Digest as _, Sha256};
use warp::http::StatusCode;
use warp::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};

use super::reply::{self, Reply};
use fluglog_base::template::{escape, fill};

const FRAME: &str = include_str!("../../embed/pages/frame.html");
const STYLE: &str = include_str!("../../embed/pages/style.css");

/// The policy of every answer, which also allows exactly the style sheet of the pages.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let digest = BASE64.encode(Sha256::digest(STYLE));
    reply::CONTENT_POLICY.replace("style-src 'self'", &format!("style-src 'self' 'sha256-{digest}'"))
});

/// Whether a client asks for a page, as browsers do when an address is opened. Some clients of scripts name HTML in
/// `Accept`, too; XHTML is named by browsers only.
#[must_use]
pub fn is_asked_for(accept: &str) -> bool {
    super::gzip::accepts(accept, "application/xhtml+xml")
}

/// Returns a page; `main` is a template in HTML, whose values are escaped.
#[must_use]
pub fn page(status: StatusCode, title: &str, main: &str, values: &[(&str, &str)]) -> Reply {
    let (title, main) = (escape(title), fill(main, values, escape));
    let html = fill(
        FRAME,
        &[("title", &title), ("style", STYLE), ("main", &main)],
        str::to_owned,
    );
    Reply::text(status, html)
        .with_header(CONTENT_TYPE, "text/html; charset=utf-8")
        .with_header(CONTENT_SECURITY_POLICY, &POLICY)
}
