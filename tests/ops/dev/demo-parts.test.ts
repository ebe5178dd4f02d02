import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDemoArguments } from '../../../ops/dev/demo/arguments.ts';
import { renderPage } from '../../../ops/dev/demo/contact-page.ts';
import type { DemoJob } from '../../../ops/dev/demo/job.ts';
import { compareLedger, isPublicRight, judge } from '../../../ops/dev/demo/outcome.ts';
import { prepareOutput } from '../../../ops/dev/demo/output.ts';
import { findPhotos, roomFromName } from '../../../ops/dev/demo/photos.ts';
import { createProgress, type Screen } from '../../../ops/dev/demo/progress.ts';
import { jobTable } from '../../../ops/dev/demo/table.ts';
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
  function screen(change: Partial<Screen> = {}): { shown: string[]; screen: Screen } {
    const shown: string[] = [];
    const write = (text: string) => void shown.push(text);
    return { shown, screen: { write, redraws: false, columns: 60, rows: 24, colours: false, ...change } };
  }
  const jobs = [aJob({ number: 1, seen: painting }), aJob({ number: 2 })];

  test('in a pipe, each change is one line, and no change is no line', () => {
    const { shown, screen: pipe } = screen();
    const progress = createProgress(pipe, 0);
    progress.show(jobs, 1000);
    progress.show(jobs, 2000);
    expect(shown).toEqual([
      '[  1.0 s] #1 room-1: PROCESSING, attempt 1 RUNNING\n',
      '[  1.0 s] #2 room-2: PENDING\n',
    ]);
  });

  test('a terminal redraws the same lines, none wider than the terminal; notes stay above', () => {
    const { shown, screen: terminal } = screen({ redraws: true });
    const progress = createProgress(terminal, 0);
    progress.show(jobs, 1000);
    progress.note('Look.', 1500);
    progress.show(jobs, 2000);
    const widths = shown[0]
      ?.replace('\r\u001b[J', '')
      .split('\n')
      .map((line) => line.length);
    expect(Math.max(...(widths ?? []))).toBe(59);
    // Move two lines up, then erase to the end.
    expect(shown[1]?.startsWith('\u001b[2A\r\u001b[J[  1.5 s] Look.\n')).toBe(true);
    expect(shown[2]).toContain('2.0 s');
  });

  test('a list longer than the terminal is shortened to the rows that change', () => {
    const { shown, screen: terminal } = screen({ redraws: true, rows: 6 });
    const many = [...jobs, ...[3, 4, 5, 6, 7].map((number) => aJob({ number, seen: staged('x') }))];
    createProgress(terminal, 0).show(many, 1000);
    expect(shown[0]).toContain('room-1');
    expect(shown[0]).toContain('5 of 7 over, 1 waiting');
    expect(shown[0]?.trimEnd().split('\n')).toHaveLength(2);
  });

  test('a table shows every field of a job', () => {
    const job = aJob({
      number: 1,
      seen: { ...painting, status: 'FAILED', errorCode: 'OUTPUT_INVALID' },
      endedAt: 1500,
    });
    expect(jobTable([job]).at(-1)).toMatch(
      /^1 +job-1 +room-1 +BEDROOM +MODERN +1 +1\.5 s +FAILED \(OUTPUT_INVALID\) +–$/,
    );
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
  const attempt = (attemptId: string) => ({
    attemptId,
    aiJobId: 'j',
    attemptNumber: 1,
    status: 'SUCCEEDED',
    predictionId: 'p',
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
    expect(compareLedger(ledger, [attempt('a'), attempt('b')], 5)).toEqual({
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
    ['a second purchase', { ledgerSummary: compareLedger([bought('a'), bought('a')], [attempt('a')], 0) }],
    ['a stale search document', { document: {} }],
  ])('%s is a failure', (_, change) => {
    const good = {
      jobs: [approved, pending],
      ledgerSummary: compareLedger([bought('a')], [attempt('a')], 0),
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

  test('the page marks private pictures, labels staged ones, and escapes file names', () => {
    const photo = { ...aJob({ number: 1 }).photo, fileName: '<b>"x".jpg' };
    const jobs = [
      aJob({
        number: 1,
        photo,
        seen: staged('a'),
        review: 'PENDING_REVIEW',
        before: 'b.jpg',
        after: 'a.jpg',
      }),
      aJob({ number: 2, seen: staged('b'), review: 'REJECTED', before: 'd.jpg', after: 'c.jpg' }),
      aJob({ number: 3, seen: { ...painting, status: 'CANCELED' }, before: 'e.jpg' }),
    ];
    const ledgerSummary = compareLedger([], [], 0);
    const told = { startedAt: 0, crashed: true, ledgerText: '', checks: [{ holds: true, what: 'fine' }] };
    const page = renderPage({ ...told, jobs, refused: [{ photo, why: 'no <picture>' }], ledgerSummary });
    expect(page.match(/class="badge \w+">[A-Z ]+</g)).toEqual([
      'class="badge private">PENDING REVIEW<',
      'class="badge rejected">REJECTED<',
      'class="badge none">CANCELED<',
    ]);
    expect(page.match(/<span class="label">AI · Virtually staged<\/span>/g)).toHaveLength(2);
    expect(page).toContain('&lt;b&gt;&quot;x&quot;.jpg');
    expect(page).not.toContain('<b>"x"');
    expect(page).not.toMatch(/(src|href)="(https?:|\/)/);
  });
});
