import { expect, it } from 'vitest';
import { versionFlags } from './build-real-part.mjs';

it.each([
  ['1.36.3', 'v1.36.3'],
  // sample-apiserver: it refuses to start as 0.36.4.
  ['0.36.4', 'v1.36.4'],
])('a program of Kubernetes from modules of %s says that it is %s', (version, said) => {
  const value = (name: string): string | undefined =>
    versionFlags(version)
      .split(' ')
      .find((flag) => flag.startsWith(`k8s.io/component-base/version.${name}=`))
      ?.split('=')[1];
  expect(['gitVersion', 'gitMajor', 'gitMinor'].map(value)).toEqual([said, '1', '36']);
});
