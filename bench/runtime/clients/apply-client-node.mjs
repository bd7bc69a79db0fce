// client-node's informer takes updates: what each costs.

import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { updateRounds } from './update-rounds.mjs';

const [url, token, namespace = '', updates] = process.argv.slice(2);
const config = new KubeConfig();
config.loadFromOptions({
  clusters: [{ name: 'c', server: url, skipTLSVerify: true }],
  users: [{ name: 'u', token }],
  contexts: [{ name: 'c', cluster: 'c', user: 'u' }],
  currentContext: 'c',
});
const api = config.makeApiClient(CoreV1Api);
const list = () => api.listNamespacedConfigMap({ namespace });
const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
const rounds = updateRounds(Number(updates));
informer.on('update', rounds.seen);
// It has listed and has the head of its watch then; 'connect' is told before either.
await informer.start();
rounds.start();
