//! What the answers of foreign servers may take. A foreign server may be hostile: every line, list, body and
//! time has an end. Code that reads an answer takes its bounds from the answer's row here. Knows no protocol.

use std::time::Duration;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;
const MINUTE: Duration = Duration::from_secs(60);

/// A kind of answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The lines of a mail server during one mail.
    Mail,
    /// Status and headers of an HTTP answer.
    Head,
    /// The list of a target's files.
    List,
    /// A target's answer to a request: an upload has begun or is complete, or the reason of its failure.
    Receipt,
    /// An archive of a target.
    Archive,
    /// The beginning of an encrypted archive, up to its first encrypted byte.
    Encryption,
}

/// Limits of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Most bytes; of each page, if there are several.
    pub bytes: u64,
    /// Most bytes of a line, and lines until something is sent again.
    pub line_bytes: u64,
    pub lines: u64,
    /// Most pages, and entries in all of them.
    pub pages: usize,
    pub entries: usize,
    /// Most memory that what is read asks for, besides its own bytes.
    pub memory_bytes: u64,
    /// Time until its end.
    pub time: Duration,
}

impl Answer {
    pub const ALL: [Answer; 6] = [
        Answer::Mail,
        Answer::Head,
        Answer::List,
        Answer::Receipt,
        Answer::Archive,
        Answer::Encryption,
    ];

    #[must_use]
    pub const fn budget(self) -> Budget {
        match self {
            // Lines by RFC 5321, section 4.5.3.1.5. The bytes are those of answers to some ten commands and of a TLS
            // handshake. A setting ends it earlier.
            Answer::Mail => Budget {
                bytes: 512 * KIB,
                line_bytes: 512,
                lines: 100,
                ..Budget::of(0, MINUTE)
            },
            // Some servers copy the whole archive before they answer.
            Answer::Head => Budget::of(64 * KIB, MINUTE.saturating_mul(10)),
            // A page of a bucket has at most 1,000 names; a folder of WebDAV comes as one page.
            Answer::List => Budget {
                pages: 500,
                entries: 100_000,
                ..Budget::of(16 * MIB, MINUTE.saturating_mul(15))
            },
            Answer::Receipt => Budget::of(64 * KIB, MINUTE.saturating_mul(5)),
            // An archive isn't kept in memory. It may be large, and the line slow.
            Answer::Archive => Budget::of(1024 * 1024 * MIB, MINUTE.saturating_mul(24 * 60)),
            // Some hundred recipients. The memory is what the command `age` asks for to derive a key of a passphrase.
            Answer::Encryption => Budget {
                memory_bytes: 256 * MIB,
                ..Budget::of(64 * KIB, MINUTE)
            },
        }
    }
}

impl Budget {
    /// An answer of one page and without lines.
    const fn of(bytes: u64, time: Duration) -> Budget {
        Budget {
            bytes,
            line_bytes: bytes,
            lines: u64::MAX,
            pages: 1,
            entries: usize::MAX,
            memory_bytes: 0,
            time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory that the server may take in all (see the tests of long runs).
    const MEMORY_BYTES: u64 = 256 * MIB;

    #[test]
    fn each_answer_has_an_end_and_room_in_memory() {
        for answer in Answer::ALL {
            let budget = answer.budget();
            assert!(budget.bytes > 0 && budget.line_bytes <= budget.bytes, "{answer:?}");
            assert!(!budget.time.is_zero() && budget.time <= 24 * 60 * MINUTE, "{answer:?}");
            assert!(budget.memory_bytes <= MEMORY_BYTES, "{answer:?}");
            // Of a list the text is in memory, and as much again while it is parsed.
            let is_streamed = answer == Answer::Archive;
            assert!(is_streamed || 4 * budget.bytes <= MEMORY_BYTES, "{answer:?}");
            assert!(budget.pages == 1 || budget.entries < usize::MAX, "{answer:?}");
        }
    }
}
