/** Publishes the authority of the server's certificate in every namespace, as the ConfigMap `kube-root-ca.crt`. */

import { isConflict, isNotFound } from '@listwatch/api';
import type { BuiltInController } from './built-in-controller.ts';
import { type ConfigMap, configMaps, type Namespace, namespaces } from './core-resources.ts';
import { runController } from './run-controller.ts';
import { ignoringClosedNamespace } from './service-account-controller.ts';

const NAME = 'kube-root-ca.crt';
const ANNOTATION = 'kubernetes.io/description';
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal ' +
  'service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Restores the ConfigMap when it is changed or deleted. `caBundle` is PEM. */
export function rootCaPublisher({ caBundle }: { readonly caBundle: string }): BuiltInController {
  return {
    name: 'root-ca-certificate-publisher-controller',
    signalsReady: true,
    run: (surroundings) =>
      runController<Namespace>(surroundings, {
        name: 'root-ca-certificate-publisher-controller',
        for: namespaces,
        watches: [
          {
            resource: configMaps,
            selection: { fieldSelector: `metadata.name=${NAME}` },
            map: ({ metadata }) => [metadata.namespace ?? ''],
          },
        ],
        reconcile: async ({ object }, { store }) => {
          if (object?.status?.phase !== 'Active') return;
          const namespace = object.metadata.name;
          const { cluster, signal } = surroundings;
          const found = store(configMaps).get({ namespace, name: NAME });
          if (found === undefined) {
            const metadata = { namespace, name: NAME, annotations: { [ANNOTATION]: DESCRIPTION } };
            const created = { metadata, data: { 'ca.crt': caBundle } };
            await ignoringClosedNamespace(() => cluster.create(configMaps, created, { signal }));
          } else if (!isPublished(found, caBundle)) {
            await ignoringConflict(() => cluster.update(configMaps, published(found, caBundle), { signal }));
          }
        },
      }),
  };
}

/** After a conflict or a delete the change of somebody else leads to the next run. */
async function ignoringConflict(update: () => Promise<unknown>): Promise<void> {
  try {
    await update();
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}

/** Any description will do: it may have been translated, or come from another release. */
function isPublished({ data = {}, metadata }: ConfigMap, caBundle: string): boolean {
  const described = (metadata.annotations?.[ANNOTATION] ?? '') !== '';
  return described && Object.keys(data).length === 1 && data['ca.crt'] === caBundle;
}

function published(found: ConfigMap, caBundle: string): ConfigMap {
  const annotations = { ...found.metadata.annotations, [ANNOTATION]: DESCRIPTION };
  return { ...found, metadata: { ...found.metadata, annotations }, data: { 'ca.crt': caBundle } };
}
