/** The vocabulary of the Kubernetes list-watch API: objects, options, selectors, versions, events, failures. */

export type { AbortOptions } from './abort-options.ts';
export type { AccessAttempt } from './access-denied.ts';
export { accessDenied } from './access-denied.ts';
export type { ApiList, ApiObject, ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './api-object.ts';
export type { CancelTimer, Clock } from './clock.ts';
export type { ContinueToken } from './continue-token.ts';
export { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
export { ListWatchError } from './errors.ts';
export type { ExactTerm } from './exact-term.ts';
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
} from './failures.ts';
export type { FieldError, FieldErrorType } from './field-error.ts';
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
} from './field-error.ts';
export type { Fields, FieldTerm } from './field-selector.ts';
export { EVERY_FIELD, escapeFieldValue, FieldSelector, fieldSelector, parseFieldSelector } from './field-selector.ts';
export type { GenericFailureOptions } from './generic-failure.ts';
export { genericFailure } from './generic-failure.ts';
export { IntegerError, parseInt64, parseUint64 } from './integer.ts';
export { jsonSyntaxError } from './json-syntax.ts';
export type { LabelOperator, LabelRequirement } from './label-requirement.ts';
export { LabelRequirementError, labelRequirement } from './label-requirement.ts';
export type { LabelSelectorExpression, LabelSelectorSpec, Labels } from './label-selector.ts';
export { EVERY_LABEL, LabelSelector, labelSelector, parseLabelSelector } from './label-selector.ts';
export {
  ANNOTATIONS_MAX,
  annotationsSize,
  checkLabelValue,
  checkQualifiedName,
  LABEL_MAX,
  validateAnnotations,
  validateLabels,
} from './label-syntax.ts';
export type { ListOptions, ParsedListOptions, ResourceVersionMatch } from './list-options.ts';
export { parseListOptions, printListOptions } from './list-options.ts';
export type { ListOptionsConfig } from './list-options-rules.ts';
export { decodeListOptions, defaultListOptions, validateListOptions } from './list-options-rules.ts';
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
} from './name-syntax.ts';
export type { Query } from './query.ts';
export { firstValue, parseBoolean, parseQuery } from './query.ts';
export { quote } from './quote.ts';
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
} from './read-failures.ts';
export type {
  DiscoveryRequestPath,
  MalformedRequestPath,
  OtherRequestPath,
  RequestPath,
  ResourceRequestPath,
} from './request-path.ts';
export { parseRequestPath } from './request-path.ts';
export type { RequestVerb } from './request-verb.ts';
export { requestVerb } from './request-verb.ts';
export type { GroupKind, GroupResource, NewResource, ObjectOf, Resource, ResourceDefinition } from './resource.ts';
export { apiVersionOf, groupKindText, groupResourceText, resource } from './resource.ts';
export type { ResourceTarget } from './resource-path.ts';
export { groupVersionPath, resourcePath } from './resource-path.ts';
export type { ResourceVersion } from './resource-version.ts';
export {
  compareResourceVersions,
  isResourceVersion,
  parseResourceVersion,
  ResourceVersionError,
  resourceVersion,
  resourceVersionOf,
  revisionOf,
} from './resource-version.ts';
export type { SelectorProblem } from './selector-error.ts';
export { SelectorError } from './selector-error.ts';
export type { Failure, KnownStatusReason, Status, StatusCause, StatusDetails, StatusReason } from './status.ts';
export { failureStatus, isStatus, STATUS_REASONS, successStatus } from './status.ts';
export type { StatusErrorOptions } from './status-error.ts';
export { failure, StatusError } from './status-error.ts';
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
} from './status-guards.ts';
export type { FailedResponse } from './status-response.ts';
export { parseRetryAfter, statusErrorFromObject, statusErrorFromResponse } from './status-response.ts';
export { utf8Length } from './utf8.ts';
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
} from './watch-event.ts';
export { isInitialEventsEnd, isWatchEventType, WATCH_EVENT_TYPES } from './watch-event.ts';
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
} from './wire.ts';
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
  uidPreconditionFailed,
  versionOnCreate,
  versionPreconditionFailed,
  versionRequired,
} from './write-failures.ts';
