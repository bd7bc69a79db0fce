import {
  BOOLEAN,
  CONDITIONS,
  type CustomShape,
  INT_OR_STRING,
  type Json,
  listOf,
  mapListOf,
  objectOf,
  SELECTOR,
  STRING,
  STRING_MAP,
} from './custom-shape.ts';

const REFERENCE: Json = objectOf(
  {
    apiVersion: { type: 'string', minLength: 1, maxLength: 317 },
    kind: { type: 'string', pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$' },
    name: { type: 'string', format: 'k8s-long-name' },
    namespace: { type: 'string', format: 'k8s-short-name' },
    uid: STRING,
  },
  { 'x-kubernetes-map-type': 'atomic' },
);

const VARIABLES: Json = mapListOf(
  objectOf(
    {
      name: { type: 'string', minLength: 1, maxLength: 256 },
      definitionFrom: { type: 'string', maxLength: 256, default: '' },
      value: { 'x-kubernetes-preserve-unknown-fields': true },
    },
    { required: ['name', 'value'] },
  ),
  ['name', 'definitionFrom'],
  { maxItems: 1000 },
);

const HEALTH_CHECK: Json = objectOf({
  enable: BOOLEAN,
  maxUnhealthy: INT_OR_STRING,
  unhealthyRange: { type: 'string', pattern: '^\\[[0-9]+-[0-9]+\\]$' },
  nodeStartupTimeout: { type: 'string', default: '10m0s' },
  unhealthyConditions: listOf(
    objectOf(
      {
        type: STRING,
        status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
        timeout: { type: 'string', format: 'duration' },
      },
      { required: ['type', 'status', 'timeout'] },
    ),
    { minItems: 1, maxItems: 100 },
  ),
});

const MACHINES: Json = objectOf(
  {
    name: {
      type: 'string',
      maxLength: 63,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    },
    class: STRING,
    metadata: objectOf({ labels: STRING_MAP, annotations: STRING_MAP }),
    replicas: { type: 'integer', format: 'int32', minimum: 0 },
    minReadySeconds: { type: 'integer', format: 'int32', nullable: true },
    machineHealthCheck: HEALTH_CHECK,
    strategy: objectOf({
      type: { type: 'string', enum: ['RollingUpdate', 'OnDelete'] },
      rollingUpdate: objectOf({
        maxSurge: INT_OR_STRING,
        maxUnavailable: INT_OR_STRING,
        deletePolicy: { type: 'string', enum: ['Random', 'Newest', 'Oldest'], default: 'Random' },
      }),
    }),
    variables: objectOf({ overrides: VARIABLES }),
  },
  { required: ['class', 'name'] },
);

/** A cluster with a topology, as Cluster API has it. */
export const CLUSTER_SHAPE: CustomShape = {
  kind: 'Cluster',
  plural: 'clusters',
  schema: objectOf({
    spec: objectOf(
      {
        paused: BOOLEAN,
        clusterNetwork: objectOf({
          apiServerPort: { type: 'integer', format: 'int32', minimum: 1, maximum: 65_535 },
          services: objectOf(
            {
              cidrBlocks: listOf(
                { type: 'string', format: 'cidr' },
                { minItems: 1, maxItems: 100, 'x-kubernetes-list-type': 'set' },
              ),
            },
            { required: ['cidrBlocks'] },
          ),
          serviceDomain: { type: 'string', format: 'hostname', default: 'cluster.local' },
        }),
        controlPlaneEndpoint: objectOf(
          { host: STRING, port: { type: 'integer', format: 'int32' } },
          { required: ['host', 'port'] },
        ),
        controlPlaneRef: REFERENCE,
        infrastructureRef: REFERENCE,
        availabilityGates: mapListOf(
          objectOf(
            { conditionType: STRING, polarity: { type: 'string', enum: ['Positive', 'Negative'] } },
            { required: ['conditionType'] },
          ),
          ['conditionType'],
          { maxItems: 32 },
        ),
        topology: objectOf(
          {
            class: { type: 'string', minLength: 1 },
            version: { type: 'string', maxLength: 256, pattern: '^v[0-9]+\\.[0-9]+\\.[0-9]+' },
            rolloutAfter: { type: 'string', format: 'date-time' },
            controlPlane: objectOf(
              {
                replicas: { type: 'integer', format: 'int32' },
                machineHealthCheck: HEALTH_CHECK,
                metadata: objectOf({ labels: STRING_MAP }),
                variables: objectOf({ overrides: VARIABLES }),
              },
              { default: {} },
            ),
            workers: objectOf(
              {
                machineDeployments: mapListOf(MACHINES, ['name'], { maxItems: 2000 }),
                machinePools: mapListOf(MACHINES, ['name']),
              },
              { minProperties: 1 },
            ),
            variables: VARIABLES,
            selector: SELECTOR,
          },
          { required: ['class', 'version'] },
        ),
      },
      { minProperties: 1 },
    ),
    status: objectOf({
      conditions: CONDITIONS,
      phase: { type: 'string', enum: ['Pending', 'Provisioned', 'Failed'] },
      failureDomains: {
        type: 'object',
        additionalProperties: objectOf({ controlPlane: BOOLEAN, attributes: STRING_MAP }),
      },
    }),
  }),
  objects: [
    {
      spec: {
        clusterNetwork: { services: { cidrBlocks: ['10.0.0.0/16', 'fd00::/48'] } },
        infrastructureRef: { kind: 'Docker', name: 'a.b', apiVersion: 'x/v1', odd: 1 },
        topology: {
          class: 'c',
          version: 'v1.36.0',
          workers: {
            machineDeployments: [
              {
                class: 'w',
                name: 'md-0',
                replicas: 3,
                minReadySeconds: null,
                machineHealthCheck: {
                  maxUnhealthy: '40%',
                  unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '5m' }],
                },
                strategy: { rollingUpdate: { maxSurge: 1 } },
                variables: { overrides: [{ name: 'a', value: { deep: [1, null] } }] },
              },
            ],
          },
          variables: [
            { name: 'a', value: 1 },
            { name: 'a', definitionFrom: 'x', value: null },
          ],
        },
      },
      status: { phase: 'Pending', failureDomains: { a: { controlPlane: true, other: 1 } } },
    },
    { spec: {} },
    {
      spec: {
        clusterNetwork: {
          apiServerPort: 0,
          services: { cidrBlocks: ['10.0.0.0', '10.0.0.0'] },
          serviceDomain: 'not valid',
        },
        controlPlaneEndpoint: { host: 1 },
        infrastructureRef: { kind: '1x', name: 'A', namespace: 'a.b' },
        availabilityGates: [{ conditionType: 'A' }, { conditionType: 'A', polarity: 'Sideways' }],
        topology: {
          class: '',
          version: '1.36',
          rolloutAfter: 'later',
          workers: {},
          controlPlane: { machineHealthCheck: { unhealthyRange: '1-2', unhealthyConditions: [] } },
          variables: [{ name: 'a', value: 1 }, { name: 'a', definitionFrom: '', value: 2 }, { name: 'b' }],
        },
      },
    },
    {
      spec: {
        topology: {
          class: 'c',
          version: 'v1.0.0',
          workers: {
            machineDeployments: [
              { name: 'a' },
              { name: 'a', class: 'w', replicas: -1, strategy: { type: 'Never', rollingUpdate: { maxSurge: 1.5 } } },
              'x',
            ],
          },
        },
      },
    },
  ],
};
