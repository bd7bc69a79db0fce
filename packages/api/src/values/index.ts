/** Values that objects contain: quantities, durations, IP addresses, and JSON of unknown form. */

export {
  canonicalDuration,
  DurationError,
  durationNanos,
  durationProblem,
  durationText,
  parseDuration,
} from './duration.ts';
export {
  cidrText,
  firstOfRange,
  type IpAddress,
  type IpRange,
  type IpSyntax,
  ipBytes,
  ipFamily,
  ipText,
  isMappedIp,
  parseCidr,
  parseIp,
  rangeContains,
  unmappedIp,
} from './ip-address.ts';
export {
  defined,
  extended,
  isJsonNumber,
  isRecord,
  type JsonRecord,
  jsonType,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  sameJson,
  setMember,
  textEntriesOf,
  textOf,
  textRecordOf,
} from './json-value.ts';
export { optionDurationMs, optionDurationText } from './option-duration.ts';
export {
  canonicalQuantity,
  compareQuantities,
  isQuantity,
  Quantity,
  quantityOf,
  quantityProblem,
  quantitySign,
} from './quantity.ts';
export { QuantityError, type QuantityFormat } from './quantity-syntax.ts';
