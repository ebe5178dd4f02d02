/**
 * Counts the views of homes (docs/contract.md#figures-of-a-listing): each visitor once a day for each home. Who has viewed
 * what is known only as bits of a set in Redis that is as large for ten views as for a million, made with a salt that is
 * forgotten with it. New views are added up here until they are written: a crash loses those, and when Redis loses
 * the set, a visitor counts once more. What was written without an answer is written again.
 */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { isbot } from 'isbot';
import type { Pool } from 'pg';
import { addViews } from '../../persistence/listings/listing-figures.ts';
import type { Chance, Clock } from '../../supervisors/ports.ts';
import type { HttpRequest } from '../http/message.ts';
import { networkOf } from '../limits/client-network.ts';

/** Eight megabytes. With four bits for a view, a million views take one in a hundred thousand for a repeated one. */
const BITS = 2 ** 26;
const BITS_OF_VIEW = 4;
/** Browsers of one network that count by themselves: no network adds more views of a home in a day. */
const BROWSERS = 16;
const KEPT_SECONDS = 2 * 24 * 60 * 60;
/** Homes whose views wait to be written; views of others are lost while the database is away. */
const MOST_HOMES = 10_000;

/** Who views a page. */
export interface Viewer {
  readonly user: { readonly id: string; readonly role: string } | null;
  readonly request: { readonly remoteAddress: string; readonly headers: Pick<HttpRequest['headers'], 'get'> };
}

export interface ViewCounter {
  /** Counts a view, unless the visitor has viewed the home today, is an agent, or a program. @throws when Redis cannot count */
  count(propertyId: string, viewer: Viewer): Promise<void>;
  /** Writes what is added up. */
  write(): Promise<void>;
}

export function createViewCounter({
  redis,
  deployment,
  pool,
  clock,
  chance,
}: {
  readonly redis: Redis;
  /** `QUEUE_SUFFIX`: equal in all processes of a deployment. */
  readonly deployment: string;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly chance: Pick<Chance, 'id'>;
}): ViewCounter {
  let waiting = new Map<string, number>();
  let salt = { day: '', value: '' };
  const keyOf = (what: string, day: string) => `views${deployment}:${what}:${day}`;

  async function saltOf(day: string): Promise<string> {
    if (salt.day === day) return salt.value;
    const key = keyOf('salt', day);
    await redis.set(key, chance.id(), 'EX', KEPT_SECONDS, 'NX');
    const value = await redis.get(key);
    if (value === null) throw new Error('Redis has lost the salt of the day');
    salt = { day, value };
    return value;
  }

  async function isNew(propertyId: string, viewer: Viewer): Promise<boolean> {
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const hash = createHash('sha256')
      .update(JSON.stringify([await saltOf(day), propertyId, nameOf(viewer)]))
      .digest();
    const sets = Array.from({ length: BITS_OF_VIEW }, (_, index) => [
      'SET',
      'u1',
      hash.readUInt32BE(index * 4) % BITS,
      1,
    ]).flat();
    const key = keyOf('set', day);
    const before = (await redis.call('BITFIELD', key, ...sets)) as number[];
    const first = before.includes(0);
    if (first) await redis.expire(key, KEPT_SECONDS);
    return first;
  }

  async function write(): Promise<void> {
    const views = waiting;
    if (views.size === 0) return;
    waiting = new Map();
    try {
      await addViews(pool, { views, at: clock.now() });
    } catch (error) {
      for (const [id, count] of views) add(id, count);
      throw error;
    }
  }
  function add(id: string, count: number): void {
    if (waiting.size >= MOST_HOMES && !waiting.has(id)) return;
    waiting.set(id, (waiting.get(id) ?? 0) + count);
  }

  return {
    async count(propertyId, viewer) {
      if (isPerson(viewer) && (await isNew(propertyId, viewer))) add(propertyId, 1);
    },
    write,
  };
}

/** Agents look at homes for their work, and programs do not look. */
function isPerson({ user, request }: Viewer): boolean {
  if (user !== null) return user.role !== 'agent';
  const program = request.headers.get('user-agent');
  return program !== undefined && program !== '' && !isbot(program);
}

/** By what a visitor is known for a day: the account, or the network and one of its browsers. */
function nameOf({ user, request }: Viewer): string {
  if (user !== null) return user.id;
  const [browser = 0] = createHash('sha256')
    .update(request.headers.get('user-agent') ?? '')
    .digest();
  return `${networkOf(request.remoteAddress)} ${browser % BROWSERS}`;
}
