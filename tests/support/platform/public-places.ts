import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../eventually.ts';
import { shareList, shownPictures } from '../http/picture-surfaces.ts';
import { signIn } from './agent.ts';
import { createListing } from './listing.ts';
import type { StagingWorld } from './staging-world.ts';

/** The places where everyone sees a real photo of a listing. */
export const PHOTO_PLACES = [
  'search.list',
  'home.getFeatured',
  'home.getNearby',
  'properties.listSimilar',
  'favorites.list',
  'favorites.getShared',
  'homes.listCards',
  'properties.getDetail',
  'image',
];
/** Those of a staged picture. */
export const STAGED_PLACES = [...PHOTO_PLACES, 'provenance.get'];

/** Looks at the world's listing, or another one, as a customer does: for each picture, the places that show it. */
export type PublicPlaces = (
  imageIds: readonly string[],
  listing?: string,
) => Promise<Record<string, string[]>>;

export async function openPublicPlaces({
  platform,
  agent,
  propertyId,
}: Pick<StagingWorld, 'platform' | 'agent' | 'propertyId'>): Promise<PublicPlaces> {
  const neighbor = await createListing(agent);
  const customer = await signIn(platform, { agent: false });
  // Once: a share waits for the standby, and a look may come when there is none.
  const sharedList = await shareList(customer);
  const placesOf = async (imageId: string): Promise<string[]> => {
    // A web with much to do says so (503); that is no answer to the question.
    const { status } = await eventually(
      async () => {
        const answer = await customer.request('GET', `/api/images/${imageId}?w=64`);
        return answer.status < 500 && answer;
      },
      { what: `an answer for picture ${imageId}` },
    );
    const { data } = await customer.query('provenance.get', { stagedImageId: imageId });
    return [
      ...(status === 200 ? ['image'] : []),
      ...(data?.status === 'PUBLIC' || data?.stagedUrl ? ['provenance.get'] : []),
    ];
  };
  return async (imageIds, listing = propertyId) => {
    await customer.mutate('favorites.add', { propertyId: listing });
    const shown = await shownPictures({
      visitor: customer,
      customer,
      sharedList,
      propertyId: listing,
      neighbor,
    });
    const page = shown['properties.getDetail'] ?? [];
    const surfaces = Object.entries(shown).map(([name, ids]) => [name, allOf(ids, page)] as const);
    const seen: Record<string, string[]> = {};
    // One after the other: each may be a picture that the web must make.
    for (const imageId of imageIds) {
      const listed = surfaces.flatMap(([name, ids]) => (ids.includes(imageId) ? [name] : []));
      seen[imageId] = [...listed, ...(await placesOf(imageId))];
    }
    return seen;
  };
}

const CARD_PICTURES = 5;
/** A card has the first five pictures only: when they are the right ones, it counts as having all of the page. */
function allOf(card: readonly string[], page: readonly string[]): readonly string[] {
  const [cover] = card;
  if (cover === undefined) return card;
  const right = [cover, ...page.filter((id) => id !== cover)].slice(0, CARD_PICTURES);
  return page.includes(cover) && isDeepStrictEqual(card, right) ? page : card;
}
