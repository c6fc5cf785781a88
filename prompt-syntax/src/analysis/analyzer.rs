//! The state of an analysis: what surrounds the template, the names in scope, and the errors found so far.

use std::rc::Rc;

use super::piece::{Piece, Place, Root, Test};
use crate::analysis::piece::Term;
use crate::kind::Kind;
use crate::problem::name::Bound;
use crate::problem::{Problem, name as problem, role};
use crate::{Dialect, Error, Include, Macro, Node, Slot, Span, Spanned, is_said_beside};

/// A field that a template can name, as far as it is known before it has a value.
pub struct Field {
    /// The name that templates use.
    pub name: String,
    /// What is known of its values.
    pub kind: Kind,
    /// Whether its text may be used in a system message.
    pub trusted: bool,
    /// The attribute key that keeps the field out of slots: `skip`, `history`, `tools` or `extra`.
    pub apart: Option<&'static str>,
    /// Whether it is the answer that a model is to find out.
    pub answer: bool,
}

/// What surrounds a template.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The dialect of the template.
    pub dialect: Dialect,
    /// The fields that it can name.
    pub fields: &'a [Field],
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
    fn enter(&mut self, include: &Include, offset: usize) -> Result<Included, Problem>;

    /// Called after the analysis of each included template.
    fn leave(&mut self);
}

/// A template that another one includes.
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
    fn enter(&mut self, _: &Include, _: usize) -> Result<Included, Problem> {
        Err(crate::problem::slot::unsupported("this block"))
    }

    fn leave(&mut self) {}
}

/// Analyzes the texts of one template; names that a text sets are in scope in the later ones.
pub struct Analyzer<'a> {
    pub(super) context: Context<'a>,
    pub(super) text: &'a str,
    #[cfg_attr(not(feature = "jinja"), allow(dead_code))]
    pub(super) includes: &'a mut dyn Includes,
    pub(super) scopes: Scopes,
    errors: Vec<Error>,
    readable: bool,
    /// Whether the template had no syntax errors.
    parsed: bool,
    /// Where the text that is analyzed begins in the source: an included file comes after all that precedes it.
    pub(super) offset: usize,
    /// How many included files surround the current one.
    pub(super) depth: usize,
    /// The macros that are being called.
    #[cfg_attr(not(feature = "jinja"), allow(dead_code))]
    pub(super) calling: Vec<String>,
    /// How many macro calls have been analyzed.
    #[cfg_attr(not(feature = "jinja"), allow(dead_code))]
    pub(super) expanded: usize,
    /// The text of the block that a filter or a `set` is for.
    #[cfg_attr(not(feature = "jinja"), allow(dead_code))]
    pub(super) body: Option<Term>,
}

impl<'a> Analyzer<'a> {
    /// Begins the analysis of a source. `readable` is `false` if parts of the template are already known to be missing:
    /// a name is then never reported as unused.
    pub fn new(
        context: Context<'a>,
        text: &'a str,
        nodes: &[Node],
        includes: &'a mut dyn Includes,
        readable: bool,
    ) -> Analyzer<'a> {
        Analyzer {
            context,
            text,
            includes,
            scopes: Scopes::of(nodes),
            errors: Vec::new(),
            readable,
            parsed: readable,
            offset: 0,
            depth: 0,
            calling: Vec::new(),
            expanded: 0,
            body: None,
        }
    }

    /// Analyzes a template with role blocks and returns the text of each. `is_turns` tells whether a slot between the blocks
    /// is the position of the messages of a field.
    pub fn messages(
        &mut self,
        nodes: &[Node],
        is_turns: impl Fn(&Slot) -> bool,
    ) -> Vec<Vec<Piece>> {
        let is_blank =
            |node: &Node| matches!(node, Node::Text(text) if text.text.trim().is_empty());
        let (mut bodies, mut before) = (Vec::new(), Vec::new());
        for (at, node) in nodes.iter().enumerate() {
            match node {
                Node::Role(block) => {
                    if self.parsed && block.body.iter().all(is_blank) {
                        self.report(role::empty(block.role.value).at(block.role.span));
                    }
                    before.extend(self.block(&block.body));
                    bodies.push(std::mem::take(&mut before));
                }
                // Names that are set between roles are in scope of the later messages.
                Node::Set(_) | Node::Macro(_) => self.node(node, &mut before),
                Node::Slot(slot) if !is_turns(slot) => {
                    self.give_up();
                    // Beside text, the slot is part of one mistake.
                    if !is_said_beside(nodes, at) {
                        self.report(role::slot_outside(self.context.dialect).at(slot.span));
                    }
                }
                _ => {}
            }
        }
        bodies
    }

    /// Analyzes nodes in the current scope.
    pub fn pieces(&mut self, nodes: &[Node]) -> Vec<Piece> {
        let mut out = Vec::new();
        for node in nodes {
            self.node(node, &mut out);
        }
        out
    }

    /// Analyzes one node in the current scope.
    fn node(&mut self, node: &Node, out: &mut Vec<Piece>) {
        match self.context.dialect {
            #[cfg(feature = "jinja")]
            Dialect::Jinja => self.jinja_node(node, out),
            _ => self.plain_node(node, out),
        }
    }

    /// Analyzes a block with a scope of its own.
    pub(super) fn block(&mut self, nodes: &[Node]) -> Vec<Piece> {
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
    pub(super) fn at(&self, span: Span) -> Span {
        Span::new(span.start + self.offset, span.end + self.offset)
    }

    /// Converts a span of the source into one of the tree.
    #[cfg(feature = "jinja")]
    pub(super) fn in_tree(&self, span: Span) -> Span {
        Span::new(span.start - self.offset, span.end - self.offset)
    }

    /// Reports an error whose spans are those of the tree.
    pub(super) fn report(&mut self, error: Error) {
        self.report_at(error.moved(self.offset));
    }

    /// Reports an error of an expression, which then has no value.
    pub(super) fn refuse<T>(&mut self, error: Error) -> Option<T> {
        self.report(error);
        None
    }

    /// The same with the spans of the source.
    #[cfg(feature = "jinja")]
    pub(super) fn refuse_at<T>(&mut self, error: Error) -> Option<T> {
        self.report_at(error);
        None
    }

    /// Reports an error whose spans are those of the source. A macro is analyzed once for each call, so errors repeat.
    pub(super) fn report_at(&mut self, error: Error) {
        self.readable = false;
        if !self.is_known(&error) {
            self.errors.push(error);
        }
    }

    fn is_known(&self, error: &Error) -> bool {
        let mut errors = self.errors.iter();
        errors.any(|known| known.span == error.span && known == error)
    }

    /// Notes that something could not be analyzed because of an error that is reported elsewhere.
    pub(super) fn give_up(&mut self) {
        self.readable = false;
    }

    pub(super) fn field(&self, name: &str) -> Option<usize> {
        let mut fields = self.context.fields.iter();
        fields.position(|field| field.name == name)
    }

    /// The place of a whole field.
    pub(super) fn place_of(&self, field: usize, name: String, span: Span) -> Place {
        Place {
            root: Root::Field(field),
            rest: Vec::new(),
            name,
            origin: field,
            span,
            open: false,
        }
    }

    /// Whether an error elsewhere explains why a name is unknown or an `Option` is outside of its condition.
    pub(super) fn is_lost(&mut self, name: &str) -> bool {
        let lost = self.context.all_lost || self.context.lost.iter().any(|lost| lost == name);
        if lost {
            self.give_up();
        }
        lost
    }

    /// Reports a name that is not in scope.
    pub(super) fn unknown(&mut self, name: &Spanned<String>) {
        if self.is_lost(&name.value) {
            return;
        }
        let Context { dialect, .. } = self.context;
        if self.context.captures && dialect != Dialect::Jinja {
            self.report(problem::type_captured(dialect, name).at(name.span));
            return;
        }
        let fields = self.context.fields.iter();
        let slots = fields.filter(|field| field.apart.is_none());
        let mut names = self.scopes.all();
        names.extend(slots.map(|field| field.name.as_str()));
        let before = self.text.get(..name.span.start).unwrap_or_default();
        let (owner, count) = (self.context.owner, self.context.fields.len());
        self.report(problem::unknown(dialect, name, before, &names, owner, count).at(name.span));
    }

    /// A new variable for the value inside an `Option`; it may have the name of the field that it comes from.
    pub(super) fn fresh_of(&mut self, place: &Place) -> String {
        let own = match place.root {
            Root::Field(field) if place.rest.is_empty() => Some(field),
            _ => None,
        };
        self.fresh_but(&place.name, own)
    }

    /// A new variable of generated code.
    pub(super) fn fresh(&mut self, name: &str) -> String {
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
    pub(super) fn close(&mut self) {
        for name in self.scopes.close() {
            self.expect_used(&name);
        }
    }

    fn expect_used(&mut self, name: &Name) {
        // In a block with errors, the use may be among them.
        if let Some((span, what)) = name.written
            && !name.used
            && !name.name.starts_with('_')
            && self.readable
        {
            let error = problem::unused(self.context.dialect, &name.name, what).at(span);
            // Not being used does not keep the rest from being analyzed in full.
            if !self.is_known(&error) {
                self.errors.push(error);
            }
        }
    }

    /// The span of a name that has to be used; one of an included file does not.
    pub(super) fn written(&self, span: Span, what: Bound) -> Option<(Span, Bound)> {
        (self.depth == 0).then(|| (self.at(span), what))
    }
}

/// A name that the template binds.
pub(in crate::analysis) struct Name {
    /// The path that refers to it.
    pub(in crate::analysis) name: String,
    pub(in crate::analysis) meaning: Meaning,
    /// Its span and kind of binding, if it has to be used.
    pub(in crate::analysis) written: Option<(Span, Bound)>,
    pub(in crate::analysis) used: bool,
    /// Whether it has a value wherever it is in scope.
    #[cfg_attr(not(feature = "jinja"), allow(dead_code))]
    pub(in crate::analysis) certain: bool,
}

impl Name {
    /// Another name for a place.
    pub(in crate::analysis) fn place(name: String, place: Place, kind: Kind) -> Name {
        Name::new(name, Meaning::Place { place, kind })
    }

    /// A name that need not be used.
    pub(in crate::analysis) fn new(name: String, meaning: Meaning) -> Name {
        Name {
            name,
            meaning,
            written: None,
            used: false,
            certain: true,
        }
    }
}

#[derive(Clone)]
#[cfg_attr(not(feature = "jinja"), allow(dead_code))]
pub(in crate::analysis) enum Meaning {
    /// Another name for a Rust place: an item of a list, the value inside an `Option`, a field.
    Place {
        place: Place,
        kind: Kind,
    },
    /// A variable that holds a value.
    Variable {
        ident: String,
        kind: Kind,
        /// The fields that its value is made from.
        origins: Vec<usize>,
    },
    Macro(Rc<Defined>),
    /// The loop itself.
    Loop(String),
    /// `loop.previtem` or `loop.nextitem` of a list of values, and the fields that its items come from.
    Neighbour(String, Vec<usize>),
    /// `loop.changed`, and the variable for its state.
    Changed(String),
    /// `loop.previtem` or `loop.nextitem` of a loop that unpacks its items.
    NoNeighbour,
}

/// A macro and its scope.
#[cfg_attr(not(feature = "jinja"), allow(dead_code))]
pub(in crate::analysis) struct Defined {
    pub(in crate::analysis) node: Macro,
    /// The number of frames around its definition.
    pub(in crate::analysis) depth: usize,
    /// Where its text begins in the source.
    pub(in crate::analysis) offset: usize,
}

/// Names that end together.
#[cfg_attr(not(feature = "jinja"), allow(dead_code))]
#[derive(Default)]
struct Frame {
    /// Whether a `set` inside belongs to the surrounding frame, as in a condition.
    soft: bool,
    names: Vec<Name>,
    /// Names of variables that a condition sets later on.
    changed: Vec<String>,
    idents: usize,
}

#[derive(Default)]
pub(in crate::analysis) struct Scopes {
    frames: Vec<Frame>,
    /// The variables of generated code that are in scope.
    idents: Vec<String>,
}

impl Scopes {
    /// The outermost scope of a template.
    pub(in crate::analysis) fn of(nodes: &[Node]) -> Scopes {
        let mut names = Scopes::default();
        names.open(changed(nodes));
        names
    }

    /// Opens a block; conditions inside it assign the names in `changed`.
    pub(in crate::analysis) fn open(&mut self, changed: Vec<String>) {
        self.frames.push(Frame {
            changed,
            idents: self.idents.len(),
            ..Frame::default()
        });
    }

    /// Opens a branch of a condition.
    pub(in crate::analysis) fn open_branch(&mut self) {
        self.frames.push(Frame {
            soft: true,
            idents: self.idents.len(),
            ..Frame::default()
        });
    }

    /// Closes the innermost block or branch.
    pub(in crate::analysis) fn close(&mut self) -> Vec<Name> {
        let Some(frame) = self.frames.pop() else {
            return Vec::new();
        };
        self.idents.truncate(frame.idents);
        frame.names
    }

    /// Binds a name in the innermost block or branch.
    pub(in crate::analysis) fn bind(&mut self, name: Name) {
        if let Some(frame) = self.frames.last_mut() {
            frame.names.push(name);
        }
    }

    /// The innermost binding of a prefix of a path, and the length of the prefix.
    pub(in crate::analysis) fn find_path(&mut self, path: &[&str]) -> Option<(&mut Name, usize)> {
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
    pub(in crate::analysis) fn find(&mut self, name: &str) -> Option<&mut Name> {
        self.find_path(&[name]).map(|(name, _)| name)
    }

    /// All names in scope, the innermost first.
    pub(in crate::analysis) fn all(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for frame in self.frames.iter().rev() {
            for name in &frame.names {
                names.push(name.name.as_str());
            }
        }
        names
    }

    /// A new variable of generated code, named after `name` and different from all that are in scope.
    pub(in crate::analysis) fn fresh(
        &mut self,
        name: &str,
        mut taken: impl FnMut(&str) -> bool,
    ) -> String {
        let mut ident = name.replace('.', "_");
        while taken(&ident) || self.idents.contains(&ident) {
            ident.push('_');
        }
        self.idents.push(ident.clone());
        ident
    }
}

/// What only the Jinja dialect binds.
#[cfg(feature = "jinja")]
impl Scopes {
    pub(in crate::analysis) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Removes the frames that are not in scope of a macro; [`restore`](Scopes::restore) puts them back.
    pub(in crate::analysis) fn hide(&mut self, depth: usize) -> Hidden {
        Hidden(self.frames.split_off(depth.min(self.frames.len())))
    }

    pub(in crate::analysis) fn restore(&mut self, hidden: Hidden) {
        self.frames.extend(hidden.0);
    }

    /// Binds a name in the innermost block, also from inside a branch.
    pub(in crate::analysis) fn set(&mut self, name: Name) {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| !frame.soft) {
            frame.names.push(name);
        }
    }

    /// Whether the innermost frame is a block, not a branch.
    pub(in crate::analysis) fn is_block(&self) -> bool {
        self.frames.last().is_none_or(|frame| !frame.soft)
    }

    /// Whether a condition in this block assigns the name.
    pub(in crate::analysis) fn is_changed(&self, name: &str) -> bool {
        let block = self.frames.iter().rev().find(|frame| !frame.soft);
        block.is_some_and(|frame| frame.changed.iter().any(|changed| changed == name))
    }

    /// The variable of that name that the innermost block has set.
    pub(in crate::analysis) fn own(&mut self, name: &str) -> Option<&mut Name> {
        let block = self.frames.iter_mut().rev().find(|frame| !frame.soft)?;
        let mut names = block.names.iter_mut().rev();
        names.find(|known| known.name == name && matches!(known.meaning, Meaning::Variable { .. }))
    }

    /// The variables of the innermost block and whether they have a value.
    pub(in crate::analysis) fn certain(&self) -> Vec<bool> {
        let block = self.frames.iter().rev().find(|frame| !frame.soft);
        block.map_or_else(Vec::new, |frame| {
            frame.names.iter().map(|name| name.certain).collect()
        })
    }

    pub(in crate::analysis) fn set_certain(&mut self, certain: &[bool]) {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| !frame.soft) {
            for (name, certain) in frame.names.iter_mut().zip(certain) {
                name.certain = *certain;
            }
        }
    }
}

/// Frames that are not in scope of a macro.
#[cfg(feature = "jinja")]
pub(in crate::analysis) struct Hidden(Vec<Frame>);

/// The names that conditions in a block assign.
pub(in crate::analysis) fn changed(nodes: &[Node]) -> Vec<String> {
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
pub(in crate::analysis) fn sets(nodes: &[Node], names: &mut Vec<(String, Span)>) {
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
pub(in crate::analysis) fn forget_unused(test: &mut Test, names: &[Name]) {
    match test {
        Test::Present { binding, .. } | Test::Given { binding, .. } => {
            let is_used = |ident: &String| {
                names.iter().any(|name| {
                    name.used
                        && matches!(&name.meaning, Meaning::Place { place, .. }
                            if matches!(&place.root, Root::Local(local) if local == ident))
                })
            };
            if !binding.as_ref().is_some_and(is_used) {
                *binding = None;
            }
        }
        Test::Not(inner) => forget_unused(inner, names),
        Test::And(sides) | Test::Or(sides) => {
            forget_unused(&mut sides.0, names);
            forget_unused(&mut sides.1, names);
        }
        Test::Holds(_) => {}
    }
}
