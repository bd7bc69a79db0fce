/** LIST of 5 000 custom resources of 1.6 KB. */

import { OBJECTS, objectName, spread } from '../objects.ts';
import { withConnections } from '../open-connection.ts';
import type { Target } from '../target.ts';
import { compareServers, expect } from './contest.ts';
import { makeDefinition, makeNamespace } from './seeded.ts';

const NAMESPACE = 'bench-custom';
const GROUP = 'list.bench.example.com';
const PATH = `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/widgets`;
const TIMES = 10;
const AT_MOST = 0.2;
const FIELDS = 20;

/** Server CPU of one list. */
export async function benchCustomList(targets: readonly Target[]): Promise<void> {
  for (const target of targets) {
    await makeNamespace(target, NAMESPACE);
    await makeDefinition(target, definition(), PATH);
    await withConnections(target, 'h1', 16, (connections) =>
      spread(connections, OBJECTS, (connection, i) =>
        expect(connection, { method: 'POST', path: PATH, body: widget(i) }, { status: 201 }),
      ),
    );
  }
  await compareServers(targets, {
    bench: 'custom-list',
    times: TIMES,
    atMost: AT_MOST,
    run: async (connection) => {
      for (let i = 0; i < TIMES; i += 1) {
        await expect(connection, { path: PATH }, { status: 200, leastBytes: OBJECTS * 1500 });
      }
    },
  });
}

function definition(): object {
  const part = { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } };
  const spec = {
    type: 'object',
    properties: { parts: { type: 'array', items: part }, replicas: { type: 'integer', default: 1 } },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

function widget(i: number): string {
  const parts = Array.from({ length: FIELDS }, (_, part) => ({
    name: `part-${part}`,
    value: `a value that is some words long ${part}`,
  }));
  return JSON.stringify({
    apiVersion: `${GROUP}/v1`,
    kind: 'Widget',
    metadata: { name: objectName(i), namespace: NAMESPACE },
    spec: { parts },
  });
}
