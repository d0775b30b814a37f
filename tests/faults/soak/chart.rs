//! The chart of a soak: small diagrams above each other, over the same time axis.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use crate::harness::Server;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 110.0;
const LEFT: f64 = 20.0;
const LINE_COLOURS: [&str; 7] = [
    "#9a3412", "#0b6bcb", "#b35900", "#1a7f37", "#8250df", "#cf222e", "#57606a",
];
const MEGABYTE: f64 = 1024.0 * 1024.0;

/// The state of the server at one time.
pub struct Sample {
    seconds: f64,
    process: u32,
    /// Peak memory without the pages of the program's file: those of a debug build are 30 MB larger.
    memory: u64,
    descriptors: u64,
    database: u64,
    files: u64,
    /// Time until the health check answered.
    waited: Duration,
    /// The slowest change of a pilot since the previous sample.
    slowest: Duration,
    answers_per_second: f64,
}

impl Sample {
    pub fn of(server: &Server, [waited, slowest]: [Duration; 2], answers_per_second: f64) -> Sample {
        let blobs = fs::read_dir(server.directory().join("blobs")).unwrap();
        // A file may have been removed meanwhile.
        let files = blobs
            .filter_map(|entry| entry.ok()?.metadata().ok())
            .map(|file| file.len());
        let descriptors = fs::read_dir(format!("/proc/{}/fd", server.process_id())).unwrap();
        Sample {
            seconds: 0.0,
            process: server.process_id(),
            memory: server.most_memory_bytes() - server.memory_of_files_bytes(),
            descriptors: descriptors.count() as u64,
            database: fs::metadata(server.directory().join("fluglog.redb")).unwrap().len(),
            files: files.sum(),
            waited,
            slowest,
            answers_per_second,
        }
    }

    pub fn at(self, time: Duration) -> Sample {
        let seconds = time.as_secs_f64();
        Sample { seconds, ..self }
    }

    pub fn memory(&self) -> f64 {
        self.memory as f64
    }

    pub fn descriptors(&self) -> f64 {
        self.descriptors as f64
    }

    pub fn database(&self) -> f64 {
        self.database as f64
    }

    pub fn files(&self) -> f64 {
        self.files as f64
    }
}

type Figure = fn(&Sample) -> f64;

/// Draws all samples as SVG. A grey line marks a kill.
pub fn svg(samples: &[Sample]) -> String {
    let diagrams: [(&str, Figure); 7] = [
        ("Memory beside the program itself, at most, MiB", |sample| {
            sample.memory() / MEGABYTE
        }),
        ("Open descriptors", Sample::descriptors),
        ("Database, MiB", |sample| sample.database() / MEGABYTE),
        ("Files, MiB", |sample| sample.files() / MEGABYTE),
        ("Health check, ms", |sample| sample.waited.as_secs_f64() * 1000.0),
        ("Slowest change, ms", |sample| sample.slowest.as_secs_f64() * 1000.0),
        ("Answers a second", |sample| sample.answers_per_second),
    ];
    let last = samples.last().map_or(1.0, |sample| sample.seconds);
    let x = |sample: &Sample| LEFT + (WIDTH - 2.0 * LEFT) * sample.seconds / last;
    let height = (HEIGHT + 40.0) * diagrams.len() as f64;
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' font-family='sans-serif' \
         font-size='13'>\n\
         <rect width='{WIDTH}' height='{height}' fill='white'/>\n"
    );
    for (number, ((name, value), colour)) in diagrams.iter().zip(LINE_COLOURS).enumerate() {
        let top = 30.0 + (HEIGHT + 40.0) * number as f64;
        let bottom = top + HEIGHT;
        let most = samples.iter().map(value).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let _ = writeln!(
            svg,
            "<text x='{LEFT}' y='{}'>{name}: at most {most:.1} in {:.1} minutes</text>",
            top - 8.0,
            last / 60.0
        );
        for pair in samples.windows(2).filter(|pair| pair[0].process != pair[1].process) {
            let at = x(&pair[1]);
            let _ = writeln!(svg, "<path d='M{at:.1} {top}V{bottom}' stroke='#ddd'/>");
        }
        for of_process in samples.chunk_by(|one, next| one.process == next.process) {
            let points: Vec<_> = of_process
                .iter()
                .map(|sample| format!("{:.1},{:.1}", x(sample), bottom - HEIGHT * value(sample) / most))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline points='{}' fill='none' stroke='{colour}' stroke-width='1.5'/>",
                points.join(" ")
            );
        }
        let right = WIDTH - LEFT;
        let _ = writeln!(svg, "<path d='M{LEFT} {bottom}H{right}' stroke='#888'/>");
    }
    svg + "</svg>\n"
}
