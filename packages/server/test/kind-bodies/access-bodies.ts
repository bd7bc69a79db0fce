/** Objects of kinds outside core, right and wrong, that both servers are sent: access. */

import type { KindBodies } from './kind-bodies.ts';

export const REQUEST: string =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIY01JR0RBZ0VBTUNFeEVEQU9CZ05WQkFNTUIzTnZiV1Z2Ym1VeERUQUxCZ05WQkFvTUJIUmxZVzB3V1RBVApCZ2NxaGtqT1BRSUJCZ2dxaGtqT1BRTUJCd05DQUFTcDVOMEtVaG9YL3N3SHNUci80emY4KzhENVRMZ0hJTE05ClhSQ08ydS9ZTldmb1pSb2ZhRGNZdFd5RGVHRWNLRDlPWERnWmM5ZkgrdlFKTWtBMWhLVDZvQUF3Q2dZSUtvWkkKemowRUF3SURTQUF3UlFJZ0NvMDBVWXhDVGFHcm13Z0xjS3I5dzg0SmpmZTh5dC9TWmRhMXZjWWhqZlVDSVFDNApNUHhMK1BML2RPa1hQZUFnVXBkYml4MUJ4TjlYS3ErRmNtaE13Vkh5dGc9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

export const ACCESS_BODIES: readonly KindBodies[] = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    plural: 'roles',
    namespaced: true,
    bodies: [
      {},
      { rules: [{}, { verbs: ['get'], nonResourceURLs: ['/x'], resources: ['x'] }] },
      { metadata: { name: 'a%b' } },
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
    bodies: [
      {},
      { aggregationRule: {} },
      {
        aggregationRule: {
          clusterRoleSelectors: [{ matchLabels: { a: 'b' } }, { matchExpressions: [{ key: 'a', operator: 'X' }] }],
        },
      },
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'], resources: ['x'] }] },
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    plural: 'rolebindings',
    namespaced: true,
    bodies: [
      {},
      {
        roleRef: { kind: 'ClusterRole', name: 'r' },
        subjects: [
          { kind: 'User', name: 'a' },
          { kind: 'Group', name: 'g' },
          { kind: 'ServiceAccount', name: 's' },
        ],
      },
      {
        roleRef: { apiGroup: 'x', kind: 'X', name: 'a/b' },
        subjects: [
          { kind: 'User' },
          { kind: 'User', name: 'a', apiGroup: 'x' },
          { kind: 'ServiceAccount', name: 'A', apiGroup: 'x' },
          { kind: '', name: 'x' },
        ],
      },
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' } },
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    bodies: [
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
        subjects: [{ kind: 'ServiceAccount', name: 'a' }],
      },
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' } },
    ],
  },
  {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    namespaced: false,
    bodies: [
      {},
      {
        spec: {
          request: REQUEST,
          signerName: 'A.b/c_d',
          usages: ['x', 'client auth', 'client auth'],
          expirationSeconds: 1,
        },
      },
      { spec: { request: REQUEST, signerName: 'a/b', usages: ['client auth'] } },
      { spec: { request: REQUEST, signerName: 'kubernetes.io/legacy-unknown', usages: ['client auth'] } },
      {
        metadata: { name: 'a:b' },
        spec: { request: REQUEST, signerName: 'a.b/c', usages: ['client auth'], username: 'evil', groups: ['g'] },
      },
      { spec: { request: REQUEST, signerName: 'a.b/c', usages: ['client auth'] } },
    ],
  },
];
