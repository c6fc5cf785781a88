//! Tests of both directions over in-memory streams, without a network.

mod fake_server;
mod http_server;
mod prompt_server;
mod remote_tools;
