import { OnlineMigration } from './online-migration.ts';

/**
 * A no-show that the customer contests, and an operator's consent to an approval that would need a second person
 * (docs/contract.md#mismatch-reports, docs/contract.md#review). The columns belong to the tour and to the picture: they are
 * kept and deleted with them, and a tour's history, which both sides export, says when it was contested.
 */
export class BuyersWord extends OnlineMigration {
  static override readonly online = [
    { column: '"contestedAt"', on: 'tours', type: 'timestamptz' },
    { column: '"contestReadAt"', on: 'tours', type: 'timestamptz' },
    {
      constraint: 'tours_contest_check',
      on: 'tours',
      must: `check (("contestedAt" is null or status = 'NO_SHOW') and ("contestReadAt" is null or "contestedAt" is not null))`,
    },
    {
      index: 'tours_contested_idx',
      on: `tours ("contestedAt") where "contestedAt" is not null and "contestReadAt" is null`,
    },
    { column: '"consentedAt"', on: 'property_images', type: 'timestamptz' },
    {
      index: 'mismatch_reports_acknowledged_idx',
      on: `mismatch_reports ("answeredAt", "stagedImageId") where status = 'ACKNOWLEDGED'`,
    },
    { index: 'mismatch_reports_picture_idx', on: 'mismatch_reports ("stagedImageId", status)' },
  ];
}
