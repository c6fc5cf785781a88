//! The notations in which other template languages write slots and blocks: one table, and the scanner that finds them in literal text.
//!
//! A name in one of these notations is an error if it is in scope, and text otherwise; the analysis decides that. So a row may accept
//! more than its language does, but not what prose, code, JSON or LaTeX is likely to contain. A statement that text is not likely to
//! contain is an error without a name in scope: `<include 'file'>` in the angle dialect, `{% include 'file' %}` and comments also in the brace dialect.

mod inside;
mod loose;

pub(crate) use self::inside::{
    Blocks, ForeignBlocks, LookalikeKind, OUTPUT_TYPES, Statement, computed_name, expression,
    foreign_filter, helper_names, is_block_word, is_output_type, is_word_of_tag, item_path,
    list_of_block, slot_attribute, text_until,
};
use self::inside::{
    Reading, broken_name, directive_names, member_name, message_choice, names_of_block,
    names_of_call, open_name, printf_name, shell_name, single_name, statement, statement_names,
    tag_names, with_hyphens,
};
pub(crate) use self::loose::bracketed_names;
use crate::Dialect;
use crate::name::{begins_name, continues_name, is_latex, name_len};
use prompt_base::Span;

/// Text with the form of a slot or of a tag of another template language.
#[derive(Clone, Debug)]
pub(crate) struct Lookalike {
    pub(crate) span: Span,
    /// The names that it would read, in order. A path is its first name.
    pub(crate) names: Vec<String>,
    pub(crate) kind: LookalikeKind,
    /// Where the backslashes before it begin, and how many there are: the beginning of the token and the offset in its text.
    pub(crate) slashes: (usize, usize),
}

/// How a template language writes slots or blocks.
struct Notation {
    open: &'static str,
    close: &'static str,
    inside: Inside,
}

/// What may be between the delimiters of a notation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Words with names among them: `{% if name %}`, `<%= name %>`.
    Statement,
    /// The same after a sign: `{#each names}`. `{# … #}` is a comment.
    SignAndStatement,
    /// A path, and what computes or formats a value of it: `{name!r:>10}`.
    Expression,
    /// An expression or a statement, in as many delimiters as follow each other: `{{ name | upper }}`, `{{#if name}}`.
    ExpressionOrStatement,
    /// A tag of XML or a block of another language: `<name />`, `<unless name>`.
    Tag,
    /// A name and nothing else: `[[ name ]]`.
    Name,
    /// A name that touches the delimiters, apart from other names: `%name%`, `@@name@@`.
    TouchingName,
    /// A block with its condition or list in parentheses: `#if($name)`.
    Directive,
    /// A conversion of `printf`: `%(name)s`.
    Printf,
}

/// What may be between the delimiters of a statement of Jinja and its words.
pub(crate) const JINJA_SIGNS: [char; 3] = ['-', '+', ' '];

/// The first row whose opening delimiter matches decides. Where a delimiter begins another one, the longer one comes first.
const NOTATIONS: [Notation; 21] = [
    row("{%", "%}", Inside::Statement),
    row("{{", "}}", Inside::ExpressionOrStatement),
    row("{!!", "!!}", Inside::Expression),
    row("{#", "}", Inside::SignAndStatement),
    row("{@", "}", Inside::SignAndStatement),
    row("{:", "}", Inside::SignAndStatement),
    row("{", "}", Inside::Expression),
    row("<%", "%>", Inside::Statement),
    row("<?", "?>", Inside::Statement),
    row("<#", ">", Inside::Statement),
    row("<", ">", Inside::Tag),
    row("[%", "%]", Inside::Statement),
    row("[[", "]]", Inside::Name),
    row("%(", ")", Inside::Printf),
    row("%", "%", Inside::TouchingName),
    row("@", "@", Inside::TouchingName),
    row("##", "##", Inside::TouchingName),
    row("#", ")", Inside::Directive),
    row("＜", "＞", Inside::Expression),
    row("｛", "｝", Inside::Expression),
    // `<name>` in HTML.
    row("&lt;", "&gt;", Inside::Expression),
];

const fn row(open: &'static str, close: &'static str, inside: Inside) -> Notation {
    Notation {
        open,
        close,
        inside,
    }
}

/// Text that a row of the table describes.
#[derive(Clone, Copy)]
pub(crate) struct Delimited<'t> {
    /// The text before the opening delimiter.
    before: &'t str,
    /// The text from the opening delimiter on.
    rest: &'t str,
    dialect: Dialect,
    /// How often the first character of the opening delimiter is repeated.
    run: usize,
}

/// Finds the look-alikes in a part of the text that a lexer has found to be literal; `at` is the beginning of its token and the
/// offset in the text of the token. `is_own_tag` returns whether the dialect itself has a tag at a position.
pub(crate) fn scan_text(
    text: &str,
    part: Span,
    at: usize,
    dialect: Dialect,
    is_own_tag: impl Fn(usize) -> bool,
    out: &mut Vec<Lookalike>,
) {
    let mut next = part.start;
    let mut unclosed = Vec::new();
    while let Some(start) = next_delimiter(&text.as_bytes()[..part.end], next, dialect) {
        let rest = &text[start..part.end];
        let first = rest.chars().next().unwrap_or_default();
        let run = (rest.len() - rest.trim_start_matches(first).len()) / first.len_utf8();
        let delimited = Delimited {
            before: &text[..start],
            rest,
            dialect,
            run,
        };
        let mut rows = NOTATIONS.iter();
        // A tag of the dialect that is kept as text has been escaped.
        let is_own = || dialect == Dialect::Angle && first == '<' && run == 1 && is_own_tag(start);
        let found = rows
            .find(|row| rest.starts_with(row.open))
            .filter(|row| row.inside != Inside::Tag || !is_own())
            .and_then(|row| row.read_inside(delimited, &mut unclosed));
        let Some((len, names, kind)) = found else {
            // The other characters of the same run open nothing either, except that the last of several braces may open a slot:
            // `{{name}`.
            let is_brace = first == '{' && run > 1;
            next = start + (run - usize::from(is_brace)) * first.len_utf8();
            continue;
        };
        let before = &text[part.start..start];
        let sign = usize::from(first == '{' && before.ends_with(['$', '#', '%', '@']));
        let start = start - sign;
        let before = &text[part.start..start];
        let slashes = before.len() - before.trim_end_matches('\\').len();
        let offset = at + (start - slashes - part.start);
        next = start + sign + len;
        out.push(Lookalike {
            span: Span::new(start, next),
            names,
            kind,
            slashes: (offset, slashes),
        });
    }
}

/// The next byte that may begin a delimiter. A loop over bytes, because macros are compiled without optimizations, where a search for
/// a set of characters is slow.
fn next_delimiter(text: &[u8], mut at: usize, dialect: Dialect) -> Option<usize> {
    let brace = match dialect {
        Dialect::Fstring => b'<',
        _ => b'{',
    };
    while at < text.len() {
        match text[at] {
            // Most bytes.
            b'a'..=b'z' | b' ' => {}
            b'<' | b'%' | b'[' | b'&' => return Some(at),
            byte if byte == brace => return Some(at),
            // `@name@`, `##name##`: most of these signs are alone or before a space.
            b'@' | b'#' => {
                if let Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'@' | b'#') = text.get(at + 1) {
                    return Some(at);
                }
            }
            // `＜` and `｛`, of which no part is a character.
            0xef if matches!(text.get(at + 1..at + 3), Some([0xbc, 0x9c] | [0xbd, 0x9b])) => {
                return Some(at);
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// What ends the comment of another language that these delimiters may begin.
fn comment_end(open: &str, inside: &str) -> Option<&'static str> {
    match open {
        "{#" => Some("#}"),
        "<%" if inside.starts_with('#') || inside.starts_with("--") => Some("%>"),
        "{{" if inside.starts_with("!--") => Some("--}}"),
        "{{" if inside.starts_with("! ") => Some("}}"),
        _ => None,
    }
}

impl Notation {
    /// The length of `{# … #}`, `<%# … %>` and `{{! … }}`, which are comments in other languages and text of the angle and the brace dialect.
    /// `unclosed` receives the closing delimiters that the rest of the text does not contain, so that each is searched once.
    fn comment_len(
        &self,
        inside: &str,
        dialect: Dialect,
        unclosed: &mut Vec<&'static str>,
    ) -> Option<usize> {
        let close = comment_end(self.open, inside)?;
        if !matches!(dialect, Dialect::Angle | Dialect::Brace) || unclosed.contains(&close) {
            return None;
        }
        let len = match inside.starts_with([' ', '\t', '\n', '\r', '-', '!', '#']) {
            true => inside.find(close),
            // Of `{#if name}…#}`, the tag is a block.
            false => {
                let end = inside.find(['{', '}', '<', '>'])?;
                let words = inside[..=end].strip_suffix(close)?;
                return Some(self.open.len() + words.len() + close.len());
            }
        };
        if len.is_none() {
            unclosed.push(close);
        }
        len.map(|len| self.open.len() + len + close.len())
    }

    /// Reads what is between the delimiters.
    fn read_inside(
        &self,
        found: Delimited<'_>,
        unclosed: &mut Vec<&'static str>,
    ) -> Option<Reading> {
        let slot = |name: &str, len| Some((len, vec![name.to_owned()], LookalikeKind::Slot));
        let inside = &found.rest[self.open.len()..];
        if let Some(len) = self.comment_len(inside, found.dialect, unclosed) {
            let kind = LookalikeKind::Statement(Statement::Comment);
            return Some((len, Vec::new(), kind));
        }
        match self.inside {
            Inside::Statement => {
                let words = text_until(inside, self.close)?;
                let len = self.open.len() + words.len() + self.close.len();
                if words.trim_matches(['-', ' ']) == "comment" && self.open == "{%" {
                    let is_text = matches!(found.dialect, Dialect::Angle | Dialect::Brace);
                    let kind = LookalikeKind::Statement(Statement::Comment);
                    return is_text.then(|| (len, Vec::new(), kind));
                }
                let bare = words.trim_matches(JINJA_SIGNS);
                if self.open == "{%" && Blocks::of_tag(&found.rest[..len], found.dialect).is_some()
                {
                    let is_text = matches!(found.dialect, Dialect::Angle | Dialect::Brace);
                    let end = || Some((len, Vec::new(), LookalikeKind::Statement(Statement::End)));
                    // `{% elif name %}`
                    let names = statement_names(bare, len).filter(|_| bare.starts_with("elif"));
                    return names.or_else(end).filter(|_| is_text);
                }
                let names = statement_names(words, len);
                // `{% include 'file' %}`, which the Jinja dialect reads itself.
                let statement = statement(bare);
                match statement.filter(|_| self.open == "{%" && found.dialect != Dialect::Jinja) {
                    Some((_, kind)) => {
                        let names = names.map_or(Vec::new(), |(_, names, _)| names);
                        Some((len, names, LookalikeKind::Statement(kind)))
                    }
                    None => names,
                }
            }
            Inside::SignAndStatement => {
                let words = text_until(inside, self.close)?;
                let is_statement = words.starts_with(begins_name) && !words.ends_with('#');
                let is_statement = is_statement && !words.contains(['{', '\\']);
                is_statement.then(|| statement_names(words, words.len() + 3))?
            }
            Inside::Name => {
                let words = text_until(inside, self.close)?;
                let name = words.trim();
                let is_name = !name.is_empty() && name_len(name) == name.len();
                is_name.then(|| slot(name, words.len() + 4))?
            }
            Inside::TouchingName if self.open == "@" => found
                .read_touching_name()
                .or_else(|| found.read_directive()),
            Inside::TouchingName => found.read_touching_name(),
            Inside::Directive => found.read_directive(),
            Inside::Printf => {
                let (name, len) = printf_name(inside)?;
                slot(name, self.open.len() + len)
            }
            Inside::Tag => found.read_tag(),
            Inside::ExpressionOrStatement => found.read_double_braces(),
            Inside::Expression if self.open == "{" => found.read_braces(),
            Inside::Expression => self.read_expression(found),
        }
    }

    /// `｛name｝`, `{!! $name !!}`
    fn read_expression(&self, found: Delimited<'_>) -> Option<Reading> {
        // In the other dialects `&lt;` is text like any other.
        if self.open == "&lt;" && found.dialect != Dialect::Angle {
            return None;
        }
        let inside = found.rest.trim_start_matches(self.open);
        let open = found.rest.len() - inside.len();
        let words = text_until(inside, self.close)?;
        // A comparison's sign is followed by a space: `a &lt; b`.
        if words.starts_with(' ') && self.open != "{!!" {
            return None;
        }
        let (name, _) = expression(words)?;
        let after = &inside[words.len()..];
        let closed = after.len() - after.trim_start_matches(self.close).len();
        let len = open + words.len() + closed.min(open.max(self.close.len()));
        Some((len, vec![name], LookalikeKind::Slot))
    }
}

impl Delimited<'_> {
    /// `%name%`, `@@name@@`
    fn read_touching_name(self) -> Option<Reading> {
        let (sign, inside) = self.rest.split_at(self.run);
        let name = &inside[..name_len(inside)];
        let after = inside[name.len()..].strip_prefix(sign)?;
        let continues = |c: char| continues_name(c) || sign.starts_with(c);
        let is_alone = !self.before.ends_with(continues) && !after.starts_with(continues);
        let is_slot = is_alone && !name.is_empty() && self.run <= 2;
        let len = name.len() + 2 * self.run;
        is_slot.then(|| (len, vec![name.to_owned()], LookalikeKind::Slot))
    }

    /// `@if(name)`, `#foreach($name in $names)`
    fn read_directive(self) -> Option<Reading> {
        let is_alone = self.run == 1 && !self.before.ends_with(continues_name);
        is_alone.then(|| directive_names(&self.rest[1..]))?
    }

    /// `{name}`, `{name!r}`, `{price * 2}`, `${name:-none}`
    fn read_braces(self) -> Option<Reading> {
        let slot = |name: &str, len| Some((len, vec![name.to_owned()], LookalikeKind::Slot));
        let inside = &self.rest[1..];
        if self.before.ends_with('$')
            && let Some((name, len)) = shell_name(inside)
        {
            return slot(name, len + 1);
        }
        let is_brace = self.dialect == Dialect::Brace;
        let words = text_until(inside, "}").unwrap_or_default();
        if let Some((name, len)) = message_choice(words) {
            return slot(name, len + 1);
        }
        let is_after_blank = self.before.is_empty() || self.before.ends_with([' ', '\n']);
        if is_brace
            && is_after_blank
            && let Some(name) = open_name(inside, '{', '}')
        {
            return slot(name, name.len() + 1);
        }
        let words = text_until(inside, "}")?;
        if words.contains(['{', '\\']) {
            return None;
        }
        if is_brace
            && !self.is_behind_latex()
            && let Some(reading) = names_of_block(words, words.len() + 2)
        {
            return Some(reading);
        }
        with_hyphens(words, words.len() + 2, self.read_braced_expression(words))
    }

    /// Whether it may be an argument of LaTeX, which has expressions and words behind a command and its arguments, `_` and `^`.
    fn is_behind_latex(self) -> bool {
        let before = self.before;
        before.ends_with(|c| continues_name(c) || c == '^') || is_latex(before)
    }

    /// The expression in `{…}`.
    fn read_braced_expression(self, words: &str) -> Option<Reading> {
        let (name, kind) = expression(words).or_else(|| {
            let computed = computed_name(words).filter(|_| !self.is_behind_latex());
            // Quoted names are JSON.
            let is_near = self.dialect == Dialect::Brace && !words.contains(['"', '\'']);
            let name = computed.or_else(|| single_name(words).filter(|_| is_near))?;
            Some((name.to_owned(), LookalikeKind::Slot))
        })?;
        // Code has a space before a call: `{ f(name) }`.
        let mut names = match words.starts_with(begins_name) {
            true => names_of_call(name, words),
            false => vec![name],
        };
        names.extend(member_name(words));
        Some((words.len() + 2, names, kind))
    }

    /// `{{ name }}`, `{{{name}}}`, `{{#each names}}`
    fn read_double_braces(self) -> Option<Reading> {
        let inside = &self.rest[self.run..];
        let Some(words) = text_until(inside, "}}") else {
            let (name, len) = broken_name(inside, "}}")?;
            return Some((self.run + len, vec![name.to_owned()], LookalikeKind::Slot));
        };
        if words.contains(['{', '\\']) {
            return None;
        }
        let len = self.closed_len(words, '}');
        let signs = words.trim_matches(['~', ' ']);
        let is_part = Blocks::of_tag(&self.rest[..len], self.dialect).is_some();
        let part = || is_part.then(|| (len, Vec::new(), LookalikeKind::Statement(Statement::End)));
        if signs.starts_with('/') || signs == "else" {
            return part();
        }
        let partial = signs.strip_prefix('>').map(str::trim_start);
        if let Some(name) = partial.map(|partial| &partial[..name_len(partial)])
            && !name.is_empty()
        {
            let kind = LookalikeKind::Statement(Statement::Include);
            return Some((len, vec![name.to_owned()], kind));
        }
        let section = signs.strip_prefix(['#', '^']).map(str::trim_start);
        if let Some(name) = section
            && !name.is_empty()
            && name_len(name) == name.len()
        {
            let kind = match signs.starts_with('#') {
                true => LookalikeKind::Section,
                false => LookalikeKind::If,
            };
            return Some((len, vec![name.to_owned()], kind));
        }
        if let Some((names, is_marked)) = helper_names(words) {
            let kind = match is_marked {
                true => LookalikeKind::Statement(Statement::Helper),
                false => LookalikeKind::Slot,
            };
            return Some((len, names, kind));
        }
        let reading = match expression(words) {
            Some((name, kind)) => {
                let mut names = names_of_call(name, words);
                names.extend(member_name(words));
                Some((len, names, kind))
            }
            None => statement_names(words, len),
        };
        with_hyphens(words, len, reading).or_else(part)
    }

    /// `<name />`, `<name.len()>`, `<<name>>`; in the angle dialect also `<If name>`, in the others `<name>` and `<if name>`
    fn read_tag(self) -> Option<Reading> {
        let inside = &self.rest[self.run..];
        let is_after_blank = self.before.is_empty() || self.before.ends_with([' ', '\n', '>', '"']);
        let is_first = self.run == 1 && is_after_blank && self.dialect == Dialect::Angle;
        if is_first && let Some(name) = open_name(inside, '<', '>') {
            // Behind a word, it may be a comparison: `x <name`.
            let is_prose = inside[name.len()..].starts_with(|c: char| c.is_ascii_punctuation());
            let is_compared = self.before.trim_end().ends_with(continues_name);
            if is_prose || !is_compared {
                return Some((1 + name.len(), vec![name.to_owned()], LookalikeKind::Tag));
            }
        }
        let Some(words) = text_until(inside, ">") else {
            let (name, len) = broken_name(inside, ">")?;
            return Some((self.run + len, vec![name.to_owned()], LookalikeKind::Slot));
        };
        if words.contains(['<', '{', '\\']) {
            return None;
        }
        let len = self.closed_len(words, '>');
        let is_angle = self.dialect == Dialect::Angle;
        // Parameters of a generic type or function: `template <class T = int>`.
        let is_glued = self
            .before
            .ends_with(|c| continues_name(c) || ":])".contains(c))
            || self.before.trim_end().ends_with("template");
        let is_single_angle = is_angle && self.run == 1;
        let reading = tag_names(words, is_angle, is_single_angle, len)
            .filter(|(.., kind)| !matches!(kind, LookalikeKind::Statement(_)) || !is_glued);
        with_hyphens(words, len, reading)
    }

    /// The length of the text with as many closing delimiters as belong to the opening ones.
    fn closed_len(self, words: &str, close: char) -> usize {
        let after = &self.rest[self.run + words.len()..];
        let closed = after.len() - after.trim_start_matches(close).len();
        self.run + words.len() + closed.min(self.run)
    }
}
