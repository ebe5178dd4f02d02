import { parseArgs } from 'node:util';
import {
  ADD_CLIENT,
  createApiClients,
  DEFAULT_DAYS,
  DEFAULT_RATE,
  type EnteredClient,
  formatAdded,
  formatClient,
  LIST_CLIENTS,
  REVOKE_CLIENT,
  REVOKED,
} from '../../src/operations/api-clients.ts';
import { systemChance } from '../../src/time.ts';
import { signedBy } from './arguments.ts';
import { DONE, NOT_DONE, NOT_UNDERSTOOD, type Running } from './run-operation.ts';

/** Clients of the feed: added, listed and revoked by an operator. */
export const API_CLIENTS_HELP = `Usage: npm run ops -- add-client --name NAME --reason "…" [--per-minute ${DEFAULT_RATE}] [--days ${DEFAULT_DAYS}] [--by NAME] [--dry-run]
       npm run ops -- list-clients
       npm run ops -- revoke-client --name NAME_OR_ID --reason "…" [--by NAME] [--dry-run]

add-client     ${ADD_CLIENT.sentence}
list-clients   ${LIST_CLIENTS.sentence}
revoke-client  ${REVOKE_CLIENT.sentence}

--per-minute  requests that the client may send in a minute
--days        after which the client ends
`;

type Signed = { by: string; reason: string; dryRun: boolean };
export type ClientOptions =
  | { do: 'list' }
  | ({ do: 'add'; entered: EnteredClient } & Signed)
  | ({ do: 'revoke'; name: string } & Signed);

const NAMES = [ADD_CLIENT.name, LIST_CLIENTS.name, REVOKE_CLIENT.name] as const;
export const isClientCommand = (command: string): boolean => (NAMES as readonly string[]).includes(command);

export function parseClientCommand(
  command: string,
  args: readonly string[],
): ClientOptions | { problems: string[] } | 'help' {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        name: { type: 'string', default: '' },
        'per-minute': { type: 'string', default: String(DEFAULT_RATE) },
        days: { type: 'string', default: String(DEFAULT_DAYS) },
        reason: { type: 'string' },
        by: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return 'help';
    if (command === LIST_CLIENTS.name) return { do: 'list' };
    const signed = signedBy(values);
    const problems = [
      ...(values.name === '' ? ['--name is needed'] : []),
      ...('problems' in signed ? signed.problems : []),
    ];
    if (problems.length > 0 || 'problems' in signed) return { problems };
    const { name, days, 'per-minute': perMinute, 'dry-run': dryRun } = values;
    return command === ADD_CLIENT.name
      ? { do: 'add', entered: { name, perMinute, days }, ...signed, dryRun }
      : { do: 'revoke', name, ...signed, dryRun };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
}

export async function runClientCommand({ parts, screen }: Running, options: ClientOptions): Promise<number> {
  const clients = createApiClients({ ...parts, chance: systemChance });
  if (options.do === 'list') {
    const all = await clients.list();
    if (all.length === 0) screen.out('There is no client of the feed.');
    for (const client of all) screen.out(formatClient(client, parts.clock.now()));
    return DONE;
  }
  if (options.do === 'add') {
    const problems = clients.problemsOf(options.entered);
    for (const problem of problems) screen.err(problem);
    if (problems.length > 0) return NOT_UNDERSTOOD;
    screen.out(`Adds the client ${options.entered.name} to the feed.`);
    if (options.dryRun) return nothingDone(screen);
    const added = await clients.add(options.entered, options);
    if ('problems' in added) return NOT_UNDERSTOOD;
    screen.out(formatAdded(added));
    return added.outcome === 'added' ? DONE : NOT_DONE;
  }
  const client = await clients.find(options.name);
  screen.out(client === null ? REVOKED.missing : formatClient(client, parts.clock.now()));
  if (client === null) return NOT_DONE;
  if (options.dryRun) return nothingDone(screen);
  const { outcome } = await clients.revoke(client.clientId, options);
  screen.out(REVOKED[outcome]);
  return outcome === 'revoked' ? DONE : NOT_DONE;
}

function nothingDone(screen: Running['screen']): number {
  screen.out('Nothing was done: this was a dry run.');
  return DONE;
}
