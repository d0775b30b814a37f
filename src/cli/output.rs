//! Output of commands.

use std::io::{ErrorKind, Write};

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use serde::Serialize;

use super::failure::Failure;

/// Prints a command's answer as JSON.
pub(crate) fn say_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(value)
        .map_err(|_| Failure::new(Failure::REFUSED, "Die Antwort lässt sich nicht als JSON schreiben."))?;
    say(&(json + "\n"))
}

/// Replaces control characters in foreign text, which must not control the admin's terminal.
pub(crate) fn without_control_characters(line: &str) -> String {
    line.chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect()
}

/// A QR code for a dark terminal; empty if the text is too long.
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

/// Prints a command's answer. A closed pipe is no failure.
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
