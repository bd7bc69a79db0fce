/** One audit event and its text. */

import type { UserInfo } from '../../contract/api-request.ts';
import { auditJson, auditText } from './audit-json.ts';
import type { AuditLevel, AuditStage } from './audit-level.ts';

/** The object that a request is about. */
export interface AuditedObject {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** What all events of a request share. */
export interface AuditedCall {
  readonly auditId: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  /** Milliseconds since 1970, with a fraction. */
  readonly receivedAt: number;
  readonly user: UserInfo | undefined;
}

/** An event: texts of JSON, put together when it is written. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly stage: AuditStage;
  readonly call: AuditedCall;
  readonly impersonated: UserInfo | undefined;
  readonly object: AuditedObject | undefined;
  /** The status code of the answer; undefined before there is one. */
  readonly code: number | undefined;
  /** Milliseconds since 1970, with a fraction. */
  readonly at: number;
  /** `"requestURI": ... "user": {...}`: the same for all events of a request. */
  readonly who: string;
  /** `"impersonatedUser": ... "userAgent": ...`, with the comma before it. */
  readonly how: string;
  readonly responseStatus: string | undefined;
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  readonly received: string;
  readonly stageTime: string;
  readonly annotations: ReadonlyMap<string, string> | undefined;
}

/** The event as JSON on one line, its keys in the order of Kubernetes. */
export function eventJson(event: AuditEvent): string {
  const { object, responseStatus, requestObject, responseObject, annotations } = event;
  let text = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"${event.level}","auditID":${auditText(event.call.auditId)},"stage":"${event.stage}",${event.who}${event.how}`;
  if (object !== undefined) text += `,"objectRef":${objectText(object)}`;
  if (responseStatus !== undefined) text += `,"responseStatus":${responseStatus}`;
  if (requestObject !== undefined) text += `,"requestObject":${requestObject}`;
  if (responseObject !== undefined) text += `,"responseObject":${responseObject}`;
  text += `,"requestReceivedTimestamp":"${event.received}","stageTimestamp":"${event.stageTime}"`;
  if (annotations !== undefined && annotations.size > 0) text += `,"annotations":${annotationsText(annotations)}`;
  return `${text}}`;
}

/** What an event says of a request, whatever its stage. */
export function whoText({ requestURI, verb, user }: AuditedCall): string {
  return `"requestURI":${auditText(requestURI)},"verb":${auditText(verb)},"user":${userText(user)}`;
}

/** The rest that is the same from the authentication on; `constraint` is how the impersonation was allowed. */
export function howText({ sourceIPs, userAgent }: AuditedCall, impersonated?: UserInfo, constraint = ''): string {
  let text = '';
  if (impersonated !== undefined) text += `,"impersonatedUser":${userText(impersonated)}`;
  if (constraint !== '') text += `,"authenticationMetadata":{"impersonationConstraint":${auditText(constraint)}}`;
  if (sourceIPs.length > 0) text += `,"sourceIPs":["${sourceIPs.join('","')}"]`;
  if (userAgent !== '') text += `,"userAgent":${auditText(userAgent)}`;
  return text;
}

function userText(user: UserInfo | undefined): string {
  if (user === undefined) return '{}';
  const { name, uid, groups, extra } = user;
  return auditJson({
    username: name === '' ? undefined : name,
    uid: uid === '' ? undefined : uid,
    groups: groups.length === 0 ? undefined : groups,
    extra: extra === undefined || Object.keys(extra).length === 0 ? undefined : extra,
  });
}

function objectText({
  resource,
  namespace,
  name,
  uid,
  apiGroup,
  apiVersion,
  resourceVersion,
  subresource,
}: AuditedObject): string {
  let text = `{"resource":${auditText(resource)}`;
  if (namespace !== '') text += `,"namespace":${auditText(namespace)}`;
  if (name !== '') text += `,"name":${auditText(name)}`;
  if (uid !== '') text += `,"uid":${auditText(uid)}`;
  if (apiGroup !== '') text += `,"apiGroup":${auditText(apiGroup)}`;
  text += `,"apiVersion":${auditText(apiVersion)}`;
  if (resourceVersion !== '') text += `,"resourceVersion":${auditText(resourceVersion)}`;
  if (subresource !== '') text += `,"subresource":${auditText(subresource)}`;
  return `${text}}`;
}

function annotationsText(annotations: ReadonlyMap<string, string>): string {
  const keys = [...annotations.keys()].toSorted();
  return `{${keys.map((key) => `${auditText(key)}:${auditText(annotations.get(key) ?? '')}`).join(',')}}`;
}
