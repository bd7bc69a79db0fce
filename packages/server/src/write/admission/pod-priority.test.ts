import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdmissionServer, PODS, podOf } from './admission-server.fixture.ts';

const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';
const COMPUTED = 'must not be provided in pod spec; priority admission controller computed';

describe('the priority of pods', () => {
  let server: AdmissionServer;

  beforeEach(async () => {
    server = await AdmissionServer.start();
  });

  afterEach(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('is 0 without any class', async () => {
    const { spec } = await server.create(PODS, podOf('a'));
    expect(spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
    expect(spec.priorityClassName).toBeUndefined();
  });

  it('is the value of the class that the pod names', async () => {
    const { spec } = await server.create(PODS, podOf('a', { priorityClassName: 'system-node-critical' }));
    expect(spec).toMatchObject({ priority: 2_000_001_000, preemptionPolicy: 'PreemptLowerPriority' });
  });

  it('is that of the default class, whose name the pod gets', async () => {
    await server.create(CLASSES, {
      metadata: { name: 'd' },
      value: 11,
      globalDefault: true,
      preemptionPolicy: 'Never',
    });
    const { spec } = await server.create(PODS, podOf('a'));
    expect(spec).toMatchObject({ priority: 11, preemptionPolicy: 'Never', priorityClassName: 'd' });
  });

  it('ends with its default class: later pods have 0 again', async () => {
    await server.create(CLASSES, { metadata: { name: 'd' }, value: 11, globalDefault: true });
    await server.ask('DELETE', `${CLASSES}/d`);
    await server.ask('GET', CLASSES);
    expect((await server.create(PODS, podOf('a'))).spec.priority).toBe(0);
  });

  it('refuses a class that does not exist, with the generateName of a pod without a name', async () => {
    const spec = { priorityClassName: 'nope' };
    const why = 'is forbidden: no PriorityClass with name nope was found';
    expect(await server.refusal(PODS, podOf('a', spec))).toBe(`pods "a" ${why}`);
    const unnamed = { ...podOf('', spec), metadata: { generateName: 'a-' } };
    expect(await server.refusal(PODS, unnamed)).toBe(`pods "a-" ${why}`);
  });

  it('refuses a number or a policy that the class does not have', async () => {
    expect(await server.refusal(PODS, podOf('a', { priority: 7 }))).toBe(
      `pods "a" is forbidden: the integer value of priority (7) ${COMPUTED} 0 from the given PriorityClass name`,
    );
    expect(await server.refusal(PODS, podOf('a', { preemptionPolicy: 'Never' }))).toBe(
      `pods "a" is forbidden: the string value of PreemptionPolicy (Never) ${COMPUTED} PreemptLowerPriority from the given PriorityClass name`,
    );
    expect((await server.create(PODS, podOf('a', { priority: 0 }))).spec.priority).toBe(0);
  });

  it('stays when an update leaves it out', async () => {
    const { spec, metadata } = await server.create(PODS, podOf('a'));
    const { priority: _priority, preemptionPolicy: _policy, ...rest } = spec;
    const put = await server.ask('PUT', `${PODS}/a`, { metadata: { ...metadata, labels: { x: 'y' } }, spec: rest });
    expect(put.spec).toStrictEqual(spec);
  });

  it('has one default class only, which may be updated', async () => {
    const made = await server.create(CLASSES, { metadata: { name: 'd' }, value: 11, globalDefault: true });
    const other = { metadata: { name: 'e' }, value: 5, globalDefault: true };
    const why = 'is forbidden: PriorityClass d is already marked as default. Only one default can exist';
    expect(await server.refusal(CLASSES, other)).toBe(`priorityclasses.scheduling.k8s.io "e" ${why}`);
    const { resourceVersion } = (await server.create(CLASSES, { ...other, globalDefault: false })).metadata;
    const marked = { ...other, metadata: { name: 'e', resourceVersion } };
    expect(await server.refusal(`${CLASSES}/e`, marked, 'PUT')).toBe(`priorityclasses.scheduling.k8s.io "e" ${why}`);
    expect((await server.ask('PUT', `${CLASSES}/d`, { ...made, description: 'x' })).description).toBe('x');
  });
});
