/** The environment that every expression in Kubernetes shares. */
import { CelEnvironment } from '../cel-environment.ts';
import { KUBERNETES_LIBRARIES } from './kubernetes-libraries.ts';

let environment: CelEnvironment | undefined;

/** The environment that Kubernetes gives to expressions, without variables. All callers get the same one. */
export function kubernetesEnvironment(): CelEnvironment {
  environment ??= new CelEnvironment({ libraries: KUBERNETES_LIBRARIES });
  return environment;
}
