//! Paths of parts of a value.

/// The path to a value, innermost step first, so that each level only appends its own step.
pub(crate) type ValuePath = Vec<PathStep>;

#[derive(Clone, Debug)]
pub(crate) enum PathStep {
    Key(String),
    Item(usize),
}

/// A step to a part of a value. It becomes a [`PathStep`] only where a path is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StepRef<'k> {
    Key(&'k str),
    Item(usize),
}

impl From<StepRef<'_>> for PathStep {
    fn from(at: StepRef<'_>) -> PathStep {
        match at {
            StepRef::Key(key) => PathStep::Key(key.to_owned()),
            StepRef::Item(index) => PathStep::Item(index),
        }
    }
}

/// A path as a JSON pointer.
pub(crate) fn json_pointer(path: &[PathStep]) -> String {
    let mut pointer = String::new();
    for step in path.iter().rev() {
        pointer.push('/');
        match step {
            PathStep::Key(key) if key.contains(['~', '/']) => {
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
            }
            PathStep::Key(key) => pointer.push_str(key),
            PathStep::Item(index) => pointer.push_str(&index.to_string()),
        }
    }
    pointer
}
