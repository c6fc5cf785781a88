//! The documentation that users read: it names the facade, and its tables and links follow `Cargo.toml`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Documentation that may name an internal crate: a prefix of a file's path, a crate or item of it, and the reason.
const INTERNAL: &[(&str, &str, &str)] = &[
    (
        "prompt-syntax/",
        "prompt_syntax",
        "the facade exports nothing of it",
    ),
    (
        "prompt-jinja-syntax/",
        "prompt_jinja_syntax",
        "the facade exports nothing of it",
    ),
    (
        "prompt-jinja-syntax/",
        "prompt_syntax",
        "what all dialects share",
    ),
    (
        "prompt-jinja-syntax/",
        "prompt_base",
        "the facade exports nothing of it",
    ),
    (
        "prompt-base/",
        "prompt_base",
        "the facade exports nothing of it",
    ),
    (
        "prompt-family/",
        "prompt_family",
        "macros and lookups for the other crates",
    ),
    (
        "prompt-syntax/",
        "prompt_base",
        "the facade exports nothing of it",
    ),
    (
        "prompt-output/src/lib.rs",
        "prompt_output",
        "the crate can be used alone",
    ),
    (
        "prompt-core/src/",
        "prompt_core::python",
        "Python's notation for the other crates",
    ),
    (
        "prompt-jinja/src/expr",
        "prompt_jinja::private",
        "hidden functions that generated code calls",
    ),
    (
        "prompt-jinja/src/expr",
        "prompt_jinja_syntax",
        "the table of these functions",
    ),
    (
        "prompt-macros/src/tests.rs",
        "prompt_syntax",
        "documentation of tests",
    ),
];

/// The crates that users do not depend on.
const CRATES: [&str; 14] = [
    "prompt_base",
    "prompt_chat_template",
    "prompt_client",
    "prompt_compat",
    "prompt_core",
    "prompt_dynamic",
    "prompt_eval",
    "prompt_family",
    "prompt_jinja",
    "prompt_jinja_syntax",
    "prompt_macros",
    "prompt_mcp",
    "prompt_output",
    "prompt_syntax",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The Rust sources of the published crates, as paths relative to the repository.
fn sources() -> Vec<String> {
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|it| it == "rs" || it == "md") {
                out.push(path);
            }
        }
    }
    let root = root();
    let mut paths = Vec::new();
    walk(&root.join("src"), &mut paths);
    for name in CRATES {
        walk(&root.join(name.replace('_', "-")).join("src"), &mut paths);
    }
    let relative = |path: PathBuf| {
        path.strip_prefix(&root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    let mut paths: Vec<_> = paths.into_iter().map(relative).collect();
    paths.sort();
    paths
}

/// The visible text of a line of documentation: without the targets of links.
fn visible(line: &str) -> Option<String> {
    let text = line.trim_start();
    let text = match text.strip_prefix("#[doc = ") {
        Some(text) => text,
        None => text
            .strip_prefix("///")
            .or_else(|| text.strip_prefix("//!"))?
            .trim_start(),
    };
    if text.starts_with("# ") || text.starts_with('[') && text.contains("]: ") {
        return None;
    }
    let mut parts = text.split("](");
    let mut out = parts.next()?.to_owned();
    for part in parts {
        out += part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    Some(out)
}

#[test]
fn documentation_names_the_facade() {
    let mut wrong = String::new();
    for path in sources() {
        for (number, line) in read(&path).lines().enumerate() {
            let Some(mut text) = visible(line) else {
                continue;
            };
            for (prefix, item, _) in INTERNAL {
                if path.starts_with(prefix) {
                    text = text.replace(item, "");
                }
            }
            if CRATES.iter().any(|name| text.contains(name)) {
                writeln!(wrong, "{path}:{}: {}", number + 1, line.trim()).unwrap();
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "write `typed_prompt::…` in documentation:\n{wrong}"
    );
}

/// rustc names the crate itself in a help such as `use typed_prompt::prompt_client::StreamingLlm`, if the facade exports the crate under another name.
#[test]
fn the_facade_exports_items_instead_of_crates() {
    let facade = read("src/lib.rs");
    let (public, _) = facade.split_once("pub mod __private").unwrap();
    for name in CRATES {
        let renamed = format!("pub use {name} as ");
        assert!(!public.contains(&renamed), "write a module for `{name}`");
    }
}

/// The table of features for the root page, from the comments in `Cargo.toml`.
fn feature_table(manifest: &str) -> String {
    let mut out = "# Features\n\n\
        | feature | adds | also enables |\n| --- | --- | --- |\n"
        .to_owned();
    let section = manifest.split_once("\n[features]\n").unwrap().1;
    let mut comment = None;
    for line in section.lines().take_while(|line| !line.starts_with('[')) {
        if let Some(text) = line.strip_prefix("# ") {
            comment = Some(text);
        } else if let Some((name, list)) = line
            .split_once(" = ")
            .filter(|(name, _)| *name != "default")
        {
            let text = comment
                .take()
                .unwrap_or_else(|| panic!("feature `{name}` has no comment"));
            let own = list
                .trim_matches(['[', ']'])
                .split(", ")
                .map(|it| it.trim_matches('"'));
            let own: Vec<_> = own
                .filter(|it| !it.contains(['/', ':']))
                .map(|it| format!("`{it}`"))
                .collect();
            writeln!(out, "| `{name}` | {text} | {} |", own.join(", ")).unwrap();
        }
    }
    out + "\n`schema` is enabled by default.\n"
}

#[test]
fn the_feature_table_follows_the_manifest() {
    let table = feature_table(&read("Cargo.toml"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(root().join("src/features.md"), &table).unwrap();
    }
    assert!(
        table == read("src/features.md"),
        "UPDATE_EXPECT=1 updates src/features.md"
    );
}

#[test]
fn the_release_checklist_names_the_placeholders() {
    let (manifest, checklist) = (read("Cargo.toml"), read("docs/release.md"));
    let line = manifest
        .lines()
        .find(|line| line.starts_with("repository = "));
    let value = line.expect("`[workspace.package]` has no `repository`");
    assert!(
        !value.contains("example.com") || checklist.contains("`repository`"),
        "docs/release.md does not name the placeholder `repository`"
    );
    for name in CRATES {
        let path = format!("{}/Cargo.toml", name.replace('_', "-"));
        let manifest = read(&path);
        let line = "repository.workspace = true";
        assert!(manifest.contains(line), "{path}: add `{line}`");
        let name = name.replace('_', "-");
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert_eq!(read(&format!("{name}/{licence}")), read(licence));
            assert!(
                checklist.contains(&name),
                "docs/release.md does not order `{name}`"
            );
        }
        assert!(
            manifest.contains("[package.metadata.docs.rs]\nall-features = true\nrustdoc-args"),
            "{path}"
        );
    }
}
