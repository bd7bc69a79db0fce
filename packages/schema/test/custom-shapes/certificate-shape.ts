import {
  AFFINITY,
  ANYTHING,
  BOOLEAN,
  CONDITIONS,
  type CustomShape,
  INT_OR_STRING,
  INTEGER,
  type Json,
  listOf,
  objectOf,
  QUANTITY,
  STRING,
  STRING_MAP,
} from './custom-shape.ts';

const SECRET_REF: Json = objectOf({ name: STRING, key: STRING }, { required: ['name'] });
const USAGES = ['signing', 'digital signature', 'key encipherment', 'server auth', 'client auth'];

const SOLVER: Json = objectOf({
  selector: objectOf({ dnsNames: listOf(STRING), dnsZones: listOf(STRING), matchLabels: STRING_MAP }),
  dns01: objectOf({
    cloud: objectOf({ project: STRING, credentials: SECRET_REF }, { required: ['project'] }),
    webhook: objectOf(
      { groupName: STRING, solverName: STRING, config: { 'x-kubernetes-preserve-unknown-fields': true } },
      { required: ['groupName', 'solverName'] },
    ),
  }),
  http01: objectOf({
    ingress: objectOf({
      class: STRING,
      serviceType: STRING,
      podTemplate: objectOf({
        metadata: objectOf({ labels: STRING_MAP, annotations: STRING_MAP }),
        spec: objectOf({
          affinity: AFFINITY,
          nodeSelector: STRING_MAP,
          tolerations: listOf(objectOf({ key: STRING, operator: STRING, value: STRING, tolerationSeconds: INTEGER })),
          resources: objectOf({
            limits: { type: 'object', additionalProperties: QUANTITY },
            requests: { type: 'object', additionalProperties: QUANTITY },
          }),
        }),
      }),
    }),
  }),
});

/** A certificate and its issuer in one, as cert-manager has them. */
export const CERTIFICATE_SHAPE: CustomShape = {
  kind: 'Certificate',
  plural: 'certificates',
  schema: objectOf({
    spec: objectOf(
      {
        secretName: { type: 'string', minLength: 1, maxLength: 253 },
        commonName: { type: 'string', maxLength: 64 },
        dnsNames: listOf({ type: 'string', format: 'hostname' }, { 'x-kubernetes-list-type': 'set', maxItems: 100 }),
        ipAddresses: listOf({ type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }),
        duration: { type: 'string', format: 'duration', default: '2160h' },
        renewBefore: STRING,
        isCA: { type: 'boolean', default: false },
        usages: listOf({ type: 'string', enum: USAGES }, { default: ['digital signature', 'key encipherment'] }),
        revisionHistoryLimit: { type: 'integer', format: 'int32', minimum: 1 },
        privateKey: objectOf(
          {
            algorithm: { type: 'string', enum: ['RSA', 'ECDSA', 'Ed25519'], default: 'RSA' },
            size: { type: 'integer', multipleOf: 256, minimum: 256, maximum: 8192 },
            rotationPolicy: { type: 'string', enum: ['Never', 'Always'], nullable: true },
          },
          { default: {} },
        ),
        issuerRef: objectOf(
          { name: STRING, kind: { type: 'string', default: 'Issuer' }, group: STRING },
          { required: ['name'] },
        ),
        acme: objectOf(
          {
            server: { type: 'string', format: 'uri' },
            email: { type: 'string', format: 'email' },
            solvers: listOf(SOLVER),
            skipTLSVerify: BOOLEAN,
          },
          { oneOf: [{ required: ['server'] }, { required: ['email'] }] },
        ),
        keystores: ANYTHING,
        weight: INT_OR_STRING,
      },
      {
        required: ['secretName', 'issuerRef'],
        anyOf: [{ required: ['dnsNames'] }, { required: ['commonName'] }, { required: ['ipAddresses'] }],
      },
    ),
    status: objectOf({ conditions: CONDITIONS, revision: INTEGER, notAfter: { type: 'string', format: 'date-time' } }),
  }),
  objects: [
    { spec: { secretName: 'a', issuerRef: { name: 'ca' }, dnsNames: ['a.example', 'b.example'] } },
    {
      spec: {
        secretName: 'a',
        issuerRef: { name: 'ca', unknown: 1 },
        commonName: 'x',
        privateKey: { size: 2048, rotationPolicy: null, algorithm: null },
        acme: {
          server: 'https://acme.example/dir',
          solvers: [
            { dns01: { webhook: { groupName: 'g', solverName: 's', config: { any: [1, { b: null }] } } } },
            {
              http01: {
                ingress: {
                  podTemplate: {
                    spec: {
                      resources: { limits: { cpu: '500m', memory: 1 } },
                      affinity: {
                        podAntiAffinity: {
                          preferredDuringSchedulingIgnoredDuringExecution: [
                            { weight: 1, podAffinityTerm: { topologyKey: 'z', other: true } },
                          ],
                        },
                      },
                    },
                  },
                },
              },
            },
          ],
        },
        keystores: { jks: { create: true, deep: { er: [null] } } },
        weight: '10%',
      },
      status: {
        conditions: [
          { type: 'Ready', status: 'True', reason: 'Issued', lastTransitionTime: '2024-01-01T00:00:00Z', extra: 1 },
        ],
      },
    },
    {
      spec: {
        secretName: '',
        issuerRef: {},
        dnsNames: ['a', 'a', 'not valid!'],
        ipAddresses: ['1.2.3.4', 'x'],
        duration: 'soon',
        usages: ['juggling'],
        revisionHistoryLimit: 0,
        privateKey: { size: 257 },
      },
    },
    {
      spec: {
        secretName: 1,
        issuerRef: 'ca',
        acme: {
          server: 'x',
          email: 'y',
          solvers: [
            {
              http01: {
                ingress: {
                  podTemplate: {
                    spec: { resources: { limits: { cpu: '1x' } }, tolerations: [{ tolerationSeconds: '1' }] },
                  },
                },
              },
            },
          ],
        },
        weight: true,
      },
    },
    {
      spec: { secretName: 'a', issuerRef: { name: 'ca' }, commonName: 'x' },
      status: {
        conditions: [
          { type: 'Ready', status: 'Maybe', reason: '', lastTransitionTime: 'now' },
          { type: 'Ready', status: 'True', reason: 'R', lastTransitionTime: '2024-01-01T00:00:00Z' },
        ],
      },
    },
  ],
};
