/** The audit record of one request: what is known of it, and the events that are made of that. */

import type { Status, StatusError } from '@listwatch/api';
import { durationText } from '@listwatch/api/values';
import type { UserInfo } from '../../contract/api-request.ts';
import type { ApiResponse, BytesResponse } from '../../contract/api-response.ts';
import type { AuditNotes, SentMetadata } from '../../contract/audit.ts';
import type { AccessDecision } from '../../contract/authorization.ts';
import type { IncomingRequest } from '../../contract/incoming-request.ts';
import type { Route } from '../../contract/route.ts';
import { type AuditEvent, type AuditedCall, type AuditedObject, howText, whoText } from './audit-event.ts';
import { auditJson, headerUtf8 } from './audit-json.ts';
import { type AuditStage, hasLevel } from './audit-level.ts';
import { type AuditTime, auditTimeText } from './audit-time.ts';
import type { AuditRuling } from './compiled-policy.ts';
import { jsonLine, jsonLineWithoutManagedFields } from './json-line.ts';
import { CopiedChunks, isJson, responseStatusText, statusIn } from './recorded-answer.ts';
import { sourceAddresses } from './source-addresses.ts';

/** What a record needs of the auditor. */
export interface AuditRecordParts {
  readonly time: AuditTime;
  /** What the policy says of a request. */
  readonly rule: (route: Route, user: UserInfo | undefined) => AuditRuling;
  /** Gives an event to the backends; false when one of them has lost it. Undefined: nobody waits for them. */
  readonly take: (event: AuditEvent) => Promise<boolean> | undefined;
  /** Resolves when the backends have room; undefined while they have. */
  readonly room: () => Promise<unknown> | undefined;
  /** Is a request refused whose first event is lost? */
  readonly isStrict: boolean;
  /** A body in YAML as JSON. */
  readonly yamlJson: (body: Buffer) => string;
}

/** The request that is recorded. */
export interface RecordedRequest {
  readonly incoming: Pick<IncomingRequest, 'header' | 'peer'>;
  readonly route: Route;
  /** The path and the query as they were sent. */
  readonly requestURI: string;
  readonly auditId: string;
}

const AGENT_MAX = 1024;
const URI_MAX = 64 * 1024;
const SLOW_MS = 500;
const LONG_SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);
const TRUNCATED = 'audit.k8s.io/truncated';

/** What is known once the level is; a request that is not recorded has none of it. */
interface Recorded {
  readonly ruling: AuditRuling;
  readonly call: AuditedCall;
  readonly who: string;
  how: string;
  readonly received: string;
  object: AuditedObject | undefined;
}

/** One request. The pipeline calls it at each step; the verbs see it as `AuditNotes`. */
export class AuditRecord implements AuditNotes {
  readonly #parts: AuditRecordParts;
  readonly #receivedAt: number;
  readonly #startedMs: number;
  readonly #isLong: boolean;
  /** Dropped when the level is known: a watch would keep its headers. */
  #request: RecordedRequest | undefined;
  #recorded: Recorded | undefined;
  #impersonated: UserInfo | undefined;
  #annotations: Map<string, string> | undefined;
  #requestJson: string | undefined;
  #patch: Buffer | undefined;
  #responseJson: Buffer | CopiedChunks | undefined;
  #status: Status | undefined;
  #code: number | undefined;
  #panic: string | undefined;
  #pending: Promise<boolean> | undefined;
  #isPassed = false;
  #isDeprecated = false;
  #isOver = false;

  constructor(parts: AuditRecordParts, request: RecordedRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#receivedAt = parts.time.now();
    this.#startedMs = parts.time.monotonic();
    this.#isLong = isLong(request.route);
  }

  get takesRequest(): boolean {
    return this.#recorded !== undefined && hasLevel(this.#recorded.ruling.level, 'Request');
  }

  get takesResponse(): boolean {
    return this.#recorded !== undefined && hasLevel(this.#recorded.ruling.level, 'RequestResponse');
  }

  /** For the verbs; undefined when nothing is recorded. */
  get notes(): AuditNotes | undefined {
    return this.#recorded === undefined || this.#isOver ? undefined : this;
  }

  /** The user is known. Resolves with false when the request must be refused; undefined: it goes on. */
  authenticated(user: UserInfo): Promise<boolean> | undefined {
    this.#decide(user);
    const stored = this.#emit('RequestReceived', this.#receivedAt);
    if (stored === undefined || !this.#parts.isStrict) {
      this.#pending = stored;
      return undefined;
    }
    return stored.then((isStored) => {
      // A request that is refused because it cannot be recorded leaves no record.
      if (!isStored) this.#isOver = true;
      return isStored;
    });
  }

  /** The user acts as another one. `constraint`: how that was allowed, `''` for the plain right. */
  impersonated(user: UserInfo, constraint: string): void {
    if (this.#recorded === undefined) return;
    this.#impersonated = user;
    this.#recorded.how = howText(this.#recorded.call, user, constraint);
  }

  /** The request was authorized or not; undefined: nobody could decide. */
  decided(decision: AccessDecision | undefined): void {
    if (this.#recorded === undefined) return;
    if (decision !== undefined) this.annotate('authorization.k8s.io/decision', decision.allowed ? 'allow' : 'forbid');
    this.annotate('authorization.k8s.io/reason', decision === undefined ? 'internal error' : (decision.reason ?? ''));
  }

  annotate(key: string, value: string): void {
    if (this.#recorded === undefined) return;
    this.#annotations ??= new Map();
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  deprecated(): void {
    this.#isDeprecated = true;
  }

  sent({ namespace = '', name = '', uid = '', resourceVersion = '' }: SentMetadata, json: Buffer | undefined): void {
    if (json !== undefined) this.requestObject(json);
    const object = this.#recorded?.object;
    if (this.#recorded === undefined || object === undefined) return;
    this.#recorded.object = {
      ...object,
      namespace: object.namespace || namespace,
      name: object.name || name,
      uid: object.uid || uid,
      resourceVersion: object.resourceVersion || resourceVersion,
    };
  }

  requestObject(json: Buffer): void {
    if (this.takesRequest) this.#requestJson = this.#line(json);
  }

  patch(body: Buffer): void {
    if (this.takesRequest) this.#patch = body;
  }

  responseObject(json: Buffer): void {
    if (this.takesResponse) this.#responseJson = json;
  }

  status(status: Status): void {
    this.#status = status;
  }

  /** An answer is about to be sent: the answer to send. Waits for a backend that blocks. */
  async answering(response: ApiResponse): Promise<ApiResponse> {
    if (this.#recorded === undefined || this.#isOver) return response;
    const shown = this.#noted(response);
    await this.#begin();
    return shown;
  }

  /** A refusal is about to be sent. `cause`: what made the server fail. */
  async failing(error: StatusError, response: BytesResponse, cause: string | undefined): Promise<void> {
    if (this.#isOver) return;
    this.#status = error.status;
    this.#code = response.status;
    if (this.#request !== undefined) {
      // The user is unknown: one event, as in Kubernetes.
      this.#decide(undefined);
      void this.#emit('ResponseStarted');
      this.#isOver = true;
      // Strangers must not fill the memory with events that a slow backend has not taken.
      await this.#parts.room();
      return;
    }
    this.#panic = cause;
    await this.#begin();
  }

  /** Another server answers, and records it by itself. */
  passed(reason: string): void {
    this.annotate('listwatch.dev/passed', reason);
    this.#isPassed = true;
  }

  /** The answer is out, or the client has gone. `status`: the one that was sent; 0: none was. */
  closed(status: number = 0): void {
    if (this.#isOver || this.#recorded === undefined) return;
    if (this.#isPassed && status !== 0) this.#code = status;
    if (this.#code === undefined) {
      this.#code = 200;
      this.#status = { kind: 'Status', apiVersion: 'v1', status: 'Success', message: 'Connection closed early' };
      if (this.#isLong) void this.#emit('ResponseStarted');
    }
    this.#isOver = true;
    const ms = this.#parts.time.monotonic() - this.#startedMs;
    if (ms > SLOW_MS && !this.#isLong) {
      this.annotate('apiserver.latency.k8s.io/total', durationText(BigInt(Math.round(ms * 1e6))));
    }
    // As in Kubernetes, the event of a watch that begins does not have it yet, and that of a panic not at all.
    if (this.#isDeprecated && this.#panic === undefined) this.annotate('k8s.io/deprecated', 'true');
    void this.#emit(this.#panic === undefined ? 'ResponseComplete' : 'Panic');
  }

  async #begin(): Promise<void> {
    // A slow disk must not let requests pass whose events are still in memory.
    const started = this.#isLong ? this.#emit('ResponseStarted') : undefined;
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending !== undefined) await pending;
    if (started !== undefined) await started;
    const room = this.#parts.room();
    if (room !== undefined) await room;
  }

  #noted(response: ApiResponse): ApiResponse {
    this.#code = codeOf(response);
    if (response.type === 'watch' || response.type === 'tunnel') return response;
    if (response.type === 'bytes' && response.status >= 400) this.#status ??= statusIn(response);
    if (!this.takesResponse || !isJson(response)) return response;
    if (response.type === 'bytes') {
      this.#responseJson = response.body;
      return response;
    }
    const copies = new CopiedChunks();
    this.#responseJson = copies;
    return copies.copying(response);
  }

  #decide(user: UserInfo | undefined): void {
    const request = this.#request;
    this.#request = undefined;
    if (request === undefined) return;
    const { route, incoming, requestURI, auditId } = request;
    const ruling = this.#parts.rule(route, user);
    if (ruling.level === 'None') return;
    const call: AuditedCall = {
      auditId,
      requestURI: requestURI.length > URI_MAX ? cut(requestURI, URI_MAX) : requestURI,
      verb: route.verb,
      sourceIPs: sourceAddresses(incoming),
      userAgent: agentOf(incoming.header('user-agent')),
      receivedAt: this.#receivedAt,
      user,
    };
    const object = objectOf(route);
    this.#recorded = {
      ruling,
      call,
      who: whoText(call),
      how: howText(call),
      received: auditTimeText(this.#receivedAt),
      object,
    };
  }

  #emit(stage: AuditStage, at: number = this.#parts.time.now()): Promise<boolean> | undefined {
    const recorded = this.#recorded;
    if (recorded === undefined || recorded.ruling.omitStages.has(stage)) return undefined;
    const { ruling, call, who, how, received, object } = recorded;
    const isFirst = stage === 'RequestReceived';
    const responseObject = isFirst ? undefined : this.#responseText(stage);
    const requestObject = isFirst ? undefined : this.#requestText();
    return this.#parts.take({
      level: ruling.level,
      stage,
      call,
      impersonated: this.#impersonated,
      object,
      code: isFirst ? undefined : this.#code,
      at,
      who,
      how,
      responseStatus: isFirst ? undefined : this.#statusText(stage),
      requestObject,
      responseObject,
      received,
      stageTime: isFirst ? received : auditTimeText(at),
      annotations: isFirst ? undefined : this.#annotations,
    });
  }

  #statusText(stage: AuditStage): string {
    if (stage !== 'Panic') return responseStatusText(this.#status, this.#code ?? 200);
    const message = `APIServer panic'd: ${this.#panic ?? ''}`;
    return auditJson({ metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 });
  }

  #requestText(): string | undefined {
    if (this.#requestJson !== undefined || this.#patch === undefined) return this.#requestJson;
    const body = this.#patch;
    this.#patch = undefined;
    try {
      const isYaml = !/^\s*[[{]/u.test(body.toString('latin1', 0, 256));
      // What was refused may be anything, and would spoil the line; what was accepted has been parsed.
      if (!isYaml && (this.#code ?? 500) >= 400) JSON.parse(body.toString());
      this.#requestJson = this.#line(isYaml ? Buffer.from(this.#parts.yamlJson(body)) : body);
    } catch {
      // Nothing is shown of a patch that cannot be read, as of any other body.
    }
    return this.#requestJson;
  }

  #responseText(stage: AuditStage): string | undefined {
    if (!this.takesResponse || stage === 'Panic') return undefined;
    if (this.#responseJson instanceof CopiedChunks) {
      const { whole, isCut } = this.#responseJson;
      if (isCut) this.annotate(TRUNCATED, 'true');
      return whole === undefined || whole.length === 0 ? undefined : this.#line(whole);
    }
    if (this.#responseJson !== undefined) return this.#line(this.#responseJson);
    return this.#status === undefined || this.#status.message === 'Connection closed early'
      ? undefined
      : auditJson(this.#status);
  }

  #line(json: Buffer): string | undefined {
    try {
      return this.#recorded?.ruling.omitManagedFields === true ? jsonLineWithoutManagedFields(json) : jsonLine(json);
    } catch {
      return undefined;
    }
  }
}

/** As in Kubernetes: these may last, and say when they begin. */
function isLong({ kind, path }: Route): boolean {
  return kind === 'watch' || (path.type === 'resource' && LONG_SUBRESOURCES.has(path.subresource));
}

function agentOf(header: string | undefined): string {
  const agent = headerUtf8((header ?? '').slice(0, 2 * AGENT_MAX));
  return agent.length > AGENT_MAX ? cut(agent, AGENT_MAX) : agent;
}

function cut(text: string, length: number): string {
  return `${text.slice(0, length)}...TRUNCATED`;
}

function objectOf({ path, name }: Route): AuditedObject | undefined {
  if (path.type !== 'resource') return undefined;
  const { resource, namespace, group: apiGroup, version: apiVersion, subresource } = path;
  return { resource, namespace, name, uid: '', apiGroup, apiVersion, resourceVersion: '', subresource };
}

/** A connection that changes its protocol is answered with 101. */
function codeOf(response: ApiResponse): number {
  if (response.type === 'watch') return 200;
  return response.type === 'tunnel' ? 101 : response.status;
}
