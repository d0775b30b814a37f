//! Draws a book's pages, with the tags that say what each text is.

use std::num::NonZeroU16;

use krilla::color::rgb;
use krilla::configure::{Accessibility, Archival, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::embed::{AssociationKind, EmbeddedFile, MimeType};
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, Identifier, Node, TableHeaderScope, Tag, TagGroup, TagTree};
use krilla::{Document, SerializeSettings};

use super::book::{Book, Column, Row, Sum};
use super::font::{Face, Faces, printable};
use super::layout::{
    GAP, LINE, MARGIN, PAGE, ROWS_TOP, TEXT_SIZE, TablePage, TotalsLine, TotalsPart, WIDTH, row_lines, table_pages,
    totals_lines,
};
use super::lines::broken;
use fluglog_base::error::{Error, Result};
use fluglog_base::time::rfc_3339;

/// Most rows of a book.
pub const MAX_ROWS: usize = 5_000;

const BLACK: u8 = 0x11;
const GREY: u8 = 0x55;
const LIGHT: u8 = 0xC4;

const RIGHT: f32 = MARGIN + WIDTH;
const HEADS_TOP: f32 = 72.0;
const SUMS_TOP: f32 = 484.0;
const FOOT: f32 = 560.0;
/// Left edges of a block of sums: labels, and the right edges of counts and times.
const SUMS: [f32; 3] = [RIGHT - 330.0, RIGHT - 90.0, RIGHT - GAP];
const SIGNATURE: &str = "Ort, Datum, Unterschrift";

/// Where a text stands in relation to a point.
#[derive(Clone, Copy)]
enum Align {
    Left,
    Right,
}

/// The surface of a page.
struct Sheet<'s, 'f> {
    surface: Surface<'s>,
    faces: &'f Faces,
}

impl Sheet<'_, '_> {
    fn fill(&mut self, shade: u8) {
        self.surface.set_fill(Some(Fill {
            paint: rgb::Color::new(shade, shade, shade).into(),
            opacity: NormalizedF32::ONE,
            rule: FillRule::NonZero,
        }));
    }

    fn text(&mut self, face: &Face, size: f32, [x, y]: [f32; 2], align: Align, text: &str) {
        if text.is_empty() {
            return;
        }
        let x = match align {
            Align::Left => x,
            Align::Right => x - face.width(text, size),
        };
        let glyphs = face.shape(text);
        let font = face.font.clone();
        self.surface
            .draw_glyphs(Point::from_xy(x, y), &glyphs, font, text, size, false);
    }

    fn regular(&mut self, size: f32, at: [f32; 2], align: Align, text: &str) {
        self.text(&self.faces.regular, size, at, align, text);
    }

    fn bold(&mut self, size: f32, at: [f32; 2], align: Align, text: &str) {
        self.text(&self.faces.bold, size, at, align, text);
    }

    /// Draws a horizontal line.
    fn rule(&mut self, [from, to]: [f32; 2], y: f32, height: f32, shade: u8) {
        let mut path = PathBuilder::new();
        let Some(line) = Rect::from_ltrb(from, y, to, y + height) else {
            return;
        };
        path.push_rect(line);
        if let Some(path) = path.finish() {
            self.fill(shade);
            self.surface.draw_path(&path);
            self.fill(BLACK);
        }
    }

    /// Draws what is read aloud, and returns its place in the tags.
    fn read(&mut self, draw: impl FnOnce(&mut Self)) -> Identifier {
        let identifier = self.surface.start_tagged(ContentTag::Other);
        draw(self);
        self.surface.end_tagged();
        identifier
    }

    /// Draws what belongs to the page and is not read aloud.
    fn furniture(&mut self, kind: ArtifactType, draw: impl FnOnce(&mut Self)) {
        self.surface
            .start_tagged(ContentTag::Artifact(Artifact::with_kind(kind)));
        draw(self);
        self.surface.end_tagged();
    }

    fn signature(&mut self) {
        self.rule([MARGIN, MARGIN + 190.0], FOOT - 9.5, 0.6, BLACK);
        self.regular(7.0, [MARGIN, FOOT], Align::Left, SIGNATURE);
    }
}

impl Book {
    /// Returns the number of pages, without making them.
    ///
    /// # Errors
    /// Never in practice: the fonts are part of the program.
    pub fn page_count(&self) -> Result<usize> {
        let faces = Faces::new()?;
        let totals = totals_lines(self).last().map_or(1, |line| line.page + 1);
        Ok(1 + table_pages(self, &faces).len() + totals)
    }

    /// Makes the file.
    ///
    /// # Errors
    /// There are more than [`MAX_ROWS`] rows, or the book breaks a rule of PDF/A, which is a bug.
    pub fn to_pdf(&self) -> Result<Vec<u8>> {
        if self.rows.len() > MAX_ROWS {
            return Err(Error::Internal(format!("a book of {} rows", self.rows.len())));
        }
        let configuration = ConfigurationBuilder::new()
            .with_archival_validator(Archival::A3_A)
            .with_accessibility_validator(Accessibility::UA1)
            .finish();
        let configuration = configuration.map_err(|error| Error::Internal(format!("no kind of PDF: {error:?}")))?;
        let mut document = Document::new_with(SerializeSettings {
            configuration,
            enable_tagging: true,
            ..SerializeSettings::default()
        });
        let faces = Faces::new()?;
        let table = table_pages(self, &faces);
        let totals = totals_lines(self);
        let last_page = totals.last().map_or(0, |line| line.page);
        let mut making = Making {
            book: self,
            faces: &faces,
            tags: TagTree::new().with_lang(Some("de".to_owned())),
            outline: Outline::new(),
            pages: 1 + table.len() + last_page + 1,
            made: 0,
        };
        making.title_page(&mut document);
        making.table(&mut document, &table);
        making.totals(&mut document, &totals, last_page);
        let Making { tags, outline, .. } = making;
        document.set_tag_tree(tags);
        document.set_outline(outline);
        document.set_metadata(metadata(self));
        document.embed_file(embedded(self));
        document
            .finish()
            .map_err(|error| Error::Internal(format!("no book: {error:?}")))
    }
}

fn metadata(book: &Book) -> Metadata {
    Metadata::new()
        .title(printable(&format!("{} {}, {}", book.title, book.holder, book.period)))
        .authors(vec![printable(&book.holder)])
        .creator(book.program.clone())
        .language("de".to_owned())
        .creation_date(date_time(book.made))
}

fn embedded(book: &Book) -> EmbeddedFile {
    EmbeddedFile {
        path: book.file.name.clone(),
        mime_type: MimeType::new(book.file.media_type),
        description: Some(book.file.description.to_owned()),
        association_kind: AssociationKind::Data,
        data: book.file.content.clone().into(),
        modification_date: Some(date_time(book.made)),
        compress: Some(true),
        location: None,
    }
}

fn date_time(unix_seconds: i64) -> DateTime {
    let text = rfc_3339(unix_seconds);
    let part = |from: usize, to: usize| {
        text.get(from..to)
            .and_then(|digits| digits.parse::<u16>().ok())
            .unwrap_or(0)
    };
    let small = |from: usize| u8::try_from(part(from, from + 2)).unwrap_or(0);
    DateTime::new(part(0, 4))
        .month(small(5))
        .day(small(8))
        .hour(small(11))
        .minute(small(14))
        .second(small(17))
        .utc_offset_hour(0)
}

/// A book whose pages are being made.
struct Making<'b> {
    book: &'b Book,
    faces: &'b Faces,
    tags: TagTree,
    outline: Outline,
    pages: usize,
    /// Number of pages made so far.
    made: usize,
}

impl<'b> Making<'b> {
    fn page(&mut self, document: &mut Document, draw: impl FnOnce(&mut Self, &mut Sheet<'_, '_>)) {
        // The size is a constant.
        let Some(settings) = PageSettings::from_wh(PAGE.0, PAGE.1) else {
            return;
        };
        let mut page = document.start_page_with(settings);
        let mut sheet = Sheet {
            surface: page.surface(),
            faces: self.faces,
        };
        sheet.fill(BLACK);
        self.made += 1;
        draw(self, &mut sheet);
        drop(sheet);
        page.finish();
    }

    fn bookmark(&mut self, name: &str) {
        let top = XyzDestination::new(self.made - 1, Point::from_xy(0.0, 0.0));
        self.outline.push_child(OutlineNode::new(printable(name), top));
    }

    fn title_page(&mut self, document: &mut Document) {
        let book = self.book;
        self.page(document, |making, sheet| {
            making.bookmark("Titelseite");
            let title = sheet.read(|sheet| sheet.bold(32.0, [MARGIN + 60.0, 150.0], Align::Left, &book.title));
            making.tags.push(heading(1, &book.title, title));
            let large = |sheet: &mut Sheet<'_, '_>, y: f32, size: f32, text: &str| {
                let lines = broken(text, &sheet.faces.regular, size, WIDTH - 120.0, 1);
                let drawn = sheet.read(|sheet| {
                    lines
                        .iter()
                        .for_each(|line| sheet.regular(size, [MARGIN + 60.0, y], Align::Left, line));
                });
                paragraph(vec![drawn])
            };
            making.tags.push(large(sheet, 184.0, 17.0, &book.holder));
            making.tags.push(large(sheet, 208.0, 12.0, &book.period));
            sheet.furniture(ArtifactType::Layout, |sheet| {
                sheet.rule([MARGIN + 60.0, RIGHT - 60.0], 226.0, 1.2, BLACK);
            });
            for (at, (label, value)) in book.facts.iter().enumerate() {
                let y = 256.0 + 20.0 * at as f32;
                let label = sheet.read(|sheet| {
                    sheet.fill(GREY);
                    sheet.regular(9.5, [MARGIN + 60.0, y], Align::Left, &format!("{label} "));
                    sheet.fill(BLACK);
                });
                let lines = broken(value, &sheet.faces.regular, 9.5, WIDTH - 280.0, 1);
                let value = sheet.read(|sheet| {
                    lines
                        .iter()
                        .for_each(|line| sheet.regular(9.5, [MARGIN + 220.0, y], Align::Left, line));
                });
                making.tags.push(paragraph(vec![label, value]));
            }
            making.foot(sheet);
        });
    }

    fn head(&self, sheet: &mut Sheet<'_, '_>) {
        let book = self.book;
        sheet.furniture(ArtifactType::Header, |sheet| {
            sheet.bold(15.0, [MARGIN, 46.0], Align::Left, &book.title);
            let holder = broken(&book.holder, &sheet.faces.regular, 8.5, WIDTH - 240.0, 1);
            holder
                .iter()
                .for_each(|line| sheet.regular(8.5, [MARGIN, 60.0], Align::Left, line));
            sheet.bold(9.0, [RIGHT, 60.0], Align::Right, &book.period);
            sheet.rule([MARGIN, RIGHT], 66.5, 1.2, BLACK);
        });
    }

    fn foot(&self, sheet: &mut Sheet<'_, '_>) {
        let page = format!("Seite {} von {}", self.made, self.pages);
        let program = &self.book.program;
        sheet.furniture(ArtifactType::Footer, |sheet| {
            sheet.regular(7.0, [RIGHT, FOOT - 9.5], Align::Right, program);
            sheet.bold(7.0, [RIGHT, FOOT], Align::Right, &page);
        });
    }

    fn table(&mut self, document: &mut Document, pages: &[TablePage]) {
        let book = self.book;
        let mut head = TagGroup::new(Tag::TR);
        let mut body = TagGroup::new(Tag::TBody);
        let mut group = None;
        for table_page in pages {
            self.page(document, |making, sheet| {
                making.head(sheet);
                let heads = column_heads(sheet, &book.columns, making.made == 2);
                heads.into_iter().for_each(|head_cell| {
                    head.push(TagGroup::with_children(
                        Tag::TH(TableHeaderScope::Column),
                        vec![head_cell.into()],
                    ));
                });
                let mut y = ROWS_TOP;
                for row in &book.rows[table_page.rows.clone()] {
                    if group != Some(&row.group) {
                        group = Some(&row.group);
                        making.bookmark(&row.group);
                    }
                    let (tagged, height) = draw_row(sheet, &book.columns, row, y);
                    body.push(tagged);
                    y += height;
                }
                making.sums(sheet, table_page);
                sheet.furniture(ArtifactType::Footer, |sheet| {
                    sheet.signature();
                    sheet.regular(7.0, [MARGIN + 215.0, FOOT], Align::Left, book.legend);
                });
                making.foot(sheet);
            });
        }
        if !pages.is_empty() {
            let head = TagGroup::with_children(Tag::THead, vec![head.into()]);
            self.tags
                .push(TagGroup::with_children(Tag::Table, vec![head.into(), body.into()]));
        }
    }

    fn sums(&self, sheet: &mut Sheet<'_, '_>, page: &TablePage) {
        let book = self.book;
        let before = match self.made {
            2 => "Übertrag".to_owned(),
            made => format!("Übertrag von Seite {}", made - 1),
        };
        let lines = [
            ("Summe dieser Seite", page.sum),
            (before.as_str(), page.carried),
            ("Gesamt", page.carried + page.sum),
        ];
        sheet.furniture(ArtifactType::PaginationOther, |sheet| {
            sheet.rule([SUMS[0], RIGHT], SUMS_TOP, 1.2, BLACK);
            sheet.bold(7.0, [SUMS[1], SUMS_TOP + 10.0], Align::Right, book.counted);
            sheet.bold(7.0, [SUMS[2], SUMS_TOP + 10.0], Align::Right, book.timed);
            for (at, (label, sum)) in lines.into_iter().enumerate() {
                let y = SUMS_TOP + 23.0 + 13.5 * at as f32;
                sheet.rule([SUMS[0], RIGHT], y - 9.5, 0.4, LIGHT);
                sum_line(sheet, SUMS, y, label, sum, at == 2);
            }
            sheet.rule([SUMS[0], RIGHT], SUMS_TOP + 54.5, 1.2, BLACK);
        });
    }

    fn totals(&mut self, document: &mut Document, lines: &[TotalsLine], last_page: usize) {
        let book = self.book;
        let mut tables: Vec<Vec<Node>> = book.totals.iter().map(|_| Vec::new()).collect();
        let mut titles: Vec<Option<TagGroup>> = book.totals.iter().map(|_| None).collect();
        let mut after = Vec::new();
        for page in 0..=last_page {
            self.page(document, |making, sheet| {
                making.head(sheet);
                if page == 0 {
                    making.bookmark("Summen");
                }
                for line in lines.iter().filter(|line| line.page == page) {
                    let totals = &book.totals[line.table];
                    let at = [line.x, line.y];
                    match line.part {
                        TotalsPart::Title => {
                            let title = sheet.read(|sheet| sheet.bold(10.0, at, Align::Left, totals.title));
                            titles[line.table] = Some(heading(2, totals.title, title));
                        }
                        TotalsPart::Heads => tables[line.table].push(totals_heads(sheet, at, book).into()),
                        TotalsPart::Row(row) => {
                            let (label, sum) = &totals.rows[row];
                            tables[line.table].push(totals_row(sheet, at, label, *sum).into());
                        }
                    }
                }
                if page == last_page {
                    after = making.remarks(sheet);
                }
                making.foot(sheet);
            });
        }
        for (title, rows) in titles.into_iter().flatten().zip(tables) {
            self.tags.push(title);
            self.tags.push(TagGroup::with_children(Tag::Table, rows));
        }
        after.into_iter().for_each(|tag| self.tags.push(tag));
    }

    fn remarks(&self, sheet: &mut Sheet<'_, '_>) -> Vec<TagGroup> {
        let mut tags = Vec::new();
        let mut y = 470.0;
        for remark in &self.book.remarks {
            let lines = broken(remark, &sheet.faces.regular, TEXT_SIZE, WIDTH, 2);
            let drawn = sheet.read(|sheet| {
                for line in &lines {
                    sheet.regular(TEXT_SIZE, [MARGIN, y], Align::Left, &format!("{line} "));
                    y += LINE + 2.0;
                }
            });
            tags.push(paragraph(vec![drawn]));
        }
        let signature = sheet.read(Sheet::signature);
        tags.push(paragraph(vec![signature]));
        tags
    }
}

/// Draws the heads of the columns. They are read once; on further pages they belong to the page.
fn column_heads(sheet: &mut Sheet<'_, '_>, columns: &[Column], is_first: bool) -> Vec<Identifier> {
    let mut heads = Vec::new();
    let mut x = MARGIN;
    for column in columns {
        let draw = |sheet: &mut Sheet<'_, '_>| {
            let lines: Vec<_> = column.heading.split('\n').collect();
            for (at, line) in lines.iter().enumerate() {
                let is_last = at + 1 == lines.len();
                let y = HEADS_TOP + if is_last { 19.5 } else { 10.5 };
                let text = if is_last {
                    (*line).to_owned()
                } else {
                    format!("{line} ")
                };
                match column.style.is_number() {
                    true => sheet.bold(7.0, [x + column.width - GAP, y], Align::Right, line),
                    false => sheet.bold(7.0, [x, y], Align::Left, &text),
                }
            }
        };
        match is_first {
            true => heads.push(sheet.read(draw)),
            false => sheet.furniture(ArtifactType::PaginationOther, draw),
        }
        x += column.width;
    }
    sheet.furniture(ArtifactType::Layout, |sheet| {
        sheet.rule([MARGIN, RIGHT], ROWS_TOP - 1.5, 0.8, BLACK);
    });
    heads
}

fn draw_row(sheet: &mut Sheet<'_, '_>, columns: &[Column], row: &Row, y: f32) -> (TagGroup, f32) {
    let faces = sheet.faces;
    let (cells, height) = row_lines(row, columns, faces);
    let mut tags = TagGroup::new(Tag::TR);
    let mut x = MARGIN;
    for (lines, column) in cells.iter().zip(columns) {
        let (face, size) = column.style.face(faces);
        let mut cell = TagGroup::new(Tag::TD);
        if !lines.is_empty() {
            cell.push(sheet.read(|sheet| {
                for (at, line) in lines.iter().enumerate() {
                    let y = y + 10.0 + LINE * at as f32;
                    match column.style.is_number() {
                        true => sheet.text(face, size, [x + column.width - GAP, y], Align::Right, line),
                        // A space, which readers need between the words of two lines.
                        false if at + 1 < lines.len() => {
                            sheet.text(face, size, [x, y], Align::Left, &format!("{line} "));
                        }
                        false => sheet.text(face, size, [x, y], Align::Left, line),
                    }
                }
            }));
        }
        tags.push(cell);
        x += column.width;
    }
    sheet.furniture(ArtifactType::Layout, |sheet| {
        sheet.rule([MARGIN, RIGHT], y + height - 0.4, 0.4, LIGHT);
    });
    (tags, height)
}

fn sum_line(sheet: &mut Sheet<'_, '_>, [x, counts, times]: [f32; 3], y: f32, label: &str, sum: Sum, is_bold: bool) {
    let (face, size) = match is_bold {
        true => (&sheet.faces.bold, 9.0),
        false => (&sheet.faces.regular, TEXT_SIZE),
    };
    sheet.text(face, size, [x, y], Align::Left, label);
    sheet.text(face, size, [counts, y], Align::Right, &sum.count.to_string());
    sheet.text(face, size, [times, y], Align::Right, &sum.time());
}

const TOTALS: [f32; 3] = [0.0, 175.0, 230.0];

fn totals_heads(sheet: &mut Sheet<'_, '_>, [x, y]: [f32; 2], book: &Book) -> TagGroup {
    let names = ["", book.counted, book.timed];
    let heads = names.iter().zip(TOTALS).map(|(name, at)| {
        let mut head = TagGroup::new(Tag::TH(TableHeaderScope::Column));
        if !name.is_empty() {
            head.push(sheet.read(|sheet| sheet.bold(7.0, [x + at, y], Align::Right, name)));
        }
        head.into()
    });
    let heads = heads.collect();
    sheet.furniture(ArtifactType::Layout, |sheet| {
        sheet.rule([x, x + TOTALS[2]], y + 3.5, 0.8, BLACK);
    });
    TagGroup::with_children(Tag::TR, heads)
}

fn totals_row(sheet: &mut Sheet<'_, '_>, [x, y]: [f32; 2], label: &str, sum: Sum) -> TagGroup {
    let lines = broken(label, &sheet.faces.regular, TEXT_SIZE, TOTALS[1] - 36.0, 1);
    let [count, time] = [sum.count.to_string(), sum.time()];
    let label = sheet.read(|sheet| {
        lines
            .iter()
            .for_each(|line| sheet.regular(TEXT_SIZE, [x, y], Align::Left, line));
    });
    let count = sheet.read(|sheet| sheet.regular(TEXT_SIZE, [x + TOTALS[1], y], Align::Right, &count));
    let time = sheet.read(|sheet| sheet.regular(TEXT_SIZE, [x + TOTALS[2], y], Align::Right, &time));
    sheet.furniture(ArtifactType::Layout, |sheet| {
        sheet.rule([x, x + TOTALS[2]], y + 3.5, 0.4, LIGHT);
    });
    let cells = [count, time].map(|cell| TagGroup::with_children(Tag::TD, vec![cell.into()]).into());
    let label = TagGroup::with_children(Tag::TH(TableHeaderScope::Row), vec![label.into()]);
    TagGroup::with_children(Tag::TR, std::iter::once(label.into()).chain(cells).collect())
}

fn heading(level: u16, title: &str, drawn: Identifier) -> TagGroup {
    let level = NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN);
    TagGroup::with_children(Tag::Hn(level, Some(title.to_owned())), vec![drawn.into()])
}

fn paragraph(drawn: Vec<Identifier>) -> TagGroup {
    TagGroup::with_children(Tag::P, drawn.into_iter().map(Node::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{AttachedFile, Style, Totals};

    fn book(texts: &[&str]) -> Book {
        let rows = texts.iter().map(|text| Row {
            group: "März 2026".to_owned(),
            cells: vec!["1".to_owned(), (*text).to_owned()],
            sum: Sum { count: 1, minutes: 7 },
        });
        Book {
            title: "Flugbuch".to_owned(),
            holder: texts.first().copied().unwrap_or_default().to_owned(),
            period: "01.03.2026 bis 31.03.2026".to_owned(),
            facts: vec![("Pilot", texts.concat())],
            columns: [("Nr.", 100.0, Style::Number), ("Ort", 300.0, Style::Text)]
                .map(|(heading, width, style)| Column { heading, width, style })
                .to_vec(),
            rows: rows.collect(),
            totals: vec![Totals {
                title: "Nach Copter",
                rows: texts.iter().map(|text| ((*text).to_owned(), Sum::default())).collect(),
            }],
            remarks: vec![texts.concat()],
            file: AttachedFile {
                name: "flugbuch.csv".to_owned(),
                media_type: "text/csv",
                description: "Tabelle",
                content: b"Nr.;Ort".to_vec(),
            },
            made: 1_795_790_000,
            program: "Fluglog".to_owned(),
            ..Book::default()
        }
    }

    /// krilla checks the rules of PDF/A-3a and PDF/UA-1 when a file is finished.
    #[test]
    fn whatever_a_text_has_the_file_keeps_the_rules_of_archives() {
        let long = "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(200);
        let texts = [
            "Wiese 🚁👨\u{200D}👩\u{200D}👧\u{FE0F}",
            "مرحبا بالعالم שלום",
            "\u{202E}verkehrt\u{202C}",
            "e\u{301}\u{327} Zal\u{334}go",
            "\u{E000}\u{F0000}\u{FFFE}\u{FFFF}\u{FEFF}\u{0}\u{7}",
            "zwei\r\nZeilen\tund \u{A0}mehr\u{2028}noch",
            "東京 <b>&amp;</b> \\(Tj) ET %",
            &long,
            "",
        ];
        let made = book(&texts).to_pdf().unwrap();
        assert!(made.starts_with(b"%PDF-1.7") && made.ends_with(b"%%EOF"));
        assert!(
            made == book(&texts).to_pdf().unwrap(),
            "the same book gives the same bytes"
        );
        for text in texts {
            book(&[text]).to_pdf().unwrap();
        }
    }

    #[test]
    fn a_book_has_as_many_pages_as_it_says() {
        let texts = vec!["Wiese"; 200];
        let book = book(&texts);
        let made = book.to_pdf().unwrap();
        let text = String::from_utf8_lossy(&made);
        let pages = text.matches("/Type/Page").count() - text.matches("/Type/Pages").count();
        assert_eq!(pages, book.page_count().unwrap());
    }
}
