//! The public address with which links and QR codes begin.

use proptest::prelude::*;

use super::*;

#[test]
fn an_empty_public_address_is_none() {
    let machine = Machine::new()
        .write("data/fluglog.toml", r#"public_url = "https://fluglog.example.org""#)
        .variable("FLUGLOG_PUBLIC_URL", "");
    assert_eq!(machine.load().unwrap().public_url, None);
}

#[test]
fn public_addresses_are_written_as_browsers_write_origins() {
    let accepted = [
        ("https://fluglog.example.org", "https://fluglog.example.org"),
        ("https://fluglog.example.org/", "https://fluglog.example.org"),
        ("HTTPS://Fluglog.Example.ORG", "https://fluglog.example.org"),
        ("https://fluglog.example.org:443", "https://fluglog.example.org"),
        ("https://fluglog.example.org:8443/", "https://fluglog.example.org:8443"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://192.168.1.5:80", "http://192.168.1.5"),
        ("http://raspberry_pi", "http://raspberry_pi"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://[2001:DB8:0::1]/", "http://[2001:db8::1]"),
    ];
    for (text, origin) in accepted {
        let url = PublicUrl::parse(text).unwrap();
        assert_eq!((url.as_str(), url.origin()), (origin, origin));
        assert_eq!(url.is_https(), origin.starts_with("https:"));
        assert_eq!(PublicUrl::parse(url.as_str()), Some(url));
    }
}

#[test]
fn anything_but_scheme_host_and_port_is_no_public_address() {
    let refused = [
        "",
        "fluglog.example.org",
        "//fluglog.example.org",
        "ftp://fluglog.example.org",
        "https:fluglog.example.org",
        "https://",
        "https:///",
        "https://fluglog.example.org//",
        "https://fluglog.example.org/app",
        "https://fluglog.example.org/app/",
        "https://fluglog.example.org?x",
        "https://fluglog.example.org#x",
        "https://user@fluglog.example.org",
        "https://user:secret@fluglog.example.org",
        "https://fluglog.example.org:",
        "https://fluglog.example.org:0",
        "https://fluglog.example.org:65536",
        "https://fluglog.example.org:+80",
        "https://fluglog .example.org",
        " https://fluglog.example.org",
        "https://fluglog.example.org\r\nX: y",
        "https://flüglog.example.org",
        "https://fluglog..org",
        "https://.org",
        "https://*.example.org",
        "http://1.2.3.256",
        "http://::1",
        "http://[::1",
        "http://[::g]",
    ];
    for text in refused {
        assert_eq!(PublicUrl::parse(text), None, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_public_address_stays_as_it_is_once_read(text in "(https?|HTTP)://[a-zA-Z0-9.:\\[\\]_-]{0,20}/?") {
        if let Some(url) = PublicUrl::parse(&text) {
            prop_assert!(!url.as_str().ends_with('/'));
            prop_assert_eq!(PublicUrl::parse(url.as_str()), Some(url));
        }
    }
}
