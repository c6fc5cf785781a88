//! A compiled schema.

use crate::compile::compile_type_table;
use crate::describe::{describe_type, expected_label};
use crate::keyword::compile_validator;
use crate::name::fold_name;
use crate::types::TypeTable;
use serde_json::Value;
use std::fmt;

/// A compiled JSON Schema that reads answers.
///
/// Any draft from 4 to 2020-12 is accepted, by its `$schema`; without it, 2020-12. The crate `jsonschema` decides whether a value
/// fits. A keyword or a `format` that it does not check is an error of [`Schema::new`]; annotations such as `title`, `default` and
/// keywords that begin with `x-` are accepted, and so are the `format`s `double`, `float`, `byte`, `binary`, `password`, `url`,
/// `idn-email`, `idn-hostname`, `ip`, `partial-time`, `partial-date-time` and `zoned-date-time`, which are not checked. The `format`s of whole numbers
/// (`uint8`, `int64`) are bounds.
///
/// Aliases of fields and values are an extension, since serde's `alias` does not reach a schema: `x-aliases` (or any keyword with
/// `alias` in its name) beside the field or the value, as one string or a list; for a plain `enum`, a map from value to aliases or
/// from alias to value, or a list of the same length. With schemars: `#[schemars(extend("x-aliases" = ["ok", "fine"]))]`.
///
/// ```
/// use typed_prompt::output::Schema;
/// use serde_json::json;
///
/// let schema = Schema::new(&json!({
///     "type": "object",
///     "properties": {
///         "mood": {"enum": ["happy", "sad"]},
///         "score": {"type": "integer", "format": "uint8"},
///     },
///     "required": ["mood", "score"],
/// }))?;
///
/// let parsed = schema.parse("Here it is:\n```json\n{'Mood': 'Happy', 'score': '7'}\n```")?;
/// assert_eq!(parsed.value, json!({"mood": "happy", "score": 7}));
///
/// let error = schema.parse("{\"mood\": \"happy\", \"score\": 300}").unwrap_err();
/// assert_eq!(error.issues()[0].path, "/score");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Schema {
    pub(crate) types: TypeTable,
    pub(crate) validator: jsonschema::Validator,
    /// The title of the schema, folded: a label of its value.
    pub(crate) titles: Vec<String>,
}

/// A schema that cannot be read.
///
/// ```
/// use typed_prompt::output::Schema;
/// use serde_json::json;
///
/// let error = Schema::new(&json!({"properties": {"age": {"nullable": true}}})).unwrap_err();
/// assert_eq!(error.to_string(), "`nullable` at `#/properties/age/nullable` is not a keyword that is checked");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaError(String);

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SchemaError {}

impl Schema {
    /// Compiles a schema. Keep the result if many answers are read.
    ///
    /// # Errors
    /// A keyword or a `format` that is not checked, with its path; a value of a keyword that its draft does not allow; a reference that the
    /// schema does not contain (nothing is fetched); a type that is its own member; more than 127 schemas inside each other.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// assert!(Schema::new(&json!({"type": "integer"})).is_ok());
    /// assert!(Schema::new(&json!({"type": "int"})).is_err());
    /// ```
    pub fn new(schema: &Value) -> Result<Schema, SchemaError> {
        // The types are compiled first: they bound the depth of the schema, which the validator does not.
        let types = compile_type_table(schema).map_err(SchemaError)?;
        let validator = compile_validator(schema).map_err(SchemaError)?;
        let title = schema.get("title").and_then(Value::as_str);
        Ok(Schema {
            types,
            validator,
            titles: title.map(fold_name).into_iter().collect(),
        })
    }

    /// Returns the schema of a Rust type.
    ///
    /// # Errors
    /// A hand-written schema that cannot be compiled: see [`Schema::new`].
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Answer { text: String, cited: Vec<u8> }
    ///
    /// let parsed = Schema::from_type::<Answer>()?.parse("{text: 'Nine metres.', cited: ['3']}")?;
    /// let answer: Answer = serde_json::from_value(parsed.value)?;
    /// assert_eq!((answer.text.as_str(), answer.cited), ("Nine metres.", vec![3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "schemars")]
    pub fn from_type<T: schemars::JsonSchema>() -> Result<Schema, SchemaError> {
        Schema::new(schemars::schema_for!(T).as_value())
    }

    /// Describes the values that the schema accepts, as in errors.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "integer", "minimum": 1, "maximum": 5}))?;
    /// assert_eq!(schema.description(), "a whole number from 1 to 5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn description(&self) -> String {
        describe_type(&self.types, self.types.root())
    }

    /// The label of an issue that concerns the whole answer.
    pub(crate) fn expected_label(&self) -> String {
        expected_label(&self.types, self.types.root())
    }
}
