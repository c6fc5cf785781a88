//! The Jinja dialect in Rust: expressions. A `?` in them returns from the enclosing closure.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use prompt_jinja_syntax::analysis::{
    Function, MappedList, RustList, RustListFilter, Term, compared_texts,
};
use prompt_syntax::Literal as Written;
use quote::{quote, quote_spanned};

use super::super::body::ErrorContext;
use super::super::{CaseEmitter, template_variable};
use crate::lower::{PlaceExpr, TemplateMessage};
use crate::types::value_kind;

impl CaseEmitter<'_> {
    /// A `Result` with the value of a term.
    pub(super) fn term_result(&self, message: &TemplateMessage, term: &Term) -> TokenStream {
        let p = &self.emitter.runtime;
        if term.is_plain() {
            let value = self.term_value(message, term);
            return quote!(#p::core::result::Result::Ok(#value));
        }
        match self.term_without_question_mark(message, term) {
            Some(result) if term.has_plain_parts() => result,
            _ => {
                let result = self.term_result_in_function(message, term);
                quote!((|| #result)())
            }
        }
    }

    /// The same inside of a function that returns a `Result`: a `?` in the term returns from it.
    fn term_result_in_function(&self, message: &TemplateMessage, term: &Term) -> TokenStream {
        let p = &self.emitter.runtime;
        self.term_without_question_mark(message, term)
            .unwrap_or_else(|| {
                let value = self.term_value(message, term);
                quote!(#p::core::result::Result::Ok(#value))
            })
    }

    /// A `Result` with whether the value of a term counts as true.
    pub(super) fn term_truth(&self, message: &TemplateMessage, term: &Term) -> TokenStream {
        let p = &self.emitter.runtime;
        match term {
            Term::Call {
                function:
                    function @ (Function::Compare(_) | Function::Test(_) | Function::Changed(_)),
                args,
                span,
            } => self.call_function(message, function, args, *span),
            Term::Holds(test) => {
                let holds = self.condition_holds(message, test, ErrorContext::Closure);
                quote!(#p::core::result::Result::Ok(#holds))
            }
            _ => {
                let value = self.term_value(message, term);
                quote!((#value).is_true())
            }
        }
    }

    /// The code of a term that evaluates to a `Result` itself, which needs no `?` and no `Ok(…)`.
    fn term_without_question_mark(
        &self,
        message: &TemplateMessage,
        term: &Term,
    ) -> Option<TokenStream> {
        let p = &self.emitter.runtime;
        match term {
            Term::Call {
                function: Function::Compare(_) | Function::Test(_) | Function::Changed(_),
                ..
            } => None,
            Term::Call {
                function: Function::Own { .. },
                ..
            } => None,
            Term::Call {
                function,
                args,
                span,
            } => Some(self.call_function(message, function, args, *span)),
            Term::Dict(entries) => {
                let entries = entries.iter().map(|(key, value)| {
                    let (key, value) = (
                        self.term_value(message, key),
                        self.term_value(message, value),
                    );
                    quote!((#key, #value))
                });
                Some(quote!(#p::expr::dict([#(#entries),*].to_vec())))
            }
            Term::Mapped(mapped) => Some(self.map_list(message, mapped)),
            Term::Keyed(keyed) if keyed.function != "count" => {
                Some(self.filter_rust_list(message, keyed))
            }
            _ => None,
        }
    }

    /// A value.
    pub(super) fn term_value(&self, message: &TemplateMessage, term: &Term) -> TokenStream {
        let p = &self.emitter.runtime;
        match term {
            Term::Place(place) => self.value_of(message, place),
            Term::Variable(known) => {
                let ident = template_variable(&known.ident);
                quote!(#p::expr::clone_value(&#ident))
            }
            Term::Literal(literal) => self.literal_value(literal),
            Term::Absent => quote!(#p::expr::Value::Absent),
            Term::Loop { state, part } => {
                let (state, part) = (
                    template_variable(state),
                    Ident::new(part, Span::call_site()),
                );
                quote!(#state.#part())
            }
            Term::List(items) => {
                let items = items.iter().map(|item| self.term_value(message, item));
                quote!(#p::expr::list([#(#items),*].to_vec()))
            }
            Term::Tuple(items) => {
                let items = items.iter().map(|item| self.term_value(message, item));
                quote!(#p::expr::tuple([#(#items),*].to_vec()))
            }
            Term::Call {
                function:
                    function @ (Function::Compare(_) | Function::Test(_) | Function::Changed(_)),
                args,
                span,
            } => {
                let call = self.call_function(message, function, args, *span);
                quote!(#p::expr::Value::Bool(#call?))
            }
            Term::Keyed(keyed) if keyed.function == "count" => self.items_of(message, keyed),
            Term::Call {
                function: Function::Own { .. },
                ..
            } => self.own_function_value(message, term),
            Term::Call { .. } | Term::Dict(_) | Term::Mapped(_) | Term::Keyed(_) => {
                let result = self.term_without_question_mark(message, term);
                quote!(#result?)
            }
            Term::And(sides) => {
                let (left, right) = (
                    self.term_value(message, &sides.0),
                    self.term_value(message, &sides.1),
                );
                quote!(match #left { left if left.is_true()? => #right, left => left })
            }
            Term::Or(sides) => {
                let (left, right) = (
                    self.term_value(message, &sides.0),
                    self.term_value(message, &sides.1),
                );
                quote!(match #left { left if left.is_true()? => left, _ => #right })
            }
            Term::If(parts) => {
                let test = self.condition_test(message, &parts.0, ErrorContext::Closure);
                let value = self.term_value(message, &parts.1);
                let otherwise = match &parts.2 {
                    Some(otherwise) => self.term_value(message, otherwise),
                    None => quote!(#p::expr::template_str("")),
                };
                quote!(if #test { #value } else { #otherwise })
            }
            Term::Holds(test) => {
                let test = self.condition_holds(message, test, ErrorContext::Closure);
                quote!(#p::expr::Value::Bool(#test))
            }
            Term::Block(pieces) => {
                let out = &self.emitter.out;
                let pieces = self.pieces_code(message, pieces);
                quote!(#p::expr::block_text(|#out| { #pieces }))
            }
        }
    }

    fn value_of(&self, message: &TemplateMessage, place: &PlaceExpr) -> TokenStream {
        let at = self.at_place(message, place);
        let (name, value) = (&place.name, self.place_reference(message, place));
        // The neighbour of an item is an `Option` of it.
        let field = self.case.case.fields.get(place.origin);
        if place.open || field.is_some_and(|field| value_kind(&field.ty).has_unknown()) {
            return self.asserted_value(message, place, &value);
        }
        let p = self.emitter.runtime_at(at);
        quote_spanned!(at=> #p::expr::field_value(#name, #value))
    }

    fn literal_value(&self, literal: &Written) -> TokenStream {
        let p = &self.emitter.runtime;
        match literal {
            Written::Str(text) => quote!(#p::expr::template_str(#text)),
            Written::Int(number) => {
                let number = Literal::i64_unsuffixed(*number);
                quote!(#p::expr::Value::Int(#number))
            }
            Written::Float(number) => {
                let number = Literal::f64_unsuffixed(*number);
                quote!(#p::expr::Value::Float(#number))
            }
            Written::Bool(value) => quote!(#p::expr::Value::Bool(#value)),
            Written::None => quote!(#p::expr::Value::None),
        }
    }

    fn call_function(
        &self,
        message: &TemplateMessage,
        function: &Function,
        args: &[Option<Term>],
        span: prompt_base::Span,
    ) -> TokenStream {
        let p = &self.emitter.runtime;
        let at = self.with_error_position(message, span);
        let given = |index: usize| match args.get(index) {
            Some(Some(term)) => self.term_value(message, term),
            _ => quote!(#p::expr::Value::None),
        };
        let all = || (0..args.len()).map(given).map(|value| quote!(&#value));
        let named = |module: &str, name: &str, from: usize| {
            let module = Ident::new(module, Span::call_site());
            let name = crate::emit::ident_or_raw(name, Span::call_site());
            let value = if from == 0 {
                quote!(#p::expr::Value::None)
            } else {
                given(0)
            };
            let last = args
                .iter()
                .rposition(Option::is_some)
                .map_or(0, |last| last + 1);
            let rest = args
                .get(from..last.max(from))
                .unwrap_or_default()
                .iter()
                .map(|arg| match arg {
                    Some(arg) => {
                        let arg = self.term_value(message, arg);
                        quote!(#p::Some(#arg))
                    }
                    None => quote!(#p::None),
                });
            quote!(#p::expr::#module::#name(&#value, &[#(#rest),*]) #at)
        };
        match function {
            Function::Operator(name) => {
                let (name, all) = (Ident::new(name, Span::call_site()), all());
                quote!(#p::expr::#name(#(#all),*) #at)
            }
            Function::Compare(name) => {
                let labels = compared_texts(name, args).into_iter();
                // Other types have no labels.
                let labels: TokenStream = labels
                    .filter(|(place, _)| place.open)
                    .filter_map(|(place, text)| self.expected_label(message, place, text, span))
                    .collect();
                let (name, all) = (Ident::new(name, Span::call_site()), all());
                match labels.is_empty() {
                    true => quote!(#p::expr::#name(#(#all),*) #at),
                    false => quote!({ #labels #p::expr::#name(#(#all),*) } #at),
                }
            }
            Function::Changed(state) => {
                let state = template_variable(state);
                let values = (0..args.len()).map(given);
                quote!(#state.has_changed(&[#(#values),*]) #at)
            }
            Function::Concat => {
                let items = (0..args.len()).map(given);
                quote!(#p::expr::concat(&[#(#items),*]) #at)
            }
            Function::Attribute(name) => {
                let value = given(0);
                quote!(#p::expr::attribute(&#value, #name) #at)
            }
            Function::Path => {
                let (value, name) = (given(0), given(1));
                quote!(#p::expr::attribute_path(&#value, &#name, #p::None) #at)
            }
            Function::Filter(name) => named("filters", name, 1),
            Function::Test(name) => named("tests", name, 1),
            Function::Method(name) => named("methods", name, 1),
            Function::Global(name) => named("functions", name, 0),
            // `term_value` calls a function of the user: it cannot fail, and returns no `Result`.
            Function::Own { .. } => TokenStream::new(),
        }
    }

    /// ```text
    /// expr::filters::map(&list, |item| Ok(expr::filters::upper(item, &[])?))?
    /// ```
    fn map_list(&self, message: &TemplateMessage, mapped: &MappedList) -> TokenStream {
        let p = &self.emitter.runtime;
        let (function, item) = (
            Ident::new(mapped.function, Span::call_site()),
            template_variable(&mapped.item),
        );
        let (value, at) = (
            self.term_value(message, &mapped.value),
            self.with_error_position(message, mapped.span),
        );
        let key = match mapped.function {
            "map" => self.term_result_in_function(message, &mapped.key),
            _ => self.term_truth(message, &mapped.key),
        };
        quote!(#p::expr::filters::#function(&#value, |#item| #key) #at)
    }

    /// The result of a filter for a list of Rust values, converted to a value.
    fn filter_rust_list(&self, message: &TemplateMessage, keyed: &RustListFilter) -> TokenStream {
        let p = &self.emitter.runtime;
        if keyed.function == "map_by" {
            return self.made_of(message, keyed);
        }
        let list = self.items_of(message, keyed);
        let at = self.at_place(message, keyed.base());
        let item = quote_spanned!(at=> item);
        let value = self.asserted_value(message, keyed.base(), &item);
        let function = match keyed.function {
            "group_by" => Ident::new("map_groups", Span::call_site()),
            _ => Ident::new("map_by", Span::call_site()),
        };
        quote!(#p::expr::#function(#list, |#item| #p::core::result::Result::Ok(#value)))
    }

    /// The items that a filter keeps of a list of the user's own items, or its error.
    pub(super) fn items_result(
        &self,
        message: &TemplateMessage,
        keyed: &RustListFilter,
    ) -> TokenStream {
        let p = &self.emitter.runtime;
        let made = self.made_of(message, keyed);
        match keyed.function {
            "reversed" | "count" => quote!(#p::core::result::Result::Ok(#made)),
            _ => made,
        }
    }

    /// The result of a filter for a list of the user's own items.
    pub(super) fn items_of(
        &self,
        message: &TemplateMessage,
        keyed: &RustListFilter,
    ) -> TokenStream {
        let made = self.made_of(message, keyed);
        match keyed.function {
            "reversed" | "count" => made,
            _ => quote!(#made?),
        }
    }

    fn made_of(&self, message: &TemplateMessage, keyed: &RustListFilter) -> TokenStream {
        let p = &self.emitter.runtime;
        let list = match &keyed.list {
            RustList::Place(place) => {
                let at = self.at_place(message, place);
                let (p, value) = (
                    self.emitter.runtime_at(at),
                    self.place_reference(message, place),
                );
                quote_spanned!(at=> #p::iter_list(#value))
            }
            RustList::Keyed(inner) => self.items_of(message, inner),
        };
        let function = Ident::new(keyed.function, Span::call_site());
        let at = self.with_error_position(message, keyed.span);
        let args = keyed.args.iter().map(|arg| match (keyed.function, arg) {
            ("sliced", arg) => {
                let arg = self.term_value(message, arg);
                quote!(, &#arg)
            }
            (_, Term::Literal(Written::Bool(value))) => quote!(, #value),
            (_, arg) => {
                let arg = self.term_value(message, arg);
                quote!(, #arg)
            }
        });
        let key = keyed.key.as_ref().map(|key| {
            let item = template_variable(&keyed.item);
            let value = match keyed.function {
                "select_by" | "reject_by" => self.term_truth(message, key),
                "sort_by" => {
                    let value = self.term_value(message, key);
                    quote!(#p::core::result::Result::Ok([#value].to_vec()))
                }
                _ => self.term_result_in_function(message, key),
            };
            quote!(, |#item| #value)
        });
        match keyed.function {
            "reversed" | "count" => quote!(#p::expr::#function(#list)),
            _ => quote!(#p::expr::#function(#list #key #(#args)*) #at),
        }
    }
}
