//! `{{ name }}`, `{% if x %}…{% endif %}`: to come. Until then one error says so.

use super::Lexed;
use crate::token::TokenKind;
use crate::{Error, Span};

pub(crate) fn lex(text: &str) -> Lexed {
    let mut lexed = Lexed::default();
    let error = Error::new(
        Span::new(0, text.len()),
        "the `jinja` dialect is not available in this version",
    )
    .label("written in it")
    .help("use `syntax = \"angle\"` or `syntax = \"brace\"`");
    lexed.push(TokenKind::Error, text.len(), Some(error));
    lexed
}
