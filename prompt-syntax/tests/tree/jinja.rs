//! Trees that a template of the Jinja dialect can have.

use prompt_jinja_syntax::{
    Attribute, Binary, BinaryOp, CallExpr, Compare, Conditional, Expr, Filter, FilterBlock, For,
    If, Include, Index, JinjaExpr, JinjaNode, Macro, MacroParam, Named, Node, SetStatement, Slice,
    Slot, TestExpr, With,
};
use prompt_syntax::{Branch, CompareOp, Literal, Path, Role, RoleBlock, Spanned, Text};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::{NOWHERE, nodes, spanned};

/// The nodes of one message.
pub(crate) fn message() -> BoxedStrategy<Vec<Node>> {
    let leaf = prop_oneof![
        3 => words(),
        3 => expr().prop_map(|expr| Node::Slot(Slot { span: NOWHERE, expr })),
        1 => assignment(),
        1 => text().prop_map(|path| Node::Other(JinjaNode::Include(Include { span: NOWHERE, path: spanned(path) }))),
    ];
    let node = leaf.prop_recursive(3, 24, 4, |inner| {
        let body = || nodes(inner.clone().boxed());
        prop_oneof![
            condition(body()),
            repeated(body()),
            (names(1), body(), chain()).prop_map(|(targets, body, value)| {
                Node::Other(JinjaNode::Set(SetStatement {
                    span: NOWHERE,
                    targets,
                    value,
                    body: Some(body),
                }))
            }),
            (vec(argument(), 0..3), body()).prop_map(|(bindings, body)| {
                Node::Other(JinjaNode::With(With {
                    span: NOWHERE,
                    bindings,
                    body,
                }))
            }),
            definition(body()),
            (
                filter(Just(Expr::Other(JinjaExpr::Body(spanned(())))).boxed()),
                body()
            )
                .prop_map(|(value, body)| {
                    Node::Other(JinjaNode::Filter(FilterBlock {
                        span: NOWHERE,
                        value,
                        body,
                    }))
                }),
        ]
    });
    nodes(node.boxed())
}

/// Role blocks, with white space and assignments between them.
pub(crate) fn document() -> BoxedStrategy<Vec<Node>> {
    let role = (prop::sample::select(Role::ALL.to_vec()), message()).prop_map(|(role, body)| {
        let role = spanned(role);
        Node::Role(RoleBlock {
            span: NOWHERE,
            role,
            body,
        })
    });
    let blank = "[ \t\n]{1,3}".prop_map(|text| {
        Node::Text(Text {
            span: NOWHERE,
            text,
        })
    });
    nodes(prop_oneof![4 => role, 1 => blank, 1 => assignment()].boxed())
}

fn words() -> impl Strategy<Value = Node> {
    // Every line break of a template is read as `\n`.
    let text =
        vec(super::super::piece(), 1..5).prop_map(|pieces| pieces.concat().replace('\r', ""));
    text.prop_filter("words are not empty", |text| !text.is_empty())
        .prop_map(|text| {
            Node::Text(Text {
                span: NOWHERE,
                text,
            })
        })
}

fn assignment() -> impl Strategy<Value = Node> {
    (prop_oneof![names(1), names(2)], expr()).prop_map(|(targets, value)| {
        Node::Other(JinjaNode::Set(SetStatement {
            span: NOWHERE,
            targets,
            value,
            body: None,
        }))
    })
}

fn condition(body: BoxedStrategy<Vec<Node>>) -> impl Strategy<Value = Node> {
    let branch = (expr(), body.clone()).prop_map(|(condition, body)| Branch { condition, body });
    (vec(branch, 1..3), option::of(body)).prop_map(|(branches, otherwise)| {
        Node::If(If {
            span: NOWHERE,
            branches,
            otherwise,
        })
    })
}

fn repeated(body: BoxedStrategy<Vec<Node>>) -> impl Strategy<Value = Node> {
    let head = (prop_oneof![names(1), names(2)], expr(), option::of(expr()));
    (head, body.clone(), option::of(body)).prop_map(
        |((targets, list, condition), body, otherwise)| {
            Node::For(For {
                span: NOWHERE,
                targets,
                list,
                condition,
                body,
                otherwise,
            })
        },
    )
}

fn definition(body: BoxedStrategy<Vec<Node>>) -> impl Strategy<Value = Node> {
    (names(3), 0..3_usize, vec(expr(), 2), body).prop_map(|(mut names, plain, defaults, body)| {
        let name = names.remove(0);
        let params = names.into_iter().zip(defaults).enumerate();
        let params = params.map(|(index, (name, default))| MacroParam {
            name,
            default: (index >= plain).then_some(default),
        });
        Node::Other(JinjaNode::Macro(Macro {
            span: NOWHERE,
            name,
            params: params.collect(),
            body,
        }))
    })
}

/// That many names, each another.
fn names(count: usize) -> BoxedStrategy<Vec<Spanned<String>>> {
    let names = vec![
        "a",
        "b",
        "_",
        "x1",
        "set",
        "endif",
        "user",
        "self",
        "问题",
        "cafe\u{301}",
        "raw",
    ];
    let some = prop::sample::subsequence(names, count);
    some.prop_map(|names| {
        names
            .into_iter()
            .map(|name| spanned(name.to_owned()))
            .collect()
    })
    .boxed()
}

fn name() -> BoxedStrategy<Spanned<String>> {
    names(1).prop_map(|mut names| names.remove(0)).boxed()
}

fn text() -> BoxedStrategy<String> {
    "\\PC{0,6}|[<>\"'\\\\{}%#\n\r|?)-]{0,6}|\\}\\}|%\\}".boxed()
}

fn leaf() -> BoxedStrategy<Expr> {
    let number = any::<f64>().prop_filter("a number without a sign", |n| {
        n.is_finite() && n.is_sign_positive()
    });
    let literal = prop_oneof![
        text().prop_map(Literal::Str),
        (0..i64::MAX).prop_map(Literal::Int),
        (0..3_i64).prop_map(Literal::Int),
        number.prop_map(Literal::Float),
        any::<bool>().prop_map(Literal::Bool),
        Just(Literal::None),
    ];
    prop_oneof![
        2 => vec(name(), 1..3).prop_map(|segments| Expr::Path(Path { span: NOWHERE, segments, input: false })),
        1 => literal.prop_map(|literal| Expr::Literal(spanned(literal))),
    ]
    .boxed()
}

fn expr() -> BoxedStrategy<Expr> {
    leaf()
        .prop_recursive(4, 16, 3, |inner| {
            let inner = inner.boxed();
            prop_oneof![
                operation(&inner),
                access(inner.clone()),
                filter(inner.clone()),
                collection(&inner)
            ]
        })
        .boxed()
}

fn operation(inner: &BoxedStrategy<Expr>) -> BoxedStrategy<Expr> {
    let two = || (inner.clone(), inner.clone());
    let binary = prop::sample::select(vec![
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::FloorDiv,
        BinaryOp::Mod,
        BinaryOp::Pow,
    ]);
    let compare = prop::sample::select(vec![
        CompareOp::Eq,
        CompareOp::Ne,
        CompareOp::Lt,
        CompareOp::Le,
        CompareOp::Gt,
        CompareOp::Ge,
        CompareOp::In,
        CompareOp::NotIn,
    ]);
    let rest = vec((compare.prop_map(spanned), inner.clone()), 1..3);
    let test = prop_oneof![
        (Just("none"), Just(Vec::new())),
        (Just("defined"), Just(Vec::new())),
        (Just("in"), vec(inner.clone(), 1)),
        (Just("divisibleby"), vec(inner.clone(), 1)),
    ];
    prop_oneof![
        inner
            .clone()
            .prop_map(|inner| Expr::Not(Box::new(spanned(inner)))),
        inner
            .clone()
            .prop_map(|inner| Expr::Other(JinjaExpr::Neg(Box::new(spanned(inner))))),
        two().prop_map(|sides| Expr::And(Box::new(sides))),
        two().prop_map(|sides| Expr::Or(Box::new(sides))),
        (binary, two()).prop_map(|(op, (left, right))| {
            Expr::Other(JinjaExpr::Binary(Box::new(Binary {
                op: spanned(op),
                left,
                right,
                span: NOWHERE,
            })))
        }),
        vec(inner.clone(), 2..4).prop_map(|items| Expr::Other(JinjaExpr::Concat(spanned(items)))),
        (inner.clone(), rest).prop_map(|(first, rest)| {
            Expr::Compare(Box::new(Compare {
                first,
                rest,
                span: NOWHERE,
            }))
        }),
        (inner.clone(), test, any::<bool>()).prop_map(|(value, (name, args), negated)| {
            let name = spanned(name.to_owned());
            Expr::Other(JinjaExpr::Test(Box::new(TestExpr {
                value,
                name,
                args,
                negated,
                span: NOWHERE,
            })))
        }),
        (two(), option::of(inner.clone())).prop_map(|((value, condition), otherwise)| {
            Expr::Other(JinjaExpr::If(Box::new(Conditional {
                value,
                condition,
                otherwise,
                span: NOWHERE,
            })))
        }),
    ]
    .boxed()
}

fn access(inner: BoxedStrategy<Expr>) -> BoxedStrategy<Expr> {
    let bound = || option::of(inner.clone());
    prop_oneof![
        (inner.clone(), name()).prop_map(|(value, name)| {
            Expr::Other(JinjaExpr::Attribute(Box::new(Attribute {
                value,
                name,
                span: NOWHERE,
            })))
        }),
        (inner.clone(), inner.clone()).prop_map(|(value, index)| {
            Expr::Other(JinjaExpr::Index(Box::new(Index {
                value,
                index,
                span: NOWHERE,
            })))
        }),
        (inner.clone(), bound(), bound(), bound()).prop_map(|(value, start, stop, step)| {
            Expr::Other(JinjaExpr::Slice(Box::new(Slice {
                value,
                start,
                stop,
                step,
                span: NOWHERE,
            })))
        }),
        (option::of(inner.clone()), name(), arguments(inner)).prop_map(
            |(receiver, name, (args, named))| {
                // Calls of `self` are a part of Jinja's inheritance.
                let name = match name.as_str() {
                    "self" if receiver.is_none() => spanned("range".to_owned()),
                    _ => name,
                };
                Expr::Other(JinjaExpr::Call(Box::new(CallExpr {
                    receiver,
                    name,
                    args,
                    named,
                    span: NOWHERE,
                })))
            }
        ),
    ]
    .boxed()
}

fn collection(inner: &BoxedStrategy<Expr>) -> BoxedStrategy<Expr> {
    let items = || vec(inner.clone(), 0..3);
    let entries = vec((inner.clone(), inner.clone()), 0..3);
    prop_oneof![
        items().prop_map(|items| Expr::Other(JinjaExpr::List(spanned(items)))),
        items().prop_map(|items| Expr::Other(JinjaExpr::Tuple(spanned(items)))),
        entries.prop_map(|entries| Expr::Other(JinjaExpr::Dict(spanned(entries)))),
    ]
    .boxed()
}

fn arguments(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = (Vec<Expr>, Vec<Named>)> {
    let named = (0..3_usize)
        .prop_flat_map(names)
        .prop_flat_map(move |names| {
            let count = names.len();
            (Just(names), vec(leaf(), count))
        })
        .prop_map(|(names, values)| {
            let named = names.into_iter().zip(values);
            named.map(|(name, value)| Named { name, value }).collect()
        });
    (vec(inner, 0..3), named)
}

fn argument() -> impl Strategy<Value = Named> {
    (name(), expr()).prop_map(|(name, value)| Named { name, value })
}

fn filter(inner: BoxedStrategy<Expr>) -> BoxedStrategy<Expr> {
    let name = vec(name(), 1..3)
        .prop_map(|names| spanned(names.into_iter().map(|name| name.value).collect::<Vec<_>>()));
    (inner, name, arguments(leaf()))
        .prop_map(|(value, name, (args, named))| {
            Expr::Filter(Box::new(Filter {
                value,
                name,
                args,
                named,
                span: NOWHERE,
            }))
        })
        .boxed()
}

/// The filters of a block's text.
fn chain() -> BoxedStrategy<Expr> {
    let body = Just(Expr::Other(JinjaExpr::Body(spanned(())))).boxed();
    prop_oneof![body.clone(), filter(body.clone()), filter(filter(body))].boxed()
}
