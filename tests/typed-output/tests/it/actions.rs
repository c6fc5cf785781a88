//! Tools as an enum: their definitions in the request, parsing of calls, and tool loops.

use schemars::JsonSchema;
use serde::Deserialize;
use typed_prompt::{
    Error, ErrorKind, Llm, Message, Messages, MockLlm, Prompt, Reply, Result, Role, Tool, ToolCall,
    Tools,
    llm::{FinishReason, Options},
};

/// What the assistant can do.
#[derive(Tools, Debug, PartialEq)]
enum Action {
    /// How deep a lake is.
    ///
    /// In metres, unless a unit is named.
    LakeDepth {
        /// The lake's name alone.
        lake: String,
        unit: Option<Unit>,
        #[tool(default, name = "at-most")]
        at_most: u8,
    },
    /// Written above the variant.
    Search(Search),
    Note(Note),
    /// What time it is.
    #[tool(name = "clock")]
    Now,
    r#Loop {
        r#type: Vec<Unit>,
    },
}

/// Units of length.
#[derive(Deserialize, JsonSchema, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Metres,
    Feet,
}

/// Written above the struct.
#[derive(Deserialize, JsonSchema, Debug, PartialEq)]
struct Search {
    /// Words to look for.
    words: Vec<String>,
    #[schemars(range(min = 1, max = 10))]
    #[serde(default = "ten")]
    results: u8,
}

fn ten() -> u8 {
    10
}

/// Keeps a note.
#[derive(Deserialize, JsonSchema, Debug, PartialEq)]
struct Note {
    text: String,
}

#[test]
fn the_request_contains_names_descriptions_and_parameters() {
    let tools: Vec<String> = Action::tools()
        .unwrap()
        .iter()
        .map(|tool| tool.to_json().indented(1))
        .collect();
    expect_test::expect_file!["data/tools.json"].assert_eq(&tools.join("\n"));
}

#[track_caller]
fn reads(name: &str, arguments: &str, action: &Action) {
    let read = Action::parse(&ToolCall::new("c1", name, arguments));
    assert_eq!(read.as_ref().ok(), Some(action), "{read:?}");
}

#[test]
fn calls_are_read_into_variants() {
    let depth = |unit, at_most| Action::LakeDepth {
        lake: "Ammersee".to_owned(),
        unit,
        at_most,
    };
    let whole = r#"{"lake": "Ammersee", "unit": "feet", "at-most": 7}"#;
    reads("lake_depth", whole, &depth(Some(Unit::Feet), 7));
    reads("lake_depth", r#"{"lake": "Ammersee"}"#, &depth(None, 0));
    reads(
        "lake_depth",
        r#"{"lake": "Ammersee", "unit": null}"#,
        &depth(None, 0),
    );
    reads("clock", "", &Action::Now);
    reads("clock", "{}", &Action::Now);
    let note = Note {
        text: "a".to_owned(),
    };
    reads("note", r#"{"text": "a"}"#, &Action::Note(note));
    let kinds = vec![Unit::Feet, Unit::Metres];
    reads(
        "loop",
        r#"{"type": ["feet", "metres"]}"#,
        &Action::Loop { r#type: kinds },
    );
}

/// Models write arguments no better than answers.
#[test]
fn calls_are_read_as_answers_are() {
    let search = |results| {
        Action::Search(Search {
            words: vec!["deep".to_owned()],
            results,
        })
    };
    reads("search", "{words: ['deep'], results: '3',}", &search(3));
    reads("search", "```json\n{\"words\": ['deep']}\n```", &search(10));
    reads("search", r#"{"words": ["deep"]"#, &search(10));
    let feet = Action::Loop {
        r#type: vec![Unit::Feet],
    };
    reads("loop", r#"{"TYPE": ["Feet"]}"#, &feet);
}

#[track_caller]
fn refuses(name: &str, arguments: &str, said: &str) -> Error {
    let error = Action::parse(&ToolCall::new("c1", name, arguments)).unwrap_err();
    assert_eq!(error.to_string(), said);
    assert_eq!(error.kind(), ErrorKind::Output);
    assert_eq!(error.answer(), Some(arguments));
    error
}

#[test]
fn the_model_receives_the_position_of_an_invalid_argument() {
    refuses(
        "lakedepth",
        "{}",
        "there is no tool `lakedepth`; did you mean `lake_depth`?",
    );
    refuses(
        "weather",
        "{}",
        "there is no tool `weather`; call one of `lake_depth`, `search`, `note`, `clock`, `loop`",
    );
    let error = refuses(
        "search",
        r#"{"words": ["a"], "results": 11}"#,
        "the call of `search` does not fit, line 1, column 29: `11` is not a whole number \
         from 1 to 10 (at /results)",
    );
    assert_eq!(
        format!("{error:#}").lines().skip(1).collect::<Vec<_>>(),
        [
            " --> 1:29",
            "  |",
            "1 | {\"words\": [\"a\"], \"results\": 11}",
            "  |                             ^^ expected a whole number from 1 to 10",
        ]
    );
    refuses(
        "note",
        "",
        "the call of `note` does not fit, line 1, column 2: the field `text` is missing, expected `text`: a string",
    );
    refuses("note", r#"{"text": "ab"#, "the call of `note` breaks off");
}

/// A key that no field has is a filter, a limit or a recipient that the program would not see.
#[test]
fn an_argument_that_the_tool_does_not_have_is_an_error() {
    let depth = Action::LakeDepth {
        lake: "Ammersee".to_owned(),
        unit: Some(Unit::Feet),
        at_most: 0,
    };
    reads(
        "lake_depth",
        r#"{"Lake": "Ammersee", "Unit": "feet"}"#,
        &depth,
    );
    reads("lake_depth", "Lake: Ammersee\nUnit: feet", &depth);
    for (name, arguments, key) in [
        (
            "lake_depth",
            r#"{"lake": "Ammersee", "units": "feet"}"#,
            "units",
        ),
        ("search", r#"{"words": ["deep"], "max": 3}"#, "max"),
        ("clock", r#"{"zone": "UTC"}"#, "zone"),
        ("loop", r#"{"loop": {"type": []}, "type": []}"#, "loop"),
    ] {
        let error = Action::parse(&ToolCall::new("c1", name, arguments)).unwrap_err();
        let said = format!("Additional properties are not allowed ('{key}' was unexpected)");
        assert!(error.message().contains(&said), "{error}");
    }
    let call = ToolCall::new("c1", "note", r#"{"text": "a", "to": "Ann"}"#);
    let error = call.parse_arguments::<Note>().unwrap_err();
    assert!(error.message().contains("'to' was unexpected"), "{error}");
}

/// serde's aliases are not a part of the schema that the model receives.
#[test]
fn an_alias_is_not_an_argument() {
    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Tide {
        #[serde(alias = "town")]
        city: Option<String>,
    }
    let parse = |arguments: &str| ToolCall::new("c1", "tide", arguments).parse_arguments::<Tide>();
    assert_eq!(
        parse(r#"{"city": "Brest"}"#).unwrap().city.unwrap(),
        "Brest"
    );
    let error = parse(r#"{"town": "Brest"}"#).unwrap_err();
    assert!(error.message().contains("'town' was unexpected"), "{error}");
}

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: &'static str,
}

#[derive(Prompt)]
#[prompt(user = "<question>", output = Depth)]
struct Typed {
    question: &'static str,
}

#[derive(Deserialize, JsonSchema, Debug, PartialEq)]
struct Depth {
    metres: f64,
}

fn depth_of(lake: &str) -> Reply {
    Reply::calls([ToolCall::new(
        "c1",
        "lake_depth",
        format!(r#"{{"lake": "{lake}"}}"#),
    )])
}

/// Runs a conversation with the answers of the mock.
fn talk<P: typed_prompt::tool::AcceptsTools>(
    llm: &MockLlm,
    prompt: &P,
    rounds: usize,
) -> Result<P::Output> {
    let options = Options::new().output_retries(1);
    let asked = llm.with_tools(prompt).max_rounds(rounds).options(options);
    pollster::block_on(asked.answer(async |action| match action {
        Action::LakeDepth { lake, .. } if lake == "Ammersee" => Ok(81.1),
        other => Err(Error::new(ErrorKind::Value, format!("{other:?}"))),
    }))
}

#[test]
fn results_go_back_until_the_model_answers() {
    let llm = MockLlm::new([depth_of("Ammersee"), Reply::new("It is 81.1 m deep.")]);
    let ask = Ask {
        question: "How deep?",
    };
    assert_eq!(talk(&llm, &ask, 1).unwrap(), "It is 81.1 m deep.");
    let last = &llm.requests()[1].messages;
    assert_eq!(last.tools(), Action::tools().unwrap());
    assert_eq!(
        (last[1].role, &*last[1].tool_calls[0].name),
        (Role::Assistant, "lake_depth")
    );
    assert_eq!(last[2], Message::tool("c1", "81.1").with_name("lake_depth"));
}

#[test]
fn the_model_receives_errors_of_calls() {
    let llm = MockLlm::new([
        Reply::calls([ToolCall::new("c1", "lake_depht", "{}")]),
        Reply::calls([ToolCall::new("c2", "lake_depth", "{}")]),
        depth_of("Ammersee"),
        Reply::new("81"),
    ]);
    assert_eq!(talk(&llm, &Ask { question: "?" }, 3).unwrap(), "81");
    let last = &llm.requests()[3].messages;
    let told = |index: usize| last[index].text().into_owned();
    assert_eq!(
        told(2),
        "error: there is no tool `lake_depht`; did you mean `lake_depth`?"
    );
    assert!(
        told(4).starts_with("error: the call of `lake_depth` does not fit, line 1, column 2: "),
        "{}",
        told(4)
    );
}

#[test]
fn rounds_end() {
    let endless = MockLlm::from_fn(|_| Ok(depth_of("Ammersee")));
    let error = talk(&endless, &Ask { question: "?" }, 2).unwrap_err();
    assert_eq!(
        error.message(),
        "the model still calls tools after 2 rounds"
    );
    assert_eq!((error.prompt(), endless.requests().len()), (Some("Ask"), 3));
    // The error has a source if the last call was invalid.
    let wrong = MockLlm::from_fn(|_| Ok(Reply::calls([ToolCall::new("c1", "swim", "{}")])));
    let error = talk(&wrong, &Ask { question: "?" }, 0).unwrap_err();
    assert_eq!(
        std::error::Error::source(&error).map(ToString::to_string),
        None
    );
    let error = talk(&wrong, &Ask { question: "?" }, 1).unwrap_err();
    let why = std::error::Error::source(&error).unwrap().to_string();
    assert!(why.starts_with("there is no tool `swim`"), "{why}");
}

#[test]
fn a_fatal_tool_error_ends_the_conversation() {
    let llm = MockLlm::new([depth_of("Walchensee")]);
    let error = talk(&llm, &Ask { question: "?" }, 5).unwrap_err();
    assert_eq!(
        (error.kind(), error.prompt()),
        (ErrorKind::Value, Some("Ask"))
    );
}

#[test]
fn an_answer_that_does_not_fit_is_retried() {
    let llm = MockLlm::new([
        depth_of("Ammersee"),
        "Deep.".into(),
        r#"{"metres": 81.1}"#.into(),
    ]);
    assert_eq!(
        talk(&llm, &Typed { question: "?" }, 1).unwrap(),
        Depth { metres: 81.1 }
    );
    let last = &llm.requests()[2].messages;
    assert_eq!(last[3].text(), "Deep.");
    assert!(
        last[4]
            .text()
            .starts_with("Your answer cannot be used: the answer does not fit, ")
    );

    // Once only, and not where the answer was cut off.
    let llm = MockLlm::new(["Deep.", "Very deep.", r#"{"metres": 81.1}"#]);
    assert_eq!(
        talk(&llm, &Typed { question: "?" }, 1)
            .unwrap_err()
            .answer(),
        Some("Very deep.")
    );
    let llm = MockLlm::new([Reply::new("Deep").with_finish(FinishReason::Length)]);
    assert_eq!(
        talk(&llm, &Typed { question: "?" }, 1)
            .unwrap_err()
            .answer(),
        Some("Deep")
    );
    // The error of a call is more useful than that of an exhausted mock.
    let llm = MockLlm::new(["Deep."]);
    assert_eq!(
        talk(&llm, &Typed { question: "?" }, 1)
            .unwrap_err()
            .answer(),
        Some("Deep.")
    );
}

#[test]
fn tools_are_passed_once() {
    let ask = Messages::from([Message::user("?")]).with_tool(Tool::new("swim"));
    let error = talk(&MockLlm::new(["81"]), &ask, 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tool);
    assert_eq!(
        error.to_string(),
        "`Messages` brings tools of its own, such as `swim`, and the call gives it more; \
         give the tools in one place, or use `with_own_tools`"
    );
}

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct WithTools {
    question: &'static str,
    #[prompt(tools, trusted)]
    tools: Vec<Tool>,
}

#[test]
fn a_prompt_may_bring_the_tools() {
    let llm = MockLlm::new([depth_of("Ammersee"), Reply::new("81")]);
    let ask = WithTools {
        question: "How deep?",
        tools: vec![
            Tool::from_type::<Search>().unwrap(),
            Tool::from_type::<Note>().unwrap(),
        ],
    };
    let answer = llm
        .with_own_tools(&ask)
        .answer(async |call: ToolCall| Ok(call.name.len()));
    assert_eq!(pollster::block_on(answer).unwrap(), "81");
    let last = &llm.requests()[1].messages;
    let names: Vec<&str> = last.tools().iter().map(Tool::name).collect();
    assert_eq!(names, ["search", "note"]);
    assert_eq!(last[2].text(), "10");
}

#[test]
fn a_type_that_every_provider_rejects_is_an_error_of_with_tools() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is wanted")]
    enum Either {
        A { a: u8 },
        B,
    }
    #[derive(Tools)]
    enum Wrong {
        Choose(#[expect(dead_code, reason = "never read")] Either),
    }
    let said = "the arguments of the tool `choose` are an object, and `Either` is none; use a struct with named fields";
    assert_eq!(Wrong::tools().unwrap_err().to_string(), said);
    assert_eq!(
        Wrong::parse(&ToolCall::new("c", "choose", "{}"))
            .err()
            .unwrap()
            .to_string(),
        said
    );
}

/// The future can be sent to another thread, though the prompt need not be shared between threads.
#[test]
fn conversations_can_be_spawned() {
    fn spawn(_: impl Future + Send) {}
    let llm = MockLlm::new(["81"]);
    let ask = Ask { question: "?" };
    spawn(llm.with_tools(&ask).answer(async |_: Action| Ok("")));
    spawn(llm.with_own_tools(&ask).answer(async |_: ToolCall| Ok("")));
    let boxed: Box<dyn Llm> = Box::new(MockLlm::new(["81"]));
    let answer = boxed.with_tools(&ask).answer(async |_: Action| Ok(""));
    assert_eq!(pollster::block_on(answer).unwrap(), "81");
}
