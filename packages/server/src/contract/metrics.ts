/**
 * The classes of prom-client that the server uses. The package's entry point also loads OpenTelemetry and the default
 * process metrics, which takes as long as loading all other dependencies. Its `Registry` is the same class.
 */

// Programs that compile this file without its folder find the types through this reference.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./prom-client-parts.d.ts" />

import type * as prometheus from 'prom-client';
import counter from 'prom-client/lib/counter.js';
import gauge from 'prom-client/lib/gauge.js';
import histogram from 'prom-client/lib/histogram.js';
import registry from 'prom-client/lib/registry.js';

export const Counter: typeof prometheus.Counter = counter;
export type Counter<T extends string = string> = prometheus.Counter<T>;

export const Gauge: typeof prometheus.Gauge = gauge;
export type Gauge<T extends string = string> = prometheus.Gauge<T>;

export const Histogram: typeof prometheus.Histogram = histogram;
export type Histogram<T extends string = string> = prometheus.Histogram<T>;

export const Registry: typeof prometheus.Registry = registry;
export type Registry = prometheus.Registry;
