//! Records of feedback.

use serde::{Deserialize, Serialize};

use fluglog_store::record;

/// A pilot's feedback on the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FeedbackRecord {
    /// The program's version as sent by the browser.
    pub version: String,
    pub message: String,
    /// 1 to 10.
    pub rate: u8,
    /// Unix seconds.
    pub sent: i64,
}

record!(FeedbackRecord: (Owner, u128) = FEEDBACK);

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::{assert_read_from, assert_stored_as};

    #[test]
    fn feedback_keeps_its_bytes() {
        let feedback = FeedbackRecord {
            version: "1.3.0".to_owned(),
            message: "Gut".to_owned(),
            rate: 9,
            sent: 5,
        };
        assert_read_from::<FeedbackRecord>((1, 2), "0105312e332e3003477574090a0b525bf3", &feedback);
        assert_stored_as::<FeedbackRecord>((1, 2), &feedback, "8105312e332e3003477574090a3e11d165");
    }
}
