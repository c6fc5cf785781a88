//! A tree printed back as the text that it would be read from.

mod jinja;

use prompt_base::Span;
use prompt_jinja_syntax::{Expr, Node, Template};
use prompt_syntax::{Dialect, Literal, Options, Path, Spanned, lexing};

/// The template as text of a dialect. Parsing the text with the same options returns an equal tree.
/// In the angle dialect that needs [`Options::keep_block_lines`] where a block tag is alone on its line.
///
/// A construct that the dialect does not have is written in the notation of another one: a filter in braces the angle way, a `set` outside of
/// Jinja the Jinja way. [`Node::Error`] is left out.
pub(crate) fn to_source(template: &Template, options: Options) -> String {
    if options.dialect == Dialect::Jinja {
        return jinja::print(&template.nodes, options);
    }
    let mut printer = TemplatePrinter {
        options,
        pieces: Vec::new(),
    };
    printer.nodes(&template.nodes);
    printer.finish()
}

/// The output before escaping: which text must be escaped depends on the text after it.
enum PrintedPart {
    Words(String),
    Tag(String),
    /// The text between the braces of a slot.
    Braces(String),
}

struct TemplatePrinter {
    options: Options,
    pieces: Vec<PrintedPart>,
}

impl TemplatePrinter {
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
                    let mut condition = expr(&branch.condition);
                    if let Some(Node::Text(text)) = branch.body.first()
                        && lexing::is_comparison(&text.text)
                    {
                        condition = format!("({condition})");
                    }
                    self.tag(format!("<{word} {condition}>"));
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
                // After `\r`, a line feed would be read as its second half.
                let broken = matches!(self.pieces.last(), Some(PrintedPart::Words(words)) if words.ends_with('\r'));
                let line = if broken { "" } else { "\n" };
                self.tag(format!("{line}</{name}>"));
            }
            Node::Error(_) => {}
            Node::Other(_) => {
                self.tag(jinja::part(node, self.options));
            }
        }
    }

    fn slot(&mut self, value: &Expr) {
        let words = match value {
            // A plain name might be read as an XML tag or a block; `input:` has the same meaning.
            Expr::Path(path) if self.options.dialect == Dialect::Fstring => path.dotted(),
            Expr::Path(path) if self.options.dialect != Dialect::Brace => {
                format!("input:{}", path.dotted())
            }
            _ => chain(value),
        };
        match self.options.dialect {
            Dialect::Brace => self.pieces.push(PrintedPart::Braces(words)),
            Dialect::Fstring => self.tag(format!("{{{words}}}")),
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
                    // The first character determines the delimiter.
                    let next = match next {
                        Some(PrintedPart::Tag(tag)) => &tag[..1],
                        Some(_) => "{",
                        None => "",
                    };
                    let run = match self.options.dialect {
                        Dialect::Brace if next == "{" => opening(words),
                        _ => 0,
                    };
                    let (words, braces) = words.split_at(words.len() - run);
                    self.words(words, next, &mut out);
                    let closed = self.pieces.get(index + 2);
                    if run > count(closed, closing) {
                        escape_slashes(&mut out);
                        verbatim(braces, &mut out);
                    } else {
                        out.push_str(braces);
                    }
                }
                PrintedPart::Tag(tag) => out.push_str(tag),
                PrintedPart::Braces(words) => {
                    let before = index
                        .checked_sub(1)
                        .and_then(|before| self.pieces.get(before));
                    let (open, close) = (count(before, opening), count(next, closing));
                    // Braces on both sides would be an escape: doubled, they are braces around a slot.
                    let more = if open > close { 0 } else { open };
                    out.extend(std::iter::repeat_n('{', more + 1));
                    out.push_str(words);
                    out.extend(std::iter::repeat_n('}', more + 1));
                }
            }
        }
        out
    }

    /// Adds text. Text that looks like a slot is verbatim, because it may be an error when the template is parsed.
    fn words(&self, words: &str, next: &str, out: &mut String) {
        let mut found = match self.options.dialect {
            Dialect::Angle | Dialect::Brace => lexing::lookalikes(words, self.options.dialect),
            Dialect::Fstring | Dialect::Jinja => Vec::new(),
        };
        // Two that overlap are verbatim as one.
        found.sort_by_key(|span| span.start);
        let mut spans: Vec<Span> = Vec::new();
        for span in found {
            match spans.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => spans.push(span),
            }
        }
        let mut done = 0;
        for span in spans {
            self.escape(&words[done..span.start], "<", out);
            verbatim(span.of(words), out);
            done = span.end;
        }
        self.escape(&words[done..], next, out);
    }

    /// Adds text, with escapes for text that would be read as structure.
    fn escape(&self, words: &str, next: &str, out: &mut String) {
        let text = [words, next].concat();
        let signs: &[char] = match self.options.dialect {
            Dialect::Brace | Dialect::Fstring => &['{', '}', '<'],
            Dialect::Angle | Dialect::Jinja => &['<'],
        };
        let (mut done, mut at) = (0, 0);
        while let Some(found) = words[at..].find(signs) {
            let start = at + found;
            at = start + 1;
            if self.options.dialect == Dialect::Fstring && !words[start..].starts_with('<') {
                out.push_str(&words[done..=start]);
                done = start;
            } else if words[start..].starts_with('}') {
                // Closing braces are text.
            } else if words[start..].starts_with('{') {
                out.push_str(&words[done..start]);
                done = doubled(&text, start, words.len(), out);
                at = done;
            } else if lexing::is_tag(&text, start, self.options) {
                out.push_str(&words[done..start]);
                escape_slashes(out);
                out.push('\\');
                done = start;
            }
        }
        out.push_str(&words[done..]);
        if next == "<" {
            escape_slashes(out);
        }
    }
}

/// Doubles the backslashes at the end of the literal text that precedes a tag.
fn escape_slashes(out: &mut String) {
    let slashes = out.len() - out.trim_end_matches('\\').len();
    out.extend(std::iter::repeat_n('\\', slashes));
}

/// Adds a run of braces and the text that it begins, with doubled braces if they would be read as a slot. Returns the end.
fn doubled(text: &str, start: usize, len: usize, out: &mut String) -> usize {
    let run = lexing::brace_run(text, start);
    if run.depth == 0 {
        let braces = &text[start..start + run.open.min(len - start)];
        if braces.len() > 1 {
            escape_slashes(out);
            verbatim(braces, out);
            return start + braces.len();
        }
        // The last brace of the run may belong to the slot after the text.
        let end = run.end.min(len);
        out.push_str(&text[start..end]);
        return end;
    }
    let end = run.end + run.close;
    out.extend(std::iter::repeat_n('{', run.depth));
    out.push_str(&text[start..end]);
    out.extend(std::iter::repeat_n('}', run.close));
    end
}

/// Adds text that would be read as more than text; the backslashes before it are those of the text. `</raw>` in it is text
/// outside of a block.
fn verbatim(text: &str, out: &mut String) {
    for (index, part) in text.split("</raw>").enumerate() {
        if index > 0 {
            out.push_str("</raw>");
        }
        if !part.is_empty() {
            out.extend(["<raw>", part, "</raw>"]);
        }
    }
}

/// The number of opening braces at the end.
fn opening(words: &str) -> usize {
    words.len() - words.trim_end_matches('{').len()
}

/// The number of closing braces at the beginning.
fn closing(words: &str) -> usize {
    words.len() - words.trim_start_matches('}').len()
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
        Expr::Compare(compare) => {
            let mut text = filtered(&compare.first);
            for (op, right) in &compare.rest {
                text += &format!(" {} {}", op.sign(), filtered(right));
            }
            text
        }
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

/// A keyword of the language is a field only after `input:`.
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
