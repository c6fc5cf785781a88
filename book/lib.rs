//! The guide's pages: their Rust blocks are this crate's doc-tests. `tests/pages.rs` checks that each page is listed, and its links.

#![allow(missing_docs)]

macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        $(
            #[doc = include_str!(concat!("pages/", $path))]
            pub mod $name {}
        )*
    };
}

pages! {
    introduction: "introduction.md",
    tutorial_first_prompt: "tutorial/first-prompt.md",
    tutorial_documents: "tutorial/documents.md",
    tutorial_typed_answer: "tutorial/typed-answer.md",
    tutorial_tools: "tutorial/tools.md",
    tutorial_conversation: "tutorial/conversation.md",
    tutorial_real_model: "tutorial/real-model.md",
    tutorial_tests: "tutorial/tests.md",
    tutorial_evaluation: "tutorial/evaluation.md",
    from_format: "howto/from-format.md",
    from_langchain: "howto/from-langchain.md",
    from_jinja: "howto/from-jinja.md",
    from_handlebars: "howto/from-handlebars.md",
    from_baml: "howto/from-baml.md",
    from_prompty: "howto/from-prompty.md",
    from_others: "howto/from-others.md",
    large_prompt: "howto/large-prompt.md",
    run_over_a_file: "howto/run-over-a-file.md",
    numbered_rag: "howto/numbered-rag.md",
    classifier: "howto/classifier.md",
    choose_examples: "howto/choose-examples.md",
    compare: "howto/compare.md",
    failing_tools: "howto/failing-tools.md",
    tools_in_a_server: "howto/tools-in-a-server.md",
    streaming: "howto/streaming.md",
    wrappers: "howto/wrappers.md",
    other_types: "howto/other-types.md",
    images: "howto/images.md",
    long_conversations: "howto/long-conversations.md",
    testing: "howto/testing.md",
    hot_reload: "howto/hot-reload.md",
    chat_formats: "howto/chat-formats.md",
    conditions: "docs/conditions.md",
    checking: "explanation/checking.md",
    performance: "explanation/performance.md",
}
