//! Files that a template includes.

use prompt_syntax::problem::Problem;
use prompt_syntax::problems;

/// An included file whose path cannot be one.
pub fn not_of_this_package(problem: Problem) -> Problem {
    problem.with_label("not a file of this package")
}

/// An included file that cannot be read.
pub fn in_included_file(problem: Problem) -> Problem {
    problem.with_label("cannot be read")
}

/// The same where Rust is compiled: paths begin at the folder of the file that includes. `meant` is the path of a file that is there.
pub fn in_compiled_include(problem: Problem, meant: Option<&str>) -> Problem {
    const RULE: &str = "the path begins at the folder of the file that includes it";
    in_included_file(problem).with_help(match meant {
        Some(meant) => format!("write `{meant}`: {RULE}"),
        None => format!("{RULE}, with `/` between folders"),
    })
}

/// Number 24: a file that includes itself, by way of those in `chain`.
pub fn includes_itself(name: &str, chain: &[&str]) -> Problem {
    Problem::new(format!("the file `{name}` includes itself"))
        .with_label("would never end")
        .with_help(format!(
            "take one of the includes out: `{}`",
            chain.join("` includes `")
        ))
}

/// The most files of a template.
pub const MAX_FILES: usize = 10_000;

problems! {
    /// A template whose included files are too much.
    pub fn too_long() = "the template includes more than 16 MiB or 10,000 files",
        label "this file is too much", help "include fewer files, or each of them fewer times";

    /// An `include` in a template of run time that is not a file.
    pub fn beside_nothing(name: &str) = "there is no folder to look for `{name}` in",
        label "the template is a string, not a file", help "load the template from a file, or write the text here";
}
