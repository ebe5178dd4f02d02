import type { Redis } from 'ioredis';
import type { Nudges } from '../../supervisors/ports.ts';
import type { Service } from '../../supervisors/supervision/service.ts';
import { queueNames } from './names.ts';

/**
 * Publishes "this job changed" to every worker. It is a hint: nothing waits for it or depends on it. A lost one costs
 * one poll interval.
 */
export function createNudges(options: {
  redis: Redis;
  suffix: string;
  count(outcome: 'sent' | 'lost'): void;
}): Nudges {
  const { nudges } = queueNames(options.suffix);
  let waiting: string[] = [];
  const send = (): void => {
    const jobIds = waiting;
    waiting = [];
    const pipeline = options.redis.pipeline();
    for (const jobId of jobIds) pipeline.publish(nudges, jobId);
    // The connection's own error handler has logged why some are lost.
    const count = (lost: (index: number) => boolean) => {
      for (const index of jobIds.keys()) options.count(lost(index) ? 'lost' : 'sent');
    };
    pipeline.exec().then(
      (answers) => count((index) => answers?.[index]?.[0] !== null),
      () => count(() => true),
    );
  };
  return {
    publish(jobId) {
      // Transitions that shared a commit share a write, too.
      if (waiting.push(jobId) === 1) queueMicrotask(send);
    },
  };
}

/** Listens for the nudges of all processes; it needs a separate connection. */
export function createNudgeListener(options: {
  connect(): Redis;
  suffix: string;
  onNudge(jobId: string): void;
}): Service {
  const { nudges } = queueNames(options.suffix);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let redis: Redis | null = null;
  return {
    name: 'nudge-listener',
    async start() {
      redis = options.connect();
      redis.on('message', (_channel, jobId: string) => options.onNudge(jobId));
      // ioredis subscribes again after every reconnect and its owner logs errors; start does not wait for a store that is
      // down.
      redis.subscribe(nudges).catch(() => {});
    },
    done: () => ended,
    async stop() {
      redis?.disconnect();
      end();
    },
  };
}
