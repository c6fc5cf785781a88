//! Prompts as people paste them: each file of `tests/behaviour/tests/pasted` has slots `<input:name>` among markup, code and templates of other
//! languages. With `slots = "input"` it compiles unchanged; otherwise it has at most one error.

use prompt_jinja_syntax::analysis::JinjaState;
use std::path::Path;

use prompt_jinja_syntax::{Expr, Jinja, Node};
use prompt_syntax::analysis::{Analyzer, Context, FieldInfo};
use prompt_syntax::{
    Dialect, Error, Kind, KnownNames, Options, XmlTags, merge_pasted_errors, parse_in,
};

/// The names of the slots.
fn names(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for rest in text.split("<input:").skip(1) {
        let name = rest.split('>').next().expect("a closed slot");
        let is_name = name.chars().all(|c| c == '_' || c.is_alphanumeric());
        if is_name && !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The text with its slots filled, and the errors of the whole prompt.
fn read(text: &str, input_only: bool, roles: bool) -> (String, Vec<Error>) {
    let info = |name: &&str| FieldInfo {
        name: (*name).to_owned(),
        kind: Kind::Text,
        trusted: false,
        excluded_by: None,
        answer: false,
    };
    let fields: Vec<FieldInfo> = names(text).iter().map(info).collect();
    let options = Options {
        input_only,
        roles,
        ..Options::message(Dialect::Angle)
    };
    let parsed = parse_in::<Jinja>(
        text,
        options,
        &XmlTags::default(),
        KnownNames::Fields(&fields),
    );
    let context = Context {
        dialect: Dialect::Angle,
        fields: &fields,
        owner: "Ask",
        captures: false,
        tags: &XmlTags::default(),
        unparsed_names: &[],
        fields_unparsed: false,
        run_time: false,
        reserved: &[],
    };
    let nodes = &parsed.template.nodes;
    let mut analyzer = Analyzer::new(
        context,
        text,
        nodes,
        JinjaState::default(),
        parsed.errors.is_empty(),
    );
    analyzer.resolve_message(nodes);
    let found = parsed.errors.into_iter().chain(analyzer.finish().0);
    let errors = merge_pasted_errors(Dialect::Angle, found.map(|error| (0, error)).collect());
    let mut out = String::new();
    for node in nodes {
        match node {
            Node::Text(text) => out.push_str(&text.text),
            Node::Slot(slot) => {
                if let Expr::Path(path) = &slot.expr {
                    out.push_str(&value(&path.dotted()));
                }
            }
            _ => {}
        }
    }
    (out, errors.into_iter().map(|(_, error)| error).collect())
}

fn value(name: &str) -> String {
    format!("[{name} <input:{name}> {{{name}}}]")
}

#[test]
fn compiles_unchanged() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/behaviour/tests/pasted");
    let (mut count, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("a readable entry").path();
        let text = std::fs::read_to_string(&path).expect("a readable prompt");
        let mut expected = String::new();
        for (index, part) in text.split("<input:").enumerate() {
            match part.split_once('>').filter(|_| index > 0) {
                Some((name, rest)) => expected.extend([&value(name), rest]),
                None => expected.push_str(part),
            }
        }
        let (lines, slots) = (text.lines().count(), names(&text).len());
        assert!(
            (50..=300).contains(&lines) && (3..=8).contains(&slots),
            "{path:?}: {lines} lines, {slots} slots"
        );
        for (input_only, most) in [(true, 0), (false, 1)] {
            for roles in [false, true] {
                let (filled, errors) = read(&text, input_only, roles);
                let shown: Vec<String> = errors
                    .iter()
                    .map(|error| format!("{} at {:?}", error.message(), error.span.of(&text)))
                    .collect();
                if errors.len() > most || (errors.is_empty() && filled != expected) {
                    let name = path.file_name().expect("a file");
                    wrong.push(format!(
                        "{name:?}, input only: {input_only}, roles: {roles}: {shown:#?}"
                    ));
                }
            }
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 73, "{count} prompts");
}

/// The messages of a prompt with these slots of no field and this text.
fn messages(slots: &str, text: &str) -> Vec<String> {
    let (_, errors) = read(&format!("<input:question> {slots}\n{text}\n"), false, false);
    let messages = errors.iter().map(|error| error.message().to_owned());
    messages.collect()
}

/// `tests/pasted_snippets.txt`, without the slots of a prompt. Alone, twice and all together they are at most one error.
#[test]
fn snippets() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pasted_snippets.txt");
    let text = std::fs::read_to_string(path).expect("a readable file");
    let mut prompts = vec![text.replace("----\n", "")];
    for snippet in text.split("----\n") {
        prompts.extend([snippet.to_owned(), format!("{snippet}\n{snippet}")]);
    }
    for prompt in prompts {
        let prompt = format!("Answer <input:question> from <input:context>.\n{prompt}");
        let filled = prompt
            .replace("<input:question>", &value("question"))
            .replace("<input:context>", &value("context"));
        let (out, errors) = read(&prompt, true, false);
        assert!(errors.is_empty() && out == filled, "{prompt}");
        let (out, errors) = read(&prompt, false, false);
        let messages: Vec<&str> = errors.iter().map(|error| error.message()).collect();
        assert!(errors.len() <= 1, "{prompt}: {messages:#?}");
        assert!(!errors.is_empty() || out == filled, "{prompt}: {out}");
    }
}

#[test]
fn tags_of_blocks_that_cannot_be_parsed_are_pasted_too() {
    for tag in [
        "<if /,/^",
        "<if test=\"name != null\">",
        "<if a && b>",
        "<if>",
        "<if question",
        "<for each of the items>",
        "<for>",
        "<for i",
        "<else>",
        "<else if",
        "<elif question>",
        "</if>",
        "</for x>",
        "<endif>",
    ] {
        let alone = messages("", tag);
        assert_eq!(alone.len(), 1, "{tag}: {alone:#?}");
        // A tag with a name in scope may be a mistake, and so may a slot without a field beside it.
        let count = 1 + usize::from(tag.contains("question"));
        assert_eq!(messages("<version>", tag).len(), count, "{tag}");
        let found = messages("<version> <host>", tag);
        assert_eq!(found.len(), 1, "{tag}: {found:#?}");
        let (start, end) = ("`<version>`, `<host>` name no field", "a tag of a block");
        let is_joined = found[0].starts_with(start) && found[0].ends_with(end);
        assert!(is_joined, "{tag}: {found:?}");
    }
    let found = messages("<version> <host>", "<if a && b> <if c && d> <if a && b>");
    assert_eq!(
        found,
        [
            "`<version>`, `<host>` name no field, and `<if a && b>`, `<if c && d>` are not tags of blocks"
        ]
    );
    // The names in scope make it a mistake, unless the slots are pasted text.
    assert_eq!(
        messages("", "<if question> <for i in question>"),
        [
            "this block is never closed",
            "this block is never closed",
            "`question` is a string, not a list"
        ]
    );
    let found = messages("<version> <host>", "<if question>");
    assert_eq!(
        found,
        ["`<version>`, `<host>` name no field, and `<if question>` is not a tag of a block"]
    );
}

/// A slot with the name of a role is not a misspelt tag of one.
#[test]
fn a_slot_beside_tags_of_roles() {
    for dialect in [Dialect::Brace, Dialect::Fstring] {
        let options = Options::document(dialect);
        let fields = ["user"].map(|name| FieldInfo {
            name: name.to_owned(),
            kind: Kind::Text,
            trusted: false,
            excluded_by: None,
            answer: false,
        });
        let text = "Ask {user}, then run s/<user>/x/ on it.";
        let parsed = parse_in::<Jinja>(
            text,
            options,
            &XmlTags::default(),
            KnownNames::Fields(&fields),
        );
        let messages: Vec<&str> = parsed.errors.iter().map(|error| error.message()).collect();
        let name = dialect.name();
        assert!(
            messages.contains(&"text is outside of the roles"),
            "{name}: {messages:?}"
        );
        assert!(
            !messages.contains(&"this block is never closed"),
            "{name}: {messages:?}"
        );
    }
}

/// In a file, tags of roles are structure; with `slots = "input"` they are text where they can be nothing else.
#[test]
fn tags_of_roles_in_pasted_text() {
    for (text, with_key, without) in [
        ("Ask <user>Bo</user> first.", "", "outside"),
        ("Users:\n<user id=\"1\">Bo</user>\n<user/>", "", "outside"),
        (
            "Example:\n<user>a</user>\n<assistant>b</assistant>\nGo on.",
            "",
            "outside",
        ),
        (
            "Write `<system>` and `<user>`, then `<assistant>`.",
            "",
            "name no field",
        ),
        ("Write `</user>` last.", "", "outside"),
        // Roles with a text before them may be meant either way.
        (
            "Version 2\n<system>a</system>\n<user>b</user>\n",
            "outside",
            "outside",
        ),
        // A template that begins with a role has roles.
        ("<user>a</user> b", "outside", "outside"),
        ("<input:question>\n<user>a</user>", "", ""),
        (
            "Answer.\n<sytem>a</sytem>\n<user>b</user>",
            "unknown",
            "unknown",
        ),
    ] {
        for (input_only, expected) in [(true, with_key), (false, without)] {
            let (_, errors) = read(text, input_only, true);
            let shown: Vec<&str> = errors.iter().map(|error| error.message()).collect();
            let is_right = match expected {
                "" => errors.is_empty() || text.starts_with("<input:"),
                word => errors.len() == 1 && shown[0].contains(word),
            };
            assert!(is_right, "{text}, input only: {input_only}: {shown:#?}");
        }
    }
}
