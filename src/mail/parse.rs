//! Parses mails that this program wrote.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A parsed mail.
pub struct Parsed {
    pub to: String,
    pub subject: String,
    pub text: String,
}

/// Parses a mail written by this program; of any other, as much as possible.
pub fn parse(mail: &str) -> Parsed {
    let (head, body) = mail.split_once("\r\n\r\n").unwrap_or((mail, ""));
    // Unfolds long header lines (RFC 5322, section 2.2.3).
    let head = head.replace("\r\n ", " ");
    let header = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(name));
        from_encoded_words(line.unwrap_or_default().trim())
    };
    let text = body
        .split_once("\r\n\r\n")
        .and_then(|(_, text)| text.split_once("\r\n--"))
        .map_or("", |(text, _)| text);
    Parsed {
        to: header("To:"),
        subject: header("Subject:"),
        text: from_quoted_printable(text).replace("\r\n", "\n"),
    }
}

/// Decodes encoded words (RFC 2047) in UTF-8 and base64, the form that this program writes.
fn from_encoded_words(text: &str) -> String {
    let mut decoded = String::new();
    let mut was_encoded = false;
    for word in text.split(' ') {
        let inner = word.strip_prefix("=?utf-8?b?").and_then(|rest| rest.strip_suffix("?="));
        let bytes = inner.and_then(|inner| STANDARD.decode(inner).ok());
        // Blanks between two encoded words are not part of the text.
        let is_within = was_encoded && bytes.is_some();
        if !decoded.is_empty() && !is_within {
            decoded.push(' ');
        }
        was_encoded = bytes.is_some();
        match bytes {
            Some(bytes) => decoded += &String::from_utf8_lossy(&bytes),
            None => decoded += word,
        }
    }
    decoded
}

/// Decodes quoted-printable (RFC 2045, section 6.7).
fn from_quoted_printable(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'=' {
            bytes.push(*first);
            continue;
        }
        if let Some(line_end) = after.strip_prefix(b"\r\n") {
            rest = line_end;
            continue;
        }
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            rest = &after[2..];
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_read_as_it_was_written() {
        for (stored, subject) in [
            ("Fluglog: Testmail", "Fluglog: Testmail"),
            ("=?utf-8?b?TsOkY2hzdGVy?= Flug", "Nächster Flug"),
            ("=?utf-8?b?TsOkY2g=?=\r\n =?utf-8?b?c3Rlcg==?=", "Nächster"),
            ("=?utf-8?b?*?= bleibt", "=?utf-8?b?*?= bleibt"),
            ("", ""),
        ] {
            let mail = format!("To: a@b.de\r\nSubject: {stored}\r\nDate: heute\r\n\r\n");
            assert_eq!(parse(&mail).subject, subject);
        }
    }
}
