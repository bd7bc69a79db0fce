import { connect } from '@listwatch/client';
import { deployments } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';
import { rowsOf } from './rows.ts';

const body = document.querySelector('tbody');
const state = document.querySelector('#state');

// The server of this page passes /cluster on: the page has no credentials, and needs no CORS.
const cluster = await connect({ server: `${location.origin}/cluster` });
const cache = informer(cluster, deployments);

let isScheduled = false;

/** Many changes, one drawing a frame. */
function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    const rows = rowsOf(cache.store.list()).map(({ cells }) => {
      const row = document.createElement('tr');
      row.append(
        ...cells.map((text) => {
          const cell = document.createElement('td');
          cell.textContent = text;
          return cell;
        }),
      );
      return row;
    });
    body?.replaceChildren(...rows);
    if (state !== null) state.textContent = `${cache.store.size}, live`;
  });
}

void cache.synced.then(schedule);
for await (const _ of cache.changes()) schedule();
