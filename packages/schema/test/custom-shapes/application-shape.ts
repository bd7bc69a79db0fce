import {
  ANYTHING,
  BOOLEAN,
  type CustomShape,
  INT_OR_STRING,
  INTEGER,
  type Json,
  listOf,
  objectOf,
  SELECTOR,
  STRING,
  STRING_MAP,
} from './custom-shape.ts';

const SOURCE: Json = objectOf(
  {
    repoURL: STRING,
    path: STRING,
    chart: STRING,
    targetRevision: STRING,
    helm: objectOf({
      values: STRING,
      valuesObject: ANYTHING,
      parameters: listOf(objectOf({ name: STRING, value: STRING, forceString: BOOLEAN })),
      fileParameters: listOf(objectOf({ name: STRING, path: STRING })),
      version: { type: 'string', enum: ['v2', 'v3'] },
    }),
    kustomize: objectOf({
      images: listOf(STRING),
      commonLabels: STRING_MAP,
      replicas: listOf(objectOf({ name: STRING, count: INT_OR_STRING }, { required: ['name', 'count'] })),
      patches: listOf(
        objectOf({
          patch: STRING,
          target: objectOf({ kind: STRING, name: STRING, labelSelector: STRING }),
          options: { type: 'object', additionalProperties: BOOLEAN },
        }),
      ),
    }),
    plugin: objectOf({
      env: listOf(objectOf({ name: STRING, value: STRING }, { required: ['name', 'value'] })),
      parameters: listOf(objectOf({ name: STRING, string: STRING, array: listOf(STRING), map: STRING_MAP })),
    }),
  },
  { required: ['repoURL'] },
);

/** Generators of generators, as ApplicationSets nest them. */
function generator(depth: number): Json {
  const leaf = {
    list: objectOf({ elements: listOf({ 'x-kubernetes-preserve-unknown-fields': true }), template: TEMPLATE }),
    clusters: objectOf({ selector: SELECTOR, values: STRING_MAP }),
    git: objectOf(
      {
        repoURL: STRING,
        revision: STRING,
        directories: listOf(objectOf({ path: STRING, exclude: BOOLEAN }, { required: ['path'] })),
        requeueAfterSeconds: INTEGER,
      },
      { required: ['repoURL', 'revision'] },
    ),
    selector: SELECTOR,
  };
  if (depth === 0) return objectOf(leaf);
  const nested = listOf(generator(depth - 1));
  return objectOf({
    ...leaf,
    matrix: objectOf({ generators: nested, template: TEMPLATE }, { required: ['generators'] }),
    merge: objectOf({ generators: nested, mergeKeys: listOf(STRING) }, { required: ['generators', 'mergeKeys'] }),
  });
}

const TEMPLATE: Json = objectOf(
  {
    metadata: objectOf({ name: STRING, labels: STRING_MAP, annotations: STRING_MAP, finalizers: listOf(STRING) }),
    spec: objectOf(
      {
        project: { type: 'string', default: 'default' },
        source: SOURCE,
        sources: listOf(SOURCE),
        destination: objectOf({ server: STRING, name: STRING, namespace: STRING }),
        syncPolicy: objectOf({
          automated: objectOf({ prune: BOOLEAN, selfHeal: { type: 'boolean', default: false } }),
          syncOptions: listOf(STRING),
          retry: objectOf({
            limit: { ...INTEGER, default: 5 },
            backoff: objectOf({ duration: STRING, factor: INTEGER, maxDuration: STRING }),
          }),
        }),
        ignoreDifferences: listOf(
          objectOf(
            { kind: STRING, group: STRING, jsonPointers: listOf(STRING), jqPathExpressions: listOf(STRING) },
            { required: ['kind'] },
          ),
        ),
      },
      { required: ['destination'] },
    ),
  },
  { required: ['metadata', 'spec'] },
);

/** An application set, as Argo CD has it: wide, deep and repeated. */
export const APPLICATION_SHAPE: CustomShape = {
  kind: 'ApplicationSet',
  plural: 'applicationsets',
  schema: objectOf(
    {
      spec: objectOf(
        { goTemplate: BOOLEAN, generators: listOf(generator(2)), template: TEMPLATE, templatePatch: STRING },
        { required: ['generators', 'template'] },
      ),
      status: ANYTHING,
    },
    { required: ['spec'] },
  ),
  objects: [
    {
      spec: {
        generators: [
          {
            matrix: {
              generators: [
                { git: { repoURL: 'r', revision: 'v', directories: [{ path: 'a', exclude: false, x: 1 }] } },
                { merge: { mergeKeys: ['k'], generators: [{ list: { elements: [{ any: 1 }, 'text', null] } }] } },
              ],
            },
          },
        ],
        template: {
          metadata: { name: 'a' },
          spec: {
            destination: {},
            source: { repoURL: 'r', helm: { valuesObject: { a: { b: [1] } } } },
            syncPolicy: { automated: {}, retry: {} },
          },
        },
      },
      status: { anything: { goes: true } },
    },
    {},
    {
      spec: {
        generators: [{ matrix: {} }, { merge: { generators: [{ git: { repoURL: 1 } }] } }],
        template: {
          spec: { source: { kustomize: { replicas: [{ name: 'a', count: {} }] }, helm: { version: 'v1' } } },
        },
      },
    },
    { spec: { generators: {}, template: [] } },
  ],
};
