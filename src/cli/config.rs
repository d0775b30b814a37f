//! `fluglog config …`

use std::net::SocketAddr;

use clap::Subcommand;

use super::failure::Failure;
use super::{output, owner, serve};
use fluglog_config::targets::Target;
use fluglog_config::{Config, IgnoredVariable};
use fluglog_web::tls::Tls;

/// Commands about the settings.
#[derive(Subcommand)]
pub enum Command {
    /// Prüft Konfigurationsdatei und Umgebungsvariablen, ohne etwas zu ändern; endet mit 78, wenn etwas falsch ist
    Check,
}

/// Reports the settings in force, with which the server would start; wrong ones have been refused before.
pub fn check(config: &Config) -> Result<(), Failure> {
    // Root can read files that the service can't.
    let _acting = owner::act(&config.data_dir)?;
    Config::load(&config.flags)?;
    Tls::load(&config.tls).map_err(|error| serve::unusable_for_https(&error))?;
    let mut text = match &config.config_file {
        Some(file) => format!("{} ist in Ordnung.\n", file.display()),
        None => "Es gibt keine Konfigurationsdatei; die Vorgaben gelten.\n".to_owned(),
    };
    text += &format!("Datenverzeichnis: {}\n", config.data_dir.display());
    for Target {
        name,
        place,
        keep,
        encryption,
    } in &config.targets.all
    {
        let kept = keep.map_or_else(|| "alle".to_owned(), |keep| format!("die neuesten {keep}"));
        let encrypted = if encryption.is_some() { "" } else { "un" };
        let place = place.shown();
        text += &format!("Ziel {name}: {place}, {encrypted}verschlüsselt, {kept} bleiben.\n");
    }
    if !config.targets.all.is_empty() {
        text += "Ob die Ziele zu erreichen sind, zeigt: fluglog backup list\n";
    }
    for IgnoredVariable { name, nearest } in &config.ignored_variables {
        text += &format!(
            "Die Umgebungsvariable {name} ist keine Einstellung und wird nicht beachtet; am ähnlichsten ist \
             {nearest}.\n"
        );
    }
    if let Some(address) = config.listen.iter().find(|address| is_for_root(address)) {
        text += &format!(
            "Port {} darf der Dienst des Pakets nicht selbst öffnen: Wählen Sie einen ab {}, oder {}.\n",
            address.port(),
            serve::MIN_PORT,
            serve::SOCKET_UNIT
        );
    }
    for file in config.exposed_files() {
        let shown = file.display();
        text += &format!(
            "Die Passwörter in {shown} kann jeder auf diesem Rechner lesen. Das ändert: sudo chown root:fluglog \
             {shown} && sudo chmod 640 {shown}\n"
        );
    }
    if config.public_url.is_none() && (config.smtp.is_set() || !config.trusted_proxies.is_empty()) {
        text += "public_url fehlt: Links in Mails und QR-Codes führen zu einer Adresse dieses Rechners.\n";
    }
    output::say(&text)
}

/// Whether only root may open the port. Port 0 stands for any free one.
fn is_for_root(address: &SocketAddr) -> bool {
    (1..serve::MIN_PORT).contains(&address.port())
}
