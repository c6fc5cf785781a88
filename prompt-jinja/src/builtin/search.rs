//! Where a string contains another.

use std::ops::Range;

use super::{Host, Outcome, SourcedStr};

/// The positions at which a part occurs and acts, without overlaps, from the beginning or from the end.
pub(super) fn find_occurrences<H: Host>(
    host: &mut H,
    text: &H::Str,
    part: &H::Str,
    range: Range<usize>,
    most: usize,
    from_end: bool,
) -> Outcome<H, Vec<usize>> {
    host.charge_bytes(range.len() + part.len())?;
    let mut found = Vec::new();
    let mut rest = range;
    while found.len() < most {
        let searched = &text[rest.clone()];
        let next = match from_end {
            true => searched.rfind(&**part),
            false => searched.find(&**part),
        };
        let Some(at) = next.map(|at| rest.start + at) else {
            break;
        };
        let end = at + part.len();
        let acts = host.may_act(part, &text.slice(at..end))?;
        if acts {
            found.push(at);
        } else {
            host.charge_bytes(part.len().saturating_mul(2))?;
        }
        // One that does not act hides none that overlaps with it.
        let is_passed = acts && !part.is_empty();
        let char = match from_end {
            true => text[rest.start..end].chars().next_back(),
            false => text[at..rest.end].chars().next(),
        };
        match (char, from_end) {
            (None, _) => break,
            (_, true) if is_passed => rest.end = at,
            (_, false) if is_passed => rest.start = end,
            (Some(char), true) => rest.end = end - char.len_utf8(),
            (Some(char), false) => rest.start = at + char.len_utf8(),
        }
    }
    host.charge_items(found.len())?;
    Ok(found)
}
