//! The parser: its options and result. It builds the syntax tree from the tokens of any dialect, and collects all errors.

#[cfg(feature = "jinja")]
mod jinja;

use std::collections::HashSet;

#[cfg(feature = "jinja")]
pub(crate) use self::jinja::BlockHead;
use crate::analysis::FieldInfo;
use crate::lex::{
    Keyword, LexToken, LexTokenKind, Lexed, closers, lex, name_len, role_tag, trimmed,
};
use crate::literal::settle;

use crate::problem::block::{self, BlockStop, StrayEnd};
use crate::problem::{block as problem, role};
use crate::{
    Branch, Error, Expr, For, If, Node, Role, RoleBlock, Slot, Spanned, Template, Text, expr,
};
use prompt_base::Span;
use prompt_base::suggest::closest;

/// A way to write slots and blocks.
///
/// ```
/// use prompt_syntax::Dialect;
///
/// assert_eq!(Dialect::from_name("brace"), Some(Dialect::Brace));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dialect {
    /// `<name>`, `<input:name>`, `<if x>…</if>`.
    #[default]
    Angle,
    /// `{name}`, `{input:name}`.
    Brace,
    /// `{name}` as Python's `str.format` reads it, so `{{` and `}}` are braces.
    Fstring,
    /// `{{ name }}`, `{% if x %}…{% endif %}`.
    Jinja,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 4] = [
        Dialect::Angle,
        Dialect::Brace,
        Dialect::Fstring,
        Dialect::Jinja,
    ];

    /// The name that `syntax = "…"` takes.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Angle => "angle",
            Dialect::Brace => "brace",
            Dialect::Fstring => "fstring",
            Dialect::Jinja => "jinja",
        }
    }

    /// The name in a sentence.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Dialect::Fstring => "f-string",
            Dialect::Jinja => "Jinja",
            dialect => dialect.name(),
        }
    }

    /// The slot of a name.
    ///
    /// ```
    /// use prompt_syntax::Dialect;
    ///
    /// assert_eq!(Dialect::ALL.map(|dialect| dialect.slot("x")), ["<x>", "{x}", "{x}", "{{ x }}"]);
    /// ```
    pub fn slot(self, name: &str) -> String {
        match self {
            Dialect::Angle => format!("<{name}>"),
            Dialect::Brace | Dialect::Fstring => format!("{{{name}}}"),
            Dialect::Jinja => format!("{{{{ {name} }}}}"),
        }
    }

    /// The dialect of that name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
    }
}

/// How to read a template.
///
/// ```
/// use prompt_syntax::{Dialect, Options, parse};
///
/// let text = "<user>Hi</user>";
/// assert_eq!(parse(text, Options::message(Dialect::Angle)).tags.len(), 1, "an XML tag in a message");
/// assert_eq!(parse(text, Options::document(Dialect::Angle)).tags.len(), 0, "a role in a file");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// How slots and blocks are written.
    pub dialect: Dialect,
    /// Whether `<system>…</system>` and the like are structure, as in files, or text, as in the text of one message.
    pub roles: bool,
    /// Angle: whether a line that contains only block tags keeps its white space and its line break.
    pub keep_block_lines: bool,
    /// Jinja: whether the line break right after a tag `{% … %}` belongs to the tag.
    pub trim_blocks: bool,
    /// Jinja: whether the blanks between the beginning of a line and a tag `{% … %}` belong to the tag.
    pub lstrip_blocks: bool,
    /// Jinja: whether a line break at the end of the template is kept.
    pub keep_trailing_newline: bool,
    /// Jinja, with `roles`: whether a line `system:`, `user:` or `assistant:` begins a message of that role, as in Prompty
    /// files.
    pub role_lines: bool,
    /// Angle and brace: whether only `<input:name>` or `{input:name}` is a slot, and everything else but the tags of roles is
    /// text.
    pub input_only: bool,
}

impl Options {
    /// A slot for this field.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Options};
    ///
    /// let options = Options::message(Dialect::Brace);
    /// assert_eq!(options.slot("tone"), "{tone}");
    /// assert_eq!(Options { input_only: true, ..options }.slot("tone"), "{input:tone}");
    /// ```
    pub fn slot(&self, field: &str) -> String {
        match self.input_only {
            true => self.dialect.slot(&format!("input:{field}")),
            false => self.dialect.slot(field),
        }
    }

    /// For the text of one message.
    pub const fn message(dialect: Dialect) -> Options {
        Options {
            dialect,
            roles: false,
            keep_block_lines: false,
            trim_blocks: false,
            lstrip_blocks: false,
            keep_trailing_newline: false,
            role_lines: false,
            input_only: false,
        }
    }

    /// For a file or a literal with role blocks.
    pub const fn document(dialect: Dialect) -> Options {
        Options {
            roles: true,
            ..Options::message(dialect)
        }
    }
}

impl From<Dialect> for Options {
    /// For the text of one message.
    fn from(dialect: Dialect) -> Options {
        Options::message(dialect)
    }
}

/// The result of parsing: the tree and all errors.
///
/// ```
/// use prompt_syntax::{Options, parse};
///
/// let parsed = parse("<a> <if>", Options::default());
/// assert_eq!(parsed.template.nodes.len(), 3);
/// assert_eq!(parsed.errors[0].message(), "`<if>` has no condition");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ParsedTemplate {
    /// The tree. If there are errors, it contains the parts that could be parsed.
    pub template: Template,
    /// `<name>…</name>` pairs that stay text.
    pub tags: Vec<XmlTag>,
    /// The errors, in the order of their spans.
    pub errors: Vec<Error>,
}

/// The names of the XML tags that the messages of a prompt close: `<name>` is text in all of them where one contains `</name>`.
///
/// ```
/// use prompt_syntax::{Dialect, KnownNames, Options, XmlTags, parse_in};
///
/// let tags = XmlTags::of(["The document is in <document> tags.", "<document><input:document></document>"]);
/// let system = parse_in("The document is in <document> tags.", Options::default(), &tags, KnownNames::Unknown);
/// assert_eq!(system.tags[0].name.as_str(), "document");
/// ```
#[derive(Clone, Default, Debug)]
pub struct XmlTags(HashSet<String>);

impl XmlTags {
    /// The tags that the texts of a prompt close.
    pub fn of<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> XmlTags {
        let mut names = HashSet::new();
        for text in texts {
            names.extend(closers(text.as_ref()).into_keys().map(str::to_owned));
        }
        XmlTags(names)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// The names in scope of a template, as far as they are known.
#[derive(Clone, Copy)]
pub enum KnownNames<'a> {
    /// No names: they are inferred from the template.
    Unknown,
    /// The fields.
    Fields(&'a [FieldInfo]),
    /// Those of variables around `prompt!` that the template captures; there may be others.
    Captured(&'a [FieldInfo]),
}

/// A `<name>` that is text because `</name>` occurs too.
///
/// ```
/// use prompt_syntax::{Options, parse};
///
/// let parsed = parse("<docs>…</docs>", Options::default());
/// let tag = &parsed.tags[0];
/// assert_eq!((tag.name.as_str(), tag.close.unwrap().start), ("docs", 9));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct XmlTag {
    /// The name between the brackets.
    pub name: Spanned<String>,
    /// The closing tag, if it is in the same text.
    pub close: Option<Span>,
}

impl Dialect {
    /// A tag with this text in it: `<if x>`, `{% if x %}`.
    pub(crate) fn tag(self, words: &str) -> String {
        match self {
            Dialect::Angle | Dialect::Brace | Dialect::Fstring => format!("<{words}>"),
            Dialect::Jinja => format!("{{% {words} %}}"),
        }
    }

    /// The tag that closes a block: `</if>`, `{% endif %}`.
    pub(crate) fn end(self, block: &str) -> String {
        match self {
            Dialect::Angle | Dialect::Brace | Dialect::Fstring => format!("</{block}>"),
            Dialect::Jinja => format!("{{% end{block} %}}"),
        }
    }

    /// How a tag is kept as text.
    pub(crate) fn as_text(self, written: &str) -> String {
        match self {
            Dialect::Angle | Dialect::Brace | Dialect::Fstring => format!("\\{written}"),
            Dialect::Jinja => format!("{{% raw %}}{written}{{% endraw %}}"),
        }
    }

    /// The tags of the three roles, for help that names them.
    pub(crate) fn roles(self) -> String {
        let block = |role| format!("`{}…{}`", self.tag(role), self.end(role));
        format!(
            "{}, {} or {}",
            block("system"),
            block("user"),
            block("assistant")
        )
    }
}

/// More nested blocks than templates need. Deeper ones could overflow the stack of recursive functions on the tree.
const DEPTH: usize = 128;

/// The maximum number of errors of one template: a binary file would have thousands.
pub(crate) const SHOWN: usize = 100;

/// Reads a template. It never fails: what cannot be read is an error in the result, and the rest is there.
/// After a hundred errors the others are left out.
///
/// ```
/// use prompt_syntax::{Dialect, Options, parse};
///
/// let parsed = parse("<if x>yes", Options::message(Dialect::Angle));
/// assert_eq!(parsed.errors[0].message(), "this block is never closed");
/// ```
pub fn parse(text: &str, options: Options) -> ParsedTemplate {
    parse_in(text, options, &XmlTags::default(), KnownNames::Unknown)
}

/// Reads a template as a part of a prompt, whose tags and names decide what is text: with known names, text that another
/// template language would read as a slot for one of them is an error.
///
/// ```
/// use prompt_syntax::analysis::FieldInfo;
/// use prompt_syntax::Kind;
/// use prompt_syntax::{KnownNames, Options, XmlTags, parse_in};
///
/// let fields = [FieldInfo { name: "name".into(), kind: Kind::Text, trusted: false, apart: None, answer: false }];
/// let errors = |text| parse_in(text, Options::default(), &XmlTags::default(), KnownNames::Fields(&fields)).errors;
/// assert!(errors("Dear <name>, {x}").is_empty());
/// assert_eq!(errors("Dear {name},")[0].message(), "`{name}` is not a slot in the angle dialect");
/// ```
pub fn parse_in(
    text: &str,
    options: Options,
    tags: &XmlTags,
    names: KnownNames<'_>,
) -> ParsedTemplate {
    let with_roles = read(text, options, tags, names);
    let (template, tags, mut errors) = match pasted_roles(text, &with_roles, options) {
        None => with_roles,
        Some(found) => {
            let options = Options {
                roles: false,
                ..options
            };
            let mut one_message = read(text, options, tags, names);
            if !options.input_only {
                one_message.2.extend(found);
            }
            one_message
        }
    };
    errors.sort_by(|one, other| {
        (one.span.start, one.span.end).cmp(&(other.span.start, other.span.end))
    });
    truncate(&mut errors);
    if let KnownNames::Fields(fields) | KnownNames::Captured(fields) = names {
        let names = fields.iter().map(|field| field.name.as_str());
        let named = |error: Error| error.with_names(&names);
        errors = errors.into_iter().map(named).collect();
    }
    ParsedTemplate {
        template,
        tags,
        errors,
    }
}

/// Reads a template: its tree, the XML tags in it, and the errors in any order.
fn read(
    text: &str,
    options: Options,
    tags: &XmlTags,
    names: KnownNames<'_>,
) -> (Template, Vec<XmlTag>, Vec<Error>) {
    let Lexed {
        tokens,
        tags,
        errors,
        lookalikes,
        ..
    } = lex(text, options, tags);
    let mut parser = Parser {
        text,
        dialect: options.dialect,
        nodes: Vec::new(),
        open: Vec::new(),
        ends_to_come: [0; Keyword::ALL.len()],
        cut: Vec::new(),
        errors,
    };
    for token in &tokens {
        parser.expect_end(&token.kind, 1);
    }
    for token in tokens {
        if !parser.token(token) {
            break;
        }
    }
    parser.finish();
    let mut template = Template {
        nodes: parser.nodes,
    };
    let mut errors = parser.errors;
    settle(&mut template, text, options, lookalikes, names, &mut errors);
    if options.roles {
        text_outside_roles(text, &template, options.dialect, &mut errors);
    }
    (template, tags, errors)
}

/// Keeps the first errors about text that was perhaps pasted, which may be joined, and the first others.
fn truncate(errors: &mut Vec<Error>) {
    let mut left = [SHOWN; 2];
    errors.retain(|error| {
        let left = &mut left[usize::from(error.problem.pasted.is_some())];
        let is_shown = *left > 0;
        *left = left.saturating_sub(1);
        is_shown
    });
}

struct Parser<'a> {
    text: &'a str,
    dialect: Dialect,
    /// The complete parts of the innermost open block.
    nodes: Vec<Node>,
    open: Vec<OpenBlock>,
    /// For each kind of block, how many more ends than beginnings follow.
    ends_to_come: [isize; Keyword::ALL.len()],
    /// Blocks that were closed before their own end tag, and their errors.
    cut: Vec<(&'static str, Vec<usize>)>,
    errors: Vec<Error>,
}

impl Parser<'_> {
    /// Counts an end or a beginning among those that are to come.
    fn expect_end(&mut self, kind: &LexTokenKind, count: isize) {
        match kind {
            LexTokenKind::Begin(keyword, _) => self.ends_to_come[*keyword as usize] -= count,
            LexTokenKind::End(keyword) => self.ends_to_come[*keyword as usize] += count,
            _ => {}
        }
    }

    /// Takes one token; `false` where the rest cannot be read.
    fn token(&mut self, token: LexToken) -> bool {
        let LexToken {
            kind,
            span,
            reported,
        } = token;
        self.expect_end(&kind, -1);
        match kind {
            LexTokenKind::Text(text) => self.nodes.push(Node::Text(Text { span, text })),
            LexTokenKind::Slot(head) => {
                let value =
                    expr::slot(self.text, head, self.dialect).map_err(|error| match self.dialect {
                        Dialect::Angle => error.pasted_tag(span.of(self.text)),
                        _ => error,
                    });
                let node = match self.read(reported, value) {
                    Some(expr) => Node::Slot(Slot { span, expr }),
                    None => Node::Error(span),
                };
                self.nodes.push(node);
            }
            LexTokenKind::Begin(keyword, head) => {
                let (block, read) = self.begin(keyword, span, head, reported);
                return self.enter(span, block, reported || !read);
            }
            #[cfg(feature = "jinja")]
            LexTokenKind::Set(head) => self.set(span, head, reported),
            #[cfg(feature = "jinja")]
            LexTokenKind::Include(head) => self.include(span, head, reported),
            LexTokenKind::Role(role) => {
                self.roles_stand_at_the_top(span, role);
                return self.enter(span, Block::Role(role), false);
            }
            LexTokenKind::Else => self.otherwise(span, None, reported),
            LexTokenKind::ElseIf(head) => {
                let condition = self.condition(span, head, reported);
                self.otherwise(span, Some(condition), reported);
            }
            LexTokenKind::End(keyword) => self.end(span, keyword.name(), reported),
            LexTokenKind::EndRole(role) => self.end(span, role.name(), reported),
            LexTokenKind::Error => self.nodes.push(Node::Error(span)),
        }
        true
    }

    /// Returns the parsed value. An error is reported unless the lexer has reported the tag already.
    fn read<T>(&mut self, reported: bool, result: Result<T, Error>) -> Option<T> {
        result
            .map_err(|error| {
                if !reported {
                    self.errors.push(error);
                }
            })
            .ok()
    }

    /// The block that a tag begins, and whether its text could be parsed.
    fn begin(&mut self, keyword: Keyword, span: Span, head: Span, reported: bool) -> (Block, bool) {
        let empty = matches!(head.of(self.text), "" | "/");
        // A `with` may have no variables.
        if empty && !matches!(keyword.name(), "if" | "with") {
            self.empty_tag(span, keyword, reported);
        }
        match keyword {
            Keyword::If => {
                let condition = self.condition(span, head, reported);
                let read = condition.is_some();
                (Block::If(IfBranches::new(span, condition)), read)
            }
            Keyword::For => {
                let (head, error) = expr::loop_head(self.text, head, self.dialect);
                if !reported && !empty {
                    let error = error.map(|error| self.tag_error(error, span));
                    self.errors.extend(error);
                }
                let read = head.is_some();
                (Block::For { head, body: None }, read)
            }
            #[cfg(feature = "jinja")]
            keyword => {
                let head = self.head(keyword, head, reported || empty);
                let read = head.is_some();
                (Block::Other(keyword, head), read)
            }
        }
    }

    fn condition(&mut self, span: Span, head: Span, reported: bool) -> Option<Expr> {
        if matches!(head.of(self.text), "" | "/") {
            self.empty_tag(span, Keyword::If, reported);
            return None;
        }
        let condition = expr::condition(self.text, head, self.dialect);
        let condition = condition.map_err(|error| self.tag_error(error, span));
        self.read(reported, condition)
    }

    /// An error of a block's tag. Pasted text contains such tags in the angle dialect: `<if test="x">`.
    fn tag_error(&self, error: Error, tag: Span) -> Error {
        match self.dialect {
            Dialect::Angle => error.pasted_block(tag.of(self.text)),
            _ => error,
        }
    }

    fn empty_tag(&mut self, span: Span, keyword: Keyword, reported: bool) {
        if reported {
            return;
        }
        let written = span.of(self.text);
        let error = problem::empty_tag(self.dialect, keyword, written).at(span);
        let error = self.tag_error(error, span);
        self.errors.push(error);
    }

    /// Opens a block. One whose tag is wrong already is excused from having an end.
    fn enter(&mut self, tag: Span, block: Block, excused: bool) -> bool {
        if self.open.len() == DEPTH {
            let error = problem::too_deep(DEPTH).at(tag);
            self.errors.push(error);
            self.nodes
                .push(Node::Error(Span::new(tag.start, self.text.len())));
            self.open.iter_mut().for_each(|open| open.excused = true);
            return false;
        }
        let outer = std::mem::take(&mut self.nodes);
        self.open.push(OpenBlock {
            tag,
            block,
            outer,
            excused,
            crossed: None,
            ended: false,
        });
        true
    }

    /// An `else`, or an `else if` with the condition that could be read.
    fn otherwise(&mut self, span: Span, next: Option<Option<Expr>>, reported: bool) {
        let nodes = std::mem::take(&mut self.nodes);
        let Some(open) = self.open.last_mut() else {
            return self.misplaced(span, next.is_some(), nodes, reported);
        };
        match open.block.next(span, next, nodes) {
            Ok(()) => {}
            Err((next, nodes)) => self.misplaced(span, next.is_some(), nodes, reported),
        }
    }

    fn misplaced(&mut self, span: Span, condition: bool, nodes: Vec<Node>, reported: bool) {
        self.nodes = nodes;
        self.nodes.push(Node::Error(span));
        if reported {
            return;
        }
        let dialect = self.dialect;
        let written = span.of(self.text);
        let open = self.open.last().map(|open| (open, open.block.otherwise()));
        let problem = match open {
            Some((open, Some(first))) => {
                problem::after_else(dialect, written, open.block.name(), first)
            }
            Some((open, None)) if condition && matches!(open.block, Block::For { .. }) => {
                problem::condition_in_loop(dialect, written, open.tag)
            }
            #[cfg(feature = "jinja")]
            Some((open, None)) if matches!(open.block, Block::Other(..)) => {
                crate::problem::jinja::no_other_branch(
                    dialect,
                    written,
                    open.block.name(),
                    open.tag,
                )
            }
            _ => problem::else_outside(dialect, written),
        };
        let error = self.tag_error(problem.at(span), span);
        self.errors.push(error);
    }
}

impl Parser<'_> {
    /// A closing tag.
    fn end(&mut self, span: Span, name: &'static str, reported: bool) {
        let is_its = |open: &OpenBlock| open.block.name() == name && !open.ended;
        let Some(at) = self.open.iter().rposition(is_its) else {
            return self.stray(span, name, reported);
        };
        let shows = match span.start == span.end {
            false => BlockStop::End(name),
            true => BlockStop::EndOfMessage,
        };
        if self.crosses(at) {
            self.cross(at, span, shows);
            return;
        }
        while self.open.len() > at + 1 {
            self.cut_off(span, shows);
        }
        self.close(span);
    }

    /// Closes the innermost block before its own end, as something else shows.
    fn cut_off(&mut self, span: Span, shows: BlockStop<'_>) {
        let name = self.open.last().map_or("", |open| open.block.name());
        if self.unclosed(Some((span, shows))) {
            let error = self.errors.len() - 1;
            match self.cut.iter_mut().find(|(cut, _)| *cut == name) {
                Some((_, errors)) => errors.push(error),
                None => self.cut.push((name, vec![error])),
            }
        }
        self.close(Span::new(span.start, span.start));
    }

    /// Whether the blocks inside of the one at this depth end after it. Else their ends are missing.
    fn crosses(&self, at: usize) -> bool {
        if self.open[at].is_role() {
            return false;
        }
        let mut left = self.ends_to_come;
        let inner = &self.open[at + 1..];
        !inner.is_empty()
            && inner.iter().filter(|open| !open.ended).all(|open| {
                let Some(keyword) = open.block.keyword() else {
                    return false;
                };
                let left = &mut left[keyword as usize];
                *left -= 1;
                *left >= 0
            })
    }

    /// Keeps the crossing blocks open until the inner ones end, so that their content is parsed as intended.
    fn cross(&mut self, at: usize, span: Span, shows: BlockStop<'_>) {
        let inner = &mut self.open[at + 1];
        let (name, tag, written) = (inner.block.name(), inner.tag, span.of(self.text));
        inner.crossed = Some(self.errors.len());
        let error = block::crossing_blocks(self.dialect, name, written, span, shows).at(tag);
        let error = self.tag_error(error, tag);
        self.errors.push(error);
        self.open[at].ended = true;
        self.open[at].excused = true;
        self.nodes.push(Node::Error(span));
    }

    /// A closing tag without its block.
    fn stray(&mut self, span: Span, name: &'static str, reported: bool) {
        self.nodes.push(Node::Error(span));
        let end = self.dialect.end(name);
        let cut = self.cut.iter_mut().find(|(cut, _)| *cut == name);
        if let Some(error) = cut.and_then(|(_, errors)| errors.pop()) {
            let error = &mut self.errors[error];
            error.problem = block::closed_too_late(error.problem.clone(), &end, span);
            return;
        }
        if reported {
            return;
        }
        let written = span.of(self.text);
        let stray = if let Some(open) = self.open.last_mut().filter(|open| !open.is_role()) {
            // Most likely it is the wrong end: the unclosed block is not reported again.
            open.excused = true;
            StrayEnd::EndOf(open.block.name(), open.tag)
        } else if let Some(misspelt) = self.misspelt(name) {
            StrayEnd::Role(misspelt)
        } else {
            StrayEnd::Nothing
        };
        let error = block::stray_end(self.dialect, name, written, stray).at(span);
        let error = match Role::from_name(name) {
            Some(_) => error,
            None => self.tag_error(error, span),
        };
        self.errors.push(error);
    }

    /// A slot shortly before whose name is nearly the role's.
    fn misspelt(&self, role: &str) -> Option<Span> {
        Role::from_name(role)?;
        let near = self.nodes.iter().rev().take(8);
        near.filter_map(|node| match node {
            Node::Slot(slot) => Some(slot),
            _ => None,
        })
        .find_map(|slot| match &slot.expr {
            Expr::Path(path) if closest(&path.dotted(), [role]).is_some() => Some(slot.span),
            _ => None,
        })
    }

    /// Closes what is open at the end of the text.
    fn finish(&mut self) {
        let end = Span::new(self.text.len(), self.text.len());
        while !self.open.is_empty() {
            self.unclosed(None);
            self.close(end);
        }
    }

    /// Reports that the innermost block is not closed, and where that shows. `false` if it is known already.
    fn unclosed(&mut self, shows: Option<(Span, BlockStop<'_>)>) -> bool {
        let Some(open) = self.open.last().filter(|open| !open.excused) else {
            return false;
        };
        let (name, tag) = (open.block.name(), open.tag);
        let problem = match shows {
            Some((span, shows)) => {
                block::unclosed_before(self.dialect, name, span.of(self.text), span, shows)
            }
            None => block::unclosed_block(self.dialect, name, tag.of(self.text)),
        };
        let is_role = open.is_role();
        let error = problem.at(tag);
        self.errors.push(match is_role {
            true => error,
            false => self.tag_error(error, tag),
        });
        true
    }

    /// Makes nodes of the innermost block, and of those around it that should have ended before.
    fn close(&mut self, mut end: Span) {
        while let Some(open) = self.open.pop() {
            if let Some(error) = open.crossed {
                let name = self.dialect.end(open.block.name());
                let error = &mut self.errors[error];
                error.problem = block::with_end(error.problem.clone(), &name, end);
            }
            let nodes = std::mem::replace(&mut self.nodes, open.outer);
            self.nodes.extend(open.block.close(open.tag, end, nodes));
            if !self.open.last().is_some_and(|open| open.ended) {
                return;
            }
            end = Span::new(end.end, end.end);
        }
    }
}

impl Parser<'_> {
    /// Reports a role inside of another block.
    fn roles_stand_at_the_top(&mut self, span: Span, role: Role) {
        // A role inside a role means that the first one's end was forgotten.
        if let Some(outer) = self.open.iter().position(OpenBlock::is_role) {
            while self.open.len() > outer {
                self.cut_off(span, BlockStop::Role);
            }
        } else if let Some(outer) = self.open.last() {
            let name = outer.block.name();
            let error = role::in_a_block(self.dialect, role, name, outer.tag).at(span);
            self.errors.push(error);
        }
    }
}

/// The errors of a template that is one message in which tags of roles are text, such as XML with `<user>`: text precedes the first
/// role, and either text follows it or its tags do not fit together. A template with text before the roles and nothing else
/// wrong may be meant either way.
fn pasted_roles(
    text: &str,
    (template, _, errors): &(Template, Vec<XmlTag>, Vec<Error>),
    options: Options,
) -> Option<Vec<Error>> {
    let is_plain = !matches!(options.dialect, Dialect::Jinja);
    if !options.roles || !is_plain || errors.is_empty() {
        return None;
    }
    let nodes = &template.nodes;
    let is_role = |node: &Node| matches!(node, Node::Role(_));
    let mut runs = nodes.split(is_role);
    let before = runs.next()?;
    let Some(Node::Text(first)) = before.iter().find(|node| has_content(node)) else {
        return None;
    };
    let is_misspelt = |node: &Node| match node {
        Node::Slot(slot) if options.dialect == Dialect::Angle => {
            let name = slot.span.of(text).trim_matches(['<', '>']);
            closest(name, Role::ALL.map(Role::name)).is_some()
        }
        _ => false,
    };
    if near_role(text, first.span, options.dialect).is_some() || before.iter().any(is_misspelt) {
        return None;
    }
    let tags: Vec<Span> = role_tags(text).collect();
    let [tag, ..] = tags[..] else {
        return None;
    };
    let is_opening = |tag: &&Span| !tag.of(text).starts_with("</");
    let fits = 2 * tags.iter().filter(is_opening).count() == tags.len()
        && tags.len() == 2 * nodes.iter().filter(|node| is_role(node)).count();
    if fits && !runs.flatten().any(has_content) {
        return None;
    }
    let words = first.span.of(text).trim_start();
    let start = first.span.end - words.len();
    let line = words.lines().next().unwrap_or_default();
    let span = trimmed(text, start, start + line.len());
    let error = role::around_text(options, tag.of(text))
        .related_to(tag, "the tag of a role")
        .at(span);
    Some(vec![error.pasted_block(tag.of(text))])
}

/// The tags of roles in a text.
fn role_tags(text: &str) -> impl Iterator<Item = Span> {
    let tags = text.match_indices('<');
    tags.filter_map(|(at, _)| {
        let (_, len) = role_tag(&text[at..])?;
        (!text[..at].ends_with('\\')).then(|| Span::new(at, at + len))
    })
}

/// In a template with role blocks, all text belongs into a role block.
fn text_outside_roles(text: &str, template: &Template, dialect: Dialect, errors: &mut Vec<Error>) {
    let nodes = &template.nodes;
    if !nodes.iter().any(|node| matches!(node, Node::Role(_))) {
        return;
    }
    for run in nodes.split(|node| matches!(node, Node::Role(_))) {
        // What is wrong there may be a role's tag.
        if run.iter().any(|node| matches!(node, Node::Error(_))) {
            continue;
        }
        let Some(first) = run.iter().find(|node| has_content(node)) else {
            continue;
        };
        if let Node::Text(words) = first
            && let Some(error) = near_role(text, words.span, dialect)
        {
            errors.push(error);
            continue;
        }
        let (span, what) = match first {
            Node::Text(words) => (trimmed(text, words.span.start, words.span.end), "text"),
            node => (node.span(), "a block"),
        };
        let error = role::outside_of_roles(dialect, what).at(span);
        errors.push(error);
    }
}

/// Whether this is text, or shows some, without a slot's name.
fn has_content(node: &Node) -> bool {
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
pub fn is_outside_of_roles(nodes: &[Node], at: usize) -> bool {
    let is_role = |node: &&Node| matches!(node, Node::Role(_));
    let before = nodes[..at].iter().rev().take_while(|node| !is_role(node));
    let after = nodes[at..].iter().take_while(|node| !is_role(node));
    before.chain(after).any(has_content)
}

/// A tag among the text whose name is nearly that of a role.
fn near_role(text: &str, span: Span, dialect: Dialect) -> Option<Error> {
    span.of(text).match_indices('<').find_map(|(at, _)| {
        let start = span.start + at + 1;
        let name = &text[start..start + name_len(&text[start..])];
        let role = closest(name, Role::ALL.map(Role::name))?;
        let span = Span::new(start, start + name.len());
        let error = role::unknown_role(dialect, name, role).at(span);
        text[span.end..].starts_with('>').then_some(error)
    })
}

/// A block whose end tag has not been parsed.
pub(crate) struct OpenBlock {
    /// Its opening tag.
    pub(crate) tag: Span,
    pub(crate) block: Block,
    /// The previous content.
    pub(crate) outer: Vec<Node>,
    /// Whether an error about its end was reported.
    pub(crate) excused: bool,
    /// The error about a block that crosses another one.
    pub(crate) crossed: Option<usize>,
    /// Whether its end has come, but inside of a block that crosses it.
    pub(crate) ended: bool,
}

impl OpenBlock {
    pub(crate) fn is_role(&self) -> bool {
        matches!(self.block, Block::Role(_))
    }
}

/// The state of an open block.
pub(crate) enum Block {
    If(IfBranches),
    For {
        /// `None` if it could not be read.
        head: Option<LoopHead>,
        /// The content before the `else`, and its span.
        body: Option<(Vec<Node>, Span)>,
    },
    Role(Role),
    /// A block without `else`. `None` if its tag could not be parsed.
    #[cfg(feature = "jinja")]
    Other(Keyword, Option<BlockHead>),
}

/// The items of a loop.
pub(crate) struct LoopHead {
    pub(crate) targets: Vec<Spanned<String>>,
    pub(crate) list: Expr,
    pub(crate) condition: Option<Expr>,
}

/// The branches of an `if`, up to the one that is being read.
pub(crate) struct IfBranches {
    /// Each with its tag and, if that could be read, its condition.
    done: Vec<(Span, Option<Expr>, Vec<Node>)>,
    tag: Span,
    /// `None` in an `else`.
    condition: Option<Option<Expr>>,
}

impl IfBranches {
    pub(crate) fn new(tag: Span, condition: Option<Expr>) -> IfBranches {
        IfBranches {
            done: Vec::new(),
            tag,
            condition: Some(condition),
        }
    }
}

/// An `else` that a block does not accept: the condition of an `else if`, and the nodes before it.
pub(crate) type UnexpectedElse = (Option<Option<Expr>>, Vec<Node>);

impl Block {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Block::If(_) => "if",
            Block::For { .. } => "for",
            Block::Role(role) => role.name(),
            #[cfg(feature = "jinja")]
            Block::Other(keyword, _) => keyword.name(),
        }
    }

    /// The keyword that opens and ends it; the name of a role is not a keyword.
    pub(crate) fn keyword(&self) -> Option<Keyword> {
        match self {
            Block::If(_) => Some(Keyword::If),
            Block::For { .. } => Some(Keyword::For),
            Block::Role(_) => None,
            #[cfg(feature = "jinja")]
            Block::Other(keyword, _) => Some(*keyword),
        }
    }

    /// The tag of its `else`.
    pub(crate) fn otherwise(&self) -> Option<Span> {
        match self {
            Block::If(part) => part.condition.is_none().then_some(part.tag),
            Block::For { body, .. } => body.as_ref().map(|(_, tag)| *tag),
            #[cfg(feature = "jinja")]
            Block::Other(..) => None,
            Block::Role(_) => None,
        }
    }

    /// Adds an `else`, or an `else if` with its condition if that could be parsed.
    pub(crate) fn next(
        &mut self,
        tag: Span,
        next: Option<Option<Expr>>,
        nodes: Vec<Node>,
    ) -> Result<(), UnexpectedElse> {
        match self {
            Block::If(part) => {
                let Some(condition) = part.condition.take() else {
                    return Err((next, nodes));
                };
                part.done.push((part.tag, condition, nodes));
                part.tag = tag;
                part.condition = next;
                Ok(())
            }
            Block::For { body, .. } if body.is_none() && next.is_none() => {
                *body = Some((nodes, tag));
                Ok(())
            }
            _ => Err((next, nodes)),
        }
    }

    /// The nodes of the block, with the last parsed part.
    pub(crate) fn close(self, tag: Span, end: Span, nodes: Vec<Node>) -> Vec<Node> {
        let span = tag.to(end);
        match self {
            Block::If(part) => part.close(span, end, nodes),
            // Without the names that it binds, its content cannot be checked.
            Block::For { head: None, .. } => vec![Node::Error(span)],
            #[cfg(feature = "jinja")]
            Block::Other(_, head) => {
                vec![head.map_or(Node::Error(span), |head| head.close(span, nodes))]
            }
            Block::For {
                head: Some(head),
                body,
            } => {
                let (body, otherwise) = match body {
                    Some((body, _)) => (body, Some(nodes)),
                    None => (nodes, None),
                };
                vec![Node::For(For {
                    span,
                    targets: head.targets,
                    list: head.list,
                    condition: head.condition,
                    body,
                    otherwise,
                })]
            }
            Block::Role(role) => vec![Node::Role(RoleBlock {
                span,
                role: Spanned::new(role, tag),
                body: without_outer_breaks(nodes, tag.end, end.start),
            })],
        }
    }
}

impl IfBranches {
    fn close(mut self, span: Span, end: Span, nodes: Vec<Node>) -> Vec<Node> {
        let mut otherwise = None;
        match self.condition {
            Some(condition) => self.done.push((self.tag, condition, nodes)),
            None => otherwise = Some((self.tag, nodes)),
        }
        if self
            .done
            .iter()
            .any(|(_, condition, _)| condition.is_none())
        {
            return in_pieces(self.done, otherwise, end);
        }
        let mut branches = Vec::with_capacity(self.done.len());
        for (_, condition, body) in self.done {
            branches.extend(condition.map(|condition| Branch { condition, body }));
        }
        vec![Node::If(If {
            span,
            branches,
            otherwise: otherwise.map(|(_, nodes)| nodes),
        })]
    }
}

/// The content of an `if` whose conditions cannot be parsed: its tags are errors, the rest is parsed as if they were absent.
fn in_pieces(
    branches: Vec<(Span, Option<Expr>, Vec<Node>)>,
    otherwise: Option<(Span, Vec<Node>)>,
    end: Span,
) -> Vec<Node> {
    let branches = branches.into_iter().map(|(tag, _, nodes)| (tag, nodes));
    let mut pieces = Vec::new();
    for (tag, nodes) in branches.chain(otherwise) {
        pieces.push(Node::Error(tag));
        pieces.extend(nodes);
    }
    if end.start < end.end {
        pieces.push(Node::Error(end));
    }
    pieces
}

/// The line break after a role's opening tag and the one before its closing tag belong to the tags. Where a lexer has
/// taken them already, the text does not touch the tag.
fn without_outer_breaks(mut nodes: Vec<Node>, start: usize, end: usize) -> Vec<Node> {
    if let Some(Node::Text(first)) = nodes.first_mut()
        && first.span.start == start
    {
        let words = first.text.strip_prefix('\r').unwrap_or(&first.text);
        if let Some(words) = words.strip_prefix('\n') {
            let cut = first.text.len() - words.len();
            first.text.drain(..cut);
            first.span.start += cut;
        }
    }
    if let Some(Node::Text(last)) = nodes.last_mut()
        && last.span.end == end
        && let Some(words) = last.text.strip_suffix('\n')
    {
        let kept = words.strip_suffix('\r').unwrap_or(words).len();
        last.span.end -= last.text.len() - kept;
        last.text.truncate(kept);
    }
    nodes.retain(|node| !matches!(node, Node::Text(text) if text.text.is_empty()));
    nodes
}
