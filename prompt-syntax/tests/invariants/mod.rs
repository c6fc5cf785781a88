//! Invariants of parsing that hold for every text. Property tests and fuzzers call this.

#[path = "../print/mod.rs"]
pub(crate) mod print;

use prompt_base::Span;
use prompt_base::snippet;
use prompt_jinja_syntax::{
    Expr, JinjaExpr, JinjaNode, Named, Node, ParsedTemplate, Template, parse,
};
use prompt_syntax::{Dialect, Options, Path, Spanned};

/// Parses a string and checks the invariants of the result.
///
/// # Panics
/// If an invariant is violated: spans lie in the text, at characters' borders and in order; those of the top level cover the
/// text without gaps; an error has a message, in its form, and can be drawn; a string without errors, printed and read
/// again, is the same tree.
pub(crate) fn check(text: &str, options: Options) {
    let parsed = parse(text, options);
    let whole = Span::new(0, text.len());
    // Comments, white-space control and options of Jinja remove text, and so do lines of block tags.
    if options.dialect == Dialect::Brace || options.keep_block_lines {
        covered(&parsed.template, text);
    }
    in_order(&parsed.template.nodes, whole, text);
    for tag in &parsed.tags {
        assert_eq!(tag.name.span.of(text), tag.name.value);
        assert!(
            tag.close
                .is_some_and(|close| close.of(text).starts_with("</"))
        );
    }
    errors(&parsed, text);
    if parsed.errors.is_empty() {
        prints(&parsed.template, options);
    }
}

/// Prints a tree, reads it again, and checks that it is the same. A text that looks like the beginning of a message is an error where it
/// is printed without the `raw` that it was in.
///
/// # Panics
/// When it is not.
pub(crate) fn prints(template: &Template, options: Options) {
    // Without the option, a block tag that is alone on its line would remove the line.
    let options = Options {
        keep_block_lines: true,
        ..options
    };
    let printed = print::to_source(template, options);
    let again = parse(&printed, options);
    let errors = again.errors;
    let of_roles = ["does not begin a message", "the text has no role"];
    let mut messages = errors.iter().map(|error| error.message());
    if messages.any(|message| of_roles.iter().any(|end| message.ends_with(end))) {
        return;
    }
    assert!(errors.is_empty(), "{printed:?} has errors: {errors:?}");
    assert_eq!(again.template, *template, "printed as {printed:?}");
}

fn covered(template: &Template, text: &str) {
    let mut end = 0;
    for node in &template.nodes {
        let span = node.span();
        assert_eq!(span.start, end, "a gap before {node:?}");
        end = span.end;
    }
    assert_eq!(end, text.len(), "the end is not covered");
}

fn errors(parsed: &ParsedTemplate, text: &str) {
    for error in &parsed.errors {
        let related = error.related().iter().map(|(span, _)| *span);
        for span in related.chain([error.span]) {
            inside(span, Span::new(0, text.len()), text);
        }
        let stop = error.message().ends_with('.');
        assert!(!error.message().is_empty() && !stop, "{error:?}");
        assert!(error.help().is_some(), "no help in {error:?}");
        let source = snippet::Source {
            name: None,
            text,
            line: 1,
            column: 0,
        };
        snippet::draw(&source, error.span, "here", error.related());
    }
}

fn inside(span: Span, outer: Span, text: &str) {
    let within = outer.start <= span.start && span.start <= span.end && span.end <= outer.end;
    assert!(within, "{span:?} leaves {outer:?}");
    let whole = text.get(span.range()).is_some();
    assert!(whole, "{span:?} splits a character");
}

fn in_order(nodes: &[Node], outer: Span, text: &str) {
    let mut last = outer.start;
    for node in nodes {
        let span = node.span();
        inside(span, Span::new(last, outer.end), text);
        last = span.end;
        match node {
            Node::Slot(slot) => expr(&slot.expr, span, text),
            Node::If(block) => {
                for branch in &block.branches {
                    expr(&branch.condition, span, text);
                    in_order(&branch.body, span, text);
                }
                in_order(block.otherwise.as_deref().unwrap_or_default(), span, text);
            }
            Node::For(block) => {
                names(&block.targets, text);
                block
                    .condition
                    .iter()
                    .for_each(|condition| expr(condition, span, text));
                expr(&block.list, span, text);
                in_order(&block.body, span, text);
                in_order(block.otherwise.as_deref().unwrap_or_default(), span, text);
            }
            Node::Role(block) => {
                inside(block.role.span, span, text);
                in_order(&block.body, span, text);
            }
            Node::Other(JinjaNode::Set(set)) => {
                names(&set.targets, text);
                expr(&set.value, span, text);
                in_order(set.body.as_deref().unwrap_or_default(), span, text);
            }
            Node::Other(JinjaNode::With(block)) => {
                arguments(&block.bindings, span, text);
                in_order(&block.body, span, text);
            }
            Node::Other(JinjaNode::Macro(block)) => {
                names(std::slice::from_ref(&block.name), text);
                for param in &block.params {
                    names(std::slice::from_ref(&param.name), text);
                    param
                        .default
                        .iter()
                        .for_each(|default| expr(default, span, text));
                }
                in_order(&block.body, span, text);
            }
            Node::Other(JinjaNode::Include(include)) => inside(include.path.span, span, text),
            Node::Other(JinjaNode::Filter(block)) => {
                expr(&block.value, span, text);
                in_order(&block.body, span, text);
            }
            Node::Text(_) | Node::Error(_) => {}
        }
    }
}

fn expr(value: &Expr, outer: Span, text: &str) {
    inside(value.span(), outer, text);
    match value {
        Expr::Path(path) => path_names(path, text),
        Expr::Literal(_) => {}
        Expr::Filter(filter) => {
            inside(filter.name.span, filter.span, text);
            expr(&filter.value, outer, text);
            filter.args.iter().for_each(|arg| expr(arg, outer, text));
            arguments(&filter.named, filter.span, text);
        }
        Expr::Default(both) => {
            expr(&both.value, outer, text);
            expr(&both.default, outer, text);
        }
        Expr::Not(inner) => expr(inner, inner.span, text),
        Expr::And(sides) | Expr::Or(sides) => {
            expr(&sides.0, outer, text);
            expr(&sides.1, outer, text);
        }
        Expr::Other(JinjaExpr::Neg(inner)) => expr(inner, inner.span, text),
        Expr::Other(JinjaExpr::Binary(binary)) => {
            inside(binary.op.span, binary.span, text);
            expr(&binary.left, binary.span, text);
            expr(&binary.right, binary.span, text);
        }
        Expr::Other(
            JinjaExpr::Concat(items) | JinjaExpr::List(items) | JinjaExpr::Tuple(items),
        ) => {
            items.iter().for_each(|item| expr(item, items.span, text));
        }
        Expr::Compare(compare) => {
            expr(&compare.first, compare.span, text);
            for (op, right) in &compare.rest {
                inside(op.span, compare.span, text);
                expr(right, compare.span, text);
            }
        }
        Expr::Other(JinjaExpr::Test(test)) => {
            names(std::slice::from_ref(&test.name), text);
            expr(&test.value, test.span, text);
            test.args.iter().for_each(|arg| expr(arg, test.span, text));
        }
        Expr::Other(JinjaExpr::If(conditional)) => {
            let otherwise = conditional.otherwise.iter();
            for part in [&conditional.value, &conditional.condition]
                .into_iter()
                .chain(otherwise)
            {
                expr(part, conditional.span, text);
            }
        }
        Expr::Other(JinjaExpr::Attribute(attribute)) => {
            names(std::slice::from_ref(&attribute.name), text);
            expr(&attribute.value, attribute.span, text);
        }
        Expr::Other(JinjaExpr::Index(index)) => {
            expr(&index.value, index.span, text);
            expr(&index.index, index.span, text);
        }
        Expr::Other(JinjaExpr::Slice(slice)) => {
            let bounds = [&slice.start, &slice.stop, &slice.step]
                .into_iter()
                .flatten();
            bounds.for_each(|bound| expr(bound, slice.span, text));
            expr(&slice.value, slice.span, text);
        }
        Expr::Other(JinjaExpr::Call(call)) => {
            names(std::slice::from_ref(&call.name), text);
            let parts = call.receiver.iter().chain(&call.args);
            parts.for_each(|part| expr(part, call.span, text));
            arguments(&call.named, call.span, text);
        }
        Expr::Other(JinjaExpr::Dict(entries)) => {
            for (key, value) in &entries.value {
                expr(key, entries.span, text);
                expr(value, entries.span, text);
            }
        }
        Expr::Other(JinjaExpr::Body(_)) => {}
    }
}

fn arguments(named: &[Named], outer: Span, text: &str) {
    for argument in named {
        inside(argument.name.span, outer, text);
        names(std::slice::from_ref(&argument.name), text);
        expr(&argument.value, outer, text);
    }
}

fn names(names: &[Spanned<String>], text: &str) {
    for name in names {
        assert_eq!(name.span.of(text), name.value);
    }
}

fn path_names(path: &Path, text: &str) {
    // Jinja allows white space around a dot.
    let written: String = path.span.of(text).split(is_space).collect();
    assert_eq!(written, path.dotted());
    names(&path.segments, text);
}

/// White space as Python's `str.isspace` has it.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}
