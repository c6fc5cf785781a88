//! Checks a run-time template against the fields that it may name, by the same analysis as at compile time.

use std::collections::HashSet;

use prompt_base::Span;
use prompt_family::foreign_token_in;
use prompt_jinja_syntax::analysis::JinjaState;
use prompt_jinja_syntax::{Include, Included, Includes, Jinja, Node, Slot};
use prompt_syntax::analysis::{
    self, Analyzer, Context, ResolvedText, control_tokens, exposed_answer, foreign_control_tokens,
    is_only_tested, media_slots, role_order, untrusted_uses,
};
use prompt_syntax::near::near_slot;
use prompt_syntax::problem::field::{self, MacroKind};
use prompt_syntax::problem::literal::slot_of_kind;
use prompt_syntax::problem::{Problem, compare, value};
use prompt_syntax::{Dialect, Error as Mistake, Role, XmlTags};

use super::fields::{Contract, FieldKind};
use super::template::{Found, RunTimeTemplate, TemplateStep};

/// The annotated text of one step.
struct AnalyzedMessage {
    step: usize,
    role: Role,
    text: ResolvedText<Jinja>,
}

/// Checks a template and returns the step with the answer. Each function is one rule.
pub(super) fn check_template(
    template: &RunTimeTemplate,
    owner: &str,
    found: &mut Vec<Found>,
) -> Option<usize> {
    let fields = describe_fields(template.contract, template.options.dialect);
    let sources = Sources::from_template(template);
    let (messages, mut mistakes) = analyze_steps(template, owner, &fields, &sources);
    for message in messages
        .iter()
        .filter(|message| message.role == Role::System)
    {
        mistakes.extend(untrusted_uses(
            MacroKind::Derive,
            template.options.dialect,
            &fields,
            &message.text.nodes,
        ));
        for (name, span) in media_slots(&message.text.nodes) {
            mistakes.push(value::media_in_system(name).at(span));
        }
    }
    let answer = find_answer(template, &fields, &messages);
    let is_clean = mistakes.is_empty() && found.is_empty();
    for message in &messages {
        if answer != Some(message.step) {
            mistakes.extend(exposed_answer(
                &fields,
                Some(message.role),
                &message.text.used,
            ));
        }
        let family = template.family;
        if !template.options.input_only && is_clean {
            let find = |text: &str| {
                let (other, token) = foreign_token_in(text, family)?;
                Some((other.title, other.name, token))
            };
            let dialect = template.options.dialect;
            mistakes.extend(foreign_control_tokens(
                dialect,
                true,
                family.map(|family| family.name),
                find,
                &sources.text,
                &message.text.nodes,
            ));
        }
        if let Some(family) = family {
            mistakes.extend(control_tokens(
                family.title,
                |text| family.control_tokens_in(text),
                &sources.text,
                &message.text.nodes,
            ));
        }
    }
    let mut spans = found
        .iter()
        .map(|found| (found.source, found.mistake.span))
        .collect();
    for mistake in mistakes {
        sources.add_mistake(mistake, &mut spans, found);
    }
    if is_clean {
        check_unused_fields(template, &fields, &messages, found);
    }
    check_role_order(template, &fields, found);
    found.sort_by_key(|found| (found.source, found.mistake.span.start));
    answer
}

/// The step with the answer: the assistant's message at the end.
fn find_answer(
    template: &RunTimeTemplate,
    fields: &[analysis::FieldInfo],
    messages: &[AnalyzedMessage],
) -> Option<usize> {
    let is_prelude = |step: &TemplateStep| matches!(step, TemplateStep::Prelude(_));
    let end = template.steps.iter().rposition(|step| !is_prelude(step))?;
    let last = messages.last().filter(|last| last.step == end)?;
    let is_block = matches!(template.steps[end], TemplateStep::Role(Role::Assistant, _));
    let has_answer = || !exposed_answer(fields, None, &last.text.used).is_empty();
    (is_block && has_answer()).then_some(end)
}

/// The fields as the analysis sees them.
pub(super) fn describe_fields(contract: &Contract, dialect: Dialect) -> Vec<analysis::FieldInfo> {
    let info = |field: &super::fields::Field| analysis::FieldInfo {
        name: field.name.to_owned(),
        kind: match dialect {
            Dialect::Jinja => field.kind.value_kind(),
            _ => field.kind.value_kind().in_plain_dialects(),
        },
        trusted: field.trusted,
        excluded_by: field.kind.excluded_by(),
        answer: matches!(field.kind, FieldKind::Solution(_)),
    };
    contract.fields.iter().map(info).collect()
}

/// Analyzes all steps: their texts, and the mistakes with spans of the joined sources.
fn analyze_steps(
    template: &RunTimeTemplate,
    owner: &str,
    fields: &[analysis::FieldInfo],
    sources: &Sources<'_>,
) -> (Vec<AnalyzedMessage>, Vec<Mistake>) {
    let nodes = &template.trees[0];
    let context = Context {
        dialect: template.options.dialect,
        fields,
        owner,
        captures: false,
        tags: &XmlTags::default(),
        unparsed_names: &[],
        fields_unparsed: false,
        run_time: true,
        reserved: &[],
    };
    let mut files = Files {
        template,
        sources,
        around: vec![0],
    };
    let mut analyzer = Analyzer::new(
        context,
        &sources.text,
        nodes,
        JinjaState::new(&mut files),
        true,
    );
    let is_turns = |slot: &Slot| template.turns_named(&slot.expr).is_some();
    let texts = match template.has_blocks() {
        true => analyzer.resolve_messages(nodes, is_turns),
        false => vec![analyzer.resolve_message(nodes)],
    };
    let (mut messages, mut texts) = (Vec::new(), texts.into_iter());
    for (step, kind) in template.steps.iter().enumerate() {
        if let TemplateStep::Whole(role) | TemplateStep::Role(role, _) = kind {
            let (role, text) = (*role, texts.next().unwrap_or_default());
            messages.push(AnalyzedMessage { step, role, text });
        }
    }
    let compared = analyzer.compared_texts();
    let (mut mistakes, _) = analyzer.finish();
    for compared in compared {
        let Some(field) = template.contract.fields.get(compared.field) else {
            continue;
        };
        let Some(labels) = field.labels else { continue };
        if !labels.contains(&&*compared.text) {
            let problem = compare::unknown_label(&compared.text, field.name, labels);
            mistakes.push(problem.at(compared.span));
        }
    }
    (messages, mistakes)
}

/// The texts of a template one after the other, so that a span of them identifies its source.
struct Sources<'t> {
    text: std::borrow::Cow<'t, str>,
    /// Where each source begins.
    starts: Vec<usize>,
}

impl<'t> Sources<'t> {
    fn from_template(template: &'t RunTimeTemplate) -> Sources<'t> {
        let [first, rest @ ..] = &template.sources[..] else {
            return Sources {
                text: "".into(),
                starts: vec![0],
            };
        };
        let (mut text, mut starts) = (std::borrow::Cow::from(&first.text), vec![0]);
        for source in rest {
            let text = text.to_mut();
            // A byte between keeps the end of one from being the beginning of the next.
            text.push('\n');
            starts.push(text.len());
            text.push_str(&source.text);
        }
        Sources { text, starts }
    }

    /// Adds a mistake, unless it is known: a macro is analyzed once for each call.
    /// `spans` are those of the mistakes found, so that only mistakes at one span are compared.
    fn add_mistake(
        &self,
        mut mistake: Mistake,
        spans: &mut HashSet<(usize, Span)>,
        found: &mut Vec<Found>,
    ) {
        let after = self
            .starts
            .partition_point(|start| *start <= mistake.span.start);
        let source = after.saturating_sub(1);
        let start = self.starts[source];
        mistake.span = Span::new(mistake.span.start - start, mistake.span.end - start);
        let is_new = spans.insert((source, mistake.span))
            || !found.iter().any(|found| {
                found.source == source
                    && found.mistake == mistake
                    && found.mistake.span == mistake.span
            });
        if is_new {
            found.push(Found { source, mistake });
        }
    }
}

/// The included files, which were read with the template.
struct Files<'t> {
    template: &'t RunTimeTemplate,
    sources: &'t Sources<'t>,
    /// The sources that are being analyzed, the innermost last.
    around: Vec<usize>,
}

impl Includes for Files<'_> {
    fn enter_file(&mut self, include: &Include, _: usize) -> Result<Included, Problem> {
        let source = self.around.last().copied().unwrap_or_default();
        let key = (source, include.path.span.start);
        // A file that could not be read is a mistake of its own.
        let tree = self.template.included.get(&key).copied();
        self.around.push(tree.unwrap_or(source));
        Ok(Included {
            offset: tree.map_or(0, |tree| self.sources.starts[tree]),
            nodes: tree.map_or_else(Vec::new, |tree| self.template.trees[tree].clone()),
            errors: Vec::new(),
        })
    }

    fn leave_file(&mut self) {
        self.around.pop();
    }
}

fn in_main_source(mistake: Mistake) -> Found {
    Found { source: 0, mistake }
}

/// A field that no slot uses was forgotten.
fn check_unused_fields(
    template: &RunTimeTemplate,
    kinds: &[analysis::FieldInfo],
    messages: &[AnalyzedMessage],
    found: &mut Vec<Found>,
) {
    let (text, fields) = (&template.sources[0].text, &template.contract.fields);
    let mut used = vec![false; fields.len()];
    for message in messages {
        for field in &message.text.used {
            used[field.field] = true;
        }
    }
    for (index, ((field, info), used)) in fields.iter().zip(kinds).zip(used).enumerate() {
        let (name, kind) = (field.name, field.kind);
        let tag = template.tags.iter().find(|tag| tag.name.value == name);
        let bodies = messages.iter().map(|message| &message.text.nodes[..]);
        if let Some(tag) = tag.filter(|_| used && is_only_tested(info, index, bodies)) {
            let problem = field::tested_xml_tag(MacroKind::Derive, name, tag.close);
            found.push(in_main_source(problem.at(tag.name.span)));
        }
        if used || kind.excluded_by().is_some() || matches!(kind, FieldKind::Examples) {
            continue;
        }
        let names = fields.iter().map(|field| field.name);
        found.push(in_main_source(if let Some(tag) = tag {
            field::field_as_xml_tag(MacroKind::Derive, name, tag.close).at(tag.name.span)
        } else if let Some(near) = near_slot(text, template.options, name, names) {
            let written = near.span.of(text);
            field::nearly_used(MacroKind::Derive, name, written, &near.slot).at(near.span)
        } else {
            let end = text.trim_end().len();
            let slot = slot_of_kind(template.options, name, &info.kind, false);
            let problem = match info.answer {
                true => field::answer_without_block(template.options.dialect, name, &slot),
                false => field::unused_field(MacroKind::Derive, name, &slot, "the template"),
            };
            problem.at(Span::new(end, end))
        }));
    }
}

/// One system message, at the front; a prompt that a model answers ends before the answer.
fn check_role_order(
    template: &RunTimeTemplate,
    fields: &[analysis::FieldInfo],
    found: &mut Vec<Found>,
) {
    let steps = template.steps.iter();
    let steps = steps.filter(|step| !matches!(step, TemplateStep::Prelude(_)));
    let (roles, blocks): (Vec<_>, Vec<_>) = steps
        .map(|step| match step {
            TemplateStep::Role(role, node) => (Some(*role), Some(*node)),
            _ => (None, None),
        })
        .unzip();
    // Where a field is the answer, a template that lacks its slot is another error.
    let asks = template.contract.answered && !fields.iter().any(|field| field.answer);
    for (index, problem) in role_order(&roles, asks) {
        if let Some(Node::Role(block)) = blocks[index].map(|node| &template.trees[0][node]) {
            found.push(in_main_source(problem.at(block.role.span)));
        }
    }
}
