/** Expressions that differ from cel-go on purpose, and why. */

const MESSAGES = 'messages of protobuf cannot be made: rules have no use for them';
const TYPE_NAMES = 'the names of types of schemas are hidden: kube-apiserver gives them a random name';
const MIXED_TYPES =
  'a value of another type is not in a list or map: kube-apiserver fails where it compares unlike JSON values';
const PANICS = 'cel-go panics; here the error of the key is the result';
const MATCH_TEXT = 'the text of the error is shorter in cel-go when the pattern is a literal';

const HEAVY_PATTERN =
  'the pattern has 1,893 instructions: matching it would hold the event loop for a third of a second';
const RECOVERED_MACRO = 'after a syntax error the macros of the repaired expression are not checked';

/** By expression. */
export const KNOWN_DIFFERENCES: ReadonlyMap<string, string> = new Map([
  ['.google.protobuf.Duration{seconds: 1}', MESSAGES],
  ['google.protobuf.Int64Value{value: 1}', MESSAGES],
  ['google.protobuf.Int32Value{value: 4}', MESSAGES],
  ['google.protobuf.StringValue{value: "a"}', MESSAGES],
  ['google.protobuf.BoolValue{}', MESSAGES],
  ['google.protobuf.Struct{}', MESSAGES],
  ['google.protobuf.Value{}', MESSAGES],
  ['timestamp', MESSAGES],
  ['duration', MESSAGES],
  ['google.protobuf.Any', MESSAGES],
  ['self.matches("([ab]{0,30}){0,30}[cd]")', HEAVY_PATTERN],
  ['has(self.in)', RECOVERED_MACRO],
  ['[3, 1, 2].sortBy(x, 1/0)', PANICS],
  ['dyn([1, 2]).sortBy(x, 1/0)', PANICS],
  ['dyn(3.0) in self.labels', MIXED_TYPES],
  ['dyn(3.0) in self.limits', MIXED_TYPES],
  ['dyn(3.0) in self.matrix', MIXED_TYPES],
  ['dyn(3.0) in self.items', MIXED_TYPES],
  ['null in self.items', MIXED_TYPES],
  ['self.matches("a")', MATCH_TEXT],
  ['self{str: "a"}', TYPE_NAMES],
  ['selfType{str: "a"}', TYPE_NAMES],
  ['selfType', TYPE_NAMES],
]);
