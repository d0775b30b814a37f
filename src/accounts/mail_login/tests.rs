//! Logins by mail under a clock that a test moves.

use super::requests::WaitingNumbers;
use super::*;
use crate::administration::{self, Change};
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_store::Store;

const ANNA: &str = "anna@example.org";

struct Place {
    _directory: tempfile::TempDir,
    app: Arc<App>,
}

fn place() -> Place {
    place_that_waits(0.1)
}

fn place_that_waits(seconds: f64) -> Place {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), true).unwrap();
    let mut config = Config::default();
    config.limits.login_wait_seconds = seconds;
    let app = App {
        clock: Clock::fixed(1_800_000_000, config.time_zone),
        ..App::new(config, store)
    };
    administration::add_user(&app, ANNA, "Anna", None, false).unwrap();
    Place {
        _directory: directory,
        app: Arc::new(app),
    }
}

fn browser() -> Browser {
    Browser {
        address: std::net::Ipv4Addr::LOCALHOST.into(),
        session: None,
        token: None,
        devices: Vec::new(),
        is_near: false,
        name: Some("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0".to_owned()),
        remember: false,
    }
}

/// Makes a request of Anna's browser. Returns it with the token of the mailed link.
fn asked(app: &App) -> (StartedLogin, String) {
    let begun = begin(app, ANNA, None, &browser(), "http://pi").unwrap();
    let link = link_of(app, &begun).expect("a mail");
    (begun, link)
}

fn link_of(app: &App, begun: &StartedLogin) -> Option<String> {
    let request = digest_key(&digest(&begun.token));
    let mail = compose(app, request, "http://pi", ANNA).unwrap()?;
    let (_, link) = mail.text.split_once("http://pi/app/loginConfirmation#").unwrap();
    Some(link.lines().next().unwrap().to_owned())
}

fn confirm(app: &App, link: &str, number: &str) -> Result<()> {
    super::confirm(app, link, number, &browser())
}

fn claim_now(app: &App, begun: &StartedLogin) -> Result<bool> {
    let email = Email::parse(ANNA).unwrap();
    claim(app, &email, &digest(&begun.token), false, &browser()).map(|login| login.is_some())
}

#[test]
fn a_login_is_confirmed_once_and_claimed_once() {
    let place = place();
    let (begun, link) = asked(&place.app);
    assert_eq!(claim_now(&place.app, &begun), Ok(false));
    confirm(&place.app, &link, &format!(" {} ", begun.number)).unwrap();
    assert_eq!(
        confirm(&place.app, &link, &begun.number),
        Err(Error::Gone(text::LINK_GONE))
    );
    assert_eq!(claim_now(&place.app, &begun), Ok(true));
    assert_eq!(claim_now(&place.app, &begun), Err(Error::Gone(text::LOGIN_GONE)));
}

#[test]
fn after_ten_minutes_a_request_is_over_for_everybody() {
    let place = place();
    let (begun, link) = asked(&place.app);
    place.app.clock.advance(VALID_SECONDS - 1);
    request_of_link(&place.app, &link).unwrap();
    place.app.clock.advance(1);
    assert!(matches!(request_of_link(&place.app, &link), Err(Error::Gone(_))));
    assert!(matches!(confirm(&place.app, &link, &begun.number), Err(Error::Gone(_))));
    assert!(matches!(claim_now(&place.app, &begun), Err(Error::Gone(_))));
    assert_eq!(link_of(&place.app, &begun), None, "no mail for what is over");
}

#[test]
fn a_confirmed_login_that_nobody_claims_is_over_after_ten_minutes() {
    let place = place();
    let (begun, link) = asked(&place.app);
    confirm(&place.app, &link, &begun.number).unwrap();
    place.app.clock.advance(VALID_SECONDS);
    assert!(matches!(claim_now(&place.app, &begun), Err(Error::Gone(_))));
}

#[test]
fn a_clock_that_jumps_back_keeps_no_request_alive() {
    let place = place();
    let (begun, link) = asked(&place.app);
    place.app.clock.advance(-1);
    assert!(matches!(confirm(&place.app, &link, &begun.number), Err(Error::Gone(_))));
}

#[test]
fn three_wrong_numbers_kill_a_request_and_a_right_one_is_too_late() {
    let place = place();
    let (begun, link) = asked(&place.app);
    for _ in 0..3 {
        assert_eq!(
            confirm(&place.app, &link, "nein"),
            Err(Error::invalid("number", text::NUMBER_WRONG))
        );
    }
    assert_eq!(
        confirm(&place.app, &link, &begun.number),
        Err(Error::Gone(text::LINK_GONE))
    );
    assert!(matches!(claim_now(&place.app, &begun), Err(Error::Gone(_))));
}

#[test]
fn whatever_ends_a_user_s_logins_ends_those_that_wait() {
    for change in [
        Change::Password("Propeller-17".to_owned()),
        Change::LogOut,
        Change::Disable {
            even_last_operator: true,
        },
    ] {
        let place = place();
        let (begun, link) = asked(&place.app);
        administration::change_user(&place.app, ANNA, &change).unwrap();
        assert!(
            matches!(confirm(&place.app, &link, &begun.number), Err(Error::Gone(_))),
            "{change:?}"
        );
        assert!(
            matches!(claim_now(&place.app, &begun), Err(Error::Gone(_))),
            "{change:?}"
        );

        let place = self::place();
        let (begun, link) = asked(&place.app);
        confirm(&place.app, &link, &begun.number).unwrap();
        administration::change_user(&place.app, ANNA, &change).unwrap();
        assert!(
            matches!(claim_now(&place.app, &begun), Err(Error::Gone(_))),
            "{change:?}"
        );
    }
}

#[test]
fn denying_a_login_keeps_strangers_out_for_an_hour() {
    let place = place();
    let (_, link) = asked(&place.app);
    deny(&place.app, &link).unwrap();
    let denials = |minutes: u64| {
        let key = denied_key(Email::parse(ANNA).unwrap().key());
        let then = Instant::now() + Duration::from_secs(minutes * 60);
        place.app.rate_limiter.count(&denied(&key), then)
    };
    assert_eq!([0, 59, 60].map(denials), [1, 1, 0]);
}

#[test]
fn an_address_without_a_user_gets_a_request_like_any_other_but_no_mail() {
    let place = place();
    let begun = begin(&place.app, "nobody@example.org", None, &browser(), "http://pi").unwrap();
    assert_eq!(begun.number.len(), 2);
    assert_eq!(link_of(&place.app, &begun), None);
    // Even if the user is added later.
    administration::add_user(&place.app, "nobody@example.org", "Neu", None, false).unwrap();
    assert_eq!(link_of(&place.app, &begun), None);
}

#[test]
fn a_browser_that_asks_again_goes_on_with_its_number_under_a_new_token() {
    let place = place();
    let (begun, link) = asked(&place.app);
    let again = begin(
        &place.app,
        "ANNA@example.org",
        Some(&begun.token),
        &browser(),
        "http://pi",
    )
    .unwrap();
    assert_ne!(again.token, begun.token);
    assert_eq!(again.number, begun.number);
    let other = begin(&place.app, ANNA, None, &browser(), "http://pi").unwrap();
    assert_ne!(other.number, begun.number);
    confirm(&place.app, &link, &begun.number).unwrap();
    assert!(
        matches!(claim_now(&place.app, &begun), Err(Error::Gone(_))),
        "the old token"
    );
    assert_eq!(claim_now(&place.app, &other), Ok(false), "only the browser that asked");
    assert_eq!(claim_now(&place.app, &again), Ok(true));
}

#[test]
fn requests_that_wait_for_one_address_never_have_the_same_number() {
    let place = place();
    let numbers: std::collections::BTreeSet<_> = (0..100)
        .map(|_| begin(&place.app, ANNA, None, &browser(), "http://pi").unwrap().number)
        .collect();
    assert_eq!(numbers.len(), 100);
    let dozens = WaitingNumbers {
        all: numbers.into_iter().collect(),
        with_user: (0..99).map(|number| format!("{number:02}")).collect(),
    };
    assert_eq!(dozens.free_number(7), "99");
}

#[test]
fn a_request_for_one_address_logs_nobody_in_with_another() {
    let place = place();
    administration::add_user(&place.app, "ben@example.org", "Ben", None, false).unwrap();
    let (begun, link) = asked(&place.app);
    confirm(&place.app, &link, &begun.number).unwrap();
    let ben = Email::parse("ben@example.org").unwrap();
    let claimed = claim(&place.app, &ben, &digest(&begun.token), false, &browser());
    assert!(matches!(claimed, Err(Error::Gone(_))));
}

#[test]
fn ended_requests_are_removed_and_waiting_ones_stay() {
    let place = place();
    let (_, link) = asked(&place.app);
    place.app.clock.advance(VALID_SECONDS / 2);
    let (begun, young) = asked(&place.app);
    place.app.clock.advance(VALID_SECONDS / 2 + 1);
    crate::remove_expired(&place.app).unwrap();
    let links = |app: &App| app.store.read(|data| data.scan::<LoginLinkRecord>(..)).unwrap().len();
    assert_eq!(links(&place.app), 1);
    assert!(request_of_link(&place.app, &link).is_err());
    assert_eq!(
        request_of_link(&place.app, &young).unwrap().browser,
        "Firefox auf Android"
    );
    assert_eq!(claim_now(&place.app, &begun), Ok(false));
}

#[tokio::test]
async fn a_waiting_browser_is_answered_at_once() {
    let place = place_that_waits(20.0);
    let (begun, link) = asked(&place.app);
    let waiting = wait(Arc::clone(&place.app), ANNA, &begun.token, true, browser());
    let confirming = async { confirm(&place.app, &link, &begun.number) };
    let (login, confirmed) = tokio::join!(waiting, confirming);
    confirmed.unwrap();
    assert!(login.unwrap().is_some_and(|login| login.token.is_some()));
}

#[tokio::test]
async fn a_browser_waits_no_longer_than_it_may_and_not_for_a_server_that_ends() {
    let place = place();
    let (begun, _) = asked(&place.app);
    let waited = wait(Arc::clone(&place.app), ANNA, &begun.token, false, browser()).await;
    assert!(waited.unwrap().is_none());
    place.app.stopping.send_replace(true);
    let begun_at = std::time::Instant::now();
    let waited = wait(Arc::clone(&place.app), ANNA, &begun.token, false, browser()).await;
    assert!(waited.unwrap().is_none());
    assert!(begun_at.elapsed() < Duration::from_secs(5));
}
