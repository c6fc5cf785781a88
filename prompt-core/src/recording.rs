//! A model that records replies to a file, and replays them in tests.

mod cassette;
mod diff;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use cassette::Cassette;
use prompt_base::file::read_file;

use crate::{BoxFuture, Error, ErrorKind, Llm, ModelInfo, Reply, Request, Result};

/// The parts of a request that determine its answer, as JSON.
pub(crate) fn request_identity(request: &Request) -> Result<String> {
    Ok(cassette::Asked::new(request)?.to_json())
}

/// A model that records the answers of another model to a file, and replays them from it.
///
/// The file contains one JSON object per line: the prompt's name and fingerprint, the request in the form of OpenAI's API, and the
/// reply. It contains no API key, so that it can be reviewed and committed with the tests. A recording matches a request if all but the
/// timeout is equal. Equal requests receive the answers in the order in which they were recorded, and then the last one again.
///
/// The file is created readable by its owner only (on Unix). A line is written when its reply is complete, so a program
/// that is killed repeats at most the requests whose replies were not complete. Several programs may record into one file. A line
/// that was cut off, and a file of more than 256 MiB, are errors.
///
/// ```
/// use typed_prompt::{Llm, Message, Messages, MockLlm, llm::RecordedLlm};
///
/// # pollster::block_on(async {
/// # let folder = std::env::temp_dir().join(format!("typed-prompt-recorded-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("depth.jsonl");
/// let ask = Messages::from([Message::user("How deep is it?")]);
/// let llm = RecordedLlm::record(&path, MockLlm::new(["Nine metres."]))?; // a real model, usually
/// llm.call(&ask).await?;
///
/// let llm = RecordedLlm::replay(&path)?;
/// assert_eq!(llm.call(&ask).await?, "Nine metres.");
/// let error = llm.call(&Messages::from([Message::user("How long is it?")])).await.unwrap_err();
/// assert!(error.to_string().contains("- user: How deep is it?\n+ user: How long is it?"));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), typed_prompt::Error>(()) })?;
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[must_use = "this is a model of its own: call it in place of the one inside"]
pub struct RecordedLlm {
    path: PathBuf,
    cassette: Mutex<Cassette>,
    model: Option<Box<dyn Llm>>,
}

impl RecordedLlm {
    /// Replays the file. A request that it does not contain is an error.
    ///
    /// # Errors
    /// The file cannot be read, or one of its lines is not a recording. The error contains the line's number.
    pub fn replay(path: impl AsRef<Path>) -> Result<RecordedLlm> {
        RecordedLlm::open_file(path.as_ref(), None, true)
    }

    /// Replays the file, sends requests that it does not contain to the model, and adds the answers to the file.
    ///
    /// # Errors
    /// As [`replay`](RecordedLlm::replay), but a missing file is created.
    pub fn record(path: impl AsRef<Path>, model: impl Llm + 'static) -> Result<RecordedLlm> {
        RecordedLlm::open_file(path.as_ref(), Some(Box::new(model)), false)
    }

    fn open_file(
        path: &Path,
        model: Option<Box<dyn Llm>>,
        must_exist: bool,
    ) -> Result<RecordedLlm> {
        if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            let message = format!("recordings require a regular file: `{}`", path.display());
            return Err(recording_error(message));
        }
        let bytes = match read_file(path, 256) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !must_exist => {
                Ok(Vec::new())
            }
            read => read,
        };
        let wrong = |message: String| {
            recording_error(format!("the recordings in `{}` {message}", path.display()))
        };
        let bytes = bytes.map_err(|error| {
            wrong(format!("cannot be read: {error}"))
                .with_help("`RecordedLlm::record` creates the file")
                .with_source(error)
        })?;
        let cassette = Cassette::parse(&bytes).map_err(|message| {
            wrong(message).with_help("repair the line, or remove it and record its request again")
        })?;
        Ok(RecordedLlm {
            path: path.to_owned(),
            cassette: Mutex::new(cassette),
            model,
        })
    }

    fn lock_cassette(&self) -> std::sync::MutexGuard<'_, Cassette> {
        // A panic elsewhere cannot leave the list half written.
        self.cassette.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn missing_reply(&self, request: &Request, wanted: &cassette::Asked) -> Error {
        let (name, path) = (request.info.name, self.path.display());
        let error = match self.lock_cassette().nearest_request(wanted) {
            Some(old) => {
                let changes = diff::diff_lines(&old.to_readable_text(), &wanted.to_readable_text());
                recording_error(match old.is_of_same_prompt(wanted) {
                    true => format!(
                        "`{name}` is not recorded in `{path}` with this input; the nearest recording differs:\n{changes}"
                    ),
                    false => format!(
                        "`{name}` has changed since it was recorded in `{path}`:\n{changes}"
                    ),
                })
            }
            None => recording_error(format!("`{name}` is not recorded in `{path}`")),
        };
        error.with_prompt(request.info).with_help(
            "record it with `RecordedLlm::record`; remove recordings that are no longer asked for",
        )
    }

    async fn replay_or_record(&self, request: &Request) -> Result<Reply> {
        let asked = cassette::Asked::new(request)?;
        if let Some(reply) = self.lock_cassette().find_reply(&asked) {
            return Ok(reply);
        }
        let Some(model) = &self.model else {
            return Err(self.missing_reply(request, &asked));
        };
        let reply = model.send(request).await?;
        // The list stays locked while the line is written, so that lines do not mix.
        let written = self.lock_cassette().add(&self.path, asked, &reply);
        written.map_err(|error| {
            recording_error(format!(
                "the recording cannot be added to `{}`: {error}",
                self.path.display()
            ))
            .with_source(error)
        })?;
        Ok(reply)
    }
}

fn recording_error(message: String) -> Error {
    Error::new(ErrorKind::MockExhausted, message)
}

/// The maximum number of retries of a replay: those that were recorded are replayed, and the recording ends them.
const MOST_REASKS: u32 = 8;

impl Llm for RecordedLlm {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(self.replay_or_record(request))
    }

    fn default_output_retries(&self) -> u32 {
        self.model
            .as_ref()
            .map_or(MOST_REASKS, Llm::default_output_retries)
    }

    fn model_info(&self) -> Option<ModelInfo> {
        self.model.as_ref()?.model_info()
    }
}

impl fmt::Debug for RecordedLlm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.model.is_some() {
            "recording"
        } else {
            "replaying"
        };
        write!(
            f,
            "RecordedLlm({kind} {:?}, {} answers)",
            self.path,
            self.lock_cassette().len()
        )
    }
}
