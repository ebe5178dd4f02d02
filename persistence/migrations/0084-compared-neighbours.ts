import { OnlineMigration } from './online-migration.ts';

/**
 * What similar homes are compared by stands in the index of neighbours (0080): two hundred rows lie on two hundred pages
 * of the table, and their entries on ten of the index.
 */
export class ComparedNeighbours extends OnlineMigration {
  static override readonly online = [
    {
      index: 'properties_compared_neighbours_idx',
      on: `properties using gist (point(longitude + 360, latitude + 90)) include (id, country, city, "stateOrProvince",
        currency, "propertyType", "propertySubType", "listPrice", "bedroomsTotal", "livingArea", latitude, longitude)
        where "standardStatus" in ('Active', 'Active Under Contract', 'Coming Soon')`,
    },
  ];

  override up(): void {
    this.addSql('drop index properties_neighbours_idx');
    this.addSql('alter index properties_compared_neighbours_idx rename to properties_neighbours_idx');
  }
}
