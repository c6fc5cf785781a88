//! Template files: which can be read (number 13), and which include themselves (number 24).

use super::Problem;

const RELATIVE: &str = "write it relative to the folder of Cargo.toml, with `/` between folders";

problems! {
    /// Number 13: a path of one machine.
    pub fn absolute_path(name: &str) = "the file `{name}` is an absolute path, which is right on one machine only",
        help "{RELATIVE}";

    /// Number 13: a folder.
    pub fn path_is_folder(name: &str) = "`{name}` is a folder, not a file", help "name a file in it";
}

/// Number 13: `prompts\ask.prompt`; in a string that is not raw, `\n`, `\r` and `\t` are escapes.
pub fn path_with_backslashes(name: &str) -> Problem {
    let separated = |sign: &str| {
        let mut path = name.replace('\\', sign);
        for (char, letter) in [('\n', 'n'), ('\r', 'r'), ('\t', 't')] {
            path = path.replace(char, &format!("{sign}{letter}"));
        }
        path
    };
    Problem::new(format!("the path `{}` has a backslash", separated("\\"))).with_help(format!(
        "write `{}`, with `/` between folders",
        separated("/")
    ))
}

/// Number 13: a path out of the package; `inside` is the path of the file that was meant, and `exists` is whether there is a file.
pub fn outside_of_package(name: &str, inside: Option<&str>, exists: bool) -> Problem {
    Problem::new(format!(
        "the file `{name}` lies outside of the package, which would be lost when it is published"
    ))
    .with_help(match inside {
        Some(inside) => format!("write `{inside}`: a path begins at the folder of Cargo.toml"),
        None if exists => "move the file beside the sources of this package".to_owned(),
        None => format!("there is no such file either: {RELATIVE}"),
    })
}

/// Number 13: a file in a folder that does not exist; `near` is one with a similar name.
pub fn no_folder(folder: &str, name: &str, near: Option<&str>) -> Problem {
    Problem::new(format!(
        "there is no folder `{folder}` for the file `{name}`"
    ))
    .with_help(match near {
        Some(near) => format!("did you mean the folder `{near}`?"),
        None => RELATIVE.to_owned(),
    })
}

/// Number 13: a file that does not exist; `near` is one with a similar name.
pub fn missing_file(name: &str, near: Option<&str>) -> Problem {
    Problem::new(format!("there is no file `{name}`")).with_help(or_relative(near))
}

/// Number 13: a file that is there and cannot be read.
pub fn unreadable_file(name: &str, why: &str, near: Option<&str>) -> Problem {
    Problem::new(format!("the file `{name}` cannot be read: {why}")).with_help(or_relative(near))
}

fn or_relative(near: Option<&str>) -> String {
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => RELATIVE.to_owned(),
    }
}

problems! {
    /// Number 13: bytes that are not text.
    pub fn not_utf8(name: &str, line: usize, byte: usize) = "the file `{name}` is not UTF-8: line {line}, byte {byte} of the file",
        help "save it as UTF-8";

    /// Number 13: a path that is not text.
    pub fn no_name(name: &str) = "the file `{name}` has no name in Unicode", help "give it another name";
}

/// The most bytes of a template with all that it includes: a file may be included more than once.
pub const MAX_BYTES: usize = 16 << 20;

/// A template file that is read at run time.
pub mod at_run_time {
    use super::Problem;

    /// The origin of the file's name.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum NamedIn {
        /// The program.
        InCode,
        /// Another template.
        InTemplate,
    }

    fn with_path_help(problem: Problem, near: Option<&str>, named: NamedIn) -> Problem {
        problem.with_help(match (near, named) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, NamedIn::InCode) => {
                "give the path from the folder that the program runs in".to_owned()
            }
            (None, NamedIn::InTemplate) => "name a file beside this one".to_owned(),
        })
    }

    /// The path of a file instead of its text.
    pub fn path_as_text() -> Problem {
        Problem::new("this is the path of a file, not the text of a template").with_help(
            "read the file with `Dynamic::load`; a line break behind it keeps it as text",
        )
    }

    /// A file that does not exist; `near` is one with a similar name.
    pub fn missing_file(name: &str, near: Option<&str>, named: NamedIn) -> Problem {
        let problem = Problem::new(format!("there is no template file `{name}`"));
        with_path_help(problem, near, named)
    }

    /// A folder.
    pub fn path_is_folder(name: &str, near: Option<&str>, named: NamedIn) -> Problem {
        let problem = Problem::new(format!("`{name}` is a folder, not a template file"));
        with_path_help(problem, near, named)
    }

    /// A file that is there and cannot be read.
    pub fn unreadable_file(name: &str, why: &str, near: Option<&str>, named: NamedIn) -> Problem {
        let problem = Problem::new(format!("the template file `{name}` cannot be read: {why}"));
        with_path_help(problem, near, named)
    }

    /// Bytes that are not text.
    pub fn not_utf8(name: &str, line: usize, byte: usize) -> Problem {
        Problem::new(format!(
            "the template file `{name}` is not UTF-8: line {line}, byte {byte} of the file"
        ))
        .with_help("save it as UTF-8")
    }

    /// An empty template.
    pub fn empty_file() -> Problem {
        Problem::new("the template is empty").with_help("write its text")
    }
}
