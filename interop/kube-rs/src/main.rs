//! The scenario of interop/README.md with kube-rs.

mod own;
mod views;

use std::{collections::BTreeMap, env};

use anyhow::{Context, Result, bail};
use futures::{StreamExt, TryStreamExt, pin_mut};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api, Client, Discovery, ResourceExt,
    api::{ListParams, VersionMatch, WatchEvent, WatchParams},
};
use tokio::io::{AsyncBufReadExt, BufReader, stdin};

/// The resourceVersion of each key.
pub type Versions = BTreeMap<String, String>;

pub fn entry(object: &impl ResourceExt) -> (String, String) {
    let key = format!("{}/{}", object.namespace().unwrap_or_default(), object.name_any());
    (key, object.resource_version().unwrap_or_default())
}

fn print(versions: impl IntoIterator<Item = (String, String)>) {
    for (key, version) in versions {
        println!("= {key} {version}");
    }
}

/// The version of kube in the lock file.
fn kube_version() -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let (_, rest) = lock
        .split_once("name = \"kube\"\nversion = \"")
        .unwrap_or(("", "unknown\""));
    rest.split('"').next().unwrap_or_default()
}

async fn discover(client: Client) -> Result<()> {
    let discovery = Discovery::new(client).run().await?;
    for group in discovery.groups() {
        for version in group.versions() {
            for (resource, _) in group.versioned_resources(version) {
                println!("= {}/{} {}", resource.api_version, resource.plural, resource.kind);
            }
        }
    }
    Ok(())
}

async fn list(api: &Api<ConfigMap>, kind: &str, value: &str) -> Result<()> {
    let params = match kind {
        "selected" => ListParams::default().labels(value),
        "exact" => ListParams {
            resource_version: Some(value.into()),
            version_match: Some(VersionMatch::Exact),
            ..ListParams::default()
        },
        "paged" => ListParams::default().limit(value.parse()?),
        _ => ListParams::default(),
    };
    let mut next = None;
    loop {
        let params = ListParams {
            continue_token: next,
            ..params.clone()
        };
        let page = api.list(&params).await?;
        next = page.metadata.continue_.filter(|token| !token.is_empty());
        print(page.items.iter().map(entry));
        if next.is_none() {
            return Ok(());
        }
    }
}

async fn bookmark(api: &Api<ConfigMap>, version: &str) -> Result<()> {
    let events = api.watch(&WatchParams::default().timeout(6), version).await?;
    pin_mut!(events);
    while let Some(event) = events.try_next().await? {
        if let WatchEvent::Bookmark(bookmark) = event {
            println!("= bookmark {}", bookmark.metadata.resource_version);
            return Ok(());
        }
    }
    bail!("the watch ended without a bookmark")
}

async fn watch_list(api: &Api<ConfigMap>, selector: &str) -> Result<()> {
    let mut params = WatchParams::default().timeout(60).initial_events();
    if selector != "all" {
        params = params.labels(selector);
    }
    let events = api.watch(&params, "0").await?;
    pin_mut!(events);
    let mut found = Versions::new();
    while let Some(event) = events.try_next().await? {
        match event {
            WatchEvent::Added(object) => drop(found.extend([entry(&object)])),
            WatchEvent::Bookmark(bookmark)
                if bookmark.metadata.annotations.contains_key("k8s.io/initial-events-end") =>
            {
                print(found);
                return Ok(());
            }
            _ => {}
        }
    }
    bail!("the watch ended without the end marker")
}

async fn expired(api: &Api<ConfigMap>, version: &str) -> Result<()> {
    let events = api.watch(&WatchParams::default().timeout(5), version).await?;
    pin_mut!(events);
    match events.next().await {
        Some(Ok(WatchEvent::Error(status))) if status.code == 410 => Ok(()),
        other => bail!("no 410 but {other:?}"),
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let client = Client::try_default().await?;
    let namespace = env::var("INTEROP_NAMESPACE")?;
    let api: Api<ConfigMap> = Api::namespaced(client.clone(), &namespace);
    let mut views = views::Views::default();
    let mut lines = BufReader::new(stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let words: Vec<&str> = line.split(' ').collect();
        let word = |index: usize| words.get(index).copied().unwrap_or_default();
        let outcome = match word(0) {
            "hello" => {
                println!("version {}", kube_version());
                views::NAMES.iter().for_each(|name| println!("view {name}"));
                own::NAMES.iter().for_each(|name| println!("own {name}"));
                Ok(())
            }
            "discover" => discover(client.clone()).await,
            "list" => list(&api, word(1), word(2)).await,
            "bookmark" => bookmark(&api, word(1)).await,
            "watch-list" => watch_list(&api, word(1)).await,
            "start" => views.start(&api, word(1)).await,
            "dump" => views.dump(word(1), word(2)).context("no such view").map(print),
            "expired" => expired(&api, word(1)).await,
            "own" => own::run(&client, &api, word(1)).await,
            _ => Ok(()),
        };
        match outcome {
            Ok(()) => println!("ok"),
            Err(error) => println!("failed {}", format!("{error:#}").replace('\n', " ")),
        }
        if word(0) == "end" {
            // The runtime would wait for its read of the standard input.
            std::process::exit(0);
        }
    }
    Ok(())
}
