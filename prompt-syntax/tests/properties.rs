//! Properties of every text and of every tree, in every dialect.

mod invariants;
mod tree;

use prompt_jinja_syntax::{Node, Template, parse};
use prompt_syntax::{Dialect, Options};
use proptest::prelude::*;

/// Every way to read a string.
fn options() -> impl Iterator<Item = Options> {
    let both = [false, true];
    let plain = Dialect::ALL
        .into_iter()
        .flat_map(|dialect| [Options::message(dialect), Options::document(dialect)]);
    let jinja = both.into_iter().flat_map(move |trim_blocks| {
        both.map(|lstrip_blocks| Options {
            trim_blocks,
            lstrip_blocks,
            keep_trailing_newline: trim_blocks == lstrip_blocks,
            ..Options::document(Dialect::Jinja)
        })
    });
    let prompty = Options {
        role_lines: true,
        ..Options::document(Dialect::Jinja)
    };
    let block_lines = Options {
        keep_block_lines: true,
        ..Options::document(Dialect::Angle)
    };
    plain.chain(jinja).chain([prompty, block_lines])
}

/// Pieces of templates, and of text that resembles templates.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "<",
        ">",
        "</",
        "<a>",
        "<b>",
        "</a>",
        "<input:a>",
        "<input:",
        "input:",
        "<a.b>",
        "<a | trim>",
        "<a | join(\", \")>",
        "<a ?? \"x\">",
        "<a | crate::f(1, -2, b)>",
        "<if a>",
        "<if a and not b>",
        "<if (a or b) and c>",
        "<else if b>",
        "<if a == \"x\" and not 1 < b <= 2.5>",
        "<if a | trim != 'x' or (b >= c)>",
        "<if a>3>",
        "<for x, y in a>",
        "<for x, y in a | sort>",
        "<loop.index>",
        "  <if a>  \n",
        "<else>",
        "</if>",
        "<for x in a>",
        "<for x in a | lines>",
        "</for>",
        "<x>",
        "<if>",
        "<for>",
        "<system>",
        "</system>",
        "<user>",
        "</user>",
        "<assistant>",
        "</assistant>",
        "<history>",
        "\\",
        "\\\\",
        "{",
        "}",
        "{{",
        "}}",
        "{a}",
        "{input:a}",
        "{{a}}",
        "{input:",
        "{0}",
        "{ a }",
        "{\"a\": 1}",
        "\n",
        "\r\n",
        "\"",
        "'",
        "|",
        "??",
        "(",
        ")",
        ",",
        ".",
        " ",
        "text",
        "é",
        "日本",
        "🙂",
        "\u{0}",
        "<|im_start|>",
        "<<SYS>>",
        "<br/>",
        "<a b=\"c\">",
        "\\frac{a}{b}",
        "Vec<T>",
        "a < b",
        "<elif a>",
        "<endif>",
        "</else>",
        "<else/>",
        " >",
        "<if a >",
        "join(\"\n\")",
        "<input:a | join('>')>",
        "{{{",
        "}}}",
        "{input:a.b}",
        "e\u{301}",
        "{{",
        "{%",
        "{#",
        "#}",
        "-%}",
        "+%}",
        "%}",
        "{%-",
        "{{-",
        "{{ a }}",
        "{{ a.b[0] | join(', ', attribute=\"x\") }}",
        "{{ a if b else c }}",
        "{{ -a ** 2 ~ b[1:] }}",
        "{{ {'a': [1, (2,)]} }}",
        "{{ a is not none }}",
        "{% if a %}",
        "{% if a < b <= c and x not in y %}",
        "{% elif b %}",
        "{% else %}",
        "{% endif %}",
        "{% for x in a %}",
        "{% for k, v in a.items() if v %}",
        "{% endfor %}",
        "{% set a = 1 %}",
        "{% set a | upper %}",
        "{% endset %}",
        "{% with a = 1, b = 2 %}",
        "{% endwith %}",
        "{% macro m(a, b=1) %}",
        "{% endmacro %}",
        "{% filter upper | trim %}",
        "{% endfilter %}",
        "{% include \"x\" %}",
        "{% raw %}",
        "{% endraw %}",
        "{% system %}",
        "{% endsystem %}",
        "{% user %}",
        "{% enduser %}",
        "{% block x %}",
        "\nuser:\n",
        "system:\n",
        "\n# Assistant : ",
        "{% fro x in y %}",
        "{% if {{ a }} %}",
        "{{ 'it }}",
        "{{ a b }}",
        "{{ a ( b }}",
        "\r",
        "\t",
        "  ",
    ]);
    prop_oneof![8 => known.prop_map(String::from), 1 => any::<char>().prop_map(String::from), 1 => "\\PC{0,8}"]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
}

/// A tree is printed and parsed again. Trees with more operators in a tag than the parser accepts are skipped.
fn prints(nodes: Vec<Node>, options: Options) -> Result<(), TestCaseError> {
    let template = Template { nodes };
    let again = parse(&invariants::print::to_source(&template, options), options);
    let mut errors = again.errors.iter();
    prop_assume!(!errors.any(|error| error.message().ends_with("operators in one tag")));
    invariants::prints(&template, options);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_text_parses(text in text()) {
        for options in options() {
            invariants::check(&text, options);
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_message_prints(nodes in tree::message(Dialect::Angle)) {
        prints(nodes, Options::message(Dialect::Angle))?;
    }

    #[test]
    fn every_document_prints(nodes in tree::document(Dialect::Angle)) {
        prints(nodes, Options::document(Dialect::Angle))?;
    }

    #[test]
    fn every_message_in_braces_prints(nodes in tree::message(Dialect::Brace)) {
        prints(nodes, Options::message(Dialect::Brace))?;
    }

    #[test]
    fn every_message_in_jinja_prints(nodes in tree::jinja::message()) {
        for options in options().filter(|options| options.dialect == Dialect::Jinja) {
            prints(nodes.clone(), options)?;
        }
    }

    #[test]
    fn every_document_in_jinja_prints(nodes in tree::jinja::document()) {
        for options in options().filter(|options| options.dialect == Dialect::Jinja && options.roles) {
            prints(nodes.clone(), options)?;
        }
    }

    #[test]
    fn every_document_in_braces_prints(nodes in tree::document(Dialect::Brace)) {
        prints(nodes, Options::document(Dialect::Brace))?;
    }
}

/// Inputs that a fuzzer has found.
#[test]
fn found_by_fuzzing() {
    let texts = [
        // A second end of a block that waits for one that crosses it.
        "<if a><for x in y></if></if></for>",
        "<if <for><for></if></for><user></if></for",
        "<if a><for x in y><if b></if></for></if></if></for></for>",
        // A text that continues after the end of the slot.
        "{input:a | join(\",b} | \")}",
        // A space before the `.` of a path.
        "<if a .b>1</if><input:a .b>{input:a .b}<if input :a>2</if>",
        // The end of a raw block inside of text that is printed as one.
        "\0<%%\0\0\0\0\0[{<%!</raw>\0.\0\0<%>",
        "[{<%!</raw>{{{<%>",
    ];
    for text in texts {
        for options in options() {
            invariants::check(text, options);
        }
    }
}

#[test]
fn a_tree_is_printed_in_another_dialect() {
    let parsed = parse("Hello {name}", Options::message(Dialect::Brace));
    let printed = invariants::print::to_source(&parsed.template, Options::message(Dialect::Angle));
    assert_eq!(printed, "Hello <input:name>");
}
