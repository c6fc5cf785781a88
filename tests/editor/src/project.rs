use std::path::{Path, PathBuf};
use std::{fs, io};

/// A package of its own, with one source file, that depends on typed-prompt by path.
pub struct Project {
    /// Its folder.
    pub folder: PathBuf,
    /// What its `src/lib.rs` says.
    pub source: String,
}

impl Project {
    /// Writes the package into `folder`.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written.
    pub fn write(folder: &Path, source: &str) -> io::Result<Project> {
        let root = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))?;
        let manifest = format!(
            "[package]\nname = \"edited\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\ntyped-prompt = {{ path = {root:?}, features = [\"jinja\"] }}\n\n[workspace]\n"
        );
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/lib.rs"), source)?;
        // The same versions as everywhere else, so that nothing has to be asked of a registry.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Project {
            folder: fs::canonicalize(folder)?,
            source: source.to_owned(),
        })
    }

    /// The address of the source file.
    pub fn uri(&self) -> String {
        format!("file://{}", self.folder.join("src/lib.rs").display())
    }
}
