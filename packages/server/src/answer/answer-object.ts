/** How a verb answers: with an object in the form that was asked for, or with a Status. */

import { HEADER, MEDIA_TYPE, type Status } from '@listwatch/api';
import type { ApiResponse, BytesResponse } from '../contract/api-response.ts';
import type { AnswerOptions, ReadCall, ReadContext } from '../contract/verb.ts';
import { indentJson } from './json-layout.ts';
import { sealedStatus } from './sealed-message.ts';

const NEWLINE = Buffer.from('\n');
const CONTENT_TYPE = HEADER.contentType.toLowerCase();

/**
 * Answers with an object, given as the JSON that is served: what is stored with its resourceVersion.
 */
export function answerObject(
  context: ReadContext,
  call: ReadCall,
  served: Buffer,
  options: AnswerOptions = {},
): ApiResponse | Promise<ApiResponse> {
  const { form, request } = call;
  const plain = form.as === 'object' && form.mediaType === MEDIA_TYPE.json;
  // What is no JSON cannot be recorded from its bytes.
  if (form.as === 'object' && form.mediaType !== MEDIA_TYPE.json) request.audit?.responseObject(served);
  return plain ? answerPlain(call, served, options) : context.kinds.answer(call, served, options);
}

/** The same as JSON, whatever form the call asks for. */
export function answerPlain({ form }: ReadCall, served: Buffer, options: AnswerOptions = {}): ApiResponse {
  return answerJson(form.pretty ? indentJson(served) : Buffer.concat([served, NEWLINE]), options);
}

/** Answers with a Status that is no failure; it is JSON or protobuf. */
export function answerStatus(call: ReadCall, status: Status, options: AnswerOptions = {}): ApiResponse {
  call.request.audit?.status(status);
  const message = call.form.mediaType === MEDIA_TYPE.protobuf ? sealedStatus(status) : undefined;
  if (message !== undefined)
    return { ...answerJson(message, options), headers: { [CONTENT_TYPE]: MEDIA_TYPE.protobuf, ...options.headers } };
  const json = Buffer.from(JSON.stringify(status));
  return answerJson(call.form.pretty ? indentJson(json) : Buffer.concat([json, NEWLINE]), options);
}

function answerJson(body: Buffer, { status = 200, headers = {} }: AnswerOptions): BytesResponse {
  return { type: 'bytes', status, headers: { [CONTENT_TYPE]: MEDIA_TYPE.json, ...headers }, body };
}
