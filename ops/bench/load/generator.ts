import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quantile } from '../alternate.ts';
import type { Load, LoadResult } from './generator-program.ts';
import type { MeasuredServer } from './measured-server.ts';

/** A process that asks a server as fast as it answers, beside the server and the benchmark. */
export interface Generator {
  /** @throws Error when an answer has another status than expected, or a connection breaks */
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startGenerator(): Generator {
  const child = fork(fileURLToPath(new URL('./generator-program.ts', import.meta.url)), {
    serialization: 'advanced',
  });
  return {
    async run(load) {
      child.send(load);
      const [answer] = (await once(child, 'message')) as [{ result: LoadResult } | { error: string }];
      if ('error' in answer) throw new Error(answer.error);
      return answer.result;
    },
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** How a server took a load. */
export interface Throughput {
  readonly perSecond: number;
  /** For each second of the server's processor time: fair also where the generator is the slower of the two. */
  readonly perCpuSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export type ServerLoad = Omit<Load, 'url'>;

/** Puts a load on a server that is warm already. */
export async function measureThroughput(
  generator: Generator,
  server: MeasuredServer,
  load: ServerLoad,
): Promise<Throughput> {
  const before = await server.usage();
  const { answered, seconds, latenciesMs } = await generator.run({ ...load, url: server.url });
  const after = await server.usage();
  return {
    perSecond: answered / seconds,
    perCpuSecond: answered / (after.cpuSeconds - before.cpuSeconds),
    p50Ms: quantile([...latenciesMs], 0.5),
    p99Ms: quantile([...latenciesMs], 0.99),
  };
}
