/** The schemas of the built-in kinds, loaded when they are needed, with the plans made from them. */

export { BUILT_IN_SCHEMAS, KindSchemas } from './kind-schemas.ts';
