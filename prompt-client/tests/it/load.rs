//! 5,000 calls at the same time. It needs 10,000 open files:
//!
//! ```sh
//! ulimit -n 20000 && cargo test --release -p prompt-client --test it load -- --ignored --nocapture
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use prompt_core::{Llm, Message, Messages, Request};

use crate::chat;
use crate::server::{Answer, Server};

const CALLS: usize = 5000;

/// The greatest memory of this process so far, in MiB.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes several seconds, and 10,000 open files"]
async fn no_call_of_5000_at_the_same_time_is_lost() {
    let pause = Duration::from_millis(500);
    let server = Server::by(move |asked| {
        let number = asked.body["messages"][0]["content"].as_str().unwrap();
        let answer = Answer::raw("").wait(pause);
        answer.then(Answer::chat(&format!("answer {number}")))
    })
    .await;
    let server = Arc::new(server);
    let llm = chat(&server);
    let before = peak_memory();
    let begin = Instant::now();
    let calls = (0..CALLS).map(|number| {
        let llm = llm.clone();
        tokio::spawn(async move {
            let request =
                Request::from_prompt(&Messages::from([Message::user(number.to_string())]));
            let reply = llm.send(&request.unwrap()).await.unwrap();
            assert_eq!(reply.text, format!("answer {number}"));
        })
    });
    let calls: Vec<_> = calls.collect();
    let (mut connections, watched) = (0, server.clone());
    let watch = tokio::spawn(async move {
        loop {
            connections = connections.max(watched.open());
            tokio::time::sleep(Duration::from_millis(2)).await;
            if connections > 0 && watched.open() == 0 {
                return connections;
            }
        }
    });
    for call in calls {
        call.await.unwrap();
    }
    println!(
        "{CALLS} calls: {:.1} s, {} requests, {} connections at the same time, peak memory {:?} MiB (before: {before:?})",
        begin.elapsed().as_secs_f64(),
        server.asked().len(),
        watch.await.unwrap(),
        peak_memory(),
    );
}
