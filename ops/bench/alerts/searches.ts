import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

/**
 * Invented searches and homes of many towns. A search names a town, a number of bedrooms and a price, so that slow code of
 * this file's own can say what it finds. A tenth of the buyers get mails; the others would get notices and have no browser.
 */
export interface AlertSizes {
  readonly searches: number;
  readonly homes: number;
  /** Each home changes once at most. */
  readonly changes: number;
  readonly perSecond: number;
  readonly killEveryMs: number;
}

/** As many as a person may have. */
const OF_A_BUYER = 50;
/** So a change matches about 90 searches, and 200 where most search. */
const SEARCHES_OF_A_TOWN = 260;
const MAILED_EVERY = 10;
const MOST_BEDS = 5;
const PRICES = { least: 200_000, step: 100_000, steps: 10 };
const CUT = 0.9;

interface Home {
  readonly id: string;
  readonly town: number;
  readonly beds: number;
  readonly price: number;
  /** Else its price is cut. */
  readonly isNew: boolean;
}
interface Search {
  readonly id: string;
  readonly userId: string;
  readonly town: number;
  readonly leastBeds: number;
  readonly mostPrice: number;
  readonly isMailed: boolean;
}
export interface AlertWorld {
  readonly homes: readonly Home[];
  readonly searches: readonly Search[];
}

/** Numbers that are always the same, spread evenly. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function inventWorld({ searches, homes }: AlertSizes): AlertWorld {
  const draw = createDraw(42);
  const towns = Math.max(1, Math.round(searches / SEARCHES_OF_A_TOWN));
  const price = () => PRICES.least + PRICES.step * draw(PRICES.steps);
  const buyers = Array.from({ length: Math.ceil(searches / OF_A_BUYER) }, randomUUID);
  return {
    homes: Array.from({ length: homes }, (_, index) => ({
      id: randomUUID(),
      town: draw(towns),
      beds: 1 + draw(MOST_BEDS),
      price: price(),
      isNew: index % 2 === 0,
    })),
    searches: Array.from({ length: searches }, (_, index) => {
      const buyer = Math.floor(index / OF_A_BUYER);
      return {
        id: randomUUID(),
        userId: buyers[buyer] ?? '',
        town: draw(towns),
        leastBeds: 1 + draw(MOST_BEDS),
        mostPrice: price(),
        isMailed: buyer % MAILED_EVERY === 0,
      };
    }),
  };
}

const priceAfter = ({ price, isNew }: Home): number => (isNew ? price : price * CUT);
const finds = (search: Search, home: Home): boolean =>
  search.town === home.town && home.beds >= search.leastBeds && priceAfter(home) <= search.mostPrice;

/** Every pair of a search and a changed home that it finds, as `search home`: compared one by one. */
export function expectedPairs({ searches }: AlertWorld, changed: readonly Home[]): Map<string, boolean> {
  const pairs = new Map<string, boolean>();
  const homesOf = Map.groupBy(changed, ({ town }) => town);
  for (const search of searches)
    for (const home of homesOf.get(search.town) ?? [])
      if (finds(search, home)) pairs.set(`${search.id} ${home.id}`, search.isMailed);
  return pairs;
}

const townName = (town: number) => `Town${town}`;

export async function seedWorld(pool: Pool, { homes, searches }: AlertWorld): Promise<void> {
  const agent = randomUUID();
  const users = [agent, ...new Set(searches.map(({ userId }) => userId))];
  await pool.query(
    `INSERT INTO "user" (id, name, email, "emailVerified", role, "createdAt", "updatedAt")
     SELECT id, 'Bench Person', id || '@example.com', true, CASE WHEN id = $2 THEN 'agent' ELSE 'customer' END, now(), now()
     FROM unnest($1::uuid[]) AS id`,
    [users, agent],
  );
  await pool.query(
    `INSERT INTO properties (id, "ownerAgentId", "listPrice", "bedroomsTotal", "standardStatus", address, city, "stateOrProvince")
     SELECT h.id, $1, h.price, h.beds, CASE WHEN h.fresh THEN 'Incomplete' ELSE 'Active' END, n || ' Bench Street', h.city, 'WA'
     FROM unnest($2::uuid[], $3::numeric[], $4::int[], $5::boolean[], $6::text[]) WITH ORDINALITY
       AS h (id, price, beds, fresh, city, n)`,
    [
      agent,
      homes.map(({ id }) => id),
      homes.map(({ price }) => price),
      homes.map(({ beds }) => beds),
      homes.map(({ isNew }) => isNew),
      homes.map(({ town }) => townName(town)),
    ],
  );
  // What made the world is no news.
  await pool.query('DELETE FROM alert_events');
  await pool.query(
    `INSERT INTO saved_searches (id, "userId", name, filters, "filtersHash", sort, cadence, channels, "createdAt",
       "seenSeq", "runSeq", "nextRunAt")
     SELECT s.id, s.person, 'Bench', s.filters, s.id::text, 'NEWEST', 'INSTANT', ARRAY[s.channel], now(), 0, 0,
       now() + interval '1 year'
     FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[], $4::text[]) AS s (id, person, filters, channel)`,
    [
      searches.map(({ id }) => id),
      searches.map(({ userId }) => userId),
      searches.map(({ town, leastBeds, mostPrice }) =>
        JSON.stringify({
          placeId: `city:us:wa:${townName(town).toLowerCase()}`,
          beds: { min: leastBeds },
          price: { max: mostPrice },
        }),
      ),
      searches.map(({ isMailed }) => (isMailed ? 'MAIL' : 'PUSH')),
    ],
  );
}

/** Publishes the home, or cuts its price. */
export async function changeHome(pool: Pool, home: Home): Promise<void> {
  await pool.query(
    home.isNew
      ? `UPDATE properties SET "standardStatus" = 'Active' WHERE id = $1`
      : 'UPDATE properties SET "listPrice" = $2 WHERE id = $1',
    home.isNew ? [home.id] : [home.id, priceAfter(home)],
  );
}
