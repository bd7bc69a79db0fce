/** Does memory grow? The straight line through its samples says so. */

/** How much there was at a time. */
export interface MemorySample {
  readonly minutes: number;
  readonly bytes: number;
}

/** Bytes a minute by least squares; 0 for fewer than two samples. */
export function memorySlope(samples: readonly MemorySample[]): number {
  const count = samples.length;
  if (count < 2) return 0;
  const meanTime = samples.reduce((sum, { minutes }) => sum + minutes, 0) / count;
  const meanBytes = samples.reduce((sum, { bytes }) => sum + bytes, 0) / count;
  let [covariance, variance] = [0, 0];
  for (const { minutes, bytes } of samples) {
    covariance += (minutes - meanTime) * (bytes - meanBytes);
    variance += (minutes - meanTime) ** 2;
  }
  return variance === 0 ? 0 : covariance / variance;
}
