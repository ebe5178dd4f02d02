import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, type ChildExit, startChild } from './child.ts';
import { onPort } from './free-port.ts';
import { once, type Service } from './lifecycle.ts';
import { localSecrets } from './local-secrets.ts';
import { readyLine } from './ready-line.ts';

/** The provider simulator as a child; it owns `<dataDir>/provider`, where its ledger survives even a kill -9. */
export interface SimulatorService extends Service {
  readonly baseUrl: string;
  /** The only API token that it accepts. */
  readonly token: string;
  /** The secret of its callbacks' signatures: `whsec_` followed by base64. */
  readonly webhookSecret: string;
  pid(): number;
  exited(): Promise<ChildExit>;
  /** Ends it like a crash; `start` starts it again on the same port with the same ledger. */
  crash(): Promise<void>;
  start(): Promise<void>;
}

export interface SimulatorOptions {
  dataDir: string;
  /** How long predictions take; see the simulator's help. */
  speed?: 'realistic' | 'fast' | 'instant';
  diesWithLauncher?: boolean;
}

const PROGRAM = fileURLToPath(new URL('../../simulator/main.ts', import.meta.url));

/** Starts the simulator; undefined when this checkout has none. */
export async function startSimulator(options: SimulatorOptions): Promise<SimulatorService | undefined> {
  if (!existsSync(PROGRAM)) return undefined;
  const token = localSecrets(options.dataDir).providerToken;
  const begin = (port: number) => launch(options, token, port);
  const { port, started } = await onPort(undefined, begin);
  const { baseUrl } = started;
  let current = started.child;
  const webhookSecret = await fetchWebhookSecret({ baseUrl, token }).catch(async (error) => {
    await current.stop();
    throw error;
  });
  return {
    name: 'provider',
    baseUrl,
    token,
    webhookSecret,
    pid: () => current.pid,
    exited: () => current.exited,
    crash: () => current.stop('SIGKILL'),
    async start() {
      if (!current.isRunning()) ({ child: current } = await begin(port));
    },
    stop: once(() => current.stop()),
  };
}

/**
 * The secret that the provider signs its callbacks with (docs/provider.md#callbacks-of-the-provider).
 * @returns `whsec_` followed by base64
 */
async function fetchWebhookSecret(provider: { baseUrl: string; token: string }): Promise<string> {
  const url = `${provider.baseUrl}/v1/webhooks/default/secret`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${provider.token}` } });
  const { key } = (await response.json()) as { key?: unknown };
  if (!response.ok || typeof key !== 'string' || !key.startsWith('whsec_')) {
    throw new Error(`The provider simulator did not hand out its webhook secret (HTTP ${response.status}).`);
  }
  return key;
}

interface Launched {
  child: Child;
  baseUrl: string;
}

async function launch(options: SimulatorOptions, token: string, port: number): Promise<Launched> {
  const { dataDir, speed = 'realistic', diesWithLauncher } = options;
  const directory = join(dataDir, 'provider');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const child = await startChild({
    dataDir,
    name: 'provider',
    command: process.execPath,
    args: [PROGRAM, '--port', String(port), '--data', directory, '--speed', speed],
    env: { PATH: process.env.PATH, PROVIDER_API_TOKEN: token },
    output: 'pipe',
    ...(diesWithLauncher === undefined ? {} : { diesWithLauncher }),
  });
  const accept = ({ listening }: Record<string, unknown>) =>
    typeof listening === 'string' ? { child, baseUrl: listening } : undefined;
  return await readyLine(child, accept, { dataDir });
}
