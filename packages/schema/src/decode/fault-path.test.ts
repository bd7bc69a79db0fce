import { expect, it } from 'vitest';
import { SchemaSet } from '../schema-set.ts';
import { DecodePlans } from './decode-plans.ts';
import { decodeProblem } from './decode-problem.ts';
import { faultPath } from './fault-path.ts';

const STRING = { type: 'string' } as const;
const plan = new DecodePlans(new SchemaSet()).of({
  fields: {
    name: STRING,
    spec: {
      fields: {
        items: { list: { fields: { name: STRING, ports: { list: 'int32' } } } },
        byName: { map: { fields: { on: { type: 'bool' } } } },
        anything: { type: 'any' },
      },
    },
  },
});

it.each([
  [{ name: 1 }, 'name'],
  [{ spec: [] }, 'spec'],
  [{ spec: { items: [{ name: 'a' }, { name: 'b', ports: [1, 'x', 'y'] }] } }, 'spec.items[1].ports[1]'],
  [{ spec: { byName: { a: { on: true }, 'b.c': { on: 1 } } } }, 'spec.byName[b.c].on'],
  [{ name: 'a', spec: { anything: { x: [1] }, unknown: 1 } }, ''],
  ['text', ''],
])('the first value of %j that does not fit is at %j', (value, path) => {
  expect(faultPath(plan, value)).toBe(path);
  if (plan.is === 'struct') expect(decodeProblem(plan, value) === undefined).toBe(path === '' && value !== 'text');
});
