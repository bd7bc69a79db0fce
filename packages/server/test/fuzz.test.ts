import { describeFuzz } from '@listwatch/conformance/fuzz';
import { servedKinds, startFuzzedServer } from './fuzz-process.ts';

describeFuzz({ name: 'memory', connect: startFuzzedServer, kinds: await servedKinds() });
