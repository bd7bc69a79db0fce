/** `listwatch serve` with a `listwatch relay` in front of it, as real processes, and the kubeconfig of a program that reads through both. */

import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ListwatchProcess } from '../serve/serve-process.fixture.ts';

const TOKEN = 'of-the-programs';
/** A file of tokens: client certificates do not pass through a relay. */
export const TOKENS = `${TOKEN},admin,admin,"system:masters"\n`;

/** What Kubernetes' own controllers and scheduler read, but for the kinds that have no objects in the tests. */
const KINDS = [
  'configmaps,namespaces,nodes,persistentvolumeclaims,persistentvolumes,pods,resourcequotas,secrets,serviceaccounts,services',
  'daemonsets.apps,deployments.apps,replicasets.apps,statefulsets.apps,controllerrevisions.apps',
  'cronjobs.batch,jobs.batch,endpointslices.discovery.k8s.io,horizontalpodautoscalers.autoscaling',
  'leases.coordination.k8s.io,poddisruptionbudgets.policy,storageclasses.storage.k8s.io',
].join(',');

export interface RelayedServerPlan {
  /** Of the server; the relay keeps its journal beside. */
  readonly folder: string;
  /** Of the server, which knows {@link TOKENS}. */
  readonly url: string;
  readonly kubeconfig: string;
  /** Of the relay; `0`: any. */
  readonly port: string;
}

/** A relay that is ready. */
export interface RelayedServer {
  readonly process: ListwatchProcess;
  readonly port: string;
  /** Beside the server's own, with its keys. */
  readonly kubeconfig: string;
  /** Its own port for people. */
  readonly health: string;
}

/** Starts the relay. It serves with the server's certificate, so that programs need one authority only. */
export async function startRelay({ folder, url, kubeconfig, port }: RelayedServerPlan): Promise<RelayedServer> {
  const pki = join(dirname(kubeconfig), 'pki');
  const upstream = ['--server', url, '--certificate-authority', join(pki, 'ca.crt'), '--token', TOKEN];
  const serving = ['--tls-cert-file', join(pki, 'server.crt'), '--tls-private-key-file', join(pki, 'server.key')];
  const places = ['--port', port, '--health-address', '127.0.0.1:0', '--journal', join(folder, 'journal')];
  const process = new ListwatchProcess(['relay', '--kinds', KINDS, ...upstream, ...serving, ...places], folder);
  const [, own = ''] = /relay on (https:\S+)/u.exec(await process.line('relay on')) ?? [];
  const [, health = ''] = /metrics on (http:[^\s"]+)/u.exec(await process.line('metrics on')) ?? [];
  await process.line('ready: ');
  const relayed = join(dirname(kubeconfig), 'relayed.kubeconfig');
  writeFileSync(relayed, kubeconfigOf(own, join(pki, 'ca.crt')), { mode: 0o600 });
  return { process, port: new URL(own).port, kubeconfig: relayed, health };
}

/** How many requests it has answered from its cache, by kind and verb. */
export async function cachedRequests(health: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${health}/metrics`)).text();
  const lines = text.matchAll(/^listwatch_relay_cached_requests_total\{kind="(.*)",verb="(.*)"\} (\d+)$/gmu);
  return new Map([...lines].map(([, kind = '', verb = '', count]) => [`${verb} ${kind}`, Number(count)]));
}

function kubeconfigOf(server: string, authority: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'relay', cluster: { server, 'certificate-authority': authority } }],
    users: [{ name: 'admin', user: { token: TOKEN } }],
    contexts: [{ name: 'relay', context: { cluster: 'relay', user: 'admin' } }],
    'current-context': 'relay',
  });
}
