//! Renders conversations in the shapes that templates expect, and applies the guard to the text.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::call_syntax;
use crate::clock::Moment;
use crate::dropped::{self, Dropped};
use crate::engine::{Engine, EngineLimits};
use crate::fault;
use crate::node::{InputNode, RequestPart, TemplateConversation};
use crate::prepare;
use crate::render::{Guarding, Rendered, Rendering};
use crate::tokens::{FAMILY, as_strs};
use crate::{ChatTemplate, set_variable};
use serde_json::Value;

use prompt_core::ChatFormat;
use prompt_core::format::{Date, Family, FormatOption, FormatOptions};
use prompt_core::{AnnotatedText, Error, ErrorKind, Guard, Json, Messages, Result};

/// Steps for a template without messages, and for each message or tool more.
const BASE_FUEL: u64 = 1_000_000;
const FUEL_PER_MESSAGE: u64 = 20_000;

/// Bytes that a template may write, and so many more for each byte of the conversation.
const BASE_OUTPUT: usize = 16 << 20;
const OUTPUT_PER_BYTE: usize = 64;

/// Bytes that a template may allocate in all, and so many more for each byte and for each message or tool of the conversation.
const BASE_MEMORY: u64 = 64 << 20;
const MEMORY_PER_BYTE: u64 = 64;
const MEMORY_PER_MESSAGE: u64 = 16 << 10;

/// How often all renderings of a conversation, one for each shape of its messages, may allocate as much as one.
const MAX_RENDERINGS: u64 = 2;

impl ChatTemplate {
    fn engine_for(&self, conversation: &TemplateConversation) -> &Engine {
        let with_tools = self
            .with_tools
            .as_ref()
            .filter(|_| conversation.tools.is_some());
        with_tools.unwrap_or(&self.main)
    }

    /// The time that `strftime_now` returns.
    fn moment(&self, date: Option<Date>) -> Moment {
        if date.is_none() && self.second.is_none() {
            return Moment::now();
        }
        Moment {
            date: date.unwrap_or_else(Date::today),
            second: self.second.unwrap_or(0),
        }
    }

    /// The variables besides the conversation: tokens, those that were set by name, and those of the options.
    fn all_variables(
        &self,
        engine: &Engine,
        options: &FormatOptions,
    ) -> Result<Vec<(String, InputNode)>> {
        let mut variables = self.token_variables.clone();
        for (name, value) in &self.variables {
            if !engine.reads(name) {
                let what = format!("the variable `{name}` is set");
                return Err(unread_error(&what, name, engine));
            }
            let value = value.clone().map_err(|error| {
                let message = format!("the variable `{name}`: {}", error.message());
                Error::new(error.kind(), message)
            })?;
            if engine.is_condition(name) && value.as_str().is_some() {
                let message = format!(
                    "the variable `{name}` is a text, and the chat template only asks whether it is true"
                );
                let error = Error::new(ErrorKind::Unsupported, message);
                return Err(error.with_help(format!(
                    "each text but the empty one is true, `false` too: write `.variable(\"{name}\", true)`, or `false`"
                )));
            }
            set_variable(&mut variables, name.clone(), value);
        }
        if self.second.is_some() && !engine.reads(CLOCK) {
            return Err(unread_error("the time is set", CLOCK, engine));
        }
        prepare::check_objects("documents", &options.documents)?;
        for option in options.special_options() {
            let Some((first, others)) = variables_of(option).split_first() else {
                continue;
            };
            let names = std::iter::once(first).chain(others);
            let read: Vec<&str> = names.copied().filter(|name| engine.reads(name)).collect();
            if read.is_empty() {
                let what = format!("the option `{}` is set", option.name());
                return Err(unread_error(&what, first, engine));
            }
            for name in read {
                if let Some(value) = value_of(option, name, options) {
                    set_variable(&mut variables, name.to_owned(), value);
                }
            }
        }
        Ok(variables)
    }

    /// The text of a conversation, and what the template drops of it.
    pub(crate) fn render_conversation(
        &self,
        mut conversation: TemplateConversation,
        options: &FormatOptions,
        left: &Arc<AtomicU64>,
    ) -> Result<(Rendered, Vec<Dropped>)> {
        let engine = self.engine_for(&conversation);
        prepare::prepare_messages(&mut conversation, &engine.source);
        if options.lenient {
            let rendered = self.render_prepared(engine, conversation, options, left)?;
            return Ok((rendered, Vec::new()));
        }
        let messages = conversation.messages.clone();
        let rendered = self.render_prepared(engine, conversation, options, left)?;
        let dropped = dropped::find_dropped(&messages, &engine.source, &rendered);
        Ok((rendered, dropped))
    }

    /// The text of a conversation, with the origin of its bytes where the guard asks for that.
    fn render_prepared(
        &self,
        engine: &Engine,
        conversation: TemplateConversation,
        options: &FormatOptions,
        left: &Arc<AtomicU64>,
    ) -> Result<Rendered> {
        let variables = self.all_variables(engine, options)?;
        let (mut count, mut bytes) = (conversation.messages.len(), 0_usize);
        conversation.visit_texts(&mut |text, _| bytes += text.as_str().len());
        if let Some(InputNode::List(tools)) = &conversation.tools {
            count += tools.len();
        }
        let memory = BASE_MEMORY
            .saturating_add((bytes as u64).saturating_mul(MEMORY_PER_BYTE))
            .saturating_add((count as u64).saturating_mul(MEMORY_PER_MESSAGE));
        let memory = self.memory.unwrap_or(memory);
        left.fetch_min(memory.saturating_mul(MAX_RENDERINGS), Ordering::Relaxed);
        let run = Rendering {
            conversation,
            variables,
            generation_prompt: options.generation_prompt
                && options.label.is_none()
                && !options.continued,
            open: options.continued,
            limits: EngineLimits {
                fuel: self
                    .fuel
                    .unwrap_or(BASE_FUEL + FUEL_PER_MESSAGE * count as u64),
                output: self
                    .output
                    .unwrap_or(BASE_OUTPUT.saturating_add(bytes.saturating_mul(OUTPUT_PER_BYTE))),
                memory,
                left: left.clone(),
                moment: Some(self.moment(options.date)),
            },
        };
        let guarding = self.guarding_for(options);
        let rendered = run.render(engine, guarding)?;
        if options.continued {
            prepare::check_continued(&rendered.rendering.conversation, &rendered.text)?;
        }
        if guarding.is_some() {
            rendered.check_names(&self.tokens)?;
        }
        Ok(rendered)
    }

    fn guarding_for(&self, options: &FormatOptions) -> Option<Guarding<'_>> {
        (options.guard != Guard::Allow).then_some(Guarding {
            tokens: &self.tokens,
            rejects: options.guard == Guard::Reject,
        })
    }

    /// Renders a part of a conversation that is rendered already.
    pub(crate) fn render_again(
        &self,
        rendering: Rendering,
        options: &FormatOptions,
    ) -> Result<Rendered> {
        let engine = self.engine_for(&rendering.conversation);
        rendering.render(engine, self.guarding_for(options))
    }

    pub(crate) fn write_rendered(
        &self,
        rendered: &Rendered,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        let guard_tools = rendered.guard_of_tools(&self.tokens, options);
        let generated = match self.generated_ranges(rendered, options) {
            Ok(ranges) => ranges,
            Err(unmarked) => {
                out.leave_unmarked(unmarked);
                Vec::new()
            }
        };
        rendered.write_to(&generated, guard_tools.as_ref(), out)?;
        if !options.bos && !self.bos.is_empty() {
            out.strip_prefix(&self.bos);
        }
        if !options.eos && !self.eos.is_empty() {
            out.strip_suffix(&self.eos);
        }
        if let Some(label) = &options.label {
            out.label(label, &self.eos);
        }
        Ok(())
    }

    /// A conversation as the template takes it: calls with objects or texts, contents as text or as lists.
    pub(crate) fn try_shapes(
        &self,
        messages: &Messages,
        options: &FormatOptions,
    ) -> Result<Rendered> {
        let mut best: Option<(Rendered, Vec<Dropped>)> = None;
        let mut first_error = None;
        let left = Arc::new(AtomicU64::new(u64::MAX));
        for (typed, strings) in [(false, false), (false, true), (true, false)] {
            if strings && messages.iter().all(|message| message.tool_calls.is_empty()) {
                continue;
            }
            let result = TemplateConversation::from_messages(messages, typed, strings)
                .and_then(|conversation| self.render_conversation(conversation, options, &left));
            match result {
                // A template for texts prints a list as it is written in code.
                Ok((rendered, _)) if typed && rendered.text.contains("'type': 'text'") => {}
                Ok((rendered, dropped)) if dropped.is_empty() => return Ok(rendered),
                Ok((rendered, dropped)) => {
                    if best
                        .as_ref()
                        .is_none_or(|best| dropped.len() < best.1.len())
                    {
                        best = Some((rendered, dropped));
                    }
                }
                // A refusal counts if the template refuses the first shape: it takes no other.
                Err(error)
                    if fault::is_limit(&error)
                        || best.is_none() && error.kind() != ErrorKind::Template =>
                {
                    return Err(error);
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        match (best, first_error) {
            (Some((rendered, dropped)), _) => match dropped.into_iter().next() {
                Some(dropped) => Err(dropped.into_error()),
                None => Ok(rendered),
            },
            (None, error) => Err(error.unwrap_or_else(no_message_error)),
        }
    }
}

/// The function that returns the date.
const CLOCK: &str = "strftime_now";

const PRESERVE: &str = "preserve";

/// The names that models' templates have for keeping the reasoning of earlier messages: those that do not begin with [`PRESERVE`] are
/// true where it is *not* kept.
const KEEP_REASONING: &[&str] = &[
    "preserve_thinking",
    "preserved_thinking",
    "clear_thinking",
    "drop_thinking",
    "truncate_history_thinking",
];

/// The names that models' templates have for an option. A template may have one of several.
fn variables_of(option: FormatOption) -> &'static [&'static str] {
    match option {
        FormatOption::Thinking => &["enable_thinking", "thinking"],
        FormatOption::Effort => &["reasoning_effort"],
        FormatOption::KeepReasoning => KEEP_REASONING,
        FormatOption::Identity => &["model_identity"],
        FormatOption::Date => &[CLOCK],
        FormatOption::DateText => &["date_string"],
        FormatOption::ToolsInUser => &["tools_in_user_message"],
        FormatOption::BuiltinTools => &["builtin_tools"],
        FormatOption::PythonTools => &["python_tools"],
        FormatOption::Documents => &["documents"],
        FormatOption::Controls => &["controls"],
        _ => &[],
    }
}

/// The value of a variable of an option that is set; `None` if it is not set as a variable.
fn value_of(option: FormatOption, name: &str, options: &FormatOptions) -> Option<InputNode> {
    let list = |items: &[Json], part: RequestPart| {
        let node = |json: &Json| InputNode::from_json(json, part);
        Some(InputNode::List(items.iter().map(node).collect()))
    };
    let value = match option {
        FormatOption::Thinking => options.thinking.map(Value::from),
        FormatOption::Effort => options.effort.as_deref().map(Value::from),
        FormatOption::KeepReasoning => {
            let keeps = name.starts_with(PRESERVE);
            let value = options.keep_reasoning.map(|keep| keep == keeps);
            value.map(Value::from)
        }
        FormatOption::Identity => options.identity.as_deref().map(Value::from),
        FormatOption::DateText => options.date_text.as_deref().map(Value::from),
        FormatOption::ToolsInUser => options.tools_in_user.map(Value::from),
        FormatOption::BuiltinTools => options.builtin_tools.clone().map(Value::from),
        FormatOption::PythonTools => return list(&options.python_tools, RequestPart::Anywhere),
        FormatOption::Documents => return list(&options.documents, RequestPart::Documents),
        FormatOption::Controls => return options.controls.as_ref().map(InputNode::from_variable),
        _ => None,
    };
    value.map(|value| InputNode::from_variable(&value.into()))
}

/// The error for a setting that has no effect on the text. `name` is what the template would have to read.
fn unread_error(what: &str, name: &str, engine: &Engine) -> Error {
    let message = format!("{what}, and the chat template does not read `{name}`");
    let read: Vec<String> = engine.inputs().map(|name| format!("`{name}`")).collect();
    let help = format!("leave it out; the template reads {}", read.join(", "));
    Error::new(ErrorKind::Unsupported, message).with_help(help)
}

pub(crate) fn no_message_error() -> Error {
    Error::new(ErrorKind::Unsupported, "a chat template needs a message")
}

impl ChatFormat for ChatTemplate {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn supports(&self, option: FormatOption) -> bool {
        let engines = [Some(&self.main), self.with_tools.as_ref()];
        match option {
            FormatOption::Lenient | FormatOption::Continued => true,
            option => variables_of(option)
                .iter()
                .any(|name| engines.iter().flatten().any(|engine| engine.reads(name))),
        }
    }

    fn guarded_tokens(&self) -> Vec<&str> {
        as_strs(&self.tokens.all)
    }

    fn apply_guard(&self, text: AnnotatedText, options: &FormatOptions) -> Result<AnnotatedText> {
        self.tokens.token_set().guard(text, options)
    }

    /// The delimiters that the template contains.
    fn reasoning_delimiters(&self) -> Option<(&'static str, &'static str)> {
        call_syntax::reasoning_delimiters(self.source())
    }

    /// The family whose delimiters of tool calls the template contains.
    fn call_family(&self) -> &'static Family {
        call_syntax::call_family(self.source()).unwrap_or(&FAMILY)
    }

    fn write_messages(
        &self,
        messages: &Messages,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        if messages.is_empty() {
            return Err(no_message_error());
        }
        let rendered = self.try_shapes(messages, options)?;
        self.write_rendered(&rendered, options, out)
    }
}
