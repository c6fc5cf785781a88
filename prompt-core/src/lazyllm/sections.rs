//! What both layouts put together: the parts of a conversation, extra fields, tools.

use crate::format::Wrapping;
use crate::format::page::{Page, Sheet, Value};
use crate::guard::{self, Firsts};
use crate::lazyllm::Keys;
use crate::write::sketch::Said;
use crate::{Extra, Json, Messages, Result, Role, Sketch, Text, Tool, Wrapped};

/// What a prompt says: as it was written, message by message, or as words alone.
pub(super) trait Talk<'a>: Copy {
    /// The messages in order, from one on.
    fn turns(self, from: usize) -> impl Iterator<Item = Turn<'a>>;

    /// How many messages there are.
    fn len(self) -> usize;

    /// The role of the last message.
    fn last_role(self) -> Option<Role>;

    /// The extra fields in order: their names, and what they hold.
    fn extras(self) -> impl Iterator<Item = (&'static str, Value<'a>)>;

    /// What the model may use.
    fn tools(self) -> &'a [Tool];

    /// How many bytes all this has, of how many pieces of data.
    fn size(self) -> (usize, usize);
}

/// A message and its index.
pub(super) type Turn<'a> = (usize, Said<'a>);

/// Messages, and the extra fields apart from them.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    pub(super) messages: &'a Messages,
    pub(super) extras: &'a [Extra],
}

impl<'a> Talk<'a> for Written<'a> {
    fn turns(self, from: usize) -> impl Iterator<Item = Turn<'a>> {
        let turns = self.messages.each().enumerate().skip(from);
        turns.map(|(index, message)| (index, Said::Message(message)))
    }

    fn len(self) -> usize {
        self.messages.len()
    }

    fn last_role(self) -> Option<Role> {
        self.messages.last().map(|message| message.role)
    }

    fn extras(self) -> impl Iterator<Item = (&'static str, Value<'a>)> {
        let extras = self.extras.iter();
        extras.map(|extra| (extra.name, Value::Text(&extra.value)))
    }

    fn tools(self) -> &'a [Tool] {
        self.messages.tools()
    }

    fn size(self) -> (usize, usize) {
        let (mut bytes, mut data) = (0, 0);
        let mut add = |text: &Text| {
            bytes += text.as_str().len();
            data += text.data().len();
        };
        self.extras.iter().for_each(|extra| add(&extra.value));
        for message in self.messages.each() {
            message.texts().for_each(&mut add);
        }
        (bytes, data)
    }
}

impl<'a> Talk<'a> for &'a Sketch {
    fn turns(self, from: usize) -> impl Iterator<Item = Turn<'a>> {
        Sketch::turns(self).enumerate().skip(from)
    }

    fn len(self) -> usize {
        Sketch::len(self)
    }

    fn last_role(self) -> Option<Role> {
        Sketch::last_role(self)
    }

    fn extras(self) -> impl Iterator<Item = (&'static str, Value<'a>)> {
        let extras = Sketch::extras(self);
        extras.map(|(name, words)| (name, Value::Words(words)))
    }

    fn tools(self) -> &'a [Tool] {
        &[]
    }

    fn size(self) -> (usize, usize) {
        (self.bytes(), 0)
    }
}

/// A conversation as LazyLLM sees it: perhaps an instruction, which is the first message if that is the system's; what was
/// said before the current turn; and that turn, which is the user's message at the end, or the results of tools there.
#[derive(Clone, Copy)]
pub(super) struct Sections<T> {
    talk: T,
    /// Whether there is an instruction: it may be there and say nothing.
    pub(super) is_instructed: bool,
    /// Where the current turn begins.
    current: usize,
}

impl<'a, T: Talk<'a>> Sections<T> {
    pub(super) fn of(talk: T) -> Sections<T> {
        let first = talk.turns(0).next();
        let is_instructed = first.is_some_and(|turn| turn.1.role() == Role::System);
        let start = usize::from(is_instructed);
        let current = if talk.last_role() == Some(Role::User) {
            talk.len() - 1
        } else {
            let others = talk.turns(start);
            let others = others.filter(|turn| turn.1.role() != Role::Tool);
            others.last().map_or(start, |turn| turn.0 + 1)
        };
        Sections {
            talk,
            is_instructed,
            current,
        }
    }

    pub(super) fn instruction(self) -> Option<Said<'a>> {
        let first = self.talk.turns(0).next().filter(|_| self.is_instructed);
        first.map(|turn| turn.1)
    }

    pub(super) fn history(self) -> impl Iterator<Item = Turn<'a>> {
        let start = usize::from(self.is_instructed);
        self.talk.turns(start).take(self.current - start)
    }

    pub(super) fn current(self) -> impl Iterator<Item = Turn<'a>> {
        self.talk.turns(self.current)
    }

    /// Whether tools have answered since the model spoke.
    pub(super) fn has_results(self) -> bool {
        self.current().any(|turn| turn.1.role() == Role::Tool)
    }

    pub(super) fn has_extras(self) -> bool {
        self.talk.extras().next().is_some()
    }

    pub(super) fn tools(self) -> &'a [Tool] {
        self.talk.tools()
    }

    /// Makes room for the texts of a prompt with so many bytes of marks for each message.
    pub(super) fn reserve(self, marks: usize, page: &mut impl Page) {
        let (bytes, data) = self.talk.size();
        let len = self.talk.len();
        page.reserve(WORDS + bytes + (len + 2) * marks, data + len + 2);
    }

    /// The extra fields, each under its name.
    pub(super) fn write_extras(self, page: &mut impl Page) {
        if !self.has_extras() {
            return;
        }
        page.words("Here are some extra messages you can referred to:\n\n");
        for (name, value) in self.talk.extras() {
            page.words("### ");
            page.words(name);
            page.words(":\n");
            page.value(value);
            page.words("\n\n");
        }
    }
}

/// Writes a layout, and the label behind it, which ends with `end`.
pub(super) fn write_labelled(
    out: &mut Wrapped,
    end: &str,
    write: impl FnOnce(&Wrapping, &mut Wrapped) -> Result<()>,
) -> Result<()> {
    let wrapping = out.options().clone();
    write(&wrapping, out)?;
    if let Some(label) = wrapping.label {
        out.label(&label, end);
    }
    out.strip_line_breaks();
    Ok(())
}

/// What lays out a prompt on any page.
pub(super) trait Layout {
    /// Writes all but a label.
    fn write_sections<'a>(
        &self,
        talk: impl Talk<'a>,
        wrapping: &Wrapping,
        page: &mut impl Page,
    ) -> Result<()>;

    /// What its control tokens begin with.
    fn firsts(&self) -> &Firsts;

    /// Whether a token could begin in the layout's words or marks and end in data.
    fn is_open(&self) -> bool;

    /// Whether a token stands at a place of a text, and ends behind another place.
    fn stands_at(&self) -> impl Fn(&str, usize, usize) -> bool;
}

/// The text of a prompt, where no token stands in data.
pub(super) fn text_alone<'a>(
    layout: &impl Layout,
    talk: impl Talk<'a>,
    wrapping: &Wrapping,
) -> Option<String> {
    if wrapping.label.is_some() {
        return None;
    }
    let mut sheet = Sheet::new(wrapping, layout.firsts(), layout.is_open());
    layout.write_sections(talk, wrapping, &mut sheet).ok()?;
    let mut text = match sheet.finish() {
        Some(text) => text,
        None => searched(layout, talk, wrapping)?,
    };
    if text.starts_with('\n') {
        let breaks = text.len() - text.trim_start_matches('\n').len();
        text.drain(..breaks);
    }
    Some(text)
}

/// The same with a record of where data stands.
#[inline(never)]
fn searched<'a>(layout: &impl Layout, talk: impl Talk<'a>, wrapping: &Wrapping) -> Option<String> {
    let mut page = Text::new();
    layout.write_sections(talk, wrapping, &mut page).ok()?;
    let (text, data) = page.into_parts();
    let (data, stands_at) = (data.into_iter().map(|data| data.range), layout.stands_at());
    let stands = |at, behind| stands_at(&text, at, behind);
    guard::is_clean(&text, data, layout.firsts(), stands).then_some(text)
}

/// About how many bytes the layouts' own words are.
const WORDS: usize = 320;

/// The tools as JSON, and nothing without tools.
pub(super) fn write_tools(tools: &[Tool], page: &mut impl Page) -> Result<()> {
    if tools.is_empty() {
        return Ok(());
    }
    page.words("### Function-call Tools. \n\n");
    page.data(Some("tools"), &Json::of(tools)?.spaced());
    page.words("\n\n");
    Ok(())
}

/// How a tool is called, told by an example: only where the keys have the tokens for it, and there are tools.
///
/// Without such tokens the tools are listed all the same, as LazyLLM's own documents show it.
pub(super) fn write_calling(tools: &[Tool], keys: &Keys, page: &mut impl Page) -> Result<()> {
    if tools.is_empty() || !keys.can_call() {
        return Ok(());
    }
    let names: Vec<_> = tools.iter().map(Tool::name).collect();
    let (start, args, end) = (
        &*keys.tool_start_token,
        &*keys.tool_args_token,
        &*keys.tool_end_token,
    );
    page.words(&format!("\n\n{start}tool name (one of "));
    page.data(Some("tools"), &Json::of(&names)?.spaced());
    page.words(&format!(
        ")\n{args}the input to the tool, in a JSON format representing the kwargs. Can only return json.\n\
         {end}end of tool.\n\
         (e.g. {start}tool_name\n{args}{{\"input\": \"hello world\", \"num_beams\": 5}}\n{end}).\n"
    ));
    Ok(())
}
