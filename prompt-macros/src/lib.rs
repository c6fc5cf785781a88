//! The macros of typed-prompt: their entry points, the pipeline of the derive, and the errors of one macro call.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod check;
mod emit;
mod examples;
#[cfg(feature = "dynamic")]
mod fields;
mod front_matter;
mod function;
mod inline;
mod input;
mod label;
mod language;
mod lower;
#[cfg(feature = "schema")]
mod partial;
mod source;
mod struct_fields;
mod template;
#[cfg(test)]
mod tests;
#[cfg(feature = "jinja")]
mod to_value;
mod tools;
mod types;

use proc_macro2::{Span, TokenStream};
use prompt_syntax::problem::Problem;
use quote::{ToTokens, quote_spanned};

use crate::input::Input;

#[doc = include_str!("derive.md")]
#[proc_macro_derive(Prompt, attributes(prompt))]
pub fn derive_prompt(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(item.into()).into()
}

/// Fills a template with the variables in scope, as `format!` does, and returns a `Result` with the `Messages`.
///
/// It fails as `Prompt::messages` does: with the first value that cannot be written.
///
/// ```
/// use typed_prompt::prompt;
///
/// let text = "Hi";
/// let messages = prompt!("Translate <text> into <language>.", language = "French")?;
/// assert_eq!(messages[0].text(), "Translate Hi into French.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// The text is one literal, which may have role blocks, or messages as in the derive: `system`, `user` and `assistant`, in order.
/// The keys `syntax` and `crate` have the meaning that they have in `derive(Prompt)`; any other name is a value for the slot of that
/// name. Values are borrowed.
///
/// In the system message a value must be a number, `bool`, `char` or `Trusted`:
///
/// ```
/// use typed_prompt::{Trusted, prompt};
///
/// let text = "Hi";
/// let tone = Trusted("kind");
/// let messages = prompt!(system = "Be <tone>.", user = "<text>")?;
/// assert_eq!(messages[0].text(), "Be kind.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// Variables are looked up where the template is written. A `macro_rules!` macro that receives the template as an argument passes the
/// values too: `prompt!($template, text = $text)`.
#[proc_macro]
pub fn prompt(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    inline::expand(input.into()).into()
}

/// Turns a function signature into a prompt: the arguments are slots, and the return type is the output.
///
/// ```
/// use typed_prompt::Prompt;
///
/// /// Puts a ticket into one sentence.
/// #[typed_prompt::function(system = "You work for <product>.", user = "Sum up: <ticket>")]
/// fn sum_up(#[prompt(trusted)] product: &str, ticket: &str) -> String;
///
/// let prompt = sum_up("Acme", "It crashes.");
/// assert_eq!(prompt.messages()?[1].text(), "Sum up: It crashes.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// So `llm.call(sum_up(product, ticket)).await?` returns the output. With any other return type than `String` the reply is parsed into
/// that type, which needs `serde::Deserialize` and `schemars::JsonSchema`; it may be a parameter, `fn extract<T: …>(text: &str) -> T`.
///
/// The keys are those of `#[derive(Prompt)]` except `output` and `fragment`. An argument is a field: it has a slot, and its keys
/// are those of a field.
///
/// The doc comment of the function documents it, and is `INFO.doc`. It is not sent to the model, unless the key `doc` makes it the user message. A doc
/// comment on an argument is an error: what the model needs to know about a value is text beside its slot.
///
/// The function returns a struct with its own name, which can be used as a type: `sum_up<'static>`. The function only builds this
/// struct: it is not `async` and returns no `Result`. The request is sent by `call`.
#[proc_macro_attribute]
pub fn function(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    function::expand(arguments.into(), item.into()).into()
}

/// Generates the fields of a struct from the slots of its template.
///
/// ```
/// use typed_prompt::Prompt;
///
/// #[typed_prompt::template(
///     user = "Translate <text> into <language>.<if formal> Be formal.</if><for word in glossary>\n- <word></for>",
/// )]
/// #[derive(Clone)]
/// struct Translate;
///
/// let ask = Translate {
///     text: "Hi".into(),
///     language: "French".into(),
///     formal: false,
///     glossary: vec!["Hi: Salut".into()],
/// };
/// assert_eq!(ask.messages()?[0].text(), "Translate Hi into French.\n- Hi: Salut");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// The fields have the order in which the template first uses them, and the visibility of the struct. Their types:
///
/// | the template has | the field is |
/// | --- | --- |
/// | `<name>` | `String` |
/// | `<name>` only inside of `<if name>…</if>`, or `<name ?? "…">` | `Option<String>` |
/// | `<if name>…</if>`, and no slot | `bool` |
/// | `<for item in name>…</for>`, `<name \| join(", ")>` | `Vec<String>` |
/// | anything else, as `<name.part>` | the type in `fields` |
///
/// `fields(formal: Formality, #[prompt(trusted)] product)` specifies types, keys and doc comments of some fields. The other keys are
/// those of `#[derive(Prompt)]`. Write other derives after this attribute, so that they see the fields.
#[proc_macro_attribute]
pub fn template(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    template::expand(arguments.into(), item.into()).into()
}

/// Defines the tools that a model may call as the variants of an enum.
///
/// The name of a variant in snake case is the name of the tool, its doc comment the description; its fields are the parameters, and
/// their doc comments the descriptions of the parameters. The model may omit an `Option`. A variant around one struct takes the fields
/// of that struct as parameters. A tool or parameter without a doc comment is sent without a description: the model has its name and types alone.
/// The struct, and the type of each field, implement `serde::Deserialize` and `schemars::JsonSchema`;
/// attributes of these derives, such as bounds and other names, apply.
///
/// ```ignore
/// use typed_prompt::{ToolCall, Tools};
///
/// #[derive(Tools)]
/// enum Action {
///     /// How deep a lake is.
///     LakeDepth {
///         /// The lake's name alone.
///         lake: String,
///         /// In which unit; metres if it is left out.
///         unit: Option<String>,
///     },
///     /// What time it is.
///     #[tool(name = "clock")]
///     Now,
/// }
///
/// let tools = Action::tools()?;
/// assert_eq!((tools[0].name(), tools[1].name()), ("lake_depth", "clock"));
/// assert_eq!(tools[0].description().as_deref(), Some("How deep a lake is."));
///
/// let call = ToolCall::new("c1", "lake_depth", r#"{"lake": "Ammersee"}"#);
/// match Action::parse(&call)? {
///     Action::LakeDepth { lake, unit } => assert_eq!((&*lake, unit), ("Ammersee", None)),
///     Action::Now => unreachable!(),
/// }
///
/// let error = Action::parse(&ToolCall::new("c2", "lake_deph", "{}")).err().unwrap();
/// assert_eq!(error.to_string(), "there is no tool `lake_deph`; did you mean `lake_depth`?");
/// ```
///
/// | key | where | meaning |
/// | --- | --- | --- |
/// | `#[tool(name = "…")]` | variant, field | the name that the model uses |
/// | `#[tool(consequential)]` | variant | each call needs the approval of `ToolLoop::approve`; without it the loop is an error before the first request |
/// | `#[tool(default)]` | field | the model may omit it; the value is then the type's `Default` |
/// | `#[tool(crate = "tp")]` | enum | the path of typed-prompt, where the dependency is renamed or another crate re-exports it |
///
/// The arguments of a call are parsed as an answer is: mistakes in the notation are corrected, and a wrong value is an error with its
/// position.
#[proc_macro_derive(Tools, attributes(tool))]
pub fn derive_tools(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    tools::expand(item.into()).into()
}

/// Defines labels for the variants of an enum: their serde names.
///
/// `Display` is not used: write `<urgency | display>` for the text that an enum `urgency` prints.
///
/// A label fills slots, in a system message if the field is marked `trusted`, and conditions compare it with a string. If the field's type is the enum, a name
/// that no variant has is a compile error.
///
/// ```
/// use typed_prompt::{Label, Prompt};
///
/// #[derive(Label)]
/// #[serde(rename_all = "snake_case")]
/// enum Tone {
///     Formal,
///     #[serde(rename = "casual")]
///     Relaxed,
/// }
///
/// #[derive(Prompt)]
/// #[prompt(user = "Answer in a <tone> tone.<if tone == \"formal\"> Use no contractions.</if>")]
/// struct Ask {
///     tone: Tone,
/// }
///
/// assert_eq!(Ask { tone: Tone::Formal }.messages()?[0].text(), "Answer in a formal tone. Use no contractions.");
/// assert_eq!(Ask { tone: Tone::Relaxed }.messages()?[0].text(), "Answer in a casual tone.");
/// assert_eq!(Tone::LABELS, ["formal", "casual"]);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// It reads serde's keys `rename_all` and `rename`, also without serde's own derives. `#[prompt(crate = "…")]` is
/// the path of typed-prompt, as on a prompt.
#[proc_macro_derive(Label, attributes(serde, prompt))]
pub fn derive_label(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    label::implement_label(item.into()).into()
}

/// Generates the struct of the parts of a value that have arrived: `PartialMenu` for `Menu`, with an `Option` for each field.
///
/// It implements the trait of the same name. The types of the fields implement it too: your own structs and enums with this derive, and
///
/// - `String`, `Vec<T>`, `Option<T>`, `Box<T>`, `BTreeMap<String, T>`, `HashMap<String, T>` and `Untrusted<T>`, where `T` implements it;
/// - numbers such as `u8` and `f64`, `bool`, `char`, `()`, tuples of up to three items, `BTreeSet`, `HashSet`, `PathBuf`, `Duration`, `IpAddr`,
///   `Ipv4Addr`, `Ipv6Addr` and `serde_json::Value`, which are present once they are complete.
///
/// Write `#[partial(complete)]` above a field of another type, such as an array.
///
/// ```ignore
/// use typed_prompt::output::{Partial, Schema};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema, Partial)]
/// struct Order {
///     customer: String,
///     size: Size,
///     items: Vec<String>,
/// }
///
/// #[derive(Clone, Debug, PartialEq, serde::Deserialize, schemars::JsonSchema, Partial)]
/// enum Size { Small, Large }
///
/// let text = r#"{"customer": "Ann", "size": "Sm"#;
/// let parsed = Schema::from_type::<Order>()?.parse_partial(text).unwrap();
/// let order = parsed.to_partial::<Order>().unwrap();
/// assert_eq!((order.customer.as_deref(), order.size, order.items), (Some("Ann"), None, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A newtype, and a struct with `#[serde(transparent)]`, have the parts of their field. An enum, another tuple struct, a type with
/// `#[serde(from = "…")]` or `try_from`, and a newtype with `deserialize_with` or `with` are present once they are complete. No struct is
/// generated for these types.
///
/// The keys `rename`, `rename_all`, `flatten` and `skip` of serde apply. The generated struct has the visibility of the struct, and implements
/// `Clone` and `Debug`: a type of its fields that is present once it is complete, such as an enum, implements them too.
///
/// | key | where | meaning |
/// | --- | --- | --- |
/// | `#[partial(complete)]` | field of a struct or newtype | the field is present once it is complete, for types that do not implement `Partial`; the type implements `serde::Deserialize` |
/// | `#[partial(skip)]` | named field | the generated struct does not have the field |
/// | `#[partial(name = "…")]` | struct with named fields | the name of the generated struct |
/// | `#[partial(derive(…))]` | struct with named fields | further derives of the generated struct |
/// | `#[partial(crate = "tp")]` | struct, enum | the path of typed-prompt, where the dependency is renamed or another crate re-exports it |
#[cfg(feature = "schema")]
#[proc_macro_derive(Partial, attributes(partial))]
pub fn derive_partial(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    partial::expand(item.into()).into()
}

/// Makes the fields of a struct known to templates that use it.
///
/// Without it rustc reports a path with an unknown field, such as `<user.nmae>`, and can only mark the whole template. With it the error
/// is drawn at the path, in files too, and suggests the field that was meant.
///
/// ```compile_fail
/// use typed_prompt::{Fields, Prompt};
///
/// #[derive(Fields)]
/// struct User {
///     name: String,
/// }
///
/// #[derive(Prompt)]
/// #[prompt(user = "Greet <user.nmae>.")] // `user` has no field `nmae`; did you mean `name`?
/// struct Greet {
///     user: User,
/// }
/// ```
///
/// Beside `#[derive(Prompt)]`, and with the feature `dynamic`, it also lets a template that is read at run time name the fields of the
/// prompt: see `Dynamic`. There a field that fills a slot is a `ToValue`. `#[prompt(crate = "…")]` is the path of typed-prompt, as on
/// a prompt.
#[proc_macro_derive(Fields, attributes(prompt))]
pub fn derive_fields(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    struct_fields::expand(item.into()).into()
}

/// Makes a struct a value of expressions: a dict of its fields, each a `ToValue`.
///
/// ```
/// use typed_prompt::message::Origin;
/// use typed_prompt::jinja::ToValue;
///
/// #[derive(ToValue)]
/// struct User {
///     name: String,
///     age: u8,
/// }
///
/// let user = User { name: "Ada".into(), age: 36 };
/// assert_eq!(user.to_value(Origin::Template).to_string(), "{'name': 'Ada', 'age': 36}");
/// ```
///
/// `#[prompt(crate = "…")]` is the path of typed-prompt, as on a prompt. The struct can also be used in a condition, where it is always
/// true.
#[cfg(feature = "jinja")]
#[proc_macro_derive(ToValue, attributes(prompt))]
pub fn derive_to_value(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    to_value::implement_to_value(item.into()).into()
}

/// Takes the place of rustc's attribute of this name in a module without the prelude: the item stays as it is.
#[proc_macro_attribute]
pub fn on_unimplemented(
    _: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    item
}

/// Takes the place of rustc's attribute of this name in a module without the prelude: the item stays as it is.
#[proc_macro_attribute]
pub fn do_not_recommend(
    _: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    item
}

/// Expands a struct or an enum with a template to its implementation.
fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(input) = Input::parse(item, &mut errors) else {
        return errors.into_tokens();
    };
    expand_input(&input, errors)
}

/// Expands the parsed input of a macro to its implementation, or to all of its errors.
fn expand_input(input: &Input, mut errors: Errors) -> TokenStream {
    let prompt = lower::lower(input, &mut errors);
    check::check(&prompt, &mut errors);
    match errors.finish() {
        Ok(()) => emit::emit_prompt(&prompt),
        Err(errors) => emit::fallback(&prompt, &errors),
    }
}

/// The errors of one prompt. Each is a `compile_error!` of its own, so that one build reports all of them.
#[derive(Default)]
pub(crate) struct Errors {
    errors: Vec<(Span, String)>,
    /// Whether an error names the feature of the template's dialect.
    names_dialect: bool,
}

impl Errors {
    /// Adds a problem that rustc points at.
    #[allow(clippy::needless_pass_by_value)] // A problem is made to be reported.
    pub(crate) fn push(&mut self, span: Span, problem: Problem) {
        self.errors.push((span, problem.to_string()));
    }

    /// Adds a problem whose text contains its position in the template as a snippet.
    pub(crate) fn push_drawn(&mut self, span: Span, drawn: String) {
        self.errors.push((span, drawn));
    }

    /// Returns `true` at the first call: one error that names the feature of the dialect is enough.
    pub(crate) fn is_first_without_dialect(&mut self) -> bool {
        !std::mem::replace(&mut self.names_dialect, true)
    }

    /// The number of errors so far.
    pub(crate) fn count(&self) -> usize {
        self.errors.len()
    }

    /// Adds an error of syn.
    pub(crate) fn push_syn(&mut self, error: syn::Error) {
        for error in error {
            self.errors.push((error.span(), error.to_string()));
        }
    }

    /// Returns `Ok` if there are no errors.
    pub(crate) fn finish(self) -> Result<(), Errors> {
        if self.errors.is_empty() {
            Ok(())
        } else {
            Err(self)
        }
    }

    /// One `compile_error!` for each.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.into_token_stream()
    }
}

impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for (span, message) in &self.errors {
            tokens.extend(quote_spanned!(*span=> ::core::compile_error! { #message }));
        }
    }
}

/// A problem as an error of syn, for functions that parse with syn.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn syn_error(span: Span, problem: Problem) -> syn::Error {
    syn::Error::new(span, problem)
}
