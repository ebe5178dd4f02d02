import { type Onlooker, shownPictures, type Views } from './picture-surfaces.ts';

/** Asks as someone who is not signed in. */
interface Visitor extends Onlooker {
  get(path: string): Promise<{ status: number; text: string }>;
}

export interface PublicHome {
  readonly visitor: Visitor;
  /** Has the listing among their favorites. */
  readonly customer: Views['customer'];
  readonly sharedList: string;
  /** At 47.6, -122.3. */
  readonly propertyId: string;
  /** Words of its address that only it has. */
  readonly street: string;
  readonly photo: string;
  readonly staged: string;
  readonly avatarId: string;
  /** Another listing at the same place. */
  readonly neighbor: string;
}

/** Every public surface, and whether it shows anything of the home or of its agent. */
export async function listingSurfaces(of: PublicHome): Promise<Record<string, boolean>> {
  const { visitor, propertyId, photo, staged, avatarId } = of;
  const names = async (procedure: string, input: unknown) =>
    JSON.stringify((await visitor.query(procedure, input)).data ?? null).includes(propertyId);
  const answers = async (procedure: string) =>
    (await visitor.query(procedure, { propertyId })).status === 200;
  const page = async (path: string) => {
    const { status, text } = await visitor.get(path);
    return status < 400 && text.includes(propertyId);
  };
  const file = async (path: string) => (await visitor.get(path)).status === 200;
  const pictures = Object.entries(await shownPictures(of)).map(([name, shown]) => [name, shown.length > 0]);
  return {
    ...Object.fromEntries(pictures),
    'search.map': await names('search.map', { bbox: [-122.4, 47.5, -122.2, 47.7], zoom: 18 }),
    'search.list by words': await names('search.list', { filters: { words: of.street } }),
    'search.suggestLocations': await names('search.suggestLocations', { text: of.street }),
    'properties.getAgentCard': await answers('properties.getAgentCard'),
    'properties.getPriceHistory': await answers('properties.getPriceHistory'),
    'properties.getNeighborhoodStats': await answers('properties.getNeighborhoodStats'),
    'provenance.get': await names('provenance.get', { stagedImageId: staged }),
    '/properties/…': await page(`/properties/${propertyId}`),
    '/': await page('/'),
    '/search': await page('/search'),
    '/sitemaps': await page(`/sitemaps/${propertyId.slice(0, 2)}.xml`),
    '/api/images': await file(`/api/images/${photo}`),
    '/api/avatars': await file(`/api/avatars/${avatarId}`),
  };
}
