import { OnlineMigration } from './online-migration.ts';

/**
 * Acts of operators about invitations of agents (0129), in the trail of 0103. They belong to the platform, name an
 * invitation by its id only, are in no export and are never deleted; the id outlives its invitation.
 */
export class WithdrawnInvitations extends OnlineMigration {
  static override readonly online = [
    { column: '"invitationId"', on: 'operator_acts', type: 'uuid' },
    {
      index: 'operator_acts_invitation_idx',
      on: 'operator_acts ("invitationId", at) where "invitationId" is not null',
    },
    {
      constraint: 'operator_acts_subject_next',
      on: 'operator_acts',
      must: 'check (num_nonnulls("personId", "propertyId", "invitationId") = 1)',
    },
  ];

  override up(): void {
    this.addSql('alter table operator_acts drop constraint operator_acts_subject_check');
    this.addSql(
      'alter table operator_acts rename constraint operator_acts_subject_next to operator_acts_subject_check',
    );
  }
}
