//! What a browser shows of a share: the document with its two links, or that the share has ended.

use warp::http::StatusCode;

use super::model::StoredDocument;
use fluglog_base::error::Error;
use fluglog_base::number;
use fluglog_web::download::InlineKind;
use fluglog_web::page::page;
use fluglog_web::reply::Reply;

const DOCUMENT: &str = include_str!("../../../embed/pages/document.html");
const ENDED: &str = include_str!("../../../embed/pages/ended.html");
/// Longer endings are no kinds of files.
const MAX_KIND_CHARACTERS: usize = 5;

pub(super) fn of_document(document: &StoredDocument, token: &str) -> Reply {
    let hidden = match InlineKind::from_extension(&document.name) {
        Some(_) => "",
        None => " hidden",
    };
    let (kind, size) = (kind(&document.name), number::size(document.bytes));
    let values = [
        ("kind", kind.as_str()),
        ("name", document.name.as_str()),
        ("size", size.as_str()),
        ("token", token),
        ("hidden", hidden),
    ];
    page(StatusCode::OK, &document.name, DOCUMENT, &values)
}

pub(super) fn of_end(ended: &Error) -> Reply {
    let values = [("sentence", ended.sentence())];
    page(StatusCode::GONE, "Fluglog", ENDED, &values)
}

/// Returns the kind of a file as its name says: `PDF`.
fn kind(name: &str) -> String {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending.chars().count() {
        1..=MAX_KIND_CHARACTERS => ending.to_uppercase(),
        _ => "Datei".to_owned(),
    }
}
