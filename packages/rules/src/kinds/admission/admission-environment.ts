/** The environment of expressions about requests: admission policies, and match conditions of webhooks. */
import {
  type CelEnvironment,
  type CelType,
  DYN,
  kubernetesEnvironment,
  listType,
  mapType,
  objectType,
  opaqueType,
  STRING,
} from '@listwatch/cel';
import { AUTHORIZER_TYPE, jsonPatchLibrary, parameter, RESOURCE_CHECK_TYPE } from '@listwatch/cel/internal';
import { ADMISSION_TYPES, NAMESPACE_TYPE, REQUEST_TYPE } from './admission-types.ts';
import { OpenFields } from './open-fields.ts';

/** Optional variables and types, in addition to `object`, `oldObject`, `request` and `namespaceObject`. */
export interface AdmissionEnvironmentOptions {
  /** `params`, the object that configures a policy. Default: no. */
  readonly hasParams?: boolean;
  /** `authorizer` and `authorizer.requestResource`. Default: no. */
  readonly hasAuthorizer?: boolean;
  /** The types `Object` and `JSONPatch`, of which changes are made. Default: no. */
  readonly hasPatchTypes?: boolean;
  /** The fields of `variables`; entries may be added later. Default: the variable does not exist. */
  readonly variables?: ReadonlyMap<string, CelType>;
}

const VARIABLES = 'kubernetes.variables';
/** The type of `variables`. */
export const VARIABLES_TYPE: CelType = objectType(VARIABLES);
/** kube-apiserver declares no type for other fields of a JSONPatch and prints an empty type name. */
const NO_TYPE = opaqueType('');
const PATCH_FIELDS = new OpenFields({ op: STRING, path: STRING, from: STRING, value: DYN }, NO_TYPE);
const ANY_FIELDS = new OpenFields({}, DYN);

/** The environment of an expression about a request. */
export function admissionEnvironment(options: AdmissionEnvironmentOptions = {}): CelEnvironment {
  const { hasParams = false, hasAuthorizer = false, hasPatchTypes = false, variables } = options;
  return kubernetesEnvironment().extend({
    variables: {
      object: DYN,
      oldObject: DYN,
      namespaceObject: NAMESPACE_TYPE,
      request: REQUEST_TYPE,
      ...(hasParams ? { params: DYN } : {}),
      ...(hasAuthorizer ? { authorizer: AUTHORIZER_TYPE, 'authorizer.requestResource': RESOURCE_CHECK_TYPE } : {}),
      ...(variables === undefined ? {} : { variables: VARIABLES_TYPE }),
    },
    libraries: hasPatchTypes ? [jsonPatchLibrary] : [],
    objectTypes: {
      fields: (name) => {
        if (name === VARIABLES) return variables;
        return (hasPatchTypes ? patchFields(name) : undefined) ?? ADMISSION_TYPES.get(name);
      },
    },
  });
}

function patchFields(name: string): ReadonlyMap<string, CelType> | undefined {
  if (name === 'JSONPatch') return PATCH_FIELDS;
  return name === 'Object' || name.startsWith('Object.') ? ANY_FIELDS : undefined;
}

/** The type of the field of `variables` whose expression has the type `type`, as kube-apiserver declares it. */
export function variableType(type: CelType): CelType {
  switch (type.kind) {
    case 'any':
    case 'bool':
    case 'bytes':
    case 'double':
    case 'duration':
    case 'int':
    case 'null':
    case 'string':
    case 'timestamp':
    case 'uint':
      return type;
    case 'list':
      return listType(variableType(parameter(type, 0)));
    case 'map':
      return mapType(variableType(parameter(type, 0)), variableType(parameter(type, 1)));
    case 'dyn':
    case 'error':
    case 'object':
    case 'opaque':
    case 'parameter':
    case 'type':
    case 'wrapper':
      return DYN;
    default:
      return type.kind satisfies never;
  }
}
