import { createServer } from 'node:http';
import { GeoJSONVT } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { zxyToTileId } from 'pmtiles';
import { readStreetSources, streetLayers } from '../../../ops/dev/site/streets.ts';

/** A server of another origin with the sample town as a PMTiles file, read in ranges, as an object store has it. */
export async function startTileHost(port: number): Promise<{
  readonly url: string;
  /** The ranges that were asked for. */
  readonly ranges: readonly string[];
  close(): Promise<void>;
}> {
  const file = townArchive();
  const ranges: string[] = [];
  const server = createServer(({ method, headers: { range } }, response) => {
    const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    response.setHeader('access-control-allow-origin', '*');
    if (method === 'OPTIONS') {
      // The second is of the windows of tests.
      response.writeHead(204, { 'access-control-allow-headers': 'range, x-forwarded-for' }).end();
      return;
    }
    if (from === '') {
      response.writeHead(416).end();
      return;
    }
    ranges.push(`${from}-${to}`);
    const part = file.subarray(Number(from), Number(to) + 1);
    response.setHeader('content-range', `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`);
    response.writeHead(206).end(part);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}/town.pmtiles`,
    ranges,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

const [LEAST, MOST] = [8, 13];
/** West, south, east, north. */
const BOUNDS = [-122.44, 47.46, -122.21, 47.78] as const;

/** The sample town in the schema of Protomaps and version 3 of the format, without compression. */
function townArchive(): Buffer {
  const { postal_codes: _, ...layers } = streetLayers(readStreetSources());
  const indexes = Object.entries(layers).map(
    ([name, features]) => [name, new GeoJSONVT(features, { maxZoom: MOST, indexMaxZoom: MOST })] as const,
  );
  const [west, south, east, north] = BOUNDS;
  const tiles: { id: number; bytes: Buffer }[] = [];
  for (let z = LEAST; z <= MOST; z += 1)
    for (let x = column(west, z); x <= column(east, z); x += 1)
      for (let y = row(north, z); y <= row(south, z); y += 1) {
        const found = indexes.flatMap(([name, index]) => {
          const tile = index.getTile(z, x, y);
          return tile === null ? [] : [[name, tile] as const];
        });
        if (found.length > 0)
          tiles.push({
            id: zxyToTileId(z, x, y),
            bytes: Buffer.from(fromGeojsonVt(Object.fromEntries(found), { version: 2 })),
          });
      }
  tiles.sort((one, other) => one.id - other.id);
  const root = directory(tiles);
  const data = Buffer.concat(tiles.map(({ bytes }) => bytes));
  const metadata = Buffer.from('{}');
  const header = Buffer.alloc(127);
  header.write('PMTiles\u0003', 'latin1');
  const end = 127 + root.length + metadata.length;
  const numbers = [127, root.length, 127 + root.length, metadata.length, end, 0, end, data.length];
  for (const [index, value] of [...numbers, tiles.length, tiles.length, tiles.length].entries())
    header.writeBigUInt64LE(BigInt(value), 8 + index * 8);
  // Clustered; no compression of directories and tiles; vector tiles; zooms.
  header.set([1, 1, 1, 1, LEAST, MOST], 96);
  for (const [index, degrees] of BOUNDS.entries())
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + index * 4);
  return Buffer.concat([header, root, metadata, data]);
}

const column = (longitude: number, zoom: number): number => Math.floor(((longitude + 180) / 360) * 2 ** zoom);
function row(latitude: number, zoom: number): number {
  const angle = (latitude * Math.PI) / 180;
  return Math.floor(((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * 2 ** zoom);
}

/** How many tiles, then what their ids grow by, how often each follows, their lengths, and where they are. */
function directory(tiles: readonly { readonly id: number; readonly bytes: Buffer }[]): Buffer {
  const grown = tiles.map(({ id }, index) => id - (tiles[index - 1]?.id ?? 0));
  const numbers = [
    tiles.length,
    ...grown,
    ...tiles.map(() => 1),
    ...tiles.map(({ bytes }) => bytes.length),
    // 0 is where the one before ends; others are one more than they are.
    ...tiles.map((_, index) => (index === 0 ? 1 : 0)),
  ];
  return Buffer.from(numbers.flatMap(varint));
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return [...bytes, value];
}
