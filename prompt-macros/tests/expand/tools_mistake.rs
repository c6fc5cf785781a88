enum Action {
    Depth(f64),
}
