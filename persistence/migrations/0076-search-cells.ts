import { Migration } from '@mikro-orm/migrations';

/**
 * The listings on the market, counted by cells of the map's grid, in four sizes. What a change since 0075 makes untrue is
 * noted there, so the counts may be made while writers go on.
 */
export class SearchCells extends Migration {
  override up(): void {
    this.addSql(TABLE);
    this.addSql(SMALLEST);
    for (const shift of [6, 9, 12]) this.addSql(larger(shift));
  }
}

const TABLE = `
  create table search_cells (
    -- A cell is 2^shift cells of zoom 16 wide; x and y count cells of this size.
    shift smallint not null,
    x integer not null,
    y integer not null,
    count integer not null,
    -- Sums of degrees.
    latitude double precision not null,
    longitude double precision not null,
    "minPrice" double precision not null,
    "maxPrice" double precision not null,
    -- Null for several.
    currency text,
    -- The cells of zoom 16 that hold its listings.
    "westCell" integer not null,
    "eastCell" integer not null,
    "northCell" integer not null,
    "southCell" integer not null,
    -- One of its listings.
    "propertyId" uuid not null,
    primary key (shift, x, y)
  )`;

const SMALLEST = `
  insert into search_cells
  select 3, "cellX" >> 3, "cellY" >> 3, count(*), sum(latitude), sum(longitude), min("listPrice"), max("listPrice"),
    case when min(currency) = max(currency) then min(currency) end,
    min("cellX"), max("cellX"), min("cellY"), max("cellY"), any_value("propertyId")
  from search_listings where "onMarket" and "cellX" is not null group by 2, 3`;

const larger = (shift: number) => `
  insert into search_cells
  select ${shift}, x >> 3, y >> 3, sum(count), sum(latitude), sum(longitude), min("minPrice"), max("maxPrice"),
    case when min(currency) = max(currency) and count(currency) = count(*) then min(currency) end,
    min("westCell"), max("eastCell"), min("northCell"), max("southCell"), any_value("propertyId")
  from search_cells where shift = ${shift - 3} group by 2, 3`;
