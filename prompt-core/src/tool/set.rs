//! The description of each variant by `#[derive(Tools)]`, and the parser of calls.

use std::sync::OnceLock;

use schemars::SchemaGenerator;
use serde_json::{Map, Value};

use super::argument::TypedArgument;
use super::of::define_tool;
use crate::openai::close_objects;
use crate::output::{LONG_NUMBER_HELP, Schema, exact_value, read_arguments};
use crate::{Error, ErrorKind, Result, Tool, ToolCall};

/// A set of tools, made when it is first used.
pub type Once = OnceLock<Result<Set>>;

/// Tools with the schemas by which their calls are read.
#[derive(Debug, Default)]
pub struct Set {
    tools: Vec<Tool>,
    schemas: Vec<Schema>,
    fault: Option<Error>,
}

impl Set {
    /// The set of a static, made now if it was not.
    pub fn get(once: &'static Once, make: fn(Set) -> Set) -> Result<&'static Set> {
        let made = once.get_or_init(|| {
            let mut set = make(Set::default());
            set.fault.take().map_or(Ok(set), Err)
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// Adds a tool with the doc comment of its variant.
    #[must_use]
    pub fn tool(mut self, name: &str, doc: &[&str], parameters: Parameters) -> Set {
        match parameters.into_tool(name, join_doc_lines(doc)) {
            Ok((tool, schema)) => {
                self.tools.push(tool);
                self.schemas.push(schema);
            }
            Err(error) => self.fault = self.fault.or(Some(error)),
        }
        self
    }

    /// The definitions.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Parses a call: which tool it is, and its arguments.
    pub fn parse(&self, call: &ToolCall) -> Result<Called> {
        let known = self.tools.iter().map(Tool::name);
        let Some(index) = known.clone().position(|name| name == call.name) else {
            return Err(call.unknown(known));
        };
        let arguments = read_arguments(&self.schemas[index], call)?;
        let arguments = match exact_value(arguments) {
            Ok(Value::Object(arguments)) => arguments,
            Ok(_) => Map::new(),
            Err(message) => {
                let message = format!("the call of `{}`: {message}", call.name);
                return Err(Error::new(ErrorKind::Output, message).with_help(LONG_NUMBER_HELP));
            }
        };
        Ok(Called {
            index,
            arguments,
            call: call.clone(),
        })
    }
}

/// Joins the lines of a doc comment, without the space that follows each `///`.
fn join_doc_lines(doc: &[&str]) -> Option<String> {
    let mut text = String::new();
    for line in doc {
        for line in line.split('\n') {
            text += line.strip_prefix(' ').unwrap_or(line).trim_end();
            text.push('\n');
        }
    }
    let text = text.trim_matches('\n');
    (!text.is_empty()).then(|| text.to_owned())
}

/// The parameters of one tool.
#[derive(Debug)]
pub struct Parameters {
    generator: SchemaGenerator,
    /// `None`: the fields.
    whole: Option<Value>,
    fields: Map<String, Value>,
    required: Vec<Value>,
}

impl Parameters {
    /// No parameters.
    #[expect(
        clippy::new_without_default,
        reason = "only generated code makes them, and names what it calls"
    )]
    pub fn new() -> Parameters {
        Parameters {
            generator: SchemaGenerator::default(),
            whole: None,
            fields: Map::new(),
            required: Vec::new(),
        }
    }

    /// The fields of a struct.
    pub fn from_argument<T>(typed: &TypedArgument<T>) -> Parameters {
        Parameters {
            whole: Some((typed.whole)().unwrap_or_default()),
            ..Parameters::new()
        }
    }

    /// Adds one parameter with the doc comment of its field.
    #[must_use]
    pub fn field<T>(
        mut self,
        name: &str,
        doc: &[&str],
        has_default: bool,
        typed: &TypedArgument<T>,
    ) -> Parameters {
        let mut schema = (typed.schema)(&mut self.generator);
        if let Some(text) = join_doc_lines(doc) {
            match &mut schema {
                Value::Object(map) => drop(map.insert("description".to_owned(), text.into())),
                // `true`, the schema of whatever there is.
                other => *other = serde_json::json!({"description": text}),
            }
        }
        self.fields.insert(name.to_owned(), schema);
        if !has_default && (typed.read)(None).is_err() {
            self.required.push(name.into());
        }
        self
    }

    fn into_tool(self, name: &str, description: Option<String>) -> Result<(Tool, Schema)> {
        let schema = match self.whole {
            Some(schema) => schema,
            None => {
                let mut schema = Map::new();
                schema.insert("type".to_owned(), "object".into());
                schema.insert("properties".to_owned(), Value::Object(self.fields));
                if !self.required.is_empty() {
                    schema.insert("required".to_owned(), Value::Array(self.required));
                }
                let mut generator = self.generator;
                let definitions = generator.take_definitions(true);
                if !definitions.is_empty() {
                    schema.insert("$defs".to_owned(), Value::Object(definitions));
                }
                Value::Object(schema)
            }
        };
        // A key that no field has would be dropped by serde.
        let ready = Schema::new(&close_objects(&schema)).map_err(|error| {
            Error::new(
                ErrorKind::Tool,
                format!("the arguments of the tool `{name}` cannot be read: {error}"),
            )
        })?;
        Ok((define_tool(name, description, schema)?, ready))
    }
}

/// A call whose arguments were read.
#[derive(Debug)]
pub struct Called {
    index: usize,
    arguments: Map<String, Value>,
    call: ToolCall,
}

impl Called {
    /// Which tool of the set it is.
    pub fn index(&self) -> usize {
        self.index
    }

    /// One argument; what may be left out is as serde has it for a field that is missing.
    pub fn take<T>(&mut self, name: &str, typed: &TypedArgument<T>) -> Result<T> {
        let read = (typed.read)(self.arguments.remove(name));
        read.map_err(|why| argument_error(&self.call, &format!("{why} (at /{name})")))
    }

    /// One argument, or its default.
    pub fn take_or_default<T: Default>(
        &mut self,
        name: &str,
        typed: &TypedArgument<T>,
    ) -> Result<T> {
        if self.arguments.contains_key(name) {
            self.take(name, typed)
        } else {
            Ok(T::default())
        }
    }

    /// All arguments as one value.
    pub fn parse_whole<T>(self, typed: &TypedArgument<T>) -> Result<T> {
        let read = (typed.read)(Some(Value::Object(self.arguments)));
        read.map_err(|why| argument_error(&self.call, &why))
    }
}

fn argument_error(call: &ToolCall, why: &str) -> Error {
    let message = format!("the call of `{}` does not fit: {why}", call.name);
    Error::new(ErrorKind::Output, message).with_answer(call.arguments.as_str())
}
