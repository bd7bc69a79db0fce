/** Which FlowSchema a request belongs to, as API Priority and Fairness of kube-apiserver decides it. */

import { type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { UserInfo } from '../contract/api-request.ts';
import type { AccessAttributes } from '../contract/authorization.ts';

/** The headers of an answer that name the FlowSchema and the priority level of its request. */
export type FlowHeaders = Readonly<Record<string, string>>;

/** The objects of flow control: each array is the same until one of its kind changes. */
export interface FlowObjects {
  readonly schemas: readonly KubeObject[];
  readonly levels: readonly KubeObject[];
}

/** How the requests of a schema are told apart: by user, by namespace, or not at all. */
export type Distinguisher = 'namespace' | 'none' | 'user';

/** The FlowSchema of a request. The same object until the objects change. */
export interface FlowSchemaMatch {
  readonly name: string;
  readonly level: string;
  readonly distinguisher: Distinguisher;
  readonly headers: FlowHeaders;
}

/** A FlowSchema, ready to be compared with requests. */
interface CompiledSchema {
  readonly match: FlowSchemaMatch;
  readonly rules: readonly CompiledRule[];
}

interface CompiledRule {
  readonly isSubject: (user: UserInfo) => boolean;
  readonly resources: readonly ((attributes: AccessAttributes) => boolean)[];
  readonly paths: readonly ((attributes: AccessAttributes) => boolean)[];
}

/** What a user with these groups can match. */
interface UserSchemas {
  readonly groups: readonly string[];
  readonly schemas: readonly CompiledSchema[];
}

/** Users that are kept; most servers have fewer, and to look at the rules for one anew takes some microseconds. */
const USERS_MAX = 256;
const CATCH_ALL = 'catch-all';
const EXEMPT = 'exempt';
const MASTERS = 'system:masters';
const ACCOUNT_PREFIX = 'system:serviceaccount:';
/** Requests that last as long as their client likes are not counted, but for watches. */
const LONG_RUNNING: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Classifies requests. Objects are compiled once for each change of them; what a user can match is found once for each. */
export class FlowClassifier {
  readonly #read: () => FlowObjects;
  #compiled: FlowObjects | undefined;
  #schemas: readonly CompiledSchema[] = [];
  #fallback: FlowSchemaMatch = inMemory(CATCH_ALL, 'user');
  #byUser = new Map<string, UserSchemas>();

  constructor(read: () => FlowObjects) {
    this.#read = read;
  }

  /** The objects as they are now. */
  get objects(): FlowObjects {
    return this.#read();
  }

  /** The headers for the answer; undefined for requests that are not classified. */
  headersFor(attributes: AccessAttributes): FlowHeaders | undefined {
    return this.classify(attributes)?.headers;
  }

  /** The schema of a request; undefined when the request lasts as long as its client likes. */
  classify(attributes: AccessAttributes): FlowSchemaMatch | undefined {
    if (isLongRunning(attributes)) return undefined;
    const objects = this.#read();
    if (objects.schemas !== this.#compiled?.schemas || objects.levels !== this.#compiled.levels) this.#compile(objects);
    const found = this.#schemasOf(attributes.user).find(({ rules }) =>
      rules.some((rule) => concerns(rule, attributes)),
    );
    return found?.match ?? this.#fallback;
  }

  #compile(objects: FlowObjects): void {
    const levels = new Map(objects.levels.map(({ metadata: { name = '', uid = '' } }) => [name, uid]));
    const found = objects.schemas.toSorted(byPrecedence).flatMap((schema) => compiledSchema(schema, levels));
    this.#schemas = found.some(({ match }) => match.name === EXEMPT) ? found : [EXEMPT_SCHEMA, ...found];
    this.#fallback = found.find(({ match }) => match.name === CATCH_ALL)?.match ?? inMemory(CATCH_ALL, 'user');
    this.#byUser.clear();
    this.#compiled = objects;
  }

  /** The schemas with only those rules that concern the user. */
  #schemasOf(user: UserInfo): readonly CompiledSchema[] {
    const known = this.#byUser.get(user.name);
    if (known !== undefined && sameGroups(known.groups, user.groups)) return known.schemas;
    const mine = this.#schemas.flatMap(({ match, rules }) => {
      const own = rules.filter(({ isSubject }) => isSubject(user));
      return own.length === 0 ? [] : [{ match, rules: own }];
    });
    if (this.#byUser.size >= USERS_MAX) this.#byUser.clear();
    this.#byUser.set(user.name, { groups: user.groups, schemas: mine });
    return mine;
  }
}

/** While a mandatory object is missing this one serves, without a uid: masters are never locked out. */
function inMemory(name: string, distinguisher: Distinguisher): FlowSchemaMatch {
  return { name, level: name, distinguisher, headers: headersOf('', '') };
}

const EXEMPT_SCHEMA: CompiledSchema = {
  match: inMemory(EXEMPT, 'none'),
  rules: [{ isSubject: ({ groups }) => groups.includes(MASTERS), resources: [() => true], paths: [() => true] }],
};

function headersOf(schema: string, level: string): FlowHeaders {
  return { 'x-kubernetes-pf-flowschema-uid': schema, 'x-kubernetes-pf-prioritylevel-uid': level };
}

/** Authentication makes a new user object for every request. */
function sameGroups(left: readonly string[], right: readonly string[]): boolean {
  return left === right || (left.length === right.length && left.every((group, index) => group === right[index]));
}

function isLongRunning({ isResource, verb, subresource, path }: AccessAttributes): boolean {
  return isResource ? verb !== 'watch' && LONG_RUNNING.has(subresource) : path.startsWith('/debug/pprof/');
}

function concerns({ resources, paths }: CompiledRule, attributes: AccessAttributes): boolean {
  return (attributes.isResource ? resources : paths).some((matches) => matches(attributes));
}

function byPrecedence(left: KubeObject, right: KubeObject): number {
  const order = precedenceOf(left) - precedenceOf(right);
  return order === 0 && (left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : order || 1;
}

function precedenceOf({ spec }: KubeObject): number {
  return numberOf(recordOf(spec)['matchingPrecedence']);
}

/** None when the priority level does not exist: such a schema takes no requests. */
function compiledSchema(
  { metadata: { name = '', uid = '' }, spec }: KubeObject,
  levels: ReadonlyMap<string, string>,
): readonly CompiledSchema[] {
  const { priorityLevelConfiguration, rules, distinguisherMethod } = recordOf(spec);
  const level = textOf(recordOf(priorityLevelConfiguration)['name']);
  const levelUid = levels.get(level);
  if (levelUid === undefined) return [];
  const method = textOf(recordOf(distinguisherMethod)['type']);
  const distinguisher = method === 'ByUser' ? 'user' : method === 'ByNamespace' ? 'namespace' : 'none';
  const match: FlowSchemaMatch = { name, level, distinguisher, headers: headersOf(uid, levelUid) };
  return [{ match, rules: recordsOf(rules).map(compiledRule) }];
}

function compiledRule({ subjects, resourceRules, nonResourceRules }: JsonRecord): CompiledRule {
  const matchers = recordsOf(subjects).map(subjectMatcher);
  return {
    isSubject: (user) => matchers.some((matches) => matches(user)),
    resources: recordsOf(resourceRules).map(resourceMatcher),
    paths: recordsOf(nonResourceRules).map(pathMatcher),
  };
}

function subjectMatcher(subject: JsonRecord): (user: UserInfo) => boolean {
  const user = textOf(recordOf(subject['user'])['name']);
  const group = textOf(recordOf(subject['group'])['name']);
  const account = recordOf(subject['serviceAccount']);
  switch (subject['kind']) {
    case 'User':
      return ({ name }) => user === '*' || user === name;
    case 'Group':
      return ({ groups }) => group === '*' || groups.includes(group);
    case 'ServiceAccount': {
      const prefix = `${ACCOUNT_PREFIX}${textOf(account['namespace'])}:`;
      const whole = prefix + textOf(account['name']);
      return account['name'] === '*' ? ({ name }) => name.startsWith(prefix) : ({ name }) => name === whole;
    }
    default:
      return () => false;
  }
}

function resourceMatcher(rule: JsonRecord): (attributes: AccessAttributes) => boolean {
  const verbs = valueSet(rule['verbs']);
  const resources = valueSet(rule['resources']);
  const groups = valueSet(rule['apiGroups']);
  const namespaces = valueSet(rule['namespaces']);
  const clusterScope = rule['clusterScope'] === true;
  return ({ verb, resource, subresource, group, namespace }) =>
    has(verbs, verb) &&
    has(resources, subresource === '' ? resource : `${resource}/${subresource}`) &&
    has(groups, group) &&
    (namespace === '' ? clusterScope : has(namespaces, namespace));
}

function pathMatcher(rule: JsonRecord): (attributes: AccessAttributes) => boolean {
  const verbs = valueSet(rule['verbs']);
  const paths = textsOf(rule['nonResourceURLs']);
  const prefixes = paths.map((path) => path.replace(/\*$/u, '').replace(/\/?$/u, '/'));
  return ({ verb, path }) =>
    has(verbs, verb) &&
    (paths.includes('*') || paths.includes(path) || prefixes.some((prefix) => path.startsWith(prefix)));
}

/** Undefined: all values. */
function valueSet(value: unknown): ReadonlySet<string> | undefined {
  const values = textsOf(value);
  return values.length === 1 && values[0] === '*' ? undefined : new Set(values);
}

function has(set: ReadonlySet<string> | undefined, value: string): boolean {
  return set === undefined || set.has(value);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}
