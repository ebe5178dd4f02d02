import { OnlineMigration } from './online-migration.ts';

/**
 * Requests to feeds (docs/feeds-in.md#rates): one row each, so that all workers together stay within a feed's rates.
 *
 * A row belongs to the feed's account and to no person: it has no address and no content, so an export has none of it and
 * the deletion of an account removes none. Every new request removes a few rows that are older than the longest window (a
 * day); a feed's day has a limit, so has the number of its rows.
 */
export class FeedRequests extends OnlineMigration {
  override up(): void {
    for (const statement of REQUESTS) this.addSql(statement);
  }
}

// `until`: when the request cannot reach the feed any more: its end, or before that the time at which it is given up.
// `bytes`: of its answer, or before its end the most that it can have.
const REQUESTS = [
  `create table feed_requests (
     id bigint generated always as identity primary key,
     account text not null,
     until timestamptz not null,
     "isOpen" boolean not null,
     bytes bigint not null,
     constraint feed_requests_account_check check (char_length(account) between 1 and 200),
     constraint feed_requests_bytes_check check (bytes >= 0)
   )`,
  'create index feed_requests_of_account_idx on feed_requests (account, until) include (bytes, "isOpen")',
  'create index feed_requests_until_idx on feed_requests (until)',
];
