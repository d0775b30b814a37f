//! Logins that a proxy has made.

use ipnet::IpNet;

use super::error::ConfigError;

/// How a proxy's own login counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Auth {
    /// Name in lower case of the header with the address of the account; empty if no proxy logs anybody in.
    pub header: String,
    /// Whether an account is made for an unknown address.
    pub creates_accounts: bool,
    /// Where the proxy's login is ended; empty if nowhere.
    pub logout_url: String,
}

/// Refuses a header that no proxy, or everybody, could set.
pub(super) fn check(auth: &Auth, trusted_proxies: &[IpNet]) -> Result<(), ConfigError> {
    if auth.header.is_empty() {
        return Ok(());
    }
    if trusted_proxies.is_empty() {
        return Err(ConfigError::Inconsistent(
            "Zu auth.header gehört trusted_proxies mit der Adresse des Proxys: nur von dort gilt der Header."
                .to_owned(),
        ));
    }
    match trusted_proxies.iter().any(|network| network.prefix_len() == 0) {
        true => Err(ConfigError::Inconsistent(
            "Mit auth.header darf trusted_proxies nicht alle Adressen umfassen: Jeder könnte sich als jeder anmelden. \
             Tragen Sie nur die Adresse des Proxys ein."
                .to_owned(),
        )),
        false => Ok(()),
    }
}
