//! The user interface, the legal texts and the OpenAPI document, compiled into the binary. Knows no call and no user.

use std::borrow::Cow;
use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use flate2::Compression;
use flate2::read::{GzDecoder, GzEncoder};
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest as _, Sha256};
use warp::Reply as _;
use warp::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, VARY,
};
use warp::http::{HeaderMap, HeaderValue, StatusCode};
use warp::reply::Response;

use super::authority::Authority;
use super::gzip::accepts;
use super::reply::Reply;
use fluglog_base::dir::open_regular_file;
use fluglog_base::text;

/// Vite's output: `index.html` and other top-level files with a brotli and a gzip copy each, and `assets/` with hashed
/// names. Text files under `assets/` exist only as these copies: plain ones would add a megabyte to the binary for
/// clients that hardly exist.
#[derive(RustEmbed)]
#[folder = "../../embed/ui"]
#[allow_missing = true]
struct Ui;

/// The default legal texts; the admin can replace them with files in the data directory.
#[derive(RustEmbed)]
#[folder = "../../embed/legal"]
struct Legal;

/// The OpenAPI document for scripts, generated from the list of calls.
#[derive(RustEmbed)]
#[folder = "../../embed/api"]
struct Api;

/// Files in this folder have a hash in their name and never change.
const HASHED_FOLDER: &str = "assets/";
/// The service worker that stores the app offline, and its replacement that unregisters it.
const SERVICE_WORKER: &str = "sw.js";
const SERVICE_WORKER_REMOVAL: &str = "sw-off.js";
/// Folder in the data directory for the admin's own legal texts.
pub const LEGAL_FOLDER: &str = "legal";
/// Size limit of an admin's legal text, in bytes.
pub const MAX_LEGAL_BYTES: u64 = 1024 * 1024;

/// Returns the UI file at this path; any other path gets `index.html`, whose router handles it. `offline` says whether
/// browsers may store the app.
#[must_use]
pub fn ui(path: &str, offline: bool, headers: &HeaderMap) -> Response {
    let path = match path {
        SERVICE_WORKER if !offline => SERVICE_WORKER_REMOVAL,
        path => path,
    };
    if Ui::get(path).or_else(|| Ui::get(&format!("{path}.gz"))).is_some() {
        let cache = if path.starts_with(HASHED_FOLDER) {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        return file(path, cache, headers);
    }
    if path.starts_with(HASHED_FOLDER) {
        return Reply::text(StatusCode::NOT_FOUND, text::NO_SUCH_FILE).into_response();
    }
    file("index.html", "no-cache", headers)
}

/// Returns the OpenAPI document.
#[must_use]
pub fn openapi(headers: &HeaderMap) -> Response {
    let path = "openapi.json";
    let form = Api::get(path).map(|file| {
        let encoding = accepts(header(headers, ACCEPT_ENCODING), "gzip").then_some("gzip");
        let tag = tag(&file, encoding);
        let content = match encoding {
            None => file.data,
            Some(_) => {
                let mut packed = Vec::new();
                // Reading from memory can't fail.
                let _ = GzEncoder::new(file.data.as_ref(), Compression::default()).read_to_end(&mut packed);
                Cow::Owned(packed)
            }
        };
        Representation { encoding, content, tag }
    });
    respond(form, path, "no-cache", headers)
}

/// Returns the legal text of this name, if there is one: the admin's own, otherwise the built-in text.
#[must_use]
pub fn legal(name: &str, data_dir: &Path) -> Option<Response> {
    let ours = Legal::get(name)?;
    let text = custom_legal(name, data_dir).unwrap_or_else(|| ours.data.into_owned());
    let mut response = Reply::text(StatusCode::OK, String::from_utf8_lossy(&text)).into_response();
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Some(response)
}

/// Returns the certificate of the built-in authority, for devices that are to trust it, with its SHA-256 (RFC 9530).
#[must_use]
pub fn authority(authority: &Authority) -> Response {
    let certificate = authority.certificate().to_vec();
    let digest = format!("sha-256=:{}:", BASE64.encode(Sha256::digest(&certificate)));
    let mut response = certificate.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-x509-ca-cert"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.extend(HeaderValue::try_from(digest).map(|digest| (HeaderName::from_static("repr-digest"), digest)));
    response
}

/// Returns whether there is a legal text of this name.
#[must_use]
pub fn is_legal(name: &str) -> bool {
    Legal::get(name).is_some()
}

/// Returns the admin's own legal texts with their names.
#[must_use]
pub fn custom_legals(data_dir: &Path) -> Vec<(String, Vec<u8>)> {
    let own = Legal::iter().filter_map(|name| Some((name.to_string(), custom_legal(&name, data_dir)?)));
    own.collect()
}

fn custom_legal(name: &str, data_dir: &Path) -> Option<Vec<u8>> {
    let own = data_dir.join(LEGAL_FOLDER).join(name);
    let mut text = Vec::new();
    let file = open_regular_file(&own).ok()?;
    file.take(MAX_LEGAL_BYTES + 1).read_to_end(&mut text).ok()?;
    Some(text).filter(|text| text.len() as u64 <= MAX_LEGAL_BYTES)
}

fn file(path: &str, cache: &'static str, request: &HeaderMap) -> Response {
    respond(negotiate(path, request), path, cache, request)
}

fn respond(form: Option<Representation>, path: &str, cache: &'static str, request: &HeaderMap) -> Response {
    let Some(form) = form else {
        // Only a build without its user interface gets here.
        return Reply::text(StatusCode::SERVICE_UNAVAILABLE, text::BUSY).into_response();
    };
    let known = header(request, IF_NONE_MATCH)
        .split(',')
        .any(|tag| without_weakness(tag) == form.tag);
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        form.content.into_owned().into_response()
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    set(CONTENT_TYPE, content_type(path));
    set(CACHE_CONTROL, cache);
    set(ETAG, &form.tag);
    set(VARY, "Accept-Encoding");
    if let Some(encoding) = form.encoding {
        set(CONTENT_ENCODING, encoding);
    }
    response
}

/// One representation of a file, as a client receives it.
struct Representation {
    /// Content coding; `None` for the uncompressed file.
    encoding: Option<&'static str>,
    content: Cow<'static, [u8]>,
    tag: String,
}

/// Returns the smallest stored representation that the client accepts, otherwise the uncompressed one.
fn negotiate(path: &str, request: &HeaderMap) -> Option<Representation> {
    let accepted = header(request, ACCEPT_ENCODING);
    [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(encoding, _)| accepts(accepted, encoding))
        .find_map(|(encoding, suffix)| Ui::get(&format!("{path}.{suffix}")).map(|file| (Some(encoding), file)))
        .or_else(|| Ui::get(path).map(|file| (None, file)))
        .map(|(encoding, file)| Representation {
            encoding,
            tag: tag(&file, encoding),
            content: file.data,
        })
        .or_else(|| decompressed(path))
}

/// Decompresses a file that is stored only compressed.
fn decompressed(path: &str) -> Option<Representation> {
    let file = Ui::get(&format!("{path}.gz"))?;
    let mut content = Vec::new();
    GzDecoder::new(file.data.as_ref()).read_to_end(&mut content).ok()?;
    Some(Representation {
        encoding: None,
        tag: tag(&file, None),
        content: Cow::Owned(content),
    })
}

/// Strips the mark of a weak ETag, which a recompressing proxy adds; `If-None-Match` compares weakly (RFC 9110, section
/// 13.1.2).
fn without_weakness(tag: &str) -> &str {
    let tag = tag.trim();
    tag.strip_prefix("W/").unwrap_or(tag)
}

fn header(headers: &HeaderMap, name: HeaderName) -> &str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

fn tag(file: &EmbeddedFile, encoding: Option<&str>) -> String {
    let digest = const_hex::encode(&file.metadata.sha256_hash()[..12]);
    format!("\"{digest}{}\"", encoding.unwrap_or_default())
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("json") => "application/json",
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("webmanifest") => "application/manifest+json",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
