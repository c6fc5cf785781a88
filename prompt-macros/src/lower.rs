//! Parses the templates of a prompt, splits them into messages and analyzes each.

mod document;
mod include;
mod turns;

use prompt_syntax::analysis::lost;
use prompt_syntax::problem::template as problem;
use prompt_syntax::{Dialect, Node, Options, Role, parse};

use crate::attribute::{Given, ItemKeys, Keyed};
use crate::errors::Errors;
use crate::front_matter;
use crate::input::{Case, Input};
use crate::model::{Message, Prompt, PromptCase, Step};
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
        captures: input.form == prompt_syntax::problem::field::Form::Inline,
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
            Given::History | Given::Examples | Given::ShotsOf { .. }
        )
    }) {
        lowerer.out.readable = false;
        // The keys of the enum were meant for its variants.
        if !keys.broken && (!input.is_enum || input.keys.given.is_empty()) {
            lowerer.none(input);
        }
    }
    for given in one_source(&keys.given) {
        lowerer.given(given, docs);
    }
    lowerer.examples(input, keys);
    lowerer.place_history();
    lowerer.place_shots();
    lowerer.out
}

/// The keys that belong to the first of several sources.
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

    /// Whether it is one of several messages.
    fn is_turns(&self) -> bool {
        matches!(
            self,
            Given::Message { .. } | Given::History | Given::Examples
        )
    }
}

impl<'a> PromptCase<'a> {
    fn new(case: &'a Case, dialect: Dialect) -> PromptCase<'a> {
        PromptCase {
            case,
            fields: case
                .fields
                .iter()
                .map(|field| field.described(dialect))
                .collect(),
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
    /// The name of the struct or variant with the fields.
    owner: String,
    /// Whether the names are those of variables around the prompt.
    captures: bool,
    /// Names that parts of the template with syntax errors may have bound.
    lost: Vec<String>,
    /// The role of a file without role blocks, and the span of the front matter that sets it.
    file_role: Option<(Role, prompt_syntax::Span)>,
    /// The step before which the examples of a file are inserted.
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
            Given::Examples => {
                self.turns("examples", at);
            }
            Given::ShotsOf { .. } => self.shots_at = Some(self.out.steps.len()),
            Given::Template { text } => {
                let source = SourceText::literal(text).marked_at(at);
                self.document(source, None, at);
            }
            Given::File { path } => match SourceText::file(path, self.dialect, self.errors) {
                // Unclosed front matter contains the rest of the text.
                Some(source) if source.value.trim().is_empty() && !self.out.readable => {}
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
                // A doc comment with errors exists.
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
        let body = self.analyzed(nodes, &mut source, |analyzer| analyzer.pieces(nodes));
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

    /// The options for parsing the texts of this prompt.
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
            self.lost = lost(&parsed.template.nodes, &source.value);
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
}
