//! Trees that a template can have.

pub(crate) mod jinja;

use prompt_base::Span;
use prompt_jinja_syntax::{Expr, Filter, For, If, Node, Slot};
use prompt_syntax::{Branch, Coalesce, Dialect, Literal, Path, Role, RoleBlock, Spanned, Text};
use proptest::collection::vec;
use proptest::prelude::*;

/// The nodes of one message.
pub(crate) fn message(dialect: Dialect) -> BoxedStrategy<Vec<Node>> {
    let leaf = prop_oneof![text(), slot(dialect)];
    let node = match dialect {
        Dialect::Angle => leaf
            .prop_recursive(3, 24, 4, |inner| {
                prop_oneof![condition(inner.clone()), repeated(inner)]
            })
            .boxed(),
        _ => leaf.boxed(),
    };
    nodes(node)
}

/// Role blocks, with white space and slots between them.
pub(crate) fn document(dialect: Dialect) -> BoxedStrategy<Vec<Node>> {
    let role =
        (prop::sample::select(Role::ALL.to_vec()), message(dialect)).prop_map(|(role, body)| {
            let role = spanned(role);
            Node::Role(RoleBlock {
                span: NOWHERE,
                role,
                body,
            })
        });
    let blank = "[ \t\r\n]{1,3}".prop_map(words);
    nodes(prop_oneof![4 => role, 1 => blank, 1 => slot(dialect)].boxed())
}

const NOWHERE: Span = Span::new(0, 0);

fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(value, NOWHERE)
}

/// Adjacent text is one node.
fn nodes(node: BoxedStrategy<Node>) -> BoxedStrategy<Vec<Node>> {
    let merged = vec(node, 0..6).prop_map(|nodes| {
        let mut merged: Vec<Node> = Vec::new();
        for node in nodes {
            match (merged.last_mut(), node) {
                (Some(Node::Text(before)), Node::Text(text)) => before.text.push_str(&text.text),
                (_, node) => merged.push(node),
            }
        }
        merged
    });
    merged.boxed()
}

fn words(text: String) -> Node {
    Node::Text(Text {
        span: NOWHERE,
        text,
    })
}

fn text() -> impl Strategy<Value = Node> {
    vec(super::piece(), 1..5)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("words are not empty", |text| !text.is_empty())
        .prop_map(words)
}

fn slot(dialect: Dialect) -> BoxedStrategy<Node> {
    let expr = match dialect {
        Dialect::Angle => value(path().prop_map(Expr::Path).boxed(), 2),
        _ => vec(name(), 1).prop_map(named).prop_map(Expr::Path).boxed(),
    };
    expr.prop_map(|expr| {
        Node::Slot(Slot {
            span: NOWHERE,
            expr,
        })
    })
    .boxed()
}

fn condition(node: BoxedStrategy<Node>) -> impl Strategy<Value = Node> {
    let branch =
        (test(), nodes(node.clone())).prop_map(|(condition, body)| Branch { condition, body });
    (vec(branch, 1..4), prop::option::of(nodes(node))).prop_map(|(branches, otherwise)| {
        Node::If(If {
            span: NOWHERE,
            branches,
            otherwise,
        })
    })
}

fn repeated(node: BoxedStrategy<Node>) -> impl Strategy<Value = Node> {
    let binding = name().prop_filter("`in` comes after the name", |name| name != "in");
    let list = filtered(path().prop_map(Expr::Path).boxed(), 1);
    (
        binding,
        list,
        nodes(node.clone()),
        prop::option::of(nodes(node)),
    )
        .prop_map(|(binding, list, body, otherwise)| {
            Node::For(For {
                span: NOWHERE,
                targets: vec![spanned(binding)],
                list,
                condition: None,
                body,
                otherwise,
            })
        })
}

fn name() -> BoxedStrategy<String> {
    prop::sample::select(vec![
        "a",
        "b",
        "_",
        "x1",
        "input",
        "if",
        "for",
        "else",
        "elif",
        "endif",
        "not",
        "and",
        "or",
        "in",
        "true",
        "false",
        "system",
        "user",
        "history",
        "问题",
        "cafe\u{301}",
    ])
    .prop_map(String::from)
    .boxed()
}

fn named(names: Vec<String>) -> Path {
    Path {
        span: NOWHERE,
        segments: names.into_iter().map(spanned).collect(),
        input: false,
    }
}

fn path() -> impl Strategy<Value = Path> {
    (vec(name(), 1..4), any::<bool>()).prop_map(|(names, input)| Path {
        input,
        ..named(names)
    })
}

fn literal() -> impl Strategy<Value = Expr> {
    let number = any::<f64>().prop_filter("not a number that can be written", |n| n.is_finite());
    prop_oneof![
        "\\PC{0,6}|[<>\"'\\\\{}\n|?)]{0,6}".prop_map(Literal::Str),
        any::<i64>().prop_map(Literal::Int),
        number.prop_map(Literal::Float),
        any::<bool>().prop_map(Literal::Bool),
    ]
    .prop_map(|literal| Expr::Literal(spanned(literal)))
}

/// A path or a literal, or a value in parentheses.
fn atom(depth: u32) -> BoxedStrategy<Expr> {
    let plain = prop_oneof![path().prop_map(Expr::Path), literal()];
    match depth {
        0 => plain.boxed(),
        depth => prop_oneof![3 => plain, 1 => value(atom(depth - 1), depth - 1)].boxed(),
    }
}

fn filtered(base: BoxedStrategy<Expr>, depth: u32) -> BoxedStrategy<Expr> {
    if depth == 0 {
        return base;
    }
    let args = vec(value(atom(depth - 1), depth - 1), 0..3);
    let filters = vec((vec(name(), 1..3), args), 0..3);
    let chain = (base, filters).prop_map(|(value, filters)| {
        filters.into_iter().fold(value, |value, (name, args)| {
            let name = spanned(name);
            Expr::Filter(Box::new(Filter {
                value,
                name,
                args,
                named: Vec::new(),
                span: NOWHERE,
            }))
        })
    });
    chain.boxed()
}

fn value(base: BoxedStrategy<Expr>, depth: u32) -> BoxedStrategy<Expr> {
    let default = prop::option::of(filtered(atom(depth), depth));
    let both = (filtered(base, depth), default).prop_map(|(value, default)| match default {
        Some(default) => Expr::Default(Box::new(Coalesce { value, default })),
        None => value,
    });
    both.boxed()
}

fn test() -> impl Strategy<Value = Expr> {
    // In a condition, parentheses contain a condition, so a value cannot begin with a parenthesis.
    let leaf = filtered(atom(0), 2);
    leaf.prop_recursive(3, 8, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|inner| Expr::Not(Box::new(spanned(inner)))),
            pair.clone().prop_map(|sides| Expr::And(Box::new(sides))),
            pair.prop_map(|sides| Expr::Or(Box::new(sides))),
        ]
    })
}
