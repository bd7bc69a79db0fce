/** The rules of many roles in one table, for a subject that has them all. */

import type { AskedRight } from './asked-right.ts';
import type { BoundRole } from './bound-role.ts';
import type { RoleEntry } from './role-entry.ts';
import { EVERY_NAME, type RoleRules } from './role-rules.ts';
import { RuleTable } from './rule-table.ts';

/** A role that a subject has, and the bindings that give it. */
export interface RoleGrant {
  readonly role: RoleEntry;
  readonly bindings: Set<BoundRole>;
}

/** Who allows one group, resource and verb. */
interface Cell {
  readonly every: Set<RoleGrant>;
  readonly byName: Map<string, Set<RoleGrant>>;
}

/** A subject has at most this many cells; roles beyond it are asked one by one. */
const MAX_CELLS = 250_000;

/** Kept up to date role by role. */
export class MergedRules {
  readonly #cells = new RuleTable<Cell>();
  /** How many cells each role has in the table. */
  readonly #sizes = new Map<RoleGrant, number>();
  #size = 0;
  /** Roles with rules that are in no table. */
  readonly #wide = new Set<RoleGrant>();
  readonly #paths = new Set<RoleGrant>();
  readonly #missing = new Set<RoleGrant>();

  /** The roles that do not exist. */
  get missing(): ReadonlySet<RoleGrant> {
    return this.#missing;
  }

  find(asked: AskedRight): RoleGrant | undefined {
    if (!asked.isResource) return firstAllowing(this.#paths, asked);
    return this.#cells.find(asked, grantFor) ?? firstAllowing(this.#wide, asked);
  }

  add(grant: RoleGrant, rules: RoleRules | undefined): void {
    if (rules === undefined) {
      this.#missing.add(grant);
      return;
    }
    if (rules.hasPaths) this.#paths.add(grant);
    const isLarge = this.#size + rules.size > MAX_CELLS;
    if (rules.hasWide || isLarge) this.#wide.add(grant);
    if (isLarge) return;
    this.#size += rules.size;
    this.#sizes.set(grant, rules.size);
    for (const [group, resource, verb, names] of rules.cells) {
      const cell = this.#cells.at(group, resource, verb, newCell);
      if (names === EVERY_NAME) cell.every.add(grant);
      for (const name of names) setIn(cell.byName, name).add(grant);
    }
  }

  /** `rules` must be those that it was added with. */
  remove(grant: RoleGrant, rules: RoleRules | undefined): void {
    this.#missing.delete(grant);
    this.#wide.delete(grant);
    this.#paths.delete(grant);
    const size = this.#sizes.get(grant);
    if (size === undefined) return;
    this.#sizes.delete(grant);
    this.#size -= size;
    for (const [group, resource, verb, names] of rules?.cells ?? []) {
      const cell = this.#cells.get(group, resource, verb);
      if (cell === undefined) continue;
      cell.every.delete(grant);
      for (const name of names) {
        const grants = cell.byName.get(name);
        grants?.delete(grant);
        if (grants?.size === 0) cell.byName.delete(name);
      }
      if (cell.every.size === 0 && cell.byName.size === 0) this.#cells.delete(group, resource, verb);
    }
  }
}

const newCell = (): Cell => ({ every: new Set(), byName: new Map() });

function grantFor({ every, byName }: Cell, { name }: AskedRight): RoleGrant | undefined {
  if (every.size > 0) return first(every);
  const named = name === undefined ? undefined : byName.get(name);
  return named === undefined ? undefined : first(named);
}

function firstAllowing(grants: ReadonlySet<RoleGrant>, asked: AskedRight): RoleGrant | undefined {
  for (const grant of grants) if (grant.role.rules?.allows(asked) === true) return grant;
  return undefined;
}

/** The element that has been in a set longest. */
export function first<T>(set: ReadonlySet<T>): T | undefined {
  for (const value of set) return value;
  return undefined;
}

function setIn<K, V>(map: Map<K, Set<V>>, key: K): Set<V> {
  let set = map.get(key);
  if (set === undefined) {
    set = new Set();
    map.set(key, set);
  }
  return set;
}
