import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const daemonSet = builtInKind('apps/v1.DaemonSet');
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const spec = { selector: { matchLabels: labels }, template };
const counter = 'deprecated.daemonset.template.generation';

describe('a DaemonSet', () => {
  it('that says least replaces one pod at a time', () => {
    expect(created(daemonSet, { spec })).toMatchObject({
      metadata: { annotations: { [counter]: '1' } },
      spec: {
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        revisionHistoryLimit: 10,
      },
      status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
    });
  });

  it('counts the changes of its template', () => {
    const old = created(daemonSet, { spec }, { annotations: { [counter]: '7' } });
    const same = daemonSet.strategy.prepareForUpdate({ ...old, spec: { ...spec, minReadySeconds: 1 } }, old, 0);
    expect(same.metadata.annotations).toEqual({ [counter]: '7' });
    const other = { ...template, spec: { ...template.spec, nodeSelector: { a: 'b' } } };
    const changed = daemonSet.strategy.prepareForUpdate({ ...old, spec: { ...spec, template: other } }, old, 0);
    expect(changed.metadata.annotations).toEqual({ [counter]: '8' });
  });

  it('does not let clients change the count', () => {
    const old = created(daemonSet, { spec });
    const metadata = { ...old.metadata, annotations: { a: 'b', [counter]: '99' } };
    const update = daemonSet.strategy.prepareForUpdate({ ...old, metadata }, old, 0);
    expect(update.metadata.annotations).toEqual({ a: 'b', [counter]: '1' });
    const status = daemonSet.strategy.prepareForStatusUpdate?.({ ...old, metadata }, old, 0);
    expect(status?.metadata.annotations).toEqual({ a: 'b', [counter]: '1' });
  });

  it.each([
    ['nothing wrong', {}, ''],
    [
      'no selector',
      { selector: undefined },
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      'a selector of everything',
      { selector: {} },
      'spec.selector: Invalid value: {}: empty selector is invalid for daemonset',
    ],
    [
      'an unknown strategy',
      { updateStrategy: { type: 'X', rollingUpdate: { maxSurge: '1%' } } },
      'spec.updateStrategy: Unsupported value: {"Type":"X","RollingUpdate":{"MaxUnavailable":0,"MaxSurge":"1%"}}: supported values: "RollingUpdate", "OnDelete"',
    ],
    [
      'more and less pods at once',
      { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '101%' } } },
      '[spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%, ' +
        'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero]',
    ],
    [
      'no way to replace pods',
      { updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } },
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
    ],
    [
      'an amount that is neither',
      { updateStrategy: { rollingUpdate: { maxUnavailable: 'x', maxSurge: 1 } } },
      "spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: \"x\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(daemonSet, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('keeps its selector', () => {
    const more = { app: 'web', tier: 'front' };
    const changed = { selector: { matchLabels: more }, template: { ...template, metadata: { labels: more } } };
    expect(changeComplaints(daemonSet, created(daemonSet, { spec }), { spec: changed })).toContain(
      'field is immutable',
    );
  });

  it('shows the nodes that it is for', () => {
    const on = { ...template, spec: { ...template.spec, nodeSelector: { b: 'c', a: 'b' } } };
    const status = {
      desiredNumberScheduled: 1,
      currentNumberScheduled: 2,
      numberReady: 3,
      updatedNumberScheduled: 4,
      numberAvailable: 5,
    };
    const object = { ...created(daemonSet, { spec: { ...spec, template: on } }), status };
    expect(daemonSet.columns.cells(object, 0)).toEqual([
      'a',
      1,
      2,
      3,
      4,
      5,
      'a=b,b=c',
      '<unknown>',
      'c',
      'i',
      'app=web',
    ]);
  });
});
