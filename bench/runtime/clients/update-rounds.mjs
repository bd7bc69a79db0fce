// Counts updates round by round: says `ready` when a round may be written, and after the last one what an update cost, as one
// JSON line. The first round pays for the compiling of all that it runs, and is told apart from the last.

const ROUNDS = 4;

/** Gives what is to be called for each update; `start` says that it can begin. */
export function updateRounds(updates) {
  let seen = 0;
  let before;
  const micros = [];
  const begin = () => {
    before = process.cpuUsage();
    console.log('ready');
  };
  return {
    start: begin,
    seen: () => {
      seen += 1;
      if (seen % updates !== 0) return;
      const { user, system } = process.cpuUsage(before);
      micros.push((user + system) / updates);
      if (micros.length < ROUNDS) return begin();
      console.log(JSON.stringify({ first: micros[0], last: micros.at(-1) }));
      process.exit();
    },
  };
}
