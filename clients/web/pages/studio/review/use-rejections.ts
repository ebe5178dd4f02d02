import { useSyncExternalStore } from 'react';
import { systemTiming } from '../../../../typescript/timing.ts';
import { failureOf, isOfOther, problemKey } from '../../../api/failures.ts';
import type { SiteApi } from '../../../api/site-api.ts';
import { kept } from '../../../site/keeper.ts';
import type { Site } from '../../../site/site.ts';
import { useSite } from '../../../site/use-site.ts';
import { MY_LISTING, VARIANTS, type Variant } from '../studio-queries.ts';
import { createRejections, type Rejections } from './rejections.ts';
import { keepRejections, unsentRejections } from './unsent-rejections.ts';

const CONFLICT = 409;
const NOT_FOUND = 404;

/** One for a person and a document: a rejection is sent whatever page is shown by then. */
const running = new WeakMap<SiteApi, { readonly personId: string; readonly rejections: Rejections }>();

/** Null while no one is signed in. */
function rejectionsOf({ api, queries, notices, person }: Site): Rejections | null {
  const personId = person?.current();
  if (typeof personId !== 'string') return null;
  const known = running.get(api);
  if (known?.personId === personId) return known.rejections;
  const left = unsentRejections(kept, personId);
  const isOwn = (): boolean => person?.current() === personId;
  const rejections = createRejections({
    api,
    isOwn,
    after: systemTiming.after,
    onSent: async ({ imageId }, error) => {
      if (error !== undefined) {
        const { httpStatus } = failureOf(error);
        const isDecided = (httpStatus === CONFLICT && !isOfOther(error)) || httpStatus === NOT_FOUND;
        // The browser may have brought it on its way when the page before was left.
        const isOurs = left.some((one) => one.imageId === imageId);
        if (!isDecided || !isOurs)
          notices.say(isDecided ? 'studio.review.decidedByOther' : problemKey(error));
      } else
        queries.setQueriesData<readonly Variant[]>({ queryKey: VARIANTS }, (all) =>
          all?.filter((one) => one.imageId !== imageId),
        );
      await Promise.all([VARIANTS, MY_LISTING].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  running.set(api, { personId, rejections });
  rejections.subscribe(() => {
    if (isOwn()) keepRejections(kept, personId, rejections.current());
  });
  for (const rejection of left) rejections.resume(rejection);
  addEventListener('pagehide', () => rejections.sendAll());
  return rejections;
}

/** Sends the rejections that a page before has left, unless they are on their way. */
export function resumeRejections(site: Site): void {
  rejectionsOf(site);
}

/** Rejections that can be taken back, and those on their way. */
export function useRejections() {
  const site = useSite();
  const rejections = site.sender === null ? null : rejectionsOf(site);
  const waiting = useSyncExternalStore(
    rejections?.subscribe ?? (() => () => {}),
    () => rejections?.current() ?? NONE,
    () => NONE,
  );
  return {
    waiting,
    canUndo: rejections?.canUndo() ?? false,
    reject: (imageId: string, reason: string | null) => rejections?.reject({ imageId, reason }),
    undo: () => rejections?.undo(),
  };
}

const NONE: ReturnType<Rejections['current']> = [];
