/** Failures that only have an HTTP status code to go by: paths and methods a server lacks, answers a client cannot read. */
import { quote } from '../names/quote.ts';
import { type GroupResource, groupResourceText } from '../objects/resource.ts';
import type { StatusReason } from './status.ts';
import { failure, type StatusError } from './status-error.ts';

/** What is known besides the status code. */
export interface GenericFailureOptions {
  /** What was said in words, shown for 403, 406, 415 and 5xx. Default: nothing. */
  readonly serverMessage?: string | undefined;
  /** The HTTP method; with `resource` it is part of the message, and a POST turns 409 into AlreadyExists. */
  readonly method?: string | undefined;
  readonly resource?: GroupResource | undefined;
  readonly name?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Did the answer lack the form of the API? Then a cause keeps `serverMessage`. Default: false. */
  readonly unexpected?: boolean | undefined;
}

type Meaning = readonly [reason: StatusReason, message: (serverMessage: string) => string];

const MEANING: Readonly<Record<number, Meaning>> = {
  400: ['BadRequest', () => 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', () => 'the server has asked for the client to provide credentials'],
  403: ['Forbidden', (said) => said],
  404: ['NotFound', () => 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', () => 'the server does not allow this method on the requested resource'],
  406: ['NotAcceptable', notAcceptableText],
  409: ['Conflict', () => 'the server reported a conflict'],
  415: ['UnsupportedMediaType', (said) => said],
  422: ['Invalid', () => 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', () => 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', () => 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    () => 'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

const SERVER_ERROR: Meaning = [
  'InternalError',
  (said) => `an error on the server (${quote(said)}) has prevented the request from succeeding`,
];

/** The failure that a bare status code stands for, with the words of Kubernetes. */
export function genericFailure(code: number, options: GenericFailureOptions = {}): StatusError {
  const { serverMessage = '', method = '', resource, name = '', retryAfterSeconds = 0, unexpected = false } = options;
  const [meant, text] = MEANING[code] ?? (code >= 500 ? SERVER_ERROR : unknown(code));
  const reason = code === 409 && method === 'POST' ? 'AlreadyExists' : meant;
  const subject =
    resource === undefined ? '' : ` (${[method.toLowerCase(), groupResourceText(resource), name].join(' ').trimEnd()})`;
  return failure({
    code,
    reason,
    message: text(serverMessage) + subject,
    details: {
      name,
      group: resource?.group ?? '',
      kind: resource?.plural ?? '',
      causes: unexpected ? [{ reason: 'UnexpectedServerResponse', message: serverMessage }] : [],
      retryAfterSeconds,
    },
  });
}

function unknown(code: number): Meaning {
  return ['', () => `the server responded with the status code ${code} but did not return more information`];
}

function notAcceptableText(said: string): string {
  return said === '' || said === 'unknown'
    ? 'the server was unable to respond with a content type that the client supports'
    : said;
}
