//! Fixes of error 19, and of mistakes in a set of tools.

use typed_prompt::{Llm, MockLlm, Prompt, Reply, Tool, ToolCall, Tools};

#[derive(Tools, Debug, PartialEq)]
enum Action {
    /// Names are given, and not positions.
    Add {
        a: i64,
        b: Vec<u8>,
    },
    Now,
    Say {
        text: String,
    },
    #[tool(name = "get_weather")]
    Weather {
        #[tool(default)]
        days: u8,
        city: String,
    },
    #[tool(name = "size")]
    Größe {
        #[tool(name = "length")]
        länge: f64,
    },
    Search(Search),
    GetUrl,
    #[tool(name = "get_url_of")]
    GetURL,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Debug, PartialEq)]
struct Search {
    #[serde(rename = "words")]
    text: String,
}

/// The tools are given by the call: the struct has none.
#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
}

/// The tools are given by the struct.
#[derive(Prompt)]
#[prompt(user = "<question>")]
struct WithTools {
    question: String,
    #[prompt(tools, trusted)]
    tools: Vec<Tool>,
}

#[test]
fn renders() {
    let names: Vec<String> = Action::tools()
        .unwrap()
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "add",
            "now",
            "say",
            "get_weather",
            "size",
            "search",
            "get_url",
            "get_url_of"
        ]
    );
    for (name, arguments, action) in [
        (
            "add",
            r#"{"a": 1, "b": [2]}"#,
            Action::Add { a: 1, b: vec![2] },
        ),
        ("now", "", Action::Now),
        ("say", r#"{"text": "a"}"#, Action::Say { text: "a".into() }),
        (
            "get_weather",
            r#"{"city": "a"}"#,
            Action::Weather {
                days: 0,
                city: "a".into(),
            },
        ),
        ("size", r#"{"length": 1}"#, Action::Größe { länge: 1.0 }),
        (
            "search",
            r#"{"words": "a"}"#,
            Action::Search(Search { text: "a".into() }),
        ),
        ("get_url", "{}", Action::GetUrl),
        ("get_url_of", "{}", Action::GetURL),
    ] {
        let call = ToolCall::new("c1", name, arguments);
        assert_eq!(Action::parse(&call).unwrap(), action);
    }
    let call = Reply::calls([ToolCall::new("c1", "now", "")]);
    let llm = MockLlm::new([call.clone(), "noon".into(), call, "noon".into()]);
    let question = "How late is it?".to_owned();
    let ask = Ask {
        question: question.clone(),
    };
    let answer = llm.with_tools(&ask).answer(async |_: Action| Ok("12:00"));
    assert_eq!(pollster::block_on(answer).unwrap(), "noon");
    let tools = Action::tools().unwrap();
    let ask = WithTools { question, tools };
    let answer = llm
        .with_own_tools(&ask)
        .answer(async |_: Action| Ok("12:00"));
    assert_eq!(pollster::block_on(answer).unwrap(), "noon");
}
