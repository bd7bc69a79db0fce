/** Decides by the head of a request whether a cache may answer it; in doubt it is passed on. Pure: start here. */

import {
  decodeContinueToken,
  isResourceVersion,
  MEDIA_TYPE,
  parseFieldSelector,
  type Query,
  type ResourceRequestPath,
} from '@listwatch/api';
import { bearerToken, hasSpacedToken, negotiate } from '@listwatch/server/read';
import type { RelayedKind, RelayedKinds } from '../kinds/relayed-kind.ts';
import { isKnownSelection } from './known-selection.ts';
import type { NeededState, PassPlan, PassReason, ReadHead, ReadPlan } from './read-plan.ts';

/** What is relayed. */
export interface RelayFacts {
  readonly kinds: RelayedKinds;
  /** Is the upstream of the release that this program knows? Else it may select by other fields. */
  readonly isSameRelease: boolean;
  /** Is it our own server, of this release? kube-apiserver describes the columns of Tables in other words. */
  readonly isOwnServer: boolean;
  /** Is an object answered with what is cached while the upstream does not answer? Else a get of what is true now passes unseen. */
  readonly servesStale: boolean;
}

type Verb = ReadPlan['verb'];

/** The parameters that a read may have; with any other one it is passed on. */
const PARAMETERS: Readonly<Record<Verb, ReadonlySet<string>>> = {
  get: new Set(['resourceVersion']),
  list: new Set(['continue', 'fieldSelector', 'labelSelector', 'limit', 'resourceVersion', 'resourceVersionMatch']),
  watch: new Set([
    'allowWatchBookmarks',
    'fieldSelector',
    'labelSelector',
    'listwatchProgress',
    'resourceVersion',
    'resourceVersionMatch',
    'sendInitialEvents',
    'timeoutSeconds',
    'watch',
  ]),
};

/** A namespace or a name that no server reads in another way. */
const PLAIN_SEGMENT = /^(?!\.{1,2}$)[\w.:-]{1,253}$/u;
const COUNT = /^\d{1,9}$/u;
const NEWEST = { type: 'newest', isMarked: false } as const;
const BOOLEAN = /^(?:true|false|1|0)$/u;

/** What becomes of a request. Access is judged later, before anything is looked up. */
export function planRead(head: ReadHead, facts: RelayFacts): PassPlan | ReadPlan {
  const { route } = head;
  const { path, verb } = route;
  if (path.type !== 'resource') return pass('path');
  const kind = facts.kinds.find({ group: path.group, version: path.version, plural: path.resource });
  if (kind === undefined) return pass('kind');
  if (route.method !== 'GET' || !isVerb(verb)) return pass('method');
  if (!isPlainPath(head, path, kind) || (verb === 'get') !== (path.name !== '')) return pass('path');
  const refused = refusedHeaders(head.rawHeaders);
  if (refused !== undefined) return pass(refused);
  if (!hasKnownParameters(head, verb)) return pass('options');
  if (!isKnownSelection(route.query, kind, facts.isSameRelease)) return pass('field selector');
  if (!isKnownForm(head, verb, kind, facts)) return pass('form');
  const given = new Parameters(route.query);
  const needs = neededState(verb, given, facts.servesStale);
  if (typeof needs === 'string') return pass(needs);
  const limit = verb === 'list' && needs.type !== 'any' ? Number(given.text('limit')) : 0;
  return { type: 'read', verb, kind, needs, limit, isOneName: path.name !== '' || selectsOneName(given) };
}

function pass(reason: PassReason): PassPlan {
  return { type: 'pass', reason };
}

function isVerb(verb: string): verb is Verb {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}

/** Only the one spelling of a path: any other might name something else for the upstream than for access. */
function isPlainPath({ route, target }: ReadHead, path: ResourceRequestPath, kind: RelayedKind): boolean {
  const { group, version, belowNamespace, namespace, resource, name, prefix, parts } = path;
  if (prefix !== undefined || parts.length > 2) return false;
  const { namespaced } = kind.resource;
  if (belowNamespace && !namespaced) return false;
  if (namespaced && !belowNamespace && (name !== '' || namespace !== '')) return false;
  if (belowNamespace && !PLAIN_SEGMENT.test(namespace)) return false;
  if (name !== '' && !PLAIN_SEGMENT.test(name)) return false;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const inside = belowNamespace ? `/namespaces/${namespace}` : '';
  const plain = `${root}${inside}/${resource}${name === '' ? '' : `/${name}`}`;
  return route.rawPath === plain && (target === plain || target.startsWith(`${plain}?`));
}

/** Only a bearer token is judged here: whatever else says who somebody is, the upstream judges. */
function refusedHeaders(rawHeaders: readonly string[]): PassReason | undefined {
  let authorization: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (name === 'upgrade') return 'upgrade';
    if (name.startsWith('impersonate-') || name.startsWith('x-remote-')) return 'credentials';
    if (name !== 'authorization') continue;
    if (authorization !== undefined) return 'credentials';
    authorization = rawHeaders[at + 1] ?? '';
  }
  const isToken = bearerToken(authorization) !== undefined && !hasSpacedToken(authorization);
  return isToken ? undefined : 'credentials';
}

function hasKnownParameters({ route, target }: ReadHead, verb: Verb): boolean {
  const pairs = target
    .slice(route.rawPath.length + 1)
    .split('&')
    .filter((pair) => pair !== '').length;
  if (route.query.size !== pairs) return false;
  return [...route.query].every(([name, values]) => values.length === 1 && PARAMETERS[verb].has(name));
}

/** JSON as it is, or its metadata; the same in protobuf, and a Table, where they are known to be those of the upstream. */
function isKnownForm({ route, accept }: ReadHead, verb: Verb, kind: RelayedKind, facts: RelayFacts): boolean {
  // A person reads this, and can wait.
  if (route.pretty) return false;
  try {
    const { mediaType, as, metaVersion, pretty, transform } = negotiate(accept, verb === 'get' ? 'object' : verb);
    // Another release may have fields that JSON leaves out and Go writes: those that are empty.
    const isProtobuf = mediaType === MEDIA_TYPE.protobuf && facts.isSameRelease && kind.messages?.areKnown === true;
    if ((mediaType !== MEDIA_TYPE.json && !isProtobuf) || metaVersion !== 'v1' || pretty) return false;
    if (as === 'metadata') return (transform === 'PartialObjectMetadataList') === (verb === 'list');
    return as === 'object' || facts.isOwnServer;
  } catch {
    return false;
  }
}

/** The values of a query whose parameters are each given once. */
class Parameters {
  readonly #query: Query;

  constructor(query: Query) {
    this.#query = query;
  }

  text(name: string): string {
    return this.#query.get(name)?.[0] ?? '';
  }

  /** Is it absent, or of this form? */
  fits(name: string, form: RegExp): boolean {
    const value = this.#query.get(name)?.[0];
    return value === undefined || form.test(value);
  }

  isTrue(name: string): boolean {
    return /^(?:true|1)$/u.test(this.text(name));
  }
}

/** The state that a read needs, or why it is passed on. */
function neededState(verb: Verb, given: Parameters, servesStale: boolean): NeededState | PassReason {
  const text = given.text('resourceVersion');
  // Beyond 19 digits it may be no version: the upstream says so.
  if (text !== '' && text !== '0' && !(isResourceVersion(text) && text.length < 20)) return 'options';
  if (verb === 'watch') return watchedState(text, given);
  if (verb === 'get') {
    if (text === '') return servesStale ? NEWEST : 'most recent';
    return text === '0' ? { type: 'any' } : { type: 'notOlderThan', revision: BigInt(text) };
  }
  return listedState(text, given);
}

function listedState(text: string, given: Parameters): NeededState | PassReason {
  const match = given.text('resourceVersionMatch');
  if (!given.fits('limit', COUNT)) return 'options';
  const limit = Number(given.text('limit'));
  const token = given.text('continue');
  if (token !== '') return text === '' && match === '' ? continuedState(token) : 'options';
  if (text === '') return match === '' ? NEWEST : 'options';
  if (!['', 'Exact', 'NotOlderThan'].includes(match)) return 'options';
  if (text === '0') return match === 'Exact' ? 'options' : { type: 'any' };
  const revision = BigInt(text);
  const isExact = match === 'Exact' || (match === '' && limit > 0);
  return { type: isExact ? 'exact' : 'notOlderThan', revision };
}

/** The tokens of the upstream and of a relay are the same. */
function continuedState(token: string): NeededState | PassReason {
  try {
    const { revision } = decodeContinueToken(token);
    // One that goes on at another version than it began has no version: as a list that begins there.
    if (revision === undefined) return NEWEST;
    return { type: 'exact', revision, isContinued: true };
  } catch {
    return 'options';
  }
}

function selectsOneName(given: Parameters): boolean {
  const fields = given.text('fieldSelector');
  return (
    fields !== '' &&
    parseFieldSelector(fields).terms.some(({ field, operator }) => field === 'metadata.name' && operator === '=')
  );
}

function watchedState(text: string, given: Parameters): NeededState | PassReason {
  if (!given.fits('timeoutSeconds', COUNT)) return 'options';
  for (const name of ['allowWatchBookmarks', 'listwatchProgress', 'sendInitialEvents', 'watch']) {
    if (!given.fits(name, BOOLEAN)) return 'options';
  }
  const match = given.text('resourceVersionMatch');
  const hasBookmarks = given.isTrue('allowWatchBookmarks');
  if (given.isTrue('sendInitialEvents')) {
    if (match !== 'NotOlderThan' || !hasBookmarks) return 'options';
  } else if (match !== '' || given.text('sendInitialEvents') !== '') return 'options';
  // One that says nothing of its start begins with the objects, too.
  if (text === '') return { type: 'newest', isMarked: hasBookmarks };
  if (text === '0') return { type: 'any' };
  const revision = BigInt(text);
  return { type: given.isTrue('sendInitialEvents') ? 'notOlderThan' : 'after', revision };
}
