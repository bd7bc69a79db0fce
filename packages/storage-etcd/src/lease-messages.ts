/** etcd's Lease and Auth services, as far as the engine uses them. */

import { ProtoReader } from './proto-reader.ts';
import { INT_FIELD_BYTES, ProtoWriter } from './proto-writer.ts';

/** The paths of the calls. */
export const LEASE_GRANT = '/etcdserverpb.Lease/LeaseGrant';
export const AUTHENTICATE = '/etcdserverpb.Auth/Authenticate';

/** Ask for a lease whose id etcd chooses. */
export function encodeLeaseGrant(ttlSeconds: number): Buffer {
  const writer = new ProtoWriter(INT_FIELD_BYTES);
  writer.int(1, ttlSeconds);
  return writer.finish();
}

/** The id of the lease. */
export function decodeLeaseGrant(message: Buffer): bigint {
  const reader = new ProtoReader(message);
  let id = 0n;
  while (reader.next()) {
    if (reader.field === 2) id = reader.int64();
    else reader.skip();
  }
  return id;
}

/** Ask for a token. */
export function encodeAuthenticate(username: string, password: string): Buffer {
  const name = Buffer.from(username);
  const secret = Buffer.from(password);
  const writer = new ProtoWriter(name.length + secret.length + 2 * INT_FIELD_BYTES);
  writer.bytes(2, secret);
  writer.bytes(1, name);
  return writer.finish();
}

/** The token. */
export function decodeAuthenticate(message: Buffer): string {
  const reader = new ProtoReader(message);
  let token = '';
  while (reader.next()) {
    if (reader.field === 2) token = reader.string();
    else reader.skip();
  }
  return token;
}
