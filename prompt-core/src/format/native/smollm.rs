//! SmolLM 3: ChatML with metadata, and switches inside the system message.

use std::ops::Range;

use super::chat::{ChatInput, ChatMessage};
use super::python::repr;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::annotated_text::is_whitespace;
use crate::{Json, Result, Role};
use prompt_family::tokens::smollm::{NO_THINK, OVERRIDE};

const THINKING: &str = " Your role as an assistant involves thoroughly exploring questions through a systematic thinking process before providing the final precise and accurate solutions. This requires engaging in a comprehensive cycle of analysis, summarizing, exploration, reassessment, reflection, backtracking, and iteration to develop well-considered thinking process. Please structure your response into two main sections: Thought and Solution using the specified format: <think> Thought section </think> Solution section. In the Thought section, detail your reasoning process in steps. Each step should include detailed considerations such as analysing questions, summarizing relevant findings, brainstorming new ideas, verifying the accuracy of the current steps, refining any errors, and revisiting previous steps. In the Solution section, based on various attempts, explorations, and reflections from the Thought section, systematically present the final solution that you deem correct. The Solution section should be logical, accurate, and concise and detail necessary steps needed to reach the conclusion.";
const TOOLS: &str = "You may call one or more functions to assist with the user query.\nYou are provided with function signatures within <tools></tools> XML tags:\n\n<tools>\n";
const CALLS: &str = "</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>";
const PYTHON: &str = "When you send a message containing Python code between '<code>' and '</code>' tags, it will be executed in a stateful Jupyter notebook environment, and you will then be given the output to continued reasoning in an agentic loop.\n\nYou can use the following tools in your python code like regular functions:\n<tools>\n";
const STATE: &str = "</tools>\n\nThe state persists between code executions: so variables that you define in one step are still available thereafter.";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let system = chat.system();
    let text = out.system_text(chat)?;
    let is_data = |range: &Range<usize>| out.is_guarded_data(&text, range);
    let is_set = |word: &str| {
        let mut positions = text.as_str().match_indices(word);
        positions.any(|(at, _)| !is_data(&(at..at + word.len())))
    };
    let thinks = !is_set(NO_THINK) && (is_set("/think") || out.options.thinking.unwrap_or(true));
    let overrides = is_set(OVERRIDE);
    let mut rest = Remaining::new(TextSlice::from(&text));
    rest.remove(NO_THINK, &is_data);
    rest.remove("/think", &is_data);
    rest.strip_end();
    if overrides {
        rest.remove(OVERRIDE, &is_data);
        rest.strip_end();
    }
    out.structure(delimiters.open);
    if overrides {
        if system.is_some() {
            rest.write(TextSlice::from(&text), out);
        }
        out.structure(delimiters.close);
    } else {
        write_header(&rest, TextSlice::from(&text), thinks, chat, out);
    }
    if system.is_some() {
        out.omit_content(0);
    }
    for (at, turn) in chat.turns() {
        write_turn(at, &turn, thinks, out)?;
    }
    out.write_end(chat);
    if out.has_generation_prompt() && !thinks {
        no_reasoning(out);
    }
    Ok(())
}

/// Writes empty reasoning.
fn no_reasoning(out: &mut FormatWriter<'_>) {
    let (open, close) = out.family.turns.reasoning.unwrap_or_default();
    out.structure(open);
    out.structure(close);
}

fn write_turn(
    at: usize,
    turn: &ChatMessage<'_>,
    thinks: bool,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    if thinks && out.has_own_calls(turn) {
        return out.turn_with_calls(at, turn, "\n", FormatWriter::json_arguments);
    }
    let text = out.only_text(at, turn)?;
    let text = TextSlice::from(&text);
    match turn.role() {
        Some(Role::User | Role::Tool) => {
            out.structure(out.family.turns.user.open);
            out.finish_content(at, text);
        }
        Some(Role::Assistant) => {
            out.open_answer();
            if !thinks {
                no_reasoning(out);
            }
            out.finish_content(at, text.strip_lines_start());
        }
        _ => return Ok(()),
    }
    out.close_answer(out.family.turns.user.close);
    Ok(())
}

fn write_header(
    rest: &Remaining,
    text: TextSlice<'_>,
    thinks: bool,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) {
    let day = out.options.date_or_today();
    out.structure("## Metadata\n\nKnowledge Cutoff Date: June 2025\nToday Date: ");
    out.structure(&format!("{:02} {} {}", day.day, day.month_name(), day.year));
    out.structure("\nReasoning Mode: ");
    out.structure(if thinks { "/think" } else { NO_THINK });
    out.structure("\n\n## Custom Instructions\n\n");
    let open = out.is_open(0) && chat.system().is_some();
    if rest.is_empty() && !open {
        out.structure(out.family.turns.system.default.text().unwrap_or_default());
        out.structure(if thinks { THINKING } else { "" });
    } else {
        rest.write(text, out);
    }
    out.structure("\n\n");
    let tools = chat.tools.as_deref().unwrap_or_default();
    let python = &*out.options.python_tools;
    if tools.is_empty() && python.is_empty() {
        return;
    }
    out.structure("### Tools\n\n");
    if !tools.is_empty() {
        write_tool_list(TOOLS, tools, FieldOrigin::Tool, out);
        out.structure(CALLS);
    }
    if !python.is_empty() {
        write_tool_list(PYTHON, python, |_| FieldOrigin::Option, out);
        out.structure(STATE);
    }
    out.structure("\n\n");
    out.structure(out.family.turns.system.delimiters.close);
}

/// The tools as Python prints them, which is how the model's chat template does it.
fn write_tool_list(
    title: &str,
    tools: &[Json],
    origin: fn(usize) -> FieldOrigin,
    out: &mut FormatWriter<'_>,
) {
    out.structure(title);
    for (index, tool) in tools.iter().enumerate() {
        out.write_data(
            origin(index),
            &tool.as_string().unwrap_or_else(|| repr(tool)),
        );
        out.structure("\n");
    }
}

/// A text without its switches, and the position of each of its bytes in the whole text.
struct Remaining {
    text: String,
    positions: Vec<usize>,
}

impl Remaining {
    fn new(text_slice: TextSlice<'_>) -> Remaining {
        Remaining {
            text: text_slice.as_str().to_owned(),
            positions: (0..text_slice.len()).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Takes a switch out, wherever it is one.
    fn remove(&mut self, word: &str, is_data: &dyn Fn(&Range<usize>) -> bool) {
        let mut from = 0;
        while let Some(found) = self.text[from..].find(word) {
            let range = from + found..from + found + word.len();
            from = range.start;
            if is_data(&(self.positions[range.start]..self.positions[range.end - 1] + 1)) {
                from = range.end;
                continue;
            }
            self.text.drain(range.clone());
            self.positions.drain(range);
        }
    }

    fn strip_end(&mut self) {
        let len = self.text.trim_end_matches(is_whitespace).len();
        self.text.truncate(len);
        self.positions.truncate(len);
    }

    fn write(&self, text_slice: TextSlice<'_>, out: &mut FormatWriter<'_>) {
        let mut start = 0;
        for at in 1..=self.positions.len() {
            if self.positions.get(at) != Some(&(self.positions[at - 1] + 1)) {
                out.slice(
                    FieldOrigin::Content(0),
                    text_slice.part(self.positions[start]..self.positions[at - 1] + 1),
                );
                start = at;
            }
        }
        out.finish_content(0, text_slice.part(0..0).strip());
    }
}
