import { describe, expect, it } from 'vitest';
import { scaleReplicas, scaleSelector, withReplicas } from './custom-scale.ts';

describe('the values of a scale', () => {
  const object = { spec: { replicas: 3, text: 'x', none: null }, status: { sel: 'a=b' } };

  it('are found at their paths', () => {
    expect(scaleReplicas(object, '.spec.replicas')).toEqual({ value: 3 });
    expect(scaleSelector(object, '.status.sel')).toEqual({ value: 'a=b' });
  });

  it('may be absent', () => {
    expect(scaleReplicas(object, '.spec.other.deep')).toEqual({});
    expect(scaleReplicas(object, '.spec.none.deep')).toEqual({});
    expect(scaleSelector(object, '.status.other')).toEqual({});
  });

  it('may be of another type', () => {
    expect(scaleReplicas(object, '.spec.text').problem).toBe(
      '.spec.text accessor error: x is of the type string, expected int64',
    );
    expect(scaleReplicas(object, '.spec.text.deep').problem).toBe(
      '.spec.text.deep accessor error: x is of the type string, expected map[string]interface{}',
    );
    expect(scaleSelector(object, '.spec.replicas').problem).toBe(
      '.spec.replicas accessor error: 3 is of the type int64, expected string',
    );
  });

  it('are set in a new object; objects on the way are made', () => {
    expect(withReplicas(object, '.spec.replicas', 5)).toEqual({ ...object, spec: { ...object.spec, replicas: 5 } });
    expect(withReplicas({}, '.spec.a.b', 1)).toEqual({ spec: { a: { b: 1 } } });
    expect(object.spec.replicas).toBe(3);
  });
});
