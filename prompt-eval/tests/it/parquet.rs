//! Parquet files.

use std::fs::File;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use prompt_eval::Dataset;
use serde::Deserialize;

use crate::path;

#[derive(Debug, PartialEq, Deserialize)]
struct Typed {
    question: String,
    answer: i64,
}

/// Writes two rows.
fn write(name: &str) -> std::path::PathBuf {
    let path = path(name);
    let schema = "message rows { required binary question (UTF8); required int64 answer; }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let properties = Arc::new(WriterProperties::default());
    let file = File::create(&path).expect("a temporary file");
    let mut writer = SerializedFileWriter::new(file, schema, properties).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    let mut column = group.next_column().expect("no error").expect("a column");
    let questions = ["1+1?", "2+2?"].map(ByteArray::from);
    let texts = column.typed::<ByteArrayType>();
    texts.write_batch(&questions, None, None).expect("texts");
    column.close().expect("no error");
    let mut column = group.next_column().expect("no error").expect("a column");
    let numbers = column.typed::<Int64Type>();
    numbers.write_batch(&[2, 4], None, None).expect("numbers");
    column.close().expect("no error");
    group.close().expect("no error");
    writer.close().expect("no error");
    path
}

/// Writes questions with their answers. A row without them has no question.
pub(crate) fn write_rows(path: &std::path::Path, rows: &[Option<[String; 2]>]) {
    let schema = "message rows { optional binary question (UTF8); required binary answer (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let properties = Arc::new(WriterProperties::default());
    let file = File::create(path).expect("a temporary file");
    let mut writer = SerializedFileWriter::new(file, schema, properties).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    let bytes = |text: &String| ByteArray::from(text.as_str());
    let mut column = group.next_column().expect("no error").expect("a column");
    let questions: Vec<_> = rows.iter().flatten().map(|row| bytes(&row[0])).collect();
    let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.is_some())).collect();
    let texts = column.typed::<ByteArrayType>();
    texts
        .write_batch(&questions, Some(&levels), None)
        .expect("texts");
    column.close().expect("no error");
    let mut column = group.next_column().expect("no error").expect("a column");
    let answers = rows.iter().map(|row| match row {
        Some([_, answer]) => bytes(answer),
        None => ByteArray::from("none"),
    });
    let texts = column.typed::<ByteArrayType>();
    texts
        .write_batch(&answers.collect::<Vec<_>>(), None, None)
        .expect("texts");
    column.close().expect("no error");
    group.close().expect("no error");
    writer.close().expect("no error");
}

#[test]
fn rows_are_typed() {
    let path = write("rows.parquet");
    let rows = Dataset::<Typed>::load(&path).expect("it opens");
    assert_eq!(rows.row_count(), Some(2));
    let rows: Vec<_> = rows.collect::<Result<_, _>>().expect("it is right");
    assert_eq!(
        (rows[1].number, &rows[1].value),
        (
            2,
            &Typed {
                question: "2+2?".to_owned(),
                answer: 4
            }
        )
    );

    #[derive(Debug, Deserialize)]
    struct Other {
        #[serde(rename = "label")]
        _label: String,
    }
    let error = Dataset::<Other>::load(&path).expect("it opens").next();
    let error = error.expect("a row").unwrap_err();
    assert_eq!(
        (error.row(), error.column(), error.message()),
        (Some(1), Some("label"), "it is missing")
    );
}

#[test]
fn other_files_are_errors() {
    let path = crate::written("rows.parquet", "question,answer\n");
    let error = Dataset::<Typed>::load(path).unwrap_err().to_string();
    assert!(
        error.contains("rows.parquet: the file cannot be read as Parquet: "),
        "{error}"
    );
}

/// The parquet crate panics for some malformed files: each is an error, or other rows.
#[test]
fn malformed_files_never_panic() {
    let whole = std::fs::read(write("whole.parquet")).expect("it is there");
    let mut state = 7u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize
    };
    let path = path("mutated.parquet");
    let (mut errors, files) = (0, 3000);
    for _ in 0..files {
        let mut bytes = whole.clone();
        for _ in 0..=random() % 4 {
            let at = random() % bytes.len();
            match random() % 4 {
                0 => bytes.truncate(at.max(1)),
                1 => drop(bytes.remove(at)),
                _ => bytes[at] = random() as u8,
            }
            if bytes.len() < 2 {
                break;
            }
        }
        std::fs::write(&path, &bytes).expect("it can be written");
        let read = std::panic::catch_unwind(|| match Dataset::<Typed>::load(&path) {
            Ok(mut rows) => rows.any(|row| row.is_err()),
            Err(_) => true,
        });
        match read {
            Ok(is_error) => errors += usize::from(is_error),
            Err(_) => {
                std::fs::write(path.with_extension("panicked"), &bytes).expect("it can be written");
                panic!("a malformed file panics");
            }
        }
    }
    assert!(errors > files / 2, "{errors} of {files}");
}

#[test]
fn every_truncation_is_an_error() {
    let whole = std::fs::read(write("whole.parquet")).expect("it is there");
    for length in 0..whole.len() {
        let path = crate::written("cut.parquet", &whole[..length]);
        assert!(Dataset::<Typed>::load(&path).is_err(), "{length}");
    }
}

#[test]
fn long_rows_are_errors() {
    let rows = Dataset::<Typed>::load(write("long.parquet")).expect("it opens");
    let error = rows.max_row_bytes(10).next().expect("a row").unwrap_err();
    assert_eq!(error.message(), "row 1 is longer than 10 bytes");
}
