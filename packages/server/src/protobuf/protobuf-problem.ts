/** Bytes that are no protobuf of the kind that was expected. The message says where they break. */
export class ProtobufProblem extends Error {
  override readonly name = 'ProtobufProblem';

  constructor(what: string) {
    super(`proto: ${what}`);
  }
}
