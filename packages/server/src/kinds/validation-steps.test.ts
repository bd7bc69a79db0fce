import { fieldErrorsText } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { builtInKind, pod } from './built-in-definitions.test-d.ts';
import { created } from './kind-fixture.test-d.ts';
import type { ResourceDefinition } from './resource-definition.ts';

type Fields = Readonly<Record<string, unknown>>;

function many(count: number, item: (index: number) => Fields): readonly Fields[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

const policy = builtInKind('networking/v1.NetworkPolicy');
const port = (index: number): Fields => ({ ports: [{ port: index % 97 === 0 ? 70_000 : 80 }] });
const range = (cidr: string): Fields => ({ ipBlock: { cidr } });
const large: readonly [string, ResourceDefinition, Fields][] = [
  ['a pod without faults', pod, { spec: { containers: many(900, (n) => ({ name: `c${n}`, image: 'i' })) } }],
  [
    'a pod with faults in each part',
    pod,
    {
      spec: {
        volumes: [{ name: 'V' }],
        containers: many(900, (n) => ({ name: `c${n % 850}`, image: n % 101 === 0 ? '' : 'i' })),
        initContainers: [{ name: 'c1', image: 'i' }],
        restartPolicy: 'No',
      },
    },
  ],
  ['a pod without containers', pod, { spec: { containers: [] } }],
  [
    'a policy with faults in each part',
    policy,
    {
      spec: {
        podSelector: { matchLabels: { '-': 'x' } },
        ingress: many(900, port),
        egress: many(900, (n) => ({ ...port(n + 1), to: [range(n === 5 ? '10.0.0.0/99' : '10.0.0.0/8')] })),
        policyTypes: ['Both'],
      },
    },
  ],
];

describe.each(large)('%s', (_, definition, fields) => {
  const { validate, validateUpdate, validationSteps } = definition.strategy;
  const object = created(definition, fields);

  it('has the same errors in steps as at once, in the same order', () => {
    const steps = validationSteps?.(object, undefined);
    let step = steps?.next();
    let pauses = 0;
    for (; step?.done === false; step = steps?.next()) pauses += 1;
    expect(fieldErrorsText(step?.value ?? [])).toBe(fieldErrorsText(validate(object)));
    expect(pauses).toBeGreaterThan(0);
  });

  it('has the same errors as a change', () => {
    const steps = validationSteps?.(object, object);
    let step = steps?.next();
    while (step?.done === false) step = steps?.next();
    expect(fieldErrorsText(step?.value ?? [])).toBe(fieldErrorsText(validateUpdate(object, object)));
  });
});
