use std::fmt;

use prompt_core::{Prompt, Shot, Shots};

use crate::retrieve::{Query, Retriever};
use crate::{Error, Result};

/// Worked examples, and the way to choose some of them for a row. Each is rendered once.
///
/// ```
/// use prompt_core::{Message, Messages};
/// use prompt_eval::{Examples, retrieve::{FixK, Query}};
///
/// let rows = ["2+2=4", "3+3=6"].map(|text| Messages::from([Message::user(text)]));
/// let mut examples = Examples::texts(rows).chosen_by(FixK::new([1]));
/// assert_eq!(examples.choose(&Query::row(0))?.iter().next().unwrap().to_string(), "3+3=6");
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub struct Examples {
    shots: Vec<Shot>,
    retriever: Box<dyn Retriever + Send>,
    same: bool,
}

impl Examples {
    /// Examples as turns; all of them are shown, unless a way to choose is given.
    pub fn turns<P: Prompt>(rows: impl IntoIterator<Item = P>) -> Examples {
        Examples::from_iter(rows.into_iter().map(|row| Shot::turns(&row)))
    }

    /// Examples as text.
    pub fn texts<P: Prompt>(rows: impl IntoIterator<Item = P>) -> Examples {
        Examples::from_iter(rows.into_iter().map(|row| Shot::text(&row)))
    }

    /// Sets the way to choose.
    pub fn chosen_by(self, retriever: impl Retriever + Send + 'static) -> Examples {
        Examples {
            retriever: Box::new(retriever),
            ..self
        }
    }

    /// Says that the examples are the rows that are asked, in the same order: none is shown to itself.
    ///
    /// ```
    /// use prompt_core::{Message, Messages};
    /// use prompt_eval::{Examples, retrieve::{FixK, Query}};
    ///
    /// let rows = ["a", "b"].map(|text| Messages::from([Message::user(text)]));
    /// let mut examples = Examples::texts(rows).chosen_by(FixK::new([0, 1])).of_the_same_rows();
    /// assert_eq!(examples.choose(&Query::row(1))?.len(), 1);
    /// # Ok::<(), prompt_eval::Error>(())
    /// ```
    pub fn of_the_same_rows(self) -> Examples {
        Examples { same: true, ..self }
    }

    /// The examples for a row.
    ///
    /// # Errors
    /// Those of the retriever.
    pub fn choose(&mut self, query: &Query<'_>) -> Result<Shots> {
        let itself = if self.same {
            Some(query.row)
        } else {
            query.itself
        };
        let ids = self.retriever.ids(&query.never(itself), self.shots.len())?;
        let mut shots = Vec::with_capacity(ids.len());
        for id in ids {
            let shot = self.shots.get(id).ok_or_else(|| {
                let count = self.shots.len();
                Error::new(format!(
                    "the retriever chose example {id} of {count}, counted from 0"
                ))
            });
            shots.push(shot?.clone());
        }
        Ok(shots.into_iter().collect())
    }
}

impl FromIterator<Shot> for Examples {
    fn from_iter<I: IntoIterator<Item = Shot>>(shots: I) -> Examples {
        let shots: Vec<Shot> = shots.into_iter().collect();
        let all = crate::retrieve::FixK::new(0..shots.len());
        Examples {
            shots,
            retriever: Box::new(all),
            same: false,
        }
    }
}

impl fmt::Debug for Examples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Examples({})", self.shots.len())
    }
}
