/** All jobs of the server. Add a new job here; callers run it by its name. */

import { componentJob } from '../openapi/component-job.ts';
import { policyJob } from '../write/admission/policies/policy-job.ts';
import { conditionsJob } from '../write/admission/webhooks/conditions-job.ts';
import { formJob } from '../write/large/form-job.ts';
import { writeJob } from '../write/large/write-job.ts';

/** Jobs by name. */
export const COMPUTE_JOBS: {
  readonly component: typeof componentJob;
  readonly conditions: typeof conditionsJob;
  readonly form: typeof formJob;
  readonly policies: typeof policyJob;
  readonly write: typeof writeJob;
} = {
  component: componentJob,
  conditions: conditionsJob,
  form: formJob,
  policies: policyJob,
  write: writeJob,
};
