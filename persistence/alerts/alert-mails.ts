import { type DueMails, dueMails } from '../mails/due-mails.ts';

/** An alert that is to be mailed (0161). */
export interface AlertMail {
  readonly alertId: string;
}

export const alertMails: DueMails<AlertMail> = dueMails('alert_mails', ['alertId']);
