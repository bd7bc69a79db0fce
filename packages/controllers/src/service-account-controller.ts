/** Gives every active namespace its ServiceAccount `default`. */

import { hasCause, isAlreadyExists, isNotFound } from '@listwatch/api';
import type { BuiltInController } from './built-in-controller.ts';
import { type Namespace, namespaces, serviceAccounts } from './core-resources.ts';
import { runController } from './run-controller.ts';

const NAME = 'default';

/** Creates the ServiceAccount again when it is deleted. */
export function serviceAccountController(): BuiltInController {
  return {
    name: 'serviceaccount-controller',
    signalsReady: true,
    run: (surroundings) =>
      runController<Namespace>(surroundings, {
        name: 'serviceaccount-controller',
        for: namespaces,
        watches: [
          {
            resource: serviceAccounts,
            selection: { fieldSelector: `metadata.name=${NAME}` },
            predicate: ({ type }) => type === 'delete',
            map: ({ metadata }) => [metadata.namespace ?? ''],
          },
        ],
        reconcile: async ({ object }, { store }) => {
          if (object?.status?.phase !== 'Active') return;
          const namespace = object.metadata.name;
          if (store(serviceAccounts).get({ namespace, name: NAME }) !== undefined) return;
          const { cluster, signal } = surroundings;
          await ignoringClosedNamespace(() =>
            cluster.create(serviceAccounts, { metadata: { namespace, name: NAME } }, { signal }),
          );
        },
      }),
  };
}

/** A create that fails because the object is there, or because its namespace goes, needs no retry. */
export async function ignoringClosedNamespace(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (isAlreadyExists(error) || isNotFound(error) || hasCause(error, 'NamespaceTerminating')) return;
    throw error;
  }
}
