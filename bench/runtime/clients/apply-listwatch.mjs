// Our informer takes updates: what each costs. Says `ready`, and then one JSON line when it has seen them all.

import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { informer } from '@listwatch/runtime';

const [server, token, namespace, updates] = process.argv.slice(2);
const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const cluster = await connect({ server, token, insecureSkipTlsVerify: true });
const maps = informer(cluster, configMaps, { namespace });
await maps.synced;
let seen = 0;
let registration;
const all = new Promise((resolve) => {
  registration = maps.on({
    update: () => {
      seen += 1;
      if (seen === Number(updates)) resolve();
    },
  });
});
// An update of an object whose add has not been told yet is told as that add.
await registration.synced;
const before = process.cpuUsage();
console.log('ready');
await all;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ microsEach: (user + system) / seen }));
process.exit();
