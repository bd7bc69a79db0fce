import { describe, expect, it } from 'vitest';
import { ageText, bytesText, numberText } from './age-text.ts';
import { changedBy, fieldPaths } from './field-managers.ts';
import { MAX_FRAMES, readFrame, type WatchFrame, withFrames } from './frame-log.ts';
import { withoutSecretValues } from './hidden-secrets.ts';
import { joinSeries } from './overview-lines.ts';
import { RowHistory } from './row-history.ts';
import { joinTimeLines, timeLineOf, timeOf } from './time-line.ts';

describe('ages', () => {
  it.each([
    [-1, '0s'],
    [119_000, '119s'],
    [121_000, '2m1s'],
    [3 * 3600_000 - 1, '179m'],
    [3 * 3600_000, '3h'],
    [26 * 3600_000, '26h'],
    [50 * 3600_000, '2d2h'],
    [400 * 86_400_000, '400d'],
    [Number.NaN, '<unknown>'],
  ])('%d ms are %s, as kubectl prints them', (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });

  it('sizes and numbers have three digits', () => {
    expect([0, 1023, 1536, 123 * 2 ** 20].map(bytesText)).toEqual(['0 B', '1023 B', '1.5 KiB', '123 MiB']);
    expect([0, 0.123, 42, 12_345, 3_400_000].map(numberText)).toEqual(['0', '0.12', '42', '12.3k', '3.40M']);
  });
});

function entry(manager: string, time: string): object {
  return { manager, operation: 'Update', time, fieldsV1: {} };
}

describe('field managers', () => {
  it('own paths that people can read', () => {
    const fields = {
      'f:spec': {
        'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {} } },
        'f:finalizers': { '.': {}, 'v:"a"': {} },
      },
    };
    expect(fieldPaths(fields)).toEqual(['spec.containers[name="web"].image', 'spec.finalizers[="a"]']);
  });

  it('made a version when their entry is new or has changed', () => {
    expect(changedBy([entry('a', '1'), entry('b', '1')], [entry('a', '1'), entry('b', '2'), entry('c', '1')])).toEqual([
      'b',
      'c',
    ]);
    expect(changedBy([entry('a', '1'), entry('b', '1')], [entry('a', '1')])).toEqual(['b']);
  });
});

describe('the values of a Secret', () => {
  it('are hidden, in the copy of kubectl apply too', () => {
    const last = 'kubectl.kubernetes.io/last-applied-configuration';
    const secret = {
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name: 'a', annotations: { [last]: '{"data":{"k":"aHVudGVyMg=="}}', other: 'x' } },
      data: { k: 'aHVudGVyMg==' },
      stringData: { l: 'hunter2' },
    };
    const text = JSON.stringify(withoutSecretValues(secret));
    expect(text).not.toMatch(/aHVudGVyMg|hunter2/u);
    expect(text).toContain('7 bytes');
    expect(text).toContain('"other":"x"');
  });

  it('are no matter of other kinds', () => {
    const object = { kind: 'ConfigMap', data: { a: 'b' } };
    expect(withoutSecretValues(object)).toBe(object);
  });
});

describe('the plots', () => {
  it('join the lines of the stream, by metric and labels, and forget after an hour', () => {
    const labels = { verb: 'get', code: '200' };
    const first = { stepSeconds: 10, times: [0, 10], lines: [{ metric: 'changesPerSecond' as const, values: [1, 2] }] };
    const second = {
      stepSeconds: 10,
      times: [10, 20],
      lines: [
        { metric: 'changesPerSecond' as const, values: [2, 3] },
        { metric: 'requestsPerSecond' as const, labels, values: [null, 5] },
      ],
    };
    expect(joinSeries(joinSeries(undefined, first), second)).toEqual({
      stepSeconds: 10,
      times: [0, 10, 20],
      lines: [
        { metric: 'changesPerSecond', values: [1, 2, 3] },
        { metric: 'requestsPerSecond', labels, values: [null, null, 5] },
      ],
    });
    const late = { stepSeconds: 10, times: [3615], lines: [{ metric: 'changesPerSecond' as const, values: [4] }] };
    expect(joinSeries(joinSeries(first, second), late).times).toEqual([20, 3615]);
  });
});

function at(ms: number): string {
  return new Date(ms).toISOString();
}

describe('the time line', () => {
  it('interpolates between the points that are known', () => {
    const line = timeLineOf({
      oldest: { resourceVersion: '10', at: at(1000) },
      newest: { resourceVersion: '30', at: at(5000) },
      points: [{ resourceVersion: '20', at: at(2000) }],
    });
    expect([10, 15, 20, 25, 30].map((version) => timeOf(line, version))).toEqual([1000, 1500, 2000, 3500, 5000]);
    expect([9, 31].map((version) => timeOf(line, version))).toEqual([undefined, undefined]);
  });
});

describe('a later line of the history', () => {
  it('adds its point, and drops what is no longer kept', () => {
    const joined = [timeLine(1, 10), timeLine(1, 20), timeLine(5, 30)].reduce(joinTimeLines);
    expect(joined.points.map(({ version }) => version)).toEqual([5, 10, 20, 30]);
    const many = Array.from({ length: 3000 }, (_, index) => timeLine(1, index + 2)).reduce(joinTimeLines);
    expect(many.points.length).toBeLessThanOrEqual(2000);
    expect([many.points[0]?.version, many.points.at(-1)?.version]).toEqual([1, 3001]);
  });
});

function timeLine(oldest: number, newest: number): ReturnType<typeof timeLineOf> {
  return timeLineOf({
    oldest: { resourceVersion: String(oldest), at: at(oldest * 100) },
    newest: { resourceVersion: String(newest), at: at(newest * 100) },
    points: [],
  });
}

function frame(number: number, raw: string): WatchFrame {
  return {
    ...readFrame(raw),
    number,
    watch: 1,
    at: 0,
    bytes: raw.length,
    delay: 0,
    raw,
  };
}

describe('the frames of the inspector', () => {
  it('are bounded by number and by bytes', () => {
    const many = Array.from({ length: MAX_FRAMES + 10 }, (_, index) => frame(index, '{}'));
    expect(withFrames([], many)).toHaveLength(MAX_FRAMES);
    const large = Array.from({ length: 30 }, (_, index) => frame(index, `"${'x'.repeat(2 ** 20)}"`));
    expect(withFrames([], large)).toHaveLength(15);
  });

  it('name the object, the version, the error', () => {
    const metadata = { name: 'a', namespace: 'b', resourceVersion: '5' };
    expect(readFrame(JSON.stringify({ type: 'ADDED', object: { metadata } }))).toEqual({
      type: 'ADDED',
      resourceVersion: '5',
      subject: 'b/a',
    });
    const table = { kind: 'Table', metadata: { resourceVersion: '6' }, rows: [{ object: { metadata } }] };
    expect(readFrame(JSON.stringify({ type: 'MODIFIED', object: table })).subject).toBe('b/a');
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
    expect(readFrame(JSON.stringify({ type: 'ERROR', object: status })).subject).toBe('410 Expired: too old');
    expect(readFrame('{').type).toBe('UNREADABLE');
  });
});

function row(name: string): { readonly metadata: { readonly name: string } } {
  return { metadata: { name } };
}

describe('what a table has shown', () => {
  it('is there at each version since it was opened', () => {
    const history = new RowHistory(3);
    history.begin('a', row('a'));
    expect(history.at(10)).toBeUndefined();
    history.begun(10);
    history.change('b', row('b'), 11);
    history.change('a', undefined, 12);
    const keys = (version: number): string => [...(history.at(version)?.keys() ?? ['none'])].join(' ');
    expect([9, 10, 11, 12].map(keys)).toEqual(['none', 'a', 'a b', 'b']);
    history.change('c', row('c'), 13);
    history.change('d', row('d'), 14);
    // The oldest change has become part of the beginning.
    expect([10, 11, 14].map(keys)).toEqual(['none', 'a b', 'b c d']);
  });
});
