//! What is called on a value with a dot.
