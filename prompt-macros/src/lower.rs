//! The analyzed prompt: parses its templates, splits them into messages and resolves every name.

#[cfg(feature = "jinja")]
mod include;

use prompt_base::Span;
use prompt_syntax::analysis::{self, Context, examples_position, history_position, unparsed_names};
pub(crate) use prompt_syntax::analysis::{
    FieldUse, PlaceExpr, ResolvedSlot, Root, SlotDefault, SlotValue, walk,
};
use prompt_syntax::problem::field::no_turns;
use prompt_syntax::problem::{fragment, template as problem};
use prompt_syntax::{Dialect, Error, KnownNames, Options, Role, XmlTags, parse_in};
use prompt_syntax::{merge_pasted_errors, typed_line_break};
use syn::Type;

use crate::emit::OWN_NAMES;
use crate::input::{AttributeValue, Case, Field, Input, ItemKeys, MacroKind, SourceKey};
use crate::language::{Analyzer, Expr, Node, Slot};
pub(crate) use crate::language::{Condition, ResolvedNode};
use crate::source::SourceText;
use crate::types::{TypeKind, element_type, is_plain_text};
use crate::{Errors, front_matter};

pub(crate) struct AnalyzedPrompt<'a> {
    pub(crate) input: &'a Input,
    pub(crate) cases: Vec<PromptCase<'a>>,
}

/// The template of a struct, or of one variant.
pub(crate) struct PromptCase<'a> {
    pub(crate) case: &'a Case,
    /// The fields as the analysis sees them.
    pub(crate) fields: Vec<analysis::FieldInfo>,
    pub(crate) dialect: prompt_syntax::Dialect,
    pub(crate) sources: Vec<SourceText>,
    pub(crate) steps: Vec<PromptStep>,
    /// Whether it is a fragment: text without a role, for use inside other prompts.
    pub(crate) fragment: bool,
    /// Names of XML elements that stay text, each with its source.
    pub(crate) tags: Vec<(usize, prompt_syntax::XmlTag)>,
    /// Whether the template has no errors so far; otherwise fields may only seem unused.
    pub(crate) readable: bool,
}

pub(crate) enum PromptStep {
    Message(TemplateMessage),
    History { field: usize, at: proc_macro2::Span },
    Examples(crate::examples::ExampleRows),
}

pub(crate) struct TemplateMessage {
    /// `None` in a fragment.
    pub(crate) role: Option<Role>,
    pub(crate) body: Vec<ResolvedNode>,
    /// The fields that it uses, in their order.
    pub(crate) used: Vec<FieldUse>,
    /// The fields whose text it may show.
    pub(crate) shown: Vec<FieldUse>,
    /// Whether it contains the answer: the last message, of the assistant.
    pub(crate) is_answer: bool,
    pub(crate) source: usize,
    /// The tag that opens it, in a template with role blocks.
    pub(crate) tag: Option<Span>,
    /// The token that rustc marks for an error of the whole message.
    pub(crate) at: proc_macro2::Span,
}

impl TemplateMessage {
    pub(crate) fn uses_field(&self, field: usize) -> bool {
        self.used.iter().any(|used| used.field == field)
    }
}

impl AnalyzedPrompt<'_> {
    pub(crate) fn is_fragment(&self) -> bool {
        self.cases.iter().any(|case| case.fragment)
    }

    pub(crate) fn output(&self) -> Option<&AttributeValue<Type>> {
        self.input.keys.output.as_ref()
    }
}

/// Properties of a place that follow from the types of fields.
pub(crate) trait PlaceType {
    /// Whether the name of its type shows that it can fill a slot.
    fn is_known_text(&self, fields: &[Field]) -> bool;

    /// Whether its type is `str` or `String`, or a reference to one, by its name.
    fn is_plain_text(&self, fields: &[Field]) -> bool;

    /// Whether a loop can iterate over it, by the tokens of its type.
    fn is_known_list(&self, fields: &[Field]) -> bool;
}

impl PlaceType for PlaceExpr {
    fn is_known_text(&self, fields: &[Field]) -> bool {
        let kind = place_kind(self, fields);
        matches!(
            kind,
            None | Some(TypeKind::Text | TypeKind::Number | TypeKind::Trusted)
        )
    }

    fn is_plain_text(&self, fields: &[Field]) -> bool {
        let is_whole = self.rest.is_empty() && !self.open;
        let Some(field) = fields.get(self.origin).filter(|_| is_whole) else {
            return false;
        };
        match self.root {
            Root::Field(_) => is_plain_text(&field.ty),
            Root::Local(_) if matches!(field.kind(), TypeKind::List | TypeKind::Option) => {
                element_type(&field.ty).is_some_and(is_plain_text)
            }
            Root::Local(_) => false,
        }
    }

    fn is_known_list(&self, fields: &[Field]) -> bool {
        matches!(place_kind(self, fields), None | Some(TypeKind::List))
    }
}

/// The kind of a place's type by its tokens; `None` for a place without a field.
fn place_kind(place: &PlaceExpr, fields: &[Field]) -> Option<TypeKind> {
    let field = fields.get(place.origin)?;
    Some(match place.root {
        _ if place.open || !place.rest.is_empty() => TypeKind::Unknown,
        Root::Field(_) => field.kind(),
        // A block binds what is inside a list or an `Option`.
        Root::Local(_) => element_type(&field.ty).map_or(TypeKind::Unknown, TypeKind::from_type),
    })
}

/// Whether a template uses a field.
pub(crate) fn uses_field(case: &PromptCase<'_>, field: usize) -> bool {
    template_messages(case)
        .iter()
        .any(|message| message.uses_field(field))
}

/// The message with the answer: the assistant's, at the end. The answer in another message is an error.
pub(crate) fn answer_message<'a>(case: &'a PromptCase<'_>) -> Option<&'a TemplateMessage> {
    let mut messages = template_messages(case).into_iter();
    messages.rfind(|message| message.is_answer)
}

/// Whether the index is that of the answer; an item of a loop may come from no field.
pub(crate) fn is_answer(case: &PromptCase<'_>, field: usize) -> bool {
    let field = case.case.fields.get(field);
    field.is_some_and(|field| field.keys.has("answer"))
}

/// The first slot of the system message that writes a field.
pub(crate) fn first_in_system<'a>(
    case: &'a PromptCase<'_>,
    field: usize,
) -> Option<(&'a TemplateMessage, &'a FieldUse)> {
    system_messages(case).into_iter().find_map(|message| {
        let shown = message.shown.iter().find(|shown| shown.field == field)?;
        Some((message, shown))
    })
}

/// The messages of a template, in order.
pub(crate) fn template_messages<'a>(case: &'a PromptCase<'_>) -> Vec<&'a TemplateMessage> {
    let mut messages = Vec::with_capacity(case.steps.len());
    for step in &case.steps {
        if let PromptStep::Message(message) = step {
            messages.push(message);
        }
    }
    messages
}

/// The system messages; a template without errors has at most one.
pub(crate) fn system_messages<'a>(case: &'a PromptCase<'_>) -> Vec<&'a TemplateMessage> {
    let mut messages = template_messages(case);
    messages.retain(|message| message.role == Some(Role::System));
    messages
}

/// The last message of the user.
pub(crate) fn last_of_user<'a>(case: &'a PromptCase<'_>) -> Option<&'a TemplateMessage> {
    let mut messages = template_messages(case).into_iter();
    messages.rfind(|message| message.role == Some(Role::User))
}

pub(crate) fn lower<'a>(input: &'a Input, errors: &mut Errors) -> AnalyzedPrompt<'a> {
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
    AnalyzedPrompt { input, cases }
}

fn lower_case<'a>(
    input: &'a Input,
    case: &'a Case,
    keys: &'a ItemKeys,
    docs: &[syn::LitStr],
    errors: &mut Errors,
) -> PromptCase<'a> {
    let options = keys.options_in(&input.keys);
    let dialect = options.dialect;
    let whitespace = keys.whitespace.iter().map(|key| (key.value.0, key.key));
    let slots = keys.slots.iter().map(|slots| ("slots", slots.key));
    for (name, at) in whitespace.chain(slots) {
        if let Some(problem) = problem::key_of_another_dialect(name, dialect) {
            errors.push(at, problem);
        }
    }
    let mut lowerer = Lowerer {
        case,
        dialect,
        options,
        out: PromptCase::new(case, dialect),
        errors,
        owner: case.variant.as_ref().unwrap_or(&input.ident).to_string(),
        captures: matches!(input.form, MacroKind::Inline),
        unparsed_names: Vec::new(),
        file_role: keys.role,
        examples_at: None,
        tags: match &keys.given[..] {
            // The parser finds those of the text itself.
            [_] if dialect != Dialect::Jinja => XmlTags::default(),
            _ => keys.xml_tags(),
        },
        found: Vec::new(),
        broken: keys.broken,
    };
    lowerer.out.readable = !keys.broken && !case.broken;
    let whole: Vec<&AttributeValue<SourceKey>> = keys
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
            SourceKey::History | SourceKey::Examples | SourceKey::ExamplesFile(..)
        )
    }) {
        lowerer.out.readable = false;
        // The keys of the enum were meant for its variants, and those of a field perhaps for the struct.
        let broken = keys.broken || case.fields.iter().any(|field| field.keys.broken);
        if !broken && (!input.is_enum || input.keys.given.is_empty()) {
            lowerer.report_no_source(input);
        }
    }
    for given in one_source(&keys.given) {
        lowerer.add_source(given, docs);
    }
    lowerer.report_errors();
    // The examples need to know the answer; the history may be inserted after it.
    lowerer.mark_answer();
    lowerer.add_examples(input, keys);
    lowerer.place_fields();
    lowerer.mark_answer();
    lowerer.out
}

/// The keys that belong to the first of several sources.
fn one_source(given: &[AttributeValue<SourceKey>]) -> &[AttributeValue<SourceKey>] {
    let is_examples_file =
        |given: &AttributeValue<SourceKey>| matches!(given.value, SourceKey::ExamplesFile(..));
    let first = given.iter().position(|given| !is_examples_file(given));
    if let Some(first) = first
        && given[first].value.is_whole()
    {
        return &given[first..=first];
    }
    let messages = given.iter().take_while(|given| !given.value.is_whole());
    &given[..messages.count()]
}

impl SourceKey {
    /// Whether it is the source of the whole prompt.
    fn is_whole(&self) -> bool {
        !self.is_turns() && !matches!(self, SourceKey::ExamplesFile(..))
    }

    /// Whether it is one of several messages.
    fn is_turns(&self) -> bool {
        matches!(
            self,
            SourceKey::Message(..) | SourceKey::History | SourceKey::Examples
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
                .map(|field| field.describe_field(dialect))
                .collect(),
            dialect,
            sources: Vec::new(),
            steps: Vec::new(),
            fragment: false,
            tags: Vec::new(),
            readable: true,
        }
    }

    /// The role of each step, or `None` for messages of a field.
    pub(crate) fn step_roles(&self) -> Vec<Option<Role>> {
        let steps = self.steps.iter();
        let roles = steps.map(|step| match step {
            PromptStep::Message(message) => message.role,
            _ => None,
        });
        roles.collect()
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
    unparsed_names: Vec<String>,
    /// The role of a file without role blocks, and the span of the front matter that sets it.
    file_role: Option<(Role, prompt_base::Span)>,
    /// The step before which the examples of a file are inserted.
    examples_at: Option<usize>,
    /// The XML tags of all messages.
    tags: XmlTags,
    /// The errors of the templates, each with its source.
    found: Vec<(usize, Error)>,
    /// Whether a key of the attribute had an error.
    broken: bool,
}

impl Lowerer<'_, '_> {
    fn report_no_source(&mut self, input: &Input) {
        let what = if input.is_enum { "variant" } else { "prompt" };
        self.errors
            .push(self.case.span, problem::missing_source(what));
    }

    fn add_source(&mut self, given: &AttributeValue<SourceKey>, docs: &[syn::LitStr]) {
        let at = given.key;
        match &given.value {
            SourceKey::Message(role, text) => {
                let source = SourceText::from_literal(text, self.dialect).marked_at(at);
                self.add_message(Some(*role), source, at);
            }
            SourceKey::History => {
                self.add_messages_of_field("history", at);
            }
            SourceKey::Examples => {
                self.add_messages_of_field("examples", at);
            }
            SourceKey::ExamplesFile(..) => self.examples_at = Some(self.out.steps.len()),
            SourceKey::Template(text) => {
                let source = SourceText::from_literal(text, self.dialect).marked_at(at);
                self.add_document(source, None, at);
            }
            SourceKey::File(path) => match SourceText::from_file(path, self.dialect, self.errors) {
                // Unclosed front matter contains the rest of the text.
                Some(source) if source.value.trim().is_empty() && !self.out.readable => {}
                Some(source) => {
                    let role = self.file_role;
                    self.options.role_lines = front_matter::is_prompty(path) && role.is_none();
                    if self.add_document(source, role.map(|(role, _)| role), path.span())
                        && let Some((_, key)) = role
                    {
                        front_matter::refuse_role(path, key, self.errors);
                    }
                }
                None => self.out.readable = false,
            },
            SourceKey::Doc if docs.is_empty() => {
                // A doc comment with errors exists.
                if std::mem::replace(&mut self.out.readable, false) {
                    self.errors.push(at, problem::no_doc());
                }
            }
            SourceKey::Doc => {
                let source = SourceText::from_doc(docs);
                self.add_message(Some(Role::User), source, at);
            }
            SourceKey::Fragment(text) => {
                self.out.fragment = true;
                let source = SourceText::from_literal(text, self.dialect).marked_at(at);
                self.add_message(None, source, at);
            }
        }
    }

    /// A source that is one message.
    fn add_message(&mut self, role: Option<Role>, source: SourceText, at: proc_macro2::Span) {
        let nodes = self.parse_source(&source, self.parse_options(false), at);
        self.push_message(role, &nodes, source, at);
    }

    fn push_message(
        &mut self,
        role: Option<Role>,
        nodes: &[Node],
        mut source: SourceText,
        at: proc_macro2::Span,
    ) {
        let body = self.analyze_source(nodes, &mut source, |analyzer| {
            analyzer.resolve_message(nodes)
        });
        let index = self.out.sources.len();
        self.out.sources.push(source);
        self.out.steps.push(PromptStep::Message(TemplateMessage {
            role,
            body: body.nodes,
            used: body.used,
            shown: body.shown,
            is_answer: false,
            source: index,
            tag: None,
            at,
        }));
    }

    /// The options for parsing the texts of this prompt.
    fn parse_options(&self, roles: bool) -> Options {
        Options {
            roles,
            ..self.options
        }
    }

    fn parse_source(
        &mut self,
        source: &SourceText,
        options: Options,
        at: proc_macro2::Span,
    ) -> Vec<Node> {
        let fields = &self.out.fields;
        let names = match self.captures {
            // The key with the error may be the one that names the dialect.
            _ if self.case.broken || self.broken => KnownNames::Unknown,
            true => KnownNames::Captured(fields),
            false => KnownNames::Fields(fields),
        };
        let parsed = parse_in(&source.value, options, &self.tags, names);
        self.unparsed_names.clear();
        let mut parsed = parsed;
        if !source.has_escapes() && parsed.errors.is_empty() {
            let typed = typed_line_break(options.dialect, &parsed.template.nodes, &source.value);
            parsed.errors.extend(typed);
        }
        if let Some(blanks) = source.indentation
            && sends_indentation(&parsed.template.nodes)
        {
            let problem = problem::indented_with_code(blanks.end - blanks.start);
            parsed.errors.push(problem.at(blanks));
        }
        if !parsed.errors.is_empty() {
            self.out.readable = false;
            self.unparsed_names = unparsed_names(&parsed.template.nodes, &source.value);
        }
        // Without its feature, the dialect is one error for the whole prompt.
        let is_missing = !cfg!(feature = "jinja") && self.dialect == Dialect::Jinja;
        if !is_missing || self.errors.is_first_without_dialect() {
            self.note_errors(parsed.errors);
        }
        let index = self.out.sources.len();
        self.out
            .tags
            .extend(parsed.tags.into_iter().map(|tag| (index, tag)));
        if source.value.trim().is_empty() {
            self.out.readable = false;
            // rustc reports an escape that it does not know.
            if !source.is_broken() {
                self.errors.push(at, problem::empty_template());
            }
        }
        parsed.template.nodes
    }

    /// Notes errors of the source that is added next.
    fn note_errors(&mut self, errors: Vec<Error>) {
        let index = self.out.sources.len();
        self.found
            .extend(errors.into_iter().map(|error| (index, error)));
    }

    /// Reports the errors of the templates.
    fn report_errors(&mut self) {
        for (source, error) in merge_pasted_errors(self.dialect, std::mem::take(&mut self.found)) {
            self.out.sources[source].report(&error, self.errors);
        }
    }
}

impl Lowerer<'_, '_> {
    /// Inserts the few-shot examples of a file: its rows fill the messages so far.
    fn add_examples(&mut self, input: &Input, keys: &ItemKeys) {
        let mut given = keys.given.iter();
        let Some((key, path)) = given.find_map(|given| match &given.value {
            SourceKey::ExamplesFile(path) => Some((given.key, path)),
            _ => None,
        }) else {
            return;
        };
        if self.out.fragment {
            self.errors.push(key, fragment::no_turns());
            return;
        }
        let output = input.keys.output.as_ref().map(|output| &output.value);
        let examples = crate::examples::read_examples(&self.out, output, path, self.errors);
        let Some((source, examples)) = examples else {
            return;
        };
        self.out.sources.push(source);
        // An example precedes the last user message, wherever the key is.
        let roles = self.out.step_roles();
        let asked = history_position(&roles);
        let at = self
            .examples_at
            .unwrap_or_else(|| examples_position(&roles));
        self.out
            .steps
            .insert(at.min(asked), PromptStep::Examples(examples));
    }

    fn field_marked(&self, key: &str) -> Option<usize> {
        self.case
            .fields
            .iter()
            .position(|field| field.keys.has(key))
    }

    /// Adds the messages of the field that is marked with the key.
    fn add_messages_of_field(&mut self, key: &str, at: proc_macro2::Span) {
        match self.field_marked(key) {
            Some(field) => self.out.steps.push(PromptStep::History { field, at }),
            None => {
                self.errors.push(at, no_turns(key));
            }
        }
    }

    /// Inserts the messages of the fields without a position of their own. A slot may write examples as text instead.
    fn place_fields(&mut self) {
        if let Some(step) = self.unplaced_messages("history") {
            let position = history_position(&self.out.step_roles());
            self.out.steps.insert(position, step);
        }
        if let Some(step) = self.unplaced_messages("examples")
            && !matches!(step, PromptStep::History { field, .. } if uses_field(&self.out, field))
        {
            let position = examples_position(&self.out.step_roles());
            self.out.steps.insert(position, step);
        }
    }

    /// Marks the message with the answer.
    fn mark_answer(&mut self) {
        let Some(answer) = self.field_marked("answer") else {
            return;
        };
        let last = self.out.steps.len().saturating_sub(1);
        for (index, step) in self.out.steps.iter_mut().enumerate() {
            if let PromptStep::Message(message) = step {
                message.is_answer = index == last
                    && message.role == Some(Role::Assistant)
                    && message.uses_field(answer);
            }
        }
    }

    /// The messages of the field that is marked with the key, if no step contains them.
    fn unplaced_messages(&self, key: &str) -> Option<PromptStep> {
        let field = self.field_marked(key)?;
        let mut steps = self.out.steps.iter();
        let at = self.case.fields[field].ident.span();
        (!steps.any(|step| matches!(step, PromptStep::History { field: of, .. } if *of == field)))
            .then_some(PromptStep::History { field, at })
    }
}

/// The field whose messages a slot between role blocks names.
fn history_named(fields: &[Field], slot: &Slot) -> Option<usize> {
    let Expr::Path(path) = &slot.expr else {
        return None;
    };
    let [name] = &path.segments[..] else {
        return None;
    };
    fields.iter().position(|field| {
        field.name == name.value
            && ["history", "examples"]
                .iter()
                .any(|key| field.keys.has(key))
    })
}

impl Lowerer<'_, '_> {
    /// A source with role blocks, or without any one message, by default of the user. Returns whether it has role blocks.
    fn add_document(
        &mut self,
        source: SourceText,
        role: Option<Role>,
        at: proc_macro2::Span,
    ) -> bool {
        let nodes = self.parse_source(&source, self.parse_options(true), at);
        if !nodes.iter().any(|node| matches!(node, Node::Role(_))) {
            self.push_message(role.or(Some(Role::User)), &nodes, source, at);
            return false;
        }
        let ats: Vec<_> = nodes
            .iter()
            .map(|node| source.span(span_of_node(node)))
            .collect();
        let (mut source, case) = (source, self.case);
        let bodies = self.analyze_source(&nodes, &mut source, |analyzer| {
            analyzer.resolve_messages(&nodes, |slot| history_named(&case.fields, slot).is_some())
        });
        let (index, mut bodies) = (self.out.sources.len(), bodies.into_iter());
        for (node, at) in nodes.iter().zip(ats) {
            match node {
                Node::Role(block) => {
                    let body = bodies.next().unwrap_or_default();
                    self.out.steps.push(PromptStep::Message(TemplateMessage {
                        role: Some(block.role.value),
                        body: body.nodes,
                        used: body.used,
                        shown: body.shown,
                        is_answer: false,
                        source: index,
                        tag: Some(block.role.span),
                        at,
                    }));
                }
                Node::Slot(slot) => {
                    if let Some(field) = history_named(&case.fields, slot) {
                        self.out.steps.push(PromptStep::History { field, at });
                    }
                }
                _ => {}
            }
        }
        self.out.sources.push(source);
        true
    }

    /// Analyzes a source and reports its errors.
    fn analyze_source<T>(
        &mut self,
        nodes: &[Node],
        source: &mut SourceText,
        analyze: impl FnOnce(&mut Analyzer<'_>) -> T,
    ) -> T {
        let context = Context {
            dialect: self.dialect,
            fields: &self.out.fields,
            owner: &self.owner,
            captures: self.captures,
            tags: &self.tags,
            unparsed_names: &self.unparsed_names,
            fields_unparsed: self.case.broken,
            run_time: false,
            reserved: &OWN_NAMES,
        };
        let readable = self.out.readable;
        let run = |mut analyzer: Analyzer<'_>| (analyze(&mut analyzer), analyzer.finish());
        let (analyzed, (errors, readable)) = match self.dialect {
            #[cfg(feature = "jinja")]
            Dialect::Jinja => {
                let text = source.value.clone();
                let mut files =
                    include::IncludedFiles::new(source, self.options, &self.tags, &self.out.fields);
                let state = prompt_jinja_syntax::analysis::JinjaState::new(&mut files);
                run(Analyzer::new(context, &text, nodes, state, readable))
            }
            _ => {
                let text = &source.value;
                run(Analyzer::new(
                    context,
                    text,
                    nodes,
                    Default::default(),
                    readable,
                ))
            }
        };
        self.out.readable = readable;
        self.note_errors(errors);
        analyzed
    }
}

/// Whether a line of a message is indented: `{%-` removes blanks, and what is between role blocks is not sent.
fn sends_indentation(nodes: &[Node]) -> bool {
    let has_roles = nodes.iter().any(|node| matches!(node, Node::Role(_)));
    let mut is_sent = false;
    for node in nodes {
        if !has_roles || matches!(node, Node::Role(_)) {
            node.walk(&mut |node| {
                is_sent |= matches!(node, Node::Text(text) if text.text.contains("\n ") || text.text.contains("\n\t"));
            });
        }
    }
    is_sent
}

/// The bytes of a node that an error of the whole message marks.
fn span_of_node(node: &Node) -> Span {
    match node {
        Node::Role(block) => block.role.span,
        node => node.span(),
    }
}
