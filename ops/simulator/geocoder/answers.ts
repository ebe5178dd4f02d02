/** What Photon and Nominatim answer, about a few houses, streets and towns. */

interface Place {
  /** Of Photon: `house`, `street` or `city`. */
  readonly type: 'house' | 'street' | 'city';
  readonly number?: string;
  readonly street?: string;
  readonly city: string;
  readonly state: string;
  readonly postcode?: string;
  /** ISO 3166. */
  readonly country: string;
  readonly longitude: number;
  readonly latitude: number;
}

const BALLARD = { city: 'Seattle', state: 'Washington', postcode: '98107', country: 'US' } as const;
const SOL = { city: 'Madrid', state: 'Comunidad de Madrid', postcode: '28013', country: 'ES' } as const;

const PLACES: readonly Place[] = [
  ...['2210', '2212', '2214'].map((number, index) => ({
    ...BALLARD,
    type: 'house' as const,
    number,
    street: 'Northwest Market Street',
    longitude: Number((-122.3859 - index / 10_000).toFixed(4)),
    latitude: 47.6687,
  })),
  { ...BALLARD, type: 'street', street: 'Northwest Market Street', longitude: -122.3862, latitude: 47.6686 },
  { ...SOL, type: 'house', number: '12', street: 'Calle Mayor', longitude: -3.7054, latitude: 40.4163 },
  {
    city: 'Spokane',
    state: 'Washington',
    postcode: '99201',
    country: 'US',
    type: 'city',
    longitude: -117.4235,
    latitude: 47.6572,
  },
];

const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Each word of the question begins a word of the place. */
function found(question: string, limit: number): Place[] {
  const words = normal(question).split(' ');
  return PLACES.filter(({ number, street, city, state, postcode }) => {
    const known = normal([number, street, city, state, postcode].filter(Boolean).join(' ')).split(' ');
    return words.every((word) => known.some((one) => one.startsWith(word)));
  }).slice(0, limit);
}

const refused = (message: string) => ({ status: 400, body: { message } });

/** The answer to `GET /api?q=`. */
export function photonAnswer(query: URLSearchParams): { status: number; body: unknown } {
  const q = query.get('q');
  if (q === null || q === '') return refused("missing search term 'q': /?q=berlin");
  const features = found(q, Number(query.get('limit') ?? 15)).map((place, index) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [place.longitude, place.latitude] },
    properties: {
      osm_type: 'N',
      osm_id: index + 1,
      osm_key: 'place',
      osm_value: place.type,
      type: place.type,
      country: place.country === 'US' ? 'United States' : 'España',
      countrycode: place.country,
      state: place.state,
      postcode: place.postcode,
      ...(place.type === 'house' ? { housenumber: place.number, street: place.street } : {}),
      ...(place.type === 'city' ? { name: place.city } : { city: place.city }),
      ...(place.type === 'street' ? { name: place.street } : {}),
    },
  }));
  return { status: 200, body: { type: 'FeatureCollection', features } };
}

/** The answer to `GET /search?format=jsonv2`. */
export function nominatimAnswer(query: URLSearchParams): { status: number; body: unknown } {
  if (query.get('format') !== 'jsonv2') return refused("Parameter 'format' must be one of: jsonv2");
  const countries = query.get('countrycodes')?.split(',') ?? [];
  const body = found(query.get('q') ?? '', Number(query.get('limit') ?? 10))
    .filter(({ country }) => countries.length === 0 || countries.includes(country.toLowerCase()))
    .map((place, index) => ({
      place_id: index + 1,
      licence: 'Data © OpenStreetMap contributors, ODbL 1.0.',
      lat: String(place.latitude),
      lon: String(place.longitude),
      category: 'place',
      type: place.type,
      display_name: [place.number, place.street, place.city, place.state, place.postcode]
        .filter(Boolean)
        .join(', '),
      address: {
        house_number: place.number,
        road: place.street,
        city: place.city,
        state: place.state,
        postcode: place.postcode,
        country_code: place.country.toLowerCase(),
      },
    }));
  return { status: 200, body };
}
