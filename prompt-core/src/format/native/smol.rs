//! SmolLM 3: ChatML with metadata, and switches inside the system message.

use std::ops::Range;

use super::chat::{Chat, Turn};
use super::out::{Origin, Out};
use super::python::repr;
use super::words::Words;
use crate::python::is_whitespace;
use crate::syntax::family::smollm::{NO_THINK, OVERRIDE};
use crate::{Json, Result};

const THINKING: &str = " Your role as an assistant involves thoroughly exploring questions through a systematic thinking process before providing the final precise and accurate solutions. This requires engaging in a comprehensive cycle of analysis, summarizing, exploration, reassessment, reflection, backtracking, and iteration to develop well-considered thinking process. Please structure your response into two main sections: Thought and Solution using the specified format: <think> Thought section </think> Solution section. In the Thought section, detail your reasoning process in steps. Each step should include detailed considerations such as analysing questions, summarizing relevant findings, brainstorming new ideas, verifying the accuracy of the current steps, refining any errors, and revisiting previous steps. In the Solution section, based on various attempts, explorations, and reflections from the Thought section, systematically present the final solution that you deem correct. The Solution section should be logical, accurate, and concise and detail necessary steps needed to reach the conclusion.";
const TOOLS: &str = "You may call one or more functions to assist with the user query.\nYou are provided with function signatures within <tools></tools> XML tags:\n\n<tools>\n";
const CALLS: &str = "</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>";
const PYTHON: &str = "When you send a message containing Python code between '<code>' and '</code>' tags, it will be executed in a stateful Jupyter notebook environment, and you will then be given the output to continued reasoning in an agentic loop.\n\nYou can use the following tools in your python code like regular functions:\n<tools>\n";
const STATE: &str = "</tools>\n\nThe state persists between code executions: so variables that you define in one step are still available thereafter.";

pub(crate) fn write(chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let system = chat.turns.first().filter(|turn| turn.is("system"));
    let text = system
        .map(|turn| out.text(0, turn))
        .transpose()?
        .unwrap_or_default();
    let is_data = |range: &Range<usize>| out.guards(&text, range);
    let told = |word: &str| {
        let mut places = text.as_str().match_indices(word);
        places.any(|(at, _)| !is_data(&(at..at + word.len())))
    };
    let thinks = !told(NO_THINK) && (told("/think") || out.options.thinking.unwrap_or(true));
    let overrides = told(OVERRIDE);
    let mut rest = Kept::new(Words::from(&text));
    rest.remove(NO_THINK, &is_data);
    rest.remove("/think", &is_data);
    rest.strip_end();
    if overrides {
        rest.remove(OVERRIDE, &is_data);
        rest.strip_end();
    }
    out.raw(delimiters.open);
    if overrides {
        if system.is_some() {
            rest.say(Words::from(&text), out);
        }
        out.raw(delimiters.close);
    } else {
        header(&rest, Words::from(&text), thinks, chat, out);
    }
    if system.is_some() {
        out.omit(0);
    }
    for (at, turn) in chat.turns.iter().enumerate() {
        write_turn(at, turn, thinks, out)?;
    }
    out.end(chat);
    if out.answers() && !thinks {
        no_reasoning(out);
    }
    Ok(())
}

/// Writes empty reasoning.
fn no_reasoning(out: &mut Out<'_>) {
    let (open, close) = out.family.turns.reasoning.unwrap_or_default();
    out.raw(open);
    out.raw(close);
}

fn write_turn(at: usize, turn: &Turn<'_>, thinks: bool, out: &mut Out<'_>) -> Result<()> {
    let text = out.only_text(at, turn)?;
    let text = Words::from(&text);
    match &*turn.role {
        "user" | "tool" => {
            out.open_turn(at, "user");
            out.say(at, text);
        }
        "assistant" => {
            out.open_turn(at, "assistant");
            if !thinks {
                no_reasoning(out);
            }
            out.say(at, text.strip_lines_start());
        }
        _ => return Ok(()),
    }
    out.raw(out.family.turns.user.close);
    Ok(())
}

fn header(rest: &Kept, text: Words<'_>, thinks: bool, chat: &Chat<'_>, out: &mut Out<'_>) {
    let day = out.options.day();
    out.raw("## Metadata\n\nKnowledge Cutoff Date: June 2025\nToday Date: ");
    out.raw(&format!("{:02} {} {}", day.day, day.month_name(), day.year));
    out.raw("\nReasoning Mode: ");
    out.raw(if thinks { "/think" } else { NO_THINK });
    out.raw("\n\n## Custom Instructions\n\n");
    let open = out.is_open(0) && chat.turns[0].is("system");
    if rest.is_empty() && !open {
        out.raw(out.family.turns.system.default.text().unwrap_or_default());
        out.raw(if thinks { THINKING } else { "" });
    } else {
        rest.say(text, out);
    }
    out.raw("\n\n");
    let tools = chat.tools.as_deref().unwrap_or_default();
    let python = &*out.options.python_tools;
    if tools.is_empty() && python.is_empty() {
        return;
    }
    out.raw("### Tools\n\n");
    if !tools.is_empty() {
        list(TOOLS, tools, Origin::Tool, out);
        out.raw(CALLS);
    }
    if !python.is_empty() {
        list(PYTHON, python, |_| Origin::Option, out);
        out.raw(STATE);
    }
    out.raw("\n\n");
    out.raw(out.family.turns.system.delimiters.close);
}

/// The tools as Python prints them, which is how the model's own template does it.
fn list(title: &str, tools: &[Json], origin: fn(usize) -> Origin, out: &mut Out<'_>) {
    out.raw(title);
    for (index, tool) in tools.iter().enumerate() {
        out.data(
            origin(index),
            &tool.as_string().unwrap_or_else(|| repr(tool)),
        );
        out.raw("\n");
    }
}

/// What is left of a text when words are taken out of it, and where each byte of that stood.
struct Kept {
    text: String,
    places: Vec<usize>,
}

impl Kept {
    fn new(words: Words<'_>) -> Kept {
        Kept {
            text: words.as_str().to_owned(),
            places: (0..words.len()).collect(),
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
            if is_data(&(self.places[range.start]..self.places[range.end - 1] + 1)) {
                from = range.end;
                continue;
            }
            self.text.drain(range.clone());
            self.places.drain(range);
        }
    }

    fn strip_end(&mut self) {
        let len = self.text.trim_end_matches(is_whitespace).len();
        self.text.truncate(len);
        self.places.truncate(len);
    }

    fn say(&self, words: Words<'_>, out: &mut Out<'_>) {
        let mut start = 0;
        for at in 1..=self.places.len() {
            if self.places.get(at) != Some(&(self.places[at - 1] + 1)) {
                out.piece(
                    Origin::Content(0),
                    words.part(self.places[start]..self.places[at - 1] + 1),
                );
                start = at;
            }
        }
        out.say(0, words.part(0..0).strip());
    }
}
