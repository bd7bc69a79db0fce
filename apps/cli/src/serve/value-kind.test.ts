import { describe, expect, it } from 'vitest';
import {
  age,
  duration,
  etcdEndpoints,
  etcdKeyPrefix,
  ipAddressValue,
  nonEmpty,
  oneOfWords,
  port,
  resourceSizes,
  type ValueKind,
  verbosity,
  wholeNumber,
} from './value-kind.ts';

interface Case {
  readonly name: string;
  readonly kind: ValueKind<unknown>;
  readonly right: readonly (readonly [text: string, value: unknown])[];
  readonly wrong: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: 'a port',
    kind: port(),
    right: [
      ['0', 0],
      ['6443', 6443],
      ['65535', 65_535],
    ],
    wrong: ['', '-1', '65536', '1.5', '1e3', '0x10', ' 1', 'https'],
  },
  {
    name: 'a whole number with a lower limit',
    kind: wholeNumber(1),
    right: [['9007199254740991', Number.MAX_SAFE_INTEGER]],
    wrong: ['0', '9007199254740992', 'NaN', 'Infinity'],
  },
  {
    name: 'a verbosity',
    kind: verbosity(),
    right: [
      ['0', 0],
      ['10', 10],
      ['=4', 4],
    ],
    wrong: ['', '=', '11', 'high'],
  },
  { name: 'a word', kind: oneOfWords('lmdb', 'etcd'), right: [['etcd', 'etcd']], wrong: ['', 'ETCD', 'lmdb,etcd'] },
  {
    name: 'a time above zero',
    kind: duration({ least: 1 }),
    right: [
      ['500ms', 500],
      ['1m30s', 90_000],
      ['0.5s', 500],
      ['24d', 2_073_600_000],
    ],
    wrong: ['', '0', '0s', '60', '-1s', '1 s', '1w', '25d', 's', '1h30'],
  },
  {
    name: 'a time for which seconds need no unit',
    kind: duration({ least: 1, bareUnit: 's' }),
    right: [
      ['1800', 1_800_000],
      ['30m', 1_800_000],
    ],
    wrong: ['0', '1.5', 'soon'],
  },
  {
    name: 'a time that may be zero',
    kind: duration(),
    right: [
      ['0', 0],
      ['0s', 0],
    ],
    wrong: ['1', '1µs'],
  },
  {
    name: 'an age, longer than any timer',
    kind: age(),
    right: [
      ['24h', 86_400_000],
      ['365d', 31_536_000_000],
    ],
    wrong: ['', '24', 'forever', '9999999999999999d'],
  },
  {
    name: 'an IP address',
    kind: ipAddressValue(),
    right: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
    ],
    wrong: ['', 'localhost', '1.2.3', '[::1]', '127.0.0.1:80'],
  },
  { name: 'a path', kind: nonEmpty('a file'), right: [['./a b', './a b']], wrong: [''] },
  {
    name: 'a prefix of keys, which loses the slash at its end',
    kind: etcdKeyPrefix(),
    right: [
      ['/a/b/', '/a/b'],
      ['/', ''],
    ],
    wrong: ['', 'a', '/a\0'],
  },
  {
    name: 'the members of etcd',
    kind: etcdEndpoints(),
    right: [
      ['http://a:2379', ['http://a:2379']],
      ['https://a:1, https://[::1]:2', ['https://a:1', 'https://[::1]:2']],
    ],
    wrong: ['', 'a:2379', 'http://a:1,https://b:1', 'http://a:1,', 'http://u:p@a:1', 'http://a:1/path', 'ftp://a'],
  },
  {
    name: 'sizes of single resources',
    kind: resourceSizes(),
    right: [
      ['pods#1000', { pods: 1000 }],
      ['pods#1, deployments.apps#20', { pods: 1, 'deployments.apps': 20 }],
      ['events#0,events.events.k8s.io#7', { events: 0, 'events.events.k8s.io': 7 }],
    ],
    wrong: ['', 'pods', 'pods#', 'pods#01', 'pods#-1', 'deployments.#1', 'Pods#1', 'pods=1', 'pods#1,', '#5'],
  },
];

describe.each(CASES)('$name', ({ kind, right, wrong }) => {
  it.each(right)('is read from %j', (text, value) => {
    expect(kind.parse(text)).toEqual(value);
  });

  it.each(wrong)('is not %j', (text) => {
    expect(kind.parse(text)).toBeUndefined();
  });
});
