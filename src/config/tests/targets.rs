//! The settings of backup targets and their checks.

use super::*;
use crate::targets::{Encryption as Age, Location, Target};

const NAS: &str = "[backup.targets.nas]\nkind = \"webdav\"\nurl = \"https://cloud.example.org/dav\"\n";
const RECIPIENT: &str = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

fn targets(text: &str) -> Vec<Target> {
    Machine::new()
        .write("data/fluglog.toml", text)
        .load()
        .unwrap()
        .targets
        .all
}

#[test]
fn a_target_is_a_section_of_its_own_that_keeps_fourteen_archives_unless_it_says_otherwise() {
    let all = targets(&format!(
        "{NAS}[backup.targets.fern]\nkind = \"s3\"\nendpoint = \"https://s3.example.org\"\nbucket = \"b\"\n\
         access_key = \"a\"\nsecret_key = \"geheim\"\nprefix = \"/verein/\"\nkeep = 0\nrecipients = [\"{RECIPIENT}\"]\n\
         [backup.targets.stick]\nkind = \"disk\"\nlabel = \"STICK\"\nfolder = \"fluglog\"\nkeep = 3\n\
         passphrase = \"vier rote Propeller\"\n"
    ));
    let shown: Vec<_> = all
        .iter()
        .map(|target| (target.name.as_str(), target.place.shown(), target.keep))
        .collect();
    let expected = [
        ("fern", "b/verein/ bei s3.example.org".to_owned(), None),
        ("nas", "https://cloud.example.org/dav/".to_owned(), Some(14)),
        ("stick", "fluglog auf dem Datenträger STICK".to_owned(), Some(3)),
    ];
    assert_eq!(shown, expected);
    assert_eq!(all[0].encryption, Some(Age::Recipients(vec![RECIPIENT.to_owned()])));
    assert!(!format!("{all:?}").contains("geheim"));
}

#[test]
fn the_password_of_a_target_comes_from_a_file_the_environment_or_systemd_and_only_from_one() {
    let password = |machine: &Machine| match machine.load().unwrap().targets.all.remove(0).place {
        Location::WebDav { password, .. } => password.secret().to_owned(),
        other => panic!("{other:?}"),
    };
    let machine = || Machine::new().write("data/fluglog.toml", NAS);
    let variable = "FLUGLOG_BACKUP__TARGETS__NAS__PASSWORD";
    assert_eq!(
        password(&machine().variable(variable, "aus der Umgebung")),
        "aus der Umgebung"
    );
    let file = |machine: Machine, place: &str| {
        let folder = machine.path("");
        machine
            .write(place, "aus der Datei\n")
            .variable("CREDENTIALS_DIRECTORY", folder)
    };
    assert_eq!(password(&file(machine(), "backup.nas.password")), "aus der Datei");
    let refused = file(machine().variable(variable, "x"), "backup.nas.password").refusal();
    assert!(
        refused.contains("Ziel „nas“") && refused.contains("doppelt") && refused.contains(variable),
        "{refused}"
    );
    let missing = file_refusal(&format!("{NAS}password_file = \"/gibt/es/nicht\"\n"));
    assert!(
        missing.contains("„password“ des Ziels „nas“ gibt es nicht"),
        "{missing}"
    );
    let unknown = machine()
        .variable("FLUGLOG_BACKUP__TARGETS__NASE__PASSWORD", "x")
        .refusal();
    assert!(unknown.contains(variable), "{unknown}");
}

#[test]
fn the_environment_has_all_targets_on_one_line_and_the_settings_show_no_secret() {
    let line = "{ nas = { kind = \"webdav\", url = \"https://cloud.example.org/dav\", password = \"geheim\" } }";
    let config = Machine::new().variable("FLUGLOG_BACKUP__TARGETS", line).load().unwrap();
    assert_eq!(config.targets.all.len(), 1);
    let shown = config.settings();
    let setting = shown.iter().find(|setting| setting.name == "backup.targets").unwrap();
    assert_eq!(setting.value, "nas");
    let wrong = Machine::new()
        .variable("FLUGLOG_BACKUP__TARGETS", "nas = geheim")
        .refusal();
    assert!(!wrong.contains("geheim"), "{wrong}");
}

#[test]
fn what_a_target_cannot_be_is_refused_with_its_name() {
    for (section, named) in [
        ("[backup.targets]\nnas = 1\n", "„backup.targets.nas“ ist kein Abschnitt"),
        ("[backup.targets.NAS]\nkind = \"disk\"\n", "kann nicht „NAS“ heißen"),
        ("[backup.targets.a]\n", "„a“ (backup.targets) braucht kind"),
        ("[backup.targets.a]\nkind = \"ftp\"\n", "„backup.targets.a.kind“"),
        ("[backup.targets.a]\nkind = \"disk\"\n", "braucht label"),
        (
            "[backup.targets.a]\nkind = \"disk\"\nlabel = \"A\"\nfolder = \"../etc\"\n",
            "ohne „..“",
        ),
        (
            "[backup.targets.a]\nkind = \"folder\"\npath = \"/a\"\nkeep = -1\n",
            "von 0",
        ),
        (
            "[backup.targets.a]\nkind = \"folder\"\npath = \"/a\"\nkept = 1\n",
            "„keep“",
        ),
        (
            "[backup.targets.a]\nkind = \"folder\"\npath = \"/a\"\nlisten = [\"0.0.0.0:80\"]\n",
            "gehört in der Datei über den ersten Abschnitt",
        ),
        (
            "[backup.targets.a]\nkind = \"folder\"\npath = \"/a\"\nsmtp.host = \"a\"\n",
            "gehört in der Datei über den ersten Abschnitt",
        ),
        (
            "[backup.targets.a]\nkind = \"folder\"\npath = \"/a\"\npassphrase = \"kurz\"\n",
            "mindestens 12",
        ),
        (
            "[backup.targets.a]\nkind = \"folder\"\npath = \"/a\"\nrecipients = [\"AGE-SECRET-KEY-1\"]\n",
            "öffentlicher Schlüssel",
        ),
        (
            "[backup.targets.a]\nkind = \"webdav\"\nurl = \"http://nas.example.org/\"\n",
            "im eigenen Netz",
        ),
        (
            "[backup.targets.a]\nkind = \"webdav\"\nurl = \"https://ada:geheim@nas/\"\n",
            "ohne Benutzername",
        ),
        (
            "[backup.targets.a]\nkind = \"s3\"\naccess_key = \"a\"\n",
            "secret_key_file",
        ),
    ] {
        let refused = file_refusal(section);
        assert!(refused.contains(named), "{section}: {refused}");
        assert!(
            !refused.contains("geheim") && !refused.contains("AGE-SECRET"),
            "{refused}"
        );
    }
    let near = targets("[backup.targets.a]\nkind = \"webdav\"\nurl = \"http://192.168.178.1/dav/\"\n");
    assert_eq!(near.len(), 1);
}
