//! The file of recordings: parsing, lookup by request, and appending.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::openai::RequestOptions;
use crate::openai::answer;
use crate::{
    Error, ErrorKind, FinishReason, Reply, Request, Result, Structured, TokenLogProb, ToolCall,
    Usage,
};
use prompt_base::file::owner_only;

/// The recordings of one file, in order.
pub(super) struct Cassette(Vec<RecordedReply>);

struct RecordedReply {
    asked: Asked,
    reply: Reply,
    /// How often it was returned since the file was opened.
    given: bool,
}

/// The parts of a request that determine its answer.
#[derive(Clone, PartialEq)]
pub(super) struct Asked {
    prompt: String,
    fingerprint: String,
    request: Value,
}

impl Cassette {
    /// Parses a file. Errors contain the line's number.
    pub(super) fn parse(text: &[u8]) -> Result<Cassette, String> {
        let mut entries = Vec::new();
        for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let json: Value = serde_json::from_slice(line)
                .map_err(|error| format!("hold no JSON in line {}: {error}", index + 1))?;
            let entry = parse_entry(&json);
            entries.push(entry.ok_or_else(|| format!("hold no recording in line {}", index + 1))?);
        }
        Ok(Cassette(entries))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The next answer to a request, or the last one again.
    pub(super) fn find_reply(&mut self, asked: &Asked) -> Option<Reply> {
        let fits = |entry: &RecordedReply| entry.asked == *asked;
        let at = self.0.iter().position(|entry| fits(entry) && !entry.given);
        let at = at.or_else(|| self.0.iter().rposition(fits))?;
        self.0[at].given = true;
        Some(self.0[at].reply.clone())
    }

    /// The recording that is most like a request: of the same prompt, with the most lines in common.
    pub(super) fn nearest_request(&self, asked: &Asked) -> Option<&Asked> {
        let wanted = asked.to_readable_text();
        let wanted: Vec<&str> = wanted.lines().collect();
        let mut nearest = None;
        let mut most = 0;
        for entry in &self.0 {
            if entry.asked.prompt != asked.prompt {
                continue;
            }
            let mut alike = 0;
            for line in entry.asked.to_readable_text().lines() {
                alike += usize::from(wanted.contains(&line));
            }
            if alike >= most {
                (nearest, most) = (Some(&entry.asked), alike);
            }
        }
        nearest
    }

    /// Adds an answer to the file and to the list.
    pub(super) fn add(&mut self, path: &Path, asked: Asked, reply: &Reply) -> std::io::Result<()> {
        let line = json!({
            "prompt": asked.prompt,
            "fingerprint": asked.fingerprint,
            "request": asked.request,
            "reply": from_reply(reply),
        });
        let mut options = File::options();
        options.create(true).read(true).append(true);
        let mut file = owner_only(&mut options).open(path)?;
        let length = file.metadata()?.len();
        // An editor may have left out the end of the last line.
        let start = if ends_a_line(&mut file, length)? {
            ""
        } else {
            "\n"
        };
        let line = format!("{start}{line}\n");
        if let Err(error) = file.write_all(line.as_bytes()) {
            remove_start(&mut file, length, &line)?;
            return Err(error);
        }
        self.0.push(RecordedReply {
            asked,
            reply: reply.clone(),
            given: true,
        });
        Ok(())
    }
}

/// Whether a file is empty, or its last line is whole.
fn ends_a_line(file: &mut File, length: u64) -> std::io::Result<bool> {
    let mut last = [b'\n'];
    if length > 0 {
        file.seek(SeekFrom::Start(length - 1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last == [b'\n'])
}

/// Removes the written part of a line that does not fit on the disk, unless another program has written after it.
fn remove_start(file: &mut File, length: u64, line: &str) -> std::io::Result<()> {
    let mut written = Vec::new();
    file.seek(SeekFrom::Start(length))?;
    file.take(line.len() as u64).read_to_end(&mut written)?;
    match line.as_bytes().starts_with(&written) {
        true => file.set_len(length),
        false => Ok(()),
    }
}

impl Asked {
    pub(super) fn new(request: &Request) -> Result<Asked> {
        let unwritable = |error: serde_json::Error| Error::new(ErrorKind::Json, error.to_string());
        let mut json = serde_json::to_value(request.messages.openai()).map_err(unwritable)?;
        if let (Some(schema), Value::Object(map)) = (&request.schema, &mut json) {
            map.insert("schema".to_owned(), schema.clone());
        }
        if let (1.., Value::Object(map)) = (request.repeat, &mut json) {
            map.insert("repeat".to_owned(), request.repeat.into());
        }
        let options = RequestOptions {
            options: &request.options,
            max_tokens: "max_tokens",
            seed: Some("seed"),
            is_chat: true,
        };
        let mut map = match serde_json::to_value(options).map_err(unwritable)? {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        // A number without a form in JSON is omitted.
        map.retain(|_, value| !value.is_null());
        map.extend(request.options.fields.clone());
        if let (false, Value::Object(json)) = (map.is_empty(), &mut json) {
            json.insert("options".to_owned(), Value::Object(map));
        }
        let fingerprint = request.info.fingerprint.to_string();
        Ok(Asked {
            prompt: request.info.name.to_owned(),
            fingerprint,
            request: json,
        })
    }

    pub(super) fn to_json(&self) -> String {
        json!([self.prompt, self.fingerprint, self.request]).to_string()
    }

    /// Whether the prompt is unchanged: only its input, or the options, may differ.
    pub(super) fn is_of_same_prompt(&self, other: &Asked) -> bool {
        (&self.prompt, &self.fingerprint) == (&other.prompt, &other.fingerprint)
    }

    /// The request over several lines, for a reader.
    pub(super) fn to_readable_text(&self) -> String {
        let mut text = format!("fingerprint: {}\n", self.fingerprint);
        let Value::Object(request) = &self.request else {
            return text;
        };
        for (key, value) in request {
            match (key.as_str(), value) {
                ("messages", Value::Array(messages)) => {
                    messages
                        .iter()
                        .for_each(|message| write_turn(message, &mut text));
                }
                _ => drop(writeln!(text, "{key}: {value:#}")),
            }
        }
        text
    }
}

fn write_turn(message: &Value, text: &mut String) {
    let _ = write!(text, "{}: ", message["role"].as_str().unwrap_or_default());
    match &message["content"] {
        Value::String(content) => text.push_str(content),
        Value::Null => {}
        content => drop(write!(text, "{content:#}")),
    }
    text.push('\n');
    for key in ["reasoning_content", "name", "tool_call_id", "tool_calls"] {
        if let Some(value) = message.get(key) {
            let _ = writeln!(text, "  {key}: {value}");
        }
    }
}

fn from_reply(reply: &Reply) -> Value {
    let mut json = json!({"text": reply.text});
    if let Some(reasoning) = &reply.reasoning {
        json["reasoning"] = json!(reasoning);
    }
    if !reply.tool_calls.is_empty() {
        let call = |call: &ToolCall| json!({"id": call.id, "name": call.name, "arguments": call.arguments});
        json["tool_calls"] = reply.tool_calls.iter().map(call).collect();
    }
    if let Some(model) = &reply.model {
        json["model"] = json!(model);
    }
    if let Some(finish) = &reply.finish {
        json["finish"] = json!(finish.name());
    }
    if let Some(structured) = &reply.structured {
        json["structured"] = match structured {
            Structured::Field(field) => json!({"field": field}),
            other => json!(other.name()),
        };
    }
    if let Some(id) = &reply.id {
        json["id"] = json!(id);
    }
    if !reply.log_probs.is_empty() {
        let pair = |(token, log_prob): &(String, f64)| json!({"token": token, "logprob": log_prob});
        let token = |token: &TokenLogProb| {
            let top: Vec<Value> = token.top.iter().map(pair).collect();
            json!({"token": token.token, "logprob": token.log_prob, "top_logprobs": top})
        };
        json["log_probs"] = reply.log_probs.iter().map(token).collect();
    }
    if let Some(usage) = reply.usage {
        json["usage"] = json!({"input": usage.input, "output": usage.output});
        for (name, tokens) in [
            ("cached_input", usage.cached_input),
            ("cache_writes", usage.cache_writes),
            ("reasoning", usage.reasoning),
        ] {
            if tokens > 0 {
                json["usage"][name] = json!(tokens);
            }
        }
    }
    json
}

fn to_reply(json: &Value) -> Option<Reply> {
    let text = |json: &Value, key: &str| json.get(key)?.as_str().map(str::to_owned);
    // The value has to be a string if it exists.
    let optional = |key: &str| match json.get(key) {
        None => Some(None),
        Some(_) => text(json, key).map(Some),
    };
    let mut reply = Reply::new(text(json, "text")?);
    reply.reasoning = optional("reasoning")?;
    reply.model = optional("model")?;
    reply.id = optional("id")?;
    reply.log_probs = json
        .get("log_probs")
        .map(answer::log_probs)
        .unwrap_or_default();
    reply.finish = optional("finish")?.map(|reason| FinishReason::from_name(&reason));
    reply.structured = match json.get("structured") {
        None => None,
        Some(Value::String(name)) if name == "native" => Some(Structured::Native),
        Some(Value::String(name)) if name == "described" => Some(Structured::Described),
        Some(Value::String(name)) if name == "tool" => Some(Structured::Tool),
        Some(Value::String(name)) if name == "described_schema" => {
            Some(Structured::DescribedSchema)
        }
        Some(field) => Some(Structured::Field(text(field, "field")?.into())),
    };
    reply.usage = match json.get("usage") {
        None => None,
        Some(usage) => {
            let detail = |name: &str| usage[name].as_u64().unwrap_or_default();
            Some(Usage {
                input: usage["input"].as_u64()?,
                output: usage["output"].as_u64()?,
                cached_input: detail("cached_input"),
                cache_writes: detail("cache_writes"),
                reasoning: detail("reasoning"),
            })
        }
    };
    let calls = match json.get("tool_calls") {
        None => &[],
        Some(calls) => calls.as_array()?.as_slice(),
    };
    for call in calls {
        reply.tool_calls.push(ToolCall {
            id: match &call["id"] {
                Value::Null => None,
                id => Some(id.as_str()?.to_owned()),
            },
            name: text(call, "name")?,
            arguments: text(call, "arguments")?,
        });
    }
    Some(reply)
}

fn parse_entry(json: &Value) -> Option<RecordedReply> {
    let text = |key: &str| json.get(key)?.as_str().map(str::to_owned);
    let request = json
        .get("request")
        .filter(|request| request.is_object())?
        .clone();
    let asked = Asked {
        prompt: text("prompt")?,
        fingerprint: text("fingerprint")?,
        request,
    };
    Some(RecordedReply {
        asked,
        reply: to_reply(json.get("reply")?)?,
        given: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_restored_unchanged() {
        let mut reply = Reply::calls([ToolCall::new("c1", "add", r#"{"a": 1}"#)]);
        reply.text = "Line one\nline \"two\"".to_owned();
        reply.reasoning = Some("So.".to_owned());
        let mut usage = Usage::new(1, 2);
        (usage.cached_input, usage.reasoning) = (1, 2);
        reply = reply.with_model("m").with_usage(usage);
        for finish in [
            FinishReason::Stop,
            FinishReason::Length,
            FinishReason::ToolCalls,
            FinishReason::ContentFilter,
            FinishReason::Other("odd".into()),
        ] {
            let reply = reply.clone().with_finish(finish);
            assert_eq!(to_reply(&from_reply(&reply)), Some(reply));
        }
        for structured in [
            Structured::Native,
            Structured::Field("json_schema".into()),
            Structured::Described,
            Structured::DescribedSchema,
            Structured::Tool,
        ] {
            let reply = reply.clone().with_structured(structured);
            assert_eq!(to_reply(&from_reply(&reply)), Some(reply));
        }
    }

    #[test]
    fn a_recording_begins_a_line_of_its_own() {
        let good = r#"{"prompt":"A","fingerprint":"0","request":{},"reply":{"text":"x"}}"#;
        let path = std::env::temp_dir().join(format!("typed-prompt-line-{}", std::process::id()));
        for (kept, count) in [("", 1), (good, 2), (&format!("{good}\n"), 2)] {
            std::fs::write(&path, kept).expect("a temporary file");
            let mut cassette = Cassette::parse(kept.as_bytes()).expect("it is right");
            let asked = Asked {
                prompt: "B".to_owned(),
                fingerprint: "1".to_owned(),
                request: json!({}),
            };
            let added = cassette.add(&path, asked, &Reply::new("y"));
            added.expect("the size is within the limit");
            let text = std::fs::read_to_string(&path).expect("it is there");
            let read = Cassette::parse(text.as_bytes()).map(|cassette| cassette.len());
            assert_eq!(read, Ok(count), "{text}");
        }
        std::fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn invalid_fields_of_a_reply_are_errors() {
        for reply in [
            r#"{"text":"x","reasoning":1}"#,
            r#"{"text":"x","finish":[]}"#,
            r#"{"text":"x","tool_calls":{}}"#,
            r#"{"text":"x","tool_calls":[{"id":1,"name":"f","arguments":"{}"}]}"#,
            r#"{"text":"x","usage":{"input":-1,"output":1}}"#,
            r#"{"text":"x","structured":1}"#,
            r#"{"reasoning":"x"}"#,
        ] {
            let line =
                format!(r#"{{"prompt":"A","fingerprint":"0","request":{{}},"reply":{reply}}}"#);
            let error = Cassette::parse(line.as_bytes()).err();
            assert_eq!(
                error.as_deref(),
                Some("hold no recording in line 1"),
                "{reply}"
            );
        }
    }

    #[test]
    fn the_error_names_the_invalid_line() {
        let good = r#"{"prompt":"A","fingerprint":"0","request":{},"reply":{"text":"x"}}"#;
        assert_eq!(
            Cassette::parse(format!("{good}\n\n{good}\n").as_bytes())
                .ok()
                .map(|all| all.len()),
            Some(2)
        );
        assert_eq!(
            Cassette::parse(format!("{good}\n{{}}").as_bytes())
                .err()
                .unwrap(),
            "hold no recording in line 2"
        );
        assert!(
            Cassette::parse(b"nonsense")
                .err()
                .unwrap()
                .starts_with("hold no JSON in line 1")
        );
    }
}
