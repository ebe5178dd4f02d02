import { useMutation } from '@tanstack/react-query';
import type { Inputs } from '../../../typescript/procedures.ts';
import { problemText } from '../../api/failures.ts';
import { CheckboxRow } from '../../primitives/choices.tsx';
import { Problem, Section } from '../../primitives/parts.tsx';
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
  'MESSAGE_RECEIVED',
];
/** Only an agent gets these. */
const AGENT_MAIL_KINDS: readonly MailKind[] = [...MAIL_KINDS, 'PICTURE_WITHDRAWN', 'LISTING_OFFER'];

/** Which mails a person gets. Each switch is kept at once. */
export function Mails({ person }: { readonly person: Me }) {
  const site = useSite();
  const text = useText();
  const { t } = text;
  const { error, isPending, mutate, variables } = useMutation({
    mutationFn: async (mutedMails: MailKind[]) => {
      site.queries.setQueryData(me(site).queryKey, await site.api.users.updateProfile({ mutedMails }));
    },
  });
  // Shown at once, undone when the call fails. A newer server may know kinds that this page does not; they stay as they are.
  const mutedMails = isPending ? variables : (person.mutedMails as readonly MailKind[]);
  const toggle = (kind: MailKind, isOn: boolean): void => {
    const others = mutedMails.filter((one) => one !== kind);
    mutate(isOn ? others : [...others, kind]);
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
            isDisabled={isPending}
            onChange={(isChosen) => toggle(kind, isChosen)}
          />
        ))}
      </div>
      <Problem text={problemText(text, error)} />
    </Section>
  );
}
