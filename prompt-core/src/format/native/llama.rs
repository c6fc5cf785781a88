//! Llama 3.1, 3.2 and 4: turns with headers, a date, and tools in the first user message.

use super::Style;
use super::chat::{Call, Chat, Item, Turn};
use super::out::{Origin, Out};
use super::python::{display, dumps};
use super::read::Reading;
use super::words::Words;
use crate::{Json, Result};

pub(crate) struct Llama {
    /// How a turn begins, up to the role.
    pub(crate) open: &'static str,
    /// What stands between the role and the content.
    pub(crate) middle: &'static str,
    /// How a turn ends.
    pub(crate) close: &'static str,
    /// What the system turn is.
    pub(crate) head: LlamaHead,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LlamaHead {
    /// Always there, with this day unless another is given; tools of the model's maker are known.
    Fixed(&'static str),
    /// Always there, with the day it is.
    Today,
    /// Only there when the conversation has a system message.
    Given,
}

const FORMAT: &str = "Respond in the format {\"name\": function name, \"parameters\": dictionary of argument name and its value}.Do not use variables.\n\n";
const IN_SYSTEM: &str = "You have access to the following functions. To call a function, please respond with JSON for a function call.";
const IN_USER: &str = "Given the following functions, please respond with a JSON for a function call with its proper arguments that best answers the given prompt.\n\n";

impl Style for Llama {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        out.raw("<|begin_of_text|>");
        let mut turns = chat.turns.iter().enumerate().peekable();
        let system = turns
            .next_if(|(_, turn)| turn.is("system"))
            .map(|(_, turn)| turn);
        let in_user = out.options.tools_in_user;
        if system.is_some() || self.head != LlamaHead::Given {
            self.system(system, chat, in_user, out)?;
        }
        if let (Some(tools), true) = (&chat.tools, in_user) {
            let Some((at, turn)) = turns.next() else {
                return Err(out
                    .whole("tools are offered, and no user message is there to hold them")
                    .with_help("add a user message"));
            };
            if out.is_strict() && !turn.is("user") {
                return Err(out.cannot(
                    at,
                    turn,
                    "would hold the tools and is not the user's",
                    "begin with a user message",
                ));
            }
            let text = out.shown(at, turn)?;
            self.header("user", at, out);
            out.raw(IN_USER);
            offer(tools, out);
            out.say(at, Words::from(&text).strip());
            out.raw(self.close);
        }
        for (at, turn) in turns {
            self.turn(at, turn, out)?;
        }
        if out.answers() {
            self.header("assistant", 0, out);
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading {
            named: Some((self.open, self.middle, self.close)),
            closes: match self.head {
                LlamaHead::Given => &["<|eom|>"],
                _ => &["<|eom_id|>"],
            },
            ..Reading::default()
        }
    }
}

impl Llama {
    fn header(&self, role: &str, at: usize, out: &mut Out<'_>) {
        out.raw(self.open);
        out.role(at, role);
        out.raw(self.middle);
    }

    fn builtin<'o>(&self, out: &Out<'o>) -> Option<&'o [String]> {
        matches!(self.head, LlamaHead::Fixed(_)).then_some(out.options.builtin_tools.as_deref())?
    }

    fn system(
        &self,
        system: Option<&Turn<'_>>,
        chat: &Chat<'_>,
        in_user: bool,
        out: &mut Out<'_>,
    ) -> Result<()> {
        self.header("system", 0, out);
        let builtin = self.builtin(out);
        if builtin.is_some() || chat.tools.is_some() {
            out.raw("Environment: ipython\n");
        }
        if let Some(builtin) = builtin {
            let others: Vec<_> = builtin
                .iter()
                .filter(|name| *name != "code_interpreter")
                .map(String::as_str)
                .collect();
            out.raw("Tools: ");
            out.data(Origin::Option, &others.join(", "));
            out.raw("\n\n");
        }
        if self.head != LlamaHead::Given {
            out.raw("Cutting Knowledge Date: December 2023\nToday Date: ");
            match (&out.options.date_text, self.head, out.options.date) {
                (Some(text), ..) => out.data(Origin::Option, text),
                (_, LlamaHead::Fixed(day), None) => out.raw(day),
                _ => {
                    let day = out.options.day();
                    out.raw(&format!(
                        "{:02} {} {}",
                        day.day,
                        &day.month_name()[..3],
                        day.year
                    ));
                }
            }
            out.raw("\n\n");
        }
        if let (Some(tools), false) = (&chat.tools, in_user) {
            out.raw(IN_SYSTEM);
            offer(tools, out);
        }
        match system {
            Some(turn) if self.head == LlamaHead::Given && turn.items().is_some() => {
                first_text(turn, out)?;
            }
            Some(turn) => out.say(0, Words::from(&out.shown(0, turn)?).strip()),
            None => {}
        }
        out.raw(self.close);
        Ok(())
    }

    fn turn(&self, at: usize, turn: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
        let given = self.head == LlamaHead::Given;
        match turn.calls() {
            Some(calls) if given && !calls.is_empty() => self.calls(at, turn, calls, out),
            Some(calls) if !given => self.call(at, turn, calls, out),
            None if !(turn.is("tool") || turn.is("ipython")) => {
                let shown = if given {
                    None
                } else {
                    Some(out.shown(at, turn)?)
                };
                self.header(&turn.role, at, out);
                match shown {
                    Some(text) => out.say(at, Words::from(&text).strip()),
                    None => pieces(at, turn, out)?,
                }
                out.raw(self.close);
                Ok(())
            }
            _ if turn.is("tool") || turn.is("ipython") => {
                self.header("ipython", at, out);
                out.json(at, turn)?;
                out.raw(self.close);
                Ok(())
            }
            // A message whose list of calls is empty.
            _ => Ok(()),
        }
    }

    /// Llama 3 makes one call at a time, and says nothing beside it.
    fn call(&self, at: usize, turn: &Turn<'_>, calls: &[Call], out: &mut Out<'_>) -> Result<()> {
        let [call] = calls else {
            return Err(out.cannot(
                at,
                turn,
                "holds a list of tool calls that is not exactly one",
                "give each call a message of its own",
            ));
        };
        let origin = Origin::Call(at, 0);
        let builtin = self.builtin(out);
        self.header("assistant", at, out);
        if builtin.is_some_and(|names| names.contains(&call.name)) {
            out.raw("<|python_tag|>");
            out.word(origin, &call.name)?;
            out.raw(".call(");
            for (index, (name, value)) in out
                .arguments(call)
                .entries()
                .unwrap_or_default()
                .iter()
                .enumerate()
            {
                out.raw(if index > 0 { ", " } else { "" });
                out.data(origin, name);
                out.raw("=\"");
                out.data(origin, &display(value));
                out.raw("\"");
            }
            out.raw(")");
        } else {
            write_call(origin, call, out)?;
        }
        out.raw(if builtin.is_some() {
            "<|eom_id|>"
        } else {
            self.close
        });
        Ok(())
    }

    fn calls(&self, at: usize, turn: &Turn<'_>, calls: &[Call], out: &mut Out<'_>) -> Result<()> {
        self.header("assistant", at, out);
        out.raw("<|python_start|>");
        pieces(at, turn, out)?;
        out.raw("<|python_end|>");
        for (index, call) in calls.iter().enumerate() {
            write_call(Origin::Call(at, index), call, out)?;
        }
        out.raw(self.close);
        Ok(())
    }
}

fn write_call(origin: Origin, call: &Call, out: &mut Out<'_>) -> Result<()> {
    out.raw("{\"name\": \"");
    out.word(origin, &call.name)?;
    out.raw("\", \"parameters\": ");
    out.data(origin, &dumps(&out.arguments(call), None));
    out.raw("}");
    Ok(())
}

fn offer(tools: &[Json], out: &mut Out<'_>) {
    out.raw(FORMAT);
    for (index, tool) in tools.iter().enumerate() {
        out.data(Origin::Tool(index), &dumps(tool, Some(4)));
        out.raw("\n\n");
    }
}

/// Text as it is, and a mark for every image.
fn pieces(at: usize, turn: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
    if turn.items().is_some() {
        return out.items(at, turn, "<|image|>", false);
    }
    let text = out.text(at, turn)?;
    out.say(at, Words::from(&text));
    Ok(())
}

/// The model's own template reads a system message that is a list only up to its first item.
fn first_text(turn: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
    let text = if out.is_strict() {
        Some(out.text(0, turn)?)
    } else {
        None
    };
    match (
        text,
        turn.items().and_then(|items| items.into_iter().next()),
    ) {
        (Some(text), _) => out.say(0, Words::from(&text).strip()),
        (None, Some(Item::Text(text))) => out.say(0, Words::from(&text).strip()),
        _ => {}
    }
    Ok(())
}
