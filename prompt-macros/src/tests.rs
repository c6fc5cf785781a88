//! Expansions as they would be written by hand. Each `tests/expand/NAME.rs` is expanded and compared with `NAME.expanded.rs`.

use expect_test::expect_file;
use proc_macro2::TokenStream;

/// The expansion of an item, printed.
fn expanded(item: &str) -> String {
    let item: TokenStream = item.parse().expect("tokens");
    let file = syn::parse2(crate::expand(item)).expect("an expansion that parses");
    prettyplease::unparse(&file)
}

macro_rules! expansions {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let item = include_str!(concat!("../tests/expand/", stringify!($name), ".rs"));
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/expand/", stringify!($name), ".expanded.rs");
            expect_file![file].assert_eq(&expanded(item));
        }
    )*};
}

expansions! { ask blocks steps fragment mistake }

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
