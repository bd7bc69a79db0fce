/** `defineKind` and `listwatch types` say the same of one schema. Compiled, never run. */

import type { ObjectOf } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { expectTypeOf } from 'vitest';
import { website } from './website-kind.fixture.ts';
import { type NewWebsite, newWebsite, type Website, websites } from './website-types.fixture.ts';

type Defined = ObjectOf<typeof website.resource>;
type NewDefined = Parameters<typeof website.object>[0];

declare const cluster: Cluster;

// What is read is the same: a field with a default is there.
expectTypeOf<Website>().toExtend<Defined>();
expectTypeOf<Defined>().toExtend<Website>();
expectTypeOf<Website['spec']['replicas']>().toEqualTypeOf<number>();
expectTypeOf<Defined['spec']['replicas']>().toEqualTypeOf<number>();
expectTypeOf<Website['spec']['mode']>().toEqualTypeOf<'fast' | 'slow'>();
expectTypeOf<NonNullable<Website['spec']['paths']>[number]['cached']>().toEqualTypeOf<boolean>();
expectTypeOf<NonNullable<Defined['spec']['paths']>[number]['cached']>().toEqualTypeOf<boolean>();
expectTypeOf<Website['spec']['note']>().toEqualTypeOf<string | undefined>();

// What is written is the same: it may be absent.
expectTypeOf<NewWebsite['spec']>().toExtend<NewDefined['spec']>();
expectTypeOf<NewWebsite['spec']['replicas']>().toEqualTypeOf<number | undefined>();
const fresh = { metadata: { name: 'a' }, spec: { host: 'a', tls: { secret: 's' }, paths: [{ path: '/' }] } };
void cluster.create(websites, newWebsite(fresh));
void cluster.create(website.resource, website.object(fresh));
// @ts-expect-error -- the host has no default
newWebsite({ metadata: { name: 'a' }, spec: {} });
// @ts-expect-error -- and neither way lets it out
website.object({ metadata: { name: 'a' }, spec: {} });
// @ts-expect-error -- without `newWebsite` the object is the one that is read
void cluster.create(websites, { metadata: { name: 'a' }, spec: { host: 'a' } });
