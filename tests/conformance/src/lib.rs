//! Tests of typed-prompt.
