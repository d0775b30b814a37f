//! Buffered access to a binary log with a view on the next record, and the clock of its records.

use std::io::BufRead;

use crate::samples::ReadError;

/// A larger step in time, in either direction, is treated as a broken record unless the next one confirms it.
const STEP_SECONDS: f64 = 60.0;

/// A source whose next bytes can be viewed before they are consumed.
pub(crate) struct Lookahead<'s> {
    source: &'s mut dyn BufRead,
    bytes: Vec<u8>,
    start: usize,
    is_over: bool,
}

impl<'s> Lookahead<'s> {
    pub fn new(source: &'s mut dyn BufRead) -> Lookahead<'s> {
        Lookahead {
            source,
            bytes: Vec::new(),
            start: 0,
            is_over: false,
        }
    }

    /// Returns the next `most` bytes, or fewer at the end. They aren't consumed before [`Lookahead::take`].
    ///
    /// # Errors
    /// The source fails.
    pub fn view(&mut self, most: usize) -> Result<&[u8], ReadError> {
        if !self.is_over && self.bytes.len() - self.start < most {
            self.bytes.drain(..self.start);
            self.start = 0;
            while !self.is_over && self.bytes.len() < most {
                let ready = self.source.fill_buf()?;
                let length = ready.len();
                self.is_over = length == 0;
                self.bytes.extend_from_slice(ready);
                self.source.consume(length);
            }
        }
        let end = self.bytes.len().min(self.start + most);
        Ok(self.bytes.get(self.start..end).unwrap_or_default())
    }

    /// Consumes `count` bytes of the view, at least one, so that every loop over a view ends.
    pub fn take(&mut self, count: usize) {
        self.start = self.bytes.len().min(self.start + count.max(1));
    }
}

/// Reads the bytes of a number at an offset.
pub fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// Converts microseconds to seconds.
#[expect(
    clippy::cast_precision_loss,
    reason = "a clock of microseconds is exact to a tenth until the year 30,000"
)]
pub fn seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}

/// The clock of a log whose records are nearly in order. It never runs backwards, and a single broken record doesn't
/// move it.
#[derive(Debug, Default)]
pub(crate) struct MonotonicClock {
    last: Option<f64>,
    unconfirmed: Option<f64>,
}

impl MonotonicClock {
    /// Returns the time of a record; `None` if it is far from the previous one and not confirmed yet.
    pub fn take(&mut self, seconds: f64) -> Option<f64> {
        let is_near = |to: f64| (seconds - to).abs() <= STEP_SECONDS;
        self.last = match self.last {
            Some(last) if is_near(last) => Some(last.max(seconds)),
            Some(_) if !self.unconfirmed.is_some_and(is_near) => {
                self.unconfirmed = Some(seconds);
                return None;
            }
            _ => Some(seconds),
        };
        self.unconfirmed = None;
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_broken_record_doesn_t_move_the_clock_and_a_new_start_does() {
        let mut clock = MonotonicClock::default();
        let shown = [5.0, 6.0, 5.9, 9e9, 7.0, 500.0, 501.0, 3.0, 4.0].map(|seconds| clock.take(seconds));
        let expected = [
            Some(5.0),
            Some(6.0),
            Some(6.0),
            None,
            Some(7.0),
            None,
            Some(501.0),
            None,
            Some(4.0),
        ];
        assert_eq!(shown, expected);
    }

    proptest! {
        #[test]
        fn a_window_shows_every_byte_once_and_in_order(
            content in proptest::collection::vec(any::<u8>(), 0..400),
            chunk in 1usize..20,
            steps in proptest::collection::vec((0usize..40, 0usize..40), 1..80),
        ) {
            let mut source = std::io::BufReader::with_capacity(chunk, content.as_slice());
            let mut window = Lookahead::new(&mut source);
            let mut at = 0;
            for (most, count) in steps {
                let view = window.view(most).unwrap();
                prop_assert_eq!(view, &content[at..content.len().min(at + most)]);
                let count = count.min(view.len().max(1));
                if !view.is_empty() {
                    at += count.max(1);
                    window.take(count);
                }
            }
        }
    }
}
