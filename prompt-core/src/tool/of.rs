//! A tool made of a type: its name, its description and its parameters from the type's JSON Schema.

use prompt_base::tool_name;
use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::Tool;
use crate::{Error, ErrorKind, Result};

impl Tool {
    /// The tool whose arguments are this type.
    ///
    /// Its name is the type's, in snake case; its description the type's doc comment; its parameters are the type's
    /// fields, with their doc comments. Calls are read with [`ToolCall::parse_arguments`](crate::ToolCall::parse_arguments).
    ///
    /// # Errors
    /// The type is not a struct with named fields, or a provider rejects its name.
    ///
    /// ```
    /// use typed_prompt::{Tool, ToolCall};
    ///
    /// /// How deep a lake is.
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct LakeDepth {
    ///     /// The lake's name alone.
    ///     lake: String,
    /// }
    ///
    /// let tool = Tool::from_type::<LakeDepth>()?;
    /// assert_eq!(tool.name(), "lake_depth");
    /// assert_eq!(tool.description().as_deref(), Some("How deep a lake is."));
    ///
    /// let call = ToolCall::new("c1", "lake_depth", r#"{lake: "Ammersee"}"#);
    /// assert_eq!(call.parse_arguments::<LakeDepth>()?.lake, "Ammersee");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_type<T: JsonSchema>() -> Result<Tool> {
        let name = T::schema_name();
        define_tool(
            &tool_name::snake_case(&name),
            None,
            schemars::schema_for!(T).to_value(),
        )
    }
}

/// A tool with this name and these parameters. Without a description of its own it has that of the parameters' type.
pub(super) fn define_tool(name: &str, description: Option<String>, schema: Value) -> Result<Tool> {
    if let Some(fault) = tool_name::fault_of_name(name) {
        let message = format!("a tool cannot be named `{name}`: the name {fault}");
        return Err(tool_error(message).with_help(format!("use {}", tool_name::NAME_RULE)));
    }
    let (title, mut parameters) = match schema {
        Value::Object(map) if map.get("type").and_then(Value::as_str) == Some("object") => {
            (None, map)
        }
        Value::Object(map) => (Some(map.get("title").cloned()), map),
        _ => (Some(None), Map::new()),
    };
    if let Some(title) = title {
        let what = match title {
            Some(Value::String(title)) => format!("`{title}`"),
            _ => "its type".to_owned(),
        };
        let message =
            format!("the arguments of the tool `{name}` are an object, and {what} is none");
        return Err(tool_error(message).with_help("use a struct with named fields"));
    }
    let own = parameters.get("description").and_then(Value::as_str);
    let description = description.or_else(|| own.map(str::to_owned));
    parameters.retain(|key, _| !["$schema", "title", "description"].contains(&key.as_str()));
    parameters
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    let tool = match description {
        Some(text) => Tool::new(name).with_description(&text),
        None => Tool::new(name),
    };
    Ok(tool.with_parameters(Value::Object(parameters)))
}

fn tool_error(message: String) -> Error {
    Error::new(ErrorKind::Tool, message)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    struct Page<T> {
        /// The text on it.
        #[expect(dead_code, reason = "only its schema is wanted")]
        items: Vec<T>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is wanted")]
    enum Either {
        A(u8),
        B { text: String },
    }

    #[derive(Deserialize, JsonSchema)]
    #[schemars(rename = "get page")]
    struct Spaced {}

    #[derive(Deserialize, JsonSchema)]
    struct Nothing {}

    #[test]
    fn names_and_parameters_are_those_of_the_type() {
        let tool = Tool::from_type::<Page<u8>>().unwrap();
        assert_eq!((tool.name(), tool.description()), ("page", None));
        let nothing = Tool::from_type::<Nothing>().unwrap();
        assert_eq!(
            nothing.to_json().as_str(),
            r#"{"type":"function","function":{"name":"nothing","parameters":{"type":"object","properties":{}}}}"#
        );
        assert!(Tool::from_type::<BTreeMap<String, u8>>().is_ok());
    }

    #[test]
    fn types_that_every_provider_rejects_are_errors() {
        let said = |tool: Result<Tool>| tool.unwrap_err().to_string();
        assert_eq!(
            said(Tool::from_type::<Either>()),
            "the arguments of the tool `either` are an object, and `Either` is none; use a struct with named fields"
        );
        assert_eq!(
            said(Tool::from_type::<String>()),
            "the arguments of the tool `string` are an object, and `string` is none; use a struct with named fields"
        );
        assert_eq!(
            said(Tool::from_type::<Spaced>()),
            "a tool cannot be named `get page`: the name holds ` `; \
             use ASCII letters, digits, `_` and `-`, a letter or `_` first, at most 64 of them"
        );
        assert!(said(Tool::from_type::<Value>()).contains("are an object"));
    }
}
