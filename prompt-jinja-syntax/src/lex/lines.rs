//! `system:`, `user:`, `assistant:` on lines of their own, as in Prompty files. The white space around them is theirs.

use super::blank::blank_len;
use super::{JinjaLexer, PrecedingToken, WhitespaceControl};
use prompt_base::Span;
use prompt_syntax::dialect::LexTokenKind;
use prompt_syntax::problem::role::line_of_another_role;
use prompt_syntax::{Error, Role};

impl JinjaLexer<'_> {
    /// Takes the role lines of the text up to a position.
    pub(super) fn role_lines(&mut self, end: usize) {
        while let Some((line, role, error)) = next(self.text, self.lexed.done, end) {
            self.push_text_until(line.start, PrecedingToken::Slot(WhitespaceControl::Strip));
            self.end_role();
            self.lexed.push(LexTokenKind::Role(role), line.end, error);
            self.role = Some(role);
            let after = line.end + blank_len(&self.text[line.end..end]);
            self.skip_to(after);
        }
        // At the end of the text it ends the message.
        if self.role.is_some() && end == self.text.len() {
            self.push_text_until(end, PrecedingToken::Slot(WhitespaceControl::Strip));
        }
    }

    /// Ends the message that the last role line began.
    pub(super) fn end_role(&mut self) {
        if let Some(role) = self.role.take() {
            let here = self.lexed.done;
            self.lexed.push(LexTokenKind::EndRole(role), here, None);
        }
    }
}

/// The first line from here that is a role's, with the error of a role that only other tools have.
fn next(text: &str, from: usize, to: usize) -> Option<(Span, Role, Option<Error>)> {
    let mut at = from;
    while at < to {
        let begins = at == 0 || text[..at].ends_with(['\n', '\r']);
        let end = text[at..]
            .find(['\n', '\r'])
            .map_or(text.len(), |end| at + end);
        if begins && end <= to {
            let (line, span) = (&text[at..end], Span::new(at, end));
            if let Some(role) = line_role(line) {
                return Some((span, role, None));
            }
            if let Some(problem) = line_name(line).and_then(line_of_another_role) {
                return Some((span, Role::User, Some(problem.at(span))));
            }
        }
        at = end + 1;
    }
    None
}

/// The role of a line that contains nothing else: `system:`, `# User:`.
pub(crate) fn line_role(line: &str) -> Option<Role> {
    line_name(line).and_then(Role::from_any_case)
}

/// The text before the colon at the end of a line.
fn line_name(line: &str) -> Option<&str> {
    let name = line.trim().strip_suffix(':')?;
    Some(name.strip_prefix('#').unwrap_or(name).trim())
}
