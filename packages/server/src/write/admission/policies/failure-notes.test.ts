import { describe, expect, it } from 'vitest';
import { FailureNotes } from './failure-notes.ts';

function notes(): { readonly notes: FailureNotes; readonly written: [string, string][] } {
  const written: [string, string][] = [];
  return { notes: new FailureNotes({ annotate: (key, value) => written.push([key, value]) }), written };
}

describe('what policies add to the audit record', () => {
  it('is a failed validation as JSON, with its fields in the order of Kubernetes', () => {
    const { notes: made, written } = notes();
    made.failed({ message: 'm', policy: 'p', binding: 'b', expressionIndex: 1, validationActions: ['Audit', 'Warn'] });
    expect(written).toEqual([
      [
        'validation.policy.admission.k8s.io/validation_failure',
        '[{"message":"m","policy":"p","binding":"b","expressionIndex":1,"validationActions":["Audit","Warn"]}]',
      ],
    ]);
  });

  it('lists different values of an annotation, each once', () => {
    const { notes: made, written } = notes();
    for (const value of ['one', 'two', 'one']) made.add('p/key', value);
    expect(written).toEqual([]);
    made.publish();
    expect(written).toEqual([['p/key', 'one, two']]);
  });

  it('cuts a long value, but no character in two', () => {
    const { notes: made, written } = notes();
    made.add('p/key', `${'x'.repeat(10 * 1024 - 1)}é`);
    made.publish();
    expect(written[0]?.[1]).toBe('x'.repeat(10 * 1024 - 1));
  });

  it('is nothing when the request is not recorded', () => {
    const made = new FailureNotes({ annotate: undefined });
    made.add('p/key', 'v');
    expect(() => made.publish()).not.toThrow();
  });
});
