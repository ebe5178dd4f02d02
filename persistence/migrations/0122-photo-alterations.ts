import { OnlineMigration } from './online-migration.ts';

/**
 * Who declared a photo altered or took that back, and when (docs/contract.md#altered-photos). The rows belong to the
 * platform and never change: they stay when the photo or an account is deleted, with ids only. The export of an account
 * contains the person's own. `by` is `user:<id>` or `operator:<name>`.
 */
export class PhotoAlterations extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table photo_alteration_events (
        id uuid primary key default gen_random_uuid(),
        "imageId" uuid not null,
        "propertyId" uuid not null,
        before text,
        after text,
        "originalImageId" uuid,
        by text not null,
        at timestamptz not null,
        constraint photo_alteration_events_kind_check check (num_nonnulls(before, after) > 0),
        constraint photo_alteration_events_original_check check ("originalImageId" is null or after is not null)
      )`);
    this.addSql('create index photo_alteration_events_image_idx on photo_alteration_events ("imageId", at)');
    this.addSql('create index photo_alteration_events_by_idx on photo_alteration_events (by, id)');
    this.addSql(`
      create trigger photo_alteration_events_never_change before update or delete on photo_alteration_events
      for each row execute function refuse_rewrite_of_history()`);
    this.addSql(`
      create trigger photo_alteration_events_never_empty before truncate on photo_alteration_events
      for each statement execute function refuse_rewrite_of_history()`);
  }
}
