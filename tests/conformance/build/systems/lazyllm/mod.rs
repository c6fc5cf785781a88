//! LazyLLM's prompters, as the package `lazyllm` 1.4.0 behaves.

mod empty;
mod keys;
mod read;

use serde_json::Value;

use crate::item::{Field, Item};
use crate::plan::{Plan, System};
use crate::rust::literal;
use crate::{goldens, python, value};
use read::{Ask, Mode};

pub(crate) const SYSTEM: System = System {
    name: "lazyllm",
    title: "LazyLLM",
    file: "lazyllm.json",
    uses: "use typed_prompt::{ChatFormat, History, Messages, Prompt, Tool, compat::lazyllm, message::Json, value::{Python, python}};",
    glue: "",
    cases: goldens::cases,
    plan,
};

/// The key sets of the model groups, each against `Keys::from_name`.
pub(crate) const KEYS: System = System {
    name: "lazyllm_model_keys",
    title: "LazyLLM",
    file: "lazyllm_model_keys.json",
    uses: "use typed_prompt::compat::lazyllm;",
    glue: "",
    cases: keys::cases,
    plan: keys::plan,
};

fn plan(case: &Value) -> Plan {
    if case["prompter"] == "empty" {
        return empty::plan(case);
    }
    let ask = Ask::read(case);
    if ask.unsayable {
        return Plan::unmapped("the brace dialect cannot express this text");
    }
    if !ask.rejected.is_empty() {
        if case.get("expect").is_some() && case["quirk"] != true {
            return Plan::unmapped(format!(
                "it renders in the original, and is rejected here: {}",
                ask.rejected.join(", ")
            ));
        }
        let body = format!(
            "{{\n{}    drop({});\n    Ok(())\n}}",
            ask.prompt(false),
            ask.layout_call()
        );
        return Plan::Reject {
            body,
            words: ask.rejected,
        };
    }
    let wanted = match (case.get("expect"), ask.fails) {
        (Some(Value::String(text)), _) => format!("Wanted::Text({})", literal(text)),
        (Some(other), _) => format!("Wanted::Json({})", literal(&other.to_string())),
        (None, Some(kind)) => format!("Wanted::Error({})", literal(kind)),
        (None, None) if ask.is_better() || ask.has_braces => return ask.twins(),
        (None, None) if case["quirk"] == true => "Wanted::Twins".to_owned(),
        (None, None) => {
            let error = &case["expect_error"];
            return Plan::unmapped(format!(
                "the original fails with an error that has no counterpart here: {error}"
            ));
        }
    };
    Plan::Run {
        body: format!("{{\n{}    {}\n}}", ask.prompt(false), ask.end()),
        wanted,
    }
}

impl Ask {
    /// `struct Case` and `let prompt`. With `plain`, numbers are Python's `str` of them, and `None` is left out.
    fn prompt(&self, plain: bool) -> String {
        if self.only_messages {
            return format!(
                "    let prompt = Messages::from_iter({}){};\n",
                read::history(&self.history),
                self.with_tools()
            );
        }
        let mut attributes = self.attributes.clone();
        let mut fields: Vec<Field> = Vec::new();
        // An extra field that is `None` has no section.
        let is_there = |field: &&read::Field| !(plain && field.value == Some(Value::Null));
        for field in self.fields.iter().filter(is_there) {
            let mut marks = Vec::new();
            if field.trusted {
                marks.push("trusted".to_owned());
            }
            if let Some(title) = &field.extra {
                let own = *title == field.name;
                marks.push(if own {
                    "extra".to_owned()
                } else {
                    format!("extra = {}", literal(title))
                });
            }
            let value = field.value.as_ref().map(|value| match value {
                Value::Number(_) | Value::Bool(_) if plain => Value::String(python::text(value)),
                other => other.clone(),
            });
            fields.push(Field::of(field.name.clone(), marks, value.as_ref()));
        }
        if let Some(name) = &self.history_field {
            attributes.extend((!self.has_user).then(|| "history".to_owned()));
            fields.push(given(
                name,
                "history",
                "History",
                &self.no_history.as_ref().map_or_else(
                    || read::history(&self.history),
                    |other| {
                        format!(
                            "History::parse_with_system({})?",
                            literal(&other.to_string())
                        )
                    },
                ),
            ));
        }
        for (name, tools) in &self.tools_fields {
            fields.push(given(
                name,
                "tools, trusted",
                "Json",
                &format!("Json::parse({})?", literal(&tools.to_string())),
            ));
        }
        let mut item = Item { attributes, fields };
        let alone =
            item.fields.len() == 1 && matches!(&self.fields[..], [field] if field.extra.is_none());
        if self.query && alone {
            item.attributes.push("from".to_owned());
        }
        let query = self.query && alone || self.several_fields;
        let literal = match item.fields.first().and_then(|field| field.value.as_ref()) {
            Some(value) if query => format!("Case::from({value})"),
            _ => item.literal(),
        };
        format!("{}    let prompt = {literal};\n", item.declaration())
    }

    /// The tools of a prompt that consists of messages.
    fn with_tools(&self) -> String {
        let tools = self
            .tools_fields
            .iter()
            .filter_map(|(_, tools)| tools.as_array())
            .flatten();
        tools
            .map(|tool| {
                format!(
                    ".with_tool(Tool::from_json(&Json::parse({})?)?)",
                    literal(&tool.to_string())
                )
            })
            .collect()
    }

    fn layout(&self) -> String {
        let name = if self.alpaca { "Alpaca" } else { "Chat" };
        let form = if self.sections { ".roles()" } else { "" };
        format!(
            "lazyllm::{name}::new(){form}{}{}",
            self.keys(),
            self.options.concat()
        )
    }

    fn keys(&self) -> String {
        let fields =
            self.keys.iter().filter(|(_, value)| !value.is_null()).map(
                |(key, value)| match value {
                    Value::Array(words) => {
                        let words = words
                            .iter()
                            .map(|word| format!("{}.into()", value::rust_value(word)));
                        format!(
                            "{key}: vec![{}].into()",
                            words.collect::<Vec<_>>().join(", ")
                        )
                    }
                    value => format!("{key}: {}.into()", value::rust_value(value)),
                },
            );
        let fields: Vec<String> = fields.collect();
        match (&self.model, &fields[..]) {
            (None, []) => String::new(),
            (Some(model), []) => format!(".keys(lazyllm::Keys::from_name({})?)", literal(model)),
            _ => format!(
                ".keys(lazyllm::Keys {{ {}, ..lazyllm::Keys::default() }})",
                fields.join(", ")
            ),
        }
    }

    /// The last call of a case that must not compile.
    fn layout_call(&self) -> String {
        match &self.mode {
            Mode::Text => format!("prompt.to_text({})", self.layout()),
            Mode::OpenAi => format!("{}.to_messages(&prompt)?.openai()", self.layout()),
            Mode::Anthropic => format!("{}.to_messages(&prompt)?.anthropic()", self.layout()),
            Mode::Other(format) => format!("{}.to_messages(&prompt)?.{format}()", self.layout()),
        }
    }

    fn end(&self) -> String {
        match self.mode {
            Mode::Text => format!("guarded(&prompt, {})", self.layout()),
            _ => format!("json(&{})", self.layout_call()),
        }
    }

    fn twins(&self) -> Plan {
        let twin = |plain| format!("{{\n{}    {}\n    }}", self.prompt(plain), self.end());
        let body = format!(
            "{{\n    twins({}, {})\n}}",
            closure(&twin(false)),
            closure(&twin(true))
        );
        Plan::Run {
            body,
            wanted: "Wanted::Twins".to_owned(),
        }
    }
}

fn closure(block: &str) -> String {
    format!("(|| -> Outcome {block})()?")
}

fn given(name: &str, mark: &str, ty: &str, value: &str) -> Field {
    Field {
        name: name.to_owned(),
        attributes: vec![mark.to_owned()],
        ty: ty.to_owned(),
        value: Some(value.to_owned()),
    }
}
