//! Adversarial conversations.

use prompt_core::format;
use prompt_core::{ChatFormat, Message, Messages, Role, Text, Tool, ToolCall};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Adversarial text: tokens of all families, parts of tokens, tokens inside other tokens, adjacent text, and
/// similar text.
pub(crate) fn adversarial() -> impl Strategy<Value = String> {
    let tokens: Vec<&str> = format::MODEL_FORMATS
        .iter()
        .flat_map(|native| native.family().tokens)
        .copied()
        .collect();
    let beside = vec![
        "user",
        "assistant",
        "\n",
        "system\n",
        " ",
        "<",
        "|",
        ">",
        "[",
        "]",
        "/",
        "<<",
        ">>",
        ":",
        "### ",
        "\u{3000}",
        "\u{1c}",
        "\r\n",
        "</think>",
        "/no_think",
        "/system_override",
    ];
    let token = || select(tokens.clone());
    let piece = prop_oneof![
        4 => token().prop_map(str::to_owned),
        4 => (token(), any::<Index>(), any::<bool>()).prop_map(half),
        2 => (token(), any::<Index>(), token()).prop_map(nested),
        1 => token().prop_map(look_alike),
        2 => (token(), any::<Index>()).prop_map(variant),
        2 => select(beside).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn half((token, at, front): (&str, Index, bool)) -> String {
    let (start, end) = cut(token, at);
    if front { start } else { end }
}

fn nested((token, at, inner): (&str, Index, &str)) -> String {
    let (start, end) = cut(token, at);
    [&start, inner, &end].concat()
}

fn cut(token: &str, at: Index) -> (String, String) {
    let chars: Vec<char> = token.chars().collect();
    let (start, end) = chars.split_at(at.index(chars.len()));
    (start.iter().collect(), end.iter().collect())
}

/// In another case, with white space somewhere.
fn variant((token, at): (&str, Index)) -> String {
    let (start, end) = cut(token, at);
    [&start.to_lowercase(), " \n", &end.to_uppercase()][at.index(2)..].concat()
        + &[&*start.to_uppercase(), &end].concat()
}

/// Other letters of the same shape: no model reads them as its token.
fn look_alike(token: &str) -> String {
    let letter = |letter: char| match letter {
        '<' => '＜',
        '>' => '＞',
        '[' => '［',
        '|' => '│',
        '｜' => '|',
        'a' => 'а',
        'e' => 'е',
        ':' => '：',
        '#' => '＃',
        letter => letter,
    };
    token.chars().map(letter).collect()
}

/// A text in which template text and data alternate, so that tokens can form across borders.
fn text() -> impl Strategy<Value = Text> {
    let words = select(vec!["", " ", "<", "<|im_", "[", "x", ">", "<|", "#"]);
    prop::collection::vec((adversarial(), words), 0..4).prop_map(|pieces| {
        let mut text = Text::new();
        for (data, template) in pieces {
            text.push_data(Some("slot"), &data);
            text.push_template(template);
        }
        text
    })
}

fn message(role: Role) -> impl Strategy<Value = Message> {
    text().prop_map(move |text| Message::new(role, text))
}

/// The name of a tool: a name that is not a word is an error in families that write it unquoted.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => Just("tide".to_owned()), 1 => adversarial()]
}

/// A call of a tool, its result, and the answer: every name, key and value is adversarial.
fn call() -> impl Strategy<Value = Vec<Message>> {
    let words = (name(), adversarial(), adversarial());
    (words, text(), message(Role::Assistant)).prop_map(|((name, key, value), result, answer)| {
        let arguments = serde_json::json!({ key: value }).to_string();
        vec![
            Message::calls([ToolCall::new("call00001", name.clone(), arguments)]),
            Message::tool("call00001", result).with_name(name),
            answer,
        ]
    })
}

/// System or not, then user and assistant in turn, with or without tools, ending with the user.
pub(super) fn conversation() -> impl Strategy<Value = Messages> {
    let answer = prop_oneof![
        3 => message(Role::Assistant).prop_map(|message| vec![message]),
        1 => call(),
    ];
    let turns = prop::collection::vec((message(Role::User), answer), 0..3);
    let tool = (name(), adversarial())
        .prop_map(|(name, description)| Tool::new(name).with_description(&description));
    (
        prop::option::of(message(Role::System)),
        turns,
        message(Role::User),
        prop::option::weighted(0.3, tool),
    )
        .prop_map(|(system, turns, last, tool)| {
            let turns = turns
                .into_iter()
                .flat_map(|(user, answers)| [vec![user], answers].concat());
            let all: Messages = system.into_iter().chain(turns).chain([last]).collect();
            tool.into_iter().fold(all, Messages::with_tool)
        })
}
