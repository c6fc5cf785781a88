//! Large and adversarial texts: time grows linearly with their length, and the stack does not grow. The texts are eight times as long
//! in a release build: `cargo test --release -p prompt-syntax --test linear`.

use std::time::{Duration, Instant};

use prompt_base::snippet;
use prompt_jinja_syntax::{Jinja, parse};
use prompt_syntax::analysis::FieldInfo;
use prompt_syntax::{Dialect, Kind, KnownNames, Options, XmlTags, parse_in};

/// Far more than a linear parser needs on a busy machine, far less than a quadratic one.
const PATIENCE: Duration = Duration::from_secs(5);

/// A number of repetitions for this build.
const fn size(release: usize) -> usize {
    if cfg!(debug_assertions) {
        release / 8
    } else {
        release
    }
}

fn check(text: &str) {
    check_in(&Dialect::ALL, text);
}

/// The same for a text whose fields `a` and `q` are known.
fn check_known(text: &str) {
    let field = |name: &str| FieldInfo {
        name: name.to_owned(),
        kind: Kind::Text,
        trusted: false,
        excluded_by: None,
        answer: false,
    };
    let fields = ["a", "q"].map(field);
    for dialect in [Dialect::Angle, Dialect::Brace] {
        let start = Instant::now();
        let options = Options::document(dialect);
        let names = KnownNames::Fields(&fields);
        let parsed = parse_in::<Jinja>(text, options, &XmlTags::default(), names);
        let taken = start.elapsed();
        let shown: String = text.chars().take(20).collect();
        let (count, title) = (parsed.errors.len(), dialect.name());
        assert!(
            taken < PATIENCE,
            "{taken:?} for {shown:?}… in {title}, {count} errors"
        );
    }
}

fn check_in(dialects: &[Dialect], text: &str) {
    for dialect in dialects.iter().copied() {
        let start = Instant::now();
        let parsed = parse(
            text,
            Options {
                dialect,
                roles: true,
                ..Options::default()
            },
        );
        let taken = start.elapsed();
        let shown: String = text.chars().take(20).collect();
        assert!(
            taken < PATIENCE,
            "{taken:?} for {shown:?}… in {}",
            dialect.name()
        );
        if let Some(error) = parsed.errors.first() {
            let source = snippet::Source {
                name: None,
                text,
                line: 1,
                column: 0,
            };
            let drawn = snippet::draw(&source, error.span, "here", error.related());
            assert!(drawn.len() < 4000, "a drawing of {} bytes", drawn.len());
        }
    }
}

#[test]
fn megabytes_of_prose() {
    let prose = "The quick brown fox said: {\"a\": 1} <b>bold</b>. ".repeat(size(100_000));
    check(&prose);
}

#[test]
fn openers_that_never_close() {
    for piece in [
        "<",
        "{",
        "<a",
        "<a | ",
        "<input:a",
        "{input:a",
        "</a",
        "<a.b.c",
        "\\",
        "\\<a>",
        "<a | \"",
        "{{a}",
        "<else if ",
        "{# a",
        "{#a",
        "{#a} ",
        "<%# a",
        "{{! a",
        "{{!-- a",
    ] {
        check_in(
            &[Dialect::Angle, Dialect::Brace],
            &piece.repeat(size(100_000)),
        );
    }
    for piece in [
        "{{",
        "{{ ",
        "{{ a ",
        "{{ (",
        "{{ '",
        "{{ \"\\",
        "{%",
        "{% if ",
        "{% if {{ a ",
        "{#",
        "{# a",
        "{% raw %}",
        "{% raw",
        "{%- ",
        "{%-",
        "{{ a }",
        "{{ a %}",
        "{% end %}",
        "{% endif %}",
        "{% endblock %}",
        "{% block %}",
        "{% foo %}",
        "{% endif %}",
        "<a",
        "'",
    ] {
        check_in(&[Dialect::Jinja], &piece.repeat(size(40_000)));
    }
}

/// A text without roles may be elements of roles.
#[test]
fn elements_in_a_text() {
    for (piece, end) in [
        ("<q/>", "</q/>"),
        ("<q >", "</q>"),
        ("<a.b>", "</a.b>"),
        ("<message role=\"user\">", "</message>"),
        ("<developer>", "</developer>"),
        ("{#if a}<a>", "#}"),
        ("{# <a>", "#}"),
        ("{# <a>", ""),
        ("{# <a> #}", ""),
        ("<%# <a>", "%>"),
        ("{{! <a>", "}}"),
    ] {
        check_known(&(piece.repeat(size(8_000)) + end));
    }
}

/// The last comment has an end, which is far from the others.
#[test]
fn comments_of_other_languages() {
    for (piece, end) in [
        ("{# a #", "#}"),
        ("{#a} ", "#}"),
        ("<%# a", "%>"),
        ("{{! a", "}}"),
    ] {
        let text = piece.repeat(size(100_000)) + end;
        check_in(&[Dialect::Angle, Dialect::Brace], &text);
    }
}

#[test]
fn blocks_inside_each_other() {
    for piece in [
        "<if a>",
        "<for x in y>",
        "<system>",
        "<if not (",
        "<if a><else>",
    ] {
        check_in(
            &[Dialect::Angle, Dialect::Brace],
            &piece.repeat(size(100_000)),
        );
    }
    for piece in [
        "{% if a %}",
        "{% for a in b %}",
        "{% if a %}{% else %}",
        "{% if a %}{% for a in b %}",
        "{% set a %}",
        "{% macro a() %}",
        "{% system %}",
        "{% if ( %}",
        "{% block a %}",
        "{% raw %}{% endraw %}",
        "{# a #}",
    ] {
        check_in(&[Dialect::Jinja], &piece.repeat(size(40_000)));
    }
    let closed = "<if a>".repeat(size(100_000)) + &"</if>".repeat(size(100_000));
    check(&closed);
    let parsed = parse(&closed, Options::default());
    assert_eq!(parsed.errors.len(), 1, "one error for all that is too deep");
    check(&format!(
        "<if {}a{}>x</if>",
        "(".repeat(size(100_000)),
        ")".repeat(size(100_000))
    ));
    check(&format!("<if {}a>x</if>", "not ".repeat(size(100_000))));
    check(&format!(
        "<a | f({}b{})>",
        "(".repeat(size(100_000)),
        ")".repeat(size(100_000))
    ));
}

#[test]
fn expressions_inside_each_other() {
    let opened = "(".repeat(10_000) + "a" + &")".repeat(10_000);
    let signs = [
        "-",
        "not ",
        "a + ",
        "a ** ",
        "a ~ ",
        "a if b else ",
        "a[",
        "f(",
        "[",
        "{0: ",
        "a < ",
        "a.b(",
        "a | f(",
    ];
    let several = ["a", "a | b", "(a)", "{}", "[]", "a.b", "a is none"];
    let inside = signs.map(|sign| sign.repeat(10_000) + "a");
    let beside = several.map(|item| vec![item; 10_000].join(", "));
    let after = [
        " + a", " and a", " | f", ".a", "[0]", " is none", "(a)", " ~ a", " < a",
    ]
    .map(|more| "a".to_owned() + &more.repeat(10_000));
    for words in std::iter::once(opened)
        .chain(inside)
        .chain(beside)
        .chain(after)
    {
        check_in(&[Dialect::Jinja], &format!("{{{{ {words} }}}}"));
        check_in(
            &[Dialect::Jinja],
            &format!("{{% if {words} %}}{{% endif %}}"),
        );
        check_in(
            &[Dialect::Jinja],
            &format!("{{% for x in {words} %}}{{% endfor %}}"),
        );
        check_in(&[Dialect::Jinja], &format!("{{% set x = [{words}] %}}"));
    }
    let closed = "{% if a %}".repeat(1000) + &"{% endif %}".repeat(1000);
    let parsed = parse(&closed, Options::message(Dialect::Jinja));
    let messages: Vec<&str> = parsed.errors.iter().map(|error| error.message()).collect();
    assert_eq!(messages, ["more than 128 blocks inside each other"]);
    let deep = format!("{{{{ {}a{} }}}}", "(".repeat(10_000), ")".repeat(10_000));
    let parsed = parse(&deep, Options::message(Dialect::Jinja));
    assert_eq!(
        parsed.errors[0].message(),
        "more than 32 brackets inside each other"
    );
}

#[test]
fn tags_of_many_names() {
    let tags: String = (0..size(50_000))
        .map(|n| format!("<t{n}></t{n}>"))
        .collect();
    check(&tags);
    let closers: String = (0..size(50_000))
        .map(|n| format!("</t{n}><u{n}>"))
        .collect();
    check(&closers);
}

/// Sections of roles, alone and with their ends, where the name of a role is a field.
#[test]
fn sections_of_roles() {
    let field = FieldInfo {
        name: "user".into(),
        kind: Kind::Text,
        trusted: false,
        excluded_by: None,
        answer: false,
    };
    let names = KnownNames::Fields(std::slice::from_ref(&field));
    let opened = "{{#user}}".repeat(size(100_000));
    let ends = ["", "{{/user}}", "{{#system"];
    for (text, dialect) in ends
        .map(|end| opened.clone() + end)
        .iter()
        .flat_map(|text| Dialect::ALL.map(|dialect| (text, dialect)))
    {
        let start = Instant::now();
        let options = Options::document(dialect);
        parse_in::<Jinja>(text, options, &XmlTags::default(), names);
        let taken = start.elapsed();
        assert!(taken < PATIENCE, "{taken:?} in {}", dialect.name());
    }
}
