/** One of two servers that are sent the same objects of every kind. Start at {@link KindSide}. */

import { ApiClient, type ServerTarget } from '@listwatch/conformance/server';
import { KIND_TABLE, loadSchemas } from '@listwatch/kinds/data';
import { canonical, DecodePlans, decodeMessage, MessagePlans, openEnvelope, type TypeName } from '@listwatch/schema';
import { encodeJson } from '../src/stored/exact-json.ts';

/** A request that both are sent. */
export interface KindRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

/** The namespace of all objects. */
export const KINDS_NAMESPACE = 'kinds';

/** One of the two. */
export class KindSide {
  readonly #client: ApiClient;

  constructor(target: ServerTarget) {
    this.#client = new ApiClient(target);
  }

  async start(): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: KINDS_NAMESPACE } };
    await this.#client.request('POST', '/api/v1/namespaces', { body });
  }

  /** The answer with its warnings, without what no two servers have in common. A connection that is cut is one, too. */
  async answer({ method, path, headers, body }: KindRequest): Promise<string> {
    const answer = await this.#client.request(method, path, { headers, body }).catch((error: unknown) => String(error));
    if (typeof answer === 'string') return answer;
    const type = String(answer.headers['content-type']);
    const text = type.includes('protobuf') ? await decoded(answer.bytes) : answer.text;
    return `${answer.status} ${type} ${answer.headers['warning'] ?? ''} ${comparable(text)}`;
  }

  /** The object as it is stored. */
  async stored(path: string): Promise<Record<string, unknown>> {
    return JSON.parse((await this.#client.get(path)).text);
  }

  close(): void {
    this.#client.close();
  }
}

const schemas = loadSchemas();

/** An answer in protobuf, as JSON. */
async function decoded(bytes: Buffer): Promise<string> {
  const { kind, apiVersion, message } = openEnvelope(bytes);
  const set = await schemas;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const data = KIND_TABLE.find((one) => one.group === group && one.version === version && `${one.kind}List` === kind);
  const own = KIND_TABLE.find((one) => one.group === group && one.version === version && one.kind === kind);
  const type: TypeName = data?.listType ?? own?.type ?? `meta/v1.${kind}`;
  const plans = new DecodePlans(set);
  const value = decodeMessage(new MessagePlans(set).message(type), message);
  return encodeJson({ kind, apiVersion, ...canonical(plans.struct(type), value) });
}

const OWN: ReadonlySet<string> = new Set([
  'continue',
  'creationTimestamp',
  'deletionTimestamp',
  'resourceVersion',
  'time',
  'uid',
  'username',
]);

/** Versions, times, and ports that were chosen; a dry run of kube-apiserver chooses one beyond its range. */
function isOwn(key: string, value: unknown): boolean {
  const isPort = (key === 'nodePort' || key === 'healthCheckNodePort') && typeof value === 'number';
  return (OWN.has(key) && value !== '') || (isPort && value >= 30_000 && value <= 32_769);
}

function comparable(text: string): string {
  try {
    return JSON.stringify(normal(JSON.parse(text))).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, 'uid');
  } catch {
    return text.replaceAll(/\b10\.0\.0\.\d+\b/gu, '10.0.0.N').replaceAll(/^2026-1[12].*Z$/gu, 'now');
  }
}

/** Members in one order; those that are a server's own are only said to be there. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return isUnordered(value) ? once(value.map(normal)) : value.map(normal);
  if (typeof value === 'string') return knownDifferences(value);
  if (typeof value !== 'object' || value === null) return value;
  // Who owns the fields is compared by a test of its own; texts that describe columns are our own.
  const members = Object.entries(withoutOrder(value)).filter(([key]) => !isLeftOut(key, value));
  const named = members.map(([key, member]) => [key, isOwn(key, member) ? key : inOrder(key, normal(member))] as const);
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The order of the rules of a SelfSubjectRulesReview is not specified: see docs/reference/differences.md. */
function inOrder(key: string, value: unknown): unknown {
  return /^(?:nonResource|resource)Rules$/u.test(key) && Array.isArray(value) ? value.toSorted(byText) : value;
}

/** Not compared: see docs/reference/differences.md. */
function isLeftOut(key: string, owner: object): boolean {
  const isText = key === 'description' && 'priority' in owner;
  const isEmpty = key === 'annotations' && JSON.stringify(Reflect.get(owner, key)) === `{"${GENERATION}":"1"}`;
  return key === 'managedFields' || key === GENERATION || isText || isEmpty;
}

const GENERATION = 'deprecated.daemonset.template.generation';

/** Go prints errors about a map in a random order, and some twice: the causes are compared, and not their list in the message. */
function withoutOrder(value: object): object {
  if (!('message' in value && 'details' in value && typeof value.message === 'string')) return value;
  return { ...value, message: value.message.replace(/ is invalid: .*$/su, ' is invalid') };
}

/** docs/reference/differences.md says why. */
function knownDifferences(text: string): string {
  return (
    text
      .replaceAll(/\b10\.(?:9[6-9]|1[01]\d)\.\d+\.\d+\b/gu, '10.96.N.N')
      .replaceAll(/^2026-1[12]-\d\dT.*Z$/gu, 'now')
      .replaceAll(/Duplicate value: \{.*?\}(?=$|:|,|\])/gu, 'Duplicate value: <object>')
      .replaceAll(/Invalid value: "\{.*: strict decoding error/gu, 'Invalid value: <object>: strict decoding error')
      // A schema is cut here.
      .replaceAll(/Invalid value: \S.*: only \[Description/gsu, 'Invalid value: <schema>: only [Description')
      .replaceAll(/^\d+s$/gu, 'seconds')
      // The end of a generated name: the tests have these three.
      .replaceAll(/(?<=\b(?:gen-|Gen_|g{58}))[a-z0-9]{5}\b/gu, 'xxxxx')
      // What a forbidden change changed: a diff of Go's objects there, paths here.
      .replaceAll(/^(Forbidden: .*?)\n(?:@@| {2})[^]*$/gu, '$1')
      .replaceAll(
        /Invalid value: (?:\[?\{.*\}\]?|null|\[\]): (field is immutable|may specify|(?:only|no) additions)/gsu,
        'Invalid value: <object>: $1',
      )
      // The two users of the tests.
      .replaceAll(/^(?:admin|conformance)$/gu, 'user')
      .replaceAll(/value: (?:\{\}|null):/gu, 'value: <nothing>:')
  );
}

function isUnordered(list: readonly unknown[]): boolean {
  const [first] = list;
  const isObject = typeof first === 'object' && first !== null;
  return isObject && ('fieldsV1' in first || ('reason' in first && 'field' in first));
}

/** Sorted; what kube-apiserver finds twice, ours says once. */
function once(values: readonly unknown[]): readonly unknown[] {
  const known = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...known.values()].toSorted(byText);
}

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}
