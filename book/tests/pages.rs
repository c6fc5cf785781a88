//! The guide's list of pages is complete, and its links lead somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pages")
}

/// The paths of all pages, relative to their folder.
fn pages() -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.insert(path.strip_prefix(folder()).unwrap().to_owned());
            }
        }
    }
    found
}

/// The page as mdBook sees it: `{{#include path}}` at the end of a line is replaced by the file.
fn text(page: &Path) -> String {
    let path = folder().join(page);
    let included = |line: &str| {
        let (before, file) = line.strip_suffix("}}")?.split_once("{{#include ")?;
        let text = fs::read_to_string(path.parent()?.join(file));
        let text = text.unwrap_or_else(|error| panic!("{}: {file}: {error}", page.display()));
        Some(format!("{before}{text}\n"))
    };
    let text = fs::read_to_string(&path).unwrap();
    let lines = text.lines();
    lines
        .map(|line| included(line).unwrap_or_else(|| format!("{line}\n")))
        .collect()
}

/// A page whose text is another file shows a link to that file where Markdown is read without mdBook, and nothing else: there the rest is a
/// comment, which mdBook ends by the first included file.
#[test]
fn pages_of_other_files_link_to_them() {
    const COMMENT: &str = "<!-- {{#include ../../comment-end.txt}}\n\n";
    // The names that mdBook reads (`links.rs` of mdbook-driver); `{{#if x}}` stays as it is.
    const REPLACED: [&str; 6] = [
        "\\{{#",
        "{{#include ",
        "{{#playground ",
        "{{#playpen ",
        "{{#rustdoc_include ",
        "{{#title ",
    ];
    assert_eq!(include_str!("../comment-end.txt"), "-->");
    let mut checked = 0;
    for page in pages() {
        let text = fs::read_to_string(folder().join(&page)).unwrap();
        let Some((visible, file)) = text.split_once(COMMENT) else {
            assert!(
                !REPLACED.iter().any(|replaced| text.contains(replaced)),
                "{}: text that mdBook replaces is visible",
                page.display()
            );
            continue;
        };
        let file = file
            .strip_prefix("{{#include ")
            .and_then(|file| file.strip_suffix("}}\n"));
        let file = file.unwrap_or_else(|| panic!("{}: one file is included", page.display()));
        let name = file.trim_start_matches("../");
        let link = format!(
            "<p class=\"source\">The text of this page is in <a href=\"{file}\">{name}</a>.</p>\n\n"
        );
        assert!(
            visible.ends_with(&link) && !visible.contains("{{"),
            "{}",
            page.display()
        );
        checked += 1;
    }
    assert!(checked >= 13, "only {checked} pages are other files");
}

/// The page with the current text of each block that follows `<!-- file: path -->`, which is the text of that file.
fn with_files(page: &Path) -> String {
    let path = folder().join(page);
    let text = fs::read_to_string(&path).unwrap();
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("<!-- file: ") {
        let (file, after) = after
            .split_once(" -->\n\n")
            .expect("a block after the comment");
        let (opening, after) = after.split_once('\n').expect("a block after the comment");
        let (_, after) = after.split_once("\n```\n").expect("the end of the block");
        let text = fs::read_to_string(path.parent().unwrap().join(file));
        let text = text.unwrap_or_else(|error| panic!("{}: {file}: {error}", page.display()));
        let text = text.trim_end();
        out += &format!("{before}<!-- file: {file} -->\n\n{opening}\n{text}\n```\n");
        rest = after;
    }
    out + rest
}

#[test]
fn blocks_of_files_are_current() {
    let mut checked = 0;
    for page in pages() {
        let path = folder().join(&page);
        let (text, current) = (fs::read_to_string(&path).unwrap(), with_files(&page));
        checked += current.matches("<!-- file: ").count();
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, current).unwrap();
        } else {
            assert!(
                text == current,
                "{}: run with UPDATE_EXPECT=1",
                page.display()
            );
        }
    }
    assert!(checked >= 6, "only {checked} blocks were found");
}

/// The targets of a page's links, and the anchors of its headings.
fn links_and_anchors(text: &str) -> (Vec<String>, BTreeSet<String>) {
    let (mut links, mut anchors) = (Vec::new(), BTreeSet::new());
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => links.push(dest_url.into_string()),
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                anchors.extend(heading.take().map(|heading| anchor(&heading)));
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            _ => {}
        }
    }
    (links, anchors)
}

/// The anchor that mdBook and GitHub give a heading.
fn anchor(heading: &str) -> String {
    let heading = heading.trim().to_lowercase().replace(' ', "-");
    heading
        .chars()
        .filter(|char| matches!(char, '-' | '_') || char.is_alphanumeric())
        .collect()
}

/// The page that a link of `page` names, without asking the file system.
fn target(page: &Path, link: &str) -> PathBuf {
    let mut target = page.parent().unwrap().to_owned();
    for component in Path::new(link).components() {
        match component {
            Component::ParentDir => assert!(target.pop(), "{}: {link}", page.display()),
            other => target.push(other),
        }
    }
    target
}

#[test]
fn the_summary_lists_each_page() {
    let (links, _) = links_and_anchors(&text(Path::new("SUMMARY.md")));
    let listed: BTreeSet<PathBuf> = links.iter().map(PathBuf::from).collect();
    let mut expected = pages();
    expected.remove(Path::new("SUMMARY.md"));
    assert_eq!(listed, expected);
}

#[test]
fn each_page_with_rust_is_compiled() {
    let compiled =
        include_str!("../lib.rs").to_owned() + include_str!("../../tests/hygiene/src/lib.rs");
    for page in pages() {
        // Included files are compiled where they come from.
        let own = fs::read_to_string(folder().join(&page)).unwrap();
        let path = page.to_str().unwrap().replace('\\', "/");
        assert!(
            !own.contains("```rust\n") || compiled.contains(&format!("{path}\"")),
            "{path} is not in lib.rs"
        );
    }
}

#[test]
fn links_lead_somewhere() {
    let pages: BTreeMap<PathBuf, _> = pages()
        .into_iter()
        .map(|page| (page.clone(), links_and_anchors(&text(&page))))
        .collect();
    let (mut checked, mut broken) = (0, Vec::new());
    for (page, (links, _)) in &pages {
        let inside = links.iter().filter(|link| !link.starts_with("https://"));
        for link in inside {
            checked += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => target(page, file),
            };
            let found = pages.get(&target);
            if found.is_none_or(|(_, anchors)| !anchor.is_empty() && !anchors.contains(anchor)) {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(checked > 60, "only {checked} links were found");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
