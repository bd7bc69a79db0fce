import type { ApiObject } from '@listwatch/api';
import { expectTypeOf } from 'vitest';
import type { NewObject } from './cluster.ts';

interface Order extends ApiObject {
  readonly spec: { readonly article: string; readonly count?: number };
  readonly options: { readonly gift?: boolean };
  readonly note: string;
  readonly status: { readonly shipped?: boolean };
}

const order: NewObject<Order> = { metadata: { generateName: 'a-' }, spec: { article: 'b' }, note: '' };

// A field that may be empty may be absent, and what was given is known.
expectTypeOf(order.options).toEqualTypeOf<Order['options'] | undefined>();
expectTypeOf(order.spec).toEqualTypeOf<Order['spec']>();

// What was read can be created once more under another name.
declare const known: Order;
const copy: NewObject<Order> = { ...known, metadata: { name: 'b' } };
void copy;

// @ts-expect-error -- the spec cannot be empty
const noSpec: NewObject<Order> = { metadata: { name: 'a' }, note: '' };
// @ts-expect-error -- nor is a text absent because it may be empty
const noNote: NewObject<Order> = { metadata: { name: 'a' }, spec: { article: 'b' } };
// @ts-expect-error -- the status is the server's
const withStatus: NewObject<Order> = { metadata: { name: 'a' }, spec: { article: 'b' }, note: '', status: {} };
// @ts-expect-error -- and so is the uid
const withUid: NewObject<Order> = { metadata: { name: 'a', uid: 'u' }, spec: { article: 'b' }, note: '' };
void [noSpec, noNote, withStatus, withUid];
