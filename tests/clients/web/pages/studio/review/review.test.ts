import { describe, expect, test } from 'vitest';
import type { SiteApi } from '../../../../../../clients/web/api/site-api.ts';
import { createRejections, UNDO_MS } from '../../../../../../clients/web/pages/studio/review/rejections.ts';
import { moved, WHOLE, type Zoom, zoomed } from '../../../../../../clients/web/pages/studio/review/zoom.ts';
import { photoStates } from '../../../../../../clients/web/pages/studio/staging/photo-states.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { manualTiming } from '../manual-timing.ts';

/** Rejections that can be taken back, the window over two pictures, and what has become of a photo. */

function openReview(answer: (imageId: string) => Promise<void> = async () => undefined) {
  const timing = manualTiming();
  let isOwn = true;
  const sent: string[] = [];
  const told: [imageId: string, error: unknown][] = [];
  const undoable: boolean[] = [];
  const rejectStagedVariant = async ({ imageId }: { imageId: string }) => {
    sent.push(imageId);
    await answer(imageId);
  };
  const rejections = createRejections({
    api: { ai: { rejectStagedVariant } } as unknown as SiteApi,
    isOwn: () => isOwn,
    after: timing.after,
    onSent: async ({ imageId }, error) => void told.push([imageId, error]),
  });
  rejections.subscribe(() => undoable.push(rejections.canUndo()));
  return {
    signOut() {
      isOwn = false;
    },
    rejections,
    timing,
    sent,
    told,
    undoable,
    waiting: () => rejections.current().map(({ imageId }) => imageId),
    settled: (count: number) => eventually(() => told.length === count, { what: 'answers', intervalMs: 1 }),
  };
}

const rejection = (imageId: string) => ({ imageId, reason: 'blurred' });

describe('a rejection', () => {
  test('is not sent any more when its person is not signed in', () => {
    const { rejections, timing, sent, waiting, signOut } = openReview();
    rejections.reject(rejection('a'));
    rejections.reject(rejection('b'));
    signOut();
    rejections.sendAll();
    timing.advance(UNDO_MS);
    expect([sent, waiting()]).toEqual([[], []]);
  });

  test('is sent after its pause, once, and is hidden until it is answered', async () => {
    const { rejections, timing, sent, told, waiting, settled } = openReview();
    rejections.reject(rejection('a'));
    rejections.reject(rejection('a'));
    timing.advance(UNDO_MS - 1);
    expect([sent, waiting(), rejections.canUndo()]).toEqual([[], ['a'], true]);
    timing.advance(1);
    await settled(1);
    await eventually(() => waiting().length === 0, { what: 'an empty list', intervalMs: 1 });
    expect([sent, told]).toEqual([['a'], [['a', undefined]]]);
  });

  test('cannot be taken back once it is on its way, and the page is told so', async () => {
    let end: () => void = () => undefined;
    const { rejections, timing, sent, undoable, waiting } = openReview(
      () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    );
    rejections.reject(rejection('a'));
    timing.advance(UNDO_MS);
    expect([sent, undoable, waiting()]).toEqual([['a'], [true, false], ['a']]);
    rejections.undo();
    expect(waiting()).toEqual(['a']);
    end();
    await eventually(() => waiting().length === 0, { what: 'an empty list', intervalMs: 1 });
  });

  test('is not sent when it was taken back, the last one first', async () => {
    const { rejections, timing, sent, settled, waiting } = openReview();
    for (const imageId of ['a', 'b', 'c']) rejections.reject(rejection(imageId));
    rejections.undo();
    rejections.undo();
    expect(waiting()).toEqual(['a']);
    timing.advance(UNDO_MS);
    await settled(1);
    expect(sent).toEqual(['a']);
    expect(timing.waiting()).toEqual([]);
  });

  test('that is made once more has its whole pause', () => {
    const { rejections, timing, sent } = openReview();
    rejections.reject(rejection('a'));
    timing.advance(UNDO_MS - 1);
    rejections.undo();
    rejections.reject(rejection('a'));
    timing.advance(UNDO_MS - 1);
    expect(sent).toEqual([]);
    timing.advance(1);
    expect(sent).toEqual(['a']);
  });

  test('that has failed is told, and its picture is shown again', async () => {
    const failure = new Error('decided by somebody else');
    const { rejections, timing, told, waiting } = openReview(() => Promise.reject(failure));
    rejections.reject(rejection('a'));
    timing.advance(UNDO_MS);
    await eventually(() => waiting().length === 0, { what: 'an empty list', intervalMs: 1 });
    expect(told).toEqual([['a', failure]]);
  });

  test('is sent at once by a page that is left, and only once', () => {
    const { rejections, timing, sent } = openReview(() => new Promise(() => {}));
    for (const imageId of ['a', 'b']) rejections.reject(rejection(imageId));
    rejections.sendAll();
    expect([sent, rejections.canUndo()]).toEqual([['a', 'b'], false]);
    rejections.sendAll();
    timing.advance(UNDO_MS);
    expect(sent).toEqual(['a', 'b']);
  });
});

describe('the window over two pictures', () => {
  const close = (zoom: Zoom, [scale, x, y]: [number, number, number]) => {
    expect(zoom.scale).toBeCloseTo(scale);
    expect(zoom.x).toBeCloseTo(x);
    expect(zoom.y).toBeCloseTo(y);
  };
  test('is never smaller than a sixth of the picture, nor larger than it', () => {
    close(zoomed(WHOLE, 100), [6, 0.5, 0.5]);
    close(zoomed(zoomed(WHOLE, 2), 0.01), [1, 0.5, 0.5]);
  });
  test('moves by its own size, and stays inside', () => {
    const near = zoomed(WHOLE, 2);
    close(moved(near, { right: 0.25, down: -0.25 }), [2, 0.625, 0.375]);
    close(moved(near, { right: 9, down: -9 }), [2, 0.75, 0.25]);
    close(moved(WHOLE, { right: 1, down: 1 }), [1, 0.5, 0.5]);
  });
  test('comes back inside when it becomes larger', () => {
    close(zoomed(moved(zoomed(WHOLE, 4), { right: 9, down: 9 }), 0.5), [2, 0.75, 0.75]);
  });
});

describe('what has become of a photo', () => {
  const job = (aiJobId: string, canonicalStyle: string | null, originalImageId = 'photo') => ({
    aiJobId,
    originalImageId,
    canonicalStyle,
  });
  const variant = (imageId: string, canonicalStyle: string | null, withdrawnAt: string | null = null) => ({
    imageId,
    styledFromId: 'photo',
    canonicalStyle,
    withdrawnAt,
  });
  const statesOf = (work: { open?: object[]; failed?: object[]; variants?: object[] }) => {
    const states = photoStates({ open: [], failed: [], variants: [], ...work } as never).get('photo') ?? [];
    return states.map((state) => [
      state.kind,
      state.kind === 'staged' ? state.variant.imageId : state.job.aiJobId,
    ]);
  };
  test('is one line for each style: a picture before a job, an open job before a failed one', () => {
    expect(
      statesOf({
        variants: [variant('picture', 'MODERN')],
        open: [job('open-1', 'MODERN'), job('open-2', 'LUXURY')],
        failed: [job('failed-1', 'LUXURY'), job('failed-2', 'FARMHOUSE'), job('failed-3', 'FARMHOUSE')],
      }),
    ).toEqual([
      ['staged', 'picture'],
      ['open', 'open-2'],
      ['failed', 'failed-2'],
    ]);
  });
  test('is a rejected picture only where nothing else is there in its style', () => {
    const work = { open: [job('open', 'LUXURY')], failed: [], variants: [variant('picture', 'MODERN')] };
    const rejected = ['MODERN', 'LUXURY', 'FARMHOUSE'].map((style) => job(`rejected-${style}`, style));
    const states = photoStates(work as never, rejected as never).get('photo') ?? [];
    expect(states.map(({ kind, style }) => [kind, style])).toEqual([
      ['staged', 'MODERN'],
      ['open', 'LUXURY'],
      ['rejected', 'FARMHOUSE'],
    ]);
  });
  test('is every picture whose style has no name any more, and no job without one', () => {
    expect(
      statesOf({ variants: [variant('a', null), variant('b', null)], failed: [job('c', null)] }),
    ).toEqual([
      ['staged', 'a'],
      ['staged', 'b'],
    ]);
  });
  test('is a withdrawn picture beside the job that stages its style again', () => {
    expect(
      statesOf({
        variants: [variant('old', 'MODERN', '2026-01-01T00:00:00Z')],
        open: [job('again', 'MODERN')],
      }),
    ).toEqual([
      ['open', 'again'],
      ['staged', 'old'],
    ]);
  });
  test('is nothing for a photo that was never staged', () => {
    expect(statesOf({ open: [job('other', 'MODERN', 'another photo')] })).toEqual([]);
  });
});
