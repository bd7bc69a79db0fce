/** The CEL environment of device selectors: the variable `device`, and its cost estimates. */

import {
  BOOL,
  type CelEnvironment,
  type CelType,
  kubernetesEnvironment,
  mapType,
  objectType,
  type SizeHints,
  STRING,
} from '@listwatch/cel';
import { ANY, bindingsLibrary, QUANTITY_TYPE } from '@listwatch/cel/internal';

const DEVICE = objectType('kubernetes.DRADevice');
const FIELDS: ReadonlyMap<string, CelType> = new Map([
  ['driver', STRING],
  ['attributes', mapType(STRING, mapType(STRING, ANY))],
  ['capacity', mapType(STRING, mapType(STRING, QUANTITY_TYPE))],
  ['allowMultipleAllocations', BOOL],
]);

let environment: CelEnvironment | undefined;

/** The environment of a device selector. All selectors share it. */
export function deviceEnvironment(): CelEnvironment {
  environment ??= kubernetesEnvironment().extend({
    variables: { device: DEVICE },
    libraries: [bindingsLibrary],
    objectTypes: { fields: (name) => (name === DEVICE.name ? FIELDS : undefined) },
  });
  return environment;
}

/** A part of a device and its largest size. */
interface Part {
  readonly max: number;
  readonly fields?: Readonly<Record<string, Part>>;
  readonly keys?: Part;
  readonly values?: Part;
  /** Do fields with any name have the size of `values`? */
  readonly isOpen?: boolean;
}

const DOMAIN: Part = { max: 63 };
const ID: Part = { max: 32 };
const ATTRIBUTES: Part = { max: 32, keys: ID, values: { max: 64 }, isOpen: true };
const CAPACITIES: Part = { max: 32, keys: ID, values: { max: 0 } };
const ROOT: Part = {
  max: 0,
  fields: {
    driver: { max: 63 },
    attributes: { max: 32, keys: DOMAIN, values: ATTRIBUTES },
    capacity: { max: 32, keys: DOMAIN, values: CAPACITIES },
    allowMultipleAllocations: { max: 1 },
  },
};

/** The sizes that a device can have, for `estimateCost`. */
export const DEVICE_SIZES: SizeHints = ({ path }) => {
  if (path[0] !== 'device') return undefined;
  let part: Part | undefined = ROOT;
  for (const name of path.slice(1)) {
    part = stepInto(part, name);
    if (part === undefined) return undefined;
  }
  return { min: 0, max: part.max };
};

function stepInto(part: Part, name: string): Part | undefined {
  if (name === '@items' || name === '@values') return part.values;
  if (name === '@keys') return part.keys;
  return part.fields?.[name] ?? (part.isOpen === true ? part.values : undefined);
}
