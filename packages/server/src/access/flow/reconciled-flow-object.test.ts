import type { KubeObject } from '@listwatch/rules/internal';
import { describe, expect, it } from 'vitest';
import { AUTO_UPDATE_SPEC, reconciledFlowObject, unknownFlowObject } from './reconciled-flow-object.ts';

function object(spec: object, told: string | undefined, generation = 1): KubeObject {
  const annotations = told === undefined ? {} : { [AUTO_UPDATE_SPEC]: told };
  return { apiVersion: 'v1', kind: 'FlowSchema', metadata: { name: 'x', annotations, generation }, spec };
}

const WANTED = object({ matchingPrecedence: 5 }, 'true');
const EDITED = { matchingPrecedence: 6 };

describe('a suggested object', () => {
  it('is kept as it is wanted', () => {
    expect(reconciledFlowObject(WANTED, WANTED, false)).toEqual({ type: 'keep' });
  });

  it("is restored when it is the server's", () => {
    expect(reconciledFlowObject(object(EDITED, 'true', 4), WANTED, false)).toMatchObject({
      type: 'update',
      object: { spec: { matchingPrecedence: 5 }, metadata: { generation: 5 } },
    });
  });

  it('is kept when somebody took it over', () => {
    expect(reconciledFlowObject(object(EDITED, 'false'), WANTED, false)).toEqual({ type: 'keep' });
  });

  it('without the annotation is annotated: with false once it was changed, with true before', () => {
    expect(reconciledFlowObject(object(EDITED, undefined, 2), WANTED, false)).toMatchObject({
      object: { spec: EDITED, metadata: { generation: 2, annotations: { [AUTO_UPDATE_SPEC]: 'false' } } },
    });
    expect(reconciledFlowObject(object(EDITED, undefined, 1), WANTED, false)).toMatchObject({
      object: { spec: WANTED['spec'], metadata: { annotations: { [AUTO_UPDATE_SPEC]: 'true' } } },
    });
  });
});

describe('a mandatory object', () => {
  it('is restored whatever its annotation says', () => {
    expect(reconciledFlowObject(object(EDITED, 'false', 7), WANTED, true)).toMatchObject({
      object: { spec: WANTED['spec'], metadata: { annotations: { [AUTO_UPDATE_SPEC]: 'true' } } },
    });
  });

  it('keeps the seats that the exempt level lends', () => {
    const exempt = { nominalConcurrencyShares: 10, lendablePercent: 50 };
    const wanted = object({ type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }, 'true');
    expect(reconciledFlowObject(object({ type: 'Exempt', exempt }, 'true', 2), wanted, true)).toEqual({ type: 'keep' });
  });
});

describe('an object that the server does not know', () => {
  it("goes when it says to be the server's, and stays otherwise", () => {
    expect(unknownFlowObject(object({}, 'true'))).toEqual({ type: 'delete' });
    expect(unknownFlowObject(object({}, 'false'))).toEqual({ type: 'keep' });
    expect(unknownFlowObject(object({}, undefined))).toEqual({ type: 'keep' });
  });
});
