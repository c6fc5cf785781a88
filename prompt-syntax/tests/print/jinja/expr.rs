//! Expressions of the Jinja dialect, with the parentheses that they need.

use super::super::quoted;
use prompt_jinja_syntax::{BinaryOp, Expr, JinjaExpr, Named};
use prompt_syntax::{Literal, Path};

/// The precedence of an expression; one of lower precedence inside another is written in parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Precedence {
    If,
    Or,
    And,
    Not,
    Compare,
    Sum,
    Concat,
    Product,
    Power,
    Unary,
    Postfix,
}

/// An expression where any is accepted.
pub(in super::super) fn expr(of: &Expr) -> String {
    at_least(Precedence::If, of)
}

/// An expression where no `if` may follow it.
pub(super) fn value(of: &Expr) -> String {
    guarded(Precedence::Or, of)
}

/// The filters of a block's text, each with its `|`.
pub(super) fn chain(of: &Expr) -> String {
    match of {
        Expr::Other(JinjaExpr::Body(_)) => String::new(),
        Expr::Filter(filter) => format!(
            "{} | {}{}",
            chain(&filter.value),
            filter.name.join("::"),
            arguments(&filter.args, &filter.named)
        ),
        other => expr(other),
    }
}

fn at_least(least: Precedence, of: &Expr) -> String {
    match level(of) < least {
        true => format!("({})", plain(of)),
        false => plain(of),
    }
}

/// The same before a word that a test would read as its argument.
fn guarded(least: Precedence, of: &Expr) -> String {
    match level(of) >= least && ends_in_test(of) {
        true => format!("({})", plain(of)),
        false => at_least(least, of),
    }
}

fn level(of: &Expr) -> Precedence {
    match of {
        Expr::Other(JinjaExpr::If(_)) => Precedence::If,
        Expr::Or(_) => Precedence::Or,
        Expr::And(_) => Precedence::And,
        Expr::Not(_) => Precedence::Not,
        Expr::Compare(_) => Precedence::Compare,
        Expr::Other(JinjaExpr::Binary(binary)) => sign_level(*binary.op),
        Expr::Other(JinjaExpr::Concat(_)) => Precedence::Concat,
        Expr::Other(JinjaExpr::Neg(_))
        | Expr::Filter(_)
        | Expr::Other(JinjaExpr::Test(_))
        | Expr::Default(_) => Precedence::Unary,
        Expr::Literal(literal) => match &literal.value {
            Literal::Int(number) if *number < 0 => Precedence::Unary,
            Literal::Float(number) if number.is_sign_negative() => Precedence::Unary,
            _ => Precedence::Postfix,
        },
        Expr::Path(_)
        | Expr::Other(
            JinjaExpr::Attribute(_)
            | JinjaExpr::Index(_)
            | JinjaExpr::Slice(_)
            | JinjaExpr::Call(_)
            | JinjaExpr::List(_)
            | JinjaExpr::Tuple(_)
            | JinjaExpr::Dict(_)
            | JinjaExpr::Body(_),
        ) => Precedence::Postfix,
    }
}

fn sign_level(op: BinaryOp) -> Precedence {
    match op {
        BinaryOp::Add | BinaryOp::Sub => Precedence::Sum,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod => Precedence::Product,
        BinaryOp::Pow => Precedence::Power,
    }
}

/// Whether its last word is a test that has no argument.
fn ends_in_test(of: &Expr) -> bool {
    match of {
        Expr::Other(JinjaExpr::Test(test)) => test.args.is_empty(),
        Expr::Or(sides) | Expr::And(sides) => ends_in_test(&sides.1),
        Expr::Not(inner) => ends_in_test(inner),
        Expr::Compare(compare) => compare
            .rest
            .last()
            .is_some_and(|(_, last)| ends_in_test(last)),
        Expr::Other(JinjaExpr::Binary(binary)) => ends_in_test(&binary.right),
        Expr::Other(JinjaExpr::Concat(items)) => items.last().is_some_and(ends_in_test),
        Expr::Other(JinjaExpr::If(conditional)) => ends_in_test(
            conditional
                .otherwise
                .as_ref()
                .unwrap_or(&conditional.condition),
        ),
        _ => false,
    }
}

fn plain(of: &Expr) -> String {
    match of {
        Expr::Path(path) => path.dotted(),
        Expr::Literal(literal) => self::literal(&literal.value),
        Expr::Filter(filter) => format!(
            "{} | {}{}",
            at_least(Precedence::Unary, &filter.value),
            filter.name.join("::"),
            arguments(&filter.args, &filter.named)
        ),
        Expr::Default(both) => format!(
            "{} | default({})",
            at_least(Precedence::Unary, &both.value),
            expr(&both.default)
        ),
        Expr::Not(inner) => format!("not {}", at_least(Precedence::Not, inner)),
        Expr::And(sides) => format!(
            "{} and {}",
            at_least(Precedence::And, &sides.0),
            at_least(Precedence::Not, &sides.1)
        ),
        Expr::Or(sides) => format!(
            "{} or {}",
            at_least(Precedence::Or, &sides.0),
            at_least(Precedence::And, &sides.1)
        ),
        Expr::Other(JinjaExpr::Neg(inner)) => match &inner.value {
            Expr::Other(JinjaExpr::Neg(_)) => format!("-{}", plain(inner)),
            inner => format!("-{}", at_least(Precedence::Postfix, inner)),
        },
        Expr::Other(JinjaExpr::Binary(binary)) => {
            let (left, right) = match sign_level(*binary.op) {
                Precedence::Sum => (Precedence::Sum, Precedence::Concat),
                Precedence::Product => (Precedence::Product, Precedence::Power),
                _ => (Precedence::Power, Precedence::Unary),
            };
            format!(
                "{} {} {}",
                at_least(left, &binary.left),
                binary.op.sign(),
                at_least(right, &binary.right)
            )
        }
        Expr::Other(JinjaExpr::Concat(items)) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| at_least(Precedence::Product, item))
                .collect();
            items.join(" ~ ")
        }
        Expr::Compare(compare) => {
            let mut out = guarded(Precedence::Sum, &compare.first);
            for (op, right) in &compare.rest {
                out.extend([" ", op.sign(), " ", &guarded(Precedence::Sum, right)]);
            }
            out
        }
        Expr::Other(JinjaExpr::Test(test)) => {
            let not = if test.negated { "not " } else { "" };
            let args = arguments(&test.args, &[]);
            format!(
                "{} is {not}{}{args}",
                guarded(Precedence::Unary, &test.value),
                test.name.value
            )
        }
        Expr::Other(JinjaExpr::If(conditional)) => {
            let otherwise = conditional.otherwise.as_ref();
            let otherwise =
                otherwise.map_or(String::new(), |other| format!(" else {}", expr(other)));
            format!(
                "{} if {}{otherwise}",
                guarded(Precedence::Or, &conditional.value),
                guarded(Precedence::Or, &conditional.condition)
            )
        }
        Expr::Other(JinjaExpr::Attribute(attribute)) => {
            format!(
                "{}.{}",
                receiver(&attribute.value, true),
                attribute.name.value
            )
        }
        Expr::Other(JinjaExpr::Index(index)) => {
            format!("{}[{}]", receiver(&index.value, false), bound(&index.index))
        }
        Expr::Other(JinjaExpr::Slice(slice)) => {
            let bound = |of: &Option<Expr>| of.as_ref().map_or(String::new(), bound);
            let (start, stop) = (bound(&slice.start), bound(&slice.stop));
            let step = match &slice.step {
                Some(_) => format!(":{}", bound(&slice.step)),
                None => String::new(),
            };
            format!("{}[{start}:{stop}{step}]", receiver(&slice.value, false))
        }
        Expr::Other(JinjaExpr::Call(call)) => {
            let receiver = match &call.receiver {
                Some(of) => format!("{}.", receiver(of, false)),
                None => String::new(),
            };
            format!(
                "{receiver}{}({})",
                call.name.value,
                list(&call.args, &call.named)
            )
        }
        Expr::Other(JinjaExpr::List(items)) => format!("[{}]", list(items, &[])),
        Expr::Other(JinjaExpr::Tuple(items)) => match &items[..] {
            [only] => format!("({},)", expr(only)),
            items => format!("({})", list(items, &[])),
        },
        Expr::Other(JinjaExpr::Dict(entries)) => {
            let entries = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", expr(key), expr(value)));
            let entries: Vec<String> = entries.collect();
            let entries = entries.join(", ");
            // Two braces would begin a slot.
            let space = if entries.starts_with('{') { " " } else { "" };
            format!("{{{space}{entries}}}")
        }
        Expr::Other(JinjaExpr::Body(_)) => String::new(),
    }
}

/// The expression before a dot or a bracket. A path continues with a name, so parentheses end it.
fn receiver(of: &Expr, before_name: bool) -> String {
    match of {
        Expr::Path(path) if before_name => format!("({})", Path::dotted(path)),
        of => at_least(Precedence::Postfix, of),
    }
}

/// The expression between brackets, where `:` belongs to a slice.
fn bound(of: &Expr) -> String {
    match expr(of) {
        words if words.contains("::") => format!("({words})"),
        words => words,
    }
}

/// The arguments in parentheses; none where there are none.
fn arguments(args: &[Expr], named: &[Named]) -> String {
    match list(args, named) {
        words if words.is_empty() => words,
        words => format!("({words})"),
    }
}

fn list(args: &[Expr], named: &[Named]) -> String {
    let args = args.iter().map(expr);
    let named = named
        .iter()
        .map(|named| format!("{}={}", named.name.value, expr(&named.value)));
    let words: Vec<String> = args.chain(named).collect();
    words.join(", ")
}

fn literal(literal: &Literal) -> String {
    match literal {
        Literal::Str(text) => quoted(text),
        Literal::Int(number) => number.to_string(),
        Literal::Float(number) => format!("{number:?}"),
        Literal::Bool(value) => value.to_string(),
        Literal::None => "none".to_owned(),
    }
}
