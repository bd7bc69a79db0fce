/** Decides whether what clients saw can be: every list a state that was, every watch the changes after its version, nobody's time going back. */

/** A change of the collection, from its first to its last. */
export interface TrueChange {
  readonly version: number;
  readonly type: 'ADDED' | 'DELETED' | 'MODIFIED';
  /** `namespace/name`. */
  readonly key: string;
  /** Of the object after the change, or before its deletion: does it match the selector? */
  readonly blue: boolean;
  /** Did it match before the change? */
  readonly wasBlue: boolean;
}

/** What a client asks for. */
export interface Scope {
  /** `''` for all. */
  readonly namespace: string;
  /** Only objects with the label. */
  readonly blue: boolean;
}

/** What a client saw. */
export type Seen =
  | {
      readonly type: 'list';
      readonly client: string;
      readonly scope: Scope;
      readonly version: number;
      /** The list must be of this version or a later one: the one it asked for, or that of the last write before it. */
      readonly atLeast: number;
      readonly objects: ReadonlyMap<string, number>;
    }
  | {
      readonly type: 'watch';
      readonly client: string;
      readonly scope: Scope;
      readonly from: number;
      readonly events: readonly SeenEvent[];
    }
  | { readonly type: 'answer'; readonly client: string; readonly scope: Scope; readonly status: number };

export interface SeenEvent {
  readonly type: string;
  /** Absent of bookmarks. */
  readonly key: string;
  readonly version: number;
}

export interface Rights {
  /** Namespaces that a client may read; `all` also lists across them. */
  readonly namespaces: readonly string[] | 'all';
}

/** What cannot be, in words; empty when all can. */
export function findLies(
  truth: readonly TrueChange[],
  seen: readonly Seen[],
  rightsOf: (client: string) => Rights,
): readonly string[] {
  return seen.flatMap((one) => {
    const who = `${one.client}, ${one.scope.namespace || 'all'}${one.scope.blue ? ', blue' : ''}`;
    return [...rightLies(one, rightsOf(one.client)), ...liesOf(truth, one)].map((lie) => `${who}: ${lie}`);
  });
}

function liesOf(truth: readonly TrueChange[], one: Seen): readonly string[] {
  if (one.type === 'list') return listLies(truth, one);
  return one.type === 'watch' ? watchLies(truth, one) : [];
}

function rightLies(one: Seen, { namespaces }: Rights): readonly string[] {
  const shows = one.type !== 'answer' || one.status === 200;
  if (!shows || namespaces === 'all' || namespaces.includes(one.scope.namespace)) return [];
  return ['was shown what it may not see'];
}

function listLies(truth: readonly TrueChange[], list: Extract<Seen, { readonly type: 'list' }>): readonly string[] {
  const { version, atLeast, objects, scope } = list;
  const lies: string[] = [];
  if (version < atLeast) lies.push(`time went back: a list at ${version}, after ${atLeast}`);
  const wanted = stateAt(truth, version, scope);
  for (const [key, at] of wanted) {
    if (objects.get(key) !== at) lies.push(`a list at ${version} has ${key} at ${objects.get(key)}, not ${at}`);
  }
  for (const key of objects.keys())
    if (!wanted.has(key)) lies.push(`a list at ${version} has ${key}, which is not there`);
  return lies;
}

/** The objects of a scope, each with its version. */
export function stateAt(truth: readonly TrueChange[], version: number, scope: Scope): ReadonlyMap<string, number> {
  const state = new Map<string, number>();
  for (const change of truth) {
    if (change.version > version) break;
    if (!isIn(change.key, scope)) continue;
    if (change.type === 'DELETED' || (scope.blue && !change.blue)) state.delete(change.key);
    else state.set(change.key, change.version);
  }
  return state;
}

function watchLies(truth: readonly TrueChange[], watch: Extract<Seen, { readonly type: 'watch' }>): readonly string[] {
  const { from, events, scope } = watch;
  const wanted = truth.filter(({ version }) => version > from).flatMap((change) => eventOf(change, scope));
  let next = 0;
  for (const event of events) {
    if (event.type === 'BOOKMARK') {
      const missed = wanted[next];
      if (event.version < from) return [`time went back: a bookmark at ${event.version} in a watch from ${from}`];
      if (missed !== undefined && missed.version <= event.version) {
        return [`a bookmark at ${event.version} in a watch from ${from}, before ${textOf(missed)}`];
      }
      continue;
    }
    const due = wanted[next];
    if (due === undefined || due.type !== event.type || due.key !== event.key || due.version !== event.version) {
      return [`${textOf(event)} in a watch from ${from}, where ${due === undefined ? 'nothing' : textOf(due)} was due`];
    }
    next += 1;
  }
  return [];
}

/** As a watch with a selector sees a change: what begins to match is added, what ends to match is deleted. */
function eventOf(change: TrueChange, scope: Scope): readonly SeenEvent[] {
  const { type, key, version, blue, wasBlue } = change;
  if (!isIn(key, scope)) return [];
  if (!scope.blue) return [{ type, key, version }];
  const was = type !== 'ADDED' && wasBlue;
  const is = type !== 'DELETED' && blue;
  if (is) return [{ type: was ? 'MODIFIED' : 'ADDED', key, version }];
  return was ? [{ type: 'DELETED', key, version }] : [];
}

function isIn(key: string, { namespace }: Scope): boolean {
  return namespace === '' || key.startsWith(`${namespace}/`);
}

function textOf({ type, key, version }: SeenEvent): string {
  return `${type} ${key} at ${version}`;
}
