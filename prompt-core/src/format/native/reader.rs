use super::Native;
use super::python::is_space;
use super::read::{Reading, Spoken};
use crate::{Error, ErrorKind, Result, Role};

/// How far a role's name may reach.
const HEADER: usize = 1_000;

/// Reads a text turn by turn.
pub(crate) struct Reader<'n, 't> {
    native: &'n Native,
    reading: Reading,
    text: &'t str,
    at: usize,
    /// The bytes that marks begin with.
    first: [bool; 256],
    /// What the assistant thought in a turn before this one.
    reasoning: Option<&'t str>,
    spoken: Vec<Spoken<'t>>,
}

/// A mark that opens a turn, as it stands in the text.
struct Opened {
    role: Option<Role>,
    close: &'static str,
    /// Where the words begin.
    start: usize,
    /// The mark ends the turn before too, and may open none.
    shared: bool,
    /// The assistant thinks aloud, and speaks in the next turn.
    thinks: bool,
}

/// What ends the words of a turn.
enum Ending {
    /// The next turn, or the end of the text.
    Open,
    /// A mark of this length.
    Closed(usize),
}

impl<'n, 't> Reader<'n, 't> {
    /// The marks of `reading` have to stand with the longest first.
    pub(crate) fn new(native: &'n Native, reading: Reading, text: &'t str) -> Reader<'n, 't> {
        let mut first = [false; 256];
        let mut begins = |mark: &str| {
            if let Some(byte) = mark.bytes().next() {
                first[usize::from(byte)] = true;
            }
        };
        for mark in &reading.marks {
            begins(mark.open);
            begins(mark.close.trim_matches(is_space));
        }
        if let Some((open, _, close)) = reading.named {
            begins(open);
            begins(close);
        }
        reading.closes.iter().for_each(|close| begins(close));
        Reader {
            native,
            reading,
            text,
            at: 0,
            first,
            reasoning: None,
            spoken: Vec::new(),
        }
    }

    pub(crate) fn read(mut self) -> Result<Vec<Spoken<'t>>> {
        if self.opened(0)?.is_none() {
            let starts = [self.native.bos, self.reading.start];
            let found = starts
                .into_iter()
                .find(|start| !start.is_empty() && self.text.starts_with(start));
            self.at = found.map_or(0, str::len);
        }
        let mut is_first = true;
        while let Some(opened) = self.next(is_first)? {
            self.turn(&opened)?;
            is_first = false;
        }
        Ok(self.spoken)
    }

    /// The next turn, after white space that belongs to none.
    fn next(&mut self, is_first: bool) -> Result<Option<Opened>> {
        if let Some(opened) = self.opened(self.at)? {
            return Ok(Some(opened));
        }
        let rest = &self.text[self.at..];
        let blank = rest.len() - rest.trim_start_matches(is_space).len();
        if let Some(close) = self.reading.bare_system.filter(|_| is_first) {
            let (end, _) = self.end(self.at, "")?;
            if end > self.at {
                return Ok(Some(Opened {
                    role: Some(Role::System),
                    close,
                    start: self.at,
                    shared: false,
                    thinks: false,
                }));
            }
        }
        // White space before a mark may be the mark's own.
        for at in (self.at..=self.at + blank).filter(|at| self.text.is_char_boundary(*at)) {
            if let Some(opened) = self.opened(at)? {
                return Ok(Some(opened));
            }
        }
        self.at += blank;
        if rest[blank..].is_empty() || &rest[blank..] == self.native.eos {
            return Ok(None);
        }
        let message = format!(
            "the text is not {}'s: this stands in no turn",
            self.native.family.title
        );
        let line = rest[blank..].lines().next().unwrap_or_default().len();
        Err(Error::new(ErrorKind::History, message)
            .with_help("read it with the format that it was written in")
            .drawn(self.text, self.at..self.at + line.min(40), "no turn"))
    }

    /// The mark at a place that opens a turn.
    fn opened(&self, at: usize) -> Result<Option<Opened>> {
        let rest = &self.text[at..];
        if let Some(mark) = self
            .reading
            .marks
            .iter()
            .find(|mark| rest.starts_with(mark.open))
        {
            let after = at + mark.open.len();
            let leads = self.text[after..].starts_with(mark.lead);
            return Ok(Some(Opened {
                role: mark.role,
                close: mark.close,
                start: match mark.kept {
                    true => at,
                    false => after + mark.lead.len() * usize::from(leads),
                },
                shared: mark.shared,
                thinks: false,
            }));
        }
        let Some((open, middle, close)) = self.reading.named else {
            return Ok(None);
        };
        // `[|user|]` is a mark, and `[|` alone is text, unlike `<|im_start|>`.
        let is_token = |rest: &str| {
            self.native
                .family
                .tokens
                .iter()
                .any(|token| rest.starts_with(token))
        };
        let Some(header) = rest.strip_prefix(open).filter(|_| is_token(rest)) else {
            return Ok(None);
        };
        let near = &header.as_bytes()[..header.len().min(HEADER)];
        let found = memchr::memmem::find(near, middle.as_bytes());
        let Some(end) = found.filter(|end| !header[..*end].contains('\n')) else {
            // An answer's header that the model is to go on with.
            let is_answer =
                header.len() < HEADER && header.trim_end_matches(is_space) == "assistant";
            return Ok(is_answer.then_some(Opened {
                role: Some(Role::Assistant),
                close,
                start: self.text.len(),
                shared: false,
                thinks: false,
            }));
        };
        let name = &header[..end];
        let thinks = name.contains("<|channel|>analysis");
        Ok(Some(Opened {
            role: self.role(name, at + open.len())?,
            close,
            start: at + open.len() + end + middle.len(),
            shared: false,
            thinks,
        }))
    }

    fn role(&self, header: &str, at: usize) -> Result<Option<Role>> {
        let name = header.split([' ', '<', '\n']).next().unwrap_or_default();
        if self.reading.unsaid.contains(&name) {
            return Ok(None);
        }
        match name {
            "developer" => Ok(Some(Role::System)),
            "model" => Ok(Some(Role::Assistant)),
            "ipython" | "observation" => Ok(Some(Role::Tool)),
            _ if name.starts_with("functions.") => Ok(Some(Role::Tool)),
            _ => match Role::from_name(&name.to_lowercase()) {
                Some(role) => Ok(Some(role)),
                None => Err(crate::message::role_named(name).unwrap_err().drawn(
                    self.text,
                    at..at + name.len(),
                    "no role",
                )),
            },
        }
    }

    /// Where the words end that begin at `start`, and what ends them.
    fn end(&self, start: usize, close: &str) -> Result<(usize, Ending)> {
        let close = close.trim_matches(is_space);
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
                    .chain(self.reading.closes.iter().copied());
                if let Some(close) =
                    closes.find(|close| !close.is_empty() && rest.starts_with(close))
                {
                    return Ok((at, Ending::Closed(close.len())));
                }
                if self.opened(at)?.is_some() {
                    return Ok((at, Ending::Open));
                }
            }
            at += 1;
        }
        Ok((self.text.len(), Ending::Open))
    }

    fn turn(&mut self, opened: &Opened) -> Result<()> {
        let own = opened.close;
        let start = opened.start;
        // A mark that is kept is no end of its own turn.
        let from = match self
            .reading
            .marks
            .iter()
            .find(|mark| mark.kept && self.text[start..].starts_with(mark.open))
        {
            Some(mark) => start + mark.open.len(),
            None => start,
        };
        let (end, ending) = self.end(from, own)?;
        let words = &self.text[start..end];
        let words = match ending {
            Ending::Closed(len) => {
                self.at = end + len;
                let after = &own[own.trim_end_matches(is_space).len()..];
                if self.text[self.at..].starts_with(after) {
                    self.at += after.len();
                }
                let before = &own[..own.len() - own.trim_start_matches(is_space).len()];
                words.strip_suffix(before).unwrap_or(words)
            }
            Ending::Open => {
                self.at = end;
                words.strip_suffix(own).unwrap_or(words)
            }
        };
        let is_open = matches!(ending, Ending::Open);
        let Some(role) = opened.role else {
            return Ok(());
        };
        if opened.thinks {
            self.reasoning = Some(words);
            return Ok(());
        }
        let next = self.opened(self.at)?.map(|next| next.role);
        match role {
            Role::Assistant => {
                // An open turn without words is the start of an answer, or of the calls and results that follow.
                let goes_on = self.at == self.text.len()
                    || (opened.shared
                        && matches!(next, Some(None | Some(Role::Assistant | Role::Tool))));
                let (text, thought) = self.thought(words);
                let is_blank = text.trim_matches(is_space).is_empty();
                if is_open && goes_on && is_blank && thought.is_none_or(str::is_empty) {
                    return Ok(());
                }
                self.say(role, text, thought);
            }
            Role::User if self.spoken.is_empty() => self.first_user(words),
            Role::User | Role::Tool => self.results(role, words),
            _ => self.say(role, words, None),
        }
        Ok(())
    }

    fn say(&mut self, role: Role, text: &'t str, reasoning: Option<&'t str>) {
        let reasoning = reasoning.or_else(|| self.reasoning.take());
        let reasoning = reasoning.filter(|text| !text.is_empty());
        self.spoken.push(Spoken {
            role,
            text,
            reasoning,
        });
    }

    /// The words of an assistant, and what it thought before them.
    fn thought(&self, words: &'t str) -> (&'t str, Option<&'t str>) {
        let Some((open, close)) = self.reading.thought else {
            return (words, None);
        };
        let Some(rest) = words.strip_prefix(open) else {
            // The start of an answer that begins with its thoughts.
            let is_start = words.trim_end_matches(is_space) == open.trim_end_matches(is_space);
            return if is_start { ("", None) } else { (words, None) };
        };
        let mark = close.trim_matches(is_space);
        match rest.find(mark) {
            Some(end) => {
                let (thought, text) = (&rest[..end], &rest[end + mark.len()..]);
                let before = &close[..close.len() - close.trim_start_matches(is_space).len()];
                let after = &close[close.trim_end_matches(is_space).len()..];
                let text = text.strip_prefix(after).unwrap_or(text);
                (text, Some(thought.strip_suffix(before).unwrap_or(thought)))
            }
            None => ("", Some(rest)),
        }
    }

    fn first_user(&mut self, words: &'t str) {
        let system = self
            .reading
            .system_in_user
            .and_then(|(open, close)| words.strip_prefix(open)?.split_once(close));
        match system {
            Some((system, rest)) => {
                self.say(Role::System, system, None);
                self.say(Role::User, rest, None);
            }
            None => self.results(Role::User, words),
        }
    }

    /// Results of tools that share a turn are told apart.
    fn results(&mut self, role: Role, words: &'t str) {
        let Some((open, close)) = self.reading.results else {
            return self.say(role, words, None);
        };
        let mut rest = words;
        if !rest.starts_with(open) {
            return self.say(role, words, None);
        }
        while let Some(result) = rest.strip_prefix(open) {
            let (result, after) = result.split_once(close).unwrap_or((result, ""));
            self.say(Role::Tool, result, None);
            rest = after.strip_prefix('\n').unwrap_or(after);
            rest = if rest.starts_with(open) { rest } else { after };
        }
        if !rest.is_empty() {
            self.say(role, rest, None);
        }
    }
}
