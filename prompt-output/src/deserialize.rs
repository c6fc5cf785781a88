//! Conversion of a value that fits its schema into a Rust type.

use crate::number::to_json_number;
use prompt_base::json::{JsonToken, Scanner, TokenKind, unescape};
use serde_core::de::value::MapAccessDeserializer;
use serde_core::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};
use serde_core::forward_to_deserialize_any;
use serde_json::{Error, Map, Number, Value};
use std::fmt;

/// Converts a value into a type, and its whole numbers with a fraction of zero, such as `3.0`, into whole numbers where the type wants them.
pub(crate) fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    match T::deserialize(value) {
        Ok(value) => Ok(value),
        Err(_) => serde_json::from_value(with_whole_numbers(value.clone())),
    }
}

/// Converts correct JSON into a type, as [`from_value`], with all digits of its numbers. A whole number of more than 64 bits and a number beyond
/// the range of floats are errors where the type accepts any value. Flattened, untagged and internally tagged types are read in that way.
pub(crate) fn from_json<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    match read_json(json, false) {
        Ok(value) => Ok(value),
        Err(_) => read_json(json, true),
    }
}

fn read_json<T: DeserializeOwned>(json: &str, any_is_whole: bool) -> Result<T, Error> {
    let mut reader = DigitReader {
        json,
        scanner: Scanner::new(json),
        next: None,
        any_is_whole,
    };
    reader.advance();
    let value = T::deserialize(&mut reader)?;
    match reader.next {
        None => Ok(value),
        Some(_) => Err(Error::custom("the type does not read the whole JSON")),
    }
}

/// The largest number up to which every whole number is a float.
pub(crate) const MAX_EXACT_FLOAT: f64 = 9_007_199_254_740_992.0;

/// The whole number that a float is.
fn whole_number(number: &Number) -> Option<i64> {
    let float = number.as_f64().filter(|_| number.is_f64())?;
    (float.fract() == 0.0 && float.abs() <= MAX_EXACT_FLOAT).then_some(float as i64)
}

/// A value whose whole numbers have no fraction.
fn with_whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => match whole_number(&number) {
            Some(whole) => Value::from(whole),
            None => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(with_whole_numbers).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, with_whole_numbers(value)))
            .collect(),
        other => other,
    }
}

/// A deserializer of JSON that distinguishes types of numbers from types that accept any value. serde_json passes the nearest float
/// of a long number to both.
struct DigitReader<'j> {
    json: &'j str,
    scanner: Scanner<'j>,
    next: Option<JsonToken>,
    /// Whole numbers with a fraction of zero are whole numbers also where a type accepts any value.
    any_is_whole: bool,
}

impl<'j> DigitReader<'j> {
    fn advance(&mut self) {
        self.next = self.scanner.next_token().ok().flatten();
    }

    /// The kind and the text of the next token.
    fn peek(&self) -> Result<(TokenKind, &'j str), Error> {
        let token = self.next.ok_or_else(|| Error::custom("the JSON ends"))?;
        Ok((token.kind, &self.json[token.span.start..token.span.end]))
    }

    /// Takes the next value if it is a number.
    fn take_number(&mut self) -> Result<Option<&'j str>, Error> {
        let (TokenKind::Number, digits) = self.peek()? else {
            return Ok(None);
        };
        self.advance();
        Ok(Some(digits))
    }

    /// Reads a container from its opening bracket to its closing one.
    fn read_container<T>(
        &mut self,
        read: impl FnOnce(Parts<'_, 'j>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.advance();
        let value = read(Parts(self))?;
        match self.peek()? {
            (TokenKind::ObjectEnd | TokenKind::ListEnd, _) => self.advance(),
            (_, more) => return Err(Error::custom(format!("`{more}` where the value ends"))),
        }
        Ok(value)
    }
}

macro_rules! read_whole_numbers {
    ($lifetime:lifetime: $($method:ident)*) => {$(
        fn $method<V: Visitor<$lifetime>>(self, visitor: V) -> Result<V::Value, Error> {
            let Some(digits) = self.take_number()? else {
                return self.deserialize_any(visitor);
            };
            if let Some(whole) = to_json_number(digits).and_then(|number| whole_number(&number)) {
                return visitor.visit_i64(whole);
            }
            let mut reader = serde_json::Deserializer::from_str(digits);
            let value = (&mut reader).$method(visitor)?;
            // Numbers of 128 bits end before a fraction or an exponent.
            reader.end()?;
            Ok(value)
        }
    )*};
}

macro_rules! read_floats {
    ($lifetime:lifetime: $($method:ident)*) => {$(
        fn $method<V: Visitor<$lifetime>>(self, visitor: V) -> Result<V::Value, Error> {
            let Some(digits) = self.take_number()? else {
                return self.deserialize_any(visitor);
            };
            match digits.parse::<f64>() {
                Ok(float) if float.is_finite() => visitor.visit_f64(float),
                _ => Err(Error::custom(format!("`{digits}` exceeds the range of floats"))),
            }
        }
    )*};
}

impl<'j> Deserializer<'j> for &mut DigitReader<'j> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'j>>(self, visitor: V) -> Result<V::Value, Error> {
        let (kind, source) = self.peek()?;
        match kind {
            TokenKind::ObjectStart => self.read_container(|parts| visitor.visit_map(parts)),
            TokenKind::ListStart => self.read_container(|parts| visitor.visit_seq(parts)),
            TokenKind::Number => {
                self.advance();
                let number = to_json_number(source).ok_or_else(|| {
                    let message = format!("`{source}` cannot be kept exactly without a type");
                    Error::custom(message)
                })?;
                match whole_number(&number).filter(|_| self.any_is_whole) {
                    Some(whole) => visitor.visit_i64(whole),
                    None => number.deserialize_any(visitor),
                }
            }
            _ => {
                self.advance();
                serde_json::Deserializer::from_str(source).deserialize_any(visitor)
            }
        }
    }

    read_whole_numbers! { 'j:
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    read_floats! { 'j: deserialize_f32 deserialize_f64 }

    fn deserialize_option<V: Visitor<'j>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek()?.0 {
            TokenKind::Null => self.deserialize_any(visitor),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'j>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'j>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (kind, source) = self.peek()?;
        match kind {
            TokenKind::ObjectStart => self.read_container(|parts| {
                MapAccessDeserializer::new(parts).deserialize_enum(name, variants, visitor)
            }),
            _ => {
                self.advance();
                serde_json::Deserializer::from_str(source).deserialize_enum(name, variants, visitor)
            }
        }
    }

    fn deserialize_ignored_any<V: Visitor<'j>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.take_number()? {
            Some(_) => visitor.visit_unit(),
            None => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        <V: Visitor<'j>>
        bool char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

/// The items of a list or the entries of an object.
struct Parts<'r, 'j>(&'r mut DigitReader<'j>);

impl<'j> SeqAccess<'j> for Parts<'_, 'j> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'j>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        match self.0.peek()?.0 {
            TokenKind::ListEnd => Ok(None),
            _ => seed.deserialize(&mut *self.0).map(Some),
        }
    }
}

impl<'j> MapAccess<'j> for Parts<'_, 'j> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'j>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let (TokenKind::Key, source) = self.0.peek()? else {
            return Ok(None);
        };
        self.0.advance();
        // A map of serde_json reads keys that are numbers.
        let key = unescape(source).into_owned();
        let map = Map::from_iter([(key, Value::Null)]);
        map.deserialize_map(OnlyKey(seed)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'j>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(&mut *self.0)
    }
}

/// Reads the key of a map with one entry.
struct OnlyKey<S>(S);

impl<'j, S: DeserializeSeed<'j>> Visitor<'j> for OnlyKey<S> {
    type Value = S::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_map<A: MapAccess<'j>>(self, mut map: A) -> Result<S::Value, A::Error> {
        let key = map.next_key_seed(self.0)?;
        key.ok_or_else(|| A::Error::custom("a key is missing"))
    }
}
