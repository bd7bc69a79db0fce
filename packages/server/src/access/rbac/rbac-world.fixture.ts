/** Random roles, bindings and questions about them. */

import type { AccessAttributes } from '../../contract/authorization.ts';
import {
  type BindingObject,
  binding,
  type RoleObject,
  type RuleParts,
  role,
  type SubjectParts,
} from './rbac-objects.fixture.ts';

/** A role or binding. */
export type AccessObject = BindingObject | RoleObject;

const VERBS = ['get', 'list', 'create', '*', 'bind'];
const GROUPS = ['', 'apps', '*', 'x.y'];
const RESOURCES = ['pods', 'pods/log', '*', '*/log', '*/scale', 'pods/*', 'deployments', 'deployments/scale'];
const NAMES = ['a', 'b', '', '*'];
const PATHS = ['*', '/a', '/a/*', '/b**', '/a*c', '/', '/a/b'];
/** The namespaces of the objects. */
export const NAMESPACES = ['n', 'm'];
const USERS = ['u', 'v', 'system:serviceaccount:n:a', 'system:serviceaccount:m:a'];
const TEAMS = ['g', 'h', 'system:authenticated'];
const ROLES = Array.from({ length: 24 }, (_, i) => `r${i}`);

/** Random choices by a seed, so that a failure names all that is needed to see it again. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  one<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)];
    if (value === undefined) throw new RangeError('nothing to choose from');
    return value;
  }

  some<T>(values: readonly T[], most: number, least = 0): readonly T[] {
    return Array.from({ length: least + Math.floor(this.next() * (most - least + 1)) }, () => this.one(values));
  }
}

/** One rule, of values that the objects and the requests share. */
export function randomRule(dice: Dice): RuleParts {
  const verbs = dice.some(VERBS, 2, 1);
  if (dice.next() < 0.2) return { verbs, nonResourceURLs: dice.some(PATHS, 2, 1) };
  const resourceNames = dice.next() < 0.5 ? [] : dice.some(NAMES, 2, 1);
  return { verbs, apiGroups: dice.some(GROUPS, 2, 1), resources: dice.some(RESOURCES, 2, 1), resourceNames };
}

/** Now and then so many rules that they need an index. */
function randomRules(dice: Dice): readonly RuleParts[] {
  const count = dice.next() < 0.03 ? ([10, 30] as const) : ([0, 3] as const);
  return dice.some([0], count[1], count[0]).map(() => randomRule(dice));
}

function randomSubject(dice: Dice): SubjectParts {
  const kind = dice.one(['Group', 'ServiceAccount', 'User'] as const);
  if (kind === 'Group') return { kind, name: dice.one(TEAMS) };
  if (kind === 'User') return { kind, name: dice.one(USERS) };
  return { kind, name: 'a', ...(dice.next() < 0.5 ? { namespace: dice.one(NAMESPACES) } : {}) };
}

/** Writes a role or a binding of one of a few names. */
export function randomObject(dice: Dice): AccessObject {
  const namespace = dice.next() < 0.5 ? dice.one(NAMESPACES) : undefined;
  if (dice.next() < 0.4) return role(dice.one(ROLES), randomRules(dice), namespace);
  const kind = namespace === undefined ? 'ClusterRole' : dice.one(['ClusterRole', 'Role'] as const);
  const subjects = dice.some([0], dice.next() < 0.1 ? 20 : 3).map(() => randomSubject(dice));
  return binding(`b${Math.floor(dice.next() * 40)}`, { kind, name: dice.one(ROLES) }, subjects, namespace);
}

/** A question that about every third world answers with yes. */
export function randomRequest(dice: Dice): AccessAttributes {
  const user = { name: dice.one([...USERS, 'nobody']), groups: dice.some(TEAMS, 2) };
  const verb = dice.one([...VERBS, 'watch']);
  const none = { group: '', version: 'v1', resource: '', subresource: '', namespace: '', name: '', path: '' };
  if (dice.next() < 0.2) {
    return { ...none, user, verb, isResource: false, path: dice.one([...PATHS, '/b', '/bx', '/a/']) };
  }
  return {
    ...none,
    user,
    verb,
    isResource: true,
    group: dice.one([...GROUPS, 'batch']),
    resource: dice.one(['pods', 'deployments', '*', 'x']),
    subresource: dice.one(['', '', 'log', 'scale', '*']),
    namespace: dice.one(['', ...NAMESPACES, 'k']),
    name: dice.one([...NAMES, 'c']),
  };
}

/** What a question names as an object, in the words of `AccessObject`. */
export function accessKey({ kind, metadata: { namespace = '', name = '' } }: AccessObject): string {
  return `${kind}/${namespace}/${name}`;
}
