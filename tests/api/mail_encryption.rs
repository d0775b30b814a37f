//! Mails over encrypted connections: sent if the certificate is trusted, otherwise kept and never sent unencrypted.

use crate::harness::certificates::Authority;
use crate::harness::mail::MailServer;
use crate::harness::process::finish;
use crate::harness::{Server, program, run_with_input, temporary_directory, text, wait};

const ANNA: &str = "anna@example.org";

/// A server that uses this mail server, and trusts this authority in addition to the public ones.
fn server_mailing_to(mail_server: &MailServer, authority: Option<&Authority>) -> (Server, tempfile::TempDir) {
    let place = temporary_directory();
    let mut settings = mail_server.settings();
    if let Some(authority) = authority {
        let file = place.path().join("ca.pem");
        std::fs::write(&file, authority.pem()).unwrap();
        settings.push(("FLUGLOG_SMTP__CA_FILE", text(&file).to_owned()));
    }
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    (Server::start_with(&settings), place)
}

fn test_mail(server: &Server) -> crate::harness::Output {
    run_with_input(["mail", "test", ANNA, "--data-dir", text(server.directory())], b"")
}

/// Registers a pilot whose mail can't be sent: it waits with this error, and the mail server got nothing of it.
fn expect_kept(mail_server: &MailServer, authority: Option<&Authority>, words: &[&str]) {
    let (server, _place) = server_mailing_to(mail_server, authority);
    server.stranger().register(ANNA, "Anna").expect_status(200);
    let shown = wait::until("a failed try", || {
        let arguments = ["mail", "outbox", "--data-dir", text(server.directory())];
        let shown = run_with_input(arguments, b"").stdout;
        shown.contains("Versuch").then_some(shown)
    });
    for word in words {
        assert!(shown.contains(word), "{word:?} is missing: {shown}");
        server.log_with(word);
    }
    test_mail(&server).expect_refusal(1, words);
    assert!(mail_server.connections() > 0 && mail_server.mails().is_empty());
}

#[test]
fn a_mail_goes_over_tls_and_over_starttls_to_a_server_of_a_trusted_authority() {
    let authority = Authority::new();
    let pair = authority.pair();
    for mail_server in [
        MailServer::start_with_tls(&pair),
        MailServer::start_with_starttls(&pair),
    ] {
        let (server, _place) = server_mailing_to(&mail_server, Some(&authority));
        server.stranger().register(ANNA, "Anna").expect_status(200);
        assert_eq!(mail_server.wait_for(1)[0].to, ANNA);
        let tested = test_mail(&server);
        assert_eq!(tested.code, 0, "{tested:?}");
        for part in ["250 2.0.0 angenommen als 4711", "127.0.0.1:", ANNA] {
            assert!(tested.stdout.contains(part), "{tested:?}");
        }
    }
}

#[test]
fn a_certificate_of_an_authority_that_is_not_trusted_gets_no_mail() {
    let (authority, another) = (Authority::new(), Authority::new());
    let pair = authority.pair();
    let words = ["Zertifikat", "smtp.ca_file"];
    expect_kept(&MailServer::start_with_tls(&pair), None, &words);
    expect_kept(&MailServer::start_with_starttls(&pair), None, &words);
    expect_kept(&MailServer::start_with_tls(&pair), Some(&another), &words);
}

#[test]
fn a_server_whose_starttls_was_taken_out_on_the_way_gets_no_mail() {
    expect_kept(
        &MailServer::start_with_starttls_stripped(),
        None,
        &["STARTTLS", "unverschlüsselt wird nichts gesendet"],
    );
}

#[test]
fn a_file_without_the_certificate_of_an_authority_is_refused() {
    let place = temporary_directory();
    let nonsense = place.path().join("nonsense.pem");
    std::fs::write(&nonsense, "kein Zertifikat").unwrap();
    for file in [nonsense.as_path(), &place.path().join("missing.pem")] {
        let mut command = program();
        command.args(["mail", "test", ANNA, "--data-dir", text(&place.path().join("data"))]);
        command.env("FLUGLOG_SMTP__CA_FILE", file);
        finish(command, b"").expect_refusal(78, &["smtp.ca_file", text(file)]);
    }
}
