/** The Status that answers a POST without a new object. */

import { answerStatus } from '../../answer/answer-object.ts';
import type { ApiResponse } from '../../contract/api-response.ts';
import type { ResourceCall } from '../../contract/verb.ts';

/** 201 and a Status of success. */
export function successAnswer(call: ResourceCall): ApiResponse {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const;
  return answerStatus(call, status, { status: 201 });
}
