//! From templates to decisions: texts are read, roles split, names resolved.

mod body;
mod turns;

use prompt_syntax::problem::{role, template as problem};
use prompt_syntax::{Dialect, Node, Options, Role, parse};

use self::body::Body;
use crate::attribute::{Given, ItemKeys, Keyed};
use crate::errors::Errors;
use crate::front_matter;
use crate::input::{Case, Input};
use crate::jinja;
use crate::model::{Message, Piece, Prompt, PromptCase, Step};
use crate::place::Scope;
use crate::resolve::Resolver;
use crate::source::SourceText;

pub(crate) fn lower<'a>(input: &'a Input, errors: &mut Errors) -> Prompt<'a> {
    if input.is_enum {
        for given in &input.keys.given {
            let name = given.value.name();
            errors.push(given.key, problem::on_the_enum(name));
        }
    }
    let mut cases = Vec::new();
    for case in &input.cases {
        let (keys, docs) = if case.variant.is_some() {
            (&case.keys, &case.docs)
        } else {
            (&input.keys, &input.docs)
        };
        cases.push(lower_case(input, case, keys, docs, errors));
    }
    Prompt { input, cases }
}

fn lower_case<'a>(
    input: &'a Input,
    case: &'a Case,
    keys: &'a ItemKeys,
    docs: &[syn::LitStr],
    errors: &mut Errors,
) -> PromptCase<'a> {
    let dialect = keys
        .syntax
        .as_ref()
        .or(input.keys.syntax.as_ref())
        .map_or(Dialect::default(), |syntax| syntax.value);
    let options = Options {
        trim_blocks: keys.whitespace(&input.keys, "trim_blocks"),
        lstrip_blocks: keys.whitespace(&input.keys, "lstrip_blocks"),
        keep_trailing_newline: keys.whitespace(&input.keys, "keep_trailing_newline"),
        ..Options::message(dialect)
    };
    for key in &keys.whitespace {
        if dialect != Dialect::Jinja {
            errors.push(key.key, problem::key_of_jinja(key.value.0));
        }
    }
    let mut lowerer = Lowerer {
        case,
        dialect,
        options,
        out: PromptCase::new(case, dialect),
        errors,
        owner: case.variant.as_ref().unwrap_or(&input.ident).to_string(),
        lost: Vec::new(),
        file_role: keys.role,
        shots_at: None,
    };
    lowerer.out.readable = !keys.broken && !case.broken;
    let whole: Vec<&Keyed<Given>> = keys
        .given
        .iter()
        .filter(|given| given.value.is_whole())
        .collect();
    if let [first, rest @ ..] = &whole[..]
        && let Some(other) = rest
            .first()
            .copied()
            .or_else(|| keys.given.iter().find(|given| given.value.is_turns()))
    {
        let problem = problem::two_sources(first.value.name(), other.value.name());
        lowerer.errors.push(other.key, problem);
        lowerer.out.readable = false;
    }
    if keys.given.iter().all(|given| {
        matches!(
            given.value,
            Given::History | Given::Shots | Given::ShotsOf { .. }
        )
    }) {
        lowerer.out.readable = false;
        if !keys.broken {
            lowerer.none(input);
        }
    }
    for given in one_source(&keys.given) {
        lowerer.given(given, docs);
    }
    lowerer.shots(input, keys);
    lowerer.place_history();
    lowerer.place_shots();
    lowerer.out
}

/// What belongs to the first of several sources.
fn one_source(given: &[Keyed<Given>]) -> &[Keyed<Given>] {
    let is_file_of_shots = |given: &Keyed<Given>| matches!(given.value, Given::ShotsOf { .. });
    let first = given.iter().position(|given| !is_file_of_shots(given));
    if let Some(first) = first
        && given[first].value.is_whole()
    {
        return &given[first..=first];
    }
    let messages = given.iter().take_while(|given| !given.value.is_whole());
    &given[..messages.count()]
}

impl Given {
    /// Whether it is the source of the whole prompt.
    fn is_whole(&self) -> bool {
        !self.is_turns() && !matches!(self, Given::ShotsOf { .. })
    }

    /// Whether it is turns that stand among others.
    fn is_turns(&self) -> bool {
        matches!(self, Given::Message { .. } | Given::History | Given::Shots)
    }
}

impl<'a> PromptCase<'a> {
    fn new(case: &'a Case, dialect: Dialect) -> PromptCase<'a> {
        PromptCase {
            case,
            dialect,
            sources: Vec::new(),
            steps: Vec::new(),
            fragment: false,
            tags: Vec::new(),
            readable: true,
        }
    }
}

struct Lowerer<'a, 'e> {
    case: &'a Case,
    dialect: Dialect,
    options: Options,
    out: PromptCase<'a>,
    errors: &'e mut Errors,
    /// The name of what has the fields.
    owner: String,
    /// Names of loops in a template that could not be read: they may end where they should not.
    lost: Vec<String>,
    /// Who says the text of a file without role blocks, and where the file says so.
    file_role: Option<(Role, prompt_syntax::Span)>,
    /// Before which step the examples of a file stand.
    shots_at: Option<usize>,
}

impl Lowerer<'_, '_> {
    fn none(&mut self, input: &Input) {
        let what = if input.is_enum { "variant" } else { "prompt" };
        self.errors.push(self.case.span, problem::none(what));
    }

    fn given(&mut self, given: &Keyed<Given>, docs: &[syn::LitStr]) {
        let at = given.key;
        match &given.value {
            Given::Message { role, text } => {
                let source = SourceText::literal(text).marked_at(at);
                self.message(Some(*role), source, at);
            }
            Given::History => {
                self.turns("history", at);
            }
            Given::Shots => {
                self.turns("shots", at);
            }
            Given::ShotsOf { .. } => self.shots_at = Some(self.out.steps.len()),
            Given::Template { text } => {
                let source = SourceText::literal(text).marked_at(at);
                self.document(source, None, at);
            }
            Given::File { path } => match SourceText::file(path, self.dialect, self.errors) {
                Some(source) => {
                    self.options.role_lines = front_matter::is_prompty(path);
                    let role = self.file_role;
                    if self.document(source, role.map(|(role, _)| role), path.span())
                        && let Some((_, key)) = role
                    {
                        front_matter::refuse_role(path, key, self.errors);
                    }
                }
                None => self.out.readable = false,
            },
            Given::Doc if docs.is_empty() => {
                // A doc comment that could not be read is there.
                if std::mem::replace(&mut self.out.readable, false) {
                    self.errors.push(at, problem::no_doc());
                }
            }
            Given::Doc => {
                let source = SourceText::doc(docs);
                self.message(Some(Role::User), source, at);
            }
            Given::Fragment { text } => {
                self.out.fragment = true;
                let source = SourceText::literal(text).marked_at(at);
                self.message(None, source, at);
            }
        }
    }

    /// A source that is one message.
    fn message(&mut self, role: Option<Role>, source: SourceText, at: proc_macro2::Span) {
        let nodes = self.parse(&source, self.options(false), at);
        self.push(role, &nodes, source, at);
    }

    fn push(
        &mut self,
        role: Option<Role>,
        nodes: &[Node],
        mut source: SourceText,
        at: proc_macro2::Span,
    ) {
        let body = match self.dialect {
            Dialect::Jinja => self.jinja(nodes, &mut source, |lowerer| lowerer.pieces(nodes)),
            _ => self.body(nodes, &source),
        };
        let index = self.out.sources.len();
        self.out.sources.push(source);
        self.out.steps.push(Step::Message(Message {
            role,
            body,
            source: index,
            tag: None,
            at,
        }));
    }

    /// A source with role blocks, which is then told; without any it is one message, of a user if nothing else is said.
    fn document(&mut self, source: SourceText, role: Option<Role>, at: proc_macro2::Span) -> bool {
        let nodes = self.parse(&source, self.options(true), at);
        if !nodes.iter().any(|node| matches!(node, Node::Role(_))) {
            self.push(role.or(Some(Role::User)), &nodes, source, at);
            return false;
        }
        if self.dialect == Dialect::Jinja {
            self.jinja_document(&nodes, source);
            return true;
        }
        let index = self.out.sources.len();
        for node in &nodes {
            match node {
                Node::Role(block) => {
                    self.expect_words(block, &source);
                    let body = self.body(&block.body, &source);
                    let at = source.span(block.role.span);
                    self.out.steps.push(Step::Message(Message {
                        role: Some(block.role.value),
                        body,
                        source: index,
                        tag: Some(block.role.span),
                        at,
                    }));
                }
                Node::Slot(slot) => self.top_level_slot(slot, &source),
                _ => {}
            }
        }
        self.out.sources.push(source);
        true
    }

    /// Lowers a text of the Jinja dialect.
    fn jinja<T>(
        &mut self,
        nodes: &[Node],
        source: &mut SourceText,
        lower: impl FnOnce(&mut jinja::Lowerer<'_, '_>) -> T,
    ) -> T {
        let mut lowerer = jinja::Lowerer {
            fields: &self.case.fields,
            owner: &self.owner,
            source,
            errors: self.errors,
            readable: &mut self.out.readable,
            all_lost: self.case.broken,
            lost: &self.lost,
            names: jinja::Names::of(nodes),
            options: self.options,
            offset: 0,
            including: Vec::new(),
            calling: Vec::new(),
            body: None,
            reported: Vec::new(),
        };
        let lowered = lower(&mut lowerer);
        lowerer.close();
        lowered
    }

    /// Role blocks of the Jinja dialect: what is set between them, they all see.
    fn jinja_document(&mut self, nodes: &[Node], mut source: SourceText) {
        let index = self.out.sources.len();
        for node in nodes {
            match node {
                Node::Role(block) => self.expect_words(block, &source),
                Node::Slot(slot) if self.history_named(slot).is_none() => {
                    self.top_level_slot(slot, &source);
                }
                _ => {}
            }
        }
        let mut bodies = self.jinja(nodes, &mut source, |lowerer| {
            let (mut bodies, mut before) = (Vec::new(), Vec::new());
            for node in nodes {
                match node {
                    Node::Role(block) => {
                        before.extend(lowerer.block(&block.body));
                        bodies.push(std::mem::take(&mut before));
                    }
                    Node::Set(_) | Node::Macro(_) => lowerer.node(node, &mut before),
                    _ => {}
                }
            }
            bodies.into_iter()
        });
        for node in nodes {
            match node {
                Node::Role(block) => {
                    let at = source.span(block.role.span);
                    self.out.steps.push(Step::Message(Message {
                        role: Some(block.role.value),
                        body: bodies.next().unwrap_or_default(),
                        source: index,
                        tag: Some(block.role.span),
                        at,
                    }));
                }
                Node::Slot(slot) => {
                    if let Some(field) = self.history_named(slot) {
                        let at = source.span(slot.span);
                        self.out.steps.push(Step::History { field, at });
                    }
                }
                _ => {}
            }
        }
        self.out.sources.push(source);
    }

    /// A message says something.
    fn expect_words(&mut self, block: &prompt_syntax::RoleBlock, source: &SourceText) {
        let is_blank =
            |node: &Node| matches!(node, Node::Text(text) if text.text.trim().is_empty());
        if block.body.iter().all(is_blank) && self.out.readable {
            let error = role::empty(block.role.value).at(block.role.span);
            source.report(&error, self.errors);
        }
    }

    /// Between role blocks only the history has a place.
    fn top_level_slot(&mut self, slot: &prompt_syntax::Slot, source: &SourceText) {
        if let Some(field) = self.history_named(slot) {
            self.out.steps.push(Step::History {
                field,
                at: source.span(slot.span),
            });
            return;
        }
        let error = role::slot_outside(self.dialect).at(slot.span);
        self.out.readable = false;
        source.report(&error, self.errors);
    }

    /// How the texts of this prompt are read.
    fn options(&self, roles: bool) -> Options {
        Options {
            roles,
            ..self.options
        }
    }

    fn parse(&mut self, source: &SourceText, options: Options, at: proc_macro2::Span) -> Vec<Node> {
        let parsed = parse(&source.value, options);
        self.lost.clear();
        if !parsed.errors.is_empty() {
            self.out.readable = false;
            loops(&parsed.template.nodes, &mut self.lost);
            if options.dialect == Dialect::Jinja {
                broken(&parsed.template.nodes, &source.value, &mut self.lost);
            }
        }
        for error in &parsed.errors {
            source.report(error, self.errors);
        }
        let index = self.out.sources.len();
        self.out
            .tags
            .extend(parsed.tags.into_iter().map(|tag| (index, tag)));
        if source.value.trim().is_empty() {
            self.out.readable = false;
            self.errors.push(at, problem::empty());
        }
        parsed.template.nodes
    }

    fn body(&mut self, nodes: &[Node], source: &SourceText) -> Vec<Piece> {
        let scope = Scope {
            owner: self.owner.clone(),
            lost: self.lost.clone(),
            all_lost: self.case.broken,
            ..Scope::new(&self.case.fields)
        };
        let mut body = Body {
            resolver: Resolver {
                scope,
                source,
                dialect: self.dialect,
                errors: self.errors,
                readable: &mut self.out.readable,
            },
        };
        body.pieces(nodes)
    }
}

/// The names that loops bind, anywhere.
fn loops(nodes: &[Node], names: &mut Vec<String>) {
    for node in nodes {
        match node {
            Node::If(block) => {
                for branch in &block.branches {
                    loops(&branch.body, names);
                }
                loops(block.otherwise.as_deref().unwrap_or_default(), names);
            }
            Node::For(block) => {
                names.extend(block.targets.iter().map(|name| name.value.clone()));
                loops(&block.body, names);
                loops(block.otherwise.as_deref().unwrap_or_default(), names);
            }
            Node::Role(block) => loops(&block.body, names),
            _ => {}
        }
    }
}

/// The words of tags that could not be read: one of them may be a name that the tag was to give.
fn broken(nodes: &[Node], text: &str, words: &mut Vec<String>) {
    for node in nodes {
        match node {
            Node::Error(span) => {
                let text = text.get(span.start..span.end).unwrap_or_default();
                let split = text.split(|char: char| !char.is_alphanumeric() && char != '_');
                words.extend(split.filter(|word| !word.is_empty()).map(str::to_owned));
            }
            Node::If(block) => {
                for branch in &block.branches {
                    broken(&branch.body, text, words);
                }
                broken(block.otherwise.as_deref().unwrap_or_default(), text, words);
            }
            Node::For(block) => {
                broken(&block.body, text, words);
                broken(block.otherwise.as_deref().unwrap_or_default(), text, words);
            }
            Node::Role(block) => broken(&block.body, text, words),
            Node::Set(set) => broken(set.body.as_deref().unwrap_or_default(), text, words),
            Node::With(block) => broken(&block.body, text, words),
            Node::Filter(block) => broken(&block.body, text, words),
            _ => {}
        }
    }
}
