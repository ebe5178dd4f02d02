import { OnlineMigration } from './online-migration.ts';

/**
 * The first photo that no worker has looked up yet gives a new one its turn (0126). When every look-up fails, all photos
 * that wait have been tried, and the index of 0126 is read to its end with each upload; this one has only the untried.
 */
export class FirstTurn extends OnlineMigration {
  static override readonly online = [
    {
      index: 'photo_checks_untried_turn_idx',
      on: `photo_checks (turn) where verdict is null and not "isOlder" and tries = 0`,
    },
  ];
}
