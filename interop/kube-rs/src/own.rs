//! What only kube-rs has.

use std::time::Duration;

use anyhow::{Result, bail};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api, Client, Discovery,
    api::{DeleteParams, Patch, PatchParams, PostParams},
    runtime::wait::await_condition,
};
use serde_json::json;
use tokio::time::timeout;

pub const NAMES: [&str; 2] = ["await-condition", "aggregated-discovery"];

pub async fn run(client: &Client, api: &Api<ConfigMap>, name: &str) -> Result<()> {
    match name {
        "await-condition" => wait(api).await,
        _ => discover(client.clone()).await,
    }
}

/// Waits for a field of an object, and for its end.
async fn wait(api: &Api<ConfigMap>) -> Result<()> {
    let object: ConfigMap = serde_json::from_value(json!({ "metadata": { "name": "awaited" } }))?;
    api.create(&PostParams::default(), &object).await?;
    let done = |object: Option<&ConfigMap>| {
        object
            .and_then(|map| map.data.as_ref())
            .is_some_and(|data| data.contains_key("done"))
    };
    let waiting = tokio::spawn({
        let api = api.clone();
        async move { await_condition(api, "awaited", done).await }
    });
    let patch = json!({ "data": { "done": "1" } });
    api.patch("awaited", &PatchParams::default(), &Patch::Merge(patch))
        .await?;
    timeout(Duration::from_secs(30), waiting).await???;
    let gone = tokio::spawn({
        let api = api.clone();
        async move { await_condition(api, "awaited", |object: Option<&ConfigMap>| object.is_none()).await }
    });
    api.delete("awaited", &DeleteParams::default()).await?;
    timeout(Duration::from_secs(30), gone).await???;
    Ok(())
}

/// The aggregated form of discovery finds what the other form finds.
async fn discover(client: Client) -> Result<()> {
    let (one, other) = (
        Discovery::new(client.clone()).run().await?,
        Discovery::new(client).run_aggregated().await?,
    );
    let names = |discovery: &Discovery| {
        let resources = discovery.groups().flat_map(|group| group.recommended_resources());
        let mut names: Vec<_> = resources
            .map(|(found, _)| format!("{}/{} {}", found.api_version, found.plural, found.kind))
            .collect();
        names.sort();
        names
    };
    if names(&one) != names(&other) {
        bail!("{} resources, aggregated {}", names(&one).len(), names(&other).len());
    }
    Ok(())
}
