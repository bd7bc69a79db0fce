/** What a server may answer to anything at all. */

import { parseDocument } from '../server/server-answer.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** What came back. */
export interface FuzzOutcome {
  /** 101 for a WebSocket that was opened. */
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** The answer went on, and we hung up. */
  readonly cut: boolean;
}

/** Failures of a server that are Kubernetes' own answers to a bad request. */
const DOCUMENTED: readonly { readonly status: number; readonly message: RegExp }[] = [
  { status: 504, message: /Too large resource version: \d+, current: \d+/u },
  { status: 504, message: /request did not complete within/u },
  { status: 500, message: /etcdserver: request is too large/u },
  { status: 500, message: /resourceVersion: Invalid value: /u },
  { status: 500, message: /resourceVersion should not be set on objects to be created/u },
  { status: 500, message: /strconv\.ParseUint: parsing "[^"]*": /u },
  // A strategic merge patch that does not fit the object.
  {
    status: 500,
    message: /does not contain declared merge key: |unknown patch type: |merging lists cannot yet be specified/u,
  },
  { status: 500, message: /list element types are not identical: |no elements in any of the given slices/u },
  {
    status: 500,
    message: /unable to find api field in struct |merging an object in json but data type is not struct/u,
  },
  {
    status: 500,
    message: /expected a (map\[string\]|\[\])interface \{\}, but received a |cannot merge lists without merge key/u,
  },
  {
    status: 500,
    message: /The order in patch list:|expected slice or array type, but got: |lists of lists are not supported/u,
  },
  // An apply whose configuration does not fit the schema, or is none.
  {
    status: 500,
    message:
      /failed to (create typed|convert new|create manager for|decode managed fields)|unable to convert unstructured object/u,
  },
  // A custom object whose definition names a field for the scale that it does not have.
  { status: 500, message: /the spec replicas field "[^"]*" does not exist/u },
  // The webhook of a definition cannot be reached, or answers nonsense.
  { status: 500, message: /conversion webhook for \S+, Kind=\S+ failed: /u },
];

/** How a Status in protobuf begins: the magic prefix, and the type with its two texts. */
const SEALED_STATUS = 'k8s\0\n\u000c\n\u0002v1\u0012\u0006Status';

const PLAIN_404 = '404 page not found\n';

/** What is wrong with an outcome; undefined when nothing is. */
export function complaintAbout(request: FuzzRequest, outcome: FuzzOutcome): string | undefined {
  const { status, body } = outcome;
  if (status < 101 || status > 599) return `no status: ${status}`;
  if (status < 400) return isWatchText(outcome) ? brokenLine(body) : undefined;
  if (request.method === 'HEAD') return body === '' ? serverFailure(status, '') : 'an answer to HEAD has a body';
  if (request.transport === 'websocket' && [400, 403, 405].includes(status) && body.length < 80 && body[0] !== '{') {
    return undefined;
  }
  if (status === 404 && body === PLAIN_404) return undefined;
  // OpenAPI refuses without a body.
  if (request.target.startsWith('/openapi/') && (status === 404 || status === 406) && body === '') return undefined;
  const message = statusMessage(outcome);
  if (message === undefined) return `${status} without a Status: ${body.slice(0, 200)}`;
  return serverFailure(status, message);
}

function isWatchText({ status, body }: FuzzOutcome): boolean {
  return status === 200 && body.startsWith('{"type":"');
}

/** Every whole line of a watch is an event. */
function brokenLine(body: string): string | undefined {
  for (const line of body.split('\n').slice(0, -1)) {
    try {
      const { type, object } = parseDocument(line);
      if (typeof type !== 'string' || typeof object !== 'object') return `no event: ${line.slice(0, 200)}`;
    } catch {
      return `a line of a watch is no JSON: ${line.slice(0, 200)}`;
    }
  }
  return undefined;
}

function serverFailure(status: number, message: string): string | undefined {
  if (status < 500) return undefined;
  if (message === '' || DOCUMENTED.some((known) => known.status === status && known.message.test(message)))
    return undefined;
  return `${status}: ${message}`;
}

/** The message of a Status; undefined when the body is none. */
function statusMessage({ status, contentType, body }: FuzzOutcome): string | undefined {
  if (contentType === 'application/yaml') {
    const isStatus = /^kind: Status$/mu.test(body) && new RegExp(`^code: ${status}$`, 'mu').test(body);
    // YAML may quote or fold a message; what it says is in the text all the same.
    return isStatus ? body : undefined;
  }
  // The bytes were read as text, which keeps the words of a message and loses its numbers.
  if (contentType === 'application/vnd.kubernetes.protobuf') return body.startsWith(SEALED_STATUS) ? body : undefined;
  try {
    const { kind, code, message = '' } = parseDocument(body);
    return kind === 'Status' && code === status ? message : undefined;
  } catch {
    return undefined;
  }
}

const FORESEEN =
  /custom resource definitions: Error: \w+\.fuzz\.example\.com: could not confirm zero CustomResources remaining/u;

/**
 * Whether the log of a server tells of what a fuzzer may bring about: an object with a finalizer keeps its definition, and after a minute the server says that
 * the deletion has to begin again. Runs of less than a minute never see it.
 */
export function isForeseen(report: string): boolean {
  return FORESEEN.test(report);
}
