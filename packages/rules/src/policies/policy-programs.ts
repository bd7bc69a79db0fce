/** Compiles the expressions of a policy once. Variables come first, because other expressions may use them. */

import { isRecord, type JsonRecord, recordsOf, textOf } from '@listwatch/api/values';
import { CelCompileError, type CelEnvironment, type CelProgram, type CelType, DYN } from '@listwatch/cel';
import { admissionEnvironment, variableType } from '../kinds/admission/admission-environment.ts';

/** A compiled expression, or its compilation error: a policy stored by another version may have one. */
export interface PolicyProgram {
  readonly text: string;
  readonly program: CelProgram | undefined;
  readonly problem: string;
}

/** The purpose of an expression. It determines the variables. */
export type ProgramUse = 'annotation' | 'condition' | 'message' | 'mutation' | 'validation';

/** The programs of one policy. */
export class PolicyPrograms {
  readonly variables: ReadonlyMap<string, PolicyProgram>;
  readonly #types = new Map<string, CelType>();
  readonly #environments = new Map<ProgramUse, CelEnvironment>();
  readonly #hasParams: boolean;

  constructor(spec: JsonRecord) {
    this.#hasParams = isRecord(spec['paramKind']);
    const environment = this.#environment('validation');
    const variables = new Map<string, PolicyProgram>();
    for (const variable of recordsOf(spec['variables'])) {
      const name = textOf(variable['name']);
      const compiled = compiledIn(environment, textOf(variable['expression']));
      this.#types.set(name, compiled.program === undefined ? DYN : variableType(compiled.program.resultType));
      variables.set(name, compiled);
    }
    this.variables = variables;
  }

  compile(use: ProgramUse, text: string): PolicyProgram {
    return compiledIn(this.#environment(use), text);
  }

  #environment(use: ProgramUse): CelEnvironment {
    const known = this.#environments.get(use);
    if (known !== undefined) return known;
    const made = admissionEnvironment({
      hasParams: this.#hasParams,
      hasAuthorizer: use !== 'message',
      hasPatchTypes: use === 'mutation',
      ...(use === 'condition' ? {} : { variables: this.#types }),
    });
    this.#environments.set(use, made);
    return made;
  }
}

function compiledIn(environment: CelEnvironment, text: string): PolicyProgram {
  try {
    return { text, program: environment.compile(text), problem: '' };
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return { text, program: undefined, problem: `compilation failed: ${error.message}` };
  }
}
