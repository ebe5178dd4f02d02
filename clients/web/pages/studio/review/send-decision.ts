import { failureOf, isOfOther, problemKey } from '../../../api/failures.ts';
import type { SiteApi } from '../../../api/site-api.ts';
import type { Site } from '../../../site/site.ts';
import { DISCLOSURE, MY_LISTING, VARIANTS, type Variant } from '../studio-queries.ts';
import type { Decision } from './decisions.ts';

const CONFLICT = 409;
const NOT_FOUND = 404;
/** What is said when several were sent, the most important first. */
const REFUSALS = [
  ['ROOM_DIFFERS', 'staging.roomDiffers'],
  ['SECOND_PERSON_REQUIRED', 'staging.secondPersonRequired'],
  ['GEOMETRY_MOVED', 'staging.geometryMoved'],
  ['NOT_COMPARED', 'staging.notCompared'],
] as const;

/**
 * Sends a decision, brings the lists up to date, and says what was refused or has failed.
 * @param isRepeated the browser may have brought it on its way when the page before was left
 */
export async function sendDecision(
  { api, queries, notices }: Pick<Site, 'api' | 'queries' | 'notices'>,
  decision: Decision,
  isRepeated: boolean,
): Promise<void> {
  try {
    const refused = await answerOf(api, decision);
    if (refused.size > 0) {
      const codes = [...refused.values()];
      const known = REFUSALS.find(([code]) => codes.includes(code));
      notices.say(known?.[1] ?? 'studio.review.decidedByOther');
    }
    const done = decision.imageIds.filter((id) => !refused.has(id));
    queries.setQueriesData<readonly Variant[]>({ queryKey: VARIANTS }, (all) =>
      all?.flatMap((one) => (done.includes(one.imageId) ? decided(one, decision.kind) : [one])),
    );
  } catch (error) {
    const { httpStatus } = failureOf(error);
    const isConflict = httpStatus === CONFLICT && decision.kind === 'reject' && !isOfOther(error);
    const isDecided = isConflict || httpStatus === NOT_FOUND;
    if (!isDecided || !isRepeated)
      notices.say(isDecided ? 'studio.review.decidedByOther' : problemKey(error));
  }
  await Promise.all(
    [VARIANTS, MY_LISTING, DISCLOSURE].map((queryKey) => queries.invalidateQueries({ queryKey })),
  );
}

/** The pictures that are refused, with the codes that say why. */
async function answerOf({ ai }: SiteApi, decision: Decision): Promise<ReadonlyMap<string, string>> {
  if (decision.kind === 'approveSeveral') {
    const { results } = await ai.approveStagedVariants({ imageIds: [...decision.imageIds] });
    return new Map(
      results.flatMap(({ imageId, errorCode }) => (errorCode === null ? [] : [[imageId, errorCode]])),
    );
  }
  const [imageId] = decision.imageIds;
  if (decision.kind === 'approve') await ai.approveStagedVariant({ imageId });
  else await ai.rejectStagedVariant({ imageId, reason: decision.reason });
  return new Map();
}

const decided = (variant: Variant, kind: Decision['kind']): readonly Variant[] =>
  kind === 'reject' ? [] : [{ ...variant, reviewStatus: 'APPROVED' }];
