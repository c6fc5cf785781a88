//! The columns that a prompt is filled from: its fields, found by serde, against the columns of a table.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{DataFusionError, Result, plan_datafusion_err};
use serde::Deserialize;
use serde_arrow::schema::{SchemaLike, TracingOptions};
use typed_prompt::Prompt;

/// A prompt that is filled from a row of a table.
///
/// Every prompt that implements serde's `Deserialize` for owned data is one. For a prompt with a lifetime, whose strings are
/// borrowed from the columns, [`borrowed!`](crate::borrowed) makes one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be filled from a row",
    label = "not filled from rows",
    note = "derive `Prompt` and `serde::Deserialize`; for a struct with a lifetime, name the rows: `prompt_datafusion::borrowed!(AskRow = Ask);`"
)]
pub trait RowPrompt: 'static {
    /// The prompt, which may borrow from the row.
    type Row<'a>: Prompt + Deserialize<'a>;
}

impl<P: Prompt + for<'de> Deserialize<'de> + 'static> RowPrompt for P {
    type Row<'a> = P;
}

/// Names the rows of a prompt with one lifetime, whose text is borrowed from the columns instead of copied.
///
/// ```
/// use prompt_datafusion::{borrowed, render_udf};
/// use typed_prompt::{Prompt, format};
///
/// #[derive(Prompt, serde::Deserialize)]
/// #[prompt(user = "Translate <text>.")]
/// struct Translate<'a> {
///     text: &'a str,
/// }
///
/// borrowed!(TranslateRow = Translate);
///
/// # fn main() -> datafusion::error::Result<()> {
/// let function = render_udf::<TranslateRow>("translate_text", format::PLAIN)?;
/// assert_eq!(function.name(), "translate_text");
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! borrowed {
    ($visibility:vis $row:ident = $prompt:ident) => {
        #[doc = concat!("The rows of [`", stringify!($prompt), "`].")]
        #[derive(Clone, Copy, Debug)]
        $visibility enum $row {}

        impl $crate::RowPrompt for $row {
            type Row<'a> = $prompt<'a>;
        }
    };
}

/// The fields of a prompt, with the types that columns must have.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    prompt: &'static str,
    pub(crate) fields: Vec<FieldRef>,
}

impl Columns {
    /// # Errors
    /// The fields are not known from the type alone, for example those of `serde_json::Value`.
    pub(crate) fn from_prompt<P: RowPrompt>() -> Result<Columns> {
        let prompt = <P::Row<'static> as Prompt>::INFO.name;
        let options = TracingOptions::default()
            .map_as_struct(false)
            .allow_null_fields(true)
            .enums_without_data_as_strings(true);
        let fields = Vec::<FieldRef>::from_type::<P::Row<'static>>(options);
        let fields = fields.map_err(|error| {
            plan_datafusion_err!("the fields of `{prompt}` are not known from its type: {error}")
        })?;
        Ok(Columns { prompt, fields })
    }

    pub(crate) fn field_names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| field.name().as_str())
    }

    /// The positions of the columns with the fields' names.
    ///
    /// # Errors
    /// All fields without a column that fits.
    pub(crate) fn find_columns(&self, columns: &[FieldRef]) -> Result<Vec<usize>> {
        let mut mistakes = Vec::new();
        let mut found = Vec::new();
        for field in &self.fields {
            match columns
                .iter()
                .position(|column| column.name() == field.name())
            {
                None => mistakes.push(self.missing_column(field, columns)),
                Some(at) => {
                    mistakes.extend(type_mistake(
                        field,
                        &columns[at],
                        &format!("the column `{}`", field.name()),
                    ));
                    found.push(at);
                }
            }
        }
        self.report_mistakes(mistakes).map(|()| found)
    }

    /// Checks arguments in the order of the fields.
    ///
    /// # Errors
    /// All arguments that do not fit.
    pub(crate) fn check_arguments(&self, arguments: &[FieldRef]) -> Result<()> {
        if arguments.len() != self.fields.len() {
            let names: Vec<&str> = self.field_names().collect();
            let (expected, found) = (self.fields.len(), arguments.len());
            return Err(plan_datafusion_err!(
                "`{}` has {expected} fields ({}), and {found} arguments are given: give one for each field, or one struct",
                self.prompt,
                names.join(", ")
            ));
        }
        let pairs = self.fields.iter().zip(arguments).enumerate();
        let mistakes = pairs.filter_map(|(at, (field, argument))| {
            type_mistake(field, argument, &format!("argument {}", at + 1))
        });
        self.report_mistakes(mistakes.collect())
    }

    fn report_mistakes(&self, mistakes: Vec<String>) -> Result<()> {
        match mistakes.is_empty() {
            true => Ok(()),
            false => Err(plan_datafusion_err!(
                "`{}` does not fit the columns:\n- {}",
                self.prompt,
                mistakes.join("\n- ")
            )),
        }
    }

    fn missing_column(&self, field: &Field, columns: &[FieldRef]) -> String {
        let names: Vec<String> = columns
            .iter()
            .map(|column| format!("`{}`", column.name()))
            .collect();
        let same = columns
            .iter()
            .find(|column| column.name().eq_ignore_ascii_case(field.name()));
        let help = match same {
            Some(column) => format!("rename it: `\"{}\" AS {}`", column.name(), field.name()),
            None => format!("the columns are {}", names.join(", ")),
        };
        format!(
            "the field `{}` ({}) has no column; {help}",
            field.name(),
            rust_type(field.data_type(), field.is_nullable())
        )
    }

    /// The rows of columns in the order of the fields.
    pub(crate) fn bind_rows<'a>(&'a self, arrays: &'a mut [ArrayRef]) -> Result<Rows<'a>> {
        // Serde cannot borrow from dictionaries, such as the columns of a partitioned folder.
        for array in &mut *arrays {
            if let DataType::Dictionary(_, value) = array.data_type() {
                *array = cast(array, value)?;
            }
        }
        let arrays = &*arrays;
        let fields: Vec<FieldRef> = self
            .fields
            .iter()
            .zip(arrays)
            .map(|(field, array)| {
                Arc::new(Field::new(
                    field.name(),
                    array.data_type().clone(),
                    array.is_nullable(),
                ))
            })
            .collect();
        let rows = serde_arrow::Deserializer::from_arrow(&fields, arrays)
            .map_err(|error| DataFusionError::External(error.into()))?;
        let nested = self.fields.iter().zip(arrays);
        Ok(Rows {
            rows,
            nested: nested
                .filter(|(field, _)| field.data_type().is_nested())
                .collect(),
        })
    }
}

/// Rows that are read by serde.
pub(crate) struct Rows<'a> {
    rows: serde_arrow::Deserializer<'a>,
    /// The fields with lists, structs and maps, and their columns. To serde, a list that is null is empty.
    nested: Vec<(&'a FieldRef, &'a ArrayRef)>,
}

impl<'a> Rows<'a> {
    /// # Errors
    /// Why the row is not a prompt.
    pub(crate) fn read_row<T: Deserialize<'a>>(&self, at: usize) -> std::result::Result<T, String> {
        let mut nested = self.nested.iter();
        if let Some(path) = nested.find_map(|(field, array)| find_null(field, array, at)) {
            return Err(format!("`{path}` is null"));
        }
        let row = self.rows.get(at).ok_or("the row is missing")?;
        T::deserialize(row).map_err(|error| error.to_string())
    }
}

/// The path of a list, struct or map that is null although its field is not optional.
fn find_null(field: &Field, array: &dyn Array, at: usize) -> Option<String> {
    if !field.data_type().is_nested() || array.is_null(at) && field.is_nullable() {
        return None;
    }
    if array.is_null(at) {
        return Some(field.name().clone());
    }
    let any = |item: &Field, items: ArrayRef| {
        let mut rows = 0..items.len();
        rows.find_map(|at| find_null(item, &items, at))
    };
    let inner = match (field.data_type(), array.data_type()) {
        (DataType::Struct(fields), DataType::Struct(_)) => {
            let columns = array.as_struct();
            fields
                .iter()
                .find_map(|field| find_null(field, columns.column_by_name(field.name())?, at))
        }
        (DataType::List(item) | DataType::LargeList(item), column)
            if item.data_type().is_nested() =>
        {
            match column {
                DataType::List(_) => any(item, array.as_list::<i32>().value(at)),
                DataType::LargeList(_) => any(item, array.as_list::<i64>().value(at)),
                _ => any(item, array.as_fixed_size_list().value(at)),
            }
        }
        (DataType::Map(entry, _), DataType::Map(..)) => {
            any(entry, Arc::new(array.as_map().value(at)))
        }
        _ => None,
    };
    inner.map(|path| format!("{}.{path}", field.name()))
}

/// The mismatch of a column and a field.
fn type_mistake(field: &Field, column: &Field, location: &str) -> Option<String> {
    let wanted = rust_type(field.data_type(), field.is_nullable());
    let name = field.name();
    if !is_compatible(field, column.data_type()) {
        return Some(format!(
            "the field `{name}` is {wanted}, and {location} is {}",
            column.data_type()
        ));
    }
    // Even a list that is written out may be null to the planner: a null among lists is found when the row is read.
    let is_nested = field.data_type().is_nested();
    (column.is_nullable() && !field.is_nullable() && !is_nested).then(|| {
        let optional = rust_type(field.data_type(), true);
        format!(
            "the field `{name}` is {wanted}, and {location} may be null; make the field {optional}, or give a default: \
             `coalesce({name}, …)`"
        )
    })
}

/// Whether a field can be read from a column of this type.
fn is_compatible(field: &Field, column: &DataType) -> bool {
    use DataType::*;

    if let Dictionary(_, value) = column {
        return is_compatible(field, value);
    }
    // An enum, from text.
    if let Dictionary(_, value) = field.data_type() {
        return is_compatible(&field.clone().with_data_type(*value.clone()), column);
    }
    match (field.data_type(), column) {
        (_, Null) => field.is_nullable(),
        (Null, _) => true,
        (Utf8 | LargeUtf8 | Utf8View, Utf8 | LargeUtf8 | Utf8View) => true,
        (Binary | LargeBinary | BinaryView, Binary | LargeBinary | BinaryView) => true,
        (
            List(item) | LargeList(item),
            List(column) | LargeList(column) | FixedSizeList(column, _),
        ) => is_compatible(item, column.data_type()),
        (Struct(fields), Struct(columns)) => fields.iter().all(|field| {
            columns
                .iter()
                .find(|column| column.name() == field.name())
                .is_some_and(|column| is_compatible(field, column.data_type()))
        }),
        (Map(entry, _), Map(column, _)) => is_compatible(entry, column.data_type()),
        (wanted, found) if wanted.is_integer() => found.is_integer(),
        (wanted, found) if wanted.is_floating() => found.is_floating(),
        (wanted, found) => wanted == found,
    }
}

/// The Rust type of a field, as far as serde knows it.
fn rust_type(data_type: &DataType, is_nullable: bool) -> String {
    fn plain_type(data_type: &DataType) -> String {
        match data_type {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "String".to_owned(),
            DataType::Boolean => "bool".to_owned(),
            DataType::Int8 => "i8".to_owned(),
            DataType::Int16 => "i16".to_owned(),
            DataType::Int32 => "i32".to_owned(),
            DataType::Int64 => "i64".to_owned(),
            DataType::UInt8 => "u8".to_owned(),
            DataType::UInt16 => "u16".to_owned(),
            DataType::UInt32 => "u32".to_owned(),
            DataType::UInt64 => "u64".to_owned(),
            DataType::Float32 => "f32".to_owned(),
            DataType::Float64 => "f64".to_owned(),
            DataType::List(item) | DataType::LargeList(item) => match item.is_nullable() {
                true => format!("Vec<Option<{}>>", plain_type(item.data_type())),
                false => format!("Vec<{}>", plain_type(item.data_type())),
            },
            DataType::Struct(_) => "a struct".to_owned(),
            DataType::Map(..) => "a map".to_owned(),
            DataType::Dictionary(..) => "an enum".to_owned(),
            other => other.to_string(),
        }
    }
    let bare = plain_type(data_type);
    let is_described = bare.starts_with("a ") || bare.starts_with("an ");
    match (bare, is_nullable) {
        (bare, false) if is_described => bare,
        (bare, false) => format!("`{bare}`"),
        (bare, true) if is_described => format!("{bare} or nothing"),
        (bare, true) => format!("`Option<{bare}>`"),
    }
}
