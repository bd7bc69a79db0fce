/** Which types are the same, and which values of one may stand where another is declared. */
import { type CelType, DYN, listType, mapType, opaqueType, typeParameter, typeType } from './cel-type.ts';

/** `dyn` or `google.protobuf.Any`. */
export function isDyn(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

function isDynOrError(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any' || type.kind === 'error';
}

/** Is it `optional_type(..)`? */
export function isOptionalType(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** The type inside an optional type; any other type as it is. */
export function unwrapOptional(type: CelType): CelType {
  return isOptionalType(type) ? parameter(type, 0) : type;
}

/** A type parameter, or `dyn`. */
export function parameter(type: CelType, index: number): CelType {
  return type.parameters[index] ?? DYN;
}

/** Are both the same type, with the same parameters? */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((inner, index) => sameType(inner, parameter(b, index)));
}

/** As {@link sameType}, but type parameters match anything. */
export function equivalentTypes(a: CelType, b: CelType): boolean {
  if (a.kind === 'parameter' || b.kind === 'parameter') return true;
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((inner, index) => equivalentTypes(inner, parameter(b, index)));
}

/**
 * What the type parameters of one check stand for. Checks that fail take back what they have bound, so that nothing is
 * copied per overload.
 */
export class TypeBindings {
  readonly #bound: Map<string, CelType> = new Map();
  readonly #undo: (readonly [name: string, before: CelType | undefined])[] = [];
  #fresh = 0;

  /** A new type parameter. */
  fresh(): CelType {
    return typeParameter(`_var${this.#fresh++}`);
  }

  /** May a value of type `from` stand where `to` is declared, and so on for each pair? Binds parameters when it may. */
  assignableAll(from: readonly CelType[], to: readonly CelType[]): boolean {
    if (from.length !== to.length) return false;
    for (let index = 0; index < from.length; index++) {
      if (this.#assignable(at(from, index), at(to, index))) continue;
      this.#rollback();
      return false;
    }
    this.#accept();
    return true;
  }

  /** May a value of type `from` stand where `to` is declared? Binds parameters when it may. */
  assignable(from: CelType, to: CelType): boolean {
    if (this.#assignable(from, to)) {
      this.#accept();
      return true;
    }
    this.#rollback();
    return false;
  }

  /** The type with its bound parameters replaced; unbound ones become `dyn` with `toDyn`. */
  substitute(type: CelType, toDyn: boolean): CelType {
    if (type.parameters.length === 0 && type.kind !== 'parameter') return type;
    if (type.kind === 'parameter') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.substitute(bound, toDyn);
      return toDyn ? DYN : type;
    }
    if (type.kind === 'list') {
      const element = parameter(type, 0);
      const replaced = this.substitute(element, toDyn);
      return replaced === element ? type : listType(replaced);
    }
    if (type.kind === 'map') {
      const [key, value] = [parameter(type, 0), parameter(type, 1)];
      const [newKey, newValue] = [this.substitute(key, toDyn), this.substitute(value, toDyn)];
      return newKey === key && newValue === value ? type : mapType(newKey, newValue);
    }
    const inner = type.parameters.map((one) => this.substitute(one, toDyn));
    if (type.kind === 'opaque') return opaqueType(type.name, inner);
    // No other type has parameters.
    return type.kind === 'type' && inner[0] !== undefined ? typeType(inner[0]) : type;
  }

  #accept(): void {
    if (this.#undo.length > 0) this.#undo.length = 0;
  }

  #rollback(): void {
    while (this.#undo.length > 0) {
      const last = this.#undo.pop();
      if (last === undefined) return;
      const [name, before] = last;
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
  }

  #bind(type: CelType, to: CelType): void {
    this.#undo.push([type.name, this.#bound.get(type.name)]);
    this.#bound.set(type.name, to);
  }

  #assignable(a: CelType, b: CelType): boolean {
    if (a === b && a.parameters.length === 0) return true;
    if (b.kind === 'parameter') {
      const { valid, bound } = this.#validSubstitution(a, b);
      if (valid) return true;
      if (bound) return false;
    }
    if (a.kind === 'parameter') return this.#validSubstitution(b, a).valid;
    if (isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind === 'type') return b.kind === 'type';
    if (isContainer(a)) return a.kind === b.kind && a.name === b.name && this.#assignableParameters(a, b);
    if (a.kind === 'object') return b.kind === 'object' && a.name === b.name;
    if (a.kind === 'wrapper') return b.name === a.name;
    return a.kind === b.kind || (b.kind === 'wrapper' && b.name === a.name);
  }

  #assignableParameters(a: CelType, b: CelType): boolean {
    if (a.parameters.length !== b.parameters.length) return false;
    for (let index = 0; index < a.parameters.length; index++) {
      if (!this.#assignable(parameter(a, index), parameter(b, index))) return false;
    }
    return true;
  }

  #validSubstitution(type: CelType, variable: CelType): { readonly valid: boolean; readonly bound: boolean } {
    if (type.kind === 'parameter' && type.name === variable.name) return { valid: true, bound: true };
    const bound = this.#bound.get(variable.name);
    if (bound !== undefined) {
      if (sameType(type, bound)) return { valid: true, bound: true };
      if (!this.#assignable(type, bound)) return { valid: false, bound: true };
      const general = mostGeneral(type, bound);
      if (!this.#occurs(variable, general)) this.#bind(variable, general);
      return { valid: true, bound: true };
    }
    if (this.#occurs(variable, type)) return { valid: false, bound: false };
    this.#bind(variable, type);
    return { valid: true, bound: false };
  }

  /** Does the variable occur in the type? It must not be bound to a type that contains itself. */
  #occurs(variable: CelType, within: CelType): boolean {
    if (within.kind === 'parameter') {
      if (within.name === variable.name) return true;
      const bound = this.#bound.get(within.name);
      return bound !== undefined && this.#occurs(variable, bound);
    }
    return within.parameters.some((inner) => this.#occurs(variable, inner));
  }
}

function at(types: readonly CelType[], index: number): CelType {
  return types[index] ?? DYN;
}

const NULLABLE: ReadonlySet<CelType['kind']> = new Set([
  'null',
  'opaque',
  'object',
  'any',
  'duration',
  'timestamp',
  'wrapper',
]);

function isNullable({ kind }: CelType): boolean {
  return NULLABLE.has(kind);
}

/** The more general of two types that unify. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === 'parameter') return true;
  if (isDyn(b) || b.kind === 'parameter') return false;
  if (a.kind !== b.kind && a.name !== b.name) return false;
  if (a.kind === 'type') return true;
  if (!isContainer(a)) return sameType(a, b);
  return (
    a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((inner, index) => isLessSpecific(inner, parameter(b, index)))
  );
}

function isContainer({ kind }: CelType): boolean {
  return kind === 'opaque' || kind === 'list' || kind === 'map';
}
