//! Small files as a pilot keeps them, made on the spot: a page of PDF. Knows nothing of what stands on it.

/// Points of the upper left corner of the text, and between lines, on a page of A4.
const LEFT: u32 = 64;
const TOP: u32 = 770;
const LINE: u32 = 17;

/// A PDF of one page with a heading and lines of text (ISO 32000-1; only characters that Windows-1252 has).
pub fn pdf(heading: &str, lines: &[String]) -> Vec<u8> {
    let mut text = format!("BT /F2 19 Tf {LEFT} {TOP} Td ").into_bytes();
    show(&mut text, heading);
    text.extend(format!("/F1 11 Tf {LINE} TL 0 -16 Td T* ").bytes());
    for line in lines {
        show(&mut text, line);
        text.extend(b"T* ");
    }
    text.extend(b"ET");
    let font = |name: &str| {
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>").into_bytes()
    };
    let mut stream = format!("<< /Length {} >>\nstream\n", text.len()).into_bytes();
    stream.append(&mut text);
    stream.extend(b"\nendstream");
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R \
                /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>";
    assemble(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        page.as_bytes().to_vec(),
        font("Helvetica"),
        font("Helvetica-Bold"),
        stream,
    ])
}

/// Puts a file together from its objects, with the table that says where each begins.
fn assemble(objects: &[Vec<u8>]) -> Vec<u8> {
    // The bytes of the second line mark the file as binary for programs that copy it.
    let mut file = b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in (1..).zip(objects) {
        table += &format!("{:010} 00000 n \n", file.len());
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let end = file.len();
    file.extend(table.bytes());
    let size = objects.len() + 1;
    file.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{end}\n%%EOF\n").bytes());
    file
}

/// Shows a text in the current line.
fn show(stream: &mut Vec<u8>, text: &str) {
    stream.push(b'(');
    for character in text.chars() {
        let byte = match character {
            '–' => 0x96,
            '„' => 0x84,
            '“' => 0x93,
            '€' => 0x80,
            other => u8::try_from(u32::from(other)).unwrap_or(b'?'),
        };
        if matches!(byte, b'(' | b')' | b'\\') {
            stream.push(b'\\');
        }
        stream.push(byte);
    }
    stream.extend(b") Tj ");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_a_pdf_says_where_its_objects_begin() {
        let file = pdf("Übung (1)", &["50 € – „gut“".to_owned()]);
        // One byte for each character, so that places can be compared.
        let ascii = |byte: &u8| if byte.is_ascii() { char::from(*byte) } else { '?' };
        let text: String = file.iter().map(ascii).collect();
        let table = text.rfind("xref\n0 7\n").unwrap();
        assert!(text.ends_with(&format!("startxref\n{}\n%%EOF\n", text.find("\nxref\n").unwrap() + 1)));
        for (number, line) in (1..).zip(text[table..].lines().skip(3).take(6)) {
            let begin: usize = line[..10].parse().unwrap();
            assert!(text[begin..].starts_with(&format!("{number} 0 obj\n")));
        }
        let length = text.split("/Length ").nth(1).unwrap();
        let length: usize = length[..length.find(' ').unwrap()].parse().unwrap();
        let begin = text.find("stream\n").unwrap() + "stream\n".len();
        assert!(text[begin + length..].starts_with("\nendstream"));
        let has = |shown: &[u8]| file.windows(shown.len()).any(|part| part == shown);
        assert!(has(b"(\xDCbung \\(1\\)) Tj"));
        assert!(has(b"(50 \x80 \x96 \x84gut\x93) Tj"));
    }
}
