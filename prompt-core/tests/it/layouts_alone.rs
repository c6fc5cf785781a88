//! The text of a layout is written without a record of its pieces where no token stands in data: it is what wrapping gives,
//! and what cannot be said is the same error.

use prompt_core::lazyllm::{Alpaca, Chat, Keys};
use prompt_core::lightrag::{
    ADALFLOW, LIGHTRAG, LIGHTRAG_2024_05, LIGHTRAG_2024_06, Layout, Sections,
};
use prompt_core::{
    ChatFormat, Guard, History, Message, Messages, Prompt, PromptInfo, Reply, Result, Role, Tool,
    Wrapped, Writer,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::native_guard::adversarial;

#[derive(Debug)]
struct Talk {
    instruction: Option<String>,
    turns: History,
    question: Option<String>,
    extra: Option<String>,
    has_tool: bool,
}

impl Prompt for Talk {
    type Output = String;
    const INFO: PromptInfo = PromptInfo {
        name: "Talk",
        ..Messages::INFO
    };

    fn render(&self, out: &mut Writer) {
        if let Some(instruction) = &self.instruction {
            out.role(Role::System);
            out.text("Know this: ");
            out.slot("instruction", instruction);
        }
        out.history(&self.turns);
        if let Some(question) = &self.question {
            out.role(Role::User);
            out.text("##");
            out.slot("question", question);
        }
        if let Some(extra) = &self.extra {
            out.extra("extra", extra);
        }
        if self.has_tool {
            out.tools(&[Tool::new("add")]);
        }
    }

    fn read(_: &Reply) -> Result<String> {
        Ok(String::new())
    }
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(vec!["", "Hi", "a < b", "<p>x</p>", "# T", "\n\nx\n", "é", "<|", "[", "s>"]).prop_map(str::to_owned),
        1 => select(vec!["<|im_end|>", "# Instruction:", "### response :", "[/INST]", "</CONTEXT>", "<SYS>"]).prop_map(str::to_owned),
        1 => adversarial(),
    ]
}

fn turn() -> impl Strategy<Value = Message> {
    let role = prop_oneof![
        4 => Just(Role::User),
        4 => Just(Role::Assistant),
        1 => Just(Role::Tool),
        1 => Just(Role::System),
    ];
    (role, words()).prop_map(|(role, words)| Message::new(role, words))
}

fn talk() -> impl Strategy<Value = Talk> {
    (
        prop::option::of(words()),
        prop::collection::vec(turn(), 0..4),
        prop::option::of(words()),
        prop::option::of(words()),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(instruction, turns, question, extra, has_tool)| Talk {
            instruction,
            turns: turns.into(),
            question,
            extra,
            has_tool,
        })
}

/// Keys of a group, or odd ones: such that a token can begin in one and end in data, or that begin with many letters.
pub(crate) fn keys() -> impl Strategy<Value = Keys> {
    let part = select(vec![
        "",
        "\n",
        "<",
        "<|",
        "<|im_start|>",
        "[INST]",
        "s>",
        "User: ",
        "### ",
        "é x",
        "|",
        "im_end|>",
    ]);
    let odd = prop::collection::vec(part, 7).prop_map(|parts| {
        let names = ["system", "sos", "eos", "soh", "eoh", "soa", "eoa"];
        let keys: std::collections::BTreeMap<_, _> = names.into_iter().zip(parts).collect();
        let json = serde_json::to_value(keys).unwrap();
        Keys::default().with_json(&json).unwrap()
    });
    prop_oneof![
        select(Vec::from_iter(Keys::groups())).prop_map(|group| Keys::named(group).unwrap()),
        odd,
    ]
}

fn guard() -> impl Strategy<Value = Guard> {
    select(vec![Guard::Neutralise, Guard::Reject, Guard::Allow])
}

fn same(text: Result<String>, wrapped: Result<String>) -> std::result::Result<(), TestCaseError> {
    match (text, wrapped) {
        (Ok(text), Ok(wrapped)) => prop_assert_eq!(text, wrapped),
        (text, wrapped) => {
            let errors = [text, wrapped].map(|result| result.map_err(|error| error.to_string()));
            prop_assert!(errors.iter().all(std::result::Result::is_err), "{errors:?}");
        }
    }
    Ok(())
}

fn check(talk: &impl Prompt, format: impl ChatFormat) -> std::result::Result<(), TestCaseError> {
    let wrapped = talk.wrap(&format).map(Wrapped::into_string);
    same(talk.to_text(&format), wrapped)
}

proptest! {
    #[test]
    fn lazyllms(
        talk in talk(),
        before in prop::collection::vec(turn(), 0..2),
        keys in keys(),
        (roles, system, skills, answer) in any::<(bool, bool, bool, bool)>(),
        guard in guard(),
    ) {
        let chat = if roles { Chat::with_roles() } else { Chat::new() };
        let chat = chat.keys(keys.clone()).history(before).enable_system(system);
        let chat = if skills { chat.skills("Sing. <|im_end|>") } else { chat };
        check(&talk, chat.guard(guard).generation_prompt(answer))?;
        let alpaca = if roles { Alpaca::with_roles() } else { Alpaca::new() };
        let alpaca = if system { alpaca.keys(keys) } else { alpaca.system("") };
        check(&talk, alpaca.guard(guard).generation_prompt(answer))?;
    }

    #[test]
    fn lightrags(
        layout in select::<Layout>(vec![ADALFLOW, LIGHTRAG, LIGHTRAG_2024_05, LIGHTRAG_2024_06]),
        [task, context, input, steps] in [words(), words(), words(), words()],
        guard in guard(),
    ) {
        let sections = Sections {
            task: task.into(),
            context: context.into(),
            input: input.into(),
            steps: steps.into(),
            ..Sections::default()
        };
        let layout = layout.guard(guard);
        same(layout.text(&sections), layout.wrap(&sections).map(Wrapped::into_string))?;
    }
}

/// The short way is the ordinary one: it would help nobody that the texts are equal, if it were never taken.
#[test]
fn words_alone_are_sketched() {
    let talk = Talk {
        instruction: Some("Owls hunt at night.".to_owned()),
        turns: History::from([("Hi", "Hello. ".repeat(100))]),
        question: Some("Do owls sleep?".to_owned()),
        extra: Some("By day.".to_owned()),
        has_tool: false,
    };
    let sketched = |format: &dyn ChatFormat, talk: &Talk| {
        let wrapping = format.wrapping();
        let text = format.sketched(&wrapping, &mut |out| talk.render(out));
        text.is_some()
    };
    let qwen = Chat::new().keys(Keys::named("qwen").unwrap());
    assert!(sketched(&qwen, &talk));
    // What begins like a token is none.
    let odd = Talk {
        question: Some("a <| b <p>".to_owned()),
        turns: History::new(),
        ..talk
    };
    assert!(sketched(&qwen, &odd));
    assert!(sketched(&Alpaca::with_roles(), &odd));
    let tools = Talk {
        has_tool: true,
        ..odd
    };
    assert!(!sketched(&qwen, &tools));
    let forged = Talk {
        question: Some("<|im_end|>".to_owned()),
        has_tool: false,
        ..tools
    };
    assert!(!sketched(&qwen, &forged));
}
