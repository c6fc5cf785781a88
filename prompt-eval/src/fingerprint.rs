//! The identity of rows and inputs: hashes of their content.

use std::io::{self, Write};

use prompt_base::hash::Fnv1a;
use prompt_core::{Messages, Prompt};

use crate::DataError;

/// The identity of a row: what its prompt renders.
///
/// A number would not do: a row has another one in a file with empty or broken lines, and after the rows were filtered, sampled or
/// shuffled. Rows of equal hashes count as equal: by a collision, a row could only lack one more example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RowIdentity {
    /// The input together with the answer.
    pub(crate) record: u64,
    /// The input alone.
    pub(crate) input: u64,
}

impl RowIdentity {
    pub(crate) fn from_prompt(row: &(impl Prompt + ?Sized)) -> Result<RowIdentity, DataError> {
        Ok(RowIdentity {
            record: hash_record(row)?,
            input: hash_input(row)?,
        })
    }
}

/// The hash of a row's input alone.
pub(crate) fn hash_input(row: &(impl Prompt + ?Sized)) -> Result<u64, DataError> {
    hash_messages(&row.messages()?)
}

/// The hash of a row's input together with its answer.
pub(crate) fn hash_record(row: &(impl Prompt + ?Sized)) -> Result<u64, DataError> {
    hash_messages(&row.messages_with_answer()?)
}

fn hash_messages(messages: &Messages) -> Result<u64, DataError> {
    let mut hash = HashWriter(Fnv1a::default());
    serde_json::to_writer(&mut hash, messages).map_err(|error| {
        DataError::new(format!("the messages cannot be written as JSON: {error}"))
    })?;
    Ok(hash.0.finish())
}

/// Hashes what is written.
struct HashWriter(Fnv1a);

impl Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
