/** The heaviest reads and changes of stored objects that we can think of. The head of a request may have 128 KiB. */

import type { HeavyRequest } from './heavy-requests.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const MAPS = `${NAMESPACE}/configmaps`;
const PODS = `${NAMESPACE}/pods`;
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const JSON_TYPE = 'application/json';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

function many(count: number, item: string, separator = ','): string {
  return Array.from({ length: count }, (_, index) => item.replaceAll('#', String(index))).join(separator);
}

const labelled: readonly [string, string] = [MAPS, `{"metadata":{"name":"a","labels":{${many(20_000, '"k#":"v"')}}}}`];
const spec = (members: string): string =>
  `"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{${members}}}}`;
const deployment: readonly [string, string] = [
  DEPLOYMENTS,
  `{"metadata":{"name":"a"},${spec(`"containers":[${many(2000, '{"name":"c#","image":"i","env":[{"name":"E","value":"v"}]}')}]`)}}`,
];
const managers = many(
  5000,
  '{"manager":"m#","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{}}',
);

const read = (name: string, path: string, before: readonly [string, string], accept?: string): HeavyRequest => ({
  name,
  method: 'GET',
  path,
  type: JSON_TYPE,
  body: '',
  before,
  accept,
});
const patch = (
  name: string,
  type: string,
  path: string,
  body: string,
  before: readonly [string, string],
): HeavyRequest => ({
  name,
  method: 'PATCH',
  path,
  type,
  body,
  before,
});

const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const containers = (items: string): string => `{"spec":{"template":{"spec":{"containers":[${items}]}}}}`;

/** All of them. */
export function heavyReads(): readonly HeavyRequest[] {
  const [, deployed] = deployment;
  return [
    read('a list by 10 000 labels', `${MAPS}?labelSelector=${many(10_000, 'k#')}`, labelled),
    read(
      'a list by a set of 10 000 values',
      `${MAPS}?labelSelector=k1 in (${many(10_000, 'v#')})`.replaceAll(' ', '%20'),
      labelled,
    ),
    read('a list by 5 000 fields', `${MAPS}?fieldSelector=${many(5000, 'metadata.name!%3Dv#')}`, labelled),
    read('a watch by 10 000 labels', `${MAPS}?watch=1&timeoutSeconds=1&labelSelector=${many(10_000, 'k#')}`, labelled),
    read('a long continue token', `${MAPS}?limit=1&continue=${'A'.repeat(120_000)}`, labelled),
    read('a name of 120 KB', `${MAPS}/${'a'.repeat(120_000)}`, labelled),
    read('a path of 60 000 parts', `/${many(60_000, 'a', '/')}`, labelled),
    read('a query of 12 000 options', `${MAPS}?${many(12_000, 'o#=1', '&')}`, labelled),
    read('a table of 20 000 labels', `${MAPS}/a`, labelled, TABLE),
    read('a table of 2 000 containers', `${DEPLOYMENTS}/a`, deployment, TABLE),
    read('2 000 containers in protobuf', `${DEPLOYMENTS}/a`, deployment, 'application/vnd.kubernetes.protobuf'),
    read('20 000 labels in protobuf', MAPS, labelled, 'application/vnd.kubernetes.protobuf'),
    read('20 000 labels in YAML', `${MAPS}/a`, labelled, 'application/yaml'),
    read('a list of 20 000 labels in YAML', MAPS, labelled, 'application/yaml'),
    read('a list of 20 000 labels as a table', MAPS, labelled, TABLE),
    {
      name: 'an update by 5 000 managers',
      method: 'PUT',
      path: `${MAPS}/a`,
      type: JSON_TYPE,
      body: `{"metadata":{"name":"a","managedFields":[${managers}]}}`,
      before: labelled,
    },
    {
      name: 'an update of 2 000 containers',
      method: 'PUT',
      path: `${DEPLOYMENTS}/a`,
      type: JSON_TYPE,
      body: deployed.replaceAll('"v"', '"w"'),
      before: deployment,
    },
    patch(
      'strategic: 10 000 deletions',
      STRATEGIC,
      `${DEPLOYMENTS}/a`,
      containers(many(10_000, '{"$patch":"delete","name":"c#"}')),
      deployment,
    ),
    patch(
      'strategic: 10 000 additions',
      STRATEGIC,
      `${DEPLOYMENTS}/a`,
      containers(many(10_000, '{"name":"d#","image":"i"}')),
      deployment,
    ),
    patch(
      'strategic: an order of 20 000',
      STRATEGIC,
      `${DEPLOYMENTS}/a`,
      `{"spec":{"template":{"spec":{"$setElementOrder/containers":[${many(20_000, '{"name":"c#"}')}],"containers":[{"name":"c1","image":"j"}]}}}}`,
      deployment,
    ),
    patch(
      'strategic: 20 000 keys that are retained',
      STRATEGIC,
      `${DEPLOYMENTS}/a`,
      `{"spec":{"strategy":{"$retainKeys":[${many(20_000, '"k#"')}],"type":"Recreate"}}}`,
      deployment,
    ),
    patch(
      'strategic: replacement of a list',
      STRATEGIC,
      `${DEPLOYMENTS}/a`,
      containers(`{"$patch":"replace"},${many(8000, '{"name":"d#","image":"i"}')}`),
      deployment,
    ),
    patch(
      'strategic: 20 000 labels',
      STRATEGIC,
      `${MAPS}/a`,
      `{"metadata":{"labels":{${many(20_000, '"k#":null')}}}}`,
      labelled,
    ),
    patch(
      'strategic: finalizers',
      STRATEGIC,
      `${MAPS}/a`,
      `{"metadata":{"finalizers":[${many(40_000, '"a/f#"')}]}}`,
      labelled,
    ),
    patch(
      'strategic: deleted finalizers',
      STRATEGIC,
      `${MAPS}/a`,
      `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${many(40_000, '"a/f#"')}]}}`,
      [MAPS, `{"metadata":{"name":"a","finalizers":[${many(40_000, '"a/f#"')}]}}`],
    ),
    patch(
      'copies of a large part',
      JSON_PATCH,
      `${DEPLOYMENTS}/a`,
      `[${many(9999, '{"op":"copy","from":"/spec/template/spec","path":"/x#"}')}]`,
      deployment,
    ),
    patch(
      'copies within copies',
      JSON_PATCH,
      `${MAPS}/a`,
      `[{"op":"add","path":"/a","value":["x"]},${many(60, '{"op":"copy","from":"/a","path":"/a/-"}')}]`,
      labelled,
    ),
    patch(
      'merges of 2 000 containers',
      MERGE,
      `${DEPLOYMENTS}/a`,
      containers(many(2000, '{"name":"c#","image":"j"}')),
      deployment,
    ),
    patch(
      'apply of 2 000 containers',
      APPLY,
      `${DEPLOYMENTS}/a?fieldManager=m&force=true`,
      deployed.replace('{"metadata"', '{"apiVersion":"apps/v1","kind":"Deployment","metadata"'),
      deployment,
    ),
    patch(
      'apply of 20 000 labels',
      APPLY,
      `${MAPS}/a?fieldManager=m&force=true`,
      labelled[1].replace('{"metadata"', '{"apiVersion":"v1","kind":"ConfigMap","metadata"'),
      labelled,
    ),
    read('pods that are not there', `${PODS}?fieldSelector=${many(5000, 'spec.nodeName!%3Dn#')}`, labelled),
  ];
}
