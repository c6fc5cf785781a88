//! The analysis of a template against its fields: names and scopes, kinds, optionality, usage and trust.
//!
//! The derive, `prompt!`, the attribute macros and run-time templates all call [`Analyzer`] with the parsed nodes and a
//! [`Context`]: the fields, and what is known of them. It returns the annotated tree ([`ResolvedNode`]) and the errors. Generating
//! Rust from the tree, and the checks of types that only rustc can resolve, is the job of the macros; values are the job of
//! the run-time interpreter.
//!
//! Run-time templates obey the same rules as compiled ones, with these differences ([`Context::run_time`]):
//! - A condition narrows an `Option` in every later branch and operand, and not only where generated code can bind it.
//! - A variable that only some branches set may be used; it is undefined where no branch has set it.
//! - A macro may call itself; the depth of calls is limited when the template is rendered.
//! - There are no Rust types: the items of each list are values, and a filter cannot be a Rust path.

#[cfg(feature = "jinja")]
mod jinja;
mod piece;
mod usage;

use std::collections::HashSet;
use std::fmt;
#[cfg(feature = "jinja")]
use std::rc::Rc;

pub use self::piece::*;
pub use self::usage::{NameUsage, lost, used};
#[cfg(feature = "jinja")]
use crate::problem::Problem;
use crate::problem::name::BindingKind;
use crate::problem::slot::{condition_as_value, default_inside, unsupported_here};
use crate::problem::{call, compare as problem, name, role, value};
use crate::{
    Compare, CompareOp, Dialect, Error, Expr, Filter, For, If, Literal, Node, Path, Spanned,
    filters, is_outside_of_roles,
};
#[cfg(feature = "jinja")]
use crate::{Include, Macro};
use prompt_base::Span;

/// A field that a template can name, as far as it is known before it has a value.
#[derive(Clone)]
pub struct FieldInfo {
    /// The name that templates use.
    pub name: String,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether its text may be used in a system message.
    pub trusted: bool,
    /// The attribute key that keeps the field out of slots: `skip`, `history`, `tools` or `extra`.
    pub apart: Option<&'static str>,
    /// Whether it is the answer that a model is to find out.
    pub answer: bool,
}

/// The kind of a value, as far as types, literals and the tables of the Jinja dialect tell. Messages call it by its
/// `Display`.
///
/// ```
/// use prompt_syntax::Kind;
///
/// let names = Kind::list(Kind::Text);
/// assert_eq!((names.to_string(), names.item().to_string()), ("a list".into(), "a string".into()));
/// assert_eq!(Kind::Int.either(Kind::Float), Kind::Number);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Unknown before the program is compiled or run.
    Unknown,
    /// A value whose parts are only known at run time, as of JSON.
    Dynamic,
    /// `none`.
    None,
    /// A boolean.
    Bool,
    /// A whole number.
    Int,
    /// A number with a fraction.
    Float,
    /// A whole number or one with a fraction.
    Number,
    /// A text.
    Text,
    /// A list, and what its items are.
    List(Box<Kind>),
    /// A tuple, and what each of its parts is.
    Tuple(Vec<Kind>),
    /// A map, and what its values are.
    Dict(Box<Kind>),
    /// An `Option`.
    Option(Box<Kind>),
    /// An image, audio, video or file.
    Media,
    /// A hash set or map.
    Unordered,
}

impl Kind {
    /// A list of such items.
    pub fn list(item: Kind) -> Kind {
        Kind::List(Box::new(item))
    }

    /// The kind inside of an `Option`.
    pub fn there(self) -> Kind {
        match self {
            Kind::Option(inner) => *inner,
            other => other,
        }
    }

    /// `True` and `False` are numbers in Python.
    pub fn is_number(&self) -> bool {
        matches!(self, Kind::Bool | Kind::Int | Kind::Float | Kind::Number)
    }
}

/// As messages call it: `a string`, `a list`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Unknown | Kind::Dynamic => "a value",
            Kind::None => "`none`",
            Kind::Bool => "a boolean",
            Kind::Int => "a whole number",
            Kind::Float | Kind::Number => "a number",
            Kind::Text => "a string",
            Kind::List(_) => "a list",
            Kind::Tuple(_) => "a tuple",
            Kind::Dict(_) => "a map",
            Kind::Option(_) => "an `Option`",
            Kind::Media => "an image, audio, video or file",
            Kind::Unordered => "a hash set or map",
        })
    }
}

/// The context of a template.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The dialect of the template.
    pub dialect: Dialect,
    /// The fields that it can name.
    pub fields: &'a [FieldInfo],
    /// The name of the struct or variant, for messages.
    pub owner: &'a str,
    /// Whether the names are those of variables around `prompt!`.
    pub captures: bool,
    /// Names that a part of the template with a syntax error may have bound.
    pub lost: &'a [String],
    /// Whether the fields themselves could not be read, so that no name is unknown.
    pub all_lost: bool,
    /// Whether the template is interpreted at run time.
    pub run_time: bool,
    /// Names that variables of generated code must not have.
    pub reserved: &'a [&'a str],
}

/// Finds the templates that `{% include %}` names.
pub trait Includes {
    /// Reads the template that a statement includes; `offset` is where the including text begins in the source.
    ///
    /// # Errors
    /// The file cannot be read or includes itself. The problem is reported at the path of the statement.
    #[cfg(feature = "jinja")]
    fn enter(&mut self, include: &Include, offset: usize) -> Result<Included, Problem>;

    /// Called after the analysis of each included template.
    #[cfg(feature = "jinja")]
    fn leave(&mut self);
}

/// A template that another one includes.
#[cfg(feature = "jinja")]
pub struct Included {
    /// Where its text begins in the source.
    pub offset: usize,
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// Its syntax errors.
    pub errors: Vec<Error>,
}

/// For dialects without `{% include %}`.
pub struct NoIncludes;

impl Includes for NoIncludes {
    #[cfg(feature = "jinja")]
    fn enter(&mut self, _: &Include, _: usize) -> Result<Included, Problem> {
        Err(crate::problem::slot::unsupported_here("this block"))
    }

    #[cfg(feature = "jinja")]
    fn leave(&mut self) {}
}

/// Analyzes the texts of one template; names that a string sets are in scope in the later ones.
pub struct Analyzer<'a> {
    context: Context<'a>,
    text: &'a str,
    #[cfg(feature = "jinja")]
    includes: &'a mut dyn Includes,
    scopes: ScopeStack,
    errors: Vec<Error>,
    error_spans: HashSet<Span>,
    readable: bool,
    /// Whether the template had no syntax errors.
    parsed: bool,
    /// Where the text that is analyzed begins in the source: an included file comes after all that precedes it.
    offset: usize,
    /// How many included files surround the current one.
    depth: usize,
    /// The macros that are being called.
    #[cfg(feature = "jinja")]
    calling: Vec<String>,
    /// How many macro calls have been analyzed.
    #[cfg(feature = "jinja")]
    expanded: usize,
    /// The text of the block that a filter or a `set` is for.
    #[cfg(feature = "jinja")]
    body: Option<Term>,
    compared: Vec<ComparedText>,
}

/// A string that a condition compares with a field, or with an item or the value of one.
pub struct ComparedText {
    /// The index of the field.
    pub field: usize,
    pub text: String,
    pub span: Span,
}

impl<'a> Analyzer<'a> {
    /// Begins the analysis of a source. `readable` is `false` if parts of the template are already known to be missing:
    /// a name is then never reported as unused.
    pub fn new(
        context: Context<'a>,
        text: &'a str,
        nodes: &[Node],
        #[cfg_attr(not(feature = "jinja"), expect(unused_variables))]
        includes: &'a mut dyn Includes,
        readable: bool,
    ) -> Analyzer<'a> {
        Analyzer {
            context,
            text,
            #[cfg(feature = "jinja")]
            includes,
            scopes: ScopeStack::of(nodes),
            errors: Vec::new(),
            error_spans: HashSet::new(),
            readable,
            parsed: readable,
            offset: 0,
            depth: 0,
            #[cfg(feature = "jinja")]
            calling: Vec::new(),
            #[cfg(feature = "jinja")]
            expanded: 0,
            #[cfg(feature = "jinja")]
            body: None,
            compared: Vec::new(),
        }
    }

    /// The strings that conditions compare with fields, which a type with labels limits.
    pub fn compared_texts(&mut self) -> Vec<ComparedText> {
        std::mem::take(&mut self.compared)
    }

    fn compare_text(&mut self, place: &PlaceExpr, text: &str, span: Span) {
        if place.rest.is_empty() {
            self.compared.push(ComparedText {
                field: place.origin,
                text: text.to_owned(),
                span,
            });
        }
    }

    /// Analyzes a template with role blocks and returns the text of each. `is_turns` returns whether a slot between the blocks
    /// is the position of the messages of a field.
    pub fn messages(
        &mut self,
        nodes: &[Node],
        is_turns: impl Fn(&crate::Slot) -> bool,
    ) -> Vec<Vec<ResolvedNode>> {
        let is_blank =
            |node: &Node| matches!(node, Node::Text(text) if text.text.trim().is_empty());
        let (mut bodies, mut before) = (Vec::new(), Vec::new());
        for (at, node) in nodes.iter().enumerate() {
            match node {
                Node::Role(block) => {
                    if self.parsed && block.body.iter().all(is_blank) {
                        self.report(role::empty_message(block.role.value).at(block.role.span));
                    }
                    before.extend(self.block(&block.body));
                    bodies.push(std::mem::take(&mut before));
                }
                // Names that are set between roles are in scope of the later messages.
                #[cfg(feature = "jinja")]
                Node::Set(_) | Node::Macro(_) => self.node(node, &mut before),
                Node::Slot(slot) if !is_turns(slot) => {
                    self.give_up();
                    // Beside text, the slot is part of one mistake.
                    if !is_outside_of_roles(nodes, at) {
                        self.report(role::slot_outside(self.context.dialect).at(slot.span));
                    }
                }
                _ => {}
            }
        }
        bodies
    }

    /// Analyzes nodes in the current scope.
    pub fn pieces(&mut self, nodes: &[Node]) -> Vec<ResolvedNode> {
        let mut out = Vec::new();
        for node in nodes {
            self.node(node, &mut out);
        }
        out
    }

    /// Analyzes one node in the current scope.
    fn node(&mut self, node: &Node, out: &mut Vec<ResolvedNode>) {
        match self.context.dialect {
            #[cfg(feature = "jinja")]
            Dialect::Jinja => self.jinja_node(node, out),
            _ => self.plain_node(node, out),
        }
    }

    /// Analyzes a block with a scope of its own.
    fn block(&mut self, nodes: &[Node]) -> Vec<ResolvedNode> {
        self.scopes.open(changed(nodes));
        let pieces = self.pieces(nodes);
        self.close();
        pieces
    }

    /// Ends the analysis: the errors in the order in which they were found, and whether the template is still readable.
    pub fn finish(mut self) -> (Vec<Error>, bool) {
        self.close();
        (self.errors, self.readable)
    }

    /// Converts a span of the tree into one of the source.
    fn at(&self, span: Span) -> Span {
        Span::new(span.start + self.offset, span.end + self.offset)
    }

    /// Converts a span of the source into one of the tree.
    #[cfg(feature = "jinja")]
    fn in_tree(&self, span: Span) -> Span {
        Span::new(span.start - self.offset, span.end - self.offset)
    }

    /// Reports an error whose spans are those of the tree.
    fn report(&mut self, error: Error) {
        self.report_at(error.moved(self.offset));
    }

    /// Reports an error of an expression, which then has no value.
    fn refuse<T>(&mut self, error: Error) -> Option<T> {
        self.report(error);
        None
    }

    /// The same with the spans of the source.
    #[cfg(feature = "jinja")]
    fn refuse_at<T>(&mut self, error: Error) -> Option<T> {
        self.report_at(error);
        None
    }

    /// Reports an error whose spans are those of the source. A macro is analyzed once for each call, so errors repeat.
    fn report_at(&mut self, error: Error) {
        self.readable = false;
        if !self.is_known(&error) {
            self.errors.push(error);
        }
    }

    /// The spans keep this linear where a template has very many errors.
    fn is_known(&mut self, error: &Error) -> bool {
        !self.error_spans.insert(error.span) && self.errors.contains(error)
    }

    /// Notes that something could not be analyzed because of an error that is reported elsewhere.
    fn give_up(&mut self) {
        self.readable = false;
    }

    fn field(&self, name: &str) -> Option<usize> {
        let mut fields = self.context.fields.iter();
        fields.position(|field| field.name == name)
    }

    /// The place of a whole field.
    fn place_of(&self, field: usize, name: String, span: Span) -> PlaceExpr {
        PlaceExpr {
            root: Root::Field(field),
            rest: Vec::new(),
            name,
            origin: field,
            span,
            open: false,
            layers: Some(0),
        }
    }

    /// Whether an error elsewhere explains why a name is unknown or an `Option` is outside of its condition.
    fn is_lost(&mut self, name: &str) -> bool {
        let lost = self.context.all_lost || self.context.lost.iter().any(|lost| lost == name);
        if lost {
            self.give_up();
        }
        lost
    }

    /// Reports a name that is not in scope.
    fn unknown(&mut self, name: &Spanned<String>) {
        if self.is_lost(&name.value) {
            return;
        }
        let Context { dialect, .. } = self.context;
        if self.context.captures && dialect != Dialect::Jinja {
            self.report(name::type_captured(dialect, name).at(name.span));
            return;
        }
        let names = self.names();
        let written = match dialect {
            Dialect::Angle => self.tag_around(name.span),
            _ => None,
        };
        // The text around a name of an included file is not known.
        let before = match dialect {
            Dialect::Jinja => "",
            _ => self.text.get(..name.span.start).unwrap_or_default(),
        };
        let (owner, count) = (self.context.owner, self.context.fields.len());
        let problem = name::unknown_name(dialect, name, before, written, &names, owner, count);
        let mut error = problem.at(name.span);
        if let Some(tag) = written
            && !error.is_pasted()
        {
            error = error.in_tag(tag, &names.iter().copied());
        }
        self.report(error);
    }

    /// The names that a slot may have.
    fn names(&self) -> Vec<&str> {
        let mut names = self.scopes.all();
        let slots = self
            .context
            .fields
            .iter()
            .filter(|field| field.apart.is_none());
        names.extend(slots.map(|field| field.name.as_str()));
        names
    }

    /// The tag of the angle dialect that contains a span.
    fn tag_around(&self, span: Span) -> Option<&'a str> {
        let text = self.text;
        let mut starts = text.get(..span.start)?.rmatch_indices(['<', '\n']);
        let (start, sign) = starts.find(|(at, _)| !text[at + 1..].starts_with(' '))?;
        let line = text.get(span.end..)?.lines().next()?;
        let end = span.end + line.find('>')? + 1;
        (sign == "<").then(|| &text[start..end])
    }

    /// A new variable for the value inside an `Option`; it may have the name of the field that it comes from.
    fn fresh_of(&mut self, place: &PlaceExpr) -> String {
        let own = match place.root {
            Root::Field(field) if place.rest.is_empty() => Some(field),
            _ => None,
        };
        self.fresh_but(&place.name, own)
    }

    /// A new variable of generated code.
    fn fresh(&mut self, name: &str) -> String {
        self.fresh_but(name, None)
    }

    fn fresh_but(&mut self, name: &str, own: Option<usize>) -> String {
        let Context {
            fields, reserved, ..
        } = self.context;
        self.scopes.fresh(name, |ident| {
            let mut fields = fields.iter().enumerate();
            reserved.contains(&ident)
                || fields.any(|(index, field)| Some(index) != own && field.name == ident)
        })
    }

    /// Ends a block; a name that was bound in it and never used is an error.
    fn close(&mut self) {
        for name in self.scopes.close() {
            self.expect_used(&name);
        }
    }

    fn expect_used(&mut self, name: &Binding) {
        // In a block with errors, the use may be among them.
        if let Some((span, what)) = name.written
            && !name.used
            && !name.name.starts_with('_')
            && self.readable
        {
            let error = name::unused_binding(self.context.dialect, &name.name, what).at(span);
            // Not being used does not keep the rest from being analyzed in full.
            if !self.is_known(&error) {
                self.errors.push(error);
            }
        }
    }

    /// The span of a name that has to be used; one of an included file does not.
    fn written(&self, span: Span, what: BindingKind) -> Option<(Span, BindingKind)> {
        (self.depth == 0).then(|| (self.at(span), what))
    }
}

/// A name that the template binds.
struct Binding {
    /// The path that refers to it.
    name: String,
    meaning: Resolution,
    /// Its span and kind of binding, if it has to be used.
    written: Option<(Span, BindingKind)>,
    used: bool,
    /// Whether it has a value wherever it is in scope.
    #[cfg(feature = "jinja")]
    certain: bool,
}

impl Binding {
    /// Another name for a place.
    fn place(name: String, place: PlaceExpr, kind: Kind) -> Binding {
        Binding::new(name, Resolution::Place { place, kind })
    }

    /// A name that need not be used.
    fn new(name: impl Into<String>, meaning: Resolution) -> Binding {
        Binding {
            name: name.into(),
            meaning,
            written: None,
            used: false,
            #[cfg(feature = "jinja")]
            certain: true,
        }
    }

    /// The same binding, which has to be used if its span is given.
    #[cfg(feature = "jinja")]
    fn written(self, written: Option<(Span, BindingKind)>) -> Binding {
        Binding { written, ..self }
    }
}

#[derive(Clone)]
enum Resolution {
    /// Another name for a Rust place: an item of a list, the value inside an `Option`, a field.
    Place { place: PlaceExpr, kind: Kind },
    /// A variable that holds a value.
    #[cfg(feature = "jinja")]
    Variable {
        ident: String,
        kind: Kind,
        /// The fields that its value is made from.
        origins: Vec<usize>,
    },
    #[cfg(feature = "jinja")]
    Macro(Rc<MacroDefinition>),
    /// The loop itself.
    Loop(String),
    /// `loop.previtem` or `loop.nextitem` of a list of values, and the fields that its items come from.
    #[cfg(feature = "jinja")]
    Neighbour(String, Vec<usize>),
    /// `loop.changed`, and the variable for its state.
    #[cfg(feature = "jinja")]
    Changed(String),
    /// `loop.previtem` or `loop.nextitem` of a loop that unpacks its items.
    #[cfg(feature = "jinja")]
    NoNeighbour,
}

/// A macro and its scope.
#[cfg(feature = "jinja")]
struct MacroDefinition {
    node: Macro,
    /// The number of frames around its definition.
    depth: usize,
    /// Where its text begins in the source.
    offset: usize,
}

/// The names of a block or branch.
#[cfg_attr(not(feature = "jinja"), allow(dead_code))]
#[derive(Default)]
struct Scope {
    /// Whether a `set` inside belongs to the surrounding frame, as in a condition.
    soft: bool,
    names: Vec<Binding>,
    /// Names of variables that a condition sets later on.
    changed: Vec<String>,
    idents: usize,
}

#[derive(Default)]
struct ScopeStack {
    frames: Vec<Scope>,
    /// The variables of generated code that are in scope.
    idents: Vec<Ident>,
}

impl ScopeStack {
    /// The outermost scope of a template.
    fn of(nodes: &[Node]) -> ScopeStack {
        let mut names = ScopeStack::default();
        names.open(changed(nodes));
        names
    }

    /// Opens a block; conditions inside it assign the names in `changed`.
    fn open(&mut self, changed: Vec<String>) {
        self.frames.push(Scope {
            changed,
            idents: self.idents.len(),
            ..Scope::default()
        });
    }

    /// Opens a branch of a condition.
    fn open_branch(&mut self) {
        self.frames.push(Scope {
            soft: true,
            idents: self.idents.len(),
            ..Scope::default()
        });
    }

    /// Closes the innermost block or branch.
    fn close(&mut self) -> Vec<Binding> {
        let Some(frame) = self.frames.pop() else {
            return Vec::new();
        };
        self.idents.truncate(frame.idents);
        frame.names
    }

    /// Binds a name in the innermost block or branch.
    fn bind(&mut self, name: Binding) {
        if let Some(frame) = self.frames.last_mut() {
            frame.names.push(name);
        }
    }

    /// The innermost binding of a prefix of a path, and the length of the prefix.
    fn find_path(&mut self, path: &[&str]) -> Option<(&mut Binding, usize)> {
        for frame in self.frames.iter_mut().rev() {
            for known in frame.names.iter_mut().rev() {
                let length = known.name.split('.').count();
                if length <= path.len() && known.name.split('.').eq(path[..length].iter().copied())
                {
                    return Some((known, length));
                }
            }
        }
        None
    }

    /// The innermost binding of a name.
    fn find(&mut self, name: &str) -> Option<&mut Binding> {
        self.find_path(&[name]).map(|(name, _)| name)
    }

    /// The variable of the loop over a field. Loops inside it may iterate over parts of the same field.
    fn item_of(&mut self, field: usize) -> Option<&str> {
        let mut names = self.frames.iter_mut().flat_map(|frame| &mut frame.names);
        let item = names.find(|name| match &name.meaning {
            Resolution::Place { place, .. } => {
                place.origin == field && matches!(place.root, Root::Local(_))
            }
            _ => false,
        })?;
        item.used = true;
        Some(&item.name)
    }

    /// All names in scope, the innermost first.
    fn all(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for frame in self.frames.iter().rev() {
            for name in &frame.names {
                names.push(name.name.as_str());
            }
        }
        names
    }

    /// A new variable of generated code, named after `name` and different from all that are in scope.
    fn fresh(&mut self, name: &str, mut taken: impl FnMut(&str) -> bool) -> String {
        let base = name.replace('.', "_");
        let same = self.idents.iter().rfind(|ident| ident.base == base);
        let mut number = same.map_or(0, |ident| ident.number + 1);
        let mut text = numbered(&base, number);
        while taken(&text) || self.idents.iter().any(|ident| ident.text == text) {
            number += 1;
            text = numbered(&base, number);
        }
        self.idents.push(Ident {
            base,
            number,
            text: text.clone(),
        });
        text
    }
}

/// A variable of generated code: `a`, then `a_`, `a_2`, `a_3`, ….
struct Ident {
    base: String,
    number: usize,
    text: String,
}

fn numbered(base: &str, number: usize) -> String {
    match number {
        0 => base.to_owned(),
        1 => format!("{base}_"),
        _ => format!("{base}_{number}"),
    }
}

/// Names that only the Jinja dialect binds.
#[cfg(feature = "jinja")]
impl ScopeStack {
    fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Removes the frames that are not in scope of a macro; [`restore`](Scopes::restore) puts them back.
    fn hide(&mut self, depth: usize) -> HiddenScopes {
        HiddenScopes(self.frames.split_off(depth.min(self.frames.len())))
    }

    fn restore(&mut self, hidden: HiddenScopes) {
        self.frames.extend(hidden.0);
    }

    /// Binds a name in the innermost block, also from inside a branch.
    fn set(&mut self, name: Binding) {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| !frame.soft) {
            frame.names.push(name);
        }
    }

    /// Whether the innermost frame is a block, not a branch.
    fn is_block(&self) -> bool {
        self.frames.last().is_none_or(|frame| !frame.soft)
    }

    /// Whether a condition in this block assigns the name.
    fn is_changed(&self, name: &str) -> bool {
        let block = self.frames.iter().rev().find(|frame| !frame.soft);
        block.is_some_and(|frame| frame.changed.iter().any(|changed| changed == name))
    }

    /// The variable of that name that the innermost block has set.
    fn own(&mut self, name: &str) -> Option<&mut Binding> {
        let block = self.frames.iter_mut().rev().find(|frame| !frame.soft)?;
        let mut names = block.names.iter_mut().rev();
        names.find(|known| {
            known.name == name && matches!(known.meaning, Resolution::Variable { .. })
        })
    }

    /// The variables of the innermost block and whether they have a value.
    fn certain(&self) -> Vec<bool> {
        let block = self.frames.iter().rev().find(|frame| !frame.soft);
        block.map_or_else(Vec::new, |frame| {
            frame.names.iter().map(|name| name.certain).collect()
        })
    }

    fn set_certain(&mut self, certain: &[bool]) {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| !frame.soft) {
            for (name, certain) in frame.names.iter_mut().zip(certain) {
                name.certain = *certain;
            }
        }
    }
}

/// Frames that are not in scope of a macro.
#[cfg(feature = "jinja")]
struct HiddenScopes(Vec<Scope>);

#[cfg(not(feature = "jinja"))]
fn changed(_: &[Node]) -> Vec<String> {
    Vec::new()
}

/// The names that conditions in a block assign.
#[cfg(feature = "jinja")]
fn changed(nodes: &[Node]) -> Vec<String> {
    let mut names = Vec::new();
    for node in nodes {
        if let Node::If(block) = node {
            for branch in &block.branches {
                sets(&branch.body, &mut names);
            }
            sets(block.otherwise.as_deref().unwrap_or_default(), &mut names);
        }
    }
    names.into_iter().map(|(name, _)| name).collect()
}

/// The names that nodes assign, including those in conditions.
#[cfg(feature = "jinja")]
fn sets(nodes: &[Node], names: &mut Vec<(String, Span)>) {
    for node in nodes {
        match node {
            Node::Set(set) => {
                for target in &set.targets {
                    if names.iter().all(|(name, _)| *name != target.value) {
                        names.push((target.value.clone(), target.span));
                    }
                }
            }
            Node::If(block) => {
                for branch in &block.branches {
                    sets(&branch.body, names);
                }
                sets(block.otherwise.as_deref().unwrap_or_default(), names);
            }
            _ => {}
        }
    }
}

/// Removes the bindings of a condition that its block does not use.
fn forget_unused(test: &mut Condition, names: &[Binding]) {
    let binding = match test {
        Condition::Present { binding, .. } => binding,
        #[cfg(feature = "jinja")]
        Condition::Given { binding, .. } => binding,
        Condition::Not(inner) => return forget_unused(inner, names),
        Condition::And(sides) | Condition::Or(sides) => {
            forget_unused(&mut sides.0, names);
            return forget_unused(&mut sides.1, names);
        }
        _ => return,
    };
    let is_used = |ident: &String| {
        names.iter().any(|name| {
            name.used
                && matches!(&name.meaning, Resolution::Place { place, .. }
                    if matches!(&place.root, Root::Local(local) if local == ident))
        })
    };
    if !binding.as_ref().is_some_and(is_used) {
        *binding = None;
    }
}

impl Analyzer<'_> {
    fn plain_node(&mut self, node: &Node, out: &mut Vec<ResolvedNode>) {
        match node {
            Node::Text(text) => out.push(ResolvedNode::Text {
                text: text.text.clone(),
                span: text.span,
            }),
            Node::Slot(slot) => out.extend(self.plain_slot(slot)),
            Node::If(block) => self.plain_if(block, out),
            Node::For(block) => out.extend(self.plain_for(block)),
            // Reported by the parser.
            Node::Role(_) | Node::Error(_) => {}
            #[cfg(feature = "jinja")]
            _ => self.report(unsupported_here("this block").at(node.span())),
        }
    }

    fn plain_slot(&mut self, slot: &crate::Slot) -> Option<ResolvedNode> {
        let (expr, default) = match &slot.expr {
            Expr::Default(coalesce) => (&coalesce.value, Some(&coalesce.default)),
            other => (other, None),
        };
        let (value, kind) = self.plain_value(expr)?;
        let name = slot_name(expr);
        if let (SlotValue::Place(place), Kind::Media) = (&value, &kind) {
            if let Some(default) = default {
                return self.refuse(value::media_default(&place.name).at(default.span()));
            }
            return Some(ResolvedNode::Media {
                place: place.clone(),
                span: slot.span,
            });
        }
        let Some(default) = default else {
            self.expect_text(&value, &kind, expr, slot.span)?;
            return Some(ResolvedNode::Slot(ResolvedSlot {
                name,
                value,
                fallback: None,
                span: slot.span,
            }));
        };
        let (default_value, default_kind) = self.plain_text(default)?;
        if self.context.run_time {
            self.expect_text(&default_value, &default_kind, default, default.span())?;
        }
        let option = base(&value)?.clone();
        self.expect_option(&option, &kind)?;
        let binding = self.fresh_of(&option);
        let value = rebased(value, &binding);
        Some(ResolvedNode::Slot(ResolvedSlot {
            name,
            value,
            fallback: Some(SlotDefault {
                option,
                binding,
                default: default_value,
            }),
            span: slot.span,
        }))
    }

    fn plain_if(&mut self, block: &If, out: &mut Vec<ResolvedNode>) {
        let (mut branches, mut failed) = (Vec::new(), Vec::new());
        for branch in &block.branches {
            self.scopes.open_branch();
            self.assume_all(&failed);
            let test = self.plain_test(&branch.condition, true);
            self.assume(&branch.condition, true);
            let body = self.pieces(&branch.body);
            let names = self.scopes.close();
            failed.push(&branch.condition);
            if let Some(mut test) = test {
                forget_unused(&mut test, &names);
                branches.push(ResolvedBranch { test, body });
            }
        }
        self.scopes.open_branch();
        self.assume_all(&failed);
        let otherwise = self.pieces(block.otherwise.as_deref().unwrap_or_default());
        self.scopes.close();
        out.push(ResolvedNode::If {
            branches,
            otherwise,
        });
    }

    /// A condition. The value inside an `Option` is bound where the condition must hold for its block to be reached.
    fn plain_test(&mut self, condition: &Expr, binds: bool) -> Option<Condition> {
        match condition {
            Expr::Not(inner) => Some(Condition::Not(Box::new(self.plain_test(inner, false)?))),
            Expr::And(sides) => {
                let left = self.plain_test(&sides.0, binds);
                let right = self.plain_test(&sides.1, binds);
                Some(Condition::And(Box::new((left?, right?))))
            }
            Expr::Or(sides) => {
                let left = self.plain_test(&sides.0, false);
                let right = self.plain_test(&sides.1, false);
                Some(Condition::Or(Box::new((left?, right?))))
            }
            Expr::Compare(compare) => self.plain_comparison(compare),
            other => {
                let (value, kind) = self.plain_value(other)?;
                let binding = match &value {
                    SlotValue::Place(place) => {
                        if matches!(&kind, Kind::Option(inner) if matches!(**inner, Kind::Option(_)))
                        {
                            self.report(value::nested_option(&place.name).at(place.span));
                        }
                        let may_be_option = matches!(place.root, Root::Field(_))
                            || !place.rest.is_empty()
                            || matches!(kind, Kind::Option(_));
                        (binds && may_be_option).then(|| self.bind_found(place, &kind))
                    }
                    _ => None,
                };
                Some(Condition::Present { value, binding })
            }
        }
    }

    /// A comparison of one value with constants: `count > 3`, `0 < count <= 9`.
    fn plain_comparison(&mut self, compare: &Compare) -> Option<Condition> {
        let mut left = &compare.first;
        let mut tests = Vec::new();
        for (op, right) in &compare.rest {
            tests.push(self.plain_pair(left, op, right));
            left = right;
        }
        let tests: Option<Vec<Condition>> = tests.into_iter().collect();
        let and = |left, right| Condition::And(Box::new((left, right)));
        tests?.into_iter().reduce(and)
    }

    fn plain_pair(
        &mut self,
        left: &Expr,
        op: &Spanned<CompareOp>,
        right: &Expr,
    ) -> Option<Condition> {
        let (expr, literal, mirrored) = match (left, right) {
            (Expr::Literal(_), Expr::Literal(_)) => {
                return self.refuse(problem::two_constants().at(left.span().to(right.span())));
            }
            (expr, Expr::Literal(literal)) => (expr, literal, op.value),
            (Expr::Literal(literal), expr) => (expr, literal, op.value.mirrored()),
            _ => {
                // Names that are not in scope are the first mistake.
                let both = (self.plain_text(left), self.plain_text(right));
                let (Some(_), Some(_)) = both else {
                    return None;
                };
                return self.refuse(problem::no_constant().at(left.span().to(right.span())));
            }
        };
        let (value, kind) = self.plain_text(expr)?;
        let name = slot_name(expr);
        let is_order = !matches!(op.value, CompareOp::Eq | CompareOp::Ne);
        let is_number = matches!(literal.value, Literal::Int(_) | Literal::Float(_));
        if is_order && !is_number {
            return self.refuse(problem::no_order(op.sign()).at(literal.span));
        }
        if let Kind::Option(_) = kind {
            let written = self.written_in(left.span().to(right.span()));
            let error = problem::compared_option(&name, written).at(expr.span());
            if !self.is_lost(&name) {
                self.report(error);
            }
            return None;
        }
        let is_text = matches!(literal.value, Literal::Str(_));
        let fits = match &kind {
            Kind::Text => is_text,
            // A compiled template may compare a `char`.
            Kind::Number if self.context.run_time => !is_text,
            Kind::List(_) | Kind::Dict(_) | Kind::Unordered => false,
            _ => true,
        };
        if !fits {
            return self.refuse(problem::other_kind(&name, &kind, &literal.value).at(literal.span));
        }
        let span = left.span().to(right.span());
        if let (SlotValue::Place(place), Literal::Str(text)) = (&value, &literal.value) {
            self.compare_text(place, text, self.at(span));
        }
        Some(Condition::Compare {
            value,
            op: mirrored,
            literal: literal.value.clone(),
            span,
        })
    }

    /// The text of a span of the tree.
    fn written_in(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Binds the value that a condition has found, or an item of a list. Its type is known to rustc alone.
    fn bind_found(&mut self, place: &PlaceExpr, kind: &Kind) -> String {
        let ident = self.fresh_of(place);
        let place = PlaceExpr {
            root: Root::Local(ident.clone()),
            rest: Vec::new(),
            layers: place.layers_of_found(kind),
            ..place.clone()
        };
        let name = place.name.clone();
        self.scopes
            .bind(Binding::place(name, place, found_kind(kind)));
        ident
    }

    fn plain_for(&mut self, block: &For) -> Option<ResolvedNode> {
        if let Some(condition) = &block.condition {
            return self.refuse(unsupported_here("the condition of a loop").at(condition.span()));
        }
        let mut list = self.plain_value(&block.list);
        if let Some((value, kind)) = &list
            && self.expect_items(block, value, kind).is_none()
        {
            list = None;
        }
        let otherwise = block.otherwise.as_deref().map(|nodes| self.block(nodes));
        let item = list.as_ref().and_then(|(value, _)| base(value));
        let origin = item.map_or(usize::MAX, |place| place.origin);
        let is_pair = block.targets.len() > 1;
        let layers = match &list {
            Some((SlotValue::Place(place), _)) if !is_pair => place.layers_of_item(),
            _ => None,
        };
        let mut bound = Vec::new();
        for target in &block.targets {
            let name = &target.value;
            // A block that is never closed may contain the next one.
            if list.is_none() && !self.parsed {
            } else if self.field(name).is_some() {
                self.report(name::hides_field(name).at(target.span));
            } else if self.scopes.find(name).is_some() {
                self.report(name::hides_loop(name).at(target.span));
            }
            let place = PlaceExpr {
                root: Root::Local(self.fresh(name)),
                rest: Vec::new(),
                name: name.clone(),
                origin,
                span: target.span,
                open: is_pair,
                layers,
            };
            let kind = match &list {
                Some((_, Kind::List(item))) if !is_pair => match **item {
                    Kind::Option(_) => (**item).clone(),
                    _ => found_kind(item),
                },
                Some((_, kind)) if !is_pair => part_kind(kind),
                _ => Kind::Unknown,
            };
            bound.push((target, place, kind));
        }
        let state = self.fresh("loop_state");
        self.scopes.open(Vec::new());
        // A field of that name remains what it is.
        if self.field("loop").is_none() {
            self.scopes
                .bind(Binding::new("loop", Resolution::Loop(state.clone())));
        }
        let mut bindings = Vec::new();
        for (target, place, kind) in bound {
            if let Root::Local(ident) = &place.root {
                bindings.push(ident.clone());
            }
            let written = self.written(target.span, name::BindingKind::Loop);
            self.scopes.bind(Binding {
                written,
                ..Binding::place(target.value.clone(), place, kind)
            });
        }
        let body = self.pieces(&block.body);
        let state = self
            .scopes
            .find("loop")
            .is_some_and(|name| name.used)
            .then_some(state);
        self.close();
        let (list, _) = list?;
        Some(ResolvedNode::For {
            bindings,
            state,
            list,
            body,
            otherwise,
        })
    }

    /// Whether a loop can iterate over a value, as far as is known before rustc.
    fn expect_items(&mut self, block: &For, value: &SlotValue, kind: &Kind) -> Option<()> {
        let SlotValue::Place(place) = value else {
            return Some(());
        };
        let (dialect, name) = (self.context.dialect, &place.name);
        let problem = match (&block.targets[..], kind) {
            ([_, _], Kind::Dict(_)) => return Some(()),
            ([target], Kind::Dict(_)) => value::map_in_loop(dialect, name, target),
            ([first, second], Kind::List(item))
                if matches!(**item, Kind::Text | Kind::Number | Kind::Media) =>
            {
                value::no_pairs(name, first, second)
            }
            (targets, Kind::Unordered) => {
                let targets: Vec<&str> = targets.iter().map(|name| name.as_str()).collect();
                value::unordered_value(dialect, name, &targets)
            }
            // The key `media` may mark a list.
            (_, Kind::Media) if !self.context.run_time => return Some(()),
            ([target, ..], Kind::Media | Kind::Number | Kind::Text | Kind::Option(_)) => {
                value::no_list(dialect, name, target, kind)
            }
            _ => return Some(()),
        };
        self.refuse(problem.at(place.span))
    }

    /// A part of the state of a loop: `loop.index`.
    fn plain_loop(&mut self, state: &str, path: &Path) -> Option<(SlotValue, Kind)> {
        let [_, part] = &path.segments[..] else {
            let problem = match path.segments.get(2) {
                Some(_) => name::no_part_of_loop(&path.dotted()["loop.".len()..], &LOOP),
                None => name::whole_loop(),
            };
            return self.refuse(problem.at(path.span));
        };
        if !LOOP.contains(&part.as_str()) {
            return self.refuse(name::no_part_of_loop(part, &LOOP).at(part.span));
        }
        let place = PlaceExpr {
            root: Root::Local(state.to_owned()),
            rest: vec![part.value.clone()],
            name: path.dotted(),
            origin: usize::MAX,
            span: path.span,
            open: false,
            layers: None,
        };
        Some((SlotValue::Place(place), Kind::Number))
    }

    /// A value that is not media.
    fn plain_text(&mut self, expr: &Expr) -> Option<(SlotValue, Kind)> {
        let (value, kind) = self.plain_value(expr)?;
        if let (SlotValue::Place(place), Kind::Media) = (&value, &kind) {
            return self
                .refuse(value::media_as_text(self.context.dialect, &place.name).at(expr.span()));
        }
        Some((value, kind))
    }

    /// A value and its kind. `None` if it has an error, which is reported.
    fn plain_value(&mut self, expr: &Expr) -> Option<(SlotValue, Kind)> {
        let problem = match expr {
            Expr::Path(path) => return self.plain_path(path),
            Expr::Literal(literal) => {
                return Some((SlotValue::Literal(literal.value.clone()), Kind::Unknown));
            }
            Expr::Filter(filter) => return self.plain_filter(filter),
            Expr::Default(coalesce) => {
                return self.refuse(default_inside().at(coalesce.default.span()));
            }
            Expr::Not(_) | Expr::And(_) | Expr::Or(_) => condition_as_value(),
            _ => unsupported_here("this expression"),
        };
        self.refuse(problem.at(expr.span()))
    }

    fn plain_filter(&mut self, filter: &Filter) -> Option<(SlotValue, Kind)> {
        if let Some(named) = filter.named.first() {
            return self.refuse(unsupported_here("an argument with a name").at(named.name.span));
        }
        let value = self.plain_value(&filter.value);
        let args: Vec<_> = filter.args.iter().map(|arg| self.plain_text(arg)).collect();
        // The filter may have an error of its own.
        if let Err(mut error) = self.expect_filter(filter, value.as_ref()) {
            if value.is_none()
                && let Some(tag) = self.tag_around(filter.name.span)
            {
                let names = self
                    .names()
                    .into_iter()
                    .chain(filters::NAMES.iter().copied());
                error = error.in_tag(tag, &names);
            }
            return self.refuse(error);
        }
        let (value, kind) = value?;
        let args = args.into_iter().map(|arg| Some(arg?.0));
        let args: Vec<SlotValue> = args.collect::<Option<_>>()?;
        let value = SlotValue::Filter {
            name: filter.name.value.clone(),
            value: Box::new(value),
            args,
            span: filter.span,
        };
        // A filter of an `Option` has no value where the `Option` has none.
        let kind = match kind {
            Kind::Option(_) => kind,
            _ => Kind::Unknown,
        };
        Some((value, kind))
    }

    /// Whether a filter exists, is given what it takes, and can take the value, as far as is known before rustc.
    fn expect_filter(
        &self,
        filter: &Filter,
        value: Option<&(SlotValue, Kind)>,
    ) -> Result<(), Error> {
        use filters::FilterInput::{Any, List, OrderedList, Text};
        let (compiled, at) = (!self.context.run_time, filter.name.span);
        let (name, input) = match &filter.name.value[..] {
            [name] => (
                &name[..],
                Some(filters::check(name, &filter.args, at, compiled)?),
            ),
            _ if compiled => ("", None),
            _ => return Err(call::function_at_run_time().at(at)),
        };
        let Some((SlotValue::Place(place), kind)) = value else {
            return Ok(());
        };
        let problem = match (input, kind) {
            (_, Kind::Media) => value::filtered_media(&place.name),
            (Some(List | OrderedList), Kind::Text | Kind::Number) => call::takes_a_list(name),
            (Some(Text), Kind::List(_)) => call::takes_a_text(name),
            (Some(OrderedList | Any), Kind::Unordered) => call::shows_unordered(name),
            _ => return Ok(()),
        };
        Err(problem.at(filter.value.span()))
    }

    fn plain_path(&mut self, path: &Path) -> Option<(SlotValue, Kind)> {
        let segments = path.names();
        let (place, length, kind) = match self.scopes.find_path(&segments) {
            Some((name, length)) => {
                name.used = true;
                match &name.meaning {
                    Resolution::Place { place, kind } => (place.clone(), length, kind.clone()),
                    Resolution::Loop(state) => {
                        let state = state.clone();
                        return self.plain_loop(&state, path);
                    }
                    #[cfg(feature = "jinja")]
                    _ => return None,
                }
            }
            None => {
                let first = &path.segments[0];
                let Some(field) = self.field(&first.value) else {
                    self.unknown(first);
                    return None;
                };
                let known = &self.context.fields[field];
                if let Some(key) = known.apart {
                    return self.refuse(name::field_without_slot(first, key).at(path.span));
                }
                let kind = known.kind.clone();
                (self.place_of(field, String::new(), path.span), 1, kind)
            }
        };
        let value_kind = kind.clone().there();
        if matches!(value_kind, Kind::List(_)) && length < segments.len() {
            let (list, part) = (segments[..length].join("."), segments[length..].join("."));
            let item = match place.root {
                Root::Field(field) => self.scopes.item_of(field),
                Root::Local(_) => None,
            };
            let problem = value::part_of_list(self.context.dialect, &list, &part, item);
            return self.refuse(problem.at(path.span));
        }
        if (value_kind.is_number() || value_kind == Kind::Text) && length < segments.len() {
            let (whole, part) = (segments[..length].join("."), segments[length..].join("."));
            let before = &self.text[..path.span.start];
            let problem =
                value::part_of_text(self.context.dialect, &whole, &part, &value_kind, before);
            return self.refuse(problem.at(path.span));
        }
        let rest = path.segments[length..].iter();
        let place = PlaceExpr {
            rest: rest.map(|name| name.value.clone()).collect(),
            name: path.dotted(),
            span: path.span,
            ..place
        };
        let kind = if place.rest.is_empty() {
            kind
        } else {
            Kind::Unknown
        };
        Some((SlotValue::Place(place), kind))
    }

    /// Reports an `Option` outside of a condition, unless a syntax error may have hidden the condition.
    fn report_option(&mut self, place: &PlaceExpr, inner: &Kind, span: Span) {
        let name = place.name.split('.').next().unwrap_or_default();
        if !self.is_lost(name) {
            let problem = match inner {
                Kind::Media => value::option_of_media,
                _ => value::option_outside_condition,
            };
            self.report(problem(self.context.dialect, &place.name).at(span));
        }
    }

    /// A slot takes one value: not an `Option`, nor a list.
    fn expect_text(
        &mut self,
        value: &SlotValue,
        kind: &Kind,
        expr: &Expr,
        span: Span,
    ) -> Option<()> {
        let dialect = self.context.dialect;
        let SlotValue::Place(place) = value else {
            if let SlotValue::Filter { name, span, .. } = value
                && name[..] == ["sort"]
            {
                let sorted = format!("{} | sort", slot_name(expr));
                return self
                    .refuse(value::list_as_text(dialect, &sorted, &Kind::Unknown).at(*span));
            }
            if let (Some(place), Kind::Option(inner)) = (base(value), kind) {
                self.report_option(place, inner, expr.span());
                return None;
            }
            return Some(());
        };
        let problem = match kind {
            Kind::Option(inner) => {
                self.report_option(place, inner, span);
                return None;
            }
            Kind::Unordered => value::unordered_value(dialect, &place.name, &[]),
            Kind::List(item) => value::list_as_text(dialect, &place.name, item),
            Kind::Dict(_) => value::map_as_text(&place.name),
            _ => return Some(()),
        };
        self.refuse(problem.at(span))
    }

    /// `??` is for an `Option`.
    fn expect_option(&mut self, place: &PlaceExpr, kind: &Kind) -> Option<()> {
        let may_be_option = self.may_be_option(place);
        let is_field = matches!(place.root, Root::Field(_));
        if !place.rest.is_empty() || matches!(kind, Kind::Option(_)) || may_be_option && is_field {
            return Some(());
        }
        let problem = value::always_there(self.context.dialect, &place.name, may_be_option);
        self.refuse(problem.at(place.span))
    }

    /// Whether a place is a field whose type may be an `Option`, also where a condition has shown that it has a value.
    fn may_be_option(&self, place: &PlaceExpr) -> bool {
        let field = self.context.fields.get(place.origin);
        place.rest.is_empty()
            && field.is_some_and(|field| {
                field.name == place.name && matches!(field.kind, Kind::Option(_) | Kind::Unknown)
            })
    }
}

/// The parts of `loop` in the angle dialect.
pub(crate) const LOOP: [&str; 5] = ["index", "index0", "first", "last", "length"];

/// The name that marks a slot's data: the path that its value begins with.
///
/// ```
/// use prompt_syntax::{Node, Options, analysis::slot_name, parse};
///
/// let parsed = parse("<user.name | upper>", Options::default());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// assert_eq!(slot_name(&slot.expr), "user.name");
/// ```
pub fn slot_name(expr: &Expr) -> String {
    match expr {
        Expr::Path(path) => path.dotted(),
        Expr::Filter(filter) => slot_name(&filter.value),
        Expr::Default(coalesce) => slot_name(&coalesce.value),
        _ => "literal".into(),
    }
}

/// The place that a value begins with.
fn base(value: &SlotValue) -> Option<&PlaceExpr> {
    match value {
        SlotValue::Place(place) => Some(place),
        SlotValue::Filter { value, .. } => base(value),
        SlotValue::Literal(_) => None,
    }
}

/// The same value, computed from a variable.
fn rebased(value: SlotValue, variable: &str) -> SlotValue {
    match value {
        SlotValue::Place(place) => SlotValue::Place(PlaceExpr {
            root: Root::Local(variable.to_owned()),
            rest: Vec::new(),
            layers: None,
            ..place
        }),
        SlotValue::Filter {
            name,
            value,
            args,
            span,
        } => SlotValue::Filter {
            name,
            value: Box::new(rebased(*value, variable)),
            args,
            span,
        },
        literal @ SlotValue::Literal(_) => literal,
    }
}

/// The kind of a value inside a condition, or of an item: text, a number, a list or media.
fn found_kind(kind: &Kind) -> Kind {
    match kind.clone().there() {
        kind @ (Kind::Text | Kind::Number | Kind::List(_)) => kind,
        kind => part_kind(&kind),
    }
}

/// Whether a part of a value is media.
fn part_kind(kind: &Kind) -> Kind {
    match kind {
        Kind::Media => Kind::Media,
        Kind::List(inner) | Kind::Option(inner) => part_kind(inner),
        _ => Kind::Unknown,
    }
}

impl Analyzer<'_> {
    /// Narrows what follows in this scope to the case that the condition holds, or does not.
    fn assume(&mut self, condition: &Expr, holds: bool) {
        if !self.context.run_time {
            return;
        }
        let mut found = Vec::new();
        finds(condition, holds, &mut found);
        for path in found {
            self.narrow(path);
        }
    }

    /// Narrows what follows in this scope to the case that none of the conditions holds.
    fn assume_all(&mut self, failed: &[&Expr]) {
        for condition in failed {
            self.assume(condition, false);
        }
    }

    fn narrow(&mut self, path: &Path) {
        let segments = path.names();
        let (place, kind) = match self.scopes.find_path(&segments) {
            Some((name, length)) if length == segments.len() => match &name.meaning {
                Resolution::Place { place, kind } => (place.clone(), kind.clone()),
                _ => return,
            },
            None if segments.len() == 1 => match self.field(segments[0]) {
                Some(field) => {
                    let kind = self.context.fields[field].kind.clone();
                    (self.place_of(field, path.dotted(), path.span), kind)
                }
                None => return,
            },
            _ => return,
        };
        if let Kind::Option(inner) = kind {
            self.scopes
                .bind(Binding::place(path.dotted(), place, *inner));
        }
    }
}

/// The paths that have a value if the condition holds, or if it does not.
fn finds<'t>(condition: &'t Expr, holds: bool, out: &mut Vec<&'t Path>) {
    match condition {
        Expr::Path(path) if holds => out.push(path),
        Expr::Not(inner) => finds(&inner.value, !holds, out),
        Expr::And(sides) if holds => {
            finds(&sides.0, true, out);
            finds(&sides.1, true, out);
        }
        Expr::Or(sides) if !holds => {
            finds(&sides.0, false, out);
            finds(&sides.1, false, out);
        }
        #[cfg(feature = "jinja")]
        Expr::Test(test) => {
            let found = match test.name.as_str() {
                "defined" => holds != test.negated,
                "none" | "undefined" => holds == test.negated,
                _ => holds && !test.negated,
            };
            if found {
                finds(&test.value, true, out);
            }
        }
        Expr::Compare(compare) => {
            if let [(op, Expr::Literal(literal))] = &compare.rest[..]
                && literal.value == Literal::None
            {
                let differs = op.value == CompareOp::Ne;
                let is_equality = differs || op.value == CompareOp::Eq;
                if is_equality && differs == holds {
                    finds(&compare.first, true, out);
                }
            }
        }
        _ => {}
    }
}
