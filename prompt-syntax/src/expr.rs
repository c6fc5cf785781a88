//! Words to expressions: what stands in a slot, a condition, the head of a loop.

use crate::lex::expr::words;
use crate::token::Word;
use crate::{Coalesce, Error, Expr, Filter, Literal, Path, Span, Spanned};

/// More parentheses and `not`s inside each other than anyone writes; deeper ones would cost stack.
const DEPTH: usize = 128;

/// Reads what fills a slot.
pub(crate) fn slot(text: &str, span: Span) -> Result<Expr, Error> {
    Reader::new(text, span)?.whole(Reader::value)
}

/// Reads what decides a condition.
pub(crate) fn condition(text: &str, span: Span) -> Result<Expr, Error> {
    Reader::new(text, span)?.whole(Reader::or)
}

/// Reads `item in list`.
pub(crate) fn loop_head(text: &str, span: Span) -> Result<(Spanned<String>, Expr), Error> {
    Reader::new(text, span)?.whole(|reader| {
        let binding = reader.name("the name of one item")?;
        if !reader.eat_name("in") {
            let list = reader
                .words
                .get(reader.at)
                .map_or("items", |word| word.span.of(text));
            return Err(reader
                .unexpected("`in`")
                .help(format!("write `<for {} in {list}>`", binding.value)));
        }
        Ok((binding, reader.filtered()?))
    })
}

struct Reader<'a> {
    text: &'a str,
    span: Span,
    words: Vec<Spanned<Word>>,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, span: Span) -> Result<Reader<'a>, Error> {
        Ok(Reader {
            text,
            span,
            words: words(text, span)?,
            at: 0,
            depth: 0,
        })
    }

    fn whole<T>(mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let value = read(&mut self)?;
        if self.at < self.words.len() {
            return Err(self.unexpected("the end"));
        }
        Ok(value)
    }

    /// `value ?? default`
    fn value(&mut self) -> Result<Expr, Error> {
        let value = self.filtered()?;
        if !self.eat("??") {
            return Ok(value);
        }
        let default = self.filtered()?;
        Ok(Expr::Default(Box::new(Coalesce { value, default })))
    }

    /// `value | filter | filter(argument)`
    fn filtered(&mut self) -> Result<Expr, Error> {
        let mut value = self.primary()?;
        while self.eat("|") {
            let mut name = self.name("the name of a filter")?;
            let mut segments = vec![name.value];
            while self.eat("::") {
                let segment = self.name("a name after `::`")?;
                name.span = name.span.to(segment.span);
                segments.push(segment.value);
            }
            let args = if self.eat("(") {
                self.args()?
            } else {
                Vec::new()
            };
            let span = value.span().to(self.before());
            let name = Spanned::new(segments, name.span);
            value = Expr::Filter(Box::new(Filter {
                value,
                name,
                args,
                span,
            }));
        }
        Ok(value)
    }

    fn args(&mut self) -> Result<Vec<Expr>, Error> {
        let mut args = Vec::new();
        while !self.eat(")") {
            args.push(self.deeper(Reader::value)?);
            if !self.eat(",") {
                if self.eat(")") {
                    break;
                }
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        Ok(args)
    }

    fn primary(&mut self) -> Result<Expr, Error> {
        let Some(word) = self.words.get(self.at).cloned() else {
            return Err(self.unexpected("a field"));
        };
        let literal = |value| Expr::Literal(Spanned::new(value, word.span));
        match &word.value {
            Word::Name(name) if name == "true" || name == "false" => {
                self.at += 1;
                Ok(literal(Literal::Bool(name == "true")))
            }
            Word::Name(_) => self.path().map(Expr::Path),
            Word::Str(text) => {
                self.at += 1;
                Ok(literal(Literal::Str(text.clone())))
            }
            Word::Int(number) => {
                self.at += 1;
                Ok(literal(Literal::Int(*number)))
            }
            Word::Float(number) => {
                self.at += 1;
                Ok(literal(Literal::Float(*number)))
            }
            Word::Sign("(") => {
                self.at += 1;
                let inner = self.deeper(Reader::value)?;
                self.expect(")")?;
                Ok(inner)
            }
            Word::Sign(_) => Err(self.unexpected("a field")),
        }
    }

    fn path(&mut self) -> Result<Path, Error> {
        let mut first = self.name("a field")?;
        let input = first.value == "input" && self.eat(":");
        if input {
            first = self.name("the name of a field after `input:`")?;
        }
        let mut span = first.span;
        let mut segments = vec![first];
        while self.eat(".") {
            let segment = self.name("a name after `.`")?;
            span = span.to(segment.span);
            segments.push(segment);
        }
        Ok(Path {
            span,
            segments,
            input,
        })
    }

    fn or(&mut self) -> Result<Expr, Error> {
        let mut left = self.and()?;
        while self.eat_name("or") {
            left = Expr::Or(Box::new((left, self.and()?)));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr, Error> {
        let mut left = self.not()?;
        while self.eat_name("and") {
            left = Expr::And(Box::new((left, self.not()?)));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expr, Error> {
        let start = self.here();
        if self.eat_name("not") {
            let inner = self.deeper(Reader::not)?;
            let span = start.to(self.before());
            return Ok(Expr::Not(Box::new(Spanned::new(inner, span))));
        }
        if self.eat("(") {
            let inner = self.deeper(Reader::or)?;
            self.expect(")")?;
            return Ok(inner);
        }
        self.filtered()
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth == DEPTH {
            return Err(Error::new(
                self.here(),
                format!("more than {DEPTH} levels inside each other"),
            )
            .label("too deep")
            .help("compute the value in Rust and give it as a field"));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn name(&mut self, what: &str) -> Result<Spanned<String>, Error> {
        match self.words.get(self.at) {
            Some(Spanned {
                value: Word::Name(name),
                span,
            }) => {
                self.at += 1;
                Ok(Spanned::new(name.clone(), *span))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn expect(&mut self, sign: &str) -> Result<(), Error> {
        if self.eat(sign) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{sign}`")))
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.words.get(self.at), Some(Spanned { value: Word::Sign(s), .. }) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn eat_name(&mut self, name: &str) -> bool {
        let found = matches!(self.words.get(self.at), Some(Spanned { value: Word::Name(n), .. }) if n == name);
        self.at += usize::from(found);
        found
    }

    /// The next word's place, or the end.
    fn here(&self) -> Span {
        let end = Span::new(self.span.end, self.span.end);
        self.words.get(self.at).map_or(end, |word| word.span)
    }

    /// The place of the word just read.
    fn before(&self) -> Span {
        self.words[..self.at]
            .last()
            .map_or(self.here(), |word| word.span)
    }

    fn unexpected(&self, expected: &str) -> Error {
        let found = match self.words.get(self.at) {
            Some(word) => format!("{} stands", word.value.describe()),
            None if self.text.is_empty() || self.words.is_empty() => "nothing stands".into(),
            None => "it ends".into(),
        };
        let help = match expected {
            "the end" => "remove it, or join conditions with `and` or `or`".to_owned(),
            _ => format!("write {expected} here"),
        };
        Error::new(self.here(), format!("{found} where {expected} is expected"))
            .label(format!("{expected} expected"))
            .help(help)
    }
}
