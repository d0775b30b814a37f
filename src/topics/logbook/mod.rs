//! Books of finished flights: the pilot's and those of items, as PDF and as a table. Has no table of its own.

pub mod api;
mod columns;
mod entries;
mod full;
pub mod model;

use std::collections::BTreeMap;

use crate::equipment;
use crate::equipment::model::Kind;
use crate::equipment::prior::Prior;
use columns::Column;
use entries::{Entries, Entry, before_fluglog};
use fluglog_accounts::administration;
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_base::collation::GermanOrder;
use fluglog_base::csv::{Cell, write_rows};
use fluglog_base::error::Result;
use fluglog_base::id::EquipmentId;
use fluglog_base::limits::permits::Requester;
use fluglog_base::time::Date;
use fluglog_base::{file_name, number};
use fluglog_pdf::{AttachedFile, Book, Row, Sum, Totals};
use fluglog_store::Snapshot;
use model::{BookOrder, Form, LogbookPreview};
use tokio_util::sync::CancellationToken;

/// How flights from before Fluglog are marked.
const BEFORE: &str = "Vor Fluglog";

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
    let Made {
        book, entries, prior, ..
    } = app.store.read(|data| read(app, data, viewer, order))?;
    let has_prior = !prior.is_empty();
    let flights = || entries.iter().filter_map(|entry| entry.flight.as_ref());
    let sum = entries.iter().map(Entry::sum).sum::<Sum>();
    Ok(LogbookPreview {
        flights: sum.count,
        pages: book.page_count()?,
        time: duration(sum),
        carried_flights: book.carried.count,
        carried_time: duration(book.carried),
        prior_flights: has_prior.then_some(prior.flights),
        prior_time: has_prior.then(|| duration(before_fluglog(&prior))),
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
    let Made {
        mut book,
        entries,
        prior,
        columns,
    } = app.store.read(|data| read(app, data, viewer, order))?;
    let table = table(columns, &entries, &prior)?;
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

/// Writes the entries as a table with the columns of the book, after a row about what was before Fluglog. That row has
/// no number and no time: whoever adds up a column gets what is in Fluglog.
fn table(columns: &[Column], entries: &[Entry], prior: &Prior) -> Result<Vec<u8>> {
    let headings: Vec<_> = columns.iter().map(|column| column.name).collect();
    let first = (!prior.is_empty()).then(|| {
        let mut cells: Vec<_> = columns.iter().map(|_| Cell::from("")).collect();
        if let Some(last) = cells.last_mut() {
            *last = format!("{BEFORE}: {}", prior_words(prior)).into();
        }
        cells
    });
    let rows = entries
        .iter()
        .map(|entry| columns.iter().map(|column| column.cell(entry)).collect());
    let mut table = Vec::new();
    write_rows(&mut table, &headings, first.into_iter().chain(rows).map(Ok))?;
    Ok(table)
}

/// A book with what it is made of.
struct Made {
    book: Book,
    entries: Vec<Entry>,
    prior: Prior,
    columns: &'static [Column],
}

/// Whose book it is, or of what.
struct Subject {
    title: &'static str,
    holder: String,
    columns: &'static [Column],
    facts: Vec<(&'static str, String)>,
}

impl Subject {
    fn of_pilot(pilot: String) -> Subject {
        Subject {
            title: "Flugbuch",
            holder: pilot,
            columns: columns::PILOT,
            facts: Vec::new(),
        }
    }

    fn of_item(data: &Snapshot<'_>, viewer: &Viewer, item: EquipmentId, pilot: String) -> Result<Subject> {
        let (access, item) = equipment::find_for(data, viewer, item)?;
        let space = spaces::name_of(data, access.owner())?;
        Ok(Subject {
            title: "Gerätebuch",
            columns: match item.kind {
                _ if space.is_some() => columns::SHARED,
                Kind::Copter => columns::COPTERS,
                _ => columns::ITEM,
            },
            facts: vec![
                match space {
                    Some(space) => ("Bereich", space.name),
                    None => ("Pilot", pilot),
                },
                (
                    "Hersteller und Modell",
                    joined([&item.details.manufacturer, &item.details.model]),
                ),
                ("Seriennummer", item.profile.serial),
            ],
            holder: item.details.name,
        })
    }
}

/// Reads a book and its entries, with the columns that it has.
fn read(app: &App, data: &Snapshot<'_>, viewer: &Viewer, order: BookOrder) -> Result<Made> {
    let now = app.clock.unix_seconds();
    let Entries {
        carried,
        prior,
        entries,
    } = entries::read(data, viewer, order)?;
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
    let Subject {
        title,
        holder,
        columns,
        mut facts,
    } = match order.item {
        None => Subject::of_pilot(pilot),
        Some(item) => Subject::of_item(data, viewer, item, pilot)?,
    };
    let sum = entries.iter().map(Entry::sum).sum::<Sum>();
    facts.extend((!prior.is_empty()).then(|| (BEFORE, prior_words(&prior))));
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
        legend: match prior.is_empty() {
            true => "„–“: keine Flugzeit eingetragen, als Flug gezählt.",
            false => {
                "„–“: keine Flugzeit eingetragen, als Flug gezählt. Nr. und Übertrag: mit den Flügen von vor Fluglog."
            }
        },
        totals: totals(carried, &prior, &entries),
        remarks: remarks(&entries),
        file: AttachedFile::default(),
        made: now,
        program,
    };
    Ok(Made {
        book,
        entries,
        prior,
        columns,
    })
}

/// Says what was before Fluglog: `900 Flüge, 120 h 00 min (vor dem 01.03.2024, Papierbuch)`.
fn prior_words(prior: &Prior) -> String {
    let sum = before_fluglog(prior);
    let counted = format!("{}, {}", flights(sum), duration(sum));
    let until = prior.until.map(|day| format!("vor dem {day}"));
    let about: Vec<_> = until
        .into_iter()
        .chain(Some(prior.note.clone()).filter(|note| !note.is_empty()))
        .collect();
    match about.is_empty() {
        true => counted,
        false => format!("{counted} ({})", about.join(", ")),
    }
}

fn row(entry: &Entry, columns: &[Column]) -> Row {
    Row {
        group: month(entry.start.date()),
        cells: columns.iter().map(|column| column.printed(entry)).collect(),
        sum: entry.sum(),
    }
}

fn totals(carried: Sum, prior: &Prior, entries: &[Entry]) -> Vec<Totals> {
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
    let before = (!prior.is_empty()).then(|| ("davon vor Fluglog".to_owned(), before_fluglog(prior)));
    let sums = [("Übertrag".to_owned(), carried)]
        .into_iter()
        .chain(before)
        .chain([("In diesem Buch".to_owned(), sum), ("Gesamt".to_owned(), carried + sum)]);
    vec![
        Totals {
            title: "Summen",
            rows: sums.collect(),
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
