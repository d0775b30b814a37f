//! Books of finished flights: the pilot's and those of items, as PDF and as a table. Has no table of its own.

pub mod api;
mod columns;
mod entries;
pub mod model;

use std::collections::BTreeMap;

use crate::equipment;
use crate::equipment::model::Kind;
use columns::Column;
use entries::{Entries, Entry};
use fluglog_accounts::administration;
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_base::collation::GermanOrder;
use fluglog_base::csv::write_rows;
use fluglog_base::error::Result;
use fluglog_base::limits::permits::Requester;
use fluglog_base::time::Date;
use fluglog_base::{file_name, number};
use fluglog_pdf::{AttachedFile, Book, Row, Sum, Totals};
use fluglog_store::Snapshot;
use model::{BookOrder, Form, LogbookPreview};
use tokio_util::sync::CancellationToken;

const MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

/// A book as a file.
pub struct BookFile {
    pub name: String,
    pub content: Vec<u8>,
    pub flights: u64,
}

/// Returns what a book will have.
///
/// # Errors
/// As for [`make`].
pub fn preview(app: &App, viewer: &Viewer, order: BookOrder) -> Result<LogbookPreview> {
    let (book, entries, _) = app.store.read(|data| read(app, data, viewer, order))?;
    let flights = || entries.iter().filter_map(|entry| entry.flight.as_ref());
    let sum = entries.iter().map(Entry::sum).sum::<Sum>();
    Ok(LogbookPreview {
        flights: sum.count,
        pages: book.page_count()?,
        time: duration(sum),
        carried_flights: book.carried.count,
        carried_time: duration(book.carried),
        without_time: flights().filter(|flight| flight.minutes.is_none()).count(),
        without_location: flights()
            .filter(|flight| flight.location.is_empty() && flight.position.is_none())
            .count(),
    })
}

/// Makes a book. One is made at a time.
///
/// # Errors
/// [`fluglog_base::error::Error::NotFound`] for another user's item; `Invalid` if there would be no flight in the book
/// or too many; `ResourceBusy` if too many wait for a book.
pub fn make(app: &App, viewer: &Viewer, order: BookOrder, form: Form) -> Result<BookFile> {
    let cancellation = CancellationToken::new();
    let requester = Requester {
        pilot: viewer.user(),
        cancellation: &cancellation,
    };
    let _permit = app.evaluation_permits.acquire_blocking(&requester, 1)?;
    let (mut book, entries, columns) = app.store.read(|data| read(app, data, viewer, order))?;
    let table = table(columns, &entries)?;
    let year = order.period.year().map(|year| format!(" {year}")).unwrap_or_default();
    let name = format!("{}{year} {}.{}", book.title, book.holder, form.extension());
    let flights = entries.iter().map(Entry::sum).sum::<Sum>().count;
    drop(entries);
    let content = match form {
        Form::Csv => table,
        Form::Pdf => {
            book.file = AttachedFile {
                name: "flugbuch.csv".to_owned(),
                media_type: "text/csv",
                description: "Die Einträge dieses Buchs als Tabelle, mit genauen Werten",
                content: table,
            };
            book.to_pdf()?
        }
    };
    Ok(BookFile {
        name: file_name::insert_mark(&file_name::safe(&name), ""),
        content,
        flights,
    })
}

/// Writes the entries as a table with the columns of the book.
fn table(columns: &[Column], entries: &[Entry]) -> Result<Vec<u8>> {
    let headings: Vec<_> = columns.iter().map(|column| column.name).collect();
    let rows = entries
        .iter()
        .map(|entry| Ok(columns.iter().map(|column| (column.cell)(entry))));
    let mut table = Vec::new();
    write_rows(&mut table, &headings, rows)?;
    Ok(table)
}

/// Reads a book and its entries, with the columns that it has.
fn read(
    app: &App,
    data: &Snapshot<'_>,
    viewer: &Viewer,
    order: BookOrder,
) -> Result<(Book, Vec<Entry>, &'static [Column])> {
    let now = app.clock.unix_seconds();
    let Entries { carried, entries } = entries::read(data, viewer, order)?;
    let user = administration::details(data, viewer, now)?;
    let pilot = match format!("{} {}", user.firstname, user.lastname).trim() {
        "" => user.nickname,
        name => name.to_owned(),
    };
    let made = app.clock.wall_time_at(now);
    let first = order
        .period
        .from
        .or_else(|| entries.first().map(|entry| entry.start.date()));
    let last = order.period.to.unwrap_or(made.date());
    let period = format!("{} bis {last}", first.unwrap_or(last));
    let program = format!("Fluglog {}", env!("CARGO_PKG_VERSION"));
    let mut facts = Vec::new();
    let (title, holder, columns) = match order.item {
        None => ("Flugbuch", pilot, columns::PILOT),
        Some(item) => {
            let (access, item) = equipment::find_for(data, viewer, item)?;
            let space = spaces::name_of(data, access.owner())?;
            let columns = match item.kind {
                _ if space.is_some() => columns::SHARED,
                Kind::Copter => columns::COPTERS,
                _ => columns::ITEM,
            };
            facts.extend([
                match space {
                    Some(space) => ("Bereich", space.name),
                    None => ("Pilot", pilot),
                },
                (
                    "Hersteller und Modell",
                    joined([&item.details.manufacturer, &item.details.model]),
                ),
                ("Seriennummer", item.profile.serial),
            ]);
            ("Gerätebuch", item.details.name, columns)
        }
    };
    let sum = entries.iter().map(Entry::sum).sum::<Sum>();
    facts.extend([
        ("Flüge", number::count(sum.count)),
        ("Flugzeit", duration(sum)),
        (
            "Gesamt mit Übertrag",
            format!("{}, {}", flights(carried + sum), duration(carried + sum)),
        ),
        ("Erstellt", format!("{made}, {program}")),
    ]);
    facts.retain(|(_, value)| !value.is_empty());
    let book = Book {
        title: title.to_owned(),
        holder,
        period,
        facts,
        columns: columns.iter().map(Column::on_page).collect(),
        counted: "Flüge",
        timed: "Flugzeit",
        carried,
        rows: entries.iter().map(|entry| row(entry, columns)).collect(),
        legend: "„–“: keine Flugzeit eingetragen, als Flug gezählt.",
        totals: totals(carried, &entries),
        remarks: remarks(&entries),
        file: AttachedFile::default(),
        made: now,
        program,
    };
    Ok((book, entries, columns))
}

fn row(entry: &Entry, columns: &[Column]) -> Row {
    Row {
        group: month(entry.start.date()),
        cells: columns.iter().map(|column| (column.printed)(entry)).collect(),
        sum: entry.sum(),
    }
}

fn totals(carried: Sum, entries: &[Entry]) -> Vec<Totals> {
    let sum = entries.iter().map(Entry::sum).sum::<Sum>();
    let mut by_copter: BTreeMap<&str, Sum> = BTreeMap::new();
    let mut by_month: Vec<(String, Sum)> = Vec::new();
    for entry in entries {
        let Some(flight) = &entry.flight else {
            continue;
        };
        *by_copter.entry(&flight.copter).or_default() += entry.sum();
        let month = month(entry.start.date());
        match by_month.last_mut().filter(|(last, _)| *last == month) {
            Some((_, sum)) => *sum += entry.sum(),
            None => by_month.push((month, entry.sum())),
        }
    }
    let mut by_copter: Vec<_> = by_copter
        .into_iter()
        .map(|(name, sum)| (name.to_owned(), sum))
        .collect();
    let order = GermanOrder::default();
    by_copter.sort_by(|one, other| order.compare(&one.0, &other.0));
    vec![
        Totals {
            title: "Summen",
            rows: vec![
                ("Übertrag".to_owned(), carried),
                ("In diesem Buch".to_owned(), sum),
                ("Gesamt".to_owned(), carried + sum),
            ],
        },
        Totals {
            title: "Nach Copter",
            rows: by_copter,
        },
        Totals {
            title: "Nach Monat",
            rows: by_month,
        },
    ]
}

fn remarks(entries: &[Entry]) -> Vec<String> {
    let untimed = entries
        .iter()
        .filter(|entry| entry.flight.as_ref().is_some_and(|flight| flight.minutes.is_none()))
        .count();
    let mut remarks = vec![
        "Alle Summen sind Summen der gerundeten Zeiten. Die Tabelle in dieser Datei (flugbuch.csv) hat die genauen."
            .to_owned(),
    ];
    if untimed > 0 {
        let untimed = number::counted(untimed as u64, "Flug", "Flüge");
        remarks.push(format!("{untimed} ohne eingetragene Flugzeit."));
    }
    remarks.push(
        "Ein Flug ist ein Start und eine Landung. Höhen gelten über dem Startpunkt. Zeiten sind die der Uhr am Ort des \
         Flugs."
            .to_owned(),
    );
    remarks
}

fn month(day: Date) -> String {
    let (year, month) = day.month().year_and_month();
    format!("{} {year}", MONTHS.get(month).copied().unwrap_or_default())
}

/// Prints whole minutes: `96 h 12 min`.
fn duration(sum: Sum) -> String {
    #[expect(clippy::cast_precision_loss, reason = "far less than 2^53 minutes")]
    number::duration(sum.minutes as f64)
}

fn flights(sum: Sum) -> String {
    number::counted(sum.count, "Flug", "Flüge")
}

fn joined(texts: [&String; 2]) -> String {
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.map(String::as_str).collect::<Vec<_>>().join(" ")
}
