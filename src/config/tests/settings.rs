//! The settings in force as an operator sees them.

use super::*;
use crate::provenance::Source;

#[test]
fn each_setting_says_where_it_comes_from_and_a_secret_only_that_it_is_there() {
    let machine = Machine::new()
        .write(
            "data/fluglog.toml",
            "registration = \"closed\"\n[smtp]\nhost = \"localhost\"\nfrom = \"a@b.de\"\npassword = \"geheim\"\n",
        )
        .variable("FLUGLOG_ADMIN_UI", "false");
    let config = machine.load().unwrap();
    let settings = config.settings();
    let of = |name: &str| settings.iter().find(|setting| setting.name == name).unwrap().clone();
    let file = Source::File(machine.path("data/fluglog.toml"));
    assert_eq!(
        (of("registration").value.as_str(), of("registration").source),
        ("closed", file.clone())
    );
    assert_eq!(
        (of("smtp.password").value.as_str(), of("smtp.password").source),
        ("…", file)
    );
    let variable = Source::Variable("FLUGLOG_ADMIN_UI".to_owned());
    assert_eq!(
        (of("admin_ui").value.as_str(), of("admin_ui").source),
        ("false", variable)
    );
    assert_eq!(
        (of("listen").value.as_str(), of("listen").source),
        (r#"["0.0.0.0:8080"]"#, Source::Default)
    );
    assert!(!format!("{settings:?}").contains("geheim"));
}
