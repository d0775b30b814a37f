//! Counts the lines of a file with a plain reader. The figure is the CPU milliseconds.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use super::{Result, cpu_seconds, say};

pub fn run(file: &Path) -> Result<()> {
    let mut reader = BufReader::new(File::open(file)?);
    let (mut line, mut lines) = (String::new(), 0);
    while reader.read_line(&mut line)? > 0 {
        lines += 1;
        line.clear();
    }
    say(&format!("{lines} lines, milliseconds: {:.3}", cpu_seconds()? * 1000.0));
    Ok(())
}
