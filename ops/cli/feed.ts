import { parseArgs } from 'node:util';
import { type FeedPosition, feedCounts, listFeeds } from '../../persistence/feeds/feed-queries.ts';
import { FEED_CREDENTIALS } from '../../src/config/config.ts';
import { isLoopbackHost } from '../../src/config/host-rules.ts';
import { addFeed } from '../../src/feeds/add-feed.ts';
import { FEED_PROFILES, feedProfile } from '../../src/feeds/profiles/profiles.ts';
import { firstCursor } from '../../src/feeds/reading/cursor.ts';
import { createFeedClient } from '../../src/feeds/reading/feed-fetch.ts';
import { createFeedRate } from '../../src/feeds/reading/feed-rate.ts';
import { FeedError } from '../../src/feeds/reading/feed-reading.ts';
import { readPage } from '../../src/feeds/reading/read-page.ts';
import { sourceOf } from '../../src/feeds/turns/feed-step.ts';
import { systemTimers } from '../../src/time.ts';
import { signedBy } from '../operate/arguments.ts';
import { type OperateParts, openParts } from '../operate/parts.ts';

/**
 * `npm run feed -- …`: feeds of MLSs (docs/runbooks/feeds.md). What is done to a feed is an operation of the console as
 * well, with its operator and reason in the journal.
 */
export const FEED_HELP = `Usage: DATABASE_URL=… npm run feed -- COMMAND …

add --name NAME --profile PROFILE --base-url URL [--credentials FEED_…_TOKEN] [--filter TEXT] [--contact-agent ID …]
    adds a feed that waits to be started; profiles: ${[...FEED_PROFILES.keys()].join(', ')}
test NAME        reads one page with the credentials of this environment, and writes nothing
status           shows every feed, its last complete look, its records, and what waits for a decision
start NAME       pause NAME       reconcile NAME       accept NAME       refuse NAME
    with --reason "…" [--by NAME]; accept and refuse decide about listings that a list did not name

Exit codes: 0 done, 1 not done, 2 not understood or not possible.
`;
const OPERATIONS: Readonly<Record<string, string>> = {
  start: 'start-feed',
  pause: 'pause-feed',
  reconcile: 'reconcile-feed',
  accept: 'accept-feed-deletions',
  refuse: 'refuse-feed-deletions',
};

interface Screen {
  out(text: string): void;
  err(text: string): void;
}
type Environment = Readonly<Record<string, string | undefined>>;
interface Call {
  parts: OperateParts;
  screen: Screen;
  environment: Environment;
  values: Values;
  name: string | undefined;
}
type Values = ReturnType<typeof valuesOf>['values'];

const valuesOf = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      profile: { type: 'string' },
      'base-url': { type: 'string' },
      credentials: { type: 'string' },
      filter: { type: 'string' },
      'contact-agent': { type: 'string', multiple: true },
      reason: { type: 'string' },
      by: { type: 'string' },
      help: { type: 'boolean' },
    },
  });

/** Runs one command and returns its exit code. */
export async function feedCommand(args: string[], environment: Environment, screen: Screen): Promise<number> {
  let parsed: ReturnType<typeof valuesOf>;
  try {
    parsed = valuesOf(args);
  } catch (error) {
    screen.err(`${error instanceof Error ? error.message : String(error)}\n${FEED_HELP}`);
    return 2;
  }
  const [command, name] = parsed.positionals;
  if (parsed.values.help === true || command === undefined) {
    screen.out(FEED_HELP);
    return command === undefined && parsed.values.help !== true ? 2 : 0;
  }
  const work =
    COMMANDS[command] ?? (OPERATIONS[command] === undefined ? undefined : act(OPERATIONS[command]));
  if (work === undefined) {
    screen.err(`${command} is no command.\n${FEED_HELP}`);
    return 2;
  }
  const parts = await openParts(environment, { hints: false, say: screen.err });
  if ('problems' in parts) {
    for (const problem of parts.problems) screen.err(problem);
    return 2;
  }
  try {
    return await work({ parts, screen, environment, values: parsed.values, name });
  } catch (error) {
    screen.err(`Not finished: ${parts.scrub(error instanceof Error ? error.message : String(error))}`);
    return 2;
  } finally {
    await parts.close();
  }
}

const COMMANDS: Readonly<Record<string, (call: Call) => Promise<number>>> = { add, test, status };

async function add({ parts, screen, values, environment }: Call): Promise<number> {
  const { name, profile, 'base-url': baseUrl, credentials = null, filter = null } = values;
  const problems = addProblems(values, environment);
  if (problems.length > 0 || name === undefined || profile === undefined || baseUrl === undefined) {
    for (const problem of problems) screen.err(problem);
    return 2;
  }
  const given = { name, profile, baseUrl, credentials, filter, contactAgents: values['contact-agent'] ?? [] };
  const signed = signedBy({ ...values, reason: values.reason ?? 'added' });
  if ('problems' in signed) {
    for (const problem of signed.problems) screen.err(problem);
    return 2;
  }
  const origin = { at: parts.clock.now(), by: `operator:${signed.by}` };
  const id = await addFeed(parts, given, origin);
  screen.out(
    `added: ${name} (${id}). Start it with: npm run feed -- start ${JSON.stringify(name)} --reason "…"`,
  );
  return 0;
}

function addProblems(values: Values, environment: Environment): string[] {
  const { name = '', profile = '', credentials } = values;
  const url = URL.parse(values['base-url'] ?? '');
  const isLocal =
    url !== null &&
    isLoopbackHost(url.hostname) &&
    isLoopbackHost(URL.parse(environment.PUBLIC_BASE_URL ?? '')?.hostname ?? '');
  return [
    ...(name.length >= 1 && name.length <= 60 ? [] : ['--name has 1 to 60 characters']),
    ...(FEED_PROFILES.has(profile) ? [] : [`--profile is one of ${[...FEED_PROFILES.keys()].join(', ')}`]),
    ...(url?.protocol === 'https:' || isLocal ? [] : ['--base-url is an https address']),
    ...(credentials === undefined || FEED_CREDENTIALS.test(credentials)
      ? []
      : ['--credentials is the name of a variable: FEED_…_TOKEN or FEED_…_SECRET']),
  ];
}

async function named({ parts, screen, name }: Call): Promise<FeedPosition | null> {
  const feed = (await listFeeds(parts.pool)).find(({ actor }) => actor.details.name === name);
  if (feed === undefined) screen.err(`There is no feed ${JSON.stringify(name ?? '')}.`);
  return feed ?? null;
}

async function test(call: Call): Promise<number> {
  const { parts, screen, environment } = call;
  const feed = await named(call);
  if (feed === null) return 1;
  const source = sourceOf(
    { profileOf: feedProfile, secretOf: (variable) => environment[variable] ?? null },
    feed,
  );
  const client = createFeedClient({
    allowsLoopback: isLoopbackHost(URL.parse(environment.PUBLIC_BASE_URL ?? '')?.hostname ?? ''),
  });
  const signal = AbortSignal.timeout(120_000);
  const rate = createFeedRate({
    pool: parts.pool,
    timers: systemTimers,
    account: feed.actor.details.credentials ?? feed.actor.id,
    profile: source.profile,
    signal,
  });
  try {
    const ports = { fetch: client.fetch, rate, now: parts.clock.now, tokens: new Map(), signal };
    const page = await readPage(source, firstCursor(source, null, 'REPLICATE'), ports);
    screen.out(`The feed answers: ${page.records.length} records of ${page.cursor.resource}.`);
    return 0;
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    screen.out(`The feed does not answer as it should: ${error.code}. ${parts.scrub(error.message)}`);
    return 1;
  } finally {
    await client.close();
  }
}

async function status({ parts, screen }: Call): Promise<number> {
  const feeds = await listFeeds(parts.pool);
  if (feeds.length === 0) screen.out('There is no feed.');
  for (const { actor, lastSeenAt } of feeds) {
    const { context, details, state } = actor;
    screen.out(`${details.name}: ${state} (${details.profile}, ${actor.id})`);
    screen.out(`  last complete look: ${lastSeenAt === null ? 'never' : new Date(lastSeenAt).toISOString()}`);
    for (const { resource, state: of, count } of await feedCounts(parts.pool, actor.id))
      screen.out(`  ${resource} ${of}: ${count}`);
    if (context.lastError !== null) screen.out(`  failed ${context.failures} times: ${context.lastError}`);
    if (context.heldDeletions > 0)
      screen.out(
        `  ${context.heldDeletions} of ${context.heldListings} listings wait for a decision: accept or refuse`,
      );
  }
  return 0;
}

/** The operation of the console's pages. */
const act = (operation: string | undefined) =>
  async function run(call: Call): Promise<number> {
    const { parts, screen, values } = call;
    const signed = signedBy(values);
    if ('problems' in signed) {
      for (const problem of signed.problems) screen.err(problem);
      return 2;
    }
    const feed = await named(call);
    const found = parts.operations.find(operation ?? '');
    if (feed === null || found === null) return 1;
    const done = await found.run(feed.actor.id, signed);
    screen.out(`${done.outcome}: ${feed.actor.details.name}. ${done.why ?? ''}`.trim());
    return done.outcome === 'applied' ? 0 : 1;
  };

if (import.meta.main) {
  process.exitCode = await feedCommand(process.argv.slice(2), process.env, {
    out: (text) => void process.stdout.write(`${text.trimEnd()}\n`),
    err: (text) => void process.stderr.write(`${text.trimEnd()}\n`),
  });
}
