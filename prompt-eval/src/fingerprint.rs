//! The identity of rows and inputs: hashes of their content.

use prompt_base::hash::Fnv1a;
use prompt_core::{Json, Messages, Prompt};

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
        let hash = |messages: Messages| {
            let json = Json::from_serialize(&messages)?;
            Ok::<_, DataError>(Fnv1a::hash(&json.to_string()))
        };
        Ok(RowIdentity {
            record: hash(row.messages_with_answer()?)?,
            input: hash(row.messages()?)?,
        })
    }
}
