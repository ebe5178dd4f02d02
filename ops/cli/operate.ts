import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { APPROVE_AGENT } from '../../src/operations/agent-approval.ts';
import { INVITE_AGENT } from '../../src/operations/agent-invitations.ts';
import { ADD_CLIENT, LIST_CLIENTS, REVOKE_CLIENT } from '../../src/operations/api-clients.ts';
import { ALL_OPERATIONS } from '../../src/operations/catalogue.ts';
import { ADD_OPERATOR, addOperator } from '../operate/add-operator.ts';
import {
  API_CLIENTS_HELP,
  isClientCommand,
  parseClientCommand,
  runClientCommand,
} from '../operate/api-clients.ts';
import { APPROVE_AGENT_HELP, parseApproval, runApproval } from '../operate/approve-agent.ts';
import { parseAsked } from '../operate/arguments.ts';
import { BRAND_CHECK_HELP, brandCheck } from '../operate/brand-check.ts';
import { DRIFT_REPORT_HELP, parseDriftReport, runDriftReport } from '../operate/drift-report.ts';
import { FIRST_AGENT, FIRST_AGENT_HELP, parseFirstAgent, runFirstAgent } from '../operate/first-agent.ts';
import { INVITE_AGENT_HELP, parseInvitation, runInvitation } from '../operate/invite-agent.ts';
import { OUTBOX_HELP, parseOutbox, runOutbox } from '../operate/outbox.ts';
import { type OperateParts, openParts } from '../operate/parts.ts';
import { PROBE_HELP, probeWebhook } from '../operate/probe-webhook.ts';
import { REMOVE_SAMPLE_HELP, removeSampleTown } from '../operate/remove-sample.ts';
import {
  type Command,
  DONE,
  NOT_UNDERSTOOD,
  type Running,
  runOperation,
  type Screen,
} from '../operate/run-operation.ts';
import { sendTestEvents, TEST_EVENT_HELP } from '../operate/test-event.ts';
import { helpOf } from '../operate/texts.ts';
import { printVapidKeys, VAPID_KEYS_HELP } from '../operate/vapid-keys.ts';
import { fetchWebhookSecret, SECRET_HELP } from '../operate/webhook-secret.ts';
import { parseWebhooks, runWebhooks, WEBHOOKS_HELP } from '../operate/webhooks.ts';

/**
 * `npm run ops -- …`: the operations of the console's pages on a running installation, two commands for a
 * rollout, and a report. What changes something first shows what it will do.
 */
const HELP = `Usage: DATABASE_URL=… [KV_URL=… QUEUE_SUFFIX=…] npm run ops -- COMMAND …

${ALL_OPERATIONS.map(({ name, sentence }) => `${name.padEnd(20)}  ${sentence}`).join('\n')}
${APPROVE_AGENT.name.padEnd(20)}  ${APPROVE_AGENT.sentence}
${INVITE_AGENT.name.padEnd(20)}  ${INVITE_AGENT.sentence}
${[ADD_CLIENT, LIST_CLIENTS, REVOKE_CLIENT].map(({ name, sentence }) => `${name.padEnd(20)}  ${sentence}`).join('\n')}
${FIRST_AGENT.name.padEnd(20)}  ${FIRST_AGENT.sentence}
${ADD_OPERATOR.name.padEnd(20)}  ${ADD_OPERATOR.sentence}
brand-check           Checks the folder of the site's name, colors and texts, as the roles do at their start.
outbox list           Shows the deletions that have failed for good.
outbox retry          Offers them to the next drain again.
drift-report          Shows what agents decided about compared pictures, and what other thresholds would have found.
fetch-webhook-secret  Prints the provider's webhook signing secret once, for the API host.
send-test-event       Sends a crash report to each configured ingest address, and says whether it was taken.
probe-webhook URL     Sends an unsigned callback, and says what the answer means.
remove-sample         Removes the sample town whole.
vapid-keys            Prints a new pair of keys for push notices.
webhooks              Makes, shows and changes the operators' webhooks.

Each command explains itself with --help. Exit codes: 0 done, 1 something was not done, 2 not understood or not possible.
`;
/** These send hints to queues and workers; sweeps find the other changes. */
const WITH_HINTS: ReadonlySet<string> = new Set([
  'cancel-job',
  'release-job',
  're-enqueue-job',
  'suspend-account',
]);

export interface Invocation extends Command {
  signal: AbortSignal;
}

/** @returns the exit code */
export async function operate(invocation: Invocation): Promise<number> {
  const { args, screen, environment, signal } = invocation;
  const [command = '--help', ...rest] = args;
  if (command === '--help' || command === 'help') return printed(screen, HELP);
  if (command === 'fetch-webhook-secret')
    return withoutOptions(screen, rest, SECRET_HELP) ?? fetchWebhookSecret({ environment, screen, signal });
  if (command === 'vapid-keys')
    return withoutOptions(screen, rest, VAPID_KEYS_HELP) ?? printVapidKeys(screen);
  if (command === 'probe-webhook') return probe(invocation, rest);
  if (command === 'send-test-event')
    return withoutOptions(screen, rest, TEST_EVENT_HELP) ?? sendTestEvents({ environment, screen });
  if (command === 'brand-check')
    return rest.includes('--help')
      ? printed(screen, BRAND_CHECK_HELP)
      : brandCheck({ ...invocation, args: rest });
  if (command === ADD_OPERATOR.name) return addOperator({ ...invocation, args: rest });
  if (command === 'remove-sample')
    return rest.includes('--help')
      ? printed(screen, REMOVE_SAMPLE_HELP)
      : removeSampleTown({ args: rest, environment, screen });
  if (command === 'outbox') return outbox(invocation, rest);
  if (command === 'webhooks') return webhooks(invocation, rest);
  if (command === 'drift-report') return driftReport(invocation, rest);
  if (command === APPROVE_AGENT.name) return approveAgent(invocation, rest);
  if (command === INVITE_AGENT.name) return invite(invocation, rest);
  if (isClientCommand(command)) return apiClients(invocation, command, rest);
  if (command === FIRST_AGENT.name) return firstAgent(invocation, rest);
  const operation = ALL_OPERATIONS.find(({ name }) => name === command);
  if (operation === undefined) return refused(screen, [`${JSON.stringify(command)} is not a command.`], HELP);
  const parsed = parseAsked(operation, rest);
  if (parsed === 'help') return printed(screen, helpOf(operation));
  if ('problems' in parsed) return refused(screen, parsed.problems, helpOf(operation));
  const { options } = parsed;
  return withParts(invocation, { hints: WITH_HINTS.has(command) && !options.dryRun }, (running) => {
    const ready = running.parts.operations.find(command);
    return ready === null ? Promise.resolve(NOT_UNDERSTOOD) : runOperation(running, ready, options);
  });
}

/** The exit code of a command that takes nothing but `--help`; undefined when it got nothing. */
function withoutOptions(screen: Screen, args: readonly string[], help: string): number | undefined {
  const [first, ...more] = args;
  if (first === undefined) return undefined;
  if (first === '--help' && more.length === 0) return printed(screen, help);
  return refused(screen, [`${JSON.stringify(args.join(' '))} is not understood.`], help);
}

function outbox(invocation: Invocation, args: readonly string[]): Promise<number> | number {
  const parsed = parseOutbox(args);
  if (parsed === 'help') return printed(invocation.screen, OUTBOX_HELP);
  if ('problems' in parsed) return refused(invocation.screen, parsed.problems, OUTBOX_HELP);
  return withParts(invocation, { hints: false }, (running) => runOutbox(running, parsed));
}

function webhooks(invocation: Invocation, args: readonly string[]): Promise<number> | number {
  const { screen, environment } = invocation;
  const parsed = parseWebhooks(args);
  if (parsed === 'help') return printed(screen, WEBHOOKS_HELP);
  if ('problems' in parsed) return refused(screen, parsed.problems, WEBHOOKS_HELP);
  return withParts(invocation, { hints: false }, (running) => runWebhooks(running, parsed, environment));
}

function driftReport(invocation: Invocation, args: readonly string[]): Promise<number> | number {
  const parsed = parseDriftReport(args);
  if (parsed === 'help') return printed(invocation.screen, DRIFT_REPORT_HELP);
  if ('problems' in parsed) return refused(invocation.screen, parsed.problems, DRIFT_REPORT_HELP);
  return withParts(invocation, { hints: false }, (running) => runDriftReport(running, parsed));
}

function approveAgent(invocation: Invocation, args: readonly string[]): Promise<number> | number {
  const parsed = parseApproval(args);
  if (parsed === 'help') return printed(invocation.screen, APPROVE_AGENT_HELP);
  if ('problems' in parsed) return refused(invocation.screen, parsed.problems, APPROVE_AGENT_HELP);
  return withParts(invocation, { hints: false }, (running) => runApproval(running, parsed));
}

function invite(invocation: Invocation, args: readonly string[]): Promise<number> | number {
  const parsed = parseInvitation(args);
  if (parsed === 'help') return printed(invocation.screen, INVITE_AGENT_HELP);
  if ('problems' in parsed) return refused(invocation.screen, parsed.problems, INVITE_AGENT_HELP);
  return withParts(invocation, { hints: false }, (running) => runInvitation(running, parsed));
}

function apiClients(
  invocation: Invocation,
  command: string,
  args: readonly string[],
): Promise<number> | number {
  const parsed = parseClientCommand(command, args);
  if (parsed === 'help') return printed(invocation.screen, API_CLIENTS_HELP);
  if ('problems' in parsed) return refused(invocation.screen, parsed.problems, API_CLIENTS_HELP);
  return withParts(invocation, { hints: false }, (running) => runClientCommand(running, parsed));
}

function firstAgent(invocation: Invocation, args: readonly string[]): Promise<number> | number {
  const parsed = parseFirstAgent(args);
  if (parsed === 'help') return printed(invocation.screen, FIRST_AGENT_HELP);
  if ('problems' in parsed) return refused(invocation.screen, parsed.problems, FIRST_AGENT_HELP);
  const { PUBLIC_BASE_URL: site } = invocation.environment;
  return withParts(invocation, { hints: false }, (running) => runFirstAgent(running, parsed, site));
}

function probe({ screen, signal }: Invocation, args: readonly string[]): Promise<number> | number {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { timeout: { type: 'string', default: '10' }, help: { type: 'boolean', default: false } },
    });
    if (values.help) return printed(screen, PROBE_HELP);
    const seconds = Number(values.timeout);
    const [address, ...more] = positionals;
    if (address === undefined || more.length > 0)
      return refused(screen, ['one address is needed'], PROBE_HELP);
    if (!(seconds > 0 && seconds <= 300))
      return refused(screen, ['--timeout must be 1 to 300 seconds'], PROBE_HELP);
    return probeWebhook({ address, screen, signal, timeoutMs: seconds * 1000 });
  } catch (error) {
    return refused(screen, [error instanceof Error ? error.message : String(error)], PROBE_HELP);
  }
}

async function withParts(
  { environment, screen, signal }: Invocation,
  { hints }: { hints: boolean },
  work: (running: Running) => Promise<number>,
): Promise<number> {
  const parts: OperateParts | { problems: string[] } = await openParts(environment, {
    hints,
    say: screen.err,
  });
  if ('problems' in parts) {
    for (const problem of parts.problems) screen.err(problem);
    return NOT_UNDERSTOOD;
  }
  try {
    return await work({ parts, screen, signal });
  } catch (error) {
    screen.err(`Not finished: ${parts.scrub(error instanceof Error ? error.message : String(error))}`);
    return NOT_UNDERSTOOD;
  } finally {
    await parts.close();
  }
}

function printed(screen: Screen, text: string): number {
  screen.out(text);
  return DONE;
}

function refused(screen: Screen, problems: readonly string[], help: string): number {
  for (const problem of problems) screen.err(problem);
  screen.err(`\n${help}`);
  return NOT_UNDERSTOOD;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  process.exitCode = await operate({
    args: process.argv.slice(2),
    environment: process.env,
    screen: {
      out: (text) => void process.stdout.write(`${text.trimEnd()}\n`),
      err: (text) => void process.stderr.write(`${text.trimEnd()}\n`),
    },
    signal: stopping.signal,
  });
}
