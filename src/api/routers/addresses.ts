import type { Reader } from '../../../persistence/database/reader.ts';
import { publicAddresses, sameHome } from '../../../persistence/listings/known-addresses.ts';
import { isFarFrom, type KnownArea, knownArea } from '../../../persistence/search/known-area.ts';
import { suggestLocations } from '../../../persistence/search/location-suggestions.ts';
import type { GeocodedPlace } from '../../geocoder/geocoder.ts';
import { clientOf } from '../../limits/client-network.ts';
import {
  findSameInput,
  findSameOutput,
  locateInput,
  locateOutput,
  MAX_ADDRESSES,
  type SuggestedAddress,
  suggestAddressesInput,
  suggestAddressesOutput,
} from '../../wire/listings/addresses.ts';
import { agentProcedure, router } from '../base.ts';
import { admitted } from '../counted-calls.ts';
import type { Services } from '../services.ts';

/** `addresses.*`: what is known of an address that an agent enters (docs/contract.md#addresses). */
export function addressesRouter(services: Services) {
  const { pool, publicReads, publicQuery, geocoder, addressLimits, settings } = services;
  return router({
    /** From public listings, and from the geocoder where there is one. */
    suggest: agentProcedure
      .input(suggestAddressesInput)
      .output(suggestAddressesOutput)
      .query(async ({ ctx, input: { text, country } }) => {
        const client = clientOf(ctx);
        await admitted(addressLimits('suggest', client));
        const near = settings.site.mapPlace;
        const [own, geocoded] = await Promise.all([
          publicQuery(
            ctx,
            async () => ownAddresses((await publicReads(ctx)).reader, { text, near }),
            (found) => found.filter((home) => home.country === country),
          ),
          geocoder.find({ client, signal: ctx.request.signal }, { text, country }),
        ]);
        return { items: withoutDoubles([...own, ...geocoded.flatMap(wholeAddress)]) };
      }),
    /** Where the postal code is, else the city. */
    locate: agentProcedure
      .input(locateInput)
      .output(locateOutput)
      .query(async ({ ctx, input: { propertyId = null, position, ...input } }) => {
        const client = clientOf(ctx);
        await admitted(addressLimits('locate', client));
        const { stateOrProvince = null, postalCode = null, city, country } = input;
        const question = { country, stateOrProvince, city, postalCode, exceptPropertyId: propertyId };
        const area = await publicQuery(
          ctx,
          async () => knownArea((await publicReads(ctx)).reader, question),
          (found) => found,
        );
        if (area !== null)
          return { area: toArea(area), isFar: position != null && isFarFrom(area, position) };
        const text = [postalCode, city, stateOrProvince].filter((part) => part !== null).join(' ');
        const [place] = await geocoder.find({ client, signal: ctx.request.signal }, { text, country });
        if (place === undefined) return { area: null, isFar: false };
        const { latitude, longitude } = place;
        return { area: { latitude, longitude, bbox: null }, isFar: false };
      }),
    /** Another listing of the same home: no error, because a home may be listed again. */
    findSame: agentProcedure
      .input(findSameInput)
      .output(findSameOutput)
      .query(
        async ({ ctx, input: { propertyId = null, unitNumber = null, stateOrProvince = null, ...home } }) => {
          await admitted(addressLimits('same', clientOf(ctx)));
          const question = { ...home, propertyId, unitNumber, stateOrProvince, agentId: ctx.user.id };
          const same = await sameHome(pool, question);
          if (same === null) return { same };
          if (same.isMine) return { same: { whose: 'MINE', propertyId: same.propertyId } };
          if (same.isPublic) return { same: { whose: 'PUBLIC', propertyId: same.propertyId } };
          return { same: { whose: 'PRIVATE', propertyId: null } };
        },
      ),
  });
}

async function ownAddresses(
  reader: Reader,
  { text, near }: { readonly text: string; readonly near: { latitude: number; longitude: number } },
): Promise<SuggestedAddress[]> {
  const found = await suggestLocations(reader, { text, near, limit: 2 * MAX_ADDRESSES });
  const homes = found.filter(({ kind }) => kind === 'address').map(({ id }) => id);
  return homes.length === 0 ? [] : publicAddresses(reader, homes);
}

/** None where the geocoder knows no street with number, or no city. */
const wholeAddress = ({ address, city, ...place }: GeocodedPlace): SuggestedAddress[] =>
  address === null || city === null ? [] : [{ ...place, address, city }];

/** The first of each address: units of one building have the same, and listings may say it as the geocoder does. */
function withoutDoubles(all: readonly SuggestedAddress[]): SuggestedAddress[] {
  const named = Map.groupBy(all, ({ address, city }) => `${address}, ${city}`.toLowerCase());
  return [...named.values()].flatMap(([first]) => first ?? []).slice(0, MAX_ADDRESSES);
}

const toArea = ({ center, box }: KnownArea) => ({
  ...center,
  bbox: box && ([box.west, box.south, box.east, box.north] as [number, number, number, number]),
});
