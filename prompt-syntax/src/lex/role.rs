//! `<system>`, `</system>` and the like: the same in every dialect that writes no blocks of its own.

use crate::Role;
use crate::token::TokenKind;
use crate::unicode::name_len;

/// The role's tag at a `<`, and its length.
pub(crate) fn tag(rest: &str) -> Option<(TokenKind, usize)> {
    let inside = rest.strip_prefix('<')?;
    let close = inside.strip_prefix('/');
    let inside = close.unwrap_or(inside);
    let (name, after) = inside.split_at(name_len(inside));
    let role = Role::from_name(name)?;
    let after = after.trim_start_matches([' ', '\t']).strip_prefix('>')?;
    let kind = match close {
        Some(_) => TokenKind::EndRole(role),
        None => TokenKind::Role(role),
    };
    Some((kind, rest.len() - after.len()))
}
