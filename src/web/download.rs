//! Files as answers: attachments, pictures and files shown inline. Knows no call and no table.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use warp::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, HeaderName};

use super::content::Content;
use super::reply::{self, Reply};

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The characters that RFC 5987, section 3.2.1, leaves unescaped.
const ATTR_CHAR: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// Makes a file an attachment to be saved under a name: no browser displays or runs it, whatever its content.
#[must_use]
pub fn attachment(file: Reply, name: &str) -> Reply {
    file.with_header(CONTENT_DISPOSITION, &disposition("attachment", name))
        .with_header(CONTENT_SECURITY_POLICY, &format!("{}; sandbox", reply::CONTENT_POLICY))
        .with_header(CROSS_ORIGIN_RESOURCE_POLICY, "same-origin")
}

/// Returns a picture to be displayed. It never changes under its address.
#[must_use]
pub fn picture(content: Content, media_type: &'static str) -> Reply {
    Reply::file(media_type, content)
        .with_header(CACHE_CONTROL, "private, max-age=31536000, immutable")
        .with_header(CONTENT_SECURITY_POLICY, &format!("{}; sandbox", reply::CONTENT_POLICY))
        .with_header(CROSS_ORIGIN_RESOURCE_POLICY, "same-origin")
}

/// A kind of file that browsers display without running anything in it. SVG and HTML are excluded: they may contain
/// scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InlineKind {
    Pdf,
    Picture(&'static str),
    Text,
}

impl InlineKind {
    /// Returns the kind for a name's extension.
    #[must_use]
    pub fn from_extension(name: &str) -> Option<InlineKind> {
        let (_, ending) = name.rsplit_once('.')?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "pdf" => InlineKind::Pdf,
            "jpg" | "jpeg" => InlineKind::Picture("image/jpeg"),
            "png" => InlineKind::Picture("image/png"),
            "webp" => InlineKind::Picture("image/webp"),
            "gif" => InlineKind::Picture("image/gif"),
            "txt" | "md" | "log" | "csv" | "json" | "xml" | "kml" | "gpx" => InlineKind::Text,
            _ => return None,
        })
    }

    /// Returns the media type of a file with this beginning.
    fn media_type(self, head: &[u8]) -> &'static str {
        match self {
            InlineKind::Pdf => "application/pdf",
            InlineKind::Picture(media_type) => media_type,
            InlineKind::Text if is_utf8(head) => "text/plain; charset=utf-8",
            // Excel and old programs write Windows-1252, a superset of Latin-1.
            InlineKind::Text => "text/plain; charset=windows-1252",
        }
    }

    /// A policy under which nothing is loaded and no script runs. Browsers inject styles of their own into the page
    /// around a file. They refuse to display a PDF in a sandbox; their PDF viewer is isolated and reaches neither
    /// cookies nor pages of this site.
    const fn policy(self) -> &'static str {
        match self {
            InlineKind::Pdf => {
                "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; \
                 form-action 'none'; \
                 frame-ancestors 'none'"
            }
            InlineKind::Picture(_) | InlineKind::Text => {
                "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                 frame-ancestors 'none'; sandbox"
            }
        }
    }
}

/// Returns whether bytes are UTF-8; a character cut off at the end is allowed.
fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Returns a file to be displayed in a window of its own, with the media type that its name implies, whatever its
/// content.
#[must_use]
pub fn inline(content: Content, name: &str, kind: InlineKind) -> Reply {
    // If the beginning can't be read, sending the body reports the error.
    let head = content.head().unwrap_or_default();
    Reply::file(kind.media_type(&head), content)
        .with_header(CONTENT_DISPOSITION, &disposition("inline", name))
        .with_header(CONTENT_SECURITY_POLICY, kind.policy())
        .with_header(CROSS_ORIGIN_RESOURCE_POLICY, "same-origin")
}

/// Writes the header of RFC 6266: the name in ASCII for old programs, then in full.
fn disposition(how: &str, name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-' | '_' | ' ' | '(' | ')' => character,
            _ => '_',
        })
        .collect();
    let mut header = format!("{how}; filename=\"{plain}\"; filename*=UTF-8''");
    // Writing into a string can't fail.
    let _ = write!(header, "{}", utf8_percent_encode(name, ATTR_CHAR));
    header
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_is_sent_plain_and_as_it_is() {
        assert_eq!(
            disposition("attachment", "Übersicht \"2026\".pdf"),
            "attachment; filename=\"_bersicht _2026_.pdf\"; filename*=UTF-8''%C3%9Cbersicht%20%222026%22.pdf"
        );
    }

    #[test]
    fn a_text_is_sent_as_it_is_written() {
        let media_type = |bytes: &[u8]| InlineKind::Text.media_type(bytes);
        let utf8 = "text/plain; charset=utf-8";
        for text in ["", "Flüge", "🙂"] {
            assert_eq!(media_type(text.as_bytes()), utf8, "{text}");
        }
        assert_eq!(
            media_type(&"Flüge 🙂".as_bytes()[..9]),
            utf8,
            "the last character goes on"
        );
        assert_eq!(media_type(b"Fl\xfcge"), "text/plain; charset=windows-1252");
    }

    #[test]
    fn nothing_is_shown_that_could_hold_a_script() {
        for name in [
            "seite.html",
            "bild.svg",
            "a.xhtml",
            "firmware.hex",
            "pdf",
            "",
            "a.pdf.html",
            "a.htm",
        ] {
            assert_eq!(InlineKind::from_extension(name), None, "{name}");
        }
        assert_eq!(InlineKind::from_extension("Handbuch.PDF"), Some(InlineKind::Pdf));
        assert_eq!(InlineKind::from_extension("spur.gpx"), Some(InlineKind::Text));
    }

    proptest! {
        #[test]
        fn no_name_leaves_its_header(name in "\\PC{0,60}|[\\x00-\\x7f]{0,60}") {
            let header = disposition("attachment", &name);
            prop_assert!(header.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
            prop_assert_eq!(header.matches('"').count(), 2);
            let (_, encoded) = header.split_once("filename*=UTF-8''").unwrap();
            let decoded = percent_encoding::percent_decode_str(encoded).decode_utf8().unwrap();
            prop_assert_eq!(decoded.as_ref(), name.as_str());
            prop_assert!(!encoded.contains(';'));
        }
    }
}
