import { type ApiObject, type Resource, resource } from '@listwatch/api';
import { expectTypeOf } from 'vitest';
import type { Cluster } from './cluster.ts';
import type { DeepPartial, MergePart, Patch } from './object-part.ts';

interface Job extends ApiObject {
  readonly spec: {
    readonly schedule: string;
    /** An enum that newer servers may extend, as the generated kinds have them. */
    readonly policy?: 'Allow' | 'Forbid' | (string & {});
    readonly containers: readonly { readonly name: string; readonly image?: string }[];
    readonly extra?: object;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

declare const cluster: Cluster;
const jobs = resource<Job>({ version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true });
const anything: Resource = jobs;
const target = { name: 'a' };
const metadata = { name: 'a' };

// Primitives and open enums stay what they are.
expectTypeOf<DeepPartial<Job['spec']['policy']>>().toEqualTypeOf<Job['spec']['policy']>();
expectTypeOf<MergePart<Job['spec']['policy']>>().toEqualTypeOf<Job['spec']['policy']>();
expectTypeOf<DeepPartial<object>>().toEqualTypeOf<object>();
expectTypeOf<DeepPartial<unknown>>().toEqualTypeOf<unknown>();
void cluster.apply(jobs, { metadata, spec: { policy: 'Forbid', extra: { any: 1 }, labels: { a: 'b' } } });
void cluster.apply(jobs, { metadata, spec: { policy: 'Later' } });
// @ts-expect-error -- an enum is no object
void cluster.apply(jobs, { metadata, spec: { policy: {} } });
// @ts-expect-error -- nor is a text any JSON object
void cluster.apply(jobs, { metadata, spec: { extra: 'a' } });
// @ts-expect-error -- a label is a text
void cluster.apply(jobs, { metadata, spec: { labels: { a: 1 } } });

// A patch takes what the kind has, and null where it removes.
const patches: readonly Patch<Job>[] = [
  { type: 'merge', body: { spec: { policy: null, schedule: '@daily' }, metadata: { labels: { a: null } } } },
  { type: 'apply', body: { spec: { containers: [{ name: 'a' }] } } },
  { type: 'strategic', body: { spec: { containers: [{ name: 'a', $patch: 'delete' }], $retainKeys: ['schedule'] } } },
  { type: 'strategic', body: { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } } },
  { type: 'json', body: [{ op: 'remove', path: '/spec/policy' }] },
];
void cluster.patch(jobs, target, { type: 'merge', body: { spec: { policy: null } } });
void patches;
// @ts-expect-error -- `polcy` is misspelt
void cluster.patch(jobs, target, { type: 'merge', body: { spec: { polcy: 'Allow' } } });
// @ts-expect-error -- a schedule is a text
void cluster.patch(jobs, target, { type: 'merge', body: { spec: { schedule: 1 } } });
// @ts-expect-error -- a merge patch replaces lists, so that their items must be whole
void cluster.patch(jobs, target, { type: 'merge', body: { spec: { containers: [{ image: 'b' }] } } });
// @ts-expect-error -- only a merge patch removes by null
void cluster.patch(jobs, target, { type: 'apply', body: { spec: { policy: null } } });
// @ts-expect-error -- there is no such directive
void cluster.patch(jobs, target, { type: 'strategic', body: { spec: { $patch: 'remove' } } });
// @ts-expect-error -- a JSON patch is a list
void cluster.patch(jobs, target, { type: 'json', body: { op: 'remove', path: '/spec/policy' } });
// @ts-expect-error -- `value` is missing
void cluster.patch(jobs, target, { type: 'json', body: [{ op: 'add', path: '/spec/policy' }] });
// @ts-expect-error -- there is no such operation
void cluster.patch(jobs, target, { type: 'json', body: [{ op: 'delete', path: '/spec/policy' }] });

// Of a kind that is only known at run time every field is taken.
void cluster.patch(anything, target, { type: 'merge', body: { spec: { polcy: 1 } } });
void cluster.apply(anything, { metadata, spec: { polcy: 1 } });
// @ts-expect-error -- but it still needs a name
void cluster.apply(anything, { metadata: {}, spec: {} });
// @ts-expect-error -- and a body is an object
void cluster.patch(anything, target, { type: 'merge', body: 'a' });
