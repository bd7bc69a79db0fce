// Our informer takes updates: what each costs.

import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { informer } from '@listwatch/runtime';
import { updateRounds } from './update-rounds.mjs';

const [server, token, namespace, updates] = process.argv.slice(2);
const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const cluster = await connect({ server, token, insecureSkipTlsVerify: true });
const maps = informer(cluster, configMaps, { namespace });
await maps.synced;
const rounds = updateRounds(Number(updates));
const registration = maps.on({ update: rounds.seen });
// An update of an object whose add has not been told yet is told as that add.
await registration.synced;
rounds.start();
