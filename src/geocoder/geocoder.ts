import { hash } from 'node:crypto';
import { streetAndNumber } from '../../i18n/countries.ts';
import { stateCode } from '../../i18n/us-states.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { createCache } from '../cache.ts';
import type { GeocoderSettings } from '../config/outside-settings.ts';
import type { RejectionLog } from '../limits/rejection-log.ts';
import { ANSWERS_KEPT_MS, type Caller, createAsk } from '../outside/outside-service.ts';
import { nullableFields, requiredFields } from '../wire/listings/listing-fields.ts';
import type { GeocoderQuestion, GeocodingService, RawPlace } from './geocoding-service.ts';
import { nominatim } from './nominatim.ts';
import { photon } from './photon.ts';

/** A place in the parts that a listing takes; null where the geocoder says nothing that it would take. */
export interface GeocodedPlace {
  /** Street and number; null where one of them is unknown. */
  readonly address: string | null;
  readonly city: string | null;
  readonly stateOrProvince: string | null;
  readonly postalCode: string | null;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Places, about 300 bytes each. */
const MAX_CACHED = 10_000;

const geocodingService = ({ kind, url }: GeocoderSettings): GeocodingService =>
  kind === 'photon' ? photon(url) : nominatim(url);

/**
 * Addresses and places by name from the operator's geocoder (docs/contract.md#addresses). Answers are cached for ten minutes
 * in this process; what was typed is neither kept nor logged. A geocoder that is down, slow or wrong gives nothing, and one
 * line in the log.
 */
export function createGeocoder({
  geocoder,
  clock,
  problems,
}: {
  readonly geocoder: GeocoderSettings | null;
  readonly clock: Clock;
  readonly problems: RejectionLog;
}) {
  const service = geocoder === null ? null : geocodingService(geocoder);
  const ask = createAsk('geocoder', problems);
  const cache = createCache<readonly GeocodedPlace[]>({
    clock,
    maxAgeMs: ANSWERS_KEPT_MS,
    maxSize: MAX_CACHED,
    sizeOf: (places) => 1 + places.length,
  });
  return {
    /** The best first; none without a geocoder. */
    async find(caller: Caller, question: GeocoderQuestion): Promise<readonly GeocodedPlace[]> {
      if (service === null) return [];
      const text = question.text.replace(/\s+/g, ' ').trim().toLowerCase();
      const key = hash('sha256', `${question.country} ${text}`);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const response = await ask(caller, service.ask({ ...question, text }), (answer) =>
        service
          .read(answer)
          .filter(({ country }) => country === question.country)
          .map((place) => placeIn(question.country, place)),
      );
      if (response !== null) cache.set(key, response.answer);
      return response?.answer ?? [];
    },
  };
}

export type Geocoder = ReturnType<typeof createGeocoder>;

function placeIn(country: string, { street, number, state, ...place }: RawPlace): GeocodedPlace {
  const written =
    street === undefined || number === undefined ? null : streetAndNumber(country, street, number);
  const region = country === 'US' && state !== undefined ? (stateCode(state) ?? state) : state;
  return {
    address: requiredFields.address.safeParse(written).data ?? null,
    city: requiredFields.city.safeParse(place.city).data ?? null,
    stateOrProvince: nullableFields.stateOrProvince.safeParse(region).data ?? null,
    // A house at a border may have several.
    postalCode: nullableFields.postalCode.safeParse(place.postalCode?.split(/[;,]/)[0]).data ?? null,
    country,
    latitude: place.latitude,
    longitude: place.longitude,
  };
}
