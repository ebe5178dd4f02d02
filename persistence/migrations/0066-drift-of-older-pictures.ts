import { OnlineMigration } from './online-migration.ts';

/**
 * Staged pictures from before 0061 get their row too, and are compared when no newer picture waits. A migration of its
 * own, because steps run before `up`, and the table must exist.
 */
export class DriftOfOlderPictures extends OnlineMigration {
  static override readonly online = [
    {
      backfill: `
        with missing as (
          select id from property_images i where "isStyled"
            and not exists (select from drift_comparisons d where d."stagedImageId" = i.id) limit $1)
        insert into drift_comparisons ("stagedImageId") select id from missing on conflict do nothing`,
    },
  ];
}
