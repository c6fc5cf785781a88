//! The enum as it was written, with its attributes read.

use proc_macro2::{Span, TokenStream, TokenTree};
use prompt_base::tool_name::snake_case;
use prompt_syntax::problem::tools as problem;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Expr, Fields, GenericParam, Generics, Ident, Meta, Path, Type,
};

use super::keys::{self, ToolKeys};
use crate::Errors;
use crate::input::helper_keys::HelperKeys as _;
use crate::input::{all_attributes, allow_attributes};
use crate::types::{is_untrusted, type_name};

pub(super) struct ToolsItem {
    pub(super) ident: Ident,
    pub(super) generics: Generics,
    pub(super) krate: Option<Path>,
    pub(super) variants: Vec<ToolVariant>,
    pub(super) allowed: Option<TokenStream>,
}

impl VariantFields {
    /// The types of the parameters.
    fn parameter_types(&self) -> impl Iterator<Item = &Type> {
        let (whole, fields) = match self {
            VariantFields::Unit => (None, &[][..]),
            VariantFields::Whole(ty) => (Some(&**ty), &[][..]),
            VariantFields::Fields(fields) => (None, &fields[..]),
        };
        whole
            .into_iter()
            .chain(fields.iter().map(|field| &field.ty))
    }
}

/// One tool.
pub(super) struct ToolVariant {
    pub(super) ident: Ident,
    pub(super) name: ToolName,
    pub(super) doc: Vec<Expr>,
    pub(super) shape: VariantFields,
    /// Whether each call needs an approval.
    pub(super) consequential: bool,
}

pub(super) enum VariantFields {
    Unit,
    /// Each field is a parameter.
    Fields(Vec<ToolParameter>),
    /// The fields of a struct are the parameters.
    Whole(Box<Type>),
}

pub(super) struct ToolParameter {
    pub(super) ident: Ident,
    pub(super) name: ToolName,
    pub(super) ty: Type,
    pub(super) doc: Vec<Expr>,
    pub(super) default: bool,
}

/// The name of a tool or parameter as the model writes it.
pub(super) struct ToolName {
    pub(super) text: String,
    pub(super) at: Span,
    /// Whether the key `name` sets it. Otherwise it is derived from the identifier.
    pub(super) given: bool,
}

impl ToolsItem {
    /// Reads the item. `None` if it has errors and nothing else can be checked.
    pub(super) fn parse(item: TokenStream, errors: &mut Errors) -> Option<ToolsItem> {
        let item: DeriveInput = match syn::parse2(item) {
            Ok(item) => item,
            Err(error) => {
                errors.push_syn(error);
                return None;
            }
        };
        let keys = ToolKeys::read(&item.attrs, keys::ENUM, errors);
        let allowed = allow_attributes(&all_attributes(&item));
        expect_no_parameters(&item.generics, errors);
        let mut variants = Vec::new();
        match item.data {
            Data::Enum(data) => {
                if data.variants.is_empty() {
                    errors.push(item.ident.span(), problem::no_variants());
                }
                variants.extend(
                    data.variants
                        .into_iter()
                        .map(|variant| ToolVariant::from_variant(variant, errors)),
                );
            }
            Data::Struct(data) => {
                let problem = problem::on_a_struct(&item.ident.to_string());
                errors.push(data.struct_token.span, problem);
            }
            Data::Union(data) => errors.push(data.union_token.span, problem::on_a_union()),
        }
        Some(ToolsItem {
            ident: item.ident,
            generics: item.generics,
            krate: keys.krate,
            variants,
            allowed,
        })
    }
}

/// Arguments of a call are owned and of a known type, so a type parameter has no purpose.
fn expect_no_parameters(generics: &Generics, errors: &mut Errors) {
    let Some(first) = generics.params.first() else {
        return;
    };
    let problem = match first {
        GenericParam::Lifetime(_) => problem::tools_with_lifetime(),
        _ => problem::tools_with_parameter(),
    };
    errors.push(first.span(), problem);
}

impl ToolVariant {
    fn from_variant(variant: syn::Variant, errors: &mut Errors) -> ToolVariant {
        let keys = ToolKeys::read(&variant.attrs, keys::VARIANT, errors);
        let name = ToolName::from_keys(&keys, &variant.ident, snake_case);
        let doc = doc_lines(&variant.attrs);
        let ident = variant.ident;
        let shape = match variant.fields {
            Fields::Unit => VariantFields::Unit,
            Fields::Named(fields) => VariantFields::Fields(
                fields
                    .named
                    .into_iter()
                    .filter_map(|field| ToolParameter::from_field(field, errors))
                    .collect(),
            ),
            Fields::Unnamed(fields) => struct_variant(&ident, fields, errors),
        };
        if keys.consequential {
            for ty in shape.parameter_types().filter(|ty| is_untrusted(ty)) {
                errors.push(ty.span(), problem::untrusted_argument(&ident.to_string()));
            }
        }
        ToolVariant {
            ident,
            name,
            doc,
            shape,
            consequential: keys.consequential,
        }
    }
}

/// A variant around one struct.
fn struct_variant(ident: &Ident, fields: syn::FieldsUnnamed, errors: &mut Errors) -> VariantFields {
    let types: Vec<String> = fields
        .unnamed
        .iter()
        .map(|field| type_name(&field.ty))
        .collect();
    let mut fields = fields.unnamed.into_iter();
    let (Some(field), None) = (fields.next(), fields.next()) else {
        let variant = ident.to_string();
        let problem = match &types[..] {
            [] => problem::empty_parentheses(&variant),
            types => problem::unnamed_parameters(&variant, types),
        };
        errors.push(ident.span(), problem);
        return VariantFields::Unit;
    };
    let keys = ToolKeys::read(&field.attrs, keys::FIELD, errors);
    if let Some(at) = keys.at {
        errors.push(at, problem::keys_of_a_struct());
    }
    if is_no_object(&field.ty) {
        let problem = problem::no_object(&ident.to_string(), &type_name(&field.ty));
        errors.push(field.ty.span(), problem);
        return VariantFields::Unit;
    }
    VariantFields::Whole(Box::new(field.ty))
}

impl ToolParameter {
    fn from_field(field: syn::Field, errors: &mut Errors) -> Option<ToolParameter> {
        let keys = ToolKeys::read(&field.attrs, keys::FIELD, errors);
        let ident = field.ident?;
        if contains_reference(field.ty.to_token_stream()) {
            errors.push(field.ty.span(), problem::borrowed_parameter());
        }
        Some(ToolParameter {
            name: ToolName::from_keys(&keys, &ident, str::to_owned),
            doc: doc_lines(&field.attrs),
            ident,
            ty: field.ty,
            default: keys.default,
        })
    }
}

impl ToolName {
    fn from_keys(keys: &ToolKeys, ident: &Ident, made: fn(&str) -> String) -> ToolName {
        match &keys.name {
            Some(name) => ToolName {
                text: name.value(),
                at: name.span(),
                given: true,
            },
            None => ToolName {
                text: made(&ident.unraw().to_string()),
                at: ident.span(),
                given: false,
            },
        }
    }
}

/// The lines of a doc comment.
fn doc_lines(attributes: &[Attribute]) -> Vec<Expr> {
    let lines = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(meta.value.clone()),
            _ => None,
        });
    lines.collect()
}

fn contains_reference(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '&',
        TokenTree::Group(group) => contains_reference(group.stream()),
        _ => false,
    })
}

/// Whether the name of a type shows that it is not a struct. Other names are left to schemars, whose error at run time names the type.
fn is_no_object(ty: &Type) -> bool {
    const NONE: [&str; 24] = [
        "String", "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32",
        "i64", "i128", "isize", "f32", "f64", "Vec", "VecDeque", "HashSet", "BTreeSet", "Option",
        "PathBuf", "Duration",
    ];
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| NONE.iter().any(|name| last.ident == name)),
        Type::Array(_) | Type::Slice(_) | Type::Tuple(_) | Type::Reference(_) => true,
        _ => false,
    }
}
