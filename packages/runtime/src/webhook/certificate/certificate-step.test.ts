import { describe, expect, it } from 'vitest';
import { type CertificateState, certificateStep } from './certificate-step.ts';

const timing = { lifetimeMs: 900, overlapMs: 50 };
const NOW = 10_000;
const until = (left: number, fits = true): { notAfter: number; fits: boolean } => ({ notAfter: NOW + left, fits });
const state = (parts: Partial<CertificateState>): CertificateState => ({
  current: undefined,
  next: undefined,
  isBundleInPlace: true,
  ...parts,
});
const step = (parts: Partial<CertificateState>): unknown => certificateStep(state(parts), NOW, timing);

describe('the certificate of webhooks', () => {
  it('is made when there is none, when it has ended, and when it lacks a name', () => {
    expect(step({})).toEqual({ do: 'create' });
    expect(step({ current: until(0) })).toEqual({ do: 'create' });
    expect(step({ current: until(500, false) })).toEqual({ do: 'create' });
  });

  it('is left alone until a third of its life is left', () => {
    expect(step({ current: until(301) })).toEqual({ do: 'wait', ms: 1 });
    expect(step({ current: until(300) })).toEqual({ do: 'stage' });
  });

  it('is replaced only when the next one is known everywhere, and for a while', () => {
    const next = { ...until(890), since: NOW - 10 };
    expect(step({ current: until(290), next })).toEqual({ do: 'wait', ms: 40 });
    const known = { ...next, since: NOW - 50 };
    expect(step({ current: until(250), next: known, isBundleInPlace: false })).toEqual({ do: 'wait', ms: 250 });
    expect(step({ current: until(250), next: known })).toEqual({ do: 'promote' });
  });

  it('is replaced at once when it has ended: there is nothing to lose', () => {
    const next = { ...until(600), since: NOW };
    expect(step({ current: until(0), next, isBundleInPlace: false })).toEqual({ do: 'promote' });
    expect(step({ current: undefined, next, isBundleInPlace: false })).toEqual({ do: 'promote' });
  });

  it('is prepared anew when the next one has ended, lacks a name, or is older', () => {
    for (const next of [until(0), until(600, false), until(100)])
      expect(step({ current: until(200), next: { ...next, since: 0 } })).toEqual({ do: 'stage' });
  });
});
