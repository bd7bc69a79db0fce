/** The vocabulary of the Kubernetes list-watch API: objects, options, selectors, versions, events, failures. */

export {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  checkPathSegmentPrefix,
  DNS_LABEL_MAX,
  DNS_SUBDOMAIN_MAX,
  generatedNameSample,
  patternText,
  tooLongText,
} from './names/name-syntax.ts';
export { quote } from './names/quote.ts';
export { utf8Length } from './names/utf8.ts';
export type {
  ApiList,
  ApiObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from './objects/api-object.ts';
export { jsonSyntaxError } from './objects/json-syntax.ts';
export type {
  GroupKind,
  GroupResource,
  NewResource,
  ObjectOf,
  Resource,
  ResourceCoordinates,
} from './objects/resource.ts';
export { apiVersionOf, groupKindText, groupResourceText, resource } from './objects/resource.ts';
export type {
  AddedEvent,
  Bookmark,
  BookmarkEvent,
  DeletedEvent,
  ModifiedEvent,
  ObjectEvent,
  WatchErrorEvent,
  WatchEvent,
  WatchEventType,
} from './objects/watch-event.ts';
export { isInitialEventsEnd, isObjectEvent, isWatchEventType, WATCH_EVENT_TYPES } from './objects/watch-event.ts';
export type { AbortOptions } from './options/abort-options.ts';
export type { ContinueToken } from './options/continue-token.ts';
export { decodeContinueToken, encodeContinueToken } from './options/continue-token.ts';
export type { ListOptions, ParsedListOptions, ResourceVersionMatch } from './options/list-options.ts';
export { parseListOptions, printListOptions } from './options/list-options.ts';
export type { ListOptionsConfig } from './options/list-options-rules.ts';
export { decodeListOptions, defaultListOptions, validateListOptions } from './options/list-options-rules.ts';
export type { PropagationPolicy } from './options/propagation-policy.ts';
export type { Query } from './paths/query.ts';
export { firstValue, parseBoolean, parseQuery } from './paths/query.ts';
export type {
  DiscoveryRequestPath,
  MalformedRequestPath,
  OtherRequestPath,
  RequestPath,
  ResourceRequestPath,
} from './paths/request-path.ts';
export { parseRequestPath } from './paths/request-path.ts';
export type { RequestVerb } from './paths/request-verb.ts';
export { requestVerb } from './paths/request-verb.ts';
export type { ResourceTarget } from './paths/resource-path.ts';
export { groupVersionPath, resourcePath } from './paths/resource-path.ts';
export {
  ANNOTATION,
  ANY_RESOURCE_VERSION,
  FINALIZER,
  HEADER,
  MEDIA_TYPE,
  META_GROUP,
  NAME_FIELD,
  NAMESPACE_FIELD,
  PARAM,
} from './paths/wire-names.ts';
export type { ExactTerm } from './selectors/exact-term.ts';
export type { Fields, FieldTerm } from './selectors/field-selector.ts';
export {
  EVERY_FIELD,
  escapeFieldValue,
  FieldSelector,
  fieldSelector,
  parseFieldSelector,
} from './selectors/field-selector.ts';
export type { LabelOperator, LabelRequirement } from './selectors/label-requirement.ts';
export { LabelRequirementError, labelRequirement } from './selectors/label-requirement.ts';
export type { LabelSelectorExpression, LabelSelectorSpec, Labels } from './selectors/label-selector.ts';
export { EVERY_LABEL, LabelSelector, labelSelector, parseLabelSelector } from './selectors/label-selector.ts';
export {
  ANNOTATIONS_MAX,
  annotationsSize,
  checkLabelValue,
  checkQualifiedName,
  LABEL_MAX,
  validateAnnotations,
  validateLabels,
} from './selectors/label-syntax.ts';
export type { SelectorProblem } from './selectors/selector-error.ts';
export { SelectorError } from './selectors/selector-error.ts';
export type { AccessAttempt } from './status/access-denied.ts';
export { accessDenied } from './status/access-denied.ts';
export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  forbidden,
  gone,
  internalError,
  invalid,
  methodNotAllowed,
  notAcceptable,
  notFound,
  OBJECT_MODIFIED,
  requestEntityTooLarge,
  serverTimeout,
  serviceUnavailable,
  timeout,
  tooManyRequests,
  unauthorized,
  unknownError,
  unsupportedMediaType,
} from './status/failures.ts';
export type { FieldError, FieldErrorType } from './status/field-error.ts';
export {
  fieldDuplicate,
  fieldErrorBody,
  fieldErrorsText,
  fieldErrorText,
  fieldForbidden,
  fieldInternal,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  fieldTooFew,
  fieldTooLong,
  fieldTooMany,
  fieldTooShort,
  fieldTypeInvalid,
} from './status/field-error.ts';
export type { GenericFailureOptions } from './status/generic-failure.ts';
export { genericFailure } from './status/generic-failure.ts';
export { ListWatchError } from './status/listwatch-error.ts';
export {
  badListVersion,
  badReadVersion,
  cacheInitializing,
  cacheStopped,
  compactedWatch,
  expiredContinue,
  expiredList,
  expiredWatch,
  nameSelectorMismatch,
  requestTimeout,
  tooLargeResourceVersion,
  unknownField,
  unsupportedField,
  versionWithContinue,
} from './status/read-failures.ts';
export type { Failure, KnownStatusReason, Status, StatusCause, StatusDetails, StatusReason } from './status/status.ts';
export { failureStatus, isStatus, STATUS_REASONS, successStatus } from './status/status.ts';
export type { StatusErrorOptions } from './status/status-error.ts';
export { failure, StatusError } from './status/status-error.ts';
export {
  findStatusError,
  hasCause,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isStatusError,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedResponse,
  isUnsupportedMediaType,
} from './status/status-guards.ts';
export type { FailedResponse } from './status/status-response.ts';
export { parseRetryAfter, statusErrorFromObject, statusErrorFromResponse } from './status/status-response.ts';
export {
  alreadyExistsDeleting,
  apiVersionMismatch,
  applyConflict,
  bodyTooLarge,
  generateNameConflict,
  nameMismatch,
  nameMissing,
  namespaceMismatch,
  namespaceTerminating,
  objectTooLarge,
  uidPreconditionFailed,
  versionOnCreate,
  versionPreconditionFailed,
  versionRequired,
} from './status/write-failures.ts';
export type { CancelTimer, Clock } from './time/clock.ts';
export { sleep } from './time/sleep.ts';
export { backgroundClock, systemClock } from './time/system-clock.ts';
export { IntegerError, parseInt64, parseUint64 } from './versions/integer.ts';
export type { ResourceVersion } from './versions/resource-version.ts';
export {
  compareResourceVersions,
  isResourceVersion,
  parseResourceVersion,
  ResourceVersionError,
  resourceVersion,
  resourceVersionOf,
  revisionOf,
} from './versions/resource-version.ts';
