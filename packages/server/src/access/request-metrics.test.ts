import { expect, it } from 'vitest';
import { parseRoute } from '../route/parse-route.ts';
import { InFlight } from './in-flight.ts';
import { RequestMetrics } from './request-metrics.ts';

const info = (method: string, path: string, query = '') => parseRoute(method, { path, query });
const inFlight = () => new InFlight({ read: 1, mutating: 1, watch: 0 });

it('counts by verb, resource and code, and times all but watches', async () => {
  const metrics = new RequestMetrics(inFlight());
  metrics.observe(info('GET', '/api/v1/namespaces/a/configmaps'), 200, 0.002);
  metrics.observe(info('GET', '/api/v1/configmaps', 'watch=1'), 200, 60);
  const text = await metrics.registry.metrics();
  expect(text).toContain(
    'apiserver_request_total{verb="LIST",group="",version="v1",resource="configmaps",subresource="",code="200"} 1',
  );
  expect(text).toContain('apiserver_request_total{verb="WATCH"');
  expect(text).toContain('apiserver_request_duration_seconds_count{verb="LIST"');
  expect(text).not.toContain('apiserver_request_duration_seconds_count{verb="WATCH"');
});

it('does not let clients make up series', async () => {
  const metrics = new RequestMetrics(inFlight());
  metrics.observe(info('GET', '/api/v1/made-up'), 404, 0);
  metrics.observe(info('BREW', '/api/v1/coffees'), 405, 0);
  for (let i = 0; i < 3000; i++) metrics.observe(info('GET', `/api/v1/kind${i}`), 200, 0);
  const text = await metrics.registry.metrics();
  expect(text).not.toContain('made-up');
  expect(text).not.toContain('coffees');
  expect(text.match(/apiserver_request_total\{/gu)?.length).toBeLessThan(2010);
  const counts = [...text.matchAll(/^apiserver_request_total\{.*\} (\d+)$/gmu)].map(([, count]) => Number(count));
  expect(counts.reduce((sum, count) => sum + count)).toBe(3002);
  // Kinds that were used last are named; those that made room have left nothing behind.
  expect(text).toContain('resource="kind2999"');
  expect(text).not.toContain('resource="kind0"');
});

it('does not let strangers fill the memory with names of 60 KB in requests that are refused with 429', async () => {
  const metrics = new RequestMetrics(inFlight());
  for (let i = 0; i < 300; i++) {
    const route = info('GET', `/apis/${'g'.repeat(60_000)}${i}/v1/namespaces/n/${'r'.repeat(300)}${i}/x`);
    metrics.terminated(route, 429);
    metrics.observe(route, 429, 0);
    metrics.observe(route, 0, 0);
  }
  const text = await metrics.registry.metrics();
  expect(text.length).toBeLessThan(20_000);
  expect(text).toMatch(/apiserver_request_terminations_total\{.*resource="".*\} 300/u);
});

it('shows what is in flight', async () => {
  const counters = inFlight();
  const metrics = new RequestMetrics(counters);
  const leave = counters.enter('read');
  expect(await metrics.registry.metrics()).toContain('apiserver_current_inflight_requests{request_kind="readOnly"} 1');
  leave();
  leave();
  expect(await metrics.registry.metrics()).toContain('apiserver_current_inflight_requests{request_kind="readOnly"} 0');
});
