//! Text functions for settings: display, comparison, numbers.

/// Characters of a wrong value that an error repeats.
const MAX_SHOWN_CHARACTERS: usize = 80;

/// Returns the meaning whose spelling is closest to `name`, from pairs of spelling and meaning.
pub(super) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = (&'a str, &'a str)>) -> &'a str {
    let plain = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
    // A longer name isn't recognisable anyway, and the comparison costs the product of both lengths.
    let name = plain(&shown(name));
    candidates
        .min_by_key(|(spelling, _)| strsim::damerau_levenshtein(&name, &plain(spelling)))
        .map_or("", |(_, meaning)| meaning)
}

pub(super) fn whole_number(text: &str) -> Option<usize> {
    let only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    only_digits.then(|| text.parse().ok())?
}

/// Shortens a text to one line for display, in case somebody pasted a whole file into a value.
pub(super) fn shown(text: &str) -> String {
    let mut characters = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut shown: String = characters.by_ref().take(MAX_SHOWN_CHARACTERS).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}
