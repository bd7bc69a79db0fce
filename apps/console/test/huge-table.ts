/** A watch that sends a Table of very many Pods, as a server does for a watch-list, and then stays open. */

const COLUMNS = ['Name', 'Ready', 'Status', 'Restarts', 'Age'].map((name) => ({
  name,
  type: 'string',
  format: name === 'Name' ? 'name' : '',
  description: '',
  priority: 0,
}));

const BATCH = 500;
const PAUSE_MS = 20;

/** Rows that change afterwards, so many a second. Default: none. */
export async function* hugeTable(count: number, changesPerSecond = 0): AsyncGenerator<Uint8Array> {
  yield* hugeFrames(0, count);
  yield hugeEnd();
  if (changesPerSecond === 0) yield* forever();
  for (let sent = 0, version = 1_000_001; ; version += sent) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    sent = Math.round((changesPerSecond * PAUSE_MS) / 1000);
    // Spread over the table: a prime step visits every row.
    const lines = Array.from({ length: sent }, (_, index) =>
      frame(((version + index) * 7919) % count, version + index),
    );
    yield Buffer.from(lines.join(''));
  }
}

/** The first events of some rows. */
export function* hugeFrames(first: number, count: number): Generator<Uint8Array> {
  for (let from = first; from < first + count; from += BATCH) {
    const length = Math.min(BATCH, first + count - from);
    const lines = Array.from({ length }, (_, index) => frame(from + index, undefined, from + index === first));
    yield Buffer.from(lines.join(''));
  }
}

/** The same as a list. */
export function hugeList(first: number, count: number): Uint8Array {
  const rows = Array.from({ length: count }, (_, index) => JSON.parse(frame(first + index)).object.rows[0]);
  const metadata = { resourceVersion: '1000000' };
  return Buffer.from(
    JSON.stringify({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions: COLUMNS, rows }),
  );
}

/** A stream that stays open. */
export async function* forever(): AsyncGenerator<never> {
  yield await new Promise<never>(() => {});
}

/** The bookmark that ends them. */
export function hugeEnd(): Uint8Array {
  const metadata = { resourceVersion: '1000000', annotations: { 'k8s.io/initial-events-end': 'true' } };
  return Buffer.from(line('BOOKMARK', metadata, [], null));
}

/** A version makes it a change. */
function frame(number: number, version?: number, hasColumns = false): string {
  const name = `pod-${String(number).padStart(6, '0')}`;
  const metadata = {
    name,
    namespace: 'huge',
    uid: `uid-${number}`,
    resourceVersion: String(version ?? number + 1),
    creationTimestamp: '2026-11-16T08:00:00Z',
    labels: { app: `app-${number % 10}` },
  };
  const cells = [name, '1/1', 'Running', (version ?? 0) % 100, '1h'];
  return line(version === undefined ? 'ADDED' : 'MODIFIED', metadata, cells, hasColumns ? COLUMNS : null);
}

function line(type: string, metadata: object, cells: readonly unknown[], columnDefinitions: unknown): string {
  const object = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
  const table = {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '1000000' },
    columnDefinitions,
    rows: [{ cells, object }],
  };
  return `${JSON.stringify({ type, object: table })}\n`;
}
