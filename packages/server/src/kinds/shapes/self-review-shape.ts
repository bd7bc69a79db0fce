/** The shapes of what users ask about themselves, as far as it is read: the status is the server's. */
import { LABEL_SELECTOR_REQUIREMENT, objectShape } from './object-meta-shape.ts';
import { list, type StructShape, struct } from './shape.ts';

/** Selectors over fields and over labels are written alike. */
const SELECTOR_ATTRIBUTES: StructShape = struct('LabelSelectorAttributes', {
  rawSelector: 'string',
  requirements: list(LABEL_SELECTOR_REQUIREMENT),
});

const RESOURCE_ATTRIBUTES: StructShape = struct('ResourceAttributes', {
  namespace: 'string',
  verb: 'string',
  group: 'string',
  version: 'string',
  resource: 'string',
  subresource: 'string',
  name: 'string',
  fieldSelector: SELECTOR_ATTRIBUTES,
  labelSelector: SELECTOR_ATTRIBUTES,
});

const NON_RESOURCE_ATTRIBUTES: StructShape = struct('NonResourceAttributes', {
  path: 'string',
  verb: 'string',
});

const SELF_SUBJECT_ACCESS_REVIEW_SPEC: StructShape = struct('SelfSubjectAccessReviewSpec', {
  resourceAttributes: RESOURCE_ATTRIBUTES,
  nonResourceAttributes: NON_RESOURCE_ATTRIBUTES,
});

/** The shape of a SelfSubjectAccessReview. */
export const SELF_SUBJECT_ACCESS_REVIEW: StructShape = objectShape('SelfSubjectAccessReview', {
  spec: { ...SELF_SUBJECT_ACCESS_REVIEW_SPEC, always: true },
});

/** The shape of a SelfSubjectReview. */
export const SELF_SUBJECT_REVIEW: StructShape = objectShape('SelfSubjectReview', {});
