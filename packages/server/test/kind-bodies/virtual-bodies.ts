/** An object of each kind that is answered and never stored, with nearly all of its fields. */

import type { OwnedBody } from './owned-body.ts';

const resourceAttributes = {
  namespace: 'kinds',
  verb: 'list',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: 'scale',
  name: 'd',
  fieldSelector: { requirements: [{ key: 'metadata.name', operator: 'In', values: ['d'] }] },
  labelSelector: { requirements: [{ key: 'app', operator: 'NotIn', values: ['a', 'b'] }] },
};
const subject = { user: 'u', groups: ['g'], uid: 'uid', extra: { 'example.com/e': ['1'] } };

function virtual(
  apiVersion: string,
  kind: string,
  plural: string,
  body: object,
  rest: Partial<Pick<OwnedBody, 'name' | 'namespaced'>> = {},
): OwnedBody {
  return { apiVersion, kind, plural, namespaced: false, body, ...rest };
}

export const VIRTUAL_BODIES: readonly OwnedBody[] = [
  virtual('authorization.k8s.io/v1', 'SubjectAccessReview', 'subjectaccessreviews', {
    spec: { ...subject, resourceAttributes },
  }),
  virtual('authorization.k8s.io/v1', 'SubjectAccessReview', 'subjectaccessreviews', {
    spec: { ...subject, nonResourceAttributes: { path: '/healthz', verb: 'get' } },
  }),
  virtual('authorization.k8s.io/v1', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', {
    spec: { resourceAttributes },
  }),
  virtual(
    'authorization.k8s.io/v1',
    'LocalSubjectAccessReview',
    'localsubjectaccessreviews',
    { spec: { ...subject, resourceAttributes } },
    { namespaced: true },
  ),
  virtual('authorization.k8s.io/v1', 'SelfSubjectRulesReview', 'selfsubjectrulesreviews', {
    spec: { namespace: 'kinds' },
  }),
  virtual('authentication.k8s.io/v1', 'TokenReview', 'tokenreviews', { spec: { token: 't', audiences: ['a'] } }),
  virtual('authentication.k8s.io/v1', 'SelfSubjectReview', 'selfsubjectreviews', {}),
  virtual(
    'v1',
    'Binding',
    'bindings',
    {
      target: {
        apiVersion: 'v1',
        kind: 'Node',
        name: 'n',
        namespace: 'x',
        uid: 'u',
        resourceVersion: '1',
        fieldPath: 'f',
      },
    },
    { namespaced: true },
  ),
];
