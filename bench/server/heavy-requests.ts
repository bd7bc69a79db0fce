/** The heaviest requests that we can think of: up to 3 MiB of what makes a server work hardest. */

import { repeatedItems } from './repeated-items.ts';

/** What a body may have: the limit of the server. */
const MAX_BYTES = 3 * 1024 * 1024;

/** What a stored object may have, with some room for the rest of it. */
const STORED_BYTES = 1_400_000;

/** A request, and what has to be there before it. */
export interface HeavyRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
  /** An object that is created before: its collection and its JSON. */
  readonly before?: readonly [path: string, body: string] | undefined;
  /** What the answer should be in. Default: JSON. */
  readonly accept?: string | undefined;
  /** A CustomResourceDefinition that is served before. */
  readonly definition?: string | undefined;
  /** Where its objects are, if not at the path of the request. */
  readonly collection?: string | undefined;
}

const NAMESPACE = '/api/v1/namespaces/default';
const MAPS = `${NAMESPACE}/configmaps`;
const SECRETS = `${NAMESPACE}/secrets`;
const PODS = `${NAMESPACE}/pods`;
const SERVICES = `${NAMESPACE}/services`;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const POLICIES = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
const NODES = '/api/v1/nodes';
const EVENTS = `${NAMESPACE}/events`;

const JSON_TYPE = 'application/json';
const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';

/** As many of `item` as fit into a body beside `rest`, each with its number for `#`: the server refuses one more. */
function fill(item: string, rest = 300, bytes = MAX_BYTES): string {
  return repeatedItems(item, { bytes: bytes - rest, otherParts: OTHER_PARTS });
}

/** `count` of `item`, each with its number for `#`. */
function many(count: number, item: string): string {
  return Array.from({ length: count }, (_, index) => item.replaceAll('#', String(index))).join(',');
}

const BLOCK_RULE = '{"ports":[{"port":#}],"from":[{"ipBlock":{"cidr":"10.0.0.0/8","except":["10.1.0.0/16"]}}]}';

/** More than the members and values of a body beside those of a `fill`. */
const OTHER_PARTS = 40;

const metadata = (members = ''): string => `{"name":"a"${members === '' ? '' : `,${members}`}}`;
const object = (members: string, meta = ''): string => `{"metadata":${metadata(meta)},${members}}`;
const pod = (spec: string): string => object(`"spec":{${spec}}`);
const container = (members: string): string => pod(`"containers":[{"name":"c","image":"i",${members}}]`);
const template = (spec: string): string => `{"metadata":{"labels":{"a":"b"}},"spec":{${spec}}}`;
const deployment = (spec: string): string =>
  object(`"spec":{"selector":{"matchLabels":{"a":"b"}},"template":${template(spec)}}`);

const creates: readonly (readonly [name: string, path: string, body: string])[] = [
  ['empty containers', PODS, pod(`"containers":[${fill('{}')}]`)],
  ['named containers', PODS, pod(`"containers":[${fill('{"name":"c#","image":"i"}')}]`)],
  ['2 500 containers', PODS, pod(`"containers":[${many(2500, '{"name":"c#","image":"i"}')}]`)],
  ['containers of one name', PODS, pod(`"containers":[${fill('{"name":"c","image":"i"}')}]`)],
  ['containers in a deployment', DEPLOYMENTS, deployment(`"containers":[${fill('{"name":"c#","image":"i"}', 400)}]`)],
  ['empty init containers', PODS, pod(`"initContainers":[${fill('{}')}]`)],
  ['empty volumes', PODS, pod(`"volumes":[${fill('{}')}]`)],
  ['volumes', PODS, pod(`"volumes":[${fill('{"name":"v#","configMap":{"name":"m"}}')}]`)],
  ['projected volumes', PODS, pod(`"volumes":[{"name":"v","projected":{"sources":[${fill('{}')}]}}]`)],
  ['empty ports', PODS, container(`"ports":[${fill('{}')}]`)],
  ['ports', PODS, container(`"ports":[${fill('{"containerPort":1}')}]`)],
  ['host ports', PODS, container(`"ports":[${fill('{"containerPort":1,"hostPort":#}')}]`)],
  ['empty env', PODS, container(`"env":[${fill('{}')}]`)],
  ['env', PODS, container(`"env":[${fill('{"name":"V#","value":"v"}')}]`)],
  ['env from fields', PODS, container(`"env":[${fill('{"name":"V#","valueFrom":{"fieldRef":{}}}')}]`)],
  ['mounts', PODS, container(`"volumeMounts":[${fill('{}')}]`)],
  ['args', PODS, container(`"args":[${fill('""')}]`)],
  ['limits', PODS, container(`"resources":{"limits":{${fill('"r#":"1000m"')}}}`)],
  ['numeric limits', PODS, container(`"resources":{"limits":{${fill('"r#":1}').replaceAll('}', '')}}}`)],
  ['resource claims', PODS, container(`"resources":{"claims":[${fill('{}')}]}`)],
  ['tolerations', PODS, pod(`"containers":[{"name":"c","image":"i"}],"tolerations":[${fill('{}')}]`)],
  ['node selector', PODS, pod(`"containers":[{"name":"c","image":"i"}],"nodeSelector":{${fill('"k#":""')}}`)],
  ['gates', PODS, pod(`"containers":[{"name":"c","image":"i"}],"schedulingGates":[${fill('{}')}]`)],
  [
    'affinity',
    PODS,
    pod(`"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[${fill('{}')}]}}`),
  ],
  ['host aliases', PODS, pod(`"hostAliases":[${fill('{}')}]`)],
  ['one long image', PODS, pod(`"containers":[{"name":"c","image":"${'i'.repeat(MAX_BYTES - 300)}"}]`)],
  ['one long name', PODS, `{"metadata":{"name":"${'a.'.repeat((MAX_BYTES - 100) / 2)}"}}`],
  ['owner references', MAPS, object('"data":{}', `"ownerReferences":[${fill('{}')}]`)],
  ['controllers', MAPS, object('"data":{}', `"ownerReferences":[${fill('{"controller":true}')}]`)],
  ['finalizers', MAPS, object('"data":{}', `"finalizers":[${fill('"a/f#"')}]`)],
  ['empty finalizers', MAPS, object('"data":{}', `"finalizers":[${fill('""')}]`)],
  ['labels', MAPS, object('"data":{}', `"labels":{${fill('"k#":""')}}`)],
  ['bad labels', MAPS, object('"data":{}', `"labels":{${fill('"-#":"-"')}}`)],
  ['unsorted labels', MAPS, object('"data":{}', `"labels":{${fill('"k#":""').split(',').toReversed().join(',')}}`)],
  ['annotations', MAPS, object('"data":{}', `"annotations":{${fill('"k#":""')}}`)],
  ['managed fields', MAPS, object('"data":{}', `"managedFields":[${fill('{}')}]`)],
  ['data', MAPS, object(`"data":{${fill('"k#":""')}}`)],
  ['bad data keys', MAPS, object(`"data":{${fill('"-/#":""')}}`)],
  ['numeric data keys', MAPS, object(`"data":{${fill('"#":""')}}`)],
  ['binary data', MAPS, object(`"binaryData":{${fill('"k#":"AAAA"')}}`)],
  ['one long value', MAPS, object(`"data":{"k":"${'v'.repeat(MAX_BYTES - 300)}"}`)],
  ['one value of escapes', MAPS, object(`"data":{"k":"${'\\n'.repeat((MAX_BYTES - 300) / 2)}"}`)],
  ['one value of bytes', SECRETS, object(`"data":{"k":"${'A'.repeat(MAX_BYTES - 304)}"}`)],
  ['secret data', SECRETS, object(`"data":{${fill('"k#":""')}}`)],
  ['string data', SECRETS, object(`"stringData":{${fill('"k#":"v"')}}`)],
  ['unknown fields', MAPS, `{"metadata":${metadata()},${fill('"k#":0')}}`],
  ['unknown lists', MAPS, object(`"x":[${fill('[]')}]`)],
  ['deep nesting', MAPS, object(`"x":${'['.repeat(1_500_000)}${']'.repeat(1_500_000)}`)],
  ['nesting below the limit', MAPS, object(`"x":[${fill(`${'['.repeat(900)}${']'.repeat(900)}`)}]`)],
  ['service ports', SERVICES, object(`"spec":{"ports":[${fill('{}')}]}`)],
  ['named service ports', SERVICES, object(`"spec":{"ports":[${fill('{"name":"p#","port":1}')}]}`)],
  ['node ports', SERVICES, object(`"spec":{"type":"NodePort","ports":[${fill('{"name":"p#","port":1}')}]}`)],
  ['cluster addresses', SERVICES, object(`"spec":{"ports":[{"port":1}],"clusterIPs":[${fill('""')}]}`)],
  ['selector of a service', SERVICES, object(`"spec":{"ports":[{"port":1}],"selector":{${fill('"k#":""')}}}`)],
  [
    'match expressions',
    DEPLOYMENTS,
    object(`"spec":{"selector":{"matchExpressions":[${fill('{"key":"k#","operator":"Exists"}')}]}}`),
  ],
  ['match labels', DEPLOYMENTS, object(`"spec":{"selector":{"matchLabels":{${fill('"k#":""')}}}}`)],
  ['taints', NODES, object(`"spec":{"taints":[${fill('{}')}]}`)],
  ['node addresses', NODES, object(`"status":{"addresses":[${fill('{}')}]}`)],
  ['capacity', NODES, object(`"status":{"capacity":{${fill('"r#":"1"')}}}`)],
  ['a long lease', LEASES, object(`"spec":{"holderIdentity":"${'h'.repeat(MAX_BYTES - 300)}"}`)],
  ['a long event', EVENTS, object(`"message":"${'m'.repeat(MAX_BYTES - 300)}"`)],
  ['long integers', MAPS, object(`"x":[${fill('1234567890123456789')}]`)],
  ['members of long integers', MAPS, object(`"x":{${fill('"k#":1234567890123456789')}}`)],
  ['fractions', MAPS, object(`"x":[${fill('1.5')}]`)],
  ['repeated members', MAPS, object(`"data":{${fill('"k":""')}}`)],
  ['repeated unknown members', MAPS, `{"metadata":${metadata()},${fill('"k":0')}}`],
  ['unknown fields of containers', PODS, pod(`"containers":[${fill('{"x":1}')}]`)],
  ['surrogates', MAPS, object(`"data":{${fill('"k#":"\\ud800"')}}`)],
  [
    'values of a match expression',
    DEPLOYMENTS,
    object(`"spec":{"selector":{"matchExpressions":[{"key":"k","operator":"In","values":[${fill('"-"')}]}]}}`),
  ],
  ['policy rules', POLICIES, object(`"spec":{"podSelector":{},"ingress":[${fill('{"ports":[{"port":1}]}')}]}`)],
  ['policy rules of blocks', POLICIES, object(`"spec":{"podSelector":{},"ingress":[${many(3000, BLOCK_RULE)}]}`)],
  ['an event of fields', EVENTS, object(`"involvedObject":{${fill('"k#":0')}}`)],
];

const YAML_BYTES = 1_500_000;
const yamls: readonly (readonly [name: string, body: string])[] = [
  ['yaml: an open quote on a long line', `a: "${'x'.repeat(YAML_BYTES)}`],
  ['yaml: a mistake behind a long line', `a: ${'x'.repeat(YAML_BYTES)}: b`],
  ['yaml: a mistake behind many lines', `${'a: b\n'.repeat(190_000)}\tc`],
  ['yaml: an open list', `[${'a,'.repeat(YAML_BYTES / 2)}`],
  ['yaml: a folded text', `a: >\n${' x\n'.repeat(190_000)}`],
  ['yaml: a long text', `metadata: {name: a}\ndata:\n  k: ${'x'.repeat(1_000_000)}`],
  ['yaml: data', `metadata: {name: a}\ndata:\n${Array.from({ length: 9000 }, (_, i) => `  k${i}: "v"\n`).join('')}`],
  ['yaml: repeated keys', `metadata: {name: a}\ndata:\n${'  k: v\n'.repeat(9000)}`],
];

const mapOf = (data: string): readonly [string, string] => [MAPS, object(`"data":{${data}}`)];
const largeMap = mapOf(fill('"key-#":"v"', 300, 1_000_000));
const largeDeployment: readonly [string, string] = [
  DEPLOYMENTS,
  deployment(`"containers":[{"name":"c","image":"i","args":[${fill('"a"', 2000, STORED_BYTES)}]}]`),
];
const ARGS = '/spec/template/spec/containers/0/args';
const LIMIT = 10_000;
const repeated = (operation: string, count = LIMIT): string =>
  `[${fill(operation, 0).split(',{').slice(0, count).join(',{')}]`;

const patches: readonly (readonly [
  name: string,
  path: string,
  type: string,
  body: string,
  before: readonly [string, string],
])[] = [
  [
    'insertions at the front',
    `${DEPLOYMENTS}/a`,
    JSON_PATCH,
    repeated(`{"op":"add","path":"${ARGS}/0","value":"x"}`),
    largeDeployment,
  ],
  [
    'removals at the front',
    `${DEPLOYMENTS}/a`,
    JSON_PATCH,
    repeated(`{"op":"remove","path":"${ARGS}/0"}`),
    largeDeployment,
  ],
  [
    'moves within a list',
    `${DEPLOYMENTS}/a`,
    JSON_PATCH,
    repeated(`{"op":"move","from":"${ARGS}/0","path":"${ARGS}/-"}`),
    largeDeployment,
  ],
  [
    'copies of a list',
    `${DEPLOYMENTS}/a`,
    JSON_PATCH,
    repeated(`{"op":"copy","from":"${ARGS}","path":"/x"}`),
    largeDeployment,
  ],
  [
    'copies of an item',
    `${DEPLOYMENTS}/a`,
    JSON_PATCH,
    repeated(`{"op":"copy","from":"${ARGS}/0","path":"${ARGS}/-"}`),
    largeDeployment,
  ],
  [
    'tests of a list',
    `${DEPLOYMENTS}/a`,
    JSON_PATCH,
    repeated(`{"op":"test","path":"${ARGS}/#","value":"a"}`),
    largeDeployment,
  ],
  ['additions to a map', `${MAPS}/a`, JSON_PATCH, repeated('{"op":"add","path":"/data/k#","value":"v"}'), largeMap],
  [
    'too many operations',
    `${MAPS}/a`,
    JSON_PATCH,
    repeated('{"op":"add","path":"/data/k#","value":"v"}', 60_000),
    largeMap,
  ],
  [
    'nested moves',
    `${MAPS}/a`,
    JSON_PATCH,
    `[{"op":"add","path":"/a","value":{}},${repeated('{"op":"add","path":"/b","value":{}},{"op":"move","from":"/a","path":"/b/a"},{"op":"move","from":"/b","path":"/a"}', 9900).slice(1)}`,
    largeMap,
  ],
  ['a long pointer', `${MAPS}/a`, JSON_PATCH, `[{"op":"add","path":"${'/a'.repeat(1_500_000)}","value":1}]`, largeMap],
  ['a large value', `${MAPS}/a`, JSON_PATCH, `[{"op":"add","path":"/data","value":{${fill('"k#":""')}}}]`, largeMap],
  ['a merged map', `${MAPS}/a`, MERGE_PATCH, `{"data":{${fill('"k#":""')}}}`, largeMap],
  ['a merge of nulls', `${MAPS}/a`, MERGE_PATCH, `{"data":{${fill('"key-#":null')}}}`, largeMap],
  ['a merge of one key', `${MAPS}/a`, MERGE_PATCH, '{"data":{"x":"y"}}', largeMap],
  ['a nested merge', `${MAPS}/a`, MERGE_PATCH, `${'{"a":'.repeat(990)}1${'}'.repeat(990)}`, largeMap],
  ['a merge with a broken type', `${MAPS}/a`, MERGE_PATCH, '{"data":{"x":5}}', largeMap],
  [
    'merged containers',
    `${DEPLOYMENTS}/a`,
    MERGE_PATCH,
    `{"spec":{"template":{"spec":{"containers":[${fill('{"name":"c#","image":"i"}')}]}}}}`,
    largeDeployment,
  ],
];

/** All of them. */
export function heavyRequests(): readonly HeavyRequest[] {
  return [
    ...creates.map(([name, path, body]) => ({ name, method: 'POST', path, type: JSON_TYPE, body })),
    ...yamls.map(([name, body]) => ({ name, method: 'POST', path: MAPS, type: 'application/yaml', body })),
    ...patches.map(([name, path, type, body, before]) => ({ name, method: 'PATCH', path, type, body, before })),
  ];
}
