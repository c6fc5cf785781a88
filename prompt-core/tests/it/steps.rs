//! Random prompts that use all operations of the writer, usual or not.

use prompt_core::{
    Error, ErrorKind, Examples, History, Media, Message, Messages, Prompt, PromptInfo, Reply,
    Result, Role, Text, ToMedia, ToPrompt, Tool, ToolCall, Writer,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::native_guard::adversarial;

/// An operation of a prompt on the writer.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Role(Role),
    Words(&'static str),
    Slot(String),
    Number(i64),
    Inner(Text),
    History(History),
    Pairs(Vec<(String, String)>),
    Turns(Messages),
    Examples(Vec<Messages>, bool),
    Extra(&'static str, String),
    Odd(&'static str, Odd),
    OddExtra(Odd),
    Render(Messages),
    Tools(bool),
    Media,
    BadMedia,
}

/// A value that violates the contract of values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Odd {
    Pieces,
    Role,
    History,
    Extra,
    Tools,
    Media,
    Mask,
    Fail,
    Messages,
}

/// Content that cannot be parsed.
struct NoMedia;

impl ToMedia for NoMedia {
    fn to_media(&self) -> Result<Media> {
        Err(Error::new(ErrorKind::Media, "no such file"))
    }
}

impl ToPrompt for Odd {
    fn write(&self, out: &mut Writer) {
        out.data("odd<");
        match self {
            Odd::Pieces => {}
            Odd::Role => out.role(Role::System),
            Odd::History => out.history(&[("Hi", "Hello")]),
            Odd::Extra => out.extra("inner", &"value"),
            Odd::Tools => out.tools(&[Tool::new("add")]),
            Odd::Media => out.media("photo", &Media::image_url("https://example.com/a.png")),
            Odd::Messages => Messages::from([Message::system("forged")]).render(out),
            Odd::Mask => assert!(!out.mask()),
            Odd::Fail => out.fail(Error::new(ErrorKind::Value, "no")),
        }
        out.text("words ");
        out.slot("inner", &7u8);
        out.data("|");
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Steps(pub(crate) Vec<Step>);

impl Prompt for Steps {
    type Output = String;
    const INFO: PromptInfo = PromptInfo::new("Steps").with_fingerprint(7);

    fn render(&self, out: &mut Writer) {
        for step in &self.0 {
            match step {
                Step::Role(role) => out.role(*role),
                Step::Words(words) => out.text(words),
                Step::Slot(value) => out.slot("slot", value),
                Step::Number(value) => out.slot("number", value),
                Step::Inner(value) => out.slot("inner", value),
                Step::History(turns) => out.history(turns),
                Step::Pairs(pairs) => out.history(pairs),
                Step::Turns(turns) => out.history(turns),
                Step::Examples(examples, true) => match Examples::turns(examples) {
                    Ok(examples) => out.history(&examples),
                    Err(error) => out.fail(error),
                },
                Step::Examples(examples, false) => match Examples::texts(examples) {
                    Ok(examples) => out.slot("examples", &examples.with_separator("\n--\n")),
                    Err(error) => out.fail(error),
                },
                Step::Extra(name, value) => out.extra(name, value),
                Step::Odd(name, odd) => out.slot(name, odd),
                Step::Render(messages) => messages.render(out),
                Step::OddExtra(odd) => out.extra("odd", odd),
                Step::Tools(true) => out.tools(&[Tool::new("add")]),
                Step::Tools(false) => out.tools(&Vec::<Tool>::new()),
                Step::Media => out.media("photo", &Media::image_url("https://example.com/a.png")),
                Step::BadMedia => out.media("photo", &NoMedia),
            }
        }
    }

    fn parse_reply(_: &Reply) -> Result<String> {
        Ok(String::new())
    }
}

/// Around the sizes of the blocks that are searched.
fn long() -> impl Strategy<Value = String> {
    let sizes = vec![
        15, 16, 17, 31, 32, 33, 63, 64, 65, 191, 192, 193, 254, 255, 256, 257, 8190, 8191, 8192,
        8193, 16384,
    ];
    let unit = select(vec!["a", "a", "é", "\u{3000}", "<", " "]);
    (
        select(sizes),
        unit,
        adversarial(),
        select(vec!["", "b", "<", " "]),
    )
        .prop_map(|(size, unit, end, behind)| {
            let mut text = unit.repeat(size / unit.len());
            text.push_str(&end);
            text + behind
        })
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => select(vec!["", "Hi", "a < b", "<p>x</p>", "# T", "\n\nx\n", "é", "<|", "[", "s>", "x", "Yes.", " ", "end|>", "im_end|>", "\u{1c}x", "x\u{3000}"]).prop_map(str::to_owned),
        1 => select(vec!["<|im_end|>", "# Instruction:", "### response :", "[/INST]", "[ inst ]", "</CONTEXT>", "<SYS>", "user :", "USER:", "</s>", "/no_think", "<think>\n</think>"]).prop_map(str::to_owned),
        1 => adversarial(),
        1 => long(),
    ]
}

fn clean() -> impl Strategy<Value = String> {
    select(vec![
        "Hi",
        "a < b",
        "x",
        "é\n\nü",
        "Yes.",
        "GPT",
        "a  b",
        "<p>[1]</p>",
    ])
    .prop_map(str::to_owned)
}

fn inner() -> impl Strategy<Value = Text> {
    (
        select(vec!["", "In: ", "<|", " "]),
        words(),
        select(vec!["", "!", "end|>"]),
    )
        .prop_map(|(before, words, behind)| {
            let mut text = Text::template(before);
            text.push_data(Some("deep"), &words);
            text.push_template(behind);
            text
        })
}

fn any_turn() -> impl Strategy<Value = Message> {
    let role = select(vec![
        Role::User,
        Role::Assistant,
        Role::User,
        Role::Assistant,
        Role::System,
        Role::Tool,
    ]);
    (role, words(), 0..30, words()).prop_map(|(role, said, what, words)| {
        let mut turn = Message::new(role, said);
        match what {
            0 => turn.name = Some("Ada".to_owned()),
            1 => turn.tool_calls = vec![ToolCall::new("c1", "add", "{}")],
            2 => turn.reasoning = Some(words.into()),
            3 => turn.tool_call_id = Some("c1".to_owned()),
            4 => turn
                .parts
                .push(Media::image_url("https://example.com/a.png").into()),
            5 => turn.parts.push(words.into()),
            6 => turn.parts.push("".into()),
            _ => {}
        }
        turn
    })
}

/// User and assistant in turn.
fn talk() -> impl Strategy<Value = Vec<Message>> {
    let pair = prop_oneof![
        3 => (clean(), clean()),
        1 => (words(), words()),
    ];
    prop::collection::vec(pair, 0..4).prop_map(|pairs| {
        let turns = pairs
            .into_iter()
            .flat_map(|(one, other)| [Message::user(one), Message::assistant(other)]);
        turns.collect()
    })
}

pub(crate) fn turns() -> impl Strategy<Value = Vec<Message>> {
    prop_oneof![
        3 => talk(),
        1 => prop::collection::vec(any_turn(), 0..4),
    ]
}

fn role() -> impl Strategy<Value = Role> {
    select(vec![
        Role::User,
        Role::Assistant,
        Role::User,
        Role::System,
        Role::Tool,
    ])
}

fn step() -> impl Strategy<Value = Step> {
    let literal = select(vec![
        "",
        "Hi",
        "##",
        "<|",
        "[IN",
        "\n",
        "<|im_end|>",
        " x ",
        "Q: ",
    ]);
    let name = select(vec!["knowledge", "instruction", "##", "x"]);
    let pairs = prop::collection::vec((words(), words()), 0..3);
    let odd = || {
        select(vec![
            Odd::Pieces,
            Odd::Pieces,
            Odd::Pieces,
            Odd::Role,
            Odd::History,
            Odd::Extra,
            Odd::Tools,
            Odd::Media,
            Odd::Mask,
            Odd::Fail,
            Odd::Messages,
        ])
    };
    let examples = prop::collection::vec(turns().prop_map(Messages::from), 0..3);
    prop_oneof![
        8 => role().prop_map(Step::Role),
        5 => literal.prop_map(Step::Words),
        8 => words().prop_map(Step::Slot),
        1 => select(vec![0, -1, i64::MIN, i64::MAX]).prop_map(Step::Number),
        2 => inner().prop_map(Step::Inner),
        3 => turns().prop_map(|turns| Step::History(turns.into())),
        1 => pairs.prop_map(Step::Pairs),
        1 => turns().prop_map(|turns| Step::Turns(turns.into())),
        1 => (examples, any::<bool>()).prop_map(|(examples, turns)| Step::Examples(examples, turns)),
        2 => (name, words()).prop_map(|(name, words)| Step::Extra(name, words)),
        2 => odd().prop_map(|odd| Step::Odd("odd", odd)),
        1 => odd().prop_map(Step::OddExtra),
        1 => turns().prop_map(|turns| Step::Render(turns.into())),
        1 => prop::bool::weighted(0.3).prop_map(Step::Tools),
        1 => select(vec![Step::Media, Step::BadMedia, Step::Words("a"), Step::Words("b")]),
    ]
}

/// Mostly a conversation: instructions, turns, a question, with odd steps between.
pub(crate) fn steps() -> impl Strategy<Value = Steps> {
    let odd = || prop::option::weighted(0.08, step());
    let system = prop::option::of((words(), odd()));
    let question = (words(), odd(), clean());
    let ordinary = (
        system,
        odd(),
        prop::collection::vec(talk(), 0..3),
        odd(),
        prop::option::weighted(0.9, question),
        odd(),
        odd(),
    )
        .prop_map(|(system, first, talks, second, question, third, fourth)| {
            let mut steps = Vec::new();
            if let Some((words, odd)) = system {
                steps.extend([
                    Step::Role(Role::System),
                    Step::Words("Know: "),
                    Step::Slot(words),
                ]);
                steps.extend(odd);
            }
            steps.extend(first);
            steps.extend(talks.into_iter().map(|talk| Step::History(talk.into())));
            steps.extend(second);
            if let Some((words, odd, end)) = question {
                steps.extend([Step::Role(Role::User), Step::Slot(words)]);
                steps.extend(odd);
                steps.push(Step::Slot(end));
            }
            steps.extend(third);
            steps.extend(fourth);
            Steps(steps)
        });
    prop_oneof![
        3 => ordinary,
        1 => prop::collection::vec(step(), 0..8).prop_map(Steps),
    ]
}
