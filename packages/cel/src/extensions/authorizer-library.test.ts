import { describe, expect, it } from 'vitest';
import { CelError } from '../values/cel-error.ts';
import { type AccessCheck, AUTHORIZER_TYPE, AuthorizerValue } from './authorizer-values.ts';
import { kubernetesEnvironment } from './kubernetes-environment.ts';

const environment = kubernetesEnvironment().extend({ variables: { authorizer: AUTHORIZER_TYPE } });

function evaluate(text: string): { readonly result: unknown; readonly cost: number; readonly asked: AccessCheck[] } {
  const asked: AccessCheck[] = [];
  const authorizer = new AuthorizerValue((check) => {
    asked.push(check);
    return {
      allowed: check.verb === 'get',
      reason: `because of ${check.verb}`,
      error: check.verb === 'fail' ? 'broken' : '',
    };
  });
  const { result, cost } = environment.compile(text).evaluate({ authorizer });
  return { result: result instanceof CelError ? result.message : result, cost, asked };
}

describe('the library of rights', () => {
  it('asks about a resource with all that the expression says', () => {
    const text =
      'authorizer.group("apps").resource("deployments").subresource("scale").namespace("a").name("n")' +
      '.fieldSelector("x=y").labelSelector("l").check("get").allowed()';
    const { result, asked } = evaluate(text);
    expect(result).toBe(true);
    expect(asked).toEqual([
      {
        verb: 'get',
        serviceAccount: undefined,
        target: {
          group: 'apps',
          resource: 'deployments',
          subresource: 'scale',
          namespace: 'a',
          name: 'n',
          fieldSelector: 'x=y',
          labelSelector: 'l',
        },
      },
    ]);
  });

  it('asks about a path and about a service account', () => {
    expect(evaluate('authorizer.path("/healthz").check("post").allowed()').result).toBe(false);
    const { asked } = evaluate('authorizer.serviceAccount("ns", "sa").path("/x").check("get").allowed()');
    expect(asked).toEqual([{ verb: 'get', target: '/x', serviceAccount: { namespace: 'ns', name: 'sa' } }]);
  });

  it('shows the reason and the error of a decision', () => {
    expect(evaluate('authorizer.path("/x").check("get").reason()').result).toBe('because of get');
    expect(evaluate('authorizer.path("/x").check("get").errored()').result).toBe(false);
    expect(evaluate('authorizer.path("/x").check("fail").errored()').result).toBe(true);
    expect(evaluate('authorizer.path("/x").check("fail").error()').result).toBe('broken');
  });

  it('refuses what nobody can ask for', () => {
    expect(evaluate('authorizer.path(" ").check("get").allowed()').result).toBe('path must not be empty');
    expect(evaluate('authorizer.group("").resource("").check("get").allowed()').result).toBe(
      'resource must not be empty',
    );
    expect(evaluate('authorizer.serviceAccount("ns", "A").path("/").check("get").allowed()').result).toBe(
      'Invalid service account name',
    );
    expect(evaluate('authorizer.serviceAccount("n.s", "a").path("/").check("get").allowed()').result).toBe(
      'Invalid service account namespace',
    );
  });

  it('makes two checks affordable and counts them as work of others', () => {
    const two = 'authorizer.path("/x").check("get").allowed() && authorizer.path("/y").check("get").allowed()';
    const program = environment.compile(two);
    const authorizer = new AuthorizerValue(() => ({ allowed: true, reason: '', error: '' }));
    const { result, cost, elsewhere } = program.evaluate(
      { authorizer },
      { cost: 1_000_000, quick: { cost: 100, steps: 100 } },
    );
    expect(result).toBe(true);
    expect(cost).toBeGreaterThan(700_000);
    expect(elsewhere).toBe(700_000);
  });

  it('ends an evaluation at its quick limits', () => {
    const program = environment.compile('[1, 2, 3].all(a, [1, 2, 3].all(b, [1, 2, 3].all(c, a + b + c > 0)))');
    expect(program.evaluate({}, { quick: { cost: 20, steps: 1000 } }).result).toBeInstanceOf(CelError);
    expect(program.evaluate({}, { quick: { cost: 2000, steps: 1000 } }).result).toBe(true);
  });
});
