import { suggestLocations } from '../../../persistence/search/location-suggestions.ts';
import {
  MAX_SUGGESTIONS_PER_KIND,
  suggestLocationsInput,
  suggestLocationsOutput,
  toGroups,
} from '../../wire/listings/location-suggestions.ts';
import { publicProcedure } from '../base.ts';
import type { Services } from '../services.ts';

/** `search.suggestLocations`: what a person may mean by the text typed so far. */
export function suggestLocationsProcedure({ pool }: Pick<Services, 'pool'>) {
  return publicProcedure
    .input(suggestLocationsInput)
    .output(suggestLocationsOutput)
    .query(async ({ input: { text, latitude, longitude } }) => {
      const near = latitude == null || longitude == null ? null : { latitude, longitude };
      return toGroups(await suggestLocations(pool, { text, near, limit: MAX_SUGGESTIONS_PER_KIND }));
    });
}
