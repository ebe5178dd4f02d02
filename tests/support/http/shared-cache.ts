import type { Answer, Person } from './person.ts';

/**
 * A cache in front of the web role that keeps every answer for as long as HTTP allows (RFC 9111, RFC 5861): the longest
 * that a browser or a CDN may do. Its clock is the test's.
 */
interface Kept {
  answer: Answer;
  at: number;
}
export interface SharedCache {
  get(path: string): Promise<Answer>;
  /** Forgets the answers that bear one of the names. */
  purge(keys: readonly string[]): void;
  /** The paths whose last answer came from the cache. */
  readonly hits: ReadonlySet<string>;
}

export function createSharedCache(origin: Person, clock: { at: number }): SharedCache {
  const kept = new Map<string, Kept>();
  const hits = new Set<string>();
  const ask = async (path: string): Promise<Answer> => {
    const at = clock.at;
    const known = kept.get(path);
    const tag = known?.answer.headers.get('etag');
    const answer = await origin.send('GET', path, tag ? { headers: { 'if-none-match': tag } } : {});
    if (answer.status === 304 && known) {
      kept.set(path, { answer: { ...known.answer, headers: answer.headers }, at });
      return known.answer;
    }
    kept.delete(path);
    if (directives(answer).has('max-age')) kept.set(path, { answer, at });
    return answer;
  };
  return {
    hits,
    async get(path) {
      const known = kept.get(path);
      hits.delete(path);
      if (known === undefined) return ask(path);
      const rules = directives(known.answer);
      const age = (clock.at - known.at) / 1_000 + Number(known.answer.headers.get('age') ?? 0);
      const fresh = Number(rules.get('max-age'));
      const isFresh = age < fresh;
      if (!isFresh && age >= fresh + Number(rules.get('stale-while-revalidate') ?? 0)) return ask(path);
      hits.add(path);
      if (!isFresh) await ask(path);
      return known.answer;
    },
    purge(keys) {
      for (const [path, { answer }] of kept) {
        const names = (answer.headers.get('surrogate-key') ?? '').split(' ');
        if (keys.some((key) => names.includes(key))) kept.delete(path);
      }
    },
  };
}

const directives = ({ headers }: Answer): Map<string, string> =>
  new Map(
    (headers.get('cache-control') ?? '').split(',').map((one): [string, string] => {
      const [name = '', value = ''] = one.trim().split('=');
      return [name, value];
    }),
  );
