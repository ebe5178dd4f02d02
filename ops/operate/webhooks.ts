import { parseArgs } from 'node:util';
import { deliveriesOf, resend } from '../../persistence/webhooks/deliveries.ts';
import {
  addEndpoint,
  changeEndpoint,
  endpointsOf,
  removeEndpoint,
  rotateSecret,
  WEBHOOK_EVENTS,
} from '../../persistence/webhooks/endpoints.ts';
import { isLoopbackHost } from '../../src/config/host-rules.ts';
import { webSettings } from '../../src/config/settings.ts';
import { isCallable } from '../../src/outside/public-address.ts';
import { systemChance } from '../../src/time.ts';
import { createWebhookSecrets } from '../../src/webhooks/webhook-secrets.ts';
import { webhookEvents, webhookUrl } from '../../src/wire/inbox/webhooks.ts';
import { DONE, NOT_DONE, NOT_UNDERSTOOD, type Running } from './run-operation.ts';

/** Webhooks of the operators, which learn of all listings (docs/contract.md#webhooks-out). */
export const WEBHOOKS_HELP = `Usage: npm run ops -- webhooks list
       npm run ops -- webhooks add URL [--events EVENT,EVENT]
       npm run ops -- webhooks rotate|on|off|remove|deliveries ID
       npm run ops -- webhooks resend DELIVERY

list        shows the webhooks of the operators
add         makes one, and prints its secret once; it needs AUTH_SECRET of the API host
rotate      prints a new secret once; the one before signs as well for 24 hours; it needs AUTH_SECRET
on, off     turns one on or off; what happens while it is off is not sent later
remove      removes one with its deliveries
deliveries  shows the last 50
resend      sends a delivery again

Events: ${WEBHOOK_EVENTS.join(', ')}; all without --events.
`;

const COMMANDS = ['list', 'add', 'rotate', 'on', 'off', 'remove', 'deliveries', 'resend'] as const;
export interface WebhooksOptions {
  readonly do: (typeof COMMANDS)[number];
  /** The address, or the id; empty for the list. */
  readonly subject: string;
  readonly events: ReturnType<typeof webhookEvents.parse>;
}

export function parseWebhooks(args: readonly string[]): WebhooksOptions | { problems: string[] } | 'help' {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { events: { type: 'string' }, help: { type: 'boolean', default: false } },
    });
    if (values.help) return 'help';
    const [named, subject = '', ...more] = positionals;
    const command = COMMANDS.find((one) => one === named);
    if (command === undefined) return { problems: [`webhooks has the commands ${COMMANDS.join(', ')}`] };
    if (more.length > 0 || (command === 'list') !== (subject === ''))
      return { problems: [command === 'list' ? 'list takes nothing' : `${command} needs one subject`] };
    const events = webhookEvents.safeParse(values.events?.split(',') ?? [...WEBHOOK_EVENTS]);
    if (!events.success) return { problems: [`--events takes ${WEBHOOK_EVENTS.join(', ')}`] };
    return { do: command, subject, events: events.data };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** @returns the exit code */
export async function runWebhooks(
  running: Running,
  options: WebhooksOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  if (options.do === 'list') return list(running);
  if (options.do === 'add') return add(running, options, environment);
  if (options.do !== 'resend' && options.do !== 'deliveries') return change(running, options, environment);
  const { parts, screen } = running;
  if (options.do === 'resend') {
    const request = { owner: null, deliveryId: options.subject, at: parts.clock.now() };
    const fault = await resend(parts.pool, request);
    return said(running, fault === null ? null : `Not sent again: ${fault}.`, 'It is sent again.');
  }
  const page = { owner: null, endpointId: options.subject, before: null, limit: 50 };
  for (const { id, event, state, attempts, status, problem, createdAt } of await deliveriesOf(
    parts.pool,
    page,
  ))
    screen.out(
      [
        new Date(createdAt).toISOString(),
        id,
        event,
        state,
        `${attempts}x`,
        status ?? '-',
        problem ?? '-',
      ].join('  '),
    );
  return DONE;
}

async function list({ parts, screen }: Running): Promise<number> {
  const endpoints = await endpointsOf(parts.pool, null);
  if (endpoints.length === 0) screen.out('The operators have no webhooks.');
  for (const { id, url, events, state, offReason, waiting } of endpoints)
    screen.out([id, url, events.join(','), offReason ?? state, `${waiting} waiting`].join('  '));
  return DONE;
}

function said({ screen }: Running, problem: string | null, done: string): number {
  if (problem !== null) screen.err(problem);
  else screen.out(done);
  return problem === null ? DONE : NOT_DONE;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Null, with a line, without a secret that the API host would take. */
function secretsOf({ screen }: Running, { AUTH_SECRET }: Environment) {
  const read = webSettings.authSecret.schema.safeParse(AUTH_SECRET);
  if (read.success) return createWebhookSecrets(read.data);
  screen.err('AUTH_SECRET is needed, as the API host has it: it seals the secret of the webhook.');
  return null;
}

async function add(
  running: Running,
  { subject, events }: WebhooksOptions,
  environment: Environment,
): Promise<number> {
  const { parts, screen } = running;
  const url = webhookUrl.safeParse(subject);
  const site = environment.PUBLIC_BASE_URL ?? '';
  const allowsLoopback = URL.canParse(site) && isLoopbackHost(new URL(site).hostname);
  if (!url.success || !isCallable(new URL(url.data), { allowsLoopback }))
    return said(running, 'The address must be https on a public host, without a fragment.', '');
  const secrets = secretsOf(running, environment);
  if (secrets === null) return NOT_UNDERSTOOD;
  const [endpointId, secret] = [systemChance.id(), secrets.make()];
  const sealedSecret = secrets.seal(secret, endpointId);
  const made = { owner: null, endpointId, url: url.data, events, sealedSecret, at: parts.clock.now() };
  const fault = await addEndpoint(parts.pool, made);
  if (fault !== null)
    return said(
      running,
      fault === 'known' ? 'There is one with this address.' : 'There are as many as may be.',
      '',
    );
  screen.out(`${endpointId}  ${secret}`);
  screen.err('The secret is not shown again.');
  return DONE;
}

async function change(
  running: Running,
  { do: command, subject: endpointId }: WebhooksOptions,
  environment: Environment,
): Promise<number> {
  const { parts, screen } = running;
  const [at, unknown] = [parts.clock.now(), 'The operators have no such webhook.'];
  if (command === 'remove') {
    const isGone = await removeEndpoint(parts.pool, { owner: null, endpointId });
    return said(running, isGone ? null : unknown, 'It is removed.');
  }
  if (command === 'on' || command === 'off') {
    const fault = await changeEndpoint(parts.pool, { owner: null, endpointId, isOn: command === 'on', at });
    return said(running, fault === null ? null : unknown, `It is ${command}.`);
  }
  const secrets = secretsOf(running, environment);
  if (secrets === null) return NOT_UNDERSTOOD;
  const secret = secrets.make();
  const sealedSecret = secrets.seal(secret, endpointId);
  const until = await rotateSecret(parts.pool, { owner: null, endpointId, sealedSecret, at });
  if (until !== null) screen.out(secret);
  return said(running, until === null ? unknown : null, 'The secret is not shown again.');
}
