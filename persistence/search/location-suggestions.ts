import type { Reader } from '../database/reader.ts';
import { findAddresses, similarAddresses } from './address-suggestions.ts';
import { homesIn } from './place-counting.ts';
import { findPlaces, similarPlaces } from './place-suggestions.ts';
import {
  isComparable,
  longestWords,
  SIMILAR_CLASS,
  type SuggestionKind,
  type SuggestionQuery,
  type SuggestionQuestion,
} from './suggestion-words.ts';

/**
 * Suggestions for typed text, of places and addresses. What a text names goes to the place with the most homes on the market,
 * whatever its kind: a neighborhood with homes comes before a city of the same name without.
 */
export interface Suggestion {
  kind: SuggestionKind;
  /** For a place its id (`city:us:wa:seattle`), for an address the property's id. */
  id: string;
  label: string;
  /** Homes on the market, at most `MOST_COUNTED`; null for an address. */
  count: number | null;
  /** [west, south, east, north]; null when the extent is unknown. */
  bbox: [number, number, number, number] | null;
  latitude: number | null;
  longitude: number | null;
}

/** The words beyond this are ignored; no address has more. */
const MAX_WORDS = 8;
/** With fewer answers than this, and enough letters to compare, the text may contain a typing error. */
const FEW = 5;

/** The best in all, best first. Those that are merely similar come last, and only when few others are found. */
export async function suggestLocations(pool: Reader, question: SuggestionQuestion): Promise<Suggestion[]> {
  const { rows } = await pool.query<{ text: string }>('select search_text($1) as text', [question.text]);
  const text = rows[0]?.text ?? ' ';
  const words = longestWords(text).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const query: SuggestionQuery = { ...question, text, words };
  const [places, addresses] = await Promise.all([findPlaces(pool, query), findAddresses(pool, query)]);
  if (places.length + addresses.length < FEW && words.some(isComparable)) {
    const [alike, nearly] = await Promise.all([similarPlaces(pool, query), similarAddresses(pool, query)]);
    places.push(...unknown(places, alike));
    addresses.push(...unknown(addresses, nearly));
  }
  const homes = await homesIn(pool, places);
  const counted = places.map((place) => ({ ...place, homes: homes.get(place.id) ?? 0 }));
  return [...counted, ...addresses.map((address) => ({ ...address, box: null, homes: null }))]
    .sort(inOrder)
    .slice(0, question.limit)
    .map(({ kind, id, label, homes: count, box, latitude, longitude }) => ({
      kind,
      id,
      label,
      count,
      bbox: box && [box.west, box.south, box.east, box.north],
      latitude,
      longitude,
    }));
}

const unknown = <Found extends { id: string }>(known: readonly Found[], others: readonly Found[]): Found[] =>
  others.filter(({ id }) => !known.some((each) => each.id === id));

interface Ranked {
  readonly class: number;
  readonly homes: number | null;
}

/** An address is one home. Equals keep their order: places before addresses, the largest and nearest place first. */
function inOrder(one: Ranked, other: Ranked): number {
  const keys = ({ class: matched, homes }: Ranked) => [
    matched === SIMILAR_CLASS ? 1 : 0,
    homes === 0 ? 1 : 0,
    matched,
    -(homes ?? 1),
  ];
  const others = keys(other);
  return keys(one).reduce((order, key, index) => order || key - (others[index] ?? 0), 0);
}
