import { describe, expect, test } from 'vitest';
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  checkPathSegmentPrefix,
  generatedNameSample,
  patternText,
} from './name-syntax.ts';

const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

describe('DNS-1123 labels', () => {
  test.each(['a', '0', 'a-b', '1-2', 'x'.repeat(63)])('%s is legal', (name) => {
    expect(checkDnsLabel(name)).toEqual([]);
  });

  test.each([
    ['', [LABEL_RULE]],
    ['A', [LABEL_RULE]],
    ['-a', [LABEL_RULE]],
    ['a-', [LABEL_RULE]],
    ['a_b', [LABEL_RULE]],
    ['a\n', [LABEL_RULE]],
    ['a.b', ['must not contain dots']],
    ['x'.repeat(64), ['must be no more than 63 characters']],
    ['é'.repeat(32), ['must be no more than 63 characters', LABEL_RULE]],
  ])('%j is refused', (name, complaints) => {
    expect(checkDnsLabel(name)).toEqual(complaints);
  });
});

describe('DNS-1123 subdomains', () => {
  test.each(['a', 'a.b', '1.2-3.c', 'x'.repeat(253)])('%s is legal', (name) => {
    expect(checkDnsSubdomain(name)).toEqual([]);
  });

  test.each([
    ['', [SUBDOMAIN_RULE]],
    ['..', [SUBDOMAIN_RULE]],
    ['a..b', [SUBDOMAIN_RULE]],
    ['a/b', [SUBDOMAIN_RULE]],
    ['Abc', [SUBDOMAIN_RULE]],
    ['x'.repeat(254), ['must be no more than 253 characters']],
    [`${'x'.repeat(254)}.`, ['must be no more than 253 characters', SUBDOMAIN_RULE]],
  ])('%j is refused', (name, complaints) => {
    expect(checkDnsSubdomain(name)).toEqual(complaints);
  });
});

describe('DNS-1035 labels', () => {
  test.each(['a', 'a-1', 'x'.repeat(63)])('%s is legal', (name) => {
    expect(checkDns1035Label(name)).toEqual([]);
  });

  test.each([
    ['1a', [LABEL_1035_RULE]],
    ['a.b', [LABEL_1035_RULE]],
    ['x'.repeat(64), ['must be no more than 63 characters']],
  ])('%j is refused', (name, complaints) => {
    expect(checkDns1035Label(name)).toEqual(complaints);
  });
});

describe('path segments', () => {
  test.each([
    ['', []],
    ['a:b', []],
    ['...', []],
    ['.', ["may not be '.'"]],
    ['..', ["may not be '..'"]],
    ['a/b', ["may not contain '/'"]],
    ['a%/', ["may not contain '/'", "may not contain '%'"]],
  ])('%j', (name, complaints) => {
    expect(checkPathSegment(name)).toEqual(complaints);
  });

  test('the beginning of a name may be dots, since more follows', () => {
    expect(checkPathSegmentPrefix('..')).toEqual([]);
  });
});

describe('the sample of a generated name', () => {
  test.each([
    ['gen', 'gen'],
    ['gen-', 'gea'],
    ['-', '-'],
    ['', ''],
  ])('%j is checked as %j', (generateName, sample) => {
    expect(generatedNameSample(generateName)).toBe(sample);
  });
});

test('a pattern without examples is shown without any', () => {
  expect(patternText('must be a digit', '[0-9]', [])).toBe("must be a digit (regex used for validation is '[0-9]')");
});
