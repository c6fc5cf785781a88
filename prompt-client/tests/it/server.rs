//! A scripted server on the loopback interface, with simulated faults. It keeps the requests that it receives.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// One answer: what is written, step by step.
#[derive(Clone, Debug)]
pub(crate) struct Answer(Vec<Step>);

#[derive(Clone, Debug)]
enum Step {
    Write(Vec<u8>),
    Wait(Duration),
    /// Without end, with pauses.
    Forever(Vec<u8>, Duration),
}

impl Answer {
    /// Raw bytes, with the head.
    pub(crate) fn raw(bytes: impl Into<Vec<u8>>) -> Answer {
        Answer(vec![Step::Write(bytes.into())])
    }

    pub(crate) fn new(status: u16, headers: &str, body: impl AsRef<[u8]>) -> Answer {
        let body = body.as_ref();
        let head = format!(
            "HTTP/1.1 {status} Status\r\n{headers}content-length: {}\r\n\r\n",
            body.len()
        );
        Answer::raw([head.as_bytes(), body].concat())
    }

    pub(crate) fn json(status: u16, body: &Value) -> Answer {
        Answer::new(
            status,
            "content-type: application/json\r\n",
            body.to_string(),
        )
    }

    /// A chat completion with this text.
    pub(crate) fn chat(text: &str) -> Answer {
        Answer::json(
            200,
            &serde_json::json!({
                "id": "1", "object": "chat.completion", "model": "m-1",
                "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12},
            }),
        )
    }

    /// A text completion with this text.
    pub(crate) fn text(text: &str) -> Answer {
        Answer::json(
            200,
            &serde_json::json!({
                "model": "m-1", "choices": [{"index": 0, "finish_reason": "stop", "text": text}],
                "usage": {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12},
            }),
        )
    }

    /// The head of an event stream whose body ends with the connection.
    pub(crate) fn stream() -> Answer {
        Answer::raw("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n")
    }

    /// The head of an event stream in chunks, so that a truncated stream is detected.
    pub(crate) fn chunked() -> Answer {
        Answer::raw(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
        )
    }

    pub(crate) fn wait(mut self, pause: Duration) -> Answer {
        self.0.push(Step::Wait(pause));
        self
    }

    pub(crate) fn bytes(mut self, bytes: impl Into<Vec<u8>>) -> Answer {
        self.0.push(Step::Write(bytes.into()));
        self
    }

    /// Bytes that are written until the client goes away.
    pub(crate) fn forever(self, bytes: impl Into<Vec<u8>>) -> Answer {
        self.slow_forever(bytes, Duration::ZERO)
    }

    pub(crate) fn slow_forever(mut self, bytes: impl Into<Vec<u8>>, pause: Duration) -> Answer {
        self.0.push(Step::Forever(bytes.into(), pause));
        self
    }

    /// An event of a stream.
    pub(crate) fn event(self, data: &str) -> Answer {
        self.bytes(format!("data: {data}\n\n"))
    }

    /// An event of a stream in chunks.
    pub(crate) fn chunk(self, data: &str) -> Answer {
        self.bytes(format!("{:x}\r\ndata: {data}\n\n\r\n", data.len() + 8))
    }

    /// Another answer after this one.
    pub(crate) fn then(mut self, other: Answer) -> Answer {
        self.0.extend(other.0);
        self
    }

    /// Every byte on its own, with pauses between.
    pub(crate) fn slowly(self, pause: Duration) -> Answer {
        let mut steps = Vec::new();
        for step in self.0 {
            match step {
                Step::Write(bytes) => {
                    for byte in bytes {
                        steps.extend([Step::Write(vec![byte]), Step::Wait(pause)]);
                    }
                }
                other => steps.push(other),
            }
        }
        Answer(steps)
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: String,
    pub(crate) body: Value,
}

/// Answers its requests in order, and rejects further ones.
pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    open: Arc<Mutex<usize>>,
    written: Arc<AtomicUsize>,
}

impl Server {
    pub(crate) async fn start(answers: impl IntoIterator<Item = Answer>) -> Server {
        let mut answers = answers.into_iter().collect::<Vec<_>>().into_iter();
        Server::by(move |_| {
            let gone = || Answer::new(410, "", "`MockLlm` has no answer left");
            answers.next().unwrap_or_else(gone)
        })
        .await
    }

    /// Answers by a function of the request.
    pub(crate) async fn by(answer: impl FnMut(&Asked) -> Answer + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Server {
            url: format!("http://{}/v1", listener.local_addr().unwrap()),
            asked: Arc::default(),
            open: Arc::default(),
            written: Arc::default(),
        };
        let (asked, open) = (server.asked.clone(), server.open.clone());
        let written = server.written.clone();
        let answer = Arc::new(Mutex::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (asked, open, answer) = (asked.clone(), open.clone(), answer.clone());
                let written = written.clone();
                tokio::spawn(async move {
                    *open.lock().unwrap() += 1;
                    let choose = |request: Asked| {
                        let answer = answer.lock().unwrap()(&request);
                        asked.lock().unwrap().push(request);
                        answer
                    };
                    let _ = serve(stream, choose, &written).await;
                    *open.lock().unwrap() -= 1;
                });
            }
        });
        server
    }

    /// The requests, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// How many connections are being served.
    pub(crate) fn open(&self) -> usize {
        *self.open.lock().unwrap()
    }

    /// How many bytes were written without end.
    pub(crate) fn written(&self) -> usize {
        self.written.load(Ordering::Relaxed)
    }

    /// Waits until the condition holds. The limit is long enough for a busy machine.
    pub(crate) async fn until(&self, is_so: impl Fn(&Server) -> bool) {
        for _ in 0..6000 {
            if is_so(self) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{} connections are open still", self.open());
    }
}

async fn serve(
    mut stream: TcpStream,
    choose: impl FnOnce(Asked) -> Answer,
    written: &AtomicUsize,
) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(());
        }
    };
    let headers = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let length = headers
        .to_lowercase()
        .lines()
        .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    while bytes.len() < head + length.unwrap_or(0) {
        if stream.read_buf(&mut bytes).await? == 0 {
            break;
        }
    }
    let path = headers.split(' ').nth(1).unwrap_or_default().to_owned();
    let body = serde_json::from_slice(&bytes[head..]).unwrap_or(Value::Null);
    let answer = choose(Asked {
        path,
        headers,
        body,
    });
    for step in answer.0 {
        match step {
            Step::Write(bytes) => stream.write_all(&bytes).await?,
            Step::Forever(bytes, pause) => loop {
                stream.write_all(&bytes).await?;
                written.fetch_add(bytes.len(), Ordering::Relaxed);
                tokio::time::sleep(pause).await;
            },
            // A client that goes away ends the wait.
            Step::Wait(pause) => tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = stream.read_u8() => return Ok(()),
            },
        }
        stream.flush().await?;
    }
    stream.shutdown().await
}
