use prompt_core::{Error, ErrorKind, Llm, Message, Options, Prompt, Request, Result, ToolCall};

/// Asks a prompt whose model may call tools, and answers the calls, until the model answers itself.
///
/// The tools are those of the prompt. `answer` is given each call and gives the text that the model is to read; what
/// went wrong inside a tool is best told there, since the model may then do otherwise. After `rounds` answers with calls
/// it ends with an error.
///
/// ```
/// use prompt_client::call_with_tools;
/// use prompt_core::{Message, Messages, Options, Reply, Scripted, Tool, ToolCall};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let call = ToolCall::new("c1", "depth", r#"{"lake": "Ammersee"}"#);
/// let llm = Scripted::new([Reply::calls([call]), Reply::new("It is 81 metres deep.")]);
/// let ask = Messages::from([Message::user("How deep is it?")]).with_tool(Tool::new("depth"));
/// let answer = call_with_tools(&llm, &ask, Options::default(), 5, async |call| {
///     match &*call.name {
///         "depth" => Ok("81 m".to_owned()),
///         name => Ok(format!("there is no tool {name}")),
///     }
/// });
/// assert_eq!(answer.await?, "It is 81 metres deep.");
/// # Ok::<(), prompt_core::Error>(()) }).unwrap();
/// ```
///
/// # Errors
/// As [`Llm::call_with`], what `answer` fails with, and a model that calls tools without end.
pub async fn call_with_tools<P: Prompt>(
    llm: &impl Llm,
    prompt: &P,
    options: Options,
    rounds: usize,
    mut answer: impl AsyncFnMut(&ToolCall) -> Result<String>,
) -> Result<P::Output> {
    let known = |error: Error| error.with_prompt(P::INFO);
    let mut request = Request::of(prompt)?.with_options(options);
    for _ in 0..=rounds {
        let reply = llm.send(&request).await.map_err(known)?;
        if reply.tool_calls.is_empty() {
            return P::read(&reply).map_err(known);
        }
        let calls = reply.tool_calls;
        let said = Message {
            tool_calls: calls.clone(),
            ..Message::assistant(reply.text)
        };
        request.messages.push(said);
        for call in calls {
            let text = answer(&call).await.map_err(known)?;
            let id = call.id.unwrap_or_else(|| call.name.clone());
            request
                .messages
                .push(Message::tool(id, text).with_name(call.name));
        }
    }
    let message = format!("the model still calls tools after {rounds} rounds");
    Err(known(Error::new(ErrorKind::Model, message).with_help(
        "allow more rounds, or say in the prompt when to stop",
    )))
}
