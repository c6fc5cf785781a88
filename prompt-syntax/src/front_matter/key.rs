//! The keys of front matter.

/// The keys of front matter.
pub const KEYS: [&str; 10] = [
    "syntax",
    "slots",
    "role",
    "format",
    "output",
    "description",
    "trim_blocks",
    "lstrip_blocks",
    "keep_trailing_newline",
    "keep_block_lines",
];
