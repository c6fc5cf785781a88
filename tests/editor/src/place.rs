//! Positions in a source file, as editors count them.

use serde_json::{Value, json};

/// A position in the source file of a project, as editors count: lines and columns from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column; the sources of these tests are ASCII, so that bytes and UTF-16 units agree.
    pub column: usize,
}

impl Place {
    /// The position of the cursor `^` in `needle`, whose other text occurs exactly once in `source`.
    ///
    /// # Panics
    ///
    /// Panics if the text does not occur or occurs twice, which is a mistake in the test.
    pub fn of(source: &str, needle: &str) -> Place {
        let mark = needle.find('^').expect("a needle has a mark");
        let words = needle.replacen('^', "", 1);
        let mut found = source.match_indices(&words);
        let (start, _) = found
            .next()
            .unwrap_or_else(|| panic!("`{words}` is not there"));
        assert!(found.next().is_none(), "`{words}` is there twice");
        let before = &source[..start + mark];
        Place {
            line: before.matches('\n').count(),
            column: before.len() - before.rfind('\n').map_or(0, |at| at + 1),
        }
    }

    /// Reads the start of an LSP range.
    pub(crate) fn start_of(range: &Value) -> Option<Place> {
        let start = &range["start"];
        Some(Place {
            line: usize::try_from(start["line"].as_u64()?).ok()?,
            column: usize::try_from(start["character"].as_u64()?).ok()?,
        })
    }

    pub(crate) fn json(self) -> Value {
        json!({ "line": self.line, "character": self.column })
    }
}
