import type { CanonicalStyle } from '../../machines/vocabulary.ts';

/** The style of a staged image. Images of old releases may have a legacy name in addition to the canonical style. */
export interface StagedStyle {
  /** Null when the legacy name means none of the six styles. */
  canonicalStyle: CanonicalStyle | null;
  /** The name that the client sent; null unless there is a legacy name. */
  submittedStyle: string | null;
  /** The legacy name, such as `japandi` or `no-furniture`; null for canonical names. */
  legacyStyle: string | null;
}

/**
 * The columns of `StagedStyle` for the staged image with alias `v`; they need `stagedStyleJoin`. An image of the first
 * release has its own old name: its job may have made other images, too, and its row names one of them. A later image
 * has the canonical style, and its job the old name that the client sent.
 */
export function stagedStyleColumns(v: string): string {
  const old = `CASE WHEN ${v}.style IS DISTINCT FROM ${v}."canonicalStyle"::text THEN ${v}.style
    WHEN staged_by."promptVersion" <> 'legacy' THEN staged_by."legacyStyle" END`;
  return `${v}."canonicalStyle", ${old} AS "legacyStyle", ${old} AS "submittedStyle"`;
}

export const stagedStyleJoin = (v: string): string =>
  `LEFT JOIN ai_room_staging_jobs staged_by ON staged_by."aiJobId" = ${v}."aiJobId"`;
