import { OnlineMigration } from './online-migration.ts';

/** Listings by their address, whatever their status: a new listing says when the home has one already. */
export class AddressesOfHomes extends OnlineMigration {
  static override readonly online = [
    { index: 'properties_address_idx', on: 'properties (search_text(address))' },
  ];
}
