//! The kinds of proofs, and what holds for each: names, terms and reminders.

use serde::{Serialize, Serializer};

use fluglog_base::coded;
use fluglog_base::time::Date;

coded! {
    /// Kind of a proof. On the wire it is its code; the UI has the same enum.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export, repr(enum)))]
    pub enum ProofKind {
        CompetencyA1A3 = 0,
        CertificateA2 = 1,
        /// Of an association, by § 21f LuftVO.
        Knowledge = 2,
        /// The operator's number.
        OperatorId = 3,
        Liability = 4,
        Membership = 5,
        Permit = 6,
        Other = 7,
    }
}

/// How long proofs of a kind usually hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    Years(u8),
    CalendarYear,
    Endless,
    Unknown,
}

/// What holds for all proofs of a kind.
pub(super) struct Rules {
    pub name: &'static str,
    pub long_name: &'static str,
    /// What its number is called on the paper.
    pub number: &'static str,
    pub term: Term,
    /// Days before the end at which the pilot is reminded, in falling order.
    pub steps: &'static [u16],
    /// Whether a later proof makes an earlier one needless.
    pub is_one_enough: bool,
    /// A sentence for whoever enters it.
    pub note: &'static str,
}

/// What holds for a kind that says nothing else.
const USUAL: Rules = Rules {
    name: "Nachweis",
    long_name: "Anderer Nachweis",
    number: "Nummer",
    term: Term::Unknown,
    steps: &[90, 30, 7, 0],
    is_one_enough: false,
    note: "",
};

impl ProofKind {
    pub(super) const fn rules(self) -> Rules {
        match self {
            ProofKind::CompetencyA1A3 => Rules {
                name: "A1/A3",
                long_name: "EU-Kompetenznachweis A1/A3",
                number: "Fernpiloten-ID",
                term: Term::Years(5),
                is_one_enough: true,
                ..USUAL
            },
            ProofKind::CertificateA2 => Rules {
                name: "A2",
                long_name: "EU-Fernpilotenzeugnis A2",
                number: "Fernpiloten-ID",
                term: Term::Years(5),
                steps: &[180, 90, 30, 14, 7, 0],
                is_one_enough: true,
                note: "Verlängern geht nur vor dem Ablauf; danach ist die ganze Prüfung nötig.",
            },
            ProofKind::Knowledge => Rules {
                name: "Kenntnisnachweis",
                long_name: "Kenntnisnachweis § 21f LuftVO",
                term: Term::Years(5),
                is_one_enough: true,
                ..USUAL
            },
            ProofKind::OperatorId => Rules {
                name: "e-ID",
                long_name: "UAS-Betreibernummer (e-ID)",
                number: "e-ID",
                term: Term::Endless,
                steps: &[30, 7, 0],
                note: "Nur die 16 Zeichen ohne das geheime Ende: Es gehört nicht auf den Copter und wird nicht \
                       gespeichert.",
                ..USUAL
            },
            ProofKind::Liability => Rules {
                name: "Haftpflicht",
                long_name: "Haftpflichtversicherung",
                number: "Nummer der Police",
                term: Term::Years(1),
                steps: &[30, 7, 0],
                is_one_enough: true,
                ..USUAL
            },
            ProofKind::Membership => Rules {
                name: "Mitgliedschaft",
                long_name: "Mitgliedschaft in Verband oder Verein",
                number: "Mitgliedsnummer",
                term: Term::CalendarYear,
                steps: &[30, 7, 0],
                ..USUAL
            },
            ProofKind::Permit => Rules {
                name: "Erlaubnis",
                long_name: "Erlaubnis (Platz, Betrieb, Höhe)",
                number: "Aktenzeichen",
                steps: &[60, 30, 7, 0],
                ..USUAL
            },
            ProofKind::Other => USUAL,
        }
    }
}

impl Term {
    /// Returns the last day of a term that begins on a day.
    pub(super) fn end(self, begin: Date) -> Option<Date> {
        match self {
            Term::Years(years) => begin.plus_years(i32::from(years)),
            Term::CalendarYear => Some(begin.end_of_year()),
            Term::Endless | Term::Unknown => None,
        }
    }

    /// Returns the first day of a term that ends on a day.
    pub(super) fn begin(self, end: Date) -> Option<Date> {
        match self {
            Term::Years(years) => end.plus_years(-i32::from(years)),
            Term::CalendarYear => Date::of_year(end.year_and_day().0, 0),
            Term::Endless | Term::Unknown => None,
        }
    }
}

impl Serialize for ProofKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.code())
    }
}

/// What is proposed for a kind of proofs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ProofRules {
    #[cfg_attr(feature = "schema", schema(value_type = u8, maximum = 7))]
    pub kind: ProofKind,
    pub name: &'static str,
    pub long_name: &'static str,
    /// What its number is called on the paper.
    pub number_name: &'static str,
    /// The end of a proof that begins today; empty when it isn't known.
    pub proposed_until: String,
    /// Whether it usually has no end.
    pub endless: bool,
    /// Years that it usually holds; 0 for any other term.
    pub term_years: u8,
    /// Days before the end at which the pilot is reminded, in falling order.
    pub steps: &'static [u16],
    /// A sentence for whoever enters it; may be empty.
    pub note: &'static str,
}

impl ProofRules {
    /// Returns what is proposed for each kind on a day.
    #[must_use]
    pub fn all(today: Date) -> Vec<ProofRules> {
        let rules = |kind: ProofKind| {
            let rules = kind.rules();
            ProofRules {
                kind,
                name: rules.name,
                long_name: rules.long_name,
                number_name: rules.number,
                proposed_until: rules.term.end(today).map(|end| end.to_string()).unwrap_or_default(),
                endless: rules.term == Term::Endless,
                term_years: match rules.term {
                    Term::Years(years) => years,
                    _ => 0,
                },
                steps: rules.steps,
                note: rules.note,
            }
        };
        ProofKind::ALL.map(rules).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        Date::parse(text).unwrap()
    }

    #[test]
    fn the_end_is_proposed_by_the_kind() {
        let proposed = |today: &str| {
            let all = ProofRules::all(day(today)).into_iter();
            all.map(|rules| rules.proposed_until).collect::<Vec<_>>()
        };
        let leap_day = [
            "28.02.2033",
            "28.02.2033",
            "28.02.2033",
            "",
            "28.02.2029",
            "31.12.2028",
            "",
            "",
        ];
        assert_eq!(proposed("29.02.2028"), leap_day);
        assert_eq!(proposed("31.12.2026")[4..6], ["31.12.2027", "31.12.2026"]);
    }

    #[test]
    fn a_term_that_ends_begins_years_before() {
        assert_eq!(Term::Years(5).begin(day("14.03.2027")), Some(day("14.03.2022")));
        assert_eq!(Term::Years(1).begin(day("29.02.2028")), Some(day("28.02.2027")));
        assert_eq!(Term::CalendarYear.begin(day("31.12.2026")), Some(day("01.01.2026")));
        assert_eq!(Term::Endless.begin(day("31.12.2026")), None);
    }

    #[test]
    fn reminders_come_in_falling_order_and_end_on_the_last_day() {
        for kind in ProofKind::ALL {
            let steps = kind.rules().steps;
            assert!(steps.windows(2).all(|pair| pair[0] > pair[1]), "{kind:?}");
            assert_eq!(steps.last(), Some(&0), "{kind:?}");
        }
    }
}
