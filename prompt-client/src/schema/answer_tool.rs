//! The answer as a tool: its definition, and a reader that returns the arguments of its calls as text.

use std::borrow::Cow;
use std::collections::VecDeque;

use prompt_core::{FinishReason, Messages, Options, Tool, ToolChoice};
use serde_json::Value;

use super::restore::{Restore, WRAPPER};
use super::subset::wrap_root;
use super::{Subset, close_objects, without_metadata};
use crate::answer::{AnswerReader, PartialCall, ReceivedAnswer};
use crate::chat::support::{SchemaSupport, ToolChoices};
use crate::error::CallError;
use crate::stream::Event;

const DESCRIPTION: &str =
    "Gives the final answer. Call it without another tool, once their results are known.";

/// What separates an answer from the text of the other calls.
const PARAGRAPH: &str = "\n\n";

/// A tool whose call is the answer.
pub(crate) struct AnswerTool {
    tool: Tool,
    pub(crate) restore: Option<Restore>,
}

impl AnswerTool {
    /// The tool for a schema, beside the tools of the messages. `None` if the provider cannot express the schema.
    pub(crate) fn new(
        schema: &Value,
        support: SchemaSupport,
        messages: &Messages,
    ) -> Option<AnswerTool> {
        let (parameters, restore) = match support {
            SchemaSupport::Subset(subset) => {
                // The parameters of a tool are an object.
                let containers = false;
                let narrowed = Subset {
                    containers,
                    ..subset
                };
                let narrowed = narrowed.narrow_schema(schema)?;
                (narrowed.schema, narrowed.restore)
            }
            _ if schema["type"] == "object" => (close_objects(&without_metadata(schema)), None),
            _ => {
                let wrapped = wrap_root(without_metadata(schema));
                (wrapped, Some(Restore { wrapped: true }))
            }
        };
        let is_free = |name: &str| messages.tools().iter().all(|tool| tool.name() != name);
        let names = std::iter::once(WRAPPER.to_owned());
        let mut names = names.chain((2..).map(|number| format!("{WRAPPER}_{number}")));
        let name = names.find(|name| is_free(name))?;
        let tool = Tool::new(name).with_description(DESCRIPTION);
        Some(AnswerTool {
            tool: tool.with_parameters(parameters),
            restore,
        })
    }

    pub(crate) fn name(&self) -> &str {
        self.tool.name()
    }

    /// Adds the tool to a request, and requires a call as far as the provider can.
    pub(crate) fn offer<'a>(
        &self,
        messages: &'a Messages,
        options: &mut Options,
        choices: ToolChoices,
    ) -> Cow<'a, Messages> {
        if options.tool_choice.is_none() {
            let is_alone = messages.tools().is_empty();
            let this = is_alone.then(|| ToolChoice::Tool(self.name().to_owned()));
            let wanted = [this, Some(ToolChoice::Required)];
            let mut wanted = wanted.into_iter().flatten();
            options.tool_choice = wanted.find(|choice| choices.accepts(choice));
        }
        Cow::Owned(messages.clone().with_tool(self.tool.clone()))
    }
}

/// A reader that returns the arguments of the answer's tool as text while they arrive, instead of a call.
pub(crate) struct AnswerCalls<R> {
    reader: R,
    /// The name of the tool. `None` if there is none, and after the end of the answer.
    tool: Option<String>,
    /// Text beside the call. It is not a part of the answer.
    held: VecDeque<Event>,
    /// The length of the arguments that were returned as text.
    returned: usize,
}

impl<R> AnswerCalls<R> {
    pub(crate) fn new(reader: R, tool: Option<String>) -> AnswerCalls<R> {
        AnswerCalls {
            reader,
            tool,
            held: VecDeque::new(),
            returned: 0,
        }
    }

    /// Holds new text back, and returns new arguments.
    fn return_arguments(&mut self, before: usize, answer: &mut ReceivedAnswer) {
        let Some(tool) = &self.tool else { return };
        for event in answer.events.split_off(before) {
            match event {
                Event::Text(_) => self.held.push_back(event),
                event => answer.events.push_back(event),
            }
        }
        // Beside other calls, it is known at the end only whether this is the answer.
        if answer.calls.iter().any(|call| call.call.name != *tool) {
            return;
        }
        // Some servers repeat the call: the arguments are certain once they have several parts.
        if let Some(call) = answer.calls.first().filter(|call| call.has_parts) {
            let text = call.call.arguments[self.returned..].to_owned();
            self.returned += text.len();
            answer.events.push_back(Event::Text(text));
        }
    }
}

impl<R: AnswerReader> AnswerReader for AnswerCalls<R> {
    fn read_body(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        let before = answer.events.len();
        let read = self.reader.read_body(body, answer);
        self.return_arguments(before, answer);
        read
    }

    fn finish_answer(&mut self, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        let before = answer.events.len();
        let finished = self.reader.finish_answer(answer);
        self.return_arguments(before, answer);
        let Some(tool) = self.tool.take() else {
            return finished;
        };
        let is_answer = |call: &PartialCall| call.call.name == tool;
        let whole = answer.calls.iter().find(|call| is_answer(call));
        let whole = whole.map(|call| call.join().arguments);
        answer.calls.retain(|call| !is_answer(call));
        match whole {
            Some(whole) if answer.calls.is_empty() || self.returned > 0 => {
                let rest = match whole.is_empty() {
                    true => "{}",
                    false => whole.get(self.returned..).unwrap_or_default(),
                };
                answer.events.push_back(Event::Text(rest.to_owned()));
                if !answer.calls.is_empty() {
                    // The arguments were returned before another call began, and the text before them is the message of these calls.
                    if !self.held.is_empty() {
                        answer.events.push_back(Event::Text(PARAGRAPH.to_owned()));
                    }
                    answer.events.append(&mut self.held);
                } else if answer.finish == Some(FinishReason::ToolCalls) {
                    answer.finish = Some(FinishReason::Stop);
                }
            }
            // The model answers again, with the results of its other calls.
            _ => answer.events.append(&mut self.held),
        }
        finished
    }
}
