//! A request's body and query as form fields, with limits. Knows no call.

use std::pin::pin;
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use percent_encoding::percent_decode;
use warp::Buf;

use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::input::Fields;
use fluglog_base::limits::permits::{LimitReached, Permit};
use fluglog_base::text;

/// Largest form body in bytes: four texts of 10,000 characters, with four UTF-8 bytes per character and three
/// characters per escaped byte, fit twice.
pub const MAX_BYTES: usize = 1024 * 1024;

/// Larger bodies take a permit while the request lasts, so that unfinished ones of many clients don't fill the memory.
pub const SMALL_BYTES: usize = 64 * 1024;

/// How much of a refused body is still read, for how long in total, and the longest pause between two chunks.
const MAX_DRAIN_BYTES: usize = 8 * 1024 * 1024;
const MAX_DRAIN: Duration = Duration::from_secs(1);
const DRAIN_PAUSE: Duration = Duration::from_millis(100);

const CONTENT_TYPE: &str = "application/x-www-form-urlencoded";

/// Reads a form. `permit` is waited for when the body is larger than [`SMALL_BYTES`]; the caller holds it until the
/// request is answered.
///
/// # Errors
/// The body is too large, of another content type, cut off, too slow or not UTF-8, or a field was sent twice; or the
/// error of `permit`.
pub async fn read<B: Buf, E>(
    content_length: Option<&str>,
    content_type: Option<&str>,
    body: impl Stream<Item = std::result::Result<B, E>>,
    permit: impl Future<Output = Result<Permit>>,
) -> Result<(Fields, Option<Permit>)> {
    check_length(content_length)?;
    let mut body = pin!(body);
    let mut read = Vec::new();
    append(&mut read, SMALL_BYTES, &mut body).await?;
    let mut held = None;
    if read.len() > SMALL_BYTES {
        held = Some(permit.await?);
        append(&mut read, MAX_BYTES, &mut body).await?;
    }
    if read.len() > MAX_BYTES {
        return Err(Error::TooLarge);
    }
    Ok((fields(content_type, &read)?, held))
}

/// Returns the permit of a pilot for a form larger than [`SMALL_BYTES`].
///
/// # Errors
/// [`Error::ResourceBusy`].
pub fn permit(app: &App, pilot: UserId) -> Result<Permit> {
    app.form_permits.try_acquire(pilot, 1).map_err(|limit| {
        Error::ResourceBusy(match limit {
            LimitReached::PerPilot => text::PILOT_CROWDED,
            LimitReached::Total => text::OTHERS_CROWDED,
        })
    })
}

/// Refuses a body whose `Content-Length` exceeds the limit before it is read.
fn check_length(content_length: Option<&str>) -> Result<()> {
    let length: Option<usize> = content_length.and_then(|length| length.parse().ok());
    match length {
        Some(length) if length > MAX_BYTES => Err(Error::TooLarge),
        _ => Ok(()),
    }
}

/// Returns whether a body has no bytes.
///
/// # Errors
/// The body is cut off or too slow.
pub(crate) async fn is_empty<B: Buf, E>(body: impl Stream<Item = std::result::Result<B, E>>) -> Result<bool> {
    let mut read = Vec::new();
    append(&mut read, 0, &mut pin!(body)).await?;
    Ok(read.is_empty())
}

/// Appends chunks of a body until there are more than `most` bytes, or no more chunks.
async fn append<B: Buf, E>(
    read: &mut Vec<u8>,
    most: usize,
    body: &mut (impl Stream<Item = std::result::Result<B, E>> + Unpin),
) -> Result<()> {
    while read.len() <= most
        && let Some(chunk) = body.next().await
    {
        let mut chunk = chunk.map_err(|_| malformed())?;
        while chunk.has_remaining() {
            read.extend_from_slice(chunk.chunk());
            chunk.advance(chunk.chunk().len());
        }
    }
    Ok(())
}

/// Reads a little more of a body that wasn't read to its end, so that the connection can take another request, and
/// returns whether the end was reached. Gives up when the client pauses or sends too much.
pub async fn drain<B: Buf, E>(body: impl Stream<Item = std::result::Result<B, E>>) -> bool {
    let mut body = pin!(body);
    let mut left = MAX_DRAIN_BYTES;
    let drained = async {
        while left > 0 {
            match tokio::time::timeout(DRAIN_PAUSE, body.next()).await {
                Ok(None) => return true,
                Ok(Some(Ok(chunk))) => left = left.saturating_sub(chunk.remaining()),
                Ok(Some(Err(_))) | Err(_) => break,
            }
        }
        false
    };
    tokio::time::timeout(MAX_DRAIN, drained).await.unwrap_or(false)
}

/// Returns the fields of a form; none for an empty body.
fn fields(content_type: Option<&str>, body: &[u8]) -> Result<Fields> {
    if body.is_empty() {
        return Ok(Fields::default());
    }
    let kind = content_type.and_then(|kind| kind.split(';').next()).unwrap_or_default();
    if !kind.trim().eq_ignore_ascii_case(CONTENT_TYPE) {
        return Err(Error::WrongContentType);
    }
    decode(body)
}

/// Returns the fields of a query string.
///
/// # Errors
/// Text is not UTF-8, or a field was sent twice.
pub fn query(query: &str) -> Result<Fields> {
    decode(query.as_bytes())
}

/// Decodes as WHATWG URL, section 5.1, except that bytes that are not UTF-8 are an error instead of being replaced.
fn decode(encoded: &[u8]) -> Result<Fields> {
    let text = |part: &[u8]| {
        let spaced: Vec<u8> = part
            .iter()
            .map(|byte| if *byte == b'+' { b' ' } else { *byte })
            .collect();
        percent_decode(&spaced)
            .decode_utf8()
            .map(std::borrow::Cow::into_owned)
            .map_err(|_| malformed())
    };
    let pairs = encoded
        .split(|byte| *byte == b'&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = match pair.iter().position(|byte| *byte == b'=') {
                Some(at) => (&pair[..at], &pair[at + 1..]),
                None => (pair, &[][..]),
            };
            Ok((text(name)?, text(value)?))
        })
        .collect::<Result<Vec<_>>>()?;
    Fields::from_pairs(pairs)
}

/// The error for a body that can't be read to its end.
pub(super) fn malformed() -> Error {
    Error::Invalid {
        field: None,
        sentence: text::BAD_REQUEST.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_base::declared::Declared;
    use fluglog_base::field::Field;
    use proptest::prelude::*;

    const FIELDS: [Field<String>; 3] = [Field::token("a"), Field::token("b"), Field::token("c")];
    static DECLARED: [Declared; 3] = [FIELDS[0].declared(), FIELDS[1].declared(), FIELDS[2].declared()];

    #[test]
    fn a_value_is_decoded_once() {
        let fields = fields(
            Some("application/x-www-form-urlencoded; charset=UTF-8"),
            b"a=1%2525+x&b=&c",
        )
        .unwrap();
        let fields = fields.declared_as(&DECLARED);
        for (field, value) in FIELDS.iter().zip([Some("1%25 x"), None, None]) {
            assert_eq!(field.read(&fields), Ok(value.map(str::to_owned)));
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert!(query("a=%FF").is_err());
        assert!(query("a=%ED%A0%80").is_err());
    }

    #[test]
    fn a_body_of_another_kind_is_refused() {
        assert_eq!(fields(Some("text/plain"), b"a=1").err(), Some(Error::WrongContentType));
        assert_eq!(fields(None, b"a=1").err(), Some(Error::WrongContentType));
        assert!(fields(None, b"").is_ok());
    }

    proptest! {
        #[test]
        fn every_text_survives_the_form(value in "\\PC{1,40}") {
            let encoded = percent_encoding::utf8_percent_encode(&value, percent_encoding::NON_ALPHANUMERIC).to_string();
            let fields = query(&format!("a={encoded}")).unwrap().declared_as(&DECLARED);
            prop_assert_eq!(FIELDS[0].read(&fields), Ok(Some(value)));
        }

        #[test]
        fn no_bytes_make_decoding_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = decode(&bytes);
        }
    }
}
