//! The output of the prompts of the hygiene crate.

use hygiene::{fields, generic, inside, jinja, names, own, shapes, sources, tools};
use tp::{Llm, Prompt, ToolCall, Tools};

fn check(prompt: &impl Prompt, expected: &[&str]) {
    let messages = Prompt::messages(prompt).unwrap();
    let texts: Vec<_> = messages.iter().map(|message| message.text()).collect();
    assert_eq!(texts, expected);
}

#[test]
fn names_do_not_meet() {
    let loud = names::Loud {
        count: 1,
        note: Some("n"),
        items: &["a", "b"],
        messages: 2,
        render: "r",
        tail: None,
        list: [3, 4],
    };
    check(&loud, &["1", "nab2 r - 3,4"]);
    assert_eq!((loud.render(), loud.messages()), (1, 2));
}

#[test]
fn a_fixed_format_does_not_conflict_with_names() {
    let fixed = names::Fixed {
        family: "f",
        text: "t",
        name: 3,
    };
    check(&fixed, &["Be brief.", "f t 3"]);
    let text = fixed.to_text(tp::format::LLAMA3).unwrap();
    assert!(text.contains("\n\nf t 3<|eot_id|>"), "{text}");
}

#[test]
fn fields_do_not_meet_locals() {
    let locals = fields::Locals {
        out: 0,
        self_: 1,
        r#type: 2,
        f: 3,
        __out: 4,
        writer: 5,
        value: 6,
        prompt: 7,
        w: 8,
        x: 9,
        p: 10,
        item: 11,
        this: 12,
        _self: 13,
        __self: 14,
        name: 15,
    };
    check(&locals, &["0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"]);
    check(
        &fields::Shadowed {
            list: &[0, 1],
            text: "t",
        },
        &["0 t;1 t;1"],
    );
}

#[test]
fn field_attributes_work() {
    let marked = fields::Marked {
        name: "n",
        picture: tp::Media::image_url("https://example.com/a.png"),
        question: "q",
        history: tp::History::from([("a", "b")]),
        tools: vec![tp::Tool::new("add")],
        knowledge: "k",
        id: 1,
    };
    check(&marked, &["n", "a", "b", " q\n\n### knowledge:\nk"]);
    assert_eq!(
        (marked.messages().unwrap().tools().len(), marked.id),
        (1, 1)
    );
    let answer = pollster::block_on(
        tp::MockLlm::new(["{\"number\": 4}"]).call(&fields::Typed { question: "?" }),
    );
    assert_eq!(answer.unwrap(), hygiene::answer::Answer { number: 4 });
}

#[test]
#[allow(deprecated)]
fn deprecated_items_are_used_without_a_warning() {
    check(&own::Deprecated { old: own::Old }, &["old"]);
}

#[test]
fn allowed_lints_stay_allowed() {
    check(
        &own::Upper {
            Upper: 1,
            N: own::Plain,
        },
        &["1 n"],
    );
}

#[test]
fn generics_work() {
    check(
        &generic::Generic {
            value: "v",
            list: &[1, 2],
        },
        &["v 1 2 12"],
    );
    check(
        &generic::Generic {
            value: &'v',
            list: &["x"; 3],
        },
        &["v x x x xxx"],
    );
    let skipped = generic::Skipped {
        out: std::cell::Cell::new(1),
    };
    check(&skipped, &["nothing"]);
    assert_eq!(skipped.out.get(), 1);
    check(&generic::Named { text: &"t" }, &["t"]);
}

#[test]
fn prompts_live_anywhere() {
    check(
        &inside::Made {
            a: 1,
            b: "b".to_owned(),
        },
        &["1 b"],
    );
    check(&inside::Question { texts: vec![1, 2] }, &["1;2;"]);
    assert_eq!(inside::in_function("w"), "w");
    assert_eq!(inside::inline("o"), "o 1 2");
    assert_eq!(inside::inline_in_macro("w"), "w!");
}

#[test]
fn every_shape_works() {
    type Step = shapes::Step<'static, u8>;
    check(&shapes::Unit, &["unit"]);
    check(&shapes::Empty {}, &["empty"]);
    check(&Step::Plan { goal: "g" }, &["Plan.", "g"]);
    check(
        &shapes::Step::Act {
            out: 1,
            value: "v",
            last: true,
        },
        &["1 v", "Done.", "Last"],
    );
    check(&Step::Stop, &["Stop."]);
    let parts = shapes::Parts {
        first: shapes::Fragment { x: 1 },
        parts: vec![shapes::Fragment { x: "a" }],
    };
    check(&parts, &["(1)(a)"]);
}

#[test]
fn every_source_works() {
    check(&sources::Cooked { x: 1 }, &["a\tA 1\n\"1\""]);
    check(&sources::Raw { x: 1 }, &["\\n \"#1"]);
    check(&sources::Blocks { x: 1 }, &["s 1", "u 1"]);
    check(&sources::Named { x: 1 }, &["t 1"]);
    check(&sources::File { x: 1 }, &["s 1", "u 1"]);
    check(&sources::Doc { x: 1 }, &["The words are 1,\nfrom here."]);
}

#[test]
fn tools_do_not_meet_generated_names() {
    let arguments = r#"{"type": true, "called": "a"}"#;
    let action = tools::Action::parse(&ToolCall::new("c1", "set", arguments)).unwrap();
    let tools::Action::Set {
        r#type,
        called,
        call,
    } = action
    else {
        panic!("{action:?}");
    };
    assert_eq!((r#type, &*called, call), (true, "a", 0));
    let names: Vec<String> = tools::Bare::tools()
        .unwrap()
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect();
    assert_eq!(names, ["stop", "wait"]);
    assert_eq!(tools::inside(), 1);
}

#[test]
fn expressions_do_not_meet_items() {
    let prompt = jinja::Jinja {
        out: true,
        slot: "s",
        items: &[jinja::Item { written: 1 }, jinja::Item { written: 2 }],
        map: std::collections::BTreeMap::from([("k", 3), ("z", 0)]),
    };
    let expected = "2S\n1221\nk3a\nFalse0True1None12\nss[True, 1.5]s";
    check(&prompt, &[expected]);
}
