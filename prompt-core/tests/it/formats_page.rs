//! Writes `docs/formats.md` from the formats, so that the page states what they do.
//!
//! `UPDATE_EXPECT=1 cargo test -p prompt-core --features schema --test it formats_page` updates it.

use std::fmt::Write;

use expect_test::expect_file;
use prompt_core::format::{
    self, CallBody, CallSyntax, Date, Family, FormatOption, FormatOptions, NativeFormat,
};
use prompt_core::{ChatFormat, Guard, Media, Message, Messages, Tool, ToolCall};

/// Text that occurs in no delimiter.
const SYSTEM: &str = "§instructions§";

const HEAD: &str = "\
# Chat formats

The output of each format is equal, byte for byte, to the output of the models' own chat template. A test writes this page from
the formats. A format is `typed_prompt::format::` and its name in capitals, or
`typed_prompt::format::model_format(\"…\")` with its name or the name of a model that is listed here.

Content that a family does not support is an error that names it. `format.lenient()` renders like the model's chat template
instead, which drops such content silently. `format.continued()` leaves the last message open, so that the model continues
it. `format.parse(text)` parses text in the family's format into turns.

Options are set on a format one by one (`format::QWEN3.thinking(false).bos(false)`) or all at once
(`format::QWEN3.options(FormatOptions::new().thinking(false))`). All formats here support `guard`, `bos`, `eos`, `generation_prompt`, `label`,
`control_tokens`, `normalized_tokens`, `tokenizer`, `lenient` and `continued`. A format that supports more lists them. Any other option is an error.

Each format lists its control tokens, which the guard neutralises or rejects in data, and which the compiler rejects in a
template. They are the added and special tokens of the models' tokenizer, and the delimiters that it splits like other text.
`N` in a token is a number of up to six digits. The sources of tokens are named in `prompt-family/src`.

`format::AnswerParser` reads the reasoning and the tool calls of an answer, in the forms that each format lists. The keys `parameters` and
`tool_name` are accepted too. Several calls may follow each other, with white space and line breaks between the parts.

The columns of the table:

- `instructions`: where the text of a system message is written. A system message after the first turn is an error, unless the cell contains what happens to it.
- `order`: `any`, or which roles have to follow each other; another order is an error.
- `white space`: whether white space at the beginning and end of a message is kept, or stripped as by the model's chat template.
- `tools`: what the format can write: definitions of tools, a call, several calls in one message (`parallel calls`), results of calls. The rest is an error.
- `reasoning`: whether the reasoning of answers in the history is written. `no`: it is an error. `omitted in earlier turns`: it is left out, and an error in a last message.
- `media`: the kinds of which the text contains the placeholder of the model's chat template, as `<start_of_image>` of `gemma3`; the server receives the image itself beside the
  text. Another kind is an error. Data that contains a placeholder is guarded like any control token.
- `prefix`: whether the format preserves prefixes (`ChatFormat::is_prefix_preserving`), so that each text of a growing conversation begins with the text before it. Where it does
  not, a server computes earlier turns again, and a token of a turn may have another position in training than in use. Reasoning that is left out of earlier turns is the most
  common reason; others are instructions or tools in the last user message.
- `mask`: the bytes of a last answer that the model generates, as `AnnotatedText::generated` marks them for training: `…` is the text of the answer, `\\n` a line break. In the
  source of this page, `\\|` is the character `|`, which Markdown would read as the end of a cell.

| format | instructions | order | white space | tools | reasoning | media | prefix | mask |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

const SOURCES: &str = "
## Models and sources

The models that a family was written for, the chat template that was read, and when. Templates change without a version: a model whose template is newer may differ, and
is exact through [`ChatTemplate`](chat-templates.md).

| format | models | chat template | read |
| --- | --- | --- | --- |
";

/// Media at an address.
type MediaOf = fn(&str) -> Media;

/// The kinds of media that a chat template can have a placeholder for, by name.
pub(crate) const KINDS: [(&str, MediaOf); 3] = [
    ("image", |url| Media::image_url(url)),
    ("audio", |url| Media::audio_url(url)),
    ("video", |url| Media::video_url(url)),
];

const NOT_BUILT_IN: &str = "
The formats of these models are known and not built in; a name of such a model is an error with the reason. The model's own chat
template (`ChatTemplate`) writes them.

| model | reason |
| --- | --- |
";

#[test]
fn formats_page() {
    let natives: Vec<Probe> = format::MODEL_FORMATS
        .iter()
        .map(|native| Probe::new(native))
        .collect();
    let mut page = HEAD.to_owned();
    for probe in &natives {
        let name = probe.name();
        let cells = [
            probe.system(),
            probe.order(),
            probe.white_space(),
            probe.tools(),
            probe.reasoning(),
            probe.media(),
            probe.prefix(),
            probe.mask(),
        ];
        writeln!(page, "| [`{name}`](#{name}) | {} |", cells.join(" | ")).unwrap();
    }
    page.push_str(SOURCES);
    for probe in &natives {
        let Family {
            name,
            title,
            aliases,
            source,
            ..
        } = probe.native.family();
        let models = aliases.iter().filter_map(|alias| alias.rsplit_once('/'));
        let mut models: Vec<&str> = models.map(|(_, model)| model).collect();
        if models.is_empty() {
            models.push(title);
        }
        let (models, template, read) = (models.join(", "), source.template, source.read);
        writeln!(
            page,
            "| [`{name}`](#{name}) | {models} | {template} | {read} |"
        )
        .unwrap();
    }
    page.push_str(NOT_BUILT_IN);
    for model in format::UNSUPPORTED {
        writeln!(page, "| {} | {} |", model.title, model.reason).unwrap();
    }
    for probe in &natives {
        probe.section(&mut page);
    }
    expect_file!["../../../docs/formats.md"].assert_eq(&page);
}

/// The properties of a format, determined by calling it.
struct Probe {
    native: NativeFormat,
}

impl Probe {
    fn new(native: &NativeFormat) -> Probe {
        Probe { native: *native }
    }

    /// A page that changes with the day could not be checked.
    fn dated(&self) -> FormatOptions {
        let day = Date {
            year: 2025,
            month: 7,
            day: 26,
        };
        match self.name() {
            // Its template has a fixed date.
            "llama3_1" => FormatOptions::new(),
            _ if self.native.supports(FormatOption::Date) => FormatOptions::new().date(day),
            _ => FormatOptions::new(),
        }
    }

    fn name(&self) -> &'static str {
        self.native.family().name
    }

    fn text(&self, messages: impl Into<Messages>, answers: bool) -> Option<String> {
        let options = self.dated().guard(Guard::Allow).generation_prompt(answers);
        messages.into().to_text(self.native.options(options)).ok()
    }

    fn takes(&self, messages: impl Into<Messages>) -> bool {
        self.text(messages, false).is_some()
    }

    /// The delimiters that open a user turn: before the first one and before a later one.
    fn user_mark(&self) -> String {
        let first = self.text([user("U1")], false).unwrap_or_default();
        let later = self
            .text([user("U1"), assistant("A1"), user("U2")], false)
            .unwrap_or_default();
        let before =
            |text: &str, word: &str| text.split(word).next().unwrap_or_default().to_owned();
        let (first, later) = (before(&first, "U1"), before(&later, "U2"));
        let same = first
            .chars()
            .rev()
            .zip(later.chars().rev())
            .take_while(|(a, b)| a == b)
            .count();
        first.chars().skip(first.chars().count() - same).collect()
    }

    fn system(&self) -> String {
        let turns = [
            Message::system(SYSTEM),
            user("U1"),
            assistant("A1"),
            user("U2"),
        ];
        let Some(text) = self.text(turns, false) else {
            return "not supported".to_owned();
        };
        let at = |word: &str| text.find(word).unwrap_or(usize::MAX);
        let before = &text[..at(SYSTEM)];
        let place = if at(SYSTEM) > at("U1") {
            "in the last user message"
        } else if before.contains(&self.user_mark()) {
            "in the first user message"
        } else if self.is_bare(before) {
            "without delimiters, at the start"
        } else {
            "separate turn"
        };
        let middle = [
            user("U1"),
            assistant("A1"),
            Message::system(SYSTEM),
            user("U2"),
        ];
        match self.text(middle, false) {
            Some(text) if text.find(SYSTEM) < text.find("U1") => {
                format!("{place}; later ones are moved there")
            }
            Some(_) => format!("{place}; also between other turns"),
            None => place.to_owned(),
        }
    }

    /// Whether the text is only the token at the start.
    fn is_bare(&self, before: &str) -> bool {
        let without = self.text([user("U1")], false).unwrap_or_default();
        // A default system message has the same delimiters as a user-defined one.
        without.starts_with(before) && !before.contains("system")
    }

    fn order(&self) -> String {
        let twice = self.takes([user("a"), user("b")]);
        let first = self.takes([assistant("a"), user("b")]);
        match (twice, first) {
            (true, true) => "any",
            (true, false) => "user first",
            (false, true) => "no two in a row",
            (false, false) => "user and assistant alternate",
        }
        .to_owned()
    }

    fn white_space(&self) -> String {
        let strips = |messages: Vec<Message>| {
            let text = self.text(messages, false).unwrap_or_default();
            !text.contains("\u{3000}x\u{3000}")
        };
        let user_strips = strips(vec![user("\u{3000}x\u{3000}"), assistant("a"), user("b")]);
        let assistant_strips = strips(vec![user("a"), assistant("\u{3000}x\u{3000}"), user("b")]);
        match (user_strips, assistant_strips) {
            (false, false) => "kept",
            (true, true) => "stripped",
            (false, true) => "stripped in answers",
            (true, false) => "stripped in user messages",
        }
        .to_owned()
    }

    fn tools(&self) -> String {
        let call = |id: &str| ToolCall::new(id, "tide", "{\"day\": 1}");
        let calls = |calls: Vec<ToolCall>| vec![user("a"), Message::calls(calls)];
        let result = Message::tool("call00001", "6:12");
        let answered = [calls(vec![call("call00001")]), vec![result, assistant("b")]].concat();
        let offered = Messages::from([user("a")]).with_tool(Tool::new("tide"));
        let parts = [
            (self.takes(offered), "definitions"),
            (self.takes(calls(vec![call("call00001")])), "calls"),
            (
                self.takes(calls(vec![call("call00001"), call("call00002")])),
                "parallel calls",
            ),
            (self.takes(answered), "results"),
        ];
        let parts: Vec<_> = parts
            .iter()
            .filter(|part| part.0)
            .map(|part| part.1)
            .collect();
        if parts.is_empty() {
            "none".to_owned()
        } else {
            parts.join(", ")
        }
    }

    fn reasoning(&self) -> String {
        let thought = || assistant("A1").with_reasoning("R1");
        let shows = |turns: Vec<Message>| Some(self.text(turns, false)?.contains("R1"));
        let earlier = shows(vec![user("U1"), thought(), user("U2")]);
        let last = shows(vec![user("U1"), thought()]);
        match (earlier, last) {
            (None, _) => "no",
            (Some(true), _) => "kept",
            (Some(false), Some(true)) => "kept until the next user message",
            (Some(false), _) => "omitted in earlier turns",
        }
        .to_owned()
    }

    fn media(&self) -> String {
        let kinds = KINDS.map(|(name, media)| {
            let message = user("a").with_media(media("https://example.com/a"));
            self.takes([message]).then_some(name)
        });
        let kinds: Vec<&str> = kinds.into_iter().flatten().collect();
        match &kinds[..] {
            [] => "no".to_owned(),
            kinds => kinds.join(", "),
        }
    }

    fn prefix(&self) -> String {
        match self.native.options(self.dated()).is_prefix_preserving() {
            true => "preserved",
            false => "changed",
        }
        .to_owned()
    }

    fn mask(&self) -> String {
        let options = self.dated().generation_prompt(false);
        let chat = Messages::from([user("U1"), assistant("A1")]);
        let text = chat.to_annotated_text(self.native.options(options));
        let text = text.expect("every family can say this");
        let ranges = text.generated().unwrap().iter();
        let parts: Vec<String> = ranges
            .map(|range| {
                let part = text.as_str()[range.clone()].replace("A1", "…");
                let part = part.replace('\n', "\\n").replace('|', "\\|");
                format!("`{part}`")
            })
            .collect();
        parts.join(", ")
    }

    /// The parts that are parsed from the answers of models.
    fn answers(&self, page: &mut String) {
        let turns = &self.native.family().turns;
        let mut reasoning: Vec<_> = self.native.reasoning_delimiters().into_iter().collect();
        reasoning.extend(turns.also_reasoning);
        reasoning.dedup();
        let prompt = turns.generation_prompt().trim_end();
        let opens = reasoning.iter().any(|(open, _)| prompt.ends_with(open));
        let reasoning: Vec<String> = reasoning
            .iter()
            .map(|(open, close)| format!("`{open}…{close}`"))
            .collect();
        if !reasoning.is_empty() {
            let opened = if opens {
                ". The generation prompt contains the opening delimiter"
            } else {
                ""
            };
            writeln!(
                page,
                "\nReasoning in answers: {}{opened}.",
                reasoning.join(", ")
            )
            .unwrap();
        }
        let mut calls: Vec<String> = match turns.answer_calls {
            [message, call] if message.body == CallBody::Channel => {
                let in_message = |call| format!(" to=tide{}{call}{}", message.open, message.close);
                calls(call).into_iter().map(in_message).collect()
            }
            syntaxes => syntaxes.iter().flat_map(calls).collect(),
        };
        calls.dedup();
        if !calls.is_empty() {
            writeln!(
                page,
                "\nTool calls in answers:\n\n```text\n{}\n```",
                calls.join("\n")
            )
            .unwrap();
        }
    }

    /// The options that the family's table lists.
    fn options(&self) -> Vec<String> {
        let options = self.native.family().options.iter();
        options
            .map(|option| format!("`{}`", option.name()))
            .collect()
    }

    fn section(&self, page: &mut String) {
        let family = self.native.family();
        let models = self.native.aliases().iter().map(|name| format!("`{name}`"));
        let mut turns = vec![user("Hi"), assistant("Hello."), user("Bye")];
        if family.system {
            turns.insert(0, Message::system("Be brief."));
        }
        let open = [user("As JSON."), assistant("{\"a\":")];
        let open = Messages::from(open).to_text(self.native.continued());
        assert!(open.unwrap().ends_with("{\"a\":"), "{}", family.name);
        writeln!(page, "\n## {}\n", family.name).unwrap();
        writeln!(
            page,
            "{}. Also named {}.",
            family.title,
            models.collect::<Vec<_>>().join(", ")
        )
        .unwrap();
        let exact = family.tokens.iter().map(|token| format!("`{token}`"));
        let numbered = family.numbered.iter().map(|token| format!("`{token}`"));
        let tokens: Vec<String> = exact.chain(numbered).collect();
        writeln!(page, "\nControl tokens: {}.", tokens.join(", ")).unwrap();
        let loose: Vec<String> = family
            .loose
            .iter()
            .map(|token| format!("`{}`", token.trim_start()))
            .collect();
        if !loose.is_empty() {
            let place = match family.loose[0].chars().next() {
                Some('\n') => ", at the start of a line",
                Some(' ') => ", after white space",
                _ => "",
            };
            writeln!(
                page,
                "In any case and with any white space{place}: {}.",
                loose.join(", ")
            )
            .unwrap();
        }
        self.answers(page);
        let options = self.options();
        if !options.is_empty() {
            writeln!(page, "\nOptions: {}.", options.join(", ")).unwrap();
        }
        let example = self.text(turns, true).expect("every family can say this");
        writeln!(page, "\n```text\n{example}\n```").unwrap();
        let alone = self
            .text([user("Hi")], true)
            .expect("every family can say this");
        writeln!(page, "\nWithout instructions:\n\n```text\n{alone}\n```").unwrap();
    }
}

/// The forms of a call.
fn calls(syntax: &CallSyntax) -> Vec<String> {
    let wrap = |call: &str| {
        let (open, close) = (syntax.section_open, syntax.section_close);
        format!("{open}{}{call}{}{close}", syntax.open, syntax.close)
    };
    let json = wrap(r#"{"name": "tide", "arguments": {"day": 1}}"#);
    let own = match syntax.body {
        CallBody::Json => None,
        CallBody::JsonByName => Some(wrap(r#"[{"tide": {"day": 1}}]"#)),
        CallBody::Named { prefix, middle } => {
            Some(wrap(&format!("{prefix}tide{middle}{{\"day\": 1}}")))
        }
        CallBody::Python => Some(wrap("[tide(day=1)]")),
        CallBody::Tags {
            name,
            key,
            value,
            end,
        } => {
            let call = |arguments: &str| wrap(&format!("{}tide{}{arguments}{end}", name.0, name.1));
            let tags = format!("{}day{}{}1{}", key.0, key.1, value.0, value.1);
            return match syntax.json_arguments {
                ("", _) => vec![call(&tags), json],
                (open, close) => {
                    let block = format!("{open}{{\"day\": 1}}{close}");
                    vec![call(&tags), call(&block), json]
                }
            };
        }
        CallBody::Elements { mark, name_end } => {
            return vec![wrap(&format!("tide{name_end}{mark}<day>1{mark}</day>"))];
        }
        CallBody::BareKeys { prefix, .. } => Some(wrap(&format!("{prefix}tide{{day:1}}"))),
        CallBody::Channel => {
            return vec![format!(
                "{}commentary to=functions.tide <|constrain|>json<|message|>{{\"day\": 1}}{}",
                syntax.open, syntax.close
            )];
        }
    };
    own.into_iter().chain([json]).collect()
}

fn user(text: &str) -> Message {
    Message::user(text)
}

fn assistant(text: &str) -> Message {
    Message::assistant(text)
}
