use genai::adapter::AdapterKind;
use genai::resolver::{AuthData, Endpoint};
use genai::{Headers, ModelIden, ServiceTarget};
use prompt_core::Result;

use super::{Chat, fault};
use crate::address::Address;
use crate::key::{Key, Secret};

/// Where a request goes.
pub(super) struct Target {
    pub(super) genai: genai::Client,
    pub(super) target: ServiceTarget,
    pub(super) secret: Option<Secret>,
    pub(super) address: Option<Address>,
}

impl Chat {
    /// Where a request goes, and the key that goes along.
    pub(super) async fn target(&self) -> Result<Target> {
        let known = |failure| self.settings.error(failure, None, self.address.as_ref());
        let mut secret = self.settings.key.resolve().await.map_err(known)?;
        let genai = genai::Client::builder()
            .with_reqwest(self.settings.http.clone())
            .build();
        let genai = genai.map_err(|error| known(fault::read(error)))?;
        let model = ModelIden::new(self.kind, &*self.settings.model);
        let mut target = genai
            .resolve_service_target(model)
            .await
            .map_err(|error| known(fault::read(error)))?;
        if let Some(address) = &self.address {
            target.endpoint = Endpoint::from_owned(address.url());
        }
        match (&secret, &self.address) {
            (Some(secret), _) => target.auth = AuthData::from_single(secret.reveal()),
            // Without a key, genai would send an empty one.
            (None, Some(address)) if self.kind == AdapterKind::OpenAI => {
                let url = address.route("chat/completions").to_string();
                target.auth = AuthData::RequestOverride {
                    url,
                    headers: Headers::default(),
                };
            }
            (None, _) => {}
        }
        if let (None, AuthData::FromEnv(name)) = (&secret, &target.auth) {
            // A key that genai finds by itself is blotted out like any other.
            secret = Key::env(name.clone()).resolve().await.ok().flatten();
        }
        let address = self
            .address
            .clone()
            .or_else(|| Address::parse(target.endpoint.base_url()).ok());
        Ok(Target {
            genai,
            target,
            secret,
            address,
        })
    }
}
