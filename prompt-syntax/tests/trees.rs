//! Each `tests/data/<dialect>/NAME.txt` is parsed; its tree and its errors, drawn, are compared with `NAME.tree`.
//!
//! A file whose name begins with `doc_` may hold role blocks. `err_` marks wrong templates: they have an error, the
//! others have none.

use std::fmt::Write;
use std::path::Path;

use expect_test::expect_file;
use prompt_syntax::{Dialect, Expr, Literal, Node, Options, parse, snippet};

#[test]
fn angle() {
    check_folder(Dialect::Angle);
}

#[test]
fn brace() {
    check_folder(Dialect::Brace);
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
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let parsed = parse(
        text,
        Options {
            dialect,
            roles: name.contains("doc_"),
            ..Options::default()
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
            error.label.as_deref().unwrap_or_default(),
            &error.related,
        );
        let _ = writeln!(out, "\nerror: {}\n{drawing}", error.message);
        if let Some(help) = &error.help {
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
                let _ = writeln!(
                    out,
                    "for {} in {}",
                    block.targets[0].value,
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
            let args: Vec<String> = filter.args.iter().map(expr).collect();
            format!(
                "({} | {}({}))",
                expr(&filter.value),
                filter.name.join("::"),
                args.join(", ")
            )
        }
        Expr::Default(coalesce) => {
            format!("({} ?? {})", expr(&coalesce.value), expr(&coalesce.default))
        }
        Expr::Not(inner) => format!("(not {})", expr(inner)),
        Expr::And(sides) => format!("({} and {})", expr(&sides.0), expr(&sides.1)),
        Expr::Or(sides) => format!("({} or {})", expr(&sides.0), expr(&sides.1)),
        _ => "?".into(),
    }
}
