use super::{Query, Retriever, enough};
use crate::Result;

/// The examples just before the question's row; before the first row come the last.
///
/// ```
/// use prompt_eval::retrieve::{Query, Retriever, Window};
///
/// assert_eq!(Window::new(3).ids(&Query::row(1), 12)?, [10, 11, 0]);
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Window(usize);

impl Window {
    /// So many examples.
    pub fn new(wanted: usize) -> Window {
        Window(wanted)
    }
}

impl Retriever for Window {
    fn ids(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>> {
        enough(self.0, query, count)?;
        if self.0 == 0 {
            return Ok(Vec::new());
        }
        let start = query.row % count;
        let before = (1..=count).map(|back| (start + count - back) % count);
        let mut ids: Vec<usize> = before
            .filter(|id| Some(*id) != query.itself)
            .take(self.0)
            .collect();
        ids.reverse();
        Ok(ids)
    }
}
