//! Functions for the generated cases of AISBench: conversions to the forms in which the package keeps prompts.

use prompt_eval::retrieve::{Query, Retriever};
use prompt_eval::{Completion, Conversation};
use serde::Serialize;
use serde_json::{Map, Value, json};
use typed_prompt::compat::aisbench::{Dialogue, Item, MetaTemplate, Turn};
use typed_prompt::format::FormatOptions;
use typed_prompt::{
    Error, ErrorKind, Examples, Guard, Message, Prompt, Result, Role,
    history::ToHistory,
    message::{Json, Part, Text},
    write::Writer,
};

use crate::case::{Got, Outcome};

/// Converts an error of `prompt-eval`.
pub(crate) fn eval<T>(result: Result<T, prompt_eval::DataError>) -> Result<T> {
    result.map_err(|error| Error::new(ErrorKind::Value, error.to_string()))
}

/// All messages of a prompt, with a mask instead of its answer.
pub(crate) fn said(prompt: &impl Prompt, mask: &'static str) -> Result<Text> {
    let mut text = Text::new();
    for message in &prompt.messages_with_mask(mask)? {
        message.texts().for_each(|part| text.push(part));
    }
    Ok(text)
}

/// A turn of a role whose text is a prompt.
pub(crate) fn turn(role: &'static str, prompt: &impl Prompt, mask: &'static str) -> Result<Turn> {
    let messages = prompt.messages_with_mask(mask)?;
    let mut turn = Turn::new(role, Text::new());
    turn.parts = messages
        .into_iter()
        .flat_map(|message| message.parts)
        .collect();
    Ok(turn)
}

/// Examples as turns.
pub(crate) fn examples(examples: &Examples) -> Result<Vec<Turn>> {
    Ok(examples.to_history()?.iter().map(Turn::from).collect())
}

/// Examples as text.
pub(crate) fn text(examples: &Examples) -> Result<String> {
    let mut out = Writer::new();
    out.slot("examples", examples);
    let messages = out.finish()?;
    Ok(messages.iter().map(Message::text).collect())
}

/// The indices that a retriever returns for each row.
pub(crate) fn retrieve(
    retriever: &mut impl Retriever,
    texts: &[&str],
    count: usize,
) -> Result<Vec<Vec<usize>>> {
    let rows = texts.iter().enumerate();
    rows.map(|(row, text)| eval(retriever.select_rows(&Query::row(row).text(text), count)))
        .collect()
}

/// Turns with the role names of the package.
pub(crate) fn items(turns: &[Turn]) -> Vec<Value> {
    let item = |turn: &Turn| json!({"role": turn.role, "prompt": parts(&turn.parts)});
    turns.iter().map(item).collect()
}

fn all_items(dialogue: &Dialogue) -> Vec<Value> {
    let sections = [&dialogue.begin, &dialogue.round, &dialogue.end];
    let mut all = Vec::new();
    for item in sections.into_iter().flatten() {
        match item {
            Item::Text(text) if text.is_empty() => {}
            Item::Text(text) => all.push(json!(text.as_str())),
            Item::Turn(turn) => all.extend(items(std::slice::from_ref(turn))),
            Item::ExampleTurns(turns) => all.extend(items(turns)),
        }
    }
    all
}

/// Text, or a list of parts.
fn parts(parts: &[Part]) -> Value {
    let texts = parts.iter().map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    match texts.collect::<Option<String>>() {
        Some(text) => json!(text),
        None => json!(parts),
    }
}

/// A model: its meta template, and whether it accepts messages.
pub(crate) struct Model {
    meta: MetaTemplate,
    is_chat: bool,
}

impl Model {
    pub(crate) fn read(meta: &str, is_chat: bool) -> Result<Model> {
        // Token ids are decoded with Llama's vocabulary.
        let llama = |id| {
            ["<unk>", "<s>", "</s>"]
                .get(id as usize)
                .map(|token| (*token).to_owned())
        };
        let meta = MetaTemplate::from_json_with(&Json::parse(meta)?, llama)?;
        Ok(Model { meta, is_chat })
    }

    /// The input of the model: a text, or messages with the role names of the package.
    fn given(&self, dialogue: &Dialogue, complete: bool) -> Result<(Value, Option<Value>)> {
        if !self.is_chat {
            let options = FormatOptions::new()
                .guard(Guard::Allow)
                .generation_prompt(!complete);
            let text = self.meta.format_dialogue(dialogue, &options)?;
            return Ok((json!(text.as_str()), None));
        }
        let messages = match complete {
            true => self.meta.complete_messages(dialogue)?,
            false => self.meta.messages(dialogue)?,
        };
        if self.meta.round.is_empty() {
            let only = &messages[0];
            let content = parts(&only.parts);
            return Ok((
                content.clone(),
                Some(json!([{"role": "user", "content": content}])),
            ));
        }
        let named = |message: &Message| json!({"role": api_name(message.role), "prompt": parts(&message.parts)});
        let given: Vec<Value> = messages.iter().map(named).collect();
        Ok((json!(given), Some(json!(messages))))
    }
}

fn api_name(role: Role) -> &'static str {
    match role {
        Role::System => "SYSTEM",
        Role::User => "HUMAN",
        Role::Assistant => "BOT",
        _ => "TOOL",
    }
}

/// A complete dialogue for scoring.
pub(crate) fn complete(model: &Model, dialogue: &Dialogue) -> Result<Value> {
    Ok(model.given(dialogue, true)?.0)
}

/// The results of a case, with the names of the golden file.
#[derive(Default)]
pub(crate) struct Results(Map<String, Value>);

impl Results {
    pub(crate) fn set(&mut self, key: &str, value: impl Serialize) {
        self.0.insert(key.to_owned(), json!(value));
    }

    pub(crate) fn json(&mut self, key: &str, value: &str) {
        self.0.insert(
            key.to_owned(),
            serde_json::from_str(value).unwrap_or(Value::Null),
        );
    }

    /// A prompt that is one text. A chat model receives it as a user message.
    pub(crate) fn text(&mut self, model: &Model, text: &str) {
        self.set("prompt", text);
        self.set("final", text);
        if model.is_chat {
            self.set("messages", json!([{"role": "user", "content": text}]));
        }
    }

    pub(crate) fn dialogue(
        &mut self,
        model: &Model,
        dialogue: &Dialogue,
        complete: bool,
    ) -> Result<()> {
        self.set("prompt_no_markers", all_items(dialogue));
        let (given, messages) = model.given(dialogue, complete)?;
        self.set("final", given);
        if let Some(messages) = messages {
            self.set("messages", messages);
        }
        Ok(())
    }

    pub(crate) fn label(&mut self, label: &str, given: Value) {
        let labels = self.0.entry("by_label").or_insert_with(|| json!({}));
        labels[label] = given;
    }

    /// A request for the log-probability of the end of a text.
    pub(crate) fn call(&mut self, scored: &Completion) {
        let call = json!({
            "prompts": [scored.text()],
            "mask_length_chars": [scored.context.chars().count()],
        });
        let calls = self.0.entry("ppl_calls").or_insert_with(|| json!([]));
        if let Value::Array(calls) = calls {
            calls.push(call);
        }
    }

    /// A conversation, sent until it ends or a request fails.
    pub(crate) fn asked(
        &mut self,
        model: &Model,
        begin: &[Item],
        mut asked: Conversation,
        replies: &[&str],
        fail_at: Option<usize>,
    ) -> Result<()> {
        self.set("chat", asked.messages());
        let mut requests = Vec::new();
        while let Some(request) = asked.next_request() {
            let mut dialogue = Dialogue::from(&request);
            dialogue.begin.splice(0..0, begin.iter().cloned());
            requests.push(model.given(&dialogue, false)?.0);
            let count = requests.len();
            if fail_at == Some(count) {
                break;
            }
            let own = format!("answer{count}");
            asked.push_answer(replies.get(count - 1).copied().unwrap_or(&own));
        }
        self.set("requests", requests);
        Ok(())
    }

    /// Converts user messages to lists of parts, also if they consist of text alone.
    pub(crate) fn listed(&mut self) {
        if let Some(last) = self.0.get_mut("final")
            && let Some(text) = last.as_str()
        {
            *last = json!([{"type": "text", "text": text}]);
        }
        for (key, content) in [("final", "prompt"), ("messages", "content")] {
            let turns = self.0.get_mut(key).and_then(Value::as_array_mut);
            for turn in turns.into_iter().flatten() {
                let is_users = turn["role"] == "HUMAN" || turn["role"] == "user";
                if let Some(text) = turn[content].as_str().filter(|_| is_users) {
                    turn[content] = json!([{"type": "text", "text": text}]);
                }
            }
        }
    }

    /// Some parts contain the address directly in their key.
    pub(crate) fn plain(&mut self, keys: &[&str]) {
        for value in self.0.values_mut() {
            flatten(value, keys);
        }
    }

    /// Result of a case: the values that are compared.
    pub(crate) fn end(mut self, keys: &[&str]) -> Outcome {
        self.0.retain(|key, _| keys.contains(&&**key));
        Ok(Got::Json(Value::Object(self.0)))
    }
}

fn flatten(value: &mut Value, keys: &[&str]) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| flatten(item, keys)),
        Value::Object(map) => {
            for (key, value) in map {
                match value.get("url").cloned() {
                    Some(url) if keys.contains(&&**key) => *value = url,
                    _ => flatten(value, keys),
                }
            }
        }
        _ => {}
    }
}
