import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { joined, readStreetSources, roadName, streetLayers } from '../../../ops/dev/site/streets.ts';

const layers = streetLayers(readStreetSources());
const propertiesOf = (layer: keyof typeof layers) =>
  layers[layer].features.map(({ properties }) => properties);

describe('the streets of the sample town', () => {
  test.each([
    ['PINE ST', 'Pine St'],
    ['15TH AVE W,ELLIOTT AVE W', '15th Ave W'],
    ['NE 65TH ST', 'NE 65th St'],
    ['S MCCLELLAN ST', 'S McClellan St'],
    ['WEST SEATTLE BR EB', 'West Seattle Bridge'],
    ['SR99 TUN', 'SR 99 Tunnel'],
  ])('%s is written %s', (name, written) => {
    expect(roadName(name)).toBe(written);
  });

  test('pieces that meet are one line, whichever way each was drawn', () => {
    const [a, b, c, d, far, away] = [
      [0, 0],
      [0, 1],
      [0, 2],
      [0, 3],
      [5, 5],
      [5, 6],
    ] as const;
    const pieces = [
      [[...c], [...b]],
      [[...a], [...b]],
      [[...far], [...away]],
      [[...c], [...d]],
    ];
    expect(joined(pieces)).toEqual([
      [[...a], [...b], [...c], [...d]],
      [[...away], [...far]],
    ]);
  });

  test('every class of the city is a kind of road, and only ramps have no name', () => {
    const roads = propertiesOf('roads');
    expect([...new Set(roads.map((road) => road?.kind_detail))].toSorted()).toEqual([
      'motorway',
      'primary',
      'primary_link',
      'secondary',
      'tertiary',
    ]);
    expect(roads.filter((road) => road?.is_link !== true && !/\w/.test(road?.name ?? ''))).toEqual([]);
    expect(roads.length).toBeLessThan(1_000);
  });

  test('each postal code has its outline and its digits; Lake Washington and Lake Union are water', () => {
    expect(propertiesOf('postal_codes').filter((one) => /^98\d{3}$/.test(one?.name ?? ''))).toHaveLength(32);
    const boxes = layers.water.features.map(({ geometry }) => JSON.stringify(geometry.coordinates).length);
    expect(boxes).toHaveLength(25);
    expect(propertiesOf('earth').filter((one) => one?.kind === 'city')).toHaveLength(29);
  });

  test('a browser loads at most 120 kB of them', () => {
    const bytes = Object.values(layers).map((layer) => brotliCompressSync(JSON.stringify(layer)).length);
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(120_000);
  });
});
