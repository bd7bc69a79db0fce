import { expectTypeOf } from 'vitest';
import { compareResourceVersions, isResourceVersion, type ResourceVersion } from './resource-version.ts';

declare const text: string;
declare const version: ResourceVersion;

// A version is text, but text is not a version until it is checked.
expectTypeOf<ResourceVersion>().toExtend<string>();
expectTypeOf<string>().not.toExtend<ResourceVersion>();
if (isResourceVersion(text)) expectTypeOf(text).toEqualTypeOf<ResourceVersion>();
expectTypeOf(compareResourceVersions(version, version)).toEqualTypeOf<-1 | 0 | 1>();

// @ts-expect-error unchecked text cannot be compared
compareResourceVersions(version, text);
