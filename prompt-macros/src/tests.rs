//! Expansions as they would be written by hand. Each `tests/expand/NAME.rs` is expanded and compared with `NAME.expanded.rs`.

use expect_test::expect_file;
use proc_macro2::TokenStream;

/// The expansion of an item, printed.
fn expanded(item: &str) -> String {
    printed(item, crate::expand)
}

/// The expansion of a set of tools, printed.
fn expanded_tools(item: &str) -> String {
    printed(item, crate::tools::expand)
}

fn printed(item: &str, expand: fn(TokenStream) -> TokenStream) -> String {
    let item: TokenStream = item.parse().expect("tokens");
    let file = syn::parse2(expand(item)).expect("an expansion that parses");
    prettyplease::unparse(&file)
}

macro_rules! expansions {
    ($expanded:ident: $($name:ident)*) => {$(
        #[test]
        fn $name() {
            let item = include_str!(concat!("../tests/expand/", stringify!($name), ".rs"));
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/expand/", stringify!($name), ".expanded.rs");
            expect_file![file].assert_eq(&$expanded(item));
        }
    )*};
}

expansions! { expanded: answer ask blocks steps fragment mistake }
expansions! { expanded_tools: tools tools_mistake }

/// The prompt of the README is one screen of code.
#[test]
fn fits_a_screen() {
    let expansion = include_str!("../tests/expand/ask.expanded.rs");
    let shown = expansion
        .split("#[allow(unexpected_cfgs)]")
        .next()
        .unwrap_or_default();
    assert!(
        shown.lines().count() <= 50,
        "{} lines",
        shown.lines().count()
    );
}

/// Whatever a template holds, there is an expansion, and it is Rust.
#[test]
fn every_template_expands() {
    let pieces = [
        "é\n\"",
        "<a>",
        "<b>",
        "<input:type>",
        "<self>",
        "<_>",
        "<crate.super>",
        "<b.a.0>",
        "<if a>",
        "<if a and a.b>",
        "<else>",
        "</if>",
        "<for x in b>",
        "<for out in b | lines>",
        "<x>",
        "</for>",
        "<a ?? b | json>",
        "<b | join('é')>",
        "<a | r::s::t(1, -2, 1.5, true, 'x')>",
        "</a>",
        "<system>",
        "</system>",
        "{a}",
        "{input:",
        "\\<a>",
        "<a |",
    ];
    for dialect in ["angle", "brace"] {
        for key in ["template", "fragment"] {
            for a in pieces {
                for b in pieces {
                    let text = format!("{a} {b}{a}");
                    let item = format!(
                        "#[prompt({key} = {text:?}, syntax = {dialect:?}, format = alpaca)]
                        struct Ask {{ a: Option<String>, b: Vec<u8>, r#type: u8 }}"
                    );
                    let tokens: TokenStream = item.parse().expect("tokens");
                    let expansion = crate::expand(tokens);
                    assert!(syn::parse2::<syn::File>(expansion).is_ok(), "{text}");
                }
            }
        }
    }
}

/// Whatever `#[prompt(…)]` holds, there is an expansion, and it is Rust.
#[test]
fn every_attribute_expands() {
    let keys = [
        "user",
        "user = ",
        "user = \"<a>\"",
        "\"<a>\"",
        "system = 1",
        "output = ",
        "output = Vec<u8>",
        "format = x",
        "format",
        "crate = ::a::b",
        "crate = 1",
        "syntax = \"x\"",
        "history",
        "shots",
        "doc",
        "file = \"/\"",
        "file = \"..\"",
        "file = \"src\"",
        "fragment = \"\"",
        "trusted",
        "skip = 1",
        ",",
        "=",
        "#",
        "a::b",
        "(x)",
        "extra = \"t\"",
        "r#type",
        "'a'",
    ];
    for a in keys {
        for b in keys {
            for item in [
                format!("#[prompt({a}, {b})] struct Ask {{ a: u8 }}"),
                format!("#[prompt({a} {b})] #[prompt({b})] struct Ask;"),
                format!("#[prompt({a})] struct Ask<'a, T>(#[prompt({b})] &'a T);"),
                format!(
                    "#[prompt({b})] enum Ask {{ #[prompt({a})] A {{ #[prompt({b})] a: u8 }}, B }}"
                ),
                format!("#[prompt({a}, {b})] union Ask {{ a: u8 }}"),
            ] {
                let tokens: TokenStream = item.parse().expect("tokens");
                let expansion = crate::expand(tokens);
                assert!(syn::parse2::<syn::File>(expansion).is_ok(), "{item}");
            }
            let call = format!("{a}, {b}").parse::<TokenStream>().expect("tokens");
            crate::inline::expand(call);
        }
    }
}
