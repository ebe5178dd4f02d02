import { OnlineMigration } from './online-migration.ts';

const KINDS = [
  'stagingJob',
  'providerAttempt',
  'imageReview',
  'deletionItem',
  'tour',
  'descriptionJob',
  'startGate',
  'searchDocument',
  'mismatchReport',
  'feed',
];

/**
 * The user of a feed is no person (docs/contract.md#feeds): it gets no session, whatever way of signing in asks for
 * one. The journal names one more kind of actor. Nothing is stored in addition.
 */
export class FeedUsers extends OnlineMigration {
  static override readonly online = [
    {
      constraint: 'actor_transitions_actorKind_next',
      on: 'actor_transitions',
      must: `check ("actorKind" in (${KINDS.map((kind) => `'${kind}'`).join(', ')}))`,
    },
  ];

  override up(): void {
    this.addSql('alter table actor_transitions drop constraint "actor_transitions_actorKind_check"');
    this.addSql(`
      alter table actor_transitions rename constraint "actor_transitions_actorKind_next"
      to "actor_transitions_actorKind_check"`);
    this.addSql(`
      create function session_refuse_feed_user() returns trigger language plpgsql
      security definer set search_path = pg_catalog, public, pg_temp as $function$
      begin
        if exists (select from "user" where id = new."userId" and "feedUser") then
          raise exception 'account % is the user of a feed', new."userId" using errcode = 'PA002', constraint = tg_name;
        end if;
        return new;
      end $function$`);
    this.addSql(`
      create trigger session_refuse_feed_user before insert on session
      for each row execute function session_refuse_feed_user()`);
  }
}
