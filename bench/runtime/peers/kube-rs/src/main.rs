//! A kube-rs reflector on the ConfigMaps of a namespace: what its first sync costs, as one JSON line.

use std::{env, pin::pin, time::Instant};

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api, Client, Config,
    config::{KubeConfigOptions, Kubeconfig},
    runtime::{WatchStreamExt, reflector, watcher},
};

fn usage() -> libc::rusage {
    // SAFETY: a zeroed rusage is a valid one, and the kernel fills it in.
    unsafe {
        let mut usage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    }
}

fn cpu_ms() -> f64 {
    let usage = usage();
    let ms = |time: libc::timeval| time.tv_sec as f64 * 1000.0 + time.tv_usec as f64 / 1000.0;
    ms(usage.ru_utime) + ms(usage.ru_stime)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [_, url, token, namespace, strategy] = <[String; 5]>::try_from(env::args().collect::<Vec<_>>())
        .map_err(|_| "usage: url token namespace list|stream")?;
    let yaml = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
         clusters: [{{name: c, cluster: {{server: '{url}', insecure-skip-tls-verify: true}}}}]\n\
         users: [{{name: u, user: {{token: '{token}'}}}}]\n\
         contexts: [{{name: c, context: {{cluster: c, user: u}}}}]\n"
    );
    let config = Config::from_custom_kubeconfig(Kubeconfig::from_yaml(&yaml)?, &KubeConfigOptions::default()).await?;
    let client = Client::try_from(config)?;

    let (before, started) = (cpu_ms(), Instant::now());
    let api: Api<ConfigMap> = Api::namespaced(client, &namespace);
    let settings = match strategy.as_str() {
        "stream" => watcher::Config::default().streaming_lists(),
        _ => watcher::Config::default(),
    };
    let (store, writer) = reflector::store();
    let mut events = pin!(reflector(writer, watcher(api, settings)).default_backoff());
    while let Some(event) = events.next().await {
        if matches!(event?, watcher::Event::InitDone) {
            break;
        }
    }
    let line = serde_json::json!({
        "objects": store.state().len(),
        "wallMs": started.elapsed().as_secs_f64() * 1000.0,
        "cpuMs": cpu_ms() - before,
        "peakMb": usage().ru_maxrss as f64 * 1024.0 / 1e6,
    });
    println!("{line}");
    Ok(())
}
