//! Queries whose process is killed, whose model server is cut, and whose store is full, each 20 times: afterwards every row has one
//! answer, and the server has received at most the requests in flight twice.

use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use datafusion::error::{DataFusionError, Result};
use futures_util::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult,
};
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

/// Sends all questions, and returns how many rows have an error.
async fn query(address: SocketAddr, store: Store) -> Result<usize> {
    let ctx = session();
    let sql =
        format!("SELECT concat('question ', value) AS question FROM generate_series(1, {ROWS})");
    let sql = format!("SELECT coalesce(question, '') AS question FROM ({sql})");
    let ask = Ask::new(store, Arc::new(Remote(address)), "remote").concurrency(CONCURRENCY);
    ctx.sql(&sql)
        .await?
        .ask::<Question>(ask.clone())?
        .collect()
        .await?;
    Ok(ask.progress().failed as usize)
}

/// The files of the answers.
fn answers(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let folders = std::fs::read_dir(folder.join("answers")).into_iter();
    let folders = folders.flatten().flatten().map(|folder| folder.path());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let files = files.flatten().map(|file| file.path());
    // A killed process leaves unfinished files with other endings.
    files.filter(|file| file.extension().is_some_and(|ending| ending == "json"))
}

/// Each row has one answer, to its own question, and at most the requests in flight at each fault were repeated.
fn check(server: &Server, folder: &Path, fault: &str) {
    let mut answers: Vec<String> = answers(folder)
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

/// The client of `a_killed_query_is_resumed`, in a separate process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "other tests start it as a process"]
async fn client() -> Result<()> {
    let var = |name: &str| std::env::var(name).expect("a test starts it");
    let (address, folder) = (var("ADDRESS"), var("FOLDER"));
    assert_eq!(
        query(address.parse().unwrap(), Store::in_folder(folder)?).await?,
        0
    );
    Ok(())
}

fn start_client(server: &Server, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "client"])
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
async fn a_stopped_server_leaves_errors_that_are_retried() -> Result<()> {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let cutting = server.clone();
    let faults = thread::spawn(move || {
        for fault in 0..FAULTS {
            thread::sleep(Duration::from_millis(20 + (fault * 37 % 23) as u64));
            cutting.is_cut.store(true, Ordering::Relaxed);
            // Shorter than the time of an answer, so that requests are in flight.
            thread::sleep(Duration::from_millis(4));
            cutting.is_cut.store(false, Ordering::Relaxed);
        }
    });
    let failed = query(server.address, Store::in_folder(folder.path())?).await?;
    assert!(failed > 0);
    faults.join().unwrap();
    assert_eq!(
        query(server.address, Store::in_folder(folder.path())?).await?,
        0
    );
    check(&server, folder.path(), "cut");
    Ok(())
}

/// A folder on a disk that has room for so many more objects.
#[derive(Debug)]
struct SmallDisk {
    folder: LocalFileSystem,
    room: AtomicUsize,
}

impl fmt::Display for SmallDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.folder.fmt(f)
    }
}

#[async_trait::async_trait]
impl ObjectStore for SmallDisk {
    async fn put_opts(
        &self,
        path: &object_store::path::Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> object_store::Result<PutResult> {
        let take = |room: usize| room.checked_sub(1);
        let room = self
            .room
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, take);
        room.map_err(|_| object_store::Error::Generic {
            store: "SmallDisk",
            source: "no space left on device".into(),
        })?;
        self.folder.put_opts(path, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        path: &object_store::path::Path,
        options: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        self.folder.put_multipart_opts(path, options).await
    }

    async fn get_opts(
        &self,
        path: &object_store::path::Path,
        options: GetOptions,
    ) -> object_store::Result<GetResult> {
        self.folder.get_opts(path, options).await
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, object_store::Result<object_store::path::Path>>,
    ) -> BoxStream<'static, object_store::Result<object_store::path::Path>> {
        self.folder.delete_stream(paths)
    }

    fn list(
        &self,
        prefix: Option<&object_store::path::Path>,
    ) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        self.folder.list(prefix)
    }

    async fn list_with_delimiter(
        &self,
        prefix: Option<&object_store::path::Path>,
    ) -> object_store::Result<ListResult> {
        self.folder.list_with_delimiter(prefix).await
    }

    async fn copy_opts(
        &self,
        from: &object_store::path::Path,
        to: &object_store::path::Path,
        options: CopyOptions,
    ) -> object_store::Result<()> {
        self.folder.copy_opts(from, to, options).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_loses_no_answer() -> Result<()> {
    let (server, folder) = (Server::start(), tempfile::tempdir()?);
    let disk = Arc::new(SmallDisk {
        folder: LocalFileSystem::new_with_prefix(folder.path())?,
        room: AtomicUsize::new(0),
    });
    let store = Store::new(Arc::clone(&disk) as Arc<dyn ObjectStore>, "answers");
    for fault in 0..FAULTS {
        let room = 20 + fault * 37 % 60;
        disk.room.store(room, Ordering::SeqCst);
        let error = query(server.address, store.clone()).await.unwrap_err();
        assert!(
            matches!(error.find_root(), DataFusionError::IoError(_)),
            "{error:?}"
        );
        assert!(error.to_string().contains("no space left"), "{error}");
    }
    disk.room.store(usize::MAX, Ordering::SeqCst);
    assert_eq!(query(server.address, store).await?, 0);
    check(&server, folder.path(), "full");
    // The process keeps what it cannot write.
    assert_eq!(server.total(), ROWS);
    Ok(())
}
