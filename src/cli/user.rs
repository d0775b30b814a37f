//! `fluglog user …`

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::{ArgGroup, Args, Subcommand};
use serde::{Serialize, Serializer};

use super::failure::Failure;
use super::{data_dir, output, prompt};
use crate::control::users::{
    AddUser, ChangeUser, DeleteUser, InviteUser, ListUsers, RenameUser, ResetPassword, ShowUser, ShownUser,
};
use fluglog_accounts::administration::{Change, UserChange};
use fluglog_accounts::quotas::Quota;
use fluglog_accounts::spaces::model::{SpaceOfUser, WhenDeleted};
use fluglog_base::number;
use fluglog_config::Config;

/// Commands about users.
#[derive(Subcommand)]
pub enum Command {
    /// Legt einen Benutzer an
    Add {
        /// E-Mail-Adresse
        #[arg(long, value_name = "E")]
        email: String,
        /// Name, unter dem der Benutzer erscheint
        #[arg(long, value_name = "N")]
        nickname: String,
        /// Macht ihn zum Betreiber, der Störungen des Servers auf seiner Startseite sieht; der erste Benutzer ist immer
        /// einer
        #[arg(long)]
        operator: bool,
        /// Liest das Passwort aus einer Zeile der Standardeingabe; an einem Terminal wird es zweimal verdeckt abgefragt
        #[arg(long)]
        password_stdin: bool,
    },
    /// Gibt einen Link aus, mit dem sich jemand einmal ein Konto anlegt, auch wenn die Registrierung geschlossen ist
    Invite {
        /// Vorschlag für den Nickname
        #[arg(long, value_name = "N")]
        nickname: Option<String>,
        /// So viele Tage gilt der Link (1 bis 90)
        #[arg(long, value_name = "DAYS", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=90),
            hide_default_value = true)]
        valid: u32,
    },
    /// Gibt einen Link aus, mit dem ein Benutzer einmal, innerhalb von drei Tagen, sein Passwort setzt
    Reset {
        #[command(flatten)]
        user: User,
    },
    /// Ändert E-Mail-Adresse, Nickname oder Platz eines Benutzers, oder ob er Betreiber ist; er bleibt angemeldet
    #[command(group = ArgGroup::new("change").required(true).multiple(true))]
    Change {
        /// Bisherige E-Mail-Adresse
        #[arg(value_name = "E-MAIL")]
        user: String,
        /// Neue E-Mail-Adresse
        #[arg(long, value_name = "E", group = "change")]
        email: Option<String>,
        /// Neuer Nickname
        #[arg(long, value_name = "N", group = "change")]
        nickname: Option<String>,
        /// Macht ihn zum Betreiber, der Störungen des Servers auf seiner Startseite sieht
        #[arg(long, group = "change")]
        operator: bool,
        /// Er ist kein Betreiber mehr; einen gibt es immer
        #[arg(long, group = "change", conflicts_with = "operator")]
        no_operator: bool,
        /// So viel Platz hat er: eine Größe wie 2GB, 0 (ohne Grenze) oder default (wie eingestellt)
        #[arg(long, value_name = "GRÖSSE", group = "change", value_parser = quota)]
        quota: Option<Quota>,
    },
    /// Gibt einem Benutzer ein neues Passwort und meldet ihn überall ab
    SetPassword {
        #[command(flatten)]
        user: User,
        /// Liest das Passwort aus einer Zeile der Standardeingabe; an einem Terminal wird es zweimal verdeckt abgefragt
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Meldet einen Benutzer auf allen Geräten ab
    Logout {
        #[command(flatten)]
        user: User,
    },
    /// Sperrt einen Benutzer und meldet ihn überall ab
    Disable {
        #[command(flatten)]
        user: User,
    },
    /// Hebt die Sperre eines Benutzers auf
    Enable {
        #[command(flatten)]
        user: User,
    },
    /// Löscht einen Benutzer mit allem, was er gespeichert hat
    Delete {
        #[command(flatten)]
        user: User,
        /// Fragt nicht nach
        #[arg(long)]
        yes: bool,
    },
    /// Zeigt einen Benutzer und was er gespeichert hat
    Show {
        #[command(flatten)]
        user: User,
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
    /// Zeigt alle Benutzer
    List {
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
}

/// Which user is meant.
#[derive(Args)]
pub struct User {
    /// E-Mail-Adresse des Benutzers
    #[arg(value_name = "E-MAIL", required_unless_present = "named")]
    email: Option<String>,
    /// Dasselbe als Option
    #[arg(long = "email", value_name = "E", conflicts_with = "email")]
    named: Option<String>,
}

impl User {
    /// Returns the address; clap requires one of the two.
    pub(super) fn email(self) -> String {
        self.email.or(self.named).unwrap_or_default()
    }
}

/// A user in the list. The field names are stable because scripts read them; likewise below.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UserLineJson {
    email: String,
    nickname: String,
    disabled: bool,
    operator: bool,
    created: String,
    last_login: String,
    /// Records and files together.
    used_bytes: u64,
    /// The storage limit; `null` without one.
    quota_bytes: Option<u64>,
}

/// A user with the amount of its data.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UserDetailsJson {
    email: String,
    nickname: String,
    firstname: String,
    lastname: String,
    created: String,
    last_login: String,
    disabled: bool,
    operator: bool,
    has_password: bool,
    sessions: usize,
    login_tokens: usize,
    #[serde(flatten)]
    holdings: Holdings,
    file_bytes: u64,
    /// The storage limit; `null` without one.
    quota_bytes: Option<u64>,
    /// Whether the limit is the user's own, not that of the settings.
    own_quota: bool,
    /// The user's households and clubs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spaces: Vec<SpaceOfUser>,
}

/// Number of objects per topic, in the order of [`HOLDINGS`].
struct Holdings(BTreeMap<String, usize>);

/// The names of the counts in the JSON and in German.
const HOLDINGS: [(&str, &str); 7] = [
    ("equipment", "Equipment"),
    ("flights", "Flüge"),
    ("logs", "Logs"),
    ("jobs", "Wartungen"),
    ("images", "Bilder"),
    ("documents", "Dokumente"),
    ("proofs", "Nachweise"),
];

impl Holdings {
    fn of(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or_default()
    }
}

impl Serialize for Holdings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(HOLDINGS.map(|(name, _)| (name, self.of(name))))
    }
}

/// Performs a command about users, in the running server or directly.
pub fn run(config: &Config, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add {
            email,
            nickname,
            operator,
            password_stdin,
        } => add(config, email, nickname, operator, password_stdin),
        Command::Invite { nickname, valid } => invite(config, nickname, valid),
        Command::Reset { user } => reset(config, user.email()),
        Command::Change {
            user,
            email,
            nickname,
            operator,
            no_operator,
            quota,
        } => {
            let operator = (operator || no_operator).then_some(operator);
            rename(
                config,
                user,
                UserChange {
                    email,
                    nickname,
                    operator,
                    quota,
                },
            )
        }
        Command::SetPassword { user, .. } => {
            let change = Change::Password(prompt::new_password()?);
            changed(
                config,
                user,
                change,
                "hat ein neues Passwort und ist überall abgemeldet",
            )
        }
        Command::Logout { user } => changed(config, user, Change::LogOut, "ist überall abgemeldet"),
        Command::Disable { user } => {
            let change = Change::Disable {
                even_last_operator: true,
            };
            changed(config, user, change, "ist gesperrt und überall abgemeldet")
        }
        Command::Enable { user } => changed(config, user, Change::Enable, "ist nicht mehr gesperrt"),
        Command::Delete { user, yes } => delete(config, user.email(), yes),
        Command::Show { user, json } => show(config, user.email(), json),
        Command::List { json } => list(config, json),
    }
}

fn invite(config: &Config, nickname: Option<String>, days: u32) -> Result<(), Failure> {
    let answered = data_dir::ask(config, InviteUser { nickname, days })?;
    let until = answered.clock.wall_time_at(answered.value.ends);
    output::say(&format!(
        "Mit diesem Link legt sich jemand einmal ein Konto an, bis {until}:\n{}\n",
        answered.value.url
    ))
}

fn reset(config: &Config, email: String) -> Result<(), Failure> {
    let answered = data_dir::ask(config, ResetPassword { email: email.clone() })?;
    let until = answered.clock.wall_time_at(answered.value.ends);
    output::say(&format!(
        "Mit diesem Link setzt {} einmal das Passwort, bis {until}:\n{}\n",
        email.trim(),
        answered.value.url
    ))
}

fn rename(config: &Config, user: String, new: UserChange) -> Result<(), Failure> {
    let asked = RenameUser {
        email: user.clone(),
        new: new.clone(),
    };
    data_dir::ask(config, asked)?;
    let now = [
        new.email.map(|email| format!("E-Mail {}", email.trim())),
        new.nickname.map(|nickname| format!("Nickname {}", nickname.trim())),
        new.operator
            .map(|is| if is { "Betreiber" } else { "kein Betreiber" }.to_owned()),
        new.quota.map(|quota| match quota {
            Quota::OfSettings => "Platz wie eingestellt".to_owned(),
            Quota::Bytes(0) => "Platz ohne Grenze".to_owned(),
            Quota::Bytes(bytes) => format!("Platz höchstens {}", number::size(bytes)),
        }),
    ];
    let now: Vec<_> = now.into_iter().flatten().collect();
    output::say(&format!("{} ist geändert: {}.\n", user.trim(), now.join(", ")))
}

fn add(config: &Config, email: String, nickname: String, operator: bool, password_stdin: bool) -> Result<(), Failure> {
    let user = AddUser {
        operator,
        email: email.clone(),
        nickname,
        password: password_stdin.then(prompt::new_password).transpose()?,
    };
    data_dir::ask(config, user)?;
    let email = email.trim();
    output::say(&match password_stdin {
        true => format!("{email} ist angelegt.\n"),
        false => format!("{email} ist angelegt und hat noch kein Passwort.\n"),
    })
}

fn changed(config: &Config, user: User, change: Change, done: &str) -> Result<(), Failure> {
    let email = user.email();
    let asked = ChangeUser {
        email: email.clone(),
        change,
    };
    data_dir::ask(config, asked)?;
    output::say(&format!("{} {done}.\n", email.trim()))
}

fn delete(config: &Config, email: String, yes: bool) -> Result<(), Failure> {
    if !yes {
        ask_whether_to_delete(config, &email)?;
    }
    let task = DeleteUser {
        email: email.clone(),
        even_last_operator: true,
    };
    let deleted = data_dir::ask(config, task)?.value;
    let email = email.trim();
    output::say(&match deleted.mails_left_in {
        None => format!("{email} ist mit allen Daten gelöscht. Ältere Sicherungen enthalten sie noch.\n"),
        Some(folder) => format!(
            "{email} ist mit allen Daten gelöscht, aber Mails dorthin ließen sich nicht entfernen; löschen Sie sie in \
             {}\n",
            folder.display()
        ),
    })
}

fn list(config: &Config, json: bool) -> Result<(), Failure> {
    let answered = data_dir::ask(config, ListUsers)?;
    let at = |seconds| answered.clock.wall_time_at(seconds).to_string();
    let users = answered.value.into_iter();
    let lines: Vec<_> = users
        .map(|(user, room)| UserLineJson {
            used_bytes: room.used,
            quota_bytes: room.most,
            email: user.email,
            nickname: user.nickname,
            disabled: user.disabled,
            operator: user.operator,
            created: at(user.created),
            last_login: user.last_login.map(at).unwrap_or_default(),
        })
        .collect();
    if json {
        return output::say_json(&lines);
    }
    if lines.is_empty() {
        return output::say("Es gibt noch keine Benutzer. „fluglog user add“ legt den ersten an.\n");
    }
    let longest =
        |text: fn(&UserLineJson) -> &str| lines.iter().map(|line| text(line).chars().count()).max().unwrap_or(0);
    let (email, nickname) = (longest(|line| &line.email), longest(|line| &line.nickname));
    let shown: String = lines
        .iter()
        .map(|line| {
            let state = match (line.disabled, line.last_login.as_str()) {
                (true, _) => "gesperrt".to_owned(),
                (false, "") => "noch nie angemeldet".to_owned(),
                (false, time) => format!("zuletzt angemeldet {time}"),
            };
            let state = if line.operator {
                format!("{state}  Betreiber")
            } else {
                state
            };
            let of_quota = match line.quota_bytes {
                Some(quota) => format!(" von {}", number::size(quota)),
                None => String::new(),
            };
            format!(
                "{:email$}  {:nickname$}  angelegt {}  {}{of_quota}  {state}\n",
                line.email,
                line.nickname,
                line.created,
                number::size(line.used_bytes)
            )
        })
        .collect();
    output::say(&shown)
}

fn show(config: &Config, email: String, json: bool) -> Result<(), Failure> {
    let answered = data_dir::ask(config, ShowUser { email })?;
    let at = |seconds| answered.clock.wall_time_at(seconds).to_string();
    let ShownUser {
        details: user,
        holdings,
        file_bytes,
        quota,
        spaces,
    } = answered.value;
    let sheet = UserDetailsJson {
        email: user.email,
        nickname: user.nickname,
        firstname: user.firstname,
        lastname: user.lastname,
        created: at(user.created),
        last_login: user.last_login.map(at).unwrap_or_default(),
        disabled: user.disabled,
        operator: user.operator,
        has_password: user.has_password,
        sessions: user.sessions,
        login_tokens: user.login_tokens,
        holdings: Holdings(holdings),
        file_bytes,
        quota_bytes: quota,
        own_quota: user.own_quota.is_some(),
        spaces,
    };
    if json {
        return output::say_json(&sheet);
    }
    output::say(&sheet.for_people())
}

impl UserDetailsJson {
    fn for_people(&self) -> String {
        let or = |text: &str, none: &str| if text.is_empty() { none } else { text }.to_owned();
        let name = [self.firstname.as_str(), self.lastname.as_str()].join(" ");
        let count = |count: usize| number::count(count as u64);
        let password = match self.has_password {
            true => "gesetzt",
            false => "keines, Anmeldung nur per Mail",
        };
        let account = [
            ("E-Mail", self.email.clone()),
            ("Nickname", self.nickname.clone()),
            ("Name", or(name.trim(), "-")),
            ("Angelegt", self.created.clone()),
            ("Zuletzt angemeldet", or(&self.last_login, "noch nie")),
            ("Gesperrt", if self.disabled { "ja" } else { "nein" }.to_owned()),
            ("Betreiber", if self.operator { "ja" } else { "nein" }.to_owned()),
            ("Passwort", password.to_owned()),
            ("Offene Sitzungen", count(self.sessions)),
            ("Angemeldet bleiben", count(self.login_tokens)),
        ];
        let holdings = HOLDINGS.map(|(name, label)| (label, count(self.holdings.of(name))));
        let quota = self.quota_bytes.map_or_else(
            || "ohne Grenze".to_owned(),
            |most| format!("höchstens {}", number::size(most)),
        );
        let quota = match self.own_quota {
            true => quota,
            false => format!("{quota}, wie eingestellt"),
        };
        let files = [
            ("Dateien zusammen", number::size(self.file_bytes)),
            ("Speicherplatz", quota),
        ];
        let mut shown = String::new();
        for (label, value) in account.into_iter().chain(holdings).chain(files) {
            // Writing into a string can't fail.
            let _ = writeln!(shown, "{label:20}{value}");
        }
        for space in &self.spaces {
            let _ = writeln!(shown, "{:20}{}", "Bereich", space.name);
        }
        shown
    }
}

/// Tells what becomes of the spaces of a user who is to be deleted.
fn what_becomes_of(spaces: &[SpaceOfUser]) -> String {
    let mut text = String::new();
    for SpaceOfUser {
        name,
        items,
        when_deleted,
    } in spaces
    {
        let sentence = match when_deleted {
            WhenDeleted::Stays => format!("„{name}“ bleibt mit der Ausrüstung bei den anderen Mitgliedern."),
            WhenDeleted::Goes => format!(
                "„{name}“ hat sonst kein Mitglied und geht mit: {}.",
                number::counted(*items as u64, "Gerät", "Geräte")
            ),
            WhenDeleted::Unmanaged => format!("„{name}“ verwaltet sonst niemand; das verhindert das Löschen."),
        };
        // Writing into a string can't fail.
        let _ = writeln!(text, "{sentence}");
    }
    text
}

/// Parses a size or `default`; clap reports an empty value as missing.
fn quota(text: &str) -> Result<Quota, String> {
    match text {
        "default" => Ok(Quota::OfSettings),
        size => Quota::parse(size).ok_or_else(|| "eine Größe wie 500MB oder 2GB, 0 oder default".to_owned()),
    }
}

/// Asks for confirmation, so that no slip of the finger deletes anything; without a terminal, a script has to say
/// `--yes`.
fn ask_whether_to_delete(config: &Config, email: &str) -> Result<(), Failure> {
    let refused = |sentence: &str| Failure::new(Failure::REFUSED, format!("{sentence} Es wurde nichts gelöscht."));
    if !prompt::is_interactive() {
        return Err(refused(
            "„user delete“ löscht alle Daten eines Benutzers und verlangt --yes.",
        ));
    }
    let user = ShowUser {
        email: email.to_owned(),
    };
    let spaces = data_dir::ask(config, user)?.value.spaces;
    output::say(&what_becomes_of(&spaces))?;
    if spaces
        .iter()
        .any(|space| matches!(space.when_deleted, WhenDeleted::Unmanaged))
    {
        return Err(refused(
            "„fluglog space manager BEREICH E-MAIL“ gibt dort zuerst jemand anderem die Verwaltung; „fluglog space \
             delete“ löscht einen Bereich.",
        ));
    }
    let question = format!(
        "{} und alle Flüge, Geräte, Bilder und Dokumente endgültig löschen? Bitte „ja“ eingeben: ",
        email.trim()
    );
    if prompt::confirms(&question) {
        Ok(())
    } else {
        Err(refused("Nicht bestätigt."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_accounts::{administration, guard};
    use fluglog_app::App;
    use fluglog_store::Store;
    use fluglog_topics::registry;

    #[test]
    fn every_count_of_a_topic_is_shown() {
        let directory = tempfile::tempdir().unwrap();
        let config = Config {
            data_dir: directory.path().to_owned(),
            ..Config::default()
        };
        let app = App::new(config, Store::open(directory.path(), true).unwrap());
        administration::add_user(&app, "anna@example.org", "Anna", None, false).unwrap();
        let holdings = app.store.read(|data| {
            let viewer = guard::named_by_admin(data, "anna@example.org")?;
            registry::holdings(data, &viewer)
        });
        let mut counted: Vec<_> = holdings.unwrap().counts.iter().map(|(name, _)| *name).collect();
        let mut shown = HOLDINGS.map(|(name, _)| name);
        counted.sort_unstable();
        shown.sort_unstable();
        assert_eq!(counted, shown);
    }
}
