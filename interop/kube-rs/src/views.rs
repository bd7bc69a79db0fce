//! Copies of the collection that follow it: a watcher, reflectors with both strategies, and the store of a Controller.

use std::{
    collections::HashMap,
    pin::pin,
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::Result;
use futures::{StreamExt, future};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    runtime::{
        Controller, WatchStreamExt,
        controller::Action,
        reflector::{self, Store},
        watcher::{self, Event},
    },
};

use tokio::time::timeout;

use crate::{Versions, entry};

pub const NAMES: [&str; 4] = [
    "watcher",
    "reflector-list-watch",
    "reflector-streaming-list",
    "controller",
];

enum View {
    Watched(Arc<Mutex<Versions>>),
    Stored(Store<ConfigMap>),
}

#[derive(Default)]
pub struct Views(HashMap<String, View>);

impl Views {
    /// Returns when every view has its first state.
    pub async fn start(&mut self, api: &Api<ConfigMap>, selector: &str) -> Result<()> {
        for (scope, config) in [
            ("all", watcher::Config::default()),
            ("selected", watcher::Config::default().labels(selector)),
        ] {
            for name in NAMES {
                let view = match name {
                    "watcher" => follow(api.clone(), config.clone()),
                    "reflector-list-watch" => reflect(api.clone(), config.clone()),
                    "reflector-streaming-list" => reflect(api.clone(), config.clone().streaming_lists()),
                    _ => control(api.clone(), config.clone()),
                };
                if let View::Stored(store) = &view {
                    wait_until_ready(store).await?;
                }
                self.0.insert(format!("{name} {scope}"), view);
            }
        }
        Ok(())
    }

    pub fn dump(&self, name: &str, scope: &str) -> Option<Versions> {
        Some(match self.0.get(&format!("{name} {scope}"))? {
            View::Watched(state) => state.lock().expect("no holder panics").clone(),
            View::Stored(store) => store.state().iter().map(|object| entry(object.as_ref())).collect(),
        })
    }
}

/// Asks again every 100 ms: with kube 5.0 only the last task that waits for a store is woken, and a running Controller
/// waits for its own.
async fn wait_until_ready(store: &Store<ConfigMap>) -> Result<()> {
    loop {
        if let Ok(ready) = timeout(Duration::from_millis(100), store.wait_until_ready()).await {
            return Ok(ready?);
        }
    }
}

fn follow(api: Api<ConfigMap>, config: watcher::Config) -> View {
    let state = Arc::new(Mutex::new(Versions::new()));
    let shared = state.clone();
    tokio::spawn(async move {
        let mut events = pin!(watcher::watcher(api, config).default_backoff());
        let mut fresh = Versions::new();
        while let Some(event) = events.next().await {
            let mut state = shared.lock().expect("no holder panics");
            match event {
                Ok(Event::Init) => fresh.clear(),
                Ok(Event::InitApply(object)) => drop(fresh.extend([entry(&object)])),
                Ok(Event::InitDone) => *state = std::mem::take(&mut fresh),
                Ok(Event::Apply(object)) => drop(state.extend([entry(&object)])),
                Ok(Event::Delete(object)) => drop(state.remove(&entry(&object).0)),
                Err(error) => eprintln!("{error}"),
            }
        }
    });
    View::Watched(state)
}

fn reflect(api: Api<ConfigMap>, config: watcher::Config) -> View {
    let (store, writer) = reflector::store();
    let stream = reflector::reflector(writer, watcher::watcher(api, config)).default_backoff();
    tokio::spawn(stream.for_each(|event| {
        if let Err(error) = event {
            eprintln!("{error}");
        }
        future::ready(())
    }));
    View::Stored(store)
}

fn control(api: Api<ConfigMap>, config: watcher::Config) -> View {
    let controller = Controller::new(api, config);
    let store = controller.store();
    let reconcile = |_: Arc<ConfigMap>, _: Arc<()>| future::ready(Ok::<_, watcher::Error>(Action::await_change()));
    let on_error = |_: Arc<ConfigMap>, _: &watcher::Error, _: Arc<()>| Action::requeue(Duration::from_secs(1));
    tokio::spawn(
        controller
            .run(reconcile, on_error, Arc::new(()))
            .for_each(|_| future::ready(())),
    );
    View::Stored(store)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a server and without a Controller. When this fails, kube has been fixed, and the loop above can go.
    #[tokio::test]
    async fn of_two_tasks_that_wait_for_a_store_one_is_not_woken() {
        let (store, mut writer) = reflector::store::<ConfigMap>();
        let wait = |store: Store<ConfigMap>| async move { store.wait_until_ready().await.is_ok() };
        let first = tokio::spawn(wait(store.clone()));
        tokio::task::yield_now().await;
        let second = tokio::spawn(wait(store.clone()));
        tokio::task::yield_now().await;
        for event in [Event::Init, Event::InitDone] {
            writer.apply_watcher_event(&event);
        }
        assert!(second.await.unwrap());
        // As soon as anybody asks again, the store is ready.
        assert!(wait(store.clone()).await);
        assert!(timeout(Duration::from_secs(5), first).await.is_err());
    }
}
