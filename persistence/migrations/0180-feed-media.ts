import { OnlineMigration } from './online-migration.ts';

/**
 * The pictures that the records of a feed name (docs/feeds-in.md#pictures): what the feed says of each, and what became of
 * it here. A row belongs to its listing and goes with it, or when the record no longer names the picture; its picture goes
 * in the same transaction. Neither an export nor the deletion of an account concerns it: nothing of it is a person's. A
 * listing has at most 200 rows.
 */
export class FeedMedia extends OnlineMigration {
  static override readonly online = [{ column: '"mediaPausedUntil"', on: 'feeds', type: 'timestamptz' }];

  override up(): void {
    for (const statement of MEDIA) this.addSql(statement);
  }
}

// WAITING: to be downloaded at `nextAttemptAt`, also while the picture of before is still shown. TAKEN: it is `imageId`, or
// someone removed it here. REFUSED: it is no picture here, by its `reason`. `claim` names the download that is under way, and
// becomes the id of the picture. `checksum` is that of the file as it came. `isFirst`: the first one of its listing.
const MEDIA = [
  `create table feed_media (
     "propertyId" uuid not null references properties (id) on delete cascade,
     key text not null,
     "feedId" uuid not null references feeds (id) on delete cascade,
     position integer not null,
     "isPreferred" boolean not null,
     "isFirst" boolean not null,
     url text,
     "modifiedAt" timestamptz,
     "roomType" text,
     "imageOf" text,
     alteration text,
     state text not null,
     reason text,
     attempts smallint not null default 0,
     "nextAttemptAt" timestamptz,
     claim uuid,
     "imageId" uuid references property_images (id) on delete set null,
     checksum bytea,
     primary key ("propertyId", key),
     constraint feed_media_key_check check (char_length(key) between 1 and 255),
     constraint feed_media_position_check check (position between 0 and 100000),
     constraint feed_media_state_check check (case state
       when 'WAITING' then num_nonnulls(url, "nextAttemptAt") = 2 and reason is null
       when 'TAKEN' then num_nonnulls(url, checksum) = 2 and num_nonnulls("nextAttemptAt", claim, reason) = 0
       when 'REFUSED' then reason is not null and num_nonnulls("nextAttemptAt", claim, "imageId") = 0
       else false end)
   ) with (fillfactor = 80)`,
  `create index feed_media_due_idx on feed_media ("feedId", "isFirst", "nextAttemptAt") where "nextAttemptAt" is not null`,
  `create index feed_media_image_idx on feed_media ("imageId") where "imageId" is not null`,
];
