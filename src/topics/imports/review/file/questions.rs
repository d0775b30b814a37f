//! The questions about a table for display.

use crate::imports::model::{ImportExample, ImportQuestion, ImportWay};
use crate::imports::table::FileRecord;
use fluglog_base::number;
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_readers::formats::table::{Example, Question, Subject, Value, Way};

/// Returns the questions about a table.
pub(super) fn shown(record: &FileRecord) -> Vec<ImportQuestion> {
    let questions: Vec<Question> = serde_json::from_str(&record.questions).unwrap_or_default();
    questions
        .into_iter()
        .map(|question| shown_question(question, record))
        .collect()
}

fn shown_question(question: Question, record: &FileRecord) -> ImportQuestion {
    let Question { subject, column, ways } = question;
    let heading = record
        .columns
        .get(usize::from(column))
        .map_or("", |column| column.name.as_str());
    let cell = ways
        .first()
        .and_then(|way| way.examples.first())
        .map_or("", |example| example.cell.as_str());
    let (member, text) = match subject {
        Subject::Decimal => ("decimals", text::import_asks_meaning(cell, heading)),
        Subject::Unit => ("units", text::import_asks_meaning(cell, heading)),
        Subject::DateOrder => ("dateOrder", text::import_asks_meaning(cell, heading)),
        Subject::Year => ("year", text::import_asks_year(cell, heading)),
    };
    let way = |way: Way| ImportWay {
        text: text::import_way(member, &way.value),
        examples: way
            .examples
            .into_iter()
            .map(|example| shown_example(example, &way.value))
            .collect(),
        value: way.value,
    };
    ImportQuestion {
        member: member.to_owned(),
        column: column.into(),
        text,
        ways: ways.into_iter().map(way).collect(),
    }
}

fn shown_example(Example { cell, value }: Example, unit: &str) -> ImportExample {
    let read = match value {
        // A point between thousands would be the doubt again.
        Value::Number(value) if unit.starts_with(char::is_alphabetic) => ungrouped(&number::with_unit(value, 3, unit)),
        Value::Number(value) => ungrouped(&number::format_german(value, 3)),
        Value::Seconds(seconds) => ungrouped(&number::with_unit(seconds / 60.0, 2, "min")),
        Value::Day(days) => day(days),
    };
    ImportExample { cell, read }
}

fn ungrouped(number: &str) -> String {
    number.replace('.', "")
}

#[expect(clippy::cast_possible_truncation, reason = "a calendar has few days")]
fn day(days: f64) -> String {
    let time = WallTime::from_minutes(days as i64 * 24 * 60);
    time.map(|time| time.date().to_string()).unwrap_or_default()
}
