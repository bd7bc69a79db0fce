/** Other libraries, loaded from a folder that they were installed into by hand: they are no dependencies of ours. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A library of CEL. */
export interface Peer {
  readonly name: string;
  /** Parses, and checks where the library can. */
  compile(expression: string): (self: unknown) => unknown;
  /** The object in the form that the library reads; made once, outside of the measurement. */
  input(self: unknown): unknown;
}

interface Loader {
  readonly name: string;
  /** The package, when it is not the name. */
  readonly package?: string;
  load(module: Readonly<Record<string, unknown>>): Peer;
}

type Call = (...args: readonly unknown[]) => unknown;

function callable(value: unknown, name: string): Call {
  if (typeof value !== 'function') throw new TypeError(`${name} is no function`);
  return (...args) => Reflect.apply(value, undefined, args);
}

function isCallable(value: unknown): value is Call {
  return typeof value === 'function';
}

/** Integers are bigints for these libraries. */
function withBigints(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBigints(inner)]));
}

/** The same declarations that ours has, in the words of the library. */
const ITEM = { name: 'string', value: 'int' };
const SELF = {
  replicas: 'int',
  maxReplicas: 'int',
  mode: 'string',
  name: 'string',
  labels: 'map<string, string>',
  items: 'list<Item>',
};

/** Without declarations everything is `dyn` for it: there is less to check. */
function marcbachmann(name: string, typed: boolean): Loader {
  return {
    name,
    package: '@marcbachmann/cel-js',
    load({ Environment }) {
      if (!isConstructor(Environment)) throw new TypeError('Environment is no class');
      const environment = new Environment({ unlistedVariablesAreDyn: !typed });
      if (typed) {
        method(environment, 'registerType')('Item', { schema: ITEM });
        method(environment, 'registerType')('Self', { schema: SELF });
        method(environment, 'registerVariable')('self', 'Self');
      }
      const parse = method(environment, 'parse');
      return {
        name,
        compile(expression) {
          const program = parse(expression);
          if (!isCallable(program)) throw new TypeError('parse gives no function');
          method(program, 'check')();
          return (self) => program({ self });
        },
        input: withBigints,
      };
    },
  };
}

const LOADERS: readonly Loader[] = [
  marcbachmann('@marcbachmann/cel-js', false),
  marcbachmann('@marcbachmann/cel-js typed', true),
  {
    name: '@bufbuild/cel',
    load({ celEnv, parse, plan }) {
      const environment = callable(celEnv, 'celEnv')();
      return {
        name: '@bufbuild/cel',
        compile(expression) {
          const program = callable(plan, 'plan')(environment, callable(parse, 'parse')(expression));
          if (!isCallable(program)) throw new TypeError('plan gives no function');
          return (self) => program({ self });
        },
        input: withMaps,
      };
    },
  },
  {
    name: 'cel-js',
    load({ parse, evaluate }) {
      return {
        name: 'cel-js',
        compile(expression) {
          const parsed = callable(parse, 'parse')(expression);
          if (typeof parsed !== 'object' || parsed === null || !('cst' in parsed))
            throw new TypeError('it does not parse');
          return (self) => callable(evaluate, 'evaluate')(parsed.cst, { self });
        },
        input: (self) => self,
      };
    },
  },
];

/** bufbuild/cel reads maps from `Map`. */
function withMaps(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(withMaps);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, inner]) => [key, withMaps(inner)]));
}

function isConstructor(value: unknown): value is new (options: unknown) => object {
  return typeof value === 'function';
}

function method(target: object, name: string): Call {
  return (...args) => {
    const found: unknown = Reflect.get(target, name);
    if (typeof found !== 'function') throw new TypeError(`${name} is no method`);
    return Reflect.apply(found, target, args);
  };
}

/** The libraries in a folder, and the names of those that are missing there. */
export async function loadPeers(
  folder: string | undefined,
): Promise<{ readonly peers: readonly Peer[]; readonly missing: readonly string[] }> {
  const peers: Peer[] = [];
  const missing: string[] = [];
  for (const loader of LOADERS) {
    try {
      if (folder === undefined) throw new Error('no folder is given');
      const path = createRequire(join(resolve(folder), 'package.json')).resolve(loader.package ?? loader.name);
      const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href);
      peers.push(loader.load(module));
    } catch {
      missing.push(loader.name);
    }
  }
  return { peers, missing };
}
