import { ACKNOWLEDGED_TOO_OFTEN } from '../../machines/limits.ts';

/** SQL about reports of buyers that count on after an agent acknowledged them (docs/contract.md#mismatch-reports). */
const { ofPicture, ofAgent } = ACKNOWLEDGED_TOO_OFTEN;
const within = (days: number): string => `r."answeredAt" > now() - interval '${days} days'`;

/**
 * The ids of pictures about which an operator decides: withdrawn by reports, or shown with too many acknowledged reports
 * of their own or of their approver's pictures. `OFFSET 0` keeps it one index look-up a report: a join would read all
 * images while there are no statistics.
 */
export const OBJECTED_IDS = `
  SELECT id FROM property_images WHERE "withdrawnBy" = 'REPORTS' UNION ALL
  SELECT counted.id FROM (
    SELECT i.id, i."withdrawnAt" IS NULL AS "isShown", count(*) OVER (PARTITION BY i.id) AS "ofPicture",
      count(*) FILTER (WHERE ${within(ofAgent.days)}) OVER (PARTITION BY i."reviewedByUserId") AS "ofAgent"
    FROM mismatch_reports r CROSS JOIN LATERAL (
      SELECT id, "withdrawnAt", "reviewedByUserId" FROM property_images WHERE id = r."stagedImageId" OFFSET 0
    ) i
    WHERE r.status = 'ACKNOWLEDGED' AND ${within(ofPicture.days)}
  ) counted
  WHERE counted."isShown" AND (counted."ofPicture" >= ${ofPicture.reports} OR counted."ofAgent" >= ${ofAgent.reports})`;

/** `{ofPicture, ofAgent}` of the picture with this alias: the counts that are compared with the limits. */
export const acknowledgedReports = (v: string): string => `(
  SELECT jsonb_build_object(
    'ofPicture', (SELECT count(*) FROM mismatch_reports r
      WHERE r."stagedImageId" = ${v}.id AND r.status = 'ACKNOWLEDGED' AND ${within(ofPicture.days)}),
    'ofAgent', (SELECT count(*) FROM mismatch_reports r JOIN property_images i ON i.id = r."stagedImageId"
      WHERE i."reviewedByUserId" = ${v}."reviewedByUserId" AND r.status = 'ACKNOWLEDGED' AND ${within(ofAgent.days)})))`;

/**
 * Whether the person $2 approved a picture of the photo and style of the staged image $1 that reports withdrew. An
 * operator who took the withdrawal over upheld the reports.
 */
export const APPROVED_WITHDRAWN = `
  SELECT EXISTS (SELECT FROM property_images v JOIN property_images other
      ON other."styledFromId" = v."styledFromId" AND other."canonicalStyle" = v."canonicalStyle" AND other.id <> v.id
    WHERE v.id = $1 AND other."reviewedByUserId" = $2 AND (other."withdrawnBy" = 'REPORTS'
      OR other."withdrawnBy" = 'OPERATOR' AND EXISTS (SELECT FROM mismatch_reports r
        WHERE r."stagedImageId" = other.id AND r.status = 'UPHELD' AND r."answeredByUserId" IS NULL))
  ) AS found`;
