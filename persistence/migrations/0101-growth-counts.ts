import { OnlineMigration } from './online-migration.ts';

/**
 * What each person has added per day: listings, photos and their bytes, tour requests. A person owns their rows. The
 * deletion of the account removes them; an export leaves them out, because they repeat what it contains. They stay for
 * three days. Also whether the agent of a tour has undone a decision, which is possible once.
 */
export class GrowthCounts extends OnlineMigration {
  static override readonly online = [
    { column: 'undone', on: 'tours', type: 'boolean not null default false' },
    {
      backfill: `update tours set undone = true where id in (
        select t.id from tours t where not t.undone and exists (
          select from actor_transitions a where a."actorKind" = 'tour' and a."actorId" = t.id
            and a."eventType" = 'DECISION_UNDONE') limit $1)`,
    },
  ];

  override up(): void {
    this.addSql(`
      create table growth_counts (
        "userId" uuid not null references "user" (id) on delete cascade,
        what text not null,
        about uuid not null,
        since timestamptz not null,
        used bigint not null,
        primary key ("userId", what, about, since),
        constraint growth_counts_used_check check (used > 0)
      )`);
    this.addSql('create index growth_counts_since_idx on growth_counts (since)');
    this.addSql(`insert into retention_cuts (what) values ('growthCounts')`);
  }
}
