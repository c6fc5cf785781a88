//! Which output types each provider is constrained to, for `docs/structured-output.md`: varied types with their schemas, and
//! the providers' documented rules for schemas.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroU8;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use expect_test::expect_file;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::chat::provider::{self, OWN_SERVER, Provider};
use crate::chat::support::SchemaSupport;
use crate::schema::{add_strictness, close_objects};

/// Defines types of which only the schemas are used.
macro_rules! define {
    ($($item:item)*) => {
        $(#[derive(Deserialize, JsonSchema)] #[allow(dead_code, reason = "only the schema is used")] $item)*
    };
}

define! {
    struct Point { x: f64, y: f64 }
    /// A person.
    struct Person { /// The full name.
        name: String, age: Option<u8>, home: Point }
    struct Defaults { #[serde(default)] count: u32, #[serde(default)] tags: Vec<String> }
    #[serde(rename_all = "camelCase")]
    struct Renamed { first_name: String, last_name: String }
    #[serde(deny_unknown_fields)]
    struct Closed { a: u8 }
    struct Unit;
    struct Empty {}
    struct Metres(f64);
    struct Pair(String, u8);
    struct Ranges { #[schemars(range(min = 1, max = 5))] stars: u8, #[schemars(length(min = 1, max = 3))] tags: Vec<String> }
    struct Lengths { #[schemars(length(min = 1, max = 10))] name: String }
    struct Pattern { #[schemars(regex(pattern = r"^[A-Z]{3}$"))] code: String }
    struct Multiple { #[schemars(extend("multipleOf" = 5))] minutes: u32 }
    struct Generic<T> { value: T, notes: Vec<String> }
    struct Flat { id: u32, #[serde(flatten)] point: Point }
    #[serde(deny_unknown_fields)]
    struct FlatClosed { id: u32, #[serde(flatten)] closed: Inner }
    struct Inner { b: bool }
    struct FlatMap { id: u32, #[serde(flatten)] rest: HashMap<String, u8> }
    struct FlatEnum { id: u32, #[serde(flatten)] shape: Shape }
    struct Tree { value: u8, children: Vec<Tree> }
    struct Chain { value: u8, next: Option<Box<Chain>> }
    struct Left { right: Option<Box<Right>> }
    struct Right { left: Option<Box<Left>> }
    struct Folder { name: String, folders: HashMap<String, Folder> }
    struct Anything { id: u8, value: Value }
    struct Containers { map: HashMap<String, u8>, pair: (String, u8), rows: Vec<[f64; 2]>, both: Option<(u8, u8)> }
    struct Maps { by_name: BTreeMap<String, Person>, by_id: BTreeMap<u32, Vec<Point>>, maybe: Option<HashMap<String, bool>> }
    struct Choices { color: Color, level: Option<Level>, shapes: Vec<Shape> }
    struct Deep { a: Generic<Generic<Generic<Point>>> }
    struct Answer { answer: String }
    struct Reserved { map_entries: Vec<u8>, map: HashMap<String, u8> }
    #[serde(rename_all = "lowercase")]
    enum Color { Red, Green }
    /// How sure.
    enum Level { /// Measured.
        Sure, /// Estimated.
        Unsure }
    enum Only { One }
    enum Shape { Circle { radius: f64 }, Square(f64), Dot }
    enum Wrapped { Person(Person), Point(Point) }
    enum Tuples { Line(f64, f64), Point }
    #[serde(tag = "type")]
    enum Tagged { Add { a: f64, b: f64 }, Stop }
    #[serde(tag = "type")]
    enum TaggedNewtype { Person(Person), Point(Point) }
    #[serde(tag = "kind", content = "data")]
    enum Adjacent { Number(f64), Words(Vec<String>), Nothing }
    #[serde(untagged)]
    enum Untagged { Number(f64), Text(String), Point(Point) }
    #[serde(untagged)]
    enum OneOrMany { One(String), Many(Vec<String>) }
    enum Expression { Number(f64), Add(Box<Expression>, Box<Expression>) }
    #[serde(tag = "op")]
    enum Operation { Not { of: Box<Operation> }, All { of: Vec<Operation> }, Leaf { name: String } }
    struct Program { main: Expression, libraries: Vec<String> }
    struct Document { title: String, sections: Vec<Section>, meta: BTreeMap<String, String> }
    struct Section { heading: String, level: u8, body: Vec<Block> }
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Block { Paragraph { text: String }, List { items: Vec<String>, ordered: bool }, Table { rows: Vec<Vec<String>> } }
    struct Patch { #[serde(skip_serializing_if = "Option::is_none")] name: Option<String>, #[serde(default)] size: Option<u32> }
    struct Money { #[schemars(range(min = 0))] cents: i64, currency: Cow<'static, str> }
}

macro_rules! types {
    ($($ty:ty),* $(,)?) => {
        vec![$((stringify!($ty), schemars::schema_for!($ty).to_value())),*]
    };
}

pub(crate) fn types() -> Vec<(&'static str, Value)> {
    types![
        bool, u8, u64, i64, i128, f64, char, String, (), NonZeroU8, Duration, PathBuf, IpAddr,
        Ipv4Addr, Box<Point>, Range<u8>, Value, Option<u8>, Option<String>, Option<Point>,
        Option<Color>, Option<Vec<u8>>, Option<(u8, u8)>, Option<HashMap<String, u8>>, Result<u8, String>, Vec<String>,
        Vec<Point>, Vec<Person>, Vec<Vec<u8>>, Vec<Option<u8>>, Vec<Color>, Vec<Shape>, Vec<(String, u8)>,
        Vec<HashMap<String, u8>>, Vec<Value>, HashSet<String>, BTreeSet<u8>, [u8; 3], [Point; 2], (u8,),
        (u8, String), (f64, f64, f64), (Point, Color), HashMap<String, u8>, BTreeMap<String, String>,
        HashMap<String, Person>, HashMap<u32, String>, HashMap<String, HashMap<String, u8>>, HashMap<String, Vec<Point>>,
        HashMap<String, Option<u8>>, HashMap<String, Value>, Point, Person, Defaults, Renamed, Closed, Unit, Empty, Metres,
        Pair, Ranges, Lengths, Pattern, Multiple, Generic<String>, Flat, FlatClosed, FlatMap, FlatEnum, Tree, Chain, Left,
        Folder, Anything, Containers, Maps, Choices, Deep, Answer, Reserved, Color, Level, Only, Shape, Wrapped, Tuples,
        Tagged, TaggedNewtype, Adjacent, Untagged, OneOrMany, Expression, Operation, Program, Document, Patch, Money,
    ]
}

/// A provider's documented rules for schemas.
#[derive(Clone, Copy)]
struct Rules {
    /// Keywords besides `description`, `$ref` and `$defs`.
    keywords: &'static [&'static str],
    object_root: bool,
    closed: bool,
    all_required: bool,
    recursive: bool,
    empty_objects: bool,
    formats: &'static [&'static str],
}

const COMMON: &[&str] = &[
    "type",
    "enum",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    "format",
];
const OPENAI: Rules = Rules {
    keywords: &["minimum", "maximum", "minItems", "maxItems"],
    object_root: true,
    closed: true,
    all_required: true,
    recursive: true,
    empty_objects: true,
    formats: super::FORMATS,
};
const ANTHROPIC: Rules = Rules {
    keywords: &[],
    all_required: false,
    recursive: false,
    ..OPENAI
};
const GEMINI: Rules = Rules {
    keywords: &["minimum", "maximum", "minItems", "maxItems", "prefixItems"],
    object_root: false,
    closed: false,
    ..ANTHROPIC
};

fn rules(provider: &Provider) -> Rules {
    match provider.name {
        "anthropic" => ANTHROPIC,
        "gemini" => GEMINI,
        "openai" | "openai_resp" | "mistral" => OPENAI,
        "fireworks" | "together" => Rules {
            keywords: &[],
            ..OPENAI
        },
        "cohere" => Rules {
            all_required: true,
            empty_objects: false,
            formats: &["date-time", "uuid", "date", "time"],
            ..ANTHROPIC
        },
        _ => Rules {
            all_required: true,
            ..ANTHROPIC
        },
    }
}

/// The rules that a schema breaks.
fn violations(rules: Rules, root: &Value) -> Vec<String> {
    let mut found = Vec::new();
    if rules.object_root && (root["type"] != "object" || root.get("anyOf").is_some()) {
        found.push("the root is not an object".to_owned());
    }
    if !rules.recursive && super::subset::is_recursive(root) {
        found.push("recursive".to_owned());
    }
    node(rules, root, root, &mut found);
    found
}

fn node(rules: Rules, root: &Value, schema: &Value, found: &mut Vec<String>) {
    let Value::Object(map) = schema else {
        return found.push(format!("not an object: {schema}"));
    };
    for (key, value) in map {
        match key.as_str() {
            "$defs" | "properties" => {
                for schema in value.as_object().unwrap().values() {
                    node(rules, root, schema, found);
                }
            }
            "items" => node(rules, root, value, found),
            "additionalProperties" if value.is_object() && !rules.closed => {
                node(rules, root, value, found);
            }
            "anyOf" | "prefixItems" if rules.keywords.contains(&&**key) || key == "anyOf" => {
                value
                    .as_array()
                    .unwrap()
                    .iter()
                    .for_each(|schema| node(rules, root, schema, found));
            }
            "$ref" => {
                let target = value
                    .as_str()
                    .and_then(|to| root.pointer(to.strip_prefix('#')?));
                if target.is_none() || map.len() > 1 && !map.contains_key("$defs") {
                    found.push(format!("reference: {schema}"));
                }
            }
            "description" => {}
            "format" if !rules.formats.iter().any(|format| value == format) => {
                found.push(format!("format {value}"));
            }
            key if COMMON.contains(&key) || rules.keywords.contains(&key) => {}
            key => found.push(format!("keyword {key}")),
        }
    }
    if !["type", "enum", "anyOf", "$ref"]
        .iter()
        .any(|key| map.contains_key(*key))
    {
        found.push(format!("no type: {schema}"));
    }
    let is = |name: &str| {
        map.get("type").is_some_and(|ty| {
            ty == name || ty.as_array().is_some_and(|ty| ty.contains(&json!(name)))
        })
    };
    if is("array") && !map.contains_key("items") && !map.contains_key("prefixItems") {
        found.push(format!("a list without items: {schema}"));
    }
    if is("object") {
        let names: BTreeSet<&String> = map
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
            .collect();
        let required: Vec<&str> = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if rules.closed
            && (map.get("additionalProperties") != Some(&json!(false))
                || !map.contains_key("properties"))
        {
            found.push(format!("an open object: {schema}"));
        }
        if names.is_empty() && !rules.empty_objects {
            found.push("an object without properties".to_owned());
        }
        let all = names.iter().all(|name| required.contains(&name.as_str()));
        if rules.all_required && !all
            || required
                .iter()
                .any(|name| !names.contains(&(*name).to_owned()))
        {
            found.push(format!("required: {schema}"));
        }
    }
}

#[test]
fn the_page_lists_native_types_and_no_schema_is_invalid() {
    let hosted =
        provider::all_providers().filter(|provider| provider.schema != SchemaSupport::Unsupported);
    // Providers with the same support share a column.
    let mut columns: Vec<(SchemaSupport, Vec<&Provider>)> = Vec::new();
    for provider in std::iter::once(&OWN_SERVER).chain(hosted) {
        match columns
            .iter_mut()
            .find(|(support, _)| *support == provider.schema)
        {
            Some((_, providers)) => providers.push(provider),
            None => columns.push((provider.schema, vec![provider])),
        }
    }
    let names = columns.iter().map(|(_, providers)| {
        let names = providers
            .iter()
            .map(|provider| match provider.is_own_server() {
                true => "`ChatModel::openai_compatible`",
                false => provider.name,
            });
        names.collect::<Vec<_>>().join(", ")
    });
    let mut rows = String::new();
    let mut native = vec![0; columns.len()];
    let mut invalid = Vec::new();
    let types = types();
    for (ty, schema) in &types {
        write!(
            rows,
            "| `{}` |",
            ty.split_whitespace().collect::<Vec<_>>().join(" ")
        )
        .unwrap();
        for ((support, providers), native) in columns.iter().zip(&mut native) {
            let narrowed = match support {
                SchemaSupport::Full => Some(close_objects(schema)),
                support => support
                    .narrow_schema(schema)
                    .map(|narrowed| narrowed.schema),
            };
            *native += usize::from(narrowed.is_some());
            rows.push_str(if narrowed.is_some() {
                " native |"
            } else {
                " described |"
            });
            if *support == SchemaSupport::Full {
                continue;
            }
            for (provider, narrowed) in providers.iter().zip(std::iter::repeat(&narrowed)) {
                let Some(narrowed) = narrowed else { continue };
                let rules = rules(provider);
                let sent = match (rules.all_required, rules.closed) {
                    (true, _) => add_strictness(narrowed),
                    (_, true) => close_objects(narrowed),
                    _ => narrowed.clone(),
                };
                let found = violations(rules, &sent);
                if !found.is_empty() {
                    invalid.push(format!("{ty} for {}: {found:?}\n{sent:#}", provider.name));
                }
            }
        }
        rows.push('\n');
    }
    assert_eq!(invalid, Vec::<String>::new(), "{}", invalid.join("\n"));
    let header = names.collect::<Vec<_>>().join(" | ");
    let counts: Vec<String> = native
        .iter()
        .map(|native| format!(" {native} native |"))
        .collect();
    let page = format!(
        "{PAGE}| output type | {header} |\n|{}\n| {} types |{}\n{rows}",
        " --- |".repeat(columns.len() + 1),
        types.len(),
        counts.concat(),
    );
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/structured-output.md");
    expect_file![file].assert_eq(&page);
}

const PAGE: &str = "\
# Structured output

A provider that constrains its answers to a JSON Schema receives the schema of the output type (*native*). If its subset of JSON Schema cannot
express the type, the type is described in the prompt (*described*). `Reply::structured` contains the actual way. Answers are always
checked against the whole schema.

- A described type is written in the notation of TypeScript with comments (`output::describe_type`), at the end of the system message, or at the
  beginning of the first user message: before the data of the prompt, where a prompt cache keeps it. `Structured::DescribedSchema` writes JSON Schema instead.
- Bounds and patterns that a provider does not support are moved to the description of their field.
- Most providers require an object at the root, and have neither maps nor tuples. The schema in the request then contains objects instead:
  `{\"answer\": …}` for another root, `{\"map_entries\": [{\"key\": …, \"value\": …}]}` for a map, `{\"tuple_1\": …, \"tuple_2\": …}` for a tuple. The text of
  the reply is converted back while it arrives, so that complete replies, streams and partial outputs contain the original structure. An answer
  with another structure than the request's schema is an error.
- Cohere requires that the prompt asks for JSON; a model may write without end otherwise.
- Providers that are not in the table have no parameter for schemas: the schema is described.
- A provider that takes tools or a schema, but not both, receives the type as a tool, `answer`, if the prompt has tools: servers by their URL, Gemini, Ollama and
  Cohere. A call of it is the answer, and the text of the reply is its arguments. The model is required to call a tool, unless the options have a `tool_choice`.
  An answer beside calls of other tools is left out, and the loop continues with their results. In a stream, its arguments remain in the text if they began to
  arrive before the other calls.
  `Structured::Described` overrides this, and `Structured::Tool` selects it for any chat model.
- Servers by their URL receive the schema as it is, with its objects closed. `Structured` selects the field of the request:

| server | `ChatModel::openai_compatible` | `CompletionModel::new` |
| --- | --- | --- |
| llama.cpp | `Structured::Native` (default, `response_format`) or `Structured::LLAMA_CPP` (`json_schema`) | `Structured::LLAMA_CPP` |
| vLLM | `Structured::Native` (default) or `Structured::VLLM` (`structured_outputs.json`) | `Structured::Native` or `Structured::VLLM` |
| SGLang | `Structured::SGLANG` (default, `response_format`) | `Structured::SGLANG` |
| Ollama | `Structured::Native` (default); `ChatModel::new(\"ollama::…\")` sends `format` | – |

This table is generated by a test in `prompt-client/src/schema/tests.rs`, which also checks each native schema against the provider's documented
rules. The table's first row counts the native types.

";

/// An answer that a model may write by this schema, with the shortest alternatives.
fn sample(root: &Value, schema: &Value, depth: usize) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return sample(root, root.pointer(&reference[1..]).unwrap(), depth + 1);
    }
    if let Some(values) = schema["enum"].as_array() {
        return values[0].clone();
    }
    if let Some(schemas) = schema["anyOf"].as_array() {
        // The last one ends a recursion.
        let schema = if depth > 3 {
            &schemas[0]
        } else {
            schemas.last().unwrap()
        };
        return sample(root, schema, depth + 1);
    }
    let ty = schema["type"]
        .as_str()
        .unwrap_or_else(|| schema["type"][0].as_str().unwrap());
    let number = schema.get("minimum").cloned().unwrap_or(json!(0));
    match ty {
        "object" => {
            let properties = schema["properties"].as_object().unwrap().iter();
            let sampled =
                properties.map(|(name, schema)| (name.clone(), sample(root, schema, depth + 1)));
            Value::Object(sampled.collect())
        }
        "array" => {
            let length = schema["minItems"].as_u64().unwrap_or(u64::from(depth < 6));
            (0..length)
                .map(|_| sample(root, &schema["items"], depth + 1))
                .collect()
        }
        "string" => json!("a"),
        "boolean" => json!(true),
        "null" => Value::Null,
        _ => number,
    }
}

#[test]
fn answers_by_the_narrowed_schema_fit_the_type() {
    // Their bounds are in the description.
    let described = [
        "Pattern",
        "IpAddr",
        "Ipv4Addr",
        "HashMap<u32, String>",
        "Maps",
    ];
    let Some(provider) = provider::all_providers().find(|provider| provider.name == "openai")
    else {
        panic!("no provider")
    };
    for (ty, schema) in types() {
        let Some(narrowed) = provider.schema.narrow_schema(&schema) else {
            continue;
        };
        let answer = sample(&narrowed.schema, &narrowed.schema, 0).to_string();
        let restored = match narrowed.restore {
            Some(restore) => super::restore::restore(restore, &answer),
            None => answer.clone(),
        };
        let full = prompt_core::output::Schema::new(&schema).unwrap();
        let parsed = full.parse_strict(&restored);
        assert!(
            parsed.is_ok() || described.contains(&ty),
            "{ty}: {answer}, {restored}: {parsed:?}\n{:#}",
            narrowed.schema
        );
    }
}

#[test]
fn objects_are_closed() {
    let leaf = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let closed_leaf = json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false});
    assert_eq!(close_objects(&leaf), closed_leaf);
    assert_eq!(
        close_objects(&json!({"$defs": {"A": leaf}, "anyOf": [leaf]})),
        json!({"$defs": {"A": closed_leaf}, "anyOf": [closed_leaf]})
    );
    let named =
        json!({"properties": {"properties": {"type": "string"}}, "additionalProperties": false});
    assert_eq!(
        close_objects(&json!({"properties": {"properties": {"type": "string"}}})),
        named
    );
    for open in [
        json!({"allOf": [leaf]}),
        json!({"properties": {}, "additionalProperties": true}),
        json!({"const": leaf}),
    ] {
        assert_eq!(close_objects(&open), open);
    }
}
