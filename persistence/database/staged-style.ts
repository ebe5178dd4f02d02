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

/** The columns of `StagedStyle` for the staged image with alias `v`; they need `stagedStyleJoin`. */
export function stagedStyleColumns(v: string): string {
  const old = `coalesce(staged_by."legacyStyle",
    CASE WHEN ${v}.style IS DISTINCT FROM ${v}."canonicalStyle"::text THEN ${v}.style END)`;
  return `${v}."canonicalStyle", ${old} AS "legacyStyle",
    CASE WHEN ${old} IS NOT NULL THEN coalesce(staged_by."submittedStyle", ${v}.style) END AS "submittedStyle"`;
}

export const stagedStyleJoin = (v: string): string =>
  `LEFT JOIN ai_room_staging_jobs staged_by ON staged_by."aiJobId" = ${v}."aiJobId"`;
