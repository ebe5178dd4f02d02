import { candidate, interleave, ratioOf } from '../alternate.ts';
import type { Bench, BenchGround, Finding } from '../benchmark.ts';
import { type Generator, measureThroughput, startGenerator, type Throughput } from '../load/generator.ts';
import { type MeasuredServer, startMeasuredServer } from '../load/measured-server.ts';
import { startRepeating } from '../load/repeating-server.ts';
import { type PlainRequest, requestBytes } from '../load/request-bytes.ts';
import { compareAnswers, MUTATION, QUERY } from './calls.ts';

/**
 * A typed call to its procedure and back, on three servers in separate processes: the product's, the same router on
 * tRPC's standalone server, and bare uWebSockets.js that sends the product's bytes without any checks. The
 * generator runs on the other processor. Where the generator is the slower part, answers per second only show its
 * speed. The goals are therefore about answers per second of the server's processor time.
 */
export const trpcBench: Bench = {
  name: 'trpc',
  about: "a tRPC query and mutation: the product's host, tRPC's standalone server, bare uWebSockets.js",
  run: async (ground) => {
    const running: { stop(): Promise<void> }[] = [];
    const track = <T extends { stop(): Promise<void> }>(one: T): T => {
      running.push(one);
      return one;
    };
    try {
      const product = track(await startMeasuredServer({ entry: 'ops/bench/trpc/product-host.ts' }));
      const standalone = track(await startMeasuredServer({ entry: 'ops/bench/trpc/standalone-host.ts' }));
      await compareAnswers(product.url, standalone.url);
      const { url } = product;
      const bare = track(await startRepeating([QUERY, MUTATION], { url, scratch: ground.scratch }));
      const generator = track(startGenerator());
      const hosts = { product, standalone, bare };
      return [
        ...(await measureCall({ ...hosts, generator }, ground, { name: 'query', request: QUERY })),
        ...(await measureCall({ ...hosts, generator }, ground, { name: 'mutation', request: MUTATION })),
      ];
    } finally {
      for (const one of running.toReversed()) await one.stop();
    }
  },
};

const CONNECTIONS = 64;
const SECONDS = 3;
const QUICK_SECONDS = 0.3;
const GOALS = { standalone: { atLeast: 2.5 }, bare: { atLeast: 0.15 } } as const;
const NAMES = { standalone: 'tRPC standalone', bare: 'bare uWebSockets.js' } as const;
const OURS = 'Proscenium';

interface Hosts {
  readonly product: MeasuredServer;
  readonly standalone: MeasuredServer;
  readonly bare: MeasuredServer;
  readonly generator: Generator;
}

async function measureCall(
  { generator, product, standalone, bare }: Hosts,
  { rounds, quick, print }: BenchGround,
  { name, request }: { name: string; request: PlainRequest },
): Promise<Finding[]> {
  print(`${name}: ${rounds} turns of three hosts`);
  const requests = [requestBytes(request)];
  const until = { seconds: quick ? QUICK_SECONDS : SECONDS };
  const load = { connections: CONNECTIONS, requests, until, status: 200 };
  const turnOf = (server: MeasuredServer) => () => measureThroughput(generator, server, load);
  const taken = await interleave(
    { product: turnOf(product), standalone: turnOf(standalone), bare: turnOf(bare) },
    rounds,
  );
  const rate = (turns: readonly Throughput[], by: keyof Throughput) => turns.map((turn) => turn[by]);
  return (['standalone', 'bare'] as const).flatMap((peer) => [
    ratioOf(
      { title: `tRPC ${name}, by the server's processor time`, unit: '/s', goal: GOALS[peer] },
      candidate(OURS, rate(taken.product, 'perCpuSecond')),
      candidate(NAMES[peer], rate(taken[peer], 'perCpuSecond')),
    ),
    ratioOf(
      { title: `tRPC ${name}, by the clock`, unit: '/s', note: GENERATOR },
      candidate(OURS, rate(taken.product, 'perSecond')),
      candidate(NAMES[peer], rate(taken[peer], 'perSecond')),
    ),
  ]);
}

const GENERATOR = `${CONNECTIONS} connections, one request each at a time; the generator takes a processor of its own and bounds the fastest.`;
