//! Public suffixes (<https://publicsuffix.org>): names below which others can register theirs, as below `de`,
//! `co.uk` or `github.io`.

use std::io::{BufRead as _, BufReader};

use flate2::read::GzDecoder;

/// The rules in ASCII, one a line. `packaging/licenses/public-suffixes.mts` makes it from the published list.
const RULES: &[u8] = include_bytes!("../../embed/public-suffixes.txt.gz");

/// Returns whether a name is a public suffix. Reads the whole list.
pub(super) fn is_public_suffix(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let exception = format!("!{name}");
    let wildcard = name.split_once('.').map(|(_, parent)| format!("*.{parent}"));
    let mut is_suffix = false;
    for rule in BufReader::new(GzDecoder::new(RULES)).lines().map_while(Result::ok) {
        if rule == exception {
            return false;
        }
        is_suffix |= rule == name || wildcard.as_ref() == Some(&rule);
    }
    is_suffix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_listed_or_below_a_wildcard_and_an_exception_is_none() {
        for name in ["de", "Co.UK", "github.io", "anything.ck", "xn--11b4c3d"] {
            assert!(is_public_suffix(name), "{name}");
        }
        for name in [
            "",
            "fluglog",
            "example.org",
            "www.ck",
            "city.kobe.jp",
            "local",
            "fritz.box",
        ] {
            assert!(!is_public_suffix(name), "{name}");
        }
    }
}
