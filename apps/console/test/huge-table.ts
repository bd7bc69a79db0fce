/** A watch that sends a Table of very many Pods, as a server does for a watch-list, and then stays open. */

const COLUMNS = ['Name', 'Ready', 'Status', 'Restarts', 'Age'].map((name) => ({
  name,
  type: 'string',
  format: name === 'Name' ? 'name' : '',
  description: '',
  priority: 0,
}));

const BATCH = 500;

export async function* hugeTable(count: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < count; from += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => frame(from + index));
    yield Buffer.from(lines.join(''));
  }
  const metadata = { resourceVersion: '1000000', annotations: { 'k8s.io/initial-events-end': 'true' } };
  yield Buffer.from(line('BOOKMARK', metadata, [], null));
  await new Promise(() => {});
}

function frame(number: number): string {
  const name = `pod-${String(number).padStart(6, '0')}`;
  const metadata = {
    name,
    namespace: 'huge',
    uid: `uid-${number}`,
    resourceVersion: String(number + 1),
    creationTimestamp: '2026-11-16T08:00:00Z',
    labels: { app: `app-${number % 10}` },
  };
  return line('ADDED', metadata, [name, '1/1', 'Running', 0, '1h'], number === 0 ? COLUMNS : null);
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
