//! The check of requests: a part that a provider does not accept is an error, and tool calls are completed.

use std::collections::VecDeque;

use prompt_core::PromptCache;
use prompt_core::{Message, Messages, Options, Part, Role, Tool};
use serde_json::json;

use super::provider::Provider;
use super::support::{CacheSupport, MediaForm, ReasoningFormat, ToolChoices};
use crate::error::{CallError, CallErrorKind};

/// Fails if the provider does not accept a part of the request.
pub(super) fn check_support(
    provider: &Provider,
    messages: &Messages,
    options: &Options,
) -> Result<(), CallError> {
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
                    MediaForm::from_media(media)
                }
                _ => {
                    return unsupported(
                        format!("message {index} has a part of an unknown kind"),
                        "leave it out",
                    );
                }
            };
            if !provider.accepted_media(role).contains(&form) {
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
            "prompt_cache_ttl",
            options.prompt_cache_ttl.is_some() && provider.cache_ttl(options).is_none(),
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
                ("prompt_cache_ttl", _) if !provider.cache_ttls.is_empty() => {
                    let known = provider.cache_ttls.iter().map(|(name, _)| *name);
                    let known = known.collect::<Vec<_>>().join(" or ");
                    format!(" of another time than {known}")
                }
                ("prompt_cache", _) => match provider.prompt_cache {
                    CacheSupport::Unsupported => String::new(),
                    CacheSupport::KeyAndBreakpoints => ": a stored prompt".to_owned(),
                    CacheSupport::Breakpoints => ": a key or a stored prompt".to_owned(),
                    CacheSupport::Key => " except for a key".to_owned(),
                    CacheSupport::Stored => {
                        " except for a prompt of `ChatModel::store_prompt`".to_owned()
                    }
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
    if let Some(PromptCache::Stored(stored)) = cache {
        let is_beginning = stored.is_beginning_of(messages);
        let is_beginning = is_beginning.map_err(|error| CallError::from_setup(&error))?;
        if !is_beginning {
            let (stored, count) = (stored.name(), stored.message_count());
            return unsupported(
                format!(
                    "the prompt does not begin with the messages and the tools of the stored prompt `{stored}`, which has {count} message{}",
                    if count == 1 { "" } else { "s" }
                ),
                "store the beginning of this prompt with `ChatModel::store_prompt`",
            );
        }
        if choice.is_some() {
            return unsupported(
                format!("`{name}` does not accept the option `tool_choice` with a stored prompt"),
                "unset one of them",
            );
        }
    }
    if matches!(cache, Some(PromptCache::Messages(marked)) if marked.is_empty()) {
        return unsupported(
            "the option `prompt_cache` marks no messages".to_owned(),
            "unset it, or mark a message; the first one is 0",
        );
    }
    if options.prompt_cache_ttl.is_some() && matches!(cache, None | Some(PromptCache::Key(_))) {
        return unsupported(
            "the option `prompt_cache_ttl` is set, but nothing is marked for the cache".to_owned(),
            "set `prompt_cache`, for example to `PromptCache::Conversation`",
        );
    }
    match choice {
        Some(choice) => choice
            .check_tools(messages.tools())
            .map_err(|error| CallError::from_setup(&error)),
        None => Ok(()),
    }
}

/// The messages with complete tool calls: ids, arguments and parameters that some models, servers and programs leave out.
pub(super) fn complete_messages(
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
        if message.role == Role::Tool && !provider.protocol.names_tool_results() {
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
            identify_result(index, message, &mut open)?;
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
fn identify_result(
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
    if tool.description().is_none() && provider.protocol.requires_tool_descriptions() {
        tool = tool.with_description("");
    }
    tool
}
