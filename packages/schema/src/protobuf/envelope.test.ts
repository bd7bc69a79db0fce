import { describe, expect, it } from 'vitest';
import { openEnvelope, sealEnvelope } from './envelope.ts';
import { ProtobufProblem } from './protobuf-problem.ts';
import { bytesField, envelope, intField } from './written-message.fixture.ts';

const PREFIX = Buffer.from('k8s\0');

describe('the envelope of a body', () => {
  it('tells the type and the message', () => {
    expect(openEnvelope(envelope('apps/v1', 'Deployment', Buffer.from('abc')))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      message: Buffer.from('abc'),
    });
  });

  it('is written as Go writes it', () => {
    for (const length of [0, 1, 127, 128, 20_000, 70_000]) {
      const message = Buffer.alloc(length, 7);
      const sealed = sealEnvelope({ apiVersion: 'apps/v1', kind: 'Deployment', message });
      expect(Buffer.from(sealed).equals(envelope('apps/v1', 'Deployment', message))).toBe(true);
    }
  });

  it('may leave all of it out, and hold what nobody knows', () => {
    const nothing = { apiVersion: '', kind: '', message: Buffer.alloc(0) };
    expect(openEnvelope(PREFIX)).toEqual(nothing);
    expect(openEnvelope(Buffer.concat([PREFIX, intField(9, 1), bytesField(1, intField(3, 1))]))).toEqual(nothing);
  });

  it('is none without its first four bytes', () => {
    for (const bytes of ['k8s', '{"kind":"ConfigMap"}', 'K8s\0']) {
      expect(() => openEnvelope(Buffer.from(bytes))).toThrow(
        new ProtobufProblem('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'),
      );
    }
    expect(() => openEnvelope(Buffer.alloc(0))).toThrow(new ProtobufProblem('empty data'));
  });

  it('that breaks off is a problem', () => {
    const whole = envelope('v1', 'ConfigMap', Buffer.from('abc'));
    expect(() => openEnvelope(whole.subarray(0, 12))).toThrow(ProtobufProblem);
  });
});
