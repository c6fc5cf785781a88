//! The answers of a model, kept in an object store: each request is answered once.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::prelude::SessionContext;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutPayload};
use serde::{Deserialize, Serialize};
use typed_prompt::llm::{FinishReason, Usage};
use typed_prompt::{Reply, Request};

/// A place for the answers of models: a folder, a bucket, or memory.
///
/// The key of an answer is a hash of 256 bits of the complete request (messages, tools, schema and options), the name of the
/// model and a number of the draw. An answer is written before its row is returned; the first one that is written wins, and is
/// what every query returns from then on. Each answer is an object of its own, one line of JSON.
///
/// Answers that do not fit their type are kept too: their tokens are paid, and asking again would give another answer only with
/// other options or another draw. Errors of the network are not kept.
///
/// Clones share the requests that are being answered, so that one process asks for each of them once.
#[derive(Clone)]
pub struct Store {
    objects: Arc<dyn ObjectStore>,
    prefix: Path,
    in_flight: Arc<InFlight>,
}

/// A lock for each key that is being answered.
#[derive(Default)]
struct InFlight(Mutex<HashMap<Key, Weak<tokio::sync::Mutex<()>>>>);

impl InFlight {
    fn lock_of(&self, key: &Key) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = locks.get(key).and_then(Weak::upgrade) {
            return lock;
        }
        if locks.len() > 1000 {
            locks.retain(|_, lock| lock.strong_count() > 0);
        }
        let lock = Arc::default();
        locks.insert(key.clone(), Arc::downgrade(&lock));
        lock
    }
}

/// The key of an answer, in hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key(String);

impl Key {
    /// The key of a request to a model.
    pub(crate) fn of(request: &Request, model: &str, draw: u64) -> typed_prompt::Result<Key> {
        let mut hash = blake3::Hasher::new();
        for part in [&request.identity()?, model] {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        hash.update(&draw.to_le_bytes());
        Ok(Key(hash.finalize().to_hex().to_string()))
    }
}

/// A kept answer: a line of JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    key: String,
    prompt: String,
    fingerprint: String,
    model: String,
    text: String,
    finish: Option<String>,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    /// Why the text is not an answer of the prompt's type.
    pub(crate) error: Option<String>,
}

impl Kept {
    pub(crate) fn new(
        key: &Key,
        request: &Request,
        model: &str,
        reply: &Reply,
        error: Option<String>,
    ) -> Kept {
        Kept {
            key: key.0.clone(),
            prompt: request.info.name.to_owned(),
            fingerprint: request.info.fingerprint.to_string(),
            model: reply.model.clone().unwrap_or_else(|| model.to_owned()),
            text: reply.text.clone(),
            finish: reply.finish.as_ref().map(|finish| finish.name().to_owned()),
            input_tokens: reply.usage.map(|usage| usage.input),
            output_tokens: reply.usage.map(|usage| usage.output),
            error,
        }
    }

    pub(crate) fn reply(&self) -> Reply {
        let mut reply = Reply::new(self.text.as_str()).with_model(self.model.as_str());
        if let Some(finish) = &self.finish {
            reply = reply.with_finish(FinishReason::from_name(finish));
        }
        if let (Some(input), Some(output)) = (self.input_tokens, self.output_tokens) {
            reply = reply.with_usage(Usage::new(input, output));
        }
        reply
    }
}

impl Store {
    /// Answers below a path of an object store.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use prompt_datafusion::Store;
    ///
    /// let bucket = Arc::new(object_store::memory::InMemory::new());
    /// let store = Store::new(bucket, "answers/tickets");
    /// ```
    pub fn new(objects: Arc<dyn ObjectStore>, prefix: &str) -> Store {
        Store {
            objects,
            prefix: Path::from(prefix),
            in_flight: Arc::default(),
        }
    }

    /// Answers that end with the program.
    pub fn in_memory() -> Store {
        Store::new(Arc::new(InMemory::new()), "answers")
    }

    /// Answers in a folder of this machine, which is created if it is missing.
    ///
    /// # Errors
    /// The folder cannot be created or opened.
    ///
    /// ```
    /// use prompt_datafusion::Store;
    ///
    /// # fn main() -> datafusion::error::Result<()> {
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path().join("answers");
    /// let store = Store::folder(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn folder(path: impl AsRef<std::path::Path>) -> Result<Store> {
        std::fs::create_dir_all(&path)?;
        let objects = object_store::local::LocalFileSystem::new_with_prefix(path)?;
        Ok(Store::new(Arc::new(objects), "answers"))
    }

    /// Registers the answers as a table: `key`, `prompt`, `fingerprint`, `model`, `text`, `finish`, `input_tokens`, `output_tokens` and
    /// `error`.
    ///
    /// # Errors
    /// There are no answers, or the store cannot be read.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use datafusion::prelude::*;
    /// use prompt_datafusion::{Ask, AskExt, Store, session};
    /// use typed_prompt::{MockLlm, Prompt};
    ///
    /// #[derive(Prompt, serde::Deserialize)]
    /// #[prompt(user = "<question>")]
    /// struct Question {
    ///     question: String,
    /// }
    ///
    /// # #[tokio::main]
    /// # async fn main() -> datafusion::error::Result<()> {
    /// let (ctx, store) = (session(), Store::in_memory());
    /// let llm = Arc::new(MockLlm::new(["42"]));
    /// let rows = ctx.sql("SELECT 'Why?' AS question").await?;
    /// rows.ask::<Question>(Ask::new(store.clone(), llm, "mock"))?.collect().await?;
    /// store.register(&ctx, "answers").await?;
    /// let answers = ctx.sql("SELECT text FROM answers WHERE error IS NULL").await?;
    /// assert_eq!(answers.count().await?, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn register(&self, ctx: &SessionContext, name: &str) -> Result<()> {
        // The host names the table: any name is one in hexadecimal digits.
        let host = blake3::hash(name.as_bytes()).to_hex();
        let url = url::Url::parse(&format!("answers://{host}"))
            .map_err(|error| DataFusionError::External(error.into()))?;
        ctx.register_object_store(&url, Arc::clone(&self.objects));
        let options =
            ListingOptions::new(Arc::new(JsonFormat::default())).with_file_extension(".json");
        let path = ListingTableUrl::parse(format!("{url}/{}/", self.prefix))?;
        let config = ListingTableConfig::new(path).with_listing_options(options);
        let config = config.infer_schema(&ctx.state()).await?;
        ctx.register_table(name, Arc::new(ListingTable::try_new(config)?))?;
        Ok(())
    }

    fn path(&self, key: &Key) -> Path {
        self.prefix.clone().join(format!("{}.json", key.0))
    }

    pub(crate) async fn get(&self, key: &Key) -> Result<Option<Kept>> {
        let bytes = match self.objects.get(&self.path(key)).await {
            Ok(found) => found.bytes().await?,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let kept: Kept = serde_json::from_slice(&bytes).map_err(|error| {
            let message = format!(
                "the answer {} cannot be read: {error}; delete it to ask again",
                self.path(key)
            );
            DataFusionError::Execution(message)
        })?;
        Ok(Some(kept))
    }

    /// Writes an answer, unless there is one already, and returns the one that is kept.
    async fn put(&self, key: &Key, kept: Kept) -> Result<Kept> {
        let mut line =
            serde_json::to_vec(&kept).map_err(|error| DataFusionError::External(error.into()))?;
        line.push(b'\n');
        let written = self
            .objects
            .put_opts(
                &self.path(key),
                PutPayload::from(line),
                PutMode::Create.into(),
            )
            .await;
        match written {
            Ok(_) => Ok(kept),
            Err(object_store::Error::AlreadyExists { .. }) => {
                Ok(self.get(key).await?.unwrap_or(kept))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The answer to a request, and whether it was there already. One caller at a time asks for a key.
    ///
    /// # Errors
    /// The store cannot be read or written. What `ask` fails with is returned as it is.
    pub(crate) async fn answer<E>(
        &self,
        key: &Key,
        ask: impl AsyncFnOnce() -> std::result::Result<Kept, E>,
    ) -> Result<std::result::Result<(Kept, bool), E>> {
        if let Some(kept) = self.get(key).await? {
            return Ok(Ok((kept, true)));
        }
        let lock = self.in_flight.lock_of(key);
        let _guard = lock.lock().await;
        if let Some(kept) = self.get(key).await? {
            return Ok(Ok((kept, true)));
        }
        match ask().await {
            Ok(kept) => Ok(Ok((self.put(key, kept).await?, false))),
            Err(error) => Ok(Err(error)),
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({} at {})", self.objects, self.prefix)
    }
}
