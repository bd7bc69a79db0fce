/** The resources of a whole pod: the sum of its containers, or the largest init container. */

import { type JsonRecord, type Quantity, quantityOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';

/** Amounts by the name of their resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** Selects requests or limits. */
export type AmountKind = 'limits' | 'requests';

/**
 * The requests or the limits of a pod, with its overhead. Pod-level resources take precedence over the containers. With
 * a `status`, a container counts with its actual resources while they exceed the spec: a resize takes time.
 */
export function podAmounts(spec: JsonRecord, kind: AmountKind, status: JsonRecord = {}): Amounts {
  const total = new Map(containerAmounts(spec, kind, { status }));
  for (const [name, amount] of amountsOf(spec, kind)) if (isOfPods(name)) total.set(name, amount);
  const overhead = amountMap(spec['overhead']);
  // Overhead is not added to a limit that is not set.
  const isCounted = (name: string): boolean => kind === 'requests' || (total.get(name)?.sign ?? 0) !== 0;
  add(total, new Map([...overhead].filter(([name]) => isCounted(name))));
  return total;
}

/** The requests or limits of all containers of a pod together; `isCounted` selects the resources. */
export function containerAmounts(
  spec: JsonRecord,
  kind: AmountKind,
  { status = {}, isCounted }: { readonly status?: JsonRecord; readonly isCounted?: (name: string) => boolean } = {},
): Amounts {
  const actual = actualAmounts(status, kind, isCounted);
  const total = new Map<string, Quantity>();
  for (const container of recordsOf(spec['containers'])) add(total, actual(container));
  const started = new Map<string, Quantity>();
  const most = new Map<string, Quantity>();
  for (const container of recordsOf(spec['initContainers'])) {
    // A sidecar keeps running beside all later containers.
    if (container['restartPolicy'] === 'Always') {
      const own = actual(container);
      add(started, own);
      add(total, own);
      raise(most, started);
    } else {
      const together = new Map(amountsOf(container, kind, isCounted));
      add(together, started);
      raise(most, together);
    }
  }
  raise(total, most);
  return total;
}

/** The requests or the limits of a container. */
export function amountsOf(container: JsonRecord, kind: AmountKind, isCounted?: (name: string) => boolean): Amounts {
  return amountMap(recordOf(container['resources'])[kind], isCounted);
}

/** Does the pod have resources at pod level? */
export function hasPodAmounts(spec: JsonRecord): boolean {
  return [...amountsOf(spec, 'requests').keys(), ...amountsOf(spec, 'limits').keys()].some(isOfPods);
}

/** The resources that `spec.resources` of a pod can have. */
export function isOfPods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/** Amounts in JSON. */
export function amountMap(value: unknown, isCounted?: (name: string) => boolean): Amounts {
  const amounts = recordOf(value);
  const names = Object.keys(amounts);
  const counted = isCounted === undefined ? names : names.filter(isCounted);
  return new Map(counted.map((name) => [name, quantityOf(amounts[name])]));
}

/** Returns the resources of a container, considering its status. */
function actualAmounts(
  status: JsonRecord,
  kind: AmountKind,
  isCounted: ((name: string) => boolean) | undefined,
): (container: JsonRecord) => Amounts {
  const statuses = new Map(
    [...recordsOf(status['containerStatuses']), ...recordsOf(status['initContainerStatuses'])].map((one) => [
      textOf(one['name']),
      one,
    ]),
  );
  const pending = recordsOf(status['conditions']).find(({ type }) => type === 'PodResizePending');
  const isInfeasible = pending?.['reason'] === 'Infeasible';
  return (container) => {
    const wanted = amountsOf(container, kind, isCounted);
    const own = statuses.get(textOf(container['name']));
    if (own?.['resources'] === undefined) return wanted;
    // An infeasible resize is not counted.
    const largest = new Map(isInfeasible ? [] : wanted);
    raise(largest, amountsOf(own, kind, isCounted));
    if (kind === 'requests') raise(largest, amountMap(own['allocatedResources'], isCounted));
    return largest;
  };
}

function add(total: Map<string, Quantity>, more: Amounts): void {
  for (const [name, amount] of more) {
    const known = total.get(name);
    total.set(name, known === undefined ? amount : known.add(amount));
  }
}

function raise(total: Map<string, Quantity>, least: Amounts): void {
  for (const [name, amount] of least) {
    const known = total.get(name);
    if (known === undefined || known.compare(amount) < 0) total.set(name, amount);
  }
}
