//! Parses a LazyLLM case into the parts of a derived prompt.
//!
//! The templates come from the constructor's `instruction`, the fields from `extra_keys` and the slots, their values from the call's
//! `input`. A case that Rust rejects is written as the code that a user would write, with the text of the compile error.

mod call;
mod input;
mod value;

use serde_json::{Map, Value};

use crate::errors;
use crate::python::{self, is_truthy};
use crate::rust::literal;
use crate::template::{Keys, Notation, has_loose_braces, rewrite};

pub(crate) use self::value::history;
use self::value::{argument, identifier, is_message, is_whole_message, object, plain_words};

/// The parameters of `_set_model_configs`.
const CONFIG_KEYS: &[&str] = &[
    "system",
    "sos",
    "soh",
    "soa",
    "eos",
    "eoh",
    "eoa",
    "soe",
    "eoe",
    "tool_start_token",
    "tool_end_token",
    "tool_args_token",
    "separator",
    "plugin",
    "interpreter",
    "stop_words",
];

/// Parameters that the original accepts and ignores.
const UNUSED_KEYS: &[&str] = &["separator", "plugin", "interpreter", "stop_words"];

/// Options of the Chat layout that Alpaca's layout does not have.
const OPTIONS: &[&str] = &["skills", "enable_system", "history"];

/// A parsed case.
#[derive(Default)]
pub(crate) struct Ask {
    pub(crate) alpaca: bool,
    /// The instruction is a dict of `system` and `user`.
    pub(crate) sections: bool,
    /// `system = "…"`, `user = "…"`, and invalid attributes.
    pub(crate) attributes: Vec<String>,
    pub(crate) fields: Vec<Field>,
    /// The value of the only field, if the input is not a dict.
    pub(crate) query: bool,
    /// The input is not a dict, and there are several fields.
    pub(crate) several_fields: bool,
    /// Whether an instruction that the original fills with `str.format` contains braces other than slots.
    pub(crate) has_braces: bool,
    /// Whether the input consists of messages, so that there is no other user turn.
    pub(crate) ends_with_messages: bool,
    /// Whether there is neither text nor a field, so that the conversation is the prompt.
    pub(crate) only_messages: bool,
    /// Whether there is a user template.
    pub(crate) has_user: bool,
    /// The history of the call, and input that consists of messages.
    pub(crate) history: Vec<Value>,
    pub(crate) history_field: Option<String>,
    /// A history that is not a list.
    pub(crate) no_history: Option<Value>,
    /// The constructor's tools and the call's, each with a field.
    pub(crate) tools_fields: Vec<(String, Value)>,
    pub(crate) mode: Mode,
    /// Method calls on the layout: `.skills("…")`.
    pub(crate) options: Vec<String>,
    /// `sos`, `soh`, …: `None` leaves the default.
    pub(crate) keys: Vec<(String, Value)>,
    pub(crate) model: Option<String>,
    /// Whether the dialect cannot express the text of a template.
    pub(crate) unsayable: bool,
    /// The texts of the compile errors, if the case must not compile.
    pub(crate) rejected: Vec<String>,
    /// The kind of the expected run-time error.
    pub(crate) fails: Option<&'static str>,
}

#[derive(Default, PartialEq, Eq)]
pub(crate) enum Mode {
    #[default]
    Text,
    OpenAi,
    Anthropic,
    /// A `format` that does not exist.
    Other(String),
}

/// A field of the struct.
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) trusted: bool,
    /// An extra key, with the title of its section.
    pub(crate) extra: Option<String>,
    /// `None`: the value is missing in the call.
    pub(crate) value: Option<Value>,
}

/// The templates and keys of a case, while it is parsed.
#[derive(Default)]
struct Template {
    keys: Keys,
    system: Option<String>,
    user: Option<String>,
    /// The number of keys in the system template. They come first.
    trusted: usize,
    /// Extra keys, each with its field. The field's name is the title of the section.
    extras: Vec<(String, String)>,
}

impl Template {
    /// The keys that the input must contain, each once.
    fn wanted(&self) -> Vec<String> {
        let mut wanted = self.keys.in_order().to_vec();
        for (key, _) in &self.extras {
            if !wanted.contains(key) {
                wanted.push(key.clone());
            }
        }
        wanted
    }
}

impl Ask {
    pub(crate) fn read(case: &Value) -> Ask {
        let mut ask = Ask {
            alpaca: case["prompter"] == "alpaca",
            ..Ask::default()
        };
        let construct = object(&case["construct"]);
        let call = object(&case["call"]);
        ask.read_mode(&call);
        let mut template = ask.read_construct(&construct);
        ask.read_input(call.get("input").unwrap_or(&Value::Null), &mut template);
        ask.read_call(&call, &mut template);
        ask.read_config(case);
        ask.finish(template);
        ask
    }

    /// Whether there is a value whose type the original rejects and typed-prompt accepts.
    pub(crate) fn is_better(&self) -> bool {
        let mut values = self.fields.iter().filter_map(|field| field.value.as_ref());
        values.any(|value| value.is_number() || value.is_boolean() || value.is_null())
    }

    fn read_mode(&mut self, call: &Map<String, Value>) {
        let format = call.get("format").filter(|format| !format.is_null());
        self.mode = match format.and_then(Value::as_str) {
            Some("openai") => Mode::OpenAi,
            Some("anthropic") => Mode::Anthropic,
            None if format.is_none() && call.get("return_dict").is_some_and(is_truthy) => {
                Mode::OpenAi
            }
            Some("") | None => Mode::Text,
            Some(other) => {
                let other = identifier(other);
                self.rejected.push(errors::no_method(&other));
                Mode::Other(other)
            }
        };
    }

    fn read_construct(&mut self, construct: &Map<String, Value>) -> Template {
        let mut template = Template::default();
        self.read_extra_keys(
            construct.get("extra_keys").unwrap_or(&Value::Null),
            &mut template,
        );
        self.read_instruction(
            construct.get("instruction").unwrap_or(&Value::Null),
            &mut template,
        );
        for (key, value) in construct {
            match key.as_str() {
                "instruction" | "extra_keys" | "show" => {}
                "tools" => self.read_tools(value, &mut template),
                "history" if is_truthy(value) => {
                    self.judge_history(value);
                    let turns = history(value.as_array().map_or(&[], Vec::as_slice));
                    self.option("history", &turns);
                }
                "skills" if is_truthy(value) => {
                    self.option("skills", &argument(value));
                    if !value.is_string() {
                        self.rejected.push(errors::MISMATCHED.to_owned());
                    }
                }
                "enable_system" if !is_truthy(value) => self.option("enable_system", "false"),
                "history" | "skills" | "enable_system" if !self.alpaca => {}
                "history" | "skills" | "enable_system" => self.option(key, &argument(value)),
                other => self.attribute(other, &argument(value)),
            }
        }
        template
    }

    fn read_instruction(&mut self, instruction: &Value, template: &mut Template) {
        match instruction {
            Value::Null => {}
            Value::String(text) => {
                self.has_braces = has_loose_braces(text);
                template.system = self.rewritten(text, &mut template.keys);
            }
            Value::Object(parts) => {
                self.sections = true;
                for (role, text) in parts {
                    match (role.as_str(), text) {
                        ("system" | "user", Value::String(_)) => {}
                        ("assistant", Value::String(text)) => self
                            .attributes
                            .push(format!("assistant = {}", literal(text))),
                        (role, text) => self.attribute(role, &argument(text)),
                    }
                }
                let part = |role| parts.get(role).and_then(Value::as_str);
                template.system =
                    part("system").and_then(|text| self.rewritten(text, &mut template.keys));
                template.trusted = template.keys.in_order().len();
                self.has_braces = ["system", "user"]
                    .into_iter()
                    .filter_map(part)
                    .any(has_loose_braces);
                template.user =
                    part("user").and_then(|text| self.rewritten(text, &mut template.keys));
                return;
            }
            other => self.attribute("system", &argument(other)),
        }
        template.trusted = template.keys.in_order().len();
    }

    fn rewritten(&mut self, text: &str, keys: &mut Keys) -> Option<String> {
        let rewritten = rewrite(text, Notation::Bare, keys);
        self.unsayable |= rewritten.is_none();
        rewritten
    }

    fn read_extra_keys(&mut self, keys: &Value, template: &mut Template) {
        let keys = match keys {
            keys if !is_truthy(keys) => return,
            Value::String(key) => vec![key.clone()],
            Value::Array(keys) => keys.iter().map(python::text).collect(),
            other => return self.attribute("extra", &argument(other)),
        };
        for key in keys {
            let name = template.keys.extra(&key);
            template.extras.push((key, name));
        }
    }

    fn read_config(&mut self, case: &Value) {
        self.model = case["model"].as_str().map(str::to_owned);
        for (key, value) in object(&case["model_config"]) {
            if !CONFIG_KEYS.contains(&key.as_str()) {
                self.rejected.push(errors::unknown_config(&key));
            } else if !(value.is_string()
                || value.is_null()
                || key == "stop_words" && value.is_array())
            {
                if UNUSED_KEYS.contains(&key.as_str()) {
                    continue;
                }
                self.rejected.push(errors::MISMATCHED.to_owned());
            }
            self.keys.push((key, value));
        }
    }

    fn finish(&mut self, mut template: Template) {
        let is_empty = |text: &Option<String>| text.as_ref().is_none_or(String::is_empty);
        let has_text = !is_empty(&template.system) || !is_empty(&template.user);
        self.only_messages = !has_text && self.fields.is_empty() && self.ends_with_messages;
        let is_open =
            !self.history.is_empty() && is_empty(&template.user) && !self.ends_with_messages;
        if !has_text && !self.only_messages || is_open {
            // The user turn exists and is empty.
            let name = template.keys.extra("input");
            template.user = Some(format!("{{{name}}}"));
            self.fields.push(Field {
                name,
                trusted: false,
                extra: None,
                value: Some(Value::from("")),
            });
        }
        // `str.format` reads a number as a position.
        let has_positions = template
            .wanted()
            .iter()
            .any(|key| key.bytes().all(|byte| byte.is_ascii_digit()));
        self.has_braces = self.query && (self.has_braces || has_positions);
        self.has_user = template.user.as_ref().is_some_and(|text| !text.is_empty());
        if !self.history.is_empty() || self.no_history.is_some() {
            self.history_field = Some(template.keys.extra("history"));
        }
        for (role, text) in [("user", template.user), ("system", template.system)] {
            if let Some(mut text) = text.filter(|text| !text.is_empty()) {
                if text.trim().is_empty() {
                    // White space alone is a compile error as a template, so it is a value.
                    let name = template.keys.extra("blank");
                    let value = Some(Value::from(std::mem::replace(
                        &mut text,
                        format!("{{{name}}}"),
                    )));
                    self.fields.push(Field {
                        name,
                        trusted: true,
                        extra: None,
                        value,
                    });
                }
                self.attributes
                    .insert(0, format!("{role} = {}", literal(&text)));
            }
        }
    }

    /// An attribute that the derive does not accept, or not with this value.
    fn attribute(&mut self, key: &str, value: &str) {
        let key = identifier(key);
        self.rejected.push(errors::attribute(&key));
        self.attributes.push(format!("{key} = {value}"));
    }

    /// A method call on the layout. It does not compile if the layout does not have the option.
    fn option(&mut self, name: &str, argument: &str) {
        self.options.push(format!(".{name}({argument})"));
        let known = !self.alpaca && OPTIONS.contains(&name);
        if !known {
            self.rejected.push(errors::no_method(name));
        }
    }
}
