/** Keeps the Service `default/kubernetes` and the addresses of the servers behind it, as kube-apiserver does. */

import { isAlreadyExists, isConflict, isNotFound } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { type Lease, leases, type ReconcileContext, type ReconcileResult } from '@listwatch/runtime';
import type { BuiltInController, ControllerSurroundings } from '../built-in-controller.ts';
import { runController } from '../run-controller.ts';
import { addressIn, IDENTITY, IDENTITY_LABEL, keepLease, LEASE_NAMESPACE, LeaseAges } from './server-leases.ts';
import {
  endpointsOf,
  hasSameFields,
  SERVICE_KEY,
  SERVICE_LABEL,
  type ServerAddress,
  servicePorts,
  slicesOf,
} from './service-addresses.ts';
import { endpointSlices, endpoints, type Service, services } from './service-resources.ts';

/** Options of {@link kubernetesServiceController}. */
export interface KubernetesServiceOptions {
  /** Where this server is reached. */
  readonly address: ServerAddress;
  /**
   * Other servers may share the store: each renews a Lease in kube-system every 10 s, and is dropped 15 s after its last renewal.
   * Default: false, this address is the only one, and nothing is renewed.
   */
  readonly isShared?: boolean | undefined;
}

const NAME = 'kubernetes-service-controller';
const SELECTION = { namespace: SERVICE_KEY.namespace, fieldSelector: `metadata.name=${SERVICE_KEY.name}` };
const toService = (): readonly (typeof SERVICE_KEY)[] => [SERVICE_KEY];

/** Runs on every server: each must say that it is alive, and a leader that dies must not keep the others from being listed. */
export function kubernetesServiceController({
  address,
  isShared = false,
}: KubernetesServiceOptions): BuiltInController {
  return {
    name: NAME,
    signalsReady: true,
    onEveryServer: true,
    run: async (surroundings) => {
      const ages = new LeaseAges(surroundings.cluster.clock);
      // A Service that is made again keeps its address: pods know it.
      let clusterIP: string | undefined;
      const kept = isShared ? keepLease({ ...surroundings, address }) : undefined;
      await runController<Service>(surroundings, {
        name: NAME,
        for: services,
        selection: SELECTION,
        watches: [
          { resource: endpoints, selection: SELECTION, map: toService },
          {
            resource: endpointSlices,
            selection: {
              namespace: SERVICE_KEY.namespace,
              labelSelector: `${SERVICE_LABEL}=${SERVICE_KEY.name}`,
            },
            map: toService,
          },
          ...(isShared
            ? [
                {
                  resource: leases,
                  selection: { namespace: LEASE_NAMESPACE, labelSelector: `${IDENTITY_LABEL}=${IDENTITY}` },
                  map: toService,
                },
              ]
            : []),
        ],
        reconcile: async ({ object }, context) => {
          clusterIP = object?.spec?.clusterIP ?? clusterIP;
          const { addresses, result } = isShared
            ? await sharedAddresses(surroundings, context, ages, address)
            : { addresses: [address], result: undefined };
          await ignoringOthers(() => keepService(surroundings, object, { addresses, clusterIP }));
          await ignoringOthers(() => keepEndpoints(surroundings, context, addresses));
          await keepSlices(surroundings, context, addresses);
          return result;
        },
      });
      await kept;
    },
  };
}

/** The addresses of all live servers. Leases of dead ones are deleted. */
async function sharedAddresses(
  { cluster, signal, logger }: ControllerSurroundings,
  { store }: ReconcileContext,
  ages: LeaseAges,
  own: ServerAddress,
): Promise<{ readonly addresses: readonly ServerAddress[]; readonly result: ReconcileResult }> {
  const { live, dead, nextMs } = ages.judge(store<Lease>(leases).list());
  for (const { metadata } of dead) {
    const { namespace, name, uid = '', resourceVersion = '' } = metadata;
    logger.info({ lease: name }, 'a server has not renewed its lease and is taken for dead');
    const preconditions = { uid, resourceVersion };
    await ignoringOthers(() => cluster.delete(leases, { namespace, name }, { preconditions, signal }));
  }
  const others = live.flatMap((lease) => addressIn(lease) ?? []);
  return { addresses: [own, ...others], result: { requeueAfterMs: nextMs } };
}

/** The Service itself: somebody may have deleted it, and the port of this server may be another than before. */
async function keepService(
  { cluster, signal }: ControllerSurroundings,
  found: Service | undefined,
  { addresses, clusterIP }: { readonly addresses: readonly ServerAddress[]; readonly clusterIP: string | undefined },
): Promise<void> {
  const ports = addresses.map(({ port }) => port);
  const port = Math.min(...ports);
  if (found === undefined) {
    const labels = { component: 'apiserver', provider: 'kubernetes' };
    const address = clusterIP === undefined ? {} : { clusterIP };
    const created = { metadata: { ...SERVICE_KEY, labels }, spec: { ...address, ports: servicePorts(port) } };
    await cluster.create(services, created, { signal });
    return;
  }
  // The port of any live server will do: two servers with two ports must not change it in turns.
  const [first] = found.spec?.ports ?? [];
  if (first?.name === 'https' && first.port === 443 && ports.some((one) => one === first.targetPort)) return;
  await cluster.update(services, { ...found, spec: { ...found.spec, ports: servicePorts(port) } }, { signal });
}

async function keepEndpoints(
  { cluster, signal }: ControllerSurroundings,
  { store }: ReconcileContext,
  addresses: readonly ServerAddress[],
): Promise<void> {
  const wanted = endpointsOf(addresses);
  const found = store(endpoints).get(SERVICE_KEY);
  if (found === undefined) {
    await cluster.create(endpoints, wanted, { signal });
    return;
  }
  const labels = { ...found.metadata.labels, ...wanted.metadata.labels };
  if (hasSameFields([found.subsets, found.metadata.labels], [wanted.subsets, labels])) return;
  await cluster.update(
    endpoints,
    { ...found, metadata: { ...found.metadata, labels }, subsets: wanted.subsets ?? [] },
    { signal },
  );
}

async function keepSlices(
  { cluster, signal }: ControllerSurroundings,
  { store }: ReconcileContext,
  addresses: readonly ServerAddress[],
): Promise<void> {
  const wanted = slicesOf(addresses);
  const found = store(endpointSlices).list();
  for (const slice of wanted) {
    const old = found.find(({ metadata }) => metadata.name === slice.metadata.name);
    await ignoringOthers(() => keepSlice(cluster, old, slice, signal));
  }
  for (const { metadata } of found) {
    if (wanted.some((slice) => slice.metadata.name === metadata.name)) continue;
    const { namespace, name } = metadata;
    await ignoringOthers(() => cluster.delete(endpointSlices, { namespace, name }, { signal }));
  }
}

async function keepSlice(
  cluster: Cluster,
  old: ReturnType<typeof slicesOf>[number] | undefined,
  slice: ReturnType<typeof slicesOf>[number],
  signal: AbortSignal,
): Promise<void> {
  if (old === undefined) {
    await cluster.create(endpointSlices, slice, { signal });
    return;
  }
  // The type of addresses cannot change: the slice is made anew.
  if (old.addressType !== slice.addressType) {
    const { namespace, name } = slice.metadata;
    await cluster.delete(endpointSlices, { namespace, name }, { signal });
    await cluster.create(endpointSlices, slice, { signal });
    return;
  }
  const { endpoints: list, ports } = slice;
  if (hasSameFields([old.endpoints, old.ports], [list, ports])) return;
  await cluster.update(endpointSlices, { ...old, endpoints: list, ports }, { signal });
}

/** Another server writes the same; its change leads to the next look. */
async function ignoringOthers(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isAlreadyExists(error) && !isConflict(error) && !isNotFound(error)) throw error;
  }
}
