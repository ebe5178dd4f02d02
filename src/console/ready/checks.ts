import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { connect } from 'node:tls';
import { type HostCheck, latestHostCheck } from '../../../persistence/console/host-checks.ts';
import { readInstallation } from '../../../persistence/console/installation.ts';
import { canChangeTables } from '../../../persistence/migrations/database-roles.ts';
import { pendingMigrations } from '../../../persistence/migrations/pending.ts';
import { isLoopbackHost } from '../../config/host-rules.ts';
import { probedAddress, probeReceiver } from '../../operations/webhook-probe.ts';
import { isTimeout, within } from '../../time.ts';
import { VERSION } from '../../version.ts';
import { placeholdersAmong, textFile } from '../../website/placeholder-texts.ts';
import type { ConsoleContext } from '../context.ts';
import { span } from '../time-texts.ts';

/**
 * The checks of "Is it ready?" in the order of their weight: what keeps people from signing in or loses their data
 * first. Each has five seconds and touches nothing but an object that it deletes again. What only the API host can
 * check is a row that it answers (`src/web/host-checker.ts`).
 */
type Finding = {
  /** `missing`: the site cannot do its work. `look`: it can, with a risk. */
  state: 'good' | 'look' | 'missing';
  text: string;
};
export interface Check extends Finding {
  name: string;
  /** The page that says what to do. */
  runbook: string;
}

const CHECK_MS = 5_000;
const DAY_MS = 86_400_000;
const BACKUP_MS = 26 * 3_600_000;
/** As the workers'. */
const MOST_SKEW_MS = 2_000;
const OLDEST_REDIS = 6;

const good = (text: string): Finding => ({ state: 'good', text });
const look = (text: string): Finding => ({ state: 'look', text });
const missing = (text: string): Finding => ({ state: 'missing', text });

interface Named {
  name: string;
  runbook: string;
  find(context: ConsoleContext): Promise<Finding>;
}

async function database({ database: { pool } }: ConsoleContext): Promise<Finding> {
  const pending = await pendingMigrations(pool);
  const { serverVersion } = await readInstallation(pool);
  if (pending.length > 0) return missing(`${pending.length} migrations are not applied.`);
  // A role does not start on a server that is too old or too new (persistence/database/server-version.ts).
  const version = `${Math.floor(serverVersion / 10_000)}.${serverVersion % 10_000}`;
  return good(`PostgreSQL ${version}, all migrations applied.`);
}

/** As a visitor reaches it: through name server, proxy and certificate. */
async function publicAddress({ config: { publicBaseUrl } }: ConsoleContext): Promise<Finding> {
  const answer = await within(CHECK_MS, (signal) =>
    fetch(`${publicBaseUrl}/healthz`, { signal, redirect: 'manual' }),
  );
  const body: unknown = answer.ok ? await answer.json().catch(() => null) : null;
  const version =
    typeof body === 'object' && body !== null && 'version' in body ? String(body.version) : null;
  if (version === null)
    return missing(`${publicBaseUrl} is not answered by the API host (${answer.status}).`);
  if (version !== VERSION)
    return look(`The API host is version ${version}, this worker ${VERSION}. Finish the rollout.`);
  if (isLoopbackHost(new URL(publicBaseUrl).hostname))
    return look(`${publicBaseUrl} is reachable on this machine only. Version ${version}.`);
  return good(`${publicBaseUrl} answers. API host and worker are version ${version}.`);
}

async function certificate({ config: { publicBaseUrl }, clock }: ConsoleContext): Promise<Finding> {
  const { protocol, hostname, port } = new URL(publicBaseUrl);
  if (protocol !== 'https:') return look('The address is not https: only for a test on this machine.');
  const until = await expiryOf(hostname.replace(/^\[|\]$/g, ''), Number(port || 443));
  const days = Math.floor((until - clock.now()) / DAY_MS);
  const text = `It is valid for ${days} more days.`;
  return days < 0 ? missing('It has expired.') : days < 14 ? look(text) : good(text);
}

function expiryOf(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, timeout: CHECK_MS }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('timeout', () => socket.destroy(new Error('no answer')));
  });
}

const ASK_FOR_MAIL = 'Not checked within a day. Have a test mail sent below.';

/** What the API host has found; the finding itself while there is nothing newer. */
async function ofHost(
  { database: { pool }, clock }: ConsoleContext,
  read: (findings: NonNullable<HostCheck['findings']>) => Finding,
): Promise<Finding> {
  const latest = await latestHostCheck(pool);
  if (latest === null) return look(ASK_FOR_MAIL);
  if (latest.findings !== null) return read(latest.findings);
  const waited = clock.now() - latest.requestedAt;
  return waited < 60_000
    ? look('The API host is checking. Load this page again.')
    : missing('No API host has answered within a minute.');
}

const mail = (context: ConsoleContext): Promise<Finding> =>
  ofHost(context, ({ mail: problem }) =>
    problem === null
      ? good('The mail server accepted the test mail. Make sure that it arrived, and not as spam.')
      : missing(`The mail server did not accept the test mail: ${problem}.`),
  );

const map = (context: ConsoleContext): Promise<Finding> =>
  ofHost(context, ({ map: problem, mapSource }) => {
    if (problem !== null) return missing(`The map’s background does not answer: ${problem}.`);
    return mapSource === 'built-in'
      ? look('The map has its built-in background.')
      : good('The map’s background answers.');
  });

const push = (context: ConsoleContext): Promise<Finding> =>
  ofHost(context, ({ push: state }) =>
    state === 'on'
      ? good('Push notices are sent.')
      : look('VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT are not set: no push notices.'),
  );

async function objectStore({ storage, node }: ConsoleContext): Promise<Finding> {
  // One key a process: a check that was interrupted leaves at most one object.
  const key = `ready-check/${node}`;
  const bytes = randomBytes(32);
  const options = { timeoutMs: CHECK_MS };
  await storage.put(key, bytes, { ...options, contentType: 'application/octet-stream' });
  const read = await storage.get(key, options);
  await storage.delete(key, options);
  return read.bytes.equals(bytes)
    ? good('An object was stored, read and deleted.')
    : missing('What was stored came back changed.');
}

async function callbacks({ config, database: { pool }, clock }: ConsoleContext): Promise<Finding> {
  const reading = await within(CHECK_MS, (signal) =>
    probeReceiver(probedAddress(config.provider.webhookBaseUrl), signal),
  );
  if (!reading.right) return missing(`${reading.what}. ${reading.advice}`);
  const { lastCallbackAt } = await readInstallation(pool);
  return lastCallbackAt === null
    ? look('The receiver answers from here. The provider has not called yet.')
    : good(`The receiver answers. The last callback came ${span(clock.now() - lastCallbackAt)} ago.`);
}

async function backup({ config: { lastBackupFile }, clock }: ConsoleContext): Promise<Finding> {
  if (lastBackupFile === null)
    return missing('LAST_BACKUP_FILE is not set: no one knows whether there is a backup.');
  const written = await stat(lastBackupFile).catch(() => null);
  if (written === null) return missing(`${lastBackupFile} does not exist: no backup has succeeded.`);
  const age = clock.now() - written.mtimeMs;
  const text = `The last one succeeded ${span(Math.max(0, age))} ago.`;
  return age > BACKUP_MS ? missing(text) : good(text);
}

async function clocks({ databaseClock, redis, clock }: ConsoleContext): Promise<Finding> {
  const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
  const ofRedis = seconds * 1_000 + micros / 1_000 - clock.now();
  const ofMachine = databaseClock.skewMs();
  const text = `Compared with the database, this machine is ${shown(ofMachine)} off and Redis ${shown(ofRedis)}.`;
  return databaseClock.isSkewed() || Math.abs(ofRedis) > MOST_SKEW_MS ? missing(text) : good(text);
}
const shown = (ms: number): string => `${(Math.abs(ms) / 1_000).toFixed(1)} s`;

async function redisStore({ redis }: ConsoleContext): Promise<Finding> {
  const [, version = '?'] = /redis_version:([\d.]+)/.exec(await redis.info('server')) ?? [];
  return Number.parseInt(version, 10) < OLDEST_REDIS
    ? look(`Redis ${version} is too old: use ${OLDEST_REDIS} or newer.`)
    : good(`Redis ${version} answers.`);
}

async function texts({ config: { site } }: ConsoleContext): Promise<Finding> {
  const names = placeholdersAmong(site.texts).map(textFile);
  return names.length === 0
    ? good('The texts of the site are your own.')
    : missing(`These come with the software; replace them in SITE_DIR: ${names.join(', ')}.`);
}

async function agents({ database: { pool } }: ConsoleContext): Promise<Finding> {
  const { hasAgent, hasListing } = await readInstallation(pool);
  if (!hasAgent) return missing('There is no agent: npm run ops -- first-agent');
  return hasListing ? good('There are agents and listings.') : look('There is an agent, and no listing yet.');
}

async function login({ database: { pool } }: ConsoleContext): Promise<Finding> {
  return (await canChangeTables(pool))
    ? look('The login of this process can change tables. Give the roles another one.')
    : good('The login of this process reads and writes rows only.');
}

const CHECKS: readonly Named[] = [
  { name: 'Database', runbook: 'docs/runbooks/alerts/migrations-behind.md', find: database },
  { name: 'Public address', runbook: 'docs/runbooks/alerts/process-down.md', find: publicAddress },
  { name: 'Certificate of the address', runbook: 'docs/runbooks/is-it-ready.md', find: certificate },
  { name: 'Mail', runbook: 'docs/runbooks/alerts/mail-not-accepted.md', find: mail },
  { name: 'Object store', runbook: 'docs/runbooks/alerts/storage-unavailable.md', find: objectStore },
  { name: 'Callbacks of the provider', runbook: 'docs/runbooks/alerts/webhooks-refused.md', find: callbacks },
  { name: 'Backup', runbook: 'docs/runbooks/alerts/backup-old.md', find: backup },
  { name: 'Clocks', runbook: 'docs/runbooks/alerts/clock-skewed.md', find: clocks },
  { name: 'Redis', runbook: 'docs/runbooks/alerts/redis-away.md', find: redisStore },
  { name: 'Legal texts', runbook: 'docs/runbooks/alerts/placeholder-texts.md', find: texts },
  { name: 'Agents', runbook: 'docs/runbooks/invitations.md', find: agents },
  { name: 'Map', runbook: 'docs/runbooks/is-it-ready.md', find: map },
  { name: 'Push notices', runbook: 'docs/runbooks/is-it-ready.md', find: push },
  { name: 'Database login', runbook: 'docs/runbooks/database-roles.md', find: login },
];

/** Every check, what is missing first. */
export async function runChecks(context: ConsoleContext): Promise<Check[]> {
  const found = await Promise.all(
    CHECKS.map(async ({ name, runbook, find }): Promise<Check> => {
      const finding = await within(CHECK_MS, () => find(context)).catch((error: unknown) => {
        // A check that fails is a finding; the log says more.
        context.logger.warn({ err: error, check: name }, 'a check of "Is it ready?" failed');
        return missing(isTimeout(error) ? 'No answer within 5 seconds.' : 'It could not be reached.');
      });
      return { name, runbook, ...finding };
    }),
  );
  const rank = { missing: 0, look: 1, good: 2 };
  return found.toSorted((a, b) => rank[a.state] - rank[b.state]);
}
