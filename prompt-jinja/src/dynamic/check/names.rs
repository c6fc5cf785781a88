//! What names mean: each is a field, or bound by a block around it.

use prompt_syntax::problem::field::Form;
use prompt_syntax::problem::name::{self, Bound};
use prompt_syntax::problem::value::{option, untrusted};
use prompt_syntax::{Error as Mistake, Node, Path, Role, Span};

use crate::dynamic::fields::{Field, FieldKind};
use crate::dynamic::template::{Found, Step, Template};

pub(super) struct Names<'t, 'f> {
    pub(super) template: &'t Template,
    pub(super) owner: &'t str,
    pub(super) found: &'f mut Vec<Found>,
    pub(super) source: usize,
    pub(super) scopes: Vec<Vec<Name<'t>>>,
    /// Names of fields that a condition around has found a value for.
    pub(super) there: Vec<&'t str>,
    pub(super) used: Vec<bool>,
    pub(super) role: Role,
    /// Whether what is looked at is shown, and does not only decide.
    pub(super) shown: bool,
    /// Whether what is looked at may have no value.
    pub(super) lenient: bool,
}

pub(super) struct Name<'t> {
    pub(super) name: &'t str,
    /// The fields that its value is made of.
    pub(super) origins: Vec<usize>,
    pub(super) used: bool,
    span: Span,
    what: What,
}

/// What gives a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Loop,
    Macro,
    Set,
    /// A macro's parameter, which may stay unused.
    Param,
    /// `loop`, of items of a field.
    Items,
    /// `loop`, of what an expression gives.
    Values,
    /// `loop`, of items that are taken apart.
    Parts,
}

impl What {
    /// What has to be used.
    fn bound(self) -> Option<Bound> {
        match self {
            What::Loop => Some(Bound::Loop),
            What::Macro => Some(Bound::Macro),
            What::Set => Some(Bound::Set),
            What::Param | What::Items | What::Values | What::Parts => None,
        }
    }
}

/// The fields that a value is made of.
pub(super) type Origins = Vec<usize>;

/// What there is of a loop; the last two are called.
const LOOP: [&str; 13] = [
    "index",
    "index0",
    "revindex",
    "revindex0",
    "first",
    "last",
    "length",
    "depth",
    "depth0",
    "previtem",
    "nextitem",
    "changed",
    "cycle",
];

/// The items beside the one that a loop is at: what a path names of them.
fn neighbour(path: &Path) -> Option<&'static str> {
    match path.segments.get(1)?.as_str() {
        "previtem" => Some("loop.previtem"),
        "nextitem" => Some("loop.nextitem"),
        _ => None,
    }
}

impl<'t, 'f> Names<'t, 'f> {
    pub(super) fn new(
        template: &'t Template,
        owner: &'t str,
        found: &'f mut Vec<Found>,
    ) -> Names<'t, 'f> {
        Names {
            template,
            owner,
            found,
            source: 0,
            scopes: Vec::new(),
            there: Vec::new(),
            used: vec![false; template.contract.fields.len()],
            role: Role::User,
            shown: true,
            lenient: false,
        }
    }

    /// Looks at all steps, and says which fields are used.
    pub(super) fn all(mut self) -> Vec<bool> {
        let nodes = &self.template.trees[0];
        self.scopes.push(Vec::new());
        for step in &self.template.steps {
            match step {
                Step::Prelude(node) => self.node(&nodes[*node]),
                Step::Role(role, node) => {
                    self.role = *role;
                    if let Node::Role(block) = &nodes[*node] {
                        self.block(&block.body);
                    }
                }
                Step::Whole(role) => {
                    self.role = *role;
                    self.nodes(nodes);
                }
                Step::Turns(field) => self.used[*field] = true,
            }
        }
        self.close();
        self.used
    }

    pub(super) fn report(&mut self, mistake: Mistake) {
        let source = self.source;
        let is_known = |found: &Found| {
            found.source == source && found.mistake == mistake && found.mistake.span == mistake.span
        };
        if !self.found.iter().any(is_known) {
            self.found.push(Found { source, mistake });
        }
    }

    pub(super) fn block(&mut self, nodes: &'t [Node]) {
        self.scopes.push(Vec::new());
        self.nodes(nodes);
        self.close();
    }

    /// Ends a block; what was named in it and never used is a mistake.
    pub(super) fn close(&mut self) {
        for name in self.scopes.pop().unwrap_or_default() {
            let is_meant = name.used || name.name.starts_with('_') || self.source != 0;
            // What has errors may hide the use.
            if is_meant || !self.found.is_empty() || name.name == "loop" {
                continue;
            }
            if let Some(what) = name.what.bound() {
                let problem = name::unused(self.template.dialect, name.name, what);
                self.report(problem.at(name.span));
            }
        }
    }

    pub(super) fn bind(&mut self, name: &'t str, span: Span, origins: Origins, what: What) {
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        match scope.iter_mut().find(|known| known.name == name) {
            Some(known) => known.origins.extend(origins),
            None => scope.push(Name {
                name,
                origins,
                used: false,
                span,
                what,
            }),
        }
    }

    pub(super) fn nodes(&mut self, nodes: &'t [Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    /// Looks at what only decides, or is not shown yet.
    pub(super) fn decided<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.shown, false);
        let result = look(self);
        self.shown = outer;
        result
    }

    /// Looks at what is reached only where a condition has found these names.
    pub(super) fn where_found<T>(
        &mut self,
        found: &[&'t str],
        look: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let depth = self.there.len();
        self.there.extend(found);
        let result = look(self);
        self.there.truncate(depth);
        result
    }

    /// What a user wrote must not speak as the system.
    pub(super) fn expect_trusted(&mut self, origins: &[usize], span: Span) {
        if !self.shown || self.role != Role::System {
            return;
        }
        for origin in origins {
            let field = &self.template.contract.fields[*origin];
            if !field.trusted && field.kind != FieldKind::Media {
                self.report(untrusted(Form::Derive, field.name).at(span));
            }
        }
    }

    /// What a block around has given this name.
    pub(super) fn bound(&self, name: &str) -> Option<&Name<'t>> {
        self.scopes
            .iter()
            .rev()
            .flatten()
            .find(|known| known.name == name)
    }

    /// Whether a path leads to a field, or to what a loop walks over of one.
    pub(super) fn is_place(&self, path: &Path) -> bool {
        let first = path.segments[0].as_str();
        self.bound(first)
            .is_none_or(|known| known.what == What::Loop)
    }

    /// The field that a path names as a whole, unless a block has bound the name.
    pub(super) fn field_of(&self, path: &Path) -> Option<&'static Field> {
        let [name] = &path.segments[..] else {
            return None;
        };
        let is_bound = self
            .scopes
            .iter()
            .flatten()
            .any(|known| known.name == name.value);
        let field = self
            .template
            .contract
            .fields
            .iter()
            .find(|field| field.name == name.value);
        field.filter(|_| !is_bound)
    }

    /// What a path is made of; `whole` is marked where it may not be shown.
    pub(super) fn path(&mut self, path: &'t Path, whole: Span) -> Origins {
        let first = &path.segments[0];
        let bound = self
            .scopes
            .iter_mut()
            .rev()
            .flatten()
            .find(|known| known.name == first.value);
        let origins = match bound {
            Some(known) => {
                known.used = true;
                let is_loop = known.name == "loop";
                let (origins, what) = (known.origins.clone(), known.what);
                match neighbour(path) {
                    Some(name) if is_loop => {
                        self.expect_neighbour(path, name, what);
                        origins
                    }
                    _ if is_loop => {
                        self.part_of_loop(path);
                        Vec::new()
                    }
                    _ => origins,
                }
            }
            None => {
                let fields = self.template.contract.fields;
                let Some(index) = fields.iter().position(|field| field.name == first.value) else {
                    self.unknown(path);
                    return Vec::new();
                };
                self.used[index] = true;
                if let Some(key) = fields[index].kind.apart() {
                    self.report(name::stands_apart(first, key).at(path.span));
                    return Vec::new();
                }
                vec![index]
            }
        };
        self.expect_trusted(&origins, whole);
        origins
    }

    /// The item beside the first or the last one is not there.
    fn expect_neighbour(&mut self, path: &Path, whole: &'static str, what: What) {
        let part = &path.segments[1];
        if what == What::Parts {
            self.report(name::no_neighbour(part).at(part.span));
        } else if what == What::Items && !self.lenient && !self.there.contains(&whole) {
            let dialect = self.template.dialect;
            self.report(option(dialect, whole).at(path.span));
        }
    }

    pub(super) fn part_of_loop(&mut self, path: &Path) {
        let mistake = match &path.segments[1..] {
            [part] if LOOP[..11].contains(&part.as_str()) => return,
            [part] => name::no_part_of_loop(part, &LOOP).at(part.span),
            _ => name::whole_loop().at(path.span),
        };
        self.report(mistake);
    }

    pub(super) fn unknown(&mut self, path: &Path) {
        let bound = self
            .scopes
            .iter()
            .rev()
            .flatten()
            .map(|known| known.name)
            .filter(|name| *name != "loop");
        let fields = self.template.contract.fields.iter();
        let fields = fields
            .filter(|field| field.kind.apart().is_none())
            .map(|field| field.name);
        let names: Vec<&str> = bound.chain(fields).collect();
        let text = &self.template.sources[self.source].text;
        let count = self.template.contract.fields.len();
        let first = &path.segments[0];
        let before = text.get(..path.span.start).unwrap_or_default();
        let dialect = self.template.dialect;
        let problem = name::unknown(dialect, first, before, &names, self.owner, count);
        self.report(problem.at(first.span));
    }
}
