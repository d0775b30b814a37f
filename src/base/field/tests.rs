//! The fields of calls: which texts, numbers and times each accepts, and the errors for the others.

use super::*;
use proptest::prelude::*;

const NUMBER: Field<f64> = Field::number("a");
const LINE: Field<String> = Field::line("a", 200);
const LINES: Field<String> = Field::lines("a", 200);
const WHOLE: Field<u8> = Field::integer("a", 0..=255, text::FEEDBACK_RATE);
const LATITUDE: Field<f64> = Field::degrees("a", 90, text::BAD_LATITUDE);
const SWITCH: Field<bool> = Field::boolean("a");

const DECLARED: &[Declared] = &[
    NUMBER.declared(),
    LINE.declared(),
    LINES.declared(),
    WHOLE.declared(),
    LATITUDE.declared(),
];

fn sent(value: &str) -> Fields {
    Fields::from_pairs([("a".to_owned(), value.to_owned())]).unwrap()
}

fn one(value: &str) -> Fields {
    sent(value).declared_as(DECLARED)
}

fn json(value: &str) -> Fields {
    Fields::from_json(&format!(r#"{{"a": {value}}}"#)).unwrap()
}

#[test]
fn in_json_null_and_the_empty_text_are_sent_but_empty() {
    for (value, change) in [
        ("null", None),
        (r#""""#, None),
        ("1.5", Some(1.5)),
        (r#""1,5""#, Some(1.5)),
    ] {
        assert_eq!(NUMBER.change(&json(value)), Ok(Change::Set(change)), "{value}");
    }
    assert_eq!(NUMBER.change(&Fields::default()), Ok(Change::Keep));
    assert!(NUMBER.read(&json("[1]")).is_err());
}

#[test]
fn a_json_number_obeys_the_same_rule_as_a_typed_one() {
    for wrong in ["-1", "1e9", "1E2", "1234567890"] {
        assert_eq!(
            NUMBER.read(&json(wrong)),
            Err(Error::invalid("a", text::INVALID_INPUT)),
            "{wrong}"
        );
    }
}

#[test]
fn a_number_near_zero_may_come_as_programs_print_it() {
    assert_eq!(NUMBER.read(&json("1e-7")), Ok(Some(1e-7)));
    assert_eq!(NUMBER.read(&json("1.25E-05")), Ok(Some(0.000_012_5)));
    assert!(NUMBER.read(&json("-1e-7")).is_err(), "negative");
    assert!(
        NUMBER.read(&json("1e-300")).is_err(),
        "more decimals than anybody means"
    );
    assert!(NUMBER.read(&json(r#""1e-7""#)).is_err(), "typed");
}

#[test]
fn a_text_may_have_its_limit_but_not_one_character_more() {
    assert_eq!(LINE.read(&one(&"ü".repeat(200))), Ok(Some("ü".repeat(200))));
    assert!(LINE.read(&one(&"ü".repeat(201))).is_err());
}

#[test]
fn control_characters_are_refused_and_line_ends_only_where_lines_are_expected() {
    assert!(LINES.read(&one("a\u{0}b")).is_err());
    assert!(LINE.read(&one("a\nb")).is_err());
    assert_eq!(LINES.read(&one("a\r\nb\n")), Ok(Some("a\nb".to_owned())));
}

#[test]
fn blanks_alone_are_no_text() {
    assert_eq!(LINE.change(&one(" ")), Ok(Change::Set(None)));
    assert_eq!(LINES.change_or_default(&one(" \n ")), Ok(Change::Set(String::new())));
    assert_eq!(
        LINE.replacement(&one(" "), text::FIELD_MISSING),
        Err(Error::invalid("a", text::FIELD_MISSING))
    );
}

#[test]
fn a_whole_number_is_digits_and_nothing_else() {
    assert_eq!(WHOLE.read(&one("0")), Ok(Some(0)));
    assert_eq!(WHOLE.read(&one(" 12 ")), Ok(Some(12)));
    for wrong in ["+5", "-1", "05", "1.0", "1e1", "٥", "256", "99999999999", " "] {
        assert_eq!(
            WHOLE.read(&one(wrong)),
            Err(Error::invalid("a", text::FEEDBACK_RATE)),
            "{wrong}"
        );
    }
}

#[test]
fn coordinates_have_a_sign_and_a_range() {
    assert_eq!(LATITUDE.read(&one("-53,5511")), Ok(Some(-53.5511)));
    assert_eq!(LATITUDE.read(&one("90")), Ok(Some(90.0)));
    assert_eq!(
        LATITUDE.read(&one("90.001")),
        Err(Error::invalid("a", text::BAD_LATITUDE))
    );
    for wrong in ["--1", "1e1"] {
        assert_eq!(
            LATITUDE.read(&one(wrong)),
            Err(Error::invalid("a", text::INVALID_INPUT))
        );
    }
    let zero = LATITUDE.read(&one("-0")).unwrap();
    assert_eq!(zero.map(f64::to_bits), Some(0.0f64.to_bits()));
}

#[test]
fn a_call_reads_no_field_that_it_does_not_declare() {
    const ONLY_LINE: &[Declared] = &[LINE.declared()];
    let fields = sent("1");
    assert!(matches!(LINE.read(&fields), Err(Error::Internal(_))), "no call yet");
    let fields = fields.declared_as(ONLY_LINE);
    assert_eq!(LINE.read(&fields), Ok(Some("1".to_owned())));
    assert!(matches!(NUMBER.read(&fields), Err(Error::Internal(_))), "another kind");
    assert!(matches!(
        SWITCH.required(text::FIELD_MISSING).read(&fields),
        Err(Error::Internal(_))
    ));
}

#[test]
fn members_are_declared_as_well() {
    const NAME: Field<String> = Field::line("name", 5);
    const OBJECT: Field<Fields> = Field::object("a", &[NAME.declared()]);
    const DECLARED: &[Declared] = &[OBJECT.declared()];
    let object = OBJECT
        .read(&sent(r#"{"name": "x", "weight": 1}"#).declared_as(DECLARED))
        .unwrap()
        .unwrap();
    assert_eq!(NAME.read(&object), Ok(Some("x".to_owned())));
    assert!(matches!(
        Field::<f64>::number("weight").read(&object),
        Err(Error::Internal(_))
    ));
}

proptest! {
    #[test]
    fn whatever_number_is_read_is_finite_and_not_negative(value in "[0-9.,eE+-]{0,20}") {
        if let Ok(Some(number)) = NUMBER.read(&one(&value)) {
            prop_assert!(number.is_finite() && number >= 0.0);
        }
    }
}
