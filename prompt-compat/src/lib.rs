//! Prompt layouts of other systems, with the same output byte for byte. They use the public API of `prompt-core` only.
//!
//! Each system is a module. Its page states which releases are matched, the source of
//! each rule, and where the layout differs from the original.
//!
//! | module | system |
//! | --- | --- |
//! | `aisbench` | meta templates of AISBench and OpenCompass |
//! | `lamini` | Lamini's Llama 2, Llama 3, Mistral and Alpaca layouts, and its typed templates |
//! | `lazyllm` | LazyLLM's Alpaca and Chat layouts, with the keys of its model groups |
//! | `lightrag` | LightRAG's and AdalFlow's prompt of sections |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod aisbench;
pub mod lamini;
pub mod lazyllm;
pub mod lightrag;
