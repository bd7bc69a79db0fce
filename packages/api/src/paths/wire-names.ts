/** The fixed words of the protocol: query parameters, annotations, media types, headers. They live here and nowhere else. */

/** The API group of the types that every group shares (ListOptions, Table, Status). */
export const META_GROUP = 'meta.k8s.io';

/** The names of the query parameters, keyed by themselves so that a misspelt one does not compile. */
export const PARAM = {
  allowWatchBookmarks: 'allowWatchBookmarks',
  continue: 'continue',
  dryRun: 'dryRun',
  fieldManager: 'fieldManager',
  fieldSelector: 'fieldSelector',
  fieldValidation: 'fieldValidation',
  force: 'force',
  gracePeriodSeconds: 'gracePeriodSeconds',
  includeObject: 'includeObject',
  labelSelector: 'labelSelector',
  limit: 'limit',
  listwatchProgress: 'listwatchProgress',
  orphanDependents: 'orphanDependents',
  pretty: 'pretty',
  propagationPolicy: 'propagationPolicy',
  resourceVersion: 'resourceVersion',
  resourceVersionMatch: 'resourceVersionMatch',
  sendInitialEvents: 'sendInitialEvents',
  timeout: 'timeout',
  timeoutSeconds: 'timeoutSeconds',
  watch: 'watch',
} as const;

/** Annotations with a meaning in the protocol. */
export const ANNOTATION = {
  /** `"true"` on the one bookmark that ends the initial events of a watch. */
  initialEventsEnd: 'k8s.io/initial-events-end',
} as const;

/** Finalizers that the server itself sets and obeys. */
export const FINALIZER = {
  foregroundDeletion: 'foregroundDeletion',
  orphan: 'orphan',
} as const;

/** Media types of requests and answers, without parameters. */
export const MEDIA_TYPE = {
  applyPatch: 'application/apply-patch+yaml',
  json: 'application/json',
  jsonPatch: 'application/json-patch+json',
  mergePatch: 'application/merge-patch+json',
  protobuf: 'application/vnd.kubernetes.protobuf',
  strategicMergePatch: 'application/strategic-merge-patch+json',
  yaml: 'application/yaml',
} as const;

/** HTTP headers with a meaning in the protocol. */
export const HEADER = {
  accept: 'Accept',
  auditId: 'Audit-Id',
  contentType: 'Content-Type',
  retryAfter: 'Retry-After',
  warning: 'Warning',
} as const;

/** The resource version that a list or a watch sends for "whatever you have cached". It is never an object's own. */
export const ANY_RESOURCE_VERSION = '0';

/** The field that every kind can be selected by, and the one that turns a list into a read of one object. */
export const NAME_FIELD = 'metadata.name';

/** The other field that every namespaced kind can be selected by. */
export const NAMESPACE_FIELD = 'metadata.namespace';
