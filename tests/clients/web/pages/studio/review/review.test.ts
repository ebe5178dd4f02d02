import { describe, expect, test } from 'vitest';
import {
  createDecisions,
  type Decision,
  UNDO_MS,
} from '../../../../../../clients/web/pages/studio/review/decisions.ts';
import {
  keepDecisions,
  takeDecisions,
} from '../../../../../../clients/web/pages/studio/review/unsent-decisions.ts';
import { moved, WHOLE, type Zoom, zoomed } from '../../../../../../clients/web/pages/studio/review/zoom.ts';
import { photoStates } from '../../../../../../clients/web/pages/studio/staging/photo-states.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { manualTiming } from '../manual-timing.ts';

/** Decisions that can be taken back, the window over two pictures, and what has become of a photo. */

function openReview(answer: () => Promise<void> = async () => undefined) {
  const timing = manualTiming();
  let isOwn = true;
  const sent: string[] = [];
  const undoable: boolean[] = [];
  const decisions = createDecisions({
    isOwn: () => isOwn,
    after: timing.after,
    async send({ kind, imageIds }) {
      sent.push(`${kind} ${imageIds}`);
      await answer();
    },
  });
  decisions.subscribe(() => undoable.push(decisions.undoable() !== undefined));
  return {
    signOut() {
      isOwn = false;
    },
    decisions,
    timing,
    sent,
    undoable,
    waiting: () => decisions.current().flatMap(({ imageIds }) => imageIds),
    allSent: () =>
      eventually(() => decisions.current().length === 0, { what: 'an empty list', intervalMs: 1 }),
  };
}

const reject = (imageId: string): Decision => ({ kind: 'reject', imageIds: [imageId], reason: 'blurred' });
const approve = (imageId: string): Decision => ({ kind: 'approve', imageIds: [imageId] });
const approveSeveral = (...imageIds: string[]): Decision => ({ kind: 'approveSeveral', imageIds });

describe('a decision', () => {
  test('is not sent any more when its person is not signed in', () => {
    const { decisions, timing, sent, waiting, signOut } = openReview();
    decisions.decide(reject('a'));
    decisions.decide(approve('b'));
    signOut();
    decisions.sendAll();
    timing.advance(UNDO_MS);
    expect([sent, waiting()]).toEqual([[], []]);
  });

  test('is sent after its pause, once, and its pictures are hidden until it is answered', async () => {
    const { decisions, timing, sent, waiting, allSent } = openReview();
    decisions.decide(approveSeveral('a', 'b'));
    decisions.decide(reject('b'));
    timing.advance(UNDO_MS - 1);
    expect([sent, waiting()]).toEqual([[], ['a', 'b']]);
    timing.advance(1);
    await allSent();
    expect(sent).toEqual(['approveSeveral a,b']);
  });

  test('cannot be taken back once it is on its way, and the page hears of it', async () => {
    const answered = Promise.withResolvers<void>();
    const { decisions, timing, sent, undoable, waiting, allSent } = openReview(() => answered.promise);
    decisions.decide(approve('a'));
    timing.advance(UNDO_MS);
    expect([sent, undoable, waiting()]).toEqual([['approve a'], [true, false], ['a']]);
    decisions.undo();
    expect(waiting()).toEqual(['a']);
    answered.resolve();
    await allSent();
  });

  test('is not sent when it was taken back, the last one first and whole', async () => {
    const { decisions, timing, sent, allSent, waiting } = openReview();
    for (const one of [reject('a'), approve('b'), approveSeveral('c', 'd')]) decisions.decide(one);
    expect(decisions.undoable()).toEqual(approveSeveral('c', 'd'));
    decisions.undo();
    decisions.undo();
    expect(waiting()).toEqual(['a']);
    timing.advance(UNDO_MS);
    await allSent();
    expect(sent).toEqual(['reject a']);
    expect(timing.waiting()).toEqual([]);
  });

  test('that is made once more has its whole pause', () => {
    const { decisions, timing, sent } = openReview();
    decisions.decide(reject('a'));
    timing.advance(UNDO_MS - 1);
    decisions.undo();
    decisions.decide(approve('a'));
    timing.advance(UNDO_MS - 1);
    expect(sent).toEqual([]);
    timing.advance(1);
    expect(sent).toEqual(['approve a']);
  });

  test('is sent at once by a page that is left, and only once', () => {
    const { decisions, timing, sent, undoable } = openReview(() => new Promise(() => {}));
    for (const imageId of ['a', 'b']) decisions.decide(reject(imageId));
    decisions.sendAll();
    expect([sent, undoable.at(-1)]).toEqual([['reject a', 'reject b'], false]);
    decisions.sendAll();
    timing.advance(UNDO_MS);
    expect(sent).toEqual(['reject a', 'reject b']);
  });
});

describe('decisions that were not answered', () => {
  const NOON = Date.parse('2026-01-15T12:00:00Z');
  const whose = (page: string, at = NOON) => ({ personId: 'ada', page, at });
  const openKeeper = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
  };

  test('are taken over once, when they cannot be taken back where they were made', () => {
    const keeper = openKeeper();
    keepDecisions(keeper, whose('one'), [reject('a'), approveSeveral('b', 'c')]);
    const take = (page: string, after: number) => takeDecisions(keeper, whose(page, NOON + after));
    expect(take('other', UNDO_MS - 1)).toEqual([]);
    expect(take('one', UNDO_MS)).toEqual([]);
    expect(take('other', UNDO_MS)).toEqual([reject('a'), approveSeveral('b', 'c')]);
    expect(take('third', UNDO_MS)).toEqual([]);
  });

  test('of another tab and of another person stay when a page keeps its own', () => {
    const keeper = openKeeper();
    keepDecisions(keeper, whose('one'), [reject('a')]);
    keepDecisions(keeper, { ...whose('of eve'), personId: 'eve' }, [reject('c')]);
    keepDecisions(keeper, whose('other'), [approve('b')]);
    keepDecisions(keeper, whose('other'), []);
    expect(takeDecisions(keeper, whose('later', NOON + UNDO_MS))).toEqual([reject('a')]);
    expect(takeDecisions(keeper, { ...whose('later', NOON + UNDO_MS), personId: 'eve' })).toEqual([
      reject('c'),
    ]);
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
