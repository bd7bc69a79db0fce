import type { AdmissionPlugin, KubeObject } from '@listwatch/rules/internal';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import type { DynamicRequest, MutatingStep, ValidatingStep } from '../../../contract/dynamic-admission.ts';
import { VerbFixture } from '../../verb.fixture.ts';
import { admissionChain } from '../admission-chain.ts';
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
): Promise<{ readonly fixture: VerbFixture; readonly seen: Seen[] }> {
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
  const chain = admissionChain([{ name: 'Test', types: ['core/v1.ConfigMap'], ...plugin }]);
  const admission = dynamicPasses(chain, { mutating: [mutating('one'), mutating('two')], validating: [validating] });
  return { fixture: await new VerbFixture(createMemoryEngine(), { admission }).namespace(), seen };
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
});
