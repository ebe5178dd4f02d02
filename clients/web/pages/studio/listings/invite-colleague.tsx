import { useState } from 'react';
import { Field } from '../../../primitives/parts.tsx';
import { textOf, WorkForm } from '../../../primitives/work-form.tsx';
import { useSite, useText } from '../../../site/use-site.ts';

/** Invites a colleague into the agent's office. */
export function InviteColleague() {
  const { api, notices } = useSite();
  const { t } = useText();
  const [sent, setSent] = useState(0);
  const invite = async (form: FormData): Promise<void> => {
    await api.users.inviteColleague({ email: textOf(form, 'email') });
    notices.say('studio.invite.sent');
    setSent(sent + 1);
  };
  return (
    <details className="studio-brief">
      <summary>{t('studio.invite.title')}</summary>
      <WorkForm key={sent} submit={t('studio.invite.send')} work={invite}>
        <p className="muted">{t('studio.invite.text')}</p>
        <Field label={t('studio.invite.email')}>
          <input className="input" type="email" name="email" autoComplete="off" required maxLength={254} />
        </Field>
      </WorkForm>
    </details>
  );
}
