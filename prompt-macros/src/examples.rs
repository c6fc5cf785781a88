//! Few-shot examples from a file of JSON lines: each line is a row that fills the slots of the last user message, and its answer.

mod json;
mod shape;

use prompt_base::Span;
use prompt_base::suggest::closest;
use prompt_syntax::problem::examples as problem;
use prompt_syntax::{Error, Spanned};
use syn::Type;

use self::json::JsonTree;
pub(crate) use self::shape::{ColumnType, RowValue};
use crate::Errors;
use crate::emit::is_text;
use crate::lower::{PromptCase, TemplateMessage, answer_message, last_of_user};
use crate::source::{Quoted, SourceText};
use crate::struct_fields::unwrap_layers;
use crate::types::{TypeKind, content_type};

/// The examples of a prompt.
pub(crate) struct ExampleRows {
    pub(crate) columns: Vec<Column>,
    /// A cell for each column.
    pub(crate) rows: Vec<Vec<RowValue>>,
    /// Which of the sources they come from.
    pub(crate) source: usize,
    /// Where the attribute names the file.
    pub(crate) at: proc_macro2::Span,
    /// The strings that are labels if their type has some, each once.
    pub(crate) labels: Vec<ExampleLabel>,
    /// The span of the answer in each row, if it has the type of the output.
    pub(crate) outputs: Vec<Span>,
}

/// A string of a row that a type with labels limits.
pub(crate) struct ExampleLabel {
    column: usize,
    pub(crate) ty: Type,
    /// The fields of that type that contain it.
    pub(crate) path: Vec<String>,
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A field, or the answer, that each row has a value for.
pub(crate) struct Column {
    pub(crate) name: String,
    /// The field; none for the answer of a prompt that has no field for it.
    pub(crate) field: Option<usize>,
    pub(crate) shape: ColumnType,
    /// Whether it is written as the JSON that it is.
    verbatim: bool,
}

/// The name of the answer in a row, where no field is the answer.
const OUTPUT: &str = "output";

/// A longer string is not a label, and a type with more different strings has none.
const LONGEST_LABEL: usize = 100;

/// More mistakes than this are counted.
const MOST_ERRORS: usize = 10;

/// The message that an example repeats.
pub(crate) fn question_message<'a>(case: &'a PromptCase<'_>) -> Option<&'a TemplateMessage> {
    last_of_user(case)
}

/// Reads the examples of a file. `None` if they cannot be read, which is reported.
pub(crate) fn read_examples(
    case: &PromptCase<'_>,
    output: Option<&Type>,
    path: &Quoted,
    errors: &mut Errors,
) -> Option<(SourceText, ExampleRows)> {
    let source = SourceText::whole_file(path, errors)?;
    let at = path.span();
    let columns = example_columns(case, output, at, errors)?;
    let mut reader = RowReader {
        case,
        columns: &columns,
        text: &source.value,
        output,
        errors: Vec::new(),
        labels: Vec::new(),
        outputs: Vec::new(),
    };
    if let Some(error) = reader.layout_error() {
        source.report(&error, errors);
        return None;
    }
    let mut lines = source.value.lines();
    let has_objects = lines.any(|line| line.trim_start().starts_with('{'));
    let (mut rows, mut wrong, mut start) = (Vec::new(), 0, 0);
    for line in source.value.split('\n') {
        let before = start;
        start += line.len() + 1;
        if line.trim().is_empty() {
            continue;
        }
        let errors = reader.errors.len();
        rows.extend(reader.read_row(line, before));
        if reader.errors.len() > errors {
            wrong += 1;
            // One error for a file of another format, such as CSV.
            if !has_objects {
                break;
            }
            if errors >= MOST_ERRORS {
                reader.errors.truncate(errors);
            }
        }
    }
    let mut reported: Vec<usize> = Vec::new();
    for error in &reader.errors {
        reported.push(source.position(error.span).1);
        source.report(error, errors);
    }
    reported.dedup();
    if wrong > reported.len() {
        let more = wrong - reported.len();
        errors.push(at, problem::more_mistakes(more, &path.value()));
    }
    if rows.is_empty() && wrong == 0 {
        errors.push(at, problem::no_examples(&path.value()));
        return None;
    }
    if wrong > 0 {
        return None;
    }
    let (labels, outputs) = (reader.labels, reader.outputs);
    let examples = ExampleRows {
        columns,
        rows,
        labels,
        outputs,
        source: case.sources.len(),
        at,
    };
    Some((source, examples))
}

/// The columns of an example: the fields of the last user message and the answer.
fn example_columns(
    case: &PromptCase<'_>,
    output: Option<&Type>,
    at: proc_macro2::Span,
    errors: &mut Errors,
) -> Option<Vec<Column>> {
    let Some(asked) = question_message(case) else {
        if case.readable {
            errors.push(at, problem::no_question());
        }
        return None;
    };
    let answer = answer_message(case);
    let fields = &case.case.fields;
    let mut columns: Vec<Column> = Vec::new();
    for message in [Some(asked), answer].into_iter().flatten() {
        for index in message.used.iter().map(|used| used.field) {
            let known = columns.iter().any(|column| column.field == Some(index));
            // A value without a field was already reported.
            let Some(field) = fields.get(index).filter(|_| !known) else {
                continue;
            };
            if field.kind() == crate::types::TypeKind::Media {
                errors.push(at, problem::media_in_row(&field.name));
                return None;
            }
            columns.push(Column {
                name: field.name.clone(),
                field: Some(index),
                shape: ColumnType::from_type(&field.ty),
                verbatim: false,
            });
        }
    }
    if answer.is_none() {
        if columns.iter().any(|column| column.name == OUTPUT) {
            errors.push(at, problem::field_named_like_answer(OUTPUT));
            return None;
        }
        columns.push(Column {
            name: OUTPUT.into(),
            field: None,
            shape: ColumnType::Text,
            verbatim: output.is_some_and(|output| !is_text(output)),
        });
    }
    Some(columns)
}

struct RowReader<'a> {
    case: &'a PromptCase<'a>,
    columns: &'a [Column],
    text: &'a str,
    output: Option<&'a Type>,
    errors: Vec<Error>,
    labels: Vec<ExampleLabel>,
    outputs: Vec<Span>,
}

impl RowReader<'_> {
    /// The error of JSON that is not one row per line: an array of the rows, or a row in several lines.
    fn layout_error(&self) -> Option<Error> {
        let json = self.text.trim_start();
        let start = self.text.len() - json.len();
        let begin = Span::new(start, start + 1);
        let array = json.strip_prefix('[').map(str::trim_start);
        if array.is_some_and(|rows| rows.is_empty() || rows.starts_with(['{', '[', ']'])) {
            return Some(problem::json_array(&self.example_row()).at(begin));
        }
        let first = json.lines().next().unwrap_or_default();
        (first.trim_end() == "{").then(|| problem::row_in_lines(&self.example_row()).at(begin))
    }

    /// The cells of a line.
    fn read_row(&mut self, line: &str, start: usize) -> Option<Vec<RowValue>> {
        let json = match json::parse_line(line, start) {
            Ok(json) => json,
            Err(error) => {
                self.errors.push(error);
                return None;
            }
        };
        let JsonTree::Object(values) = &json.value else {
            let problem = problem::no_object(json.value.kind(), &self.example_row());
            self.errors.push(problem.at(json.span));
            return None;
        };
        let mut meant = Vec::new();
        let is_known = |name: &str| self.columns.iter().any(|column| column.name == name);
        let unknown: Vec<_> = values.iter().filter(|(name, _)| !is_known(name)).collect();
        let missing: Vec<&Column> = self
            .columns
            .iter()
            .filter(|column| values.iter().all(|(name, _)| name.value != column.name))
            .collect();
        // The only name that is missing has another name in the row.
        let renamed = match (&unknown[..], &missing[..]) {
            ([_], [column]) => Some(column.name.clone()),
            _ => None,
        };
        for (name, _) in unknown {
            let error = self.unknown_name(name, renamed.as_deref(), &mut meant);
            self.errors.push(error);
        }
        let (mut cells, mut missing) = (Vec::new(), Vec::new());
        for (index, column) in self.columns.iter().enumerate() {
            let found = values.iter().find(|(name, _)| name.value == column.name);
            match (found, &column.shape) {
                (Some((_, value)), _) if column.verbatim => {
                    self.outputs.push(value.span);
                    if let Some(output) = self.output {
                        self.check_output(index, output, value);
                    }
                    let written = &self.text[value.span.start..value.span.end];
                    cells.push(RowValue::Text(written.to_owned()));
                }
                (Some((_, value)), shape) => match shape.read_value(&column.name, value) {
                    Ok(cell) => {
                        cell.each_converted_string(shape, &mut |ty, text, span| {
                            self.note_label(index, ty, &[], text, span, usize::MAX);
                        });
                        cells.push(cell);
                        self.check_answer(index, value);
                    }
                    Err(error) => self.errors.push(error),
                },
                (None, ColumnType::Option(_)) => cells.push(RowValue::None),
                (None, _) if meant.contains(&column.name) => {}
                (None, _) => missing.push(column.name.as_str()),
            }
        }
        if !missing.is_empty() {
            let open = Span::new(json.span.start, json.span.start + 1);
            self.errors
                .push(problem::missing_names(&missing, &self.example_row()).at(open));
        }
        (cells.len() == self.columns.len()).then_some(cells)
    }

    /// Checks an answer by the type of the output, as far as its tokens define it.
    fn check_output(&mut self, column: usize, output: &Type, value: &Spanned<JsonTree>) {
        let shape = ColumnType::from_type(output);
        if shape.is_constant() {
            self.errors.extend(shape.read_value(OUTPUT, value).err());
        } else {
            self.note_labels(column, output, &mut Vec::new(), value);
        }
    }

    /// The text of the answer's field is one of the output.
    fn check_answer(&mut self, index: usize, value: &Spanned<JsonTree>) {
        let column = &self.columns[index];
        let field = column.field.map(|field| &self.case.case.fields[field]);
        let is_answer = field.is_some_and(|field| field.keys.has("answer"));
        if let (ColumnType::Text, true, Some(output)) = (&column.shape, is_answer, self.output) {
            self.note_labels(index, output, &mut Vec::new(), value);
        }
    }

    /// Notes the strings that are labels if the types of the fields at these paths have some.
    fn note_labels(
        &mut self,
        column: usize,
        ty: &Type,
        path: &mut Vec<String>,
        value: &Spanned<JsonTree>,
    ) {
        let Some(ty) = unwrap_layers(ty, 0) else {
            return;
        };
        match (&value.value, TypeKind::from_type(ty)) {
            (JsonTree::List(items), kind) => {
                // The type of a field of `ty` is not known here, but the labels of its items are those of the field.
                let ty = match kind {
                    TypeKind::List => content_type(ty),
                    _ => (!path.is_empty()).then_some(ty),
                };
                for item in items {
                    ty.into_iter()
                        .for_each(|ty| self.note_labels(column, ty, path, item));
                }
            }
            (JsonTree::Null, _) => {}
            (_, TypeKind::Option) => {
                content_type(ty)
                    .into_iter()
                    .for_each(|ty| self.note_labels(column, ty, path, value));
            }
            (JsonTree::Object(entries), TypeKind::Unknown) => {
                for (name, value) in entries {
                    path.push(name.value.clone());
                    self.note_labels(column, ty, path, value);
                    path.pop();
                }
            }
            (JsonTree::Text(text), TypeKind::Unknown) => {
                self.note_label(column, ty, path, text, value.span, LONGEST_LABEL);
            }
            _ => {}
        }
    }

    /// Notes a string, unless it is known, longer than `most`, or one of more than `most`.
    fn note_label(
        &mut self,
        column: usize,
        ty: &Type,
        path: &[String],
        text: &str,
        span: Span,
        most: usize,
    ) {
        let is_same = |label: &&ExampleLabel| label.column == column && label.path == path;
        let mut known = self.labels.iter().filter(is_same);
        let is_known = known.clone().any(|label| label.text == text);
        if !is_known && text.len() <= most && known.nth(most).is_none() {
            self.labels.push(ExampleLabel {
                column,
                ty: ty.clone(),
                path: path.to_vec(),
                text: text.to_owned(),
                // Without the quotes, so that a suggestion can replace it.
                span: Span::new(span.start + 1, span.end - 1),
            });
        }
    }

    /// A name that the example does not support. `meant` receives the probable name.
    fn unknown_name(
        &self,
        name: &Spanned<String>,
        renamed: Option<&str>,
        meant: &mut Vec<String>,
    ) -> Error {
        let fields = &self.case.case.fields;
        if fields.iter().any(|field| field.name == name.value) {
            return problem::other_field(name).at(name.span);
        }
        let known = self.columns.iter().map(|column| column.name.as_str());
        let known: Vec<&str> = known.collect();
        let near = closest(name, known.iter().copied()).or(renamed);
        meant.extend(near.map(str::to_owned));
        problem::unknown_name(name, near, &known).at(name.span)
    }

    /// A row as it could be.
    fn example_row(&self) -> String {
        let columns = self.columns.iter().map(|column| {
            let value = match &column.shape {
                ColumnType::Number(_) => "1",
                ColumnType::Bool => "true",
                ColumnType::List(_) => "[…]",
                _ if column.verbatim => "…",
                _ => "\"…\"",
            };
            format!("\"{}\": {value}", column.name)
        });
        let columns: Vec<String> = columns.collect();
        format!("{{{}}}", columns.join(", "))
    }
}
