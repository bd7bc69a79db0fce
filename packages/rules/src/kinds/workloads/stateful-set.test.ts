import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const statefulSet = builtInKind('apps/v1.StatefulSet');
const labels = { app: 'web' };
const container = { name: 'c', image: 'i' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const spec = { selector: { matchLabels: labels }, template };
const claim = {
  metadata: { name: 'v' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

describe('a StatefulSet', () => {
  it('that says least is rolled out in order and keeps its claims', () => {
    expect(created(statefulSet, { spec })).toMatchObject({
      spec: {
        replicas: 1,
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        revisionHistoryLimit: 10,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        serviceName: '',
      },
      status: { replicas: 0, availableReplicas: 0 },
    });
  });

  it('has no rolling update where its author named the strategy only', () => {
    const given = { ...spec, updateStrategy: { type: 'RollingUpdate' } };
    expect(created(statefulSet, { spec: given })).toMatchObject({
      spec: { updateStrategy: { type: 'RollingUpdate' } },
    });
    expect(JSON.stringify(created(statefulSet, { spec: given }))).not.toContain('partition');
  });

  it('makes its claims complete objects', () => {
    expect(created(statefulSet, { spec: { ...spec, volumeClaimTemplates: [claim] } })).toMatchObject({
      spec: {
        volumeClaimTemplates: [
          {
            kind: 'PersistentVolumeClaim',
            apiVersion: 'v1',
            spec: { volumeMode: 'Filesystem' },
            status: { phase: 'Pending' },
          },
        ],
      },
    });
  });

  it('overwrites the type of its claims, and mounts two of one name as one', () => {
    const other = { ...claim, kind: 'Other', apiVersion: 'x' };
    const mounted = { ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] };
    const given = { ...spec, template: { ...template, spec: { containers: [mounted] } } };
    const twice = { ...given, volumeClaimTemplates: [other, claim] };
    const type = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' };
    expect(created(statefulSet, { spec: twice })).toMatchObject({ spec: { volumeClaimTemplates: [type, type] } });
    expect(complaints(statefulSet, { spec: twice })).toBe('');
  });

  it('drops maxUnavailable, whose feature is off', () => {
    const given = { ...spec, updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } };
    expect(JSON.stringify(created(statefulSet, { spec: given }))).not.toContain('maxUnavailable');
  });

  it.each([
    ['nothing wrong', {}, ''],
    [
      'a selector of everything',
      { selector: {} },
      'spec.selector: Invalid value: {}: empty selector is invalid for statefulset',
    ],
    [
      'an unknown policy',
      { podManagementPolicy: 'X' },
      "spec.podManagementPolicy: Invalid value: \"X\": must be 'OrderedReady' or 'Parallel'",
    ],
    [
      'an unknown strategy',
      { updateStrategy: { type: 'X', rollingUpdate: { partition: 1 } } },
      'spec.updateStrategy: Invalid value: {"Type":"X","RollingUpdate":{"Partition":1,"MaxUnavailable":null}}: must be \'RollingUpdate\' or \'OnDelete\'',
    ],
    [
      'a rolling update by hand',
      { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
    ],
    [
      'an unknown retention',
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'X' } },
      'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "X": supported values: "Retain", "Delete"',
    ],
    [
      'a claim without a request',
      { volumeClaimTemplates: [{ ...claim, spec: { accessModes: ['ReadWriteOnce'] } }] },
      'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
    ],
    [
      'a negative first number',
      { ordinals: { start: -1 }, replicas: -1 },
      '[spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0]',
    ],
    [
      'names that the controller overwrites',
      { template: { ...template, spec: { ...template.spec, hostname: 'A_', subdomain: 'B_' } } },
      '',
    ],
    [
      'mounts of its claims',
      {
        volumeClaimTemplates: [claim],
        template: {
          ...template,
          spec: { containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/x' }] }] },
        },
      },
      '',
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(statefulSet, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('has a name that fits into a host name', () => {
    expect(statefulSet.strategy.checkName('a.b', false)).toEqual(['must not contain dots']);
  });

  it('may change what a rollout can follow, and nothing else', () => {
    const old = created(statefulSet, { spec });
    const all = { ...spec, replicas: 3, ordinals: { start: 1 }, minReadySeconds: 1, revisionHistoryLimit: 2 };
    expect(changeComplaints(statefulSet, old, { spec: all })).toBe('');
    expect(changeComplaints(statefulSet, old, { spec: { ...spec, serviceName: 't' } })).toBe(
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', " +
        "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    );
  });

  it('never counts fewer collisions', () => {
    const old = { ...created(statefulSet, { spec }), status: { replicas: 0, collisionCount: 2 } };
    const changed = { ...old, status: { replicas: 0, collisionCount: 1 } };
    const [error] = statefulSet.strategy.validate(changed, old, 'status').errors;
    expect(error).toMatchObject({ field: 'status.collisionCount', value: 1, detail: 'cannot be decremented' });
  });

  it('shows how many pods are ready', () => {
    const object = { ...created(statefulSet, { spec: { ...spec, replicas: 3 } }), status: { readyReplicas: 2 } };
    expect(statefulSet.columns.cells(object, 0)).toEqual(['a', '2/3', '<unknown>', 'c', 'i']);
  });
});
