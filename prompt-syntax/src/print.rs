//! A tree printed back as the text that it would be read from.

mod jinja;

use crate::lex::{self, brace, role_tag};
use crate::{Dialect, Expr, Literal, Node, Options, Path, Spanned, Template};

impl Template {
    /// The template as text of a dialect; reading that with the same options gives an equal tree.
    /// In the angle dialect that needs [`Options::keep_block_lines`] where a block tag is alone on its line.
    ///
    /// It takes [`Options`], or a [`Dialect`] for the text of one message. What the dialect has no words for is written
    /// as another one has it: a filter in braces the angle way, a `set` outside of Jinja the Jinja way. [`Node::Error`]
    /// is left out.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Options, parse};
    ///
    /// let parsed = parse("Hello {name}", Options::message(Dialect::Brace));
    /// assert_eq!(parsed.template.to_source(Dialect::Angle), "Hello <input:name>");
    /// ```
    pub fn to_source(&self, options: impl Into<Options>) -> String {
        let options = options.into();
        if options.dialect == Dialect::Jinja {
            return jinja::print(&self.nodes, options);
        }
        let mut printer = Printer {
            options,
            pieces: Vec::new(),
        };
        printer.nodes(&self.nodes);
        printer.finish()
    }
}

/// What is printed, before it is known which words have to be escaped: that depends on what comes after them.
enum PrintedPart {
    Words(String),
    Tag(String),
    /// The words between the braces of a slot.
    Braces(String),
}

struct Printer {
    options: Options,
    pieces: Vec<PrintedPart>,
}

impl Printer {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Text(text) => match self.pieces.last_mut() {
                Some(PrintedPart::Words(words)) => words.push_str(&text.text),
                _ => self.pieces.push(PrintedPart::Words(text.text.clone())),
            },
            Node::Slot(slot) => self.slot(&slot.expr),
            Node::If(block) => {
                for (index, branch) in block.branches.iter().enumerate() {
                    let word = if index == 0 { "if" } else { "else if" };
                    self.tag(format!("<{word} {}>", expr(&branch.condition)));
                    self.nodes(&branch.body);
                }
                self.otherwise(block.otherwise.as_deref());
                self.tag("</if>".to_owned());
            }
            Node::For(block) => {
                self.tag(format!(
                    "<for {} in {}>",
                    names(&block.targets),
                    expr(&block.list)
                ));
                self.nodes(&block.body);
                self.otherwise(block.otherwise.as_deref());
                self.tag("</for>".to_owned());
            }
            Node::Role(block) => {
                let name = block.role.name();
                self.tag(format!("<{name}>\n"));
                self.nodes(&block.body);
                // After `\r` a line break would be taken for the second half of it.
                let broken = matches!(self.pieces.last(), Some(PrintedPart::Words(words)) if words.ends_with('\r'));
                let line = if broken { "" } else { "\n" };
                self.tag(format!("{line}</{name}>"));
            }
            Node::Error(_) => {}
            Node::Set(_) | Node::With(_) | Node::Macro(_) | Node::Include(_) | Node::Filter(_) => {
                self.tag(jinja::part(node, self.options));
            }
        }
    }

    fn slot(&mut self, value: &Expr) {
        let words = match value {
            // A bare name might be taken for an XML tag or a block, and `input:` says the same.
            Expr::Path(path) if self.options.dialect != Dialect::Brace => {
                format!("input:{}", path.dotted())
            }
            _ => chain(value),
        };
        match self.options.dialect {
            Dialect::Brace => self.pieces.push(PrintedPart::Braces(words)),
            Dialect::Angle | Dialect::Jinja => self.tag(format!("<{words}>")),
        }
    }

    fn otherwise(&mut self, nodes: Option<&[Node]>) {
        if let Some(nodes) = nodes {
            self.tag("<else>".to_owned());
            self.nodes(nodes);
        }
    }

    fn tag(&mut self, tag: String) {
        self.pieces.push(PrintedPart::Tag(tag));
    }

    fn finish(self) -> String {
        let mut out = String::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            let next = self.pieces.get(index + 1);
            match piece {
                PrintedPart::Words(words) => {
                    // One character is enough to tell what the words end in.
                    let next = match next {
                        Some(PrintedPart::Tag(tag)) => &tag[..1],
                        Some(_) => "{",
                        None => "",
                    };
                    self.escape(words, next, &mut out);
                }
                PrintedPart::Tag(tag) => out.push_str(tag),
                PrintedPart::Braces(words) => {
                    let before = index
                        .checked_sub(1)
                        .and_then(|before| self.pieces.get(before));
                    let open = count(before, |words| {
                        words.chars().rev().take_while(|c| *c == '{').count()
                    });
                    let close = count(next, |words| {
                        words.chars().take_while(|c| *c == '}').count()
                    });
                    // Braces on both sides would be an escape: doubled, they are braces around a slot.
                    let more = open.min(close);
                    out.extend(std::iter::repeat_n('{', more + 1));
                    out.push_str(words);
                    out.extend(std::iter::repeat_n('}', more + 1));
                }
            }
        }
        out
    }

    /// Adds words, with whatever would be read as structure escaped.
    fn escape(&self, words: &str, next: &str, out: &mut String) {
        let text = [words, next].concat();
        let signs: &[char] = match self.options.dialect {
            Dialect::Brace => &['{', '<'],
            Dialect::Angle | Dialect::Jinja => &['<'],
        };
        let (mut done, mut at) = (0, 0);
        while let Some(found) = words[at..].find(signs) {
            let start = at + found;
            at = start + 1;
            if words[start..].starts_with('{') {
                out.push_str(&words[done..start]);
                done = doubled(&text, start, words.len(), out);
                at = done;
            } else if self.is_structure(&text, start) {
                escape_slashes(&words[done..start], out);
                out.push('\\');
                done = start;
            }
        }
        match next {
            "<" => escape_slashes(&words[done..], out),
            _ => out.push_str(&words[done..]),
        }
    }

    fn is_structure(&self, text: &str, start: usize) -> bool {
        match self.options.dialect {
            Dialect::Brace => self.options.roles && role_tag(&text[start..]).is_some(),
            Dialect::Angle | Dialect::Jinja => {
                lex::shape(text, start, self.options.roles).is_some()
            }
        }
    }
}

/// Adds literal text that precedes a tag: backslashes at its end are doubled.
fn escape_slashes(words: &str, out: &mut String) {
    out.push_str(words);
    let slashes = words.len() - words.trim_end_matches('\\').len();
    out.extend(std::iter::repeat_n('\\', slashes));
}

/// Adds what a run of braces begins, with the braces doubled if they would be read as a slot. Returns where it ends.
fn doubled(text: &str, start: usize, len: usize, out: &mut String) -> usize {
    let shape = match brace::shape(text, start) {
        Ok(shape) => shape,
        Err(end) => {
            // The last brace of the run may be that of the slot after the words.
            let end = end.min(len);
            out.push_str(&text[start..end]);
            return end;
        }
    };
    let close = match shape.kind {
        brace::BraceKind::Unclosed => 0,
        _ => shape.depth,
    };
    let end = shape.words.end + close;
    out.extend(std::iter::repeat_n('{', shape.depth));
    out.push_str(&text[start..end]);
    out.extend(std::iter::repeat_n('}', close));
    end
}

fn count(piece: Option<&PrintedPart>, count: impl Fn(&str) -> usize) -> usize {
    match piece {
        Some(PrintedPart::Words(words)) => count(words),
        _ => 0,
    }
}

/// An expression with all the parentheses that it needs, and no more.
fn expr(value: &Expr) -> String {
    match value {
        Expr::Or(sides) => format!("{} or {}", expr(&sides.0), conjunction(&sides.1)),
        _ => conjunction(value),
    }
}

fn conjunction(value: &Expr) -> String {
    match value {
        Expr::And(sides) => format!("{} and {}", conjunction(&sides.0), operand(&sides.1)),
        _ => operand(value),
    }
}

fn operand(value: &Expr) -> String {
    match value {
        Expr::Not(inner) => format!("not {}", operand(inner)),
        Expr::And(_) | Expr::Or(_) => format!("({})", expr(value)),
        Expr::Default(_) => format!("({})", chain(value)),
        _ => chain(value),
    }
}

/// A value with its filters and its default.
fn chain(value: &Expr) -> String {
    match value {
        Expr::Default(both) => format!("{} ?? {}", filtered(&both.value), filtered(&both.default)),
        _ => filtered(value),
    }
}

fn filtered(value: &Expr) -> String {
    match value {
        Expr::Path(path) => self::path(path),
        Expr::Literal(literal) => self::literal(&literal.value),
        Expr::Filter(filter) => {
            let args: Vec<String> = filter.args.iter().map(chain).collect();
            let args = match args.join(", ") {
                args if args.is_empty() => args,
                args => format!("({args})"),
            };
            format!(
                "{} | {}{args}",
                filtered(&filter.value),
                filter.name.join("::")
            )
        }
        Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Default(_) => {
            format!("({})", expr(value))
        }
        other => jinja::expr::expr(other),
    }
}

/// A word of the language is a field only after `input:`.
fn path(path: &Path) -> String {
    let first = path.segments.first().map_or("", |first| first.as_str());
    let word = matches!(
        first,
        "true" | "false" | "not" | "and" | "or" | "in" | "if" | "for" | "else"
    );
    let input = if path.input || word { "input:" } else { "" };
    format!("{input}{}", path.dotted())
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

fn names(targets: &[Spanned<String>]) -> String {
    let names: Vec<&str> = targets.iter().map(|name| name.as_str()).collect();
    names.join(", ")
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
