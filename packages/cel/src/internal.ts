/** For sibling packages: the parts of CEL that environments for Kubernetes' objects are built from. */
export {
  type AccessCheck,
  type AccessVerdict,
  type AskAccess,
  AUTHORIZER_TYPE,
  AuthorizerValue,
  type CheckedResource,
  RESOURCE_CHECK_TYPE,
  ResourceCheckValue,
} from './extensions/authorizer-values.ts';
export { bindingsLibrary } from './extensions/bindings-library.ts';
export { jsonPatchLibrary } from './extensions/json-patch-library.ts';
export { QUANTITY_TYPE } from './extensions/quantity-library.ts';
export { parseGoDuration, parseTimestamp } from './standard/go-literals.ts';
export { ANY } from './types/cel-type.ts';
export { parameter } from './types/type-relations.ts';
export { CelFields } from './values/cel-fields.ts';
export { isRawObject, type RawObject, type RawObjectView } from './values/cel-map.ts';
export { equalCelValues } from './values/equality.ts';
