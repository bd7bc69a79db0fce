/** The page of a relay for people: what `/debug/relay` says, as tables that are renewed every two seconds. It needs no other server. */

/** Nothing but what this port serves: a name in the state is text, whatever it holds. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:";

/** `/` */
export const RELAY_PAGE: string = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>listwatch relay</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/relay.css">
<script src="/relay.js" defer></script>
</head>
<body>
<main>
<h1>Relay</h1>
<p id="line" role="status">Loading ...</p>
<h2>Kinds</h2><table id="kinds"><thead></thead><tbody></tbody></table>
<h2>Who reads</h2><table id="programs"><thead></thead><tbody></tbody></table>
<h2>What passes</h2><table id="passes"><thead></thead><tbody></tbody></table>
</main>
</body>
</html>
`;

/** `/relay.css` */
export const RELAY_STYLE = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; }
th, td { padding: 0.2rem 1.2rem 0.2rem 0; text-align: left; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
tr[data-state=away], tr[data-state=loading] { font-weight: bold; }
`;

/** `/relay.js` */
export const RELAY_SCRIPT = `'use strict';
// Requests that no cache can answer are no misses of one.
const ELSEWHERE = new Set(['kind', 'method', 'path', 'upgrade']);
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
const share = (some, all) => (all === 0 ? '-' : (100 * some / all).toFixed(1) + ' %');

function fill(id, heads, rows) {
  const row = (cells, tag) => {
    const made = document.createElement('tr');
    for (const cell of cells) {
      const one = made.appendChild(document.createElement(tag));
      one.textContent = String(cell);
      if (typeof cell === 'number') one.className = 'number';
    }
    return made;
  };
  const table = document.getElementById(id);
  table.tHead.replaceChildren(row(heads, 'th'));
  for (const head of table.tHead.rows[0].cells) head.scope = 'col';
  table.tBodies[0].replaceChildren(...rows.map(({ cells, state }) => {
    const made = row(cells, 'td');
    if (state !== undefined) made.dataset.state = state;
    return made;
  }));
}

function show({ upstream, kinds, reads, passing, access }) {
  const here = sum(reads.cached.map(({ count }) => count));
  const passed = Object.entries(reads.passed);
  const missed = sum(passed.filter(([reason]) => !ELSEWHERE.has(reason)).map(([, count]) => count));
  const away = kinds.filter(({ state }) => state !== 'live').length;
  document.getElementById('line').textContent =
    upstream.server + ' (' + (upstream.version || 'version unknown') + '): ' +
    (away === 0 ? 'all kinds live' : away + ' of ' + kinds.length + ' kinds not live') + '; ' +
    share(here, here + missed) + ' of ' + (here + missed) + ' reads answered here; ' +
    passing.open + ' requests passing; rights ' + (access.signal ? 'followed' : 'not followed');
  const ofKind = (name) => sum(reads.cached.filter(({ kind }) => kind === name).map(({ count }) => count));
  fill('kinds', ['Kind', 'Feed', 'For', 'Version', 'Objects', 'Watches', 'Answered here', 'Proven at once', 'By a beat', 'No proof', 'Error'],
    kinds.map((one) => ({
      state: one.state,
      cells: [one.kind, one.state, one.seconds + ' s', one.resourceVersion ?? '-', one.cache?.objects ?? 0, one.watchers,
        ofKind(one.kind), one.proofs.atOnce, one.proofs.byBeat, one.proofs.noProof, one.error ?? ''],
    })));
  const byCount = (entries) => entries.sort(([, a], [, b]) => b - a);
  fill('programs', ['Program', 'Answered here'], byCount(Object.entries(reads.programs)).map((cells) => ({ cells })));
  fill('passes', ['Reason', 'Requests'], byCount(passed).map((cells) => ({ cells })));
}

async function renew() {
  try {
    const answer = await fetch('/debug/relay', { cache: 'no-store' });
    if (!answer.ok) throw new Error('status ' + answer.status);
    show(await answer.json());
  } catch (error) {
    document.getElementById('line').textContent = 'The relay does not answer: ' + error.message;
  }
  setTimeout(renew, 2000);
}
void renew();
`;
