/**
 * Copies the ConfigMap `default/company` into every namespace with the label `company=yes`, and keeps the copies equal.
 *
 *     npm run -s example examples/config-map-per-namespace.ts
 */

import type { ApiObject } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { configMaps, namespaces } from '@listwatch/kinds';
import { controller, labelsChanged } from '@listwatch/runtime';

const SOURCE = { namespace: 'default', name: 'company' };
const isChosen = ({ metadata }: ApiObject): boolean => metadata.labels?.['company'] === 'yes';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

await using cluster = await connect();
const distribution = controller(cluster, {
  name: 'company-config',
  for: namespaces,
  // A namespace changes for many reasons; only its labels matter here.
  predicate: labelsChanged,
  // A copy that somebody edits or deletes is put right: the namespace of any copy is reconciled. A change of the source
  // concerns all namespaces.
  watches: [
    {
      resource: configMaps,
      selection: { fieldSelector: `metadata.name=${SOURCE.name}` },
      map: ({ metadata: { namespace = '' } }, { store }) =>
        namespace === SOURCE.namespace ? store(namespaces).keys() : [namespace],
    },
  ],
  reconcile: async ({ object, key }, ctx) => {
    if (object === undefined || object.metadata.deletionTimestamp !== undefined || key.name === SOURCE.namespace)
      return;
    const maps = ctx.store(configMaps);
    const source = maps.get(SOURCE);
    const copy = maps.get({ namespace: key.name, name: SOURCE.name });
    if (source === undefined || !isChosen(object)) {
      if (copy !== undefined) await ctx.cluster.delete(configMaps, { namespace: key.name, name: SOURCE.name });
      return;
    }
    await ctx.apply(
      configMaps,
      { metadata: { namespace: key.name, name: SOURCE.name }, data: source.data ?? {} },
      // A Namespace goes with all that is in it; an owner reference would add nothing.
      { owner: false },
    );
    console.log(`${key.name} has the configuration of ${source.metadata.resourceVersion ?? ''}`);
  },
});
await distribution.run({ signal: stop.signal });
