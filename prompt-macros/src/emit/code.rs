//! Generated code, most of it as text.
//!
//! Most builds run macros without optimisations. There the compiler parses a text much faster than a macro makes its tokens one
//! by one. The user's code stays tokens, which have spans.

use std::cell::OnceCell;
use std::fmt::{Debug, Write};
use std::str::FromStr;

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Path;

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
        let runtime = self.runtime;
        match runtime.text() {
            Some(text) => self.add(text),
            None => self.tokens(runtime),
        };
        self.add("::").add(item)
    }

    /// Adds a number or a string literal.
    pub(crate) fn literal(&mut self, value: impl Debug) -> &mut Self {
        // A `String` takes whatever it is given.
        let _ = write!(self.text, "{value:?}");
        self
    }

    /// Adds tokens.
    pub(crate) fn tokens(&mut self, tokens: impl ToTokens) -> &mut Self {
        self.read();
        tokens.to_tokens(&mut self.tokens);
        self
    }

    /// Adds `out.METHOD(ARGUMENTS);`.
    pub(crate) fn call(&mut self, method: &str, arguments: impl FnOnce(&mut Self)) {
        self.add("out.").add(method);
        self.parenthesized(arguments).add(";");
    }

    pub(crate) fn parenthesized(&mut self, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.group(Delimiter::Parenthesis, inner)
    }

    pub(crate) fn braced(&mut self, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.group(Delimiter::Brace, inner)
    }

    pub(crate) fn bracketed(&mut self, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.group(Delimiter::Bracket, inner)
    }

    /// Adds what `inner` writes, between brackets.
    fn group(&mut self, delimiter: Delimiter, inner: impl FnOnce(&mut Self)) -> &mut Self {
        let [open, close] = brackets(delimiter);
        self.open.push((delimiter, self.text.len()));
        self.add(open);
        inner(self);
        if self.open.pop().is_some() {
            return self.add(close);
        }
        self.read();
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
        self.read();
        self.tokens
    }

    /// Makes tokens of the text, and of the groups that it opens.
    fn read(&mut self) {
        let mut start = 0;
        for (delimiter, at) in self.open.drain(..) {
            let mut before = std::mem::take(&mut self.tokens);
            before.extend([read(&self.text[start..at])]);
            self.around.push((delimiter, before));
            start = at + brackets(delimiter)[0].len();
        }
        if start < self.text.len() {
            self.tokens.extend([read(&self.text[start..])]);
        }
        self.text.clear();
    }
}

fn brackets(delimiter: Delimiter) -> [&'static str; 2] {
    match delimiter {
        Delimiter::Parenthesis => ["(", ")"],
        Delimiter::Brace => ["{", "}"],
        Delimiter::Bracket => ["[", "]"],
        Delimiter::None => ["", ""],
    }
}

/// The tokens of a text, by rustc alone: proc-macro2 would first read it itself, to be sure that there are some.
fn read(text: &str) -> TokenStream {
    let read = match proc_macro::is_available() {
        true => proc_macro::TokenStream::from_str(text)
            .map(TokenStream::from)
            .ok(),
        false => TokenStream::from_str(text).ok(),
    };
    read.unwrap_or_else(|| unreachable!("the brackets of generated code are closed: {text}"))
}

/// The path of the runtime.
#[derive(Clone)]
pub(crate) struct Runtime {
    /// Its tokens. Each time that a `TokenStream` is put into another one, the compiler is asked thrice: that took a seventh
    /// of an expansion.
    tokens: OnceCell<Vec<TokenTree>>,
    /// Whether they are those of `USUAL`, with no places of their own.
    is_usual: bool,
}

/// The hidden module, where no prompt says `crate = path`.
const USUAL: &str = "::typed_prompt::__private";

impl Runtime {
    /// The hidden module of the crate at this path, which is `::typed_prompt` unless a prompt says another one.
    pub(crate) fn of(krate: Option<&Path>) -> Runtime {
        match krate {
            Some(path) => Runtime::made_of(quote!(#path::__private).into_iter().collect()),
            None => Runtime {
                tokens: OnceCell::new(),
                is_usual: true,
            },
        }
    }

    fn made_of(tokens: Vec<TokenTree>) -> Runtime {
        Runtime {
            tokens: OnceCell::from(tokens),
            is_usual: false,
        }
    }

    /// The same path, with errors about it at a place.
    pub(crate) fn at(&self, at: Span) -> Runtime {
        let mut tokens = self.tokens().clone();
        for token in &mut tokens {
            token.set_span(at.resolved_at(token.span()));
        }
        Runtime::made_of(tokens)
    }

    /// The path as text, unless its tokens have places of their own.
    pub(crate) fn text(&self) -> Option<&'static str> {
        self.is_usual.then_some(USUAL)
    }

    fn tokens(&self) -> &Vec<TokenTree> {
        let usual = || [segment("typed_prompt"), segment("__private")].concat();
        self.tokens.get_or_init(usual)
    }
}

/// `::name`
fn segment(name: &str) -> [TokenTree; 3] {
    [
        Punct::new(':', Spacing::Joint).into(),
        Punct::new(':', Spacing::Alone).into(),
        Ident::new(name, Span::call_site()).into(),
    ]
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens().iter().cloned());
    }
}

/// Variables and functions of generated code itself.
pub(crate) const OWN_NAMES: [&str; 4] = ["out", "empty", "slot", "written"];

/// An identifier, raw where the name is a keyword.
///
/// A name that cannot be an identifier is not a field either: `__not_a_name` makes rustc report it.
pub(crate) fn identifier(name: &str, span: Span) -> Ident {
    if syn::parse_str::<Ident>(name).is_ok() {
        Ident::new(name, span)
    } else if syn::parse_str::<Ident>(&format!("r#{name}")).is_ok() {
        Ident::new_raw(name, span)
    } else {
        Ident::new("__not_a_name", span)
    }
}

/// A variable that the analysis has named; names in the user's code cannot shadow it.
pub(crate) fn variable(name: &str) -> Ident {
    identifier(name, Span::mixed_site())
}
