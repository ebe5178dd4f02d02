import { useState } from 'react';
import type { Inputs } from '../../../typescript/procedures.ts';
import { useWork } from '../../api/use-work.ts';
import { CheckboxRow } from '../../primitives/choices.tsx';
import { Section } from '../../primitives/parts.tsx';
import { type Me, me } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';

type MailKind = NonNullable<NonNullable<Inputs['users']['updateProfile']>['mutedMails']>[number];
/** In the order of a visit. */
const MAIL_KINDS: readonly MailKind[] = [
  'TOUR_REQUESTED',
  'TOUR_PROPOSED',
  'TOUR_CONFIRMED',
  'TOUR_DECLINED',
  'TOUR_CANCELED',
];
/** Only an agent gets these. */
const AGENT_MAIL_KINDS: readonly MailKind[] = [...MAIL_KINDS, 'PICTURE_WITHDRAWN'];

/** Which mails a person gets. Each switch is kept at once. */
export function Mails({ person }: { readonly person: Me }) {
  const site = useSite();
  const { t } = useText();
  const { problem, isBusy, run } = useWork();
  // A newer server may know kinds that this page does not; they stay as they are.
  const [mutedMails, show] = useState(person.mutedMails as readonly MailKind[]);
  const toggle = (kind: MailKind, isOn: boolean): void => {
    const others = mutedMails.filter((one) => one !== kind);
    const next = isOn ? others : [...others, kind];
    // Shown at once, undone when the call fails.
    show(next);
    void run(async () => {
      try {
        const changed = await site.api.users.updateProfile({ mutedMails: next });
        site.queries.setQueryData(me(site).queryKey, changed);
      } catch (error) {
        show(mutedMails);
        throw error;
      }
    });
  };
  return (
    <Section title={t('menu.mails')}>
      <p className="muted">{t('menu.mailsText')}</p>
      <div className="stack">
        {(person.role === 'agent' ? AGENT_MAIL_KINDS : MAIL_KINDS).map((kind) => (
          <CheckboxRow
            key={kind}
            label={t(`menu.mail.${kind}`)}
            isChosen={!mutedMails.includes(kind)}
            isDisabled={isBusy}
            onChange={(isChosen) => toggle(kind, isChosen)}
          />
        ))}
      </div>
      {problem === null ? null : (
        <p className="field-problem" role="alert">
          {t(problem)}
        </p>
      )}
    </Section>
  );
}
