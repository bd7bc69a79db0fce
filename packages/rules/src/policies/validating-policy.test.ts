import type { JsonRecord } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { QuickBudget, TooLongHere } from './policy-budget.ts';
import type { PolicyInput } from './policy-input.ts';
import { PATIENT, policyInput } from './policy-request.fixture.ts';
import { type PolicyOutcome, ValidatingPolicy } from './validating-policy.ts';

async function validated(
  spec: JsonRecord,
  input: PolicyInput = policyInput(),
  params: JsonRecord | null = null,
): Promise<PolicyOutcome> {
  return new ValidatingPolicy(spec).evaluate(input, params, PATIENT);
}

async function messages(spec: JsonRecord, input?: PolicyInput, params?: JsonRecord | null): Promise<readonly string[]> {
  return (await validated(spec, input, params)).decisions.map(({ message }) => message);
}

/** A policy with one validation. */
function only(expression: string, more: JsonRecord = {}, spec: JsonRecord = {}): JsonRecord {
  return { validations: [{ expression, ...more }], ...spec };
}

const MANY_KEYS = Object.fromEntries(Array.from({ length: 110 }, (_, index) => [`k${index}`, 'v']));
const MANY = policyInput({ object: { metadata: { name: 'a' }, data: MANY_KEYS } });
const PAIRS = 'object.data.all(a, object.data.all(b, (a + b).size() > 0))';
const TRIPLES = 'object.data.all(a, object.data.all(b, object.data.all(c, (a + b + c).size() > 0)))';

describe('the validations of a policy', () => {
  it('say nothing of a request that fulfils them', async () => {
    expect(await messages(only('object.data.k == "v" && oldObject == null && request.operation == "CREATE"'))).toEqual(
      [],
    );
    expect(await messages(only('namespaceObject.metadata.labels.team == "blue"'))).toEqual([]);
    expect(await messages(only('!has(request.subResource) && request.userInfo.groups == ["g"]'))).toEqual([]);
  });

  it.each([
    ['the expression without a message', only(' false '), 'failed expression: false'],
    ['the message without blanks', only('false', { message: ' too small ' }), 'too small'],
    [
      'the computed message',
      only('false', { message: 'm', messageExpression: '"name is " + object.metadata.name' }),
      'name is a',
    ],
    [
      'the message when computing fails',
      only('false', { message: 'm', messageExpression: '"x" + object.data.nope' }),
      'm',
    ],
    ['the message when the computed one is blank', only('false', { message: 'm', messageExpression: '" "' }), 'm'],
    ['the message when the computed one has lines', only('false', { message: 'm', messageExpression: '"a\\nb"' }), 'm'],
    [
      'the message when the computed one is long',
      only('false', { message: 'm', messageExpression: `"${'y'.repeat(5200)}"` }),
      'm',
    ],
  ])('shows %s', async (_, spec, message) => {
    expect(await messages(spec)).toEqual([message]);
  });

  it('all run, and each has its reason', async () => {
    const validations = [
      { expression: 'false', message: 'one' },
      { expression: 'true' },
      { expression: 'false', message: 'two', reason: 'Forbidden' },
    ];
    const { decisions } = await validated({ validations });
    expect(decisions.map(({ index, message, reason }) => [index, message, reason])).toEqual([
      [0, 'one', 'Invalid'],
      [2, 'two', 'Forbidden'],
    ]);
  });

  it('deny on an error, unless the failure policy ignores it', async () => {
    const spec = only('object.data.nope == "x"');
    const text = `expression 'object.data.nope == "x"' resulted in error: no such key: nope`;
    expect((await validated(spec)).decisions).toMatchObject([
      { isDenied: true, isError: true, message: text, reason: 'Invalid' },
    ]);
    expect((await validated({ ...spec, failurePolicy: 'Ignore' })).decisions).toMatchObject([
      { isDenied: false, message: text },
    ]);
  });

  it('see the parameters, which are null without an object', async () => {
    const spec = only(
      'params != null && params.data.max == "1"',
      { message: 'm' },
      { paramKind: { kind: 'ConfigMap' } },
    );
    expect(await messages(spec, undefined, { data: { max: '1' } })).toEqual([]);
    expect(await messages(spec)).toEqual(['m']);
  });
});

describe('the variables of a policy', () => {
  const variables = [
    { name: 'keys', expression: 'object.data.map(k, k)' },
    { name: 'total', expression: 'variables.keys.size()' },
    { name: 'broken', expression: 'object.nope.x' },
  ];

  it('use each other, also in messages, and are not computed when nobody reads them', async () => {
    const spec = only(
      'variables.total > 1',
      { messageExpression: '"total is " + string(variables.total)' },
      { variables },
    );
    expect(await messages(spec)).toEqual(['total is 1']);
  });

  it('fail where they are read', async () => {
    const text = 'composited variable "broken" fails to evaluate: no such key: nope';
    expect(await messages(only('variables.broken == 1', {}, { variables }))).toEqual([
      `expression 'variables.broken == 1' resulted in error: ${text}`,
    ]);
    expect(await messages(only('variables.broken == 1 || true', {}, { variables }))).toEqual([]);
  });

  it('are computed once for all validations', async () => {
    let asked = 0;
    const input = policyInput({}, () => {
      asked += 1;
      return { allowed: true, reason: '', error: '' };
    });
    const may = [{ name: 'may', expression: 'authorizer.requestResource.check("get").allowed()' }];
    const validations = [{ expression: 'variables.may' }, { expression: 'variables.may' }];
    expect((await validated({ variables: may, validations }, input)).decisions).toEqual([]);
    expect(asked).toBe(1);
  });
});

describe('the authorizer of a policy', () => {
  it('is waited for', async () => {
    const asked: unknown[] = [];
    const input = policyInput({}, async (check) => {
      asked.push(check.target);
      return { allowed: check.verb === 'get', reason: '', error: '' };
    });
    const text = 'authorizer.requestResource.check("get").allowed() && !authorizer.path("/x").check("post").allowed()';
    expect(await messages(only(text), input)).toEqual([]);
    expect(asked).toEqual([expect.objectContaining({ resource: 'configmaps', namespace: 'ns', name: 'a' }), '/x']);
  });
});

function error(key: string): string {
  return `expression 'object.data.${key} == ""' resulted in error: no such key: ${key}`;
}

/** A policy with these conditions that always denies. */
function condition(...expressions: readonly string[]): JsonRecord {
  const matchConditions = expressions.map((expression) => ({ name: 'c', expression }));
  return only('false', { message: 'reached' }, { matchConditions });
}

describe('match conditions', () => {
  it('exclude a request when one is false, whatever the others do', async () => {
    expect(await messages(condition('true'))).toEqual(['reached']);
    expect(await messages(condition('object.data.nope == ""', 'false'))).toEqual([]);
  });

  it('fail the policy when they cannot be evaluated', async () => {
    expect(await messages(condition('object.data.x == ""'))).toEqual([error('x')]);
    expect(await messages(condition('object.data.x == ""', 'object.data.y == ""'))).toEqual([
      `[${error('x')}, ${error('y')}]`,
    ]);
    const ignored = await validated({ ...condition('object.data.x == ""'), failurePolicy: 'Ignore' });
    expect(ignored.decisions.some(({ isDenied }) => isDenied)).toBe(false);
  });

  it('do not see the namespace', async () => {
    expect(await messages(condition('namespaceObject == null'))).toEqual(['reached']);
  });
});

describe('the cost of a policy', () => {
  const exceeded = 'operation cancelled: actual cost limit exceeded';

  it('is limited for each expression', async () => {
    expect(await messages(only(TRIPLES), MANY)).toEqual([`expression '${TRIPLES}' resulted in error: ${exceeded}`]);
  });

  // A check of rights costs 350,000: the budget ends without a long loop.
  const CHECKS = 'authorizer.path("/x").check("get").allowed() && authorizer.path("/y").check("get").allowed()';
  const spent = 'validation failed due to running out of cost budget, no further validation rules will be run';

  it('is limited for all expressions together', async () => {
    const fifteen = Array.from({ length: 15 }, () => ({ expression: CHECKS }));
    expect(await messages({ validations: fifteen })).toEqual([spent]);
    expect(await messages({ validations: fifteen.slice(1) })).toEqual([]);
  });

  it('includes that of variables', async () => {
    const variables = Array.from({ length: 15 }, (_, index) => ({ name: `v${index}`, expression: CHECKS }));
    const expression = variables.map(({ name }) => `variables.${name}`).join(' && ');
    expect(await messages({ variables, validations: [{ expression }] })).toEqual([spent]);
  });

  it('is that of match conditions, too', async () => {
    const matchConditions = Array.from({ length: 4 }, (_, index) => ({ name: `c${index}`, expression: CHECKS }));
    expect(await messages({ matchConditions, validations: [{ expression: 'false' }] })).toEqual([spent]);
  });

  it('ends an evaluation that takes too long for its thread', async () => {
    const policy = new ValidatingPolicy(only(PAIRS));
    const quick = new QuickBudget();
    await expect(policy.evaluate(MANY, null, { quick, now: () => 0 })).rejects.toThrow(TooLongHere);
    expect((await policy.evaluate(MANY, null, PATIENT)).decisions).toEqual([]);
    const small = new ValidatingPolicy(only('object.data.size() == 110'));
    await expect(small.evaluate(MANY, null, { quick, now: () => 0 })).rejects.toThrow(TooLongHere);
  });
});

describe('audit annotations', () => {
  it('publish texts and skip what is null or blank', async () => {
    const auditAnnotations = [
      { key: 'a', valueExpression: '" " + object.metadata.name' },
      { key: 'b', valueExpression: 'null' },
      { key: 'c', valueExpression: '" "' },
    ];
    expect((await validated({ auditAnnotations })).annotations).toEqual([{ key: 'a', value: 'a' }]);
  });

  it('report errors, unless the failure policy ignores them', async () => {
    const spec = { auditAnnotations: [{ key: 'a', valueExpression: 'string(object.data.nope)' }] };
    const problem = "expression 'string(object.data.nope)' resulted in error: no such key: nope";
    expect((await validated(spec)).annotations).toMatchObject([{ key: 'a', error: problem }]);
    expect((await validated({ ...spec, failurePolicy: 'Ignore' })).annotations).toEqual([]);
  });
});
