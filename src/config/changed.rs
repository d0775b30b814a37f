//! Which settings differ between two configurations.

use super::Config;

/// Defines `Config::differing` for settings and their fields in [`Config`].
macro_rules! settings {
    ($($name:literal: $($field:ident).+;)*) => {
        impl Config {
            /// Returns the names of the settings whose values differ from those of another configuration.
            #[must_use]
            pub fn differing(&self, other: &Config) -> Vec<&'static str> {
                let all = [$(($name, self.$($field).+ != other.$($field).+)),*];
                all.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
            }
        }

        #[cfg(test)]
        const NAMES: &[&str] = &[$($name),*];
    };
}

settings! {
    "data_dir": data_dir;
    "listen": listen;
    "tls.cert": tls.certificate;
    "tls.key": tls.key;
    "metrics_listen": metrics_listen;
    "time_zone": time_zone;
    "public_url": public_url;
    "trusted_proxies": trusted_proxies;
    "admin_mail": admin_mail;
    "log_level": log_level;
    "registration": registration_open;
    "admin_ui": admin_ui;
    "quota_per_pilot": quota_per_pilot;
    "offline": offline;
    "reminder_hour": reminder_hour;
    "import_dir": import_dir;
    "backup.targets": targets;
    "smtp.host": smtp.host;
    "smtp.port": smtp.port;
    "smtp.encryption": smtp.encryption;
    "smtp.user": smtp.user;
    "smtp.password": smtp.password;
    "smtp.password_file": smtp.password_file;
    "smtp.from": smtp.from;
    "smtp.ca_file": smtp.ca_file;
    "smtp.timeout_seconds": smtp.timeout_seconds;
    "smtp.retry_seconds": smtp.retry_seconds;
    "limits.header_seconds": limits.header_seconds;
    "limits.body_seconds": limits.body_seconds;
    "limits.idle_seconds": limits.idle_seconds;
    "limits.drain_seconds": limits.drain_seconds;
    "limits.connections": limits.connections;
    "limits.connections_per_address": limits.connections_per_address;
    "limits.free_megabytes": limits.free_megabytes;
    "limits.records_free_megabytes": limits.records_free_megabytes;
    "limits.memory_megabytes": limits.memory_megabytes;
    "limits.login_wait_seconds": limits.login_wait_seconds;
    "limits.mails_per_hour": limits.mails_per_hour;
    "limits.import_dir_seconds": limits.import_dir_seconds;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::KEYS;

    #[test]
    fn every_setting_is_compared() {
        let keys: Vec<_> = KEYS.iter().map(|key| key.name).collect();
        assert_eq!(NAMES, keys);
    }
}
