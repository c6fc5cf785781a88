//! A server may answer anything: bodies and streams of each protocol, read by the real client, end in a reply or an error.
//!
//! The first byte chooses the protocol, the second whether the answer is streamed, and its status.

#![no_main]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Mutex, OnceLock};

use libfuzzer_sys::fuzz_target;
use typed_prompt::client::{ApiKey, Blocking, ChatModel, RetryPolicy};
use typed_prompt::{Message, Messages, Request};

const MODELS: [&str; 6] = [
    "openai::gpt-4o",
    "openai_resp::gpt-5",
    "anthropic::claude-sonnet-4-5",
    "gemini::gemini-2.5-flash",
    "ollama::llama3",
    "cohere::command-r",
];

/// The next response of the server: head and body.
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Reads a request to its end, and answers it.
fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut buffer)?;
        request.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&request).to_lowercase();
        let length = text
            .split("content-length: ")
            .nth(1)
            .and_then(|rest| rest.split('\r').next()?.parse::<usize>().ok());
        let head = text.find("\r\n\r\n").map(|at| at + 4);
        if count == 0 || head.is_some_and(|head| request.len() >= head + length.unwrap_or(0)) {
            break;
        }
    }
    let answer = ANSWER.lock().expect("no panic").clone();
    stream.write_all(&answer)
}

fn models() -> &'static [Blocking<ChatModel>] {
    static BLOCKING: OnceLock<Vec<Blocking<ChatModel>>> = OnceLock::new();
    BLOCKING.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}/v1/", listener.local_addr().expect("it is bound"));
        std::thread::spawn(move || {
            listener
                .incoming()
                .flatten()
                .for_each(|stream| drop(serve(stream)))
        });
        let model = |name: &str| {
            let model = ChatModel::new(name).and_then(|model| model.base_url(&url));
            let model = model
                .expect("the model is known")
                .retry(RetryPolicy::none())
                .key(ApiKey::new("key"));
            Blocking::new(model.max_response_bytes(1 << 20)).expect("a runtime starts")
        };
        MODELS.map(model).into()
    })
}

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (protocol, how, body) = input;
    let streamed = how % 2 == 0;
    let status = [
        "200 OK",
        "400 Bad Request",
        "500 Internal Server Error",
        "200 OK",
    ][usize::from(how / 2 % 4)];
    let kind = if streamed {
        "text/event-stream"
    } else {
        "application/json"
    };
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
    *ANSWER.lock().expect("no panic") = [head.as_bytes(), body].concat();
    let llm = &models()[usize::from(protocol) % MODELS.len()];
    let request =
        Request::from_prompt(&Messages::from([Message::user("Hi")])).expect("it is valid");
    if streamed {
        if let Ok(stream) = llm.stream(&request) {
            stream.for_each(drop);
        }
    } else {
        drop(llm.send(&request));
    }
});
