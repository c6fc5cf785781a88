/// The fixed text of an ordinary conversation: instructions or none, then user and assistant in turn, each with words and
/// nothing else, the user last.
///
/// It is what stands between the words, joined: where one turn ends and the next begins, it is one text.
///
/// ```
/// use prompt_syntax::family;
///
/// let frame = family::CHATML.frame.unwrap();
/// let text = [frame.user.unwrap(), "Hi", frame.answer].concat();
/// assert_eq!(text, "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Before instructions, and between them and the user's first words.
    pub system: Option<(&'static str, &'static str)>,
    /// Before the user's first words, where there are no instructions.
    pub user: Option<&'static str>,
    /// Between the user's words and the assistant's.
    pub reply: &'static str,
    /// Between the assistant's words and the user's.
    pub next: &'static str,
    /// After the user's last words: the answer begins behind it.
    pub answer: &'static str,
    /// What becomes of white space at both ends of words.
    pub ends: Ends,
    /// What makes a conversation extraordinary where it stands in words, such as the end of thoughts.
    pub switches: &'static [&'static str],
}

/// The fixed text of a layout of one instruction: behind it extra fields stand, each under its name.
///
/// ```
/// use prompt_syntax::family;
///
/// let form = family::LAZYLLM_ALPACA.form.unwrap();
/// let field = [form.first, "knowledge", form.name_end, "Water boils.", form.field_end].concat();
/// let text = [form.before, "Answer.", form.after, &field, form.answer].concat();
/// assert!(text.ends_with("\n\n### knowledge:\nWater boils.\n\n\n\n### Response:\n"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// Before all, on a line of its own.
    pub system: &'static str,
    /// Before the instruction.
    pub before: &'static str,
    /// Behind the instruction.
    pub after: &'static str,
    /// Before the name of the first extra field.
    pub first: &'static str,
    /// Before the name of another one.
    pub next: &'static str,
    /// Between the name of a field and what it holds.
    pub name_end: &'static str,
    /// Behind what a field holds.
    pub field_end: &'static str,
    /// Behind all of it: the answer begins here.
    pub answer: &'static str,
}

/// What becomes of white space at both ends of words.
///
/// ```
/// use prompt_syntax::family::{self, Ends};
///
/// assert_eq!(family::LLAMA3.frame.map(|frame| frame.ends), Some(Ends::Stripped));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ends {
    /// It stays.
    Kept,
    /// It is taken off.
    Stripped,
    /// It stays or not, by role: words without any are the same in either case.
    Varying,
}
