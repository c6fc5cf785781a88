//! Errors about text that was perhaps pasted and not written for this template language.

use crate::problem::{PossiblyPasted, literal as problem};
use crate::{Dialect, Error};

/// How many errors about pasted text are marked beside the first.
const MARKED: usize = 4;

/// Joins the errors about text that was perhaps pasted into one: two that are not likely mistakes in slots or tags of this prompt,
/// or three slots. Each error comes with the number of its source.
pub fn merge_pasted_errors(dialect: Dialect, errors: Vec<(usize, Error)>) -> Vec<(usize, Error)> {
    let found: Vec<(usize, &Error, &PossiblyPasted)> = errors
        .iter()
        .filter_map(|(source, error)| Some((*source, error, error.problem.pasted.as_deref()?)))
        .collect();
    let foreign = found.iter().filter(|(_, _, text)| !text.misspelt).count();
    let slots = found.iter().filter(|(_, _, text)| !text.block).count();
    if foreign < 2 && slots < 3 {
        return errors;
    }
    let first = found.iter().find(|(_, _, text)| !text.block);
    let &(source, first, _) = first.unwrap_or(&found[0]);
    let mut problem = problem::pasted_text(dialect, &found);
    let others = found
        .iter()
        .filter(|(other, error, _)| *other == source && error.span != first.span);
    for (_, error, _) in others.take(MARKED) {
        problem = problem.related_to(error.span, "and this");
    }
    let mut one = Some((source, problem.at(first.span)));
    let mut kept = Vec::new();
    for (source, error) in errors {
        match &error.problem.pasted {
            None => kept.push((source, error)),
            Some(_) => kept.extend(one.take()),
        }
    }
    kept
}
