import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Agent } from 'undici';
import { createFaultRules } from './faults/fault-rules.ts';
import { openLedger } from './ledger.ts';
import { createLifecycle } from './lifecycle.ts';
import { createOutputFiles } from './output-files.ts';
import type { Clock, Prediction } from './prediction.ts';
import { createPredictionStore } from './prediction-store.ts';
import { isRemoved, viewPrediction } from './prediction-view.ts';
import { createProducer, downloadInput } from './producer.ts';
import { route } from './routes.ts';
import { defaultSettings, type Speed } from './settings.ts';
import { type SimulatorContext, viewContext } from './simulator-context.ts';
import { createWebhookSender } from './webhook-sender.ts';
import { newWebhookSecret } from './webhook-signature.ts';

export interface SimulatorOptions {
  /** Folder of the ledger, the pictures and the webhook secret; created when missing. */
  dataDir: string;
  /** 0 selects a free one. */
  port?: number;
  host?: string;
  /** The only accepted API token; without it, any non-empty token is accepted. */
  token?: string;
  speed?: Speed;
  /** Origin under which callers reach it, when that is not the listening address. */
  publicUrl?: string;
  clock?: Clock;
  random?: () => number;
  newPredictionId?: () => string;
  log?: (line: string) => void;
}

export interface Simulator {
  /** Origin, without a trailing slash. */
  url: string;
  webhookSecret: string;
  close(): Promise<void>;
}

/**
 * Starts the provider simulator on a real socket. All its state is the ledger in `dataDir`: after any kind of stop,
 * the next process with the same folder continues from there.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { log = (line) => process.stderr.write(`${line}\n`) } = options;
  await mkdir(options.dataDir, { recursive: true });
  const server = createServer();
  const { context, resume, dispose } = await assemble(
    options,
    log,
    () => options.publicUrl ?? originOf(server),
  );
  const inFlight = new Set<Promise<void>>();
  server.on('request', (req, res) => {
    const answered = route({ req, res }, context, log).finally(() => inFlight.delete(answered));
    inFlight.add(answered);
  });
  await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');
  // Only now: resumed callbacks contain URLs, and those need the port.
  resume();
  return {
    url: context.publicUrl(),
    webhookSecret: context.webhookSecret,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await dispose(inFlight);
    },
  };
}

async function assemble(options: SimulatorOptions, log: (line: string) => void, publicUrl: () => string) {
  const clock = options.clock ?? { now: Date.now };
  const settings = defaultSettings(options.speed ?? 'realistic');
  const ledger = await openLedger(options.dataDir);
  const store = createPredictionStore(ledger.entries());
  // Kept-alive sockets would keep the receivers open when they want to stop.
  const agent = new Agent({ pipelining: 0, connect: { timeout: 5_000 } });
  const files = createOutputFiles({ dataDir: options.dataDir, ledger, clock });
  const secret = await loadSecret(options.dataDir);
  const view = (prediction: Prediction) => viewPrediction(prediction, viewContext(context));
  const webhooks = createWebhookSender({ ledger, settings, clock, agent, secret, view, log });
  const produce = createProducer({
    files,
    settings,
    fetchInput: (address) => downloadInput(agent, address),
    log,
  });
  const lifecycle = createLifecycle({ store, ledger, settings, clock, webhooks, produce, log });
  const context: SimulatorContext = {
    clock,
    random: options.random ?? Math.random,
    newPredictionId: options.newPredictionId ?? newPredictionId,
    token: options.token ?? null,
    settings,
    rules: createFaultRules(),
    ledger,
    store,
    lifecycle,
    files,
    webhookSecret: secret,
    publicUrl,
  };
  const resume = () => {
    webhooks.resume(store.all());
    for (const prediction of store.all()) {
      lifecycle.begin(prediction);
      if (isRemoved(prediction, viewContext(context))) {
        files.remove(prediction.id).catch((error) => log(`files of ${prediction.id}: ${error}`));
      }
    }
  };
  const dispose = async (inFlight: Set<Promise<void>>) => {
    const quiet = lifecycle.close();
    webhooks.close();
    await agent.destroy();
    await Promise.allSettled([quiet, ...inFlight]);
    await ledger.close();
  };
  return { context, resume, dispose };
}

/**
 * The secret belongs to the account, not to an endpoint, and stays the same over restarts
 * (docs/provider.md#callbacks-of-the-provider).
 */
async function loadSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'webhook-secret');
  try {
    await writeFile(file, newWebhookSecret(), { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}

/** 26 characters of Crockford-like base32 in lower case, as the provider's ids look. */
function newPredictionId(): string {
  return Array.from(randomBytes(26), (byte) => '0123456789abcdefghjkmnpqrstvwxyz'[byte & 31]).join('');
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function originOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
