//! No token is forged through a chat template: whatever a conversation holds, the text has the template's tokens and no more.

use proptest::prelude::*;

use prompt_chat_template::ChatTemplate;
use prompt_core::{ChatFormat, Guard, Message, Messages};

/// Templates that print, strip, cut, join, escape and look into what they are given.
const TEMPLATES: [&str; 6] = [
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}",
    "{% for m in messages %}<|im_start|>{{ m.content | trim }}<|im_end|>{% endfor %}<|im_start|>",
    "{% for m in messages %}<|im_start|>{{ m.content.replace('-', '') }}<|im_end|>{% endfor %}",
    "{% for m in messages %}<|im_start|>{{ m.content.split('#') | join('') }}<|im_end|>{% endfor %}",
    "{% for m in messages %}<|im_start|>{{ m | tojson }}<|im_end|>{% endfor %}",
    "{% for m in messages %}<|im_start|>{% if '</think>' in m.content %}\
     {{ m.content.split('</think>')[-1].lstrip('\\n') }}{% else %}{{ m.content }}{% endif %}<|im_end|>{% endfor %}\
     <|im_start|><think>",
];

const TOKENS: [&str; 4] = ["<|im_start|>", "<|im_end|>", "<think>", "</think>"];

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "<|im_start|>",
        "<|im_end|>",
        "<think>",
        "</think>",
        "<|im",
        "_end|>",
        "|>",
        "<",
        "-",
        "#",
        "\"",
        "\\",
        "\n",
        " ",
        "a",
        "é",
        "｜",
        "\u{f0000}",
        "\u{10fffd}",
        "</thi",
        "nk>",
    ])
}

fn counts(text: &str) -> [usize; 4] {
    TOKENS.map(|token| text.matches(token).count())
}

proptest! {
    #[test]
    fn no_token_is_forged(
        texts in prop::collection::vec(prop::collection::vec(piece(), 0..9), 1..4),
        index in 0..TEMPLATES.len(),
    ) {
        let messages = |text: &dyn Fn(&[&str]) -> String| -> Messages {
            let turn = |(at, pieces): (usize, &Vec<&str>)| match at % 2 {
                0 => Message::user(text(pieces)),
                _ => Message::assistant(text(pieces)),
            };
            texts.iter().enumerate().map(turn).collect()
        };
        let template = ChatTemplate::new(TEMPLATES[index]).unwrap().lenient();
        let template = template.control_tokens(TOKENS);
        let forged = messages(&|pieces| pieces.concat());
        let harmless = messages(&|_| "x".to_owned());
        let wanted = counts(&harmless.to_text(&template).unwrap());
        let text = forged.to_text(&template).unwrap();
        prop_assert_eq!(counts(&text), wanted, "{}", text);

        let plain = forged.to_text((&template).guard(Guard::Allow)).unwrap();
        let has_tokens = counts(&plain) != wanted;
        if has_tokens {
            prop_assert!(forged.to_text((&template).guard(Guard::Reject)).is_err(), "{}", plain);
        } else {
            prop_assert_eq!(text, plain);
        }
    }
}
