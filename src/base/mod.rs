//! The base of every other module. Knows no topic, no store and no web.

pub mod text;
pub mod error;
pub mod id;
pub mod usage;
pub mod time;
pub mod number;
pub mod file_name;
pub mod collation;
pub mod config;
pub mod log;
pub mod systemd;
pub mod machine;
pub mod waiting;
pub mod effort;
pub mod turns;
pub mod downloads;
pub mod answers;
pub mod metrics;
pub mod declared;
pub mod input;
pub mod field;
pub mod secret;
pub mod rate_limit;
pub mod local_network;
pub mod picture;
pub mod places;
