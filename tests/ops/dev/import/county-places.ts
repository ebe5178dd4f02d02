/** Files of places around the invented county, in the formats in which such files are published. */
import { COUNTY, countyPostalCodes, countySales, round } from '../../../support/database/county-sales.ts';

/** Where the table of all postal codes puts every code of the county that was never surveyed. */
export const PLACEHOLDER = { latitude: 47.432251, longitude: -121.803388 };
const CODES_PER_STATE = 840;
/** With the federal district, and without a territory. */
const STATES =
  'AL AK AZ AR CA CO CT DC DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  );
/** The table lacks one code of the county, which only the county's own file has. */
export const POSTAL_CODES = STATES.length * CODES_PER_STATE + COUNTY.postalCodes;
export const STATE_COUNT = STATES.length;

const csv = (header: string, rows: readonly (readonly (string | number)[])[]): string =>
  [header, ...rows.map((cells) => cells.join(','))].map((line) => `${line}\n`).join('');

/** The county's codes with the extent of their sales. */
export function codesWithBoxes(): string {
  const sales = Map.groupBy(countySales(), ({ zipcode }) => zipcode);
  const rows = countyPostalCodes().map(({ code, city, latitude, longitude }) => {
    const sold = sales.get(code) ?? [];
    const [lats, longs] = [sold.map(({ lat }) => Number(lat)), sold.map(({ long }) => Number(long))];
    const box = [Math.min(...lats), Math.max(...lats), Math.min(...longs), Math.max(...longs)];
    return [code, city, 'WA', latitude, longitude, sold.length, ...box];
  });
  return csv('zipcode,city,state,lat,lon,sales,lat_min,lat_max,lon_min,lon_max', rows);
}

/** The codes of all states; those of the county share one wrong point, and its last one is missing. */
export function allCodes(): string {
  const rows = STATES.flatMap((state, at) =>
    Array.from({ length: CODES_PER_STATE }, (_, index) => {
      const code = String(at * CODES_PER_STATE + index + 1_000).padStart(5, '0');
      const county = `${state} County ${index % 40}`;
      return [code, `Town ${index % 400}`, state, county, '', 30 + at / 4, round(-120 + index / 20, 4)];
    }),
  );
  const { latitude, longitude } = PLACEHOLDER;
  const known = countyPostalCodes().slice(0, -1);
  const wrong = known.map(({ code, city }) => [code, city, 'WA', 'KING', '', latitude, longitude]);
  return csv('code,city,state,county,area_code,lat,lon', [...rows, ...wrong]);
}

/** The centers of the county's towns. */
export function towns(): string {
  const codes = Map.groupBy(countyPostalCodes(), ({ city }) => city);
  const mean = (values: number[]) => round(values.reduce((sum, value) => sum + value, 0) / values.length, 6);
  const rows = [...codes].map(([city, of], index) => {
    const [latitude, longitude] = [mean(of.map((one) => one.latitude)), mean(of.map((one) => one.longitude))];
    return [index + 1, 'WA', 'Washington', city, 'King', latitude, longitude];
  });
  return csv('ID,STATE_CODE,STATE_NAME,CITY,COUNTY,LATITUDE,LONGITUDE', rows);
}

/** Ninety squares within the largest town, in groups of six; the first is made of two. */
export function neighborhoods(): string {
  const square = (index: number) => {
    const [west, south] = [-122.4 + (index % 10) * 0.014, 47.52 + Math.floor(index / 10) * 0.02];
    const [east, north] = [west + 0.014, south + 0.02];
    return [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ];
  };
  const features = Array.from({ length: 90 }, (_, index) => ({
    type: 'Feature',
    properties: {
      neighbourhood: `Quarter ${index}`,
      neighbourhood_group: `District ${Math.floor(index / 6)}`,
    },
    geometry: { type: 'MultiPolygon', coordinates: index === 0 ? [square(0), square(1)] : [square(index)] },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}
