//! What both layouts put together: the parts of a conversation, extra fields, tools.

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

/// What a layout writes: a message, or the whole text.
pub(super) trait Page {
    /// The layout's own words.
    fn words(&mut self, words: &str);

    /// A text with what in it is data.
    fn text(&mut self, text: &Text);

    /// All texts of a message.
    fn said(&mut self, message: &Message) {
        message.texts().for_each(|text| self.text(text));
    }
}

impl Page for Text {
    fn words(&mut self, words: &str) {
        self.push_own(words);
    }

    fn text(&mut self, text: &Text) {
        self.push(text);
    }
}

impl Page for Wrapped {
    fn words(&mut self, words: &str) {
        self.push(words, Source::Template);
    }

    fn text(&mut self, text: &Text) {
        Wrapped::text(self, text);
    }
}

/// About how many bytes the layouts' own words are.
const WORDS: usize = 320;

/// Makes room for the texts of a prompt with so many bytes of marks for each message.
pub(super) fn reserve(messages: &Messages, extras: &[Extra], marks: usize, out: &mut Wrapped) {
    let (mut bytes, mut data) = (WORDS, 4);
    let mut add = |text: &Text| {
        bytes += text.as_str().len();
        data += 2 * text.data().len();
    };
    messages.each().flat_map(Message::texts).for_each(&mut add);
    extras.iter().for_each(|extra| add(&extra.value));
    let turns = messages.len() + 4;
    out.reserve(bytes + turns * marks, data + turns);
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
pub(super) fn write_tools(tools: &[Tool], out: &mut Wrapped) -> Result<()> {
    if tools.is_empty() {
        return Ok(());
    }
    out.words("### Function-call Tools. \n\n");
    out.push(&Json::of(tools)?.spaced(), Source::Data(Some("tools")));
    out.words("\n\n");
    Ok(())
}

/// How a tool is called, told by an example: only where the keys have the tokens for it, and there are tools.
///
/// Without such tokens the tools are listed all the same, as LazyLLM's own documents show it.
pub(super) fn write_calling(tools: &[Tool], keys: &Keys, out: &mut Wrapped) -> Result<()> {
    if tools.is_empty() || !keys.can_call() {
        return Ok(());
    }
    let names: Vec<_> = tools.iter().map(Tool::name).collect();
    let (start, args, end) = (
        &*keys.tool_start_token,
        &*keys.tool_args_token,
        &*keys.tool_end_token,
    );
    out.words(&format!("\n\n{start}tool name (one of "));
    out.push(&Json::of(&names)?.spaced(), Source::Data(Some("tools")));
    out.words(&format!(
        ")\n{args}the input to the tool, in a JSON format representing the kwargs. Can only return json.\n\
         {end}end of tool.\n\
         (e.g. {start}tool_name\n{args}{{\"input\": \"hello world\", \"num_beams\": 5}}\n{end}).\n"
    ));
    Ok(())
}
