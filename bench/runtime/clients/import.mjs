// What it costs to import the runtime into a process that has nothing else.

const before = process.cpuUsage();
const resident = process.memoryUsage.rss();
const started = performance.now();
await import('@listwatch/runtime');
const wallMs = performance.now() - started;
const { user, system } = process.cpuUsage(before);
const megabytes = (process.memoryUsage.rss() - resident) / 1e6;
console.log(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, megabytes }));
