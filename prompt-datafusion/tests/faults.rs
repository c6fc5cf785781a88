//! Queries whose process is killed and whose model server is cut, each 20 times: afterwards every row has one answer, and the server
//! has received at most the requests in flight twice.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use datafusion::error::Result;
use prompt_datafusion::{Ask, AskExt, Store, session};
use typed_prompt::llm::BoxFuture;
use typed_prompt::{Error, ErrorKind, Llm, Prompt, Reply, Request};

const ROWS: usize = 2000;
const CONCURRENCY: usize = 16;
const FAULTS: usize = 20;

#[derive(Prompt, serde::Deserialize)]
#[prompt(user = "<question>")]
struct Question {
    question: String,
}

/// A model behind a connection: a line for each request, and a line for each answer.
struct Remote(SocketAddr);

impl Remote {
    fn ask(&self, question: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(self.0)?;
        stream.write_all(format!("{question}\n").as_bytes())?;
        let mut answer = String::new();
        match BufReader::new(stream).read_line(&mut answer)? {
            0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(answer.trim_end().to_owned()),
        }
    }
}

impl Llm for Remote {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, typed_prompt::Result<Reply>> {
        let (remote, question) = (Remote(self.0), request.messages[0].text().into_owned());
        Box::pin(async move {
            let asked = tokio::task::spawn_blocking(move || remote.ask(&question)).await;
            let answer = asked.map_err(std::io::Error::other).flatten();
            answer
                .map(Reply::new)
                .map_err(|error| Error::new(ErrorKind::Model, error.to_string()))
        })
    }
}

/// The model's server, which counts each request.
#[derive(Clone)]
struct Server {
    address: SocketAddr,
    received: Arc<Mutex<HashMap<String, usize>>>,
    /// Whether connections are closed without an answer.
    is_cut: Arc<AtomicBool>,
}

impl Server {
    fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Server {
            address: listener.local_addr().unwrap(),
            received: Arc::default(),
            is_cut: Arc::default(),
        };
        let serving = server.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = serving.clone();
                thread::spawn(move || server.answer(stream));
            }
        });
        server
    }

    fn answer(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut question = String::new();
        BufReader::new(&stream).read_line(&mut question)?;
        // The client was killed while it sent its question.
        let Some(question) = question.strip_suffix('\n').map(str::to_owned) else {
            return Ok(());
        };
        *self
            .received
            .lock()
            .unwrap()
            .entry(question.clone())
            .or_default() += 1;
        thread::sleep(Duration::from_millis(8));
        if self.is_cut.load(Ordering::Relaxed) {
            return Ok(());
        }
        writeln!(&stream, "answer to {question}")
    }

    fn total(&self) -> usize {
        self.received.lock().unwrap().values().sum()
    }
}

/// Asks all questions, and returns how many rows have an error.
async fn query(address: SocketAddr, folder: &Path) -> Result<usize> {
    let ctx = session();
    let sql =
        format!("SELECT concat('question ', value) AS question FROM generate_series(1, {ROWS})");
    let sql = format!("SELECT coalesce(question, '') AS question FROM ({sql})");
    let ask = Ask::new(Store::folder(folder)?, Arc::new(Remote(address)), "remote")
        .concurrency(CONCURRENCY);
    ctx.sql(&sql)
        .await?
        .ask::<Question>(ask.clone())?
        .collect()
        .await?;
    Ok(ask.progress().failed as usize)
}

/// Each row has one answer, to its own question, and at most the requests in flight at each fault were repeated.
fn check(server: &Server, folder: &Path, fault: &str) {
    let files = std::fs::read_dir(folder.join("answers")).unwrap().flatten();
    let mut answers: Vec<String> = files
        .map(|file| file.path())
        // A killed process leaves unfinished files with other endings.
        .filter(|file| file.extension().is_some_and(|ending| ending == "json"))
        .map(|file| {
            let line = std::fs::read(file).unwrap();
            let answer: serde_json::Value = serde_json::from_slice(&line).unwrap();
            answer["text"].as_str().unwrap().to_owned()
        })
        .collect();
    let mut expected: Vec<String> = (1..=ROWS)
        .map(|n| format!("answer to question {n}"))
        .collect();
    answers.sort();
    expected.sort();
    assert!(
        answers == expected,
        "{} answers for {ROWS} rows",
        answers.len()
    );
    assert_eq!(server.received.lock().unwrap().len(), ROWS);
    let repeated = server.total() - ROWS;
    println!("{fault} {FAULTS} times: {ROWS} rows, {repeated} requests repeated");
    assert!(
        repeated <= FAULTS * CONCURRENCY,
        "{repeated} requests were repeated"
    );
}

/// The client of `a_killed_query_is_resumed`, in a process of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client() -> Result<()> {
    let (Ok(address), Ok(folder)) = (std::env::var("ADDRESS"), std::env::var("FOLDER")) else {
        return Ok(());
    };
    assert_eq!(
        query(address.parse().unwrap(), Path::new(&folder)).await?,
        0
    );
    Ok(())
}

fn start_client(server: &Server, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "client"])
        .env("ADDRESS", server.address.to_string())
        .env("FOLDER", folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_query_is_resumed() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    for fault in 0..FAULTS {
        let before = server.total();
        let mut client = start_client(&server, folder.path());
        while server.total() == before {
            thread::sleep(Duration::from_millis(1));
        }
        // Different moments of the window.
        thread::sleep(Duration::from_millis(5 + (fault * 37 % 23) as u64));
        client.kill().unwrap();
        client.wait().unwrap();
    }
    assert!(
        start_client(&server, folder.path())
            .wait()
            .unwrap()
            .success()
    );
    check(&server, folder.path(), "killed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_server_leaves_errors_that_are_asked_again() -> Result<()> {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let cutting = server.clone();
    let faults = thread::spawn(move || {
        for fault in 0..FAULTS {
            thread::sleep(Duration::from_millis(20 + (fault * 37 % 23) as u64));
            cutting.is_cut.store(true, Ordering::Relaxed);
            // Shorter than an answer takes: it hits the requests in flight.
            thread::sleep(Duration::from_millis(4));
            cutting.is_cut.store(false, Ordering::Relaxed);
        }
    });
    let failed = query(server.address, folder.path()).await?;
    assert!(failed > 0);
    faults.join().unwrap();
    assert_eq!(query(server.address, folder.path()).await?, 0);
    check(&server, folder.path(), "cut");
    Ok(())
}
