//! Words to expressions: what stands in a slot, a condition, the head of a loop.

use crate::lex::expr::words;
use crate::token::Word;
use crate::{Coalesce, Dialect, Error, Expr, Filter, Literal, Path, Span, Spanned};

/// More filters, signs and parentheses in one tag than anyone writes. Each makes the tree deeper, and so costs stack in
/// whoever walks it.
const OPERATORS: usize = 128;

/// Reads what fills a slot.
pub(crate) fn slot(text: &str, span: Span) -> Result<Expr, Error> {
    Reader::new(text, span)?.whole(Reader::slot, "write `|` before a filter")
}

/// Reads what decides a condition.
pub(crate) fn condition(text: &str, span: Span) -> Result<Expr, Error> {
    Reader::new(text, span)?.whole(Reader::or, "join conditions with `and` or `or`")
}

/// What a loop goes over, as far as it can be read, and what is wrong with it.
pub(crate) type LoopHead = (Option<(Spanned<String>, Expr)>, Option<Error>);

/// Reads `item in list`. Where only the `in` is missing, the loop can be read nevertheless.
pub(crate) fn loop_head(text: &str, span: Span, dialect: Dialect) -> LoopHead {
    let mut reader = match Reader::new(text, span) {
        Ok(reader) => reader,
        Err(error) => return (None, Some(error)),
    };
    let binding = match reader.binding() {
        Ok(binding) => binding,
        Err(error) => return (None, Some(error)),
    };
    let mut wrong = None;
    if !reader.eat_name("in") {
        let error = reader.unexpected("`in`");
        // Other languages write `of` or `:` there.
        let _ = reader.eat_name("of") || reader.eat(":");
        let list = Span::new(reader.here().start, span.end).of(text);
        let right = match list {
            "" => format!("for item in {}", binding.value),
            list => format!("for {} in {list}", binding.value),
        };
        wrong = Some(error.help(format!("write `{}`", dialect.tag(&right))));
    }
    match reader.whole(Reader::list, "write `|` before a filter") {
        Ok(list) => (Some((binding, list)), wrong),
        Err(error) => (None, wrong.or(Some(error))),
    }
}

struct Reader<'a> {
    text: &'a str,
    span: Span,
    words: Vec<Spanned<Word>>,
    at: usize,
    operators: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, span: Span) -> Result<Reader<'a>, Error> {
        Ok(Reader {
            text,
            span,
            words: words(text, span)?,
            at: 0,
            operators: 0,
        })
    }

    /// Reads up to the end. What else could be meant by words that are left over is the help.
    fn whole<T>(
        mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
        help: &str,
    ) -> Result<T, Error> {
        let value = read(&mut self)?;
        match self.words.get(self.at) {
            None => Ok(value),
            Some(word) => Err(self.left_over(word, help)),
        }
    }

    /// Says why what was read does not go on with this word.
    fn left_over(&self, word: &Spanned<Word>, help: &str) -> Error {
        let error = self.unexpected("the end").label("not expected");
        let before = self.at.checked_sub(2).map(|index| &*self.words[index]);
        match &**word {
            Word::Str(_) | Word::Int(_) | Word::Float(_) if before == Some(&Word::Sign("|")) => {
                let filter = self.words[self.at - 1].span.of(self.text);
                error.help(format!("write `{filter}({})`", word.span.of(self.text)))
            }
            Word::Sign("??") => error.help("give one default, after the filters"),
            Word::Sign(")") => error.help("remove it, or add the `(` that it closes"),
            _ => error.help(format!("remove it, or {help}")),
        }
    }

    /// A value, whose first word is a field even if it reads `true` or `false`.
    fn slot(&mut self) -> Result<Expr, Error> {
        let field = match self.peek() {
            Some(Word::Name(_)) => Some(Expr::Path(self.path()?)),
            _ => None,
        };
        self.value_from(field)
    }

    /// `value ?? default`
    fn value(&mut self) -> Result<Expr, Error> {
        self.value_from(None)
    }

    /// The same, with its first words read already.
    fn value_from(&mut self, first: Option<Expr>) -> Result<Expr, Error> {
        let value = self.filtered_from(first)?;
        if !self.eat("??") {
            return Ok(value);
        }
        self.count()?;
        let default = self.filtered()?;
        Ok(Expr::Default(Box::new(Coalesce { value, default })))
    }

    /// `value | filter | filter(argument)`
    fn filtered(&mut self) -> Result<Expr, Error> {
        self.filtered_from(None)
    }

    fn filtered_from(&mut self, first: Option<Expr>) -> Result<Expr, Error> {
        let mut value = match first {
            Some(first) => first,
            None => self.primary()?,
        };
        while self.eat("|") {
            self.count()?;
            let name = self.filter_name()?;
            let args = if self.eat("(") {
                self.args()?
            } else {
                Vec::new()
            };
            let span = value.span().to(self.before());
            value = Expr::Filter(Box::new(Filter {
                value,
                name,
                args,
                named: Vec::new(),
                span,
            }));
        }
        Ok(value)
    }

    /// `join`, `crate::text::shout`
    fn filter_name(&mut self) -> Result<Spanned<Vec<String>>, Error> {
        let first = self.name("the name of a filter").map_err(|error| {
            error.help("write a filter like `trim`, `upper` or `join(\", \")` after `|`")
        })?;
        let mut span = first.span;
        let mut segments = vec![first.value];
        while self.eat("::") {
            let segment = self.name("a name after `::`")?;
            span = span.to(segment.span);
            segments.push(segment.value);
        }
        Ok(Spanned::new(segments, span))
    }

    fn args(&mut self) -> Result<Vec<Expr>, Error> {
        let open = self.before();
        let mut args = Vec::new();
        while !self.eat(")") {
            args.push(self.deeper(Reader::value)?);
            if !self.eat(",") {
                self.close(open, "`,` or `)`")?;
                break;
            }
        }
        Ok(args)
    }

    fn primary(&mut self) -> Result<Expr, Error> {
        let Some(word) = self.words.get(self.at).cloned() else {
            return Err(self.unexpected("a field"));
        };
        let literal = match word.value {
            Word::Name(name) if name == "true" || name == "false" => Literal::Bool(name == "true"),
            Word::Name(_) => return self.path().map(Expr::Path),
            Word::Str(text) => Literal::Str(text),
            Word::Int(number) => Literal::Int(number),
            Word::Float(number) => Literal::Float(number),
            Word::Sign("(") => {
                self.at += 1;
                return self.parenthesised(Reader::value);
            }
            Word::Sign(_) => return Err(self.unexpected("a field")),
        };
        self.at += 1;
        Ok(Expr::Literal(Spanned::new(literal, word.span)))
    }

    fn path(&mut self) -> Result<Path, Error> {
        let mut first = self.name("a field")?;
        let input = first.value == "input" && self.is_next(":");
        if input {
            self.joined("`input` and its `:`")?;
            self.eat(":");
            self.joined("`input:` and the name")?;
            first = self.name("the name of a field after `input:`")?;
        }
        let mut span = first.span;
        let mut segments = vec![first];
        while self.is_next(".") {
            self.joined("the name and a `.`")?;
            self.eat(".");
            self.joined("a `.` and the name")?;
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

    /// A path is written without spaces.
    fn joined(&self, what: &str) -> Result<(), Error> {
        let gap = Span::new(self.before().end, self.here().start);
        if gap.start >= gap.end || self.at == self.words.len() {
            return Ok(());
        }
        Err(Error::new(gap, format!("a space stands between {what}"))
            .label("not expected")
            .help("write the words without a space"))
    }

    fn list(&mut self) -> Result<Expr, Error> {
        let list = self.filtered()?;
        if self.eat("??") {
            let error = Error::new(self.before(), "a loop takes no default").label("not expected");
            return Err(error.help("say what stands there for an empty list after an `else`"));
        }
        Ok(list)
    }

    fn binding(&mut self) -> Result<Spanned<String>, Error> {
        let what = "the name of one item";
        if self.peek() == Some(&Word::Name("in".to_owned())) {
            return Err(self.unexpected(what).help("write a name before `in`"));
        }
        let binding = self.name(what)?;
        if self.peek() == Some(&Word::Sign(",")) {
            let error = self.unexpected("`in`");
            return Err(error.help("name one item, and take its fields by `.name`"));
        }
        Ok(binding)
    }

    fn or(&mut self) -> Result<Expr, Error> {
        let mut left = self.and()?;
        while self.eat_name("or") {
            self.count()?;
            left = Expr::Or(Box::new((left, self.and()?)));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr, Error> {
        let mut left = self.not()?;
        while self.eat_name("and") {
            self.count()?;
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
            return self.parenthesised(Reader::or);
        }
        self.filtered()
    }

    /// What stands after `(`, up to `)`.
    fn parenthesised(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Expr, Error>,
    ) -> Result<Expr, Error> {
        let open = self.before();
        let inner = self.deeper(read)?;
        self.close(open, "`)`")?;
        Ok(inner)
    }

    fn close(&mut self, open: Span, expected: &str) -> Result<(), Error> {
        if self.eat(")") {
            return Ok(());
        }
        let error = self.unexpected(expected).related(open, "opened here");
        Err(match self.peek() {
            None => error.help("add `)`"),
            Some(Word::Str(_) | Word::Int(_) | Word::Float(_) | Word::Name(_))
                if expected.len() > 3 =>
            {
                error.help("write `,` before it")
            }
            Some(_) => error,
        })
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.count()?;
        read(self)
    }

    /// Counts what makes the tree deeper.
    fn count(&mut self) -> Result<(), Error> {
        self.operators += 1;
        if self.operators <= OPERATORS {
            return Ok(());
        }
        let message = format!("more than {OPERATORS} operators in one tag");
        Err(Error::new(self.here(), message)
            .label("too deep")
            .help("compute the value in Rust and give it as a field"))
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

    fn is_next(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Word::Sign(s)) if *s == sign)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_next(sign);
        self.at += usize::from(found);
        found
    }

    fn eat_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(Word::Name(n)) if n == name);
        self.at += usize::from(found);
        found
    }

    fn peek(&self) -> Option<&Word> {
        self.words.get(self.at).map(|word| &word.value)
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
        let found = match self.peek() {
            Some(word) => format!("{} stands", word.describe()),
            None if self.words.is_empty() => "nothing stands".into(),
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
