import { z } from 'zod';
import { COMMUTE_MODES, type CommuteMode } from '../../machines/vocabulary.ts';
import { MODE_PLACE } from '../config/outside-settings.ts';
import type { RoutingService } from './routing-service.ts';

/** The names of OSRM's own profiles. */
const PROFILES: Readonly<Record<CommuteMode, string>> = { CAR: 'car', BIKE: 'bike', FOOT: 'foot' };

const table = z.object({
  code: z.literal('Ok'),
  /** A row for each source, a column for the one destination; in seconds. */
  durations: z.array(z.tuple([z.number().min(0).nullable()])),
});

/**
 * OSRM's table service. A process of OSRM knows one way of travel: with `{mode}` in its address there is one for each,
 * without it, one for cars.
 */
export const osrm = (url: string): RoutingService => ({
  modes: url.includes(MODE_PLACE) ? COMMUTE_MODES : ['CAR'],
  times({ from, to, mode }) {
    const profile = PROFILES[mode];
    const positions = [...from, to].map(({ longitude, latitude }) => `${longitude},${latitude}`).join(';');
    const query = `sources=${from.map((_, index) => index).join(';')}&destinations=${from.length}`;
    return { url: `${url.replaceAll(MODE_PLACE, profile)}/table/v1/${profile}/${positions}?${query}` };
  },
  readTimes: (answer, count) =>
    table
      .refine(({ durations }) => durations.length === count)
      .parse(answer)
      .durations.map(([seconds]) => seconds),
  reach: null,
});
