//! Generated code as text.
//!
//! Most of an expansion is built as text: where macros run without optimizations, rustc parses text much faster than a macro
//! creates tokens one by one. The user's code stays tokens, which have spans.

use std::fmt::{Debug, Write};
use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;

use super::Runtime;

/// Generated code.
pub(crate) struct Code<'a> {
    runtime: &'a Runtime,
    /// The open groups that contain tokens: the tokens before each.
    around: Vec<(Delimiter, TokenStream)>,
    tokens: TokenStream,
    /// The text after the tokens.
    text: String,
    /// The groups that the text opens, and their positions in it.
    open: Vec<(Delimiter, usize)>,
}

impl<'a> Code<'a> {
    pub(crate) fn new(runtime: &'a Runtime) -> Code<'a> {
        Code {
            runtime,
            around: Vec::new(),
            tokens: TokenStream::new(),
            text: String::new(),
            open: Vec::new(),
        }
    }

    /// Adds code as it is written in Rust, with all its brackets closed.
    pub(crate) fn add(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Adds the path of an item of the runtime.
    pub(crate) fn path(&mut self, item: &str) -> &mut Self {
        let name = self.runtime.name();
        self.add(&name).add("::").add(item)
    }

    /// Adds a number or a string literal.
    pub(crate) fn literal(&mut self, value: impl Debug) -> &mut Self {
        // Writing to a `String` cannot fail.
        let _ = write!(self.text, "{value:?}");
        self
    }

    /// Adds tokens.
    pub(crate) fn tokens(&mut self, tokens: impl ToTokens) -> &mut Self {
        self.flush_text();
        tokens.to_tokens(&mut self.tokens);
        self
    }

    /// Adds `out.METHOD(ARGUMENTS);`.
    pub(crate) fn call(&mut self, method: &str, arguments: impl FnOnce(&mut Self)) {
        self.add("out.").add(method);
        self.parenthesized(arguments).add(";");
    }

    pub(crate) fn parenthesized(&mut self, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.write_group(Delimiter::Parenthesis, inner)
    }

    pub(crate) fn braced(&mut self, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.write_group(Delimiter::Brace, inner)
    }

    pub(crate) fn bracketed(&mut self, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.write_group(Delimiter::Bracket, inner)
    }

    /// Adds what `inner` writes, between brackets.
    fn write_group(&mut self, delimiter: Delimiter, inner: impl FnOnce(&mut Self)) -> &mut Self {
        let [open, close] = delimiter_texts(delimiter);
        self.open.push((delimiter, self.text.len()));
        self.add(open);
        inner(self);
        if self.open.pop().is_some() {
            return self.add(close);
        }
        self.flush_text();
        if let Some((delimiter, before)) = self.around.pop() {
            let inside = std::mem::replace(&mut self.tokens, before);
            let group = Group::new(delimiter, inside);
            self.tokens.extend([TokenTree::from(group)]);
        }
        self
    }

    /// Adds other code.
    pub(crate) fn append(&mut self, other: Code<'_>) -> &mut Self {
        if !other.tokens.is_empty() {
            self.tokens(other.tokens);
        }
        self.add(&other.text)
    }

    pub(crate) fn into_tokens(mut self) -> TokenStream {
        self.flush_text();
        self.tokens
    }

    /// Makes tokens of the text, and of the groups that it opens.
    fn flush_text(&mut self) {
        let mut start = 0;
        for (delimiter, at) in self.open.drain(..) {
            let mut before = std::mem::take(&mut self.tokens);
            before.extend([parse_code(&self.text[start..at])]);
            self.around.push((delimiter, before));
            start = at + delimiter_texts(delimiter)[0].len();
        }
        if start < self.text.len() {
            self.tokens.extend([parse_code(&self.text[start..])]);
        }
        self.text.clear();
    }
}

fn delimiter_texts(delimiter: Delimiter) -> [&'static str; 2] {
    match delimiter {
        Delimiter::Parenthesis => ["(", ")"],
        Delimiter::Brace => ["{", "}"],
        Delimiter::Bracket => ["[", "]"],
        Delimiter::None => ["", ""],
    }
}

/// Parses a text with rustc's lexer. proc-macro2 would lex it once before, to find errors that generated code does not have.
fn parse_code(text: &str) -> TokenStream {
    let read = match proc_macro::is_available() {
        true => proc_macro::TokenStream::from_str(text)
            .map(TokenStream::from)
            .ok(),
        false => TokenStream::from_str(text).ok(),
    };
    read.unwrap_or_else(|| unreachable!("the brackets of generated code are closed: {text}"))
}
