//! Reading the mails back that this program wrote.

/// A mail of ours as it was written.
pub struct Parsed {
    pub to: String,
    pub subject: String,
    pub text: String,
}

/// Reads a mail of ours; of any other as much as is there.
pub fn parse(mail: &str) -> Parsed {
    let (head, body) = mail.split_once("\r\n\r\n").unwrap_or((mail, ""));
    let header = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim().to_owned()
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

/// RFC 2045, section 6.7.
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
