import { randomUUID } from 'node:crypto';
import { NO_GROWTH_LIMITS } from '../../persistence/growth/growth-counts.ts';
import { addOpenHouse } from '../../persistence/listings/open-houses.ts';
import { recordPastSales } from '../../persistence/listings/price-events.ts';
import {
  type ChangeOutcome,
  createProperty,
  setPropertyStatus,
  updateProperty,
} from '../../persistence/listings/property-writes.ts';
import { giveSampleVerdicts, markAsSample } from '../../persistence/sample/sample-town.ts';
import { DAY, HOUR, MINUTE, type Town } from './loading.ts';
import { addPhoto } from './photos.ts';
import { addTour, atTen } from './tours.ts';
import type { PlannedHome } from './town.ts';

/** A home with its pictures, its tour and what has changed since it was listed. */
export async function addHome(town: Town, home: PlannedHome): Promise<void> {
  const { pool, startedAt } = town;
  const agentId = town.agentIds[home.agent];
  if (agentId === undefined) throw new Error('no agent');
  const propertyId = randomUUID();
  const listedAt = startedAt - home.listedDaysAgo * DAY - 2 * HOUR;
  changed(
    await createProperty(
      pool,
      {
        propertyId,
        ownerAgentId: agentId,
        listing: home.listing,
        assignedAgentIds: [],
        limits: NO_GROWTH_LIMITS,
        siteCurrency: home.listing.currency,
        at: listedAt,
      },
      (client) => markAsSample(client, { propertyId, key: home.key }),
    ),
  );
  const { pastSale, change, move, photos, tour, isOpen } = home;
  if (pastSale !== null)
    await recordPastSales(pool, {
      sales: [{ propertyId, at: Date.UTC(pastSale.year, 5, 14, 12), price: pastSale.price }],
      at: listedAt,
    });
  for (const [index, photo] of photos.entries())
    await addPhoto(town, { propertyId, agentId, photo, at: listedAt + index * MINUTE });
  await giveSampleVerdicts(pool, propertyId);
  if (change !== null)
    changed(
      await updateProperty(pool, {
        propertyId,
        agentId,
        listing: { listPrice: change.price },
        siteCurrency: home.listing.currency,
        at: startedAt - change.daysAgo * DAY,
      }),
    );
  const place = Number(home.key.slice(-3));
  if (tour !== null) await addTour(town, { propertyId, agentId, tour, place });
  if (isOpen) {
    const startsAt = atTen(nextSaturday(startedAt)) + (place % 4) * HOUR;
    const house = { openHouseId: randomUUID(), propertyId, agentId, startsAt, endsAt: startsAt + 2 * HOUR };
    const { changed: isAdded } = await addOpenHouse(
      pool,
      { ...house, remarks: null, at: startedAt },
      async () => {},
    );
    if (!isAdded) throw new Error('an open house of the sample was refused');
  }
  if (move === null) return;
  const at = startedAt - move.daysAgo * DAY;
  const sale =
    move.to === 'Closed'
      ? { closePrice: move.price, closeDate: new Date(at - DAY).toISOString().slice(0, 10) }
      : null;
  changed(await setPropertyStatus(pool, { propertyId, agentId, standardStatus: move.to, sale, at }));
}

/** Not today. */
const nextSaturday = (at: number): number => at + (((12 - new Date(at).getUTCDay()) % 7) + 1) * DAY;

function changed(outcome: ChangeOutcome): void {
  if (outcome.outcome !== 'changed')
    throw new Error(`a home of the sample was refused: ${JSON.stringify(outcome)}`);
}
