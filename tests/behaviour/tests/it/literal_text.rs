//! Literal text: XML tags of the whole prompt, verbatim blocks, `slots = "input"`, f-strings.

use typed_prompt::{Dynamic, Fields};
use typed_prompt::{Prompt, prompt};

use crate::user;

#[derive(Prompt)]
#[prompt(
    system = "The document is in <document> tags, <count> in all.",
    user = "<document>\n<input:document>\n</document>",
    assistant = "<count>?</count>",
    user = "<input:count> <document>"
)]
struct Tags<'a> {
    document: &'a str,
    count: u8,
}

#[test]
fn a_tag_that_one_message_closes_is_text_in_all() {
    let tags = Tags {
        document: "<document>",
        count: 2,
    };
    let messages = tags.messages().unwrap();
    let texts: Vec<_> = messages
        .iter()
        .map(|message| message.text().to_string())
        .collect();
    assert_eq!(
        texts,
        [
            "The document is in <document> tags, <count> in all.",
            "<document>\n<document>\n</document>",
            "<count>?</count>",
            "2 <document>",
        ]
    );
    let name = "Ada";
    let messages = prompt!(system = "<name> tags", user = "<name><input:name></name>").unwrap();
    assert_eq!(messages[0].text(), "<name> tags");
    assert_eq!(messages[1].text(), "<name>Ada</name>");
}

#[derive(Prompt, Fields)]
#[prompt(
    slots = "input",
    user = "<if x>{name} <name> \\<b> <raw>{{name}}</raw> </for> \\<input:c> <input:name | upper><br>"
)]
struct Pasted<'a> {
    name: &'a str,
}

#[derive(Prompt)]
#[prompt(
    slots = "input",
    syntax = "brace",
    user = "{name} {{ name }} {input:name}"
)]
struct Braces<'a> {
    name: &'a str,
}

#[test]
fn only_input_is_a_slot() {
    let name = "Ada";
    assert_eq!(
        user(&Pasted { name }),
        "<if x>{name} <name> \\<b> <raw>{{name}}</raw> </for> <input:c> ADA<br>"
    );
    assert_eq!(user(&Braces { name }), "{name} {{ name }} Ada");
    let messages = prompt!("{name} <name> <input:name>", slots = "input").unwrap();
    assert_eq!(messages[0].text(), "{name} <name> Ada");
    let live = Dynamic::<Pasted>::parse("<user>{name} <x> <input:name></user>").unwrap();
    let messages = live.messages(&Pasted { name }).unwrap();
    assert_eq!(messages[0].text(), "{name} <x> Ada");
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("literal-{}.prompt", std::process::id()));
    std::fs::write(
        &file,
        "---\nslots: input\n---\n<user>{name} <x> <input:name></user>\n",
    )
    .unwrap();
    let live = Dynamic::<Plain>::load(&file).unwrap();
    std::fs::remove_file(file).unwrap();
    let messages = live.messages(&Plain { name }).unwrap();
    assert_eq!(messages[0].text(), "{name} <x> Ada");
}

#[derive(Prompt, Fields)]
#[prompt(user = r"<raw><a> {name} <if></raw>\{name} Vec<T>::new::<u8>()<br><name>")]
struct Plain<'a> {
    name: &'a str,
}

#[derive(Prompt, Fields)]
#[prompt(
    syntax = "fstring",
    user = "{{\"name\": \"{name}\"}} {{{name}}} <x>\\<name>"
)]
struct Ported<'a> {
    name: &'a str,
}

#[test]
fn text_is_the_same_at_run_time() {
    let name = "Ada";
    let expected = "<a> {name} <if>{name} Vec<T>::new::<u8>()<br>Ada";
    assert_eq!(user(&Plain { name }), expected);
    let live =
        Dynamic::<Plain>::parse(r"<raw><a> {name} <if></raw>\{name} Vec<T>::new::<u8>()<br><name>");
    assert_eq!(
        live.unwrap().messages(&Plain { name }).unwrap()[0].text(),
        expected
    );
    let expected = "{\"name\": \"Ada\"} {Ada} <x><name>";
    assert_eq!(user(&Ported { name }), expected);
    let live = Dynamic::<Ported>::parse("{{\"name\": \"{name}\"}} {{{name}}} <x>\\<name>");
    assert_eq!(
        live.unwrap().messages(&Ported { name }).unwrap()[0].text(),
        expected
    );
    for (text, message) in [
        (
            "{name} <name> <if name>x</if>",
            "`{name}` is not a slot in the angle dialect",
        ),
        ("<name> <a> <b> <c>", "`<a>`, `<b>`, `<c>` name no field"),
        ("<name> v<nmae>", "unknown slot `nmae`"),
    ] {
        let error = Dynamic::<Plain>::parse(text).unwrap_err();
        assert_eq!(error.message(), message, "{text}");
    }
}

/// Text that its author meant as the slot `<name>` is an error, also beside a valid slot.
#[test]
fn look_alikes_of_a_slot() {
    for text in [
        "<name >",
        "< name>",
        "<Name>",
        "<name/>",
        "<Input:name>",
        "<input :name>",
        "<name\n>",
        "<\nname>",
        "<#name>",
        "<!name>",
        "<:name>",
        "<\"name\">",
        "<'name'>",
        "<`name`>",
        "<*name*>",
        "<-name->",
        "<name-->",
        "<name.>",
        "<@name>",
        "<$name>",
        "<inputs:name>",
        "<imput:name>",
        "<slot:name>",
        "<field:name>",
        "<variable:name>",
        "<input name>",
        "<input-name>",
        "<slot=name>",
        "<name == 1>",
        "<name+1>",
        "<name != \"x\">",
        "<name:str>",
        "<name: String>",
        "<name: &str>",
        "<name: int>",
        "<If name>a</If>",
        "<IF name>a</IF>",
        "<For x in name>",
        "<Else If name>",
    ] {
        let template = format!("<name> {text}");
        let error = Dynamic::<Plain>::parse(&template).unwrap_err();
        let is_shown =
            error.message().contains("is not a slot") || error.message().contains("unknown slot");
        assert!(is_shown, "{text}: {error}");
    }
    for text in [
        "<br>",
        "a < b",
        "<!-- a note -->",
        "<!DOCTYPE html>",
        "<input type=\"text\">",
        "<xs:name>",
        "<name:first>",
        "<xs:string>",
        "{page.name}",
        "{name: string}",
        "<slot name=\"name\"/>",
        "<a href=\"name\">",
        "[name]",
        "$name",
        "Vec<u8, name>",
        "<If you can>",
        "<b>name</b>",
        "name>",
        "x <name",
        "<->",
        "<#>",
    ] {
        let template = format!("<name> {text}");
        let live =
            Dynamic::<Plain>::parse(&template).unwrap_or_else(|error| panic!("{text}: {error}"));
        let messages = live.messages(&Plain { name: "Ada" }).unwrap();
        assert_eq!(messages[0].text(), format!("Ada {text}"));
    }
}

#[derive(Prompt, Fields)]
#[prompt(syntax = "brace", user = "{name}")]
struct BraceSlot<'a> {
    name: &'a str,
}

#[test]
fn look_alikes_of_a_slot_in_braces() {
    for text in [
        "{inputs:name}",
        "{imput:name}",
        "{field:name}",
        "{slot: name}",
        "{input name}",
        "{*name*}",
        "{-name-}",
        "{name + 1}",
        "{name == 1}",
        "{name!r}",
        "{ name }",
    ] {
        let error = Dynamic::<BraceSlot>::parse(&format!("{{name}} {text}")).unwrap_err();
        assert!(error.message().contains("is not a slot"), "{text}: {error}");
    }
    for text in [
        "{\"name\"}",
        "{'name': 1}",
        "{name: string}",
        "{user name}",
        "{the name}",
        "{a.name}",
        "{-1}",
        "{}",
    ] {
        let live = Dynamic::<BraceSlot>::parse(&format!("{{name}} {text}"))
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let messages = live.messages(&BraceSlot { name: "Ada" }).unwrap();
        assert_eq!(messages[0].text(), format!("Ada {text}"));
    }
}
