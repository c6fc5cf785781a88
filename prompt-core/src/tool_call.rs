//! A tool call by the model: its id, the name of the tool, and the arguments as JSON text.

use serde_core::ser::SerializeMap;
use serde_core::{Serialize, Serializer};

use crate::json::{Shape, repeated_key, take_entry};
use crate::{Error, ErrorKind, Json, Result};

/// A call of a tool by the model.
///
/// The arguments are kept as the model wrote them, also if they are not JSON.
///
/// ```
/// use typed_prompt::ToolCall;
///
/// let call = ToolCall::new("c1", "add", r#"{"a": 1, "b": 2}"#);
/// assert_eq!(call.json()?.as_str(), r#"{"a":1,"b":2}"#);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ToolCall {
    /// The id of the call that the result belongs to; some models have none.
    pub id: Option<String>,
    /// The tool's name.
    pub name: String,
    /// The arguments, as text.
    pub arguments: String,
}

impl ToolCall {
    /// A call with its id, the tool's name and the arguments as JSON text.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ToolCall {
        ToolCall {
            id: Some(id.into()),
            name: name.into(),
            arguments: arguments.into(),
        }
    }

    /// The arguments as JSON; an empty string means no arguments.
    ///
    /// # Errors
    /// The arguments are not JSON.
    ///
    /// ```
    /// use typed_prompt::ToolCall;
    ///
    /// assert_eq!(ToolCall::new("1", "f", "").json()?.as_str(), "{}");
    /// assert!(ToolCall::new("1", "f", "{").json().is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn json(&self) -> Result<Json> {
        let text = if self.arguments.trim().is_empty() {
            "{}"
        } else {
            &self.arguments
        };
        Json::parse(text)
    }

    /// The arguments as a value of a type, read as an answer is: see [`output`](crate::output).
    ///
    /// # Errors
    /// Arguments that do not fit, with their place. A key that the type does not have is one, and so is a name of
    /// `#[serde(alias = …)]`: schemars does not write it into the schema, so that the model does not receive it.
    ///
    /// ```
    /// use typed_prompt::ToolCall;
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Add { a: i64, b: i64 }
    ///
    /// let add: Add = ToolCall::new("c1", "add", "{'a': 1, 'b': '2'}").parse_arguments()?;
    /// assert_eq!(add.a + add.b, 3);
    /// let error = ToolCall::new("c2", "add", r#"{"a": 1.5, "b": 2}"#).parse_arguments::<Add>().err().unwrap();
    /// assert_eq!(
    ///     error.message(),
    ///     "the call of `add` does not fit, line 1, column 7: `1.5` is not a whole number (at /a)"
    /// );
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    #[cfg(feature = "schema")]
    pub fn parse_arguments<T: crate::output::Answer>(&self) -> Result<T> {
        use crate::openai::close_objects;
        use crate::output::{Schema, json_schema, read_arguments};

        let schema = close_objects(&json_schema::<T>().unwrap_or_default());
        let schema = Schema::new(&schema).map_err(|error| {
            let message = format!("the arguments of `{}` cannot be read: {error}", self.name);
            Error::new(ErrorKind::Tool, message)
        })?;
        read_arguments(&schema, self)?
            .deserialize()
            .map_err(|error| {
                let message = format!("the call of `{}` does not fit: {error}", self.name);
                Error::new(ErrorKind::Output, message).with_answer(self.arguments.as_str())
            })
    }

    /// The error that the tool is none of these, with the one that was perhaps meant.
    ///
    /// ```
    /// use typed_prompt::ToolCall;
    ///
    /// let error = ToolCall::new("c1", "weather", "{}").unknown(["get_weather", "add"]);
    /// assert_eq!(error.to_string(), "there is no tool `weather`; call one of `get_weather`, `add`");
    /// ```
    pub fn unknown<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> Error {
        let known: Vec<&str> = known.into_iter().collect();
        let help = match prompt_base::suggest::closest(&self.name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "answer without tools".to_owned(),
            None => format!("call one of `{}`", known.join("`, `")),
        };
        let message = format!("there is no tool `{}`", self.name);
        Error::new(ErrorKind::Output, message)
            .with_help(help)
            .with_answer(self.arguments.as_str())
    }

    /// Reads `{"id"?, "type"?: "function", "function": {"name", "arguments"}}`; the arguments may be a string or an object.
    pub(crate) fn from_json(json: &Json) -> Result<ToolCall> {
        let wrong = |message: String| Error::new(ErrorKind::History, message);
        let entries = |json: &Json, what: &str| {
            let shape = json.shape().name();
            let entries = json
                .entries()
                .ok_or_else(|| wrong(format!("{what} is an object, and this is {shape}")))?;
            match repeated_key(&entries) {
                None => Ok(entries),
                Some(key) => Err(wrong(format!("{what} has the key `{key}` twice"))),
            }
        };
        let mut call = entries(json, "a tool call")?;
        let id = match take_entry(&mut call, "id") {
            None => None,
            Some(id) if id.shape() == Shape::Null => None,
            Some(id) => Some(
                id.as_string()
                    .ok_or_else(|| wrong("a tool call's `id` is not a string".to_owned()))?,
            ),
        };
        take_entry(&mut call, "type");
        take_entry(&mut call, "index");
        let mut function = match take_entry(&mut call, "function") {
            Some(function) => entries(&function, "a call's `function`")?,
            None => std::mem::take(&mut call),
        };
        let name = take_entry(&mut function, "name").and_then(|name| name.as_string());
        let name = name.ok_or_else(|| wrong("a tool call has no name".to_owned()))?;
        let arguments = match take_entry(&mut function, "arguments") {
            None => "{}".to_owned(),
            Some(arguments) => arguments
                .as_string()
                .unwrap_or_else(|| arguments.as_str().to_owned()),
        };
        if let Some((key, _)) = call.first().or(function.first()) {
            return Err(wrong(format!("a tool call has no key `{key}`")));
        }
        Ok(ToolCall {
            id,
            name,
            arguments,
        })
    }
}

impl Serialize for ToolCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Function<'a>(&'a ToolCall);
        impl Serialize for Function<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map([("name", &self.0.name), ("arguments", &self.0.arguments)])
            }
        }
        let mut map = serializer.serialize_map(None)?;
        if let Some(id) = &self.id {
            map.serialize_entry("id", id)?;
        }
        map.serialize_entry("type", "function")?;
        map.serialize_entry("function", &Function(self))?;
        map.end()
    }
}
