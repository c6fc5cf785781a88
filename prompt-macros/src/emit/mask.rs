//! For editors: the template as a `format_args!` literal, so that a slot leads to its field.
//!
//! rust-analyzer follows the names in a format string to the variables that they capture. So each literal is repeated
//! under its own span, blank but for `{name}` where its slots are, beside a pattern that binds the fields. It is compiled
//! with `cfg(rust_analyzer)` only: the names are not `Display`. A template with errors has none, since an editor would offer
//! completions at the wrong places.

use proc_macro2::{Literal, Span, TokenStream};
use prompt_base::Span as Bytes;
use quote::quote;

use super::Emitter;
use crate::lower::{FieldUse, PromptCase, template_messages};
use crate::source::SourceText;

impl Emitter<'_> {
    pub(super) fn editor_mask(&self) -> Option<TokenStream> {
        let p = &self.runtime;
        let input = self.prompt.input;
        let (parameters, arguments, clause) = input.generics.split_for_impl();
        let ident = &input.ident;
        let mut checks = Vec::new();
        for case in &self.prompt.cases {
            let sources = case.sources.iter().enumerate();
            let masks: Vec<Literal> = sources
                .filter_map(|(index, source)| mask_literal(case, index, source))
                .collect();
            if masks.is_empty() {
                continue;
            }
            let fields = case.case.fields.iter().map(|field| &field.ident);
            let variant = case.case.variant.iter();
            checks.push(quote! {
                if let #ident #(::#variant)* { #(#fields,)* .. } = input {
                    #(let _ = #p::core::format_args!(#masks);)*
                }
            });
        }
        if checks.is_empty() {
            return None;
        }
        // cargo does not declare this `cfg`, so that the lint would report it; only an item around it can allow it.
        Some(quote! {
            #[allow(unexpected_cfgs)]
            const _: () = {
                #[cfg(rust_analyzer)]
                fn slots #parameters (input: &#ident #arguments) #clause {
                    #(#checks)*
                }
            };
        })
    }
}

/// The masked literal of one source, if it is a literal and names a field.
fn mask_literal(case: &PromptCase<'_>, index: usize, source: &SourceText) -> Option<Literal> {
    let (token, cooked, span) = source.single_literal()?;
    let mut masked = MaskedLiteral::new(token)?;
    let messages = template_messages(case).into_iter();
    let uses = messages
        .filter(|message| message.source == index)
        .flat_map(|message| &message.used);
    for used in uses {
        if let Some(name) = field_name(case, used) {
            let start = used.span.start;
            let bytes = Bytes::new(start, start + name.len());
            // A name that the template binds has another position, and so has an included file.
            if cooked.value.get(bytes.start..bytes.end) == Some(name) {
                masked.reveal_name(name, cooked.token_range(bytes));
            }
        }
    }
    masked.into_literal(span)
}

/// The name of the field, unless a name that the template binds is written instead.
fn field_name<'a>(case: &'a PromptCase<'_>, used: &FieldUse) -> Option<&'a str> {
    // A format string cannot contain a keyword.
    let field = case.case.fields.get(used.field)?;
    (!used.is_bound && field.ident == field.name.as_str()).then_some(field.name.as_str())
}

/// A literal's token, blank but for the names of fields.
struct MaskedLiteral {
    token: Vec<u8>,
    empty: bool,
}

impl MaskedLiteral {
    fn new(token: &str) -> Option<MaskedLiteral> {
        let mut bytes = token.as_bytes().to_vec();
        let open = token.find('"')?;
        let close = token.rfind('"')?;
        bytes.get_mut(open + 1..close)?.fill(b' ');
        Some(MaskedLiteral {
            token: bytes,
            empty: true,
        })
    }

    /// Writes `{name}` at the position of the name. A name with escapes or with other characters than ASCII has other offsets, and is
    /// left out.
    fn reveal_name(&mut self, name: &str, written: std::ops::Range<usize>) {
        if written.len() != name.len() || !name.is_ascii() || written.start == 0 {
            return;
        }
        let around = written.start - 1..written.end + 1;
        let Some(space) = self
            .token
            .get_mut(around)
            .filter(|space| space.iter().all(|byte| *byte == b' '))
        else {
            return;
        };
        space[0] = b'{';
        space[1..=name.len()].copy_from_slice(name.as_bytes());
        space[name.len() + 1] = b'}';
        self.empty = false;
    }

    /// A cooked literal is replaced by a raw one of the same length, without the first byte of its content.
    fn into_literal(mut self, span: Span) -> Option<Literal> {
        if self.empty {
            return None;
        }
        if self.token.first() == Some(&b'"') {
            if self.token.get(1) != Some(&b' ') {
                return None;
            }
            self.token.remove(1);
            self.token.insert(0, b'r');
        }
        let text = String::from_utf8(self.token).ok()?;
        let mut literal: Literal = text.parse().ok()?;
        literal.set_span(span);
        Some(literal)
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    use crate::Errors;
    use crate::input::Input;

    /// The literal of a template and its mask, one under the other.
    #[track_caller]
    fn check(literal: &str, fields: &str, mask: Option<&str>) {
        check_in("angle", literal, fields, mask);
    }

    #[track_caller]
    fn check_in(dialect: &str, literal: &str, fields: &str, mask: Option<&str>) {
        let item =
            format!("#[prompt(syntax = {dialect:?}, user = {literal})] struct Ask {{ {fields} }}");
        let tokens: TokenStream = item.parse().expect("tokens");
        let mut errors = Errors::default();
        let input = Input::parse(tokens, &mut errors).expect("a struct");
        let prompt = crate::lower::lower(&input, &mut errors);
        assert_eq!(errors.count(), 0);
        let case = &prompt.cases[0];
        let masked =
            super::mask_literal(case, 0, &case.sources[0]).map(|literal| literal.to_string());
        assert_eq!(masked.as_deref(), mask);
        if let Some(masked) = masked {
            assert_eq!(masked.len(), literal.len());
        }
    }

    #[test]
    fn names_keep_their_position() {
        check(
            r#""Ask <a> and <input:b>.""#,
            "a: u8, b: u8",
            Some(r#"r"   {a}           {b} ""#),
        );
        check(
            r##"r#"é "<a>" {x}"#"##,
            "a: u8",
            Some(r##"r#"    {a}     "#"##),
        );
    }

    #[test]
    fn paths_filters_and_blocks_lead_to_the_field_that_they_begin_with() {
        check(
            r#"r"-<a.b> <c | trim> <if d><for x in e><x></for></if>""#,
            "a: A, c: String, d: bool, e: Vec<u8>",
            Some(r#"r" {a}   {c}           {d}         {e}              ""#),
        );
    }

    #[test]
    fn expressions_lead_to_each_of_their_fields() {
        check_in(
            "jinja",
            r#""-{{ a }}{{b | upper}} {% if c and d > 1 %}{% for x in e %}{{ x ~ a }}{% endfor %}{% endif %}""#,
            "a: String, b: String, c: bool, d: u8, e: Vec<String>",
            Some(
                r#"r"  {a}   {b}               {c}   {d}                 {e}        {a}                         ""#,
            ),
        );
    }

    #[test]
    fn names_of_the_template_lead_nowhere() {
        check_in(
            "jinja",
            r#""-{% set x = a %}{{ x }}{% set y = a + 1 %}{{ y }}""#,
            "a: u8",
            Some(r#"r"                                {a}             ""#),
        );
    }

    #[test]
    fn escapes_before_a_name_do_not_change_its_position() {
        check(
            r#""\n\u{e9}\"<a>\
   <b>""#,
            "a: u8, b: u8",
            Some(r#"r"         {a}     {b}""#),
        );
    }

    #[test]
    fn fields_with_an_unexpected_shape_are_left_out() {
        // A name at the very beginning of a cooked literal, one with an escape, one that is not ASCII, a keyword.
        check(r#""<a>""#, "a: u8", None);
        check(r#""-<\x61>""#, "a: u8", None);
        check(r#""-<größe>""#, "größe: u8", None);
        check(r#""-<type>""#, "r#type: u8", None);
        check(r#""no slot""#, "", None);
    }
}
