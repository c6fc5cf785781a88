//! The compiler's answer that README.md shows is the one that the compiler gives.

#[test]
fn the_mistake_is_shown_as_it_is() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read = |name: &str| {
        std::fs::read_to_string(format!("{root}/{name}")).expect("a file of the project")
    };
    let answer = read("tests/compile-fail/tests/ui/slots/readme.stderr");
    // Up to where rustc repeats the place in its own way.
    let answer = answer.split("\n --> ").next().expect("a first part");
    // The number of the arrow's spaces is rustc's; only the file has another name.
    let answer = answer.replace("tests/ui/slots/readme.rs", "src/main.rs");
    assert!(answer.contains("unknown slot"), "{answer}");
    assert!(
        read("README.md").contains(&answer),
        "README.md should show\n{answer}"
    );
    let program = read("tests/compile-fail/tests/ui/slots/readme.rs");
    let program = program
        .split("\n// 1:")
        .next()
        .expect("a first part")
        .replace("languge", "language");
    assert!(
        read("README.md").contains(program.trim()),
        "README.md should show\n{program}"
    );
}
