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
    let position = |(at, _): (usize, &str)| range.start + at;
    let searched = &text[range.clone()];
    let positions: &mut dyn Iterator<Item = usize> = match from_end {
        true => &mut searched.rmatch_indices(&**part).map(position),
        false => &mut searched.match_indices(&**part).map(position),
    };
    let mut found = Vec::new();
    for at in positions {
        if found.len() == most {
            break;
        }
        if host.may_act(part, &text.slice(at..at + part.len()))? {
            found.push(at);
        }
    }
    host.charge_items(found.len())?;
    Ok(found)
}
