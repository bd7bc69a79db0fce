import { describe, expect, test } from 'vitest';
import { encodeBase64Url } from './base64url.ts';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';

const tokenOf = (json: string): string => encodeBase64Url(new TextEncoder().encode(json));

test('a token is JSON in base64 for URLs', () => {
  expect(encodeContinueToken({ revision: 812n, start: 'template-0016\0' })).toBe(
    tokenOf('{"v":"meta.k8s.io/v1","rv":812,"start":"template-0016\\u0000"}'),
  );
});

test('a token without a revision goes on at the latest', () => {
  const token = tokenOf('{"v":"meta.k8s.io/v1","rv":-1,"start":"a\\u0000"}');
  expect(encodeContinueToken({ revision: undefined, start: 'a\0' })).toBe(token);
  expect(decodeContinueToken(token)).toEqual({ revision: undefined, start: 'a\0' });
});

describe('tokens that other servers write are read', () => {
  test.each([
    ['with a slash in front', '{"v":"meta.k8s.io/v1","rv":5,"start":"/p0\\u0000"}', 5n, 'p0\0'],
    ['without one', '{"v":"meta.k8s.io/v1","rv":5,"start":"ns/p0\\u0000"}', 5n, 'ns/p0\0'],
    ['in another order, with more in it', '{ "start":"a", "x":[1], "rv" : 7 ,"v":"meta.k8s.io/v1"}', 7n, 'a'],
    [
      'beyond the numbers of JavaScript',
      '{"v":"meta.k8s.io/v1","rv":9007199254740993,"start":"a"}',
      9007199254740993n,
      'a',
    ],
    ['with any negative revision', '{"v":"meta.k8s.io/v1","rv":-7,"start":"a"}', undefined, 'a'],
    ['with a key that talks of revisions', '{"v":"meta.k8s.io/v1","rv":3,"start":"\\"rv\\":9"}', 3n, '"rv":9'],
    ['with another revision inside', '{"v":"meta.k8s.io/v1","rv":3,"x":{"rv":9},"y\\"rv":8,"start":"a"}', 3n, 'a'],
    ['from the root', '{"v":"meta.k8s.io/v1","rv":3,"start":"/"}', 3n, ''],
    ['with dots that are part of a name', '{"v":"meta.k8s.io/v1","rv":3,"start":"..a/b..\\u0000"}', 3n, '..a/b..\0'],
  ])('%s', (_name, json, revision, start) => {
    expect(decodeContinueToken(tokenOf(json))).toEqual({ revision, start });
  });
});

describe('a bad token is a bad request with the text of Kubernetes', () => {
  test.each([
    ['zzz', ": invalid character 'Ï' looking for beginning of value"],
    ['', ': unexpected end of JSON input'],
    ['a', ': illegal base64 data at input byte 0'],
    ['YQ==', ': illegal base64 data at input byte 2'],
    [tokenOf('hello'), ": invalid character 'h' looking for beginning of value"],
    [tokenOf('{"v":'), ': unexpected end of JSON input'],
    [tokenOf('[]'), ': json: cannot unmarshal array into Go value of type storage.continueToken'],
    [tokenOf('"x"'), ': json: cannot unmarshal string into Go value of type storage.continueToken'],
    [tokenOf('true'), ': json: cannot unmarshal bool into Go value of type storage.continueToken'],
    [tokenOf('null'), ': server does not recognize this encoded version '],
    [tokenOf('{"v":"v9","rv":5,"start":"x"}'), ': server does not recognize this encoded version v9'],
    [tokenOf('{"v":1}'), ': json: cannot unmarshal number into Go struct field continueToken.v of type string'],
    [
      tokenOf('{"v":"meta.k8s.io/v1","rv":"5","start":"x"}'),
      ': json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
    ],
    [
      tokenOf('{"v":"meta.k8s.io/v1","rv":1.5,"start":"x"}'),
      ': json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
    ],
    [
      tokenOf('{"v":"meta.k8s.io/v1","rv":1e3,"start":"x"}'),
      ': json: cannot unmarshal number 1e3 into Go struct field continueToken.rv of type int64',
    ],
    [
      tokenOf('{"v":"meta.k8s.io/v1","rv":9223372036854775808,"start":"x"}'),
      ': json: cannot unmarshal number 9223372036854775808 into Go struct field continueToken.rv of type int64',
    ],
    [
      tokenOf('{"v":"meta.k8s.io/v1","rv":0,"start":"x"}'),
      ': incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    [
      tokenOf('{"v":"meta.k8s.io/v1","start":"x"}'),
      ': incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    [tokenOf('{"v":"meta.k8s.io/v1","rv":5,"start":""}'), ': encoded start key empty (version meta.k8s.io/v1)'],
    ...['../../x', 'a/../b', './a', 'a//b', 'a/', '/..', 'a/.'].map((start) => [
      tokenOf(`{"v":"meta.k8s.io/v1","rv":5,"start":"${start}"}`),
      `: ${start}`,
    ]),
  ])('%s', (token, why) => {
    expect(() => decodeContinueToken(token ?? '')).toThrow(
      expect.objectContaining({
        code: 'STATUS',
        httpCode: 400,
        reason: 'BadRequest',
        message: `invalid continue token: continue key is not valid${why}`,
      }),
    );
  });
});

test('a revision that is none is misuse', () => {
  expect(() => encodeContinueToken({ revision: 0n, start: 'a' })).toThrow(
    new RangeError('a revision is positive, not 0'),
  );
});
