import { expect, it } from 'vitest';
import { builtInControllers, CONTROLLER_NAMES } from './built-in-controllers.ts';
import type { ControllersConfig } from './controllers-options.ts';

it('every controller but the collector, which gets caches as it needs them, says when it is ready', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the factories ask for no more
  const config = {
    namespaceGraceMs: 0,
    caBundle: 'pem',
    advertise: { ip: '10.0.0.1', port: 443 },
  } as unknown as ControllersConfig;
  const silent = builtInControllers(CONTROLLER_NAMES, config).filter(({ signalsReady }) => signalsReady !== true);
  expect(silent.map(({ name }) => name)).toEqual(['garbage-collector-controller']);
});
