import { OnlineMigration } from './online-migration.ts';

/**
 * A person's own words about a saved home. They belong to that person, go with the saved home and with the account, and
 * stand in the export. No one else reads them, unless the person shares the list with its notes (0147).
 */
export class FavoriteNotes extends OnlineMigration {
  static override readonly online = [
    { column: 'note', on: 'favorites', type: 'text' },
    {
      constraint: 'favorites_note_check',
      on: 'favorites',
      must: 'check (char_length(note) between 1 and 500)',
    },
  ];
}
