import { parseArgs } from 'node:util';
import { FAULT_NAMES, FAULTS } from './faults/fault-catalogue.ts';
import { SPEEDS, type Speed } from './settings.ts';

export interface CommandLine {
  help: boolean;
  port: number;
  host: string;
  dataDir: string;
  speed: Speed;
  publicUrl: string | undefined;
}

/** @throws Error with a sentence for the person at the terminal */
export function readCommandLine(args: string[]): CommandLine {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string' },
      speed: { type: 'string', default: 'realistic' },
      'public-url': { type: 'string' },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port must be 0 to 65535');
  const speed = SPEEDS.find((candidate) => candidate === values.speed);
  if (!speed) throw new Error(`--speed must be one of ${SPEEDS.join(', ')}`);
  if (values.data === undefined && !values.help) throw new Error('--data <folder> is required');
  const publicUrl = values['public-url']?.replace(/\/+$/, '');
  if (publicUrl !== undefined && !URL.canParse(publicUrl)) throw new Error('--public-url must be an origin');
  const { help, host } = values;
  return { help, port, host, dataDir: values.data ?? '', speed, publicUrl };
}

export function helpText(): string {
  const width = Math.max(...FAULT_NAMES.map((name) => name.length));
  const faults = FAULT_NAMES.map((name) => `  ${name.padEnd(width)}  ${FAULTS[name].meaning}`);
  return `Provider simulator: speaks the predictions API of the image provider.

  npm run simulator -- --data <folder> [options]

  --data <folder>      ledger, pictures and webhook secret live here; reused after a restart
  --port <n>           0 takes a free one (default 0)
  --host <address>     default 127.0.0.1
  --speed <name>       realistic (9-23 s), fast (50-300 ms) or instant (default realistic)
  --public-url <url>   origin in the addresses it hands out (default: where it listens)

The only API token that it accepts is PROVIDER_API_TOKEN of its environment, so that no list of processes shows it;
without one it accepts any.

Prints one JSON line {"listening":"http://..."} when it accepts connections; logs go to stderr.

Control, without a token:
  GET    /__control/ledger                      everything bought, refused, canceled, called back, downloaded
  POST   /__control/faults                      {match?: {attemptId?, promptIncludes?, nth?}, fault, times?: n | "always", options?}
  GET    /__control/faults, DELETE likewise     the rules and their use; forget them all
  POST   /__control/settings                    {speed?, pageSize?, outputTtlMs?, hold?, pictures?, webhookRetryDelaysMs?}
  POST   /__control/release                     let held predictions go on
  POST   /__control/predictions/{id}/finish     {status, error?, output?}

Faults (options.on of the body faults: create, poll, cancel, list or webhook):
${faults.join('\n')}
`;
}
