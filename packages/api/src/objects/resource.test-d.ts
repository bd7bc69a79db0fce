import { expectTypeOf } from 'vitest';
import type { ApiObject } from './api-object.ts';
import { type ObjectOf, type Resource, resource } from './resource.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const definition = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const configMaps = resource<ConfigMap>(definition);

// A resource remembers the type of its objects.
expectTypeOf(configMaps).toEqualTypeOf<Resource<ConfigMap>>();
expectTypeOf<ObjectOf<typeof configMaps>>().toEqualTypeOf<ConfigMap>();
expectTypeOf<ObjectOf<Resource>>().toEqualTypeOf<ApiObject>();

// A resource of one type fits where any resource does, and not where another is wanted.
expectTypeOf<Resource<ConfigMap>>().toExtend<Resource>();
expectTypeOf<Resource<ConfigMap & { readonly spec: number }>>().not.toEqualTypeOf<Resource<ConfigMap>>();

// @ts-expect-error objects have metadata
resource<{ readonly data: string }>(definition);
