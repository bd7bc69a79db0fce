import type { AdmissionPlugin, KubeObject } from '@listwatch/rules/internal';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import type { DynamicRequest, MutatingStep, ValidatingStep } from '../../../contract/dynamic-admission.ts';
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
