//! Help and wrong usage, in German. clap speaks English; what it found out is said here in one sentence.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::failure::Failure;
use super::output;

/// How every help page is laid out.
const HELP: &str = "{about-with-newline}\nAufruf: {usage}\n\n{all-args}";

/// The command and all below it, with help pages in German.
pub fn in_german(command: Command) -> Command {
    command
        .help_template(HELP)
        .subcommand_help_heading("Befehle")
        .subcommand_value_name("BEFEHL")
        .disable_help_subcommand(true)
        .mut_args(|argument| {
            let heading = if argument.is_positional() {
                "Argumente"
            } else {
                "Optionen"
            };
            argument.help_heading(heading)
        })
        .mut_subcommands(in_german)
}

/// Prints help and version; everything else is wrong usage.
pub fn explain(error: &clap::Error) -> Result<(), Failure> {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // clap has this one word in English and no way to change it.
        return output::say(&error.render().to_string().replace("[OPTIONS]", "[OPTIONEN]"));
    }
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => name.clone(),
        Some(ContextValue::Strings(names)) => names.join(", "),
        _ => String::new(),
    };
    let argument = named(ContextKind::InvalidArg);
    let value = named(ContextKind::InvalidValue);
    let what = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            "Es fehlt ein Befehl".to_owned()
        }
        ErrorKind::InvalidSubcommand => {
            let nearest = named(ContextKind::SuggestedSubcommand);
            let hint = match nearest.split(", ").next() {
                None | Some("") => String::new(),
                Some(nearest) => format!(", am ähnlichsten ist „{nearest}“"),
            };
            format!(
                "Den Befehl „{}“ gibt es nicht{hint}",
                named(ContextKind::InvalidSubcommand)
            )
        }
        ErrorKind::UnknownArgument => format!("„{argument}“ gehört nicht hierher"),
        ErrorKind::MissingRequiredArgument => format!("Es fehlt {argument}"),
        ErrorKind::ArgumentConflict => format!("„{argument}“ wurde mehrfach oder mit etwas Unpassendem angegeben"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if value.is_empty() => {
            format!("Nach „{argument}“ fehlt ein Wert")
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            format!("„{value}“ ist kein gültiger Wert für „{argument}“")
        }
        ErrorKind::InvalidUtf8 => "Eine Angabe ist kein gültiger Text".to_owned(),
        _ => "Dieser Aufruf ist nicht möglich".to_owned(),
    };
    Err(Failure::new(
        Failure::USAGE,
        format!("{what}; „fluglog --help“ zeigt, was möglich ist."),
    ))
}
