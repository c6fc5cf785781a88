//! A server may answer anything: bodies and streams of each protocol, read by the real client, end in a reply or an error, which does not depend on where the
//! body is divided.
//!
//! The first byte chooses the protocol, the second whether the answer is streamed, and its status. The next six bytes are three positions at which the body is divided.

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

/// Sets the answer: the body in chunks, which end at the cuts.
fn set_answer(head: &str, body: &[u8], cuts: &[usize]) {
    let mut answer = head.as_bytes().to_vec();
    let mut begin = 0;
    for &end in cuts.iter().chain([&body.len()]) {
        // An empty chunk would be the end of the body.
        if end > begin {
            answer.extend_from_slice(format!("{:x}\r\n", end - begin).as_bytes());
            answer.extend_from_slice(&body[begin..end]);
            answer.extend_from_slice(b"\r\n");
            begin = end;
        }
    }
    answer.extend_from_slice(b"0\r\n\r\n");
    *ANSWER.lock().expect("no panic") = answer;
}

/// The reply or the error, and the text that arrived before it.
fn read(llm: &Blocking<ChatModel>, is_streamed: bool) -> String {
    let request =
        Request::from_prompt(&Messages::from([Message::user("Hi")])).expect("it is valid");
    if !is_streamed {
        return format!("{:?}", llm.send(&request));
    }
    match llm.stream(&request) {
        Ok(mut stream) => {
            let ended = stream.by_ref().find_map(Result::err);
            format!("{:?} {:?}", stream.reply(), ended.map(|error| (error.to_string(), error.answer().map(str::to_owned))))
        }
        Err(error) => error.to_string(),
    }
}

fuzz_target!(|input: (u8, u8, [u16; 3], &[u8])| {
    let (protocol, how, cuts, body) = input;
    let is_streamed = how % 2 == 0;
    let status = [
        "200 OK",
        "400 Bad Request",
        "500 Internal Server Error",
        "200 OK",
    ][usize::from(how / 2 % 4)];
    let kind = if is_streamed {
        "text/event-stream"
    } else {
        "application/json"
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
    );
    let llm = &models()[usize::from(protocol) % MODELS.len()];
    set_answer(&head, body, &[]);
    let whole = read(llm, is_streamed);
    let mut cuts = cuts.map(|cut| usize::from(cut) % (body.len() + 1));
    cuts.sort_unstable();
    set_answer(&head, body, &cuts);
    assert_eq!(read(llm, is_streamed), whole, "divided at {cuts:?}");
});
