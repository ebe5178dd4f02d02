import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { ProcedureInfo } from '../../../../ops/codegen/api/procedures.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../../support/http/identity-provider.ts';
import type { Answer, Person, SendInit } from '../../../support/http/person.ts';
import { createLeakWorld, type LeakWorld } from '../../../support/worlds/leak-world.ts';
import { checkAnswer, type Family, isParserPage } from '../answers.ts';

/**
 * The API host over a real stack with rows of every kind, and the checks of every answer. Requests are sent
 * one after the other, so that every change belongs to the last one.
 */
export interface HostWorld {
  readonly host: ApiHost;
  readonly rows: LeakWorld;
  readonly identity: TestIdentityProvider;
  readonly people: Readonly<Record<'nobody' | 'customer' | 'otherAgent' | 'owner', Person>>;
  /** Ids that exist. */
  readonly ids: readonly string[];
  /** Put into every secret part of a request; no log line may contain it. */
  readonly planted: string;
  /** Checks the answer of `send`; `unlogged` are further texts that no log line may contain. */
  judge(family: Family, send: () => Promise<Answer | null>, options?: JudgeOptions): Promise<Verdict>;
  close(): Promise<void>;
}

interface JudgeOptions {
  /** The declared answers of a procedure. */
  readonly output?: z.ZodType | null;
  /** Tables whose rows may change although the call is rejected: a wrong code is counted. */
  readonly mayChange?: readonly string[];
  /** Further texts that no log line may contain. */
  readonly unlogged?: readonly string[];
  /** Secrets that must not reach another caller. */
  readonly own?: readonly string[];
}
/** `closed`: the HTTP parser rejected it without an answer. */
export type Verdict = 'accepted' | 'refused' | 'closed';

const ORDINARY_EVERY = 10;

export async function openHostWorld(): Promise<HostWorld> {
  const identity = await startIdentityProvider();
  const host = await startApiHost({
    settings: {
      REQUEST_LIMIT_PER_MINUTE_IP: '0',
      REQUEST_LIMIT_PER_MINUTE_SESSION: '0',
      GOOGLE_CLIENT_ID: 'the-web-client',
    },
    overrides: { identityKeys: { google: identity.keysUrl } },
  });
  const rows = await createLeakWorld(host);
  const [[, nobody], [, customer], [, otherAgent]] = rows.outsiders as [
    ...[readonly [string, Person], readonly [string, Person], readonly [string, Person]],
  ];
  const [owner] = rows.insiders as [Person];
  const planted = `planted-${randomUUID()}`;
  const fingerprint = await fingerprintOf(host);
  const neverShown = await keptInside(host);
  let before = await fingerprint();
  let runs = 0;

  return {
    host,
    rows,
    identity,
    planted,
    people: { nobody, customer, otherAgent, owner },
    ids: [...Object.values(rows.hidden), ...Object.values(rows.shown)].flat(),
    async judge(family, send, { output = null, mayChange = [], unlogged = [], own = [] } = {}) {
      host.lines.length = 0;
      const cost = costSoFar();
      const answer = await send();
      cost.check();
      const verdict = answer === null ? 'closed' : checkAnswer(family, heard(answer), output);
      const shown = neverShown.filter((secret) => !own.includes(secret) && answer?.text.includes(secret));
      expect(shown, 'what is kept inside was shown').toEqual([]);
      checkLines(host, [planted, ...unlogged]);
      const after = await fingerprint();
      const changed = [...after]
        .filter(([table, rows]) => before.get(table) !== rows)
        .map(([table]) => table);
      const unlawful = changed.filter((table) => !mayChange.includes(table));
      if (verdict !== 'accepted') expect(unlawful, 'what was refused has changed rows').toEqual([]);
      before = after;
      runs += 1;
      if (runs % ORDINARY_EVERY === 0) await ordinaryRequest(host);
      return verdict;
    },
    async close() {
      await ordinaryRequest(host);
      await host.stop();
      await identity.close();
    },
  };
}

/** The bound for one request, host and client together; ordinary ones take a hundredth of it. */
const MOST_CPU_MS = 1_000;
const MOST_MEMORY_MB = 200;

/** Every request is bounded in time and memory. The host runs in this process, on this thread. */
function costSoFar(): { check(): void } {
  const [{ user, system }, { maxRSS }] = [process.threadCpuUsage(), process.resourceUsage()];
  return {
    check() {
      const cpu = process.threadCpuUsage();
      expect((cpu.user - user + cpu.system - system) / 1_000, 'ms of processor').toBeLessThan(MOST_CPU_MS);
      const grown = (process.resourceUsage().maxRSS - maxRSS) / 1_024;
      expect(grown, 'MB of memory').toBeLessThan(MOST_MEMORY_MB);
    },
  };
}

const heard = ({ status, text, headers }: Answer) => ({
  status,
  text,
  contentType: headers.get('content-type') ?? '',
  allow: headers.get('allow'),
});

async function ordinaryRequest(host: ApiHost): Promise<void> {
  const answer = await host.anonymous().query('search.list', {});
  expect(answer.status, answer.text).toBe(200);
}

/**
 * No request may cause an error log (an alert for an operator is allowed), and no secret of a request is
 * logged.
 */
function checkLines({ lines }: ApiHost, secrets: readonly string[]): void {
  const faults = lines.filter(
    ({ level, alert }) => (level === 'error' || level === 'fatal') && alert === undefined,
  );
  expect(faults).toEqual([]);
  const said = JSON.stringify(lines);
  for (const secret of secrets) expect(said).not.toContain(secret);
}

/** A fingerprint of each table that changes with any row. Without those that time or the host alone changes. */
async function fingerprintOf(host: ApiHost): Promise<() => Promise<ReadonlyMap<string, string>>> {
  const tables = await host.rows<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('session', 'role_fingerprints', 'cache_purges')`,
  );
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as t, count(*) as n, sum(hashtextextended(r::text, 0)) as h from "${name}" r`,
  );
  return async () => {
    const all = await host.rows<{ t: string; n: string; h: string }>(each.join(' union all '));
    return new Map(all.map(({ t, n, h }) => [t, `${n} ${h}`]));
  };
}

/** Values that no answer may contain: object keys, prompts, session tokens, provider ids. */
async function keptInside(host: ApiHost): Promise<string[]> {
  const texts = await host.rows<{ text: string | null }>(
    `select unnest(array["objectKey", "providerInputKey", "paddedInputKey", "providerPredictionId"]) as text from property_images
     union select "providerPredictionId" from ai_provider_attempts
     union select unnest(array[prompt, "providerInputKey"]) from ai_room_staging_jobs
     union select token from session`,
  );
  return texts.flatMap(({ text }) => (text === null ? [] : [text]));
}

/** As `person.send`; null when the HTTP parser rejected it with its own page or closed the connection. */
export async function sendLoosely(
  person: Person,
  method: string,
  path: string,
  init: SendInit = {},
): Promise<Answer | null> {
  try {
    const answer = await person.send(method, path, init);
    return isParserPage(answer.text) ? null : answer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') return null;
    throw error;
  }
}

/** The rest of the head needs room in the host's 16 KiB. */
const LONGEST_QUERY = 14_000;

/** Checks a call in the form that clients use: a short query in the address, anything else as a body. */
export function judgeCall(
  world: HostWorld,
  who: keyof HostWorld['people'],
  { path, kind, output, errors }: ProcedureInfo,
  text: string,
): Promise<Verdict> {
  const [person, address] = [world.people[who], `/api/trpc/${path}`];
  const query = kind === 'query' ? percentEncoded(text) : '';
  const send = () =>
    kind === 'query' && query.length <= LONGEST_QUERY
      ? sendLoosely(person, 'GET', `${address}?input=${query}`)
      : sendLoosely(person, 'POST', address, { body: text });
  // A wrong code is counted.
  const mayChange = errors.includes('CODE_INVALID') ? ['account_codes'] : [];
  return world.judge('procedure', send, { output, mayChange });
}

/** Percent-encodes any text, also ill-formed ones. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
