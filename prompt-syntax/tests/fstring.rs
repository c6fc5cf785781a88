//! The f-string dialect, compared with Python's `str.format` and LangChain: `tests/differential/fstring/run` writes the cases.

use std::collections::HashMap;

use prompt_jinja_syntax::{Expr, Jinja, Node};
use prompt_syntax::analysis::FieldInfo;
use prompt_syntax::{Dialect, Kind, KnownNames, Options, XmlTags, parse_in};

/// The template with its slots filled; `None` if it has an error or names no field.
fn render(template: &str, values: &HashMap<&str, &str>) -> Option<String> {
    let info = |name: &&str| FieldInfo {
        name: (*name).to_owned(),
        kind: Kind::Text,
        trusted: false,
        excluded_by: None,
        answer: false,
    };
    let fields: Vec<FieldInfo> = values.keys().map(info).collect();
    let options = Options::message(Dialect::Fstring);
    let parsed = parse_in::<Jinja>(
        template,
        options,
        &XmlTags::default(),
        KnownNames::Fields(&fields),
    );
    if !parsed.errors.is_empty() {
        return None;
    }
    let mut out = String::new();
    for node in &parsed.template.nodes {
        match node {
            Node::Text(text) => out.push_str(&text.text),
            Node::Slot(slot) => {
                let Expr::Path(path) = &slot.expr else {
                    return None;
                };
                out.push_str(values.get(path.dotted().as_str())?);
            }
            _ => return None,
        }
    }
    Some(out)
}

#[test]
#[ignore = "tests/differential/fstring/run writes its cases"]
fn as_in_python() {
    let file = std::env::var("FSTRING_CASES").expect("the file of the cases");
    let cases = std::fs::read_to_string(file).expect("a readable file");
    let mut records = cases.split('\x1e');
    let values: Vec<&str> = records.next().unwrap_or_default().split('\x1f').collect();
    let values: HashMap<&str, &str> = values.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    let mut count = 0;
    for record in records {
        let (template, expected) = record.split_once('\x1f').expect("a template and its text");
        let expected = (expected != "\x15").then_some(expected);
        assert_eq!(render(template, &values).as_deref(), expected, "{template}");
        count += 1;
    }
    assert!(count > 0, "no cases");
}

#[test]
fn braces_and_names() {
    let values = HashMap::from([("name", "{Ada}"), ("a", "1")]);
    for (template, expected) in [
        (
            "{name} {{name}} {{{name}}} {{\"k\": {a}}}",
            Some("{Ada} {name} {{Ada}} {\"k\": 1}"),
        ),
        ("}}{{", Some("}{")),
        ("<name></name> \\<a>", Some("<name></name> <a>")),
        ("{other}", None),
        ("{name!r}", None),
        ("{a:>3}", None),
        ("{ a }", None),
        ("{", None),
        ("}", None),
        ("{a}}", None),
    ] {
        assert_eq!(render(template, &values).as_deref(), expected, "{template}");
    }
}

/// Braces that are not doubled are one mistake, as in pasted JSON.
#[test]
fn braces_that_are_not_doubled() {
    for (template, expected) in [
        ("{\"a\": {name}}", vec!["{"]),
        ("{\"a\": {\"b\": 1}, \"c\": [{}]}", vec!["{"]),
        (
            "a{2,3} {0} {} { next } {type: text}",
            vec!["{2,3}", "{ next }"],
        ),
        ("{} of {name}", vec!["{}"]),
        ("{ \"a\": 1 }", vec!["{ \"a\": 1 }"]),
        ("{\n  \"a\": 1\n} {name!r}", vec!["{", "{name!r}"]),
        ("}", vec!["}"]),
        ("{", vec!["{"]),
        ("{{\"a\": {name}}}", vec![]),
        (
            "{% set a = {'x': 1} %} {name} {% if a %}",
            vec!["{% set a = {'x': 1} %}"],
        ),
        ("{% set a = {'x': 1}", vec!["{"]),
    ] {
        let parsed = prompt_syntax::parse(template, Options::message(Dialect::Fstring));
        let found: Vec<&str> = parsed
            .errors
            .iter()
            .map(|error| error.span.of(template))
            .collect();
        assert_eq!(found, expected, "{template}");
    }
}
