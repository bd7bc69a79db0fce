// client-node's informer takes updates: what each costs. Says `ready`, and then one JSON line when it has seen them all.

import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';

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
let seen = 0;
const all = new Promise((resolve) => {
  informer.on('update', () => {
    seen += 1;
    if (seen === Number(updates)) resolve();
  });
});
// It has listed and has the head of its watch then; 'connect' is told before either.
await informer.start();
const before = process.cpuUsage();
console.log('ready');
await all;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ microsEach: (user + system) / seen }));
process.exit();
