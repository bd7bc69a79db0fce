import { builtInKind, defineBuiltInKind } from '@listwatch/rules/internal';
import { describe, expect, it } from 'vitest';
import { KindSchemas } from './kind-schemas.ts';

describe('the schemas of kinds', () => {
  it('are loaded a package at a time, with what it refers to, and once', async () => {
    const schemas = new KindSchemas();
    expect(schemas.has('core/v1.Pod')).toBe(false);
    const loading = schemas.load('batch/v1.Job');
    expect(schemas.load('batch/v1.CronJob')).toBe(loading);
    await loading;
    expect(schemas.load('batch/v1.Job')).toBeUndefined();
    expect(['core/v1', 'meta/v1', 'apps/v1'].map((name) => schemas.set.hasPackage(name))).toEqual([true, true, false]);
  });

  it('may be asked for at the same time by groups that share some', async () => {
    const schemas = new KindSchemas();
    await schemas.loadAll(['apps/v1.Deployment', 'batch/v1.Job', 'core/v1.Pod', 'apps/v1.ReplicaSet']);
    expect(schemas.plan('apps/v1.Deployment').byName.get('spec')?.plan.goType).toBe('v1.DeploymentSpec');
    // One plan of a type for all kinds.
    const template = schemas.plan('core/v1.PodTemplateSpec');
    expect(schemas.plan('batch/v1.JobSpec').byName.get('template')?.plan).toBe(template);
  });

  it('that cannot be loaded are asked for again the next time', async () => {
    const schemas = new KindSchemas();
    await expect(schemas.load('nothing/v1.Thing')).rejects.toThrow('there are no schemas of nothing/v1');
    await expect(schemas.load('nothing/v1.Thing')).rejects.toThrow(RangeError);
  });

  it('are demanded before an object is prepared', async () => {
    const { data } = builtInKind('scheduling/v1.PriorityClass');
    const definition = defineBuiltInKind(data, {}, new KindSchemas());
    const object = { kind: 'PriorityClass', apiVersion: 'scheduling.k8s.io/v1', metadata: { name: 'a' }, value: 1 };
    expect(() => definition.strategy.prepareForCreate(object, 0)).toThrow(
      'there is no schema of scheduling/v1.Priority',
    );
    await definition.load();
    expect(definition.strategy.prepareForCreate(object, 0)).toEqual(object);
  });
});
