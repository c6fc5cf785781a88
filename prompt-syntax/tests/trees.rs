//! Each `tests/data/<dialect>/NAME.txt` is parsed; its tree and its errors, drawn, are compared with `NAME.tree`.
//!
//! A file whose name begins with `doc_` may contain role blocks. `err_` marks wrong templates: they have an error, the
//! others have none. One with `lines_` in its name is a Prompty file. One with `trim_` or `lstrip_` in its name is read with that option of Jinja, `keep_` keeps its last
//! line break; one with `input_` is read with `slots = "input"`.

use std::fmt::Write;
use std::path::Path;

use expect_test::expect_file;
use prompt_base::snippet;
use prompt_jinja_syntax::{Expr, JinjaExpr, JinjaNode, Named, Node, parse};
use prompt_syntax::{Dialect, Literal, Options, Spanned};

#[test]
fn angle() {
    check_folder(Dialect::Angle);
}

#[test]
fn brace() {
    check_folder(Dialect::Brace);
}

#[test]
fn fstring() {
    check_folder(Dialect::Fstring);
}

#[test]
fn jinja() {
    check_folder(Dialect::Jinja);
}

fn check_folder(dialect: Dialect) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(dialect.name());
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(files.len() >= 5, "few inputs in {}", folder.display());
    for file in files {
        check(dialect, &file);
    }
}

fn check(dialect: Dialect, file: &Path) {
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a name");
    let text = std::fs::read_to_string(file).expect("a readable input");
    let keeps = name.contains("keep_");
    let text = if keeps {
        &text
    } else {
        text.strip_suffix('\n').unwrap_or(&text)
    };
    let parsed = parse(
        text,
        Options {
            dialect,
            roles: name.contains("doc_"),
            keep_block_lines: name.contains("block_lines_"),
            trim_blocks: name.contains("trim_"),
            lstrip_blocks: name.contains("lstrip_"),
            keep_trailing_newline: keeps,
            role_lines: name.contains("lines_"),
            input_only: name.contains("input_"),
        },
    );
    let mut out = String::new();
    nodes(&mut out, &parsed.template.nodes, 0);
    for tag in &parsed.tags {
        let _ = writeln!(out, "xml {}", tag.name.value);
    }
    for error in &parsed.errors {
        let source = snippet::Source {
            name: Some(name),
            text,
            line: 1,
            column: 0,
        };
        let drawing = snippet::draw(
            &source,
            error.span,
            error.label().unwrap_or_default(),
            error.related(),
        );
        let _ = writeln!(out, "\nerror: {}\n{drawing}", error.message());
        if let Some(help) = error.help() {
            let _ = writeln!(out, "  = help: {help}");
        }
    }
    assert_eq!(
        name.starts_with("err_"),
        !parsed.errors.is_empty(),
        "{name}: {:?}",
        parsed.errors
    );
    expect_file![file.with_extension("tree")].assert_eq(&out);
}

fn nodes(out: &mut String, nodes: &[Node], depth: usize) {
    for node in nodes {
        let _ = write!(out, "{:1$}", "", depth * 2);
        let _ = match node {
            Node::Text(text) => writeln!(out, "text {:?}", text.text),
            Node::Slot(slot) => writeln!(out, "slot {}", expr(&slot.expr)),
            Node::If(block) => {
                let _ = writeln!(out, "if");
                for branch in &block.branches {
                    let _ = writeln!(
                        out,
                        "{:2$}when {}",
                        "",
                        expr(&branch.condition),
                        depth * 2 + 2
                    );
                    self::nodes(out, &branch.body, depth + 2);
                }
                otherwise(out, block.otherwise.as_deref(), depth);
                continue;
            }
            Node::For(block) => {
                let condition = block.condition.as_ref();
                let condition = condition.map_or(String::new(), |condition| {
                    format!(" if {}", expr(condition))
                });
                let _ = writeln!(
                    out,
                    "for {} in {}{condition}",
                    names(&block.targets),
                    expr(&block.list)
                );
                self::nodes(out, &block.body, depth + 1);
                otherwise(out, block.otherwise.as_deref(), depth);
                continue;
            }
            Node::Role(block) => {
                let _ = writeln!(out, "{}", block.role.name());
                self::nodes(out, &block.body, depth + 1);
                continue;
            }
            Node::Other(JinjaNode::Set(set)) => {
                let _ = writeln!(out, "set {} = {}", names(&set.targets), expr(&set.value));
                self::nodes(out, set.body.as_deref().unwrap_or_default(), depth + 1);
                continue;
            }
            Node::Other(JinjaNode::With(block)) => {
                let bindings: Vec<String> = block.bindings.iter().map(named).collect();
                let _ = writeln!(out, "with {}", bindings.join(", "));
                self::nodes(out, &block.body, depth + 1);
                continue;
            }
            Node::Other(JinjaNode::Macro(block)) => {
                let params = block.params.iter().map(|param| match &param.default {
                    Some(default) => format!("{}={}", param.name.value, expr(default)),
                    None => param.name.value.clone(),
                });
                let params: Vec<String> = params.collect();
                let _ = writeln!(out, "macro {}({})", block.name.value, params.join(", "));
                self::nodes(out, &block.body, depth + 1);
                continue;
            }
            Node::Other(JinjaNode::Include(include)) => {
                writeln!(out, "include {:?}", include.path.value)
            }
            Node::Other(JinjaNode::Filter(block)) => {
                let _ = writeln!(out, "filter {}", expr(&block.value));
                self::nodes(out, &block.body, depth + 1);
                continue;
            }
            _ => writeln!(out, "error"),
        };
    }
}

fn otherwise(out: &mut String, body: Option<&[Node]>, depth: usize) {
    if let Some(body) = body {
        let _ = writeln!(out, "{:1$}else", "", depth * 2 + 2);
        nodes(out, body, depth + 2);
    }
}

/// An expression with all its parentheses.
fn expr(of: &Expr) -> String {
    match of {
        Expr::Path(path) => path.dotted(),
        Expr::Literal(literal) => match &literal.value {
            Literal::Str(text) => format!("{text:?}"),
            other => format!("{other:?}"),
        },
        Expr::Filter(filter) => {
            let args = arguments(&filter.args, &filter.named);
            format!(
                "({} | {}({args}))",
                expr(&filter.value),
                filter.name.join("::")
            )
        }
        Expr::Default(coalesce) => {
            format!("({} ?? {})", expr(&coalesce.value), expr(&coalesce.default))
        }
        Expr::Not(inner) => format!("(not {})", expr(inner)),
        Expr::And(sides) => format!("({} and {})", expr(&sides.0), expr(&sides.1)),
        Expr::Or(sides) => format!("({} or {})", expr(&sides.0), expr(&sides.1)),
        Expr::Other(JinjaExpr::Neg(inner)) => format!("(-{})", expr(inner)),
        Expr::Other(JinjaExpr::Binary(binary)) => {
            format!(
                "({} {} {})",
                expr(&binary.left),
                binary.op.sign(),
                expr(&binary.right)
            )
        }
        Expr::Other(JinjaExpr::Concat(items)) => {
            let items: Vec<String> = items.iter().map(expr).collect();
            format!("({})", items.join(" ~ "))
        }
        Expr::Compare(compare) => {
            let rest = compare
                .rest
                .iter()
                .map(|(op, right)| format!(" {} {}", op.sign(), expr(right)));
            format!("({}{})", expr(&compare.first), rest.collect::<String>())
        }
        Expr::Other(JinjaExpr::Test(test)) => {
            let not = if test.negated { "not " } else { "" };
            let args = arguments(&test.args, &[]);
            format!(
                "({} is {not}{}({args}))",
                expr(&test.value),
                test.name.value
            )
        }
        Expr::Other(JinjaExpr::If(conditional)) => {
            let otherwise = conditional.otherwise.as_ref();
            let otherwise =
                otherwise.map_or(String::new(), |other| format!(" else {}", expr(other)));
            format!(
                "({} if {}{otherwise})",
                expr(&conditional.value),
                expr(&conditional.condition)
            )
        }
        Expr::Other(JinjaExpr::Attribute(attribute)) => {
            format!("({}).{}", expr(&attribute.value), attribute.name.value)
        }
        Expr::Other(JinjaExpr::Index(index)) => {
            format!("{}[{}]", expr(&index.value), expr(&index.index))
        }
        Expr::Other(JinjaExpr::Slice(slice)) => {
            let bounds = [&slice.start, &slice.stop, &slice.step];
            let bounds = bounds.map(|bound| bound.as_ref().map_or(String::new(), expr));
            format!("{}[{}]", expr(&slice.value), bounds.join(":"))
        }
        Expr::Other(JinjaExpr::Call(call)) => {
            let receiver = call.receiver.as_ref();
            let receiver = receiver.map_or(String::new(), |of| format!("({}).", expr(of)));
            format!(
                "{receiver}{}({})",
                call.name.value,
                arguments(&call.args, &call.named)
            )
        }
        Expr::Other(JinjaExpr::List(items)) => format!("[{}]", arguments(items, &[])),
        Expr::Other(JinjaExpr::Tuple(items)) => format!("({},)", arguments(items, &[])),
        Expr::Other(JinjaExpr::Dict(entries)) => {
            let entries = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", expr(key), expr(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Expr::Other(JinjaExpr::Body(_)) => "body".into(),
    }
}

fn arguments(args: &[Expr], names: &[Named]) -> String {
    let all: Vec<String> = args
        .iter()
        .map(expr)
        .chain(names.iter().map(named))
        .collect();
    all.join(", ")
}

fn named(named: &Named) -> String {
    format!("{}={}", named.name.value, expr(&named.value))
}

fn names(names: &[Spanned<String>]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    names.join(", ")
}
