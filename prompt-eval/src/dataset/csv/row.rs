//! A record as a row. The error of each value has its column, whatever its type is.
//!
//! The crate `csv` deserializes records too, but its errors have a column only where it parses the value itself (integers, floats,
//! booleans), and not where the type of the field rejects the value. Here the column is added by the accesses to the columns, which all
//! errors of a value pass through.

use std::error::Error as StdError;
use std::fmt::{self, Display};

use csv::StringRecord;
use serde::de::value::{BorrowedStrDeserializer, Error as PlainError};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, Expected, MapAccess, SeqAccess,
    Unexpected, Visitor,
};

use crate::DataError;

/// Parses a record, which has as many values as the header.
pub(super) fn parse<R: DeserializeOwned>(
    record: &StringRecord,
    header: &StringRecord,
) -> Result<R, ValueError> {
    let mut columns = Columns {
        header,
        record,
        index: 0,
        is_row: true,
    };
    R::deserialize(&mut columns).map_err(|mut error| {
        // A flattened field and an enum with a tag read values that were buffered before: their errors have the value alone.
        let value = error.value.take();
        let mut equal = (0..record.len()).filter(|index| {
            let shown = infer_kind(&record[*index]).to_string();
            value.as_ref() == Some(&shown)
        });
        match (equal.next(), equal.next()) {
            (Some(index), None) => error.at_column(&header[index]),
            _ => error,
        }
    })
}

/// An error of a row.
pub(super) struct ValueError {
    pub(super) error: DataError,
    /// No column has the name of a required field.
    pub(super) is_missing: bool,
    /// The value that was not expected, as [`infer_kind`] shows it.
    value: Option<String>,
}

impl ValueError {
    fn new(error: DataError) -> ValueError {
        ValueError {
            error,
            is_missing: false,
            value: None,
        }
    }

    fn of_value(error: &PlainError, value: Unexpected<'_>) -> ValueError {
        ValueError {
            value: Some(value.to_string()),
            ..ValueError::custom(error)
        }
    }

    /// Sets the column, if none is set.
    fn at_column(mut self, column: &str) -> ValueError {
        self.error = self.error.at_column(column);
        self
    }
}

impl Error for ValueError {
    fn custom<T: Display>(message: T) -> ValueError {
        ValueError::new(DataError::new(message.to_string()))
    }

    fn missing_field(field: &'static str) -> ValueError {
        let error = DataError::new("it is missing").at_column(field);
        ValueError {
            is_missing: true,
            ..ValueError::new(error)
        }
    }

    fn invalid_type(value: Unexpected<'_>, expected: &dyn Expected) -> ValueError {
        ValueError::of_value(&PlainError::invalid_type(value, expected), value)
    }

    fn invalid_value(value: Unexpected<'_>, expected: &dyn Expected) -> ValueError {
        ValueError::of_value(&PlainError::invalid_value(value, expected), value)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> ValueError {
        let error = PlainError::unknown_variant(variant, expected);
        ValueError::of_value(&error, Unexpected::Str(variant))
    }
}

impl Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.error.message())
    }
}

impl fmt::Debug for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

impl StdError for ValueError {}

/// The values of a record from an index on.
struct Columns<'de> {
    header: &'de StringRecord,
    record: &'de StringRecord,
    index: usize,
    /// Whether the whole record is deserialized, which is a map or a sequence, and not one of its values.
    is_row: bool,
}

impl<'de> Columns<'de> {
    /// Calls a function and adds the column to its error.
    fn at_column<T>(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut Self) -> Result<T, ValueError>,
    ) -> Result<T, ValueError> {
        let column = self.header.get(index).unwrap_or_default();
        read(self).map_err(|error| error.at_column(column))
    }

    /// Reads the next value.
    fn read_value<T>(
        &mut self,
        read: impl FnOnce(Value<'de>) -> Result<T, ValueError>,
    ) -> Result<T, ValueError> {
        let index = self.index;
        self.index += 1;
        match self.record.get(index) {
            Some(text) => self.at_column(index, |_| read(Value(text))),
            None => Err(ValueError::custom("the row has too few values")),
        }
    }
}

macro_rules! read_value {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            self.read_value(|value| value.$method(visitor))
        })*
    };
}

impl<'de> Deserializer<'de> for &mut Columns<'de> {
    type Error = ValueError;

    read_value! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8 deserialize_u16
        deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_identifier deserialize_ignored_any
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.is_row {
            true => visitor.visit_map(self),
            false => self.read_value(|value| value.deserialize_any(visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.deserialize_map(visitor)
    }

    /// A sequence in a sequence reads the values after those that were read.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        self.is_row = false;
        visitor.visit_seq(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.record.get(self.index) {
            Some("") => self.read_value(|value| value.deserialize_option(visitor)),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.read_value(|value| value.deserialize_enum(name, variants, visitor))
    }
}

impl<'de> MapAccess<'de> for &mut Columns<'de> {
    type Error = ValueError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ValueError> {
        let header = self.header;
        let Some(name) = header.get(self.index) else {
            return Ok(None);
        };
        self.at_column(self.index, |_| {
            seed.deserialize(BorrowedStrDeserializer::new(name))
        })
        .map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, ValueError> {
        self.read_value(|value| seed.deserialize(value))
    }
}

impl<'de> SeqAccess<'de> for &mut Columns<'de> {
    type Error = ValueError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ValueError> {
        match self.index < self.record.len() {
            true => self
                .at_column(self.index, |columns| seed.deserialize(columns))
                .map(Some),
            false => Ok(None),
        }
    }
}

/// A value of a record, which is one text.
struct Value<'de>(&'de str);

/// The value of a text for a type that accepts several kinds of values.
fn infer_kind(text: &str) -> Unexpected<'_> {
    let bool = text.parse().map(Unexpected::Bool).ok();
    bool.or_else(|| text.parse().map(Unexpected::Unsigned).ok())
        .or_else(|| text.parse().map(Unexpected::Signed).ok())
        .or_else(|| text.parse().map(Unexpected::Float).ok())
        .unwrap_or(Unexpected::Str(text))
}

/// Whether a text is an integer of any size.
fn is_integer(text: &str) -> bool {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let digits = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix))
}

macro_rules! parse_integers {
    ($($method:ident $visit:ident $type:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            let text = self.0;
            let parsed = match text.strip_prefix("0x") {
                Some(digits) => $type::from_str_radix(digits, 16),
                None => text.parse(),
            };
            match parsed {
                Ok(number) => visitor.$visit(number),
                Err(_) if is_integer(text) => Err(ValueError::custom(format_args!(
                    "`{text}` is out of range: `{}` is from {} to {}",
                    stringify!($type), $type::MIN, $type::MAX,
                ))),
                Err(_) => Err(ValueError::custom(format_args!("`{text}` is not an integer"))),
            }
        })*
    };
}

macro_rules! parse_floats {
    ($($method:ident $visit:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            match self.0.parse() {
                Ok(number) => visitor.$visit(number),
                Err(_) => Err(ValueError::custom(format_args!("`{}` is not a number", self.0))),
            }
        })*
    };
}

macro_rules! read_text {
    ($($method:ident($($parameter:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $(_: $parameter,)* visitor: V) -> Result<V::Value, ValueError> {
            visitor.visit_borrowed_str(self.0)
        })*
    };
}

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = ValueError;

    parse_integers! {
        deserialize_i8 visit_i8 i8
        deserialize_i16 visit_i16 i16
        deserialize_i32 visit_i32 i32
        deserialize_i64 visit_i64 i64
        deserialize_i128 visit_i128 i128
        deserialize_u8 visit_u8 u8
        deserialize_u16 visit_u16 u16
        deserialize_u32 visit_u32 u32
        deserialize_u64 visit_u64 u64
        deserialize_u128 visit_u128 u128
    }

    parse_floats! {
        deserialize_f32 visit_f32
        deserialize_f64 visit_f64
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match infer_kind(self.0) {
            Unexpected::Bool(value) => visitor.visit_bool(value),
            Unexpected::Unsigned(value) => visitor.visit_u64(value),
            Unexpected::Signed(value) => visitor.visit_i64(value),
            Unexpected::Float(value) => match (self.0.parse(), self.0.parse()) {
                (Ok(value), _) => visitor.visit_u128(value),
                (_, Ok(value)) => visitor.visit_i128(value),
                _ => visitor.visit_f64(value),
            },
            _ => visitor.visit_borrowed_str(self.0),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.0.parse() {
            Ok(value) => visitor.visit_bool(value),
            Err(_) => Err(ValueError::custom(format_args!(
                "`{}` is neither `true` nor `false`",
                self.0
            ))),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        let mut chars = self.0.chars();
        match (chars.next(), chars.next()) {
            (Some(char), None) => visitor.visit_char(char),
            _ => visitor.visit_borrowed_str(self.0),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_borrowed_bytes(self.0.as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.0 {
            "" => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.0))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_unit()
    }

    // A type that needs several values rejects the text.
    read_text! {
        deserialize_str() deserialize_string() deserialize_identifier() deserialize_seq() deserialize_map() deserialize_tuple(usize)
        deserialize_tuple_struct(&'static str, usize) deserialize_struct(&'static str, &'static [&'static str])
    }
}
