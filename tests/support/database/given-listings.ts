import type pg from 'pg';

/** Gives the listing to an agent who has accepted it, by SQL: no machine and no rule of the API is asked. */
export async function giveListing(
  pool: pg.Pool,
  { propertyId, to }: { propertyId: string; to: string },
): Promise<void> {
  await pool.query(
    `with accepted as (
       insert into listing_offers
         ("propertyId", kind, "fromAgentId", "toAgentId", status, "createdAt", "expiresAt", "endedAt")
       select id, 'OWNERSHIP', "ownerAgentId", $2, 'ACCEPTED', clock_timestamp(), clock_timestamp() + interval '1 day',
         clock_timestamp()
       from properties where id = $1)
     select`,
    [propertyId, to],
  );
  await pool.query('update properties set "ownerAgentId" = $2 where id = $1', [propertyId, to]);
}
