import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/**
 * Creates the series of a registry, named by Prometheus' conventions. Label values come from closed sets (route
 * patterns, codes), never from a request's text or ids.
 */
export function seriesIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string = string>(name: string, help: string, labelNames: L[] = []) =>
      new Counter({ name: `proscenium_${name}_total`, help, labelNames, registers }),
    gauge: <L extends string = string>(name: string, help: string, labelNames: L[] = []) =>
      new Gauge({ name: `proscenium_${name}`, help, labelNames, registers }),
    /** Durations; the buckets are seconds. */
    histogram: <L extends string = string>(
      name: string,
      help: string,
      { buckets, labelNames = [] }: { buckets: number[]; labelNames?: L[] },
    ) => new Histogram({ name: `proscenium_${name}_seconds`, help, labelNames, buckets, registers }),
  };
}
