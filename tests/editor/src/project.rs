//! A package with one source file, written for a session.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A package with one source file, which depends on typed-prompt by path.
pub struct Project {
    /// Its folder.
    pub folder: PathBuf,
    /// The content of its `src/lib.rs`.
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
        // The versions of the workspace, so that cargo needs no registry.
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
