//! The text of a template from a literal, a doc comment or a file, and the position of each of its bytes in the user's file.

#[cfg(feature = "jinja")]
mod include;

use std::cell::OnceCell;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use proc_macro2::{Literal, Span};

use prompt_base::snippet;
use prompt_base::suggest::closest;
use prompt_syntax::Dialect;
use prompt_syntax::problem::file::MAX_BYTES;
use prompt_syntax::problem::word::{quote_in_literal, text_after_literal};
use prompt_syntax::problem::{Problem, file as problem};
use syn::parse::{Parse, ParseStream};
use syn::{Lit, LitStr};

use crate::Errors;
use crate::front_matter;

/// A template's text. Its pieces are lines of a doc comment, or the whole of a literal or a file.
pub(crate) struct SourceText {
    pub(crate) value: String,
    pieces: Vec<SourcePart>,
    /// The span for errors of rustc about a literal of several lines.
    key: Option<Span>,
    /// The files whose changes change the prompt, relative to the package.
    pub(crate) tracked: Vec<String>,
    /// The token whose value the text is, where it is one's.
    literal: Option<Literal>,
    /// Indentation of the source code that is a part of the text: that of its second line.
    pub(crate) indentation: Option<prompt_base::Span>,
}

struct SourcePart {
    /// Where the piece begins in the value.
    start: usize,
    cooked: Cooked,
    token: SourceToken,
    /// Whether it is a template file, and no literal or comment.
    is_file: bool,
}

impl SourcePart {
    fn from_file(name: String, text: String, start: usize, span: Span) -> SourcePart {
        let cooked = Cooked::from_file(&text);
        let token = SourceToken {
            text: text.clone(),
            span,
            file: Some(name),
            line: 1,
            column: 0,
            is_source: false,
            whole: OnceCell::from(Some((text, 0))),
        };
        SourcePart {
            start,
            cooked,
            token,
            is_file: true,
        }
    }
}

impl SourceText {
    /// The value of a string literal. The Jinja dialect keeps the layout of a literal whose lines begin at the left margin, because Jinja2
    /// does, and a ported template renders the same text.
    pub(crate) fn from_literal(literal: &Quoted, dialect: Dialect) -> SourceText {
        let token = SourceToken::from_literal(literal);
        // What follows the last quote is a suffix, such as `abc` in `"text"abc`.
        let end = token.text.rfind(['"', '#']).map_or(0, |end| end + 1);
        let cooked = Cooked::parse_literal(&token.text[..end])
            .unwrap_or_else(|| Cooked::from_verbatim(&literal.value(), 0));
        let lines = cooked.dedented_lines();
        let lines = lines.filter(|(_, indent)| *indent > 0 || dialect != Dialect::Jinja);
        let is_dedented = lines.is_some();
        let cooked = match lines {
            Some((lines, _)) => cooked.joined(&lines),
            None => cooked,
        };
        let lines = match token.is_source && !is_dedented {
            true => cooked.indented_lines(),
            false => None,
        };
        let is_aligned = |least| token.aligned_column().is_some_and(|column| least >= column);
        let indentation = lines.and_then(|(span, least)| is_aligned(least).then_some(span));
        SourceText {
            value: cooked.value.clone(),
            pieces: vec![SourcePart {
                start: 0,
                cooked,
                token,
                is_file: false,
            }],
            key: None,
            tracked: Vec::new(),
            indentation,
            literal: literal.without_suffix().filter(|_| !is_dedented).cloned(),
        }
    }

    /// Whether it is a literal with escapes: `"…"`.
    pub(crate) fn has_escapes(&self) -> bool {
        self.pieces
            .first()
            .is_some_and(|piece| !piece.is_file && piece.token.text.starts_with('"'))
    }

    /// Whether it is a literal in which rustc reports an escape.
    pub(crate) fn is_broken(&self) -> bool {
        let token = self.pieces.first().filter(|piece| !piece.is_file);
        let mut token = token.map(|piece| &piece.token.text).into_iter();
        token.any(|text| text.starts_with('"') && Cooked::parse_literal(text).is_none())
    }

    /// The same, with rustc marking its key where the literal itself would fill the screen.
    pub(crate) fn marked_at(mut self, key: Span) -> SourceText {
        let is_long = |piece: &SourcePart| piece.token.text.contains('\n');
        self.key = self.pieces.iter().any(is_long).then_some(key);
        self
    }

    /// The lines of a doc comment.
    pub(crate) fn from_doc(lines: &[LitStr]) -> SourceText {
        let mut source = SourceText {
            value: String::new(),
            pieces: Vec::new(),
            key: None,
            tracked: Vec::new(),
            literal: None,
            indentation: None,
        };
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                source.value.push('\n');
            }
            let token = SourceToken::from_literal(&Quoted::from(line));
            let value = line.value();
            let words = value.strip_prefix(' ').unwrap_or(&value);
            let indent = value.len() - words.len();
            let start = source.value.len();
            let cooked = if token.text.starts_with("//") || token.text.starts_with("/*") {
                Cooked::from_verbatim(words, "///".len() + indent)
            } else {
                // `#[doc = "…"]`: the literal's own characters, less the first one if that was a space.
                Cooked::parse_literal(&token.text).map_or_else(
                    || Cooked::from_verbatim(words, 0),
                    |cooked| cooked.without_first(indent),
                )
            };
            source.value.push_str(words);
            source.pieces.push(SourcePart {
                start,
                cooked,
                token,
                is_file: false,
            });
        }
        source
    }

    /// The template of a file beside the sources: the text after its front matter. `None` if it cannot be read, which is
    /// reported.
    pub(crate) fn from_file(
        path: &Quoted,
        dialect: Dialect,
        errors: &mut Errors,
    ) -> Option<SourceText> {
        let source = SourceText::whole_file(path, errors)?;
        let bytes = front_matter::length(&source.value);
        let piece = source.pieces.into_iter().next()?;
        let cooked = piece.cooked.without_first(bytes);
        // Jinja has a rule of its own for the last line break.
        let cooked = match dialect {
            Dialect::Jinja => cooked,
            _ => cooked.without_last_line_break(),
        };
        Some(SourceText {
            value: cooked.value.clone(),
            pieces: vec![SourcePart { cooked, ..piece }],
            ..source
        })
    }

    /// The whole text of a file.
    pub(crate) fn whole_file(path: &Quoted, errors: &mut Errors) -> Option<SourceText> {
        let name = path.value();
        let text = match read_text(&name) {
            Ok(text) => text,
            Err(problem) => {
                errors.push(path.span(), problem);
                return None;
            }
        };
        let piece = SourcePart::from_file(name.clone(), text, 0, path.span());
        Some(SourceText {
            value: piece.cooked.value.clone(),
            pieces: vec![piece],
            key: None,
            tracked: vec![name],
            literal: None,
            indentation: None,
        })
    }

    /// The span of an error about these bytes.
    pub(crate) fn span(&self, at: prompt_base::Span) -> Span {
        self.key.unwrap_or_else(|| {
            self.piece_at(at.start)
                .map_or_else(Span::call_site, |piece| piece.token.span)
        })
    }

    /// The file, line and column of these bytes; both are counted from 1.
    pub(crate) fn position(&self, at: prompt_base::Span) -> (String, usize, usize) {
        let (line, column) = self.line_and_column(at.start);
        let file = self
            .piece_at(at.start)
            .and_then(|piece| piece.token.file.clone());
        (file.unwrap_or_default(), line, column)
    }

    /// The line and column of a byte, both counted from 1.
    pub(crate) fn line_and_column(&self, at: usize) -> (usize, usize) {
        let Some((piece, written)) = self.locate_in_piece(prompt_base::Span::new(at, at)) else {
            return (1, 1);
        };
        let token = &piece.token;
        let before = &token.text[..written.start];
        match before.rfind('\n') {
            Some(last) => {
                let lines = before.matches('\n').count();
                (token.line + lines, before[last + 1..].chars().count() + 1)
            }
            None => (token.line, token.column + before.chars().count() + 1),
        }
    }

    /// The error of a literal that ends at a quote of its text, perhaps inside of a tag.
    pub(crate) fn cut_off_at_quote(&self) -> syn::Error {
        let end = prompt_base::Span::new(self.value.len(), self.value.len());
        let error = self.cut_off_tag();
        let error = error.unwrap_or_else(|| text_after_literal().at(end));
        syn::Error::new(self.span(error.span), self.drawn(&error))
    }

    fn cut_off_tag(&self) -> Option<prompt_syntax::Error> {
        let open = prompt_syntax::open_tag(&self.value)?;
        let (piece, written) = self.locate_in_piece(open)?;
        let tag = piece.token.whole_source().and_then(|(whole, offset)| {
            let rest = whole[offset + written.start..].lines().next()?;
            let close = match open.of(&self.value) {
                tag if tag.starts_with('<') => ">",
                tag if tag.starts_with("{%") => "%}",
                _ => "}}",
            };
            let end = rest.find(close)? + close.len();
            Some(rest[..end].replace('"', "'"))
        });
        Some(quote_in_literal(tag.as_deref()).at(open))
    }

    /// Reports an error of the template.
    pub(crate) fn report(&self, error: &prompt_syntax::Error, errors: &mut Errors) {
        errors.push_drawn(self.span(error.span), self.drawn(error));
    }

    /// An error of the template with its position.
    fn drawn(&self, error: &prompt_syntax::Error) -> String {
        let mut message = error.message().to_owned();
        let label = error.label().unwrap_or_default();
        if let Some(drawing) = self.draw(error.span, label, error.related()) {
            message = format!("{message}\n{drawing}");
        }
        if let Some(help) = error.help() {
            let help = self.as_typed(help, error.span.start);
            message = format!("{message}\n  = help: {help}");
        }
        message
    }

    /// The code of a help, with the escapes that a `"…"` literal needs.
    fn as_typed(&self, help: &str, at: usize) -> String {
        let escaped = self
            .piece_at(at)
            .is_some_and(|piece| !piece.is_file && piece.token.text.starts_with('"'));
        let mut typed = String::with_capacity(help.len());
        for (index, words) in help.split('`').enumerate() {
            if index > 0 {
                typed.push('`');
            }
            // Every second piece is in backticks. Attributes and their keys are not part of the template.
            let is_key = words.contains(" = ") && !words.starts_with('\\');
            let is_code = words.starts_with("#[") || words.starts_with("r#") || is_key;
            let in_template = index % 2 == 1 && !is_code;
            if escaped && in_template {
                typed.push_str(&words.replace('\\', r"\\").replace('"', r#"\""#));
            } else {
                typed.push_str(words);
            }
        }
        typed
    }

    /// The position with its line and carets under the text.
    pub(crate) fn draw(
        &self,
        at: prompt_base::Span,
        label: &str,
        related: &[(prompt_base::Span, String)],
    ) -> Option<String> {
        let (piece, written) = self.locate_in_piece(at)?;
        let token = &piece.token;
        let found = |span: prompt_base::Span| {
            let (other, written) = self.locate_in_piece(span)?;
            let offset = match (token.whole_source(), other.token.whole_source()) {
                (Some(_), Some((_, offset))) => *offset,
                _ if std::ptr::eq(piece, other) => 0,
                _ => return None,
            };
            Some(prompt_base::Span::new(
                offset + written.start,
                offset + written.end,
            ))
        };
        let related: Vec<_> = related
            .iter()
            .filter_map(|(span, label)| Some((found(*span)?, label.clone())))
            .collect();
        let (text, offset, line, column) = match token.whole_source() {
            Some((whole, offset)) => (whole, *offset, 1, 0),
            None => (&token.text, 0, token.line, token.column),
        };
        let source = snippet::Source {
            name: token.file.as_deref(),
            text,
            line,
            column,
        };
        let span = prompt_base::Span::new(offset + written.start, offset + written.end);
        Some(snippet::draw(&source, span, label, &related))
    }

    fn piece_at(&self, at: usize) -> Option<&SourcePart> {
        self.pieces
            .iter()
            .rev()
            .find(|piece| piece.start <= at)
            .or(self.pieces.first())
    }

    fn locate_in_piece(
        &self,
        at: prompt_base::Span,
    ) -> Option<(&SourcePart, std::ops::Range<usize>)> {
        let piece = self.piece_at(at.start)?;
        let end = at
            .end
            .min(piece.start + piece.cooked.value.len())
            .max(at.start);
        let span = prompt_base::Span::new(at.start - piece.start, end - piece.start);
        Some((piece, piece.cooked.token_range(span)))
    }

    /// A literal with this value. The template's own literal is reused where it has the same value: escaping it again costs more.
    pub(crate) fn spell_literal(&self, words: &str) -> String {
        match &self.literal {
            Some(own) if self.value == words => own.to_string(),
            _ => format!("{words:?}"),
        }
    }

    /// The only literal that the text comes from, as it was written.
    pub(crate) fn single_literal(&self) -> Option<(&str, &Cooked, Span)> {
        match &self.pieces[..] {
            [piece, ..]
                if !piece.is_file
                    && self.tracked.len() + 1 == self.pieces.len()
                    && !piece.token.text.starts_with('/') =>
            {
                Some((&piece.token.text, &piece.cooked, piece.token.span))
            }
            _ => None,
        }
    }
}

/// Reads a file of the package as text, without its byte order mark: rustc and editors do not count it.
fn read_text(name: &str) -> Result<String, Problem> {
    let text = String::from_utf8(read_package_file(name)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let at = good.len();
        problem::not_utf8(name, line, at)
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// The path of a file from the package's folder, where it is named in another file, or in the sources.
fn resolve_path(file: Option<&str>, name: &str) -> Result<String, Problem> {
    let folder = file
        .and_then(|file| Path::new(file).parent())
        .unwrap_or(Path::new(""));
    if Path::new(name).is_absolute() {
        // `read_package_file` reports it, with the same message for all sources.
        return Ok(name.to_owned());
    }
    let mut path = PathBuf::new();
    for part in folder.join(name).components() {
        match part {
            Component::CurDir => {}
            // Of `..` alone, `pop` would remove the `..`.
            Component::ParentDir if path.file_name().is_some() && path.pop() => {}
            other => path.push(other),
        }
    }
    match path.to_str() {
        Some(path) => Ok(path.replace('\\', "/")),
        None => Err(problem::no_name(name)),
    }
}

/// The folder of Cargo.toml.
fn package_root() -> PathBuf {
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default())
}

/// Reads a file of the package.
fn read_package_file(name: &str) -> Result<Vec<u8>, Problem> {
    let path = Path::new(name);
    let drive = name.split_once(":\\").map_or("", |(drive, _)| drive);
    if path.is_absolute() || drive.len() == 1 {
        return Err(problem::absolute_path(name));
    }
    // A backslash separates folders on Windows only.
    if name.contains(['\\', '\n', '\r', '\t']) {
        return Err(problem::path_with_backslashes(name));
    }
    let root = package_root();
    if Path::new(&resolve_path(None, name)?).starts_with("..") {
        let exists = root.join(name).exists();
        return Err(problem::outside_of_package(
            name,
            path_inside_package(&root, name).as_deref(),
            exists,
        ));
    }
    let full = root.join(path);
    read_regular(&full).map_err(|error| {
        if full.is_dir() {
            return problem::path_is_folder(name);
        }
        let folder = path
            .parent()
            .filter(|_| full.parent().is_some_and(|folder| !folder.exists()));
        if let Some(folder) = folder {
            let near = similar_file(&root.join(folder)).map(|near| folder.with_file_name(near));
            return problem::no_folder(
                &display_path(folder),
                name,
                near.as_deref().map(display_path).as_deref(),
            );
        }
        let near = similar_file(&full).map(|near| display_path(&path.with_file_name(near)));
        match error.kind() {
            std::io::ErrorKind::NotFound => problem::missing_file(name, near.as_deref()),
            _ => problem::unreadable_file(name, &error.to_string(), near.as_deref()),
        }
    })
}

/// Reads a regular file of limited size: the compiler would wait for a pipe, and read a device without end.
fn read_regular(path: &Path) -> std::io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    let message = match metadata.file_type() {
        kind if !kind.is_file() && !kind.is_dir() => "it is a device or a pipe, not a regular file",
        _ if metadata.len() > MAX_BYTES as u64 => "it is larger than 16 MiB",
        _ => return std::fs::read(path),
    };
    Err(std::io::Error::other(message))
}

/// The path of a file of the package that leaves the package's folder and returns to it, or begins beside the user's source file.
fn path_inside_package(root: &Path, name: &str) -> Option<String> {
    let within = |path: &Path| {
        let path = path.strip_prefix(root).ok()?;
        root.join(path)
            .is_file()
            .then(|| display_path(path).replace('\\', "/"))
    };
    let from = |file: &Path| within(Path::new(&resolve_path(file.to_str(), name).ok()?));
    from(&root.join("Cargo.toml")).or_else(|| {
        if !proc_macro::is_available() {
            return None;
        }
        from(&std::path::absolute(proc_macro::Span::call_site().local_file()?).ok()?)
    })
}

fn display_path(path: &Path) -> String {
    path.display().to_string()
}

/// A file of the same folder with a similar name, for the help of a file that is missing.
fn similar_file(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.to_owned();
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(path.parent()?).ok()?.flatten() {
        names.extend(entry.file_name().into_string().ok());
    }
    names.sort();
    closest(&name, names.iter().map(String::as_str)).map(String::from)
}

/// The characters that a piece was written with.
struct SourceToken {
    text: String,
    span: Span,
    file: Option<String>,
    /// Counted from 1.
    line: usize,
    /// Counted from 0.
    column: usize,
    /// Whether it is a literal that the user wrote at this place.
    is_source: bool,
    /// The whole source file, and where the token begins in it, if it can be found there. Read for an error only.
    whole: OnceCell<Option<(String, usize)>>,
}

impl SourceToken {
    fn from_literal(literal: &Quoted) -> SourceToken {
        let span = literal.span();
        let source = span.source_text().filter(|text| is_of(text, literal));
        let mut token = SourceToken {
            is_source: source.is_some() && proc_macro::is_available(),
            text: source.unwrap_or_else(|| literal.token().to_string()),
            span,
            file: None,
            line: 1,
            column: 0,
            whole: OnceCell::new(),
        };
        if proc_macro::is_available() {
            let start = span.unwrap().start();
            (token.file, token.line, token.column) =
                (Some(start.file()), start.line(), start.column() - 1);
        }
        token
    }

    /// The indentation from which on a line is aligned with the code: beyond that of the literal's own line, or at the literal itself.
    fn aligned_column(&self) -> Option<usize> {
        let line = |(whole, offset): &(String, usize)| {
            let line = whole[..*offset].rsplit('\n').next().unwrap_or_default();
            line.len() - line.trim_start_matches([' ', '\t']).len()
        };
        let code = self.whole_source().map_or(0, line);
        match (code, self.column) {
            (_, 0) => None,
            (0, column) => Some(column),
            (code, column) => Some(column.min(code + 1)),
        }
    }

    fn whole_source(&self) -> Option<&(String, usize)> {
        let find = || {
            if !proc_macro::is_available() {
                return None;
            }
            let whole = source_file(self.span.unwrap())?;
            let offset = byte_offset(&whole, self.line, self.column)?;
            whole[offset..]
                .starts_with(&self.text)
                .then_some((whole, offset))
        };
        self.whole.get_or_init(find).as_ref()
    }
}

/// The text of the file of a span, as rustc counts its lines and columns: without the byte order mark, and with the line breaks of Unix.
fn source_file(span: proc_macro::Span) -> Option<String> {
    let whole = std::fs::read_to_string(span.local_file()?).ok()?;
    let whole = whole.strip_prefix('\u{feff}').unwrap_or(&whole);
    Some(whole.replace("\r\n", "\n"))
}

/// The source file up to the call of the macro, if it can be read.
pub(crate) fn source_before_call() -> Option<String> {
    if !proc_macro::is_available() {
        return None;
    }
    let start = proc_macro::Span::call_site().start();
    let mut source = source_file(proc_macro::Span::call_site())?;
    source.truncate(byte_offset(&source, start.line(), start.column() - 1)?);
    Some(source)
}

/// Whether the characters under a literal's span are that literal: those of a macro's argument may be others.
fn is_of(text: &str, literal: &Quoted) -> bool {
    text.starts_with("//")
        || text.starts_with("/*")
        || text == literal.token().to_string()
        || Cooked::parse_literal(text).is_some_and(|cooked| cooked.value == literal.value())
}

/// The byte at a line, counted from 1, and a column, counted from 0.
fn byte_offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let rest = text[start..].split('\n').next()?;
    let column = rest
        .char_indices()
        .map(|(at, _)| at)
        .chain([rest.len()])
        .nth(column)?;
    Some(start + column)
}

/// A string literal whose value is read when it is asked for.
///
/// syn parses a `LitStr` character by character, which is slow where macros are built without optimisations, as by default;
/// and a template's text is parsed with its positions anyway.
#[derive(Clone)]
pub(crate) struct Quoted {
    token: Literal,
}

impl Quoted {
    /// The characters between the quotes, with escapes resolved.
    pub(crate) fn value(&self) -> String {
        let token = self.token.to_string();
        Cooked::parse_literal(&token).map_or_else(
            // Such as one with a suffix.
            || match Lit::new(self.token.clone()) {
                Lit::Str(literal) => literal.value(),
                _ => String::new(),
            },
            |cooked| cooked.value,
        )
    }

    pub(crate) fn span(&self) -> Span {
        self.token.span()
    }

    pub(crate) fn token(&self) -> &Literal {
        &self.token
    }

    /// The token, if Rust takes it as an expression.
    pub(crate) fn without_suffix(&self) -> Option<&Literal> {
        let ends = self.token.to_string().ends_with(['"', '#']);
        ends.then_some(&self.token)
    }
}

impl From<&LitStr> for Quoted {
    fn from(literal: &LitStr) -> Quoted {
        Quoted {
            token: literal.token(),
        }
    }
}

impl Parse for Quoted {
    fn parse(input: ParseStream<'_>) -> syn::Result<Quoted> {
        input.step(|cursor| match cursor.literal() {
            Some((token, rest)) if is_text(&token.to_string()) => Ok((Quoted { token }, rest)),
            _ => Err(cursor.error("expected string literal")),
        })
    }
}

/// Whether a literal is `"…"`, `r"…"` or `r#"…"#`.
fn is_text(token: &str) -> bool {
    token.starts_with('"') || token.starts_with("r\"") || token.starts_with("r#")
}

/// The value of a string literal, and where each of its bytes was written.
#[derive(Debug)]
pub(crate) struct Cooked {
    pub(crate) value: String,
    /// In the order of the value, without gaps.
    runs: Vec<CookedRun>,
    /// How many bytes of the value that the runs know were taken off its beginning.
    skipped: usize,
    /// The position of the closing quote.
    end: usize,
}

/// Characters that are written as they are, or the character of one escape.
#[derive(Debug)]
struct CookedRun {
    /// Where it begins in the value.
    value: usize,
    /// The bytes of the token. Of an escape there are more than of its character.
    written: Range<usize>,
    is_escape: bool,
}

impl Cooked {
    /// Reads a string literal token: `"…"`, `r"…"`, `r#"…"#`.
    ///
    /// `None` if the token is not a string literal that rustc would accept.
    pub(crate) fn parse_literal(token: &str) -> Option<Cooked> {
        match token.strip_prefix('r') {
            Some(raw) => {
                let hashes = raw.len() - raw.trim_start_matches('#').len();
                let quoted = raw[hashes..].strip_suffix(&raw[..hashes])?;
                let value = quoted.strip_prefix('"')?.strip_suffix('"')?;
                Some(Cooked::from_verbatim(
                    value,
                    'r'.len_utf8() + hashes + '"'.len_utf8(),
                ))
            }
            None => {
                let inner = token.strip_prefix('"')?.strip_suffix('"')?;
                Cooked::unescape_literal(inner, '"'.len_utf8())
            }
        }
    }

    /// A value that was written as it is, `start` bytes into its token.
    pub(crate) fn from_verbatim(value: &str, start: usize) -> Cooked {
        let mut cooked = Cooked::with_end(start + value.len());
        cooked.push_str(value, start);
        cooked
    }

    /// The text of a file: without its byte order mark, and with the line breaks of Unix.
    pub(crate) fn from_file(text: &str) -> Cooked {
        let start = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
        let mut cooked = Cooked::with_end(text.len());
        let mut at = start;
        while let Some(len) = text[at..].find('\r') {
            let end = at + len + 1;
            let end = end + usize::from(text[end..].starts_with('\n'));
            cooked.push_str(&text[at..at + len], at);
            cooked.push_escape('\n', at + len..end);
            at = end;
        }
        cooked.push_str(&text[at..], at);
        cooked
    }

    /// The same less the line break at its end.
    pub(crate) fn without_last_line_break(mut self) -> Cooked {
        if self.value.ends_with('\n') {
            self.value.pop();
        }
        self
    }

    /// The same less its first bytes.
    pub(crate) fn without_first(mut self, bytes: usize) -> Cooked {
        self.value.drain(..bytes);
        self.skipped += bytes;
        self
    }

    /// The parts of a literal that begins on a line of its own, without its layout: the first line break, the indentation that all lines
    /// have, and a last line of blanks, with the length of that indentation. Only what is written as white space counts, no escapes. `None`
    /// for other literals.
    fn dedented_lines(&self) -> Option<(Vec<Range<usize>>, usize)> {
        let value = &self.value;
        let blanks = |line: Range<usize>| self.count_blanks(line);
        let mut lines = self.written_lines();
        let first = lines.remove(0);
        if lines.is_empty() || blanks(first.clone()) < first.len() {
            return None;
        }
        lines.pop_if(|last| blanks(last.clone()) == last.len());
        let full = lines
            .iter()
            .filter(|line| blanks((*line).clone()) < line.len());
        let indents = full.map(|line| &value[line.start..line.start + blanks(line.clone())]);
        let indent = indents.reduce(|a, b| {
            let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
            &a[..same]
        });
        let indent = indent.unwrap_or_default().len();
        let last = lines.len().saturating_sub(1);
        let kept = lines.into_iter().enumerate().map(|(index, line)| {
            let start = line.start + indent.min(blanks(line.clone()));
            // With its line break, but for the last line.
            start..line.end + usize::from(index < last)
        });
        Some((kept.collect(), indent))
    }

    /// The lines, where the line breaks are written as such.
    fn written_lines(&self) -> Vec<Range<usize>> {
        let breaks = self.value.match_indices('\n').map(|(at, _)| at);
        let mut lines = Vec::new();
        let mut start = 0;
        for end in breaks.filter(|at| self.is_written(*at)) {
            lines.push(start..end);
            start = end + 1;
        }
        lines.push(start..self.value.len());
        lines
    }

    /// Whether the character is written as it is, and not by an escape.
    fn is_written(&self, at: usize) -> bool {
        let run = self.runs.partition_point(|run| run.value <= at);
        run.checked_sub(1)
            .is_some_and(|run| !self.runs[run].is_escape)
    }

    /// The number of blanks that a line begins with.
    fn count_blanks(&self, line: Range<usize>) -> usize {
        let blank =
            |(at, c): &(usize, char)| matches!(c, ' ' | '\t') && self.is_written(line.start + at);
        let chars = self.value[line.clone()].char_indices();
        chars.take_while(blank).count()
    }

    /// The blanks of the second line and the least indentation of all lines but the first one, if that has text and all others are indented.
    fn indented_lines(&self) -> Option<(prompt_base::Span, usize)> {
        let lines = self.written_lines();
        let is_blank = |line: &Range<usize>| self.count_blanks(line.clone()) == line.len();
        let (first, others) = lines.split_first()?;
        let mut others = others.iter().filter(|line| !is_blank(line));
        let second = others.next()?;
        let blanks = self.count_blanks(second.clone());
        let others = others.map(|line| self.count_blanks(line.clone()));
        let least = others.fold(blanks, usize::min);
        let span = prompt_base::Span::new(second.start, second.start + blanks);
        (!is_blank(first) && least > 0).then_some((span, least))
    }

    /// The same value less what is not in these parts.
    fn joined(&self, parts: &[Range<usize>]) -> Cooked {
        let mut joined = Cooked::with_end(self.end);
        for part in parts {
            let from = self.runs.partition_point(|run| run.value <= part.start) - 1;
            for (index, run) in self.runs.iter().enumerate().skip(from) {
                let end = self
                    .runs
                    .get(index + 1)
                    .map_or(self.value.len(), |next| next.value);
                let (start, end) = (run.value.max(part.start), end.min(part.end));
                if start >= end {
                    break;
                }
                let text = &self.value[start..end];
                match text.chars().next().filter(|_| run.is_escape) {
                    Some(char) => joined.push_escape(char, run.written.clone()),
                    None => joined.push_str(text, run.written.start + start - run.value),
                }
            }
        }
        joined
    }

    /// The bytes of the token that a span of the value came from.
    pub(crate) fn token_range(&self, span: prompt_base::Span) -> Range<usize> {
        let start = self.char_at(span.start).map_or(self.end, |char| char.start);
        let end = if span.end > span.start {
            self.char_at(span.end - 1).map_or(self.end, |char| char.end)
        } else {
            start
        };
        start..end
    }

    /// The bytes of the token from which the character with this byte of the value was read.
    fn char_at(&self, byte: usize) -> Option<Range<usize>> {
        let char = self.value.get(byte..).map_or_else(
            || (0..byte).rev().find(|at| self.value.is_char_boundary(*at)),
            |_| Some(byte),
        )?;
        let len = self.value[char..].chars().next()?.len_utf8();
        let at = char + self.skipped;
        let run = self.runs.partition_point(|run| run.value <= at);
        let run = self.runs.get(run.checked_sub(1)?)?;
        if run.is_escape {
            return Some(run.written.clone());
        }
        let start = run.written.start + at - run.value;
        Some(start..start + len)
    }

    fn with_end(end: usize) -> Cooked {
        Cooked {
            value: String::new(),
            runs: Vec::new(),
            skipped: 0,
            end,
        }
    }

    /// Characters that were written as they are, from `start` on.
    fn push_str(&mut self, text: &str, start: usize) {
        if !text.is_empty() {
            self.push_run(start..start + text.len(), false);
            self.value.push_str(text);
        }
    }

    fn push_escape(&mut self, char: char, written: Range<usize>) {
        self.push_run(written, true);
        self.value.push(char);
    }

    fn push_run(&mut self, written: Range<usize>, is_escape: bool) {
        self.runs.push(CookedRun {
            value: self.value.len(),
            written,
            is_escape,
        });
    }

    /// The escapes of <https://doc.rust-lang.org/reference/tokens.html#string-literals>.
    fn unescape_literal(inner: &str, start: usize) -> Option<Cooked> {
        let mut cooked = Cooked::with_end(start + inner.len());
        // The search for one character compares whole machine words; the search for several steps by character, which is slow in a macro
        // without optimizations.
        let has_returns = inner.contains('\r');
        let special = |text: &str| match has_returns {
            true => text.find(['\\', '\r']),
            false => text.find('\\'),
        };
        let mut at = 0;
        while let Some(len) = special(&inner[at..]) {
            let (text, rest) = inner[at..].split_at(len);
            cooked.push_str(text, start + at);
            at += len;
            let (char, len) = match parse_escape(&rest[1..]) {
                _ if rest.starts_with("\r\n") => (Some('\n'), 2),
                _ if rest.starts_with('\r') => (Some('\r'), 1),
                Some(Escape::Char(char, len)) => (Some(char), 1 + len),
                Some(Escape::Skip(len)) => (None, 1 + len),
                None => return None,
            };
            if let Some(char) = char {
                cooked.push_escape(char, start + at..start + at + len);
            }
            at += len;
        }
        cooked.push_str(&inner[at..], start + at);
        Some(cooked)
    }
}

enum Escape {
    /// A character, and the bytes of its escape behind the backslash.
    Char(char, usize),
    /// A line break with the white space that follows it: not part of the value.
    Skip(usize),
}

/// Reads the escape after a backslash.
fn parse_escape(rest: &str) -> Option<Escape> {
    let simple = |char| Some(Escape::Char(char, 1));
    match rest.chars().next()? {
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        '0' => simple('\0'),
        char @ ('\\' | '\'' | '"') => simple(char),
        'x' => {
            let code = u8::from_str_radix(rest.get(1..3)?, 16)
                .ok()
                .filter(u8::is_ascii)?;
            Some(Escape::Char(code.into(), 3))
        }
        'u' => {
            let digits = rest.strip_prefix("u{")?.split_once('}')?.0;
            let code = u32::from_str_radix(&digits.replace('_', ""), 16).ok()?;
            Some(Escape::Char(
                char::from_u32(code)?,
                "u{}".len() + digits.len(),
            ))
        }
        '\n' | '\r' => {
            let skipped = rest.trim_start_matches([' ', '\t', '\n', '\r']);
            Some(Escape::Skip(rest.len() - skipped.len()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(token: &str, value: Option<&str>) {
        let read = syn::parse_str::<Quoted>(token).ok();
        assert_eq!(read.map(|read| read.value()).as_deref(), value);
        let by_syn = syn::parse_str::<LitStr>(token).ok();
        assert_eq!(by_syn.map(|literal| literal.value()).as_deref(), value);
    }

    #[test]
    fn literals_equal_those_of_syn() {
        check(r#""""#, Some(""));
        check(r#""a\tb\u{e9}""#, Some("a\tbé"));
        check(r###"r#"a "quoted" \t"#"###, Some(r#"a "quoted" \t"#));
        check(r#""a"suffix"#, Some("a"));
        for other in ["b\"a\"", "c\"a\"", "'a'", "1", "a", "r#type", ""] {
            check(other, None);
        }
    }
}

#[cfg(all(test, unix))]
mod file_tests {
    use super::*;

    #[test]
    fn devices_and_huge_files_are_not_read() {
        let huge = std::env::temp_dir().join(format!("prompt-macros-{}", std::process::id()));
        let file = std::fs::File::create(&huge).expect("the folder is writable");
        file.set_len(1 << 40).expect("the file may be sparse");
        for (path, message) in [
            (Path::new("/dev/zero"), "it is a device or a pipe"),
            (&huge, "it is larger than 16 MiB"),
        ] {
            let error = read_regular(path).expect_err("it is not read");
            assert!(error.to_string().contains(message), "{error}");
        }
        std::fs::remove_file(huge).expect("it is removed");
    }
}

#[cfg(test)]
mod locate_tests {
    use super::*;

    /// The characters of the token from which `words` of the value were read.
    #[track_caller]
    fn check(token: &str, words: &str, written: &str) {
        let cooked = Cooked::parse_literal(token).expect("a string literal");
        let literal: syn::LitStr = syn::parse_str(token).expect("a string literal");
        assert_eq!(cooked.value, literal.value());
        let start = cooked.value.find(words).expect("the words are there");
        let range = cooked.token_range(prompt_base::Span {
            start,
            end: start + words.len(),
        });
        assert_eq!(&token[range], written);
    }

    #[test]
    fn plain_and_raw() {
        check(r#""Use <name>.""#, "<name>", "<name>");
        check(r#""é <name>""#, "<name>", "<name>");
        check(r###"r"Use <name>""###, "<name>", "<name>");
        check(r####"r##"a "# <name>"##"####, "<name>", "<name>");
        check("r#\"\\n<name>\"#", "<name>", "<name>");
    }

    #[test]
    fn escapes() {
        check(r#""\n\t\r\0\\\'\"<name>""#, "<name>", "<name>");
        check(r#""\x41\u{1F600}\u{00_e9}<name>""#, "<name>", "<name>");
        check(r#""<na\u{6d}e>""#, "<name>", r"<na\u{6d}e>");
        check(r#""<\x6eame>!""#, "name", r"\x6eame");
        check(r#""a\n""#, "\n", r"\n");
    }

    #[test]
    fn line_continuations() {
        check("\"a \\\n     <name>\"", "<name>", "<name>");
        check("\"<na\\\n     me>\"", "<name>", "<na\\\n     me>");
        // What is skipped behind a span is not part of it.
        check("\"<name>\\\n     .\"", "<name>", "<name>");
        check("\"<name>\\\n  \n\n  \"", "<name>", "<name>");
    }

    #[test]
    fn line_breaks_of_windows() {
        check("\"a\r\n<name>\"", "<name>", "<name>");
        check("\"a\\\r\n  <name>\"", "<name>", "<name>");
    }

    #[test]
    fn ends_and_empty_spans() {
        let cooked = Cooked::parse_literal(r#""a\n""#).expect("a string literal");
        assert_eq!(
            cooked.token_range(prompt_base::Span { start: 2, end: 2 }),
            4..4
        );
        assert_eq!(
            cooked.token_range(prompt_base::Span { start: 1, end: 1 }),
            2..2
        );
        assert_eq!(
            cooked.token_range(prompt_base::Span { start: 0, end: 2 }),
            1..4
        );
        assert_eq!(
            cooked.token_range(prompt_base::Span { start: 9, end: 12 }),
            4..4
        );
    }

    #[test]
    fn other_tokens() {
        for token in [
            "",
            "\"",
            "b\"a\"",
            "r#\"a\"",
            "1",
            "'a'",
            r#""\q""#,
            r#""\x80""#,
            r#""\u{d800}""#,
            "\"a\"x",
        ] {
            assert!(Cooked::parse_literal(token).is_none(), "{token}");
        }
    }

    #[test]
    fn literals_that_begin_on_a_line_of_their_own() {
        for (token, expected) in [
            ("\"\n    a\n    b\n\"", "a\nb"),
            ("r#\"\n    a\n      b\n\n    c\n    \"#", "a\n  b\n\nc"),
            ("\"  \n\ta\n\t\tb\"", "a\n\tb"),
            ("\"\n    a\n  b\n\"", "  a\nb"),
            ("\"\n  a\n\n  \"", "a\n"),
            ("\"\n  a\\n  b\n  c\\tÄ\"", "a\n  b\nc\tÄ"),
            ("\"\n  \\ta\n  b\"", "\ta\nb"),
            ("\"\n\"", ""),
            // Text on the first line and escapes do not belong to the layout.
            ("\"a\n    b\n\"", "a\n    b\n"),
            ("\"\\n    a\\n    b\"", "\n    a\n    b"),
            ("\"\\n    a\n    b\"", "\n    a\n    b"),
        ] {
            let cooked = Cooked::parse_literal(token).expect("a string literal");
            let cooked = match cooked.dedented_lines() {
                Some((lines, _)) => cooked.joined(&lines),
                None => cooked,
            };
            assert_eq!(cooked.value, expected, "{token:?}");
            for (start, char) in cooked.value.char_indices() {
                let span = prompt_base::Span::new(start, start + char.len_utf8());
                let written = &token[cooked.token_range(span)];
                assert!(
                    written.starts_with(char) || written.starts_with('\\'),
                    "{token:?} {char:?}"
                );
            }
        }
    }

    #[test]
    fn literals_with_indented_lines() {
        for (token, found) in [
            ("\"a\n    b\"", Some((2..6, 4))),
            ("\"a\n     b\n\n    c\n\"", Some((2..7, 4))),
            ("r#\"a\n\t\tb\"#", Some((2..4, 2))),
            // The second line is the first one with text.
            ("\"a\n\n    b\"", Some((3..7, 4))),
            ("\"a\n    b\nc\"", None),
            ("\"a\nb\"", None),
            // Dedented, one line, and escapes.
            ("\"\n    a\n    b\"", None),
            ("\"a\"", None),
            ("\"a\n    \"", None),
            ("\"a\\n    b\"", None),
            ("\"a\n\\tb\"", None),
            ("\"a \\\n    b\"", None),
        ] {
            let cooked = Cooked::parse_literal(token).expect("a string literal");
            let lines = cooked.indented_lines();
            let lines = lines.map(|(span, least)| (span.range(), least));
            assert_eq!(lines, found, "{token:?}");
        }
    }

    #[test]
    fn a_line_is_aligned_with_the_code_or_the_literal() {
        for (source, alignment) in [
            ("#[prompt(user = \"a\"", Some(16)),
            ("    user = \"a\"", Some(5)),
            ("x\n\tuser = \"a\"", Some(2)),
            ("prompt!(\n    \"a\"", Some(4)),
            ("\"a\"", None),
        ] {
            let offset = source.find('"').expect("a literal");
            let token = SourceToken {
                text: "\"a\"".to_owned(),
                span: Span::call_site(),
                file: None,
                line: 1,
                column: offset - source[..offset].rfind('\n').map_or(0, |at| at + 1),
                is_source: true,
                whole: OnceCell::from(Some((source.to_owned(), offset))),
            };
            assert_eq!(token.aligned_column(), alignment, "{source:?}");
        }
    }

    /// Every literal of these pieces has the value that rustc computes, and every character of it can be traced to its piece.
    #[test]
    fn all_short_literals() {
        let pieces = [
            "a",
            "é",
            "\n",
            r"\n",
            r"\\",
            r#"\""#,
            r"\x7f",
            r"\u{1F600}",
            "\\\n \t",
            "<x>",
        ];
        for a in pieces {
            for b in pieces {
                for c in pieces {
                    let token = format!("\"{a}{b}{c}\"");
                    let literal: syn::LitStr = syn::parse_str(&token).expect("a string literal");
                    let cooked = Cooked::parse_literal(&token).expect("a string literal");
                    assert_eq!(cooked.value, literal.value(), "{token}");
                    let mut end = 1;
                    for (start, char) in cooked.value.char_indices() {
                        let range = cooked.token_range(prompt_base::Span {
                            start,
                            end: start + char.len_utf8(),
                        });
                        assert!(range.start >= end && range.end > range.start, "{token}");
                        end = range.end;
                    }
                    assert!(end < token.len(), "{token}");
                }
            }
        }
    }
}
