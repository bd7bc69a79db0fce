/** Dry runs of a create of a custom resource of 50 KB with 200 rules in CEL: what its validation costs. */

import type { Target } from '../target.ts';
import { compareServers, expect } from './contest.ts';
import { makeDefinition, makeNamespace } from './seeded.ts';

const NAMESPACE = 'bench-rules';
const GROUP = 'rules.bench.example.com';
const PATH = `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/gadgets`;
const TIMES = 30;
const AT_MOST = 2;
/** Each has ten rules. */
const PARTS = 20;
const ITEMS = 24;

/** Server CPU of one. */
export async function benchCustomRules(targets: readonly Target[]): Promise<void> {
  for (const target of targets) {
    await makeNamespace(target, NAMESPACE);
    await makeDefinition(target, definition(), PATH);
  }
  const body = gadget();
  await compareServers(targets, {
    bench: 'custom-rules',
    times: TIMES,
    atMost: AT_MOST,
    run: async (connection) => {
      for (let i = 0; i < TIMES; i += 1) {
        await expect(connection, { method: 'POST', path: `${PATH}?dryRun=All`, body }, { status: 201 });
      }
    },
  });
}

const RULES = [
  'self.min <= self.max',
  'self.name.startsWith("part")',
  'size(self.items) <= 40',
  'self.items.all(item, item.weight >= 0)',
  'self.items.exists(item, item.name == "item-0")',
  '!has(self.note) || self.note.size() < 1000',
  'self.name.matches("^[a-z0-9-]+$")',
  'self.items.map(item, item.weight).sum() < 100000',
  'self.max < 1000000 ? self.min < 1000000 : true',
  'self.items.filter(item, item.text.contains("word")).size() >= 0',
];

function definition(): object {
  const weight = { type: 'integer', minimum: 0, maximum: 1000 };
  const item = {
    type: 'object',
    properties: { name: text(40), weight, text: text(200) },
    required: ['name', 'weight', 'text'],
  };
  const part = {
    type: 'object',
    required: ['min', 'max', 'name', 'items'],
    properties: {
      min: { type: 'integer' },
      max: { type: 'integer' },
      name: text(63),
      note: text(1000),
      items: { type: 'array', maxItems: 40, items: item },
    },
    'x-kubernetes-validations': RULES.map((rule) => ({ rule })),
  };
  const properties = Object.fromEntries(Array.from({ length: PARTS }, (_, i) => [`part${i}`, part]));
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

function gadget(): string {
  const spec = Object.fromEntries(Array.from({ length: PARTS }, (_, i) => [`part${i}`, partOf(i)]));
  const metadata = { name: 'gadget', namespace: NAMESPACE };
  return JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: 'Gadget', metadata, spec });
}

function text(maxLength: number): object {
  return { type: 'string', maxLength };
}

function partOf(i: number): object {
  return {
    min: 1,
    max: 100,
    name: `part-${i}`,
    note: 'a note with some words',
    items: Array.from({ length: ITEMS }, (_, item) => ({
      name: `item-${item}`,
      weight: item,
      text: `the words of an item, of which there are many ${item}`,
    })),
  };
}
