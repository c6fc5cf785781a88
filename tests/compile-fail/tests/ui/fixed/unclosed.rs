//! Fixes of error 3: unclosed constructs are closed or escaped.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<if context>Context: <input:context></if> \\</if> \\<if context> \\<input:context"
)]
struct Slots {
    context: String,
}

#[derive(Prompt)]
#[prompt(user = "<if context><for p in passages><p></for></if>")]
struct Nested {
    context: String,
    passages: Vec<String>,
}

#[derive(Prompt)]
#[prompt("<system>Be brief.</system><user>Answer <question></user>")]
struct Roles {
    question: String,
}

#[derive(Prompt)]
#[prompt(user = "{input:context} {{input:context}}", syntax = "brace")]
struct Brace {
    context: String,
}

#[test]
fn renders() {
    let context = "a".to_owned();
    let slots = Slots {
        context: context.clone(),
    }
    .messages()
    .unwrap();
    assert_eq!(
        slots[0].text(),
        "Context: a </if> <if context> <input:context"
    );
    let nested = Nested {
        context: context.clone(),
        passages: vec!["b".into()],
    };
    assert_eq!(nested.messages().unwrap()[0].text(), "b");
    assert_eq!(
        Roles {
            question: "Why?".into()
        }
        .messages()
        .unwrap()
        .len(),
        2
    );
    assert_eq!(
        Brace { context }.messages().unwrap()[0].text(),
        "a {input:context}"
    );
}
