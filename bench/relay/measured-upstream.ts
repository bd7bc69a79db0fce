/** The server behind the relay: a kube-apiserver with its etcd where there is one, or ours. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRealPart, startKubeApiserver } from '@listwatch/conformance/parts';
import { startOwnServer } from '../server/own-server.ts';
import type { Target } from '../server/target.ts';

export interface MeasuredUpstream extends AsyncDisposable {
  readonly target: Target;
  readonly kubeconfig: string;
  /** Undefined for ours. */
  readonly etcdEndpoint: string | undefined;
}

/** `own` takes ours, also where there is a kube-apiserver. */
export async function startUpstream(folder: string, own: boolean): Promise<MeasuredUpstream> {
  if (!own && findRealPart('kube-apiserver') !== undefined) {
    const server = await startKubeApiserver();
    const { url, token, pid, kubeconfig, etcdEndpoint } = server;
    return {
      target: { name: 'kube-apiserver', url, token, pid },
      kubeconfig,
      etcdEndpoint,
      [Symbol.asyncDispose]: () => server.stop(),
    };
  }
  const server = await startOwnServer({ folder, storage: 'lmdb' });
  const kubeconfig = join(folder, 'kubeconfig');
  const cluster = { server: server.url, 'insecure-skip-tls-verify': true };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'own', cluster }],
    users: [{ name: 'admin', user: { token: server.token } }],
    contexts: [{ name: 'own', context: { cluster: 'own', user: 'admin' } }],
    'current-context': 'own',
  };
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  return { target: server, kubeconfig, etcdEndpoint: undefined, [Symbol.asyncDispose]: () => server.stop() };
}
