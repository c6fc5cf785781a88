//! Large and hostile texts: time grows with their length, and the stack does not.

use std::time::{Duration, Instant};

use prompt_syntax::{Dialect, Options, parse, snippet};

/// Far more than a linear parser needs on a busy machine, far less than a quadratic one.
const PATIENCE: Duration = Duration::from_secs(20);

fn check(text: &str) {
    for dialect in [Dialect::Angle, Dialect::Brace] {
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
            let drawn = snippet::draw(&source, error.span, "here", &error.related);
            assert!(drawn.len() < 4000, "a drawing of {} bytes", drawn.len());
        }
    }
}

#[test]
fn five_megabytes() {
    let prose = "The quick brown fox said: {\"a\": 1} <b>bold</b>. ".repeat(100_000);
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
    ] {
        check(&piece.repeat(100_000));
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
        check(&piece.repeat(100_000));
    }
    let closed = "<if a>".repeat(100_000) + &"</if>".repeat(100_000);
    check(&closed);
    let parsed = parse(&closed, Options::default());
    assert_eq!(parsed.errors.len(), 1, "one error for all that is too deep");
    check(&format!(
        "<if {}a{}>x</if>",
        "(".repeat(100_000),
        ")".repeat(100_000)
    ));
    check(&format!("<if {}a>x</if>", "not ".repeat(100_000)));
    check(&format!(
        "<a | f({}b{})>",
        "(".repeat(100_000),
        ")".repeat(100_000)
    ));
}

#[test]
fn tags_of_many_names() {
    let tags: String = (0..50_000).map(|n| format!("<t{n}></t{n}>")).collect();
    check(&tags);
    let closers: String = (0..50_000).map(|n| format!("</t{n}><u{n}>")).collect();
    check(&closers);
}
