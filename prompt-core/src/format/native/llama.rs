//! Llama 3.1, 3.2 and 4: a date in the system message, and tools in the first user message.

use super::chat::{ChatCall, ChatInput, ChatMessage};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Json, Result, Role};
use prompt_family::{Delimiters, SystemDate, Trim};

const FORMAT: &str = "Respond in the format {\"name\": function name, \"parameters\": dictionary of argument name and its value}.Do not use variables.\n\n";
const IN_SYSTEM: &str = "You have access to the following functions. To call a function, please respond with JSON for a function call.";
/// The help where a message has several calls, or text beside a call.
pub(crate) const SEPARATE: &str = "use `.separate_calls()` of the format, which writes the text, and each call with its result, as messages of their own";
const IN_USER: &str = "Given the following functions, please respond with a JSON for a function call with its proper arguments that best answers the given prompt.\n\n";

pub(crate) fn write_chat(
    chat: &ChatInput<'_>,
    date: SystemDate,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let user = &out.family.turns.user;
    out.write_start(chat);
    let mut turns = chat.turns().peekable();
    let system = turns
        .next_if(|(_, turn)| turn.has_role(Role::System))
        .map(|(_, turn)| turn);
    let in_user = out.options.are_tools_in_user();
    if system.is_some() || date != SystemDate::Never {
        write_system(system, chat, date, out)?;
    }
    if let (Some(tools), true) = (&chat.tools, in_user) {
        let Some((at, turn)) = turns.next() else {
            return Err(out
                .unsupported("tools are offered, and no user message is there to hold them")
                .with_help("add a user message"));
        };
        if out.is_strict() && !turn.has_role(Role::User) {
            return Err(out.unsupported_message(
                at,
                &turn,
                "would hold the tools and is not the user's",
                "begin with a user message",
            ));
        }
        let text = out.printed_text(at, &turn)?;
        out.structure(user.open);
        out.structure(IN_USER);
        write_tools(tools, out);
        out.finish_content(at, TextSlice::from(&text).strip());
        out.structure(user.close);
    }
    while let Some((at, turn)) = turns.next() {
        match (turn.tool_calls(), out.family.turns.tool) {
            (Some(calls), _) if date == SystemDate::Never && !calls.is_empty() => {
                write_calls(at, &turn, out)?;
            }
            (Some(calls), _) if date != SystemDate::Never && out.options.separate_calls => {
                let mut results = Vec::new();
                while let Some(result) = turns.next_if(|(_, turn)| is_result(turn)) {
                    results.push(result);
                }
                write_separate_calls(at, &turn, &calls, results, date, out)?;
            }
            (Some(calls), _) if date != SystemDate::Never => {
                let [call] = &calls[..] else {
                    return Err(out.unsupported_message(
                        at,
                        &turn,
                        "holds a list of tool calls that is not exactly one",
                        match calls.is_empty() {
                            true => "leave the list out",
                            false => SEPARATE,
                        },
                    ));
                };
                write_one_call(FieldOrigin::Call(at, 0), call, date, out)?;
            }
            (_, Some(_)) if is_result(&turn) => write_result(at, &turn, out)?,
            (None, _) => out.write_turn(at, &turn, false)?,
            // A message whose list of calls is empty.
            _ => {}
        }
    }
    out.write_end(chat);
    Ok(())
}

fn is_result(turn: &ChatMessage<'_>) -> bool {
    turn.has_role(Role::Tool) || turn.is_named("ipython")
}

fn write_result(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = out.family.turns.tool.unwrap_or(Delimiters::new("", ""));
    out.structure(delimiters.open);
    out.write_json(at, turn)?;
    out.structure(delimiters.close);
    Ok(())
}

fn builtin_tools<'o>(date: SystemDate, out: &FormatWriter<'o>) -> Option<&'o [String]> {
    matches!(date, SystemDate::Fixed(_)).then_some(out.options.builtin_tools.as_deref())?
}

fn write_system(
    system: Option<ChatMessage<'_>>,
    chat: &ChatInput<'_>,
    date: SystemDate,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    out.structure(delimiters.open);
    let builtin = builtin_tools(date, out);
    if builtin.is_some() || chat.tools.is_some() {
        out.structure("Environment: ipython\n");
    }
    if let Some(builtin) = builtin {
        let others: Vec<_> = builtin
            .iter()
            .filter(|name| *name != "code_interpreter")
            .map(String::as_str)
            .collect();
        out.structure("Tools: ");
        out.write_data(FieldOrigin::Option, &others.join(", "));
        out.structure("\n\n");
    }
    if date != SystemDate::Never {
        out.structure("Cutting Knowledge Date: December 2023\nToday Date: ");
        match (&out.options.date_text, date, out.options.date) {
            (Some(text), ..) => out.write_data(FieldOrigin::Option, text),
            (_, SystemDate::Fixed(day), None) => out.structure(day),
            _ => {
                let day = out.options.date_or_today();
                let month = &day.month_name()[..3];
                out.structure(&format!("{:02} {month} {}", day.day, day.year));
            }
        }
        out.structure("\n\n");
    }
    if let (Some(tools), false) = (&chat.tools, out.options.are_tools_in_user()) {
        out.structure(IN_SYSTEM);
        write_tools(tools, out);
    }
    match system {
        Some(turn) if date == SystemDate::Never && turn.items().is_some() => {
            out.write_system(&turn, Trim::Ends)?;
        }
        Some(turn) => out.finish_content(0, TextSlice::from(&out.printed_text(0, &turn)?).strip()),
        None => {}
    }
    out.structure(delimiters.close);
    Ok(())
}

/// Writes the text of a message, and each of its calls followed by its result, as turns of their own.
fn write_separate_calls<'t>(
    at: usize,
    turn: &ChatMessage<'t>,
    calls: &[ChatCall],
    mut results: Vec<(usize, ChatMessage<'t>)>,
    date: SystemDate,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let text = out.printed_text(at, turn)?;
    if out.has_text(at, TextSlice::from(&text)) {
        out.write_answer(at, turn, false)?;
    }
    let in_order = results.iter().all(|(_, result)| result.call_id().is_none());
    for (index, call) in calls.iter().enumerate() {
        write_one_call(FieldOrigin::Call(at, index), call, date, out)?;
        let answers = |(_, result): &(usize, ChatMessage<'_>)| match result.call_id() {
            Some(_) => call.is_answered_by(result) || calls.len() == 1,
            None => in_order,
        };
        if let Some(position) = results.iter().position(answers) {
            let (at, result) = results.remove(position);
            write_result(at, &result, out)?;
        }
    }
    match results.first() {
        Some((at, result)) => Err(out.unsupported_message(
            *at,
            result,
            "is not the result of one of the calls before it",
            "give the call and its result the same id",
        )),
        None => Ok(()),
    }
}

/// Llama 3 makes one call at a time, with no text beside it.
fn write_one_call(
    origin: FieldOrigin,
    call: &ChatCall,
    date: SystemDate,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let builtin = builtin_tools(date, out);
    out.open_answer();
    if builtin.is_some_and(|names| names.contains(&call.name)) {
        out.structure(turns.calls.section_open);
        out.write_name(origin, &call.name)?;
        out.structure(".call(");
        let arguments = out.arguments(call).entries().unwrap_or_default();
        for (index, (name, value)) in arguments.iter().enumerate() {
            out.structure(if index > 0 { ", " } else { "" });
            out.write_data(origin, name);
            out.structure("=\"");
            out.write_data(origin, &display(value));
            out.structure("\"");
        }
        out.structure(")");
    } else {
        out.write_call(origin, call, &dumps(&out.arguments(call), None))?;
    }
    out.close_answer(match builtin {
        Some(_) => turns.calls.section_close,
        None => turns.assistant.close,
    });
    Ok(())
}

fn write_calls(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    out.open_answer();
    out.structure(turns.calls.section_open);
    out.write_content(at, turn, &turns.assistant)?;
    out.structure(turns.calls.section_close);
    out.write_calls(at, turn, "")?;
    out.close_answer(turns.assistant.close);
    Ok(())
}

fn write_tools(tools: &[Json], out: &mut FormatWriter<'_>) {
    out.structure(FORMAT);
    for (index, tool) in tools.iter().enumerate() {
        out.write_data(FieldOrigin::Tool(index), &dumps(tool, Some(4)));
        out.structure("\n\n");
    }
}
