//! Random values of random schemas, written in the notations of models, with items removed or replaced: the result is the written
//! value or an error. It never lacks an item, and never contains one that was not written.
//!
//! A truncated text returns the complete value or an error, and values that are final in a part of a text do not change.

#![allow(clippy::needless_pass_by_value, reason = "values are written in place")]

mod random;

use prompt_output::Schema;
use random::Random;
use serde_json::{Map, Value, json};

#[test]
fn twenty_thousand_answers() {
    answers(0, 20_000);
}

/// `cargo test --release -p prompt-output --test written_or_refused -- --ignored`
#[test]
#[ignore = "takes minutes without optimisation"]
fn a_million_answers() {
    answers(20_000, 1_000_000);
}

fn answers(first: u64, count: u64) {
    let (mut read, mut wrong) = (0, Vec::new());
    for seed in first..first + count {
        let mut random = Random::from_seed(seed);
        let ty = random.root();
        let mut written = random.value(&ty);
        let kind = ty.schema();
        let schema = Schema::new(&kind).unwrap();
        for _ in 0..random.below(3) {
            random.change(&mut written);
        }
        let text = Style::new(&mut random).answer(&written, &ty, &mut random);
        let written = match text.contains("{\"result\": ") {
            true => json!({ "result": written }),
            false => written,
        };
        let about = |what: &str, got: &Value| {
            format!("seed {seed}: {what} {got}\n  written {written}\n  in {text:?}\n  as {kind}")
        };
        let whole = schema.parse_json(&text).ok().map(|parsed| parsed.value);
        if let Some(got) = &whole {
            read += 1;
            if !same(&written, got, &ty) {
                wrong.push(about("read", got));
            }
        }
        let mut cut = random.below(text.len() + 1);
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let part = &text[..cut];
        if let Ok(parsed) = schema.parse_truncated(part) {
            let got = &parsed.value;
            if !same(&written, got, &ty) {
                wrong.push(format!("{}\n  cut {part:?}", about("truncated", got)));
            }
        }
        if let Some(whole) = &whole
            && let Some(change) = changed_value(&schema, part, whole)
        {
            wrong.push(format!(
                "{}\n  cut {part:?}: {change}",
                about("whole", whole)
            ));
        }
        // One answer of 32 is also corrupted.
        if seed % 32 == 0 {
            let text = match random.one_in(2) {
                true => text,
                false => serde_json::to_string_pretty(&written).unwrap(),
            };
            wrong.extend(change_in_corrupted(&schema, &text, &mut random));
        }
    }
    let first: Vec<&str> = wrong.iter().take(20).map(String::as_str).collect();
    assert!(
        wrong.is_empty(),
        "{} wrong answers, {read} read\n{}",
        wrong.len(),
        first.join("\n")
    );
    assert!(read * 3 > count, "only {read} of {count} were read");
}

/// A value that is final in a part of an answer and not in the whole one.
fn changed_value(schema: &Schema, part: &str, whole: &Value) -> Option<String> {
    let parsed = schema.parse_partial(part)?;
    let mut places = Vec::new();
    pointers(&parsed.value, String::new(), &mut places);
    let mut places = places.iter().filter(|place| parsed.is_final(place));
    let changed = places.find(|place| parsed.value.pointer(place) != whole.pointer(place))?;
    let (now, then) = (parsed.value.pointer(changed), whole.pointer(changed));
    Some(format!("`{changed}` is {now:?} and then {then:?}"))
}

/// A final value that changes while a text with wrong signs arrives, letter by letter.
fn change_in_corrupted(schema: &Schema, text: &str, random: &mut Random) -> Option<String> {
    let signs = [
        "\"", "'", "{", "}", "[", "]", ",", ":", "\\", "\n", "//", "/*", "*/", "```", "null", " ",
        "“", "x", "7", "-", "`", "\"\"\"", "é", "...", "#", "=>", "+", "\":\"", "\", \"", "\n\n",
        ". ", "}}",
    ];
    let mut letters: Vec<String> = text.chars().map(String::from).collect();
    for _ in 0..=random.below(3) {
        if letters.is_empty() {
            return None;
        }
        let at = random.below(letters.len());
        match random.below(3) {
            0 => drop(letters.remove(at)),
            1 => letters.insert(at, random.pick(&signs).to_owned()),
            _ => {
                let other = random.below(letters.len());
                letters.swap(at, other);
            }
        }
    }
    let text = letters.concat();
    let whole = schema.parse_json(&text).ok()?.value;
    let cuts = (0..text.len()).filter(|cut| text.is_char_boundary(*cut));
    for cut in cuts {
        if let Some(change) = changed_value(schema, &text[..cut], &whole) {
            let kind = schema.description();
            return Some(format!(
                "{text:?} as {kind}, cut {:?}: {change}",
                &text[..cut]
            ));
        }
    }
    None
}

fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| pointers(item, format!("{at}/{index}"), found));
        }
        Value::Object(map) => map.iter().for_each(|(key, item)| {
            let key = key.replace('~', "~0").replace('/', "~1");
            pointers(item, format!("{at}/{key}"), found);
        }),
        _ => {}
    }
    found.push(at);
}

/// Whether a value is the written one, in the notation of its type.
fn same(written: &Value, got: &Value, ty: &Ty) -> bool {
    // Entries that the schema does not name are kept as they are written.
    if is_alike(written, got) {
        return true;
    }
    // The wrapper may be read as an entry of a map.
    if let Some(inner) = written.get("result")
        && same(inner, got, ty)
    {
        return true;
    }
    match (ty, written, got) {
        (Ty::Optional(_), Value::Null, Value::Null) => true,
        (Ty::Optional(inner), _, _) => same(written, got, inner),
        (Ty::List(item), Value::Array(items), Value::Array(values)) => {
            let all = items.len() == values.len()
                && items
                    .iter()
                    .zip(values)
                    .all(|(item_, value)| same(item_, value, item));
            // One list as the only item of a list of lists.
            all || values.len() == 1 && same(written, &values[0], item)
        }
        (Ty::List(item), one, Value::Array(values)) => {
            values.len() == 1 && same(one, &values[0], item)
        }
        (Ty::Object(fields), Value::Object(map), Value::Object(values))
            if fields.len() > 1 || map.contains_key(fields[0].0) || map.is_empty() =>
        {
            let known = values
                .keys()
                .all(|key| fields.iter().any(|(name, _)| name == key));
            known
                && fields.iter().all(|(name, ty)| {
                    let null = || Value::Null;
                    let (one, other) = (map.get(*name).cloned(), values.get(*name).cloned());
                    one.is_none() && other.as_ref().is_none_or(Value::is_null)
                        || same(&one.unwrap_or_else(null), &other.unwrap_or_else(null), ty)
                })
        }
        // The only field of an object without its name.
        (Ty::Object(fields), one, Value::Object(values)) => match fields.as_slice() {
            [(name, ty)] => {
                values.get(*name).is_some_and(|value| same(one, value, ty))
                    || unwrapped(one, got, &Ty::Object(fields.clone()))
            }
            _ => unwrapped(one, got, &Ty::Object(fields.clone())),
        },
        (Ty::Map(item), Value::Object(map), Value::Object(values)) => {
            map.len() == values.len()
                && map
                    .iter()
                    .all(|(key, one)| values.get(key).is_some_and(|other| same(one, other, item)))
        }
        (Ty::Text, Value::Object(_) | Value::Array(_), Value::String(text)) => {
            text.starts_with(['{', '[']) || unwrapped(written, got, ty)
        }
        (_, Value::Array(_) | Value::Object(_), _) => unwrapped(written, got, ty),
        (_, one, other) => plain(one) == plain(other),
    }
}

/// Whether two values are equal but for the quotes of their scalars.
fn is_alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|other| is_alike(one, other)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_alike(one, other))
        }
        (Value::Object(_) | Value::Array(_), _) | (_, Value::Object(_) | Value::Array(_)) => false,
        (one, other) => plain(one) == plain(other),
    }
}

/// Whether a value is the only one in a list or an object.
fn unwrapped(written: &Value, got: &Value, ty: &Ty) -> bool {
    match written {
        Value::Array(items) if items.len() == 1 => same(&items[0], got, ty),
        Value::Object(map) if map.len() == 1 => map.values().all(|one| same(one, got, ty)),
        _ => false,
    }
}

/// A scalar without the notation of its type.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => match text.parse::<f64>() {
            Ok(number) => number.to_string(),
            Err(_) => text.trim().to_lowercase(),
        },
        Value::Number(number) => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

#[derive(Clone, Debug)]
enum Ty {
    Integer,
    Number,
    Bool,
    Text,
    Choice(Vec<&'static str>),
    List(Box<Ty>),
    Object(Vec<(&'static str, Ty)>),
    Map(Box<Ty>),
    Optional(Box<Ty>),
}

impl Ty {
    fn schema(&self) -> Value {
        match self {
            Ty::Integer => json!({"type": "integer"}),
            Ty::Number => json!({"type": "number"}),
            Ty::Bool => json!({"type": "boolean"}),
            Ty::Text => json!({"type": "string"}),
            Ty::Choice(names) => json!({ "enum": names }),
            Ty::List(item) => json!({"type": "array", "items": item.schema()}),
            Ty::Object(fields) => {
                let properties: Map<String, Value> = fields
                    .iter()
                    .map(|(name, ty)| ((*name).to_owned(), ty.schema()))
                    .collect();
                let required = fields
                    .iter()
                    .filter(|(_, ty)| !matches!(ty, Ty::Optional(_)));
                let required: Vec<&str> = required.map(|(name, _)| *name).collect();
                json!({"type": "object", "properties": properties, "required": required})
            }
            Ty::Map(item) => json!({"type": "object", "additionalProperties": item.schema()}),
            Ty::Optional(inner) => json!({"anyOf": [inner.schema(), {"type": "null"}]}),
        }
    }
}

impl Random {
    fn root(&mut self) -> Ty {
        match self.below(12) {
            // A string is verbatim, whatever text surrounds it.
            0 => match self.ty(0) {
                Ty::Text => self.object(2),
                ty => ty,
            },
            1..=4 => Ty::List(Box::new(self.ty(2))),
            5 => Ty::Map(Box::new(self.ty(1))),
            _ => self.object(3),
        }
    }

    fn object(&mut self, depth: usize) -> Ty {
        let mut names = vec!["name", "age", "tags", "home", "note", "kind", "a", "b"];
        let count = 1 + self.below(4);
        let fields = (0..count).map(|_| {
            let name = names.remove(self.below(names.len()));
            let ty = self.ty(depth - 1);
            (
                name,
                if self.one_in(5) {
                    Ty::Optional(Box::new(ty))
                } else {
                    ty
                },
            )
        });
        Ty::Object(fields.collect())
    }

    fn ty(&mut self, depth: usize) -> Ty {
        match self.below(if depth == 0 { 9 } else { 14 }) {
            0 | 1 => Ty::Integer,
            2 => Ty::Number,
            3 => Ty::Bool,
            4 => Ty::Choice(vec!["red", "blue", "pay", "pay_later", "non-stop"]),
            5..=8 => Ty::Text,
            9 => Ty::Map(Box::new(self.ty(depth - 1))),
            10 | 11 => Ty::List(Box::new(self.ty(depth - 1))),
            _ => self.object(depth),
        }
    }

    fn value(&mut self, ty: &Ty) -> Value {
        match ty {
            Ty::Integer => json!(self.below(3000) as i64 - 300),
            Ty::Number => json!(self.below(4000) as f64 / 8.0),
            Ty::Bool => json!(self.one_in(2)),
            Ty::Text => json!(self.text()),
            Ty::Choice(names) => json!(self.pick(names)),
            Ty::List(item) => (0..self.below(4)).map(|_| self.value(item)).collect(),
            Ty::Object(fields) => {
                let mut map = Map::new();
                for (name, ty) in fields {
                    map.insert((*name).to_owned(), self.value(ty));
                }
                Value::Object(map)
            }
            Ty::Map(item) => {
                let mut map = Map::new();
                for name in ["one", "two words", "x-3"].into_iter().take(self.below(4)) {
                    map.insert(name.to_owned(), self.value(item));
                }
                Value::Object(map)
            }
            Ty::Optional(inner) => match self.one_in(3) {
                true => Value::Null,
                false => self.value(inner),
            },
        }
    }

    fn text(&mut self) -> String {
        let parts = [
            "red",
            "Ann",
            "it's",
            "a \"b\" c",
            "{x}",
            "[1]",
            "}",
            "{\"k\": \"v\"}",
            "one, two",
            "12",
            "3 apples",
            "null",
            "true",
            "https://example.org/a#b",
            "n/a",
            "not",
            "line\nbreak",
            "- item",
            "é😀",
            "a: b",
            "\\d+",
            "/* no */",
            "# two",
            "\"all\"",
        ];
        let count = 1 + self.below(3);
        let words: Vec<&str> = (0..count).map(|_| self.pick(&parts)).collect();
        words.join(" ")
    }

    /// Removes or replaces something in a value.
    fn change(&mut self, value: &mut Value) {
        let replaced = |random: &mut Random| {
            let others = [
                json!("n/a"),
                json!(null),
                json!({}),
                json!([]),
                json!("unknown"),
                json!(7),
                json!("7"),
                json!(true),
                json!([1, "x"]),
                json!({"error": "code 7"}),
                json!("red"),
                json!("green"),
                json!({"name": "B", "age": 1}),
            ];
            random.pick(&others)
        };
        match value {
            Value::Array(items) if !items.is_empty() => {
                let place = self.below(items.len());
                match self.below(4) {
                    0 => drop(items.remove(place)),
                    1 => items[place] = replaced(self),
                    _ => self.change(&mut items[place]),
                }
            }
            Value::Object(map) if !map.is_empty() => {
                let key = map.keys().nth(self.below(map.len())).unwrap().clone();
                match self.below(4) {
                    0 => drop(map.remove(&key)),
                    1 => drop(map.insert(key, replaced(self))),
                    _ => self.change(&mut map[&key]),
                }
            }
            other => *other = replaced(self),
        }
    }
}

/// How a model writes.
struct Style {
    quote: char,
    unquoted_keys: bool,
    unquoted_words: bool,
    unescaped: bool,
    raw_lines: bool,
    trailing_commas: bool,
    numbers_in_quotes: bool,
    comments: bool,
    python: bool,
    lines: bool,
    missing_commas: bool,
}

impl Style {
    fn new(random: &mut Random) -> Style {
        let mut rare = |count| random.one_in(count);
        Style {
            quote: if rare(4) { '\'' } else { '"' },
            unquoted_keys: rare(4),
            unquoted_words: rare(5),
            unescaped: rare(5),
            raw_lines: rare(4),
            trailing_commas: rare(4),
            numbers_in_quotes: rare(5),
            comments: rare(6),
            python: rare(6),
            lines: rare(2),
            missing_commas: rare(10),
        }
    }

    fn answer(&self, value: &Value, ty: &Ty, random: &mut Random) -> String {
        let body = match (value, ty) {
            (Value::Array(items), Ty::List(_))
                if items.len() > 1 && items.iter().all(Value::is_object) && random.one_in(3) =>
            {
                let items: Vec<String> = items
                    .iter()
                    .map(|item| self.flat().write(item, 0))
                    .collect();
                items.join(["\n", ", ", "\n\n", " "][random.below(4)])
            }
            (Value::Array(items), Ty::List(_))
                if !items.is_empty() && items.iter().all(is_word) && random.one_in(3) =>
            {
                let items: Vec<String> = items
                    .iter()
                    .map(|item| format!("- {}", item.as_str().unwrap_or_default()))
                    .collect();
                items.join("\n")
            }
            (Value::Object(map), Ty::Object(_))
                if !map.is_empty() && map.values().all(is_word) && random.one_in(3) =>
            {
                let lines: Vec<String> = map
                    .iter()
                    .map(|(key, value)| format!("{key}: {}", value.as_str().unwrap_or_default()))
                    .collect();
                lines.join("\n")
            }
            (Value::Object(_), Ty::Object(_)) if random.one_in(12) => {
                format!("{{\"result\": {}}}", self.write(value, 0))
            }
            _ => self.write(value, 0),
        };
        let fenced = |body: &str| format!("```json\n{body}\n```");
        match random.below(8) {
            0 => fenced(&body),
            1 => format!("Here is the result:\n{}\nHope this helps!", fenced(&body)),
            2 => format!("Answer: {body}"),
            3 if body.starts_with(['{', '[']) => {
                format!("As noted in [2], it is {body}. Ask me for more.")
            }
            4 if body.starts_with('{') => {
                format!("For example: {{\"name\": \"John\", \"age\": 1}}. Answer: {body}")
            }
            _ => body,
        }
    }

    fn flat(&self) -> Style {
        Style {
            lines: false,
            comments: false,
            ..*self
        }
    }

    fn write(&self, value: &Value, depth: usize) -> String {
        let (open, close, parts) = match value {
            Value::Array(items) => (
                '[',
                ']',
                items
                    .iter()
                    .map(|item| self.write(item, depth + 1))
                    .collect::<Vec<_>>(),
            ),
            Value::Object(map) => {
                let entry = |(key, value): (&String, &Value)| {
                    let plain = self.unquoted_keys && key.chars().all(char::is_alphanumeric);
                    let key = if plain {
                        key.clone()
                    } else {
                        format!("{0}{key}{0}", self.quote)
                    };
                    format!("{key}: {}", self.write(value, depth + 1))
                };
                ('{', '}', map.iter().map(entry).collect())
            }
            Value::String(text) => return self.string(text),
            Value::Number(number) if self.numbers_in_quotes => return format!("\"{number}\""),
            Value::Bool(true) if self.python => return "True".to_owned(),
            Value::Bool(false) if self.python => return "False".to_owned(),
            Value::Null if self.python => return "None".to_owned(),
            other => return other.to_string(),
        };
        let mut text = String::from(open);
        let space = if self.lines {
            format!("\n{}", "  ".repeat(depth + 1))
        } else {
            String::new()
        };
        let last = parts.len();
        for (place, part) in parts.into_iter().enumerate() {
            text += &space;
            text += &part;
            let comma = place + 1 < last || self.trailing_commas;
            if comma && !(self.missing_commas && self.lines && place == 0) {
                text.push(',');
            }
            if self.comments && self.lines && place == 0 {
                text += " // the first, with \"quotes\"";
            }
            if !self.lines && place + 1 < last {
                text.push(' ');
            }
        }
        if self.lines && last > 0 {
            text += "\n";
            text += &"  ".repeat(depth);
        }
        text.push(close);
        text
    }

    fn string(&self, text: &str) -> String {
        let simple = text.starts_with(char::is_alphabetic) && text.chars().all(char::is_alphabetic);
        if self.unquoted_words && simple && !matches!(text, "null" | "true" | "not") {
            return text.to_owned();
        }
        let mut body = match (self.unescaped, self.quote) {
            (true, _) => text.replace('\\', "\\\\"),
            (false, '"') => text.replace('\\', "\\\\").replace('"', "\\\""),
            (false, _) => text.replace('\\', "\\\\").replace('\'', "\\'"),
        };
        if !self.raw_lines {
            body = body.replace('\n', "\\n");
        }
        format!("{0}{body}{0}", self.quote)
    }
}

/// Whether a value is a word that can be written without quotes.
fn is_word(value: &Value) -> bool {
    value.as_str().is_some_and(|text| {
        text.chars().all(char::is_alphabetic) && !matches!(text, "null" | "true")
    })
}
