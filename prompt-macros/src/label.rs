//! `#[derive(Label)]`: an enum without fields. The labels are the serde names of its variants.

use proc_macro2::{Ident, TokenStream};
use prompt_syntax::problem::label as problem;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, Fields, Meta};

use crate::Errors;
use crate::emit::Runtime;

/// ```text
/// impl Label for Mode {
///     const LABELS: &'static [&'static str] = &["brief", "full"];
///     fn label(&self) -> &'static str { match self { Mode::Brief => "brief", Mode::Full => "full" } }
/// }
/// impl ToPrompt for Mode { … }
/// ```
pub(crate) fn implement_label(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(item) = crate::input::read_item(item, &mut errors) else {
        return errors.into_tokens();
    };
    let Data::Enum(data) = &item.data else {
        errors.push(item.ident.span(), problem::no_enum(&item.ident.to_string()));
        return errors.into_tokens();
    };
    let rule = rename_rule(&item.attrs, NameSide::Serialize, &mut errors);
    let (mut idents, mut names): (Vec<&Ident>, Vec<String>) = (Vec::new(), Vec::new());
    for variant in &data.variants {
        let ident = &variant.ident;
        if !matches!(variant.fields, Fields::Unit) {
            errors.push(
                ident.span(),
                problem::variant_with_fields(&ident.to_string()),
            );
        }
        let own = rename_key(&variant.attrs, "rename", NameSide::Serialize, &mut errors);
        let name = match (own, rule) {
            (Some((name, _)), _) => name,
            (None, Some(rule)) => rule.of_variant(&ident.unraw().to_string()),
            (None, None) => ident.unraw().to_string(),
        };
        if names.contains(&name) {
            errors.push(ident.span(), problem::same_label(&name));
        }
        idents.push(ident);
        names.push(name);
    }
    let keys = crate::input::ItemKeys::read(&item.attrs, &mut Errors::default());
    let p = Runtime::new();
    let allowed = crate::input::allow_attributes(&crate::input::all_attributes(&item));
    let (parameters, arguments, clause) = item.generics.split_for_impl();
    let ident = &item.ident;
    let value = cfg!(feature = "jinja").then(|| {
        quote! {
            #[automatically_derived]
            #allowed
            impl #parameters #p::expr::ToValue for #ident #arguments #clause {
                fn kind() -> #p::expr::ValueKind {
                    #p::expr::text_kind()
                }

                fn to_value(&self, source: #p::expr::Origin) -> #p::expr::Value<'_> {
                    #p::expr::ToValue::to_value(#p::Label::label(self), source)
                }
            }
        }
    });
    let made = (errors.count() == 0).then(|| {
        quote! {
            #[automatically_derived]
            #allowed
            impl #parameters #p::FromLabel for #ident #arguments #clause {
                fn from_label(label: &#p::core::primitive::str) -> #p::Option<Self> {
                    match label {
                        #(#names => #p::Some(#ident::#idents {}),)*
                        _ => #p::None,
                    }
                }
            }
        }
    });
    let errors = errors.into_tokens();
    // An enum without variants has no labels.
    let label = match idents[..] {
        [] => quote!(match *self {}),
        _ => quote!(match self { #(#ident::#idents { .. } => #names,)* }),
    };
    let implementations = quote! {
        #[automatically_derived]
        #allowed
        impl #parameters #p::Label for #ident #arguments #clause {
            const LABELS: &'static [&'static str] = &[#(#names),*];

            fn label(&self) -> &'static str {
                #label
            }
        }

        #made

        #[automatically_derived]
        #allowed
        impl #parameters #p::CompareText for #ident #arguments #clause {
            const LABELS: #p::Option<&'static [&'static str]> =
                #p::Some(<Self as #p::Label>::LABELS);

            fn is_text(&self, text: &str) -> bool {
                #p::Label::label(self) == text
            }
        }

        #[automatically_derived]
        #allowed
        impl #parameters #p::ToPrompt for #ident #arguments #clause {
            fn write(&self, out: &mut #p::Writer) {
                out.data(#p::Label::label(self));
            }
        }

        #[automatically_derived]
        #allowed
        impl #parameters #p::Truthy for #ident #arguments #clause {}

        #[automatically_derived]
        #allowed
        impl #parameters #p::SystemSafe for #ident #arguments #clause {}

        #value
    };
    let implementations = p.enclose_items(keys.crate_path(), implementations);
    quote!(#errors #implementations)
}

/// What a name of serde is for, where an item has two.
#[derive(Clone, Copy)]
pub(crate) enum NameSide {
    Serialize,
    #[cfg(feature = "schema")]
    Deserialize,
}

impl NameSide {
    fn key(self) -> &'static str {
        match self {
            NameSide::Serialize => "serialize",
            #[cfg(feature = "schema")]
            NameSide::Deserialize => "deserialize",
        }
    }
}

/// The rule of serde's key `rename_all`.
pub(crate) fn rename_rule(
    attributes: &[Attribute],
    side: NameSide,
    errors: &mut Errors,
) -> Option<&'static RenameRule> {
    let (name, at) = rename_key(attributes, "rename_all", side, errors)?;
    let rule = RULES.iter().find(|rule| rule.name == name);
    if rule.is_none() {
        let problem = problem::unknown_rule(&name, &RULES.map(|rule| rule.name));
        errors.push(at, problem);
    }
    rule
}

/// The string of a key of `#[serde(…)]`, for `side` if it has two, and its position.
pub(crate) fn rename_key(
    attributes: &[Attribute],
    key: &str,
    side: NameSide,
    errors: &mut Errors,
) -> Option<(String, proc_macro2::Span)> {
    let mut found = None;
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"))
    {
        let Meta::List(list) = &attribute.meta else {
            continue;
        };
        // Another key may have any tokens; serde reports its mistakes.
        let read = list.parse_nested_meta(|meta| {
            let is_key = meta.path.is_ident(key);
            if meta.input.peek(syn::token::Paren) {
                return meta.parse_nested_meta(|inner| {
                    let text: syn::LitStr = inner.value()?.parse()?;
                    if is_key && inner.path.is_ident(side.key()) {
                        found = Some((text.value(), text.span()));
                    }
                    Ok(())
                });
            }
            if meta.input.peek(syn::Token![=]) {
                let value: syn::Expr = meta.value()?.parse()?;
                if is_key
                    && let syn::Expr::Lit(syn::ExprLit {
                        lit: syn::Lit::Str(text),
                        ..
                    }) = &value
                {
                    found = Some((text.value(), text.span()));
                }
            }
            Ok(())
        });
        if let Err(error) = read {
            errors.push_syn(error);
        }
    }
    found
}

/// A rule of serde's `rename_all`.
pub(crate) struct RenameRule {
    name: &'static str,
    /// The separator of the words. Without one each word begins with a capital letter.
    separator: Option<char>,
    case: fn(&str) -> String,
}

const fn rule(name: &'static str, separator: Option<char>, case: fn(&str) -> String) -> RenameRule {
    RenameRule {
        name,
        separator,
        case,
    }
}

const RULES: [RenameRule; 8] = [
    rule("lowercase", None, str::to_ascii_lowercase),
    rule("UPPERCASE", None, str::to_ascii_uppercase),
    rule("PascalCase", None, str::to_owned),
    rule("camelCase", None, |name| {
        let first = name.chars().next().map_or(0, char::len_utf8);
        name[..first].to_ascii_lowercase() + &name[first..]
    }),
    rule("snake_case", Some('_'), str::to_owned),
    rule("SCREAMING_SNAKE_CASE", Some('_'), str::to_ascii_uppercase),
    rule("kebab-case", Some('-'), str::to_owned),
    rule("SCREAMING-KEBAB-CASE", Some('-'), str::to_ascii_uppercase),
];

impl RenameRule {
    /// The name of a variant, which is written in camel case.
    fn of_variant(&self, name: &str) -> String {
        match self.separator {
            Some(separator) => (self.case)(&join_words(name, separator)),
            None => (self.case)(name),
        }
    }

    /// The name of a field, which is written in snake case. As in serde, `lowercase` and `UPPERCASE` keep its separators.
    #[cfg(feature = "schema")]
    pub(crate) fn of_field(&self, name: &str) -> String {
        match (self.separator, self.name) {
            (Some(separator), _) => (self.case)(&name.replace('_', &separator.to_string())),
            (None, "lowercase" | "UPPERCASE") => (self.case)(name),
            (None, _) => {
                let words = name.split('_').map(|word| {
                    let first = word.chars().next().map_or(0, char::len_utf8);
                    word[..first].to_ascii_uppercase() + &word[first..]
                });
                (self.case)(&words.collect::<String>())
            }
        }
    }
}

/// Joins the parts of a camel-case name in lowercase. As in serde, and unlike in the names of tools, each capital letter begins a part.
fn join_words(name: &str, separator: char) -> String {
    let mut text = String::new();
    for (at, c) in name.char_indices() {
        if at > 0 && c.is_uppercase() {
            text.push(separator);
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}
