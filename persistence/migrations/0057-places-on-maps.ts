import { OnlineMigration } from './online-migration.ts';

/** For the names of a map: the large places of a kind in a band of latitude. */
export class PlacesOnMaps extends OnlineMigration {
  static override readonly online = [{ index: 'places_on_maps_idx', on: 'places (kind, latitude)' }];

  override up(): void {}
}
