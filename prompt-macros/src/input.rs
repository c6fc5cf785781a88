//! The struct or enum as it was written: its fields, and the keys of its attributes.

#[cfg(feature = "schema")]
pub(crate) mod helper_keys;
mod item;
pub(crate) mod keys;

use proc_macro2::{Span, TokenStream};
pub(crate) use prompt_syntax::problem::field::MacroKind;
use prompt_syntax::problem::{item as problem, template};
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Expr, Fields, Generics, Ident, Lit, LitStr, Meta, Type};

use crate::Errors;
use crate::emit::Runtime;
pub(crate) use crate::input::item::read_item;
pub(crate) use crate::input::keys::{
    AttributeValue, FieldKeys, Format, INLINE_KEYS, ITEM_KEYS, ItemKeys, SourceKey, WHITESPACE,
    skip_to_comma,
};
use crate::source::Quoted;
use crate::types::TypeKind;

pub(crate) struct Input {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) keys: ItemKeys,
    pub(crate) docs: Vec<LitStr>,
    pub(crate) cases: Vec<Case>,
    pub(crate) is_enum: bool,
    /// The `allow` attributes of the item, which its generated code repeats.
    pub(crate) allowed: Option<TokenStream>,
    pub(crate) form: MacroKind,
}

/// A struct, or one variant of an enum.
pub(crate) struct Case {
    /// The variant's name.
    pub(crate) variant: Option<Ident>,
    pub(crate) keys: ItemKeys,
    pub(crate) docs: Vec<LitStr>,
    pub(crate) fields: Vec<Field>,
    /// Whether the fields could not be read, so that unknown slots are not reported.
    pub(crate) broken: bool,
    pub(crate) span: Span,
}

impl Case {
    /// A struct, whose keys and doc comment are those of the input.
    pub(crate) fn of_struct(fields: Vec<Field>, broken: bool, span: Span) -> Case {
        Case {
            variant: None,
            keys: ItemKeys::default(),
            docs: Vec::new(),
            fields,
            broken,
            span,
        }
    }
}

pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// The name that a template uses: a raw identifier without its `r#`.
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// The kind of the type's values, by its tokens.
    pub(crate) of_type: TypeKind,
    pub(crate) keys: FieldKeys,
}

impl Field {
    /// The title, if it is an extra field.
    pub(crate) fn title(&self) -> String {
        let title = self.keys.title.as_ref();
        title.map_or_else(|| self.name.clone(), Quoted::value)
    }
}

impl Input {
    /// Reads the item. `None` if it has errors and nothing else can be checked.
    pub(crate) fn parse(item: TokenStream, errors: &mut Errors) -> Option<Input> {
        let item = read_item(item, errors)?;
        let mut keys = ItemKeys::read(&item.attrs, errors);
        expect_lines(&item.attrs, &mut keys, errors);
        let docs = doc_lines(&item.attrs);
        let allowed = allow_attributes(&all_attributes(&item));
        let mut cases = Vec::new();
        let mut is_enum = false;
        match item.data {
            Data::Struct(data) => {
                let broken = matches!(data.fields, Fields::Unnamed(_));
                let fields = named_fields(data.fields, item.ident.span(), errors);
                cases.push(Case::of_struct(fields, broken, item.ident.span()));
            }
            Data::Enum(data) => {
                is_enum = true;
                if data.variants.is_empty() {
                    errors.push(item.ident.span(), problem::no_variants());
                }
                for variant in data.variants {
                    let mut keys = ItemKeys::read_of_variant(&variant.attrs, errors);
                    expect_lines(&variant.attrs, &mut keys, errors);
                    cases.push(Case {
                        keys,
                        docs: self::doc_lines(&variant.attrs),
                        broken: matches!(variant.fields, Fields::Unnamed(_)),
                        fields: named_fields(variant.fields, variant.ident.span(), errors),
                        span: variant.ident.span(),
                        variant: Some(variant.ident),
                    });
                }
            }
            Data::Union(data) => {
                errors.push(data.union_token.span, problem::union_item());
            }
        }
        if keys.output.is_none() {
            // The error is reported; code that uses the answer has none of its own then.
            let mut fields = cases.iter().flat_map(|case| &case.fields);
            keys.output = fields.find_map(|field| {
                let value = field.ty.clone();
                field.keys.output.map(|key| AttributeValue { key, value })
            });
        }
        Some(Input {
            ident: item.ident,
            generics: item.generics,
            keys,
            docs,
            cases,
            is_enum,
            allowed,
            form: MacroKind::Derive,
        })
    }

    /// How generated code names the runtime.
    pub(crate) fn runtime(&self) -> Runtime {
        match self.form {
            // The types of the fields name it too.
            MacroKind::Template => Runtime::named_after(&self.ident),
            _ => Runtime::new(),
        }
    }

    /// Implementations together with the import of the runtime that they use.
    pub(crate) fn with_runtime(&self, items: TokenStream) -> TokenStream {
        let krate = self.keys.crate_path();
        match self.form {
            MacroKind::Template => {
                let import = self.runtime().import_from(krate);
                quote!(#import #items)
            }
            _ => self.runtime().enclose_items(krate, items),
        }
    }
}

/// The attributes of an item and of its fields.
pub(crate) fn all_attributes(item: &DeriveInput) -> Vec<&Attribute> {
    let mut attributes: Vec<&Attribute> = item.attrs.iter().collect();
    let mut fields: Vec<&syn::Field> = Vec::new();
    match &item.data {
        Data::Struct(data) => fields.extend(&data.fields),
        Data::Enum(data) => {
            for variant in &data.variants {
                attributes.extend(&variant.attrs);
                fields.extend(&variant.fields);
            }
        }
        Data::Union(_) => {}
    }
    for field in fields {
        attributes.extend(&field.attrs);
    }
    attributes
}

/// `#[allow(…)]` with the lints that these attributes allow, and with `deprecated` if one of them is `#[deprecated]`.
pub(crate) fn allow_attributes(attributes: &[&Attribute]) -> Option<TokenStream> {
    let mut allowed = None::<TokenStream>;
    for attribute in attributes {
        let path = attribute.path();
        if path.is_ident("deprecated") {
            allowed
                .get_or_insert_default()
                .extend(quote!(#[allow(deprecated)]));
        } else if let Meta::List(list) = &attribute.meta
            && (path.is_ident("allow") || path.is_ident("expect"))
        {
            let lints = &list.tokens;
            allowed
                .get_or_insert_default()
                .extend(quote!(#[allow(#lints)]));
        }
    }
    allowed
}

fn named_fields(fields: Fields, span: Span, errors: &mut Errors) -> Vec<Field> {
    match fields {
        Fields::Named(fields) => fields
            .named
            .into_iter()
            .filter_map(|field| Some(named_field(field.ident?, field.ty, &field.attrs, errors)))
            .collect(),
        Fields::Unit => Vec::new(),
        Fields::Unnamed(_) => {
            errors.push(span, problem::unnamed_fields());
            Vec::new()
        }
    }
}

pub(crate) fn named_field(
    ident: Ident,
    ty: Type,
    attributes: &[syn::Attribute],
    errors: &mut Errors,
) -> Field {
    let keys = FieldKeys::read(attributes, &ty, errors);
    Field {
        name: ident.unraw().to_string(),
        ident,
        of_type: TypeKind::from_type(&ty),
        ty,
        keys,
    }
}

/// Reports a template in a doc comment that is not written in `///` lines: in a block comment, the stars and the indentation could be text or not.
pub(crate) fn expect_lines(attributes: &[Attribute], keys: &mut ItemKeys, errors: &mut Errors) {
    let is_doc = |given: &AttributeValue<SourceKey>| matches!(given.value, SourceKey::Doc);
    if !keys.given.iter().any(is_doc) {
        return;
    }
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        let problem = match &pair.value {
            _ if !attribute.path().is_ident("doc") => continue,
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) if is_long_block(text) => template::block_comment(),
                _ => continue,
            },
            _ => template::computed_doc(),
        };
        errors.push(pair.value.span(), problem);
        keys.broken = true;
    }
}

/// Whether a doc comment is a `/** … */` of several lines.
fn is_long_block(text: &LitStr) -> bool {
    let written = text.span().source_text();
    text.value().contains('\n') && written.is_some_and(|written| written.starts_with("/*"))
}

pub(crate) fn doc_lines(attributes: &[syn::Attribute]) -> Vec<LitStr> {
    let docs = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"));
    docs.filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
    .collect()
}
