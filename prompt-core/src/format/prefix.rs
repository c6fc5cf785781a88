//! Whether a format writes the turns of a conversation the same way whatever follows them.

use crate::{AnnotatedText, Guard, Json, Message, Messages, Result, Role, Tool, ToolCall};

use super::FormatOptions;

/// A format without its type.
type Write<'a> = &'a dyn Fn(&Messages, &FormatOptions) -> Result<AnnotatedText>;

/// Renders conversations turn by turn and compares each text with the one before.
pub(super) fn is_prefix_preserving(options: &FormatOptions, write: Write<'_>) -> bool {
    let options = FormatOptions {
        label: None,
        continued: false,
        guard: Guard::Allow,
        ..options.clone()
    };
    let mut found = false;
    for with_tools in [false, true] {
        // A model that does not think writes no reasoning.
        let reasoning = [true, false].into_iter();
        let mut reasoning = reasoning.filter(|thinks| !thinks || options.thinking != Some(false));
        let texts = reasoning.find_map(|thinks| {
            let system = [true, false].into_iter();
            let mut probes = system.map(|system| probe_conversation(system, thinks, with_tools));
            probes.find_map(|probe| render_turns(&probe, &options, write).ok())
        });
        if let Some(texts) = texts {
            found = true;
            if !texts.windows(2).all(|pair| pair[1].starts_with(&pair[0])) {
                return false;
            }
        }
    }
    found
}

/// The texts that a program sends, with the generation prompt, and those that end with an answer.
///
/// # Errors
/// The format does not take the whole conversation.
fn render_turns(
    probe: &Messages,
    options: &FormatOptions,
    write: Write<'_>,
) -> Result<Vec<String>> {
    write(probe, &options.clone().generation_prompt(true))?;
    // Tools that are in the last user message are not in a text that ends with an answer.
    let options = options.clone().lenient();
    let mut texts = Vec::new();
    for (at, message) in probe.iter().enumerate() {
        if message.role == Role::System {
            continue;
        }
        let turns: Vec<Message> = probe.as_slice()[..=at].to_vec();
        let tools = probe.tools().iter().cloned();
        let turns = tools.fold(Messages::from(turns), Messages::with_tool);
        let is_answer = message.role == Role::Assistant;
        // The token that ends an answer also ends texts that are not continued, where the next turn may not have it.
        let options = options
            .clone()
            .generation_prompt(!is_answer)
            .eos(!is_answer);
        texts.push(write(&turns, &options)?.into_string());
    }
    Ok(texts)
}

fn probe_conversation(system: bool, thinks: bool, with_tools: bool) -> Messages {
    let answer = |message: Message, thought: &str| match thinks {
        true => message.with_reasoning(thought),
        false => message,
    };
    let mut turns = Vec::new();
    if system {
        turns.push(Message::system("Be brief."));
    }
    turns.push(Message::user("When is high tide?"));
    if with_tools {
        // Mistral's templates take ids of nine letters and digits only.
        let call = ToolCall::new("call00001", "tide", r#"{"day": 1}"#);
        turns.push(answer(Message::calls([call]), "The tool has it."));
        turns.push(Message::tool("call00001", "6:12"));
    }
    turns.push(answer(Message::assistant("At 6:12."), "It is early."));
    turns.push(Message::user("And low tide?"));
    turns.push(answer(Message::assistant("At noon."), "Six hours later."));
    turns.push(Message::user("Thanks."));
    let messages = Messages::from(turns);
    if !with_tools {
        return messages;
    }
    let schema = r#"{"type": "object", "properties": {"day": {"type": "integer"}}}"#;
    let tool = Tool::new("tide").with_description("When high tide is.");
    messages.with_tool(match Json::parse(schema) {
        Ok(schema) => tool.with_parameters(schema),
        Err(_) => tool,
    })
}
