import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { FEED_FAULT_NAMES } from '../../ops/feed-simulator/faults.ts';

const PROGRAM = 'ops/feed-simulator/main.ts';
let program: ReturnType<typeof spawn> | undefined;
afterEach(async () => {
  if (program === undefined) return;
  program.kill('SIGTERM');
  if (program.exitCode === null) await once(program, 'exit');
});

test('the program serves listings, their pictures, and its truth', async () => {
  program = spawn(process.execPath, [PROGRAM, '--port', '0', '--listings', '3', '--seed', '5'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(program.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const { listening } = JSON.parse(line.toString()) as { listening: string };
  const json = async (address: string, init?: RequestInit): Promise<Record<string, unknown>> => {
    const answer = await fetch(address, { headers: { authorization: 'Bearer any' }, ...init });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Record<string, unknown>;
  };
  const answer = await json(`${listening}/Property?$expand=Media&$count=true&$top=2`);
  expect(answer).toMatchObject({ '@odata.count': 3, value: [{ ListingKey: 'P000000' }, {}] });
  const [{ Media: media }] = answer.value as [{ Media: { MediaURL: string }[] }];
  const photo = await fetch(media[0]?.MediaURL ?? '');
  expect(await sharp(await photo.arrayBuffer()).metadata()).toMatchObject({ format: 'jpeg', width: 640 });

  const control = listening.replace('/reso/odata', '/__control');
  const post = (path: string, body: object) =>
    json(`${control}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  await post('set', { key: "it's new", fields: { ListPrice: 7 } });
  expect(await json(`${listening}/Property('it''s%20new')`)).toMatchObject({ ListPrice: 7 });
  const truth = (await json(`${control}/truth`)) as unknown as { resource: string }[];
  expect(truth.filter(({ resource }) => resource === 'Property')).toHaveLength(4);
  await post('faults', { fault: 'media-huge', times: 1 });
  const huge = await fetch(media[0]?.MediaURL ?? '');
  expect(await sharp(await huge.arrayBuffer()).metadata()).toMatchObject({ width: 10_000, height: 6_100 });
});

test('its help names every fault', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '--help']);
  for (const fault of FEED_FAULT_NAMES) expect(stdout).toContain(`  ${fault} `);
});
