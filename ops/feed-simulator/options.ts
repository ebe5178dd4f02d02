import { parseArgs } from 'node:util';
import { RULE_SETS } from './answers.ts';
import { FEED_FAULT_NAMES, FEED_FAULTS } from './faults.ts';
import type { FeedSimulatorOptions } from './server.ts';

/** @throws Error with a sentence for the person at the terminal */
export function readCommandLine(args: string[]): FeedSimulatorOptions & { help: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      seed: { type: 'string', default: '1' },
      listings: { type: 'string', default: '100' },
      media: { type: 'string', default: '2' },
      page: { type: 'string', default: '1000' },
      rules: { type: 'string', default: 'plain' },
      quotes: { type: 'boolean', default: false },
    },
  });
  const number = (name: 'port' | 'seed' | 'listings' | 'media' | 'page', most: number): number => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 0 || value > most)
      throw new Error(`--${name} must be 0 to ${most}`);
    return value;
  };
  const rules = RULE_SETS.find((one) => one === values.rules);
  if (rules === undefined) throw new Error(`--rules must be one of ${RULE_SETS.join(', ')}`);
  return {
    help: values.help,
    host: values.host,
    port: number('port', 65_535),
    seed: number('seed', 1_000_000),
    listings: number('listings', 1_000_000),
    media: number('media', 100),
    page: number('page', 300_000),
    rules,
    quotes: values.quotes,
    token: process.env.FEED_SIMULATOR_TOKEN ?? null,
  };
}

export function helpText(): string {
  const width = Math.max(...FEED_FAULT_NAMES.map((name) => name.length));
  const faults = FEED_FAULT_NAMES.map((name) => `  ${name.padEnd(width)}  ${FEED_FAULTS[name]}`);
  return `Feed simulator: serves invented listings as a RESO Web API.

  npm run feed-simulator -- [options]

  --port <n>       0 takes a free one (default 0)
  --host <address> default 127.0.0.1
  --seed <n>       the same seed gives the same listings (default 1)
  --listings <n>   default 100
  --media <n>      pictures of each listing (default 2)
  --page <n>       the most rows of a page (default 1000)
  --rules <name>   ${RULE_SETS.join(', ')} (default plain)
  --quotes         keys with quotes, slashes and blanks

The only Bearer token that it accepts is FEED_SIMULATOR_TOKEN of its environment; without one it accepts any. Client
credentials: POST {root}/token, any client_id, client_secret simulated-secret.

Prints one JSON line {"listening":"http://..."}, the service root, when it accepts connections.

Control, without a token:
  GET  /__control/truth       every record: resource, key, modifiedAt, and the SHA-256 of its JSON
  GET  /__control/requests    the times of requests
  GET  /__control/pictures    the downloads of pictures: at, key, userAgent
  POST /__control/faults      {fault, times?: n, every?: n}; GET: those that are on; DELETE: all off
  POST /__control/set         {resource?, key, fields}: creates or changes a record
  POST /__control/delete      {resource?, key}
  POST /__control/commit      makes late changes visible

Faults:
${faults.join('\n')}
`;
}
