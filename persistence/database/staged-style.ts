import type { CanonicalStyle } from '../../machines/vocabulary.ts';

/** How a staged image was called. Those of old releases have words of their own beside the canonical style. */
export interface StagedStyle {
  /** Null when the old words mean none of the six. */
  canonicalStyle: CanonicalStyle | null;
  /** What the job was asked for, of old words only. */
  submittedStyle: string | null;
  /** Of old words only, such as `japandi` or `no-furniture`. */
  legacyStyle: string | null;
}

/** The columns of `StagedStyle` for the staged image with alias `v`; `stagedStyleJoin` goes with them. */
export function stagedStyleColumns(v: string): string {
  const old = `coalesce(staged_by."legacyStyle",
    CASE WHEN ${v}.style IS DISTINCT FROM ${v}."canonicalStyle"::text THEN ${v}.style END)`;
  return `${v}."canonicalStyle", ${old} AS "legacyStyle",
    CASE WHEN ${old} IS NOT NULL THEN coalesce(staged_by."submittedStyle", ${v}.style) END AS "submittedStyle"`;
}

export const stagedStyleJoin = (v: string): string =>
  `LEFT JOIN ai_room_staging_jobs staged_by ON staged_by."aiJobId" = ${v}."aiJobId"`;
