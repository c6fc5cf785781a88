//! Fixes of error 16: a list, and a variable with a new name that is used.

use std::collections::BTreeSet;
use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<for p in passages>- <p>\n</for><for line in text | lines>> <line>\n</for><for name in names><name> </for><if more><for m in more><m></for></if>"
)]
struct Ask {
    passages: Vec<String>,
    text: String,
    names: BTreeSet<String>,
    more: Option<Vec<u8>>,
}

#[test]
fn renders() {
    let ask = Ask {
        passages: vec!["a".into(), "b".into()],
        text: "c\nd".into(),
        names: ["f".into(), "e".into()].into(),
        more: Some(vec![1, 2]),
    };
    assert_eq!(
        ask.messages().unwrap()[0].text(),
        "- a\n- b\n> c\n> d\ne f 12"
    );
}

#[derive(Prompt)]
#[prompt(
    user = "<for name, price in prices><loop.index>. <name>: <price> </for><for word, count in counts | sort><word>=<count> </for><for tag in tags | sort><tag><if not loop.last>, </if></for> <tags | sort | join(\", \")>"
)]
struct Pairs {
    prices: std::collections::BTreeMap<String, u32>,
    counts: std::collections::HashMap<String, u32>,
    tags: std::collections::HashSet<String>,
}

#[test]
fn pairs_and_sorted_collections_render() {
    let pairs = Pairs {
        prices: [("tea".into(), 3)].into(),
        counts: [("b".into(), 1), ("a".into(), 2)].into(),
        tags: ["y".into(), "x".into()].into(),
    };
    assert_eq!(
        pairs.messages().unwrap()[0].text(),
        "1. tea: 3 a=2 b=1 x, y x, y"
    );
}

#[derive(typed_prompt::Label)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Brief,
    Full,
}

#[derive(Prompt)]
#[prompt(
    user = "<name><if mode == \"brief\" and count > 3>!</if><if tone and tone == \"formal\">, <tone></if>"
)]
struct Compared {
    name: String,
    mode: Mode,
    count: u32,
    tone: Option<String>,
}

#[test]
fn comparisons_render() {
    for (mode, expected) in [(Mode::Brief, "Ada!, formal"), (Mode::Full, "Ada, formal")] {
        let ask = Compared {
            name: "Ada".into(),
            mode,
            count: 4,
            tone: Some("formal".into()),
        };
        assert_eq!(ask.messages().unwrap()[0].text(), expected);
    }
}

#[derive(Prompt)]
#[prompt(
    user = "<for i in numbers>Step <i> </for><for x in xs><x | indent(2)> </for><for line in text | lines>> <line> </for>"
)]
struct Items {
    numbers: Vec<u32>,
    xs: Vec<String>,
    text: String,
}

#[test]
fn loops_over_lists_render() {
    let items = Items {
        numbers: (1..=2).collect(),
        xs: vec!["a\nb".into()],
        text: "c\nd".into(),
    };
    assert_eq!(
        items.messages().unwrap()[0].text(),
        "Step 1 Step 2 a\n  b > c > d "
    );
}
