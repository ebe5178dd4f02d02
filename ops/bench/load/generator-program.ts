import { type KeepAliveClient, openClient } from './keep-alive-client.ts';

/** The load generator, a process of its own: takes one load after the other by message and answers what it measured. */

export interface Load {
  /** Origin. */
  readonly url: string;
  readonly connections: number;
  /** Requests as text in which each character is one byte, asked in turn and again from the first. */
  readonly requests: readonly string[];
  /** Ends after so many seconds, or when each request was asked once. */
  readonly until: { readonly seconds: number } | 'each was asked';
  /** Any other status ends the load. */
  readonly status: number;
}

export interface LoadResult {
  readonly answered: number;
  readonly seconds: number;
  /** One an answer. */
  readonly latenciesMs: Float64Array;
}

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));

async function run(load: Load): Promise<LoadResult> {
  const { hostname: host, port } = new URL(load.url);
  const requests = load.requests.map((text) => Buffer.from(text, 'latin1'));
  const clients = await Promise.all(
    Array.from({ length: load.connections }, () => openClient({ host, port: Number(port) })),
  );
  const latencies: number[] = [];
  const began = performance.now();
  const next = supply(requests, load.until, began);
  try {
    await Promise.all(clients.map((client) => keepAsking(client, { next, latencies, status: load.status })));
  } finally {
    for (const client of clients) client.close();
  }
  const seconds = (performance.now() - began) / 1_000;
  return { answered: latencies.length, seconds, latenciesMs: Float64Array.from(latencies) };
}

/** The next request, or undefined when the load is over. */
function supply(requests: readonly Buffer[], until: Load['until'], began: number): () => Buffer | undefined {
  let asked = 0;
  if (until === 'each was asked') return () => requests[asked++];
  const end = began + until.seconds * 1_000;
  return () => (performance.now() < end ? requests[asked++ % requests.length] : undefined);
}

interface Asking {
  next(): Buffer | undefined;
  readonly latencies: number[];
  readonly status: number;
}

async function keepAsking(client: KeepAliveClient, { next, latencies, status }: Asking): Promise<void> {
  for (let request = next(); request !== undefined; request = next()) {
    const askedAt = performance.now();
    const answered = await client.ask(request);
    latencies.push(performance.now() - askedAt);
    if (answered !== status) throw new Error(`An answer with status ${answered} instead of ${status}`);
  }
}
