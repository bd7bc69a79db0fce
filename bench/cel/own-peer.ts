/** Our own library, with the types of the object declared and with its cost limit. */
import { adapter, CelEnvironment, INT, listType, mapType, objectType, STRING } from '@listwatch/cel';
import type { Peer } from './peers.ts';

const TYPES = new Map([
  [
    'Self',
    new Map([
      ['replicas', INT],
      ['maxReplicas', INT],
      ['mode', STRING],
      ['name', STRING],
      ['labels', mapType(STRING, STRING)],
      ['items', listType(objectType('Item'))],
    ]),
  ],
  [
    'Item',
    new Map([
      ['name', STRING],
      ['value', INT],
    ]),
  ],
]);
const objectTypes = { fields: (name: string) => TYPES.get(name) };
const type = objectType('Self');
const environment = new CelEnvironment({ variables: { self: type }, objectTypes });
const adapt = adapter(type, objectTypes);

/** Compiles with a type check and evaluates JSON as it is. */
export const ownPeer: Peer = {
  name: '@listwatch/cel',
  compile(expression) {
    const program = environment.compile(expression);
    return (self) => program.evaluate({ self: adapt(self) }, { cost: 1_000_000 }).result;
  },
  input: (self) => self,
};
