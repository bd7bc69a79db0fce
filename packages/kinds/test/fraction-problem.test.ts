import { DecodePlans, fractionProblem } from '@listwatch/schema';
import { expect, it } from 'vitest';
import { loadSchemas } from '../src/load-schemas.ts';

const POD = new DecodePlans(await loadSchemas(['core/v1'])).struct('core/v1.Pod');

const USER = 'into Go struct field PodSecurityContext.spec.securityContext.runAsUser of type int64';
const GROUPS = 'into Go struct field PodSecurityContext.spec.securityContext.supplementalGroups of type int64';

it.each([
  ['{"spec":{"securityContext":{"runAsUser":1.0}}}', `json: cannot unmarshal number 1.0 ${USER}`],
  ['{"spec":{"securityContext":{"runAsUser":1e3}}}', `json: cannot unmarshal number 1e3 ${USER}`],
  ['{"spec":{"securityContext":{"supplementalGroups":[1,-2E0]}}}', `json: cannot unmarshal number -2E0 ${GROUPS}`],
  ['{"spec":{"securityContext":{"runAsUser":1}}}', undefined],
  ['{"spec":{"securityContext":{"runAsUser":"1.0"},"1.0":1}}', undefined],
  ['{"spec":{"bogus":{"runAsUser":1.0}},"bogus":[1.0]}', undefined],
  ['{"spec":{"containers":[{"resources":{"limits":{"cpu":1.0}}}]}}', undefined],
  ['1.0', undefined],
])('%s: %s', (json, problem) => expect(fractionProblem(POD, json)).toBe(problem));
