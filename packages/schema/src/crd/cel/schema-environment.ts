/** The environment of a rule: `self` and `oldSelf` of a schema, and the libraries of Kubernetes. */
import { type CelEnvironment, kubernetesEnvironment, optionalType, type SizeHints, STRING } from '@listwatch/cel';
import { DeclaredObjects } from './declared-objects.ts';
import type { DeclaredSchema } from './declared-schema.ts';
import { type DeclaredType, declaredType } from './declared-type.ts';

/** Options of {@link schemaEnvironment}. */
export interface SchemaEnvironmentOptions {
  /** Is it the schema of a whole object? Then `apiVersion`, `kind` and `metadata` are there without being declared. */
  readonly isRoot?: boolean;
  /** Is `oldSelf` optional? */
  readonly hasOptionalOldSelf?: boolean;
  /** The name of the type of `self`. Default: `selfType`. */
  readonly typeName?: string;
}

/** The environment that compiles the rules of one schema. */
export interface SchemaEnvironment {
  readonly environment: CelEnvironment;
  readonly declared: DeclaredType;
  /** The sizes that the schema promises, for `estimateCost`. */
  readonly sizeHints: SizeHints;
}

/** The environment of the rules of a schema; `undefined` when expressions cannot see values of the schema. */
export function schemaEnvironment(
  schema: DeclaredSchema,
  options: SchemaEnvironmentOptions = {},
): SchemaEnvironment | undefined {
  const declared = declaredType(schema, options.typeName ?? 'selfType', options.isRoot ?? false);
  if (declared === undefined) return undefined;
  const environment = kubernetesEnvironment().extend({
    variables: {
      self: declared.type,
      oldSelf: options.hasOptionalOldSelf === true ? optionalType(declared.type) : declared.type,
    },
    objectTypes: new DeclaredObjects(declared),
  });
  return { environment, declared, sizeHints: sizeHintsOf(declared) };
}

/** The largest size of the value at a path below `self` or `oldSelf`. */
function sizeHintsOf(root: DeclaredType): SizeHints {
  return ({ path }) => {
    if (path.length === 0) return undefined;
    let node: DeclaredType | undefined = root;
    for (const name of path.slice(1)) {
      node = stepInto(node, name);
      if (node === undefined) return undefined;
    }
    return { min: 0, max: node.maxElements };
  };
}

/** kube-apiserver counts nothing for the keys of a map. */
const KEY: DeclaredType = { type: STRING, maxElements: 0, minSize: 2 };

function stepInto(node: DeclaredType, name: string): DeclaredType | undefined {
  if (name === '@items' || name === '@values') return node.element;
  if (name === '@keys') return node.isMap === true ? KEY : undefined;
  return node.fields?.get(name);
}
