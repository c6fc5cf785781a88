//! What both layouts put together: their text, extra fields, tools.

use crate::format::Wrapping;
use crate::format::page::{Page, Sheet};
use crate::guard::{self, Firsts};
use crate::lazyllm::Keys;
use crate::lazyllm::talk::Talk;
use crate::{Json, Result, Text, Tool, Wrapped};

/// The text before the instruction of the Alpaca layout.
pub(super) const INSTRUCTION: &str = "Below is an instruction that describes a task, paired with extra messages such as input \
    that provides further context if possible. Write a response that appropriately completes the request.\n\n\
    ### Instruction:\n";

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
        talk: &impl Talk<'a>,
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
    talk: &impl Talk<'a>,
    wrapping: &Wrapping,
) -> Option<String> {
    if wrapping.label.is_some() {
        return None;
    }
    let mut sheet = Sheet::new(wrapping.guard, layout.firsts(), layout.is_open());
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
fn searched<'a>(layout: &impl Layout, talk: &impl Talk<'a>, wrapping: &Wrapping) -> Option<String> {
    let mut page = Text::new();
    layout.write_sections(talk, wrapping, &mut page).ok()?;
    let (text, data) = page.into_parts();
    let (data, stands_at) = (data.into_iter().map(|data| data.range), layout.stands_at());
    let stands = |at, behind| stands_at(&text, at, behind);
    guard::is_clean(&text, data, layout.firsts(), stands).then_some(text)
}

/// About how many bytes the layouts' own words are.
const WORDS: usize = 320;

/// Makes room for the texts of a prompt with so many bytes of marks for each message.
#[inline]
pub(super) fn reserve<'a>(talk: &impl Talk<'a>, marks: usize, page: &mut impl Page) {
    let (bytes, data) = talk.size();
    let len = talk.len();
    page.reserve(WORDS + bytes + (len + 2) * marks, data + len + 2);
}

/// The extra fields, each under its name.
pub(super) fn write_extras<'a>(talk: &impl Talk<'a>, page: &mut impl Page) {
    let mut before = "Here are some extra messages you can referred to:\n\n### ";
    for (name, value) in talk.extras() {
        page.words(before);
        page.words(name);
        page.words(":\n");
        page.value(value);
        page.words("\n\n");
        before = "### ";
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
