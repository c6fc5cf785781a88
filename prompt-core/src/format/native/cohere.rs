//! Cohere 2 and Command R7B: the instructions of the conversation after the family's own.

use std::collections::{BTreeMap, BTreeSet};

use super::chat::{ChatInput, ChatMessage};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::{Json, Result, Role};
use prompt_family::tokens::cohere::{DEVELOPER, HEADER};

const PREAMBLE: &str = "# System Preamble\nYou are in contextual safety mode. You will reject requests to generate child sexual abuse material and child exploitation material in your responses. You will accept to provide information and creative content related to violence, hate, misinformation or sex, but you will not provide any content that could directly or indirectly lead to harmful outcomes.\n\nYour information cutoff date is June 2024.\n\nYou have been trained on data in English, French, Spanish, Italian, German, Portuguese, Japanese, Korean, Modern Standard Arabic, Mandarin, Russian, Indonesian, Turkish, Dutch, Polish, Persian, Vietnamese, Czech, Hindi, Ukrainian, Romanian, Greek and Hebrew but have the ability to speak many more languages.\n";
const TOOLS: &str = "\nYou have been trained to have advanced reasoning and tool-use capabilities and you should make best use of these skills to serve user's requests.\n\n## Tool Use\nThink about how you can make best use of the provided tools to help with the task and come up with a high level plan that you will execute first.\n\n0. Start by writing <|START_THINKING|> followed by a detailed step by step plan of how you will solve the problem. For each step explain your thinking fully and give details of required tool calls (if needed). Unless specified otherwise, you write your plan in natural language. When you finish, close it out with <|END_THINKING|>.\n    You can optionally choose to skip this step when the user request is so straightforward to address that only a trivial plan would be needed.\n    NOTE: You MUST skip this step when you are directly responding to the user's request without using any tools.\n\nThen carry out your plan by repeatedly executing the following steps.\n1. Action: write <|START_ACTION|> followed by a list of JSON-formatted tool calls, with each one containing \"tool_name\" and \"parameters\" fields.\n    When there are multiple tool calls which are completely independent of each other (i.e. they can be executed in parallel), you should list them out all together in one step. When you finish, close it out with <|END_ACTION|>.\n2. Observation: you will then receive results of those tool calls in JSON format in the very next turn, wrapped around by <|START_TOOL_RESULT|> and <|END_TOOL_RESULT|>. Carefully observe those results and think about what to do next. Note that these results will be provided to you in a separate turn. NEVER hallucinate results.\n    Every tool call produces a list of results (when a tool call produces no result or a single result, it'll still get wrapped inside a list). Each result is clearly linked to its originating tool call via its \"tool_call_id\".\n3. Reflection: start the next turn by writing <|START_THINKING|> followed by what you've figured out so far, any changes you need to make to your plan, and what you will do next. When you finish, close it out with <|END_THINKING|>.\n    You can optionally choose to skip this step when everything is going according to plan and no special pieces of information or reasoning chains need to be recorded.\n    NOTE: You MUST skip this step when you are done with tool-use actions and are ready to respond to the user.\n\nYou can repeat the above 3 steps multiple times (could be 0 times too if no suitable tool calls are available or needed), until you decide it's time to finally respond to the user.\n\n4. Response: then break out of the loop and write <|START_RESPONSE|> followed by a piece of text which serves as a response to the user's last request. Use all previous tool calls and results to help you when formulating your response. When you finish, close it out with <|END_RESPONSE|>.\n\n## Available Tools\nHere is the list of tools that you have available to you.\nYou can ONLY use the tools listed here. When a tool is not listed below, it is NOT available and you should NEVER attempt to use it.\nEach tool is represented as a JSON object with fields like \"name\", \"description\", \"parameters\" (per JSON Schema), and optionally, \"responses\" (per JSON Schema).\n\n```json\n[\n";
const TOOLS_END: &str = "\n]\n```\n\n";
/// The tool that the documents are a result of.
const DOCUMENT_TOOL: &str = "    {\"name\": \"direct-injected-document\", \"description\": \"This is a special tool to directly inject user-uploaded documents into the chat as additional context. DO NOT use this tool by yourself!\", \"parameters\": {\"type\": \"object\", \"properties\": {}, \"required\": []}, \"responses\": {\"200\": {\"description\": \"Successfully returned a list of chunked text snippets from the directly uploaded documents.\", \"content\": {\"application/json\": {\"schema\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"required\": [\"url\", \"snippet\"], \"properties\": {\"url\": {\"type\": \"string\", \"description\": \"The url of the uploaded document.\"}, \"snippet\": {\"type\": \"string\", \"description\": \"The text snippet for the returned document chunk.\"}}}}}}}}}";
/// Around the documents: a call and its result.
const DOCUMENTS: [&str; 2] = [
    "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|><|START_THINKING|>I will look through the document to address the users needs.<|END_THINKING|><|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"direct-injected-document\", \"parameters\": {}}\n]<|END_ACTION|><|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><|START_TOOL_RESULT|>[\n    {\n        \"tool_call_id\": \"0\",\n        \"results\": {\n",
    "\n        },\n        \"is_error\": null\n    }\n]<|END_TOOL_RESULT|><|END_OF_TURN_TOKEN|>",
];
const DEFAULTS: &str = "# Default Preamble\nThe following instructions are your defaults unless specified elsewhere in developer preamble or user prompt.\n- Your name is Command.\n- You are a large language model built by Cohere.\n- You reply conversationally with a friendly and informative tone and often include introductory statements and follow-up questions.\n- If the input is ambiguous, ask clarifying follow-up questions.\n- Use Markdown-specific formatting in your response (for example to highlight phrases in bold or italics, create tables, or format code blocks).\n- Use LaTeX to generate mathematical notation for complex equations.\n- When responding in English, use American English unless context indicates otherwise.\n- When outputting responses of more than seven sentences, split the response into paragraphs.\n- Prefer the active voice.\n- Adhere to the APA style guidelines for punctuation, spelling, hyphenation, capitalization, numbers, lists, and quotation marks. Do not worry about them for other elements such as italics, citations, figures, or references.\n- Use gender-neutral pronouns for unspecified persons.\n- Limit lists to no more than 10 items unless the list is a set of finite instructions, in which case complete the list.\n- Use the third person when asked to write a summary.\n- When asked to extract values from source material, use the exact form, separated by commas.\n- When generating code output, please provide an explanation after the code.\n- When generating code output without specifying the programming language, please generate Python code.\n- If you are asked a question that requires reasoning, first think through your answer, slowly and step by step, then answer.";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let delimiters = &turns.system.delimiters;
    let mut systems = chat.turns().filter(|(_, turn)| turn.has_role(Role::System));
    let system = systems.next();
    let is_instruction = |turn: &ChatMessage<'_>| {
        let is_same = system.is_some_and(|(_, system)| system.content() == turn.content());
        turn.has_role(Role::System) && is_same
    };
    out.write_start(chat);
    out.structure(delimiters.open);
    out.structure(turns.system.default.text().unwrap_or_default());
    let mut has_instructions = false;
    if let Some((at, turn)) = system {
        let text = out.printed_text(at, &turn)?;
        let text = TextSlice::from(&text);
        has_instructions = out.has_text(at, text);
        if has_instructions {
            out.structure(DEVELOPER);
            out.finish_content(at, text);
        }
    }
    out.structure(delimiters.close);
    let mut index = 0;
    for (at, turn) in chat.turns() {
        if has_instructions && is_instruction(&turn) {
            continue;
        }
        if matches!(turn.role(), Some(Role::User | Role::Assistant)) {
            if turn.has_role(Role::User) != (index % 2 == 0) {
                return Err(out.out_of_turn(at, &turn, index));
            }
            index += 1;
        }
        match turn.role() {
            Some(Role::Assistant) => {
                out.open_answer();
                out.finish_content(at, TextSlice::from(&out.printed_text(at, &turn)?));
                out.close_answer(turns.assistant.close);
            }
            Some(Role::User | Role::System) => {
                out.open_turn(at, &turn);
                out.finish_content(at, TextSlice::from(&out.printed_text(at, &turn)?));
                out.structure(delimiters.close);
            }
            _ if out.is_strict() => return Err(out.unsupported_role(at, &turn)),
            // The model's chat template leaves the content of other roles out.
            _ => {
                let open = delimiters.open.split_inclusive('>').next();
                out.structure(open.unwrap_or_default());
                out.structure(delimiters.close);
            }
        }
    }
    out.write_end(chat);
    Ok(())
}

/// Writes a conversation of Command R7B: tools in the system message, which is always there, and calls and results as numbered JSON.
pub(crate) fn write_command_r7b(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    let end = turns.user.close;
    out.write_start(chat);
    let has_instructions = write_preamble(chat, out)?;
    let mut results = Results::of_chat(chat);
    let documents = &*out.options.documents;
    // The number of the next call. The documents are written as the result of a call after the first question.
    let (mut calls, mut has_documents) = (0, documents.is_empty());
    for (at, turn) in chat.turns().skip(usize::from(has_instructions)) {
        match turn.role() {
            Some(Role::System | Role::User) => {
                out.open_turn(at, &turn);
                out.finish_content(at, TextSlice::from(&out.printed_text(at, &turn)?));
                out.structure(end);
                if turn.has_role(Role::User) && !has_documents {
                    has_documents = true;
                    calls += 1;
                    write_documents(documents, out);
                }
            }
            Some(Role::Assistant) if turn.has_calls() => write_calls(at, &turn, &mut calls, out)?,
            Some(Role::Assistant) => {
                out.open_answer();
                out.finish_content(at, TextSlice::from(&out.printed_text(at, &turn)?));
                out.close_answer(turns.assistant.close);
            }
            Some(Role::Tool) => results.write(at, &turn, chat, out)?,
            _ if out.is_strict() => return Err(out.unsupported_role(at, &turn)),
            _ => {}
        }
    }
    if !has_documents && out.is_strict() {
        let error = out.unsupported("there are documents without a question");
        return Err(error.with_help("add a user message, or leave the documents out"));
    }
    out.write_end(chat);
    if out.has_generation_prompt() && out.options.thinking != Some(true) {
        let (open, close) = turns.reasoning.unwrap_or_default();
        out.structure(open);
        out.structure(close);
    }
    Ok(())
}

fn write_documents(documents: &[Json], out: &mut FormatWriter<'_>) {
    let [before, after] = DOCUMENTS;
    out.structure(before);
    for (index, document) in documents.iter().enumerate() {
        out.structure(if index > 0 { ",\n" } else { "" });
        out.structure(&format!("            \"{index}\": "));
        out.write_data(FieldOrigin::Document, &dumps(document, None));
    }
    out.structure(after);
}

/// The system message with the tools and the instructions, if there are any.
fn write_preamble(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<bool> {
    let delimiters = &out.family.turns.system.delimiters;
    let tools = chat.tools.as_deref().unwrap_or_default();
    out.structure(delimiters.open);
    out.structure(PREAMBLE);
    let has_documents = !out.options.documents.is_empty();
    if has_documents || !tools.is_empty() {
        out.structure(TOOLS);
        if has_documents {
            out.structure(DOCUMENT_TOOL);
            out.structure(if tools.is_empty() { "" } else { ",\n" });
        }
        for (index, tool) in tools.iter().enumerate() {
            out.structure(if index > 0 { ",\n" } else { "" });
            write_tool(index, tool, out);
        }
        out.structure(TOOLS_END);
    }
    out.structure(DEFAULTS);
    let mut has_instructions = false;
    if let Some(system) = chat.system() {
        let text = out.printed_text(0, &system)?;
        let text = TextSlice::from(&text);
        has_instructions = out.has_text(0, text);
        if has_instructions {
            out.structure("\n");
            out.structure(DEVELOPER);
            out.finish_content(0, text);
        }
    }
    out.structure(delimiters.close);
    Ok(has_instructions)
}

fn write_tool(index: usize, tool: &Json, out: &mut FormatWriter<'_>) {
    let origin = FieldOrigin::Tool(index);
    let function = tool.get("function").unwrap_or_else(|| tool.clone());
    let shown = |key: &str| {
        function
            .get(key)
            .map(|value| display(&value))
            .unwrap_or_default()
    };
    out.structure("    {\"name\": \"");
    out.write_data(origin, &shown("name"));
    out.structure("\", \"description\": \"");
    out.write_data(origin, &shown("description"));
    out.structure("\", \"parameters\": ");
    let parameters = function.get("parameters");
    let parameters = parameters.map(|parameters| dumps(&parameters, None));
    out.write_data(origin, parameters.as_deref().unwrap_or("{}"));
    out.structure(", \"responses\": null}");
}

/// Writes the calls of a message, numbered in the whole conversation, after its reasoning.
fn write_calls(
    at: usize,
    turn: &ChatMessage<'_>,
    number: &mut usize,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.reasoning.unwrap_or_default();
    out.open_answer_with(HEADER);
    out.structure(open);
    if let Some(reasoning) = turn.reasoning() {
        out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
    }
    out.structure(close);
    out.structure(turns.calls.section_open);
    for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
        let origin = FieldOrigin::Call(at, index);
        out.structure(if index > 0 { ",\n" } else { "" });
        out.structure(&format!("    {{\"tool_call_id\": \"{number}\", "));
        out.structure(turns.calls.open);
        out.write_name(origin, &call.name)?;
        out.structure(turns.calls.middle);
        out.write_data(origin, &dumps(&out.arguments(call), None));
        out.structure(turns.calls.close);
        *number += 1;
    }
    out.structure(turns.calls.section_close);
    out.close_answer(turns.user.close);
    Ok(())
}

/// The numbers of calls by their ids, and the results that were written.
struct Results {
    /// For the id of a call, the number of the first call with it in the conversation, and how many calls have it.
    numbers: BTreeMap<String, (usize, usize)>,
    /// The ids of results that were written after the first one in a row: the template leaves later results with them out.
    seen: BTreeSet<String>,
}

impl Results {
    fn of_chat(chat: &ChatInput<'_>) -> Results {
        let mut numbers = BTreeMap::new();
        let mut number = 0;
        for (_, turn) in chat.turns().filter(|(_, turn)| turn.has_calls()) {
            for call in turn.tool_calls().unwrap_or_default().iter() {
                let id = call.id.as_deref().unwrap_or(&call.name).to_owned();
                numbers.entry(id).or_insert((number, 0)).1 += 1;
                number += 1;
            }
        }
        Results {
            numbers,
            seen: BTreeSet::new(),
        }
    }

    /// Writes all results in a row at the first of them.
    fn write(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        chat: &ChatInput<'_>,
        out: &mut FormatWriter<'_>,
    ) -> Result<()> {
        if out.is_strict() && !out.options.documents.is_empty() {
            // The template numbers calls after the documents, and results as if there were none.
            let what = "is a result beside documents";
            let help = "leave the documents out, or give them as the result of a tool";
            return Err(out.unsupported_message(at, turn, what, help));
        }
        if self.seen.contains(turn.call_id().unwrap_or_default()) {
            return Ok(());
        }
        let tool = out.family.turns.tool.unwrap_or(out.family.turns.user);
        out.structure(tool.open);
        let results = chat.turns().skip(at);
        for (result_at, result) in results.take_while(|(_, turn)| turn.has_role(Role::Tool)) {
            if result_at > at {
                out.structure(",\n");
                let id = result.call_id().unwrap_or_default();
                self.seen.insert(id.to_owned());
            }
            let number = self.number_of_call(result_at, &result, out)?;
            out.structure(&format!(
                "    {{\n        \"tool_call_id\": \"{number}\",\n        \"results\": {{\n            \"0\": "
            ));
            out.write_json(result_at, &result)?;
            out.structure("\n        },\n        \"is_error\": null\n    }");
        }
        out.structure(tool.close);
        Ok(())
    }

    /// The number of the call that a result answers, among all calls of the conversation.
    fn number_of_call(
        &self,
        at: usize,
        result: &ChatMessage<'_>,
        out: &FormatWriter<'_>,
    ) -> Result<String> {
        let found = self.numbers.get(result.call_id().unwrap_or_default());
        if out.is_strict() && found.is_none_or(|(_, count)| *count != 1) {
            // The template leaves the number out, or takes the first call for it.
            let what = match found {
                Some((_, count)) => format!("is a tool result with an id that {count} calls have"),
                None => "has an id that no call before it has".to_owned(),
            };
            let help = "give each call an id of its own, and the result the id of its call";
            return Err(out.unsupported_message(at, result, &what, help));
        }
        let number = found.map(|(number, _)| number.to_string());
        Ok(number.unwrap_or_default())
    }
}
