//! The answers of a model, kept in an object store: each request is answered once.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::prelude::SessionContext;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutPayload};
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use typed_prompt::llm::{FinishReason, Usage};
use typed_prompt::{Reply, Request};

/// A place for the answers of models: a folder, a bucket, or memory.
///
/// The key of an answer is a hash of 256 bits of the complete request (messages, tools, schema and options), the name of the
/// model and a number of the sample. An answer is written before its row is returned; the first one that is written wins, and is
/// what every query returns from then on. Each answer is an object of its own, one line of JSON, in one of 256 folders
/// `part=<the first two digits of the key>`.
///
/// Answers that do not fit their type are kept too: their tokens are paid, and asking again would give another answer only with
/// other options or another sample. Errors of the network are not kept.
///
/// Clones share the requests that are being answered, so that one process asks for each of them once. An answer that cannot be
/// written stays in memory, and no request is sent until it is written.
#[derive(Clone)]
pub struct Store {
    objects: Arc<dyn ObjectStore>,
    prefix: Path,
    in_flight: Arc<InFlight>,
    /// Answers that could not be written. Their claims hold until they are, or until other processes take this one for ended.
    unwritten: Arc<tokio::sync::Mutex<Vec<(Key, StoredAnswer, Claim)>>>,
}

/// Trouble of the store is an I/O error, so that a cluster repeats the task.
fn store_error(error: object_store::Error) -> DataFusionError {
    DataFusionError::IoError(std::io::Error::other(error))
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
        if locks.len() == locks.capacity() {
            locks.retain(|_, lock| lock.strong_count() > 0);
            let capacity = locks.len() + 1;
            locks.reserve(capacity);
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
    pub(crate) fn from_request(
        request: &Request,
        model: &str,
        sample: u64,
    ) -> typed_prompt::Result<Key> {
        let mut hash = blake3::Hasher::new();
        for part in [&request.identity()?, model] {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        hash.update(&sample.to_le_bytes());
        Ok(Key(hash.finalize().to_hex().to_string()))
    }
}

/// A kept answer: a line of JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StoredAnswer {
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

impl StoredAnswer {
    pub(crate) fn new(
        key: &Key,
        request: &Request,
        model: &str,
        reply: &Reply,
        error: Option<String>,
    ) -> StoredAnswer {
        StoredAnswer {
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

    pub(crate) fn to_reply(&self) -> Reply {
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
            unwritten: Arc::default(),
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
    /// let store = Store::in_folder(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn in_folder(path: impl AsRef<std::path::Path>) -> Result<Store> {
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
    /// store.register_table(&ctx, "answers").await?;
    /// let answers = ctx.sql("SELECT text FROM answers WHERE error IS NULL").await?;
    /// assert_eq!(answers.count().await?, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn register_table(&self, ctx: &SessionContext, name: &str) -> Result<()> {
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

    /// The lock of a key in this process.
    pub(crate) fn lock_of(&self, key: &Key) -> Arc<tokio::sync::Mutex<()>> {
        self.in_flight.lock_of(key)
    }

    fn answer_path(&self, key: &Key) -> Path {
        self.key_path(key, "json")
    }

    /// An object of a key. Keys are spread over 256 folders, because writers of one folder of a local disk wait for each other. The
    /// name of a folder is that of a partition, so that tables contain its files.
    fn key_path(&self, key: &Key, ending: &str) -> Path {
        let folder = self.prefix.clone().join(format!("part={}", &key.0[..2]));
        folder.join(format!("{}.{ending}", key.0))
    }

    pub(crate) async fn find_answer(&self, key: &Key) -> Result<Option<StoredAnswer>> {
        let bytes = match self.objects.get(&self.answer_path(key)).await {
            Ok(found) => found.bytes().await.map_err(store_error)?,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(store_error(error)),
        };
        let kept: StoredAnswer = serde_json::from_slice(&bytes).map_err(|error| {
            let message = format!(
                "the answer {} cannot be read: {error}; delete it to ask again",
                self.answer_path(key)
            );
            DataFusionError::Execution(message)
        })?;
        Ok(Some(kept))
    }

    /// Writes an answer, and returns the one that is kept: the first that was written.
    pub(crate) async fn put_answer(
        &self,
        key: Key,
        kept: StoredAnswer,
        claim: Claim,
    ) -> Result<StoredAnswer> {
        match self.write_answer(&key, &kept).await {
            Ok(true) => Ok(kept),
            Ok(false) => Ok(self.find_answer(&key).await?.unwrap_or(kept)),
            Err(error) => {
                self.unwritten.lock().await.push((key, kept, claim));
                Err(error)
            }
        }
    }

    /// Writes the answers that could not be written before.
    pub(crate) async fn write_rest(&self) -> Result<()> {
        let mut unwritten = self.unwritten.lock().await;
        while let Some((key, kept, _)) = unwritten.last() {
            self.write_answer(key, kept).await?;
            unwritten.pop();
        }
        Ok(())
    }

    /// Writes an answer, unless there is one already.
    async fn write_answer(&self, key: &Key, kept: &StoredAnswer) -> Result<bool> {
        let mut line =
            serde_json::to_vec(kept).map_err(|error| DataFusionError::External(error.into()))?;
        line.push(b'\n');
        self.create_object(&self.answer_path(key), PutPayload::from(line))
            .await
    }

    /// Writes an object, unless there is one already.
    async fn create_object(&self, path: &Path, payload: PutPayload) -> Result<bool> {
        let options = PutMode::Create.into();
        match self.objects.put_opts(path, payload, options).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(store_error(error)),
        }
    }

    /// Looks the answer to a request up, and claims the right to send the request if there is none. In a store that no other process
    /// writes, the claim needs no object.
    pub(crate) async fn claim_request(&self, key: &Key, is_shared: bool) -> Result<Claimed> {
        let claim = match is_shared {
            false => Some(Claim(None)),
            true => {
                let path = self.claim_path(key);
                let is_new = self.create_object(&path, PutPayload::new()).await?;
                is_new.then(|| Claim(Some((Arc::clone(&self.objects), path))))
            }
        };
        // After the claim, so that no other process answers in between.
        Ok(match (self.find_answer(key).await?, claim) {
            (Some(kept), _) => Claimed::Answered(kept),
            (None, Some(claim)) => Claimed::Granted(claim),
            (None, None) => Claimed::Taken,
        })
    }

    fn claim_path(&self, key: &Key) -> Path {
        self.key_path(key, "claim")
    }

    /// Waits for another process that has claimed a key, and removes the claim of a process that has ended.
    pub(crate) async fn wait_for_answer(
        &self,
        key: &Key,
        seen: &mut Option<(ObjectMeta, Instant)>,
    ) -> Result<()> {
        tokio::time::sleep(RENEWAL / 30).await;
        let path = self.claim_path(key);
        let renewed = match self.objects.head(&path).await {
            Ok(claim) => claim,
            Err(object_store::Error::NotFound { .. }) => return Ok(()),
            Err(error) => return Err(store_error(error)),
        };
        match seen {
            Some((claim, since)) if *claim == renewed => {
                if since.elapsed() > LEASE {
                    *seen = None;
                    let _ = self.objects.delete(&path).await;
                }
            }
            _ => *seen = Some((renewed, Instant::now())),
        }
        Ok(())
    }
}

/// How long a claim holds after its last renewal. Its process has ended if it is not renewed.
const LEASE: Duration = Duration::from_secs(10);
const RENEWAL: Duration = Duration::from_secs(3);

/// What became of a claim.
pub(crate) enum Claimed {
    /// The request may be sent.
    Granted(Claim),
    /// The request has been answered.
    Answered(StoredAnswer),
    /// Another process sends the request.
    Taken,
}

/// The right to send a request, among all processes with a store: an object that is deleted with it.
pub(crate) struct Claim(Option<(Arc<dyn ObjectStore>, Path)>);

impl Claim {
    /// Renews the claim until the future is ready.
    pub(crate) async fn hold_during<T>(&self, future: impl Future<Output = T>) -> T {
        let Some((objects, path)) = &self.0 else {
            return future.await;
        };
        let mut future = std::pin::pin!(future);
        loop {
            match tokio::time::timeout(RENEWAL, &mut future).await {
                Ok(ready) => return ready,
                // Without renewal, another process may send the request too: the first written answer wins.
                Err(_) => drop(objects.put(path, PutPayload::new()).await),
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let (Some((objects, path)), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(async move { drop(objects.delete(&path).await) });
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({} at {})", self.objects, self.prefix)
    }
}
