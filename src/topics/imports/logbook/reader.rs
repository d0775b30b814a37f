//! Reads members of an export to their ends, which verifies their checksums.

use std::fs::File;
use std::io::{BufReader, Read};

use fluglog_base::limits::cpu_budget::CpuBudget;
use fluglog_readers::formats::pilot_export::{self, PilotExport};
use fluglog_readers::formats::{Utf8Reader, zip};
use fluglog_readers::samples::ReadError;

/// Most bytes of one member, unpacked: 5,000 flights with texts of the maximum number and length.
const MAX_MEMBER_BYTES: u64 = 1024 * 1024 * 1024;
const CHUNK_BYTES: usize = 64 * 1024;

/// An export on disk that is read within a budget of CPU time.
pub struct Reader<'r> {
    pub archive: &'r mut File,
    pub export: &'r PilotExport,
    pub budget: &'r CpuBudget<'r>,
}

impl Reader<'_> {
    /// Reads a member to its end.
    pub fn member<T>(
        &mut self,
        member: &zip::Member,
        read: impl FnOnce(Utf8Reader<'_>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let mut archive = BufReader::with_capacity(CHUNK_BYTES, &mut *self.archive);
        let mut source = self
            .budget
            .limit(zip::open_unlimited_ratio(&mut archive, member, MAX_MEMBER_BYTES)?);
        // Exports are UTF-8 without a byte order mark.
        let done = read(Utf8Reader::new(&mut source, &[])?)?;
        let mut rest = [0; 1];
        match source.read(&mut rest)? {
            0 => Ok(done),
            _ => Err(ReadError::Malformed(0)),
        }
    }

    /// Calls `take` for each element of the JSON list in a member.
    pub fn list(&mut self, member: &zip::Member, mut take: impl FnMut(&str)) -> Result<(), ReadError> {
        self.member(member, |text| {
            pilot_export::read_list(text, &mut |json| {
                take(json);
                Ok(())
            })
        })
    }

    /// Calls `take` for each element of the JSON list in the file with this name; a missing list is empty.
    pub(crate) fn list_in(&mut self, name: &str, take: impl FnMut(&str)) -> Result<(), ReadError> {
        match self.export.file(self.archive, name)? {
            Some(member) => self.list(&member, take),
            None => Ok(()),
        }
    }
}
