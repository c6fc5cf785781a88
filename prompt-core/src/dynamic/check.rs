//! A template against the fields that it may name: the same rules as at compile time.

mod blocks;
mod exprs;
mod names;
mod problem;

use prompt_syntax::{Dialect, Error as Mistake, Expr, Node, Role, Span};

use self::names::Names;
use super::fields::FieldKind;
use super::template::{Found, Step, Template, each};

/// Each function is one rule.
pub(super) fn check(template: &Template, owner: &str, found: &mut Vec<Found>) {
    let used = Names::new(template, owner, found).all();
    if found.is_empty() {
        every_field_has_a_slot(template, &used, found);
    }
    roles_stand_in_order(template, found);
    only_turns_stand_between_roles(template, found);
    the_answer_stands_at_the_end(template, found);
    text_holds_no_control_token(template, found);
    found.sort_by_key(|found| (found.source, found.mistake.span.start));
}

fn first(mistake: Mistake) -> Found {
    Found { source: 0, mistake }
}

/// A field that no slot uses was forgotten.
fn every_field_has_a_slot(template: &Template, used: &[bool], found: &mut Vec<Found>) {
    for (field, used) in template.contract.fields.iter().zip(used) {
        let (name, kind) = (field.name, field.kind);
        if *used || kind.apart().is_some() || kind == FieldKind::Shots {
            continue;
        }
        let slot = match template.dialect {
            Dialect::Angle => format!("<{name}>"),
            Dialect::Brace => format!("{{{name}}}"),
            Dialect::Jinja => format!("{{{{ {name} }}}}"),
        };
        let tag = template.tags.iter().find(|tag| tag.name.value == name);
        found.push(first(match tag {
            Some(tag) => Mistake::new(
                tag.name.span,
                format!("`<{name}>` and `</{name}>` are an XML tag here, so the field `{name}` has no slot"),
            )
            .label("stays text")
            .related(tag.close, "because of this")
            .help(format!("write the slot as `<input:{name}>`, or mark the field `#[prompt(skip)]`")),
            None => {
                let end = template.sources[0].text.trim_end().len();
                Mistake::new(Span::new(end, end), format!("no slot uses the field `{name}`"))
                    .label("the template ends here")
                    .help(format!("write `{slot}` in the template, or mark the field `#[prompt(skip)]`"))
            }
        }));
    }
}

/// One system message, at the front; an answer is asked for after the user's turn.
fn roles_stand_in_order(template: &Template, found: &mut Vec<Found>) {
    let (mut system, mut turns) = (false, false);
    for step in &template.steps {
        let Step::Role(role, node) = step else {
            turns |= !matches!(step, Step::Prelude(_));
            continue;
        };
        let Node::Role(block) = &template.trees[0][*node] else {
            continue;
        };
        let span = block.role.span;
        let is_blank =
            |node: &Node| matches!(node, Node::Text(text) if text.text.trim().is_empty());
        if block.body.iter().all(is_blank) {
            let message = format!("the `{}` message is empty", role.name());
            found.push(first(
                Mistake::new(span, message)
                    .label("says nothing")
                    .help("write its text, or leave the block out"),
            ));
        }
        if *role != Role::System {
            turns = true;
        } else if system {
            found.push(first(
                Mistake::new(span, "there are two system messages")
                    .label("the second one")
                    .help("make one `system` text of them"),
            ));
        } else if turns {
            found.push(first(
                Mistake::new(span, "the system message comes after a turn")
                    .label("too late")
                    .help("write `system` first"),
            ));
        }
        system |= *role == Role::System;
    }
    let last = template
        .steps
        .iter()
        .rposition(|step| !matches!(step, Step::Prelude(_)));
    if let Some(Step::Role(Role::Assistant, node)) = last.map(|last| template.steps[last])
        && template.contract.answered
        && template.answer() != last
        && let Node::Role(block) = &template.trees[0][node]
    {
        found.push(first(
            Mistake::new(
                block.role.span,
                "the assistant speaks last, and yet an answer is asked for",
            )
            .label("nothing is left to answer")
            .help("end with a `user` text, or take `output` away"),
        ));
    }
}

/// Between role blocks only the history has a place.
fn only_turns_stand_between_roles(template: &Template, found: &mut Vec<Found>) {
    let nodes = &template.trees[0];
    if !nodes.iter().any(|node| matches!(node, Node::Role(_))) {
        return;
    }
    for node in nodes {
        if let Node::Slot(slot) = node
            && template.turns_named(&slot.expr).is_none()
        {
            found.push(first(
                Mistake::new(slot.span, "this slot stands outside of the roles")
                    .label("said by nobody")
                    .help("move it into `<system>…</system>`, `<user>…</user>` or `<assistant>…</assistant>`; only a `#[prompt(history)]` or `#[prompt(shots)]` field stands between them"),
            ));
        }
    }
}

/// What a model is to find out must not be in what it reads.
fn the_answer_stands_at_the_end(template: &Template, found: &mut Vec<Found>) {
    let answer = template.answer();
    for (index, step) in template
        .steps
        .iter()
        .enumerate()
        .filter(|(index, _)| Some(*index) != answer)
    {
        let turn = match step {
            Step::Role(Role::Assistant, _) => "a turn that is not the last",
            Step::Role(Role::System, _) | Step::Whole(Role::System) => "the system message",
            _ => "the user's message",
        };
        template.each_path_of(step, &mut |path| {
            let name = &path.segments[0].value;
            let fields = template.contract.fields.iter();
            if fields
                .clone()
                .any(|field| field.kind == FieldKind::Solution && field.name == name)
            {
                found.push(first(
                    Mistake::new(path.span, format!("the answer `{name}` stands in {turn}"))
                        .label("the model would read it")
                        .help("end with an `assistant` text, and write the slot there"),
                ));
            }
        });
        let _ = index;
    }
}

/// The template's own words must not be structure of the format that they are written for.
fn text_holds_no_control_token(template: &Template, found: &mut Vec<Found>) {
    let Some(family) = template.family else {
        return;
    };
    for (source, tree) in template.trees.iter().enumerate() {
        each(tree, &mut |node| {
            let Node::Text(text) = node else { return };
            for token in family
                .tokens
                .iter()
                .filter(|token| text.text.contains(**token))
            {
                let written = text.span.of(&template.sources[source].text);
                let span = written.find(token).map_or(text.span, |at| {
                    Span::new(text.span.start + at, text.span.start + at + token.len())
                });
                let mistake = Mistake::new(
                    span,
                    format!("`{token}` is structure in the format {}", family.title),
                )
                .label("a control token")
                .help("remove it: the format writes it where it belongs");
                found.push(Found { source, mistake });
            }
        });
    }
}

/// The names that a condition finds a value for where it holds, or where it does not.
fn finds<'t>(condition: &'t Expr, holds: bool, out: &mut Vec<&'t str>) {
    match condition {
        Expr::Path(path) if holds => match &path.segments[..] {
            [name] => out.push(name.as_str()),
            [of, part] if of.value == "loop" && part.value == "previtem" => {
                out.push("loop.previtem");
            }
            [of, part] if of.value == "loop" && part.value == "nextitem" => {
                out.push("loop.nextitem");
            }
            _ => {}
        },
        Expr::Not(inner) => finds(&inner.value, !holds, out),
        Expr::And(sides) if holds => {
            finds(&sides.0, true, out);
            finds(&sides.1, true, out);
        }
        Expr::Or(sides) if !holds => {
            finds(&sides.0, false, out);
            finds(&sides.1, false, out);
        }
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
                && literal.value == prompt_syntax::Literal::None
            {
                let differs = op.value == prompt_syntax::CompareOp::Ne;
                let is_equality = differs || op.value == prompt_syntax::CompareOp::Eq;
                if is_equality && differs == holds {
                    finds(&compare.first, true, out);
                }
            }
        }
        _ => {}
    }
}
