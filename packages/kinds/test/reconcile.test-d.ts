/** What an operator's author may write in a reconcile, and what not. Compiled, never run. */

import { type ApiObject, type ObjectOf, type Resource, resource } from '@listwatch/api';
import { type CronJob, cronJobs, type Deployment, deployments } from '@listwatch/kinds';
import { defineKind } from '@listwatch/kinds/author';
import { conditions } from '@listwatch/kinds/zod';
import { type Condition, informer, type ReconcileContext, setCondition } from '@listwatch/runtime';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const website = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Website',
  schema: z.object({
    spec: z.object({ hosts: z.array(z.object({ name: z.string() })), replicas: z.int().default(1) }),
    status: z.object({ conditions: conditions().optional() }).optional(),
  }),
});
type Website = ObjectOf<typeof website.resource>;

declare const ctx: ReconcileContext<Website>;
declare const object: Website;
const metadata = { name: 'a' };
const jobTemplate = { spec: { template: { spec: { containers: [{ name: 'a', image: 'b' }] } } } };

// An apply is typed by the resource.
expectTypeOf(
  ctx.apply(cronJobs, { metadata, spec: { schedule: '@daily', concurrencyPolicy: 'Forbid', jobTemplate } }),
).resolves.toEqualTypeOf<CronJob>();
expectTypeOf(ctx.apply(deployments, { metadata, spec: { replicas: 2 } })).resolves.toEqualTypeOf<Deployment>();
// @ts-expect-error -- `concurencyPolicy` is misspelt
void ctx.apply(cronJobs, { metadata, spec: { schedule: '@daily', concurencyPolicy: 'Forbid', jobTemplate } });
// @ts-expect-error -- an open enum is a text
void ctx.apply(cronJobs, { metadata, spec: { concurrencyPolicy: {} } });
// @ts-expect-error -- replicas are counted
void ctx.apply(deployments, { metadata, spec: { replicas: '2' } });
// @ts-expect-error -- it needs a name
void ctx.apply(deployments, { metadata: {}, spec: { replicas: 2 } });
// @ts-expect-error -- the resource comes first
void ctx.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata });
// The owner's namespace may be passed on as it is: absent where the owner has none.
void ctx.apply(deployments, { metadata: { name: 'a', namespace: object.metadata.namespace } });
// Of a kind that only the running program knows, every field is taken.
const unknown: Resource = resource({ version: 'v1', plural: 'things', kind: 'Thing', namespaced: true });
expectTypeOf(ctx.apply(unknown, { metadata, anything: { at: 'all' } })).resolves.toEqualTypeOf<ApiObject>();
void ctx.applyManifest({ apiVersion: 'v1', kind: 'Thing', metadata, anything: { at: 'all' } });

// Objects of a kind of one's own are read-only all the way down, as all others are.
const cached = informer(ctx.cluster, website.resource).store.list()[0] ?? object;
expectTypeOf(cached.spec.replicas).toEqualTypeOf<number>();
// @ts-expect-error -- objects of caches are shared
cached.spec.replicas = 2;
// @ts-expect-error -- and so are their lists
cached.spec.hosts.push({ name: 'b' });
// @ts-expect-error -- and what is in them
if (cached.spec.hosts[0] !== undefined) cached.spec.hosts[0].name = 'b';
// A changed copy is written.
void ctx.cluster.update(website.resource, { ...cached, spec: { ...cached.spec, replicas: 2 } });
// What was read may be written again, and what has a default may be absent.
website.object({ metadata, spec: { hosts: cached.spec.hosts } });
// @ts-expect-error -- `host` is misspelt
website.object({ metadata, spec: { host: [] } });

// `conditions()` is the list that `setCondition` takes and gives.
expectTypeOf(object.status?.conditions).toExtend<readonly Condition[] | undefined>();
const ready = setCondition(object.status?.conditions, { type: 'Ready', status: 'True', reason: 'Up' });
void ctx.patchStatus({ conditions: ready });
// @ts-expect-error -- the status of a condition is True, False or Unknown
void ctx.patchStatus({ conditions: [{ ...ready[0], status: 'Yes' }] });
// @ts-expect-error -- there is no such field in the status
void ctx.patchStatus({ condition: ready });
