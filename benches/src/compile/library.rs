//! The source of a library of prompts, for each system: the same sentences, the same fields.

use std::fmt::Write;
use std::path::Path;

/// A way to write prompts, and how a library of them is generated.
pub(super) struct Library {
    pub(super) name: &'static str,
    pub(super) folder: &'static str,
    dependency: &'static str,
    /// Writes the item of one prompt.
    prompt: fn(&mut String, &Prompt),
}

const ASKAMA: &str =
    "askama = { version = \"0.16.1\", default-features = false, features = [\"derive\", \"std\"] }";

/// Both `typed-prompt` and `askama` leave some work to the code that renders a prompt. This work is added here.
pub(super) const SYSTEMS: [Library; 6] = [
    Library {
        name: "format!",
        folder: "formatted",
        dependency: "",
        prompt: formatted,
    },
    Library {
        name: "typed-prompt",
        folder: "typed",
        dependency: "typed-prompt = { path = \"ROOT\" }",
        prompt: typed,
    },
    Library {
        name: "typed-prompt, each rendered as a text",
        folder: "typed-rendered",
        dependency: "typed-prompt = { path = \"ROOT\" }",
        prompt: typed_rendered,
    },
    Library {
        name: "askama",
        folder: "askama",
        dependency: ASKAMA,
        prompt: askama,
    },
    Library {
        name: "askama, each rendered",
        folder: "askama-rendered",
        dependency: ASKAMA,
        prompt: askama_rendered,
    },
    Library {
        name: "minijinja (checked at run time)",
        folder: "minijinja",
        dependency: "minijinja = { version = \"3.0.5\", default-features = false }",
        prompt: minijinja,
    },
];

/// One prompt: the text before each slot, and the slot's field.
struct Prompt {
    name: String,
    pieces: Vec<(String, Field)>,
}

struct Field {
    name: String,
    ty: &'static str,
}

impl Prompt {
    fn of(index: usize, slots: usize) -> Prompt {
        const WORDS: [&str; 6] = [
            "the passage",
            "its author",
            "a deadline",
            "the tone",
            "a reader",
            "the rule",
        ];
        let piece = |slot: usize| {
            let word = WORDS[(index + slot) % WORDS.len()];
            let before = format!("Sentence {slot} of prompt {index} tells of {word}, which is ");
            let ty = if slot % 6 == 5 { "u32" } else { "&'a str" };
            (
                before,
                Field {
                    name: format!("field{slot}"),
                    ty,
                },
            )
        };
        Prompt {
            name: format!("Prompt{index}"),
            pieces: (0..slots).map(piece).collect(),
        }
    }

    /// The template, with each slot between these delimiters.
    fn template(&self, open: &str, close: &str) -> String {
        self.pieces
            .iter()
            .fold(String::new(), |mut text, (before, field)| {
                write!(text, "{before}{open}{}{close}.\\n", field.name)
                    .expect("a string takes everything");
                text
            })
    }

    fn fields(&self) -> String {
        self.pieces
            .iter()
            .fold(String::new(), |mut text, (_, field)| {
                writeln!(text, "    pub {}: {},", field.name, field.ty)
                    .expect("a string takes everything");
                text
            })
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self
            .pieces
            .iter()
            .map(|(_, field)| field.name.as_str())
            .collect();
        names.join(", ")
    }
}

/// The names and templates of as many prompts, in the syntax of Jinja.
pub(super) fn jinja_templates(prompts: usize, slots: usize) -> Vec<(String, String)> {
    (0..prompts)
        .map(|index| Prompt::of(index, slots))
        .map(|prompt| {
            let template = prompt.template("{{ ", " }}");
            (prompt.name, template)
        })
        .collect()
}

impl Library {
    pub(super) fn manifest(&self, root: &Path) -> String {
        let dependency = self.dependency.replace("ROOT", &root.display().to_string());
        format!(
            "[package]\nname = \"library-{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependency}\n\n[workspace]\n",
            self.folder
        )
    }

    pub(super) fn source(&self, prompts: usize, slots: usize) -> String {
        let mut source = String::new();
        for index in 0..prompts {
            (self.prompt)(&mut source, &Prompt::of(index, slots));
        }
        source
    }
}

fn structure(source: &mut String, attributes: &str, prompt: &Prompt) {
    writeln!(
        source,
        "{attributes}\npub struct {}<'a> {{\n{}}}\n",
        prompt.name,
        prompt.fields()
    )
    .expect("a string takes everything");
}

fn formatted(source: &mut String, prompt: &Prompt) {
    structure(source, "", prompt);
    writeln!(
        source,
        "impl {}<'_> {{\n    pub fn text(&self) -> String {{\n        let {0} {{ {} }} = self;\n        format!(\"{}\")\n    }}\n}}\n",
        prompt.name,
        prompt.names(),
        prompt.template("{", "}")
    )
    .expect("a string takes everything");
}

fn typed(source: &mut String, prompt: &Prompt) {
    let attributes = format!(
        "#[derive(typed_prompt::Prompt)]\n#[prompt(user = \"{}\")]",
        prompt.template("<", ">")
    );
    structure(source, &attributes, prompt);
}

fn typed_rendered(source: &mut String, prompt: &Prompt) {
    typed(source, prompt);
    rendered(source, prompt, "typed_prompt::Prompt::to_plain_text");
}

fn askama_rendered(source: &mut String, prompt: &Prompt) {
    askama(source, prompt);
    rendered(source, prompt, "askama::Template::render");
}

/// A function that calls another to render the prompt.
fn rendered(source: &mut String, prompt: &Prompt, function: &str) {
    writeln!(
        source,
        "impl {}<'_> {{\n    pub fn text(&self) -> String {{\n        {function}(self).unwrap_or_default()\n    }}\n}}\n",
        prompt.name
    )
    .expect("a string takes everything");
}

fn askama(source: &mut String, prompt: &Prompt) {
    let attributes = format!(
        "#[derive(askama::Template)]\n#[template(ext = \"txt\", source = \"{}\")]",
        prompt.template("{{ ", " }}")
    );
    structure(source, &attributes, prompt);
}

fn minijinja(source: &mut String, prompt: &Prompt) {
    structure(source, "", prompt);
    let values: String = prompt
        .pieces
        .iter()
        .map(|(_, field)| format!("{0} => self.{0}, ", field.name))
        .collect();
    writeln!(
        source,
        "impl {}<'_> {{\n    pub fn text(&self) -> Result<String, minijinja::Error> {{\n        \
         minijinja::Environment::new().render_str(\"{}\", minijinja::context! {{ {values} }})\n    }}\n}}\n",
        prompt.name,
        prompt.template("{{ ", " }}")
    )
    .expect("a string takes everything");
}
