//! `fluglog space …`

use std::fmt::Write as _;

use clap::Subcommand;
use serde::Serialize;

use super::failure::Failure;
use super::{data_dir, output, prompt};
use crate::control::spaces::{DeleteSpace, ListSpaces, ListedSpace, MakeManager, ShowSpace};
use fluglog_base::number;
use fluglog_base::time::Clock;
use fluglog_config::Config;

/// Commands about spaces.
#[derive(Subcommand)]
pub enum Command {
    /// Zeigt alle Haushalte und Vereine
    List {
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
    /// Zeigt einen Haushalt oder Verein mit seinen Mitgliedern
    Show {
        /// Name oder Kennung
        #[arg(value_name = "BEREICH")]
        space: String,
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
    /// Gibt einem Mitglied die Verwaltung, etwa wenn niemand mehr erreichbar ist, der sie hat
    Manager {
        /// Name oder Kennung
        #[arg(value_name = "BEREICH")]
        space: String,
        #[command(flatten)]
        member: super::user::User,
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
    /// Löscht einen Haushalt oder Verein mit seiner ganzen Ausrüstung; die Flüge seiner Mitglieder bleiben
    Delete {
        /// Name oder Kennung
        #[arg(value_name = "BEREICH")]
        space: String,
        /// Fragt nicht nach
        #[arg(long)]
        yes: bool,
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
}

/// A space in the list. The field names are stable because scripts read them; likewise below.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SpaceJson {
    id: String,
    name: String,
    /// `household` or `club`.
    kind: &'static str,
    created: String,
    items: usize,
    open_invitations: usize,
    /// E-mail addresses of those who manage it.
    managers: Vec<String>,
    members: Vec<MemberJson>,
    /// Records and files together.
    used_bytes: u64,
    /// The storage limit; `null` without one.
    quota_bytes: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberJson {
    email: String,
    nickname: String,
    /// `reader`, `member`, `keeper` or `manager`.
    role: &'static str,
    since: String,
}

#[derive(Serialize)]
struct ManagerJson {
    space: String,
    manager: String,
}

#[derive(Serialize)]
struct DeletedJson {
    deleted: String,
}

/// The roles in the JSON and in German, by code.
const ROLES: [(&str, &str); 4] = [
    ("reader", "Leser"),
    ("member", "Mitglied"),
    ("keeper", "Gerätewart"),
    ("manager", "Verwaltung"),
];

fn role(code: u8) -> (&'static str, &'static str) {
    let at = usize::from(code).saturating_sub(1).min(ROLES.len() - 1);
    ROLES.get(at).copied().unwrap_or_default()
}

/// Performs a command about spaces, in the running server or directly.
pub fn run(config: &Config, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { json } => list(config, json),
        Command::Show { space, json } => show(config, space, json),
        Command::Manager { space, member, json } => make_manager(config, space, member.email(), json),
        Command::Delete { space, yes, json } => delete(config, space, yes, json),
    }
}

fn shown(space: ListedSpace, clock: &Clock) -> SpaceJson {
    let ListedSpace { details, used, most } = space;
    SpaceJson {
        managers: details.managers().map(|member| member.email.clone()).collect(),
        id: details.id,
        name: details.name,
        kind: if details.is_household { "household" } else { "club" },
        created: clock.wall_time_at(details.created).to_string(),
        items: details.items,
        open_invitations: details.open_invitations,
        members: details
            .members
            .into_iter()
            .map(|member| MemberJson {
                role: role(member.role).0,
                since: clock.wall_time_at(member.since).to_string(),
                email: member.email,
                nickname: member.nickname,
            })
            .collect(),
        used_bytes: used,
        quota_bytes: most,
    }
}

impl SpaceJson {
    fn kind_for_people(&self) -> &'static str {
        if self.kind == "household" { "Haushalt" } else { "Verein" }
    }

    fn managers_for_people(&self) -> String {
        match self.managers.is_empty() {
            true => "niemand".to_owned(),
            false => self.managers.join(", "),
        }
    }
}

fn list(config: &Config, json: bool) -> Result<(), Failure> {
    let answered = data_dir::ask(config, ListSpaces)?;
    let spaces: Vec<_> = answered
        .value
        .into_iter()
        .map(|space| shown(space, &answered.clock))
        .collect();
    if json {
        return output::say_json(&spaces);
    }
    if spaces.is_empty() {
        return output::say("Es gibt noch keinen Haushalt und keinen Verein. Piloten legen sie in der App an.\n");
    }
    let mut text = String::new();
    for space in &spaces {
        // Writing into a string can't fail.
        let _ = writeln!(
            text,
            "{}  {}  Mitglieder {}  Geräte {}  {}  Verwaltung: {}",
            space.name,
            space.kind_for_people(),
            space.members.len(),
            space.items,
            number::size(space.used_bytes),
            space.managers_for_people()
        );
    }
    output::say(&text)
}

fn show(config: &Config, space: String, json: bool) -> Result<(), Failure> {
    let answered = data_dir::ask(config, ShowSpace { space })?;
    let space = shown(answered.value, &answered.clock);
    if json {
        return output::say_json(&space);
    }
    let quota = space.quota_bytes.map_or_else(
        || "ohne Grenze".to_owned(),
        |most| format!("höchstens {}", number::size(most)),
    );
    let lines = [
        ("Name", space.name.clone()),
        ("Kennung", space.id.clone()),
        ("Art", space.kind_for_people().to_owned()),
        ("Angelegt", space.created.clone()),
        ("Geräte", number::count(space.items as u64)),
        ("Offene Einladungen", number::count(space.open_invitations as u64)),
        ("Belegt", number::size(space.used_bytes)),
        ("Speicherplatz", quota),
        ("Verwaltung", space.managers_for_people()),
    ];
    let mut text = String::new();
    for (label, value) in lines {
        let _ = writeln!(text, "{label:20}{value}");
    }
    for member in &space.members {
        let named = ROLES.iter().find(|(name, _)| *name == member.role);
        let role = named.map(|(_, german)| *german).unwrap_or_default();
        let (email, nickname, since) = (&member.email, &member.nickname, &member.since);
        let _ = writeln!(text, "{:20}{email}  {nickname}  {role} seit {since}", "Mitglied");
    }
    output::say(&text)
}

fn make_manager(config: &Config, space: String, email: String, json: bool) -> Result<(), Failure> {
    let email = email.trim().to_owned();
    let manager = email.clone();
    let space = data_dir::ask(config, MakeManager { space, email })?.value;
    match json {
        true => output::say_json(&ManagerJson { space, manager }),
        false => output::say(&format!("{manager} verwaltet jetzt „{space}“.\n")),
    }
}

fn delete(config: &Config, space: String, yes: bool, json: bool) -> Result<(), Failure> {
    if !yes {
        ask_whether_to_delete(config, &space)?;
    }
    let name = data_dir::ask(config, DeleteSpace { space })?.value;
    match json {
        true => output::say_json(&DeletedJson { deleted: name }),
        false => output::say(&format!(
            "„{name}“ ist mit der ganzen Ausrüstung gelöscht. Die Flüge der Mitglieder bleiben; ältere Sicherungen \
             enthalten den Bereich noch.\n"
        )),
    }
}

/// Says what goes, and asks for confirmation; without a terminal, a script has to say `--yes`.
fn ask_whether_to_delete(config: &Config, space: &str) -> Result<(), Failure> {
    let refused = |sentence: &str| Failure::new(Failure::REFUSED, format!("{sentence} Es wurde nichts gelöscht."));
    if !prompt::is_interactive() {
        return Err(refused(
            "„space delete“ löscht die ganze Ausrüstung eines Bereichs und verlangt --yes.",
        ));
    }
    let found = data_dir::ask(
        config,
        ShowSpace {
            space: space.to_owned(),
        },
    )?;
    let details = found.value.details;
    let question = format!(
        "„{}“ ({}, {}) mit allem, was dazugehört, endgültig löschen? Bitte „ja“ eingeben: ",
        details.name,
        number::counted(details.items as u64, "Gerät", "Geräte"),
        number::counted(details.members.len() as u64, "Mitglied", "Mitglieder"),
    );
    match prompt::confirms(&question) {
        true => Ok(()),
        false => Err(refused("Nicht bestätigt.")),
    }
}
