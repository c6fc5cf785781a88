//! Random tool conversations with failures, limits and cancellations at every point: each transcript is valid, is stored, and resumes to the same end.

use std::future::{pending, poll_fn};
use std::sync::Mutex;
use std::task::Poll;
use std::time::Duration;

use pollster::block_on;
use typed_prompt::llm::Usage;
use typed_prompt::tool::{ToolEvent, ToolLimit};
use typed_prompt::{
    Error, ErrorKind, History, Llm, Message, Messages, MockLlm, Prompt, Reply, Request, Role,
    ToolCall, Tools,
};

#[derive(Tools, Debug)]
enum Action {
    /// Does one piece of work.
    Work { piece: u32 },
}

#[derive(Prompt)]
#[prompt(system = "You work.", user = "Do the work.")]
struct Ask;

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

const PIECES: u32 = 6;

/// Calls the tool for some of the pieces without a result, and answers when all have one.
fn reply(request: &Request, random: &mut Random) -> Reply {
    let is_done = |piece: &u32| {
        let done = format!("done {piece}");
        request
            .messages
            .iter()
            .any(|message| message.text() == done)
    };
    let usage = Usage::new(random.below(50), random.below(50));
    let missing: Vec<u32> = (0..PIECES).filter(|piece| !is_done(piece)).collect();
    if missing.is_empty() {
        return Reply::new("All is done.").with_usage(usage);
    }
    let count = 1 + random.below(4) as usize;
    let calls = missing.iter().take(count).map(|piece| {
        let id = format!("call{}", random.below(1 << 40));
        match random.below(12) {
            0 => ToolCall::new(id, "wrok", "{}"),
            1 => ToolCall::new(id, "work", r#"{"piece": "#),
            2 => ToolCall::new(id, "work", "{}"),
            _ => ToolCall::new(id, "work", format!(r#"{{"piece": {piece}}}"#)),
        }
    });
    let mut reply = Reply::calls(calls).with_usage(usage);
    if random.below(3) == 0 {
        reply.text = "I go on.".to_owned();
    }
    reply
}

/// Every call has its result behind it, in order, and no message is left without a partner.
fn check(messages: &Messages, seed: u64) {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        match message.role {
            Role::Tool => {
                assert!(!open.is_empty(), "{seed}: {messages:?}");
                let id = open.remove(0);
                assert_eq!(message.tool_call_id.as_deref(), Some(id), "{seed}");
            }
            _ => assert_eq!(open, [""; 0], "{seed}: {messages:?}"),
        }
        for call in &message.tool_calls {
            let arguments = serde_json::from_str::<serde_json::Value>(&call.arguments);
            assert!(arguments.unwrap().is_object(), "{seed}: {call:?}");
        }
        open.extend(
            message
                .tool_calls
                .iter()
                .filter_map(|call| call.id.as_deref()),
        );
    }
    assert_eq!(open, [""; 0], "{seed}: {messages:?}");
}

#[test]
fn transcripts_are_valid_and_resume_to_the_same_end() {
    let mut stops = 0;
    for seed in 1..200 {
        let random = Mutex::new(Random(seed * 0x9e37_79b9));
        let below = |limit| random.lock().unwrap().below(limit);
        let for_model = Mutex::new(Random(seed));
        let llm = MockLlm::from_fn(move |request| {
            let mut random = for_model.lock().unwrap();
            match random.below(15) {
                0 => Err(Error::new(ErrorKind::Model, "the connection broke")),
                _ => Ok(reply(request, &mut random)),
            }
        });
        let mut stored: Option<Messages> = None;
        let finished = loop {
            let last = Mutex::new(None);
            let mut asked = llm.with_tools(&Ask).max_rounds(1 + below(6) as usize);
            asked = asked.concurrency(1 + below(4) as usize);
            asked = asked.on_event(|event| {
                if let ToolEvent::Stopped(messages) = event {
                    *last.lock().unwrap() = Some(messages);
                }
            });
            asked = match below(5) {
                0 => asked.max_calls(1 + below(8) as usize),
                1 => asked.max_total_tokens(1 + below(400)),
                2 => asked.tool_limit("work", ToolLimit::new().max_calls(1 + below(5) as usize)),
                3 => asked.tool_timeout(Duration::from_millis(2)),
                _ => asked,
            };
            if below(2) == 0 {
                asked = asked.report_errors();
            }
            if let Some(messages) = stored.take() {
                asked = asked.resume(messages);
            }
            let can_hang = below(8) == 0;
            if can_hang {
                asked = asked.total_timeout(Duration::from_millis(3));
            }
            let mut run = asked.run(async |Action::Work { piece }| {
                let mut polls = below(6);
                poll_fn(|context| {
                    context.waker().wake_by_ref();
                    polls = polls.saturating_sub(1);
                    if polls == 0 {
                        Poll::Ready(())
                    } else {
                        Poll::Pending
                    }
                })
                .await;
                match below(30) {
                    0 => panic!("the tool is broken"),
                    1 | 2 => Err(Error::new(ErrorKind::Value, "not now")),
                    3 if can_hang => pending().await,
                    _ => Ok(format!("done {piece}")),
                }
            });
            // Some loops are dropped, as by a server whose client goes away.
            let mut polls = if below(3) == 0 {
                1 + below(20)
            } else {
                u64::MAX
            };
            let ended = block_on(poll_fn(|context| {
                polls -= 1;
                match run.as_mut().poll(context) {
                    Poll::Pending if polls == 0 => Poll::Ready(None),
                    poll => poll.map(Some),
                }
            }));
            drop(run);
            let error = match ended {
                Some(Ok(finished)) => break finished,
                Some(Err(error)) => Some(error),
                None => None,
            };
            stops += 1;
            let messages = last.into_inner().unwrap().unwrap();
            if let Some(error) = error {
                assert_eq!(error.messages(), Some(&messages), "{seed}: {error:?}");
            }
            check(&messages, seed);
            let json = serde_json::to_string(&messages).unwrap();
            let read = History::parse_with_system(&json).unwrap();
            let read: Messages = read.into_iter().collect();
            assert_eq!(serde_json::to_string(&read).unwrap(), json, "{seed}");
            stored = Some(read);
        };
        assert_eq!(finished.value, "All is done.", "{seed}");
        check(&finished.messages, seed);
        let is_work = |message: &&Message| message.text().starts_with("done ");
        let done = finished.messages.iter().filter(is_work).count();
        assert!(done >= PIECES as usize, "{seed}: {:?}", finished.messages);
    }
    assert!(stops > 200, "{stops}");
}
