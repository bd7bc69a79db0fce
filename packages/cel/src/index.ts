/** The Common Expression Language. Start at `CelEnvironment`. */
export {
  CelEnvironment,
  CelProgram,
  type EnvironmentOptions,
  type Evaluation,
  type EvaluationLimits,
} from './cel-environment.ts';
export type { ObjectTypes } from './checker/object-types.ts';
export type { CallEstimate, CostEstimate, CostNode, SizeEstimate, SizeHints } from './cost/cost-estimate.ts';
export { kubernetesEnvironment } from './extensions/kubernetes-environment.ts';
export { KUBERNETES_LIBRARIES } from './extensions/kubernetes-libraries.ts';
export type { QuickLimits } from './program/frame.ts';
export type { CallContext, CallNodes, CelLibrary, FunctionDeclaration, Overload } from './standard/cel-library.ts';
export { isMatch, type MatchablePattern } from './standard/pattern-match.ts';
export { PATTERN_WORK_MAX, patternWork } from './standard/pattern-work.ts';
export { CelCompileError, type CelCompileErrorCode, type CelIssue } from './syntax/cel-source.ts';
export type { Expression } from './syntax/expression.ts';
export type { ExpressionBuilder, Macro } from './syntax/macro.ts';
export {
  BOOL,
  BYTES,
  CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  NULL,
  objectType,
  opaqueType,
  optionalType,
  STRING,
  TIMESTAMP,
  typeParameter,
  UINT,
} from './types/cel-type.ts';
export { formatRuntimeType } from './types/format-type.ts';
export { adapter, adaptJson } from './values/adapter.ts';
export { CelError, COST_LIMIT_EXCEEDED } from './values/cel-error.ts';
export { type Adapt, CelList, type ListRules } from './values/cel-list.ts';
export { CelMap, type FieldAdapters, type MapKey, mapKey } from './values/cel-map.ts';
export {
  CelDouble,
  CelDuration,
  type CelInt,
  type CelOpaque,
  CelOptional,
  type CelResult,
  CelTimestamp,
  CelUint,
  type CelValue,
  intValue,
  isInt,
} from './values/cel-value.ts';
