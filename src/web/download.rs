//! Files as answers. Knows no call and no table.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use warp::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, HeaderName};

use super::content::Content;
use super::reply::{self, Reply};

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The characters of RFC 5987, section 3.2.1, that need no escape.
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

/// A file to be saved under a name, whatever is in it: no browser shows or runs it.
#[must_use]
pub fn attachment(content: Content, name: &str) -> Reply {
    Reply::file("application/octet-stream", content)
        .with_header(CONTENT_DISPOSITION, &disposition(name))
        .with_header(CONTENT_SECURITY_POLICY, &format!("{}; sandbox", reply::POLICY))
        .with_header(CROSS_ORIGIN_RESOURCE_POLICY, "same-origin")
}

/// A picture to be shown. Under its address it never changes.
#[must_use]
pub fn picture(content: Content, media_type: &'static str) -> Reply {
    Reply::file(media_type, content)
        .with_header(CACHE_CONTROL, "private, max-age=31536000, immutable")
        .with_header(CONTENT_SECURITY_POLICY, &format!("{}; sandbox", reply::POLICY))
        .with_header(CROSS_ORIGIN_RESOURCE_POLICY, "same-origin")
}

/// RFC 6266: the name in plain ASCII for old programs, then as it is.
fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-' | '_' | ' ' | '(' | ')' => character,
            _ => '_',
        })
        .collect();
    let mut header = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''");
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
            disposition("Übersicht \"2026\".pdf"),
            "attachment; filename=\"_bersicht _2026_.pdf\"; filename*=UTF-8''%C3%9Cbersicht%20%222026%22.pdf"
        );
    }

    proptest! {
        #[test]
        fn no_name_leaves_its_header(name in "\\PC{0,60}|[\\x00-\\x7f]{0,60}") {
            let header = disposition(&name);
            prop_assert!(header.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
            prop_assert_eq!(header.matches('"').count(), 2);
            let (_, encoded) = header.split_once("filename*=UTF-8''").unwrap();
            let decoded = percent_encoding::percent_decode_str(encoded).decode_utf8().unwrap();
            prop_assert_eq!(decoded.as_ref(), name.as_str());
            prop_assert!(!encoded.contains(';'));
        }
    }
}
