//! Requests: a part that a provider does not accept is an error, and other parts are passed to the writer of its protocol.

use std::collections::VecDeque;

use prompt_core::ToolChoice;
use prompt_core::{Message, Messages, Options, Part, Request, Role, Structured, Tool};
use serde_json::{Map, Value, json};

use super::ChatModel;
use super::protocol::{anthropic, chat_completions, cohere, gemini, ollama, responses};
use super::provider::CacheSupport;
use super::provider::{MediaForm, Protocol, Provider, ReasoningFormat, ToolChoices};
use crate::error::{CallError, CallErrorKind};
use crate::schema::{Restore, closed, insert_at, response_format, schema_name, without_metadata};

/// A checked request, as the writers of the protocols need it.
pub(super) struct RequestDraft<'a> {
    pub(super) provider: &'static Provider,
    pub(super) model: &'a str,
    /// Every tool call has an id and JSON arguments, every result the id of its call. Reasoning is left only where it is
    /// written into the message.
    pub(super) messages: Messages,
    /// For each message, the reasoning blocks that the provider requires in later requests.
    pub(super) blocks: Vec<Vec<Value>>,
    /// For each message, the signatures of its tool calls.
    pub(super) signatures: Vec<Vec<Option<String>>>,
    pub(super) options: &'a Options,
    /// The name and the schema of a constrained answer.
    pub(super) schema: Option<(String, Value)>,
    pub(super) stream: bool,
    pub(super) requests_reasoning: bool,
}

impl ChatModel {
    /// The body of a request, and how the text of its answer is converted back.
    pub(super) fn body(
        &self,
        request: &Request,
        messages: &Messages,
        options: &Options,
        structured: Option<&Structured>,
        stream: bool,
    ) -> Result<(Value, Option<Restore>), CallError> {
        let provider = self.provider;
        check(provider, messages, options)?;
        let mut extra = Map::new();
        let mut schema = None;
        let mut restore = None;
        match (&request.schema, structured) {
            (Some(whole), Some(Structured::Native)) if provider.is_own_server() => {
                // Every field as it is: OpenAI's own servers require all fields.
                extra.insert(
                    "response_format".to_owned(),
                    response_format(request, whole),
                );
            }
            (Some(whole), Some(Structured::Native)) => {
                let sent = match provider.schema.narrow(whole) {
                    Some(narrowed) => {
                        restore = narrowed.restore;
                        narrowed.schema
                    }
                    None => without_metadata(whole),
                };
                schema = Some((schema_name(request.info.name), sent));
            }
            (Some(schema), Some(Structured::Field(field))) => {
                insert_at(&mut extra, field, closed(schema));
            }
            _ => {}
        }
        let (blocks, signatures) = self.reasoning_of(messages)?;
        let draft = RequestDraft {
            provider,
            model: &self.name,
            messages: normalized(provider, messages, self.reasoning_format())?,
            blocks,
            signatures,
            options,
            schema,
            stream,
            requests_reasoning: self.requests_reasoning,
        };
        let mut body = match provider.protocol {
            Protocol::ChatCompletions => chat_completions::body(&draft),
            Protocol::Responses => responses::body(&draft),
            Protocol::Anthropic => anthropic::body(&draft),
            Protocol::Gemini => gemini::body(&draft),
            Protocol::Ollama => ollama::body(&draft),
            Protocol::Cohere => cohere::body(&draft),
        }?;
        body.extend(extra);
        body.extend(options.fields.clone());
        Ok((Value::Object(body), restore))
    }

    pub(super) fn reasoning_format(&self) -> ReasoningFormat {
        match self.sends_reasoning {
            true => self.provider.reasoning,
            false => ReasoningFormat::Omitted,
        }
    }

    #[expect(clippy::type_complexity, reason = "two lists with an item per message")]
    fn reasoning_of(
        &self,
        messages: &Messages,
    ) -> Result<(Vec<Vec<Value>>, Vec<Vec<Option<String>>>), CallError> {
        let format = self.provider.reasoning;
        let cache = &self.reasoning_cache;
        let blocks = (0..messages.len()).map(|index| match self.sends_reasoning {
            true => cache.blocks(index, messages, format, self.provider.name),
            false => Ok(Vec::new()),
        });
        let signatures = messages.iter().map(|message| {
            let calls = message.tool_calls.iter();
            calls.map(|call| cache.signature(call)).collect()
        });
        Ok((blocks.collect::<Result<_, _>>()?, signatures.collect()))
    }
}

/// Fails if the provider does not accept a part of the request.
fn check(provider: &Provider, messages: &Messages, options: &Options) -> Result<(), CallError> {
    let unsupported =
        |message: String, help| Err(CallError::new(CallErrorKind::Setup, message).with_help(help));
    let name = provider.name;
    for (index, message) in messages.iter().enumerate() {
        let role = message.role;
        if !matches!(
            role,
            Role::System | Role::User | Role::Assistant | Role::Tool
        ) {
            let message =
                format!("message {index} has the role `{role}`, which `{name}` does not accept");
            return unsupported(message, "use the role `user`");
        }
        for part in &message.parts {
            let form = match part {
                Part::Text(_) => continue,
                Part::Media(media) => {
                    media.check().map_err(|error| {
                        let message = format!("message {index} ({role}): {error}");
                        CallError::new(CallErrorKind::Setup, message)
                    })?;
                    MediaForm::of(media)
                }
                _ => {
                    return unsupported(
                        format!("message {index} has a part of an unknown kind"),
                        "leave it out",
                    );
                }
            };
            if !provider.media(role).contains(&form) {
                return unsupported(
                    format!(
                        "message {index} ({role}) has a part that `{name}` does not accept there: {form}"
                    ),
                    "docs/providers.md lists the media that each provider accepts",
                );
            }
        }
        if message.name.is_some() && role != Role::Tool && !provider.names {
            return unsupported(
                format!(
                    "message {index} has the name of its speaker, which `{name}` does not accept"
                ),
                "write the name into the text of the message",
            );
        }
    }
    let (effort, choice) = (options.reasoning_effort, options.tool_choice.as_ref());
    let cache = options.prompt_cache.as_ref();
    for (option, is_refused) in [
        ("seed", options.seed.is_some() && provider.seed.is_none()),
        ("stop", !options.stop.is_empty() && !provider.stop),
        (
            "tool_choice",
            choice.is_some_and(|choice| !provider.tool_choice.accepts(choice)),
        ),
        (
            "parallel_tool_calls",
            options.parallel_tool_calls.is_some() && !provider.parallel_tool_calls,
        ),
        (
            "reasoning_effort",
            effort.is_some_and(|effort| !provider.efforts.contains(&effort)),
        ),
        (
            "log_probs",
            options.log_probs.is_some() && !provider.log_probs,
        ),
        (
            "prompt_cache",
            cache.is_some_and(|cache| !provider.prompt_cache.accepts(cache)),
        ),
    ] {
        if is_refused {
            // The value, where the provider accepts others.
            let value = match (option, effort) {
                ("reasoning_effort", Some(effort)) if !provider.efforts.is_empty() => {
                    format!(": {}", effort.name())
                }
                ("tool_choice", _) if provider.tool_choice == ToolChoices::Modes => {
                    ": the name of a tool".to_owned()
                }
                ("prompt_cache", _) => match provider.prompt_cache {
                    CacheSupport::Unsupported => String::new(),
                    CacheSupport::Breakpoints => ": a key".to_owned(),
                    CacheSupport::Key => " except for a key".to_owned(),
                },
                _ => String::new(),
            };
            let message = format!("`{name}` does not accept the option `{option}`{value}");
            return unsupported(
                message,
                "unset it, or send a field of the provider's API with `Options::fields`",
            );
        }
    }
    let tools = messages.tools();
    if let Some(choice) = choice {
        let message = match choice {
            ToolChoice::Auto | ToolChoice::None => return Ok(()),
            _ if tools.is_empty() => {
                "the options require a tool call, but the prompt has no tools".to_owned()
            }
            ToolChoice::Tool(tool) if tools.iter().all(|known| known.name() != tool) => {
                format!("the options require a call of `{tool}`, which is not a tool of the prompt")
            }
            _ => return Ok(()),
        };
        return unsupported(
            message,
            "set `Options::tool_choice` to a tool of the prompt",
        );
    }
    Ok(())
}

/// The messages with complete tool calls: ids, arguments and parameters that some models, servers and programs leave out.
fn normalized(
    provider: &Provider,
    messages: &Messages,
    reasoning: ReasoningFormat,
) -> Result<Messages, CallError> {
    let mut written: Messages = messages.iter().cloned().collect();
    for tool in messages.tools() {
        written = written.with_tool(with_parameters(provider, tool));
    }
    complete_calls(&mut written)?;
    for message in written.iter_mut() {
        if !matches!(
            reasoning,
            ReasoningFormat::Field | ReasoningFormat::ContentPart
        ) {
            message.reasoning = None;
        }
        // The result belongs to its call by the id. Some servers reject another field.
        if message.role == Role::Tool
            && matches!(
                provider.protocol,
                Protocol::ChatCompletions | Protocol::Cohere
            )
        {
            message.name = None;
        }
    }
    Ok(written)
}

/// Completes tool calls and their results: ids and arguments that some models, servers and programs leave out.
pub(crate) fn complete_calls(messages: &mut Messages) -> Result<(), CallError> {
    let mut calls = 0_u32;
    // The calls without a result.
    let mut open: VecDeque<UnansweredCall> = VecDeque::new();
    for (index, message) in messages.iter_mut().enumerate() {
        for call in &mut message.tool_calls {
            calls += 1;
            // Servers write calls without arguments in several ways. All of them are an empty object.
            if matches!(call.arguments.trim(), "" | "null" | "\"\"") {
                call.arguments = "{}".to_owned();
            }
            open.push_back(UnansweredCall {
                had_id: call.id.is_some(),
                // Nine letters and digits: the ids that Mistral accepts.
                id: call
                    .id
                    .get_or_insert_with(|| format!("call{calls:05}"))
                    .clone(),
                name: call.name.clone(),
            });
        }
        if message.role == Role::Tool {
            answer(index, message, &mut open)?;
        }
    }
    Ok(())
}

struct UnansweredCall {
    id: String,
    name: String,
    had_id: bool,
}

/// Adds the id and the name of its call to the result of a tool.
fn answer(
    index: usize,
    message: &mut Message,
    open: &mut VecDeque<UnansweredCall>,
) -> Result<(), CallError> {
    let given = message.tool_call_id.as_deref().filter(|id| !id.is_empty());
    let by_id = open
        .iter()
        .position(|call| call.had_id && Some(&*call.id) == given);
    // The result of a call without an id has the name of the tool, or nothing.
    let wanted = given.or(message.name.as_deref());
    let by_name = || {
        let is_result = |call: &UnansweredCall| wanted.is_none_or(|name| call.name == name);
        open.iter()
            .position(|call| !call.had_id && is_result(call) || given.is_none() && is_result(call))
    };
    match by_id.or_else(by_name).and_then(|found| open.remove(found)) {
        Some(call) => {
            message.tool_call_id = Some(call.id);
            message.name.get_or_insert(call.name);
        }
        None if given.is_none() => {
            let message =
                format!("message {index} is the result of a tool without a call before it");
            let error = CallError::new(CallErrorKind::Setup, message);
            return Err(error.with_help("set `tool_call_id` to the id of the call"));
        }
        None => {}
    }
    Ok(())
}

/// Some servers reject tools without parameters or without a description.
fn with_parameters(provider: &Provider, tool: &Tool) -> Tool {
    let mut tool = tool.clone();
    if tool.parameters().is_none() {
        tool = tool.with_parameters(json!({"type": "object", "properties": {}}));
    }
    if tool.description().is_none() && provider.protocol == Protocol::ChatCompletions {
        tool = tool.with_description("");
    }
    tool
}
