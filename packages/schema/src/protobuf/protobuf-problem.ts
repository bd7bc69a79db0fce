/** Malformed protobuf. The message uses the words of Go's decoder. */
export class ProtobufProblem extends Error {
  override readonly name = 'ProtobufProblem';
}
