import { fieldErrorsText } from '@listwatch/api';
import { type IsDue, resumableSteps } from '@listwatch/api/internal';
import { type KubeObject, type SubresourceStrategy, validateMetadata } from '@listwatch/rules/internal';
import { finish } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_KINDS } from '../src/kinds/built-in-definitions.fixture.ts';
import type { ResourceDefinition } from '../src/kinds/resource-definition.ts';
import { encodeJson } from '../src/stored/exact-json.ts';
import { damagedBodies } from './damage/damaged-bodies.ts';
import { doubledLists, filledBody } from './damage/filled-body.ts';
import { WHOLE_BODIES } from './kind-bodies/whole-bodies.ts';
import { kindOf, titled } from './kind-sides.ts';
import { placeOf } from './kind-story.ts';

/** So many damages of each object are tried: all of them take minutes. */
const SAMPLES = 4;
const NOW = Date.parse('2026-01-01T00:00:00Z');

function definitionOf(type: string): ResourceDefinition {
  const found = BUILT_IN_KINDS.find(({ data }) => data.type === type);
  if (found === undefined) throw new Error(`there is no kind ${type}`);
  return found;
}

/** A stage is interrupted at most so often: a Pod with every list filled has thousands of items. */
const PAUSES_MAX = 100;

/** What the work gives when it is interrupted behind every so many items, of whatever lists. */
function interrupted<T>(work: () => T, items: number): T {
  const newStep = (): IsDue => {
    let done = 0;
    return () => {
      done += 1;
      return done >= items;
    };
  };
  return finish(resumableSteps(work, newStep));
}

/** So many items the work goes through. */
function itemsOf(work: () => unknown): number {
  let items = 0;
  const never = (): IsDue => () => {
    items += 1;
    return false;
  };
  finish(resumableSteps(work, never));
  return items;
}

type Stage = () => unknown;

/** All that is done to one object and said of it, by name, in parts that are interrupted on their own. */
function stagesOf(definition: ResourceDefinition, old: KubeObject, sent: KubeObject): ReadonlyMap<string, Stage> {
  const { strategy } = definition;
  const prepared = strategy.prepareForCreate(sent, NOW);
  const stages = new Map<string, Stage>([
    ['defaults', () => encodeJson(strategy.prepareForCreate(sent, NOW))],
    ['metadata', () => fieldErrorsText(validateMetadata(definition, prepared.metadata))],
    ['create', () => fieldErrorsText(strategy.validate(prepared))],
    ['warnings', () => strategy.warnings?.(prepared) ?? []],
  ]);
  const changes: readonly (readonly [string, Pick<SubresourceStrategy, 'prepareForUpdate' | 'validateUpdate'>])[] = [
    ['', strategy],
    ['status', { prepareForUpdate: strategy.prepareForStatusUpdate ?? strategy.prepareForUpdate }],
    ['finalize', { prepareForUpdate: strategy.prepareForFinalize ?? strategy.prepareForUpdate }],
    ...Object.entries(strategy.subresources ?? {}),
  ];
  for (const [name, { prepareForUpdate, validateUpdate = strategy.validateUpdate }] of changes) {
    const changed = prepareForUpdate(sent, old, NOW);
    stages.set(`change ${name}`, () => fieldErrorsText(validateUpdate(changed, old)));
    stages.set(`back ${name}`, () => fieldErrorsText(validateUpdate(old, changed)));
    stages.set(`warnings ${name}`, () => strategy.warnings?.(changed, old) ?? []);
  }
  return stages;
}

/** Mistakes that neither a missing nor a repeated value makes: two items that do not go together. */
const AT_ODDS: Readonly<Record<string, object>> = {
  ValidatingAdmissionPolicyBinding: { spec: { policyName: 'p', validationActions: ['Warn', 'Deny'] } },
};

it('every kind that is stored has a body', () => {
  const known = new Set(WHOLE_BODIES.map((body) => kindOf(body).type));
  const stored = BUILT_IN_KINDS.filter(({ verbs }) => verbs.includes('create') && verbs.includes('get'));
  expect(stored.map(({ data }) => data.type).filter((type) => !known.has(type))).toEqual([]);
});

// Long lists of a large object are checked in several turns of the event loop. A rule that takes note of an item before it has
// looked at its parts meets its own note; one that reads the notes of a list behind it may find none.
describe.each(titled(WHOLE_BODIES))('the rules for %s', (_, body) => {
  const definition = definitionOf(kindOf(body).type);
  const { strategy, data, schemas } = definition;
  const whole = { ...placeOf(body).object, ...(body.status === undefined ? {} : { status: body.status }) };
  const old = strategy.prepareForCreate(Object(whole), NOW);

  it('say the same of a body when they are interrupted', () => {
    const all = [...damagedBodies(schemas.set, data.type, whole)];
    const samples = all.filter((__, index) => index % Math.ceil(all.length / SAMPLES) === 0);
    const filled = filledBody(schemas.set, data.type, whole);
    const bodies = [
      { damage: 'nothing', object: whole },
      { damage: 'items at odds', object: { ...whole, ...AT_ODDS[body.kind] } },
      { damage: 'every list twice', object: doubledLists(whole) },
      { damage: 'every field', object: filled },
      { damage: 'every field, every list twice', object: doubledLists(filled) },
      ...samples,
    ];
    for (const [index, { damage, object }] of bodies.entries()) {
      if (definition.decodeProblem(object) !== undefined) continue;
      for (const [name, stage] of stagesOf(definition, old, Object(object))) {
        const items = Math.max(1 + (index % 2), Math.ceil(itemsOf(stage) / PAUSES_MAX));
        expect([damage, name, interrupted(stage, items)]).toEqual([damage, name, stage()]);
      }
    }
  });
});
