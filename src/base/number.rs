//! Numbers as people write and read them: the rule for numeric input, and German formatting.
//!
//! Input is what a phone's keypad can type, so a comma is as good as a point. Output is text ready to be displayed.
//! Knows no field and no error sentence.

/// More digits before the decimal point are a typo in every unit that pilots record.
const MAX_WHOLE_DIGITS: usize = 9;
/// Enough for every double that a browser prints for a value of a thousandth or more, such as a coordinate.
const MAX_DECIMAL_DIGITS: usize = 20;

/// Reads a non-negative number: ASCII digits with at most one `.` or `,` as the decimal point.
///
/// Surrounding blanks are trimmed. Digits may be missing on one side of the point: `,5` is 0.5 and `5,` is 5, because
/// that is what someone typing on the airfield means. There is no thousands separator: `1.234` is a little more than
/// one. `None` for everything else: a sign, an exponent, blanks inside, a unit, more than 9 digits before the point
/// (leading zeros count) or more than 20 after it. The result is finite and from 0 to below 1e9, or 1e9 itself when the
/// decimals round up to it.
#[must_use]
pub fn parse(text: &str) -> Option<f64> {
    let text = text.trim();
    let (whole, decimals) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let only_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let well_formed = !(whole.is_empty() && decimals.is_empty())
        && only_digits(whole)
        && only_digits(decimals)
        && whole.len() <= MAX_WHOLE_DIGITS
        && decimals.len() <= MAX_DECIMAL_DIGITS;
    if !well_formed {
        return None;
    }
    format!("{whole}.{decimals}").parse().ok()
}

/// Prints a number the German way: `1.234,5`, at most `most_decimals` decimals, trailing zeros dropped.
///
/// Rounds halves away from zero, and decides what is a half by the shortest decimal text of the value, so that 1.005
/// becomes `1,01` although the double is slightly below. Empty if the value is not finite.
#[must_use]
pub fn format_german(value: f64, most_decimals: usize) -> String {
    if !value.is_finite() {
        return String::new();
    }
    let text = value.abs().to_string();
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let (whole, decimals) = round_half_up(whole, decimals, most_decimals);
    let decimals = decimals.trim_end_matches('0');
    let is_zero = whole == "0" && decimals.is_empty();
    let sign = if value < 0.0 && !is_zero { "-" } else { "" };
    let point = if decimals.is_empty() { "" } else { "," };
    format!("{sign}{}{point}{decimals}", grouped(&whole))
}

/// Prints a number as [`german`] does, with a blank and its unit: `45,5 km/h`. Empty if not finite.
#[must_use]
pub fn with_unit(value: f64, most_decimals: usize, unit: &str) -> String {
    let number = format_german(value, most_decimals);
    if number.is_empty() {
        return number;
    }
    format!("{number} {unit}")
}

/// Prints a duration in minutes, rounded to whole ones: `12 min`, from an hour on `1 h 05 min`.
///
/// Hours have thousands separators. Empty if the value is negative or not finite.
#[must_use]
pub fn duration(minutes: f64) -> String {
    if !minutes.is_finite() || minutes < 0.0 {
        return String::new();
    }
    let minutes = minutes.round();
    if minutes < 60.0 {
        return with_unit(minutes, 0, "min");
    }
    let hours = (minutes / 60.0).floor();
    format!("{} h {:02} min", format_german(hours, 0), minutes % 60.0)
}

/// Prints a count with thousands separators: `1.234`.
#[must_use]
pub fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// Prints a count with its noun: `1 Datei`, `2 Dateien`.
#[must_use]
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// Prints the size of a file: `812 B`, `3,2 kB`, `1,4 MB`, `28,5 GB`. A kB is 1024 bytes, as in the limit of 50 MB.
#[must_use]
pub fn size(bytes: u64) -> String {
    // No file comes near 2^53 bytes.
    #[expect(clippy::cast_precision_loss)]
    let amount = bytes as f64;
    let in_kilobytes = amount / 1024.0;
    // 1,048,575 bytes would be printed as 1.024 kB, so sizes that round up to that are printed in the next unit.
    if bytes < 1024 {
        with_unit(amount, 0, "B")
    } else if in_kilobytes < 1023.95 {
        with_unit(in_kilobytes, 1, "kB")
    } else if in_kilobytes / 1024.0 < 1023.95 {
        with_unit(in_kilobytes / 1024.0, 1, "MB")
    } else {
        with_unit(in_kilobytes / 1024.0 / 1024.0, 1, "GB")
    }
}

/// Reads a size as [`size`] prints it, ignoring blanks and case; a number alone is bytes.
#[must_use]
pub fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (amount, unit) = text.split_at(unit_at);
    let exponent = match unit.to_ascii_lowercase().as_str() {
        "" => return amount.trim().parse().ok(),
        "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return None,
    };
    let bytes = parse(amount.trim())? * 1024_f64.powi(exponent);
    // The range check comes first: a cast saturates and would turn any value into a number of bytes.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (0.0..1e18).contains(&bytes).then_some(bytes as u64)
}

/// Cuts decimals to `most_decimals` digits, rounding up if the first digit cut is 5 or more.
fn round_half_up(whole: &str, decimals: &str, most_decimals: usize) -> (String, String) {
    let Some(first_cut) = decimals.as_bytes().get(most_decimals) else {
        return (whole.to_owned(), decimals.to_owned());
    };
    let kept = format!("{whole}{}", &decimals[..most_decimals]);
    let kept = if *first_cut >= b'5' { increment(&kept) } else { kept };
    let (whole, decimals) = kept.split_at(kept.len() - most_decimals);
    (whole.to_owned(), decimals.to_owned())
}

/// Adds one to a whole number of digits.
fn increment(digits: &str) -> String {
    let head = digits.trim_end_matches('9');
    let zeros = "0".repeat(digits.len() - head.len());
    match head.as_bytes().split_last() {
        None => format!("1{zeros}"),
        Some((last, _)) => format!("{}{}{zeros}", &head[..head.len() - 1], char::from(last + 1)),
    }
}

/// Inserts a point between groups of three digits.
fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('.');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_size_has_the_unit_that_people_expect() {
        for (bytes, shown) in [
            (0, "0 B"),
            (1023, "1.023 B"),
            (1024, "1 kB"),
            (3277, "3,2 kB"),
            (1_048_570, "1 MB"),
            (1_468_006, "1,4 MB"),
            (52_428_800, "50 MB"),
            (1_073_700_000, "1 GB"),
            (30_601_641_984, "28,5 GB"),
        ] {
            assert_eq!(size(bytes), shown);
        }
    }

    #[test]
    fn digits_with_one_point_or_comma_are_a_number() {
        let accepted = [
            ("0", 0.0),
            ("007", 7.0),
            ("12", 12.0),
            ("3.85", 3.85),
            ("3,85", 3.85),
            ("1.234", 1.234),
            ("999999999", 999_999_999.0),
            ("999999999,75", 999_999_999.75),
            ("52.520006599999994", 52.520_006_599_999_994),
            (" 5 ", 5.0),
            ("5\n", 5.0),
        ];
        for (text, number) in accepted {
            assert_eq!(parse(text), Some(number), "{text:?}");
        }
    }

    #[test]
    fn digits_may_be_missing_on_one_side_of_the_point() {
        assert_eq!(parse(",5"), Some(0.5));
        assert_eq!(parse(".5"), Some(0.5));
        assert_eq!(parse("5,"), Some(5.0));
        assert_eq!(parse("5."), Some(5.0));
    }

    #[test]
    fn text_of_another_form_is_no_number() {
        let refused = [
            "", " ", ".", ",", ".,", "-1", "+1", "-0", "1e3", "1E3", "NaN", "nan", "inf", "Infinity", "0x10", "1.2.3",
            "1,2,3", "1.234,5", "1,,2", "1 000", "1 ,5", "12 V", "12V", "½", "１２", "٣", "1_000", "1'000", "abc",
        ];
        for text in refused {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn too_many_digits_are_refused() {
        assert_eq!(parse("1234567890"), None);
        assert_eq!(parse("0000000001"), None);
        assert_eq!(parse("1234567890,5"), None);
        assert!(parse(&format!("1,{}", "3".repeat(20))).is_some());
        assert_eq!(parse(&format!("1,{}", "3".repeat(21))), None);
        assert_eq!(parse(&"9".repeat(100_000)), None);
    }

    #[test]
    fn numbers_are_shown_the_german_way() {
        let shown = [
            (0.0, 2, "0"),
            (-0.0, 2, "0"),
            (1.25, 2, "1,25"),
            (45.5, 2, "45,5"),
            (100.0, 2, "100"),
            (1234.5, 2, "1.234,5"),
            (1_234_567.0, 0, "1.234.567"),
            (999.0, 2, "999"),
            (0.05, 2, "0,05"),
            (0.1 + 0.2, 2, "0,3"),
            (-1234.5, 1, "-1.234,5"),
            (-0.001, 2, "0"),
            (1e-7, 9, "0,0000001"),
            (1e21, 2, "1.000.000.000.000.000.000.000"),
        ];
        for (value, most_decimals, text) in shown {
            assert_eq!(format_german(value, most_decimals), text);
        }
    }

    #[test]
    fn halves_are_rounded_up_as_on_paper() {
        assert_eq!(format_german(0.125, 2), "0,13");
        assert_eq!(format_german(0.375, 2), "0,38");
        assert_eq!(format_german(1.005, 2), "1,01");
        assert_eq!(format_german(2.675, 2), "2,68");
        assert_eq!(format_german(0.5, 0), "1");
        assert_eq!(format_german(2.5, 0), "3");
        assert_eq!(format_german(2.499, 0), "2");
        assert_eq!(format_german(-0.125, 2), "-0,13");
        assert_eq!(format_german(9.995, 2), "10");
        assert_eq!(format_german(999.999, 2), "1.000");
        assert_eq!(format_german(0.999, 2), "1");
        assert_eq!(format_german(1.996, 2), "2");
        assert_eq!(format_german(0.004, 2), "0");
        assert_eq!(format_german(0.095, 2), "0,1");
    }

    #[test]
    fn a_unit_follows_after_a_blank() {
        assert_eq!(with_unit(45.5, 2, "km/h"), "45,5 km/h");
        assert_eq!(with_unit(1250.0, 2, "mAh"), "1.250 mAh");
        assert_eq!(with_unit(1.254, 2, "km"), "1,25 km");
    }

    #[test]
    fn an_infinite_value_is_shown_as_nothing() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(format_german(value, 2), "");
            assert_eq!(with_unit(value, 2, "km"), "");
            assert_eq!(duration(value), "");
        }
        assert_eq!(duration(-1.0), "");
    }

    #[test]
    fn durations_are_hours_and_minutes() {
        let shown = [
            (0.0, "0 min"),
            (0.4, "0 min"),
            (12.0, "12 min"),
            (59.4, "59 min"),
            (59.5, "1 h 00 min"),
            (59.6, "1 h 00 min"),
            (60.0, "1 h 00 min"),
            (65.0, "1 h 05 min"),
            (119.9, "2 h 00 min"),
            (1_234.0 * 60.0 + 7.0, "1.234 h 07 min"),
        ];
        for (minutes, text) in shown {
            assert_eq!(duration(minutes), text, "{minutes}");
        }
        assert!(duration(f64::MAX).ends_with(" min"));
    }

    #[test]
    fn counts_have_thousands_separators() {
        for (n, text) in [
            (0, "0"),
            (12, "12"),
            (999, "999"),
            (1234, "1.234"),
            (100_000, "100.000"),
            (1_234_567, "1.234.567"),
        ] {
            assert_eq!(count(n), text);
        }
        assert_eq!(count(u64::MAX), "18.446.744.073.709.551.615");
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader_and_what_it_reads_is_in_range(text in any::<String>()) {
            if let Some(number) = parse(&text) {
                prop_assert!((0.0..=1e9).contains(&number));
            }
        }

        #[test]
        fn point_and_comma_mean_the_same(whole in "[0-9]{0,9}", decimals in "[0-9]{1,20}") {
            let with_point = parse(&format!("{whole}.{decimals}"));
            prop_assert!(with_point.is_some());
            prop_assert_eq!(with_point, parse(&format!("{whole},{decimals}")));
        }

        #[test]
        fn a_number_with_all_decimals_reads_back_as_the_same(value in 0.001_f64..999.0) {
            prop_assert_eq!(parse(&format_german(value, 25)), Some(value));
        }

        #[test]
        fn rounding_is_never_further_off_than_half_of_the_last_place(value in 0.0_f64..1e6,
            most_decimals in 0_usize..6) {
            let shown = format_german(value, most_decimals).replace('.', "").replace(',', ".");
            let off = (shown.parse::<f64>().unwrap() - value).abs();
            prop_assert!(off <= 0.5 * 0.1_f64.powi(i32::try_from(most_decimals).unwrap()) + 1e-9);
        }

        #[test]
        fn every_value_can_be_shown(value in any::<f64>(), most_decimals in 0_usize..40) {
            let shown = format_german(value, most_decimals);
            prop_assert_eq!(shown.is_empty(), !value.is_finite());
            let _ = duration(value);
        }
    }
}
