import type { Job, Style, Variant } from '../studio-queries.ts';

/** What has become of a photo in one style. */
export type StyleState =
  | { readonly kind: 'open'; readonly style: Style; readonly job: Job }
  | { readonly kind: 'failed'; readonly style: Style; readonly job: Job }
  | { readonly kind: 'rejected'; readonly style: Style; readonly job: Job }
  | { readonly kind: 'staged'; readonly style: Style | null; readonly variant: Variant };

export interface ListingWork {
  /** Newest first, as all jobs here. */
  readonly open: readonly Job[];
  readonly failed: readonly Job[];
  readonly variants: readonly Variant[];
}

/**
 * The states of each photo, by its id: a picture that is there counts more than a job, an open job more than a failed
 * one, and that more than one whose picture was rejected. A withdrawn picture is listed with them, because its style can
 * be staged again.
 */
export function photoStates(
  { open, failed, variants }: ListingWork,
  rejected: readonly Job[] = [],
): ReadonlyMap<string, readonly StyleState[]> {
  const states = new Map<string, StyleState[]>();
  const known = new Set<string>();
  const add = (imageId: string, state: StyleState): void => {
    const key = `${imageId} ${state.style ?? (state.kind === 'staged' ? state.variant.imageId : '')}`;
    if (known.has(key)) return;
    known.add(key);
    states.set(imageId, [...(states.get(imageId) ?? []), state]);
  };
  for (const variant of variants.filter(({ withdrawnAt }) => withdrawnAt === null))
    add(variant.styledFromId, { kind: 'staged', style: variant.canonicalStyle, variant });
  for (const [kind, jobs] of [
    ['open', open],
    ['failed', failed],
    ['rejected', rejected],
  ] as const)
    for (const job of jobs)
      if (job.canonicalStyle !== null) add(job.originalImageId, { kind, style: job.canonicalStyle, job });
  for (const variant of variants.filter(({ withdrawnAt }) => withdrawnAt !== null)) {
    const { styledFromId, canonicalStyle: style } = variant;
    states.set(styledFromId, [...(states.get(styledFromId) ?? []), { kind: 'staged', style, variant }]);
  }
  return states;
}
