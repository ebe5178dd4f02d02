import { parseArgs } from 'node:util';
import { StackError } from '../dev/stack/lifecycle.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../dev/stack/platform.ts';
import {
  DEFAULT_OPS_PORT,
  DEFAULT_PORT,
  fromShell,
  type RoleVariables,
  requireKnown,
} from '../dev/stack/role-environment.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { prepareSample } from '../sample/prepare.ts';

/** `npm start`: runs the whole platform on this machine, in one terminal, until Ctrl-C. */

const HELP = `npm start [-- options]

Starts PostgreSQL, Redis, an S3 store, a mail sink and the provider simulator on loopback, builds the site, applies
the migrations, and runs the web and worker processes of the Procfile. Ctrl-C stops everything in order, a second one at once.

  --port <n>       port of the API host (default ${DEFAULT_PORT})
  --ops-port <n>   port of the worker's operator pages; the web process takes the next one (default ${DEFAULT_OPS_PORT})
  --data <folder>  where everything is kept (default .data); remove it to begin afresh
  --speed <name>   how fast the simulated provider paints: realistic, fast or instant (default realistic)
  --procfile <f>   run another Procfile than the repository's
  --empty          without the sample town, which an empty installation gets otherwise
  --help           this text

Settings of the two roles that the local stack does not decide itself (AI_*, QUEUE_*, LOG_LEVEL, GOOGLE_CLIENT_ID, ...)
are taken from the environment. Mail goes to <data>/mail, logs of the servers to <data>/logs.
`;

type Speed = 'realistic' | 'fast' | 'instant';

interface CommandLine {
  help: boolean;
  /** Without the sample town. */
  empty: boolean;
  options: Pick<PlatformOptions, 'port' | 'opsPort' | 'dataDir' | 'providerSpeed' | 'procfile'>;
}

const NAME_WIDTH = 7;
/** npm repeats the Ctrl-C that the terminal has already delivered; a second signal within this time is the same one. */
const ECHO_MS = 500;

try {
  const { help, empty, options } = readCommandLine();
  if (help) process.stdout.write(HELP);
  else await run(options, empty);
} catch (error) {
  if (!(error instanceof StackError)) throw error;
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
}

async function run(options: CommandLine['options'], empty: boolean): Promise<void> {
  requireKnown(process.env);
  const interruption = interruptible();
  const platform = await startPlatform({
    ...options,
    settings: (role, stack) => ({
      ...(role === 'worker' ? operator(stack) : {}),
      ...fromShell(role, process.env),
    }),
    ...(empty ? {} : { prepare: (stack) => prepareSample(stack, (line) => write('sample', line)) }),
    announce: (line) => write('start', line),
    onLine: write,
  });
  process.stdout.write(box(addresses(platform)));
  const reason = await Promise.race([platform.failed, interruption.requested()]);
  process.stderr.write(
    reason === null
      ? '\nStopping. Ctrl-C again stops at once.\n'
      : `\n${reason}; stopping everything. Its lines are above.\n`,
  );
  await platform.stop();
  process.exit(reason === null ? 0 : 1);
}

/**
 * Until the stack runs, a signal ends the process and its children at once; the next start is not affected. After
 * that, the first signal stops the stack in order, and the second one stops it at once.
 */
function interruptible(): { requested(): Promise<null> } {
  let ask: (() => void) | undefined;
  let askedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (ask === undefined && Date.now() - askedAt > ECHO_MS) process.exit(130);
      askedAt ||= Date.now();
      ask?.();
      ask = undefined;
    });
  }
  return {
    requested: () =>
      new Promise((resolve) => {
        ask = () => resolve(null);
      }),
  };
}

function readCommandLine(): CommandLine {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', default: false },
        port: { type: 'string' },
        'ops-port': { type: 'string' },
        data: { type: 'string' },
        speed: { type: 'string' },
        procfile: { type: 'string' },
        empty: { type: 'boolean', default: false },
      },
    });
    const { port, 'ops-port': opsPort, data, procfile } = values;
    for (const value of [port, opsPort]) {
      if (value !== undefined && !isPort(value)) throw new Error(`"${value}" is not a port (1 to 65535)`);
    }
    const providerSpeed = speedOf(values.speed);
    return {
      help: values.help,
      empty: values.empty,
      options: {
        ...(port === undefined ? {} : { port }),
        ...(opsPort === undefined ? {} : { opsPort }),
        ...(procfile === undefined ? {} : { procfile }),
        ...(data === undefined ? {} : { dataDir: data }),
        ...(providerSpeed === undefined ? {} : { providerSpeed }),
      },
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(2);
  }
}

function isPort(value: string): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535;
}

function speedOf(value: string | undefined): Speed | undefined {
  if (value === undefined || value === 'realistic' || value === 'fast' || value === 'instant') return value;
  throw new Error(`--speed is realistic, fast or instant, not "${value}"`);
}

function write(source: string, line: string): void {
  process.stdout.write(`${source.padEnd(NAME_WIDTH)} | ${line}\n`);
}

/** The credentials of the operators' pages, printed for the person at this terminal. */
function operator({ secrets }: Stack): RoleVariables {
  return { QUEUE_DASHBOARD_USER: 'operator', QUEUE_DASHBOARD_PASSWORD: secrets.dashboardPassword };
}

function consoleAddress({ opsUrl, stack }: Platform): string {
  const given = process.env.QUEUE_DASHBOARD_USER ?? process.env.QUEUE_DASHBOARD_PASSWORD;
  const credentials =
    given === undefined ? `operator, ${stack.secrets.dashboardPassword}` : 'as in your environment';
  return `${opsUrl}/sign-in (${credentials})`;
}

function addresses(platform: Platform): [string, string][] {
  const { url, opsUrl, stack } = platform;
  return [
    ['Site', `${url} (the API host as well)`],
    ['Worker', opsUrl],
    ['Console', consoleAddress(platform)],
    ['Provider', stack.provider?.baseUrl ?? 'none'],
    ['Mail', stack.mailDir],
    ['Data', stack.dataDir],
  ];
}

function box(rows: [string, string][]): string {
  const lines = [
    'Proscenium runs. Ctrl-C stops it.',
    '',
    ...rows.map(([name, value]) => `${name.padEnd(10)}${value}`),
  ];
  const width = Math.max(...lines.map((line) => line.length));
  const edge = '─'.repeat(width + 2);
  const body = lines.map((line) => `│ ${line.padEnd(width)} │`).join('\n');
  return `\n┌${edge}┐\n${body}\n└${edge}┘\n\n`;
}
