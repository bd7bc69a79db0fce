/** Bytes that are no protobuf of the kind that was expected. The message says where they break, in the words of Go. */
export class ProtobufProblem extends Error {
  override readonly name = 'ProtobufProblem';
}
