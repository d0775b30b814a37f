//! The format definitions in a ULog file: the fields of the topics, and their offsets.

use std::collections::HashMap;

use crate::formats::lookahead::array;

/// The most bytes of format definitions that are kept. PX4 writes a tenth of this.
const MAX_FORMATS_BYTES: usize = 1024 * 1024;
/// The most fields of a topic including those of nested types, and the deepest nesting.
const MAX_FIELDS: usize = 2000;
const MAX_DEPTH: usize = 8;
/// The most bytes of a message.
const MAX_MESSAGE_BYTES: usize = u16::MAX as usize;

/// The fields that are read. Fields in arrays or nested types aren't.
const FIELDS: [&str; 21] = [
    "timestamp",
    "arming_state",
    "fix_type",
    "satellites_used",
    "lat",
    "lon",
    "alt",
    "latitude_deg",
    "longitude_deg",
    "altitude_msl_m",
    "vel_m_s",
    "time_utc_usec",
    "vx",
    "vy",
    "v_xy_valid",
    "z",
    "z_valid",
    "voltage_v",
    "current_a",
    "discharged_mah",
    "connected",
];

/// A field of a topic: its name, type and offset.
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub at: usize,
}

#[derive(Debug, Clone, Copy)]
pub enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Kind {
    fn named(name: &str) -> Option<Kind> {
        Some(match name {
            "int8_t" => Kind::I8,
            "uint8_t" | "bool" | "char" => Kind::U8,
            "int16_t" => Kind::I16,
            "uint16_t" => Kind::U16,
            "int32_t" => Kind::I32,
            "uint32_t" => Kind::U32,
            "int64_t" => Kind::I64,
            "uint64_t" => Kind::U64,
            "float" => Kind::F32,
            "double" => Kind::F64,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::I64 | Kind::U64 | Kind::F64 => 8,
        }
    }

    /// Reads a value of this type at an offset.
    #[expect(
        clippy::cast_precision_loss,
        reason = "figures of flights fit; times are read as integers"
    )]
    pub fn number(self, bytes: &[u8], at: usize) -> Option<f64> {
        Some(match self {
            Kind::I8 => f64::from(i8::from_le_bytes(array(bytes, at)?)),
            Kind::U8 => f64::from(u8::from_le_bytes(array(bytes, at)?)),
            Kind::I16 => f64::from(i16::from_le_bytes(array(bytes, at)?)),
            Kind::U16 => f64::from(u16::from_le_bytes(array(bytes, at)?)),
            Kind::I32 => f64::from(i32::from_le_bytes(array(bytes, at)?)),
            Kind::U32 => f64::from(u32::from_le_bytes(array(bytes, at)?)),
            Kind::I64 => i64::from_le_bytes(array(bytes, at)?) as f64,
            Kind::U64 => u64::from_le_bytes(array(bytes, at)?) as f64,
            Kind::F32 => f64::from(f32::from_le_bytes(array(bytes, at)?)),
            Kind::F64 => f64::from_le_bytes(array(bytes, at)?),
        })
    }
}

/// The format definitions of a log: the fields of each type, as `type name;type name`.
#[derive(Default)]
pub(crate) struct Formats {
    fields: HashMap<String, String>,
    bytes: usize,
}

impl Formats {
    /// Adds a definition, `name:type field;type field;`.
    pub fn add(&mut self, definition: &[u8]) {
        self.bytes += definition.len();
        if let Some((name, fields)) = std::str::from_utf8(definition)
            .ok()
            .and_then(|text| text.split_once(':'))
            && self.bytes <= MAX_FORMATS_BYTES
        {
            self.fields.insert(name.to_owned(), fields.to_owned());
        }
    }

    /// Returns the fields of a topic that are read; `None` if the definition can't be resolved.
    pub fn fields(&self, name: &str) -> Option<Vec<Field>> {
        let mut fields = Vec::new();
        let mut at: usize = 0;
        let mut left = MAX_FIELDS;
        for (kind, name) in parts(self.fields.get(name)?) {
            if let (Some(kind), Some(known)) = (Kind::named(kind), FIELDS.iter().find(|known| **known == name)) {
                fields.push(Field { name: known, kind, at });
            }
            at = at.checked_add(self.size(kind, &mut left, MAX_DEPTH)?)?;
        }
        Some(fields)
    }

    /// Returns the bytes of a type: `float`, `uint8_t[4]`, or the name of another format.
    fn size(&self, kind: &str, left: &mut usize, depth: usize) -> Option<usize> {
        *left = left.checked_sub(1)?;
        let (kind, count) = match kind.split_once('[') {
            Some((kind, count)) => (kind, count.strip_suffix(']')?.parse().ok()?),
            None => (kind, 1_usize),
        };
        let bytes = match Kind::named(kind) {
            Some(kind) => kind.bytes(),
            None => {
                let depth = depth.checked_sub(1)?;
                let inner = parts(self.fields.get(kind)?).map(|(kind, _)| self.size(kind, left, depth));
                inner.sum::<Option<usize>>()?
            }
        };
        bytes.checked_mul(count).filter(|bytes| *bytes <= MAX_MESSAGE_BYTES)
    }
}

fn parts(fields: &str) -> impl Iterator<Item = (&str, &str)> {
    fields.split(';').filter_map(|field| field.split_once(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formats(definitions: &[&str]) -> Formats {
        let mut formats = Formats::default();
        definitions
            .iter()
            .for_each(|definition| formats.add(definition.as_bytes()));
        formats
    }

    #[test]
    fn fields_lie_behind_arrays_and_other_types() {
        let formats = formats(&[
            "esc:uint8_t id;float[2] rpm;",
            "battery_status:uint64_t timestamp;esc[3] escs;float[4] cells;uint8_t[3] _padding0;float voltage_v;",
        ]);
        let fields = formats.fields("battery_status").unwrap();
        let places: Vec<_> = fields.iter().map(|field| (field.name, field.at)).collect();
        assert_eq!(places, [("timestamp", 0), ("voltage_v", 8 + 27 + 16 + 3)]);
    }

    #[test]
    fn definitions_that_can_t_be_followed_describe_nothing() {
        for definitions in [
            &["vehicle_status:vehicle_status[2] a;uint8_t arming_state;"][..],
            &["vehicle_status:none a;uint8_t arming_state;"],
            &["vehicle_status:float[99999999999999999999] a;uint8_t arming_state;"],
            &["vehicle_status:double[9000] a;uint8_t arming_state;"],
            &["vehicle_status:float[2 a;"],
        ] {
            assert!(
                formats(definitions).fields("vehicle_status").is_none(),
                "{definitions:?}"
            );
        }
        // Each type has ten fields of the next: a thousand million fields.
        let levels: Vec<String> = (0..9)
            .map(|level| format!("l{level}:{};", format!("l{} x;", level + 1).repeat(10)))
            .collect();
        let levels: Vec<_> = levels.iter().map(String::as_str).collect();
        assert!(formats(&levels).fields("l0").is_none());
    }
}
