import { describe, expect, it } from 'vitest';
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  decodeContinueToken,
  escapeFieldValue,
  jsonSyntaxError,
  parseBoolean,
  parseFieldSelector,
  parseLabelSelector,
  parseListOptions,
  parseQuery,
  parseRequestPath,
  parseUint64,
  quote,
  validateAnnotations,
  validateLabels,
} from './index.ts';

/** Long enough that work which grows with the square of the text takes minutes. */
const LENGTH = 100_000;

const PIECES = ['0', 'a', '-', '.', '/', 'a.', 'a-', '-.', '%', '~', '=', 'a=b,', 'a in (', 'a,', '!', '!a,', ' '];
const MORE = ['\\', '\\,', '"', '\0', '\u00e9', '\ud800', '&', 'a=1&', '?', '1e', '"rv":', '"rv" ', '[', '{"a":', '<'];

const TEXTS = [...PIECES, ...MORE].flatMap((piece) => {
  const long = piece.repeat(LENGTH / piece.length);
  return [long, `${long}!`, `1${long}`];
});

/** Everything that reads text which a client or a server sent. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  decodeContinueToken: (text) => decodeContinueToken(btoa(encodeURI(text.replaceAll('\ud800', 'x')))),
  escapeFieldValue,
  jsonSyntaxError: (text) => jsonSyntaxError(new TextEncoder().encode(text)),
  parseBoolean,
  parseFieldSelector,
  'parseFieldSelector of a value': (text) => parseFieldSelector(`a=${text}`),
  parseLabelSelector,
  'parseLabelSelector of a value': (text) => parseLabelSelector(`a=${text}`),
  'parseLabelSelector of a set': (text) => parseLabelSelector(`a in (${text})`),
  'parseLabelSelector of a number': (text) => parseLabelSelector(`a>${text}`),
  parseListOptions: (text) => parseListOptions(`limit=${text}&timeoutSeconds=${text}`),
  parseQuery,
  parseRequestPath,
  parseUint64,
  quote,
  validateAnnotations: (text) => validateAnnotations({ [text]: text }, 'f'),
  validateLabels: (text) => validateLabels({ [text]: text }, 'f'),
};

describe('long repetitive text takes no longer than its length', () => {
  it.each(Object.entries(READERS))('%s', { timeout: 30_000 }, (_, read) => {
    const errors = TEXTS.map((text) => {
      try {
        read(text);
        return undefined;
      } catch (error) {
        return error;
      }
    });
    expect(errors.filter((error) => error instanceof RangeError)).toEqual([]);
  });
});
