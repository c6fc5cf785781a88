//! Reads a family's text back into turns, by the delimiters of the family's table.

use super::NativeFormat;
use crate::annotated_text::is_whitespace;
use crate::format::{AnswerParser, FormatOptions, WithOptions};
use crate::{ChatFormat, Error, ErrorKind, Message, Messages, Result, Role};
use prompt_family::{ConversationTemplate, Family, OtherRoles, TextStart};

/// A turn of a text that was read: its role and its text, without the delimiters.
///
/// ```
/// use typed_prompt::{Message, Role, format};
///
/// let turns = format::CHATML.parse("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n")?;
/// assert_eq!((turns[0].role, turns[0].text), (Role::User, "Hi"));
/// assert_eq!(Message::from(turns[0]), Message::user("Hi"));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsedTurn<'t> {
    /// The role.
    pub role: Role,
    /// The text. Tool calls are in it as the family writes calls.
    pub text: &'t str,
    /// The reasoning before it, where the family separates it.
    pub reasoning: Option<&'t str>,
}

impl From<ParsedTurn<'_>> for Message {
    fn from(turn: ParsedTurn<'_>) -> Message {
        let message = Message::new(turn.role, turn.text);
        message.with_reasoning(turn.reasoning.unwrap_or_default())
    }
}

impl NativeFormat {
    /// Reads a text of this family back into turns. For data in a model's own format, such as training rows.
    ///
    /// A generation prompt at the end is not a turn. What a family adds to a turn (a date, a default system text, tools) is
    /// part of that turn's text; so are instructions that the user's turn contains without delimiters.
    ///
    /// # Errors
    /// Text outside of all turns, and a role that chat models do not have, with the position.
    ///
    /// ```
    /// use typed_prompt::{Role, format};
    ///
    /// let text = "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi [/INST] Hello. </s><s>[INST] Bye [/INST]";
    /// let turns = format::LLAMA2.parse(text)?;
    /// let turns: Vec<_> = turns.iter().map(|turn| (turn.role, turn.text)).collect();
    /// assert_eq!(
    ///     turns,
    ///     [(Role::System, "Be brief."), (Role::User, "Hi"), (Role::Assistant, "Hello."), (Role::User, "Bye")]
    /// );
    /// assert_eq!(
    ///     format::QWEN3.parse("Hi").unwrap_err().message(),
    ///     "the text is not Qwen 3's: this part is outside of all turns"
    /// );
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn parse<'t>(&self, text: &'t str) -> Result<Vec<ParsedTurn<'t>>> {
        TurnReader::new(self.family, text).read()
    }

    /// Parses the answer of a model of this family after a prompt in this format: its text and its reasoning.
    ///
    /// # Errors
    /// An answer that continues with the turn of another role.
    ///
    /// ```
    /// use typed_prompt::{Message, format};
    ///
    /// let answer = format::QWEN3.parse_answer("<think>\nEasy.\n</think>\n\n4<|im_end|>")?;
    /// assert_eq!(answer, Message::assistant("4").with_reasoning("Easy."));
    /// let answer = format::GPT_OSS.parse_answer(
    ///     "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>",
    /// )?;
    /// assert_eq!(answer, Message::assistant("4").with_reasoning("Easy."));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn parse_answer(&self, answer: &str) -> Result<Message> {
        self.parse_answer_with(answer, FormatOptions::new())
    }

    /// Parses an answer after a prompt with these options, which may open the reasoning or close it.
    fn parse_answer_with(&self, answer: &str, options: FormatOptions) -> Result<Message> {
        let prompt = Messages::from([Message::user("?")]).to_text(self.options(options))?;
        let parser = AnswerParser::new(self).prompt(&prompt, false);
        let is_harmony = parser.is_harmony();
        let reply = parser.parse(answer)?;
        let mut message = reply.message();
        if is_harmony {
            return Ok(message);
        }
        // The text without reasoning and calls is a turn, which ends with the family's delimiter.
        let opened = self.reasoning_delimiters().map_or("", |(open, _)| open);
        let end = prompt.trim_end();
        let mut text = end
            .strip_suffix(opened)
            .filter(|text| text.len() < end.len());
        let mut text = text.take().unwrap_or(&prompt).to_owned();
        let before = self.parse(&text)?.len();
        text.push_str(&reply.text);
        let turns = self.parse(&text)?;
        message.parts.clear();
        match &turns[before.min(turns.len())..] {
            [] => Ok(message),
            [turn] if turn.role == Role::Assistant => {
                message.parts = Message::from(*turn).parts;
                Ok(message)
            }
            _ => Err(Error::new(
                ErrorKind::Output,
                format!(
                    "the answer continues after the assistant's turn of {}",
                    self.family.title
                ),
            )
            .with_help("stop the model at the end of its turn")
            .with_answer(answer)),
        }
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "parse")))]
impl WithOptions<NativeFormat> {
    /// Parses the answer of a model of this family after a prompt in this format: its text and its reasoning.
    ///
    /// # Errors
    /// As [`NativeFormat::parse_answer`], and an option that the family does not support.
    ///
    /// ```
    /// use typed_prompt::format;
    ///
    /// assert_eq!(format::QWEN3.thinking(false).parse_answer("4<|im_end|>")?.text(), "4");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn parse_answer(&self, answer: &str) -> Result<Message> {
        let mut options = self.format_options().clone().generation_prompt(true);
        options.label = None;
        options.continued = false;
        self.format().parse_answer_with(answer, options)
    }
}

/// A delimiter that opens a turn.
#[derive(Clone, Copy)]
struct Opener {
    /// The role, `None` for text of the format itself.
    role: Option<Role>,
    open: &'static str,
    /// The delimiter after the text. If it is empty or white space, the next turn ends this one.
    close: &'static str,
    /// Optional text between `open` and the message.
    lead: &'static str,
    /// Whether `open` also closes the turn before, and may open none: calls and results have delimiters of their own.
    is_shared: bool,
    /// Whether `open` belongs to the message.
    is_kept: bool,
}

/// The delimiters that open turns, the longest first, so that none is taken for the beginning of another.
fn openers_of_family(family: &Family) -> Vec<Opener> {
    let turns = &family.turns;
    let (user, assistant) = (turns.user, turns.assistant);
    let is_bare = is_blank(assistant.open);
    let is_opener = |text: &str| {
        let mut also = turns.also_read.iter();
        is_bare && text == user.close
            || also.any(|(role, open, _)| *role == "assistant" && *open == text)
    };
    let plain = |role: Option<Role>, open: &'static str, close: &'static str| {
        let start = open.trim_end_matches(' ');
        Opener {
            role,
            open: start,
            close: if is_opener(close) { "" } else { close },
            lead: &open[start.len()..],
            is_shared: false,
            is_kept: false,
        }
    };
    let shared = |open: &'static str| Opener {
        lead: if is_bare { assistant.open } else { "" },
        is_shared: true,
        ..plain(Some(Role::Assistant), open, assistant.close)
    };
    let mut openers = vec![
        plain(Some(Role::User), user.open, user.close),
        match is_bare {
            true => shared(user.close),
            false => plain(Some(Role::Assistant), assistant.open, assistant.close),
        },
    ];
    let system = turns.system.delimiters;
    if turns.system.placement.is_turn() && !is_blank(system.open) {
        openers.push(plain(Some(Role::System), system.open, system.close));
    }
    if let Some(tool) = turns.tool {
        openers.push(plain(Some(Role::Tool), tool.open, tool.close));
    }
    if turns.calls.is_turn {
        let calls = plain(
            Some(Role::Assistant),
            turns.calls.section_open,
            assistant.close,
        );
        openers.push(Opener {
            is_kept: true,
            ..calls
        });
    }
    openers.extend(
        turns
            .also_read
            .iter()
            .map(|(role, open, close)| match *role {
                "assistant" => shared(open),
                role => plain(Role::from_name(role), open, close),
            }),
    );
    let answer = turns.generation_prompt();
    if !matches!(turns.other, OtherRoles::Named { .. }) && !answer.starts_with(openers[1].open) {
        openers.push(plain(Some(Role::Assistant), answer, assistant.close));
    }
    // The token at the start may be missing.
    let without_bos = |opener: &Opener| {
        let open = opener.open.strip_prefix(family.bos)?;
        (!family.bos.is_empty()).then_some(Opener { open, ..*opener })
    };
    let again: Vec<_> = openers.iter().filter_map(without_bos).collect();
    openers.extend(again);
    openers.retain(|opener| !opener.open.is_empty());
    openers.sort_by_key(|opener| std::cmp::Reverse(opener.open.len()));
    openers
}

fn is_blank(text: &str) -> bool {
    text.trim_matches(is_whitespace).is_empty()
}

/// The maximum length of a role's name, in bytes. Without a limit, a text with many openings and no end would be searched to its end for each
/// of them.
const HEADER: usize = 1_000;

/// Reads a text turn by turn.
struct TurnReader<'t> {
    family: &'static Family,
    openers: Vec<Opener>,
    text: &'t str,
    at: usize,
    /// The bytes that delimiters begin with.
    first: [bool; 256],
    /// The assistant's reasoning in the turn before this one.
    reasoning: Option<&'t str>,
    turns: Vec<ParsedTurn<'t>>,
}

/// An opening delimiter at its position in the text.
struct Opened {
    role: Option<Role>,
    close: &'static str,
    /// Where the message begins.
    start: usize,
    /// The delimiter also closes the turn before, and may open none.
    is_shared: bool,
    /// The turn is the assistant's reasoning before the next turn.
    is_reasoning: bool,
}

/// The end of a turn's text.
enum TurnEnding {
    /// The next turn, or the end of the text.
    Open,
    /// A delimiter of this length.
    Closed(usize),
}

impl<'t> TurnReader<'t> {
    fn new(family: &'static Family, text: &'t str) -> TurnReader<'t> {
        let openers = openers_of_family(family);
        let mut first = [false; 256];
        let mut begins = |delimiter: &str| {
            if let Some(byte) = delimiter.bytes().next() {
                first[usize::from(byte)] = true;
            }
        };
        for opener in &openers {
            begins(opener.open);
            begins(opener.close.trim_matches(is_whitespace));
        }
        if let OtherRoles::Named { open, close, .. } = family.turns.other {
            begins(open);
            begins(close);
        }
        family.turns.closes.iter().for_each(|close| begins(close));
        TurnReader {
            family,
            openers,
            text,
            at: 0,
            first,
            reasoning: None,
            turns: Vec::new(),
        }
    }

    fn read(mut self) -> Result<Vec<ParsedTurn<'t>>> {
        if self.opener_at(0)?.is_none() {
            let start = match self.family.turns.start {
                TextStart::Text(text) => text,
                _ => self.family.bos,
            };
            self.at = if self.text.starts_with(start) {
                start.len()
            } else {
                0
            };
        }
        let mut is_first = true;
        while let Some(opened) = self.next(is_first)? {
            self.read_turn(&opened)?;
            is_first = false;
        }
        Ok(self.turns)
    }

    /// The next turn, after white space that belongs to none.
    fn next(&mut self, is_first: bool) -> Result<Option<Opened>> {
        if let Some(opened) = self.opener_at(self.at)? {
            return Ok(Some(opened));
        }
        let rest = &self.text[self.at..];
        let blank = rest.len() - rest.trim_start_matches(is_whitespace).len();
        if let Some(close) = self.bare_system().filter(|_| is_first) {
            let (end, _) = self.find_turn_end(self.at, "")?;
            if end > self.at {
                return Ok(Some(Opened {
                    role: Some(Role::System),
                    close,
                    start: self.at,
                    is_shared: false,
                    is_reasoning: false,
                }));
            }
        }
        // White space before a delimiter may be the delimiter's own.
        for at in (self.at..=self.at + blank).filter(|at| self.text.is_char_boundary(*at)) {
            if let Some(opened) = self.opener_at(at)? {
                return Ok(Some(opened));
            }
        }
        self.at += blank;
        if rest[blank..].is_empty() || &rest[blank..] == self.family.eos {
            return Ok(None);
        }
        let message = format!(
            "the text is not {}'s: this part is outside of all turns",
            self.family.title
        );
        let line = rest[blank..].lines().next().unwrap_or_default().len();
        Err(Error::new(ErrorKind::History, message)
            .with_help("read it with the format that it was written in")
            .with_drawing(
                self.text,
                self.at..self.at + line.min(40),
                "outside of all turns",
            ))
    }

    /// The delimiter that closes a system message at the start without an opening delimiter.
    fn bare_system(&self) -> Option<&'static str> {
        let system = &self.family.turns.system;
        (system.placement.is_turn() && is_blank(system.delimiters.open))
            .then_some(system.delimiters.close)
    }

    /// The delimiter at a position that opens a turn.
    fn opener_at(&self, at: usize) -> Result<Option<Opened>> {
        let rest = &self.text[at..];
        let mut openers = self.openers.iter();
        if let Some(opener) = openers.find(|opener| rest.starts_with(opener.open)) {
            let after = at + opener.open.len();
            let leads = self.text[after..].starts_with(opener.lead);
            return Ok(Some(Opened {
                role: opener.role,
                close: opener.close,
                start: match opener.is_kept {
                    true => at,
                    false => after + opener.lead.len() * usize::from(leads),
                },
                is_shared: opener.is_shared,
                is_reasoning: false,
            }));
        }
        let OtherRoles::Named {
            open,
            middle,
            close,
            ..
        } = self.family.turns.other
        else {
            return Ok(None);
        };
        // `[|user|]` is a delimiter, and `[|` alone is text, unlike `<|im_start|>`.
        let mut tokens = self.family.tokens.iter();
        let Some(header) = rest
            .strip_prefix(open)
            .filter(|_| tokens.any(|token| rest.starts_with(token)))
        else {
            return Ok(None);
        };
        let near = &header.as_bytes()[..header.len().min(HEADER)];
        let found = memchr::memmem::find(near, middle.as_bytes());
        let Some(end) = found.filter(|end| !header[..*end].contains('\n')) else {
            // A generation prompt that ends inside the header.
            let is_answer =
                header.len() < HEADER && header.trim_end_matches(is_whitespace) == "assistant";
            return Ok(is_answer.then_some(Opened {
                role: Some(Role::Assistant),
                close,
                start: self.text.len(),
                is_shared: false,
                is_reasoning: false,
            }));
        };
        let name = &header[..end];
        // The header of gpt-oss's reasoning opens it.
        let reasoning = self.family.turns.reasoning;
        let is_reasoning = reasoning
            .and_then(|(open, _)| open.strip_suffix(middle))
            .is_some_and(|channel| name.contains(channel));
        Ok(Some(Opened {
            role: self.role_of_header(name, at + open.len())?,
            close,
            start: at + open.len() + end + middle.len(),
            is_shared: false,
            is_reasoning,
        }))
    }

    fn role_of_header(&self, header: &str, at: usize) -> Result<Option<Role>> {
        let name = header.split([' ', '<', '\n']).next().unwrap_or_default();
        match name {
            "developer" => Ok(Some(Role::System)),
            "model" => Ok(Some(Role::Assistant)),
            "ipython" | "observation" => Ok(Some(Role::Tool)),
            _ if name.starts_with("functions.") => Ok(Some(Role::Tool)),
            _ => match Role::from_name(&name.to_lowercase()) {
                Some(role) => Ok(Some(role)),
                None => Err(crate::message::role_named(name).unwrap_err().with_drawing(
                    self.text,
                    at..at + name.len(),
                    "not a role",
                )),
            },
        }
    }

    /// The end of the text that begins at `start`, and the delimiter there.
    fn find_turn_end(&self, start: usize, close: &str) -> Result<(usize, TurnEnding)> {
        let close = close.trim_matches(is_whitespace);
        let bytes = self.text.as_bytes();
        let mut at = start;
        while let Some(found) = bytes[at..]
            .iter()
            .position(|byte| self.first[usize::from(*byte)])
        {
            at += found;
            if self.text.is_char_boundary(at) {
                let rest = &self.text[at..];
                let mut closes = [close]
                    .into_iter()
                    .chain(self.family.turns.closes.iter().copied());
                if let Some(close) =
                    closes.find(|close| !close.is_empty() && rest.starts_with(close))
                {
                    return Ok((at, TurnEnding::Closed(close.len())));
                }
                if self.opener_at(at)?.is_some() {
                    return Ok((at, TurnEnding::Open));
                }
            }
            at += 1;
        }
        Ok((self.text.len(), TurnEnding::Open))
    }

    fn read_turn(&mut self, opened: &Opened) -> Result<()> {
        let own = opened.close;
        let start = opened.start;
        // A delimiter that is kept does not end its own turn.
        let from = match self
            .openers
            .iter()
            .find(|opener| opener.is_kept && self.text[start..].starts_with(opener.open))
        {
            Some(opener) => start + opener.open.len(),
            None => start,
        };
        let (end, ending) = self.find_turn_end(from, own)?;
        let text = &self.text[start..end];
        let text = match ending {
            TurnEnding::Closed(len) => {
                self.at = end + len;
                let after = &own[own.trim_end_matches(is_whitespace).len()..];
                if self.text[self.at..].starts_with(after) {
                    self.at += after.len();
                }
                let before = &own[..own.len() - own.trim_start_matches(is_whitespace).len()];
                text.strip_suffix(before).unwrap_or(text)
            }
            TurnEnding::Open => {
                self.at = end;
                text.strip_suffix(own).unwrap_or(text)
            }
        };
        let is_open = matches!(ending, TurnEnding::Open);
        let Some(role) = opened.role else {
            return Ok(());
        };
        if opened.is_reasoning {
            self.reasoning = Some(text);
            return Ok(());
        }
        let next = self.opener_at(self.at)?.map(|next| next.role);
        match role {
            Role::Assistant => {
                // An open turn without text is a generation prompt, or the beginning of calls and results.
                let continues = self.at == self.text.len()
                    || (opened.is_shared
                        && matches!(next, Some(None | Some(Role::Assistant | Role::Tool))));
                let (text, thought) = self.split_reasoning(text);
                let is_blank = text.trim_matches(is_whitespace).is_empty();
                // Or an answer that is missing.
                let is_missing = next.is_some() && !self::is_blank(own);
                let has_thought = thought.is_some_and(|thought| !thought.is_empty());
                if is_open && (continues || is_missing) && is_blank && !has_thought {
                    return Ok(());
                }
                self.push(role, text, thought);
            }
            // The delimiter before a result, after which the tool is called.
            Role::Tool if is_open && self.at == self.text.len() && is_blank(text) => {}
            Role::User if self.turns.is_empty() => self.first_user(text),
            Role::User | Role::Tool => self.push_results(role, text),
            _ => self.push(role, text, None),
        }
        Ok(())
    }

    fn push(&mut self, role: Role, text: &'t str, reasoning: Option<&'t str>) {
        let reasoning = reasoning.or_else(|| self.reasoning.take());
        let reasoning = reasoning.filter(|text| !text.is_empty());
        self.turns.push(ParsedTurn {
            role,
            text,
            reasoning,
        });
    }

    /// The text of an assistant message, and the reasoning before it.
    fn split_reasoning(&self, text: &'t str) -> (&'t str, Option<&'t str>) {
        let Some((open, close)) = self.family.turns.reasoning else {
            return (text, None);
        };
        let none = self.family.turns.no_reasoning;
        // What is written without reasoning may contain text, as in Seed-OSS.
        let is_none = !none.is_empty() && text.starts_with(none);
        let Some(rest) = text.strip_prefix(open) else {
            if let Some(rest) = text.strip_prefix(none).filter(|_| is_none) {
                return (rest, None);
            }
            // A generation prompt with the beginning of the reasoning.
            let is_start =
                text.trim_end_matches(is_whitespace) == open.trim_end_matches(is_whitespace);
            return if is_start { ("", None) } else { (text, None) };
        };
        let token = close.trim_matches(is_whitespace);
        let end = rest.find(token);
        // The reasoning of Apertus continues after calls.
        let calls = match self.family.template {
            ConversationTemplate::Apertus => rest.find(self.family.turns.calls.section_open),
            _ => None,
        };
        if let Some(calls) = calls.filter(|calls| end.is_none_or(|end| *calls < end)) {
            return (&rest[calls..], Some(&rest[..calls]));
        }
        match end {
            Some(end) => {
                let (thought, text) = (&rest[..end], &rest[end + token.len()..]);
                let before = &close[..close.len() - close.trim_start_matches(is_whitespace).len()];
                let after = &close[close.trim_end_matches(is_whitespace).len()..];
                let text = text.strip_prefix(after).unwrap_or(text);
                let thought = thought.strip_suffix(before).unwrap_or(thought);
                (text, Some(thought).filter(|_| !is_none))
            }
            None => ("", Some(rest)),
        }
    }

    fn first_user(&mut self, text: &'t str) {
        let system = &self.family.turns.system;
        let (open, close) = (system.delimiters.open, system.delimiters.close);
        let is_inside = !system.placement.is_turn() && !open.is_empty();
        let system = Some(text)
            .filter(|_| is_inside)
            .and_then(|text| text.strip_prefix(open)?.split_once(close));
        match system {
            Some((system, rest)) => {
                self.push(Role::System, system, None);
                self.push(Role::User, rest, None);
            }
            None => self.push_results(Role::User, text),
        }
    }

    /// Separates the results of tools that share a turn.
    fn push_results(&mut self, role: Role, text: &'t str) {
        let Some((open, close)) = self.family.turns.results else {
            return self.push(role, text, None);
        };
        let mut rest = text;
        if !rest.starts_with(open) {
            return self.push(role, text, None);
        }
        while let Some(result) = rest.strip_prefix(open) {
            let (result, after) = result.split_once(close).unwrap_or((result, ""));
            self.push(Role::Tool, result, None);
            let next = after.trim_start_matches('\n');
            let has_next = next.starts_with(open) && !after.starts_with(open);
            rest = if has_next { next } else { after };
        }
        if !rest.is_empty() {
            self.push(role, rest, None);
        }
    }
}
