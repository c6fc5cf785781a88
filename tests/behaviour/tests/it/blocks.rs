//! Loops over items, pairs and sorted collections, the state of a loop, and the filters `display` and `debug`: each in a compiled
//! prompt and in the same template at run time.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::Ipv4Addr;

use typed_prompt::{Dynamic, Fields, Label, Prompt, prompt};

use crate::user;

/// A prompt, and its template for run time.
macro_rules! prompts {
    ($($name:ident { $($field:ident: $ty:ty),* $(,)? } $template:literal;)*) => {$(
        #[derive(Prompt, Fields)]
        #[prompt(user = $template)]
        struct $name {
            $($field: $ty,)*
        }

        impl $name {
            const TEMPLATE: &'static str = $template;
        }
    )*};
}

/// Both render the expected text, with the same spans of data.
macro_rules! check {
    ($($name:ident { $($fields:tt)* } => $expected:expr;)*) => {$({
        let prompt = $name { $($fields)* };
        assert_eq!(user(&prompt), $expected, "compiled: {}", $name::TEMPLATE);
        let live = Dynamic::<$name>::parse($name::TEMPLATE).unwrap_or_else(|error| panic!("{error:#}"));
        let messages = live.messages(&prompt).unwrap_or_else(|error| panic!("{error:#}"));
        assert_eq!(messages, prompt.messages().unwrap(), "at run time: {}", $name::TEMPLATE);
    })*};
}

prompts! {
    Numbered { passages: Vec<String> } "<for p in passages><if not loop.first>, </if>[<loop.index>/<loop.length>] <p> (<loop.index0>)<if loop.last>.</if><else>none</for>";
    Nested { rows: Vec<Vec<u8>> } "<for row in rows><loop.index>:<for cell in row><loop.index>=<cell> </for><loop.index>;</for>";
    State { xs: Vec<u8>, r#loop: u8 } "<for x in xs><x><loop></for>";
    Map { prices: BTreeMap<String, u32> } "<for name, price in prices><loop.index>. <name>: <price>\n<else>nothing</for>";
    Keys { names: BTreeMap<u32, String> } "<for _number, name in names><name | upper></for>";
    Pairs { pairs: Vec<(String, u8)> } "<for a, b in pairs><a>=<b><if b>!</if> </for>";
    Arrays { pairs: Vec<[u8; 2]> } "<for a, b in pairs><a>-<b> </for>";
    Hash { counts: HashMap<String, u32> } "<for word, count in counts | sort><word>=<count> </for>";
    Set { tags: HashSet<String> } "<tags | sort | join(\", \")>;<for tag in tags | sort><tag><if not loop.last>,</if></for>";
    Sorted { words: Vec<String> } "<for word in words | sort><word> </for>";
    Maps { all: Vec<BTreeMap<String, u8>> } "<for map in all><for key, value in map><key><value></for></for>";
}

#[test]
fn loops() {
    let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    check! {
        Numbered { passages: strings(&["a", "b"]) } => "[1/2] a (0), [2/2] b (1).";
        Numbered { passages: Vec::new() } => "none";
        Nested { rows: vec![vec![7, 8], vec![], vec![9]] } => "1:1=7 2=8 1;2:2;3:1=9 3;";
        State { xs: vec![1, 2], r#loop: 5 } => "1525";
        Map { prices: BTreeMap::from([("tea".to_owned(), 3), ("milk".to_owned(), 2)]) } => "1. milk: 2\n2. tea: 3\n";
        Map { prices: BTreeMap::new() } => "nothing";
        Keys { names: BTreeMap::from([(2, "b".to_owned()), (1, "a".to_owned())]) } => "AB";
        Pairs { pairs: vec![("x".to_owned(), 0), ("y".to_owned(), 1)] } => "x=0 y=1! ";
        Arrays { pairs: vec![[1, 2], [3, 4]] } => "1-2 3-4 ";
        Hash { counts: HashMap::from([("b".to_owned(), 1), ("a".to_owned(), 2), ("C".to_owned(), 3)]) } => "C=3 a=2 b=1 ";
        Set { tags: HashSet::from(["b".to_owned(), "a".to_owned()]) } => "a, b;a,b";
        Sorted { words: strings(&["b", "B", "a"]) } => "B a b ";
        Maps { all: vec![BTreeMap::from([("k".to_owned(), 1)]), BTreeMap::new()] } => "k1";
    }
}

#[derive(Prompt)]
#[prompt(
    user = "<for key, person in people><key>: <person.name><for a, b in person.parts> <a><b></for></for>"
)]
struct Structs<'a> {
    people: &'a BTreeMap<&'static str, Person>,
}

struct Person {
    name: String,
    parts: Vec<(char, f32)>,
}

#[derive(Prompt)]
#[prompt(
    user = "<address | display> <address | display | truncate(4)> <found | debug> <name | debug>"
)]
struct Shown {
    address: Ipv4Addr,
    found: Result<u8, ()>,
    name: String,
}

prompts! {
    Printed { name: String, number: f64, list: Vec<u8> } "<name | display> <number | display> <name | debug> <number | debug> <list | debug>";
}

#[test]
fn parts_of_structs_and_values_that_print_themselves() {
    let people = BTreeMap::from([(
        "a",
        Person {
            name: "Ada".to_owned(),
            parts: vec![('x', 1.5)],
        },
    )]);
    assert_eq!(user(&Structs { people: &people }), "a: Ada x1.5");
    let shown = Shown {
        address: Ipv4Addr::LOCALHOST,
        found: Ok(1),
        name: "\"".to_owned(),
    };
    assert_eq!(user(&shown), r#"127.0.0.1 127… Ok(1) "\"""#);
    check! {
        Printed { name: "a\n".to_owned(), number: 1.0, list: vec![1, 2] } => "a\n 1 \"a\\n\" 1.0 [1, 2]";
    }
}

#[derive(Label, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    Brief,
    VeryLong,
    #[serde(rename = "x y", alias = "xy")]
    Other,
}

prompts! {
    Numbers { count: u32, score: f32, on: bool } "<if count > 3>a</if><if count >= 3>b</if><if 3 > count>c</if><if count == 3 and on == true>d</if><if 1 < count <= 3>e</if><if score == 0.1>f</if><if score != 0.1 or not count < 9>g</if><if count > 2.5>h</if><if count != -1>i</if>";
    Texts { name: String, letter: char } "<if name == \"Ada\">a<else if name != \"Bo\">b<else if \"Bo\" == name and letter == 'x'>c</if><if name | upper == \"ADA\">d</if><if name == \">\">e</if>";
    Labels { mode: Mode, modes: Vec<Mode>, perhaps: Option<Mode> } "<mode>:<if mode == \"brief\">B<else if mode != \"very-long\">O<else>L</if><for m in modes><m><if m == \"x y\">!</if></for><if perhaps and perhaps == \"brief\">P</if>";
    Options { scores: Vec<Option<u8>>, names: Vec<Option<String>>, lists: Vec<Option<Vec<u8>>> } "<for s in scores><s ?? \"-\"><if s>[<s>]</if><if not s>!</if><if s and s == 1>1</if></for>;<for n in names><n | trim ?? \"none\"><if n>(<n | upper>)</if>,</for>;<for l in lists><if l><for x in l><x></for><else>?</if></for>";
    Found { q: bool, note: Option<String>, n: Option<u8> } "<if q or note and note == 'x'>a</if><if q or (note and note == 'x' and (n and n > 2 or q))>b</if><if not (n and n > 2)>c</if><if note and (n and n == 3 or note == 'x')>d</if><note ?? ''>";
    Rows { rows: Vec<u8> } "<for row in rows><if loop.index > 1>, </if><row><if loop.index == 2>!</if></for>";
}

#[test]
fn comparisons() {
    let rest = |count, score, on| Numbers { count, score, on };
    check! {
        Numbers { ..rest(3, 0.1, true) } => "bdefhi";
        Numbers { ..rest(4, 0.2, false) } => "abghi";
        Numbers { ..rest(0, f32::NAN, true) } => "cgi";
        Texts { name: "Ada".to_owned(), letter: 'x' } => "ad";
        Texts { name: "Bo".to_owned(), letter: 'x' } => "c";
        Texts { name: ">".to_owned(), letter: 'y' } => "be";
        Labels { mode: Mode::Brief, modes: vec![Mode::Other, Mode::VeryLong], perhaps: Some(Mode::Brief) } => "brief:Bx y!very-longP";
        Labels { mode: Mode::VeryLong, modes: Vec::new(), perhaps: None } => "very-long:L";
        Labels { mode: Mode::Other, modes: Vec::new(), perhaps: Some(Mode::Other) } => "x y:O";
        Options { scores: vec![Some(1), None, Some(2)], names: vec![Some(" a".to_owned()), None], lists: vec![None, Some(vec![3, 4])] } => "1[1]1-!2[2];a( A),none,;?34";
        Found { q: true, note: None, n: None } => "abc";
        Found { q: false, note: Some("x".to_owned()), n: Some(3) } => "abdx";
        Found { q: false, note: Some("x".to_owned()), n: None } => "acdx";
        Found { q: false, note: Some("y".to_owned()), n: Some(3) } => "dy";
        Found { q: false, note: None, n: Some(2) } => "c";
        Rows { rows: vec![7, 8, 9] } => "7, 8!, 9";
    }
    let (mode, level) = (Mode::Brief, 5);
    let inline = prompt!("<if mode == \"brief\" and level > 4>yes</if> <mode> <level>").unwrap();
    assert_eq!(inline[0].text(), "yes brief 5");
    let system = prompt!(
        system = "Be <mode>.<if level >= 6> No.</if>",
        user = "Hi <level>"
    );
    assert_eq!(system.unwrap()[0].text(), "Be brief.");
}

prompts! {
    Compared { name: String, count: u8, note: Option<String>, xs: Vec<u8>, mode: Mode } "<name><count><note ?? \"\"><for x in xs><x></for><mode>";
}

#[test]
fn comparisons_of_incomparable_types() {
    let compared = Compared {
        name: String::new(),
        count: 1,
        note: None,
        xs: Vec::new(),
        mode: Mode::Brief,
    };
    for (condition, expected) in [
        (
            "name == 3",
            "`name` is a string and cannot be compared with a number; write `\"3\"` for the text",
        ),
        (
            "name > \"a\"",
            "`>` compares numbers; write `==` or `!=` for text and labels",
        ),
        (
            "note == \"x\"",
            "`note` can be `None`: it is an `Option`; write `note and note == \"x\"`",
        ),
        (
            "xs == \"x\"",
            "`xs` is a list and cannot be compared with a string",
        ),
        ("1 < 2", "two constants are compared"),
        (
            "name == count",
            "two values are compared, and one must be a constant",
        ),
        ("nam == \"x\"", "unknown slot `nam`; did you mean `name`?"),
        (
            "count = 3",
            "`=` has no meaning here; write `==` to compare",
        ),
        (
            "count == \"x\"",
            "`count` is a number and cannot be compared with a string; write a number, `true` or `false`",
        ),
        (
            "mode == 1",
            "`mode` is a string and cannot be compared with a number",
        ),
        (
            "count == true",
            "a whole number cannot be compared with a boolean",
        ),
        ("count >", "the condition ends with a space"),
    ] {
        let template = format!("<if {condition} >a</if>{}", Compared::TEMPLATE);
        let template = match condition {
            "count >" => template.replace(" > >", " >"),
            _ => template.replace(" >a", ">a"),
        };
        let found = error(&template, &compared);
        assert!(found.contains(expected), "{template}: {found}");
    }
    for template in [
        "<if count>3>a</if>",
        "<if count>=3>a</if>",
        "<if name>\"x\">a</if>",
        "<if count>name>a</if>",
    ] {
        let in_parentheses = template.replacen("count>", "(count)>", 1);
        if in_parentheses != template {
            let text = [&in_parentheses, Compared::TEMPLATE].concat();
            assert!(Dynamic::<Compared>::parse(&text).is_ok(), "{text}");
        }
        let found = error(&[template, Compared::TEMPLATE].concat(), &compared);
        assert!(
            found.contains("the tag ends at the `>` of a comparison; write `<if "),
            "{template}: {found}"
        );
    }
}

prompts! {
    Strings { xs: Vec<String>, n: u8 } "<for x in xs><x></for><n>";
    Hashed { map: HashMap<String, u8> } "<for k, v in map | sort><k><v></for>";
}

/// The message and the help of a template's first error.
fn error<P: Fields>(template: &str, prompt: &P) -> String {
    match Dynamic::<P>::parse(template) {
        Ok(live) => live.messages(prompt).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn mistakes_at_run_time() {
    assert!(Dynamic::<Strings>::parse(Strings::TEMPLATE).is_ok());
    assert!(Dynamic::<Hashed>::parse(Hashed::TEMPLATE).is_ok());
    let strings = Strings {
        xs: vec!["a".to_owned()],
        n: 1,
    };
    let hashed = Hashed {
        map: HashMap::from([("a".to_owned(), 1)]),
    };
    for (template, expected) in [
        (
            "<for i, x in xs><i><x></for><n>",
            "the items of `xs` are not pairs; write `<for x in xs>`, and `<loop.index>` instead of `<i>`: the number of the item, counted from 1",
        ),
        (
            "<for x in xs><x><loop.indx></for><n>",
            "`loop` has no `indx`; did you mean `loop.index`?",
        ),
        (
            "<for x in xs><x><loop></for><n>",
            "`loop` is not a value; write `loop.index`, `loop.first`, `loop.last` or `loop.length`",
        ),
        (
            "<for loop in xs><loop></for><n>",
            "`loop` is the loop itself; give it another name",
        ),
        (
            "<for x, x in xs><x></for><n>",
            "`x` is named twice; give one of them another name",
        ),
        (
            "<for a, b, c in xs><a></for><n>",
            "expected `in`, found `,`; name the item, `for item in list`, or the two parts of a pair, `for key, value in map`",
        ),
        (
            "<for x in xs><x></for><loop.index><n>",
            "unknown slot `loop`; write `loop.index` and the like inside of a `<for …>` block",
        ),
        (
            "<xs | sort><n>",
            "`xs | sort` is a list; write `<for item in xs | sort>…<item>…</for>`, with `<item.field>` for a field of a struct, or `<xs | sort | join(\", \")>`",
        ),
        (
            "<for x in n | sort><x></for><xs | join(\"\")>",
            "filter `sort` takes a list; take the filter away",
        ),
    ] {
        let found = error(template, &strings);
        assert!(found.contains(expected), "{template}: {found}");
    }
    for (template, expected) in [
        (
            "<for k, v in map><k><v></for>",
            "`map` has no order: it is a hash set or map; write `<for k, v in map | sort>`",
        ),
        (
            "<for k in map><k></for>",
            "write `<for k in map | sort>` for a set, or `<for k, value in map | sort>` for a map",
        ),
        (
            "<map>",
            "write `<map | sort | join(\", \")>` for a set, or `<for key, value in map | sort><key>: <value></for>` for a map",
        ),
        (
            "<map | debug>",
            "filter `debug` would show a hash set or map in no order",
        ),
    ] {
        let found = error(template, &hashed);
        assert!(found.contains(expected), "{template}: {found}");
    }
}
