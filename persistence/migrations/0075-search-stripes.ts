import { OnlineMigration } from './online-migration.ts';

/**
 * One b-tree instead of two GiST indexes finds the listings of a box: stripes of longitude, within a stripe the rows of
 * the map's grid. A count by it reads twice as many entries a second, several processes may share the
 * work, and the planner can estimate a box. It holds what filters compare, so that a filtered map reads no row of the
 * table; what varies in length stands last.
 */
export class SearchStripes extends OnlineMigration {
  static override readonly online = [
    // So that each batch finds its rows at once.
    {
      index: 'search_listings_without_bits_idx',
      on: 'search_listings ("propertyId") where "featureBits" is null',
    },
    {
      backfill: `
        with old as (select "propertyId" from search_listings where "featureBits" is null limit $1)
        update search_listings l set "featureBits" = search_feature_bits(l.features)
        from old where l."propertyId" = old."propertyId"`,
    },
    {
      index: 'search_listings_stripes_idx',
      on: `search_listings ("onMarket", ("cellX" >> 4), "cellY") include ("cellX", longitude, latitude, "listPrice",
        "propertyId", "featureBits", "bedroomsTotal", "bathroomsTotal", "livingArea", "lotSize", "yearBuilt", "listedAt",
        "priceReduced", currency, "propertyType", "standardStatus")`,
    },
  ];

  override up(): void {
    for (const name of ['without_bits', 'map', 'place'])
      this.addSql(`drop index search_listings_${name}_idx`);
    for (const statement of [CHANGES, CHANGES_INDEX, NOTE, ...TRIGGERS]) this.addSql(statement);
  }
}

/**
 * Which cells of the map's grid have changed, as rows that are only added: so writers never wait for each other, whatever
 * cells they touch and in whatever order. A change and its row commit together. A cell of these is eight cells of zoom 16
 * wide (`persistence/search/cell-levels.ts`). Every change is noted from here on, before 0076 counts.
 */
const CHANGES = `
  create table search_cell_changes (
    id bigint primary key generated always as identity,
    x integer not null,
    y integer not null
  )`;

const CHANGES_INDEX = 'create index search_cell_changes_cell_idx on search_cell_changes (x, y)';

const NOTE = `
  create function search_listings_note_cell() returns trigger language plpgsql as $function$
  begin
    if tg_op <> 'INSERT' and old."onMarket" and old."cellX" is not null then
      insert into search_cell_changes (x, y) values (old."cellX" >> 3, old."cellY" >> 3);
    end if;
    if tg_op <> 'DELETE' and new."onMarket" and new."cellX" is not null then
      insert into search_cell_changes (x, y) values (new."cellX" >> 3, new."cellY" >> 3);
    end if;
    return null;
  end $function$`;

/** What the cells hold of a listing: where it is, its price, and that it is on the market. */
const COUNTED = ['"onMarket"', 'latitude', 'longitude', '"listPrice"', 'currency'];
const row = (name: string) => `(${COUNTED.map((column) => `${name}.${column}`).join(', ')})`;

const TRIGGERS = [
  `create trigger search_listings_inserted_note_cell after insert on search_listings for each row
   when (new."onMarket" and new."cellX" is not null) execute function search_listings_note_cell()`,
  `create trigger search_listings_updated_note_cell after update on search_listings for each row
   when ((old."onMarket" or new."onMarket") and ${row('old')} is distinct from ${row('new')})
   execute function search_listings_note_cell()`,
  `create trigger search_listings_deleted_note_cell after delete on search_listings for each row
   when (old."onMarket" and old."cellX" is not null) execute function search_listings_note_cell()`,
];
