//! Misspelt columns: without an error, an optional field would be `None` in each row.

use prompt_base::suggest::closest;
use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};

use crate::DataError;

/// Fails for a column that no field reads and whose name is nearly that of a field without a column.
pub(super) fn check_columns<'c, R: DeserializeOwned>(
    columns: impl Iterator<Item = &'c str>,
) -> Result<(), DataError> {
    let Some(fields) = field_names::<R>() else {
        return Ok(());
    };
    let columns: Vec<&str> = columns.collect();
    let is_absent = |field: &&str| !columns.contains(field);
    let absent: Vec<&str> = fields.iter().copied().filter(is_absent).collect();
    for column in columns
        .iter()
        .copied()
        .filter(|column| !fields.contains(column))
    {
        if let Some(field) = closest(column, absent.iter().copied()) {
            let message = format!("no field reads it, and the field `{field}` has no column");
            let help = format!("rename one of them, or add a field `{column}` to the row");
            return Err(DataError::new(message).at_column(column).with_help(help));
        }
    }
    Ok(())
}

/// The names that a struct reads. `None` for other types, and for structs with flattened fields.
pub(super) fn field_names<R: DeserializeOwned>() -> Option<&'static [&'static str]> {
    let mut fields = None;
    // It always fails, after it has received the names.
    let _ = R::deserialize(FieldNames(&mut fields));
    fields
}

struct FieldNames<'f>(&'f mut Option<&'static [&'static str]>);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("only the names are read"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = Some(fields);
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
