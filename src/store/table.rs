//! Tables and their keys. Knows no table and no record.
//!
//! The byte encoding of keys is Fluglog's own, not redb's: each number at its full width in big-endian order.

use std::ops::{Bound, Range, RangeFull, RangeInclusive};

use redb::{TableDefinition, Value};

use fluglog_base::id::OwnerId;

/// A key of a table or an index: integers and tuples of them.
pub trait Key: for<'a> redb::Key<SelfType<'a> = Self> + KeyPart + Ord + Copy + 'static {}
impl<K: for<'a> redb::Key<SelfType<'a> = K> + KeyPart + Ord + Copy + 'static> Key for K {}

/// A map of rows in the database, each a key and a value.
pub struct TableOf<K: Key, V: Value + 'static> {
    pub(super) definition: TableDefinition<'static, K, V>,
    name: &'static str,
    scope: Scope,
}

/// The owner of a table's rows. The deletion of an owner depends on the scope, and so does the recovery of a lost
/// account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Records that owners store. Keys begin with the owner.
    OwnerContent,
    /// Data derived from such records, and notes of the program about an owner. Keys begin with the owner.
    OwnerState,
    /// Rows of the program, or rows under another key than the owner, each of which is removed with the record that it
    /// leads to.
    Global,
}

/// A table of records.
pub type Table<K> = TableOf<K, &'static [u8]>;
/// A sorted set of keys.
pub type Index<K> = TableOf<K, ()>;

impl<K: Key, V: Value + 'static> TableOf<K, V> {
    /// Declares the table or index of this name.
    #[must_use]
    pub const fn new(name: &'static str, scope: Scope) -> TableOf<K, V> {
        TableOf {
            definition: TableDefinition::new(name),
            name,
            scope,
        }
    }

    /// Returns the owner of the rows.
    #[must_use]
    pub const fn scope(&self) -> Scope {
        self.scope
    }

    /// Returns the name, for messages.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// A part of a key, encoded in a fixed number of bytes that is equal on all platforms.
pub trait KeyPart: Sized {
    const LEAST: Self;
    const MOST: Self;
    /// Passes the encoded bytes to `take`.
    fn bytes(&self, take: &mut impl FnMut(&[u8]));
    /// Decodes a value from the front of `bytes`; `None` if there are too few.
    fn take(bytes: &mut &[u8]) -> Option<Self>;
    /// Appends the value for display: ids as UUIDs, other numbers in decimal.
    fn show(&self, text: &mut String);
}

/// Returns the name of a row for messages.
pub fn shown<K: KeyPart>(table: &str, key: K) -> String {
    let mut text = format!("{table} ");
    key.show(&mut text);
    text
}

/// Returns the number that a key begins with; `None` if it is too short.
pub(super) fn first_number<K: KeyPart>(key: K) -> Option<u128> {
    let mut bytes = Vec::new();
    key.bytes(&mut |part| bytes.extend_from_slice(part));
    u128::take(&mut bytes.as_slice())
}

/// Returns the range of keys that begin with an owner; `None` if keys are too short for that.
pub(super) fn of_owner<K: Key>(owner: u128) -> Option<RangeInclusive<K>> {
    let owned = |end: K| {
        let mut bytes = Vec::new();
        end.bytes(&mut |part| bytes.extend_from_slice(part));
        bytes
            .get_mut(..size_of::<u128>())?
            .copy_from_slice(&owner.to_be_bytes());
        K::take(&mut bytes.as_slice())
    };
    Some(owned(K::LEAST)?..=owned(K::MOST)?)
}

/// The first part of a key: the owner of the row. Only an alias, since the type's name is in the database.
pub type Owner = u128;

/// The second part of a key: the item that the row is about. The row moves with the item to another owner: a function
/// of its topic, called by `topics/transfers/`, moves it. Only an alias, like [`Owner`].
pub type Item = u128;

/// A range of keys.
pub trait KeyRange<K> {
    /// Returns its ends.
    fn bounds(self) -> (Bound<K>, Bound<K>);
}

impl<K> KeyRange<K> for RangeFull {
    fn bounds(self) -> (Bound<K>, Bound<K>) {
        (Bound::Unbounded, Bound::Unbounded)
    }
}

impl<K> KeyRange<K> for Range<K> {
    fn bounds(self) -> (Bound<K>, Bound<K>) {
        (Bound::Included(self.start), Bound::Excluded(self.end))
    }
}

impl<K> KeyRange<K> for RangeInclusive<K> {
    fn bounds(self) -> (Bound<K>, Bound<K>) {
        let (first, last) = self.into_inner();
        (Bound::Included(first), Bound::Included(last))
    }
}

impl<K> KeyRange<K> for (Bound<K>, Bound<K>) {
    fn bounds(self) -> (Bound<K>, Bound<K>) {
        self
    }
}

/// The keys with the same first parts; see [`under`].
#[derive(Clone, Copy)]
pub struct Under<P>(P);

impl<K, P: FirstOf<K>> KeyRange<K> for Under<P> {
    fn bounds(self) -> (Bound<K>, Bound<K>) {
        let (first, last) = self.0.ends();
        (Bound::Included(first), Bound::Included(last))
    }
}

/// Returns the range of the keys that begin with these parts: `under((owner.key(), battery.key()))`.
pub const fn under<P>(first: P) -> Under<P> {
    Under(first)
}

/// Returns the range of the keys that begin with this owner.
pub fn owned_by(owner: impl Into<OwnerId>) -> Under<(Owner,)> {
    Under((owner.into().key(),))
}

/// A key that begins with an owner, and doesn't end there.
pub trait OwnerKey: Key {
    /// Returns the range of the keys that begin with this owner.
    fn of(owner: OwnerId) -> RangeInclusive<Self>;
}

impl<K: Key> OwnerKey for K
where
    (Owner,): FirstOf<K>,
{
    fn of(owner: OwnerId) -> RangeInclusive<K> {
        let (first, last) = (owner.key(),).ends();
        first..=last
    }
}

/// The first parts of a key `K`.
pub(crate) trait FirstOf<K> {
    /// Returns the first and the last key with these parts.
    fn ends(self) -> (K, K);
}

macro_rules! firsts {
    ($(($($first:ident $at:tt),*) ($($rest:ident),*))*) => {$(
        impl<$($first: KeyPart + Copy,)* $($rest: KeyPart),*> FirstOf<($($first,)* $($rest,)*)> for ($($first,)*) {
            fn ends(self) -> (($($first,)* $($rest,)*), ($($first,)* $($rest,)*)) {
                (($(self.$at,)* $($rest::LEAST,)*), ($(self.$at,)* $($rest::MOST,)*))
            }
        }
    )*};
}

firsts! {
    (A 0) (B)
    (A 0) (B, C)
    (A 0) (B, C, D)
    (A 0) (B, C, D, E)
    (A 0, B 1) (C)
    (A 0, B 1) (C, D)
    (A 0, B 1) (C, D, E)
    (A 0, B 1, C 2) (D)
    (A 0, B 1, C 2) (D, E)
    (A 0, B 1, C 2, D 3) (E)
}

macro_rules! numbers {
    ($($number:ty: $shown:expr;)*) => {$(
        impl KeyPart for $number {
            const LEAST: Self = <$number>::MIN;
            const MOST: Self = <$number>::MAX;

            fn bytes(&self, take: &mut impl FnMut(&[u8])) {
                take(&self.to_be_bytes());
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let (own, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(<$number>::from_be_bytes(*own))
            }

            fn show(&self, text: &mut String) {
                let shown: fn(&$number) -> String = $shown;
                text.push_str(&shown(self));
            }
        }
    )*};
}

numbers! {
    u8: ToString::to_string;
    u32: ToString::to_string;
    i64: ToString::to_string;
    u128: |id| uuid::Uuid::from_u128(*id).hyphenated().to_string();
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),*))*) => {$(
        impl<$($name: KeyPart),*> KeyPart for ($($name,)*) {
            const LEAST: Self = ($($name::LEAST,)*);
            const MOST: Self = ($($name::MOST,)*);

            fn bytes(&self, take: &mut impl FnMut(&[u8])) {
                $(self.$at.bytes(take);)*
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some(($($name::take(bytes)?,)*))
            }

            fn show(&self, text: &mut String) {
                $(
                    if $at > 0 {
                        text.push('/');
                    }
                    self.$at.show(text);
                )*
            }
        }
    )*};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_an_owner_are_one_range() {
        let keys = of_owner::<(u128, u8, i64)>(7).unwrap();
        assert!(keys.contains(&(7, 0, i64::MIN)) && keys.contains(&(7, 255, i64::MAX)));
        assert!(!keys.contains(&(6, 255, i64::MAX)) && !keys.contains(&(8, 0, i64::MIN)));
        assert_eq!(of_owner::<u128>(7), Some(7..=7));
    }

    #[test]
    fn the_keys_with_the_same_first_parts_are_one_range() {
        let ends = (Bound::Included((7, 5, i64::MIN)), Bound::Included((7, 5, i64::MAX)));
        assert_eq!(KeyRange::<(u128, u8, i64)>::bounds(under((7, 5))), ends);
        let ends = (Bound::Included((7, 0, i64::MIN)), Bound::Included((7, 255, i64::MAX)));
        assert_eq!(
            KeyRange::<(Owner, u8, i64)>::bounds(owned_by(OwnerId::from_key(7))),
            ends
        );
    }

    #[test]
    fn a_key_is_shown_as_the_ids_that_it_is_made_of() {
        let shown = shown("table", (1u128, 7u8, -5i64));
        assert_eq!(shown, "table 00000000-0000-0000-0000-000000000001/7/-5");
    }
}
