/** A custom kind in the shape of a well-known one, with objects for it. */

/** JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** A kind. */
export interface CustomShape {
  readonly kind: string;
  readonly plural: string;
  readonly schema: Json;
  /** `spec` and `status` of objects, right and wrong ones. */
  readonly objects: readonly Json[];
}

/** An object with these properties. */
export function objectOf(properties: Json, more: Json = {}): Json {
  return { type: 'object', properties, ...more };
}

/** A list. */
export function listOf(items: Json, more: Json = {}): Json {
  return { type: 'array', items, ...more };
}

/** A list whose items have keys. */
export function mapListOf(items: Json, keys: readonly string[], more: Json = {}): Json {
  return listOf(items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, ...more });
}

export const STRING: Json = { type: 'string' };
export const INTEGER: Json = { type: 'integer', format: 'int64' };
export const BOOLEAN: Json = { type: 'boolean' };
export const INT_OR_STRING: Json = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
};
export const STRING_MAP: Json = { type: 'object', additionalProperties: STRING };
export const ANYTHING: Json = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A quantity as controller-gen writes it. */
export const QUANTITY: Json = {
  ...INT_OR_STRING,
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
};

/** A label selector. */
export const SELECTOR: Json = objectOf(
  {
    matchLabels: STRING_MAP,
    matchExpressions: listOf(
      objectOf(
        { key: STRING, operator: STRING, values: listOf(STRING, { 'x-kubernetes-list-type': 'atomic' }) },
        { required: ['key', 'operator'] },
      ),
      { 'x-kubernetes-list-type': 'atomic' },
    ),
  },
  { 'x-kubernetes-map-type': 'atomic' },
);

/** The conditions of a status. */
export const CONDITIONS: Json = mapListOf(
  objectOf(
    {
      type: {
        type: 'string',
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: { type: 'string', minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
      message: { type: 'string', maxLength: 32768 },
      lastTransitionTime: { type: 'string', format: 'date-time' },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
    },
    { required: ['type', 'status', 'reason', 'lastTransitionTime'] },
  ),
  ['type'],
);

/** An affinity of Pods, as deep as the real one. */
export const AFFINITY: Json = objectOf({
  nodeAffinity: objectOf({
    requiredDuringSchedulingIgnoredDuringExecution: objectOf(
      {
        nodeSelectorTerms: listOf(
          objectOf(
            {
              matchExpressions: listOf(
                objectOf({ key: STRING, operator: STRING, values: listOf(STRING) }, { required: ['key', 'operator'] }),
              ),
            },
            { 'x-kubernetes-map-type': 'atomic' },
          ),
        ),
      },
      { required: ['nodeSelectorTerms'] },
    ),
  }),
  podAntiAffinity: objectOf({
    preferredDuringSchedulingIgnoredDuringExecution: listOf(
      objectOf(
        {
          weight: { type: 'integer', format: 'int32' },
          podAffinityTerm: objectOf(
            { labelSelector: SELECTOR, namespaceSelector: SELECTOR, topologyKey: STRING, namespaces: listOf(STRING) },
            { required: ['topologyKey'] },
          ),
        },
        { required: ['weight', 'podAffinityTerm'] },
      ),
    ),
  }),
});
