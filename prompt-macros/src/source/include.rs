//! Files that are included in a Jinja template, and tokens that errors of run time quote.

use std::path::Path;

use prompt_syntax::problem::Problem;

use super::{
    SourcePart, SourceText, display_path, package_root, read_text, resolve_path, similar_file,
};

/// A token of the source, and some bytes of it.
pub(crate) struct QuotedToken<'a> {
    /// Which of the source's tokens it is.
    pub(crate) index: usize,
    pub(crate) text: &'a str,
    pub(crate) file: Option<&'a str>,
    /// Whether it is the whole of a template file.
    pub(crate) included: bool,
    /// Counted from 1.
    pub(crate) line: usize,
    /// Counted from 0.
    pub(crate) column: usize,
    pub(crate) range: std::ops::Range<usize>,
}

impl SourceText {
    /// The name of a file that is named from another one: it is looked for in the same folder.
    pub(crate) fn resolve_beside(
        &self,
        at: prompt_base::Span,
        name: &str,
    ) -> Result<String, Problem> {
        resolve_path(self.file_name(at).as_deref(), name)
    }

    /// The template file that these bytes come from.
    pub(crate) fn file_name(&self, at: prompt_base::Span) -> Option<String> {
        let piece = self.piece_at(at.start)?;
        piece.is_file.then(|| piece.token.file.clone()).flatten()
    }

    /// The path of a file that an include was meant to name, as it is written there: a file that a folder above has under this name, or one with a
    /// similar name.
    pub(crate) fn suggest_include(file: &str, name: &str) -> Option<String> {
        let root = package_root();
        let mut folders = Path::new(file).parent()?.ancestors().enumerate();
        let above = folders.find(|(_, folder)| root.join(folder).join(name).is_file());
        if let Some((levels, _)) = above {
            return Some("../".repeat(levels) + name);
        }
        let beside = resolve_path(Some(file), name).ok()?;
        let near = similar_file(&root.join(beside))?;
        Some(display_path(&Path::new(name).with_file_name(near)))
    }

    /// Adds a template file at the end. Returns its start and its text.
    pub(crate) fn append_file(&mut self, name: &str) -> Result<(usize, String), Problem> {
        let text = read_text(name)?;
        // A byte between keeps the end of one from being the beginning of the next.
        self.value.push('\n');
        let start = self.value.len();
        let piece = SourcePart::from_file(
            name.to_owned(),
            text,
            start,
            self.span(prompt_base::Span::new(0, 0)),
        );
        self.value.push_str(&piece.cooked.value);
        let value = piece.cooked.value.clone();
        self.pieces.push(piece);
        self.tracked.push(name.to_owned());
        Ok((start, value))
    }

    /// The token that contains these bytes, for run-time errors.
    pub(crate) fn written_in(&self, at: prompt_base::Span) -> Option<QuotedToken<'_>> {
        let (piece, range) = self.locate_in_piece(at)?;
        let index = self
            .pieces
            .iter()
            .position(|other| std::ptr::eq(other, piece))?;
        Some(QuotedToken {
            range,
            ..self.written_of(index)?
        })
    }

    /// One of the tokens, with none of its bytes.
    pub(crate) fn written_of(&self, index: usize) -> Option<QuotedToken<'_>> {
        let piece = self.pieces.get(index)?;
        let token = &piece.token;
        Some(QuotedToken {
            index,
            text: &token.text,
            file: token.file.as_deref(),
            included: piece.is_file,
            line: token.line,
            column: token.column,
            range: 0..0,
        })
    }
}
