//! Killed runs resume: no row is lost, and none has two results.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use prompt_core::{BoxFuture, Error, ErrorKind, Llm, Reply, Request};
use prompt_eval::metric::ExactMatch;
use prompt_eval::{Dataset, Eval, RowResult, load_results};

use crate::{Sum, path, sum_of, written};

const ROWS: u64 = 2000;
const KILLS: u64 = 50;

/// The program that is killed: this test, with these variables set.
const CHILD: &str = "PROMPT_EVAL_KILLED";

/// A model behind a local server: one line per request, one line per answer.
struct Remote(String);

impl Remote {
    fn ask(&self, request: &Request) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(&self.0)?;
        let text = serde_json::to_string(&request.messages)?;
        writeln!(stream, "{text}\t{}", sum_of(request))?;
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer)?;
        match answer.strip_suffix('\n') {
            Some(answer) => Ok(answer.to_owned()),
            None => Err(std::io::Error::other("the server hung up")),
        }
    }
}

impl Llm for Remote {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, prompt_core::Result<Reply>> {
        Box::pin(async move {
            let answer = self.ask(request);
            answer
                .map(Reply::new)
                .map_err(|error| Error::new(ErrorKind::Model, error.to_string()))
        })
    }
}

/// A server that counts its requests, and returns the text after the tab.
fn server() -> (String, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a local port");
    let address = listener
        .local_addr()
        .expect("it has an address")
        .to_string();
    let count = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&count);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            counter.fetch_add(1, Ordering::Relaxed);
            let mut line = String::new();
            let mut reader = BufReader::new(&stream);
            // A killed client sends nothing more.
            if reader.read_line(&mut line).is_ok()
                && let Some((_, answer)) = line.trim_end().rsplit_once('\t')
            {
                drop(writeln!(&stream, "{answer}"));
            }
        }
    });
    (address, count)
}

fn eval(data: &Path, results: &Path) -> Eval<Sum> {
    Eval::new(Dataset::<Sum>::load(data).expect("the data set"))
        .gold(ExactMatch::new(), |row: &Sum| row.answer.clone())
        .results(results)
        .concurrency(4)
}

/// The program that is killed.
#[test]
#[ignore = "other tests start it as a process"]
fn child_process() {
    let given = std::env::var(CHILD).expect("a test starts it");
    let parts: Vec<&str> = given.split('|').collect();
    let [address, data, results] = parts[..] else {
        panic!("{CHILD} is made of three parts");
    };
    let eval = eval(Path::new(data), Path::new(results));
    let report = pollster::block_on(eval.run(&Remote(address.to_owned()))).expect("it runs");
    assert_eq!(report.done, ROWS);
}

fn start(given: &str) -> Child {
    Command::new(std::env::current_exe().expect("the test knows its own program"))
        .args(["--ignored", "--exact", "kill::child_process"])
        .env(CHILD, given)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the test can start itself")
}

fn results(path: &Path) -> BTreeMap<u64, RowResult> {
    let all: Vec<RowResult> = load_results(path)
        .and_then(Iterator::collect)
        .expect("whole results");
    assert_eq!(all.len() as u64, ROWS, "a row is lost or has two results");
    // Times differ from run to run.
    all.into_iter()
        .map(|outcome| (outcome.row, without_time(outcome)))
        .collect()
}

fn without_time(mut outcome: RowResult) -> RowResult {
    outcome.seconds = 0.0;
    outcome
}

#[test]
fn runs_killed_at_fifty_times_resume() {
    let rows: String = (0..ROWS)
        .map(|row| {
            // Some right answers are wrong, so that scores differ.
            let answer = row + row * 3 + u64::from(row % 7 == 0);
            format!(
                "{{\"question\":\"{row}+{}?\",\"answer\":\"{answer}\"}}\n",
                row * 3
            )
        })
        .collect();
    let data = written("sums.jsonl", rows);
    let (address, count) = server();

    let whole = path("whole.jsonl");
    let report = pollster::block_on(eval(&data, &whole).run(&Remote(address.clone())));
    let whole_run = report.expect("it runs");
    let asked = count.swap(0, Ordering::Relaxed);
    assert_eq!(asked, ROWS);

    let killed = path("killed.jsonl");
    let given = format!("{address}|{}|{}", data.display(), killed.display());
    let mut kills = 0;
    let mut chance = 0x2545_f491_4f6c_dd1d_u64;
    while kills < KILLS {
        let mut child = start(&given);
        // A moment by chance in the next part of the rows.
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        let target = count.load(Ordering::Relaxed) + chance % (ROWS / KILLS + 10);
        let began = Instant::now();
        while count.load(Ordering::Relaxed) < target && began.elapsed() < Duration::from_secs(10) {
            if child.try_wait().expect("the child is known").is_some() {
                break;
            }
            std::thread::sleep(Duration::from_micros(chance % 300));
        }
        if child.try_wait().expect("the child is known").is_some() {
            break;
        }
        child.kill().expect("it can be killed");
        child.wait().expect("the child is known");
        kills += 1;
    }
    assert_eq!(kills, KILLS, "all rows were done before");

    let mut last = start(&given);
    let mut said = String::new();
    let mut stderr = last.stderr.take().expect("it is piped");
    stderr.read_to_string(&mut said).expect("it is text");
    assert!(last.wait().expect("the child is known").success(), "{said}");

    assert_eq!(results(&killed), results(&whole));
    let again = pollster::block_on(eval(&data, &killed).run(&Remote(address)));
    let again = again.expect("it runs");
    assert_eq!((again.done, again.resumed), (ROWS, ROWS));
    assert!((again.metrics[0].mean() - whole_run.metrics[0].mean()).abs() < 1e-12);
    // Only requests that were in flight at a kill may have been sent a second time.
    let asked = count.load(Ordering::Relaxed);
    assert!(
        asked <= ROWS + 4 * (kills + 1),
        "{asked} requests for {ROWS} rows and {kills} kills"
    );
}
