import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Json } from '../start/in-process-server.fixture.ts';
import { CustomServer, LIMIT, pathOf, specSchema, widget, widgets } from './custom-server.fixture.ts';
import { countTurns } from './loop-turns.fixture.ts';

const GROUP = 'costly.example.com';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const COLUMNS = 200;
const ROWS = 60;

let server: CustomServer;

beforeAll(async () => {
  server = await CustomServer.start();
  const open = specSchema({}, { 'x-kubernetes-preserve-unknown-fields': true });
  // Looks at every three levels: tens of thousands of values in an object of 40 levels.
  const additionalPrinterColumns = Array.from({ length: COLUMNS }, (_, index) => ({
    name: `c${index}`,
    type: 'string',
    jsonPath: '.spec..a..a..leaf',
  }));
  await server.install(widgets(GROUP, { schema: { openAPIV3Schema: open }, additionalPrinterColumns }));
  for (let row = 0; row < ROWS; row += 1) {
    await server.ok('POST', pathOf(GROUP), widget(GROUP, `w${row}`, { spec: nested(40) }));
  }
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

function nested(levels: number): object {
  let value: object = { leaf: 'x' };
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

const known = (row: Json): number => row.cells.filter((cell: unknown) => cell !== null).length;

describe('columns whose paths look at the same values again and again', () => {
  it('have a budget for each row of a Table; cells behind it are null', async () => {
    const { rows } = await server.ok('GET', pathOf(GROUP, '/w1?includeObject=None'), undefined, { accept: TABLE });
    expect(rows[0].cells).toHaveLength(COLUMNS + 1);
    expect(rows[0].cells.slice(0, 3)).toEqual(['w1', 'x', 'x']);
    expect(known(rows[0])).toBe(3);
  });

  it('have one budget for all rows, and other requests have their turns while the rows are made', async () => {
    const turns = countTurns();
    const { rows } = await server.ok('GET', pathOf(GROUP, '?includeObject=None'), undefined, { accept: TABLE });
    expect(turns.stop()).toBeGreaterThan(ROWS / 2);
    expect(rows).toHaveLength(ROWS);
    expect([known(rows[0]), known(rows.at(-1))]).toEqual([3, 1]);
  });

  it('say the same in a Table that is indented, and in YAML', async () => {
    const plain = await server.ok('GET', pathOf(GROUP, '?includeObject=None'), undefined, { accept: TABLE });
    const indented = await server.ok('GET', pathOf(GROUP, '?includeObject=None&pretty=1'), undefined, {
      accept: TABLE,
    });
    const yaml = await server.ok('GET', pathOf(GROUP, '?includeObject=None'), undefined, {
      accept: TABLE.replace('json', 'yaml'),
    });
    expect(indented).toEqual(plain);
    expect(load(yaml)).toEqual(plain);
  });

  it('have one budget for the rows of a watch', async () => {
    const running = await server.watch(pathOf(GROUP, '?includeObject=None'), TABLE);
    await vi.waitFor(() => expect(running.events).toHaveLength(ROWS), LIMIT);
    running.stop();
    expect(running.events.map(({ object }) => known(object.rows[0])).slice(0, 3)).toEqual([3, 1, 1]);
  });
});
