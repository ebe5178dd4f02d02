import { OnlineMigration } from './online-migration.ts';

/**
 * The nearest listings again (0079). A place nearly at zero degrees made the index fail, and with it every change of any
 * listing: PostgreSQL refuses to reckon with the smallest numbers. Degrees from the far west and the south pole are never
 * so small.
 */
export class Neighbours extends OnlineMigration {
  static override readonly online = [
    {
      index: 'properties_neighbours_idx',
      on: `properties using gist (point(longitude + 360, latitude + 90))
        where "standardStatus" in ('Active', 'Active Under Contract', 'Coming Soon')`,
    },
  ];

  override up(): void {
    this.addSql('drop index properties_near_idx');
  }
}
