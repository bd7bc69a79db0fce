import { describe, expect, it } from 'vitest';
import { podTemplate } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

const template = { metadata: { labels: { b: '2', a: '1' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };

describe('a PodTemplate', () => {
  it('has the defaults of a template and not those of a pod', () => {
    const object = created(podTemplate, { template });
    expect(object).toHaveProperty('template.spec.restartPolicy', 'Always');
    expect(object).toHaveProperty('template.spec.schedulerName', 'default-scheduler');
    expect(object).not.toHaveProperty('template.spec.enableServiceLinks');
  });

  it('is validated as pods are, at its own place', () => {
    expect(complaints(podTemplate, {})).toBe('template.spec.containers: Required value');
    expect(complaints(podTemplate, { template })).toBe('');
  });

  it('shows its containers and labels', () => {
    expect(podTemplate.columns.cells(created(podTemplate, { template }), 0)).toEqual(['a', 'c', 'i:1', 'a=1,b=2']);
  });
});
