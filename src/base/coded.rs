//! Enums that are stored, and sent, as numbers.

/// Defines an enum whose values are stored as the numbers written behind them, its code. Adds `ALL`, `code`,
/// `from_code`, and `TryFrom<u32>` for reading a field:
///
/// ```
/// fluglog_base::coded! {
///     /// State of a light.
///     #[derive(Debug, Clone, Copy, PartialEq, Eq)]
///     pub enum State {
///         Off = 0,
///         On = 1,
///     }
/// }
///
/// assert_eq!(State::On.code(), 1);
/// assert_eq!(State::from_code(2), None);
/// ```
#[macro_export]
macro_rules! coded {
    (
        $(#[$about:meta])*
        pub enum $name:ident { $($(#[$detail:meta])* $variant:ident = $code:literal,)+ }
    ) => {
        $(#[$about])*
        pub enum $name { $($(#[$detail])* $variant = $code,)+ }

        impl $name {
            /// All values, in the order of their codes.
            pub const ALL: [$name; [$($code),+].len()] = [$($name::$variant),+];

            /// Returns the number stored for this value.
            #[must_use]
            pub const fn code(self) -> u8 {
                self as u8
            }

            /// Returns the value with this code.
            #[must_use]
            pub const fn from_code(code: u8) -> Option<$name> {
                match code {
                    $($code => Some($name::$variant),)+
                    _ => None,
                }
            }
        }

        impl TryFrom<u32> for $name {
            type Error = ();

            fn try_from(code: u32) -> std::result::Result<$name, ()> {
                u8::try_from(code).ok().and_then($name::from_code).ok_or(())
            }
        }
    };
}
