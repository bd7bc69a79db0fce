/** What a whole pod asks for: the sum of its containers, or what one of its init containers needs. */

import { type JsonRecord, recordOf, recordsOf, textOf } from '../../kinds/json/json-value.ts';
import { canonicalQuantity, quantityValue } from '../../kinds/validation/quantity.ts';

/** Amounts by the name of their resource, as texts of quantities. */
export type Amounts = ReadonlyMap<string, string>;

/** The requests or the limits of a pod, with its overhead. What the pod itself says goes before its containers. */
export function podAmounts(spec: JsonRecord, kind: 'limits' | 'requests'): Amounts {
  const total = new Map<string, string>();
  for (const container of recordsOf(spec['containers'])) add(total, amountsOf(container, kind));
  const started = new Map<string, string>();
  const most = new Map<string, string>();
  for (const container of recordsOf(spec['initContainers'])) {
    const own = amountsOf(container, kind);
    // A sidecar goes on while all that come after it run.
    if (container['restartPolicy'] === 'Always') {
      add(started, own);
      add(total, own);
      raise(most, started);
    } else {
      const together = new Map(started);
      add(together, own);
      raise(most, together);
    }
  }
  raise(total, most);
  for (const [name, amount] of amountsOf(spec, kind)) total.set(name, amount);
  const overhead = amountMap(spec['overhead']);
  // A limit that is not set stays without one.
  add(total, kind === 'requests' ? overhead : new Map([...overhead].filter(([name]) => total.has(name))));
  return total;
}

/** The requests or the limits of a container. */
export function amountsOf(container: JsonRecord, kind: 'limits' | 'requests'): Amounts {
  return amountMap(recordOf(container['resources'])[kind]);
}

function amountMap(value: unknown): Amounts {
  return new Map(Object.entries(recordOf(value)).map(([name, amount]) => [name, textOf(amount)]));
}

function add(total: Map<string, string>, more: Amounts): void {
  for (const [name, amount] of more) {
    const known = total.get(name);
    total.set(name, known === undefined ? amount : sum(known, amount));
  }
}

function raise(total: Map<string, string>, least: Amounts): void {
  for (const [name, amount] of least) {
    const known = total.get(name);
    if (known === undefined || quantityValue(known) < quantityValue(amount)) total.set(name, amount);
  }
}

/** In the form of the first: `1Gi` and `512Mi` are `1536Mi`. */
function sum(left: string, right: string): string {
  const value = quantityValue(left) + quantityValue(right);
  if (!left.endsWith('i') || !Number.isInteger(value)) return canonicalQuantity(`${Math.round(value * 1000)}m`);
  let rest = value;
  let power = 0;
  while (power < BINARY.length - 1 && rest !== 0 && rest % 1024 === 0) {
    rest /= 1024;
    power += 1;
  }
  return `${rest}${BINARY[power] ?? ''}`;
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
