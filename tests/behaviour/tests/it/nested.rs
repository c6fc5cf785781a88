//! Valid paths into structs with `#[derive(Fields)]` compile: through pointers, in blocks, with generics and recursive types.

use std::collections::BTreeMap;
use std::rc::Rc;

use typed_prompt::value::Truthy;
use typed_prompt::{Fields, Label, Prompt, prompt};

#[derive(Fields)]
struct Author<'a> {
    name: &'a str,
    r#type: u8,
}

#[derive(Fields)]
struct Document<'a> {
    title: String,
    author: Author<'a>,
    tone: Tone,
    part: Option<Box<Document<'a>>>,
    others: Vec<Document<'a>>,
}

#[derive(Label)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Formal,
    Relaxed,
}

#[derive(Fields)]
struct Page<T> {
    items: Vec<T>,
    size: usize,
}

impl Truthy for Document<'_> {}

/// A type without `#[derive(Fields)]`.
struct Foreign {
    name: String,
}

type Alias<'a> = Option<Document<'a>>;

/// It contains itself behind a generic type with known fields.
#[derive(Fields)]
struct Node {
    name: &'static str,
    next: Link<Node>,
}

#[derive(Fields)]
struct Link<T> {
    #[expect(dead_code, reason = "only its type matters")]
    target: Option<Rc<T>>,
    length: usize,
}

fn document() -> Document<'static> {
    Document {
        title: "Lakes".into(),
        author: Author {
            name: "Ada",
            r#type: 1,
        },
        tone: Tone::Relaxed,
        part: None,
        others: Vec::new(),
    }
}

fn check(prompt: &impl Prompt, expected: &str) {
    assert_eq!(prompt.messages().unwrap()[0].text(), expected);
}

#[test]
fn fields_of_fields() {
    #[derive(Prompt)]
    #[prompt(user = "<one.title> by <one.author.name> (<one.author.type>), <other.author.name>")]
    struct Ask<'a> {
        one: &'a Document<'a>,
        other: Rc<Document<'a>>,
    }
    let ask = Ask {
        one: &document(),
        other: Rc::new(document()),
    };
    check(&ask, "Lakes by Ada (1), Ada");
}

#[test]
fn fields_of_items() {
    #[derive(Prompt)]
    #[prompt(
        user = "<for row in rows><for one in row><one.author.name>;</for></for><for one in page.items><one.title>,</for><page.size>\
                <for one in names><one.name></for>"
    )]
    struct Ask<'a> {
        rows: Vec<Vec<Document<'a>>>,
        page: Page<Document<'a>>,
        names: [Foreign; 1],
    }
    let ask = Ask {
        rows: vec![vec![document()]],
        page: Page {
            items: vec![document()],
            size: 1,
        },
        names: [Foreign { name: "!".into() }],
    };
    check(&ask, "Ada;Lakes,1!");
}

#[test]
fn fields_of_options_inside_conditions() {
    #[derive(Prompt)]
    #[prompt(
        user = "<if one><one.title></if><if alias><alias.author.name></if><if documents><for item in documents><item.title></for></if>\
                <if whole.part><whole.part.title></if><for other in whole.others><other.author.name></for>"
    )]
    struct Ask<'a> {
        one: Option<Document<'a>>,
        alias: Alias<'a>,
        documents: Vec<Document<'a>>,
        whole: Document<'a>,
    }
    let whole = Document {
        part: Some(Box::new(document())),
        others: vec![document()],
        ..document()
    };
    let ask = Ask {
        one: Some(document()),
        alias: Some(document()),
        documents: vec![document()],
        whole,
    };
    check(&ask, "LakesAdaLakesLakesAda");
}

#[test]
fn pairs_variants_and_parameters() {
    #[derive(Prompt)]
    enum Ask<'a, T> {
        #[prompt(user = "<for name, one in map><name>: <one.author.name></for><generic.size>")]
        Map {
            map: BTreeMap<String, Document<'a>>,
            generic: Page<T>,
        },
        #[prompt(user = "<one.title> <node.next.length> <node.name>")]
        One { one: Document<'a>, node: Node },
    }
    let map = BTreeMap::from([("a".to_owned(), document())]);
    let generic = Page {
        items: vec![0u8],
        size: 3,
    };
    check(&Ask::Map { map, generic }, "a: Ada3");
    let one = document();
    let node = Node {
        name: "leaf",
        next: Link {
            target: None,
            length: 0,
        },
    };
    let ask: Ask<'_, u8> = Ask::One { one, node };
    check(&ask, "Lakes 0 leaf");
}

#[test]
fn labels() {
    #[derive(Prompt)]
    #[prompt(user = "<if one.tone == \"relaxed\">Hey</if><if one.tone != \"formal\">!</if>")]
    struct Ask<'a> {
        one: Document<'a>,
    }
    check(&Ask { one: document() }, "Hey!");
    let tone = Tone::Formal;
    let messages = prompt!("<if tone == \"formal\">Good day</if>").unwrap();
    assert_eq!(messages[0].text(), "Good day");
}
