/** What the list of a resource costs: measured on its first page, projected to the whole. */

import { type ApiObject, findStatusError, groupResourceText, type Resource, resource } from '@listwatch/api';
import type { Cluster, ServedResource } from '@listwatch/client';
import type { DoctorSettings } from './doctor-settings.ts';
import { explainProbe } from './explain-probe.ts';
import { listAt, valueAt } from './json-path.ts';
import { TimeIsUp, withLimit } from './limited-time.ts';

/** A list that was measured. Bytes are JSON without compression. */
export interface MeasuredList {
  readonly type: 'measured';
  readonly served: ServedResource;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Objects and bytes that were read. */
  readonly items: number;
  readonly bytes: number;
  /** The whole list; projected from the first page when there are more. */
  readonly totalItems: number;
  readonly totalBytes: number;
  /** Are there more objects than the server has counted? Then the totals are the least that there can be. */
  readonly isAtLeast: boolean;
  readonly largestBytes: number;
  /** The part of the bytes that is `metadata.managedFields`, between 0 and 1. */
  readonly managedFieldsShare: number;
  /** The part that `projection: 'metadata'` leaves, between 0 and 1; undefined when it was not asked for. */
  readonly metadataShare: number | undefined;
  readonly ms: number;
}

/** A list that was refused, failed, or was not asked for. */
export interface UnmeasuredList {
  readonly type: 'unmeasured';
  readonly served: ServedResource;
  readonly name: string;
  /** The HTTP status, where there was one. */
  readonly code: number | undefined;
  readonly reason: string;
}

export type ListCost = MeasuredList | UnmeasuredList;

/** As client-go's pager and kubectl. */
const PAGE = 500;
const PAGE_BYTES = 8 * 1024 * 1024;
const TOTAL_BYTES = 128 * 1024 * 1024;
const SAMPLE = 50;
const AT_ONCE = 4;
/** Below this it does not matter how a list is read. */
const SMALL_BYTES = 64 * 1024;
/** The rest of the time of the check is for what it makes of the lists. */
const TIME_SHARE = 0.8;
const NOT_ASKED = 'not asked for: ';
const NO_TIME = `${NOT_ASKED}the time was up; try a longer --timeout`;
const RESOURCES = 60;
const RESOURCES_THOROUGH = 500;

/** Where to measure. */
export interface CostScope {
  readonly cluster: Cluster;
  readonly settings: Pick<DoctorSettings, 'thorough' | 'timeoutMs' | 'top'>;
  /** Undefined: all. */
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
}

/** Measures every list, a few at a time; those beyond the limits are named and left out. */
export async function measureLists(
  scope: CostScope,
  resources: readonly ServedResource[],
): Promise<readonly ListCost[]> {
  const { settings } = scope;
  const most = settings.thorough ? RESOURCES_THOROUGH : RESOURCES;
  const budget = new TimeBudget(settings.timeoutMs * TIME_SHARE);
  let spent = 0;
  const costs = await eachOf(resources, async (served, index) => {
    if (index >= most) return left(served, `${NOT_ASKED}only ${most} resources are measured without --thorough`);
    if (spent > TOTAL_BYTES) return left(served, `${NOT_ASKED}enough has been read`);
    if (budget.leftMs <= 0) return left(served, NO_TIME);
    const cost = await limited(scope, served, budget, (signal) => measure({ ...scope, signal }, served));
    if (cost.type === 'measured') spent += cost.bytes;
    return cost;
  });
  const largest = costs.filter((cost) => cost.type === 'measured' && cost.totalBytes >= SMALL_BYTES);
  const top = new Set(largest.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, settings.top));
  return eachOf(costs, async (cost) => {
    if (!top.has(cost) || cost.type !== 'measured' || budget.leftMs <= 0) return cost;
    const compared = await limited(scope, cost.served, budget, async (signal) => ({
      ...cost,
      metadataShare: await metadataShare(scope.cluster, cost, signal),
    }));
    return compared.type === 'measured' ? compared : cost;
  });
}

/** Was this list left out on purpose? */
export function wasNotAsked({ reason }: UnmeasuredList): boolean {
  return reason.startsWith(NOT_ASKED);
}

/** The bytes of the whole list; 0 when it was not measured. */
export function sizeOf(cost: ListCost): number {
  return cost.type === 'measured' ? cost.totalBytes : 0;
}

async function limited(
  { signal }: CostScope,
  served: ServedResource,
  budget: TimeBudget,
  work: (signal: AbortSignal) => Promise<ListCost>,
): Promise<ListCost> {
  const { leftMs } = budget;
  try {
    return await withLimit(leftMs, signal, work);
  } catch (error) {
    if (signal.aborted) throw error;
    // Those before it took the time.
    if (error instanceof TimeIsUp && leftMs < budget.totalMs / 2) return left(served, NO_TIME);
    return left(served, explainProbe(error), findStatusError(error)?.httpCode);
  }
}

/** The time that is left for all lists together. */
class TimeBudget {
  readonly #end: number;

  readonly totalMs: number;

  constructor(ms: number) {
    this.totalMs = ms;
    this.#end = performance.now() + ms;
  }

  get leftMs(): number {
    return Math.max(0, this.#end - performance.now());
  }
}

function left(served: ServedResource, reason: string, code?: number): UnmeasuredList {
  return { type: 'unmeasured', served, name: groupResourceText(served), code, reason };
}

async function measure(scope: CostScope, served: ServedResource): Promise<MeasuredList> {
  const { cluster, signal } = scope;
  const started = performance.now();
  const namespace = served.namespaced ? scope.namespace : undefined;
  const page = await readPage(cluster, resource(served), { namespace, limit: PAGE, signal });
  const { items, bytes } = page;
  const more = page.remaining ?? 0;
  const totalItems = page.isCut && page.hasMore ? Math.max(items, PAGE + more) : items + more;
  return {
    type: 'measured',
    served,
    name: groupResourceText(served),
    namespace,
    items,
    bytes,
    totalItems,
    totalBytes: items === 0 ? 0 : Math.round((bytes / items) * totalItems),
    isAtLeast: page.hasMore ? page.remaining === undefined : page.isCut,
    largestBytes: page.largest,
    managedFieldsShare: page.sampled === 0 ? 0 : page.managedFields / page.sampled,
    metadataShare: undefined,
    ms: performance.now() - started,
  };
}

async function metadataShare(
  cluster: Cluster,
  { served, namespace, items, bytes }: MeasuredList,
  signal: AbortSignal,
): Promise<number> {
  const page = await readPage(cluster, resource(served), { namespace, limit: SAMPLE, projection: 'metadata', signal });
  return items === 0 || page.items === 0 ? 1 : Math.min(1, page.bytes / page.items / (bytes / items));
}

interface PageQuery {
  readonly namespace: string | undefined;
  readonly limit: number;
  readonly projection?: 'metadata';
  readonly signal: AbortSignal;
}

/** Counts the bytes of each object as it arrives, and keeps none. Stops in the middle of a page that is too large. */
async function readPage(cluster: Cluster, of: Resource, query: PageQuery) {
  const read = { items: 0, bytes: 0, largest: 0, sampled: 0, managedFields: 0, isCut: false };
  const decode = (json: Uint8Array): ApiObject => {
    if (read.items < SAMPLE) {
      read.sampled += json.length;
      read.managedFields += managedFieldsBytes(json);
    }
    read.items += 1;
    read.bytes += json.length;
    read.largest = Math.max(read.largest, json.length);
    return { apiVersion: '', kind: '', metadata: { name: '' } };
  };
  for await (const page of cluster.pages(of, { ...query, decode })) {
    const items = page[Symbol.asyncIterator]();
    while (!read.isCut && (await items.next()).done !== true) read.isCut = read.bytes > PAGE_BYTES;
    await items.return?.();
    const { continue: token = '', remainingItemCount } = page.metadata;
    return { ...read, hasMore: token !== '', remaining: remainingItemCount };
  }
  return { ...read, hasMore: false, remaining: undefined };
}

function managedFieldsBytes(json: Uint8Array): number {
  const object: unknown = JSON.parse(Buffer.from(json).toString('utf8'));
  const fields = listAt(valueAt(object, 'metadata'), 'managedFields');
  return fields.length === 0 ? 0 : JSON.stringify(fields).length;
}

/** Runs a few at a time; results in the order of the input. */
async function eachOf<T, V>(inputs: readonly T[], work: (input: T, index: number) => Promise<V>): Promise<V[]> {
  const results: V[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < inputs.length; index = next++) {
      const input = inputs[index];
      if (input !== undefined) results[index] = await work(input, index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
