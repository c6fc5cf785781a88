//! Writes conversations by the delimiters of the family's table. The functions of the other templates share its methods.

use std::borrow::Cow;

use super::chat::{ChatCall, ChatContent, ChatInput, ChatMessage, ContentItem};
use super::python::dumps;
use super::writer::{FieldOrigin, FormatWriter, ItemTrim, TextSlice};
use crate::{Json, Result, Role, Text};
use prompt_family::Order;
use prompt_family::{
    DefaultSystem, Delimiters, OtherRoles, SystemPlacement, TextEnd, TextStart, Trim,
};

/// Writes each message between its delimiters.
#[inline(never)]
pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let placement = turns.system.placement;
    let last = chat.len() - 1;
    let alternates = out.family.order == Order::Alternate;
    // It precedes the turns, which alternate.
    let system = chat
        .system()
        .filter(|_| placement != SystemPlacement::Turn || alternates);
    let first = usize::from(system.is_some());
    out.write_start(chat);
    out.default_system(chat);
    if let Some(turn) = &system {
        match placement {
            SystemPlacement::Unsupported => {
                let help = "put the instructions into the user message";
                return Err(out.unsupported_message(0, turn, "holds instructions", help));
            }
            SystemPlacement::BeforeTurns if last == 0 => {}
            _ if !placement.is_turn() => {}
            _ => out.write_message(0, turn, &turns.system.delimiters, last == 0)?,
        }
    }
    let system = system.filter(|turn| {
        let is_inside = matches!(
            placement,
            SystemPlacement::FirstUser | SystemPlacement::FirstUserAsOne
        );
        is_inside && !matches!(turn.content(), ChatContent::Absent)
    });
    for (at, turn) in chat.turns() {
        if at < first {
            continue;
        }
        if alternates && turn.has_role(Role::User) != ((at - first) % 2 == 0) {
            return Err(out.out_of_turn(at, &turn, at - first));
        }
        match &system {
            Some(system) if at == first => out.first_user(system, at, &turn)?,
            _ => out.write_turn(at, &turn, at == last)?,
        }
    }
    out.write_end(chat);
    Ok(())
}

impl FormatWriter<'_> {
    /// Writes the beginning of the text.
    pub(super) fn write_start(&mut self, chat: &ChatInput<'_>) {
        match self.family.turns.start {
            TextStart::Nothing => {}
            TextStart::Bos => self.structure(self.family.bos),
            TextStart::BosBeforeQuestion => {
                if chat
                    .first()
                    .is_some_and(|turn| turn.has_role(Role::User) || turn.has_role(Role::System))
                {
                    self.structure(self.family.bos);
                }
            }
            TextStart::Text(text) => self.structure(text),
        }
    }

    /// Writes the family's own system message, if the conversation needs it.
    pub(super) fn default_system(&mut self, chat: &ChatInput<'_>) {
        let system = &self.family.turns.system;
        let has_own = match system.default {
            DefaultSystem::None => true,
            DefaultSystem::UnlessFirst(_) => chat.system().is_some(),
            DefaultSystem::UnlessAny(_) => {
                chat.turns().any(|(_, turn)| turn.has_role(Role::System))
            }
        };
        if let (Some(text), false) = (system.default.text(), has_own) {
            self.structure(system.delimiters.open);
            self.structure(text);
            self.structure(system.delimiters.close);
        }
    }

    /// The text of the system message, empty if there is none.
    pub(super) fn system_text<'t>(&self, chat: &'t ChatInput<'_>) -> Result<Cow<'t, Text>> {
        let text = chat.system().map(|turn| self.text(0, &turn));
        Ok(text.transpose()?.unwrap_or_default())
    }

    /// Writes the system message with the offered tools at its end. Tools without one follow these instructions.
    pub(super) fn write_system_with_tools(
        &mut self,
        chat: &ChatInput<'_>,
        instructions: &str,
        write_tools: impl FnOnce(&mut Self, &[Json]) -> Result<()>,
    ) -> Result<()> {
        let delimiters = &self.family.turns.system.delimiters;
        let tools = chat.tools.as_deref().unwrap_or_default();
        let system = chat.system();
        if tools.is_empty() && system.is_none() {
            return Ok(());
        }
        self.structure(delimiters.open);
        match system {
            Some(turn) => self.finish_content(0, TextSlice::from(&self.text(0, &turn)?)),
            None => self.structure(instructions),
        }
        if !tools.is_empty() {
            write_tools(self, tools)?;
        }
        self.structure(delimiters.close);
        Ok(())
    }

    /// Writes the generation prompt, or the end of a text without one.
    pub(super) fn write_end(&mut self, chat: &ChatInput<'_>) {
        let turns = &self.family.turns;
        if self.has_generation_prompt() {
            return self.structure(turns.generation_prompt());
        }
        let is_answered = || {
            chat.last()
                .is_some_and(|turn| turn.has_role(Role::Assistant))
        };
        match turns.end {
            TextEnd::Eos | TextEnd::EosAfterAssistant if is_answered() => {
                self.begin_answer();
                self.close_answer(self.family.eos);
            }
            TextEnd::Eos => self.structure(self.family.eos),
            TextEnd::Nothing | TextEnd::EosAfterAssistant => {}
        }
    }

    /// Writes the delimiter before a message of this role.
    pub(super) fn open_turn(&mut self, at: usize, turn: &ChatMessage<'_>) {
        let turns = &self.family.turns;
        match (turn.role(), turns.other) {
            (Some(Role::System), _) => self.structure(turns.system.delimiters.open),
            (Some(Role::User), _) => self.structure(turns.user.open),
            (Some(Role::Assistant), _) => self.open_answer(),
            (
                _,
                OtherRoles::Named {
                    open,
                    middle,
                    capitalized,
                    ..
                },
            ) => {
                self.structure(open);
                self.role(at, turn.role_name(), capitalized);
                self.structure(middle);
            }
            _ => {}
        }
    }

    /// Writes a message between the delimiters of its role.
    #[inline(always)]
    pub(super) fn write_turn(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        is_last: bool,
    ) -> Result<()> {
        let turns = &self.family.turns;
        let delimiters = match turn.role() {
            Some(Role::User) => &turns.user,
            Some(Role::Assistant) => return self.write_answer(at, turn, is_last),
            _ => return self.other_turn(at, turn, is_last),
        };
        self.write_message(at, turn, delimiters, is_last)
    }

    /// Writes a message of the assistant between its delimiters.
    #[inline(always)]
    pub(super) fn write_answer(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        is_last: bool,
    ) -> Result<()> {
        let delimiters = &self.family.turns.assistant;
        self.open_answer();
        self.write_content(at, turn, delimiters)?;
        let last_close = delimiters.last_close.filter(|_| is_last);
        self.close_answer(last_close.unwrap_or(delimiters.close));
        Ok(())
    }

    fn other_turn(&mut self, at: usize, turn: &ChatMessage<'_>, is_last: bool) -> Result<()> {
        let turns = &self.family.turns;
        let is_system = turns.system.placement == SystemPlacement::Turn;
        match (turn.role(), turns.other, &turns.tool) {
            (Some(Role::Tool), _, Some(tool)) => self.write_message(at, turn, tool, is_last),
            (Some(Role::System), ..) if is_system => {
                self.write_message(at, turn, &turns.system.delimiters, is_last)
            }
            (_, OtherRoles::Named { close, .. }, _) => {
                let text = self.text_of(at, turn, &turns.user)?;
                self.open_turn(at, turn);
                self.write_trimmed(at, TextSlice::from(&text), turns.user.trim);
                self.structure(close);
                Ok(())
            }
            (_, OtherRoles::LikeAssistant, _) if !self.is_strict() => {
                self.write_message(at, turn, &turns.assistant, false)
            }
            (_, OtherRoles::Dropped, _) => Ok(()),
            _ => Err(self.unsupported_role(at, turn)),
        }
    }

    /// Writes a message between delimiters.
    #[inline(always)]
    pub(super) fn write_message(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        delimiters: &Delimiters,
        is_last: bool,
    ) -> Result<()> {
        if delimiters.optional && self.is_empty(at, turn, delimiters)? {
            return Ok(());
        }
        self.structure(delimiters.open);
        self.write_content(at, turn, delimiters)?;
        let last_close = delimiters.last_close.filter(|_| is_last);
        self.structure(last_close.unwrap_or(delimiters.close));
        Ok(())
    }

    #[cold]
    fn is_empty(&self, at: usize, turn: &ChatMessage<'_>, delimiters: &Delimiters) -> Result<bool> {
        let text = self.text_of(at, turn, delimiters)?;
        Ok(!self.has_text(at, TextSlice::from(&text)))
    }

    /// Writes the content of a message, trimmed.
    #[inline(always)]
    pub(super) fn write_content(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        delimiters: &Delimiters,
    ) -> Result<()> {
        match turn.content() {
            ChatContent::Text(text) if delimiters.trim == Trim::Nothing && !self.is_open(at) => {
                self.slice(FieldOrigin::Content(at), TextSlice::new(text));
            }
            ChatContent::Text(text) if delimiters.trim == Trim::Ends && !self.is_open(at) => {
                self.slice(FieldOrigin::Content(at), TextSlice::new(text).strip());
            }
            ChatContent::Text(text) => self.trimmed_content(at, text, delimiters),
            _ => self.other_content(at, turn, delimiters)?,
        }
        Ok(())
    }

    /// Writes a content that is not one text.
    #[cold]
    fn other_content(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        delimiters: &Delimiters,
    ) -> Result<()> {
        if self.family.media && turn.items().is_some() {
            let trim = match delimiters.trim {
                Trim::Nothing => ItemTrim::Nothing,
                Trim::Ends | Trim::EndsAndBlankLines => ItemTrim::Each,
            };
            return self.write_items(at, turn, trim);
        }
        let text = self.text_of(at, turn, delimiters)?;
        self.trimmed_content(at, &text, delimiters);
        Ok(())
    }

    fn trimmed_content(&mut self, at: usize, text: &Text, delimiters: &Delimiters) {
        let text = TextSlice::new(text);
        match delimiters.trim {
            // A space follows, so a message that is continued keeps the one at its end.
            Trim::Ends if delimiters.close.starts_with(' ') && self.is_open(at) => {
                self.finish_content(at, text.strip_start());
            }
            trim => self.write_trimmed(at, text, trim),
        }
    }

    fn text_of<'t>(
        &self,
        at: usize,
        turn: &'t ChatMessage<'_>,
        delimiters: &Delimiters,
    ) -> Result<Cow<'t, Text>> {
        match delimiters.prints_lists {
            true => self.printed_text(at, turn),
            false => self.text(at, turn),
        }
    }

    fn write_trimmed(&mut self, at: usize, text: TextSlice<'_>, trim: Trim) {
        let mut rest = match trim {
            Trim::Nothing => text,
            Trim::Ends | Trim::EndsAndBlankLines => text.strip(),
        };
        while trim == Trim::EndsAndBlankLines
            && let Some(found) = rest.find("\n\n")
        {
            let len = rest.len();
            self.slice(FieldOrigin::Content(at), rest.part(0..found + 1));
            rest = rest.part(found + 2..len);
        }
        self.finish_content(at, rest);
    }

    /// Writes a system message whose content may be a list. The models' own templates that take images read only the first
    /// item of such a list.
    pub(super) fn write_system(&mut self, system: &ChatMessage<'_>, trim: Trim) -> Result<()> {
        let is_listed = self.family.media && !self.is_strict();
        match system.items().filter(|_| is_listed) {
            Some(items) => {
                if let Some(ContentItem::Text(text)) = items.first() {
                    self.write_trimmed(0, TextSlice::from(text), trim);
                }
            }
            None => self.write_trimmed(0, TextSlice::from(&self.text(0, system)?), trim),
        }
        Ok(())
    }

    /// Writes the first user message with the system message in it.
    fn first_user(
        &mut self,
        system: &ChatMessage<'_>,
        at: usize,
        turn: &ChatMessage<'_>,
    ) -> Result<()> {
        let turns = &self.family.turns;
        self.structure(turns.user.open);
        self.structure(turns.system.delimiters.open);
        self.write_system(system, Trim::Nothing)?;
        self.structure(turns.system.delimiters.close);
        if turns.system.placement == SystemPlacement::FirstUserAsOne && !self.is_open(at) {
            let text = self.text(at, turn)?;
            let text = TextSlice::from(&text).strip_end();
            self.finish_content(at, text);
            if text.is_empty() {
                self.strip_end();
            }
        } else if turns.system.placement == SystemPlacement::FirstUserAsOne {
            self.finish_content(at, TextSlice::from(&self.text(at, turn)?));
        } else {
            self.write_content(at, turn, &turns.user)?;
        }
        self.structure(turns.user.close);
        Ok(())
    }

    /// Writes a message with calls where the model's chat template does not support them: as the model writes them.
    pub(super) fn turn_with_calls(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        between: &str,
        arguments: fn(&mut Self, FieldOrigin, &Json) -> Result<()>,
    ) -> Result<()> {
        let turns = &self.family.turns;
        self.open_turn(at, turn);
        let text = self.text(at, turn)?;
        let text = TextSlice::from(&text);
        self.finish_content(at, text);
        if self.has_text(at, text) {
            self.structure("\n");
        }
        self.write_call_section(at, turn, between, arguments)?;
        self.close_answer(turns.assistant.close);
        Ok(())
    }

    /// Writes the calls of a message between the delimiters of the section, and a string between them.
    pub(super) fn write_call_section(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        between: &str,
        arguments: impl Fn(&mut Self, FieldOrigin, &Json) -> Result<()>,
    ) -> Result<()> {
        let calls = &self.family.turns.calls;
        self.structure(calls.section_open);
        for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
            let origin = FieldOrigin::Call(at, index);
            self.structure(if index > 0 { between } else { "" });
            self.structure(calls.open);
            self.write_name(origin, &call.name)?;
            self.structure(calls.middle);
            let given = self.arguments(call).into_owned();
            arguments(self, origin, &given)?;
            self.structure(calls.close);
        }
        self.structure(calls.section_close);
        Ok(())
    }

    /// Writes arguments as Python's keyword arguments: `day=1, place='Brest'`.
    pub(super) fn python_arguments(
        &mut self,
        origin: FieldOrigin,
        arguments: &Json,
        print: impl Fn(&mut Self, &Json) -> Result<String>,
    ) -> Result<()> {
        let entries = arguments.entries().ok_or_else(|| {
            let error = self.unsupported("a call has arguments that are not an object");
            error.with_help("give them as an object")
        })?;
        for (index, (name, value)) in entries.iter().enumerate() {
            self.structure(if index > 0 { ", " } else { "" });
            self.write_name(origin, name)?;
            self.structure("=");
            let value = print(self, value)?;
            self.write_data(origin, &value);
        }
        Ok(())
    }

    /// Writes the offered tools as JSON, in the family's list.
    pub(super) fn write_tool_list(&mut self, tools: &[Json]) {
        let list = &self.family.turns.tools;
        self.structure(list.open);
        for (index, tool) in tools.iter().enumerate() {
            self.structure(if index > 0 { list.between } else { "" });
            let text = tool.as_string().unwrap_or_else(|| dumps(tool, None));
            self.write_data(FieldOrigin::Tool(index), &text);
        }
        self.structure(list.close);
    }

    /// Writes arguments as JSON.
    pub(super) fn json_arguments(&mut self, origin: FieldOrigin, arguments: &Json) -> Result<()> {
        self.write_data(origin, &dumps(arguments, None));
        Ok(())
    }

    /// Whether a message has calls that this crate writes although the model's chat template drops them.
    pub(super) fn has_own_calls(&self, turn: &ChatMessage<'_>) -> bool {
        self.is_strict() && turn.has_calls()
    }

    /// Writes the calls of a message with arguments as JSON, and a string between them.
    pub(super) fn write_calls(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        between: &str,
    ) -> Result<()> {
        for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
            self.structure(if index > 0 { between } else { "" });
            let arguments = dumps(&self.arguments(call), None);
            self.write_call(FieldOrigin::Call(at, index), call, &arguments)?;
        }
        Ok(())
    }

    /// Writes a tool call with these arguments.
    pub(super) fn write_call(
        &mut self,
        origin: FieldOrigin,
        call: &ChatCall,
        arguments: &str,
    ) -> Result<()> {
        let calls = &self.family.turns.calls;
        self.open_answer_with(calls.open);
        self.write_name(origin, &call.name)?;
        self.structure(calls.middle);
        self.write_data(origin, arguments);
        self.structure(calls.close);
        Ok(())
    }
}
