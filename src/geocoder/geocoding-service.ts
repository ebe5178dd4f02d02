import type { ServiceRequest } from '../outside/outside-service.ts';

/** What is asked: an address or a place, as people write it. */
export interface GeocoderQuestion {
  readonly text: string;
  /** ISO 3166: places in other countries are no answers. */
  readonly country: string;
}

/** A place in the geocoder's own words; parts that it does not know are undefined. */
export interface RawPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly street?: string | undefined;
  readonly number?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
  /** In capitals. */
  readonly country?: string | undefined;
}

/** The requests of one kind of geocoder. `read` throws on an answer of an unexpected format. */
export interface GeocodingService {
  ask(question: GeocoderQuestion): ServiceRequest;
  /** The best first. */
  read(answer: unknown): RawPlace[];
}

/** More than are shown: those in other countries and those without a street are left out. */
export const MOST_ASKED = 15;
