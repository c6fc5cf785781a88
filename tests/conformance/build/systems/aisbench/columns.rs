//! The columns of a row as the fields of a struct.

use serde_json::Value;

use crate::item::Field;
use crate::rust::Names;
use crate::{errors, value};

/// The name of the field with the few-shot examples.
pub(super) const SHOTS: &str = "examples";

pub(super) struct Columns<'a> {
    names: Names,
    columns: Vec<Column<'a>>,
}

struct Column<'a> {
    key: &'a str,
    field: String,
    value: &'a Value,
    used: bool,
    trusted: bool,
}

impl<'a> Columns<'a> {
    /// The columns of a row.
    pub(super) fn of(row: &'a Value) -> Columns<'a> {
        let mut names = Names::default();
        names.give(SHOTS);
        let columns = row
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, value)| Column {
                key,
                field: names.give(key),
                value,
                used: false,
                trusted: false,
            });
        let columns = columns.collect();
        Columns { names, columns }
    }

    /// Returns a name for an additional field.
    pub(super) fn extra(&mut self, name: &str) -> String {
        self.names.give(name)
    }

    /// The first `{column}` of a text: its position, its length, and its column.
    pub(super) fn find(&self, text: &str) -> Option<(usize, usize, &'a str)> {
        let places = self.columns.iter().filter_map(|column| {
            let at = text.find(&format!("{{{}}}", column.key))?;
            Some((at, column.key.len() + 2, column.key))
        });
        places.min_by_key(|(at, ..)| *at)
    }

    /// Returns the field of a column and marks the column as used.
    pub(super) fn used(&mut self, key: &str, trusted: bool) -> String {
        let column = self.columns.iter_mut().find(|column| column.key == key);
        let Some(column) = column else {
            return String::new();
        };
        column.used = true;
        column.trusted |= trusted;
        column.field.clone()
    }

    /// Removes a column whose type and value are defined elsewhere.
    pub(super) fn leave_out(&mut self, key: &str) {
        self.columns.retain(|column| column.key != key);
    }

    /// The fields with the row's values.
    pub(super) fn fields(&self, answer: Option<&str>) -> Vec<Field> {
        let fields = self.columns.iter().map(|column| {
            let mut attributes = Vec::new();
            if !column.used {
                attributes.push("skip".to_owned());
            } else if answer == Some(column.key) {
                attributes.push("answer".to_owned());
            }
            if column.trusted {
                attributes.push("trusted".to_owned());
            }
            Field::of(column.field.clone(), attributes, Some(column.value))
        });
        fields.collect()
    }

    /// The same fields with the values of another row, without the columns that it lacks.
    pub(super) fn fields_of(&self, row: &Value) -> Vec<Field> {
        let mut fields = self.fields(None);
        for (field, column) in fields.iter_mut().zip(&self.columns) {
            field.value = row.get(column.key).map(value::rust_value);
        }
        fields
    }

    /// Whether another row has all these columns.
    pub(super) fn are_in(&self, row: &Value) -> bool {
        self.columns
            .iter()
            .all(|column| row.get(column.key).is_some())
    }

    /// The texts of the compile errors for values whose type cannot fill a slot.
    pub(super) fn refused(&self) -> impl Iterator<Item = String> {
        let used = self.columns.iter().filter(|column| column.used);
        used.filter_map(|column| errors::judge(column.value))
    }
}
