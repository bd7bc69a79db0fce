/** All virtual endpoints. Start here. */

import { BUILT_IN_KINDS } from '@listwatch/rules/internal';
import type { Authorizer } from '../../contract/authorization.ts';
import type { TokenIssuer, TokenReviewer } from '../../contract/service-account-token.ts';
import type { VirtualEndpoint, VirtualEndpoints } from '../../contract/virtual-endpoint.ts';
import { bindingsEndpoint, podBindingEndpoint } from '../subresources/binding-endpoint.ts';
import { evictionEndpoint } from '../subresources/eviction-endpoint.ts';
import { type KubeletEndpointsParts, kubeletEndpoints } from '../subresources/kubelet-endpoints.ts';
import { scaleEndpoint } from '../subresources/scale-endpoint.ts';
import { accessReviewEndpoint } from './access-review.ts';
import { rulesReviewEndpoint } from './rules-review.ts';
import { selfSubjectReviewEndpoint } from './self-subject-review.ts';
import { tokenRequestEndpoint } from './token-request.ts';
import { tokenReviewEndpoint } from './token-review.ts';

/** The parts that the endpoints need. */
export interface VirtualEndpointsParts {
  readonly authorizer: Authorizer;
  readonly issuer: TokenIssuer;
  readonly reviewer: TokenReviewer;
  readonly kubelets: KubeletEndpointsParts;
}

/** Makes the endpoints of a server. */
export function createVirtualEndpoints(parts: VirtualEndpointsParts): VirtualEndpoints {
  const { authorizer, issuer, reviewer, kubelets } = parts;
  const table: Readonly<Record<string, VirtualEndpoint>> = {
    'authentication.k8s.io/v1/selfsubjectreviews/': selfSubjectReviewEndpoint,
    'authentication.k8s.io/v1/tokenreviews/': tokenReviewEndpoint(reviewer),
    'authorization.k8s.io/v1/localsubjectaccessreviews/': accessReviewEndpoint(
      authorizer,
      'authorization/v1.LocalSubjectAccessReview',
      { hasSubject: true, isLocal: true },
    ),
    'authorization.k8s.io/v1/selfsubjectaccessreviews/': accessReviewEndpoint(
      authorizer,
      'authorization/v1.SelfSubjectAccessReview',
      { hasSubject: false, isLocal: false },
    ),
    'authorization.k8s.io/v1/selfsubjectrulesreviews/': rulesReviewEndpoint(authorizer),
    'authorization.k8s.io/v1/subjectaccessreviews/': accessReviewEndpoint(
      authorizer,
      'authorization/v1.SubjectAccessReview',
      { hasSubject: true, isLocal: false },
    ),
    '/v1/serviceaccounts/token': tokenRequestEndpoint(issuer),
    '/v1/bindings/': bindingsEndpoint,
    '/v1/pods/binding': podBindingEndpoint,
    '/v1/pods/eviction': evictionEndpoint,
    ...kubeletEndpoints(kubelets),
    ...scaleEndpoints(),
  };
  return (group, version, plural, subresource) => {
    const path = `${group}/${version}/${plural}/${subresource}`;
    return Object.hasOwn(table, path) ? table[path] : undefined;
  };
}

/** Every kind that has the subresource. */
function scaleEndpoints(): Readonly<Record<string, VirtualEndpoint>> {
  const scaled = BUILT_IN_KINDS.filter(({ data }) => Object.hasOwn(data.subresources, 'scale'));
  return Object.fromEntries(
    scaled.map((definition) => {
      const { group, version, plural } = definition.resource;
      return [`${group}/${version}/${plural}/scale`, scaleEndpoint(definition)];
    }),
  );
}
