//! Typed calls of a model, and parsing of its answers.

use std::sync::Arc;

use prompt_core::{
    BoxFuture, ErrorKind, FinishReason, Llm, Message, Messages, MockLlm, Options, Reply, Request,
    Result, ToolCall, ToolChoice,
};

fn ask() -> Messages {
    Messages::from([Message::user("How deep?")])
}

#[test]
fn a_boxed_model_answers() {
    let models: Vec<Box<dyn Llm>> = vec![
        Box::new(MockLlm::new(["a"])),
        Box::new(Arc::new(MockLlm::from_fn(|request| {
            Ok(Reply::new(format!("{:?}", request.options.seed)))
        }))),
    ];
    let options = || Options::new().seed(7);
    let answers: Vec<_> = models
        .iter()
        .map(|model| pollster::block_on(model.call(ask()).options(options())).unwrap())
        .collect();
    assert_eq!(answers, ["a", "Some(7)"]);
}

#[test]
fn errors_name_their_prompt() {
    struct Down;
    impl Llm for Down {
        fn send<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply>> {
            Box::pin(async {
                Err(prompt_core::Error::new(ErrorKind::Model, "the line is dead").with_model("m-1"))
            })
        }
    }
    let error = pollster::block_on(Down.call(ask())).unwrap_err();
    assert_eq!(
        (error.prompt(), error.model(), error.kind()),
        (Some("Messages"), Some("m-1"), ErrorKind::Model)
    );

    let mut out = prompt_core::Writer::new();
    out.history(&serde_json::json!([1]));
    assert_eq!(out.finish().unwrap_err().kind(), ErrorKind::History);
}

#[test]
fn tool_calls_are_not_text() {
    let llm = MockLlm::new([Reply::calls([ToolCall::new("1", "f", "{}")])]);
    let error = pollster::block_on(llm.call(ask())).unwrap_err();
    assert_eq!(
        error.message(),
        "the model calls the tool `f` and contains no text"
    );
    assert_eq!(llm.requests()[0].messages, ask());
    assert_eq!(format!("{llm:?}"), "MockLlm { answers: 1, requests: 1 }");
    assert_eq!(
        Reply::new("x").with_finish(FinishReason::Stop).finish,
        Some(FinishReason::Stop)
    );
}

#[test]
fn a_call_that_is_cut_off_is_not_made() {
    let made = std::sync::Mutex::new(Vec::new());
    let ask = ask().with_tool(prompt_core::Tool::new("remove"));
    let answer = |arguments: &str, finish: FinishReason| {
        let calls = ["{}", arguments].map(|arguments| ToolCall::new("1", "remove", arguments));
        let reply = Reply::calls(calls).with_finish(finish);
        let llm = MockLlm::new([reply, Reply::new("Done.")]);
        let rounds = llm.with_own_tools(&ask).answer(async |call: ToolCall| {
            made.lock().expect("no panic").push(call.arguments);
            Ok("removed")
        });
        pollster::block_on(rounds).expect("it is done");
        let told = llm.requests()[1]
            .messages
            .last()
            .map(|last| last.text().into_owned());
        (
            std::mem::take(&mut *made.lock().expect("no panic")),
            told.expect("the request contains the error"),
        )
    };
    let whole = r#"{"dir": "a", "dry_run": true}"#;
    let cut = r#"{"dir": "a""#;
    for (arguments, finish) in [
        (whole, FinishReason::Length),
        (cut, FinishReason::ToolCalls),
    ] {
        let (made, told) = answer(arguments, finish);
        assert_eq!(
            (made, &*told),
            (vec!["{}".to_owned(), arguments.to_owned()], "removed")
        );
    }
    let (made, told) = answer(cut, FinishReason::Length);
    let message =
        "error: the call of `remove` breaks off, since the answer reached its greatest length";
    assert_eq!((made, &*told), (vec!["{}".to_owned()], message));
}

#[test]
fn a_filtered_answer_is_not_an_empty_answer() {
    let answer = |text: &str| Reply::new(text).with_finish(FinishReason::ContentFilter);
    let error = pollster::block_on(MockLlm::new([answer("")]).call(ask())).unwrap_err();
    assert_eq!(
        error.message(),
        "the provider held the answer back, since it found something in it or in the prompt"
    );
    let refused = pollster::block_on(MockLlm::new([answer("I will not.")]).call(ask()));
    assert_eq!(refused.expect("it is said"), "I will not.");
    let empty = pollster::block_on(MockLlm::new([""]).call(ask()));
    assert_eq!(empty.expect("it is an answer"), "");
}

#[test]
fn a_text_that_was_cut_off_is_an_answer_unless_nothing_is_left() {
    let answer = |text: &str| {
        let llm = MockLlm::new([Reply::new(text).with_finish(FinishReason::Length)]);
        pollster::block_on(llm.call(ask()))
    };
    assert_eq!(answer("Nine").expect("it is a part"), "Nine");
    for text in ["", " \n"] {
        let error = answer(text).unwrap_err();
        assert_eq!(
            error.message(),
            "the answer reached its greatest length before its first word"
        );
    }
}

#[test]
fn a_model_without_a_name_has_no_line_in_the_error() {
    let error = prompt_core::Error::new(ErrorKind::Model, "asleep").with_model("");
    assert_eq!(
        (error.model(), format!("{error:#}").contains("model:")),
        (None, false)
    );
}

#[cfg(feature = "schema")]
mod typed {
    use prompt_core::{Reply, private};

    use super::*;

    #[derive(serde::Deserialize, schemars::JsonSchema, PartialEq, Debug)]
    struct Answer {
        text: String,
        cited: Vec<usize>,
    }

    fn read(text: &str) -> Result<Answer> {
        private::parse_json(&Reply::new(text).with_model("m-1"))
    }

    #[test]
    fn json_alone_and_in_a_fence() {
        let check = |text: &str| {
            assert_eq!(
                read(text).unwrap(),
                Answer {
                    text: "a```b".to_owned(),
                    cited: vec![1]
                },
                "{text}"
            );
        };
        let json = r#"{"text": "a```b", "cited": [1]}"#;
        check(json);
        check(&format!("  \n{json}\n"));
        check(&format!("Here it is:\n```json\n{json}\n```\nBye."));
        check(&format!("```\n{json}"));
    }

    /// The type of many extractions: it accepts each object, and serde drops the keys that it does not have.
    #[derive(serde::Deserialize, schemars::JsonSchema, PartialEq, Debug)]
    struct Extract {
        #[serde(alias = "full_name")]
        name: Option<String>,
        age: Option<u8>,
    }

    #[test]
    fn an_object_of_which_nothing_is_read_is_an_error() {
        let read = |text: &str| private::parse_json::<Extract>(&Reply::new(text));
        let extract = |name: Option<&str>, age| Extract {
            name: name.map(str::to_owned),
            age,
        };
        for (text, value) in [
            ("{}", extract(None, None)),
            (r#"{"name": null}"#, extract(None, None)),
            (r#"{"name": "A", "city": "Rome"}"#, extract(Some("A"), None)),
            (r#"{"full_name": "A"}"#, extract(Some("A"), None)),
            ("Name: A\nAge: 5", extract(Some("A"), Some(5))),
        ] {
            assert_eq!(read(text).unwrap(), value, "{text}");
        }
        let unread = r#"{"Name": "A", "Age": 5}"#;
        let message = "no key of the object is a field of its type (`name`, `age`): `Name`, `Age`";
        let error = read(unread).unwrap_err();
        assert_eq!((error.message(), error.answer()), (message, Some(unread)));
        let list = r#"[{"age": 5}, {"Age": 5}]"#;
        let error = private::parse_json::<Vec<Extract>>(&Reply::new(list)).unwrap_err();
        assert_eq!(
            error.message(),
            "no key of the object is a field of its type: `Age`"
        );
        // Types that keep the keys.
        let value = private::parse_json::<serde_json::Value>(&Reply::new(unread)).unwrap();
        assert_eq!(value["Age"], 5);
        let map = private::parse_json::<std::collections::BTreeMap<String, serde_json::Value>>(
            &Reply::new(unread),
        );
        assert_eq!(map.unwrap().len(), 2);
    }

    #[test]
    fn messy_answers() {
        let check = |text: &str| {
            let wanted = Answer {
                text: "a \"b\"".to_owned(),
                cited: vec![1],
            };
            assert_eq!(read(text).unwrap(), wanted, "{text}");
        };
        check("Sure: {text: 'a \"b\"', Cited: ['1'],}");
        check("<think>Hm.</think>\n\"text\": \"a \"b\"\",\n\"cited\": [1]");
        check("```json\n{\"text\": \"a \"b\"\", \"cited\": [1]");
    }

    /// The output is JSON, so a quoted string is parsed as one; otherwise the text is used unchanged.
    #[test]
    fn a_string_alone() {
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        struct Title(String);
        for (text, title) in [
            ("\"A \\\"B\\\"\"", "A \"B\""),
            ("```json\n\"A\"\n```", "A"),
            ("A, and \"B\"", "A, and \"B\""),
        ] {
            let read: Title = private::parse_json(&Reply::new(text)).unwrap();
            assert_eq!(read.0, title);
        }
    }

    #[test]
    fn errors_point_into_the_answer() {
        let check = |text: &str, expected: expect_test::Expect| {
            let error = read(text).unwrap_err();
            assert_eq!(
                (error.kind(), error.answer(), error.model()),
                (ErrorKind::Output, Some(text), Some("m-1"))
            );
            expected.assert_eq(&format!("{error:#}"));
        };
        check(
            "Sure:\n```json\n{\n  \"text\": \"é\", \"cited\": [\"x\"]\n}\n```",
            expect_test::expect![[r#"
                the answer does not fit, line 4, column 26: `"x"` is not a whole number of at least 0 (at /cited/0)
                 --> 4:26
                  |
                4 |   "text": "é", "cited": ["x"]
                  |                          ^^^ expected a whole number of at least 0
                  = model: m-1"#]],
        );
        check(
            "{\"text\": null}",
            expect_test::expect![[r#"
            the answer does not fit, line 1, column 10: `null` where a value is needed (at /text), expected a string; line 1, column 14: the field `cited` is missing, expected `cited`: a list, each a whole number of at least 0
             --> 1:10
              |
            1 | {"text": null}
              |          ^^^^ expected a string
              = model: m-1"#]],
        );
        check(
            "I do not know.",
            expect_test::expect![[r#"
                the answer does not fit, line 1, column 1: `I do not know.` is not an object with `text` and `cited`
                 --> 1:1
                  |
                1 | I do not know.
                  | ^^^^^^^^^^^^^^ expected an object with `text` and `cited`
                  = model: m-1
                  = help: write one JSON object, alone or in one code fence, or a line `name: value` for each field"#]],
        );
        check(
            "I'm sorry, but I can't help with that.",
            expect_test::expect![[r#"
                the answer does not fit, line 1, column 1: `I'm sorry, but I can't help with that.` is not an object with `text` and `cited`
                 --> 1:1
                  |
                1 | I'm sorry, but I can't help with that.
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ expected an object with `text` and `cited`
                  = model: m-1
                  = help: write one JSON object, alone or in one code fence, or a line `name: value` for each field"#]],
        );
        check(
            "```\n{\"text\": \"a\", \"cited\": [2.5]}\n```",
            expect_test::expect![[r#"
                the answer does not fit, line 2, column 25: `2.5` is not a whole number (at /cited/0), expected a whole number of at least 0
                 --> 2:25
                  |
                2 | {"text": "a", "cited": [2.5]}
                  |                         ^^^ expected a whole number of at least 0
                  = model: m-1"#]],
        );
        check(
            "",
            expect_test::expect![[r#"
                the answer is empty
                  = model: m-1"#]],
        );
    }

    #[test]
    fn a_truncated_answer_is_reported() {
        let reply = Reply::new("{\"text\": \"a").with_finish(FinishReason::Length);
        let error = private::parse_json::<Answer>(&reply).unwrap_err();
        let help = Some("allow more tokens: the answer was cut off at its greatest length");
        assert_eq!(error.help(), help);

        // All fields are present, but the last one is truncated.
        let text = "{\"cited\": [1], \"text\": \"a";
        let error = read(text).unwrap_err();
        assert_eq!(error.message(), "the answer breaks off");
        // A missing bracket loses no data, unless the answer was truncated.
        let text = format!("{text}\"");
        assert_eq!(read(&text).unwrap().text, "a");
        let reply = Reply::new(text).with_finish(FinishReason::Length);
        assert_eq!(
            private::parse_json::<Answer>(&reply).unwrap_err().help(),
            help
        );
    }

    #[test]
    fn the_schema_keeps_the_order_of_fields() {
        let schema = private::json_schema::<Answer>().unwrap().to_string();
        assert!(
            schema.find("\"text\"").unwrap() < schema.find("\"cited\"").unwrap(),
            "{schema}"
        );
    }
}

#[test]
fn a_required_call_applies_to_the_first_answer_of_a_loop() {
    let call = ToolCall::new("1", "depth", "{}");
    for (choice, later) in [
        (ToolChoice::Required, None),
        (ToolChoice::Tool("depth".to_owned()), None),
        (ToolChoice::Auto, Some(ToolChoice::Auto)),
    ] {
        let llm = MockLlm::new([Reply::calls([call.clone()]), Reply::new("Done.")]);
        let options = Options::new().tool_choice(choice.clone());
        let ask = ask().with_tool(prompt_core::Tool::new("depth"));
        let rounds = llm.with_own_tools(&ask).options(options);
        let answer = rounds.answer(async |_: ToolCall| Ok(81));
        assert_eq!(pollster::block_on(answer).expect("it ends"), "Done.");
        let sent = llm.requests();
        let sent: Vec<_> = sent
            .iter()
            .map(|request| &request.options.tool_choice)
            .collect();
        assert_eq!(sent, [&Some(choice), &later]);
    }
}

#[cfg(feature = "schema")]
#[test]
fn a_long_number_without_a_type_is_refused() {
    use prompt_core::output::{Schema, parse_json, parse_strict, parse_value};

    let reply = Reply::new("18446744073709551616");
    let schema = Schema::new(&serde_json::json!({"type": "integer"})).unwrap();
    for error in [
        parse_json::<serde_json::Value>(&reply).unwrap_err(),
        parse_strict::<serde_json::Value>(&reply).unwrap_err(),
        parse_json::<Vec<serde_json::Value>>(&Reply::new("[18446744073709551616]")).unwrap_err(),
        parse_value(&reply, &schema).unwrap_err(),
    ] {
        assert!(
            error.message().contains("kept exactly without a type"),
            "{error}"
        );
        assert!(error.to_string().contains("as a string"), "{error}");
    }
    assert_eq!(parse_json::<u128>(&reply).unwrap(), 1 << 64);
}

/// A schema is built once for a type, not for every answer.
#[cfg(feature = "schema")]
#[test]
fn the_schema_of_a_type_is_built_once() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static BUILT: AtomicUsize = AtomicUsize::new(0);

    #[derive(serde::Deserialize)]
    struct Counted(u8);

    impl schemars::JsonSchema for Counted {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Counted".into()
        }

        fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
            BUILT.fetch_add(1, Ordering::SeqCst);
            u8::json_schema(generator)
        }
    }

    assert_eq!(
        prompt_core::output::json_schema::<Counted>().unwrap()["maximum"],
        255
    );
    for text in ["1", "2", "3"] {
        let value = prompt_core::output::parse_json::<Counted>(&Reply::new(text)).unwrap();
        assert_eq!(value.0.to_string(), text);
    }
    assert_eq!(BUILT.load(Ordering::SeqCst), 1);
}
