/** The built-in kinds as data: what discovery says of them, and the schemas of their objects, loaded when they are needed. */

export { FEATURE_GATES, GROUP_TABLE, KIND_TABLE, KUBERNETES_VERSION } from './generated/kind-table.ts';
export type { GroupData, KindData, SubresourceData } from './kind-data.ts';
export { loadPackages, loadSchemas, SCHEMA_PACKAGES } from './load-schemas.ts';
