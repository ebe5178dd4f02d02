import { Counter, Histogram, type Registry } from 'prom-client';
import type { RuntimeCounter } from '../../supervisors/ports.ts';

/** The worker's own series, beside those that both roles have. */
export interface RuntimeMetrics {
  counters: Record<Exclude<RuntimeCounter, 'dispatcher_repairs'>, Counter>;
  alerts: Counter<'alert'>;
  refusedEvents: Counter<'actor' | 'event' | 'outcome'>;
  /** Seconds. */
  providerDuration: Histogram<'operation'>;
}

const PROVIDER_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createRuntimeMetrics(registry: Registry): RuntimeMetrics {
  const registers = [registry];
  const counter = (name: string, help: string) =>
    new Counter({ name: `proscenium_${name}_total`, help, registers });
  return {
    counters: {
      jobs_adopted: counter('jobs_adopted', 'Jobs under way taken over from nobody'),
      leases_lost: counter('leases_lost', 'Leases that could not be kept'),
      sweep_failures: counter('sweep_failures', 'Sweeps, or rows of them, that failed'),
      jobs_quarantined: counter('jobs_quarantined', 'Jobs set aside for a person'),
      deletions_done: counter('deletions_done', 'Objects deleted from the store'),
      search_documents_written: counter('search_documents_written', 'Search documents written or removed'),
    },
    alerts: new Counter({
      name: 'proscenium_alerts_total',
      help: 'Things a person must look at',
      labelNames: ['alert'],
      registers,
    }),
    refusedEvents: new Counter({
      name: 'proscenium_refused_events_total',
      help: 'Events that changed nothing: ignored by the state, or under a lease that was over',
      labelNames: ['actor', 'event', 'outcome'],
      registers,
    }),
    providerDuration: new Histogram({
      name: 'proscenium_provider_request_duration_seconds',
      help: 'Time of one call to the provider',
      labelNames: ['operation'],
      buckets: PROVIDER_BUCKETS_SECONDS,
      registers,
    }),
  };
}
