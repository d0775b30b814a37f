//! The output of a command.

use std::io::{ErrorKind, Write};

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use serde::Serialize;

use super::failure::Failure;

/// Prints the answer of a command for programs.
pub fn say_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(value)
        .map_err(|_| Failure::new(Failure::REFUSED, "Die Antwort lässt sich nicht als JSON schreiben."))?;
    say(&(json + "\n"))
}

/// A line that somebody wrote: it must not draw on the admin's terminal.
pub fn without_control_characters(line: &str) -> String {
    line.chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect()
}

/// A QR code for a terminal, light on dark as most are; empty for a text that is too long.
pub fn qr_code(text: &str) -> String {
    QrCode::new(text).map_or_else(
        |_| String::new(),
        |code| {
            let drawn = code
                .render::<Dense1x2>()
                .dark_color(Dense1x2::Light)
                .light_color(Dense1x2::Dark)
                .build();
            format!("\n{drawn}\n")
        },
    )
}

/// Prints the answer of a command. That nobody reads on is no failure.
pub fn say(text: &str) -> Result<(), Failure> {
    let mut output = std::io::stdout();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let why = match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "der Speicher ist voll",
                _ => "der Datenträger meldet einen Fehler",
            };
            let sentence =
                format!("Die Standardausgabe kann nicht geschrieben werden: {why}. Leiten Sie sie anders um.");
            Err(Failure::new(Failure::REFUSED, sentence))
        }
        _ => Ok(()),
    }
}
