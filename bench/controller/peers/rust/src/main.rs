//! A kube-rs controller of ConfigMaps with a reconcile that does nothing. Prints `ready` when each object was reconciled once,
//! and one JSON line when its standard input gets a line.

use std::{
    collections::HashSet,
    env,
    sync::{Arc, Mutex},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use futures::StreamExt;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::{
    Api, Client, Config, ResourceExt,
    config::{KubeConfigOptions, Kubeconfig},
    runtime::{
        Controller,
        controller::{self, Action},
        watcher,
    },
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

#[derive(Default)]
struct Runs {
    count: usize,
    seen: HashSet<String>,
    latencies: Vec<f64>,
}

struct Context {
    pause: Duration,
    runs: Mutex<Runs>,
    wanted: usize,
    complete: tokio::sync::Notify,
}

async fn reconcile(object: Arc<ConfigMap>, context: Arc<Context>) -> Result<Action, std::convert::Infallible> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64() * 1000.0;
    let complete = context.runs.lock().expect("no reconcile panics").seen.len() == context.wanted;
    if complete && !context.pause.is_zero() {
        tokio::time::sleep(context.pause).await;
    }
    let mut runs = context.runs.lock().expect("no reconcile panics");
    runs.count += 1;
    let sent = object.data.as_ref().and_then(|data| data.get("sentAt")).and_then(|text| text.parse::<f64>().ok());
    if let Some(sent) = sent.filter(|sent| *sent > 0.0) {
        runs.latencies.push(now - sent);
    }
    if runs.seen.len() < context.wanted {
        runs.seen.insert(object.name_any());
        if runs.seen.len() == context.wanted {
            context.complete.notify_one();
        }
    }
    Ok(Action::await_change())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, url, token, namespace, objects, owned, reconcile_ms] = arguments.as_slice() else {
        return Err("usage: url token namespace objects owned|alone reconcile-ms".into());
    };
    let yaml = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
         clusters: [{{name: c, cluster: {{server: '{url}', insecure-skip-tls-verify: true}}}}]\n\
         users: [{{name: u, user: {{token: '{token}'}}}}]\n\
         contexts: [{{name: c, context: {{cluster: c, user: u}}}}]\n"
    );
    let config = Config::from_custom_kubeconfig(Kubeconfig::from_yaml(&yaml)?, &KubeConfigOptions::default()).await?;
    let client = Client::try_from(config)?;

    let (before, started) = (cpu_ms(), Instant::now());
    let context = Arc::new(Context {
        pause: Duration::from_millis(reconcile_ms.parse()?),
        runs: Mutex::default(),
        wanted: objects.parse()?,
        complete: tokio::sync::Notify::new(),
    });
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let mut program = Controller::new(maps, watcher::Config::default())
        // As controller-runtime and ours: one reconcile at a time.
        .with_config(controller::Config::default().concurrency(1));
    if owned == "owned" {
        program = program.owns(Api::<Secret>::namespaced(client, namespace), watcher::Config::default());
    }
    let wait = |_: Arc<ConfigMap>, _: &std::convert::Infallible, _: Arc<Context>| Action::requeue(Duration::from_secs(1));
    let stream = program.run(reconcile, wait, context.clone()).for_each(|_| async {});
    tokio::spawn(stream);
    context.complete.notified().await;

    let mut line = serde_json::json!({
        "startMs": started.elapsed().as_secs_f64() * 1000.0,
        "startCpuMs": cpu_ms() - before,
        "startPeakMb": usage().ru_maxrss as f64 * 1024.0 / 1e6,
    });
    let calm = cpu_ms();
    let first = {
        let mut runs = context.runs.lock().expect("no reconcile panics");
        // Those of the first list are as old as their objects.
        runs.latencies.clear();
        runs.count
    };
    println!("ready");
    tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new())).await??;
    let mut runs = context.runs.lock().expect("no reconcile panics");
    runs.latencies.sort_by(f64::total_cmp);
    let percentile = |share: f64| runs.latencies.get((runs.latencies.len() as f64 * share) as usize).copied().unwrap_or(0.0);
    line["reconciles"] = (runs.count - first).into();
    line["cpuMs"] = (cpu_ms() - calm).into();
    line["p50Ms"] = percentile(0.5).into();
    line["p99Ms"] = percentile(0.99).into();
    println!("{line}");
    std::process::exit(0);
}
