//! Answers are never shortened or invented: each case is the value as it was written, or an error.

#![allow(clippy::needless_pass_by_value, reason = "values are written in place")]

use prompt_output::{ParseError, Parsed, Schema};
use serde_json::{Value, json};

fn list(item: Value) -> Value {
    json!({"type": "array", "items": item})
}

fn integer() -> Value {
    json!({"type": "integer"})
}

fn integers() -> Value {
    list(integer())
}

fn string() -> Value {
    json!({"type": "string"})
}

fn color() -> Value {
    json!({"enum": ["red", "blue"]})
}

fn mood() -> Value {
    json!({"enum": ["positive", "negative", "neutral"]})
}

fn pay() -> Value {
    json!({"enum": ["pay", "pay_without_credit_card"]})
}

fn object(fields: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: Value = fields
        .iter()
        .cloned()
        .map(|(name, ty)| (name.to_owned(), ty))
        .collect();
    json!({"type": "object", "properties": properties, "required": names})
}

fn person() -> Value {
    object(&[("name", string()), ("age", integer())])
}

fn check_with(
    read: impl Fn(&Schema, &str) -> Result<Parsed, ParseError>,
    cases: Vec<(Value, &str, Option<Value>)>,
) {
    for (schema, answer, expected) in cases {
        let compiled = Schema::new(&schema).unwrap();
        let value = read(&compiled, answer).map(|parsed| parsed.value);
        match (&value, &expected) {
            (Ok(value), Some(expected)) => assert_eq!(value, expected, "{answer}"),
            (Err(_), None) => {}
            _ => panic!("{answer} as {schema}: {value:?}, expected {expected:?}"),
        }
    }
}

fn check(cases: Vec<(Value, &str, Option<Value>)>) {
    check_with(Schema::parse_json, cases);
}

#[test]
fn a_container_that_does_not_fit_is_not_searched() {
    check(vec![
        (integers(), r#"["n/a", "7"]"#, None),
        (integers(), "[5, null]", None),
        (integers(), "[1, {}]", None),
        (integers(), r#"Here you are: ["n/a", "7"]"#, None),
        (integers(), "```json\n[\"n/a\", \"7\"]\n```", None),
        (integers(), r#""n/a", "7""#, None),
        (integers(), r#"{"items": ["n/a", "7"]}"#, None),
        (integers(), r#"{"items": "n/a, 7"}"#, None),
        (integers(), r#"[[1, 2], "x"]"#, None),
        (
            list(json!({"type": "boolean"})),
            r#"[true, "unknown"]"#,
            None,
        ),
        (list(color()), r#"["red","green"]"#, None),
        (list(color()), "- red\n- green", None),
        (list(color()), "red, green", None),
        (list(color()), "red\ngreen", None),
        (list(color()), "red and green", None),
        (list(color()), "The color is red.", Some(json!(["red"]))),
        (integer(), r#"["1","bad"]"#, None),
        (integer(), r#""1", "bad""#, None),
        (integer(), "- 1\n- bad", None),
        (integer(), "[{\"n\": 1}, {\"n\": 2}]", None),
        (integer(), "The answer is 5 [1]", Some(json!(5))),
        (integer(), "{\"a\": 1, \"b\": \"bad\"}", None),
        (color(), r#"["red","green"]"#, None),
        (color(), "- red\n- green", None),
        (
            person(),
            r#"{"result": {"name": "A", "age": "x"}, "other": {"name": "B", "age": 1}}"#,
            None,
        ),
        (
            person(),
            r#"[{"name": "A", "age": "x"}, {"name": "B", "age": 1}]"#,
            None,
        ),
        (
            list(person()),
            "{\"name\": \"A\", \"age\": 1}\n{}\n{\"name\": \"B\", \"age\": 2}",
            None,
        ),
        (
            list(person()),
            "{\"n\": 1}\n{\"name\": \"B\", \"age\": 2}",
            None,
        ),
        (
            list(person()),
            "{\"name\": \"A\", \"age\": 1}, {\"x\": 1}",
            None,
        ),
        (list(integers()), "[1,2]\n[3,4]", None),
        (list(string()), r#"["a"], ["b"]"#, None),
    ]);
}

#[test]
fn the_inside_of_a_truncated_container_is_not_an_answer() {
    check(vec![
        (list(integers()), "[[1,2],[3,x", None),
        (list(list(string())), r#"[["a","b"],{"x""#, None),
        (list(person()), r#"[{"name": "A", "age": 1}, {"name""#, None),
    ]);
    check_with(
        Schema::parse_truncated,
        vec![
            (list(integers()), "[[1,2],[3,4],[5,-", None),
            (list(integers()), "[[],[1,2]", None),
            (list(json!(true)), "[[1,2], nul", None),
            (
                list(person()),
                "{\"name\": \"A\", \"age\": 1}\n{\"name\": \"B\", \"age\": 2}",
                None,
            ),
            (list(string()), "- a\n- b", None),
            (person(), "name: Ann\nage: 3", None),
            (
                person(),
                "{\"name\": \"A\", \"age\": 1}",
                Some(json!({"name": "A", "age": 1})),
            ),
            (pay(), "pay_with", None),
            (pay(), "\"pay_without", None),
            (pay(), "pay", None),
            (
                pay(),
                "pay_without_credit_card",
                Some(json!("pay_without_credit_card")),
            ),
            (pay(), "\"pay\"", Some(json!("pay"))),
            (color(), "red", Some(json!("red"))),
            (color(), "The color is red", None),
            (integer(), "12", None),
            (integer(), "12\n", Some(json!(12))),
            (json!({"type": "number"}), "12.", None),
            (json!({"type": "boolean"}), "true", Some(json!(true))),
            (string(), "Once upon a", None),
        ],
    );
}

#[test]
fn strings_keep_all_of_their_text() {
    let x = || object(&[("x", string())]);
    let key = || object(&[("key", list(string())), ("key3", string())]);
    let whole = |text: &str| Some(json!({ "x": text }));
    check(vec![
        (
            x(),
            r#"{"x": "The answer is {"blank_1": "music"}, which is not a plain string"}"#,
            whole(r#"The answer is {"blank_1": "music"}, which is not a plain string"#),
        ),
        (
            x(),
            r#"{"x": "The answer is "}, which is not"}"#,
            whole(r#"The answer is "}, which is not"#),
        ),
        (
            x(),
            r#"{"x": "see ["a"] and {"b": "c"} here"}"#,
            whole(r#"see ["a"] and {"b": "c"} here"#),
        ),
        (
            x(),
            r#"{"x": "He wrote "a", "b": "c" there"}"#,
            whole(r#"He wrote "a", "b": "c" there"#),
        ),
        (x(), r#"{"x": "a" b c}"#, whole(r#"a" b c"#)),
        (
            key(),
            r#"{ "key": ["a"], ["b"], ["c"], "key3": "v" }"#,
            None,
        ),
        (key(), r#"{ "key": ["a"] ["b"], "key3": "v" }"#, None),
        (key(), r#"{ "key": "a", "b", "key3": "v" }"#, None),
    ]);
}

#[test]
fn a_negation_chooses_nothing() {
    let denied = [
        "non-negative",
        "I see no positive signs.",
        "It is not positive",
        "not in any way positive",
        "neither positive nor something else",
        "anything but positive",
        "It is far from positive",
        "The review isn't what I would call positive",
        "positive? No",
        "Positive is wrong",
        "pre-positive",
        "positive_x",
    ];
    check(denied.iter().map(|text| (mood(), *text, None)).collect());
    check(vec![
        (
            mood(),
            "It is POSITIVE, without doubt",
            Some(json!("positive")),
        ),
        (mood(), "not bad, but positive", Some(json!("positive"))),
        (mood(), "**positive**", Some(json!("positive"))),
        (integer(), "It is not 7", None),
        (
            json!({"type": "boolean"}),
            "I would not say that it is true",
            None,
        ),
    ]);
}

#[test]
fn a_failure_is_not_an_answer() {
    check(vec![
        (integer(), r#"{"error": "code 7"}"#, None),
        (integer(), r#"{"error": 7}"#, None),
        (integer(), r#"{"errors": [7]}"#, None),
        (mood(), r#"{"error": "negative balance"}"#, None),
        (mood(), r#"{"error": "negative"}"#, None),
        (mood(), r#"{"result": "It is negative"}"#, None),
        (mood(), r#"{"result": "negative"}"#, Some(json!("negative"))),
        (integers(), r#"{"error": [1, 2]}"#, None),
        (person(), r#"{"error": {"name": "A", "age": 1}}"#, None),
        (
            person(),
            r#"{"name": "A", "age": 1, "error": "not found"}"#,
            None,
        ),
        (
            person(),
            r#"{"name": "A", "age": 1, "success": false}"#,
            None,
        ),
        (
            person(),
            r#"{"name": "A", "age": 1, "error": null}"#,
            Some(json!({"name": "A", "age": 1})),
        ),
    ]);
}

#[test]
fn the_answer_wins_over_an_example() {
    let b = || Some(json!({"name": "B", "age": 2}));
    check(vec![
        (
            person(),
            r#"Example: {"name":"John","age":1}. Answer: {"name":"B","age":"unknown"}"#,
            None,
        ),
        (
            person(),
            r#"Example: {"name":"John","age":1}. Answer: {"name":"B","age":2}"#,
            b(),
        ),
        (
            person(),
            r#"Unlike the example {"name":"John","age":1}, the answer is {"name":"B","age":2}"#,
            b(),
        ),
        (
            person(),
            "An example output:\n```json\n{\"name\":\"John\",\"age\":1}\n```\nAnd the real one:\n```json\n{\"name\":\"B\",\"age\":2}\n```",
            b(),
        ),
        (
            person(),
            r#"{"name":"B","age":2}, for example not {"name":"John","age":1}"#,
            b(),
        ),
        (
            person(),
            r#"{"name":"B","age":"unknown"}, unlike {"name":"John","age":1}"#,
            None,
        ),
        (
            integers(),
            "As in [1], the answer is [3, 4]",
            Some(json!([3, 4])),
        ),
        (person(), r#"For example: {"name":"B","age":2}"#, b()),
    ]);
}

#[test]
fn a_value_that_can_change_is_not_final() {
    let cases = [
        (list(integers()), "[[],[1,2]", ""),
        (pay(), "pay", ""),
        (integer(), "12", ""),
        (object(&[("a", integer())]), r#"{"a": 2,"#, "/a"),
        (person(), r#"Example: {"name": "John", "age": 1}"#, "/name"),
        (person(), r#"Perhaps {"name": "John", "age": 1}"#, "/name"),
        (person(), r#"{"name": "John""#, "/name"),
        (person(), r#"{"name": "she said "no","#, "/name"),
        (person(), "{'name': 'it', 'age': 1", "/name"),
        (list(person()), r#"{"name": "John", "age": 1}"#, ""),
    ];
    for (schema, answer, pointer) in cases {
        let schema = Schema::new(&schema).unwrap();
        if let Some(parsed) = schema.parse_partial(answer) {
            assert!(!parsed.is_final(pointer), "{answer}: {parsed:?}");
        }
    }
    let schema = Schema::new(&person()).unwrap();
    for answer in [r#"{"name": "John", "a"#, r#"Here: {"name": "John", "age""#] {
        assert!(
            schema.parse_partial(answer).unwrap().is_final("/name"),
            "{answer}"
        );
    }
}

#[test]
fn a_limit_an_example_or_an_error_code_is_not_the_number() {
    let refused = [
        "–7",
        "at least 42",
        "At most 42.",
        "over 42",
        "up to 42",
        ">42",
        ">= 42",
        "≤ 42",
        "e.g. 7",
        "For example 7",
        "Error 404",
        "error code: 500",
        "HTTP 500",
        "42 or more",
        "42 or less",
        "5 or null",
        "12 and a half",
    ];
    check(refused.map(|text| (integer(), text, None)).into());
    let read = [
        ("approximately 42", 42),
        ("<answer>42</answer>", 42),
        ("x -> 42", 42),
        ("> 42", 42),
        ("The total is over there: 42", 42),
    ];
    check(
        read.map(|(text, number)| (integer(), text, Some(json!(number))))
            .into(),
    );
}

#[test]
fn an_item_in_a_container_of_its_own_is_not_the_item() {
    let maybe = json!({"anyOf": [integer(), {"type": "null"}]});
    check(vec![
        (integers(), "[[1],[2]]", None),
        (integers(), "[[1]]", None),
        (list(maybe), "[[1], null]", None),
        (list(string()), r#"[["a"], ["b"]]"#, None),
        (list(color()), r#"[["red"], ["blue"]]"#, None),
        (list(person()), r#"[[{"name": "A", "age": 1}]]"#, None),
        (list(integers()), "[[1],[2]]", Some(json!([[1], [2]]))),
        (integer(), "[1]", Some(json!(1))),
        (color(), r#"{"not": "red"}"#, None),
        (color(), r#"{"excluded": "red"}"#, None),
        (color(), r#"{"color": "red"}"#, Some(json!("red"))),
        (integer(), "12 Mio", None),
        (integer(), "12 lakh", None),
        (integer(), "12 squared", None),
        (
            person(),
            r#"[{"name": "A", "age": [1]}]"#,
            Some(json!({"name": "A", "age": 1})),
        ),
    ]);
}

#[test]
fn a_question_a_condition_or_a_retraction_chooses_nothing() {
    let refused = [
        "Is it red?",
        "if it were red",
        "red, I think not",
        "red, probably not",
        "it's unlikely to be red",
        "We ruled out red",
        "red was ruled out",
        "exclude red",
        "Das ist nicht red.",
    ];
    check(refused.map(|text| (color(), text, None)).into());
    let read = [
        "If I had to choose, red.",
        "What color is it? It is red.",
        "red, of course",
    ];
    check(read.map(|text| (color(), text, Some(json!("red")))).into());

    let answer = || json!({"enum": ["yes", "no", "unknown"]});
    check(vec![
        (answer(), "no idea", None),
        (answer(), "No one knows.", None),
        (answer(), "No.", Some(json!("no"))),
        (answer(), "No because it is late", Some(json!("no"))),
        (json!({"type": "boolean"}), "True-ish", None),
        (
            json!({"type": "boolean"}),
            "No, it does not.",
            Some(json!(false)),
        ),
        (json!({"enum": ["北京", "上海"]}), "答案不是北京", None),
        (
            json!({"enum": ["北京", "上海"]}),
            "答案是北京",
            Some(json!("北京")),
        ),
    ]);
}

#[test]
fn an_ellipsis_in_place_of_a_value_is_not_left_out() {
    check(vec![
        (integers(), "[1, 2, …, 10]", None),
        (list(string()), r#"["a", ..., "z"]"#, None),
        (list(string()), "[...]", None),
        (person(), r#"{"name": ..., "age": 7}"#, None),
        (list(string()), r#"["a", "..."]"#, Some(json!(["a", "..."]))),
    ]);
}

#[test]
fn a_sign_belongs_to_its_name_or_number() {
    let numbers = || json!({"enum": [1, 2, 3]});
    let digits = || json!({"enum": ["1", "2", "3"]});
    let languages = || json!({"enum": ["C", "C++", "Rust"]});
    let grades = || json!({"enum": ["A+", "A", "A-", "B"]});
    check(vec![
        (numbers(), "-1", None),
        (numbers(), "−1", None),
        (numbers(), "1.5", None),
        (numbers(), "1,5", None),
        (numbers(), "It is 2.5 now", None),
        (numbers(), "Option 2.", Some(json!(2))),
        (numbers(), "(3)", Some(json!(3))),
        (digits(), "-1", None),
        (digits(), "1.5", None),
        (digits(), "- 1", Some(json!("1"))),
        (digits(), "#1", Some(json!("1"))),
        (digits(), "1.", Some(json!("1"))),
        (languages(), "c++", Some(json!("C++"))),
        (languages(), "C#", None),
        (languages(), "I prefer C++.", Some(json!("C++"))),
        (languages(), "I prefer C.", Some(json!("C"))),
        (languages(), "C/C++", None),
        (json!({"enum": ["C", "Rust"]}), "C++", None),
        (json!({"enum": ["C", "Rust"]}), "I like C++.", None),
        (json!({"enum": ["C++", "Rust"]}), "C", None),
        (grades(), "a+", Some(json!("A+"))),
        (grades(), "Grade: A-", Some(json!("A-"))),
        (grades(), "Grade: A", Some(json!("A"))),
        (grades(), "B-", None),
        (grades(), "B - good", Some(json!("B"))),
    ]);
}

#[test]
fn a_retracted_or_denied_answer_is_not_the_answer() {
    let boolean = || json!({"type": "boolean"});
    let letter = || json!({"enum": ["A", "B", "C", "D"]});
    let yes_no = || json!({"enum": ["yes", "no"]});
    let optional = || json!({"type": ["integer", "null"]});
    let ada = json!({"name": "A", "age": 1});
    check(vec![
        (boolean(), "Yes, but actually no.", None),
        (boolean(), "No, that's a yes.", None),
        (boolean(), "Yes, there is no doubt.", Some(json!(true))),
        (boolean(), "The claim \"it is true\" is wrong.", None),
        (boolean(), "The statement is true only if x > 3.", None),
        (boolean(), "The statement is \"true\".", Some(json!(true))),
        (yes_no(), "Yes, but actually no.", None),
        (yes_no(), "No, because it rains.", Some(json!("no"))),
        (mood(), "Positive at first, but negative in the end", None),
        (mood(), "The opposite of positive", None),
        (mood(), "I would not call it \"positive\".", None),
        (mood(), "\"positive\" is wrong", None),
        (mood(), "I call it \"positive\".", Some(json!("positive"))),
        (mood(), "everything but positive", None),
        (mood(), "almost positive", None),
        (mood(), "I disagree that it is positive", None),
        (
            json!({"enum": ["use", "don't"]}),
            "I choose don't here",
            Some(json!("don't")),
        ),
        (
            integers(),
            "```\n[1, 2]\n```\nCorrection:\n```python\n[3]\n```",
            None,
        ),
        (letter(), "A cat", None),
        (letter(), "A man walks in.", None),
        (letter(), "A is right", Some(json!("A"))),
        (letter(), "A: a cat", Some(json!("A"))),
        (letter(), "I think B", Some(json!("B"))),
        (optional(), "null (5 was removed)", None),
        (optional(), "none (5)", None),
        (optional(), "null", Some(Value::Null)),
        (integers(), "[1, 2] is wrong.", None),
        (integers(), "[1, 2] isn't right.", None),
        (integers(), "[1, 2], not [3, 4]", Some(json!([1, 2]))),
        (
            integers(),
            "[1, 2] in order, not sorted",
            Some(json!([1, 2])),
        ),
        (integers(), "[1, 2]. Wait, actually: [1, 3]", None),
        (
            integers(),
            "[1, 2]\n\nWait for the second part, which is only a comment [3, 4]",
            Some(json!([1, 2])),
        ),
        (
            integers(),
            "Wait, [1, 2] is wrong. [1, 3]",
            Some(json!([1, 3])),
        ),
        (integers(), "[1, 2]... I mean [1, 2, 3]", None),
        (integers(), "Not [1, 2] but [3, 4]", Some(json!([3, 4]))),
        (integers(), "[1, 2] and [3, 4]", None),
        (integers(), "Answer: [1, 2] or [3, 4]", None),
        (
            person(),
            r#"{"name": "A", "age": 1} or {"name": "B", "age": 2}"#,
            None,
        ),
        (
            person(),
            r#"{"name": "A", "age": 1} is wrong, {"name": "B", "age": 2} is right"#,
            None,
        ),
        (
            person(),
            "{\"name\": \"A\", \"age\": 1}\n\nCorrection: {\"name\": \"B\", \"age\": 2}",
            None,
        ),
        (
            person(),
            "```json\n{\"name\": \"A\", \"age\": 1}\n```\nI made a mistake:\n```json\n{\"name\": \"B\", \"age\": 2}\n```",
            None,
        ),
        (
            person(),
            "{\"name\": \"A\", \"age\": 1}\nIt is the same as {\"name\": \"B\", \"age\": 2} was.",
            Some(ada),
        ),
    ]);
}

#[test]
fn a_final_value_is_not_replaced_by_a_correction() {
    let schema = Schema::new(&integers()).unwrap();
    for text in [
        "[1, 2]... I mean [1, 2, 3]",
        "[1, 2] is wrong. [1, 3]",
        "Wait, [1, 2] is wrong. [1, 3]",
        "```json\n[1, 2]\n```\nCorrection:\n```json\n[3]\n```",
        "[1, 2] or [3, 4]",
    ] {
        let whole = schema.parse_json(text).ok().map(|parsed| parsed.value);
        for cut in 0..text.len() {
            let Some(part) = schema.parse_partial(&text[..cut]) else {
                continue;
            };
            if let (true, Some(whole)) = (part.is_final(""), &whole) {
                assert_eq!(part.value, *whole, "{}", &text[..cut]);
            }
        }
    }
}

#[test]
fn several_values_with_a_few_words_between_them_are_not_the_first_one() {
    let price = || object(&[("item", string()), ("price", json!({"type": "number"}))]);
    let lists = [
        "[1, 2] and then [3]",
        "[1, 2], then [3]",
        "[1, 2] followed by [3]",
        "[1, 2] plus [3]",
        "[1, 2] as well as [3, 4]",
        "[1, 2] und [3]",
        "[1, 2] 和 [3]",
        "[1, 2]; also [3]",
        "First [1, 2], second [3]",
        "Part 1: [1, 2]\nPart 2: [3]",
        "[1, 2] vs [3]",
        "[1, 2] etc.",
        "[1, 2] + more",
        "not [1, 2]",
        "nicht [1, 2]",
        "[1, 2] ist falsch",
        "[1, 2] es incorrecto",
        "[1, 2]不对",
        r#"["[1]","[2]"]"#,
        r#"["{\"a\": 1}"]"#,
    ];
    check(lists.map(|text| (integers(), text, None)).into());
    let people = [
        r#"Option 1: {"name": "A", "age": 1}
Option 2: {"name": "B", "age": 2}"#,
        r#"Old: {"name": "A", "age": 1}
New: {"name": "B", "age": 2}"#,
        r#"A) {"name": "A", "age": 1}
B) {"name": "B", "age": 2}"#,
        "Before:\n```json\n{\"name\": \"A\", \"age\": 1}\n```\nAfter:\n```json\n{\"name\": \"B\", \"age\": 2}\n```",
    ];
    check(people.map(|text| (person(), text, None)).into());
    let amended = [
        "{\"item\": \"x\", \"price\": 1}. Actually the price is 2.",
        "{\"item\": \"x\", \"price\": 1}\n\nCorrection: price is 2",
        "{\"item\": \"x\", \"price\": 1} Sorry, the price should be 2.",
        "{\"item\": \"x\", \"price\": 1} (the correct price is 2)",
        "{\"item\": \"x\", \"price\": 1}\nI meant price 2.",
        "{\"item\": \"x\", \"price\": 1}\nOn second thought, the price is 2.",
        "{\"item\": \"x\", \"price\": 1}\nOops, the item is y.",
        "{\"item\": \"x\", \"price\": 1}\nNo, the price is 2.",
        "{\"item\": \"x\", \"price\": 1}\nTatsächlich ist der Preis 2.",
        "{\"item\": \"x\", \"price\": 1}\n更正：价格是2。",
    ];
    check(amended.map(|text| (price(), text, None)).into());
    let whole = || Some(json!({"item": "x", "price": 1.0}));
    check(vec![
        (
            price(),
            "{\"item\": \"x\", \"price\": 1}\nThis is the actual price.",
            whole(),
        ),
        (
            price(),
            "{\"item\": \"x\", \"price\": 1}\nNote that the price may change.",
            whole(),
        ),
        (
            price(),
            "{\"item\": \"x\", \"price\": 1}\nSorry for the delay!",
            whole(),
        ),
        (
            price(),
            "{\"item\": \"x\", \"price\": 1}\nNo other price was found in 3 shops.",
            whole(),
        ),
        (integers(), "[1, 2] (see [3])", Some(json!([1, 2]))),
        (integers(), "[1, 2]\n\nSource: [3]", Some(json!([1, 2]))),
        (
            list(integers()),
            r#"["[1]","[2]"]"#,
            Some(json!([[1], [2]])),
        ),
    ]);
}

#[test]
fn negations_and_limits_of_other_languages() {
    let refused = [
        "niemals red",
        "auf keinen Fall red",
        "red ist falsch",
        "red stimmt nicht",
        "jamás red",
        "red es incorrecto",
        "excepto red",
        "red不对",
        "red是错的",
        "除了red",
        "是red吗？",
        "red est faux",
        "sauf red",
        "кроме red",
        "red is onjuist",
        "außer red",
        "used to be red",
        "it would have been red",
        "Options: red",
        "e.g. red",
        "a color such as red",
        "most people say red, but they are wrong",
        "red, but only if it rains",
        "remove red",
    ];
    check(refused.map(|text| (color(), text, None)).into());
    let read = [
        "Die Antwort ist red.",
        "La respuesta es red.",
        "答案是red。",
    ];
    check(read.map(|text| (color(), text, Some(json!("red")))).into());
    let limits = [
        "mindestens 3",
        "höchstens 3",
        "al menos 3",
        "más de 3",
        "mehr als 3",
        "plus de 3",
        "au moins 3",
        "menos 3",
        "fast 3",
        "3 Millionen",
        "3 mil",
        "3 < x",
    ];
    check(limits.map(|text| (integer(), text, None)).into());
}

#[test]
fn a_value_that_a_sentence_takes_back_is_not_the_answer() {
    let after = [
        "This is incorrect.",
        "That's wrong.",
        "Not correct.",
        "Please ignore that.",
        "Scratch that.",
        "These are placeholder values.",
        "It is only an example.",
    ];
    let texts = after.map(|text| format!("{{\"name\": \"A\", \"age\": 1}}\n{text}"));
    check(texts.iter().map(|text| (person(), &**text, None)).collect());
    let before = [
        "Wrong:",
        "Incorrect answer:",
        "Never return",
        "Don't use:",
        "The answer isn't",
    ];
    let texts = before.map(|text| format!("{text} {{\"name\": \"A\", \"age\": 1}}"));
    check(texts.iter().map(|text| (person(), &**text, None)).collect());
    let ada = || Some(json!({"name": "A", "age": 1}));
    check(vec![
        (
            person(),
            "I'm not sure, but here it is: {\"name\": \"A\", \"age\": 1}",
            ada(),
        ),
        (
            person(),
            "{\"name\": \"A\", \"age\": 1}\nThis is the person.",
            ada(),
        ),
        (integer(), "x ≠ 42", None),
        (integer(), "x != 42", None),
        (integer(), r"\boxed{\le 42}", None),
        (integer(), r"\boxed{\sqrt{4}}", None),
        (integer(), "42@x.com", None),
        (json!({"enum": ["low", "high"]}), "≥ high", None),
        (person(), r#"{"name": "A" or "B", "age": 1}"#, None),
        (person(), "{\"name\": \"A\",\n...\n\"age\": 1}", None),
        (list(string()), r#"["a"; "b"]"#, None),
    ]);
}

#[test]
fn the_exact_name_of_a_field_wins_over_another_spelling() {
    let person_of = |age| Some(json!({"name": "A", "age": age}));
    check(vec![
        (
            person(),
            r#"{"name": "A", "AGE": 1, "age": 2}"#,
            person_of(2),
        ),
        (
            person(),
            r#"{"name": "A", "age": 1, "Age": 2}"#,
            person_of(1),
        ),
        (person(), "name: A\nAGE: 1\nage: 2", person_of(2)),
        (person(), r#"{"name": "A", "AGE": 1, "Age": 2}"#, None),
        (
            person(),
            r#"{"name": "A", "AGE": 1, "Age": 1}"#,
            person_of(1),
        ),
    ]);
    // Until the object ends, the exact name may still follow.
    let schema = Schema::new(&person()).unwrap();
    let is_final = |text| {
        schema
            .parse_partial(text)
            .is_some_and(|part| part.is_final("/age"))
    };
    assert!(!is_final(r#"{"AGE": 1, "name": "A", "#));
    assert!(is_final(r#"{"age": 1, "name": "A", "#));
}

#[test]
fn a_part_of_a_text_that_is_refused_is_not_final() {
    let schema = Schema::new(&integers()).unwrap();
    let part = schema.parse_partial("[1, , 3]");
    assert!(part.is_none_or(|part| !part.is_final("") && !part.is_final("/1")));
}
