//! The macros of typed-prompt.

mod attribute;
mod check;
mod emit;
mod errors;
mod fallback;
mod fields;
mod filters;
mod fingerprint;
mod front_matter;
mod function;
mod inline;
mod input;
mod jinja;
mod locate;
mod lower;
mod model;
mod place;
mod prelude;
mod quoted;
mod resolve;
mod shots;
mod source;
mod template;
#[cfg(test)]
mod tests;
mod tools;
mod uses;

use proc_macro2::TokenStream;

use crate::errors::Errors;
use crate::input::Input;

/// Makes a struct or enum the input of a prompt.
///
/// The slots of the template are the fields of the struct, both ways: a slot that names no field and a field without a slot
/// are compile errors, which show the place inside the template.
///
/// ```
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt)]
/// #[prompt(
///     system = "You are a support agent of <product>.",
///     user = "<for p in passages>- <p>\n</for>\nQuestion: <question>",
/// )]
/// struct Ask<'a> {
///     #[prompt(trusted)]
///     product: &'a str,
///     passages: &'a [&'a str],
///     question: &'a str,
/// }
///
/// let ask = Ask { product: "Acme", passages: &["a", "b"], question: "Why?" };
/// let messages = ask.messages();
/// assert_eq!(messages[0].text(), "You are a support agent of Acme.");
/// assert_eq!(messages[1].text(), "- a\n- b\n\nQuestion: Why?");
/// ```
///
/// # Keys of a struct or variant: the text
///
/// | key | what it gives |
/// | --- | --- |
/// | `system = "…"`, `user = "…"`, `assistant = "…"` | one message; repeated, they follow each other in the order in which they are written |
/// | `history` | the place of the turns of the `#[prompt(history)]` field; without it they stand before the last user message |
/// | `shots = "prompts/shots.jsonl"` | worked examples: each line of the file is a row of JSON with a value for each field of the last user message, and for those of the answer, or else `output`. They stand where the key does, or after the instructions, and always before the last user message |
/// | `shots` | the place of the examples of the `#[prompt(shots)]` field, which may stand in several places of a template with role blocks; without it, and without a slot, they stand before the first turn |
/// | `"…"` or `template = "…"` | all messages in one text, as `<system>…</system>`, `<user>…</user>` and `<assistant>…</assistant>`; without such blocks it is one user message |
/// | `file = "prompts/ask.prompt"` | the same from a file, found from the folder of Cargo.toml; a byte order mark and the last line break are left out, and line breaks of Windows are those of Unix |
/// | `doc` | the `///` lines above, less one space at their beginning, as the user message |
/// | `fragment = "…"` | the text of no one: the type fills slots of other prompts |
///
/// An enum has one prompt for each variant:
///
/// ```
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt)]
/// enum Step {
///     #[prompt(system = "Plan.", user = "The goal is <goal>.")]
///     Plan { goal: String },
///     #[prompt(user = "Go on.")]
///     Go,
/// }
///
/// assert_eq!(Step::Go.messages()[0].text(), "Go on.");
/// ```
///
/// # Keys of a struct or enum: the rest
///
/// | key | what it says |
/// | --- | --- |
/// | `output = Answer` | what the model's answer is read into: a type with `serde::Deserialize` and `schemars::JsonSchema`; without it the answer is a `String` |
/// | `syntax = "angle"` | how slots are written: `<name>` (`angle`, the default), `{name}` (`brace`) or `{{ name }}` (`jinja`); a variant may have its own |
/// | `trim_blocks`, `lstrip_blocks`, `keep_trailing_newline` | of the Jinja dialect, with Jinja2's meaning and defaults; `trim_blocks = false` on a variant |
/// | `format = llama3` | the format that the text is written for: its control tokens, and what it has no place for, are errors |
/// | `model = "gpt-5"` | the model that the text is written for: `INFO.model` |
/// | `crate = path` | the path of typed-prompt, where it has another name |
///
/// # Front matter
///
/// A template file may begin with keys between two lines of dashes: `syntax`, `format`, `output`, `model`, `trim_blocks: true` and the like as above, and
/// `description`, which is `INFO.doc` where there is no doc comment. A value is a text in one line, with or without quotes.
///
/// ```text
/// ---
/// model: gpt-5
/// description: Answers a customer's question.
/// output: crate::Answer
/// ---
/// <system>You are kind.</system>
/// <user><question></user>
/// ```
///
/// # Keys of a field
///
/// | key | what it says |
/// | --- | --- |
/// | `trusted` | its text is your program's and never a user's: it may stand in the system message. Numbers, `bool`, `char` and `Trusted<T>` may do so anyway |
/// | `skip` | it is no part of the prompt |
/// | `history` | the turns before this one |
/// | `shots` | worked examples, `Shots`: turns of their own, or with a slot a part of the text |
/// | `tools` | the tools offered to the model |
/// | `extra` or `extra = "title"` | a section of its own at the end of the last user message, under its name or that title |
/// | `media` | an image, sound, film or file: its slot is that part of the message |
/// | `answer` | what the model is to find out: it stands in an `assistant` text at the end, which no model reads; see `with_answer` |
///
/// # Slots, conditions, loops
///
/// | in the angle dialect | |
/// | --- | --- |
/// | `<name>`, `<input:name>`, `<user.name>` | a field, or a field of a field. A `<name>` with its `</name>` in the same text is an XML tag and stays text; `<input:name>` is always a slot |
/// | `\<name>` | the text `<name>` |
/// | `<docs \| join(", ")>` | a filter: `indent(4)`, `join(", ")`, `json`, `lines`, `lower`, `trim`, `truncate(200)`, `upper`, or a function of yours by its path, `crate::text::shout` |
/// | `<note ?? "none">` | an `Option` with what stands there without it |
/// | `<if note>…<else if x>…<else>…</if>` | a condition; an `Option` is unwrapped inside. `not`, `and`, `or` and parentheses combine them |
/// | `<for p in docs>…<p>…<else>…</for>` | a loop over a list, and what stands there for an empty one |
///
/// In the brace dialect exactly `{name}` and `{input:name}` are slots, and `{{name}}` is the text `{name}`.
///
/// # The Jinja dialect
///
/// A typed subset of Jinja2: `if`, `for` with `loop`, `set`, `with`, `macro`, `include`, `filter`, `raw`, comments, marks of
/// white space; the operators, tests, filters and methods of `docs/jinja.md`. A path is a Rust place, and what a filter or an
/// operator is given is checked as far as types tell; an `Option` is shown inside of a condition about it, or through
/// `default`. What only the values decide, such as a missing key, is an error as soon as the messages are used.
///
/// ```
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt)]
/// #[prompt(
///     syntax = "jinja",
///     trim_blocks,
///     user = "{% for p in people | sort(attribute='name') %}
/// {{ loop.index }}. {{ p.name | title }}{% if p.nick %} ({{ p.nick }}){% endif %}{{ ';' if not loop.last else '.' }}
/// {% endfor %}
/// In all {{ people | length }}, {{ (people | sum(attribute='age') / people | length) | round(1) }} years on average.",
/// )]
/// struct Guests {
///     people: Vec<Guest>,
/// }
///
/// struct Guest {
///     name: &'static str,
///     nick: Option<&'static str>,
///     age: u8,
/// }
///
/// let people = vec![
///     Guest { name: "zoe", nick: None, age: 20 },
///     Guest { name: "ada", nick: Some("A."), age: 31 },
/// ];
/// assert_eq!(
///     Guests { people }.messages()[0].text(),
///     "1. Ada (A.);\n2. Zoe.\nIn all 2, 25.5 years on average.",
/// );
/// ```
///
/// The three keys about white space are Jinja2's. `{% include "file" %}` reads a file when the prompt is compiled: one named
/// in a file stands beside it, one named in a literal is found from the folder of Cargo.toml. A name that a `set`, a loop, a
/// `with` or a macro gives has to be used, as a field has to; one that begins with `_` need not.
///
/// ```
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt)]
/// #[prompt(fragment = "<title><if year> (<year>)</if>")]
/// struct Book {
///     title: &'static str,
///     year: Option<u16>,
/// }
///
/// #[derive(Prompt)]
/// #[prompt(user = "<for book in books>- <book>\n<else>No books.</for>")]
/// struct Shelf {
///     books: Vec<Book>,
/// }
///
/// let books = vec![Book { title: "A", year: Some(1999) }, Book { title: "B", year: None }];
/// assert_eq!(Shelf { books }.messages()[0].text(), "- A (1999)\n- B\n");
/// assert_eq!(Shelf { books: vec![] }.messages()[0].text(), "No books.");
/// ```
///
/// # What is generated
///
/// An implementation of `Prompt` (for a fragment of `ToPrompt` and `Truthy`), and for a struct with exactly one field `From` for
/// that field's type and for the texts that it can be made of, so that a plain text is a query:
///
/// ```
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt)]
/// #[prompt(user = "Translate <text> into French.")]
/// struct Translate {
///     text: String,
/// }
///
/// assert_eq!(Translate::from("Hi").messages()[0].text(), "Translate Hi into French.");
/// ```
///
/// A type parameter that fills a slot is bounded by `ToPrompt`; other bounds are yours to write.
#[proc_macro_derive(Prompt, attributes(prompt))]
pub fn derive_prompt(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(item.into()).into()
}

/// Fills a template with the variables in scope, as `format!` does, and gives the `Messages`.
///
/// ```
/// use typed_prompt::prompt;
///
/// let text = "Hi";
/// let messages = prompt!("Translate <text> into <language>.", language = "French");
/// assert_eq!(messages[0].text(), "Translate Hi into French.");
/// ```
///
/// The text is one literal, which may have role blocks, or messages as in the derive: `system`, `user` and `assistant`, in order.
/// `syntax` and `crate` are as there; any other name is a value for the slot of that name. Values are borrowed.
///
/// In the system message a value must be a number, `bool`, `char` or `Trusted`:
///
/// ```
/// use typed_prompt::{Trusted, prompt};
///
/// let text = "Hi";
/// let tone = Trusted("kind");
/// let messages = prompt!(system = "Be <tone>.", user = "<text>");
/// assert_eq!(messages[0].text(), "Be kind.");
/// ```
///
/// A variable is looked up where `prompt!` is written. A macro of yours that is given the template gives the values too:
/// `prompt!($template, text = $text)`.
#[proc_macro]
pub fn prompt(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    inline::expand(input.into()).into()
}

/// Makes a function the prompt of its arguments: what it returns is asked, and its return type is what the model answers.
///
/// ```
/// use typed_prompt::Prompt;
///
/// /// Puts a ticket into one sentence.
/// #[typed_prompt::function(system = "You work for <product>.", user = "Sum up: <ticket>")]
/// fn sum_up(#[prompt(trusted)] product: &str, ticket: &str) -> String;
///
/// let prompt = sum_up("Acme", "It crashes.");
/// assert_eq!(prompt.messages()[1].text(), "Sum up: It crashes.");
/// ```
///
/// So `llm.call(sum_up(product, ticket)).await?` is the answer. With any other return type than `String` the answer is read into
/// that type, which needs `serde::Deserialize` and `schemars::JsonSchema`; it may be a parameter, `fn extract<T: …>(text: &str) -> T`.
///
/// The keys are those of `#[derive(Prompt)]` but for `output` and `fragment`. An argument is a field: it has a slot, and its keys
/// are those of a field.
///
/// What the function returns is a struct of its own name, which can be written where a type has to be: `sum_up<'static>`. The
/// function neither waits nor fails; the call does.
#[proc_macro_attribute]
pub fn function(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    function::expand(arguments.into(), item.into()).into()
}

/// Makes the fields of a struct from the slots of its template.
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
/// assert_eq!(ask.messages()[0].text(), "Translate Hi into French.\n- Hi: Salut");
/// ```
///
/// The fields stand in the order in which the template first uses them, and are as visible as the struct. Their types:
///
/// | the template has | the field is |
/// | --- | --- |
/// | `<name>` | `String` |
/// | `<name>` only inside of `<if name>…</if>`, or `<name ?? "…">` | `Option<String>` |
/// | `<if name>…</if>`, and no slot | `bool` |
/// | `<for item in name>…</for>`, `<name \| join(", ")>` | `Vec<String>` |
/// | anything else, as `<name.part>` | what `fields` says |
///
/// `fields(formal: Formality, #[prompt(trusted)] product)` says more of some of them: their types, their keys as in the derive,
/// their doc comments. The other keys are those of `#[derive(Prompt)]`. Other derives stand below this attribute, so that they
/// see the fields.
#[proc_macro_attribute]
pub fn template(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    template::expand(arguments.into(), item.into()).into()
}

/// Makes the variants of an enum the tools that a model may call.
///
/// A variant's name in snake case is the tool's name, its `///` lines say what the tool does, its fields are the parameters
/// and their `///` lines say what they are. An `Option` may be left out. A variant around one struct has the fields of that
/// struct, which is to have `serde::Deserialize` and `schemars::JsonSchema`, as every type of a field; what
/// these derives can say, such as bounds and other names, they say there.
///
/// ```
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
/// match Action::read(&call)? {
///     Action::LakeDepth { lake, unit } => assert_eq!((&*lake, unit), ("Ammersee", None)),
///     Action::Now => unreachable!(),
/// }
///
/// let error = Action::read(&ToolCall::new("c2", "lake_deph", "{}")).err().unwrap();
/// assert_eq!(error.to_string(), "there is no tool `lake_deph`; did you mean `lake_depth`?");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// | key | where | what it says |
/// | --- | --- | --- |
/// | `#[tool(name = "…")]` | variant, field | what the model calls it by |
/// | `#[tool(default)]` | field | it may be left out, and is then its type's `Default` |
/// | `#[tool(crate = path)]` | enum | the path of typed-prompt, where it has another name |
///
/// A call is read as an answer is: what is wrong with the notation is overlooked, what is wrong otherwise is an error with
/// its place.
#[proc_macro_derive(Tools, attributes(tool))]
pub fn derive_tools(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    tools::expand(item.into()).into()
}

/// Lets a template that is read at run time name the fields of a prompt: see `Dynamic`.
///
/// It stands beside `#[derive(Prompt)]` and reads the same attributes. A field that fills a slot is a `ToValue`.
#[proc_macro_derive(Fields, attributes(prompt))]
pub fn derive_fields(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    fields::fields(item.into()).into()
}

/// Makes a struct a value of expressions: a dict of its fields, each a `ToValue`.
///
/// ```
/// use typed_prompt::{Source, ToValue};
///
/// #[derive(ToValue)]
/// struct User {
///     name: String,
///     age: u8,
/// }
///
/// let user = User { name: "Ada".into(), age: 36 };
/// assert_eq!(user.to_value(Source::Template).to_string(), "{'name': 'Ada', 'age': 36}");
/// ```
///
/// `#[prompt(crate = path)]` says where the runtime is, as on a prompt. The struct can also stand in a condition, where it is
/// always there.
#[proc_macro_derive(ToValue, attributes(prompt))]
pub fn derive_to_value(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    fields::to_value(item.into()).into()
}

/// The whole way from a struct with a template to its implementation.
fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(input) = Input::parse(item, &mut errors) else {
        return errors.into_tokens();
    };
    let prompt = lower::lower(&input, &mut errors);
    check::check(&prompt, &mut errors);
    match errors.finish() {
        Ok(()) => emit::emit(&prompt),
        Err(errors) => fallback::fallback(&input, errors),
    }
}
