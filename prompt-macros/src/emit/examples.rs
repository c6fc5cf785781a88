//! Examples of a file: a table of their values, and a loop that fills the messages with them.

use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::problem::{examples as problem, types};
use quote::{quote, quote_spanned};
use syn::Type;

use super::assert::{expected_label, with_drawing};
use super::{CaseEmitter, Emitter, field_variable};
use crate::examples::{Column, ColumnType, ExampleRows, RowValue, question_message};
use crate::lower::answer_message;
use crate::struct_fields::type_in_constant;

impl CaseEmitter<'_> {
    /// ```text
    /// const ROWS: &[(&str, u8)] = &[("It crashes", 5), …];
    /// for (ticket, urgency) in ROWS {
    ///     out.role(User);
    ///     …
    ///     out.role(Assistant);
    ///     …
    /// }
    /// ```
    pub(super) fn write_examples(&self, examples: &ExampleRows) -> TokenStream {
        let Some(asked) = question_message(self.case) else {
            return TokenStream::new();
        };
        // Fields are read from the variables that a row is destructured into.
        let emitter = Emitter {
            prompt: self.emitter.prompt,
            runtime: self.emitter.runtime.clone(),
            out: self.emitter.out.clone(),
            bound: true,
        };
        let case = CaseEmitter::new(&emitter, self.case);
        let (p, out) = (&emitter.runtime, &emitter.out);
        let question = case.pieces_code(asked, &asked.body);
        let answered = match answer_message(self.case) {
            Some(answer) => case.pieces_code(answer, &answer.body),
            None => {
                let output = output_variable();
                quote!(#out.slot("output", #output);)
            }
        };
        let names = examples
            .columns
            .iter()
            .map(|column| self.column_variable(column));
        let types: Vec<TokenStream> = examples
            .columns
            .iter()
            .map(|column| column.shape.rust_type(p))
            .collect();
        let makers = examples.columns.iter().enumerate();
        let makers =
            makers.filter_map(|(index, column)| self.converter_function(examples, index, column));
        let rows = examples.rows.iter().map(|row| {
            let cells = row.iter().zip(&examples.columns).enumerate();
            let cells = cells.map(|(index, (cell, column))| {
                cell.value_tokens(&column.shape, p, &|text| {
                    let maker = converter_name(index, examples);
                    quote!(#maker(#text))
                })
            });
            quote!((#(#cells,)*))
        });
        let table = Ident::new("ROWS", Span::mixed_site());
        let count = examples.rows.len();
        let constant = examples
            .columns
            .iter()
            .all(|column| column.shape.is_constant());
        let (declared, table) = if constant {
            (
                quote!(const #table: &[(#(#types,)*)] = &[#(#rows),*];),
                quote!(#table),
            )
        } else {
            let rows = quote!([#(#rows),*]);
            let table = Ident::new("rows", Span::mixed_site());
            (
                quote!(let #table: [(#(#types,)*); #count] = #rows;),
                quote!(&#table),
            )
        };
        let templates = case.template_constants();
        let labels = self.checked_labels(examples);
        let outputs = self.checked_outputs(examples);
        quote! {{
            #templates
            #(#makers)*
            #labels
            #outputs
            #declared
            for (#(#names,)*) in #table {
                #out.role(#p::Role::User);
                #question
                #out.role(#p::Role::Assistant);
                #answered
            }
        }}
    }

    /// The checks that the strings of examples which are labels exist.
    fn checked_labels(&self, examples: &ExampleRows) -> TokenStream {
        let generics = &self.emitter.prompt.input.generics;
        let at = Span::call_site().located_at(examples.at);
        let p = self.emitter.runtime_at(at);
        let checks = examples.labels.iter().filter_map(|label| {
            let ty = type_in_constant(&label.ty, generics)?;
            let what = [vec![ty.to_string()], label.path.clone()].concat();
            let error = problem::no_label(&label.text, &what.join(".")).at(label.span);
            let drawn = with_drawing(&self.case.sources[examples.source], &error);
            let label_path = (&ty, &label.path[..]);
            Some(expected_label(&p, at, label_path, &label.text, &drawn))
        });
        checks.collect()
    }

    /// The check that the answers have the type of the output, which is done once, when the prompt is first rendered.
    fn checked_outputs(&self, examples: &ExampleRows) -> Option<TokenStream> {
        let output = &self.emitter.prompt.output()?.value;
        let (p, out) = (&self.emitter.runtime, &self.emitter.out);
        let source = &self.case.sources[examples.source];
        let answers = examples.outputs.iter().map(|span| {
            let (file, line, column) = source.position(*span);
            let (json, position) = (span.of(&source.value), format!("{file}:{line}:{column}"));
            quote!((#json, #position))
        });
        (!examples.outputs.is_empty())
            .then(|| quote!(#p::expect_outputs::<#output>(#out, &[#(#answers),*]);))
    }

    /// A function that converts a string to the field's value, for a type that the macro cannot determine.
    ///
    /// ```text
    /// #[diagnostic::on_unimplemented(message = "…", label = "…", note = "the row, drawn")]
    /// trait Row1: From<&'static str> {}
    /// …
    /// fn row_1(text: &'static str) -> Level {
    ///     …
    ///     LabelValue::<Level>::from_text(text)
    /// }
    /// ```
    fn converter_function(
        &self,
        examples: &ExampleRows,
        index: usize,
        column: &Column,
    ) -> Option<TokenStream> {
        let (at, name) = (first_converted_string(examples, index)?, &column.name);
        let p = &self.emitter.runtime;
        let maker = converter_name(index, examples);
        let from = quote!(#p::core::convert::From<&'static #p::core::primitive::str>);
        let source = &self.case.sources[examples.source];
        let (declared, bound) = match source.draw(at, "this text", &[]) {
            Some(drawing) => {
                let unfit = types::row_mismatch(name, &drawing);
                let (assertion, declared) =
                    self.declare_trait(&format!("Row{index}"), &from, &unfit);
                (declared, quote!(#assertion))
            }
            None => (TokenStream::new(), from),
        };
        let text = quote!(text: &'static #p::core::primitive::str);
        let ty = converted_type(&column.shape);
        let ty = ty.and_then(|ty| type_in_constant(ty, &self.emitter.prompt.input.generics));
        let Some(ty) = ty else {
            return Some(quote! {
                #declared
                fn #maker<T: #bound>(#text) -> T { T::from(text) }
            });
        };
        let at = Span::call_site().located_at(examples.at);
        let located = self.emitter.runtime_at(at);
        let made = quote_spanned!(at=> #located::LabelValue::<#ty>::from_text(text));
        Some(quote! {
            #declared
            fn #maker(#text) -> #ty {
                // The function of a type with labels hides this one.
                trait Row {
                    fn from_text<T: #bound>(#text) -> T;
                }
                impl<L> Row for #p::LabelValue<L> {
                    fn from_text<T: #bound>(#text) -> T { T::from(text) }
                }
                #made
            }
        })
    }

    fn column_variable(&self, column: &Column) -> Ident {
        match column.field {
            Some(field) => field_variable(&self.case.case.fields[field]),
            None => output_variable(),
        }
    }
}

/// The answer of a row, where no field is the answer.
fn output_variable() -> Ident {
    Ident::new("output", Span::mixed_site())
}

fn converter_name(column: usize, examples: &ExampleRows) -> Ident {
    let at = Span::mixed_site().located_at(examples.at);
    Ident::new(&format!("row_{column}"), at)
}

/// The type that the strings of a column are converted to.
fn converted_type(shape: &ColumnType) -> Option<&Type> {
    match shape {
        ColumnType::Option(inner) | ColumnType::List(inner) => converted_type(inner),
        ColumnType::Other(ty) => Some(ty),
        _ => None,
    }
}

/// The span of the first string that only rustc can check.
fn first_converted_string(examples: &ExampleRows, column: usize) -> Option<prompt_base::Span> {
    fn find(cell: &RowValue) -> Option<prompt_base::Span> {
        match cell {
            RowValue::Made(_, at) => Some(*at),
            RowValue::Some(inner) => find(inner),
            RowValue::List(cells) => cells.iter().find_map(find),
            _ => None,
        }
    }
    examples.rows.iter().find_map(|row| find(&row[column]))
}
