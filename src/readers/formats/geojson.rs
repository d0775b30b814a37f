//! GeoJSON (RFC 7946): each line of a feature collection is a flight. Longitude precedes latitude; times are in a
//! property beside the line, as togeojson writes them (`coordTimes`, `coordinateProperties.times`).

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::gpx::metadata;
use super::json;
use super::kml::sample;
use super::lines::Utf8Reader;
use super::values::{Moment, display_text, moment};
use crate::samples::{ReadError, ReadResult};
use crate::segmenter::Segmenter;

/// The most positions of one line, which is in memory until its times are known.
const MAX_POSITIONS: usize = 150_000;

/// Returns whether JSON begins like a feature collection.
pub fn matches(head: &str) -> bool {
    head.trim_start().starts_with('{') && head.contains("FeatureCollection")
}

/// Reads the lines of a feature collection.
///
/// # Errors
/// See [`ReadError`].
pub fn read(source: Utf8Reader<'_>, segmenter: &mut Segmenter) -> ReadResult {
    let mut reader = serde_json::Deserializer::from_reader(json::LimitedJson::new(source));
    let mut fault = None;
    let done = reader.deserialize_map(Collection {
        segmenter,
        fault: &mut fault,
    });
    match fault {
        Some(fault) => Err(fault),
        None => done.map_err(json::fault),
    }
}

struct Collection<'f> {
    segmenter: &'f mut Segmenter,
    fault: &'f mut Option<ReadError>,
}

impl<'de> Visitor<'de> for Collection<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a collection")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "features" => map.next_value_seed(Features(&mut self))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

struct Features<'c, 'f>(&'c mut Collection<'f>);

impl<'de> serde::de::DeserializeSeed<'de> for Features<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Features<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("features")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut features: A) -> Result<(), A::Error> {
        while let Some(feature) = features.next_element::<Feature>()? {
            if let Err(fault) = feature.take(self.0.segmenter) {
                *self.0.fault = Some(fault);
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

#[derive(Deserialize)]
struct Feature {
    geometry: Option<Geometry>,
    properties: Option<Properties>,
}

#[derive(Deserialize)]
struct Geometry {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    coordinates: Flattened<[Option<f64>; 3]>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Properties {
    name: Option<Text>,
    #[serde(alias = "coordTimes", alias = "times")]
    times: Flattened<Option<f64>>,
    #[serde(rename = "coordinateProperties")]
    of_coordinates: Option<OfCoordinates>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OfCoordinates {
    times: Flattened<Option<f64>>,
}

impl Feature {
    fn take(self, segmenter: &mut Segmenter) -> ReadResult {
        let Some(geometry) = self.geometry else { return Ok(()) };
        if !matches!(geometry.kind.as_str(), "LineString" | "MultiLineString") {
            return Ok(());
        }
        let properties = self.properties.unwrap_or_default();
        let mut times = properties.times.0;
        if times.is_empty() {
            times = properties.of_coordinates.unwrap_or_default().times.0;
        }
        let name = properties.name.map_or(String::new(), |name| display_text(&name.0, 100));
        let has_times = times.len() == geometry.coordinates.0.len() && times.iter().all(Option::is_some);
        segmenter.begin(metadata(&name, has_times));
        for (index, position) in geometry.coordinates.0.iter().enumerate() {
            let time = times.get(index).copied().flatten().filter(|_| has_times);
            segmenter.sample(&sample(position, time))?;
        }
        Ok(())
    }
}

/// A text, empty for any other type of value.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Text;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("anything")
            }

            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }

            fn visit_unit<E>(self) -> Result<Text, E> {
                Ok(Text(String::new()))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Text, E> {
                Ok(Text(String::new()))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Text, E> {
                Ok(Text(String::new()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Text, E> {
                Ok(Text(String::new()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Text, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Text(String::new()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Text(String::new()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// A list of positions or times. Nested lists, such as those of several lines, are flattened.
pub(crate) struct Flattened<T>(pub Vec<T>);

impl<T> Default for Flattened<T> {
    fn default() -> Flattened<T> {
        Flattened(Vec::new())
    }
}

enum Element<T> {
    Number(f64),
    Text(Option<f64>),
    List(Vec<T>),
}

/// Makes elements from the values of a JSON list: a position from two or three numbers, a time from a text.
pub(crate) trait FromNumbers: Sized {
    /// How many numbers make one element.
    const NUMBERS: usize;
    fn one(numbers: &[f64]) -> Option<Self>;
    fn from_text(seconds: Option<f64>) -> Option<Self>;
}

impl FromNumbers for [Option<f64>; 3] {
    const NUMBERS: usize = 3;

    fn one(numbers: &[f64]) -> Option<Self> {
        let number = |at: usize| numbers.get(at).copied();
        (numbers.len() >= 2).then(|| [number(0), number(1), number(2)])
    }

    fn from_text(_: Option<f64>) -> Option<Self> {
        None
    }
}

/// One number as an element.
pub struct Number(pub f64);

impl FromNumbers for Number {
    const NUMBERS: usize = 1;

    fn one(numbers: &[f64]) -> Option<Self> {
        numbers.first().copied().map(Number)
    }

    fn from_text(_: Option<f64>) -> Option<Self> {
        None
    }
}

impl FromNumbers for Option<f64> {
    const NUMBERS: usize = 3;

    fn one(_: &[f64]) -> Option<Self> {
        None
    }

    fn from_text(seconds: Option<f64>) -> Option<Self> {
        Some(seconds)
    }
}

impl<'de, T: FromNumbers> Deserialize<'de> for Flattened<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Flattened<T>, D::Error> {
        Ok(match Element::deserialize(deserializer)? {
            Element::List(list) => Flattened(list),
            Element::Number(_) | Element::Text(_) => Flattened(Vec::new()),
        })
    }
}

impl<'de, T: FromNumbers> Deserialize<'de> for Element<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Element<T>, D::Error> {
        struct Any<T>(std::marker::PhantomData<T>);
        impl<'de, T: FromNumbers> Visitor<'de> for Any<T> {
            type Value = Element<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("positions or times")
            }

            fn visit_f64<E>(self, number: f64) -> Result<Element<T>, E> {
                Ok(Element::Number(number))
            }

            #[expect(clippy::cast_precision_loss, reason = "no coordinate is that large")]
            fn visit_i64<E>(self, number: i64) -> Result<Element<T>, E> {
                Ok(Element::Number(number as f64))
            }

            #[expect(clippy::cast_precision_loss, reason = "no coordinate is that large")]
            fn visit_u64<E>(self, number: u64) -> Result<Element<T>, E> {
                Ok(Element::Number(number as f64))
            }

            fn visit_str<E>(self, text: &str) -> Result<Element<T>, E> {
                Ok(Element::Text(moment(text).map(Moment::utc)))
            }

            fn visit_unit<E>(self) -> Result<Element<T>, E> {
                Ok(Element::List(Vec::new()))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Element<T>, E> {
                Ok(Element::List(Vec::new()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Element<T>, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Element::List(Vec::new()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Element<T>, A::Error> {
                let mut numbers = Vec::new();
                let mut list = Vec::new();
                while let Some(element) = seq.next_element::<Element<T>>()? {
                    match element {
                        Element::Number(number) if T::NUMBERS == 1 => list.extend(T::one(&[number])),
                        Element::Number(number) if numbers.len() < T::NUMBERS => numbers.push(number),
                        Element::Number(_) => {}
                        Element::Text(seconds) => list.extend(T::from_text(seconds)),
                        Element::List(mut more) => list.append(&mut more),
                    }
                    if list.len() > MAX_POSITIONS {
                        return Err(A::Error::custom("too many positions"));
                    }
                }
                if !numbers.is_empty() {
                    list.extend(T::one(&numbers));
                }
                Ok(Element::List(list))
            }
        }
        deserializer.deserialize_any(Any(std::marker::PhantomData))
    }
}
