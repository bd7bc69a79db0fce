/** Values that objects contain: JSON of unknown form, quantities, durations, addresses. */

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
  textEntriesOf,
  textOf,
  textRecordOf,
} from './json-value.ts';
