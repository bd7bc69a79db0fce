import { forbidden, internalError, notFound, unauthorized } from '@listwatch/api';
import { TransportError } from '@listwatch/client';
import { expect, it } from 'vitest';
import { explainNoAnswer, explainRefusal } from './explain-refusal.ts';

const pods = { group: '', plural: 'pods' };
const attempt = { server: 'https://h:6443', what: 'watch pods in default' };

it.each([
  [
    '401',
    unauthorized('the token has run out'),
    /^https:\/\/h:6443 rejected the credentials \(401\): .*\. Log in again/u,
  ],
  ['403', forbidden(pods, '', 'not you'), /^not allowed to watch pods in default \(403\): .*not you/u],
  ['404', notFound(pods, ''), /^https:\/\/h:6443 cannot watch pods in default \(404\): /u],
])('%s is a sentence that says what to do, also as the cause of another error', (_, error, sentence) => {
  expect(explainRefusal(error, attempt)).toMatch(sentence);
  expect(explainRefusal(new Error('listing failed', { cause: error }), attempt)).toMatch(sentence);
});

it.each([
  [internalError('oh'), /^https:\/\/h:6443 refused to watch pods in default: .*oh/u],
  [new TransportError('CONNECT', 'cannot connect to h: ECONNREFUSED'), /^cannot connect to h: ECONNREFUSED$/u],
  [
    new TransportError('CONNECT', 'cannot connect to h: self-signed certificate'),
    /certificate; pass its CA certificate with --certificate-authority$/u,
  ],
  [new TransportError('HEADERS_TIMEOUT', 'nothing in 90 s'), /^no answer from https:\/\/h:6443: nothing in 90 s$/u],
])('%s while it begins is a sentence, but waiting might cure it later', (error, sentence) => {
  expect(explainNoAnswer(error, attempt)).toMatch(sentence);
  expect(explainRefusal(error, attempt)).toBeUndefined();
});

it('what nobody foresaw keeps its stack', () => {
  expect(explainNoAnswer(new TypeError('a bug'), attempt)).toBeUndefined();
});
