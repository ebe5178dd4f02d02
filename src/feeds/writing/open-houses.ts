import type { FeedPageWriter } from '../../../persistence/feeds/feed-page.ts';
import { mapOpenHouses } from '../mapping/map-open-houses.ts';
import { namesAddress } from '../mapping/named-address.ts';
import type { FeedKey, FeedRecord } from '../reading/feed-reading.ts';
import { uuidv5 } from './listing-ids.ts';

/** After the records and listings of a page: the open houses of every listing that one of them is about. */
export async function followOpenHouses(
  writer: FeedPageWriter,
  feedId: string,
  changed: readonly FeedRecord[],
  gone: readonly FeedKey[],
): Promise<void> {
  const houses = changed.filter(({ resource }) => resource === 'OpenHouse');
  const listingKeys = [
    ...changed.filter(({ resource }) => resource === 'Property').map(({ key }) => key),
    ...houses.flatMap(({ body: { ListingKey } }) => (typeof ListingKey === 'string' ? [ListingKey] : [])),
  ];
  const left = gone.filter(({ resource }) => resource === 'OpenHouse');
  const houseKeys = [...houses, ...left].map(({ key }) => key);
  if (listingKeys.length === 0 && houseKeys.length === 0) return;
  const announced = await writer.announcedHouses(listingKeys, houseKeys);
  if (announced.length === 0) return;
  const rows = announced.flatMap(({ propertyId, records, showAddress, listing }) =>
    mapOpenHouses(records, {
      at: writer.at,
      showsRemarks: (text) => showAddress || !namesAddress(text, listing),
    }).map(({ key, startsAt, endsAt, remarks }) => ({
      id: uuidv5(feedId, `OpenHouse ${key}`),
      propertyId,
      feedKey: key,
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(endsAt).toISOString(),
      remarks,
    })),
  );
  await writer.putOpenHouses(
    announced.map(({ propertyId }) => propertyId),
    rows,
  );
}
