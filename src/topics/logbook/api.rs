//! The calls of the books: HTTP in and out. `calls.rs` declares their fields and answers.

use warp::http::StatusCode;

use super::full;
use super::model::{BookOrder, Form, LogbookPreview, Period};
use crate::flights::OF_ITEM;
use fluglog_accounts::call::{Answer, Call, Handler};
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::declared::{Declared, joined};
use fluglog_base::error::Result;
use fluglog_base::field::Field;
use fluglog_base::input::Fields;
use fluglog_base::limits::permits::Kind;
use fluglog_base::text;
use fluglog_base::time::Date;
use fluglog_web::content::Content;
use fluglog_web::reply::{OCTET_STREAM, Reply};
use fluglog_web::{Request, download};

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetLogbookPreview",
        "How many flights and pages a book will have, and what is missing in it.",
        Handler::Pilot(preview), ORDER, &[Answer::json(200, "LogbookPreview")], &[]),
    Call::get("GetLogbook",
        "A book of the finished flights from a day to a day, of one item with `equipment`, as PDF with the table \
         inside, or with `csv` as this table. With `full` a table of all fields of the pilot's own flights instead, \
         which another Fluglog imports.",
        Handler::Evaluation(get), FILE, &[Answer::file()], &[])
        .waits_for(&[Kind::Evaluation]),
];

const FROM: Field<Date> = Field::date("from");
const TO: Field<Date> = Field::date("to");
const CSV: Field<bool> = Field::boolean("csv");
const FULL: Field<bool> = Field::boolean("full");

const ORDER: &[Declared] = &[OF_ITEM.declared(), FROM.declared(), TO.declared()];
const FILE: &[Declared] = joined!(ORDER, &[CSV.declared(), FULL.declared()]);

fn preview(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let preview: LogbookPreview = super::preview(app, viewer, order(&request.fields)?)?;
    Reply::json(StatusCode::OK, &preview)
}

fn get(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let order = order(&request.fields)?;
    if FULL.read(&request.fields)? == Some(true) {
        let table = full::make(app, viewer, order)?;
        let content = Content::verified((table.content.read()?, table.content.bytes()));
        // Dropping the table removes the file's name; its space is freed when it has been sent.
        return Ok(download::attachment(Reply::file(OCTET_STREAM, content), &table.name));
    }
    let form = match CSV.read(&request.fields)? {
        Some(true) => Form::Csv,
        _ => Form::Pdf,
    };
    let book = super::make(app, viewer, order, form)?;
    Ok(download::attachment(Reply::bytes(book.content), &book.name))
}

fn order(fields: &Fields) -> Result<BookOrder> {
    let period = Period {
        from: FROM.read(fields)?,
        to: TO.read(fields)?,
    };
    if period.from.is_some_and(|from| period.is_before(from)) {
        return Err(TO.invalid(text::BOOK_ENDS_BEFORE_START));
    }
    Ok(BookOrder {
        item: OF_ITEM.read(fields)?,
        period,
    })
}
