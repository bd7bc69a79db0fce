import { describe, expect, it } from 'vitest';
import { SchemaSet } from '../schema-set.ts';
import { DecodePlans } from './decode-plans.ts';
import { withDefaults } from './schema-defaults.ts';

const plans = new DecodePlans(
  new SchemaSet([
    {
      name: 'x',
      imports: [],
      types: {
        Protocol: { type: 'string', default: 'TCP' },
        Port: {
          fields: { protocol: { type: 'x.Protocol' }, zero: { type: 'int32', default: 0 }, port: { type: 'int32' } },
        },
        Node: {
          fields: {
            children: { list: 'x.Node' },
            mode: { type: 'string', default: 'auto' },
            flag: { type: 'bool', default: true, pointer: true },
          },
        },
        Thing: {
          fields: {
            ports: { list: 'x.Port' },
            byName: { map: 'x.Port' },
            held: { type: 'x.Port' },
            maybe: { type: 'x.Port', pointer: true },
            node: { type: 'x.Node', pointer: true },
            plain: { map: 'string' },
          },
        },
      },
    },
  ]),
);
const THING = plans.struct('x.Thing');

describe('the defaults of a schema', () => {
  it.each([
    ['what Go holds as a struct has them', {}, { held: { protocol: 'TCP' } }],
    ['a pointer that is not set has none', { held: { protocol: 'UDP' } }, { held: { protocol: 'UDP' } }],
    [
      'items of lists and maps have them',
      { held: { protocol: 'UDP' }, ports: [{ port: 1 }, { protocol: 'SCTP' }], byName: { a: { protocol: '' } } },
      {
        held: { protocol: 'UDP' },
        ports: [{ port: 1, protocol: 'TCP' }, { protocol: 'SCTP' }],
        byName: { a: { protocol: 'TCP' } },
      },
    ],
    [
      'a type within itself has them at any depth',
      {
        held: { protocol: 'x' },
        node: { mode: 'a', flag: false, children: [{ children: [{ mode: '', flag: null }] }] },
      },
      {
        held: { protocol: 'x' },
        node: {
          mode: 'a',
          flag: false,
          children: [{ mode: 'auto', flag: true, children: [{ mode: 'auto', flag: true }] }],
        },
      },
    ],
    ['values of the wrong type stay', { held: 5, ports: 'x' }, { held: 5, ports: 'x' }],
  ])('%s', (_, object, expected) => expect(withDefaults(THING, object)).toEqual(expected));

  it('leave an object alone that needs none, and never change the one they are given', () => {
    const full = { held: { protocol: 'UDP' }, ports: [{ protocol: 'TCP' }], plain: { a: 'b' } };
    expect(withDefaults(THING, full)).toBe(full);
    const bare = Object.freeze({ ports: Object.freeze([Object.freeze({})]) });
    expect(withDefaults(THING, bare)).toEqual({ ports: [{ protocol: 'TCP' }], held: { protocol: 'TCP' } });
  });

  it('are not looked for where there can be none', () => {
    expect(THING.defaulted.map(({ name }) => name)).toEqual(['ports', 'byName', 'held', 'maybe', 'node']);
  });
});
