import { fieldErrorsText } from '@listwatch/api';
import { type IsDue, resumableSteps } from '@listwatch/api/internal';
import { isRecord } from '@listwatch/api/values';
import { type KubeObject, validateMetadata } from '@listwatch/rules/internal';
import { finish } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_KINDS } from '../src/kinds/built-in-definitions.fixture.ts';
import type { ResourceDefinition } from '../src/kinds/resource-definition.ts';
import { encodeJson } from '../src/stored/exact-json.ts';
import { damagedBodies } from './damage/damaged-bodies.ts';
import { WHOLE_BODIES } from './kind-bodies/whole-bodies.ts';
import { kindOf, titled } from './kind-sides.ts';
import { placeOf } from './kind-story.ts';

/** So many damages of each object are tried: all of them take minutes. */
const SAMPLES = 8;

function definitionOf(type: string): ResourceDefinition {
  const found = BUILT_IN_KINDS.find(({ data }) => data.type === type);
  if (found === undefined) throw new Error(`there is no kind ${type}`);
  return found;
}

/** What the work gives when it pauses behind so many items, of whatever lists. */
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

/** The object with the items of its outer lists three times: all of their names are taken. */
function tripled(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, ...value, ...value];
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, tripled(member)]));
}

// Long lists of a large object are checked in several turns. A rule that keeps something of an item before it has looked at
// its parts sees that item twice.
describe.each(titled(WHOLE_BODIES))('the rules for %s', (_, body) => {
  const definition = definitionOf(kindOf(body).type);
  const { strategy, data, schemas } = definition;
  const { object: whole } = placeOf(body);
  const prepared = (object: unknown): KubeObject =>
    strategy.prepareForCreate(Object(object), Date.parse('2026-01-01T00:00:00Z'));
  const old = prepared(whole);

  /** All that is said of a creation and of a change. */
  const said = (object: unknown): readonly string[] => {
    const made = prepared(object);
    return [
      encodeJson(made),
      fieldErrorsText([...validateMetadata(definition, made.metadata), ...strategy.validate(made)]),
      fieldErrorsText(strategy.validateUpdate(made, old)),
      ...(strategy.warnings?.(made) ?? []),
    ];
  };

  it('say the same with pauses between any two items', () => {
    const all = [...damagedBodies(schemas.set, data.type, whole)];
    const samples = all.filter((__, index) => index % Math.ceil(all.length / SAMPLES) === 0);
    const tries = [
      { damage: 'nothing', object: whole },
      { damage: 'every list three times', object: tripled(whole) },
      ...samples,
    ];
    for (const [index, { damage, object }] of tries.entries()) {
      if (definition.decodeProblem(object) !== undefined) continue;
      // Pauses behind every item take tens of seconds for a Pod; those of all tries are in every place.
      const items = index === 0 ? 3 : 11 + (index % 13);
      expect([damage, ...interrupted(() => said(object), items)]).toEqual([damage, ...said(object)]);
    }
  });
});
