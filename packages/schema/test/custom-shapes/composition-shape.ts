import {
  ANYTHING,
  type CustomShape,
  INTEGER,
  type Json,
  listOf,
  mapListOf,
  objectOf,
  STRING,
  STRING_MAP,
} from './custom-shape.ts';

const TRANSFORM: Json = objectOf(
  {
    type: { type: 'string', enum: ['map', 'match', 'math', 'string', 'convert'] },
    map: { type: 'object', additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true } },
    match: objectOf({
      fallbackTo: { type: 'string', enum: ['Value', 'Input'], default: 'Value' },
      fallbackValue: { 'x-kubernetes-preserve-unknown-fields': true },
      patterns: listOf(
        objectOf(
          {
            type: { type: 'string', enum: ['literal', 'regexp'], default: 'literal' },
            literal: STRING,
            regexp: STRING,
            result: { 'x-kubernetes-preserve-unknown-fields': true },
          },
          { required: ['result', 'type'] },
        ),
      ),
    }),
    math: objectOf({
      type: { type: 'string', enum: ['Multiply', 'ClampMin', 'ClampMax'], default: 'Multiply' },
      multiply: INTEGER,
      clampMin: INTEGER,
      clampMax: INTEGER,
    }),
    string: objectOf({
      type: { type: 'string', default: 'Format' },
      fmt: STRING,
      convert: STRING,
      trim: STRING,
      regexp: objectOf({ match: STRING, group: INTEGER }, { required: ['match'] }),
    }),
    convert: objectOf(
      { toType: { type: 'string', enum: ['string', 'int', 'int64', 'bool', 'float64'] }, format: STRING },
      { required: ['toType'] },
    ),
  },
  { required: ['type'] },
);

const PATCH: Json = objectOf({
  type: {
    type: 'string',
    enum: ['FromCompositeFieldPath', 'ToCompositeFieldPath', 'PatchSet'],
    default: 'FromCompositeFieldPath',
  },
  fromFieldPath: STRING,
  toFieldPath: STRING,
  patchSetName: STRING,
  combine: objectOf(
    {
      strategy: { type: 'string', enum: ['string'] },
      variables: listOf(objectOf({ fromFieldPath: STRING }, { required: ['fromFieldPath'] }), { minItems: 1 }),
      string: objectOf({ fmt: STRING }, { required: ['fmt'] }),
    },
    { required: ['strategy', 'variables'] },
  ),
  transforms: listOf(TRANSFORM),
  policy: objectOf({ fromFieldPath: { type: 'string', enum: ['Optional', 'Required'] } }),
});

/** A composition, as Crossplane has it: embedded objects, free-form values, lists with keys. */
export const COMPOSITION_SHAPE: CustomShape = {
  kind: 'Composition',
  plural: 'compositions',
  schema: objectOf({
    spec: objectOf(
      {
        compositeTypeRef: objectOf({ apiVersion: STRING, kind: STRING }, { required: ['apiVersion', 'kind'] }),
        mode: { type: 'string', enum: ['Resources', 'Pipeline'], default: 'Resources' },
        writeConnectionSecretsToNamespace: STRING,
        patchSets: mapListOf(objectOf({ name: STRING, patches: listOf(PATCH) }, { required: ['name', 'patches'] }), [
          'name',
        ]),
        resources: listOf(
          objectOf(
            {
              name: STRING,
              base: objectOf(
                {},
                { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
              ),
              patches: listOf(PATCH),
              readinessChecks: listOf(
                objectOf(
                  {
                    type: { type: 'string', enum: ['MatchString', 'NonEmpty', 'None'] },
                    fieldPath: STRING,
                    matchString: STRING,
                    matchInteger: INTEGER,
                  },
                  { required: ['type'] },
                ),
              ),
              connectionDetails: mapListOf(
                objectOf(
                  { name: STRING, type: { type: 'string', default: 'FromFieldPath' }, value: STRING },
                  { required: ['name'] },
                ),
                ['name', 'type'],
              ),
            },
            { required: ['base'] },
          ),
        ),
        pipeline: mapListOf(
          objectOf(
            {
              step: STRING,
              functionRef: objectOf({ name: STRING }, { required: ['name'] }),
              input: {
                type: 'object',
                'x-kubernetes-embedded-resource': true,
                'x-kubernetes-preserve-unknown-fields': true,
              },
              credentials: listOf(
                objectOf(
                  { name: STRING, source: { type: 'string', enum: ['None', 'Secret'] } },
                  { required: ['name', 'source'] },
                ),
              ),
            },
            { required: ['step', 'functionRef'] },
          ),
          ['step'],
          { maxItems: 99 },
        ),
        environment: ANYTHING,
        labels: STRING_MAP,
      },
      { required: ['compositeTypeRef'] },
    ),
  }),
  objects: [
    {
      spec: {
        compositeTypeRef: { apiVersion: 'a/v1', kind: 'A' },
        resources: [
          {
            name: 'x',
            base: {
              apiVersion: 'v1',
              kind: 'Pod',
              metadata: { name: 'a', labels: { b: 'c' } },
              spec: { containers: [] },
            },
            patches: [
              {
                transforms: [
                  { type: 'map', map: { a: { b: 1 }, c: 'd' } },
                  { type: 'match', match: { patterns: [{ result: [1], unknown: 2 }] } },
                ],
              },
            ],
            connectionDetails: [{ name: 'a' }, { name: 'a', type: 'FromValue' }],
          },
        ],
        pipeline: [
          { step: 'a', functionRef: { name: 'f' }, input: { apiVersion: 'f/v1', kind: 'Input', free: { form: [1] } } },
        ],
      },
    },
    {
      spec: {
        compositeTypeRef: { apiVersion: 'a/v1' },
        mode: 'Magic',
        patchSets: [
          { name: 'a', patches: [] },
          { name: 'a', patches: [{ combine: { strategy: 'string', variables: [] } }] },
        ],
        resources: [
          { base: {} },
          {
            base: { apiVersion: 'a/b/c', kind: '1' },
            connectionDetails: [{ name: 'a' }, { name: 'a', type: 'FromFieldPath' }],
          },
        ],
        pipeline: [
          { step: 'a', functionRef: {} },
          { step: 'a', functionRef: { name: 'f' }, input: 3 },
        ],
      },
    },
  ],
};
