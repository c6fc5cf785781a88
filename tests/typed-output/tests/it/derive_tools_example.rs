//! The example in the documentation of `derive(Tools)`, which needs the feature `schema` and is not run there.

#[test]
fn the_example_of_derive_tools() -> typed_prompt::Result<()> {
    use typed_prompt::{ToolCall, Tools};

    #[derive(Tools)]
    enum Action {
        /// How deep a lake is.
        LakeDepth {
            /// The lake's name alone.
            lake: String,
            /// In which unit; metres if it is left out.
            unit: Option<String>,
        },
        /// What time it is.
        #[tool(name = "clock")]
        Now,
    }

    let tools = Action::tools()?;
    assert_eq!((tools[0].name(), tools[1].name()), ("lake_depth", "clock"));
    assert_eq!(
        tools[0].description().as_deref(),
        Some("How deep a lake is.")
    );

    let call = ToolCall::new("c1", "lake_depth", r#"{"lake": "Ammersee"}"#);
    match Action::parse(&call)? {
        Action::LakeDepth { lake, unit } => assert_eq!((&*lake, unit), ("Ammersee", None)),
        Action::Now => unreachable!(),
    }

    let error = Action::parse(&ToolCall::new("c2", "lake_deph", "{}"))
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "there is no tool `lake_deph`; did you mean `lake_depth`?"
    );
    Ok(())
}
