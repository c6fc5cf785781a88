//! The trait of embedding models.

use std::sync::Arc;

use super::BoxFuture;
use crate::Result;

/// A model that returns a vector for each text: texts with a similar meaning have vectors with a large inner product.
///
/// `client::EmbeddingModel` implements it for providers. Your own model implements `embed`:
///
/// ```
/// use typed_prompt::{Result, llm::{BoxFuture, Embedder}};
///
/// /// Counts the letters `a` and `b`.
/// struct Letters;
///
/// impl Embedder for Letters {
///     fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>>> {
///         let count = |text: &String, letter: char| text.matches(letter).count() as f32;
///         let vectors = texts.iter().map(|text| vec![count(text, 'a'), count(text, 'b')]).collect();
///         Box::pin(async { Ok(vectors) })
///     }
/// }
///
/// let texts = ["abba".to_owned()];
/// assert_eq!(pollster::block_on(Letters.embed(&texts))?, [[2.0, 2.0]]);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub trait Embedder: Send + Sync {
    /// Returns a vector for each text, in their order. All vectors have the same length.
    ///
    /// # Errors
    /// A model that cannot be reached, or an answer without a vector for each text.
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>>>;
}

macro_rules! pointers {
    ($($ty:ty)*) => {$(
        impl<E: Embedder + ?Sized> Embedder for $ty {
            fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>>> {
                (**self).embed(texts)
            }
        }
    )*};
}

pointers! { &E Box<E> Arc<E> }
