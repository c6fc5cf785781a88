enum Action {
    /// How deep a lake is.
    Depth {
        /// The lake's name alone.
        lake: String,
        #[tool(default)]
        unit: Unit,
    },
    Search(Search),
    #[tool(name = "clock")]
    Now,
}
