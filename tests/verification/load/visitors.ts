import { Agent, request } from 'undici';
import { type Endpoints, type Person, signIn } from '../../support/platform/agent.ts';
import type { Random } from '../../support/random.ts';
import { MARKET } from './listings.ts';
import type { Call } from './open-loop.ts';

/** What visitors of a listing platform do: of a hundred calls, so many are of each kind. */
const MIX = {
  'search.list': 25,
  'search.map': 15,
  'properties.getDetail': 20,
  picture: 20,
  'search.suggestLocations': 5,
  'properties.listSimilar': 3,
  'properties.getPriceHistory': 2,
  'favorites.listIds': 5,
  'favorites.toggle': 5,
} as const;
type Kind = keyof typeof MIX;

export interface VisitorsOptions {
  installation: Endpoints;
  customers: number;
  /** A listing with pictures; visitors open it more often than others. */
  shownPropertyIds: readonly string[];
  /** Pictures that the public may see. */
  imageIds: readonly string[];
  otherPropertyIds: readonly string[];
  random: Random;
}

export interface Visitors {
  /** The next call of some visitor. */
  next(): Call;
  close(): Promise<void>;
}

/** The sizes in which pictures are requested. */
export const WIDTHS = [200, 400, 800];
/** Shares of the market's width and height that a map shows: a street, a district, half a county. */
const SPANS = [0.02, 0.1, 0.5];
const PATIENCE_MS = 30_000;
/** Half of all listing views go to the ones with pictures. */
const SHOWN_SHARE = 0.5;

/** Signs the customers in; their calls come from different addresses, over keep-alive connections. */
export async function invite(options: VisitorsOptions): Promise<Visitors> {
  const { installation, random } = options;
  const base = installation.urls[0] ?? '';
  const dispatcher = new Agent({ connections: 64, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  const customers: Person[] = [];
  for (let count = 0; count < options.customers; count += 1)
    customers.push(await signIn(installation, { agent: false }));
  const { pick } = random;
  const propertyId = () =>
    pick(random.chance(SHOWN_SHARE) ? options.shownPropertyIds : options.otherPropertyIds);
  const box = () => {
    const span = pick(SPANS);
    const [width, height] = [MARKET.east - MARKET.west, MARKET.north - MARKET.south].map((all) => all * span);
    const west = MARKET.west + random.next() * (MARKET.east - MARKET.west - (width ?? 0));
    const south = MARKET.south + random.next() * (MARKET.north - MARKET.south - (height ?? 0));
    return { west, south, east: west + (width ?? 0), north: south + (height ?? 0) };
  };
  const filters = () => ({
    location: { box: box() },
    price: { max: 500_000 + random.between(0, 2_000_000) },
  });

  async function call(path: string, { cookie = '', body }: { cookie?: string; body?: string } = {}) {
    const answer = await request(`${base}${path}`, {
      dispatcher,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-forwarded-for': `10.1.${random.between(0, 255)}.${random.between(0, 255)}`,
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body ?? null,
    });
    await answer.body.dump({ limit: 64 * 1024 * 1024 });
    if (answer.statusCode !== 200) throw new Error(`HTTP ${answer.statusCode}`);
  }
  const query = (procedure: string, input?: unknown, cookie?: string) => {
    const given = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
    return call(`/api/trpc/${procedure}${given}`, cookie === undefined ? {} : { cookie });
  };
  const cookie = () => pick(customers).cookie;

  const make: Record<Kind, () => Promise<void>> = {
    'search.list': () => query('search.list', { filters: filters() }),
    'search.map': () => {
      const { west, south, east, north } = box();
      return query('search.map', { bbox: [west, south, east, north], zoom: 12 });
    },
    'properties.getDetail': () => query('properties.getDetail', { propertyId: propertyId() }),
    picture: () => call(`/api/images/${pick(options.imageIds)}?w=${pick(WIDTHS)}`),
    'search.suggestLocations': () => query('search.suggestLocations', { text: 'Sea' }),
    'properties.listSimilar': () => query('properties.listSimilar', { propertyId: propertyId() }),
    'properties.getPriceHistory': () => query('properties.getPriceHistory', { propertyId: propertyId() }),
    'favorites.listIds': () => query('favorites.listIds', undefined, cookie()),
    'favorites.toggle': () => {
      const action = random.chance(0.5) ? 'add' : 'remove';
      const body = JSON.stringify({ json: { propertyId: propertyId() } });
      return call(`/api/trpc/favorites.${action}`, { cookie: cookie(), body });
    },
  };
  const drawn = Object.entries(MIX).flatMap(([kind, share]) => Array<Kind>(share).fill(kind as Kind));
  return {
    next() {
      const kind = pick(drawn);
      return { what: kind, make: make[kind] };
    },
    close: () => dispatcher.close(),
  };
}
