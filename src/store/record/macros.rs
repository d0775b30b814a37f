//! The declarations of records and of their former shapes.

/// Implements [`Record`](crate::record::Record) for a struct, with its key and the name of its table in the schema.
///
/// A key that begins with `Owner` makes it [`Owned`](crate::record::Owned) too. `with upgrade`: it has a preceding
/// shape, from which [`upgrade!`](crate::upgrade!) converts; otherwise it is [`Initial`](crate::record::Initial).
#[macro_export]
macro_rules! record {
    ($record:ident: $key:tt = $table:ident) => {
        impl $crate::record::Initial for $record {}
        $crate::record!($record: $key = $table, with upgrade);
    };
    ($record:ident: (Owner $(, $part:ty)+) = $table:ident, with upgrade) => {
        impl $crate::record::Owned for $record {}
        $crate::record!($record: ($crate::Owner $(, $part)+) = $table, with upgrade);
    };
    ($record:ident: $key:ty = $table:ident, with upgrade) => {
        impl $crate::record::Record for $record {
            type Key = $key;
            const TABLE: $crate::Table<$key> = $crate::schema::$table;
        }
    };
}

/// Implements [`Versioned`](crate::record::Versioned) for a shape, converting the preceding one. Written like a struct:
/// a field with a value gets it, a field without one is taken from the preceding shape.
#[macro_export]
macro_rules! upgrade {
    ($previous:ident: $old:ident => $new:ident { $($field:ident $(: $value:expr)?),* $(,)? }) => {
        impl $crate::record::Versioned for $new {
            type Previous = $old;

            fn upgrade($previous: $old) -> $new {
                $new { $($field: $crate::upgrade!(@$previous $field $($value)?)),* }
            }
        }
    };
    (@$previous:ident $field:ident) => { $previous.$field };
    (@$previous:ident $field:ident $value:expr) => { $value };
}
