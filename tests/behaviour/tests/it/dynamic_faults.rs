//! Run-time templates in files that are cut off, linked, too large, not readable, or written while they are read.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use typed_prompt::{Dynamic, Fields, Prompt};

#[derive(Prompt, Fields)]
#[prompt(user = "<q>")]
struct Ask {
    q: &'static str,
}

/// A template of each dialect: the text after the slot is not checked, so that it may be cut off.
const FILES: [(&str, &str); 3] = [
    (
        "angle",
        "---\nsyntax: angle\n---\n<user>é<if q>ü</if><q></user>",
    ),
    ("brace", "---\nsyntax: brace\n---\né{{ü}}{q} ende"),
    (
        "jinja",
        "---\nsyntax: jinja\n---\n{% set a = 'é' %}{{ a }}{% include 'part' %}{{ q }} ende",
    ),
];

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let folder = format!("typed-prompt-faults-{name}-{}", std::process::id());
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("part"), "ü").unwrap();
    folder
}

fn text(live: &Dynamic<Ask>) -> String {
    live.messages(&Ask { q: "Why?" }).unwrap()[0]
        .text()
        .into_owned()
}

#[test]
fn every_truncation_is_an_error_or_the_beginning() {
    let folder = folder("cut");
    for (dialect, whole) in FILES {
        let file = folder.join(dialect);
        fs::write(&file, whole).unwrap();
        let mut live = Dynamic::<Ask>::load(&file).unwrap();
        let full = text(&live);
        for length in 0..whole.len() {
            fs::write(&file, &whole.as_bytes()[..length]).unwrap();
            let before = text(&live);
            match live.reload() {
                // Only the text after the slot can be cut off without a trace.
                Ok(()) => {
                    let cut = text(&live);
                    assert!(full.starts_with(&cut) && cut.contains("Why?"), "{cut}");
                }
                Err(_) => assert_eq!(text(&live), before),
            }
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
#[cfg(unix)]
fn links_folders_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("links");
    for (dialect, whole) in FILES {
        let (file, link) = (folder.join(dialect), folder.join("link"));
        fs::write(&file, whole).unwrap();
        symlink(&file, &link).unwrap();
        let live = Dynamic::<Ask>::load(&link).unwrap();
        assert_eq!(text(&live), text(&Dynamic::load(&file).unwrap()));
        fs::remove_file(link).unwrap();
    }
    symlink(folder.join("two"), folder.join("one")).unwrap();
    symlink(folder.join("one"), folder.join("two")).unwrap();
    symlink(folder.join("nowhere"), folder.join("dangling")).unwrap();
    // Nobody writes to the pipe: opening it would wait without end.
    let pipe = folder.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    symlink(&pipe, folder.join("to_pipe")).unwrap();
    let huge = fs::File::create(folder.join("huge")).unwrap();
    huge.set_len(1 << 40).unwrap();
    fs::write(folder.join("bytes"), b"<q>\n\xff").unwrap();
    fs::write(folder.join("closed"), "<q>").unwrap();
    fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o0)).unwrap();
    let mut wrong = vec![
        ("one", "cannot be read: "),
        ("dangling", "there is no template file"),
        ("huge", "it is larger than 16 MiB"),
        ("/dev/zero", "it is a device or a pipe"),
        ("/dev/null", "it is a device or a pipe"),
        ("pipe", "it is a device or a pipe"),
        ("to_pipe", "it is a device or a pipe"),
        ("", "is a folder, not a template file"),
        ("link/../angle", "there is no template file"),
        ("angle/x", "cannot be read: "),
        ("a\0b", "cannot be read: "),
        ("bytes", "is not UTF-8: line 2, byte 4 of the file"),
    ];
    let long = "x".repeat(5000);
    wrong.push((&long, "cannot be read: "));
    // The superuser may read it.
    if fs::read(folder.join("closed")).is_err() {
        wrong.push(("closed", "cannot be read: "));
    }
    for (name, message) in wrong {
        let error = Dynamic::<Ask>::load(folder.join(name)).unwrap_err();
        let shown = error.to_string();
        assert!(
            shown.contains(message) && error.help().is_some(),
            "{name:.20}: {error:#}"
        );
        if !name.starts_with('/') && !name.is_empty() && !name.contains('\0') {
            let including = format!("---\nsyntax: jinja\n---\n{{{{ q }}}}{{% include '{name}' %}}");
            fs::write(folder.join("including"), including).unwrap();
            let error = Dynamic::<Ask>::load(folder.join("including"));
            assert!(name == "bytes" || error.is_err(), "{name:.20}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

/// A file that is replaced as a whole is one of the two templates at any time; one that is written in place may be cut off.
#[test]
fn a_file_is_written_while_it_is_read() {
    let folder = folder("written");
    let file = folder.join("file");
    let texts = [("short ", 1), ("a much longer text ", 5000)];
    let texts = texts.map(|(word, count)| format!("<q>{}", word.repeat(count)));
    let filled = texts.each_ref().map(|text| text.replace("<q>", "Why?"));
    fs::write(&file, &texts[0]).unwrap();
    let mut live = Dynamic::<Ask>::load(&file).unwrap();
    let writer = |replaces: bool| {
        let (folder, file, texts) = (folder.clone(), file.clone(), texts.clone());
        std::thread::spawn(move || {
            for index in 0..400 {
                let text = &texts[index % 2];
                if replaces {
                    fs::write(folder.join("new"), text).unwrap();
                    fs::rename(folder.join("new"), &file).unwrap();
                } else {
                    fs::write(&file, text).unwrap();
                }
            }
        })
    };
    for replaces in [true, false] {
        let thread = writer(replaces);
        while !thread.is_finished() {
            let before = text(&live);
            let reloaded = live.reload();
            let now = text(&live);
            match reloaded {
                Ok(()) if replaces => assert!(filled.contains(&now), "{now:.80}"),
                Ok(()) => assert!(
                    filled.iter().any(|text| text.starts_with(&now)),
                    "{now:.80}"
                ),
                Err(error) => {
                    assert!(
                        !replaces && error.to_string().contains("is empty"),
                        "{error}"
                    );
                    assert_eq!(now, before);
                }
            }
        }
        thread.join().unwrap();
    }
    fs::remove_dir_all(folder).unwrap();
}

/// Files that include one another several times each: 2 to the power of 31 texts.
#[test]
fn includes_do_not_multiply() {
    let folder = folder("bomb");
    let front = "---\nsyntax: jinja\n---\n";
    for index in 0..31 {
        let include = format!("{{% include '{}' %}}", index + 1);
        let start = if index == 0 { front } else { "" };
        let text = format!("{start}{{{{ q }}}}{}", include.repeat(2));
        fs::write(folder.join(index.to_string()), text).unwrap();
    }
    fs::write(folder.join("31"), "end").unwrap();
    // The same with one file that has many names.
    fs::create_dir_all(folder.join("in")).unwrap();
    let again = "{% include 'in/../again' %}".repeat(2);
    fs::write(folder.join("again"), format!("{front}{{{{ q }}}}{again}")).unwrap();
    fs::write(folder.join("large"), "x".repeat(1 << 20)).unwrap();
    let large = "{% include 'large' %}".repeat(40);
    fs::write(folder.join("wide"), format!("{front}{{{{ q }}}}{large}")).unwrap();
    let many = "includes more than 16 MiB or 10,000 files";
    for (name, message) in [("0", many), ("again", "includes itself"), ("wide", many)] {
        let begin = Instant::now();
        let error = Dynamic::<Ask>::load(folder.join(name)).unwrap_err();
        assert!(format!("{error:#}").contains(message), "{name}: {error}");
        assert!(begin.elapsed() < Duration::from_secs(60), "{name}");
    }
    fs::remove_dir_all(folder).unwrap();
}
