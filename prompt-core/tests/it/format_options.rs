//! Each option of a format is honoured or is an error, in every format.

use prompt_core::format::{self, Date, Family, FormatOption, FormatOptions, NativeFormat};
use prompt_core::{
    AnnotatedText, ChatFormat, ErrorKind, Json, Message, Messages, Result, Tool, ToolCall,
};

/// The values of an option.
fn settings(option: FormatOption) -> Vec<FormatOptions> {
    let json = |text: &str| Json::parse(text).unwrap();
    let options = FormatOptions::new;
    match option {
        FormatOption::Lenient => vec![options().lenient()],
        FormatOption::Continued => vec![options().continued()],
        FormatOption::Thinking => vec![options().thinking(true), options().thinking(false)],
        FormatOption::Effort => vec![options().effort("high"), options().effort("low")],
        FormatOption::KeepReasoning => {
            vec![
                options().keep_reasoning(true),
                options().keep_reasoning(false),
            ]
        }
        FormatOption::Identity => vec![options().identity("You are Pilot.")],
        FormatOption::Date => vec![options().date(Date {
            year: 2001,
            month: 2,
            day: 3,
        })],
        FormatOption::DateText => vec![options().date_text("May 1")],
        FormatOption::ToolsInUser => {
            vec![
                options().tools_in_user(true),
                options().tools_in_user(false),
            ]
        }
        FormatOption::BuiltinTools => vec![options().builtin_tools(["python"])],
        FormatOption::SeparateCalls => vec![options().separate_calls()],
        FormatOption::PythonTools => vec![options().python_tools([json("\"def f()\"")])],
        FormatOption::Documents => vec![options().documents([json("{\"text\": \"a\"}")])],
        FormatOption::Controls => vec![options().controls(json("{\"length\": \"short\"}"))],
        option => panic!("{option:?} has no case"),
    }
}

/// Conversations of which at least one shows that an option is honoured.
fn conversations() -> Vec<Messages> {
    let user = || Message::user("Hi");
    let assistant = || Message::assistant("Hello");
    let tool = || Tool::new("tide").with_parameters(Json::parse("{\"type\": \"object\"}").unwrap());
    let call = |id: &str| ToolCall::new(id, "tide", "{\"day\": 1}");
    let calls = Message::assistant("I will look.").with_tool_calls([call("1"), call("2")]);
    vec![
        Messages::from([user()]),
        Messages::from([user()]).with_tool(tool()),
        Messages::from([user(), assistant()]),
        Messages::from([user(), assistant().with_reasoning("Easy.")]),
        Messages::from([user(), assistant().with_reasoning("Easy."), user()]),
        Messages::from([user(), assistant(), Message::tool("1", "6:12")]),
        Messages::from([
            user(),
            calls.clone(),
            Message::tool("1", "6:12"),
            Message::tool("2", "7:40"),
        ]),
        Messages::from([
            user(),
            calls.with_reasoning("Easy."),
            Message::tool("1", "6:12"),
            Message::tool("2", "7:40"),
            user(),
        ]),
        Messages::from([
            user(),
            Message::calls([ToolCall::new("1", "a b", "{}")]),
            user(),
        ]),
        Messages::from([Message::system("Be brief.")]),
    ]
}

/// The text without the check of options.
fn unchecked(
    format: &dyn ChatFormat,
    messages: &Messages,
    options: &FormatOptions,
) -> Option<String> {
    let mut out = AnnotatedText::new();
    format.write_messages(messages, options, &mut out).ok()?;
    Some(out.into_string())
}

#[test]
fn each_option_is_honoured_or_is_an_error() {
    for format in format::FORMATS.iter().copied() {
        let family = format.family();
        for option in FormatOption::ALL.iter().copied() {
            let name = format!("{} {}", family.name, option.name());
            let changes = settings(option).iter().any(|options| {
                conversations().iter().any(|messages| {
                    unchecked(format, messages, options)
                        != unchecked(format, messages, &FormatOptions::new())
                })
            });
            assert_eq!(format.supports(option), changes, "{name}");
            for options in settings(option) {
                let ask = Messages::from([Message::user("Hi")]);
                let text = ask.to_text(format.options(options.clone()));
                let lenient = ask.to_text(format.options(options.lenient()));
                if !changes {
                    check_refused(text, family, option);
                    check_refused(lenient, family, option);
                }
            }
        }
    }
}

/// The efforts of a model are data of its family.
#[test]
fn an_unknown_effort_is_an_error_with_the_known_ones() {
    let ask = Messages::from([Message::user("Hi")]);
    let check = |format: NativeFormat, known: &str| {
        let error = ask.to_text(format.thinking(true).effort("loud"));
        let title = format.family().title;
        let expected = format!(
            "the reasoning effort is `loud`, which {title} does not support; use {known}, or leave it out"
        );
        assert_eq!(error.unwrap_err().to_string(), expected);
    };
    check(format::DEEPSEEK_V4, "`high`, `max`");
    check(format::DEEPSEEK_V4_0731, "`low`, `high`, `max`");
    check(format::NEMOTRON3_SUPER, "`low`");
}

/// A template ignores the effort of reasoning that is off.
#[test]
fn an_effort_without_reasoning_is_an_error() {
    let ask = Messages::from([Message::user("Hi")]);
    let formats = format::FORMATS.iter().copied().filter(|format| {
        [FormatOption::Thinking, FormatOption::Effort]
            .into_iter()
            .all(|option| format.supports(option))
    });
    let formats: Vec<_> = formats.collect();
    assert!(formats.len() >= 2);
    for format in formats {
        let options = FormatOptions::new().thinking(false).effort("low");
        let error = ask.to_text(format.options(options)).unwrap_err();
        let title = format.family().title;
        let expected = format!(
            "the reasoning effort is set without reasoning, which {title} does not support"
        );
        assert_eq!(error.message(), expected);
        assert_eq!(error.help(), Some("turn it on with `.thinking(true)`"));
    }
}

/// `lenient` permits content that a chat template drops, and no option that has no effect.
fn check_refused(text: Result<String>, family: &Family, option: FormatOption) {
    let error = text.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    let title = family.title;
    let names: Vec<String> = FormatOption::ALL
        .iter()
        .map(|option| {
            format!(
                "the option `{}` is set, which {title} does not support",
                option.name()
            )
        })
        .collect();
    assert!(
        names.iter().any(|name| name == error.message()),
        "{option:?}: {error}"
    );
}

#[test]
fn an_unsupported_option_names_formats_that_support_it() {
    let ask = Messages::from([Message::user("Hi")]);
    let check = |error: prompt_core::Error, message: &str, help: &str| {
        assert_eq!((error.message(), error.help()), (message, Some(help)));
    };
    let passage = Json::parse("{\"text\": \"a\"}").unwrap();
    check(
        ask.to_text(format::CHATML.documents([passage]))
            .unwrap_err(),
        "the option `documents` is set, which ChatML does not support",
        "leave `documents` out, or use a format that supports it: `command_r7b`, `granite3_1`, `granite4`, `granite4_1`",
    );
    check(
        ask.to_text(format::PLAIN.lenient()).unwrap_err(),
        "the option `lenient` is set, which Plain text does not support",
        "leave `lenient` out, or use the format of a model family",
    );
    check(
        ask.to_text(format::LLAMA3_1.date_text("May 1").date(Date::today()))
            .unwrap_err(),
        "the options `date` and `date_text` are both set",
        "set one of them",
    );
    let titled = Json::parse("{\"title\": \"Owls\", \"text\": \"a\"}").unwrap();
    check(
        ask.to_text(format::GRANITE3_1.documents([titled.clone()]))
            .unwrap_err(),
        "document 0 has the key `title`, which Granite 3.1 does not support",
        "move its value into `text`, or use `lenient` to drop it as the chat template does",
    );
    assert!(
        ask.to_text(format::GRANITE3_1.documents([titled]).lenient())
            .is_ok()
    );
    check(
        ask.to_text(format::GRANITE3_1.documents([Json::from_serialize("a").unwrap()]))
            .unwrap_err(),
        "document 0 has no string `text`, which Granite 3.1 writes",
        "write the passage as `{\"text\": \"…\"}`",
    );
    // No retrieved passages are lost where there are none.
    assert!(ask.to_text(format::CHATML.documents([])).is_ok());
}

#[test]
fn options_in_a_row_are_one_type() {
    fn same<T>(_: &T, _: &T) {}
    let one = format::QWEN3.thinking(false);
    let three = format::QWEN3.thinking(false).bos(false).label("x");
    same(&one, &three);
    let mut options = FormatOptions::new();
    options.thinking = Some(false);
    assert_eq!(one.format_options(), &options);
    assert_eq!(one, format::QWEN3.options(options));
    // A format behind a reference keeps its options.
    let ask = Messages::from([Message::user("Hi")]);
    let outer = (&one).generation_prompt(true);
    assert_eq!(
        ask.to_text(outer).unwrap(),
        ask.to_text(one.clone()).unwrap()
    );
}

/// A format of a program: its table lists an option, and its writer reads it.
struct Dated;

const DATED: Family = Family {
    name: "dated",
    title: "Dated",
    options: &[FormatOption::DateText],
    ..Family::BARE
};

impl ChatFormat for Dated {
    fn family(&self) -> &'static Family {
        &DATED
    }

    fn write_messages(
        &self,
        messages: &Messages,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        format::check(&DATED, messages, options)?;
        out.structure(options.date_text.as_deref().unwrap_or("today"));
        Ok(())
    }
}

#[test]
fn a_format_of_a_program_lists_its_options() {
    let ask = Messages::from([Message::user("Hi")]);
    assert_eq!(ask.to_text(Dated.date_text("May 1")).unwrap(), "May 1");
    assert!(ask.to_text(Dated.thinking(true)).is_err());
    const MINE: NativeFormat = NativeFormat::new(&DATED);
    assert!(ask.to_text(MINE.effort("low")).is_err());
}
