//! `fluglog https`

use std::net::{IpAddr, SocketAddr};

use clap::Subcommand;

use super::failure::Failure;
use super::{data_dir, output, owner, serve};
use crate::control::status::EARLIEST_PLAUSIBLE_TIME;
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_web::authority::{self, Authority};
use fluglog_web::tls::Unusable;

#[derive(Subcommand)]
pub enum Command {
    /// Macht eine eigene Zertifizierungsstelle und damit https im eigenen Netz; http geht weiter
    On {
        /// Weiterer Name oder private Adresse dieses Rechners, mehrfach möglich
        #[arg(long = "name", value_name = "NAME")]
        names: Vec<String>,
    },
    /// Entfernt die eigene Zertifizierungsstelle
    Off,
}

pub fn run(config: &Config, command: Command) -> Result<(), Failure> {
    if !data_dir::has_database(&config.data_dir) {
        return Err(refused(format!(
            "In {} liegen noch keine Daten von Fluglog; „fluglog init“ legt sie an.",
            config.data_dir.display()
        )));
    }
    let _owner = owner::act(&config.data_dir)?;
    match command {
        Command::On { names } => on(config, &names),
        Command::Off => off(config),
    }
}

fn on(config: &Config, names: &[String]) -> Result<(), Failure> {
    if config.tls.is_set() {
        return Err(refused(
            "In den Einstellungen stehen schon tls.cert und tls.key; sie gehen vor. Entfernen Sie beide für eine \
             eigene Zertifizierungsstelle.",
        ));
    }
    if let Some(name) = names.iter().find(|name| !authority::is_name(name)) {
        return Err(refused(format!(
            "„{name}“ geht nicht: ein Name hat mindestens einen Punkt und gehört Ihnen (fluglog.example.org), eine \
             Adresse gehört zu einem privaten Netz (192.168.1.5)."
        )));
    }
    let now = Clock::system(config.time_zone).unix_seconds();
    if now < EARLIEST_PLAUSIBLE_TIME {
        return Err(refused(
            "Die Uhr dieses Rechners geht falsch, und ein Zertifikat gälte nie. Stellen Sie sie zuerst.",
        ));
    }
    let authority = match Authority::open(&config.data_dir).map_err(|error| unusable(&error))? {
        Some(authority) => match names.iter().find(|name| !authority.permits(name)) {
            Some(name) => {
                return Err(refused(format!(
                    "Die Zertifizierungsstelle ist auf ihre Namen beschränkt, und „{name}“ ist keiner davon. Machen \
                     Sie mit „fluglog https off“ und „fluglog https on --name {name}“ eine neue; jedes Gerät muss ihr \
                     neu vertrauen."
                )));
            }
            None => authority,
        },
        None => Authority::create(&config.data_dir, names, now).map_err(|error| unusable(&error))?,
    };
    authority.renew(now).map_err(|error| unusable(&error))?;
    let port = config.listen.first().map_or(8080, SocketAddr::port);
    let pages: String = reachable(&authority.server_names())
        .map(|host| format!("http://{host}:{port}/app/zertifikat\n"))
        .collect();
    output::say(&format!(
        "Die eigene Zertifizierungsstelle ist da, für {}.\n\
         Fingerabdruck (SHA-256): {}\n\n\
         Nach „sudo systemctl restart fluglog“ auf jedem Gerät einmal öffnen und den Schritten folgen:\n\
         {pages}http geht unter derselben Adresse weiter. Sichern Sie {} mit den Einstellungen: In Sicherungen ist es \
         nicht.\n",
        authority.names().join(", "),
        authority.fingerprint(),
        config.data_dir.join(authority::FOLDER_NAME).display(),
    ))
}

/// The names and addresses that lead other devices to this machine, as in a URL.
fn reachable(names: &[String]) -> impl Iterator<Item = String> {
    names.iter().filter_map(|name| match name.parse::<IpAddr>() {
        Ok(address) if address.is_loopback() => None,
        Ok(IpAddr::V6(address)) => Some(format!("[{address}]")),
        Ok(IpAddr::V4(address)) => Some(address.to_string()),
        // The bare name of a machine leads to it in few networks.
        Err(_) => name.contains('.').then(|| name.clone()),
    })
}

fn off(config: &Config) -> Result<(), Failure> {
    match Authority::remove(&config.data_dir).map_err(|error| unusable(&error))? {
        true => output::say(
            "Die eigene Zertifizierungsstelle ist entfernt; nach „sudo systemctl restart fluglog“ gilt nur noch http. \
             Auf den Geräten kann das Zertifikat „Fluglog auf …“ gelöscht werden.\n",
        ),
        false => output::say("Es gibt keine eigene Zertifizierungsstelle.\n"),
    }
}

fn refused(sentence: impl Into<String>) -> Failure {
    Failure::new(Failure::REFUSED, sentence)
}

fn unusable(error: &Unusable) -> Failure {
    serve::unusable_authority(error)
}
