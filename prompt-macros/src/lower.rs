//! From templates to decisions: texts are read, roles split, names resolved.

use prompt_syntax::{Dialect, Error, Expr, Node, Options, Role, parse};

use crate::attribute::{Given, ItemKeys, Keyed};
use crate::errors::Errors;
use crate::input::{Case, Input};
use crate::model::{
    Branch, Fallback, Kind, Message, Piece, Prompt, PromptCase, Slot, Step, Test, Value,
};
use crate::place::{Binding, Scope};
use crate::resolve::{self, Resolver};
use crate::source::SourceText;

pub(crate) fn lower<'a>(input: &'a Input, errors: &mut Errors) -> Prompt<'a> {
    if input.is_enum {
        for given in &input.keys.given {
            let name = given.value.name();
            errors.push_help(
                given.key,
                format!("`{name}` stands on the enum, and each variant has a prompt of its own"),
                "move it onto a variant",
            );
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
    let mut lowerer = Lowerer {
        case,
        dialect,
        out: PromptCase::new(case),
        errors,
    };
    let whole: Vec<&Keyed<Given>> = keys
        .given
        .iter()
        .filter(|given| given.value.is_whole())
        .collect();
    if let [first, rest @ ..] = &whole[..]
        && let Some(other) = rest
            .first()
            .copied()
            .or_else(|| keys.given.iter().find(|given| !given.value.is_whole()))
    {
        let message = format!(
            "`{}` and `{}` are two sources of one prompt",
            first.value.name(),
            other.value.name()
        );
        lowerer
            .errors
            .push_help(other.key, message, "keep one of them");
    }
    if keys
        .given
        .iter()
        .all(|given| matches!(given.value, Given::History))
    {
        lowerer.none(input);
    }
    for given in &keys.given {
        lowerer.given(given, docs);
    }
    lowerer.place_history();
    lowerer.out
}

impl Given {
    /// Whether it is the source of the whole prompt.
    fn is_whole(&self) -> bool {
        !matches!(self, Given::Message { .. } | Given::History)
    }
}

impl<'a> PromptCase<'a> {
    fn new(case: &'a Case) -> PromptCase<'a> {
        PromptCase {
            case,
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
    out: PromptCase<'a>,
    errors: &'e mut Errors,
}

impl Lowerer<'_, '_> {
    fn none(&mut self, input: &Input) {
        self.out.readable = false;
        let what = if input.is_enum { "variant" } else { "prompt" };
        let help = "write `#[prompt(user = \"…\")]`, `#[prompt(file = \"…\")]` or, for its doc comment, `#[prompt(doc)]`";
        self.errors
            .push_help(self.case.span, format!("this {what} has no text"), help);
    }

    fn given(&mut self, given: &Keyed<Given>, docs: &[syn::LitStr]) {
        let at = given.key;
        match &given.value {
            Given::Message { role, text } => {
                let source = SourceText::literal(text);
                self.message(Some(*role), source, at);
            }
            Given::History => match self.history_field() {
                Some(field) => self.out.steps.push(Step::History { field, at }),
                None => {
                    self.errors.push_help(
                        at,
                        "no field is the history",
                        "mark a field `#[prompt(history)]`",
                    );
                }
            },
            Given::Template { text } => {
                let source = SourceText::literal(text);
                self.document(source, at);
            }
            Given::File { path } => match SourceText::file(path, self.errors) {
                Some(source) => self.document(source, path.span()),
                None => self.out.readable = false,
            },
            Given::Doc if docs.is_empty() => {
                self.out.readable = false;
                self.errors.push_help(
                    at,
                    "there is no doc comment to take the text from",
                    "write `/// …` lines above",
                );
            }
            Given::Doc => {
                let source = SourceText::doc(docs);
                self.message(Some(Role::User), source, at);
            }
            Given::Fragment { text } => {
                self.out.fragment = true;
                let source = SourceText::literal(text);
                self.message(None, source, at);
            }
        }
    }

    fn history_field(&self) -> Option<usize> {
        self.case
            .fields
            .iter()
            .position(|field| field.keys.has("history"))
    }

    /// A source that is one message.
    fn message(&mut self, role: Option<Role>, source: SourceText, at: proc_macro2::Span) {
        let nodes = self.parse(&source, Options::message(self.dialect), at);
        self.push(role, &nodes, source, at);
    }

    fn push(
        &mut self,
        role: Option<Role>,
        nodes: &[Node],
        source: SourceText,
        at: proc_macro2::Span,
    ) {
        let body = self.body(nodes, &source);
        let index = self.out.sources.len();
        self.out.sources.push(source);
        self.out.steps.push(Step::Message(Message {
            role,
            body,
            source: index,
            at,
        }));
    }

    /// A source with role blocks; without any it is one user message.
    fn document(&mut self, source: SourceText, at: proc_macro2::Span) {
        let nodes = self.parse(&source, Options::document(self.dialect), at);
        if !nodes.iter().any(|node| matches!(node, Node::Role(_))) {
            self.push(Some(Role::User), &nodes, source, at);
            return;
        }
        let index = self.out.sources.len();
        for node in &nodes {
            match node {
                Node::Role(block) => {
                    let body = self.body(&block.body, &source);
                    let at = source.span(block.role.span);
                    self.out.steps.push(Step::Message(Message {
                        role: Some(block.role.value),
                        body,
                        source: index,
                        at,
                    }));
                }
                Node::Slot(slot) => self.top_level_slot(slot, &source),
                _ => {}
            }
        }
        self.out.sources.push(source);
    }

    /// Between role blocks only the history has a place.
    fn top_level_slot(&mut self, slot: &prompt_syntax::Slot, source: &SourceText) {
        if let Expr::Path(path) = &slot.expr
            && let [name] = &path.segments[..]
            && let Some(field) = self
                .case
                .fields
                .iter()
                .position(|field| field.name == name.value)
            && self.case.fields[field].keys.has("history")
        {
            self.out.steps.push(Step::History {
                field,
                at: source.span(slot.span),
            });
            return;
        }
        let error = Error::new(slot.span, "this slot stands outside of the roles")
            .label("said by nobody")
            .help("move it into `<system>…</system>`, `<user>…</user>` or `<assistant>…</assistant>`; only a `#[prompt(history)]` field stands between them");
        source.report(&error, self.errors);
    }

    fn parse(&mut self, source: &SourceText, options: Options, at: proc_macro2::Span) -> Vec<Node> {
        let parsed = parse(&source.value, options);
        for error in &parsed.errors {
            self.out.readable = false;
            source.report(error, self.errors);
        }
        let index = self.out.sources.len();
        self.out
            .tags
            .extend(parsed.tags.into_iter().map(|tag| (index, tag)));
        if source.value.trim().is_empty() {
            self.out.readable = false;
            self.errors.push_help(
                at,
                "this template is empty",
                "write the text of the prompt, or leave the message out",
            );
        }
        parsed.template.nodes
    }

    /// Where the template does not say, history stands before the last user message.
    fn place_history(&mut self) {
        let Some(field) = self.history_field() else {
            return;
        };
        if self
            .out
            .steps
            .iter()
            .any(|step| matches!(step, Step::History { .. }))
        {
            return;
        }
        let last_user = self.out.steps.iter().rposition(
            |step| matches!(step, Step::Message(message) if message.role == Some(Role::User)),
        );
        let at = self.case.fields[field].ident.span();
        self.out.steps.insert(
            last_user.unwrap_or(self.out.steps.len()),
            Step::History { field, at },
        );
    }

    fn body(&mut self, nodes: &[Node], source: &SourceText) -> Vec<Piece> {
        let mut body = Body {
            resolver: Resolver {
                scope: Scope::new(&self.case.fields),
                source,
                dialect: self.dialect,
                errors: self.errors,
                readable: &mut self.out.readable,
            },
        };
        body.pieces(nodes)
    }
}

/// The text of one message, with its names in scope.
struct Body<'a, 'e> {
    resolver: Resolver<'a, 'e>,
}

impl Body<'_, '_> {
    fn pieces(&mut self, nodes: &[Node]) -> Vec<Piece> {
        nodes.iter().filter_map(|node| self.piece(node)).collect()
    }

    fn piece(&mut self, node: &Node) -> Option<Piece> {
        match node {
            Node::Text(text) => Some(Piece::Text {
                text: text.text.clone(),
                span: text.span,
            }),
            Node::Slot(slot) => self.slot(slot),
            Node::If(block) => {
                let branches = block
                    .branches
                    .iter()
                    .filter_map(|branch| self.branch(branch))
                    .collect();
                let otherwise = self.pieces(block.otherwise.as_deref().unwrap_or_default());
                Some(Piece::If {
                    branches,
                    otherwise,
                })
            }
            Node::For(block) => self.repeated(block),
            // Reported by the parser.
            _ => None,
        }
    }

    fn slot(&mut self, slot: &prompt_syntax::Slot) -> Option<Piece> {
        let (expr, default) = resolve::with_default(&slot.expr);
        let value = self.resolver.value(expr)?;
        let name = resolve::name(expr);
        if let Value::Place(place) = &value
            && self.resolver.is_media(place)
        {
            return Some(Piece::Media {
                place: place.clone(),
                span: slot.span,
            });
        }
        let Some(default) = default else {
            self.resolver.expect_text(&value, expr, slot.span)?;
            return Some(Piece::Slot(Slot {
                name,
                value,
                fallback: None,
                span: slot.span,
            }));
        };
        let default = self.resolver.value(default)?;
        let option = resolve::base(&value)?.clone();
        self.resolver.expect_option(&option)?;
        let binding = self.resolver.scope.ident(&option.name);
        let value = resolve::rebased(value, &binding);
        Some(Piece::Slot(Slot {
            name,
            value,
            fallback: Some(Fallback {
                option,
                binding,
                default,
            }),
            span: slot.span,
        }))
    }

    fn branch(&mut self, branch: &prompt_syntax::Branch) -> Option<Branch> {
        let depth = self.resolver.scope.bindings.len();
        let test = self.test(&branch.condition, true);
        let body = self.pieces(&branch.body);
        let used: Vec<Binding> = self.resolver.scope.bindings.drain(depth..).collect();
        let mut test = test?;
        forget_unused(&mut test, &used);
        Some(Branch { test, body })
    }

    /// What a condition finds in an `Option` is bound where the condition must hold for its block to be reached.
    fn test(&mut self, condition: &Expr, binds: bool) -> Option<Test> {
        match condition {
            Expr::Not(inner) => Some(Test::Not(Box::new(self.test(inner, false)?))),
            Expr::And(sides) => {
                let (left, right) = (self.test(&sides.0, binds), self.test(&sides.1, binds));
                Some(Test::And(Box::new((left?, right?))))
            }
            Expr::Or(sides) => {
                let (left, right) = (self.test(&sides.0, false), self.test(&sides.1, false));
                Some(Test::Or(Box::new((left?, right?))))
            }
            other => {
                let value = self.resolver.value(other)?;
                let binding = self.binding(&value, binds);
                Some(Test::Present { value, binding })
            }
        }
    }

    fn binding(&mut self, value: &Value, binds: bool) -> Option<proc_macro2::Ident> {
        let Value::Place(place) = value else {
            return None;
        };
        if !binds || !self.resolver.may_be_option(place) {
            return None;
        }
        let ident = self.resolver.scope.ident(&place.name);
        let media = self.resolver.is_media(place);
        self.resolver.scope.bindings.push(Binding {
            name: place.name.clone(),
            ident: ident.clone(),
            origin: place.origin,
            media,
            used: false,
        });
        Some(ident)
    }

    fn repeated(&mut self, block: &prompt_syntax::For) -> Option<Piece> {
        let list = self.resolver.value(&block.list);
        if let Some(Value::Place(place)) = &list {
            self.resolver.expect_list(place)?;
        }
        let otherwise = block.otherwise.as_deref().map(|nodes| self.pieces(nodes));
        let name = block.binding.value.clone();
        if self.resolver.scope.field(&name).is_some() {
            let error = Error::new(
                block.binding.span,
                format!("the loop variable `{name}` has the name of a field"),
            )
            .label("hides the field inside the loop")
            .help("give it another name");
            self.resolver.report(&error);
        }
        let base = list.as_ref().and_then(resolve::base);
        let origin = base.map_or(usize::MAX, |place| place.origin);
        let media = base.is_some_and(|place| self.resolver.is_media(place));
        let ident = self.resolver.scope.ident(&name);
        self.resolver.scope.bindings.push(Binding {
            name: name.clone(),
            ident: ident.clone(),
            origin,
            media,
            used: false,
        });
        let body = self.pieces(&block.body);
        let used = self
            .resolver
            .scope
            .bindings
            .pop()
            .is_some_and(|binding| binding.used);
        // Where the loop's body has errors, what they hide may be the use.
        if !used && !name.starts_with('_') && *self.resolver.readable {
            let error = Error::new(
                block.binding.span,
                format!("the loop variable `{name}` is never used"),
            )
            .label("bound here")
            .help(format!(
                "write `<{name}>` in the loop, or call it `_{name}`"
            ));
            self.resolver.report(&error);
        }
        Some(Piece::For {
            binding: ident,
            list: list?,
            body,
            otherwise,
        })
    }
}

/// A binding that its block does not use is not made.
fn forget_unused(test: &mut Test, bindings: &[Binding]) {
    match test {
        Test::Present { binding, .. } => {
            if let Some(ident) = binding
                && !bindings
                    .iter()
                    .any(|binding| binding.ident == *ident && binding.used)
            {
                *binding = None;
            }
        }
        Test::Not(inner) => forget_unused(inner, bindings),
        Test::And(sides) | Test::Or(sides) => {
            forget_unused(&mut sides.0, bindings);
            forget_unused(&mut sides.1, bindings);
        }
    }
}

/// Kinds of values that a slot can show as they are.
pub(crate) fn shows(kind: Kind) -> bool {
    !matches!(kind, Kind::List | Kind::Option)
}
