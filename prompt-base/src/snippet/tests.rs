//! Snapshots of drawn snippets: tabs, wide characters, long lines, several lines, related spans.

use expect_test::{Expect, expect};

use super::*;

fn check(source: &Source<'_>, words: &str, expect: &Expect) {
    let start = source.text.find(words).expect("the words are there");
    let span = Span::new(start, start + words.len());
    expect.assert_eq(&draw(source, span, "here", &[]));
}

fn file(text: &str) -> Source<'_> {
    Source {
        name: Some("f"),
        text,
        line: 1,
        column: 0,
    }
}

#[test]
fn one_line() {
    check(
        &file("one\ntwo <three> four\nfive"),
        "<three>",
        &expect![[r#"
         --> f:2:5
          |
        2 | two <three> four
          |     ^^^^^^^ here"#]],
    );
}

#[test]
fn tabs() {
    check(
        &file("\ta\tb <c>"),
        "<c>",
        &expect![[r#"
         --> f:1:6
          |
        1 |     a    b <c>
          |            ^^^ here"#]],
    );
}

#[test]
fn wide_characters() {
    check(
        &file("问题：<背景> 👍"),
        "<背景>",
        &expect![[r#"
         --> f:1:4
          |
        1 | 问题：<背景> 👍
          |       ^^^^^^ here"#]],
    );
}

#[test]
fn decomposed_accents() {
    check(
        &file("cafe\u{301} <x>"),
        "<x>",
        &expect![[r#"
         --> f:1:7
          |
        1 | café <x>
          |      ^^^ here"#]],
    );
}

#[test]
fn control_characters() {
    check(
        &file("\0\u{202e}\x1b <x>"),
        "<x>",
        &expect![[r#"
         --> f:1:5
          |
        1 | ␀�␛ <x>
          |     ^^^ here"#]],
    );
}

#[test]
fn two_lines() {
    check(
        &file("a <b\n  c> d"),
        "<b\n  c>",
        &expect![[r#"
         --> f:1:3
          |
        1 | a <b
          |   ^^
        2 |   c> d
          |   ^^ here"#]],
    );
}

#[test]
fn several_lines() {
    check(
        &file("a <b\nx\ny\n  c> d"),
        "<b\nx\ny\n  c>",
        &expect![[r#"
         --> f:1:3
          |
        1 | a <b
          |   ^^
          | ...
        4 |   c> d
          |   ^^ here"#]],
    );
}

#[test]
fn line_break_at_the_end() {
    check(
        &file("a b\nc"),
        "b\n",
        &expect![[r#"
         --> f:1:3
          |
        1 | a b
          |   ^ here"#]],
    );
}

#[test]
fn crlf() {
    check(
        &file("a\r\nb <c>\r\nd"),
        "<c>",
        &expect![[r#"
         --> f:2:3
          |
        2 | b <c>
          |   ^^^ here"#]],
    );
}

#[test]
fn numbers_of_unequal_length() {
    let source = Source {
        line: 9,
        ..file("a <b\nc> d")
    };
    check(
        &source,
        "<b\nc>",
        &expect![[r#"
          --> f:9:3
           |
         9 | a <b
           |   ^^
        10 | c> d
           | ^^ here"#]],
    );
}

#[test]
fn column_of_a_literal() {
    let source = Source {
        line: 7,
        column: 4,
        ..file("a <b>\n<c>")
    };
    check(
        &source,
        "<b>",
        &expect![[r#"
         --> f:7:7
          |
        7 |     a <b>
          |       ^^^ here"#]],
    );
    check(
        &source,
        "<c>",
        &expect![[r#"
         --> f:8:1
          |
        8 | <c>
          | ^^^ here"#]],
    );
}

#[test]
fn no_name() {
    let source = Source {
        name: None,
        ..file("a <b>")
    };
    check(
        &source,
        "<b>",
        &expect![[r#"
         --> 1:3
          |
        1 | a <b>
          |   ^^^ here"#]],
    );
}

#[test]
fn long_lines() {
    let long = format!("{}<b>{}", "x".repeat(300), "y".repeat(300));
    check(
        &file(&long),
        "<b>",
        &expect![[r#"
         --> f:1:301
          |
        1 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx<b>yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
          |                                                                                ^^^ here"#]],
    );
    check(
        &file(&long),
        &"y".repeat(300),
        &expect![[r#"
         --> f:1:304
          |
        1 | …yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
          |  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ here"#]],
    );
    let start = format!("<b>{}", "y".repeat(300));
    check(
        &file(&start),
        "<b>",
        &expect![[r#"
         --> f:1:1
          |
        1 | <b>yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
          | ^^^ here"#]],
    );
    let end = format!("{}<b>", "问".repeat(300));
    check(
        &file(&end),
        "<b>",
        &expect![[r#"
         --> f:1:301
          |
        1 | …问问问问问问问问问问问问问问问问问问问问问问问问问问问问问问问问问问问问问问问<b>
          |                                                                                ^^^ here"#]],
    );
}

#[test]
fn zero_width() {
    let drawn = |text, at| draw(&file(text), Span::new(at, at), "here", &[]);
    expect![[r#"
         --> f:1:2
          |
        1 | abc
          |  ^ here"#]]
    .assert_eq(&drawn("abc", 1));
    expect![[r#"
         --> f:1:4
          |
        1 | abc
          |    ^ here"#]]
    .assert_eq(&drawn("abc", 3));
    expect![[r#"
         --> f:2:1
          |
        2 |
          | ^ here"#]]
    .assert_eq(&drawn("abc\n", 4));
    expect![[r#"
         --> f:1:1
          |
        1 |
          | ^ here"#]]
    .assert_eq(&drawn("", 0));
}

#[test]
fn related_places() {
    let source = file("<if a>\n<for x in y>\nz </if> </for>\n\n\nq");
    let related = [
        (Span::new(7, 19), "this block is open".to_owned()),
        (Span::new(28, 34), "its end".to_owned()),
        (Span::new(37, 38), "far away".to_owned()),
    ];
    expect![[r#"
         --> f:3:3
          |
        2 | <for x in y>
          | ------------ this block is open
        3 | z </if> </for>
          |   ^^^^^ crosses
          |         ------ its end
          | ...
        6 | q
          | - far away"#]]
    .assert_eq(&draw(&source, Span::new(22, 27), "crosses", &related));
}

#[test]
fn any_span_can_be_drawn() {
    let text = "é\t问\r\n\n👍🏽 x";
    for start in 0..text.len() + 3 {
        for end in 0..text.len() + 3 {
            let source = Source {
                name: None,
                text,
                line: usize::MAX,
                column: usize::MAX,
            };
            draw(
                &source,
                Span::new(start, end),
                "here",
                &[(Span::new(end, start), "there".into())],
            );
        }
    }
    draw(
        &file(text),
        Span::new(usize::MAX, 0),
        "",
        &[(Span::new(0, usize::MAX), String::new())],
    );
}
