//! The pages of the repository's folder `docs` for users: each is a module without items.
//!
//! They are here so that the documentation on docs.rs has them, for the version that a program uses.

// Brackets are the optional parts of a grammar.
#![allow(rustdoc::broken_intra_doc_links)]

macro_rules! pages {
    ($($name:ident $file:literal)*) => {$(
        #[doc = include_str!(concat!("../docs/", $file))]
        pub mod $name {}
    )*};
}

pages! {
    answers "answers.md"
    chat_templates "chat-templates.md"
    errors "errors.md"
    formats "formats.md"
    jinja "jinja.md"
    literal_text "literal-text.md"
    mcp "mcp.md"
    providers "providers.md"
    structured_output "structured-output.md"
    whitespace "whitespace.md"
}
