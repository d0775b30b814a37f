//! The parts of a PDF outside of its pages.

use std::io::Read;

use flate2::read::ZlibDecoder;

/// Number of pages.
pub fn page_count(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    text.matches("/Type/Page").count() - text.matches("/Type/Pages").count()
}

/// The file inside.
pub fn file_inside(pdf: &[u8]) -> Vec<u8> {
    let after = |from: usize, mark: &[u8]| {
        let found = pdf[from..].windows(mark.len()).position(|part| part == mark);
        from + found.unwrap_or_else(|| panic!("no {:?}", String::from_utf8_lossy(mark))) + mark.len()
    };
    let content = after(after(0, b"/Type/EmbeddedFile"), b"stream\n");
    let mut file = Vec::new();
    ZlibDecoder::new(&pdf[content..]).read_to_end(&mut file).unwrap();
    file
}
