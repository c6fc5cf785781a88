//! The control tokens of a template: those in its text, and those that it composes.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use crate::config::NAMED_TOKENS;
use crate::engine::{Engine, EngineLimits};
use crate::node::{InputNode, TemplateConversation};
use crate::render::Rendering;
use crate::wrap::FAMILY;
use prompt_core::Json;
use prompt_core::format::ControlTokenSet;
use prompt_family::FAMILIES;

/// Tokens that data must not contain, and those of them that a tokenizer without a list of them encodes as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenList {
    pub(crate) all: Vec<String>,
    pub(crate) loose: Vec<String>,
    /// Those of all that a tokenizer searches for in normalised text.
    normalized: Vec<String>,
    /// All of them, prepared for the search.
    set: OnceLock<ControlTokenSet>,
}

impl TokenList {
    /// The tokens that a template contains, and the markers that it writes around messages.
    pub(crate) fn from_template(engine: &Engine) -> TokenList {
        let mut tokens = TokenList::default();
        tokens.add_shapes(&engine.source, &engine.source, false);
        for literal in engine.literals() {
            tokens.add_shapes(literal, &engine.source, true);
        }
        let left = Arc::new(AtomicU64::new(64 << 20));
        for (messages, tools) in PROBES {
            tokens.probe_markers(engine, &left, messages, tools);
        }
        let turn = |role: &str| format!(r#"{{"role":"{role}","content":"{PROBE}"}}"#);
        let all: Vec<String> = ROLES.iter().map(|role| turn(role)).collect();
        if tokens.probe_markers(engine, &left, &format!("[{}]", all.join(",")), "null") {
            return tokens;
        }
        for role in ROLES {
            for turns in [[turn("user"), turn(role)], [turn(role), turn("user")]] {
                tokens.probe_markers(engine, &left, &format!("[{}]", turns.join(",")), "null");
            }
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
            let end = name.find(PROBE).or_else(|| name.find(is_other));
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
        if !token.is_empty() && !self.all.iter().any(|known| known == token) {
            self.all.push(token.to_owned());
        }
    }

    /// Adds a marker beside a message. No tokenizer encodes the words of a role before a colon as one token, but it may do so
    /// with a tag that is a token of a family.
    fn add_marker(&mut self, marker: &str) {
        let is_new = !self.all.iter().any(|known| known == marker);
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
    /// where they are written; so do signs. A word acts in text of the program only.
    pub(crate) fn may_act(&self, word: &str) -> bool {
        let is_sign = |token: &str| !token.starts_with(char::is_alphanumeric);
        let is_token = |token: &String| is_sign(token.trim_start()) && word.contains(&**token);
        !word.contains(char::is_alphanumeric) || self.all.iter().any(is_token) || is_tag(word)
    }

    /// The length of the text up to the end of the first control token that closes nothing: closing tags are passed over. The token
    /// is on the first line that has text.
    pub(crate) fn end_of_turn(&self, text: &str) -> Option<usize> {
        let mut at = 0;
        loop {
            at += text[at..].len() - text[at..].trim_start().len();
            let rest = &text[at..];
            let tokens = self.all.iter().filter(|token| rest.starts_with(&***token));
            let closing = rest.starts_with("</").then(|| rest.find('>')).flatten();
            match (tokens.map(String::len).max(), closing) {
                (_, Some(end)) => at += end + 1,
                (Some(len), None) => return Some(at + len),
                (None, None) => {
                    let sign = rest
                        .chars()
                        .next()
                        .filter(|char| !char.is_alphanumeric() && *char != '<')?;
                    at += sign.len_utf8();
                }
            }
        }
    }

    /// Whether a text is the name of a role, in any case.
    pub(crate) fn is_role(&self, name: &str) -> bool {
        ROLES.iter().any(|role| name.eq_ignore_ascii_case(role))
    }

    /// Whether a header begins after a text: it ends with a control token, a line break, or the opening of a token.
    pub(crate) fn ends_with_header(&self, text: &str) -> bool {
        let text = text.trim_end_matches([' ', '\t']);
        text.is_empty()
            || text.ends_with(['\n', '<', '[', '|', '｜', '>', ']'])
            || self.all.iter().any(|token| text.ends_with(&**token))
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
    }

    /// Adds the markers beside the text of messages in one conversation. Returns `false` if the template refuses it.
    fn probe_markers(
        &mut self,
        engine: &Engine,
        left: &Arc<AtomicU64>,
        messages: &str,
        tools: &str,
    ) -> bool {
        let [Ok(messages), Ok(tools)] = [messages, tools].map(Json::parse) else {
            return false;
        };
        let Ok(conversation) = TemplateConversation::from_json(&messages, Some(&tools)) else {
            return false;
        };
        // A template fails where it adds a token that is not defined.
        let variables = NAMED_TOKENS.map(|name| (name.to_owned(), InputNode::template_text("")));
        let run = Rendering {
            conversation,
            variables: variables.into(),
            generation_prompt: true,
            open: false,
            limits: EngineLimits {
                fuel: 100_000,
                output: 1 << 20,
                memory: 16 << 20,
                left: left.clone(),
                moment: None,
            },
        };
        let Ok(text) = run.render_text(engine) else {
            return false;
        };
        // A template may print the text of messages in another case.
        let title = [&PROBE[..1].to_uppercase(), &PROBE[1..]].concat();
        let text = text.replace(&title, PROBE);
        let text = text.replace(&PROBE.to_uppercase(), PROBE);
        self.add_shapes(&text, &engine.source, false);
        let mut pieces = text.split(PROBE).peekable();
        let mut is_first = true;
        while let Some(piece) = pieces.next() {
            let after = (!is_first)
                .then(|| piece.split_whitespace().next())
                .flatten();
            let (before, has_line) = last_line(piece);
            let word = before.split_whitespace().next_back();
            for tag in after.into_iter().chain(word).flat_map(find_tags) {
                self.add_marker(tag);
            }
            let is_before = pieces.peek().is_some();
            if let Some(open) = open_tag(piece).filter(|_| is_before) {
                self.add_token(open);
            }
            if let Some(heading) = find_heading(before).filter(|_| is_before || has_line) {
                match has_word(heading) {
                    true => self.add_marker(heading),
                    // A single letter is a heading at the start of a line only.
                    false => self.add_token(&format!("\n{heading}")),
                }
            }
            is_first = false;
        }
        true
    }
}

pub(crate) fn as_strs(tokens: &[String]) -> Vec<&str> {
    tokens.iter().map(String::as_str).collect()
}

/// The text of all probed messages.
const PROBE: &str = "zqxjkv";

/// Roles of chat APIs and of models.
const ROLES: [&str; 12] = [
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

/// Conversations and tools with which markers are searched.
const PROBES: [(&str, &str); 5] = [
    (
        r#"[{"role":"system","content":"zqxjkv"},{"role":"user","content":"zqxjkv"},{"role":"assistant","content":"zqxjkv"},{"role":"user","content":"zqxjkv"}]"#,
        "null",
    ),
    (
        r#"[{"role":"user","content":"zqxjkv"},{"role":"assistant","content":"zqxjkv","reasoning_content":"zqxjkv"},{"role":"user","content":"zqxjkv"}]"#,
        "null",
    ),
    (
        r#"[{"role":"user","content":"zqxjkv"},{"role":"assistant","content":"","tool_calls":[{"id":"zqxjkvabc","type":"function","function":{"name":"zqxjkv","arguments":{"zqxjkv":"zqxjkv"}}}]},{"role":"tool","tool_call_id":"zqxjkvabc","name":"zqxjkv","content":"zqxjkv"},{"role":"assistant","content":"zqxjkv"},{"role":"user","content":"zqxjkv"}]"#,
        r#"[{"type":"function","function":{"name":"zqxjkv","description":"zqxjkv","parameters":{"type":"object","properties":{"zqxjkv":{"type":"string","description":"zqxjkv"}},"required":["zqxjkv"]}}}]"#,
    ),
    (
        r#"[{"role":"user","content":[{"type":"image","image":"zqxjkv"},{"type":"audio","audio":"zqxjkv"},{"type":"video","video":"zqxjkv"},{"type":"text","text":"zqxjkv"}]}]"#,
        "null",
    ),
    (
        r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"zqxjkv"}},{"type":"text","text":"zqxjkv"}]}]"#,
        "null",
    ),
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
        (name.len() < 40 && !name.is_empty() && name.chars().all(is_name) && !name.contains(PROBE))
            .then_some(tag)
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> TokenList {
        TokenList::from_template(&Engine::new(source).unwrap())
    }

    #[test]
    fn tokens_of_a_text() {
        let tokens = of("{{ '<|im_start|>' + role }}<｜User｜> [INST] <| {{ x }} |>").all;
        assert_eq!(tokens, ["<|im_start|>", "<｜User｜>", "[INST]"]);
    }

    #[test]
    fn composed_markers() {
        let each = |turn: &str| format!("{{% for m in messages %}}{turn}\n{{% endfor %}}");
        for (turn, marker) in [
            ("<|{{ m.role }}|>{{ m.content }}", "<|system|>"),
            ("<{{ m.role }}>{{ m.content }}</{{ m.role }}>", "</tool>"),
            ("[{{ m.role | upper }}] {{ m.content }}", "[ASSISTANT]"),
            ("{{ m.role | title }}: {{ m.content }}", "System:"),
            ("{{ m.role | title }}: {{ m.content | title }}", "System:"),
            ("[{{ m.role | upper }}] {{ m.content | upper }}", "[TOOL]"),
            ("GPT5 {{ m.role }}: {{ m.content }}", "GPT5 user:"),
            ("### {{ m.role }}\n{{ m.content }}", "### user"),
            ("{{ '<|' ~ m.role ~ '_end|>' }}", "<|function_end|>"),
            (
                "<|{{ m.role }}:{{ loop.index }}|>{{ m.content }}",
                "<|tool:",
            ),
            ("<function={{ m.role }}>{{ m.content }}", "<function=tool>"),
            ("<role>{{ m.role }}</role>{{ m.content }}", "</role>"),
            ("@@{{ m.role }}@@{{ m.content }}", "@@tool@@"),
            ("=== {{ m.role }} ===\n{{ m.content }}", "=== tool ==="),
            ("«{{ m.role }}»: {{ m.content }}", "«tool»:"),
            ("{{ m.role[0] | upper }}: {{ m.content }}", "\nU:"),
            ("用户：{{ m.content }}", "用户："),
            ("<call name=\"{{ m.content }}\">", "<call name=\""),
        ] {
            let tokens = of(&each(turn)).all;
            assert!(
                tokens.iter().any(|token| token == marker),
                "{turn}: {tokens:?}"
            );
        }
        let added = of(&each(
            "{% if m.role == 'user' %}{{ ' Q U: ' + m.content }}{% else %}{{ ' A N: ' + m.content + eos_token }}{% endif %}",
        ));
        for marker in ["Q U:", "A N:"] {
            assert!(added.loose.iter().any(|token| token == marker), "{added:?}");
        }
        let prose = of(&each(
            "A user: wrote this, and it is right. {{ m.content }}",
        ));
        assert_eq!(prose.all, Vec::<String>::new());
    }
}
