//! The identity of rows and inputs: hashes of their content.

use prompt_core::{Json, Messages, Prompt};

use crate::DataError;

/// The FNV-1a hash of a text, never 0.
///
/// A collision does no harm: it can only keep the result of a row whose input has changed, or exclude one more example.
pub(crate) fn hash_text(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash.max(1)
}

/// The identity of a row: what its prompt renders.
///
/// A number would not do: a row has another one in a file with empty or broken lines, and after the rows were filtered, sampled or
/// shuffled.
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
            Ok::<_, DataError>(hash_text(&json.to_string()))
        };
        Ok(RowIdentity {
            record: hash(row.messages_with_answer()?)?,
            input: hash(row.messages()?)?,
        })
    }
}
