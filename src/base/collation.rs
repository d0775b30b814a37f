//! German collation.

use std::cmp::Ordering;

use icu_collator::options::CollatorOptions;
use icu_collator::preferences::CollationNumericOrdering;
use icu_collator::{Collator, CollatorPreferences, provider};
use icu_normalizer::provider::{Baked as Decompositions, NormalizerNfdDataV1, NormalizerNfdTablesV1};
use icu_provider::{DataError, DataMarker, DataProvider, DataRequest, DataResponse};

/// The order in which Germans sort names; numbers in a name are compared by value, so that "Akku 2" comes before "Akku
/// 10".
pub struct GermanOrder {
    collator: Option<Collator>,
}

impl Default for GermanOrder {
    fn default() -> GermanOrder {
        let mut preferences = CollatorPreferences::from(icu_locale_core::locale!("de"));
        preferences.numeric_ordering = Some(CollationNumericOrdering::True);
        let collator = Collator::try_new_unstable(&GermanData, preferences, CollatorOptions::default());
        GermanOrder {
            collator: collator.ok(),
        }
    }
}

impl GermanOrder {
    #[must_use]
    pub fn compare(&self, one: &str, other: &str) -> Ordering {
        match &self.collator {
            Some(collator) => collator.as_borrowed().compare(one, other),
            None => one.cmp(other),
        }
    }
}

/// Provides the library's built-in data without the tailorings for other languages, which saves nearly 1 MB. German
/// uses the root collation.
struct GermanData;

impl DataProvider<provider::CollationTailoringV1> for GermanData {
    fn load(&self, request: DataRequest) -> Result<DataResponse<provider::CollationTailoringV1>, DataError> {
        let none = icu_provider::DataErrorKind::IdentifierNotFound;
        Err(none.with_req(provider::CollationTailoringV1::INFO, request))
    }
}

/// Implements the provider for data that are used unchanged.
macro_rules! as_they_come {
    ($($marker:ty: $from:expr),* $(,)?) => {$(
        impl DataProvider<$marker> for GermanData {
            fn load(&self, request: DataRequest) -> Result<DataResponse<$marker>, DataError> {
                $from.load(request)
            }
        }
    )*};
}

as_they_come! {
    provider::CollationRootV1: provider::Baked,
    provider::CollationDiacriticsV1: provider::Baked,
    provider::CollationJamoV1: provider::Baked,
    provider::CollationMetadataV1: provider::Baked,
    provider::CollationReorderingV1: provider::Baked,
    provider::CollationSpecialPrimariesV1: provider::Baked,
    NormalizerNfdDataV1: Decompositions,
    NormalizerNfdTablesV1: Decompositions,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_a_german_dictionary() {
        let sorted = [
            "",
            "1 Akku",
            "äffchen",
            "Äffchen",
            "Akku 2",
            "Akku 10",
            "Ångström",
            "Apfel",
            "Straße",
            "strasse 2",
            "Tüte",
            "Żaba",
            "Ωmega",
            "Ядро",
            "漢字",
        ];
        let order = GermanOrder::default();
        assert!(order.collator.is_some());
        for pair in sorted.windows(2) {
            assert_eq!(order.compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
        }
    }

    #[test]
    fn the_german_order_equals_that_of_the_full_library() {
        let mut preferences = CollatorPreferences::from(icu_locale_core::locale!("de"));
        preferences.numeric_ordering = Some(CollationNumericOrdering::True);
        let whole = Collator::try_new(preferences, CollatorOptions::default()).unwrap();
        let order = GermanOrder::default();
        proptest::proptest!(|(one in "\\PC{0,6}", other in "\\PC{0,6}")| {
            proptest::prop_assert_eq!(order.compare(&one, &other), whole.compare(&one, &other));
        });
    }
}
