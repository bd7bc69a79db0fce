import type { AdmissionPlugin, KubeObject } from '@listwatch/rules/internal';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import type { Admission } from '../../../contract/admission.ts';
import type {
  AdmittedWrite,
  DynamicRequest,
  MutatingStep,
  RequestHead,
  RequestObjects,
  ValidatingStep,
} from '../../../contract/dynamic-admission.ts';
import { Registry } from '../../../contract/metrics.ts';
import { VerbFixture } from '../../verb.fixture.ts';
import { admissionChain } from '../admission-chain.ts';
import { AdmissionTimes } from '../admission-times.ts';
import { dynamicPasses } from './dynamic-passes.ts';

const MAPS = '/api/v1/namespaces/x/configmaps';

interface Seen {
  readonly step: string;
  readonly round: number | undefined;
  readonly data: unknown;
}

function concerns({ definition }: Pick<DynamicRequest, 'definition'>): boolean {
  return definition.resource.plural === 'configmaps';
}

/** A fixture whose steps tell what they see. */
async function fixtureOf(
  change: (request: DynamicRequest, round: number) => KubeObject | undefined,
  plugin: Partial<AdmissionPlugin> = {},
): Promise<{ readonly fixture: VerbFixture; readonly seen: Seen[]; readonly metrics: () => Promise<string> }> {
  const seen: Seen[] = [];
  const note = (step: string, { object }: DynamicRequest, round?: number): unknown =>
    seen.push({ step, round, data: object?.['data'] });
  const mutating = (name: string): MutatingStep => ({
    name,
    concerns,
    begin: () => ({
      async mutate(request, round) {
        note(name, request, round);
        return name === 'one' ? change(request, round) : request.object;
      },
    }),
  });
  const validating: ValidatingStep = {
    name: 'check',
    concerns,
    validate: async (request) => void note('check', request),
  };
  const times = new AdmissionTimes(() => 0);
  const registry = new Registry();
  times.register(registry);
  const chain = admissionChain([{ name: 'Test', types: ['core/v1.ConfigMap'], ...plugin }], times);
  const steps = { mutating: [mutating('one'), mutating('two')], validating: [validating] };
  const admission = dynamicPasses(chain, steps, times);
  const fixture = await new VerbFixture(createMemoryEngine(), { admission }).namespace();
  return { fixture, seen, metrics: () => registry.metrics() };
}

function isTaken(object: KubeObject | undefined): boolean {
  return object?.metadata.labels?.['taken'] === 'yes';
}

/** A fixture whose steps are about the label `taken`, after one that may set it. */
async function labelledFixture(before?: (request: DynamicRequest) => KubeObject | undefined): Promise<{
  readonly fixture: VerbFixture;
  readonly seen: string[];
  readonly requests: () => number;
}> {
  const seen: string[] = [];
  let requests = 0;
  const areTaken = (head: RequestHead, objects?: RequestObjects): boolean =>
    concerns(head) && (objects === undefined || isTaken(objects.object) || isTaken(objects.old));
  const first: MutatingStep = { name: 'first', concerns, begin: () => ({ mutate: async (asked) => before?.(asked) }) };
  const mutating: MutatingStep = {
    name: 'labelled',
    concerns: areTaken,
    begin: () => ({
      async mutate(request) {
        if (areTaken(request, request)) seen.push(`mutates ${request.name}`);
        return request.object;
      },
    }),
  };
  const validating: ValidatingStep = {
    name: 'check',
    concerns: areTaken,
    validate: async ({ name }) => void seen.push(`checks ${name}`),
  };
  const steps = { mutating: before === undefined ? [mutating] : [first, mutating], validating: [validating] };
  const passes = dynamicPasses(admissionChain([]), steps, undefined);
  const counted = (viewOf: (() => AdmittedWrite) | undefined): (() => AdmittedWrite) | undefined =>
    viewOf &&
    (() => {
      const write = viewOf();
      const request = write.request.bind(write);
      return Object.assign(write, {
        request: (object: KubeObject) => {
          requests += 1;
          return request(object);
        },
      });
    });
  const admission: Partial<Admission> = {
    ...passes,
    mutate: (request, viewOf) => passes.mutate(request, counted(viewOf)),
    validate: (request, viewOf) => passes.validate(request, counted(viewOf)),
    admit: (head, requestOf, objects) => {
      const made = (): DynamicRequest => {
        requests += 1;
        return requestOf();
      };
      return passes.admit(head, made, objects);
    },
  };
  const fixture = await new VerbFixture(createMemoryEngine(), { admission }).namespace();
  return { fixture, seen, requests: () => requests };
}

function withData(object: KubeObject | undefined, data: object): KubeObject | undefined {
  return object && { ...object, data: { ...Object(object['data']), ...data } };
}

describe('the passes of admission', () => {
  it('are one round when nothing changes, and the check comes last', async () => {
    const { fixture, seen } = await fixtureOf(({ object }) => object);
    await fixture.ok('POST', MAPS, { body: { metadata: { name: 'a' } } });
    expect(seen.map(({ step, round }) => [step, round])).toEqual([
      ['one', 0],
      ['two', 0],
      ['check', undefined],
    ]);
  });

  it('are two rounds, with the plugins again, after a change; and never three', async () => {
    let plugins = 0;
    const { fixture, seen } = await fixtureOf(({ object }, round) => withData(object, { round: String(round) }), {
      mutate: ({ object }) => {
        plugins += 1;
        return object;
      },
    });
    const made = await fixture.ok('POST', MAPS, { body: { metadata: { name: 'a' } } });
    expect(seen.map(({ step, round }) => `${step} ${round ?? ''}`)).toEqual([
      'one 0',
      'two 0',
      'one 1',
      'two 1',
      'check ',
    ]);
    expect([plugins, made['data'], seen[1]?.data]).toEqual([2, { round: '1' }, { round: '0' }]);
  });

  it('ask nobody about an object that no step takes by its labels, and make no request for it', async () => {
    const { fixture, seen, requests } = await labelledFixture();
    await fixture.ok('POST', MAPS, { body: { metadata: { name: 'a' } } });
    await fixture.ok('PUT', `${MAPS}/a`, { body: { metadata: { name: 'a' }, data: { k: 'v' } } });
    await fixture.ok('DELETE', `${MAPS}/a`);
    expect([seen, requests()]).toEqual([[], 0]);
    await fixture.ok('POST', MAPS, { body: { metadata: { name: 'b', labels: { taken: 'yes' } } } });
    expect([seen.splice(0), requests()]).toEqual([['mutates b', 'checks b'], 2]);
    await fixture.ok('DELETE', `${MAPS}/b`);
    expect([seen, requests()]).toEqual([['mutates b', 'checks b'], 3]);
  });

  it('ask of an update by the labels before it, too, and of a deletion by those of the stored object', async () => {
    const { fixture, seen } = await labelledFixture();
    for (const [name, labels] of [['a', { taken: 'yes' }] as const, ['b', {}] as const]) {
      await fixture.ok('POST', MAPS, { body: { metadata: { name, labels } } });
      await fixture.ok('PUT', `${MAPS}/${name}`, { body: { metadata: { name } } });
      await fixture.ok('PUT', `${MAPS}/${name}`, { body: { metadata: { name, labels } } });
      await fixture.ok('DELETE', `${MAPS}/${name}`);
    }
    // Created, changed twice, deleted.
    expect(seen).toEqual(Array.from({ length: 4 }, () => ['mutates a', 'checks a']).flat());
  });

  it('ask a step whose labels another one adds', async () => {
    const { fixture, seen } = await labelledFixture(({ object }) => {
      const labels = { taken: 'yes' };
      return object && { ...object, metadata: { ...object.metadata, labels } };
    });
    await fixture.ok('POST', MAPS, { body: { metadata: { name: 'a' } } });
    expect(seen).toEqual(['mutates a', 'mutates a', 'checks a']);
  });

  it('see a deletion, whose object is the stored one', async () => {
    const { fixture, seen } = await fixtureOf(({ object }) => object);
    await fixture.ok('POST', MAPS, { body: { metadata: { name: 'a' } } });
    seen.length = 0;
    await fixture.ok('DELETE', `${MAPS}/a`);
    expect(seen.map(({ step }) => step)).toEqual(['one', 'two', 'check']);
  });

  it('are timed: each plugin and step, and each pass, with what was refused', async () => {
    const { fixture, metrics } = await fixtureOf(({ object }) => object, {
      validate: ({ object }) => {
        if (object.metadata.name === 'no') throw new TypeError('no');
      },
    });
    await fixture.ok('POST', MAPS, { body: { metadata: { name: 'a' } } });
    await expect(fixture.ok('POST', MAPS, { body: { metadata: { name: 'no' } } })).rejects.toThrow();
    const text = await metrics();
    const plugin = 'apiserver_admission_controller_admission_duration_seconds_count';
    const pass = 'apiserver_admission_step_admission_duration_seconds_count';
    for (const line of [
      `${plugin}{name="Test",operation="CREATE",rejected="false",type="validate"} 1`,
      `${plugin}{name="Test",operation="CREATE",rejected="true",type="validate"} 1`,
      `${plugin}{name="one",operation="CREATE",rejected="false",type="admit"} 2`,
      `${plugin}{name="check",operation="CREATE",rejected="false",type="validate"} 1`,
      `${pass}{operation="CREATE",rejected="true",type="validate"} 1`,
    ]) {
      expect(text).toContain(line);
    }
  });
});
