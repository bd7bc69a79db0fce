/** Content negotiation: the form in which a client wants its answer. */
import { failure, genericFailure, MEDIA_TYPE, META_GROUP, notAcceptable, type StatusError } from '@listwatch/api';
import type { FailureForm } from '../answer/failure-response.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import { type AcceptClause, acceptedTypes, parseAccept } from './accept-clause.ts';

/**
 * What is answered: one object, a list, a watch, an object that has no Table (`untabled`), or something that has only its
 * own form (`none`).
 */
export type EndpointKind = 'list' | 'none' | 'object' | 'untabled' | 'watch';

/** The kinds that an object or a list can be turned into. */
export type TransformKind = 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'Table';

/** A form, and what exactly was asked for. */
export interface NegotiatedForm extends AnswerForm {
  /** Undefined: the thing itself. The metadata forms of objects and of lists are told apart; see `checkTransform`. */
  readonly transform: TransformKind | undefined;
}

/** In the order in which they are offered to a client that takes several. */
const SERVED = [MEDIA_TYPE.json, MEDIA_TYPE.yaml, MEDIA_TYPE.protobuf] as const;
type Served = (typeof SERVED)[number];
/** Of documents that are no objects. */
const TEXTS: readonly Served[] = [MEDIA_TYPE.json, MEDIA_TYPE.yaml];

// The texts of refusals are those of Kubernetes, which has also documents in protobuf. Who asks for nothing but that is told what
// there really is.
const OBJECT_TYPES = [MEDIA_TYPE.json, MEDIA_TYPE.yaml, MEDIA_TYPE.protobuf];
const STREAM_TYPES = [`${MEDIA_TYPE.json};stream=watch`, `${MEDIA_TYPE.protobuf};stream=watch`];

const TRANSFORMS: ReadonlySet<string> = new Set(['PartialObjectMetadata', 'PartialObjectMetadataList', 'Table']);

/**
 * The form for an `Accept` header. `pretty` is what the rest of the request asks for (`wantsPretty`); a clause can also
 * ask for it. Custom kinds have protobuf for their metadata alone. Throws the 406 `StatusError`, with Kubernetes' words, when there is none.
 */
export function negotiate(
  accept: string | undefined,
  endpoint: EndpointKind,
  pretty = false,
  isCustom = false,
): NegotiatedForm {
  if (!isCustom && accept !== undefined && accept !== '' && !isRoutable(accept)) throw unroutable(endpoint);
  const form = pick(accept ?? '', endpoint, pretty, endpoint === 'none' ? TEXTS : SERVED, isCustom);
  if (form === undefined) throw unacceptable(endpoint, accept ?? '');
  // A watch does not try the next clause: what it picked cannot be streamed.
  if (endpoint === 'watch' && form.mediaType === MEDIA_TYPE.yaml) throw notAcceptable(STREAM_TYPES);
  return form;
}

/** The form of a failure. A client that accepts nothing we write gets indented JSON, which a person can read. */
export function negotiateFailure(accept: string | undefined, pretty: boolean): FailureForm {
  return pick(accept ?? '', 'none', pretty, SERVED) ?? { mediaType: MEDIA_TYPE.json, pretty: true };
}

/**
 * Refuses the metadata form of a list for one object, and the other way round, with the 406 `StatusError` of
 * Kubernetes. `goType` is the type that it names: `*core.ConfigMap`, `*core.ConfigMapList`.
 */
export function checkTransform(form: NegotiatedForm, endpoint: 'list' | 'object', goType: string): void {
  if (endpoint === 'list' && form.transform === 'PartialObjectMetadata') {
    throw refusal(`you requested PartialObjectMetadata, but the requested object is a list (${goType})`);
  }
  if (endpoint === 'object' && form.transform === 'PartialObjectMetadataList') {
    throw refusal(`you requested PartialObjectMetadataList, but the requested object is not a list (${goType})`);
  }
}

/** Does the client want the aggregated discovery document (version 2)? */
export function wantsAggregatedDiscovery(accept: string | undefined): boolean {
  return parseAccept(accept ?? '').some(
    (clause) =>
      TEXTS.some((mediaType) => matches(clause, mediaType)) &&
      clause.parameters.get('as') === 'APIGroupDiscoveryList' &&
      clause.parameters.get('g') === 'apidiscovery.k8s.io' &&
      clause.parameters.get('v') === 'v2',
  );
}

function pick(
  accept: string,
  endpoint: EndpointKind,
  pretty: boolean,
  offered: readonly Served[],
  isCustom = false,
): NegotiatedForm | undefined {
  if (accept === '') return formOf(MEDIA_TYPE.json, undefined, pretty);
  for (const clause of parseAccept(accept)) {
    const served = offered.find(
      (mediaType) =>
        matches(clause, mediaType) &&
        allows(clause, mediaType, endpoint) &&
        !(isCustom && mediaType === MEDIA_TYPE.protobuf && !clause.parameters.has('as')),
    );
    if (served !== undefined) return formOf(served, clause, pretty || clause.parameters.get('pretty') === '1');
  }
  return undefined;
}

function formOf(mediaType: Served, clause: AcceptClause | undefined, pretty: boolean): NegotiatedForm {
  const kind = clause?.parameters.get('as');
  const transform = kind !== undefined && isTransform(kind) ? kind : undefined;
  return {
    mediaType,
    as: transform === undefined ? 'object' : transform === 'Table' ? 'table' : 'metadata',
    metaVersion: clause?.parameters.get('v') === 'v1beta1' ? 'v1beta1' : 'v1',
    pretty,
    transform,
  };
}

function matches({ type, subtype }: AcceptClause, mediaType: string): boolean {
  const [servedType, servedSubtype] = mediaType.split('/');
  return type === '*' ? subtype === '*' : type === servedType && (subtype === '*' || subtype === servedSubtype);
}

/** Can a clause's parameters be honoured? If not, the clause counts for nothing. */
function allows({ parameters }: AcceptClause, mediaType: Served, endpoint: EndpointKind): boolean {
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || mediaType === MEDIA_TYPE.yaml)) return false;
  const serverVersion = parameters.get('sv') ?? '';
  if (serverVersion !== '' && (endpoint === 'none' || serverVersion !== 'v1')) return false;
  if (!['as', 'g', 'v'].some((name) => parameters.has(name))) return true;
  const version = parameters.get('v');
  if (endpoint === 'untabled' && parameters.get('as') === 'Table') return false;
  // Tables have no protobuf.
  if (mediaType === MEDIA_TYPE.protobuf && parameters.get('as') === 'Table') return false;
  return (
    endpoint !== 'none' &&
    parameters.get('g') === META_GROUP &&
    (version === 'v1' || version === 'v1beta1') &&
    isTransform(parameters.get('as') ?? '')
  );
}

function isTransform(kind: string): kind is TransformKind {
  return TRANSFORMS.has(kind);
}

/** Kubernetes' router looks first, and only at whole media types: `application/*` finds nothing there. */
function isRoutable(accept: string): boolean {
  return acceptedTypes(accept).some((type) => type === '*/*' || OBJECT_TYPES.some((served) => served === type));
}

function unroutable(endpoint: EndpointKind): StatusError {
  const streams = endpoint === 'list' || endpoint === 'watch' ? STREAM_TYPES : [];
  const available = [...OBJECT_TYPES, ...streams].join(', ');
  return genericFailure(406, { serverMessage: `406: Not Acceptable\n\nAvailable representations: ${available}` });
}

function unacceptable(endpoint: EndpointKind, accept: string): StatusError {
  const onlyProtobuf = acceptedTypes(accept).every((type) => type === MEDIA_TYPE.protobuf);
  return notAcceptable(endpoint === 'none' && onlyProtobuf ? TEXTS : OBJECT_TYPES);
}

function refusal(message: string): StatusError {
  return failure({ code: 406, reason: 'NotAcceptable', message });
}
