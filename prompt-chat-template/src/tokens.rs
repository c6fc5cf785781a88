//! The control tokens of a template: those in its text, and those that it composes where it is rendered.

use std::sync::OnceLock;

use crate::engine::Engine;
use prompt_core::format::{ControlTokenSet, Family};
use prompt_family::FAMILIES;

/// The properties that all templates share.
pub(crate) const FAMILY: Family = Family {
    name: "jinja",
    title: "the chat template",
    system: true,
    history: true,
    tools: true,
    media: true,
    ..Family::BARE
};

/// Tokens that data must not contain, and those of them that a tokenizer without a list of them encodes as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenList {
    pub(crate) all: Vec<String>,
    pub(crate) loose: Vec<String>,
    /// Those of all that a tokenizer searches for in normalised text.
    normalized: Vec<String>,
    /// All of them, prepared for the search.
    set: OnceLock<ControlTokenSet>,
    /// Those that the template writes beside the definitions of tools only. In a message, `<name>` is text.
    in_tools: Option<Box<TokenList>>,
    /// Where the template writes roles, as the probe messages show it.
    role_headers: Vec<RoleHeader>,
}

/// The text before and after a role in a header, and the words that the template writes there.
#[derive(Clone, Debug)]
struct RoleHeader {
    before: String,
    after: String,
    words: Vec<String>,
}

impl TokenList {
    /// The tokens in the text of a template.
    pub(crate) fn from_text(engine: &Engine) -> TokenList {
        let mut tokens = TokenList::default();
        tokens.add_shapes(&engine.source, &engine.source, false);
        for literal in engine.literals() {
            tokens.add_shapes(literal, &engine.source, true);
        }
        tokens
    }

    /// Adds `<|…|>`, `<|…>` and `<…|>` of any kind, and every token of a known family that the text contains.
    ///
    /// `quotes`: a token may contain quotes, because the text is not source text in which they end a string.
    fn add_shapes(&mut self, text: &str, template: &str, quotes: bool) {
        for name in find_delimited(text, quotes) {
            let is_written = template.contains(name) || quotes;
            let is_other = |char: char| char.is_ascii_digit() && !is_written;
            // A number, or a name of the conversation, has other values elsewhere.
            let end = name.find(PROBE_STEM).or_else(|| name.find(is_other));
            match end.map(|end| &name[..end]) {
                None => self.add_token(name),
                Some(start) if has_word(start) => self.add_token(start),
                Some(_) => {}
            }
        }
        for token in FAMILIES.iter().flat_map(|family| family.tokens) {
            if text.contains(token) {
                self.add_token(token);
            }
        }
        for token in FAMILIES.iter().flat_map(|family| family.loose) {
            let is_known = self.all.iter().any(|known| known == token);
            if is_known && !self.loose.iter().any(|known| known == token) {
                self.loose.push((*token).to_owned());
            }
        }
    }

    fn add_token(&mut self, token: &str) {
        if !token.is_empty() && !self.contains(token) {
            self.all.push(token.to_owned());
        }
    }

    fn contains(&self, token: &str) -> bool {
        self.all.iter().any(|known| known == token)
    }

    /// The list for what the template writes beside data of this kind.
    fn list_beside(&mut self, data: ProbedData) -> &mut TokenList {
        match data {
            ProbedData::Message => self,
            ProbedData::Tool => self.in_tools.get_or_insert_default(),
        }
    }

    /// The tokens of the definitions of tools, prepared for the search.
    pub(crate) fn set_in_tools(&self) -> Option<&ControlTokenSet> {
        let list = self.in_tools.as_ref().filter(|list| !list.all.is_empty());
        list.map(|list| list.token_set())
    }

    /// Adds a marker beside a message. No tokenizer encodes the words of a role before a colon as one token, but it may do so
    /// with a tag that is a token of a family.
    fn add_marker(&mut self, marker: &str) {
        let is_new = !self.contains(marker);
        let is_loose = is_new || marker.ends_with([':', '：']) || marker.starts_with('#');
        self.add_token(marker);
        if is_loose && !self.loose.iter().any(|known| known == marker) {
            self.loose.push(marker.to_owned());
        }
    }

    /// The tokens, prepared for the search in data.
    pub(crate) fn token_set(&self) -> &ControlTokenSet {
        self.set.get_or_init(|| {
            ControlTokenSet::from_tokens(&FAMILY, &as_strs(&self.all))
                .loose(&as_strs(&self.loose))
                .normalized(&as_strs(&self.normalized))
        })
    }

    /// Whether the template may search data for this text of its own. Control tokens act in data, which the guard makes harmless
    /// where they are written; so do signs. A word acts in text of the program only, also one that is a command of a family: `/no_think`.
    pub(crate) fn may_act(&self, word: &str) -> bool {
        let is_sign =
            |token: &str| !token.starts_with(|char: char| char.is_alphanumeric() || char == '/');
        let is_token = |token: &String| is_sign(token.trim_start()) && word.contains(&**token);
        !word.contains(char::is_alphanumeric) || self.all.iter().any(is_token) || is_tag(word)
    }

    /// Whether a text is the name of a role, in any case.
    pub(crate) fn is_role(&self, name: &str) -> bool {
        ROLES.iter().any(|role| name.eq_ignore_ascii_case(role))
    }

    /// Whether a header begins after a text: it ends with a control token, a line break, or the opening of a token. A name is checked with
    /// this rule too, since the probe messages have no names of speakers: their header may be another one than those of the roles.
    pub(crate) fn ends_with_header(&self, text: &str) -> bool {
        let text = text.trim_end_matches([' ', '\t']);
        text.is_empty()
            || text.ends_with(['\n', '<', '[', '|', '｜', '>', ']'])
            || self.all.iter().any(|token| text.ends_with(&**token))
    }

    /// Whether the template writes this word as a role between these texts of its own.
    pub(crate) fn is_role_between(&self, word: &str, before: &str, after: &str) -> bool {
        self.find_role_header(word, before, after).is_some()
    }

    /// Whether a role between these texts is a part of a control token, which the guard finds.
    pub(crate) fn is_token_between(&self, word: &str, before: &str, after: &str) -> bool {
        self.find_role_header(word, before, after)
            .is_some_and(|header| {
                let header = [&header.before, word, &header.after]
                    .concat()
                    .to_lowercase();
                let word = word.to_lowercase();
                let mut tokens = self.all.iter().map(|token| token.to_lowercase());
                tokens.any(|token| token.contains(&word) && header.contains(&token))
            })
    }

    fn find_role_header(&self, word: &str, before: &str, after: &str) -> Option<&RoleHeader> {
        let mut headers = self.role_headers.iter();
        headers.find(|header| {
            let mut words = header.words.iter();
            let is_word = words.any(|known| known.eq_ignore_ascii_case(word)) || self.is_role(word);
            is_word && before.ends_with(&*header.before) && after.starts_with(&*header.after)
        })
    }

    /// Finds where the template writes roles: words before the text of a message that are roles, or that differ from role to role.
    pub(crate) fn add_role_headers(&mut self, text: &str) {
        let mut headers: Vec<RoleHeader> = Vec::new();
        let text = probes_in_lowercase(text);
        for (piece, next) in split_at_probes(&text) {
            if next != Some(ProbedData::Message) {
                continue;
            }
            let mut at = piece.len().saturating_sub(MAX_HEADER);
            while !piece.is_char_boundary(at) {
                at += 1;
            }
            let header = &piece[at..];
            for (start, word) in words_with_positions(header) {
                let end = start + word.len();
                let (before, after) = self.cut_header(&header[..start], &header[end..]);
                if before.trim().is_empty() || word.starts_with(PROBE_STEM) {
                    continue;
                }
                let known = headers
                    .iter_mut()
                    .find(|header| header.before == before && header.after == after);
                match known {
                    Some(header) if header.words.iter().any(|known| known == word) => {}
                    Some(header) => header.words.push(word.to_owned()),
                    None => headers.push(RoleHeader {
                        before: before.to_owned(),
                        after: after.to_owned(),
                        words: vec![word.to_owned()],
                    }),
                }
            }
        }
        for header in headers {
            let is_role =
                header.words.len() > 1 || header.words.iter().any(|word| self.is_role(word));
            let is_same =
                |known: &RoleHeader| known.before == header.before && known.after == header.after;
            match self.role_headers.iter().position(is_same) {
                Some(at) => self.role_headers[at].words.extend(header.words),
                None if is_role && self.role_headers.len() < MAX_ROLE_HEADERS => {
                    self.role_headers.push(header);
                }
                None => {}
            }
        }
    }

    /// The parts of the texts before and after a role that belong to its header: from the last token on, and up to the end of the line or of
    /// the next token.
    fn cut_header<'t>(&self, before: &'t str, after: &'t str) -> (&'t str, &'t str) {
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let line = if before[line..].trim().is_empty() {
            0
        } else {
            line
        };
        let tokens = self.all.iter().filter_map(|token| before.rfind(&**token));
        let from = tokens.max().unwrap_or(0).max(line);
        let ends = self.all.iter().filter_map(|token| {
            let at = after.find(&**token)?;
            Some(at + token.len())
        });
        let line = after.find('\n').map_or(after.len(), |at| at + 1);
        let to = ends.min().unwrap_or(after.len()).min(line);
        (&before[from..], &after[..to])
    }

    /// Adds tokens that a tokenizer searches for in normalised text.
    pub(crate) fn add_normalized(&mut self, tokens: impl IntoIterator<Item = String>) {
        self.set.take();
        self.normalized.extend(tokens);
    }

    /// Adds tokens that a tokenizer encodes as one each: none of them is loose.
    pub(crate) fn add_exact(&mut self, tokens: impl IntoIterator<Item = String>) {
        self.set.take();
        for token in tokens {
            self.loose.retain(|loose| *loose != token);
            self.add_token(&token);
        }
        self.remove_shared();
    }

    pub(crate) fn extend(&mut self, other: TokenList) {
        self.set.take();
        for token in &other.all {
            self.add_token(token);
        }
        for token in other.loose {
            if !self.loose.contains(&token) {
                self.loose.push(token);
            }
        }
        if let Some(in_tools) = other.in_tools {
            self.in_tools.get_or_insert_default().extend(*in_tools);
        }
        self.role_headers.extend(other.role_headers);
        self.remove_shared();
    }

    /// Adds the tags between two texts of the definitions of tools, such as `</name> <type>string</type> <enum>`, and what closes
    /// those before the first text. Other tags before and behind the definitions are prose.
    pub(crate) fn add_tags_in_tools(&mut self, text: &str) {
        let text = probes_in_lowercase(text);
        let mut before = None;
        for (piece, next) in split_at_probes(&text) {
            if [before, next] == [Some(ProbedData::Tool); 2] {
                // `Array<string>` is not a tag.
                let is_closed = |tag: &str| text.contains(&format!("</{}", &tag[1..]));
                let tags = find_tags(piece).filter(|tag| tag.starts_with('<'));
                for tag in tags.filter(|tag| tag.starts_with("</") || is_closed(tag)) {
                    self.list_beside(ProbedData::Tool).add_marker(tag);
                }
            }
            before = next;
        }
        // What opens before the first of them is closed behind the last.
        let in_tools = self.in_tools.iter().flat_map(|list| &list.all);
        let opening = self.all.iter().chain(in_tools);
        let closing = opening
            .filter_map(|tag| Some(format!("</{}", tag.strip_prefix('<')?)))
            .filter(|tag| tag.ends_with('>') && text.contains(&**tag));
        for tag in closing.collect::<Vec<_>>() {
            self.list_beside(ProbedData::Tool).add_marker(&tag);
        }
        self.remove_shared();
    }

    /// Adds the markers beside the text of messages and tools, which is [`PROBE_STEM`] and a letter in a rendered conversation.
    pub(crate) fn add_markers(&mut self, text: &str, template: &str) {
        let text = probes_in_lowercase(text);
        self.add_shapes(&text, template, false);
        let mut before = None;
        for (piece, next) in split_at_probes(&text) {
            if let Some(data) = before {
                for tag in tags_beside(piece.split_whitespace()) {
                    self.list_beside(data).add_marker(tag);
                }
            }
            before = next;
            let (line, has_line) = last_line(piece);
            // The end of the text is the header of an answer.
            let list = self.list_beside(next.unwrap_or(ProbedData::Message));
            for tag in tags_beside(piece.split_whitespace().rev()) {
                list.add_marker(tag);
            }
            if let Some(open) = open_tag(piece).filter(|_| next.is_some()) {
                list.add_token(open);
            }
            if let Some(heading) = find_heading(line).filter(|_| next.is_some() || has_line) {
                match has_word(heading) {
                    true => list.add_marker(heading),
                    // A single letter is a heading at the start of a line only.
                    false => list.add_token(&format!("\n{heading}")),
                }
            }
        }
        self.remove_shared();
    }

    /// What is beside messages too is a token everywhere.
    fn remove_shared(&mut self) {
        let Some(mut in_tools) = self.in_tools.take() else {
            return;
        };
        in_tools.all.retain(|token| !self.contains(token));
        in_tools.loose.retain(|token| !self.contains(token));
        self.in_tools = Some(in_tools);
    }
}

pub(crate) fn as_strs(tokens: &[String]) -> Vec<&str> {
    tokens.iter().map(String::as_str).collect()
}

/// The text of all probed messages.
pub(crate) const PROBE: &str = "zqxjkv";

/// The beginning of [`PROBE`] and of the text of probed tools, which ends with [`TOOL_LETTER`].
const PROBE_STEM: &str = "zqxjk";

const TOOL_LETTER: char = 'w';

/// A rendered text in which all probes are lowercase: a template may print the text of messages in another case.
fn probes_in_lowercase(text: &str) -> String {
    let title = [&PROBE_STEM[..1].to_uppercase(), &PROBE_STEM[1..]].concat();
    let text = text.replace(&title, PROBE_STEM);
    text.replace(&PROBE_STEM.to_uppercase(), PROBE_STEM)
}

/// What the text of a probed conversation belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ProbedData {
    Message,
    Tool,
}

/// The pieces of a text between probes, with the kind of the probe after each.
fn split_at_probes(text: &str) -> impl Iterator<Item = (&str, Option<ProbedData>)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let Some((piece, after)) = text.split_once(PROBE_STEM) else {
            return Some((text, None));
        };
        let letter = after.chars().next();
        let data = match letter.is_some_and(|letter| letter.eq_ignore_ascii_case(&TOOL_LETTER)) {
            true => ProbedData::Tool,
            false => ProbedData::Message,
        };
        rest = Some(&after[letter.map_or(0, char::len_utf8)..]);
        Some((piece, Some(data)))
    })
}

/// The bytes before the text of a message in which its header is searched.
const MAX_HEADER: usize = 120;

/// A template has one header or a few for each role.
const MAX_ROLE_HEADERS: usize = 64;

/// Whether a letter belongs to a word that may be a role.
pub(crate) fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || "_-".contains(letter)
}

/// The words of a text with their positions.
fn words_with_positions(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|letter| !is_word_letter(letter));
    let words = words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word));
    words.filter(|(_, word)| !word.is_empty())
}

/// Roles of chat APIs and of models.
pub(crate) const ROLES: [&str; 12] = [
    "system",
    "developer",
    "user",
    "assistant",
    "tool",
    "function",
    "ipython",
    "observation",
    "environment",
    "model",
    "context",
    "documents",
];

/// The texts in a template in the form of a control token: `<|…|>`, `<|…>` or `<…|>`, with any kind of bar.
fn find_delimited(text: &str, quotes: bool) -> Vec<&str> {
    let is_bar = |char: char| char == '|' || char == '｜';
    let mut found = Vec::new();
    for (at, _) in text.match_indices('<') {
        let rest = &text[at..];
        let Some(end) = rest.find('>').map(|end| end + 1).filter(|end| *end < 80) else {
            continue;
        };
        let name = &rest[..end];
        let inside = &name[1..end - 1];
        let is_token = inside.starts_with(is_bar) || inside.ends_with(is_bar);
        let is_other = |char: char| {
            char.is_whitespace() || "<{}".contains(char) || !quotes && "'\"".contains(char)
        };
        let is_named = !inside.trim_matches(is_bar).is_empty();
        if is_token && is_named && !inside.contains(is_other) {
            found.push(name);
        }
    }
    found
}

/// The line before the text of a message, and whether it is a line of its own.
fn last_line(piece: &str) -> (&str, bool) {
    let line = piece.trim_end();
    let start = line.rfind('\n').map_or(0, |at| at + 1);
    (line[start..].trim_start(), start > 0)
}

/// The words in angle or square brackets that a template writes beside the text of a message.
fn find_tags(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(['<', '[']).filter_map(|(start, open)| {
        let close = if open == "<" { '>' } else { ']' };
        // `<<SYS>>` begins with the first of its brackets.
        if text[..start].ends_with(open) {
            return None;
        }
        let tag = &text[start..];
        let end = tag.find(close)?;
        let length = tag[end..].len() - tag[end..].trim_start_matches(close).len();
        let tag = &tag[..end + length];
        let name = tag.trim_matches(['<', '>', '[', ']', '/', '|']);
        let is_name = |char: char| char.is_alphanumeric() || "_-.:▁=".contains(char);
        (name.len() < 40
            && !name.is_empty()
            && name.chars().all(is_name)
            && !name.contains(PROBE_STEM))
        .then_some(tag)
    })
}

/// The tags of the word beside a text, and of those that follow it as long as they are tags alone: `</value> </parameter>`.
fn tags_beside<'t>(words: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut tags = Vec::new();
    for (at, word) in words.enumerate() {
        let count = tags.len();
        tags.extend(find_tags(word));
        let length: usize = tags[count..].iter().map(|tag| tag.len()).sum();
        if length < word.len() {
            // Of words further away, those with other text are prose.
            tags.truncate(if at == 0 { tags.len() } else { count });
            break;
        }
    }
    tags
}

/// Whether a text is a tag, with or without its closing bracket.
fn is_tag(text: &str) -> bool {
    let text = text.trim();
    let inside = text
        .strip_prefix(['<', '['])
        .map(|rest| rest.trim_end_matches(['>', ']']));
    inside.is_some_and(|inside| {
        let name = inside.trim_matches(['/', '|']);
        name.chars()
            .all(|char| char.is_alphanumeric() || "_-.:▁=".contains(char))
    })
}

/// The beginning of a tag whose name or attribute is the text of the conversation: `<function=`.
fn open_tag(before: &str) -> Option<&str> {
    let tag = &before[before.rfind(['<', '\n'])?..];
    (tag.starts_with('<') && !tag.contains('>') && !tag.starts_with("< ") && has_word(tag))
        .then_some(tag)
}

/// Whether a text has two letters at least.
fn has_word(text: &str) -> bool {
    text.chars()
        .filter(|char| char.is_alphabetic())
        .nth(1)
        .is_some()
}

/// The words of a role before the text of a message: a heading, words before a colon, or between equal signs.
fn find_heading(line: &str) -> Option<&str> {
    let line = line.rsplit(['>', ']']).next().unwrap_or(line).trim();
    let is_sign = |char: char| !char.is_alphanumeric() && char != '_';
    let words = line.trim_matches(is_sign);
    let (open, close) = line.split_once(words).filter(|_| !words.is_empty())?;
    let is_heading = match close.trim_end_matches([':', '：']) {
        _ if open.starts_with("##") => true,
        "" => open.is_empty() && !close.is_empty(),
        close => {
            close.chars().rev().map(mirror_bracket).eq(open.chars())
                && !close.contains(['"', '\'', '`', '.'])
        }
    };
    let is_word = |char: char| char.is_alphanumeric() || char == ' ' || char == '_';
    let is_short = words.len() < 40 && words.split(' ').count() <= 4;
    (is_heading && is_short && words.chars().all(is_word)).then_some(line)
}

fn mirror_bracket(char: char) -> char {
    match char {
        ')' => '(',
        '}' => '{',
        '»' => '«',
        '】' => '【',
        other => other,
    }
}
