import { Field } from '../../primitives/parts.tsx';
import { textOf, WorkForm } from '../../primitives/work-form.tsx';
import { me } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';

/** Makes a customer an agent, with license and office. */
export function BecomeAgent() {
  const site = useSite();
  const { t } = useText();
  const become = async (form: FormData): Promise<void> => {
    const changed = await site.api.users.becomeAgent({
      licenseNumber: textOf(form, 'licenseNumber'),
      officeName: textOf(form, 'officeName'),
    });
    site.queries.setQueryData(me(site).queryKey, changed);
    site.notices.say('menu.saved');
  };
  return (
    <details>
      <summary className="menu-summary">{t('menu.becomeAgent')}</summary>
      <WorkForm submit={t('menu.becomeAgent')} work={become}>
        <Field label={t('menu.licenseNumber')}>
          <input className="input" name="licenseNumber" required maxLength={64} />
        </Field>
        <Field label={t('menu.officeName')}>
          <input className="input" name="officeName" autoComplete="organization" required maxLength={120} />
        </Field>
      </WorkForm>
    </details>
  );
}
