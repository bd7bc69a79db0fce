import { mergedTolerations } from '@listwatch/rules/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdmissionServer, PODS, podOf } from './admission-server.fixture.ts';

const runtimeClass = {
  metadata: { name: 'r' },
  handler: 'h',
  overhead: { podFixed: { cpu: '100m' } },
  scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
};

describe('the RuntimeClass of pods', () => {
  let server: AdmissionServer;

  beforeEach(async () => {
    server = await AdmissionServer.start();
    await server.create('/apis/node.k8s.io/v1/runtimeclasses', runtimeClass);
  });

  afterEach(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('gives them its overhead, its nodes and its tolerations', async () => {
    const { spec } = await server.create(PODS, podOf('a', { runtimeClassName: 'r', nodeSelector: { c: 'd' } }));
    expect(spec).toMatchObject({ overhead: { cpu: '100m' }, nodeSelector: { a: 'b', c: 'd' } });
    expect(spec.tolerations).toHaveLength(3);
    expect(spec.tolerations[2]).toStrictEqual({ key: 'k', operator: 'Exists' });
  });

  it('must exist, and must not contradict the pod', async () => {
    const refusal = async (spec: object): Promise<string> => server.refusal(PODS, podOf('a', spec));
    expect(await refusal({ runtimeClassName: 'nope' })).toBe(
      'pods "a" is forbidden: pod rejected: RuntimeClass "nope" not found',
    );
    expect(await refusal({ runtimeClassName: 'r', nodeSelector: { a: 'c' } })).toBe(
      'pods "a" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[a] = b; pod.spec.nodeSelector[a] = c',
    );
    expect(await refusal({ runtimeClassName: 'r', overhead: { cpu: '1' } })).toBe(
      `pods "a" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`,
    );
    expect(await refusal({ overhead: { cpu: '1' } })).toBe(
      'pods "a" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    );
    const same = await server.create(PODS, podOf('a', { runtimeClassName: 'r', overhead: { cpu: '0.1' } }));
    expect(same.spec.overhead).toStrictEqual({ cpu: '100m' });
  });

  it('drops tolerations that others cover', () => {
    const exists = { key: 'k', operator: 'Exists' };
    const equal = { key: 'k', operator: 'Equal', value: 'v' };
    expect(mergedTolerations([equal], [exists])).toStrictEqual([exists]);
    expect(mergedTolerations([exists], [exists, equal])).toStrictEqual([exists]);
    expect(mergedTolerations([equal], [{ ...equal, value: 'w' }])).toHaveLength(2);
    const brief = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 };
    expect(mergedTolerations([brief], [{ ...brief, tolerationSeconds: 2 }])).toStrictEqual([
      { ...brief, tolerationSeconds: 2 },
    ]);
    expect(mergedTolerations([{ ...brief, effect: 'NoSchedule' }], [brief])).toHaveLength(2);
  });
});
