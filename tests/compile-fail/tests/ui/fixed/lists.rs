//! Fixes of error 16: a list, and a variable of its own that is used.

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
