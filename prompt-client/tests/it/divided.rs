//! Streams as servers are known to write them, which are seeds of the fuzz target `http`: the reply does not depend on where the bytes are divided.

use prompt_client::{ApiKey, ChatModel, RetryPolicy, StreamingLlm};

use crate::hello;
use crate::server::{Answer, Server};

/// The models of the seeds' first byte.
const MODELS: [&str; 6] = [
    "openai::m",
    "openai_resp::m",
    "anthropic::m",
    "gemini::m",
    "ollama::m",
    "cohere::m",
];

/// The name of a seed, and its reply: the text, the calls, and the tokens, or the error.
const SEEDS: [(&str, &str); 19] = [
    ("comments_and_ids", "ab"),
    (
        "cut",
        "a, error: the stream ended before the answer was complete",
    ),
    ("done_with_a_space", "a"),
    (
        "error_event",
        "a, error: the server answers with status 400: boom",
    ),
    ("further_choice", "a"),
    ("keep_alives", "ab"),
    ("line_ends", "ab"),
    ("lines_ollama", "ab, 3 and 2 tokens"),
    ("mark", "ab"),
    ("mark_anthropic", "ab, 3 and 2 tokens"),
    ("mark_gemini", "ab"),
    ("tool_growing", r#", calc {"e":"1"}"#),
    (
        "tool_input_empty_anthropic",
        r#", calc {"e":"1"}, 3 and 2 tokens"#,
    ),
    ("tool_name_in_parts", ", calc {}"),
    ("tool_repeated", r#", calc {"e":"1"}"#),
    ("tools_out_of_order", ", a {}, b {}"),
    ("two_data_lines", "é"),
    ("usage_as_floats", "a, 3 and 2 tokens"),
    ("whole_message", "ab"),
];

/// The body in chunks of HTTP, which end at the cuts.
fn divided(body: &[u8], cuts: &[usize]) -> Answer {
    let mut answer = Answer::chunked();
    let mut begin = 0;
    for &end in cuts.iter().chain([&body.len()]) {
        let chunk = &body[begin..end];
        // An empty chunk would be the end of the body.
        if !chunk.is_empty() {
            let size = format!("{:x}\r\n", chunk.len());
            answer = answer.bytes([size.as_bytes(), chunk, b"\r\n"].concat());
        }
        begin = end;
    }
    answer.bytes("0\r\n\r\n")
}

async fn read(model: &ChatModel, answer: Answer) -> String {
    let server = Server::start([answer]).await;
    let llm = model.clone().base_url(&server.url).unwrap();
    let request = hello();
    let mut stream = llm.stream(&request).await.unwrap();
    let mut failed = None;
    while let Some(chunk) = stream.next().await {
        failed = chunk.err();
    }
    let mut shown = stream.text_so_far().to_owned();
    if let Some(reply) = stream.reply() {
        let calls = reply.tool_calls.iter();
        shown.extend(calls.map(|call| format!(", {} {}", call.name, call.arguments)));
        let usage = reply
            .usage
            .map(|usage| format!(", {} and {} tokens", usage.input, usage.output));
        shown.extend(usage);
    }
    shown.extend(failed.map(|error| format!(", error: {error}")));
    shown
}

#[tokio::test]
async fn replies_do_not_depend_on_the_division_of_a_stream() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds/http");
    let names = std::fs::read_dir(folder).unwrap();
    assert_eq!(names.count(), SEEDS.len(), "each seed has a row");
    // A client of HTTP reads the certificates of the system.
    let models = MODELS.map(|name| {
        let model = ChatModel::new(name).unwrap().retry(RetryPolicy::none());
        model.key(ApiKey::new("k3y"))
    });
    for (name, expected) in SEEDS {
        let seed = std::fs::read(format!("{folder}/{name}")).unwrap();
        let (model, body) = (&models[usize::from(seed[0]) % 6], &seed[8..]);
        let every: Vec<usize> = (1..body.len()).collect();
        let mut divisions = vec![Vec::new(), every];
        divisions.extend((1..8).map(|part| vec![part, body.len() * part / 8]));
        for cuts in divisions {
            let found = read(model, divided(body, &cuts)).await;
            assert_eq!(found, expected, "{name}, divided at {cuts:?}");
        }
    }
}
