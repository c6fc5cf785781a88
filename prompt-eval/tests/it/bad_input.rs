//! Invalid input: every error has its file, row and column.

use prompt_core::MediaKind;
use prompt_eval::metric::Choice;
use prompt_eval::retrieve::Random;
use prompt_eval::{Dataset, Eval, ExamplePool, media_file};
use serde::Deserialize;
use typed_prompt::Prompt;

use crate::{Adder, Sum, written};

#[derive(Clone, Debug, Deserialize, Prompt)]
#[prompt(user = "<a>+<b>", assistant = "<answer>")]
struct Typed {
    a: i64,
    b: i64,
    #[prompt(answer)]
    answer: i64,
}

/// The first error of a file, without its folder.
fn error<R: for<'de> Deserialize<'de> + 'static>(name: &str, text: impl AsRef<[u8]>) -> String {
    let path = written(name, text);
    let error = match Dataset::<R>::load(&path) {
        Ok(mut rows) => rows
            .find_map(Result::err)
            .unwrap_or_else(|| panic!("{name} is read without an error")),
        Err(error) => error,
    };
    let file = path.display().to_string();
    error.to_string().replace(&file, name)
}

fn typed(name: &str, text: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(error::<Typed>(name, text), expected);
}

#[test]
fn jsonl() {
    let row = r#"{"a":1,"b":2,"answer":3}"#;
    let good = format!("{row}\n").repeat(730);
    typed(
        "r.jsonl",
        format!("{good}{{\"a\":1,\"b\":\"x\",\"answer\":3}}\n{row}"),
        "r.jsonl, row 731, column `b`: invalid type: string \"x\", expected i64",
    );
    typed(
        "r.jsonl",
        r#"{"a":1,"answer":3}"#,
        "r.jsonl, row 1, column `b`: it is missing",
    );
    typed(
        "r.jsonl",
        format!("{row}\n{{\"a\":1"),
        "r.jsonl, row 2: this is not a JSON object: EOF while parsing an object, at character 6",
    );
    typed(
        "r.jsonl",
        "",
        "r.jsonl: the file is empty; write one JSON object on each line",
    );
    typed(
        "r.jsonl",
        "\u{feff}",
        "r.jsonl: the file is empty; write one JSON object on each line",
    );
    typed("r.jsonl", "\n\n", "r.jsonl: there are no rows");
    typed(
        "r.jsonl",
        b"{\"a\":\"\xff\"}",
        "r.jsonl, row 1: byte 7 of the line is not UTF-8",
    );
    typed(
        "r.jsonl",
        format!("[{row},\n{row}]"),
        "r.jsonl, row 1: the file is a JSON array, not one row per line; write one object per line, without brackets around all objects, or parse the file with `serde_json` and give the rows to `Eval::new`",
    );
    typed(
        "r.jsonl",
        format!("{row} {row}"),
        "r.jsonl, row 1: this is not a JSON object: trailing characters, at character 26",
    );
}

/// Without an error, the optional field would be `None` in each row.
#[test]
fn a_misspelt_column_is_an_error() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only their names are read")]
    struct Ticket {
        subject: Option<String>,
        text: String,
        #[serde(alias = "kind")]
        label: Option<String>,
    }
    let help = "no field reads it, and the field `subject` has no column; rename one of them, or add a field `subjct` to the row";
    assert_eq!(
        error::<Ticket>("t.csv", "subjct,text,label\na,b,c\n"),
        format!("t.csv, column `subjct`: {help}")
    );
    assert_eq!(
        error::<Ticket>("t.jsonl", r#"{"subjct": "a", "text": "b"}"#),
        format!("t.jsonl, row 1, column `subjct`: {help}")
    );
    for (name, text) in [
        ("t.csv", "text,kind,id\nb,c,1\n"),
        ("t.csv", "subject,subjects,text,label\na,b,c,d\n"),
        ("t.jsonl", r#"{"text": "b", "source": "c"}"#),
    ] {
        let rows = Dataset::<Ticket>::load(written(name, text)).expect("its columns are right");
        assert_eq!(rows.filter_map(Result::ok).count(), 1, "{text}");
    }
}

#[test]
fn csv() {
    let good = "a,b,answer\n".to_owned() + &"1,2,3\n".repeat(730);
    typed(
        "r.csv",
        format!("{good}1,x,3\n1,2,3\n"),
        "r.csv, row 731, column `b`: `x` is not an integer",
    );
    typed(
        "r.csv",
        format!("{good}1,2\n"),
        "r.csv, row 731: it has 2 values, and the header 3 columns",
    );
    typed(
        "r.csv",
        "a,answer\n1,3\n",
        "r.csv, row 1, column `b`: it is missing; the columns are `a`, `answer`",
    );
    let save = "save it with commas for `Dataset::load_csv`, or with tabs for `Dataset::load_tsv`";
    for (name, text, separator, help) in [
        ("r.csv", "a;b;answer\n1;2;3\n", ";", save),
        ("r.csv", "\"a\";\"b\";\"answer\"\n1;2;3\n", ";", save),
        ("r.csv", "a | b | answer\n1 | 2 | 3\n", "|", save),
        (
            "r.csv",
            "a\tb\tanswer\n1\t2\t3\n",
            "\\t",
            "read it with `Dataset::load_tsv`, or end its name with `.tsv`",
        ),
        (
            "r.tsv",
            "a,b,answer\n1,2,3\n",
            ",",
            "read it with `Dataset::load_csv`, or end its name with `.csv`",
        ),
    ] {
        let error =
            format!("{name}: the columns of the header are separated by `{separator}`; {help}");
        typed(name, text, &error);
    }
    // No name of a field is among them.
    typed(
        "r.csv",
        "q;x\n1;2\n",
        &format!("r.csv, row 1, column `a`: it is missing; the only column is `q;x`: {save}"),
    );
    typed(
        "r.csv",
        "",
        "r.csv: the file is empty; write the names of the columns on its first line",
    );
    typed("r.csv", "a,b,answer\n", "r.csv: there are no rows");
    typed(
        "r.csv",
        "a,b,answer\n\"1,2,3\n1,2,3\n",
        "r.csv: row 1 has a quote that is not closed, so that everything after it is one value; close it, or double a quote that is part of a value",
    );
    typed(
        "r.csv",
        b"a,\xff,answer\n1,2,3\n",
        "r.csv: the header is not UTF-8",
    );
    for wide in [&b"\xff\xfea\0,\0"[..], b"\xfe\xff\0a\0,"] {
        for name in ["r.csv", "r.jsonl"] {
            let expected = format!("{name}: the file is UTF-16; save it as UTF-8");
            typed(name, wide, &expected);
        }
    }
    typed(
        "r.csv",
        "a,a,answer\n",
        "r.csv, column `a`: the header has this column twice",
    );
    typed(
        "r.csv",
        "a,b,answer\n\"1,2,3\n4\",5\n",
        "r.csv, row 1: it has 2 values, and the header 3 columns; one of them has several lines: is its quote closed?",
    );
    typed(
        "r.csv",
        "a,b,,\n1,2,,\n",
        "r.csv: two columns of the header have no name; name them, or remove them",
    );
    typed(
        "r.csv",
        b"a,b,answer\n1,\xff,3\n",
        "r.csv, row 1, column `b`: byte 1 of the value is not UTF-8",
    );
    typed(
        "r.tsv",
        "a\tb\tanswer\n1\t\t3\n",
        "r.tsv, row 1, column `b`: `` is not an integer",
    );
}

#[test]
fn unclosed_quotes_are_errors() {
    let closed = "question,answer\n1+1?,2\n";
    for (name, rest) in [
        ("r.csv", "2+2?,\"4\n3+3?,6\n4+4?,8\n"),
        ("r.tsv", "2+2?\t\"4\n3+3?\t6"),
    ] {
        let text = format!("{closed}{rest}").replace(',', if name == "r.tsv" { "\t" } else { "," });
        let path = written(name, text);
        let rows = Dataset::<Sum>::load(&path)
            .expect("it opens")
            .collect::<Vec<_>>();
        assert_eq!(rows.len(), 2, "nothing is read behind it");
        let error = rows[1].as_ref().unwrap_err();
        assert_eq!(
            error.message(),
            "row 2 has a quote that is not closed, so that everything after it is one value"
        );
        // Rows that are passed over are counted, and these cannot be.
        assert_eq!(error.row(), None);
    }
    for header in ["question,\"answer\n1+1?,2\n", "\""] {
        let error = error::<Sum>("r.csv", header);
        assert!(
            error.starts_with("r.csv: the header has a quote that is not closed"),
            "{error}"
        );
    }
    // Closed at the very end, with and without the end of a line.
    for end in ["", "\n", "\r\n", "\n\n"] {
        let path = written("r.csv", format!("{closed}2+2?,\"4\n5\"{end}"));
        let rows = Dataset::<Sum>::load(&path).expect("it opens");
        assert_eq!(rows.row_count(), Some(2));
        let rows: Vec<_> = rows.collect::<Result<_, _>>().expect("it is right");
        assert_eq!((rows.len(), &*rows[1].value.answer), (2, "4\n5"));
    }
    #[derive(Deserialize)]
    struct One {
        question: String,
    }
    let rows = Dataset::<One>::from_csv("question\na\n\nb".as_bytes(), "r.csv").expect("it opens");
    let rows: Vec<_> = rows
        .map(|row| row.expect("it is right").value.question)
        .collect();
    assert_eq!(rows, ["a", "b"]);
}

#[test]
#[cfg(unix)]
fn pipes_are_read_once() {
    for (name, text) in [
        ("r.jsonl", "{\"question\":\"1+1?\",\"answer\":\"2\"}\n"),
        ("r.csv", "question,answer\n1+1?,2\n"),
    ] {
        let path = crate::path(name);
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("there is `mkfifo`").success());
        let writing = path.clone();
        let writer = std::thread::spawn(move || std::fs::write(writing, text));
        let rows = Dataset::<Sum>::load(&path).expect("it opens");
        assert_eq!(rows.row_count(), None);
        let rows: Vec<_> = rows.collect::<Result<_, _>>().expect("it is right");
        assert_eq!((rows.len(), &*rows[0].value.answer), (1, "2"));
        writer.join().expect("it ends").expect("it is written");
    }
}

#[test]
fn byte_order_marks_are_ignored() {
    for (name, text) in [
        ("r.csv", "\u{feff}a,b,answer\r\n1,2,3\r\n"),
        ("r.jsonl", "\u{feff}{\"a\":1,\"b\":2,\"answer\":3}\r\n\r\n"),
    ] {
        let rows = Dataset::<Typed>::load(written(name, text)).expect("it opens");
        let rows: Vec<_> = rows.collect::<Result<_, _>>().expect("it is right");
        assert_eq!((rows.len(), rows[0].number, rows[0].value.a), (1, 1, 1));
    }
}

#[test]
fn missing_and_unsupported_files_are_errors() {
    let missing = Dataset::<Typed>::load("nowhere/r.csv")
        .unwrap_err()
        .to_string();
    assert!(
        missing.starts_with("nowhere/r.csv: it cannot be opened: "),
        "{missing}"
    );
    // The output of a program that returns the error from `main`.
    let shown = Dataset::<Typed>::load("nowhere/r.csv").map_err(|error| format!("{error:?}"));
    assert_eq!(shown.err(), Some(missing));
    assert!(
        error::<Typed>("r.txt", "x")
            .ends_with("rows are read from `.jsonl`, `.csv`, `.tsv` and `.parquet` files")
    );
}

#[test]
fn files_of_another_media_kind_are_errors() {
    for (bytes, what) in [
        (&b""[..], "empty"),
        (b"hello", "of an unknown kind"),
        (b"%PDF-1.7", "application/pdf"),
    ] {
        let path = written("cat.png", bytes);
        let error = media_file(&path, MediaKind::Image).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "{}: the file is not of the kind image: it is {what}",
                path.display()
            )
        );
    }
    let png = written("cat.jpg", b"\x89PNG\r\n\x1a\n....");
    let image = media_file(png, MediaKind::Image).expect("its bytes say what it is");
    assert!(image.to_url().starts_with("data:image/png;base64,"));
}

#[test]
fn labels_that_are_not_choices_are_errors() {
    let rows = "question,answer\nfirst?,A\nsecond?,E\n";
    let rows = Dataset::<Sum>::from_csv(rows.as_bytes(), "quiz.csv").expect("it opens");
    let eval = Eval::new(rows).gold(Choice::new(["A", "B"]), |row: &Sum| row.answer.clone());
    let error = pollster::block_on(eval.run(&Adder)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "quiz.csv, row 2, column `answer`: the right answer `E` is none of the choices `A`, `B`"
    );
}

#[test]
fn too_few_examples_are_errors() {
    let examples = ExamplePool::from_turns([Sum::new("2+2?", "4")])
        .unwrap()
        .retriever(Random::new(5).seed(1));
    let eval = Eval::new(vec![Sum::new("1+1?", "2")])
        .gold(Choice::new(["2"]), |row| row.answer.clone())
        .few_shot(examples, |row: &mut Sum, examples| row.examples = examples);
    let error = pollster::block_on(eval.run(&Adder)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1: 5 examples are wanted, and there are 1; want fewer, or give the pool more examples"
    );
}

#[test]
fn skipped_rows_are_counted_and_listed() {
    let text = "a,b,answer\n1,2,3\n1,x,3\n1,2\n4,5,9\n";
    let rows = || Dataset::<Typed>::from_csv(text.as_bytes(), "r.csv").expect("it opens");
    let eval = || {
        Eval::new(rows()).score("right", |row: &Typed, answer: &String| {
            f64::from(*answer == row.answer.to_string())
        })
    };
    let results = crate::path("results.jsonl");
    let run = eval().skip_bad().results(&results).run(&Adder);
    let report = pollster::block_on(run).expect("bad rows are passed over");
    let listed = std::fs::read_to_string(results.with_extension("jsonl.skipped"));
    assert_eq!(
        listed.expect("it is there"),
        "{\"row\":2,\"error\":\"r.csv, row 2, column `b`: `x` is not an integer\"}\n\
         {\"row\":3,\"error\":\"r.csv, row 3: it has 2 values, and the header 3 columns\"}\n"
    );
    assert_eq!(
        (report.done, report.skipped, report.metrics[0].mean()),
        (2, 2, 1.0)
    );
    assert_eq!(
        report.skips,
        [
            "r.csv, row 2, column `b`: `x` is not an integer",
            "r.csv, row 3: it has 2 values, and the header 3 columns",
        ]
    );
    assert!(
        report
            .to_string()
            .contains("2 rows skipped, which could not be parsed or rendered:\n  r.csv, row 2")
    );
    let error = pollster::block_on(eval().run(&Adder)).unwrap_err();
    assert_eq!(error.row(), Some(2));
}

/// A row that is too long is an error before it is in memory.
#[test]
fn long_rows() {
    let row = r#"{"a":1,"b":2,"answer":3}"#;
    let path = written("long.jsonl", format!("{row}\n{}", "x".repeat(1 << 20)));
    let rows = Dataset::<Typed>::load(path).expect("it opens");
    let mut rows = rows.max_row_bytes(1000);
    assert!(rows.next().expect("a row").is_ok());
    let error = rows.next().expect("a row").unwrap_err();
    assert_eq!(error.message(), "row 2 is longer than 1000 bytes");
    assert_eq!(
        error.help(),
        Some("shorten it, or raise the limit with `Dataset::max_row_bytes`")
    );
    assert!(rows.next().is_none());
    // A quote that is never closed.
    let text = format!("a,b,answer\n1,2,3\n\"{}", "1,2,3\n".repeat(1 << 18));
    let path = written("long.csv", text);
    let rows = Dataset::<Typed>::load(path).expect("it opens");
    let mut rows = rows.max_row_bytes(1000);
    assert!(rows.next().expect("a row").is_ok());
    let error = rows.next().expect("a row").unwrap_err().to_string();
    assert!(
        error.contains("the row is longer than 1000 bytes"),
        "{error}"
    );
    assert!(rows.next().is_none());
}
