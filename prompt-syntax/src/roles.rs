//! Text and tags beside the roles of a template.

use crate::analysis::FieldInfo;
use crate::language::Language;
use crate::lex::{LexTokenKind, role_tag, trim_span};
use crate::name::name_len;
use crate::notation::text_until;
use crate::problem::{self, role};
use crate::{Dialect, Error, Expr, Node, Options, Role, XmlTags};
use prompt_base::Span;
use prompt_base::suggest::closest;

/// The error of a template that is one message in which tags of roles are text, such as XML with `<user>`: text precedes the first
/// role, and either text or a slot follows it, or its tags do not fit together. A template with text before the roles and nothing else
/// wrong may be meant either way.
pub(crate) fn pasted_roles<L: Language>(
    text: &str,
    nodes: &[Node<L>],
    errors: &[Error],
    options: Options,
    fields: &[FieldInfo],
) -> Option<Error> {
    let is_plain = !matches!(options.dialect, Dialect::Jinja);
    if !options.roles || !is_plain || errors.is_empty() {
        return None;
    }
    let is_role = |node: &Node<L>| matches!(node, Node::Role(_));
    let mut runs = nodes.split(is_role);
    let before = runs.next()?;
    let Some(Node::Text(first)) = before.iter().find(|node| has_content(node)) else {
        return None;
    };
    let is_misspelt = |node: &Node<L>| match node {
        Node::Slot(slot) if options.dialect == Dialect::Angle => {
            let name = slot.span.of(text).trim_matches(['<', '>']);
            let near = closest(name, Role::ALL.map(Role::name));
            near.is_some() || Role::from_any_library(name).is_some()
        }
        _ => false,
    };
    let is_role_tag = misspelt_role(text, first.span, options.dialect).is_some();
    if is_role_tag || before.iter().any(is_misspelt) {
        return None;
    }
    let tags: Vec<Span> = role_tags(text, options.dialect).collect();
    let [tag, ..] = tags[..] else {
        return None;
    };
    let is_opening = |tag: &&Span| !tag.of(text).starts_with("</");
    let fits = 2 * tags.iter().filter(is_opening).count() == tags.len()
        && tags.len() == 2 * nodes.iter().filter(|node| is_role(node)).count();
    let is_of_message = |node: &Node<L>| has_content(node) || is_slot_of(node, fields);
    if fits && !runs.flatten().any(is_of_message) {
        return None;
    }
    let words = first.span.of(text).trim_start();
    let start = first.span.end - words.len();
    let line = words.lines().next().unwrap_or_default();
    let span = trim_span(text, start, start + line.len());
    let name = tag.of(text).trim_matches(['<', '>']);
    let is_field = options.dialect == Dialect::Angle
        && fields
            .iter()
            .any(|field| field.name == name && field.excluded_by.is_none());
    let error = role::around_text(options, tag.of(text), is_field)
        .related_to(tag, "the tag of a role")
        .at(span);
    Some(error.pasted_block(tag.of(text)))
}

/// Whether this is a slot for a field that is a part of a message.
fn is_slot_of<L: Language>(node: &Node<L>, fields: &[FieldInfo]) -> bool {
    let Node::Slot(slot) = node else {
        return false;
    };
    match &slot.expr {
        Expr::Path(path) => fields
            .iter()
            .any(|field| path.names() == [&field.name[..]] && field.excluded_by.is_none()),
        _ => false,
    }
}

/// The tags of roles in a text.
fn role_tags(text: &str, dialect: Dialect) -> impl Iterator<Item = Span> {
    let tags = text.match_indices('<');
    tags.filter_map(move |(at, _)| {
        let tag = role_tag(text, at, dialect)?;
        (!text[..at].ends_with('\\')).then(|| Span::new(at, at + tag.len))
    })
}

/// In a template of one message, the roles of another notation: all of its text would be one message of the user, the
/// instructions too.
pub(crate) fn report_unread_roles<L: Language>(
    text: &str,
    nodes: &[Node<L>],
    options: Options,
    errors: &mut Vec<Error>,
) {
    if nodes.iter().any(|node| matches!(node, Node::Role(_))) {
        return;
    }
    let texts = nodes.iter().filter_map(|node| match node {
        Node::Text(text) => Some(text.span),
        _ => None,
    });
    let texts: Vec<Span> = texts.collect();
    let is_text = |span: &Span| {
        let after = texts.partition_point(|text| text.start <= span.start);
        after > 0 && span.start < texts[after - 1].end
    };
    let found = role_line(text, options, is_text)
        .or_else(|| role_mark(text, is_text))
        .or_else(|| role_element(text, is_text))
        .or_else(|| developer_element(text, is_text))
        .or_else(|| suffixed_role(text, is_text))
        .or_else(|| role_section(text, is_text))
        .or_else(|| role_entry(text).filter(|(span, _)| is_text(span)))
        .or_else(|| role_call(text, is_text))
        .or_else(|| role_of_dialect(text, options, is_text));
    if let Some((span, role)) = found {
        let written = span.of(text);
        errors.push(role::of_another_notation(options, written, role).at(span));
    } else if options.has_role_lines() && !text.trim().is_empty() {
        let line = text.trim_start().lines().next().unwrap_or_default();
        let start = text.len() - text.trim_start().len();
        errors.push(role::no_role_line().at(Span::new(start, start + line.trim_end().len())));
    }
}

/// `<system>…</system>` at the beginning of the text of one message, before the element of another role or as the whole text: the text was meant to have roles.
pub(crate) fn report_roles_of_a_message(text: &str, options: Options, errors: &mut Vec<Error>) {
    let start = text.len() - text.trim_start().len();
    let is_plain = options.dialect != Dialect::Jinja && !options.input_only;
    if options.roles || !is_plain || !text[start..].starts_with("<system>") {
        return;
    }
    let closed = text[start..].split_once("</system>");
    if closed.is_some_and(|(_, after)| is_before_role(after)) {
        let span = Span::new(start, start + "<system>".len());
        errors.push(role::in_one_message().at(span));
    }
}

/// Whether the text behind the element of a role is nothing or begins with the element of another one.
fn is_before_role(after: &str) -> bool {
    let after = after.trim_start();
    after.is_empty() || after.starts_with("<user>") || after.starts_with("<assistant>")
}

/// A line that may begin a message in other tools.
struct RoleLine {
    span: Span,
    role: Role,
    /// Whether the role is written `developer`. As a name of a person or of a job, `Developer: Ann` and `Developer:` are data.
    is_developer: bool,
    is_alone: bool,
    is_lower: bool,
}

/// A line that begins a message in other tools, `system:` or `## System: …`, of a text that has more of them or begins with it.
fn role_line(
    text: &str,
    options: Options,
    is_text: impl Fn(&Span) -> bool,
) -> Option<(Span, Role)> {
    let mut found: Vec<RoleLine> = Vec::new();
    let (mut at, mut first) = (0, None);
    for line in text.split_inclusive(['\n', '\r']) {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        first = first.or(Some(start));
        let Some((name, rest)) = line.split_once(':') else {
            continue;
        };
        let signs = ['#', '*', '_', ' '];
        let name_of_role = name.trim_matches(signs);
        let Some(role) = Role::from_any_api(name_of_role) else {
            continue;
        };
        let is_alone = rest.trim_matches(signs).is_empty();
        let end = if is_alone { line.len() } else { name.len() + 1 };
        let span = Span::new(start, start + end);
        if is_text(&span) {
            found.push(RoleLine {
                span,
                role,
                is_developer: Role::from_any_case(name_of_role).is_none(),
                is_alone,
                is_lower: name_of_role.starts_with(char::is_lowercase),
            });
        }
    }
    let others = found.iter().filter(|line| line.role != Role::System);
    let unread = found.iter().find(|line| {
        let is_first = Some(line.span.start) == first;
        let is_like =
            |other: &RoleLine| (other.is_alone, other.is_lower) == (line.is_alone, line.is_lower);
        match line.role {
            Role::System if line.is_developer => {
                is_first && (line.is_lower || line.is_alone) && others.clone().any(is_like)
            }
            Role::System => line.is_alone || is_first || others.clone().next().is_some(),
            Role::User | Role::Assistant => (line.is_alone || options.has_role_lines()) && is_first,
        }
    })?;
    Some((unread.span, unread.role))
}

/// `{{ _.role("system") }}`, which begins a message in BAML.
fn role_call(text: &str, is_text: impl Fn(&Span) -> bool) -> Option<(Span, Role)> {
    let mut calls = text.match_indices("{{").filter_map(|(at, open)| {
        let words = text_until(&text[at + open.len()..], "}}")?;
        let span = Span::new(at, at + words.len() + 2 * open.len());
        Some((span, role_of_call(words)?))
    });
    calls.find(|(span, _)| is_text(span))
}

/// The role of BAML's `_.role("system")`.
fn role_of_call(words: &str) -> Option<Role> {
    let words = words.trim_matches(['-', ' ']);
    let (method, argument) = words.strip_prefix("_.")?.split_once('(')?;
    if !role::BAML_METHODS.contains(&method) {
        return None;
    }
    let name = argument.strip_suffix(')')?.trim();
    let name = name.strip_prefix("role=").unwrap_or(name);
    Role::from_any_case(name.trim_matches(['"', '\'']))
}

/// The longest text before the role in a mark, in bytes: `<message role="`.
const LONGEST_MARK: usize = 24;

/// The words that may follow `system` in a mark. With any other word, and after another role, the line is a heading of the text: `# System requirements`, `## User message`.
const MARK_NOUNS: [&str; 3] = ["message", "prompt", "instructions"];

/// The mark of a role that begins the text, where another line begins with the same mark of another role, or the mark of a system message is closed: `[SYSTEM]`, `# System`,
/// `<|system|>`, `{{#system}}`, `@system`. The roles of a text for a completion model begin with the user's, and are not alone on their lines.
fn role_mark(text: &str, is_text: impl Fn(&Span) -> bool) -> Option<(Span, Role)> {
    let lines = text.split(['\n', '\r']).map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty());
    let first = RoleMark::parse(lines.next()?)?;
    let mut others = lines.filter_map(RoleMark::parse);
    let is_unread = match first.role {
        Role::System => others.any(|other| first.is_like(&other)) || first.is_closed_in(text),
        Role::User | Role::Assistant => others.any(|other| first.is_heading_like(&other)),
    };
    let start = text.len() - text.trim_start().len();
    let span = Span::new(start, start + first.len);
    (is_unread && is_text(&span)).then_some((span, first.role))
}

/// A line that may begin a message in the notation of another tool.
struct RoleMark<'t> {
    role: Role,
    /// The role, as it is written.
    word: &'t str,
    before: &'t str,
    after: &'t str,
    /// The length with the signs behind the role, or of the whole line if there are none.
    len: usize,
}

impl RoleMark<'_> {
    fn parse(line: &str) -> Option<RoleMark<'_>> {
        // Only the first letters of a line are read: a line may be the whole of a long text.
        let letters = line
            .char_indices()
            .take_while(|(at, _)| *at <= LONGEST_MARK);
        let mut words = letters
            .filter(|(at, c)| c.is_alphabetic() && !line[..*at].ends_with(char::is_alphanumeric));
        let (role, at, end) = words.find_map(|(at, _)| {
            let end = at + name_len(&line[at..]);
            Some((Role::from_any_case(&line[at..end])?, at, end))
        })?;
        let (before, after) = (&line[..at], &line[end..]);
        // An item of a list, a row of a table, what is escaped, and words without a sign of markup are text.
        let is_item = before.starts_with(|c: char| "-+|•\\".contains(c) || c.is_ascii_digit());
        let is_markup = before.contains(['=', '"', '\'', '(', '{']);
        let is_prose = before.contains(char::is_alphabetic) && !is_markup;
        if is_item || is_prose {
            return None;
        }
        let rest = after.trim_start_matches(|c: char| !c.is_alphanumeric() && c != ' ');
        let has_signs = rest.len() < after.len();
        Some(RoleMark {
            role,
            word: &line[at..end],
            before,
            after,
            len: line.len() - if has_signs { rest.len() } else { 0 },
        })
    }

    /// Whether both are marks of one notation.
    fn is_like(&self, other: &RoleMark<'_>) -> bool {
        let is_same = self.role != other.role && self.before == other.before;
        let next = self.after.chars().next();
        let has_text = next == Some(' ') && matches!(self.before, "@" | "#" | "/");
        let ends_alike =
            (has_text || self.closing_sign().is_some()) && next == other.after.chars().next();
        is_same && ends_alike || self.is_heading_like(other)
    }

    /// Whether both are marks of one notation, with nothing else on their lines. `self` is the first.
    fn is_heading_like(&self, other: &RoleMark<'_>) -> bool {
        let noun = self.after.trim_matches(|c: char| !c.is_alphanumeric());
        let is_mark_noun = || {
            MARK_NOUNS
                .iter()
                .any(|known| noun.eq_ignore_ascii_case(known))
        };
        let is_alone = noun.is_empty() || self.role == Role::System && is_mark_noun();
        // `System prompt` without any sign is the beginning of a sentence.
        let has_sign =
            !self.before.is_empty() || self.after.is_empty() || self.after.ends_with(':');
        let is_short = has_sign && self.after.len() <= LONGEST_MARK;
        is_short
            && is_alone
            && self.role != other.role
            && (self.before, self.after) == (other.before, other.after)
    }

    /// `[/SYSTEM]`, `{{/system}}`
    fn is_closed_in(&self, text: &str) -> bool {
        let end = |sign| format!("/{}{sign}", self.word);
        self.closing_sign()
            .is_some_and(|sign| text.contains(&end(sign)))
    }

    /// The sign behind the role that closes the mark.
    fn closing_sign(&self) -> Option<char> {
        let sign = self.after.chars().next()?;
        let closes = sign.is_ascii_punctuation() && !",.;-'".contains(sign);
        (closes && !self.before.is_empty()).then_some(sign)
    }
}

/// `<message role="system">…</message>` of a text with elements of the same name for other roles, or of a text that is such elements and nothing else. An element with
/// another name may be HTML if it is the only one, and elements of users alone may be a transcript in the text.
fn role_element(text: &str, is_text: impl Fn(&Span) -> bool) -> Option<(Span, Role)> {
    let tags = text.match_indices('<');
    let mut elements: Vec<_> = tags
        .filter_map(|(at, _)| RoleElement::parse(text, at))
        .collect();
    if elements.is_empty() {
        return None;
    }
    let closed = XmlTags::from_texts([text]);
    elements.retain(|element| closed.has(element.name) && is_text(&element.span));
    let first = elements.first()?;
    let system = elements
        .iter()
        .find(|element| element.role == Role::System)
        .filter(|system| {
            let is_other =
                |other: &RoleElement<'_>| other.name == system.name && other.role != Role::System;
            system.name == "message" || elements.iter().any(is_other)
        });
    let unread = system.or_else(|| Some(first).filter(|_| are_whole_text(&elements, text)))?;
    Some((unread.span, unread.role))
}

/// `<developer>…</developer>` before the element of another role or as the whole text: the system message in OpenAI's API.
fn developer_element(text: &str, is_text: impl Fn(&Span) -> bool) -> Option<(Span, Role)> {
    let words = text.trim_start();
    let inside = words.strip_prefix('<')?;
    let (name, rest) = inside.split_at(name_len(inside));
    let is_developer = name.eq_ignore_ascii_case("developer") && rest.starts_with('>');
    let (_, after) = rest.split_once(&format!("</{name}>"))?;
    if !is_developer || !is_before_role(after) {
        return None;
    }
    let start = text.len() - words.len();
    let span = Span::new(start, start + name.len() + 2);
    is_text(&span).then_some((span, Role::System))
}

/// `<system-msg>…</system-msg>` of a text that is such elements of several roles and nothing else, as in POML.
fn suffixed_role(text: &str, is_text: impl Fn(&Span) -> bool) -> Option<(Span, Role)> {
    let mut rest = text.trim_start();
    let mut first = None;
    let mut has_others = false;
    while !rest.is_empty() {
        let (role, name, suffix) = suffixed_tag(rest)?;
        let start = text.len() - rest.len();
        let span = Span::new(start, start + name.len() + 2);
        let (_, first_role, first_suffix) = *first.get_or_insert((span, role, suffix));
        let (_, after) = rest.split_once(&format!("</{name}>"))?;
        if !is_text(&span) || suffix != first_suffix {
            return None;
        }
        has_others |= role != first_role;
        rest = after.trim_start();
    }
    let (span, role, _) = first.filter(|_| has_others)?;
    Some((span, role))
}

/// The role, the name and what follows the role in it, for `<system-msg>` at the beginning of a text.
fn suffixed_tag(text: &str) -> Option<(Role, &str, &str)> {
    let inside = text.strip_prefix('<')?;
    let is_name = |c: char| c.is_ascii_alphabetic() || c == '-' || c == '_';
    let (name, rest) = inside.split_at(inside.find(|c| !is_name(c))?);
    let (role, suffix) = name.split_at(name.find(['-', '_'])?);
    let noun = suffix.trim_start_matches(['-', '_']);
    let is_noun = noun == "msg" || MARK_NOUNS.contains(&noun);
    let role = Role::from_any_library(role)?;
    (is_noun && rest.starts_with('>')).then_some((role, name, suffix))
}

/// Whether a text is these elements and white space between them.
fn are_whole_text(elements: &[RoleElement<'_>], text: &str) -> bool {
    let mut at = text.len() - text.trim_start().len();
    for element in elements {
        // An element inside of another one.
        if element.span.start < at {
            continue;
        }
        if element.span.start > at {
            return false;
        }
        let close = format!("</{}>", element.name);
        let Some((_, after)) = text[at..].split_once(&close) else {
            return false;
        };
        at = text.len() - after.trim_start().len();
    }
    at == text.len()
}

/// The opening tag of an element with an attribute `role`, whose value is a role of messages.
struct RoleElement<'t> {
    name: &'t str,
    role: Role,
    span: Span,
}

impl RoleElement<'_> {
    fn parse(text: &str, at: usize) -> Option<RoleElement<'_>> {
        let inside = &text[at + 1..];
        let (name, rest) = inside.split_at(name_len(inside));
        // Most tags have no attributes.
        if name.is_empty() || !rest.starts_with(char::is_whitespace) {
            return None;
        }
        let attributes = text_until(rest, ">")?;
        let (before, value) = attributes.split_once("role")?;
        let value = value.trim_start().strip_prefix('=')?.trim_start();
        let bare = value.trim_start_matches(QUOTES);
        let quotes = &value[..value.len() - bare.len()];
        let (role, after) = bare.split_at(name_len(bare));
        let role = Role::from_any_api(role)?;
        let is_value = match quotes {
            "" => after.is_empty() || after.starts_with(' '),
            quotes => after.starts_with(quotes),
        };
        let is_element = before.ends_with(char::is_whitespace) && is_value;
        is_element.then(|| RoleElement {
            name,
            role,
            span: Span::new(at, at + name.len() + attributes.len() + 2),
        })
    }
}

/// `{{#system}}…{{/system}}` of Guidance. A section of another role may be of Mustache, about the field of that name, unless the text has several roles.
fn role_section(text: &str, is_text: impl Fn(&Span) -> bool) -> Option<(Span, Role)> {
    let mut sections: [Option<(Span, Role)>; 3] = [None; 3];
    let closed = closed_sections(text);
    for (at, _) in text.match_indices("{{") {
        let Some((role, len)) = section_role(&text[at..]) else {
            continue;
        };
        let span = Span::new(at, at + len);
        let found = &mut sections[role as usize];
        if found.is_none() && closed[role as usize] && is_text(&span) {
            *found = Some((span, role));
        }
    }
    let system = sections[Role::System as usize];
    let mut others = sections.into_iter().flatten();
    let first = others.next();
    system.or(first.filter(|_| others.next().is_some()))
}

/// The role in `{{#system}}` or `{{#system~}}` at the beginning of a text, and its length.
pub(crate) fn section_role(text: &str) -> Option<(Role, usize)> {
    let signs = ['~', ' '];
    let words = text.strip_prefix("{{")?.trim_start_matches(signs);
    let (name, rest) = words.strip_prefix('#')?.split_at(name_len(&words[1..]));
    let role = Role::from_any_api(name)?;
    let rest = rest.trim_start_matches(signs).strip_prefix("}}")?;
    Some((role, text.len() - rest.len()))
}

/// Whether a text contains `{{/system}}` or `{{~/system}}`, and the same for the other roles.
fn closed_sections(text: &str) -> [bool; 3] {
    let mut closed = [false; 3];
    for (at, open) in text.match_indices("{{") {
        let words = text[at + open.len()..].trim_start_matches(['~', ' ']);
        let Some(name) = words.strip_prefix('/') else {
            continue;
        };
        let (name, after) = name.split_at(name_len(name));
        let is_end = after.trim_start_matches(['~', ' ']).starts_with("}}");
        if let Some(role) = Role::from_any_api(name).filter(|_| is_end) {
            closed[role as usize] = true;
        }
    }
    closed
}

/// The quotes of keys and values in YAML and JSON.
const QUOTES: [char; 2] = ['"', '\''];

/// The first `role: system` or `"role": "system"` of a text that is a message or a list of messages in YAML or JSON: only keys and brackets precede it, and a
/// message has a key `content`. A `role: user` outside of a list describes a person.
fn role_entry(text: &str) -> Option<(Span, Role)> {
    let is_structure = |line: &str| {
        let line = line.trim_matches(|c: char| c.is_whitespace() || "[{-,\"'".contains(c));
        let key = line.split_once(':').map_or(line, |(key, _)| key);
        let key = key.trim_matches(QUOTES);
        // A heading of prose begins with a capital.
        let is_key = key.starts_with(char::is_lowercase) && name_len(key) == key.len();
        line.is_empty() || line.contains(':') && is_key
    };
    // `- content: …`, `[{`, `"messages": [`
    let opens_list = |line: &str| {
        let is_brace = |c: char| c.is_whitespace() || c == '{' || QUOTES.contains(&c);
        let words = line.trim_matches(is_brace);
        words.starts_with("- ") || words == "-" || words.starts_with('[') || words.ends_with('[')
    };
    let (mut at, mut is_list, mut has_comment) = (0, false, false);
    for line in text.split_inclusive(['\n', '\r']) {
        let start = at;
        at += line.len();
        let key = line.find("role").filter(|key| is_structure(&line[..*key]));
        if let Some(key) = key {
            is_list |= opens_list(&line[..key]);
            let value = &line[key + "role".len()..];
            let is_message = |name: &str| name == "system" || is_list && !has_comment;
            let found = role_of_entry(value).filter(|(name, ..)| is_message(name));
            if let Some((_, role, len)) = found {
                let end = start + line.len() - value.len() + len;
                let key = line[..key].trim_end_matches(QUOTES).len();
                return has_content_key(text).then(|| (Span::new(start + key, end), role));
            }
        }
        // A heading of prose may begin so too.
        let is_comment = line.trim_start().starts_with('#');
        if !is_structure(line) && !is_comment {
            return None;
        }
        has_comment |= is_comment;
        is_list |= opens_list(line);
    }
    None
}

/// The role in `: system` or `": "system"`, which follow `role`, as it is written, and their length.
fn role_of_entry(text: &str) -> Option<(&str, Role, usize)> {
    let value = text.trim_start_matches(QUOTES).trim_start();
    let value = value.strip_prefix(':')?.trim_start();
    let value = value.trim_start_matches(QUOTES);
    let (name, rest) = value.split_at(name_len(value));
    let role = Role::from_any_api(name)?;
    let after = rest.trim_start_matches(QUOTES);
    let ends = after.trim_start();
    let is_whole = ends.is_empty() || ends.starts_with([',', '}', '#']);
    is_whole.then_some((name, role, text.len() - after.len()))
}

/// Whether a text contains `content: …` or `"content": …`.
fn has_content_key(text: &str) -> bool {
    let mut keys = text.match_indices("content");
    keys.any(|(at, key)| {
        let after = text[at + key.len()..].trim_start_matches(QUOTES);
        after.trim_start().starts_with(':')
    })
}

/// The roles of a text in another dialect: `<system>…</system>` in Jinja, `{% system %}` elsewhere.
fn role_of_dialect(
    text: &str,
    options: Options,
    is_text: impl Fn(&Span) -> bool,
) -> Option<(Span, Role)> {
    let is_first = |span: &Span| text[..span.start].trim().is_empty();
    if options.dialect == Dialect::Jinja {
        return text.match_indices('<').find_map(|(at, _)| {
            let tag = role_tag(text, at, Dialect::Angle)?;
            let span = Span::new(at, at + tag.len);
            match tag.kind {
                LexTokenKind::Role(role) if role == Role::System || is_first(&span) => {
                    is_text(&span).then_some((span, role))
                }
                _ => None,
            }
        });
    }
    let signs = ['-', '+', ' ', '\t'];
    text.match_indices("{%").find_map(|(at, open)| {
        let words = text[at + open.len()..].trim_start_matches(signs);
        let (name, after) = words.split_at(name_len(words));
        let rest = after.trim_start_matches(signs).strip_prefix("%}")?;
        let span = Span::new(at, text.len() - rest.len());
        let role = Role::from_any_api(name)?;
        is_text(&span).then_some((span, role))
    })
}

/// In a template with role blocks, all text belongs into a role block.
pub(crate) fn report_text_outside_roles<L: Language>(
    text: &str,
    nodes: &[Node<L>],
    dialect: Dialect,
    fields: &[FieldInfo],
    errors: &mut Vec<Error>,
) {
    if !nodes.iter().any(|node| matches!(node, Node::Role(_))) {
        return;
    }
    for run in nodes.split(|node| matches!(node, Node::Role(_))) {
        // What is wrong there may be a role's tag.
        let mut has_error = run.iter().any(|node| matches!(node, Node::Error(_)));
        // A role inside of a block is an error of its own.
        let mut find_role = |node: &Node<L>| has_error |= matches!(node, Node::Role(_));
        run.iter().for_each(|node| node.walk(&mut find_role));
        if has_error {
            continue;
        }
        let Some(first) = run.iter().find(|node| has_content(node)) else {
            continue;
        };
        let error = match first {
            Node::Text(words) if words.span.of(text).trim_start().starts_with("<!--") => {
                let start = words.span.end - words.span.of(text).trim_start().len();
                let span = Span::new(start, start + "<!--".len());
                role::comment_outside_of_roles(dialect).at(span)
            }
            Node::Text(words) => outside_text(text, words.span, dialect, fields),
            node => role::outside_of_roles(dialect, "a block").at(node.span()),
        };
        errors.push(error);
    }
}

/// The error of a text beside the roles.
fn outside_text(text: &str, span: Span, dialect: Dialect, fields: &[FieldInfo]) -> Error {
    let of_a_role =
        misspelt_role(text, span, dialect).or_else(|| role_of_another_name(text, span, dialect));
    if let Some(error) = of_a_role {
        return error;
    }
    let span = trim_span(text, span.start, span.end);
    let words = span.of(text);
    let tag = words
        .strip_prefix('<')
        .and_then(|tag| tag.strip_suffix("/>"));
    let is_tag = |tag: &str| name_len(tag) == tag.trim_end().len();
    if let Some(name) = tag.filter(|tag| is_tag(tag)) {
        let name = name.trim_end();
        let mut fields = fields.iter();
        let field = fields.find(|field| field.excluded_by == Some(name));
        let field = field.map(|field| &field.name[..]);
        return role::place_outside(dialect, words, name, field).at(span);
    }
    role::outside_of_roles(dialect, "text").at(span)
}

/// Whether this is text, or shows some, without a slot's name.
fn has_content<L: Language>(node: &Node<L>) -> bool {
    match node {
        Node::Text(words) => !words.text.trim().is_empty(),
        node => matches!(node, Node::If(_) | Node::For(_)),
    }
}

/// Whether the parser has already reported that the text around this node, between two roles, is not part of a message.
///
/// ```
/// use prompt_syntax::{Dialect, Options, is_outside_of_roles, parse};
///
/// let options = Options { roles: true, ..Options::message(Dialect::Angle) };
/// let nodes = parse("<user>Hi</user>\nand <name>", options).template.nodes;
/// assert!(is_outside_of_roles(&nodes, 2));
/// ```
pub fn is_outside_of_roles<L: Language>(nodes: &[Node<L>], at: usize) -> bool {
    let is_role = |node: &&Node<L>| matches!(node, Node::Role(_));
    let before = nodes[..at].iter().rev().take_while(|node| !is_role(node));
    let after = nodes[at..].iter().take_while(|node| !is_role(node));
    before.chain(after).any(has_content)
}

/// A tag among the text whose name is nearly that of a role.
fn misspelt_role(text: &str, span: Span, dialect: Dialect) -> Option<Error> {
    span.of(text).match_indices('<').find_map(|(at, _)| {
        let start = span.start + at + 1;
        let name = &text[start..start + name_len(&text[start..])];
        let other = || Role::from_any_api(name).map(Role::name);
        let role = closest(name, Role::ALL.map(Role::name)).or_else(other)?;
        let span = Span::new(start, start + name.len());
        let error = role::unknown_role(dialect, name, role).at(span);
        text[span.end..].starts_with('>').then_some(error)
    })
}

/// The tag of a role by its name in another library, at the beginning of a text: `<developer>`.
fn role_of_another_name(text: &str, span: Span, dialect: Dialect) -> Option<Error> {
    let words = trim_span(text, span.start, span.end);
    let tag = words.of(text).strip_prefix('<')?;
    let name = &tag[..name_len(tag)];
    let role = Role::from_name(problem::own_name(name)?)?;
    let span = Span::new(words.start + 1, words.start + 1 + name.len());
    let is_tag = tag[name.len()..].starts_with('>');
    is_tag.then(|| role::unknown_role(dialect, name, role.name()).at(span))
}
