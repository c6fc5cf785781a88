//! A tree printed back as the text that it would be read from.

use crate::lex::{angle, brace};
use crate::{Dialect, Expr, Literal, Node, Options, Template};

impl Template {
    /// The template as text; reading that with the same options gives an equal tree.
    ///
    /// Blocks and filters are always written in the angle way: the brace dialect has none.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Options, parse};
    ///
    /// let parsed = parse("Hello {name}", Options::message(Dialect::Brace));
    /// assert_eq!(parsed.template.to_source(Options::message(Dialect::Angle)), "Hello <input:name>");
    /// ```
    pub fn to_source(&self, options: Options) -> String {
        let mut printer = Printer {
            options,
            out: String::new(),
            text: Vec::new(),
        };
        printer.nodes(&self.nodes);
        printer.escaped()
    }
}

struct Printer {
    options: Options,
    out: String,
    /// The parts of `out` that are words of the template.
    text: Vec<std::ops::Range<usize>>,
}

impl Printer {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Text(text) => {
                let start = self.out.len();
                match self.options.dialect {
                    Dialect::Brace => self.out.push_str(&doubled(&text.text)),
                    _ => self.out.push_str(&text.text),
                }
                self.text.push(start..self.out.len());
            }
            Node::Slot(slot) => {
                let words = expr(&slot.expr);
                let plain = matches!(&slot.expr, Expr::Path(path) if path.segments.len() == 1 && !path.input);
                match self.options.dialect {
                    Dialect::Brace => self.out.extend(["{", &words, "}"]),
                    // A bare name might be taken for an XML tag.
                    _ if plain => self.out.extend(["<input:", &words, ">"]),
                    _ => self.out.extend(["<", &words, ">"]),
                }
            }
            Node::If(block) => {
                for (index, branch) in block.branches.iter().enumerate() {
                    let word = if index == 0 { "<if " } else { "<else if " };
                    self.out.extend([word, &condition(&branch.condition), ">"]);
                    self.nodes(&branch.body);
                }
                self.otherwise(block.otherwise.as_deref());
                self.out.push_str("</if>");
            }
            Node::For(block) => {
                self.out.extend([
                    "<for ",
                    &block.binding.value,
                    " in ",
                    &expr(&block.list),
                    ">",
                ]);
                self.nodes(&block.body);
                self.otherwise(block.otherwise.as_deref());
                self.out.push_str("</for>");
            }
            Node::Role(block) => {
                let name = block.role.name();
                self.out.extend(["<", name, ">\n"]);
                self.nodes(&block.body);
                self.out.extend(["\n</", name, ">"]);
            }
            Node::Error(_) => {}
        }
    }

    fn otherwise(&mut self, nodes: Option<&[Node]>) {
        if let Some(nodes) = nodes {
            self.out.push_str("<else>");
            self.nodes(nodes);
        }
    }

    /// Whether something that is no text begins at a `<`.
    fn is_shaped(&self, at: usize) -> bool {
        match self.options.dialect {
            Dialect::Brace => self.options.roles && angle::role_tag(&self.out, at).is_some(),
            _ => angle::shape(&self.out, at, self.options.roles).is_some(),
        }
    }

    /// What was printed, with whatever in its words would be read as structure escaped.
    fn escaped(mut self) -> String {
        let mut out = String::with_capacity(self.out.len());
        let mut texts = std::mem::take(&mut self.text).into_iter().peekable();
        let mut slashes = 0;
        for (at, c) in self.out.char_indices() {
            while texts.next_if(|text| text.end <= at).is_some() {}
            let in_text = texts.peek().is_some_and(|text| text.contains(&at));
            match c {
                '\\' if in_text => {
                    slashes += 1;
                    out.push(c);
                    continue;
                }
                '<' if self.is_shaped(at) => {
                    let more = slashes + usize::from(in_text);
                    out.extend(std::iter::repeat_n('\\', more));
                }
                _ => {}
            }
            slashes = 0;
            out.push(c);
        }
        out
    }
}

/// Words whose `{name}` would be a slot, with the braces doubled.
fn doubled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    while let Some(found) = text[rest..].find('{') {
        let at = rest + found;
        out.push_str(&text[rest..at]);
        rest = at + 1;
        match brace::shape_single(text, at) {
            brace::Shape::Slot { end, .. } => {
                out.extend(["{", &text[at..end], "}"]);
                rest = end;
            }
            _ => out.push('{'),
        }
    }
    out.push_str(&text[rest..]);
    out
}

fn condition(expr: &Expr) -> String {
    match expr {
        Expr::Not(inner) => format!("not {}", grouped(inner)),
        Expr::And(sides) => format!("{} and {}", grouped(&sides.0), grouped(&sides.1)),
        Expr::Or(sides) => format!("{} or {}", grouped(&sides.0), grouped(&sides.1)),
        other => self::expr(other),
    }
}

fn grouped(expr: &Expr) -> String {
    match expr {
        Expr::And(_) | Expr::Or(_) => format!("({})", condition(expr)),
        other => condition(other),
    }
}

fn expr(expr: &Expr) -> String {
    match expr {
        Expr::Path(path) => format!(
            "{}{}",
            if path.input { "input:" } else { "" },
            path.dotted()
        ),
        Expr::Literal(literal) => match &literal.value {
            Literal::Str(text) => quoted(text),
            Literal::Int(number) => number.to_string(),
            Literal::Float(number) => format!("{number:?}"),
            Literal::Bool(value) => value.to_string(),
        },
        Expr::Filter(filter) => {
            let value = match &filter.value {
                Expr::Default(_) => format!("({})", self::expr(&filter.value)),
                other => self::expr(other),
            };
            let args: Vec<String> = filter.args.iter().map(self::expr).collect();
            let args = if args.is_empty() {
                String::new()
            } else {
                format!("({})", args.join(", "))
            };
            format!("{value} | {}{args}", filter.name.join("::"))
        }
        Expr::Default(coalesce) => {
            format!(
                "{} ?? {}",
                self::expr(&coalesce.value),
                self::expr(&coalesce.default)
            )
        }
        Expr::Not(_) | Expr::And(_) | Expr::Or(_) => condition(expr),
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '"' | '\\' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
