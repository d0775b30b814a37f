//! Help and usage errors in German. clap speaks English; its findings are expressed in one sentence here.

use std::fmt::Write as _;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::failure::Failure;
use super::{examples, output};
use fluglog_config::Config;

/// The layout of every help page.
const HELP: &str = "{about-with-newline}\nAufruf: {usage}\n\n{all-args}{after-help}";

/// Adds German help pages to the command and all its subcommands.
pub(crate) fn in_german(command: Command) -> Command {
    let name = command.get_name().to_owned();
    with_path(command, &name)
}

fn with_path(command: Command, path: &str) -> Command {
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
        .after_help(examples(path))
        .mut_subcommands(|below| {
            let path = format!("{path} {}", below.get_name());
            with_path(below, &path)
        })
}

fn examples(path: &str) -> String {
    let mut text = "Beispiele:".to_owned();
    for (line, effect) in examples::of(path) {
        // Writing into a string can't fail.
        let _ = write!(text, "\n  {line}\n      {effect}");
    }
    text
}

/// Puts the actual values into the help page as defaults.
pub(crate) fn with_defaults_of(config: &Config, command: Command) -> Command {
    let default = |of: &str, value: String| format!("{of} [Vorgabe: {value}]");
    let directory = default("Datenverzeichnis", config.data_dir.display().to_string());
    let file = config
        .config_file
        .clone()
        .unwrap_or_else(|| config.data_dir.join(fluglog_config::FILE_NAME));
    let file = default("Konfigurationsdatei", file.display().to_string());
    let addresses: Vec<_> = config.listen.iter().map(ToString::to_string).collect();
    let addresses = default("Adresse, mehrfach möglich", addresses.join(" "));
    command
        .mut_arg("data_dir", |argument| argument.help(directory))
        .mut_arg("config", |argument| argument.help(file))
        .mut_subcommand("serve", |serve| {
            serve.mut_arg("listen", |argument| argument.help(addresses))
        })
}

/// Prints help and version; everything else is a usage error.
pub fn explain(error: &clap::Error) -> Result<(), Failure> {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // clap offers no way to translate this word.
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
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => return Err(no_command()),
        ErrorKind::InvalidSubcommand => {
            let hint = nearest(&named(ContextKind::SuggestedSubcommand));
            format!(
                "Den Befehl „{}“ gibt es nicht{hint}",
                named(ContextKind::InvalidSubcommand)
            )
        }
        ErrorKind::UnknownArgument => {
            let hint = nearest(&named(ContextKind::SuggestedArg));
            format!("„{argument}“ gehört nicht hierher{hint}")
        }
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
    Err(wrong_usage(&what))
}

/// The best of clap's suggestions, which is the last, as a part of a sentence.
fn nearest(suggested: &str) -> String {
    match suggested.rsplit(", ").next() {
        None | Some("") => String::new(),
        Some(nearest) => format!(", am ähnlichsten ist „{nearest}“"),
    }
}

pub(crate) fn no_command() -> Failure {
    wrong_usage("Es fehlt ein Befehl")
}

fn wrong_usage(what: &str) -> Failure {
    Failure::new(
        Failure::USAGE,
        format!("{what}; „fluglog --help“ zeigt, was möglich ist."),
    )
}
