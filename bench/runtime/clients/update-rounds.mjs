// Counts updates round by round: says `ready` when a round may be written, and after the last one what an update cost, as one
// JSON line. The first round pays for the compiling of all that it runs, and is told apart from the last three. Of these the
// time of the main thread is told as well: it is what bounds the updates in a second.

import { readFileSync } from 'node:fs';

const ROUNDS = 6;
const WARM = 3;

/** What the main thread has computed so far, in microseconds. */
function mainThread() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    return Number.NaN;
  }
}

/** Gives what is to be called for each update; `start` says that it can begin. */
export function updateRounds(updates) {
  let seen = 0;
  let before;
  let mainBefore = 0;
  const rounds = [];
  const begin = () => {
    before = process.cpuUsage();
    mainBefore = mainThread();
    console.log('ready');
  };
  const average = (field) => rounds.slice(WARM).reduce((sum, round) => sum + round[field], 0) / (ROUNDS - WARM);
  return {
    start: begin,
    seen: () => {
      seen += 1;
      if (seen % updates !== 0) return;
      const { user, system } = process.cpuUsage(before);
      rounds.push({ cpu: (user + system) / updates, main: (mainThread() - mainBefore) / updates });
      if (rounds.length < ROUNDS) return begin();
      console.log(JSON.stringify({ first: rounds[0].cpu, warm: average('cpu'), main: average('main') }));
      process.exit();
    },
  };
}
