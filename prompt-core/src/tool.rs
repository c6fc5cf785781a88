//! Tool definitions in the JSON formats of OpenAI and Anthropic, and the trait of values that contain tools.

mod approval;
#[cfg(feature = "schema")]
pub(crate) mod argument;
mod event;
mod limits;
#[cfg(feature = "schema")]
mod of;
mod running;
#[cfg(feature = "schema")]
pub(crate) mod set;
mod steps;
mod timer;
mod tool_fn;
mod tool_loop;
mod tool_output;
mod tools;

use std::borrow::Cow;

use serde_core::ser::SerializeMap;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::json::{repeated_key, take_entry};
use crate::{Error, ErrorKind, Json, Result, Trusted};

pub use approval::{
    Approval, ApprovalFn, Approver, AsyncApproval, BorrowingApproval, NoApproval, PlainApproval,
};
pub use event::ToolEvent;
pub use limits::ToolLimit;
pub use steps::{Finished, RequestedCall, ToolStep, ToolSteps};
pub use tool_fn::ToolFn;
pub use tool_loop::ToolLoop;
pub use tool_output::{IntoToolOutput, ToolOutput};
pub use tools::Tools;

/// A tool that a model may call: its name, what it does, and the JSON Schema of its arguments.
///
/// The definition is kept as it was given: keys stay in their order, and keys that this crate does not know stay.
///
/// ```
/// use typed_prompt::{Tool, message::Json};
///
/// let tool = Tool::new("weather")
///     .with_description("The weather in a city.")
///     .with_parameters(Json::parse(r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#)?);
/// assert_eq!(tool.description().as_deref(), Some("The weather in a city."));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    name: String,
    /// The fields next to `type` and `function`, in order.
    outside: Vec<(String, Json)>,
    /// The entries of `function`, in order, `name` among them.
    function: Vec<(String, Json)>,
}

impl Tool {
    /// A tool with a name only.
    pub fn new(name: impl Into<String>) -> Tool {
        let name = name.into();
        let text = Json::from(serde_json::Value::from(name.as_str()));
        Tool {
            name,
            outside: Vec::new(),
            function: vec![("name".to_owned(), text)],
        }
    }

    /// Sets the description: what the tool does.
    ///
    /// ```
    /// let tool = typed_prompt::Tool::new("add").with_description("Adds.");
    /// assert_eq!(tool.description().as_deref(), Some("Adds."));
    /// ```
    pub fn with_description(self, text: &str) -> Tool {
        self.with_entry("description", Json::from(serde_json::Value::from(text)))
    }

    /// Gives the JSON Schema of the arguments.
    ///
    /// ```
    /// use typed_prompt::{Tool, message::Json};
    ///
    /// let tool = Tool::new("add").with_parameters(Json::parse(r#"{"type": "object"}"#)?);
    /// assert_eq!(tool.parameters().unwrap().as_str(), r#"{"type":"object"}"#);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn with_parameters(self, schema: impl Into<Json>) -> Tool {
        self.with_entry("parameters", schema.into())
    }

    fn with_entry(mut self, key: &str, value: Json) -> Tool {
        match self.function.iter_mut().find(|entry| entry.0 == key) {
            Some(entry) => entry.1 = value,
            None => self.function.push((key.to_owned(), value)),
        }
        self
    }

    /// Reads a definition in the shape of OpenAI's API, `{"type": "function", "function": {…}}`, of Anthropic's,
    /// `{"name": …, "input_schema": {…}}`, or the bare `{"name": …, "parameters": {…}}`.
    ///
    /// # Errors
    /// A definition without a name, or of another shape.
    ///
    /// ```
    /// use typed_prompt::{Tool, message::Json};
    ///
    /// let text = r#"{"type":"function","function":{"name":"add","strict":true}}"#;
    /// let tool = Tool::from_json(&Json::parse(text)?)?;
    /// assert_eq!(tool.name(), "add");
    /// assert_eq!(tool.to_json().as_str(), text);
    /// assert!(Tool::from_json(&Json::parse(r#"{"type":"function","function":{}}"#)?).is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_json(json: &Json) -> Result<Tool> {
        let Some(mut outside) = json.entries() else {
            return Err(tool_error(format!(
                "a tool is an object, and this is {}",
                json.shape().name()
            )));
        };
        let again = repeated_key(&outside).map(str::to_owned);
        if let Some(kind) = take_entry(&mut outside, "type")
            && kind.as_str() != "\"function\""
        {
            return Err(tool_error(format!(
                "a tool's `type` is \"function\", and this is {kind}"
            )));
        }
        let mut function = match take_entry(&mut outside, "function") {
            Some(function) => function.entries().ok_or_else(|| {
                tool_error(format!(
                    "a tool's `function` is an object, and this is {}",
                    function.shape().name()
                ))
            })?,
            None => std::mem::take(&mut outside),
        };
        if let Some(schema) = function.iter_mut().find(|entry| entry.0 == "input_schema") {
            "parameters".clone_into(&mut schema.0);
        }
        if let Some(key) = repeated_key(&function).or(again.as_deref()) {
            return Err(tool_error(format!("the tool gives `{key}` twice")));
        }
        let name = function
            .iter()
            .find(|entry| entry.0 == "name")
            .map(|entry| &entry.1);
        match name.and_then(Json::as_string) {
            Some(name) if !name.is_empty() => Ok(Tool {
                name,
                outside,
                function,
            }),
            Some(_) => Err(tool_error("the tool's name is empty".to_owned())),
            None if name.is_some() => Err(tool_error("the tool's name is not a string".to_owned())),
            None => Err(tool_error("the tool has no name".to_owned())),
        }
    }

    /// The definition in the shape of OpenAI's API.
    ///
    /// ```
    /// assert_eq!(typed_prompt::Tool::new("f").to_json().as_str(), r#"{"type":"function","function":{"name":"f"}}"#);
    /// ```
    pub fn to_json(&self) -> Json {
        let text = serde_json::to_string(self);
        // Names and JSON can always be written.
        text.map_or_else(
            |_| Json::from(serde_json::Value::Null),
            |text| Json::compact(&text),
        )
    }

    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The description of the tool.
    pub fn description(&self) -> Option<String> {
        self.function
            .iter()
            .find(|entry| entry.0 == "description")?
            .1
            .as_string()
    }

    /// The JSON Schema of its arguments.
    pub fn parameters(&self) -> Option<&Json> {
        Some(
            &self
                .function
                .iter()
                .find(|entry| entry.0 == "parameters")?
                .1,
        )
    }

    /// Further facts of the definition.
    pub(crate) fn others(&self) -> impl Iterator<Item = &(String, Json)> {
        let known = ["name", "description", "parameters"];
        self.function
            .iter()
            .filter(move |entry| !known.contains(&&*entry.0))
            .chain(&self.outside)
    }
}

fn tool_error(message: String) -> Error {
    Error::new(ErrorKind::Tool, message).with_help(
        "write `{\"type\": \"function\", \"function\": {\"name\": \"…\", \"parameters\": {…}}}`",
    )
}

/// In the shape of OpenAI's API.
impl Serialize for Tool {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2 + self.outside.len()))?;
        map.serialize_entry("type", "function")?;
        map.serialize_entry("function", &OrderedObject(&self.function))?;
        for (key, value) in &self.outside {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// An object whose entries keep their order.
pub(crate) struct OrderedObject<'a>(pub(crate) &'a [(String, Json)]);

impl Serialize for OrderedObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de> Deserialize<'de> for Tool {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tool, D::Error> {
        Tool::from_json(&Json::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// The values of a tools field: [`Tool`]s, or JSON that defines them.
///
/// ```
/// use typed_prompt::{Tool, tool::ToTools};
///
/// assert_eq!([Tool::new("add")].to_tools()?.len(), 1);
/// let error = serde_json::json!([{"type": "function", "function": {}}]).to_tools().unwrap_err();
/// assert!(error.to_string().starts_with("tools[0]: the tool has no name"));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` offers no tools",
    label = "no tools",
    note = "use `Vec<Tool>`, `&[Tool]`, `Json` or `serde_json::Value`"
)]
pub trait ToTools {
    /// The tools.
    ///
    /// # Errors
    /// A definition that is wrong, with its index.
    fn to_tools(&self) -> Result<Cow<'_, [Tool]>>;
}

macro_rules! slices {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> ToTools for $ty {
            fn to_tools(&self) -> Result<Cow<'_, [Tool]>> {
                Ok(Cow::Borrowed(&self[..]))
            }
        }
    )*};
}

slices! { [] [Tool]; [] Vec<Tool>; [const N: usize] [Tool; N]; }

#[diagnostic::do_not_recommend]
impl ToTools for Tool {
    fn to_tools(&self) -> Result<Cow<'_, [Tool]>> {
        Ok(Cow::Borrowed(std::slice::from_ref(self)))
    }
}

#[diagnostic::do_not_recommend]
impl ToTools for Json {
    fn to_tools(&self) -> Result<Cow<'_, [Tool]>> {
        let Some(items) = self.items() else {
            return Err(tool_error(format!(
                "tools are a list, and this is {}",
                self.shape().name()
            )));
        };
        Ok(Cow::Owned(Json::parse_items(
            &items,
            "tools",
            Tool::from_json,
        )?))
    }
}

#[diagnostic::do_not_recommend]
impl ToTools for serde_json::Value {
    fn to_tools(&self) -> Result<Cow<'_, [Tool]>> {
        Ok(Cow::Owned(Json::from(self).to_tools()?.into_owned()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTools + ?Sized> ToTools for &T {
    fn to_tools(&self) -> Result<Cow<'_, [Tool]>> {
        (**self).to_tools()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTools + ?Sized> ToTools for Trusted<T> {
    fn to_tools(&self) -> Result<Cow<'_, [Tool]>> {
        self.0.to_tools()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTools> ToTools for Option<T> {
    fn to_tools(&self) -> Result<Cow<'_, [Tool]>> {
        self.as_ref()
            .map_or(Ok(Cow::Borrowed(&[])), ToTools::to_tools)
    }
}
