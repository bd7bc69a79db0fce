import type { AdmissionRequest, KindDefinition, KubeObject } from '@listwatch/rules/internal';
import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../kinds/built-in-definitions.fixture.ts';
import { admissionRequest } from '../admission/admission-request.fixture.ts';
import { AskedAdmission } from './asked-admission.ts';

const POD = builtInKind('core/v1.Pod');
const CONFIG_MAP = builtInKind('core/v1.ConfigMap');

function podOf(image: string): KubeObject {
  const spec = { containers: [{ name: 'c', image }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'x', name: 'p' }, spec };
}

const MAP: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'x', name: 'a', labels: { l: 'm' } },
  data: { long: 'text' },
};

function updateOf(kind: KindDefinition, object: KubeObject, old: KubeObject): AdmissionRequest {
  return { ...admissionRequest(kind, object), operation: 'UPDATE', old };
}

/** What the worker asks the main thread for, with the bytes as objects: a structured clone would take objects, too. */
async function asked(request: AdmissionRequest, hasQuotas = true): Promise<readonly object[]> {
  const questions: object[] = [];
  const admission = new AskedAdmission(async (question) => {
    questions.push(
      Object.fromEntries(
        Object.entries(question).map(([name, value]) => [
          name,
          value instanceof Uint8Array ? { bytesOf: JSON.parse(Buffer.from(value).toString()) } : value,
        ]),
      ),
    );
    return { hasQuotas };
  });
  await admission.charge(request);
  return questions;
}

const LOOK = { type: 'has-quotas', namespace: 'x' };

describe('the worker has quotas charged', () => {
  it('for a new object by all of it, or by its name where only objects are counted', async () => {
    expect(await asked(admissionRequest(POD, podOf('i')))).toEqual([
      LOOK,
      { type: 'charge', object: { bytesOf: podOf('i') }, old: undefined },
    ]);
    const { apiVersion, kind } = MAP;
    expect(await asked(admissionRequest(CONFIG_MAP, MAP))).toEqual([
      LOOK,
      {
        type: 'charge',
        object: { bytesOf: { apiVersion, kind, metadata: { name: 'a', namespace: 'x' } } },
        old: undefined,
      },
    ]);
  });

  it('for a change by what the object was and is, and never where only objects are counted', async () => {
    expect(await asked(updateOf(POD, podOf('j'), podOf('i')))).toEqual([
      LOOK,
      { type: 'charge', object: { bytesOf: podOf('j') }, old: { bytesOf: podOf('i') } },
    ]);
    expect(await asked(updateOf(CONFIG_MAP, MAP, MAP))).toEqual([]);
  });

  it('only in a namespace that has some', async () => {
    expect(await asked(admissionRequest(POD, podOf('i')), false)).toEqual([LOOK]);
  });
});
