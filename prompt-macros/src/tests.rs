//! Expansions as they would be written by hand. Each `tests/expand/NAME.rs` is expanded and compared with `NAME.expanded.rs`.

use expect_test::expect_file;
use proc_macro2::TokenStream;

/// The expansion of an item, printed.
fn expanded(item: &str) -> String {
    printed(item, crate::expand)
}

/// The expansion of a set of tools, printed.
#[cfg(feature = "schema")]
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

expansions! { expanded: blocks steps fragment jinja }
#[cfg(feature = "schema")]
expansions! { expanded: answer ask mistake }
#[cfg(feature = "schema")]
expansions! { expanded_tools: tools tools_mistake }

/// The code of the attribute macros around the same implementation.
#[cfg(feature = "schema")]
#[test]
fn attributes() {
    let parsed = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let function = crate::function::expand(
        parsed(r#"system = "You work for <product>.", user = "Classify <ticket>.""#),
        parsed(
            "/// Sorts.\npub fn triage<T>(#[prompt(trusted)] product: &str, ticket: Cow<'_, str>) -> Vec<T>;",
        ),
    );
    let template = crate::template::expand(
        parsed(r#"user = "<text> <if note><note></if>", fields(#[prompt(skip)] id: u8)"#),
        parsed("#[derive(Clone)] pub struct Translate;"),
    );
    for (name, tokens) in [("function", function), ("template", template)] {
        let file = syn::parse2(tokens).expect("an expansion that parses");
        let expected = format!(
            "{}/tests/expand/{name}.expanded.rs",
            env!("CARGO_MANIFEST_DIR")
        );
        expect_test::expect_file![expected].assert_eq(&prettyplease::unparse(&file));
    }
}

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

/// Every template has an expansion that parses as Rust.
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

/// The same for the Jinja dialect.
#[test]
fn every_jinja_template_expands() {
    let pieces = [
        "{{ a }}",
        "{{ a | default('x') }}",
        "{{ b[0] ~ a }}",
        "{{ c.d.e | upper }}",
        "{{ loop.index }}",
        "{{ (a or b) + 1 }}",
        "{{ x if a else y }}",
        "{{ b | map('upper') | join(a) }}",
        "{{ people | sort(attribute='name') | length }}",
        "{{ m(a, b=1) }}",
        "{% set x = a %}",
        "{% set x, y = b %}",
        "{% set x | upper %}",
        "{% endset %}",
        "{% if a is not none and b %}",
        "{% elif not a %}",
        "{% else %}",
        "{% endif %}",
        "{% for x in b if x %}",
        "{% for k, v in c.items() %}",
        "{% for p in people %}",
        "{{ p.name }}",
        "{% endfor %}",
        "{% with x = a %}",
        "{% endwith %}",
        "{% macro m(a, b=2) %}",
        "{% endmacro %}",
        "{% filter upper %}",
        "{% endfilter %}",
        "{% include 'x' %}",
        "{% user %}",
        "{% enduser %}",
        "{# é #}",
    ];
    for key in ["template", "fragment"] {
        for a in pieces {
            for b in pieces {
                let text = format!("{a} {b}{a}");
                let item = format!(
                    "#[prompt({key} = {text:?}, syntax = \"jinja\")]
                    struct Ask {{ a: Option<String>, b: Vec<u8>, c: Json, people: Vec<Person> }}"
                );
                let tokens: TokenStream = item.parse().expect("tokens");
                let expansion = crate::expand(tokens);
                assert!(syn::parse2::<syn::File>(expansion).is_ok(), "{text}");
            }
        }
    }
}

/// Every content of `#[prompt(…)]` has an expansion that parses as Rust.
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
        "crate = \"a::b\"",
        "crate = \"a b\"",
        "crate = 1",
        "syntax = \"x\"",
        "history",
        "examples",
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
        "examples = \"src\"",
        "model = 1",
        "fields",
        "fields(a, b: u8, #[prompt(skip)] c: &'a T)",
        "fields(a a)",
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
            let arguments: TokenStream = format!("{a}, {b}").parse().expect("tokens");
            for item in [
                format!("fn ask(#[prompt({b})] a: &u8, b: Cow<'_, str>) -> u8;"),
                "pub(crate) const fn ask<'a, T: X, const N: usize>(a: T) -> Vec<T> where T: Y;"
                    .into(),
                "async fn ask(&self, (a, b): T, mut c: impl X, _: fn(&u8) -> &u8) -> impl X {}"
                    .into(),
                "fn ask(a: &dyn Fn(&u8) -> &u8, r#type: &mut [&'a u8]) -> Result<(), u8>;".into(),
                "fn ask(a)".into(),
                "struct Ask;".into(),
            ] {
                let tokens: TokenStream = item.parse().expect("tokens");
                let expansion = crate::function::expand(arguments.clone(), tokens);
                assert!(
                    syn::parse2::<syn::File>(expansion).is_ok(),
                    "{arguments}: {item}"
                );
            }
            for item in [
                "#[derive(Clone)] pub struct Ask;",
                "struct Ask<'a, T> where T: X {}",
                "struct Ask { a: u8 }",
                "struct Ask(u8);",
                "enum Ask { A }",
                "union Ask { a: u8 }",
                "fn ask();",
            ] {
                let tokens: TokenStream = item.parse().expect("tokens");
                let expansion = crate::template::expand(arguments.clone(), tokens);
                assert!(
                    syn::parse2::<syn::File>(expansion).is_ok(),
                    "{arguments}: {item}"
                );
            }
            let call = format!("{a}, {b}").parse::<TokenStream>().expect("tokens");
            crate::inline::expand(call);
        }
    }
}

/// The messages about mistakes are in `prompt_syntax::problem`; no other file of this crate contains one.
#[test]
fn the_macros_define_no_messages() {
    let makes = [
        "syn::Error::new",
        "Error::new_spanned",
        "compile_error!",
        "push_drawn(",
    ];
    // The modules that convert problems to compile errors and draw them.
    let allowed = ["lib.rs", "source.rs", "tests.rs"];
    let mut folders = vec![std::path::PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src"
    ))];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !allowed.iter().any(|name| path.ends_with(name)) {
                let source = std::fs::read_to_string(&path).expect("a source");
                let made = makes.iter().filter(|make| source.contains(**make));
                found.extend(made.map(|make| format!("{}: {make}", path.display())));
            }
        }
    }
    assert_eq!(
        found, [""; 0],
        "write the message in prompt-syntax/src/problem"
    );
}

/// Outside of the import of the runtime no expansion names the crate, so that a crate that is missing is one error.
#[test]
fn the_runtime_is_imported_once() {
    let parsed = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let prompt = r#"#[prompt(user = "<a> <b>")] struct Ask { a: String, b: Unknown }"#;
    let expansions = [
        crate::expand(parsed(prompt)),
        crate::expand(parsed(
            r#"#[prompt(user = "<c>")] struct Ask { a: String }"#,
        )),
        crate::inline::expand(parsed(r#""<a> <b>""#)),
        crate::label::implement_label(parsed("enum Kind { A, B }")),
        crate::struct_fields::expand(parsed("struct User { name: String }")),
        crate::struct_fields::expand(parsed(prompt)),
        #[cfg(feature = "jinja")]
        crate::to_value::implement_to_value(parsed("struct User { name: String }")),
        #[cfg(feature = "schema")]
        crate::tools::expand(parsed("enum Tools { Add { a: i32 } }")),
        #[cfg(feature = "schema")]
        crate::function::expand(
            parsed(r#"user = "<a>""#),
            parsed("fn ask<T>(a: &str) -> T;"),
        ),
        crate::template::expand(
            parsed(r#"user = "<a><if b></if><for c in d><c></for>""#),
            parsed("struct Ask;"),
        ),
    ];
    for tokens in expansions {
        let text = tokens.to_string().replace(' ', "");
        assert_eq!(text.matches("typed_prompt::__private").count(), 1, "{text}");
        assert_eq!(text.matches("::typed_prompt").count(), 1, "{text}");
    }
}

/// The key `crate` is a string, as in serde, or a path.
#[test]
fn the_key_crate_names_the_runtime() {
    let expected = "usea::b::__privateas_typed_prompt;";
    for value in ["\"a::b\"", "a::b"] {
        let parsed = |text: String| text.parse::<TokenStream>().expect("tokens");
        let on_item = |item: &str| parsed(format!("#[prompt(crate = {value})] {item}"));
        let expansions = [
            crate::expand(parsed(format!(
                "#[prompt(user = \"\", crate = {value})] struct Ask;"
            ))),
            crate::inline::expand(parsed(format!("\"x\", crate = {value}"))),
            crate::label::implement_label(on_item("enum Kind { A }")),
            crate::struct_fields::expand(on_item("struct User { name: String }")),
            #[cfg(feature = "jinja")]
            crate::to_value::implement_to_value(on_item("struct User { name: String }")),
            #[cfg(feature = "schema")]
            crate::tools::expand(parsed(format!(
                "#[tool(crate = {value})] enum Tools {{ A }}"
            ))),
            #[cfg(feature = "schema")]
            crate::function::expand(
                parsed(format!("user = \"\", crate = {value}")),
                parsed("fn ask() -> String;".into()),
            ),
        ];
        for tokens in expansions {
            let text = tokens.to_string().replace(' ', "");
            assert!(text.contains(expected), "{text}");
            assert!(!text.contains("::typed_prompt"), "{text}");
        }
        let template = crate::template::expand(
            parsed(format!("user = \"<a>\", crate = {value}")),
            parsed("struct Ask;".into()),
        );
        let text = template.to_string().replace(' ', "");
        assert!(
            text.contains("usea::b::__privateas_typed_prompt_Ask;"),
            "{text}"
        );
    }
}

#[test]
fn derives_above_a_template_are_found() {
    use crate::template::ends_with_derive;
    for above in [
        "#[derive(Clone)]\n",
        "#[derive(Clone)] ",
        "#[derive(\n    Clone,\n    Debug\n)]\n/// A prompt.\n",
        "#[derive(Clone)]\n#[serde(\n    rename_all = \"lowercase\"\n)]\n\n// Why.\n",
        "    #[cfg_attr(test, derive(Debug))]\n    ",
        "#[derive(Clone)] #[doc = \"]\"] // Why.\n",
        "#[derive(Clone)] /* Why. */\n",
    ] {
        assert!(ends_with_derive(above), "{above:?}");
    }
    for above in [
        "",
        "use typed_prompt::Prompt;\n\n",
        "#[derive(Clone)]\nstruct Other;\n\n",
        "#[derive(Clone)] struct Other;\n",
        "#[derive(Clone)] #[must_use] struct Other;\n\n// Why.\n",
        "#[derive(Clone)]\nstruct Other {\n    a: u8,\n}\n\n/// See `#[derive(Clone)]`.\n",
        "const A: [u8; 1] = [1]; // #[derive(Clone)]\n#[must_use]\n",
    ] {
        assert!(!ends_with_derive(above), "{above:?}");
    }
}

/// A value without a name is not taken for the rest of a string that a quote has ended.
#[test]
fn values_by_position() {
    let by_position = "`prompt!` takes no values by position";
    for (call, expected) in [
        (r#""Translate to {}: <text>", "fr""#, by_position),
        (r#""Translate to <a>.", &language"#, by_position),
        (
            r#""<tags | join(", ")>""#,
            "a quote inside of this tag ends the string",
        ),
        (
            r#""Say "hello" to <name>.""#,
            "text follows the string: a quote inside of it ends it",
        ),
        (r#""<name>", name"#, by_position),
    ] {
        let tokens = call.parse::<TokenStream>().expect("tokens");
        let text = crate::inline::expand(tokens).to_string();
        assert!(text.contains(expected), "{call}: {text}");
    }
}
