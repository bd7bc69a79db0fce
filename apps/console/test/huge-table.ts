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
  for (let from = 0; from < count; from += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => frame(from + index));
    yield Buffer.from(lines.join(''));
  }
  const metadata = { resourceVersion: '1000000', annotations: { 'k8s.io/initial-events-end': 'true' } };
  yield Buffer.from(line('BOOKMARK', metadata, [], null));
  if (changesPerSecond === 0) await new Promise(() => {});
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

/** A version makes it a change. */
function frame(number: number, version?: number): string {
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
  return line(version === undefined ? 'ADDED' : 'MODIFIED', metadata, cells, number === 0 ? COLUMNS : null);
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
