//! A parsed template with its includes, its messages and the errors found in them.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use prompt_base::Span;
use prompt_base::snippet;
use prompt_family::Family;
use prompt_jinja_syntax::problem::file as problem;
use prompt_jinja_syntax::{Expr, JinjaNode, Node};
use prompt_syntax::analysis::{examples_position, history_position};
use prompt_syntax::front_matter::is_path_of_template;
use prompt_syntax::problem::file::{MAX_BYTES, at_run_time};
use prompt_syntax::{
    Error as Mistake, KnownNames, LanguageNode as _, Options, Role, XmlTag, XmlTags,
    merge_pasted_errors, parse_in, typed_line_break,
};

use super::check::{check_template, describe_fields};
use super::fields::{Contract, FieldKind};
use super::file;
use super::front_matter::TemplateSettings;
use prompt_core::{Error, ErrorKind, Result};

/// A template that was read and checked: its texts, its trees, and what follows what.
pub(super) struct RunTimeTemplate {
    pub(super) contract: &'static Contract,
    /// How the text is read.
    pub(super) options: Options,
    /// The control tokens of its format.
    pub(super) family: Option<&'static Family>,
    /// The text itself, and those that it includes.
    pub(super) sources: Vec<TemplateSource>,
    /// The tree of each text.
    pub(super) trees: Vec<Vec<Node>>,
    /// Which text an `include` at a position of a text is for.
    pub(super) included: HashMap<(usize, usize), usize>,
    pub(super) steps: Vec<TemplateStep>,
    /// XML pairs of the first text.
    pub(super) tags: Vec<XmlTag>,
    /// The bytes of all texts.
    bytes: usize,
    /// Whether the trees are whole: if not, what is missing may only seem so.
    readable: bool,
    /// The step with the answer: the assistant's message at the end.
    pub(super) answer: Option<usize>,
    /// The names of paths, as data is marked with them.
    names: HashMap<String, &'static str>,
}

/// A text node of a template.
pub(super) struct TemplateSource {
    pub(super) name: Option<String>,
    pub(super) text: String,
    /// The line that it begins on: after the front matter.
    pub(super) line: usize,
    pub(super) path: Option<PathBuf>,
}

impl TemplateSource {
    pub(super) fn snippet(&self) -> snippet::Source<'_> {
        snippet::Source {
            name: self.name.as_deref(),
            text: &self.text,
            line: self.line,
            column: 0,
        }
    }
}

/// The instructions of a template, in order.
#[derive(Clone, Copy)]
pub(super) enum TemplateStep {
    /// Nodes of the first tree between the roles, which later messages see: from one to another.
    Prelude(usize),
    /// A role block of the first tree.
    Role(Role, usize),
    /// All of the first tree, of a template without roles.
    Whole(Role),
    /// The turns of a field.
    Turns(usize),
}

/// A mistake, and the text that it is in.
pub(super) struct Found {
    pub(super) source: usize,
    pub(super) mistake: Mistake,
}

/// More files inside each other than anyone writes.
const MAX_INCLUDE_DEPTH: usize = 32;

impl RunTimeTemplate {
    /// Reads a text and what it includes, and checks it against the fields.
    pub(super) fn parse_and_check(
        source: TemplateSource,
        settings: TemplateSettings,
        owner: &str,
        contract: &'static Contract,
    ) -> Result<RunTimeTemplate> {
        let options = settings.options;
        if source.text.trim().is_empty() {
            let empty = at_run_time::empty_file();
            return Err(file::template_error(&empty, source.path.as_deref()));
        }
        if is_path_of_template(&source.text, options, !contract.fields.is_empty()) {
            let problem = at_run_time::path_as_text();
            return Err(file::template_error(&problem, source.path.as_deref()));
        }
        let mut template = RunTimeTemplate {
            contract,
            options,
            family: settings.family,
            sources: Vec::new(),
            trees: Vec::new(),
            included: HashMap::new(),
            steps: Vec::new(),
            tags: Vec::new(),
            names: HashMap::new(),
            bytes: 0,
            readable: true,
            answer: None,
        };
        let mut found = Vec::new();
        template.add_source(source, options, &mut Vec::new(), &mut found);
        template.order_messages(settings.role.map_or(Role::User, |(role, _)| role));
        if template.readable {
            template.answer = check_template(&template, owner, &mut found);
        }
        if let Some(error) = template.mistakes_error(found) {
            return Err(error);
        }
        template.intern_paths();
        Ok(template)
    }

    fn add_source(
        &mut self,
        source: TemplateSource,
        options: Options,
        around: &mut Vec<PathBuf>,
        found: &mut Vec<Found>,
    ) -> usize {
        let index = self.sources.len();
        let fields = describe_fields(self.contract, options.dialect);
        let names = KnownNames::Fields(&fields);
        let parsed = parse_in(&source.text, options, &XmlTags::default(), names);
        let mut parsed = parsed;
        // Of the text of a string it is not known how it was written.
        if source.path.is_some() && parsed.errors.is_empty() {
            let typed = typed_line_break(options.dialect, &parsed.template.nodes, &source.text);
            parsed.errors.extend(typed);
        }
        self.readable &= parsed.errors.is_empty();
        found.extend(parsed.errors.into_iter().map(|mistake| Found {
            source: index,
            mistake,
        }));
        let mut includes = Vec::new();
        collect_includes(&parsed.template.nodes, &mut includes);
        let path = source.path.clone();
        self.bytes += source.text.len();
        self.sources.push(source);
        self.trees.push(parsed.template.nodes);
        if index == 0 {
            self.tags = parsed.tags;
        }
        around.extend(path.clone());
        for (name, span) in includes {
            if found.len() > MAX_DRAWN {
                break;
            }
            let mut refuse = |mistake| {
                found.push(Found {
                    source: index,
                    mistake,
                });
            };
            let Some(folder) = path.as_deref().and_then(Path::parent) else {
                refuse(problem::beside_nothing(&name).at(span));
                continue;
            };
            if self.bytes > MAX_BYTES || self.sources.len() > problem::MAX_FILES {
                refuse(problem::too_long().at(span));
                break;
            }
            let file = folder.join(&name);
            if around.contains(&file) || around.len() >= MAX_INCLUDE_DEPTH {
                let chain: Vec<String> = around
                    .iter()
                    .skip_while(|other| **other != file)
                    .chain([&file])
                    .map(|path| path.display().to_string())
                    .collect();
                let chain: Vec<&str> = chain.iter().map(String::as_str).collect();
                refuse(problem::includes_itself(&name, &chain).at(span));
                continue;
            }
            match file::read_included(&file) {
                Ok(text) => {
                    let source = TemplateSource {
                        name: Some(file.display().to_string()),
                        text,
                        line: 1,
                        path: Some(file),
                    };
                    let options = Options {
                        roles: false,
                        role_lines: false,
                        ..options
                    };
                    let tree = self.add_source(source, options, around, found);
                    self.included.insert((index, span.start), tree);
                }
                Err(problem) => refuse(problem::in_included_file(problem).at(span)),
            }
        }
        around.pop();
        index
    }

    /// The order of messages: roles as they are written, the turns of fields at their position.
    fn order_messages(&mut self, role: Role) {
        let nodes = &self.trees[0];
        if !nodes.iter().any(|node| matches!(node, Node::Role(_))) {
            self.steps.push(TemplateStep::Whole(role));
        } else {
            for (index, node) in nodes.iter().enumerate() {
                match node {
                    Node::Role(block) => {
                        self.steps.push(TemplateStep::Role(block.role.value, index));
                    }
                    Node::Other(node) if node.is_prelude() => {
                        self.steps.push(TemplateStep::Prelude(index));
                    }
                    Node::Slot(slot) => {
                        self.steps
                            .extend(self.turns_named(&slot.expr).map(TemplateStep::Turns));
                    }
                    _ => {}
                }
            }
        }
        let fields = self.contract.fields;
        let is_placed = |steps: &[TemplateStep], field| {
            let mut steps = steps.iter();
            steps.any(|step| matches!(step, TemplateStep::Turns(of) if *of == field))
        };
        let history = fields
            .iter()
            .position(|field| matches!(field.kind, FieldKind::History));
        let history = history.filter(|field| !is_placed(&self.steps, *field));
        if let Some(field) = history {
            let position = history_position(&self.step_roles());
            self.steps.insert(position, TemplateStep::Turns(field));
        }
        let examples = fields
            .iter()
            .position(|field| matches!(field.kind, FieldKind::Examples));
        let examples = examples.filter(|field| !is_placed(&self.steps, *field));
        if let Some(field) =
            examples.filter(|field| !self.names_field(self.contract.fields[*field].name))
        {
            let position = examples_position(&self.step_roles());
            self.steps.insert(position, TemplateStep::Turns(field));
        }
    }

    /// The role of each step, or `None` for messages of a field. Names that are set between the roles precede what the system
    /// message precedes.
    fn step_roles(&self) -> Vec<Option<Role>> {
        let steps = self.steps.iter();
        let roles = steps.map(|step| match step {
            TemplateStep::Role(role, _) | TemplateStep::Whole(role) => Some(*role),
            TemplateStep::Prelude(_) => Some(Role::System),
            TemplateStep::Turns(_) => None,
        });
        roles.collect()
    }

    /// The field of turns that a slot names.
    pub(super) fn turns_named(&self, expr: &Expr) -> Option<usize> {
        let Expr::Path(path) = expr else { return None };
        let [name] = &path.segments[..] else {
            return None;
        };
        self.contract.fields.iter().position(|field| {
            field.name == name.value
                && matches!(field.kind, FieldKind::History | FieldKind::Examples)
        })
    }

    fn names_field(&self, name: &str) -> bool {
        let mut named = false;
        self.each_expr(&mut |expr| {
            if let Expr::Path(path) = expr {
                named |= path.segments[0].value == name;
            }
        });
        named
    }

    /// Whether its text is in role blocks.
    pub(super) fn has_blocks(&self) -> bool {
        self.steps
            .iter()
            .any(|step| matches!(step, TemplateStep::Role(..)))
    }

    /// Calls `see` for each expression of each text.
    pub(super) fn each_expr<'a>(&'a self, see: &mut impl FnMut(&'a Expr)) {
        for tree in &self.trees {
            walk_exprs(tree, see);
        }
    }

    /// The whole text of paths becomes the name of their data.
    fn intern_paths(&mut self) {
        let mut names = HashMap::new();
        self.each_expr(&mut |expr| {
            if let Expr::Path(path) = expr {
                let name = path.dotted();
                let kept = intern_name(&name);
                names.insert(name, kept);
            }
        });
        self.names = names;
    }

    pub(super) fn path_name(&self, dotted: &str) -> Option<&'static str> {
        self.names.get(dotted).copied()
    }

    /// All mistakes as one error: the first, and the others below it. Of very many, it counts those that it does not draw.
    fn mistakes_error(&self, found: Vec<Found>) -> Option<Error> {
        let found = found.into_iter().map(|found| (found.source, found.mistake));
        let found = merge_pasted_errors(self.options.dialect, found.collect());
        let (shown, left) = found.split_at(found.len().min(MAX_DRAWN));
        let mut errors = shown
            .iter()
            .map(|(source, mistake)| draw_mistake(mistake, &self.sources[*source].snippet()));
        let first = errors.next()?;
        let mut others: Vec<Error> = errors.collect();
        if !left.is_empty() {
            let message = format!("the template has {} more mistakes", left.len());
            others.push(Error::new(ErrorKind::Template, message));
        }
        Some(first.with_others(others))
    }
}

/// How many mistakes of one template are drawn. A drawing takes time that grows with the length of its line.
const MAX_DRAWN: usize = 100;

/// A mistake as an error, with its position.
pub(super) fn draw_mistake(mistake: &Mistake, source: &snippet::Source<'_>) -> Error {
    let label = mistake.label().unwrap_or_default();
    let snippet = snippet::draw(source, mistake.span, label, mistake.related());
    let error = Error::new(ErrorKind::Template, mistake.message()).with_snippet(snippet);
    match mistake.help() {
        Some(help) => error.with_help(help),
        None => error,
    }
}

fn collect_includes(nodes: &[Node], out: &mut Vec<(String, Span)>) {
    walk_nodes(nodes, &mut |node| {
        if let Node::Other(JinjaNode::Include(include)) = node {
            out.push((include.path.value.clone(), include.path.span));
        }
    });
}

/// Calls `see` for each node and all inside it.
pub(super) fn walk_nodes<'a>(nodes: &'a [Node], see: &mut dyn FnMut(&'a Node)) {
    nodes.iter().for_each(|node| node.walk(see));
}

fn walk_exprs<'a>(nodes: &'a [Node], see: &mut dyn FnMut(&'a Expr)) {
    walk_nodes(nodes, &mut |node| {
        node.each_expr(&mut |expr| expr.walk(see));
    });
}

/// Returns the name with a static lifetime. Each name is kept once for as long as the program runs: the ranges of data in a
/// text name their slots.
pub(super) fn intern_name(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let kept: &'static str = Box::leak(name.into());
    names.insert(kept);
    kept
}
