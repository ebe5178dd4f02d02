import { OnlineMigration } from './online-migration.ts';

/**
 * The homes that a person has seen, and those that the person wants to see no more (docs/contract.md#seen-and-hidden-homes).
 * Both belong to the person. The deletion of the account removes them, the export contains them, and they stay as long as
 * the account: the latest 500 that were seen and the latest 200 that were hidden. Deleting the listing's row deletes the
 * mark.
 */
export class SeenAndHiddenHomes extends OnlineMigration {
  override up(): void {
    for (const statement of [KEEP_LATEST, ...kept('seen_homes', 500), ...kept('hidden_homes', 200)])
      this.addSql(statement);
  }
}

/** The lock of the person makes writers of one person take turns, so the bound holds for each that commits. */
const KEEP_LATEST = `
  create function keep_latest_homes() returns trigger language plpgsql as $function$
  begin
    perform from "user" where id in (select "userId" from written) order by id for no key update;
    execute format(
      'delete from %1$I kept using (
         select "userId", "propertyId", row_number() over (partition by "userId" order by at desc, "propertyId") as place
         from %1$I where "userId" in (select "userId" from written)
       ) ranked
       where ranked.place > $1 and kept."userId" = ranked."userId" and kept."propertyId" = ranked."propertyId"',
      tg_table_name) using tg_argv[0]::integer;
    return null;
  end $function$`;

const kept = (table: string, most: number): string[] => [
  `create table ${table} (
     "userId" uuid not null references "user" (id) on delete cascade,
     "propertyId" uuid not null references properties (id) on delete cascade,
     at timestamptz not null,
     primary key ("userId", "propertyId")
   )`,
  `create index "${table}_propertyId_idx" on ${table} ("propertyId")`,
  `create trigger ${table}_refuse_tombstones before insert on ${table}
   for each row execute function refuse_tombstones('userId')`,
  `create trigger ${table}_keep_latest after insert on ${table} referencing new table as written
   for each statement execute function keep_latest_homes(${most})`,
];
