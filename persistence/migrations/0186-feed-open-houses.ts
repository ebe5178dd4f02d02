import { OnlineMigration } from './online-migration.ts';

/**
 * Open houses that a feed's record announces (docs/feeds-in.md#people-offices-and-open-houses): the key of the record. The
 * column belongs to the open house, whose owner, deletion, export and retention stay as they were (0159). The second index
 * finds the records of a listing.
 */
export class FeedOpenHouses extends OnlineMigration {
  static override readonly online = [
    { column: '"feedKey"', on: 'open_houses', type: 'text' },
    { index: 'open_houses_feed_key_idx', on: `open_houses ("feedKey") where "feedKey" is not null` },
    {
      index: 'feed_records_open_house_idx',
      on: `feed_records ("feedId", (raw ->> 'ListingKey')) where resource = 'OpenHouse'`,
    },
  ];
}
