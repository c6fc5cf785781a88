//! What both layouts put together: the parts of a conversation, extra fields, tools.

use crate::format::Wrapping;
use crate::guard::{self, Firsts, Guard};
use crate::lazyllm::Keys;
use crate::{Extra, Json, Message, Messages, Result, Role, Source, Text, Tool, Wrapped};

/// A conversation as LazyLLM sees it: perhaps an instruction, which is the first message if that is the system's; what was
/// said before the current turn; and that turn, which is the user's message at the end, or the results of tools there.
#[derive(Clone, Copy)]
pub(super) struct Sections<'a> {
    messages: &'a Messages,
    /// Whether there is an instruction: it may be there and say nothing.
    pub(super) is_instructed: bool,
    /// Where the current turn begins.
    current: usize,
}

/// A message and its index.
pub(super) type Turn<'a> = (usize, &'a Message);

impl<'a> Sections<'a> {
    pub(super) fn of(messages: &'a Messages) -> Sections<'a> {
        let is_role = |message: Option<&Message>, role| message.is_some_and(|it| it.role == role);
        let is_instructed = is_role(messages.each().next(), Role::System);
        let current = if is_role(messages.last(), Role::User) {
            messages.len() - 1
        } else {
            let turns = messages.each().enumerate().skip(usize::from(is_instructed));
            let others = turns.filter(|turn| turn.1.role != Role::Tool);
            others
                .last()
                .map_or(usize::from(is_instructed), |turn| turn.0 + 1)
        };
        Sections {
            messages,
            is_instructed,
            current,
        }
    }

    pub(super) fn instruction(self) -> Option<&'a Message> {
        self.messages.each().next().filter(|_| self.is_instructed)
    }

    pub(super) fn history(self) -> impl Iterator<Item = Turn<'a>> {
        let turns = self.messages.each().enumerate().take(self.current);
        turns.skip(usize::from(self.is_instructed))
    }

    pub(super) fn current(self) -> impl Iterator<Item = Turn<'a>> {
        self.messages.each().enumerate().skip(self.current)
    }

    /// Whether tools have answered since the model spoke.
    pub(super) fn has_results(self) -> bool {
        self.current().any(|turn| turn.1.role == Role::Tool)
    }
}

/// What a layout writes: a message, the text alone, or the text with what each piece of it is.
pub(super) trait Page {
    /// Makes room for so many bytes more, of so many pieces of data.
    fn reserve(&mut self, bytes: usize, data: usize);

    /// Says which message the next pieces belong to.
    fn message(&mut self, index: Option<usize>);

    /// The marks of the format.
    fn structure(&mut self, text: &str);

    /// The layout's own words.
    fn words(&mut self, words: &str);

    /// Data of a slot, or of none.
    fn data(&mut self, slot: Option<&'static str>, data: &str);

    /// A text with what in it is data.
    fn text(&mut self, text: &Text);

    /// All texts of a message.
    fn said(&mut self, message: &Message) {
        message.texts().for_each(|text| self.text(text));
    }
}

impl Page for Text {
    fn reserve(&mut self, bytes: usize, data: usize) {
        Text::reserve(self, bytes, data);
    }

    fn message(&mut self, _: Option<usize>) {}

    fn structure(&mut self, text: &str) {
        self.push_own(text);
    }

    fn words(&mut self, words: &str) {
        self.push_own(words);
    }

    fn data(&mut self, slot: Option<&'static str>, data: &str) {
        self.push_data(slot, data);
    }

    fn text(&mut self, text: &Text) {
        self.push(text);
    }
}

impl Page for Wrapped {
    fn reserve(&mut self, bytes: usize, data: usize) {
        // As many pieces stand between them.
        Wrapped::reserve(self, bytes, 2 * data);
    }

    fn message(&mut self, index: Option<usize>) {
        Wrapped::message(self, index);
    }

    fn structure(&mut self, text: &str) {
        Wrapped::structure(self, text);
    }

    fn words(&mut self, words: &str) {
        self.push(words, Source::Template);
    }

    fn data(&mut self, slot: Option<&'static str>, data: &str) {
        self.push(data, Source::Data(slot));
    }

    fn text(&mut self, text: &Text) {
        Wrapped::text(self, text);
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

/// The text of what a layout writes, where no token stands in data: `stands` says of a place in the text whether one does,
/// and ends behind another place.
pub(super) fn text_alone(
    wrapping: &Wrapping,
    firsts: &Firsts,
    stands: impl Fn(&str, usize, usize) -> bool,
    write: impl FnOnce(&mut Text) -> Result<()>,
) -> Option<String> {
    if wrapping.label.is_some() {
        return None;
    }
    let mut text = Text::new();
    write(&mut text).ok()?;
    let data = text.data().iter().map(|data| data.range.clone());
    let stands = |at, behind| stands(text.as_str(), at, behind);
    if wrapping.guard != Guard::Allow && !guard::is_clean(text.as_str(), data, firsts, stands) {
        return None;
    }
    let mut text = text.into_parts().0;
    let breaks = text.len() - text.trim_start_matches('\n').len();
    text.drain(..breaks);
    Some(text)
}

/// About how many bytes the layouts' own words are.
const WORDS: usize = 320;

/// Makes room for the texts of a prompt with so many bytes of marks for each message.
pub(super) fn reserve(messages: &Messages, extras: &[Extra], marks: usize, page: &mut impl Page) {
    let (mut bytes, mut data) = (WORDS + 2 * marks, 2);
    let mut add = |text: &Text| {
        bytes += text.as_str().len();
        data += text.data().len();
    };
    extras.iter().for_each(|extra| add(&extra.value));
    for message in messages.each() {
        message.texts().for_each(&mut add);
    }
    bytes += messages.len() * marks;
    data += messages.len();
    page.reserve(bytes, data);
}

/// The extra fields, each under its name.
pub(super) fn write_extras(extras: &[Extra], page: &mut impl Page) {
    if extras.is_empty() {
        return;
    }
    page.words("Here are some extra messages you can referred to:\n\n");
    for extra in extras {
        page.words("### ");
        page.words(extra.name);
        page.words(":\n");
        page.text(&extra.value);
        page.words("\n\n");
    }
}

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
