import { expectTypeOf } from 'vitest';
import type { ResourceVersion } from '../versions/resource-version.ts';
import type { ListOptions, ParsedListOptions } from './list-options.ts';

declare const version: ResourceVersion;

// A version from the wire can be sent as it is; so can an absent one.
expectTypeOf<{ resourceVersion: ResourceVersion }>().toExtend<ListOptions>();
expectTypeOf<{ resourceVersion: undefined }>().toExtend<ListOptions>();
expectTypeOf<{ resourceVersionMatch: 'Exactly' }>().not.toExtend<ListOptions>();

// What a server has read leaves nothing open but what the client left open.
expectTypeOf<ParsedListOptions['limit']>().toEqualTypeOf<number>();
expectTypeOf<ParsedListOptions['sendInitialEvents']>().toEqualTypeOf<boolean | undefined>();

const options: ListOptions = { resourceVersion: version, labelSelector: 'app=web' };
// @ts-expect-error options are read-only
options.limit = 5;
