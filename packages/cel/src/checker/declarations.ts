/** The names that an environment declares: variables, types, constants and functions. */
import type { CelLibrary, FunctionDeclaration, Overload } from '../standard/cel-library.ts';
import { type CelType, objectType, typeType } from '../types/cel-type.ts';
import type { CelValue } from '../values/cel-value.ts';
import type { ObjectTypes } from './object-types.ts';

/** An overload with the names of its type parameters, in the order of their first use. */
export interface DeclaredOverload extends Overload {
  readonly typeParameters: readonly string[];
}

/** A function with the overloads of all libraries. */
export interface DeclaredFunction {
  readonly name: string;
  readonly overloads: readonly DeclaredOverload[];
  readonly otherwise: FunctionDeclaration['otherwise'];
  /** Is it computed when a program is made if its arguments are constants, and can that fail? */
  readonly isFallible: boolean;
  /** What calls with plain types have resolved to, by their types. */
  readonly resolved: Map<string, ResolvedCall>;
}

/** The overloads that a call may have. */
export interface FunctionReference {
  readonly kind: 'function';
  readonly declaration: DeclaredFunction;
  readonly overloads: readonly DeclaredOverload[];
  /** Is the target of the call a part of the function's name, as in `optional.of(1)`? */
  readonly qualified: boolean;
}

/** The overloads that fit the types of a call, and the type of its result. */
export interface ResolvedCall {
  readonly reference: FunctionReference;
  readonly result: CelType;
}

/** A variable; with `value` it is a constant. */
export interface DeclaredName {
  readonly kind: 'name';
  readonly name: string;
  readonly type: CelType;
  readonly value: CelValue | undefined;
}

/** What declarations are made of. */
export interface DeclarationParts {
  readonly variables: Readonly<Record<string, CelType>>;
  readonly libraries: readonly CelLibrary[];
  readonly objectTypes: ObjectTypes;
  readonly container: string;
}

/** Looks up names in the container of the environment. */
export class Declarations {
  readonly container: string;
  readonly objectTypes: ObjectTypes;
  readonly #names: Map<string, DeclaredName> = new Map();
  readonly #functions: Map<string, DeclaredFunction> = new Map();
  readonly #containers: readonly string[];
  readonly #outer: Declarations | undefined;
  /** The first parts of names and functions with dots. */
  readonly #prefixes: Set<string> = new Set();

  /** With `outer`, these declarations come before the outer ones, which are not copied. */
  constructor(parts: DeclarationParts, outer?: Declarations) {
    this.#outer = outer;
    this.container = parts.container;
    this.objectTypes = parts.objectTypes;
    this.#containers = outerContainers(parts.container);
    for (const library of parts.libraries) {
      for (const declaration of library.functions ?? []) this.#addFunction(declaration);
      for (const type of library.types ?? []) {
        this.#names.set(type.name, { kind: 'name', name: type.name, type: typeType(type), value: type });
      }
      for (const [name, { type, value }] of Object.entries(library.constants ?? {})) {
        this.#names.set(name, { kind: 'name', name, type, value });
      }
    }
    for (const [name, type] of Object.entries(parts.variables))
      this.#names.set(name, { kind: 'name', name, type, value: undefined });
    for (const name of [...this.#names.keys(), ...this.#functions.keys()]) {
      const dot = name.indexOf('.');
      if (dot > 0) this.#prefixes.add(name.slice(0, dot));
    }
  }

  /** The variable, constant or type of a name. */
  findName(name: string): DeclaredName | undefined {
    if (this.#containers.length === 0) return this.#name(name.startsWith('.') ? name.slice(1) : name);
    for (const candidate of this.#candidates(name)) {
      const found = this.#name(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** May `root.more` be a name or a function? It is not when `root` is a variable and nothing else begins with it. */
  mayQualify(root: string): boolean {
    if (this.#containers.length > 0 || root.startsWith('.') || this.hasPrefix(root)) return true;
    return this.#declared(root)?.value !== undefined || this.#declared(root) === undefined;
  }

  /** Does a name or function with dots begin with it? */
  hasPrefix(root: string): boolean {
    return this.#prefixes.has(root) || (this.#outer?.hasPrefix(root) ?? false);
  }

  /** The function of a name. */
  findFunction(name: string): DeclaredFunction | undefined {
    if (this.#containers.length === 0) return this.#function(name.startsWith('.') ? name.slice(1) : name);
    for (const candidate of this.#candidates(name)) {
      const found = this.#function(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #name(name: string): DeclaredName | undefined {
    const found = this.#declared(name);
    if (found !== undefined || this.objectTypes.fields(name) === undefined) return found;
    const type = objectType(name);
    return { kind: 'name', name, type: typeType(type), value: type };
  }

  #declared(name: string): DeclaredName | undefined {
    const own = this.#names.get(name);
    return own !== undefined || this.#outer === undefined ? own : this.#outer.#declared(name);
  }

  #function(name: string): DeclaredFunction | undefined {
    const own = this.#functions.get(name);
    return own !== undefined || this.#outer === undefined ? own : this.#outer.#function(name);
  }

  #candidates(name: string): readonly string[] {
    if (name.startsWith('.')) return [name.slice(1)];
    return [...this.#containers.map((container) => `${container}.${name}`), name];
  }

  #addFunction({ name, overloads, otherwise }: FunctionDeclaration): void {
    const declared = overloads.map((overload) => ({ ...overload, typeParameters: typeParametersOf(overload) }));
    const before = this.#function(name);
    const ids = new Set(declared.map(({ id }) => id));
    // A library that declares an overload again replaces it.
    const kept = before?.overloads.filter(({ id }) => !ids.has(id)) ?? [];
    this.#functions.set(name, {
      name,
      overloads: [...kept, ...declared],
      otherwise: otherwise ?? before?.otherwise,
      isFallible:
        FALLIBLE.has(name) ||
        kept.some(checksConstants) ||
        declared.some(checksConstants) ||
        (before?.isFallible ?? false),
      resolved: new Map(),
    });
  }
}

const FALLIBLE: ReadonlySet<string> = new Set(
  'bool bytes double duration int string timestamp uint _[_] _[?_]'.split(' '),
);

function checksConstants(overload: Overload): boolean {
  return overload.checkConstants !== undefined || overload.checkCall !== undefined;
}

/** `a.b` is looked up in `a.b`, then in `a`. */
function outerContainers(container: string): readonly string[] {
  const containers: string[] = [];
  for (let rest = container; rest !== ''; rest = rest.slice(0, Math.max(rest.lastIndexOf('.'), 0)))
    containers.push(rest);
  return containers;
}

function typeParametersOf(overload: Overload): readonly string[] {
  const names = new Set<string>();
  const collect = (type: CelType): void => {
    if (type.kind === 'parameter') names.add(type.name);
    type.parameters.forEach(collect);
  };
  for (const type of overload.args) collect(type);
  collect(overload.result);
  return [...names];
}
