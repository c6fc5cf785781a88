//! The common part of LazyLLM's layouts: the conversation as they divide it, the extra fields and the tools.

use prompt_core::format::FormatOptions;
use prompt_core::{
    AnnotatedText, Extra, Json, Message, Messages, Origin, Result, Role, Text, Tool,
};

use super::Keys;

/// The text before the instruction of the Alpaca layout.
pub(super) const INSTRUCTION: &str = "Below is an instruction that describes a task, paired with extra messages such as input \
    that provides further context if possible. Write a response that appropriately completes the request.\n\n\
    ### Instruction:\n";

/// A conversation as LazyLLM divides it: an instruction, if the first message is the system's; the turns before the current
/// one; and the current turn, which is the user's message at the end, or the results of tools there.
#[derive(Clone, Copy)]
pub(super) struct DividedConversation<'a> {
    pub(super) messages: &'a Messages,
    pub(super) extras: &'a [Extra],
    pub(super) instruction: Option<&'a Message>,
    /// The index at which the current turn begins.
    current: usize,
}

/// A message and its index.
pub(super) type DividedTurn<'a> = (usize, &'a Message);

impl<'a> DividedConversation<'a> {
    pub(super) fn new(messages: &'a Messages, extras: &'a [Extra]) -> DividedConversation<'a> {
        let first = messages.iter().next();
        let instruction = first.filter(|message| message.role == Role::System);
        let start = usize::from(instruction.is_some());
        let current = if messages.last().is_some_and(|it| it.role == Role::User) {
            messages.len() - 1
        } else {
            let turns = messages.iter().enumerate().skip(start);
            let mut others = turns.filter(|turn| turn.1.role != Role::Tool);
            others.next_back().map_or(start, |turn| turn.0 + 1)
        };
        DividedConversation {
            messages,
            extras,
            instruction,
            current,
        }
    }

    /// The turns before the current one.
    pub(super) fn earlier_turns(&self) -> impl Iterator<Item = DividedTurn<'a>> {
        let turns = self.messages.iter().enumerate().take(self.current);
        turns.skip(usize::from(self.instruction.is_some()))
    }

    /// The messages of the current turn.
    pub(super) fn current_messages(&self) -> impl Iterator<Item = DividedTurn<'a>> {
        self.messages.iter().enumerate().skip(self.current)
    }

    /// Whether the current turn is results of tools.
    pub(super) fn has_results(&self) -> bool {
        self.current_messages()
            .any(|turn| turn.1.role == Role::Tool)
    }

    /// An estimate of the bytes and pieces of the text, with so many bytes of delimiters for each message.
    pub(super) fn estimate_size(&self, delimiters: usize) -> (usize, usize) {
        let (mut bytes, mut data) = (LAYOUT_BYTES, 0);
        let mut add = |text: &Text| {
            bytes += text.as_str().len();
            data += text.data().len();
        };
        for message in self.messages {
            message.texts().for_each(&mut add);
        }
        self.extras.iter().for_each(|extra| add(&extra.value));
        let len = self.messages.len() + 2;
        (bytes + len * delimiters, data + len)
    }
}

/// About how many bytes the layouts' own text has.
const LAYOUT_BYTES: usize = 320;

/// The extra fields, each under its name.
pub(super) fn write_extras<'a>(extras: &'a [Extra], out: &mut impl Extend<TextSegment<'a>>) {
    for (index, extra) in extras.iter().enumerate() {
        let title = match index {
            0 => "Here are some extra messages you can referred to:\n\n### ",
            _ => "### ",
        };
        out.extend([title, extra.name, ":\n"].map(template_segment));
        out.extend(extra.value.pieces());
        out.extend([template_segment("\n\n")]);
    }
}

/// Text and its source, which a [`Text`] and an [`AnnotatedText`] can be extended with.
pub(super) type TextSegment<'a> = (&'a str, Origin);

pub(super) fn template_segment(text: &str) -> TextSegment<'_> {
    (text, Origin::Template)
}

/// The tools as JSON, and nothing without tools.
pub(super) fn write_tools(tools: &[Tool], out: &mut AnnotatedText) -> Result<()> {
    if tools.is_empty() {
        return Ok(());
    }
    out.push("### Function-call Tools. \n\n", Origin::Template);
    out.push(
        &Json::from_serialize(tools)?.spaced(),
        Origin::Data(Some("tools")),
    );
    out.push("\n\n", Origin::Template);
    Ok(())
}

/// An example of a tool call: only where the keys have the tokens for it, and there are tools.
///
/// Without such tokens the tools are listed all the same, as LazyLLM's own documents show it.
pub(super) fn write_calling(tools: &[Tool], keys: &Keys, out: &mut AnnotatedText) -> Result<()> {
    if tools.is_empty() || !keys.can_call() {
        return Ok(());
    }
    let names: Vec<_> = tools.iter().map(Tool::name).collect();
    let (start, args, end) = (
        &*keys.tool_start_token,
        &*keys.tool_args_token,
        &*keys.tool_end_token,
    );
    out.push(&format!("\n\n{start}tool name (one of "), Origin::Template);
    out.push(
        &Json::from_serialize(&names)?.spaced(),
        Origin::Data(Some("tools")),
    );
    out.push(
        &format!(
            ")\n{args}the input to the tool, in a JSON format representing the kwargs. Can only return json.\n\
             {end}end of tool.\n\
             (e.g. {start}tool_name\n{args}{{\"input\": \"hello world\", \"num_beams\": 5}}\n{end}).\n"
        ),
        Origin::Template,
    );
    Ok(())
}

/// Writes the text of a layout, and after it the label, which may end with `end`.
pub(super) fn write_labelled(
    options: &FormatOptions,
    out: &mut AnnotatedText,
    end: &str,
    write: impl FnOnce(&mut AnnotatedText) -> Result<()>,
) -> Result<()> {
    write(out)?;
    if let Some(label) = &options.label {
        out.label(label, end);
    }
    out.trim_start_matches('\n');
    Ok(())
}
