//! The Jinja dialect in Rust: statements.

mod own;
mod term;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use prompt_jinja_syntax::analysis::{
    Assignment, AssignmentKind, JinjaCondition, JinjaPiece, LoopSource, OutputTerm, ResolvedLoop,
    RustList, Term,
};

use quote::{quote, quote_spanned};

use super::body::ErrorContext;
use super::{CaseEmitter, template_variable};
use crate::lower::TemplateMessage;

/// The name and the bytes of the value that a node shows.
pub(super) fn shown_value(piece: &JinjaPiece) -> Option<(&String, prompt_base::Span)> {
    match piece {
        JinjaPiece::Show(show) => Some((&show.name, show.span)),
        _ => None,
    }
}

impl CaseEmitter<'_> {
    /// The statements of a node that only the dialect has.
    pub(super) fn other_code(&self, message: &TemplateMessage, piece: &JinjaPiece) -> TokenStream {
        match piece {
            JinjaPiece::Show(show) => self.write_output(message, show),
            JinjaPiece::Bind(bind) => self.assign_variables(message, bind),
            JinjaPiece::Scope(body) => {
                let body = self.pieces_code(message, body);
                quote!({ #body })
            }
            JinjaPiece::Loop(block) => self.write_loop(message, block),
        }
    }

    /// The value of a condition that only the dialect has: an `Option` if the condition binds the value inside, else a `bool`.
    pub(super) fn other_value(
        &self,
        message: &TemplateMessage,
        condition: &JinjaCondition,
        within: ErrorContext,
    ) -> TokenStream {
        match condition {
            JinjaCondition::Given {
                place,
                binding: Some(_),
            } => {
                let at = self.at_place(message, place);
                let (p, value) = (
                    self.emitter.runtime_at(at),
                    self.place_reference(message, place),
                );
                quote_spanned!(at=> #p::optional_value(#value))
            }
            JinjaCondition::Shown {
                test,
                place,
                binding: Some(_),
            } => {
                let test = self.condition_holds(message, test, within);
                let at = self.at_place(message, place);
                let (p, value) = (
                    self.emitter.runtime_at(at),
                    self.place_reference(message, place),
                );
                // A method of the type itself precedes that of a trait.
                quote_spanned!(at=> (#test).then(|| {
                    use #p::OtherValue as _;
                    #p::ShownValue(#value).without_option()
                }).flatten())
            }
            other => self.other_holds(message, other, within),
        }
    }

    /// Whether a condition holds that only the dialect has.
    pub(super) fn other_holds(
        &self,
        message: &TemplateMessage,
        condition: &JinjaCondition,
        within: ErrorContext,
    ) -> TokenStream {
        match condition {
            JinjaCondition::Given { place, .. } => {
                let at = self.at_place(message, place);
                let (p, value) = (
                    self.emitter.runtime_at(at),
                    self.place_reference(message, place),
                );
                quote_spanned!(at=> #p::optional_value(#value).is_some())
            }
            JinjaCondition::Shown { test, .. } => self.condition_holds(message, test, within),
            JinjaCondition::Holds(term) => self.term_condition(message, term, within),
        }
    }

    /// ```text
    /// expr::fill_slot(out, None, &TEMPLATE, (|| { … })());
    /// ```
    pub(super) fn write_output(&self, message: &TemplateMessage, show: &OutputTerm) -> TokenStream {
        let (p, out) = (&self.emitter.runtime, &self.emitter.out);
        let mut value = self.term_result(message, &show.term);
        if show.term.may_be_undefined() {
            let at = self.with_error_position(message, show.span);
            value = quote!(#value.and_then(#p::expr::require_defined) #at);
        }
        let template = self.template_constant(message, show.span);
        quote!(#p::expr::fill_slot(#out, #p::None, #template, #value);)
    }

    /// ```text
    /// let total = expr::assigned_value(out, &TEMPLATE, (|| { … })());
    /// ```
    pub(super) fn assign_variables(
        &self,
        message: &TemplateMessage,
        bind: &Assignment,
    ) -> TokenStream {
        let (p, out) = (&self.emitter.runtime, &self.emitter.out);
        let idents: Vec<Ident> = bind
            .idents
            .iter()
            .map(|name| template_variable(name))
            .collect();
        let [ident] = &idents[..] else {
            let count = Literal::usize_unsuffixed(idents.len());
            let term = self.term_value(message, &bind.value);
            let at = self.with_error_position(message, bind.span);
            let template = self.template_constant(message, bind.span);
            let nothing = idents.iter().map(|_| quote!(#p::expr::Value::None));
            return quote! {
                let [#(#idents),*] = #p::expr::ok_or_fail(#out, #template, (|| #p::expr::unpack::<#count>(&#term)#at)())
                    .unwrap_or([#(#nothing),*]);
            };
        };
        let value = if bind.value.is_plain() {
            self.term_value(message, &bind.value)
        } else {
            let value = self.term_result(message, &bind.value);
            let template = self.template_constant(message, bind.span);
            quote!(#p::expr::assigned_value(#out, #template, #value))
        };
        match bind.how {
            AssignmentKind::Let => quote!(let #ident = #value;),
            AssignmentKind::Declare => quote!(let mut #ident = #value;),
            AssignmentKind::Assign => quote!(#ident = #value;),
        }
    }

    /// ```text
    /// for (loop_state, p) in expr::enumerate_loop(items(&self.passages)) { … }
    /// ```
    pub(super) fn write_loop(
        &self,
        message: &TemplateMessage,
        block: &ResolvedLoop,
    ) -> TokenStream {
        let p = &self.emitter.runtime;
        let (list, pattern) = self.loop_iterator(message, block);
        let body = self.pieces_code(message, &block.body);
        // A list in a variable is iterated by reference, like a list in a field.
        let lent = match (&block.over, &block.idents[..]) {
            (LoopSource::Items(RustList::Keyed(keyed)), [_, list])
                if keyed.function == "group_by" =>
            {
                let list = template_variable(list);
                quote!(let #list = &#list;)
            }
            _ => TokenStream::new(),
        };
        let (empty, mark) = match &block.otherwise {
            Some(_) => {
                let empty = Ident::new("empty", Span::mixed_site());
                (Some(empty.clone()), quote!(#empty = false;))
            }
            None => (None, TokenStream::new()),
        };
        let looped = match (&block.condition, &block.state) {
            (condition, Some(state)) => {
                let state = template_variable(state);
                let list = match condition {
                    Some(condition) => {
                        let holds = self.condition_holds(message, condition, ErrorContext::Message);
                        quote!(#p::core::iter::Iterator::filter(#p::core::iter::IntoIterator::into_iter(#list), |#pattern| #holds))
                    }
                    None => list,
                };
                if block.beside.iter().all(Option::is_none) {
                    quote!(for (#state, #pattern) in #p::expr::enumerate_loop(#list) { #lent #mark #body })
                } else {
                    let positions = ["before the first", "behind the last"];
                    let names = block
                        .beside
                        .each_ref()
                        .map(|name| name.as_deref().map(template_variable));
                    let given = names.iter().zip(positions).map(|(ident, position)| {
                        let value = match block.over {
                            LoopSource::Value(_) => {
                                quote!(#p::expr::neighbour_value(#ident, #position))
                            }
                            _ => quote!(&#ident),
                        };
                        ident.as_ref().map(|ident| quote!(let #ident = #value;))
                    });
                    let beside: Vec<_> = given.collect();
                    let [before, behind] = names.each_ref().map(|ident| match ident {
                        Some(ident) => quote!(#ident),
                        None => quote!(_),
                    });
                    quote!(for (#state, #before, #pattern, #behind) in #p::expr::with_neighbours(#list) { #(#beside)* #lent #mark #body })
                }
            }
            (Some(condition), None) => {
                let holds = self.condition_holds(message, condition, ErrorContext::Message);
                quote!(for #pattern in #list { #lent if #holds { #mark #body } })
            }
            (None, None) => quote!(for #pattern in #list { #lent #mark #body }),
        };
        let looped = match &block.changed {
            Some(changed) => {
                let changed = template_variable(changed);
                quote!({ let #changed = #p::expr::Changed::default(); #looped })
            }
            None => looped,
        };
        match (empty, &block.otherwise) {
            (Some(empty), Some(otherwise)) => {
                let otherwise = self.pieces_code(message, otherwise);
                quote! {{
                    let mut #empty = true;
                    #looped
                    if #empty { #otherwise }
                }}
            }
            _ => looped,
        }
    }

    /// The iterator of a loop, and the pattern of an item.
    fn loop_iterator(
        &self,
        message: &TemplateMessage,
        block: &ResolvedLoop,
    ) -> (TokenStream, TokenStream) {
        let (p, out) = (&self.emitter.runtime, &self.emitter.out);
        let idents: Vec<Ident> = block
            .idents
            .iter()
            .map(|name| template_variable(name))
            .collect();
        let one = match &idents[..] {
            [ident] => quote!(#ident),
            idents => quote!((#(#idents),*)),
        };
        let template = self.template_constant(message, block.span);
        match &block.over {
            LoopSource::Items(RustList::Place(place)) => {
                let value = self.place_reference(message, place);
                let list = if place.open {
                    self.asserted_list(message, place, &value, None)
                } else {
                    let at = self.at_place(message, place);
                    let p = self.emitter.runtime_at(at);
                    quote_spanned!(at=> #p::iter_list(#value))
                };
                (list, one)
            }
            LoopSource::Items(RustList::Keyed(keyed)) => {
                let list = self.items_result(message, keyed);
                let list =
                    quote!(#p::expr::ok_or_fail(#out, #template, (|| #list)()).unwrap_or_default());
                (list, one)
            }
            LoopSource::Entries(place) => {
                let value = self.place_reference(message, place);
                (quote!((#value).iter()), one)
            }
            LoopSource::Value(term) => {
                let at = self.with_error_position(message, block.span);
                let term = self.term_value(message, term);
                let (walk, pattern) = match &idents[..] {
                    [ident] => (quote!(#p::expr::iterate_value(&#term)), quote!(#ident)),
                    idents => {
                        let count = Literal::usize_unsuffixed(idents.len());
                        (
                            quote!(#p::expr::unpack_each::<#count>(&#term)),
                            quote!([#(#idents),*]),
                        )
                    }
                };
                (
                    quote!(#p::expr::ok_or_fail(#out, #template, (|| #walk #at)()).unwrap_or_default()),
                    pattern,
                )
            }
        }
    }

    /// Whether the value of an expression counts as true.
    pub(super) fn term_condition(
        &self,
        message: &TemplateMessage,
        term: &Term,
        within: ErrorContext,
    ) -> TokenStream {
        let (p, out) = (&self.emitter.runtime, &self.emitter.out);
        match (term, within) {
            (Term::Holds(test), _) => {
                let holds = self.condition_holds(message, test, within);
                quote!((#holds))
            }
            (_, ErrorContext::Closure) => {
                let truth = self.term_truth(message, term);
                quote!(#truth?)
            }
            (_, ErrorContext::Message) => {
                let mut value = self.term_result(message, term);
                if term.may_be_undefined() {
                    let at = self.with_error_position(message, self.span_of(message, term));
                    value = quote!(#value.and_then(#p::expr::require_defined) #at);
                }
                let template = self.template_constant(message, self.span_of(message, term));
                quote!(#p::expr::check_condition(#out, #template, #value))
            }
        }
    }

    /// The span of a call or of the first place in an expression, or else of the tag of the message.
    fn span_of(&self, message: &TemplateMessage, term: &Term) -> prompt_base::Span {
        match term {
            Term::Call { span, .. } => *span,
            _ => {
                let mut found = None;
                term.each_place(&mut |place| {
                    found.get_or_insert(place.span);
                });
                found
                    .or(message.tag)
                    .unwrap_or(prompt_base::Span::new(0, 0))
            }
        }
    }

    /// Adds the position to an error: `.map_err(|fault| fault.at(3, 8))`.
    pub(super) fn with_error_position(
        &self,
        message: &TemplateMessage,
        span: prompt_base::Span,
    ) -> TokenStream {
        let source = &self.case.sources[message.source];
        let Some(written) = source.written_in(span) else {
            return TokenStream::new();
        };
        let start = Literal::usize_unsuffixed(written.range.start);
        let end = Literal::usize_unsuffixed(written.range.end);
        quote!(.map_err(|fault| fault.at(#start, #end)))
    }

    /// The constant with the text that run-time errors quote: a literal, a line of a doc comment, or a file.
    pub(super) fn template_constant(
        &self,
        message: &TemplateMessage,
        span: prompt_base::Span,
    ) -> TokenStream {
        let index = self.case.sources[message.source]
            .written_in(span)
            .map_or(0, |written| written.index);
        let name = self.template_name(message.source, index);
        let mut templates = self.templates.borrow_mut();
        if !templates.contains(&(message.source, index)) {
            templates.push((message.source, index));
        }
        quote!(&#name)
    }

    fn template_name(&self, source: usize, piece: usize) -> Ident {
        let name = match (source, piece) {
            (0, 0) => "TEMPLATE".to_owned(),
            (source, 0) => format!("TEMPLATE_{source}"),
            (source, piece) => format!("TEMPLATE_{source}_{piece}"),
        };
        Ident::new(&name, Span::mixed_site())
    }

    /// The constants that [`template_constant`](CaseEmitter::template_constant) has named.
    pub(super) fn template_constants(&self) -> Option<TokenStream> {
        let p = &self.emitter.runtime;
        let mut named = self.templates.borrow_mut();
        named.sort();
        let mut constants = None::<TokenStream>;
        for &(source, piece) in named.iter() {
            let name = self.template_name(source, piece);
            let Some(written) = self.case.sources[source].written_of(piece) else {
                continue;
            };
            let file = match written.file {
                Some(file) => quote!(#p::Some(#file)),
                None => quote!(#p::None),
            };
            let text = match written.file {
                Some(file) if written.included => {
                    let file = format!("/{file}");
                    quote!(#p::core::include_str!(#p::core::concat!(#p::core::env!("CARGO_MANIFEST_DIR"), #file)))
                }
                _ => {
                    let text = written.text;
                    quote!(#text)
                }
            };
            let (line, column) = (
                Literal::usize_unsuffixed(written.line),
                Literal::usize_unsuffixed(written.column),
            );
            constants.get_or_insert_default().extend(quote! {
                const #name: #p::expr::TemplateText = #p::expr::TemplateText { name: #file, text: #text, line: #line, column: #column };
            });
        }
        constants
    }
}
