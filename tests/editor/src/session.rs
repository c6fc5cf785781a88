//! A session with rust-analyzer: requests and their answers.

use std::io::{self, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{Place, Project, wire};

/// The server's error code for a request during which the project changed: the client sends it again.
const CONTENT_MODIFIED: i64 = -32801;

/// rust-analyzer with one project open.
pub struct Session {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    uri: String,
    last: u64,
}

impl Session {
    /// Opens the project's source file, and waits until the server has read everything.
    ///
    /// # Errors
    ///
    /// If the server cannot be started, exits, or reports that the project cannot be loaded.
    pub fn open(project: &Project) -> io::Result<Session> {
        let mut server = Command::new("rust-analyzer")
            .current_dir(&project.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (to, from) = (server.stdin.take(), server.stdout.take());
        let mut session = Session {
            server,
            to: to.ok_or_else(|| io::Error::other("no way to write"))?,
            from: BufReader::new(from.ok_or_else(|| io::Error::other("no way to read"))?),
            uri: project.uri(),
            last: 0,
        };
        session.ask(
            "initialize",
            &json!({
                "processId": std::process::id(),
                "rootUri": format!("file://{}", project.folder.display()),
                "capabilities": {
                    "textDocument": { "definition": { "linkSupport": false } },
                    "experimental": { "serverStatusNotification": true },
                },
                "initializationOptions": {
                    "checkOnSave": false,
                    "cachePriming": { "enable": false },
                    "procMacro": { "enable": true },
                    "cargo": { "buildScripts": { "enable": true } },
                },
            }),
        )?;
        session.tell("initialized", &json!({}))?;
        let document = json!({
            "uri": session.uri, "languageId": "rust", "version": 1, "text": project.source,
        });
        session.tell("textDocument/didOpen", &json!({ "textDocument": document }))?;
        session.settle()?;
        Ok(session)
    }

    /// The definition of the name at this position.
    ///
    /// # Errors
    ///
    /// If the server exits or returns an error.
    pub fn definition(&mut self, at: Place) -> io::Result<Vec<Place>> {
        let answer = self.ask("textDocument/definition", &self.at(at))?;
        Ok(self.places(&answer))
    }

    /// All references to the item whose name is at this position, and its definition.
    ///
    /// # Errors
    ///
    /// If the server exits or returns an error.
    pub fn references(&mut self, at: Place) -> io::Result<Vec<Place>> {
        let mut asked = self.at(at);
        asked["context"] = json!({ "includeDeclaration": true });
        let answer = self.ask("textDocument/references", &asked)?;
        Ok(self.places(&answer))
    }

    /// The hover text for the name at this position.
    ///
    /// # Errors
    ///
    /// If the server exits or returns an error.
    pub fn hover(&mut self, at: Place) -> io::Result<String> {
        let answer = self.ask("textDocument/hover", &self.at(at))?;
        Ok(answer["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned())
    }

    fn at(&self, at: Place) -> Value {
        json!({ "textDocument": { "uri": self.uri }, "position": at.json() })
    }

    /// The positions in the project's own file, in order.
    fn places(&self, answer: &Value) -> Vec<Place> {
        let all = answer.as_array().map_or(&[][..], Vec::as_slice);
        let own = all.iter().filter(|place| place["uri"] == self.uri.as_str());
        let mut places: Vec<Place> = own
            .filter_map(|place| Place::start_of(&place["range"]))
            .collect();
        places.sort();
        places
    }

    /// Waits until the server has loaded the project.
    fn settle(&mut self) -> io::Result<()> {
        loop {
            let message = self.receive()?;
            if message["method"] != "experimental/serverStatus" {
                continue;
            }
            let status = &message["params"];
            if status["health"] == "error" {
                return Err(io::Error::other(status.to_string()));
            }
            if status["quiescent"] == true {
                return Ok(());
            }
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> io::Result<Value> {
        let until = Instant::now() + Duration::from_secs(120);
        loop {
            self.last += 1;
            let request =
                json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
            wire::write(&mut self.to, &request)?;
            let answer = loop {
                let message = self.receive()?;
                if message["id"] == self.last && message.get("method").is_none() {
                    break message;
                }
            };
            match &answer["error"] {
                Value::Null => return Ok(answer["result"].clone()),
                error if error["code"] == CONTENT_MODIFIED && Instant::now() < until => {}
                error => return Err(io::Error::other(format!("{method}: {error}"))),
            }
        }
    }

    fn tell(&mut self, method: &str, params: &Value) -> io::Result<()> {
        wire::write(
            &mut self.to,
            &json!({ "jsonrpc": "2.0", "method": method, "params": params }),
        )
    }

    /// The next message. Requests of the server are answered with `null`.
    fn receive(&mut self) -> io::Result<Value> {
        let message = wire::read(&mut self.from)?
            .ok_or_else(|| io::Error::other("rust-analyzer went away"))?;
        if message.get("method").is_some() && message.get("id").is_some() {
            let nothing = match message["params"]["items"].as_array() {
                Some(items) => vec![Value::Null; items.len()].into(),
                None => Value::Null,
            };
            wire::write(
                &mut self.to,
                &json!({ "jsonrpc": "2.0", "id": message["id"], "result": nothing }),
            )?;
        }
        Ok(message)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The server stores nothing, so it can be killed.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
