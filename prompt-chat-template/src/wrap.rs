//! Renders conversations in the shapes that templates expect, and applies the guard to the text.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ChatTemplate;
use crate::call_syntax;
use crate::clock::Moment;
use crate::engine::{Engine, EngineLimits};
use crate::fault;
use crate::node::{InputNode, RequestPart, TemplateConversation};
use crate::render::{Rendered, Rendering};
use crate::tokens::strs;
use prompt_core::format::{ChatFormat, ControlTokenSet, Family, FormatOptions};
use prompt_core::{AnnotatedText, Error, ErrorKind, Guard, Messages, Result};

/// The properties that all templates share.
pub(crate) const FAMILY: Family = Family {
    name: "jinja",
    title: "the chat template",
    system: true,
    history: true,
    tools: true,
    media: true,
    ..Family::BARE
};

/// Steps for a template without messages, and for each message or tool more.
const FUEL: u64 = 1_000_000;
const FUEL_EACH: u64 = 20_000;

/// Bytes that a template may write, and so many more for each byte of the conversation.
const BYTES: usize = 16 << 20;
const BYTES_EACH: usize = 64;

/// Bytes that a template may allocate in all, and so many more for each byte and for each message or tool of the conversation.
const MEMORY: u64 = 64 << 20;
const MEMORY_EACH: u64 = 64;
const MEMORY_MESSAGE: u64 = 16 << 10;

/// How often all renderings of a conversation may allocate as much as one.
const RENDERINGS: u64 = 4;

impl ChatTemplate {
    fn engine(&self, conversation: &TemplateConversation) -> &Engine {
        let with_tools = self
            .with_tools
            .as_ref()
            .filter(|_| conversation.tools.is_some());
        with_tools.unwrap_or(&self.main)
    }

    /// The text of a conversation, with the origin of its bytes where the guard asks for that.
    pub(crate) fn render(
        &self,
        conversation: TemplateConversation,
        wrapping: &FormatOptions,
        left: &Arc<AtomicU64>,
    ) -> Result<Rendered> {
        let engine = self.engine(&conversation);
        let (mut count, mut bytes) = (conversation.messages.len(), 0_usize);
        conversation.texts(&mut |text, _| bytes += text.as_str().len());
        if let Some(InputNode::List(tools)) = &conversation.tools {
            count += tools.len();
        }
        let memory = MEMORY
            .saturating_add((bytes as u64).saturating_mul(MEMORY_EACH))
            .saturating_add((count as u64).saturating_mul(MEMORY_MESSAGE));
        let memory = self.memory.unwrap_or(memory);
        left.fetch_min(memory.saturating_mul(RENDERINGS), Ordering::Relaxed);
        let mut run = Rendering {
            conversation,
            variables: &self.variables,
            generation_prompt: wrapping.generation_prompt && wrapping.label.is_none() && !self.open,
            open: self.open,
            limits: EngineLimits {
                fuel: self.fuel.unwrap_or(FUEL + FUEL_EACH * count as u64),
                output: self
                    .output
                    .unwrap_or(BYTES.saturating_add(bytes.saturating_mul(BYTES_EACH))),
                memory,
                left: left.clone(),
                moment: Some(self.moment.unwrap_or_else(Moment::now)),
            },
        };
        let mut rendered = run.render(engine)?;
        if wrapping.guard == Guard::Allow {
            return Ok(rendered);
        }
        self.ignore_switches(&mut run, engine, &mut rendered, wrapping.guard)?;
        if rendered.segments.is_some() {
            return Ok(rendered);
        }
        if wrapping.guard == Guard::Neutralise {
            run.conversation
                .apply_guard(Guard::Neutralise, self.tokens.set())?;
            rendered = run.render(engine)?;
            if rendered.segments.is_some() {
                return Ok(rendered);
            }
        }
        if let Some(error) = rendered.exceeded {
            return Err(error);
        }
        let message = "the chat template changes the conversation, so that data cannot be distinguished from structure";
        let help = "use `Guard::Allow` where the data is known to hold no control token";
        Err(Error::new(ErrorKind::ControlToken, message).with_help(help))
    }

    /// Renders without the switches in data, if the template obeys one of them: it writes more than their text, or less.
    fn ignore_switches(
        &self,
        run: &mut Rendering<'_>,
        engine: &Engine,
        rendered: &mut Rendered,
        guard: Guard,
    ) -> Result<()> {
        let switches = &self.tokens.switches;
        let mut has_switch = false;
        run.conversation.texts(&mut |text, _| {
            has_switch |= switches
                .iter()
                .any(|switch| text.as_str().contains(&**switch));
        });
        if !has_switch {
            return Ok(());
        }
        let tokens = ControlTokenSet::with_tokens(&FAMILY, &strs(switches));
        let original = run.conversation.clone();
        run.conversation.apply_guard(Guard::Neutralise, &tokens)?;
        let inert = run.render(engine)?;
        let mut text = inert.text.clone();
        for switch in switches {
            text = text.replace(&switch.replacen('/', "/ ", 1), switch);
        }
        if text == rendered.text {
            run.conversation = original;
            return Ok(());
        }
        if guard == Guard::Reject {
            { original }.apply_guard(guard, &tokens)?;
        }
        *rendered = inert;
        Ok(())
    }

    pub(crate) fn finish(&self, rendered: &Rendered, out: &mut AnnotatedText) {
        let wrapping = out.options().clone();
        rendered.write(out);
        if !wrapping.bos && !self.bos.is_empty() {
            out.strip_prefix(&self.bos);
        }
        if let Some(label) = &wrapping.label {
            out.label(label, &self.eos);
        }
    }

    /// A conversation as the template takes it: calls with objects or texts, contents as text or as lists.
    fn try_shapes(&self, messages: &Messages, wrapping: &FormatOptions) -> Result<Rendered> {
        let mut first: Option<Result<Rendered>> = None;
        let left = Arc::new(AtomicU64::new(u64::MAX));
        for (typed, strings) in [(false, false), (false, true), (true, false)] {
            if strings && messages.iter().all(|message| message.tool_calls.is_empty()) {
                continue;
            }
            let result = TemplateConversation::of_messages(messages, typed, strings)
                .and_then(|conversation| self.render(conversation, wrapping, &left));
            match result {
                Ok(rendered) if !self.strict && !typed => return Ok(rendered),
                // A template for texts prints a list as it is written in code.
                Ok(rendered) if typed && rendered.text.contains("'type': 'text'") => {}
                Ok(rendered) if rendered.missing.is_empty() => return Ok(rendered),
                Err(error) if error.kind() != ErrorKind::Template || fault::is_limit(&error) => {
                    return Err(error);
                }
                result => {
                    first.get_or_insert(result);
                }
            }
        }
        let rendered = first.unwrap_or_else(|| Err(no_message()))?;
        match rendered.missing.first() {
            Some(part) if self.strict => Err(dropped(*part, messages)),
            _ => Ok(rendered),
        }
    }
}

fn no_message() -> Error {
    Error::new(ErrorKind::Unsupported, "a chat template needs a message")
}

fn dropped(part: RequestPart, messages: &Messages) -> Error {
    let error = |what: &str| {
        let message = format!("the chat template drops {what}");
        let error = Error::new(ErrorKind::Unsupported, message);
        error.with_help("leave it out, or let the template with `lenient()`")
    };
    match part {
        RequestPart::Message(index) | RequestPart::Calls(index) => {
            let Some(message) = messages.as_slice().get(index) else {
                return error("a message");
            };
            let calls = matches!(part, RequestPart::Calls(_));
            let what = if calls { "the tool calls of " } else { "" };
            error(&format!("{what}message {index} ({})", message.role))
                .at_message(index, message.role)
        }
        RequestPart::Tools | RequestPart::Anywhere => error("the tools"),
    }
}

impl ChatFormat for ChatTemplate {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn tokens(&self) -> Vec<&str> {
        strs(&self.tokens.all)
    }

    fn apply_guard(&self, out: AnnotatedText) -> Result<AnnotatedText> {
        self.tokens.set().guard(out)
    }

    /// The delimiters that the template contains.
    fn reasoning_delimiters(&self) -> Option<(&'static str, &'static str)> {
        const MARKS: [(&str, &str); 3] = [
            ("<think>", "</think>"),
            ("[THINK]", "[/THINK]"),
            ("<seed:think>", "</seed:think>"),
        ];
        let names = |(_, close): &(&str, &str)| self.source().contains(close);
        MARKS.into_iter().find(names)
    }

    /// The family whose delimiters of tool calls the template contains.
    fn call_family(&self) -> &'static Family {
        call_syntax::call_family(self.source()).unwrap_or(&FAMILY)
    }

    fn write(&self, messages: &Messages, out: &mut AnnotatedText) -> Result<()> {
        if messages.is_empty() {
            return Err(no_message());
        }
        let rendered = self.try_shapes(messages, out.options())?;
        self.finish(&rendered, out);
        Ok(())
    }
}
