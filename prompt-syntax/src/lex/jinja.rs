use super::Lexed;
use crate::{Error, Span};

/// The Jinja dialect has no lexer yet: one error says so.
pub(crate) fn lex(text: &str) -> Lexed {
    let mut lexed = Lexed::default();
    let whole = Span::new(0, text.len());
    let error = Error::new(
        whole,
        "the `jinja` dialect is not available in this version",
    )
    .label("written in it")
    .help("use `syntax = \"angle\"` or `syntax = \"brace\"`");
    lexed.fail(error, whole);
    lexed
}
