//! A template against the fields that it may name: the same rules as at compile time.

mod blocks;
mod exprs;
mod names;

use prompt_syntax::near::near_slot;
use prompt_syntax::problem::answer::in_the_question;
use prompt_syntax::problem::field::{self, Form};
use prompt_syntax::problem::format::control_token;
use prompt_syntax::problem::role;
use prompt_syntax::{Error as Mistake, Expr, Node, Role, Span, is_said_beside};

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
    let (text, fields) = (&template.sources[0].text, &template.contract.fields);
    for (field, used) in fields.iter().zip(used) {
        let (name, kind) = (field.name, field.kind);
        if *used || kind.apart().is_some() || kind == FieldKind::Shots {
            continue;
        }
        let tag = template.tags.iter().find(|tag| tag.name.value == name);
        let names = fields.iter().map(|field| field.name);
        found.push(first(if let Some(tag) = tag {
            field::tag(Form::Derive, name, tag.close).at(tag.name.span)
        } else if let Some(near) = near_slot(text, template.dialect, name, names) {
            let written = near.span.of(text);
            field::nearly_used(Form::Derive, name, written, &near.slot).at(near.span)
        } else {
            let end = text.trim_end().len();
            let problem = field::unused(Form::Derive, name, template.dialect, "the template");
            problem.at(Span::new(end, end))
        }));
    }
}

/// One system message, at the front; an answer is asked for after the user's turn.
fn roles_stand_in_order(template: &Template, found: &mut Vec<Found>) {
    let (mut system, mut turns) = (false, false);
    for step in &template.steps {
        let Step::Role(said, node) = step else {
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
            found.push(first(role::empty(*said).at(span)));
        }
        if *said != Role::System {
            turns = true;
        } else if system {
            found.push(first(role::two_systems().at(span)));
        } else if turns {
            found.push(first(role::late_system().at(span)));
        }
        system |= *said == Role::System;
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
        found.push(first(role::nothing_to_answer().at(block.role.span)));
    }
}

/// Between role blocks only the history has a place.
fn only_turns_stand_between_roles(template: &Template, found: &mut Vec<Found>) {
    let nodes = &template.trees[0];
    if !nodes.iter().any(|node| matches!(node, Node::Role(_))) {
        return;
    }
    for (at, node) in nodes.iter().enumerate() {
        if let Node::Slot(slot) = node
            && template.turns_named(&slot.expr).is_none()
            && !is_said_beside(nodes, at)
        {
            found.push(first(role::slot_outside(template.dialect).at(slot.span)));
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
        let role = match step {
            Step::Role(role, _) | Step::Whole(role) => Some(*role),
            _ => None,
        };
        template.each_path_of(step, &mut |path| {
            let name = &path.segments[0].value;
            let fields = template.contract.fields.iter();
            if fields
                .clone()
                .any(|field| field.kind == FieldKind::Solution && field.name == name)
            {
                found.push(first(in_the_question(name, role).at(path.span)));
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
                let mistake = control_token(family, token).at(span);
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
