/**
 * Follows the ConfigMaps of a namespace: what is there, and then each change, for as long as it runs.
 *
 * Run it against any cluster, for one the server of `npm start`; end it with Ctrl-C:
 *
 *     KUBECONFIG=.listwatch/kubeconfig npm run -s example examples/first-watcher.ts
 */

import { type ApiObject, resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { watcher } from '@listwatch/runtime';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

await using cluster = await connect();
const { namespace } = cluster;
console.log(`watching configmaps in ${namespace} of ${cluster.server}`);

try {
  for await (const event of watcher(cluster, configMaps, { namespace, signal: stop.signal })) {
    switch (event.type) {
      case 'init':
        console.log('a list begins: what follows replaces what was known');
        break;
      case 'initApply':
        console.log(`there is ${event.object.metadata.name}`);
        break;
      case 'initDone':
        console.log('that was all; from now on each change');
        break;
      case 'apply':
        console.log(`${event.object.metadata.name} is now ${JSON.stringify(event.object.data)}`);
        break;
      case 'delete':
        console.log(`${event.key} is gone`);
        break;
      case 'error':
        // Only to be told: the watcher goes on by itself.
        console.log(`trouble: ${event.error.message}`);
        break;
    }
  }
} catch (error) {
  // The one thing that a watcher throws is the reason of its signal.
  if (!stop.signal.aborted) throw error;
}
console.log('ended');
