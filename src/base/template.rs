//! Texts with placeholders: `{{name}}` is replaced by a value.

/// Replaces placeholders in one pass: a placeholder inside a value stays as it is. `shown` encodes the values.
pub fn fill(template: &str, values: &[(&str, &str)], shown: fn(&str) -> String) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        filled.push_str(before);
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            filled.push_str(&shown(value));
        }
        rest = after;
    }
    filled + rest
}

/// Encodes a text for HTML, also as the value of an attribute.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
