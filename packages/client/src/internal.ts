/** For sibling packages only. Kept small: the runtime must not load sockets, YAML and TLS that its user may not need. */

export {
  type AppliedCluster,
  type ApplyObjectOptions,
  type ApplyOutcome,
  type ApplyResult,
  applyObject,
} from './apply/apply-object.ts';
export { type Manifest, type ManifestSource, readManifests } from './apply/manifest.ts';
export { resourceMatches } from './discovery/resource-matches.ts';
export {
  type NamedResource,
  parseResourceName,
  RESOURCE_FORMS,
  type ResourceName,
} from './discovery/resource-name.ts';
export { restMapper } from './discovery/rest-mapper.ts';
export { objectDecoder } from './json/object-decoder.ts';
export { ObjectScanner, type TextRange } from './json/object-scanner.ts';
export { ValueScanner } from './json/value-scanner.ts';
export { type LinkedSignal, linkSignal } from './link-signal.ts';
export { checkOptionNames, type OptionNames } from './request/option-names.ts';
export { isTransportError, TransportError } from './transport/transport-error.ts';
