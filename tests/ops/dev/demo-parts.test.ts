import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDemoArguments } from '../../../ops/dev/demo/arguments.ts';
import type { DemoJob } from '../../../ops/dev/demo/job.ts';
import { compareLedger, isPublicRight, judge } from '../../../ops/dev/demo/outcome.ts';
import { prepareOutput } from '../../../ops/dev/demo/output.ts';
import { findPhotos, roomFromName } from '../../../ops/dev/demo/photos.ts';
import { createProgress } from '../../../ops/dev/demo/progress.ts';
import type { LedgerEntry } from '../../../ops/simulator/control-client.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { aJob } from './demo-harness.ts';

const RUNNING = { attemptNumber: 1, status: 'RUNNING', providerStatus: 'processing', createdAt: '' } as const;
const painting: DemoJob['seen'] = {
  status: 'PROCESSING',
  attempts: [RUNNING],
  errorCode: null,
  resultImageId: null,
};
const staged = (resultImageId: string): DemoJob['seen'] => ({
  ...painting,
  status: 'SUCCESS',
  resultImageId,
});

describe('the options of the demo', () => {
  test('styles and rooms are accepted in any spelling and as lists; without any, all six styles are used', () => {
    const { styles, rooms, paths } = readDemoArguments([
      '--style',
      'modern, Luxury',
      '--room',
      'tv-room',
      'a.jpg',
    ]);
    expect([styles, rooms, paths]).toEqual([['MODERN', 'LUXURY'], ['TV_ROOM'], ['a.jpg']]);
    expect(readDemoArguments([])).toMatchObject({ crash: false, out: 'demo-output', rooms: [] });
    expect(readDemoArguments([]).styles).toHaveLength(6);
  });

  test.each([
    ['bedroom-01-white.jpg', 'BEDROOM'],
    ['tv-02-dining-and-tv.jpg', 'TV_ROOM'],
    ['02_Bath.png', 'BATHROOM'],
    ['IMG_2031.jpg', 'LIVING_ROOM'],
    ['embedded.jpg', 'LIVING_ROOM'],
  ])('%s is a %s', (name, room) => expect(roomFromName(name)).toBe(room));

  test('without photos it draws all seven rooms; a list that is used up starts again', async () => {
    const drawn = await findPhotos({ paths: [], rooms: [], styles: ['MODERN', 'LUXURY'] });
    expect(new Set(drawn.map(({ room }) => room)).size).toBe(7);
    expect(drawn.slice(0, 3).map(({ style }) => style)).toEqual(['MODERN', 'LUXURY', 'MODERN']);
    const told = await findPhotos({ paths: [], rooms: ['OFFICE'], styles: ['MODERN'] });
    expect(new Set(told.map(({ room }) => room))).toEqual(new Set(['OFFICE']));
  });
});

describe('the terminal output', () => {
  const jobs = [aJob({ number: 1, seen: painting }), aJob({ number: 2 })];

  test('each change is one line, and no change is no line', () => {
    const shown: string[] = [];
    const progress = createProgress((text) => void shown.push(text), 0);
    progress.show(jobs, 1000);
    progress.show(jobs, 2000);
    expect(shown).toEqual([
      '[  1.0 s] #1 room-1: PROCESSING, attempt 1 RUNNING\n',
      '[  1.0 s] #2 room-2: PENDING\n',
    ]);
  });
});

describe('the checks at the end', () => {
  const approved = aJob({ number: 1, plan: 'approve', review: 'APPROVED', seen: staged('one') });
  const pending = aJob({ number: 2, review: 'PENDING_REVIEW', seen: staged('two') });
  const image = (imageId: string, disclosureLabel: string | null) => ({
    imageId,
    isStyled: true,
    disclosureLabel,
  });
  const documentOf = (...images: unknown[]) => ({ images: JSON.stringify(images) });
  const right = documentOf(image('one', 'AI · Virtually staged'));
  const bought = (attemptId: string, at = 10): LedgerEntry => ({
    kind: 'create',
    accepted: true,
    httpStatus: 201,
    reason: null,
    model: null,
    predictionId: 'p',
    at,
    attemptId,
    webhook: null,
    userId: null,
    faults: [],
    prediction: null,
  });

  test('unauthenticated callers see approved pictures with their label, and nothing else', () => {
    const jobs = [approved, pending];
    expect(isPublicRight(jobs, right)).toBe(true);
    expect(isPublicRight(jobs, {})).toBe(false);
    expect(isPublicRight(jobs, documentOf(image('one', null)))).toBe(false);
    const both = documentOf(image('one', 'AI · Virtually staged'), image('two', 'AI · Virtually staged'));
    expect(isPublicRight(jobs, both)).toBe(false);
  });

  test('the summary counts jobs bought twice, without an attempt, never, and in earlier runs', () => {
    const ledger = [bought('a'), bought('a'), bought('foreign'), bought('earlier', 1)];
    expect(compareLedger(ledger, ['a', 'b'], 5)).toEqual({
      attempts: 2,
      purchases: 3,
      boughtTwice: 1,
      unknownPurchases: 1,
      neverBought: 1,
    });
  });

  test.each<[string, Partial<Parameters<typeof judge>[0]>]>([
    ['a failed room', { jobs: [approved, aJob({ number: 2, seen: { ...painting, status: 'FAILED' } })] }],
    [
      'a canceled job that has a picture',
      { jobs: [approved, aJob({ number: 3, plan: 'cancel', seen: staged('x') })] },
    ],
    ['a review that did not happen', { jobs: [{ ...approved, review: 'PENDING_REVIEW' }] }],
    ['a second purchase', { ledgerSummary: compareLedger([bought('a'), bought('a')], ['a'], 0) }],
    ['a stale search document', { document: {} }],
  ])('%s is a failure', (_, change) => {
    const good = {
      jobs: [approved, pending],
      ledgerSummary: compareLedger([bought('a')], ['a'], 0),
      document: right,
    };
    expect(judge({ ...good, crashed: false }).every(({ holds }) => holds)).toBe(true);
    expect(judge({ ...good, crashed: false, ...change }).every(({ holds }) => holds)).toBe(false);
  });
});

describe('the output folder', () => {
  test('a run removes the files of an earlier run and nothing else', async () => {
    const folder = temporaryDirectory();
    const out = join(folder, 'out');
    mkdirSync(join(out, 'before'), { recursive: true });
    for (const file of ['before/01-a.jpg', 'before/mine.jpg', '../outside.jpg'])
      writeFileSync(join(out, file), '');
    writeFileSync(join(out, 'result.json'), JSON.stringify({ files: ['before/01-a.jpg', '../outside.jpg'] }));
    await prepareOutput(out);
    expect(existsSync(join(out, 'before/01-a.jpg'))).toBe(false);
    expect(existsSync(join(out, 'before/mine.jpg'))).toBe(true);
    expect(existsSync(join(folder, 'outside.jpg'))).toBe(true);
  });
});
