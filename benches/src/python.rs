//! The same texts by Python libraries, each of which runs in its own process.
//!
//! `benches/python/setup` installs them below `target` the first time. Rounds alternate: a slice of ours, a slice of
//! theirs.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use prompt_eval::retrieve::Query;
use serde_json::{Value, json};
use typed_prompt::compat::lazyllm::{Alpaca, Chat, Keys};
use typed_prompt::compat::lightrag::{ADALFLOW, Sections};
use typed_prompt::{History, Message, Messages, Prompt, format};

use crate::chat::{TURNS, turns};
use crate::measure::{Outcome, slice};
use crate::{root, rows, target};

/// How often both sides run.
const ROUNDS: usize = 21;

/// How often Python does its work in one round.
const REPETITIONS: usize = 500;

/// One text, and the library that also renders it.
struct Case<'a> {
    title: String,
    library: &'static str,
    /// The input of `peers.py`.
    case: Value,
    /// The values between the texts of the layout, in order.
    values: Vec<String>,
    ours: Box<dyn Fn() -> String + 'a>,
}

/// Compares with each library on its own work.
pub(crate) fn run() -> Vec<Outcome> {
    let folder = installed();
    let (ask, talk, sections) = (ask(), talk(), sections());
    let fixed = Fixed {
        input: ask.input.clone(),
        knowledge: ask.knowledge.clone(),
    };
    let chat: Messages = turns()
        .into_iter()
        .map(|turn| match turn.role {
            "user" => Message::user(turn.content),
            _ => Message::assistant(turn.content),
        })
        .collect();
    let qwen = Chat::new().keys(Keys::from_name("qwen").expect("a group of LazyLLM's"));
    let cases = [
        alpaca("Alpaca's layout", &ask),
        alpaca("Alpaca's layout, fixed by the prompt", &fixed),
        Case {
            title: format!("the Chat layout with Qwen's keys and {TURNS} earlier turns"),
            library: "lazyllm",
            case: json!({
                "layout": "chat", "instruction": CHAT_SYSTEM, "options": {},
                "keys": {
                    "system": "You are a helpful assistant.",
                    "sos": "<|im_start|>system\n", "eos": "<|im_end|>\n", "soh": "<|im_start|>user\n",
                    "eoh": "<|im_end|>\n", "soa": "<|im_start|>assistant\n", "eoa": "<|im_end|>",
                },
                "call": [{"topic": talk.topic, "input": talk.input}, pairs()],
            }),
            values: [talk.topic.clone()]
                .into_iter()
                .chain(said())
                .chain([QUESTION.to_owned()])
                .collect(),
            ours: Box::new(|| talk.to_text(&qwen).expect("the layout can say it")),
        },
        Case {
            title: "LightRAG's default template".to_owned(),
            library: "adalflow",
            case: json!({"template": null, "values": {
                "task_desc_str": TASK, "output_format_str": FORMAT, "context_str": CONTEXT, "input_str": QUESTION,
            }}),
            values: [TASK, FORMAT, CONTEXT, QUESTION].map(str::to_owned).into(),
            ours: Box::new(|| ADALFLOW.to_text(&sections).expect("the layout can say it")),
        },
        transformers("ChatML", CHATML, &chat, format::CHATML),
        transformers("Llama 3", LLAMA3, &chat, format::LLAMA3),
    ];
    let mut outcomes: Vec<Outcome> = cases.iter().map(|case| compared(case, &folder)).collect();
    outcomes.push(aisbench(&folder));
    outcomes
}

/// An instruction in LazyLLM's Alpaca layout.
fn alpaca<'a>(title: &str, prompt: &'a impl Prompt) -> Case<'a> {
    Case {
        title: title.to_owned(),
        library: "lazyllm",
        case: json!({
            "layout": "alpaca", "instruction": ALPACA, "options": {"extra_keys": "knowledge"}, "keys": {},
            "call": [{"input": QUESTION, "knowledge": CONTEXT}],
        }),
        values: [QUESTION, CONTEXT].map(str::to_owned).into(),
        ours: Box::new(move || {
            prompt
                .to_text(Alpaca::new())
                .expect("the layout can say it")
        }),
    }
}

/// The folder of the libraries, which are installed if they are missing.
fn installed() -> PathBuf {
    let folder = target().join("performance/python");
    if !folder.join("done").exists() {
        let done = Command::new(root().join("benches/python/setup"))
            .arg(&folder)
            .status();
        assert!(
            done.is_ok_and(|done| done.success()),
            "Python's libraries cannot be installed"
        );
    }
    folder
}

fn compared(case: &Case<'_>, folder: &Path) -> Outcome {
    let mut python = Python::start(folder, case.library);
    let theirs: String =
        serde_json::from_str(&python.ask(&case.case)).expect("it answers with its text");
    let title = format!("{}, {} bytes", case.title, theirs.len());
    assert_eq!(
        (case.ours)(),
        theirs,
        "{title}: {} writes another text",
        case.library
    );
    let pieces = pieces(&theirs, &case.values);
    let time = |render: &dyn Fn() -> String| {
        slice(&mut |times| {
            for _ in 0..times {
                black_box(render());
            }
        })
    };
    let mut nanos = vec![Vec::new(); 3];
    for _ in 0..ROUNDS {
        nanos[0].push(time(&case.ours));
        nanos[1].push(time(&|| black_box(&pieces).concat()));
        let taken = python.ask(&json!(REPETITIONS));
        nanos[2].push(taken.trim().parse().expect("it answers with nanoseconds"));
    }
    let names = ["typed-prompt", "floor: its pieces copied", case.library];
    Outcome::of(title, names, &nanos)
}

/// A text, divided before and after each of these values.
fn pieces<'t>(text: &'t str, values: &[String]) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    for value in values {
        let at = rest.find(value).expect("each value occurs in the text");
        let (value, behind) = rest[at..].split_at(value.len());
        pieces.extend([&rest[..at], value]);
        rest = behind;
    }
    pieces.push(rest);
    pieces
}

/// A process that renders one case as often as requested.
struct Python {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Python {
    fn start(folder: &Path, library: &str) -> Python {
        let mut child = Command::new(folder.join("peers/bin/python"))
            .arg(root().join("benches/python/peers.py"))
            .arg(library)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("its Python starts");
        let said = child.stdout.take().expect("it is piped");
        Python {
            said: BufReader::new(said),
            child,
        }
    }

    fn ask(&mut self, line: &Value) -> String {
        let input = self.child.stdin.as_mut().expect("it is piped");
        writeln!(input, "{line}").expect("it reads");
        let mut said = String::new();
        self.said.read_line(&mut said).expect("it answers");
        said
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}

const ALPACA: &str = "Answer the question from the knowledge alone, in one sentence: {input}";

#[derive(Prompt)]
#[prompt(
    syntax = "brace",
    system = "Answer the question from the knowledge alone, in one sentence: {input}"
)]
struct Ask {
    #[prompt(trusted)]
    input: String,
    #[prompt(extra)]
    knowledge: String,
}

/// The same with a fixed layout, like LazyLLM's prompter after its construction.
#[derive(Prompt)]
#[prompt(
    syntax = "brace",
    system = "Answer the question from the knowledge alone, in one sentence: {input}",
    format = Alpaca::FAMILY
)]
struct Fixed {
    #[prompt(trusted)]
    input: String,
    #[prompt(extra)]
    knowledge: String,
}

fn ask() -> Ask {
    Ask {
        input: QUESTION.to_owned(),
        knowledge: CONTEXT.to_owned(),
    }
}

const CHAT_SYSTEM: &str = "You know everything about {topic}. Answer briefly.";

#[derive(Prompt)]
#[prompt(
    syntax = "brace",
    system = "You know everything about {topic}. Answer briefly.",
    user = "{input}"
)]
struct Talk {
    #[prompt(trusted)]
    topic: String,
    input: String,
    #[prompt(history)]
    turns: History,
}

fn pairs() -> Vec<(String, String)> {
    let turns = turns();
    let pairs = turns[..TURNS].chunks(2);
    pairs
        .map(|pair| (pair[0].content.clone(), pair[1].content.clone()))
        .collect()
}

/// The earlier turns.
fn said() -> impl Iterator<Item = String> {
    turns().into_iter().take(TURNS).map(|turn| turn.content)
}

fn talk() -> Talk {
    Talk {
        topic: "tides".to_owned(),
        input: QUESTION.to_owned(),
        turns: History::from(pairs()),
    }
}

const TASK: &str = "Answer the question from the context alone.";
const FORMAT: &str = "One sentence, without a list.";
const CONTEXT: &str =
    "Goods may be sent back within 60 days. An opened box is no reason to refuse.";
const QUESTION: &str = "May I send back a router that I have opened?";

fn sections() -> Sections {
    Sections {
        task: TASK.into(),
        output_format: FORMAT.into(),
        context: CONTEXT.into(),
        input: QUESTION.into(),
        ..Sections::default()
    }
}

const CHATML: &str = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}\
    {{ '<|im_start|>assistant\n' }}";

const LLAMA3: &str = "{{ bos_token }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n\
    {{ m.content | trim }}<|eot_id|>{% endfor %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}";

fn transformers<'a>(
    title: &str,
    template: &str,
    chat: &'a Messages,
    family: format::NativeFormat,
) -> Case<'a> {
    Case {
        title: format!("{TURNS} turns and a question, {title}"),
        library: "transformers",
        case: json!({
            "template": template, "messages": chat, "tokens": {"bos_token": "<|begin_of_text|>"},
        }),
        values: chat
            .iter()
            .map(|message| message.text().into_owned())
            .collect(),
        ours: Box::new(move || chat.to_text(family).expect("the family can say it")),
    }
}

/// AISBench's own classes: rows with five examples and a meta template.
fn aisbench(folder: &Path) -> Outcome {
    const ROWS: usize = 2_000;
    const ROUNDS: usize = 7;
    let mut rows: Vec<_> = (0..ROWS).map(rows::sum).collect();
    let config = json!({
        "system": "You are a careful calculator. Answer each question with one number.",
        "round": [
            {"role": "HUMAN", "prompt": "Question: {question}"},
            {"role": "BOT", "prompt": "Answer: {answer}"},
        ],
        "meta_template": rows::meta(),
        "train": rows::worked(),
        "test": rows,
    });
    let file = folder.join("rows.json");
    std::fs::write(&file, config.to_string()).expect("a file below `target`");
    let (meta, mut examples) = (rows::template(), rows::examples());
    let mut nanos = vec![Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        let (mut characters, mut last) = (0, String::new());
        let mut ours = slice(&mut |times| {
            for _ in 0..times {
                characters = 0;
                for (row, sum) in rows.iter_mut().enumerate() {
                    let selected = examples.select_examples(sum, &Query::row(row));
                    sum.examples = selected.expect("there are five");
                    last = sum.to_text(&meta).expect("it can be written");
                    characters += black_box(&last).len();
                }
            }
        });
        ours /= ROWS as f64;
        nanos[0].push(ours);
        let output = Command::new(folder.join("aisbench/bin/python"))
            .arg(root().join("benches/python/aisbench.py"))
            .arg(&file)
            .arg("1")
            .output()
            .expect("its Python starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let kinds: Vec<Value> = said
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect();
        assert_eq!(
            kinds.len(),
            2,
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        for (kind, nanos) in kinds.iter().zip(&mut nanos[1..]) {
            assert_eq!(kind["last"], last, "the texts differ");
            assert_eq!(kind["characters"], characters);
            nanos.push(1e9 / kind["per_second"].as_f64().expect("a number"));
        }
    }
    let title = format!("{ROWS} rows of an evaluation with five examples, for each row");
    let names = [
        "typed-prompt",
        "ais-bench-benchmark, rows in `datasets`",
        "ais-bench-benchmark, rows as `dict`",
    ];
    Outcome::of(title, names, &nanos)
}
