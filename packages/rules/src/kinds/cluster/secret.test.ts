import { describe, expect, it } from 'vitest';
import { secret } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a Secret', () => {
  it('takes text, keeps it as base64 and is opaque', () => {
    const object = created(secret, { data: { a: base64('old'), b: base64('b') }, stringData: { a: 'new' } });
    expect(object).toMatchObject({ data: { a: base64('new'), b: base64('b') }, type: 'Opaque' });
    expect(object).not.toHaveProperty('stringData');
  });

  it('without data has none', () => {
    expect(created(secret)).not.toHaveProperty('data');
  });

  it.each([
    ['Opaque', {}, {}, ''],
    ['example.com/own', {}, {}, ''],
    ['kubernetes.io/tls', {}, {}, '[data[tls.crt]: Required value, data[tls.key]: Required value]'],
    ['kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }, {}, ''],
    ['kubernetes.io/basic-auth', {}, {}, '[data[username]: Required value, data[password]: Required value]'],
    ['kubernetes.io/basic-auth', { password: '' }, {}, ''],
    ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, {}, 'data[ssh-privatekey]: Required value'],
    ['kubernetes.io/dockerconfigjson', {}, {}, 'data[.dockerconfigjson]: Required value'],
    ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64('{}') }, {}, ''],
    [
      'kubernetes.io/service-account-token',
      {},
      {},
      'metadata.annotations[kubernetes.io/service-account.name]: Required value',
    ],
    ['kubernetes.io/service-account-token', {}, { 'kubernetes.io/service-account.name': 'x' }, ''],
  ])('of type %s with %j is validated', (type, data, annotations, expected) => {
    expect(complaints(secret, { type, data }, { annotations })).toBe(expected);
  });

  it('does not show what it holds when it is broken', () => {
    const data = { '.dockercfg': base64('hunter2') };
    expect(complaints(secret, { type: 'kubernetes.io/dockercfg', data })).toBe(
      `data[.dockercfg]: Invalid value: "<secret contents redacted>": invalid character 'h' looking for beginning of value`,
    );
  });

  it('may not be larger than a mebibyte', () => {
    const data = { a: Buffer.alloc(1024 * 1024 + 1).toString('base64') };
    expect(complaints(secret, { data })).toBe('data: Too long: may not be more than 1048576 bytes');
  });

  it('keeps its type', () => {
    const old = created(secret, { type: 'example.com/a' });
    expect(changeComplaints(secret, old, { type: 'example.com/b' })).toBe(
      'type: Invalid value: "example.com/b": field is immutable',
    );
    expect(changeComplaints(secret, old, { type: undefined })).toBe(
      'type: Invalid value: "Opaque": field is immutable',
    );
  });

  it('that is immutable refuses new text too', () => {
    const old = created(secret, { stringData: { a: 'x' }, immutable: true });
    expect(changeComplaints(secret, old, { stringData: { a: 'y' } })).toBe(
      'data: Forbidden: field is immutable when `immutable` is set',
    );
    expect(changeComplaints(secret, old, { stringData: { a: 'x' } })).toBe('');
  });

  it('is found by its type', () => {
    expect(secret.fieldsOf(created(secret))).toEqual({ type: 'Opaque' });
  });
});
