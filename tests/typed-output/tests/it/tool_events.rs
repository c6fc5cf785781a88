//! The events of a tool loop, and the contents of its errors.

use std::future::poll_fn;
use std::sync::Mutex;
use std::task::Poll;

use pollster::block_on;
use typed_prompt::llm::Usage;
use typed_prompt::tool::{ToolEvent, ToolOutput};
use typed_prompt::{
    Error, ErrorKind, Llm, Messages, MockLlm, Prompt, Reply, Result, Role, ToolCall, Tools,
};

#[derive(Tools, Debug)]
enum Action {
    /// How deep a lake is.
    Depth { lake: String },
}

#[derive(Prompt)]
#[prompt(user = "How deep?", output = u32)]
struct Ask;

fn call(id: &str, lake: &str) -> ToolCall {
    ToolCall::new(id, "depth", format!(r#"{{"lake": "{lake}"}}"#))
}

/// An event in one line.
fn line(event: &ToolEvent) -> String {
    match event {
        ToolEvent::Text(text) => format!("text {text}"),
        ToolEvent::Reasoning(text) => format!("reasoning {text}"),
        ToolEvent::Reply(reply) => format!("reply {}", reply.usage.unwrap_or_default().input),
        ToolEvent::Retry(_) => "retry".to_owned(),
        ToolEvent::Call(call) => format!("call {}", call.id.as_deref().unwrap_or_default()),
        ToolEvent::Result { call, result } => {
            let id = call.id.as_deref().unwrap_or_default();
            match result {
                Ok(output) => format!("result {id} {:?}", output.parts().len()),
                Err(error) => format!("result {id} error: {}", error.message()),
            }
        }
        ToolEvent::Stopped(messages) => format!("stopped {}", messages.len()),
        other => panic!("{other:?}"),
    }
}

fn usage(input: u64) -> Usage {
    Usage::new(input, 0)
}

#[test]
fn events_contain_texts_calls_results_and_tokens() {
    let mut first = Reply::calls([call("1", "a"), call("2", "b"), call("3", "c")]);
    first.text = "Let me see.".to_owned();
    first.reasoning = Some("Three lakes.".to_owned());
    let unfit = Reply::new("deep").with_usage(usage(20));
    let answer = Reply::new("81").with_usage(usage(30));
    let llm = MockLlm::new([first.with_usage(usage(10)), unfit, answer]);
    let mut lines = Vec::new();
    let asked = llm.with_tools(&Ask).report_errors().output_retries(1);
    let asked = asked
        .approve(|Action::Depth { lake }: &Action| lake != "c")
        .on_event(|event| lines.push(line(&event)));
    let finished = block_on(asked.run(async |Action::Depth { lake }| match &*lake {
        "a" => Ok(81),
        _ => Err(Error::new(ErrorKind::Value, "no such lake")),
    }));
    let finished = finished.unwrap();
    assert_eq!((finished.value, finished.usage()), (81, usage(60)));
    let refused: Vec<bool> = finished
        .attempts
        .iter()
        .map(|attempt| attempt.error.is_some())
        .collect();
    assert_eq!(refused, [false, true, false]);
    let expected = [
        "reasoning Three ",
        "reasoning lakes.",
        "text Let ",
        "text me ",
        "text see.",
        "reply 10",
        "call 1",
        "result 1 1",
        "call 2",
        "result 2 error: no such lake",
        "call 3",
        "result 3 error: the call of `depth` was not approved",
        "text deep",
        "reply 20",
        "retry",
        "text 81",
        "reply 30",
    ];
    assert_eq!(lines, expected);
}

/// The results of a conversation, which has one for each call.
fn results(messages: &Messages) -> Vec<String> {
    let results = messages.iter().filter(|message| message.role == Role::Tool);
    results.map(|result| result.text().into_owned()).collect()
}

#[test]
fn an_error_has_the_conversation_and_the_attempts() {
    let cancelled = "error: the call of `depth` was cancelled";
    type Tool = fn(&str) -> Result<u32>;
    let table: [(&str, Vec<Reply>, Tool, &[&str]); 4] = [
        (
            "no such lake",
            vec![Reply::calls([
                call("1", "a"),
                call("2", "b"),
                call("3", "c"),
            ])],
            |lake| match lake {
                "b" => Err(Error::new(ErrorKind::Value, "no such lake")),
                _ => Ok(81),
            },
            &["81", "error: no such lake", cancelled],
        ),
        (
            "the tool `depth` panicked: no lake b",
            vec![Reply::calls([call("1", "a"), call("2", "b")])],
            |lake| match lake {
                "b" => panic!("no lake {lake}"),
                _ => Ok(81),
            },
            &["81", "error: the tool `depth` panicked: no lake b"],
        ),
        (
            "`MockLlm` has 1 answer, and this is request 2, for `Ask`",
            vec![Reply::calls([call("1", "a")])],
            |_| Ok(81),
            &["81"],
        ),
        (
            "the answer does not fit, line 1, column 1: `deep` is not a whole number from 0 to 4294967295",
            vec![Reply::calls([call("1", "a")]), Reply::new("deep")],
            |_| Ok(81),
            &["81"],
        ),
    ];
    for (message, replies, tool, expected) in table {
        let requests = replies.len();
        let replies = replies.into_iter().map(|reply| reply.with_usage(usage(10)));
        let llm = MockLlm::new(replies);
        let stopped = Mutex::new(None);
        let asked = llm.with_tools(&Ask).on_event(|event| {
            if let ToolEvent::Stopped(messages) = event {
                *stopped.lock().unwrap() = Some(messages);
            }
        });
        let run = asked.answer(async |Action::Depth { lake }| tool(&lake));
        let error = block_on(run).unwrap_err();
        assert_eq!(error.message(), message);
        let messages = error.messages().unwrap();
        assert_eq!(results(messages), expected, "{message}");
        assert_eq!(stopped.into_inner().unwrap().as_ref(), Some(messages));
        assert_eq!(error.usage(), usage(10 * requests as u64), "{message}");
        assert_eq!(error.attempts().len(), llm.requests().len(), "{message}");
        assert_eq!(error.prompt(), Some("Ask"));
    }
}

/// A handler of a server is dropped when its client goes away.
#[test]
fn a_dropped_loop_keeps_its_conversation() {
    for polls in 0..4 {
        let calls = [call("1", "a"), call("2", "b"), call("3", "c")];
        let llm = MockLlm::new([Reply::calls(calls), Reply::new("81")]);
        let stopped = Mutex::new(None);
        let asked = llm.with_tools(&Ask).concurrency(3).on_event(|event| {
            if let ToolEvent::Stopped(messages) = event {
                *stopped.lock().unwrap() = Some(messages);
            }
        });
        let mut run = asked.answer(async |Action::Depth { lake }| {
            let mut left = match &*lake {
                "a" => 50,
                "b" => 1,
                _ => 2,
            };
            poll_fn(|context| {
                context.waker().wake_by_ref();
                left -= 1;
                if left == 0 {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            })
            .await;
            Ok(lake)
        });
        block_on(poll_fn(|context| {
            for _ in 0..polls {
                assert!(run.as_mut().poll(context).is_pending());
            }
            Poll::Ready(())
        }));
        drop(run);
        let stopped = stopped.into_inner().unwrap();
        // A loop that never began has no conversation.
        let cancelled = "error: the call of `depth` was cancelled";
        let expected: Option<&[&str]> = match polls {
            0 => None,
            1 => Some(&[cancelled, "b", cancelled]),
            _ => Some(&[cancelled, "b", "c"]),
        };
        let found = stopped.as_ref().map(results);
        let expected = expected.map(|lines| lines.iter().map(|&line| line.to_owned()).collect());
        assert_eq!(found, expected, "{polls}");
    }
}

#[test]
fn a_result_event_has_what_the_model_receives() {
    let llm = MockLlm::new([Reply::calls([call("1", "a")]), Reply::new("81")]);
    let mut outputs = Vec::new();
    let asked = llm.with_tools(&Ask).on_event(|event| {
        if let ToolEvent::Result { result, .. } = event {
            outputs.push(result.unwrap());
        }
    });
    block_on(asked.answer(async |_: Action| Ok("81 m"))).unwrap();
    assert_eq!(outputs, [ToolOutput::from("81 m")]);
}
